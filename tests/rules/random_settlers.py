"""Plays games of Settlers at random and watches that no piece is lost and that every turn can be taken back.

From the root of the project, ``python -m tests.rules.random_settlers 10000`` plays so many games.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from rules import Color, Outcome, Seat, Size
from rules.settlers import Build, Game, Land, Options, PartialTurn, Pass, Position

VARIANTS = (
    Options(),
    Options(redless=True),
    Options(yellow_moves_any=True),
    Options(handicap=Seat.SOUTH),
    Options(handicap=Seat.NORTH, handicap_size=Size.LARGE),
)
_PASSES = 0.01
_STOPS_EARLY = 0.1


def play(seed: int) -> Game:
    """A game played at random to its end; *seed* decides all of it, the options included."""
    dice = random.Random(seed)
    game = Game(dice.choice(VARIANTS), beginner=dice.choice((Seat.SOUTH, Seat.NORTH)))
    while game.outcome() is None:
        position = game.push(_random_turn(game.begin(), dice).steps)
        assert position.bank.total + len(position.board) == (27 if position.redless else 36), position
    return game


def _random_turn(turn: PartialTurn, dice: random.Random) -> PartialTurn:
    """A turn in which something is done, if anything can be, but for a rare pass."""
    beginnings = [step for step in turn.legal_steps() if not isinstance(step, Pass)]
    dice.shuffle(beginnings)
    if dice.random() >= _PASSES:
        for beginning in beginnings:
            taken = _random_end(turn.apply(beginning), dice)
            if not taken.is_pass:
                return taken
    return turn


def _random_end(turn: PartialTurn, dice: random.Random) -> PartialTurn:
    """A few more steps, usually as many as there are."""
    watch(turn)
    while steps := list(turn.legal_steps()):
        if not turn.is_pass and dice.random() < _STOPS_EARLY:
            break
        turn = turn.apply(dice.choice(steps))
        watch(turn)
    return turn


def watch(turn: PartialTurn) -> None:
    """Only builds and landings bring pieces to the board, from a bank that holds three of each kind; none is lost."""
    board = turn.so_far.board
    brought = sum(isinstance(step, Build | Land) for step in turn.steps)
    assert len(board) == len(turn.position.board) + brought, (turn.position, turn.steps)
    for piece, count in Counter(ship.piece for ship in board.values()).items():
        assert count <= (0 if turn.position.redless and piece.color is Color.RED else 3), (turn.position, turn.steps)


def take_back(game: Game) -> None:
    """Every turn taken back restores the position in which it was played."""
    before: list[Position] = [game.start, *(played.position for played in game.history)]
    for position in reversed(before[:-1]):
        game.pop()
        assert game.position == position
    assert not game.history


def play_many(games: int, first_seed: int = 0) -> tuple[Counter[str], int]:
    """Play and take back so many games; how they ended, and how many turns they had together."""
    endings: Counter[str] = Counter()
    turns = 0
    for seed in range(first_seed, first_seed + games):
        game = play(seed)
        outcome = game.outcome()
        assert isinstance(outcome, Outcome)
        endings[outcome.termination] += 1
        turns += len(game.turns)
        take_back(game)
    return endings, turns


if __name__ == "__main__":
    started = time.perf_counter()
    number = int(sys.argv[1])
    found, total = play_many(number)
    seconds = time.perf_counter() - started
    print(f"{number} games, {total} turns in {seconds:.0f} s; {dict(found)}")
