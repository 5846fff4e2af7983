"""The referee's engine: a match's boards and games, who breaks, what counts, who has won (ICF laws 49 to 61)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.errors import BadInput
from models.stroke import Board, Call, Event, Match, Seat, Stroke
from referee.board import apply
from referee.laws import LawBook
from referee.rulings import BoardRulings, Flag, Rulings
from referee.state import BoardState, Counts, open_board
from referee.table import Table, seat_players
from referee.texts import flag_text


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
    played : int
        Boards of the log so far.
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
    played: int = 0
    interruptions: Mapping[Seat, int] = field(default_factory=dict)


def open_match(match: Match, book: LawBook) -> MatchState:
    """A match before its first board, under its options.

    Raises
    ------
    BadInput
        If the book has no such option, or is not for so many players.
    """
    book = book.with_options(match.options)
    table = seat_players(match, book)
    zeros = tuple(0 for _ in table.sides)
    return MatchState(book=book, table=table, scores=zeros, games=zeros, opener=match.first_break, breaker=match.first_break)


def next_board(state: MatchState, board: Board) -> tuple[BoardState, tuple[Flag, ...]]:
    """The next board before its first event, and what the umpire should know of it.

    Raises
    ------
    BadInput
        If the match is over, or the board's `start` is no position in play.
    """
    number = state.played + 1
    if state.winner:
        raise BadInput(f"board {number}: the match was over after board {state.played}: {state.table.names[state.winner]} has won it")
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
    )
    match, table = state.book.match, state.table
    if max(opened.before) >= match.target:
        raise BadInput(f"board {number}, start: scores: {max(opened.before)} points end the game, which is to {match.target}")
    flags = []
    if state.played and opened.before != state.scores:
        flags.append(_flag("start_scores", given=_shown(table, opened.before), ruled=_shown(table, state.scores)))
    if match.max_boards and state.board > match.max_boards and not (start and start.breaker):
        flags.append(_flag("extra_board", seat=opened.breaker))
    return opened, tuple(flags)


def close_board(state: MatchState, board: BoardState) -> MatchState:
    """The match after a board, finished or not."""
    state = replace(state, scores=board.scores, played=state.played + 1, breaker=board.breaker, interruptions=dict(board.interruptions))
    if state.played == 1:
        state = replace(state, opener=board.breaker)
    result = board.result
    if result is None:
        return replace(state, board=state.board + 1, breaker=state.table.after(board.breaker))
    if result.award:
        what, side = result.award
        return replace(state, winner=side, game_over=True) if what == "match" else _win_game(state, side)
    if result.replay:
        return state
    match = state.book.match
    best = max(state.scores)
    leaders = [s for s, n in zip(state.table.sides, state.scores, strict=True) if n == best]
    last = bool(match.max_boards) and state.board >= match.max_boards
    if best >= match.target or (last and len(leaders) == 1):
        return _win_game(state, leaders[0])
    if last and not match.extra_board:
        return _new_game(state)
    return replace(state, board=state.board + 1, breaker=state.table.after(board.breaker))


def _win_game(state: MatchState, side: Seat) -> MatchState:
    games = tuple(n + (s == side) for s, n in zip(state.table.sides, state.games, strict=True))
    winner = side if max(games) > state.book.match.games // 2 else None
    return _new_game(replace(state, games=games, winner=winner))


def _new_game(state: MatchState) -> MatchState:
    """Game 2 is opened by the side that did not open game 1, game 3 by the one that did (49)."""
    opener = state.opener if state.game % 2 == 0 else state.table.after(state.opener)
    return replace(state, game=state.game + 1, board=1, breaker=opener, game_over=True)


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
    for k, board in enumerate(match.boards, 1):
        state = _between_games(state)
        opened, flags = next_board(state, board)
        played = opened
        for event in board.events:
            played = apply(played, event)
        if played.result is None and k < len(match.boards):
            flags += (_flag("unfinished"),)
        boards.append(BoardRulings(state.game, state.board, opened.breaker, played.rulings, played.result, flags))
        state = close_board(state, played)
    table = state.table
    return Rulings(book.id, tuple(boards), table.by_side(state.scores), table.by_side(state.games), state.winner)


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
    if not state.game_over or state.winner:
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


def _flag(key: str, **values: object) -> Flag:
    return Flag(key, flag_text(key, values))


def _shown(table: Table, scores: Counts) -> str:
    return ", ".join(f"{s} {n}" for s, n in zip(table.sides, scores, strict=True))
