"""The rules that the engine can cite: a law book's `[clauses]` names the clauses behind them."""

from __future__ import annotations

from typing import Final

CITED: Final[tuple[str, ...]] = (
    # strokes, as the ICF laws list them
    "own", "own_and_other", "other", "nothing",
    "striker", "striker_improper", "striker_own", "striker_own_improper", "striker_other", "striker_other_improper", "striker_own_other",
    "improper", "improper_own", "improper_other", "improper_queen",
    "queen", "queen_early", "queen_with_due", "queen_own", "queen_own_at_nine", "queen_own_at_nine_again", "queen_and_other",
    "queen_striker", "queen_striker_at_nine", "queen_striker_improper",
    "queen_own_striker", "queen_own_striker_at_nine", "queen_own_striker_improper",
    "cover", "cover_failed", "cover_striker", "cover_striker_improper", "cover_striker_own", "cover_striker_own_improper",
    "cover_improper", "cover_improper_own",
    # parts of which the other strokes are made: each offence, and what becomes of the Queen and of last pieces
    "striker_pocketed", "striker_with_own", "striker_off_board", "piece_off_board", "no_touch", "opponents_piece", "own_last",
    "failed_break", "improper_with_own", "improper_with_striker", "queen_back", "others_last_returns", "own_last_returns", "set_aside",
    "latest_piece",
    "striker_cannot_fall", "piece_won", "queen_won",
    # off the board
    "queen_and_piece_off_board", "both_colours_off_board",
    # the break
    "break_missed", "break_passed", "break_lost", "break_before_play",
    # dues
    "due_paid", "due_unavailable", "due_written_off", "due_waived",
    # calls
    "technical_foul", "technical_foul_off_turn", "foul", "foul_while_covering", "talking", "timeout", "expired_clocks",
    "interrupted", "third_interruption", "abusive", "refused", "out_of_turn", "played_on", "left_seat", "disturbed",
    "board_replayed", "conceded", "play", "points_claimed",
    # placings
    "placed_wrong_colour", "placed_too_few", "placed_too_many", "placed_queen_missing",
    # ends of a board and of the match
    "end_own_last_queen", "end_own_last_queen_of_other", "end_own_last_before_queen", "end_own_last_striker",
    "end_other_last_before_queen", "end_other_last_covering", "end_other_last_with_queen", "end_other_last_covered",
    "end_other_last_striker", "end_other_last_striker_covered",
    "end_both_covering", "end_both_with_queen", "end_both_before_queen", "end_both_covered", "end_both_queen_striker",
    "end_both_striker_covered", "end_both_striker_of_other", "end_both_striker_before_queen",
    "end_empty", "end_target", "end_strokes", "points", "slam_white", "slam_black", "extra_board", "change_sides",
)  # fmt: skip
"""Rules for which a law book's `[clauses]` may name its clauses."""
