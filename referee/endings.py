"""The strokes that end a board (ICF laws 52 to 55, 102 to 112): a side's last piece is down."""

from __future__ import annotations

from typing import NamedTuple

from models.stroke import FULL_SET
from referee.laws import LawBook, Points
from referee.strokes import Facts, offences, the_costs


class Ending(NamedTuple):
    """How a stroke ends the board.

    Attributes
    ----------
    wins : bool
        The striking side wins; else its opponent.
    points : int
        At most what a board brings.
    pieces, queen_points : int
        The loser's pieces left and the Queen's worth that `points` is made of.
    extra : int
        What the winner may claim on top.
    covers : bool
        The Queen counts as covered by the striking side with this stroke.
    flags : tuple of str
        Keys of what the umpire must decide.
    """

    rule: str
    wins: bool
    points: int
    pieces: int
    queen_points: int
    extra: int = 0
    covers: bool = False
    flags: tuple[str, ...] = ()


def rule_ending(f: Facts, book: LawBook, own_score: int, other_score: int) -> Ending | None:
    """How a stroke ends the board by itself; None if the board goes on, or ends because a side has finished (`won_board`).

    Parameters
    ----------
    own_score, other_score : int
        Points of the striking side and of its opponent before the board.
    """
    if book.pieces.opponents_piece == "returns":
        f = f._replace(other=0)
    ends = book.ends
    unsettled = f.queen_at not in ("own", "other", "none")
    if f.other_last and f.queen_at != "none":
        if (ends.others_last_before_queen, ends.others_last_after_queen) == ("board_lost", "ends"):
            return _both(f, book, own_score, other_score) if f.own_last else _other_last(f, book, other_score)
        if ends.others_last_before_queen == "board_lost" and unsettled and not (f.own_last and (f.queen or f.covering)):
            return _other_last(f, book, other_score)
    if f.own_last and ends.own_last_before_queen == "board_lost" and f.queen_at != "none":
        return _own_last(f, book, own_score, other_score)
    return None


def won_board(book: LawBook, score: int, left: int, covered: bool) -> tuple[int, int, int]:
    """What a board brings the side that has finished: points, and the opponent's pieces and the Queen's worth in them (53, bi.10).

    Parameters
    ----------
    score : int
        Its points before the board.
    left : int
        The opponent's pieces on the board.
    covered : bool
        Whether it has covered the Queen.
    """
    points = book.points
    worth = points.queen if covered and _counts(points, score) else 0
    pieces = points.piece_left * left
    return min(points.most, max(points.least, pieces + worth + points.own_piece * FULL_SET["white"])), pieces, worth


def last_goes_on(f: Facts) -> bool:
    """Whether the last own piece fell by a stroke that sends it back, so that the board goes on (the laws do not list it)."""
    return f.own_last and (f.striker or f.improper)


def _own_last(f: Facts, book: LawBook, own_score: int, other_score: int) -> Ending | None:
    left = f.other_before - f.other
    if _on_board(f):
        rule = "end_own_last_striker" if f.striker else "end_own_last_before_queen"
        more = left if book.ends.lost_board == "queen_and_pieces" else 0
        counts = _counts(book.points, other_score)
        return _end(book.points, rule, wins=False, pieces=more, queen=counts, extra=_extra(f, book))
    if f.striker or f.improper or (f.queen and f.due):
        return None
    if f.queen_at == "other":
        return _end(book.points, "end_own_last_queen_of_other", wins=True, pieces=left, queen=False)
    return _end(
        book.points,
        "end_own_last_queen",
        wins=True,
        pieces=left,
        queen=_counts(book.points, own_score),
        covers=f.queen_at != "own",
    )


def _other_last(f: Facts, book: LawBook, other_score: int) -> Ending:
    left = f.own_before - f.own
    queen = f.queen_at != "own" and _counts(book.points, other_score)
    covered = f.queen_at in ("own", "other")
    if f.striker:
        rule = "end_other_last_striker_covered" if covered else "end_other_last_striker"
        unlisted = not _on_board(f)
    elif covered:
        rule, unlisted = "end_other_last_covered", True
    elif f.covering:
        rule, unlisted = "end_other_last_covering", f.own > 0
    elif f.queen:
        rule, unlisted = "end_other_last_with_queen", True
    else:
        rule, unlisted = "end_other_last_before_queen", False
    flags: tuple[str, ...] = ("unlisted_end",) if unlisted else ()
    if f.own and (f.striker or f.improper):
        flags += ("own_by_losing_stroke",)
    return _end(book.points, rule, wins=False, pieces=left, queen=queen, extra=_extra(f, book), flags=flags)


def _both(f: Facts, book: LawBook, own_score: int, other_score: int) -> Ending:
    points = book.points
    his = _counts(points, other_score)
    if f.striker:
        if f.queen_at == "other":
            queen = his or points.double_last_above == "queen"
            return _end(points, "end_both_striker_of_other", wins=False, pieces=0, queen=queen, extra=_extra(f, book))
        if f.queen_at == "own":
            return _end(points, "end_both_striker_covered", wins=False, pieces=0, queen=False, extra=_extra(f, book))
        rule = "end_both_queen_striker" if f.queen or f.covering else "end_both_striker_before_queen"
        flags = () if f.queen else ("unlisted_end",)
        return _end(points, rule, wins=False, pieces=0, queen=his, extra=_extra(f, book), flags=flags)
    if _on_board(f):
        return _end(points, "end_both_before_queen", wins=False, pieces=0, queen=his, extra=_extra(f, book))
    if f.queen_at in ("own", "other"):
        wins, flags = not f.improper, ("unlisted_end",)
        queen = f.queen_at == ("own" if wins else "other") and _counts(points, own_score if wins else other_score)
        return _end(points, "end_both_covered", wins=wins, pieces=0, queen=queen, extra=_extra(f, book), flags=flags)
    rule = "end_both_covering" if f.covering else "end_both_with_queen"
    if f.improper:
        return _end(points, rule, wins=False, pieces=0, queen=his, extra=_extra(f, book))
    return _end(points, rule, wins=True, pieces=0, queen=_counts(points, own_score), covers=True)


def _on_board(f: Facts) -> bool:
    """The Queen lies on the board, or waits for somebody else's cover, and did not fall by this stroke."""
    return f.queen_at in ("board", "elsewhere") and not f.queen


def _counts(points: Points, score: int) -> bool:
    """Whether the Queen counts for a side that stood at `score` before the board (52b, 54)."""
    return score <= points.queen_up_to


def _extra(f: Facts, book: LawBook) -> int:
    """What the winner may claim for the stroke that ended the board wrongly (87b): its due or penalty."""
    return the_costs(tuple(n for n in offences(f._replace(own=0, queen=False), book) if n != "opponents_piece"), book).pieces


def _end(
    points: Points,
    rule: str,
    *,
    wins: bool,
    pieces: int,
    queen: bool,
    extra: int = 0,
    covers: bool = False,
    flags: tuple[str, ...] = (),
) -> Ending:
    """Points by the one rule that all listed ends follow: pieces left, the Queen where she counts, at least one, at most twelve."""
    worth = points.queen if queen else 0
    pieces *= points.piece_left
    got = min(points.most, max(points.least, pieces + worth))
    if points.extra == "always":
        got, extra = min(points.most, got + extra), 0
    extra = 0 if points.extra == "never" else min(extra, points.most - got)
    return Ending(rule, wins, got, pieces, worth, extra, covers, flags)
