"""What the referee says.

A ruling holds messages: the key of a sentence here and the values that go into it. They become text only when somebody
reads them, in his language (`language.py`); the English sentence is the key of the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Message: TypeAlias = tuple[str, Mapping[str, object]]
"""Key of a sentence and its values: numbers, names of players, `Term`s, counts of pieces, tuples of keys of further sentences."""


class Term(str):
    """A word of the catalogue, translated where it stands."""

    __slots__ = ()


WORDS: Final[Mapping[str, str]] = {
    "white": "white",
    "black": "black",
    "queen": "Queen",
    "striker": "striker",
    "off_baseline": "striker not on both base lines",
    "partial_base_circle": "striker partly on a base circle",
    "pushed": "pushed",
    "elbow": "elbow over the line",
    "moved_piece": "a piece moved otherwise than by the striker",
    "backward": "backward stroke",
    "body": "body over the board",
    "striker_pocketed": "striker pocketed",
    "striker_off_board": "striker off the board",
    "piece_off_board": "piece off the board",
    "no_touch": "no piece touched",
    "opponents_piece": "opponent's piece pocketed",
    "own_last": "last own piece before the Queen",
    "failed_break": "break failed",
    "before_play": 'struck before "Play"',
    "improper_stroke": "improper stroke",
    "unpaid_due": "a penalty that there is no piece to pay with",
    "which_piece": "which of the pieces won comes back",
    "this_matter": "this",
    "this_call": "this call",
    "count": "{n} {piece}",
}

MESSAGES: Final[Mapping[str, str]] = {
    # what happened
    "fell": "Pocketed: {pieces}.",
    "fell_nothing": "Nothing pocketed.",
    "fell_untouched": "No piece touched.",
    "off_board": "Off the board: {pieces}.",
    "improper": "Improper stroke: {reasons}.",
    "offence": "Offence: {offences}.",
    "not_improper": "No offence in this law book: {reasons}.",
    # the break
    "break_missed": "No piece touched at the break: chance {n} of {chances}.",
    "break_passed": "No piece touched at the break in {chances} chances: the break passes on.",
    "break_lost": "Foul at the break without touching a piece: it costs nothing but the turn.",
    "break_before_play": 'Break before "Play".',
    # the Queen
    "queen_pending": "The Queen must be covered by the next stroke.",
    "queen_still_pending": "One more stroke to cover the Queen.",
    "queen_covered": "The Queen is covered.",
    "queen_won": "The Queen counts.",
    "queen_early": "The Queen was taken before any own piece: she comes back when the turn ends.",
    "queen_early_back": "The Queen was taken before any own piece.",
    "queen_not_covered": "The Queen is not covered.",
    "queen_back_due": "The Queen was taken while a due was owed.",
    # what comes back
    "comes_back": "Comes back: {pieces}.",
    "to_centre": "To the centre circle: {pieces}.",
    "queen_to_centre_first": "The Queen goes to the centre first, the others touch her on the far side.",
    "own_to_centre_first": "The striking side's own goes to the centre first.",
    "set_aside": "The last piece is set aside while the Queen is played for.",
    "due_paid": "Paid by {debtor} of what was owed: {n}.",
    "due_owed": "Owed by {debtor}: {n}, to be paid as soon as a piece is available.",
    "due_lapsed": "Nothing is there to pay with: nothing is owed.",
    "due_written_off": "What is owed at the end is written off.",
    "due_waived": "{by} waives what is due. Staying down: {n} {colour}.",
    "points_off": "Points off for {by}: {n}.",
    "points_won": "Points for {by}: {n}.",
    # the turn
    "turn_goes_on": "The turn goes on.",
    "turn_passes": "{next} is at turn.",
    # calls
    "foul": "Foul.",
    "technical_foul": "Technical foul.",
    "no_effect_now": "It costs nothing in this law book.",
    "talking": "Partners may not talk or signal.",
    "timeout": "The time for the stroke ran out.",
    "expired_clocks": "The clock ran out {n} times running.",
    "interrupted": "The opponent was distracted.",
    "third_interruption": "The opponent was distracted for the third time.",
    "abusive": "Abusive language.",
    "refused": "A ruling was refused.",
    "out_of_turn": "Played out of turn.",
    "played_on": "Played on after pocketing an opponent's piece: the turn is over.",
    "left_seat": "Left the seat during the board.",
    "disturbed": "Disturbed the board beyond repair.",
    "board_lost": "The board is lost by the pieces and the Queen as they lay.",
    "game_lost": "The game is lost.",
    "match_lost": "The match is lost.",
    "replay": "The board is replayed.",
    "concede": "{by} concedes the game.",
    "play": 'The umpire says "Play".',
    "demand": "{by} claims {n} more.",
    # ends of a board
    "won_by": "Board won by {winner}. Points: {n}.",
    "nobody_won": "Nobody wins the board.",
    "end_own_last": "The last own piece is down and the Queen is covered.",
    "end_own_last_no_queen": "The last own piece is down.",
    "end_own_last_queen_of_other": "The last own piece is down; the Queen was the opponent's and counts for nobody.",
    "end_own_last_before_queen": "The last own piece went down before the Queen.",
    "end_other_last": "The opponent's last piece is down: he has finished first.",
    "end_other_last_before_queen": "The opponent's last piece went down before the Queen was covered.",
    "end_both": "Both last pieces went down in one stroke.",
    "end_lost": "The board is lost by that.",
    "end_empty": "The board is empty.",
    "end_target": "{by} has reached {n} points.",
    "end_strokes": "All {n} strokes are used.",
    "slam_white": "White slam.",
    "slam_black": "Black slam.",
}

READINGS: Final[Mapping[str, str]] = {
    "she_is_covered": "she is covered",
    "she_must_be_covered": "she must still be covered",
    "she_comes_back": "she comes back",
    "the_turn_continues": "the turn goes on",
    "the_turn_is_lost": "the turn is lost",
}
"""How a doubtful stroke was ruled, for the flags."""

FLAGS: Final[Mapping[str, str]] = {
    "queen_and_other": (
        "The Queen with an opponent's piece only: one reading lets the turn go on with the duty to cover{a}, the other ends it{b}. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_striker_at_nine": (
        "The Queen, an own piece and the striker with all nine on the board: one reading lets the turn go on{a}, the other ends it{b}. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_with_due": (
        "The Queen and an own piece while a due is owed: one reading ends the turn{a}, the other lets it go on{b}. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_at_nine_again": (
        "The Queen and one own piece with all nine back on the board after dues: read literally she must be covered{a}, "
        "else she is covered. Ruled: {ruled}. The umpire decides."
    ),
    "queen_striker_before_own": (
        "The Queen and the striker with fewer than nine on the board, but none pocketed by this side: one reading lets the turn "
        "go on{a}, the other ends it{b}. Ruled: {ruled}. The umpire decides."
    ),
    "queen_with_first_own": (
        "The Queen with the side's first own piece: one reading asks for a cover by the next stroke, the other says that she is covered, "
        "a third that she was taken too early. Ruled: {ruled}. The umpire decides."
    ),
    "queen_by_foul": (
        "The Queen and an own piece by a foul whose pieces stay down: one reading says that she is covered, the other that she comes back. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_with_own": (
        "The Queen and an own piece in one stroke: one reading says that she is covered, the other asks for a cover by the next stroke. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "own_and_other": (
        "Own and opponent's pieces in one stroke: one reading lets the turn go on, the other ends it. Ruled: {ruled}. The umpire decides."
    ),
    "covered_in_turn": (
        "An opponent's piece was pocketed in the turn in which the Queen was covered: read literally she returns, the other reading "
        "leaves her covered. Ruled: {ruled}. The umpire decides."
    ),
    "queen_with_nothing_left": (
        "The Queen fell when no other piece was left to cover her: one reading says that she counts, the other that she comes back. "
        "Ruled: she counts. The umpire decides."
    ),
    "cover_improper_own": (
        "An improper stroke that pockets the cover without the striker is not listed: one reading says that the cover failed, the other "
        "that she waits for one more stroke. Ruled: {ruled}. The umpire decides."
    ),
    "one_penalty": (
        "Several offences in one stroke: one reading asks for one penalty, the other for one each. Ruled: one. The umpire decides."
    ),
    "unlisted_end": (
        "This end of a board is not listed in the laws: one reading rules as in the most similar case ({clauses}), the other goes on with "
        "the board. Ruled: the board is over. The umpire decides."
    ),
    "last_goes_on": (
        "The last piece fell by a stroke that sends it back, which the laws do not list: one reading goes on with the board, the other "
        "ends it. Ruled: it goes on. The umpire decides."
    ),
    "others_last_comes_back": (
        "The opponent's last piece fell before the Queen was covered, for which this law book names no consequence: one reading puts it "
        "back, the other leaves it down. Ruled: it comes back. The umpire decides."
    ),
    "hanging": (
        "A piece fell though the striker touched none, as one does that was hanging at the pocket: one reading credits it to this turn, "
        "the other to the turn before. Ruled: this turn. The umpire decides."
    ),
    "last_comes_back": (
        "The last own piece fell before the Queen was covered, for which this law book names no consequence: one reading puts it back, "
        "the other leaves it down and goes on, a third loses the board. Ruled: it comes back. The umpire decides."
    ),
    "own_by_losing_stroke": (
        "Own pieces fell by the stroke that ended the board wrongly: one reading counts them as pocketed, the other as left. "
        "Ruled: {n} left. The umpire decides."
    ),
    "queen_of_loser": (
        "The side that loses the board had covered the Queen: one reading gives her to the winner, the other to nobody. "
        "Ruled: nobody. The umpire decides."
    ),
    "pending_elsewhere": "The Queen waits for a cover by {name}, who was not the one to strike. The umpire decides.",
    "striker_cannot_fall": (
        "The striker does not fit the pockets of this board, yet it is said to have fallen: ruled as if it had stayed on the board."
    ),
    "over_clock": "The stroke took {seconds:g} s, the clock allows {clock:g} s: an offence if the umpire calls it (timeout).",
    "unsure": "The video is not sure of this stroke (confidence {confidence:.2f}).",
    "timeout": (
        "The laws name no penalty for time run out: one reading rules by the general clause for violations{a}, the other "
        "charges nothing. Ruled: by that clause. The umpire decides."
    ),
    "given_to_opponent": (
        "The law book gives the penalty piece to the opponent: one reading puts it back on the board, the other counts it for him. "
        "Ruled: it comes back. The umpire decides."
    ),
    "silent": (
        "The law book is silent ({what}): one reading rules as told here, the other takes it as the nearest case that the book names, "
        "or as nothing. Ruled: as told here. The umpire decides."
    ),
    "silent_call": (
        "The law book names no consequence of this call: one reading changes nothing, the other takes it as a foul. "
        "Ruled: nothing changes. The umpire decides."
    ),
    "foul_before_stroke": (
        "A foul before the first stroke of a turn: one reading takes the call as it is, the other makes it a technical foul, which leaves "
        "the turn{a}. Ruled: a foul. The umpire decides."
    ),
    "no_wrong_stroke": (
        "The log shows no stroke out of turn: one reading loses the board by the call alone, the other changes nothing. "
        "Ruled: the board is lost. The umpire decides."
    ),
    "several_opponents": (
        "Lost to more than one opponent: one reading replays the board, the other goes on without this player. Ruled: nothing changes. "
        "The umpire decides."
    ),
    "winner_unknown": "Which piece was won last is not known: the cheapest one comes back. The umpire decides.",
    "passes": (
        "Each side has let its turn pass three times running without touching a piece: one reading replays the board{a}, the other goes on "
        "with it. Ruled: it goes on. The umpire decides."
    ),
    "start_scores": (
        "The points given before this board ({given}) are not those of the boards before it ({ruled}): the given ones are used."
    ),
    "unfinished": "The log goes on with another board before this one is over: it brings no points.",
    "extra_board": "Extra board: the toss decides who breaks; taken: {name}.",
    "change_sides": "Change of sides after this board.",
    "change_places": "Change of places after this board: each player moves one place to the right.",
    "change_sides_decider": "Change of sides after this board, in the deciding game.",
}

LAWS_OF_READINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "queen_and_other": {"a": "48", "b": "125a"},
    "queen_own_striker_at_nine": {"a": "98a", "b": "95d"},
    "queen_own_with_due": {"a": "95b", "b": "48"},
    "queen_own_at_nine_again": {"a": "97b"},
    "queen_striker_before_own": {"a": "99a", "b": "95a"},
    "timeout": {"a": "64a"},
    "foul_before_stroke": {"a": "63a"},
    "passes": {"a": "137"},
}
"""The ICF laws behind readings: told where the law book is made of them."""

DISCREPANCIES: Final[Mapping[str, str]] = {
    "out_of_turn": "Played out of turn. At turn was {whose}; unnoticed before the next stroke it stands.",
    "played_on": "Played on after the turn was over. At turn was {whose}; unnoticed before the next stroke it stands.",
    "nobody": "nobody",
    "noticed_late": "The stroke out of turn should have lost the board; it was noticed only after the next stroke: it stands.",
    "placed_wrong_colour": "A wrong colour was placed: {pieces}, not asked for. Unless noticed before the next stroke it stands.",
    "placed_too_many": "A piece was placed that was not due: {pieces}. Unless noticed before the next stroke it stands.",
    "placed_impossible": "Seen placed, but not off the board: {pieces}. It is not counted.",
    "placed_too_few": "Should have been put back and was not seen when the next stroke was played: {pieces}. {stands}",
    "placed_queen_missing": "The Queen should have been put back and was not seen when the next stroke was played. {stands}",
    "right_lapsed": "It stands: the right to it has lapsed.",
    "stands_covered": "It stands: she counts as covered.",
    "count_kept": "The count is kept as the laws have it.",
    "nothing_to_claim": "{by} claims extra points, but none are offered.",
    "nothing_to_waive": "{by} waives a due, but none is open: it was never owed, has been placed, or is the last piece.",
    "after_the_end": "Called on {by} after the board was over: no effect.",
    "not_his_turn": "{by} may concede only in his own turn: no effect.",
}


CATALOGUE: Final[Mapping[str, str]] = {**WORDS, **MESSAGES, **READINGS}
"""Sentences and words by key; flags and discrepancies have key spaces of their own."""
