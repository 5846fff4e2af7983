"""The log of a match as it grows: events in, boards and rulings out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

from carromeye.players import check_players, players_of
from models.errors import BadInput
from models.stroke import COLOURS, FULL_SET, OPPOSITE, SEATS, Board, Colour, Event, Match, Player, Seat, Start, Stroke
from models.stroke_log import log_to_json
from referee.engine import rule_match
from referee.laws import LawBook

FEW_UNSEEN: Final = 2
"""So many pieces of a colour may stay unseen without a word: they lie under others' glare or a hand."""
TO_THE_RIGHT: Final[dict[Seat, Seat]] = dict(zip(SEATS[1:] + SEATS[:1], SEATS, strict=True))
"""By side of the board: where he sat before who sits there when each of four has moved one place to the right (ICF law 59)."""
CHANGES: Final = ("change_sides", "change_sides_decider", "change_places")
"""Notices of the referee after a board that ask players to change sides."""
CONTRADICTED: Final = 0.5
"""Confidence, at most, of a stroke of which the log could not hold what fell."""
UNSEEN: Final = "unseen"
"""Kind of the flag on a board of which the camera did not see every piece."""


def _to_decide(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}. Winner and points are for the umpire to decide."


def _holdable(event: Event) -> Iterator[Event]:
    """An event, and with less and less of what fell, if it is a stroke: an earlier mistake may contradict it, but it was played."""
    yield event
    if isinstance(event, Stroke):
        sure = CONTRADICTED if event.confidence is None else min(event.confidence, CONTRADICTED)
        tried = {event.pocketed}
        for n in range(1, len(COLOURS) + 1):
            for gone in combinations(reversed(COLOURS), n):
                kept = tuple(c for c in event.pocketed if c not in gone)
                if kept not in tried:
                    tried.add(kept)
                    seen = tuple(p for p in event.pocketed_at if p.cls not in gone)
                    yield replace(event, pocketed=kept, pocketed_at=seen, confidence=sure)


