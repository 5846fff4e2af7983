"""The referee's engine: a match's boards and games, who breaks, what counts, who has won (ICF laws 49 to 61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.errors import BadInput
from models.stroke import Board, Call, Event, Match, Seat, Stroke
from referee.board import apply
from referee.laws import LawBook
from referee.rulings import BoardRulings, Flag, Rulings
from referee.state import BoardState, Counts, open_board
from referee.table import Table, seat_players


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match between two boards.

    Attributes
    ----------
    scores, games : tuple of int
        Points of each side in the game, and games won.
    game, board : int
        Number of the game, and of the next board in it.
    opener : Seat
        Who broke the first board of the first game.
    breaker : Seat
        Who breaks the next board.
    over : bool
        Whether the match is: won, or drawn in its only game.
    played : int
        Boards of the log so far.
    changed : bool
        Whether sides have been changed in the deciding game.
    """

    book: LawBook
    table: Table
    scores: Counts
    games: Counts
    opener: Seat
    breaker: Seat
    game: int = 1
    board: int = 1
    winner: Seat | None = None
    game_over: bool = False
    over: bool = False
    played: int = 0
    changed: bool = False
    interruptions: Mapping[Seat, int] = field(default_factory=dict)
    expired: Mapping[Seat, int] = field(default_factory=dict)


def open_match(match: Match, book: LawBook) -> MatchState:
    """A match before its first board, under its options.

    Raises
    ------
    BadInput
        If the book has no such option, or is not for so many players.
    """
    book = book.with_options(match.options)
    table = seat_players(match, book)
    zeros = (0,) * len(table.sides)
    return MatchState(book=book, table=table, scores=zeros, games=zeros, opener=match.first_break, breaker=match.first_break)


def next_board(state: MatchState, board: Board) -> tuple[BoardState, tuple[Flag, ...]]:
    """The next board before its first event, and what the umpire should know of it.

    Raises
    ------
    BadInput
        If the match is over, or the board's `start` is no position in play.
    """
    number = state.played + 1
    if state.over:
        won = f"{state.table.names[state.winner]} has won it" if state.winner else "it was drawn"
        raise BadInput(f"board {number}: the match was over after board {state.played}: {won}")
    start = board.start
    opened = open_board(
        state.book,
        state.table,
        state.breaker,
        start,
        state.scores,
        number=number,
        awaits_play=_breaks_before_play(board),
        interruptions=state.interruptions,
        expired=state.expired,
    )
    match, table = state.book.match, state.table
    best = max(opened.scores)
    if match.target and best >= match.target and opened.scores.count(best) == 1:  # two there play on until one leads
        raise BadInput(f"board {number}, start: scores: {best} points end the game, which is to {match.target}")
    flags = []
    if state.played and opened.before != state.scores:
        flags.append(Flag("start_scores", {"given": _shown(table, opened.before), "ruled": _shown(table, state.scores)}))
    if match.max_boards and state.board > match.max_boards and not (start and start.breaker):
        flags.append(Flag("extra_board", {"name": table.names[opened.breaker]}))
    return opened, tuple(flags)


def close_board(state: MatchState, board: BoardState) -> MatchState:
    """The match after a board, finished or not."""
    state = replace(
        state,
        scores=board.scores,
        played=state.played + 1,
        breaker=board.breaker,
        interruptions=board.interruptions,
        expired=board.expired,
    )
    if state.played == 1:
        state = replace(state, opener=board.breaker)
    result = board.result
    if result is None:
        return replace(state, board=state.board + 1, breaker=state.table.after(board.breaker))
    if result.award:
        what, side = result.award
        return replace(state, winner=side, game_over=True, over=True) if what == "match" else _win_game(state, side)
    if result.replay:
        return state
    if len(state.table.sides) == 1:
        won = state.table.sides[0] if result.winner else None
        return replace(state, over=True, winner=won, games=(int(won is not None),))
    match = state.book.match
    best = max(state.scores)
    leaders = [s for s, n in zip(state.table.sides, state.scores, strict=True) if n == best]
    last = bool(match.max_boards) and state.board >= match.max_boards
    if len(leaders) == 1 and (last or (match.target and best >= match.target)):
        return _win_game(state, leaders[0])
    if last and not match.extra_board:
        return _new_game(replace(state, over=match.games == 1))
    return replace(state, board=state.board + 1, breaker=state.table.after(board.breaker))


