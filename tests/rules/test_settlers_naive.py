"""The engine and a naive generator written from the rules alone agree on every position that a turn can reach."""

from __future__ import annotations

import random

import pytest
from naive_settlers import TooManyTurns, end_positions

from rules import full_set
from rules.settlers import FIELDS, SEATS, Options, Position, Ship, legal_turns

SEEDS = range(24)
POSITIONS_A_SEED = 15
AFFORDABLE = 4000  # ways that the naive generator may try


def positions(seed: int) -> list[tuple[Position, Options]]:
    """Random positions of every fullness, mostly of small pieces, and the options to play them with."""
    dice = random.Random(seed)
    return [_position(dice) for _ in range(10 * POSITIONS_A_SEED)]


def _position(dice: random.Random) -> tuple[Position, Options]:
    redless = dice.random() < 0.2
    options = Options(yellow_moves_any=dice.random() < 0.3, redless=redless)
    pieces = list(full_set(redless=redless).pieces)
    weights = dice.choice([(1, 1, 1), (6, 3, 1), (9, 1, 0.3)])
    pieces.sort(key=lambda piece: dice.random() ** (1 / weights[piece.size - 1]), reverse=True)
    fields = dice.sample(FIELDS, min(len(pieces), dice.randint(0, 36)))
    ownership = dice.choice([0.1, 0.5, 0.9])
    board = {
        field: Ship(piece, SEATS[dice.random() < ownership]) for field, piece in zip(fields, pieces, strict=False)
    }
    return Position(board, dice.choice(SEATS), dice.randint(0, 30), redless), options


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_ends_of_a_turn(seed: int) -> None:
    compared = 0
    for position, options in positions(seed):
        try:
            expected = end_positions(position, options.yellow_moves_any, limit=AFFORDABLE)
        except TooManyTurns:
            continue
        found = [end for _, end in legal_turns(position, options)]
        assert set(found) == expected, position.line
        assert len(found) == len(expected), position.line
        compared += 1
        if compared == POSITIONS_A_SEED:
            break
    assert compared == POSITIONS_A_SEED