@dataclass
class Record:
    """A match under way.

    Attributes
    ----------
    laws : str
        What the log names as its law book.
    named : tuple of Player
        Players given by the user; empty where the strokes must tell who plays.
    given : Match or None
        A log whose first board's `start` tells how the video begins.
    over, ended : bool
        Whether the last board is, and whether the match is and boards after it have been left out.
    doubts : dict
        By board, from 0: why a person must decide its result.
    sits : dict
        Who sits at each side of the board now, by the seat that the log knows him by: players change sides between games.
    """

    laws: str
    book: LawBook
    named: tuple[Player, ...] = ()
    given: Match | None = None
    boards: list[Board] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    over: bool = False
    ended: bool = False
    doubts: dict[int, list[str]] = field(default_factory=dict)
    sits: dict[Seat, Seat] = field(default_factory=lambda: {s: s for s in SEATS})
    _rulings: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """Hold the players and the given start against the law book before any work is done.

        Raises
        ------
        BadInput
            If they cannot be ruled on.
        """
        if self.given is None:
            check_players(self.named, self.book)
            return
        if not self.given.boards:
            raise BadInput("--start: the log has no board whose start could tell how the video begins")
        seats = {p.seat for p in self.given.players}
        if self.named and {p.seat for p in self.named} != seats:
            raise BadInput(f"--players names other seats than the --start log, which has {', '.join(sorted(seats))}")
        if self.named:
            check_players(self.named, self.book)
        given = self.given
        try:
            rule_match(
                Match(self.laws, self.named or given.players, given.first_break, (Board((), given.boards[0].start),), given.options),
                self.book,
            )
        except BadInput as e:
            raise BadInput(f"--start: {e}") from e

    def open(self, rack: bool, opening: dict[str, int], by: Seat) -> bool:
        """A new board begins, with a stroke from side `by`; False where the match is over: what is played then is left out and said."""
        board = Board((), self._start(rack, opening, self.sits[by]))
        if self.boards:
            match = self.match()
            try:
                *_, last, new = rule_match(replace(match, boards=(*match.boards, board)), self.book).boards
            except BadInput as e:
                self.warnings.append(f"left out: {e}")
                self.ended = True
                return False
            if any(notice.kind in CHANGES for notice in last.notices):
                self._seat_anew(by, new.breaker)
        self.boards.append(board)
        self.over = False
        return True

    def _seat_anew(self, by: Seat, breaker: Seat) -> None:
        """After a board that asks for it players have changed sides if the one who is to break then breaks from the side `by`."""
        moved = TO_THE_RIGHT if len(self.match().players) == len(SEATS) else OPPOSITE
        sits = {side: self.sits[moved[side]] for side in SEATS}
        if sits[by] == breaker != self.sits[by]:
            self.sits = sits
            self.warnings.append(f"from board {len(self.boards) + 1} on players sit elsewhere: the log keeps the seats of the first board")

    def _start(self, rack: bool, opening: dict[str, int], by: Seat) -> Start | None:
        queen_played = self.book.pieces.with_queen
        if self.given is not None and len(self.boards) == 0:
            start = self.given.boards[0].start
            if queen_played and not rack and not opening["queen"] and (start is None or start.queen in (None, "on_board")):
                self.doubt(0, "the start that was given has the queen on the board, but she was not seen there")
            return start
        if rack:
            return None
        queen = None if not queen_played else "on_board" if opening["queen"] else f"covered:{by}"
        if queen_played and not opening["queen"]:
            self.doubt(len(self.boards), f"the video begins without the queen on the board; she is taken as covered by {by}")
        begins = f"the video begins in the middle of a board: {opening['white']} white, {opening['black']} black; "
        if self.book.owned:
            self.warnings.append(f"{begins}{by} is taken to have broken and to play white")
        else:
            # A piece counts for whoever pocketed it, and nobody saw who that was.
            self.doubt(len(self.boards), f"{begins}who pocketed the others is not known and they bring nobody points")
        return Start(white=opening["white"], black=opening["black"], queen=queen, breaker=by, turn=by)

    def doubt(self, board: int, why: str) -> None:
        """A person must decide the result of a board (from 0)."""
        self.doubts.setdefault(board, []).append(why)
        self.warnings.append(f"board {board + 1}: {why}")

    def given_up(self, t: float) -> None:
        """The pieces were laid out anew at `t` (s), though the last board was not over."""
        self.doubt(len(self.boards) - 1, f"the pieces were laid out anew at {t:.1f} s, before its end was seen")

    def close(self, unseen: Mapping[Colour, int]) -> None:
        """The last board was watched to its end; `unseen` of the pieces that its rack must have were never seen."""
        if not self.boards:
            return
        for colour, n in unseen.items():
            if colour == "queen" and not self.book.pieces.with_queen:
                continue
            if colour == "queen" and n:
                self.doubt(len(self.boards) - 1, "the queen was never seen: she may be of an unusual colour or hidden")
            elif n > FEW_UNSEEN:
                self.doubt(len(self.boards) - 1, f"only {FULL_SET[colour] - n} of {FULL_SET[colour]} {colour} pieces were ever seen")

    def add(self, event: Event) -> None:
        """Take in an event. What the log cannot hold of it is left out, with a warning: a stroke of what fell, a placing as a whole."""
        board = self.boards[-1]
        event = replace(event, by=self.sits[event.by])
        complaint = ""
        for tried in _holdable(event):
            self.boards[-1] = Board((*board.events, tried), board.start)
            try:
                self._rulings = rule_match(self.match(), self.book).to_json()
            except BadInput as e:
                self.boards[-1] = board
                complaint = complaint or str(e)
                continue
            if complaint:
                self.warnings.append(f"at {event.t or 0.0:.1f} s: the stroke is told without what cannot have fallen: {complaint}")
            self.over = self._rulings["boards"][-1]["result"] is not None
            return
        self.warnings.append(f"left out at {event.t or 0.0:.1f} s: {complaint}")

    def match(self) -> Match:
        """The stroke log so far."""
        strokes = [e for b in self.boards for e in b.events if isinstance(e, Stroke)]
        if self.given is not None:
            players = self.named or self.given.players
            first = self.given.first_break
        else:
            players = self.named or players_of(list(dict.fromkeys(s.by for s in strokes)), self.book)
            first = strokes[0].by if strokes else players[0].seat
        options = self.given.options if self.given is not None else {}
        return Match(self.laws, players, first, tuple(self.boards), options)

    def log(self) -> dict[str, Any]:
        """The JSON object of `strokes.json`."""
        return log_to_json(self.match())

    def rulings(self) -> dict[str, Any]:
        """The JSON object of `rulings.json`."""
        rulings = self._rulings or rule_match(self.match(), self.book).to_json()
        boards = [
            {**b, "flags": [*b["flags"], *({"kind": UNSEEN, "text": _to_decide(why)} for why in self.doubts.get(k, ()))]}
            for k, b in enumerate(rulings["boards"])
        ]
        return {**rulings, "boards": boards}

    def laws_facts(self) -> dict[str, Any]:
        """The law book as `match.json` tells it: what shows on a score sheet (`reports.book.Book`), the match's options applied."""
        book = self.book.with_options(self.given.options) if self.given is not None else self.book
        match, pieces, points = book.match, book.pieces, book.points
        return {
            "id": book.id, "name": book.name,
            "owner": pieces.owner, "with_queen": pieces.with_queen, "cover": book.queen.cover != "none",
            "white": pieces.white, "black": pieces.black, "queen": points.queen, "own_piece": points.own_piece,
            "target": match.target, "max_boards": match.max_boards, "extra_board": match.extra_board, "games": match.games,
        }  # fmt: skip

    @property
    def strokes(self) -> int:
        """Strokes so far."""
        return sum(isinstance(e, Stroke) for b in self.boards for e in b.events)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that may strike."""
        if self.named or self.given is not None:
            return tuple(p.seat for p in (self.named or (self.given.players if self.given else ())))
        struck = {e.by for b in self.boards for e in b.events if isinstance(e, Stroke)}
        return tuple(struck | {OPPOSITE[s] for s in struck}) if struck else ("south", "east", "north", "west")