def _win_game(state: MatchState, side: Seat) -> MatchState:
    games = tuple(n + (s == side) for s, n in zip(state.table.sides, state.games, strict=True))
    winner = side if max(games) > state.book.match.games // 2 else None
    return _new_game(replace(state, games=games, winner=winner, over=winner is not None))


def _new_game(state: MatchState) -> MatchState:
    """Game 2 is opened by the side that did not open game 1, game 3 by the one that did (49)."""
    opener = state.opener if state.game % 2 == 0 else state.table.after(state.opener)
    return replace(state, game=state.game + 1, board=1, breaker=opener, game_over=True, changed=False)


def rule_match(match: Match, book: LawBook) -> Rulings:
    """Rule on a whole log.

    Parameters
    ----------
    book : LawBook
        The law book; the log's options are applied to it.

    Raises
    ------
    BadInput
        If the log has an event that cannot be: the line says board, event, what, and what would be right.
    """
    state, boards = open_match(match, book), []
    fouls = {p.seat: 0 for p in match.players}
    fouled: set[Seat] = set()
    flawless: set[Seat] = set()
    for k, board in enumerate(match.boards, 1):
        if state.game_over:
            fouled.clear()
        state = _between_games(state)
        opened, flags = next_board(state, board)
        played = opened
        for event in board.events:
            played = apply(played, event)
        if played.result is None and k < len(match.boards):
            flags += (Flag("unfinished"),)
        for seat in _fouls(played):
            fouls[seat] += 1
            fouled.add(state.table.side_of[seat])
        after = close_board(state, played)
        flawless |= {s for s, was, now in zip(state.table.sides, state.games, after.games, strict=True) if now > was and s not in fouled}
        notices, after = _changes(state, after, played)
        boards.append(BoardRulings(state.game, state.board, opened.breaker, played.rulings, played.result, flags, notices))
        state = after
    table = state.table
    return Rulings(
        book.id,
        tuple(boards),
        table.by_side(state.scores),
        table.by_side(state.games),
        state.winner,
        fouls,
        tuple(s for s in table.sides if s in flawless),
    )


def _fouls(board: BoardState) -> Iterator[Seat]:
    """Who committed a foul, once for each that the book counts (22s.1)."""
    return (ruling.by for ruling in board.rulings if ruling.counted)


def _changes(before: MatchState, after: MatchState, board: BoardState) -> tuple[tuple[Flag, ...], MatchState]:
    """Whether sides are changed after a board (58 to 61, bc.4)."""
    match = before.book.match
    if after.over or board.result is None or board.result.replay or match.change_sides == "never":
        return (), after
    kind = "change_places" if len(before.table.order) > len(before.table.sides) else "change_sides"
    if match.change_sides == "each_board" or after.game != before.game:
        return (Flag(kind),), after
    decider = match.games > 1 and before.game == match.games and not before.changed
    boards, points = match.decider_change_boards, match.decider_change_points
    if decider and ((boards and before.board >= boards) or (points and max(after.scores) >= points)):
        return (Flag("change_sides_decider"),), replace(after, changed=True)
    return (), after


def state_after(match: Match, book: LawBook, board: int, events: int | None = None) -> BoardState:
    """The board number `board` (from 0) of a log after its first `events` events; after all of them if not given.

    Raises
    ------
    BadInput
        As `rule_match` does.
    """
    state = open_match(match, book)
    for earlier in match.boards[:board]:
        state = _between_games(state)
        state = close_board(state, _played(next_board(state, earlier)[0], earlier.events))
    state = _between_games(state)
    return _played(next_board(state, match.boards[board])[0], match.boards[board].events[:events])


def _between_games(state: MatchState) -> MatchState:
    """The points of a game that is over are kept until the next one begins."""
    if not state.game_over or state.over:
        return state
    return replace(state, scores=tuple(0 for _ in state.scores), game_over=False)


def _played(state: BoardState, events: Sequence[Event]) -> BoardState:
    for event in events:
        state = apply(state, event)
    return state


def _breaks_before_play(board: Board) -> bool:
    """Whether the log has the umpire say "Play" first after the first stroke: then that stroke was the break before it (47)."""
    strokes = 0
    for event in board.events:
        if isinstance(event, Call) and event.call == "play":
            return strokes == 1
        strokes += isinstance(event, Stroke)
    return False


def _shown(table: Table, scores: Counts) -> str:
    return ", ".join(f"{table.side_names(s)} {n}" for s, n in zip(table.sides, scores, strict=True))
