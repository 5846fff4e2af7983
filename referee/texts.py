"""What the engine can rule, in words: every rule's key and its sentence.

A law book's `[clauses]` names the law behind each key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {
    # ordinary strokes
    "own": "Own piece pocketed; the turn continues.",
    "own_and_other": "Own and opponent's pieces pocketed: all stay down; {turn}.",
    "other": "Opponent's piece pocketed: it stays down, no due; the turn passes.",
    "nothing": "Nothing pocketed; the turn passes.",
    "striker": "Striker pocketed: one due; the turn passes.",
    "striker_improper": "Striker pocketed by an improper stroke: due and penalty; the turn is lost.",
    "striker_own": "Striker pocketed with an own piece: what fell comes back with one due; the turn continues.",
    "striker_own_improper": (
        "Striker and own piece pocketed by an improper stroke: what fell comes back with due and penalty; the turn is lost."
    ),
    "striker_other": "Striker pocketed with an opponent's piece: that piece stays down, one due; the turn passes.",
    "striker_other_improper": (
        "Striker and opponent's piece pocketed by an improper stroke: that piece stays down, due and penalty; the turn is lost."
    ),
    "striker_own_other": "Striker pocketed with own and opponent's pieces: the own come back with one due; the turn continues.",
    "improper": "Improper stroke: one penalty; the turn is lost.",
    "improper_own": "Own piece pocketed by an improper stroke: it comes back with one penalty; the turn is lost.",
    "improper_other": "Opponent's piece pocketed by an improper stroke: it stays down, one penalty; the turn is lost.",
    "improper_queen": "Queen pocketed by an improper stroke: all of one's own that fell comes back with one penalty; the turn is lost.",
    # the Queen
    "queen": "Queen pocketed: the next stroke must cover her.",
    "queen_early": "Queen pocketed before any own piece: she comes back; the turn is lost.",
    "queen_with_due": "Queen pocketed while a due is owed: she comes back; {turn}.",
    "queen_own": "Queen and own piece pocketed: she is covered; {turn}.",
    "queen_own_at_nine": "Queen and one own piece pocketed with all nine on the board: she must still be covered; {turn}.",
    "queen_own_at_nine_again": "Queen and one own piece pocketed, all nine on the board again after dues: {queen}; {turn}.",
    "queen_and_other": "Queen and opponent's piece pocketed: {queen}; {turn}.",
    "queen_striker": "Queen and striker pocketed: she comes back, one due; {turn}.",
    "queen_striker_at_nine": "Queen and striker pocketed with all nine on the board: she comes back, one due; the turn is lost.",
    "queen_striker_improper": "Queen and striker pocketed by an improper stroke: she comes back, due and penalty; the turn is lost.",
    "queen_own_striker": "Queen, own piece and striker pocketed: what fell comes back with one due; {turn}.",
    "queen_own_striker_at_nine": (
        "Queen, own piece and striker pocketed with all nine on the board: what fell comes back with one due; {turn}."
    ),
    "queen_own_striker_improper": (
        "Queen, own piece and striker pocketed by an improper stroke: what fell comes back with due and penalty; the turn is lost."
    ),
    "cover": "The Queen is covered; {turn}.",
    "cover_failed": "The Queen is not covered: she comes back; the turn passes.",
    "cover_striker": "Striker pocketed when covering the Queen: she comes back, one due; the turn passes.",
    "cover_striker_improper": (
        "Striker pocketed by an improper stroke when covering the Queen: she comes back, due and penalty; the turn is lost."
    ),
    "cover_striker_own": (
        "Striker pocketed with an own piece when covering the Queen: what fell comes back with one due; one more stroke to cover her."
    ),
    "cover_striker_own_improper": (
        "Striker and own piece pocketed by an improper stroke when covering the Queen: "
        "she and what fell come back with due and penalty; the turn is lost."
    ),
    "cover_improper": "Improper stroke when covering the Queen: she comes back with one penalty; the turn is lost.",
    "cover_improper_own": (
        "Own piece pocketed by an improper stroke when covering the Queen: she and that piece come back with one penalty; the turn is lost."
    ),
    # off the board
    "striker_off_board": "The striker left the board: no due.",
    "piece_off_board": "The {pieces} that left the board goes back to the centre circle.",
    "queen_and_piece_off_board": "The Queen goes back to the centre circle first, the {pieces} touching her on the far side.",
    "both_colours_off_board": "The {pieces} go back to the centre circle, the striking side's own first.",
    # the break
    "break_missed": "No piece touched at the break: chance {n} of {chances}; the same player breaks again.",
    "break_passed": "No piece touched in {chances} chances: the break passes to the opponent, colours as they are.",
    "break_lost": "Foul at the break, no piece touched: no due and no penalty; the turn is lost.",
    "break_before_play": (
        'Break before "Play": what fell of the breaker\'s own and the Queen comes back with one penalty; the turn is lost.'
    ),
    # dues
    "due_paid": "{debtor} pays what was owed: {n} {colour} in all.",
    "due_unavailable": "{debtor} owes {n} more, to be paid as soon as a piece is available.",
    "due_written_off": "What is owed at the end is written off.",
    "due_waived": "{by} waives what is due: {n} {colour} stay down.",
    # calls
    "technical_foul": "Technical foul: one piece; the turn is kept.",
    "technical_foul_off_turn": "Technical foul of a player not at turn: one piece; the turn stays as it is.",
    "foul": "Foul: one piece; the turn is lost.",
    "foul_while_covering": "Foul before the Queen is covered: she comes back with one piece; the turn is lost.",
    "talking": "Partners may not talk or signal.",
    "timeout": "The time for the stroke ran out.",
    "interrupted": "The opponent was distracted.",
    "third_interruption": "Distraction for the third time: the match is lost.",
    "misconduct": "Misconduct: the match is lost.",
    "out_of_turn": "Played out of turn.",
    "played_on": "Played on after the turn was over.",
    "left_seat": "Left the seat during the board: the board is lost by the pieces left and the Queen.",
    "disturbed": "Disturbed the board beyond repair: the board is lost by the pieces left and the Queen.",
    "board_replayed": "The board is replayed.",
    "conceded": "The game is conceded.",
    "play": 'The umpire says "Play".',
    # placings
    "placed_wrong_colour": "A wrong colour was placed.",
    "placed_too_few": "Fewer pieces were placed than were due.",
    "placed_too_many": "A piece was placed that was not due.",
    "placed_queen_missing": "The Queen was not put back.",
    # ends of a board
    "points_claimed": "{by} claims {n} more.",
    "end_own_last_queen": "The last own piece is down and the Queen is covered.",
    "end_own_last_queen_of_other": "The last own piece is down; the Queen was the opponent's and counts for nobody.",
    "end_own_last_before_queen": "The last own piece went down before the Queen: the board is lost.",
    "end_own_last_striker": "The last own piece and the striker went down before the Queen: the board is lost.",
    "end_other_last_before_queen": "The opponent's last piece went down before the Queen: the board is lost.",
    "end_other_last_covering": "The opponent's last piece went down when the Queen was to be covered: the board is lost.",
    "end_other_last_with_queen": "The opponent's last piece went down with the Queen: the board is lost.",
    "end_other_last_covered": "The opponent's last piece went down: he has finished first.",
    "end_other_last_striker": "The opponent's last piece and the striker went down before the Queen was covered: the board is lost.",
    "end_other_last_striker_covered": "The opponent's last piece and the striker went down: the board is lost.",
    "end_both_covering": "Both last pieces went down with the stroke that was to cover the Queen.",
    "end_both_with_queen": "Both last pieces and the Queen went down in one stroke.",
    "end_both_before_queen": "Both last pieces went down before the Queen: the board is lost.",
    "end_both_covered": "Both last pieces went down in one stroke, the Queen covered before.",
    "end_both_queen_striker": "Both last pieces, the Queen and the striker went down in one stroke: the board is lost.",
    "end_both_striker_covered": "Both last pieces and the striker went down in one stroke: the board is lost.",
    "end_both_striker_of_other": "Both last pieces and the striker went down, the Queen covered by the opponent: the board is lost.",
    "end_both_striker_before_queen": "Both last pieces and the striker went down before the Queen: the board is lost.",
    "slam_white": "White slam.",
    "slam_black": "Black slam.",
}

FLAGS: Final[Mapping[str, str]] = {
    "queen_and_other": (
        "Queen with an opponent's piece only: the laws do not settle whether the turn continues (48) or ends (125a). "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_striker_at_nine": (
        "Queen, own piece and striker with all nine on the board: 98a lets the turn continue, 95d ends it. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_with_due": (
        "Queen and own piece while a due is owed: 95b has no exception, 48 would go on. Ruled: {ruled}. The umpire decides."
    ),
    "queen_own_at_nine_again": (
        "Queen and one own piece with all nine back on the board after dues: 97b read literally asks for a cover, else she is covered. "
        "Ruled: {ruled}. The umpire decides."
    ),
    "queen_striker_before_own": (
        "Queen and striker with fewer than nine on the board, but none pocketed by this side: "
        "99a lets the turn continue, 95a would end it. Ruled: the turn continues. The umpire decides."
    ),
    "cover_improper_own": "An improper stroke that pockets the cover without the striker is not listed: ruled as a cover that failed.",
    "unlisted_end": "This end of a board is not listed in the laws: ruled by analogy ({clauses}). The umpire decides.",
    "last_goes_on": "The last piece fell by a stroke that sends it back: the laws do not list it; the board goes on. The umpire decides.",
    "own_by_losing_stroke": (
        "Own pieces fell by the stroke that ended the board wrongly: the laws do not say whether they count as left. Ruled: {n} left. "
        "The umpire decides."
    ),
    "queen_of_loser": "The side that loses the board had covered the Queen: ruled that she counts for nobody. The umpire decides.",
    "pending_elsewhere": "The Queen waits for a cover by {seat}, who was not the one to strike. The umpire decides.",
    "over_clock": "The stroke took {seconds:g} s, the clock allows {clock:g} s: a foul if the umpire calls it (timeout).",
    "unsure": "The video is not sure of this stroke (confidence {confidence:.2f}).",
    "timeout": "The laws name no penalty for time run out: ruled by the general clause for violations (62 to 64).",
    "passes": (
        "Each side has let its turn pass three times running without touching a piece: law 137 may ask for a replay. The umpire decides."
    ),
    "start_scores": (
        "The points given before this board ({given}) are not those of the boards before it ({ruled}): the given ones are used."
    ),
    "unfinished": "The log goes on with another board before this one is over: it brings no points.",
    "extra_board": "Extra board: the toss decides who breaks; taken: {seat}.",
}


def rule_text(key: str, values: Mapping[str, object]) -> str:
    """The sentence of a rule."""
    return RULES[key].format_map(dict(values))


def flag_text(key: str, values: Mapping[str, object]) -> str:
    """The sentence of what the umpire has to decide."""
    return FLAGS[key].format_map(dict(values))
