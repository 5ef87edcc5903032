"""What stands on the tables are positions of legal games."""

from __future__ import annotations

import random

import pytest

from rules.bank import full_set
from rules.findings import Severity
from scenes import positions


@pytest.mark.parametrize("seed", range(12))
def test_homeworlds_positions_are_possible(seed: int) -> None:
    position = positions.random_homeworlds(random.Random(seed), 25)
    assert not position.surplus.total
    assert not [finding for finding in position.status() if finding.severity is Severity.IMPOSSIBLE]


@pytest.mark.parametrize("seed", range(12))
def test_settlers_positions_are_possible(seed: int) -> None:
    position = positions.random_settlers(random.Random(seed), 40)
    assert not position.surplus.total
    assert not [finding for finding in position.status() if finding.severity is Severity.IMPOSSIBLE]


def test_games_grow() -> None:
    boards = [positions.random_settlers(random.Random(seed), 100) for seed in range(10)]
    assert sum(len(board.pieces) for board in boards) > 100
    tables = [positions.random_homeworlds(random.Random(seed), 40) for seed in range(10)]
    assert sum(len(table.systems) for table in tables) > 30


def test_a_layout_has_the_whole_set() -> None:
    layout = positions.systems_layout(positions.random_homeworlds(random.Random(3), 30))
    in_play = sum(len(system.stars) + len(system.ships) for system in layout.systems)
    assert in_play + sum(layout.bank.values()) == full_set().total
