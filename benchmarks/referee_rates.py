"""How many rulings a second on one core, and how many moves peers' rule engines take in the same run.

Peers come with the extra `bench`: python-chess pushes legal moves, pokerkit plays hands of hold'em with its chance actions left to it.
"""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Final

from benchmarks.referee_positions import Position, opened
from models.stroke import Board, Event, Match, Piece, Player, Stroke
from referee.board import apply, can
from referee.engine import rule_match
from referee.laws import LawBook
from referee.state import BoardState

STROKES: Final = 200
"""Of a board that is not over before."""
BOARDS: Final = 25
TRIES: Final = 5
CHESS_GAMES: Final = 10
POKER_HANDS: Final = 20
CHANCES: Final[dict[str, float]] = {
    "own": 0.4,
    "second": 0.1,
    "other": 0.06,
    "queen": 0.08,
    "striker": 0.07,
    "improper": 0.03,
    "untouched": 0.03,
    "off": 0.01,
}
"""How often each happens by a stroke of a club player."""


@dataclass(frozen=True)
class Rate:
    """Rulings a second (processor time): alone, and of whole logs with their rulings as the text of a JSON file."""

    laws: str
    strokes: int
    rulings: float
    in_json: float


def best_rate(work: Callable[[], int], tries: int = TRIES) -> float:
    """Things done per second of the processor, the best of several tries; `work` tells how many it did."""
    rates = []
    for _ in range(tries):
        begin = process_time()
        done = work()
        rates.append(done / (process_time() - begin))
    return max(rates)


def rate(book: LawBook, boards: int = BOARDS, tries: int = TRIES) -> Rate:
    """How fast the referee rules by a law book."""
    racks = [_rack(book, k) for k in range(boards)]
    played = [(state, strokes_of(state, random.Random(k))) for k, state in enumerate(racks)]
    matches = [_match(state, strokes) for state, strokes in played]
    strokes = sum(len(s) for _, s in played)

    def rule() -> int:
        for state, events in played:
            for event in events:
                state = apply(state, event)
        return strokes

    def write() -> int:
        for match in matches:
            json.dumps(rule_match(match, book).to_json())
        return strokes

    return Rate(book.id, strokes, best_rate(rule, tries), best_rate(write, tries))


def _rack(book: LawBook, number: int) -> BoardState:
    players = book.match.players
    return opened(book, Position("rack", players=players[number % len(players)]))


def _match(state: BoardState, strokes: list[Event]) -> Match:
    players = tuple(Player(seat, name) for seat, name in state.table.names.items())
    return Match(state.book.id, players, state.breaker, (Board(tuple(strokes)),))


def strokes_of(state: BoardState, chance: random.Random) -> list[Event]:
    """A board as it might be played, stroke by stroke of the one at turn, until it is over or has so many strokes."""
    events: list[Event] = []
    while state.turn is not None and len(events) < STROKES:
        stroke = _a_stroke(state, chance)
        if can(state, stroke):
            events.append(stroke)
            state = apply(state, stroke)
    return events


def _a_stroke(state: BoardState, chance: random.Random) -> Stroke:
    def happens(what: str) -> bool:
        return chance.random() < CHANCES[what]

    seat = state.turn or state.breaker
    own: Piece = state.colour(seat) if state.book.owned else "white"
    other: Piece = "black" if own == "white" else "white"
    fell: list[Piece] = [own] if happens("own") else []
    fell += [own] if fell and happens("second") else []
    fell += [other] if happens("other") else []
    fell += ["queen"] if happens("queen") and state.queen.state == "on_board" else []
    touched = bool(fell) or not happens("untouched")
    fell += ["striker"] if happens("striker") else []
    chance.shuffle(fell)
    return Stroke(seat, tuple(fell), touched, (own,) if happens("off") else (), ("pushed",) if happens("improper") else ())


def peers() -> Iterator[tuple[str, float | None]]:
    """Peers and what they do in a second; None for one that is not installed."""
    for name, module, measure in (("python-chess", "chess", _chess), ("pokerkit", "pokerkit", _poker)):
        yield name, measure() if importlib.util.find_spec(module) else None


def _chess() -> float:
    """Moves a second, each asked whether it is legal before it is made."""
    import chess

    games = []
    for seed in range(CHESS_GAMES):
        chance, board = random.Random(seed), chess.Board()
        moves: list[chess.Move] = []
        while len(moves) < STROKES and (legal := [*board.legal_moves]):
            moves.append(chance.choice(legal))
            board.push(moves[-1])
        games.append(moves)

    def play() -> int:
        for moves in games:
            board = chess.Board()
            for move in moves:
                if not board.is_legal(move):
                    raise ValueError(f"{move} was legal before")
                board.push(move)
        return sum(map(len, games))

    return best_rate(play)


def _poker() -> float:
    """Operations a second of hands of no-limit hold'em that are called down."""
    from pokerkit import Automation, NoLimitTexasHoldem

    def play() -> int:
        done = 0
        for _ in range(POKER_HANDS):
            hand = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, 200, 4)
            while hand.status:
                hand.check_or_call()
            done += len(hand.operations)
        return done

    return best_rate(play)
