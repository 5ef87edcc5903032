"""Sample positions: repeatable, possible, varied; and laid out whole."""

from __future__ import annotations

from collections import Counter

import pytest

from companion_app.reading import ReadSystem
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from companion_app.star_names import STARS, names_of
from rules import Severity, full_set, homeworlds, settlers
from vision.sight import Seat
from vision.virtual import BoardLayout, SystemsLayout

SEEDS = range(300)


@pytest.mark.parametrize("make", [random_homeworlds, random_settlers])
def test_samples_are_possible_and_repeat(make: type) -> None:
    for seed in SEEDS:
        position = make(seed)
        assert position == make(seed)
        assert not [f for f in position.status() if f.severity is Severity.IMPOSSIBLE], position.line
    assert len({make(seed).line for seed in SEEDS}) == len(SEEDS)


def test_homeworlds_samples_show_what_games_show() -> None:
    samples = [random_homeworlds(seed) for seed in SEEDS]
    for position in samples:
        assert [len(position.homes(seat)) for seat in position.seats] == [1, 1]
        assert all(1 <= len(system.pieces) - len(system.stars) <= 5 for system in position.systems)
    assert {len(position.systems) for position in samples} == set(range(4, 10))
    binaries = Counter(len({star.size for star in samples[i].systems[0].stars}) for i in SEEDS)
    assert binaries[2] > binaries[1] > 0
    assert any(all(system.ships[seat] for seat in samples[i].seats) for i in SEEDS for system in samples[i].systems)


def test_settlers_samples_are_of_every_length() -> None:
    counts = Counter(len(random_settlers(seed).pieces) for seed in SEEDS)
    assert set(counts) == set(range(1, 31))


@pytest.mark.parametrize("seed", range(20))
def test_layouts_hold_the_whole_set(seed: int) -> None:
    board, systems = layout_of(random_settlers(seed)), layout_of(random_homeworlds(seed))
    assert isinstance(board, BoardLayout)
    assert isinstance(systems, SystemsLayout)
    on_table = Counter((ship.color, ship.size) for ship in board.cells.values())
    assert sum((on_table + Counter(board.bank)).values()) == full_set().total
    pieces = sum(len(system.stars) + len(system.ships) for system in systems.systems)
    assert pieces + sum(systems.bank.values()) == full_set().total


def test_a1_is_the_first_cell_and_f6_the_last() -> None:
    layout = layout_of(settlers.Position.parse("5R3/6/6/6/6/g15 S 0"))
    assert isinstance(layout, BoardLayout)
    assert [(cell, ship.owner) for cell, ship in layout.cells.items()] == [
        ((0, 0), Seat.SOUTH),
        ((5, 5), Seat.NORTH),
    ]


def test_names_last_for_more_systems_than_there_are_pieces() -> None:
    names = list(names_of(ReadSystem(number, None, (), {}) for number in range(1, 101)).values())
    assert len(set(names)) == 100
    homeworlds.Position([homeworlds.System(name, None, []) for name in names])
    assert STARS[0] == names[0]


def test_homes_are_called_after_their_players_and_never_two_alike() -> None:
    homes = [ReadSystem(1, Seat.SOUTH, (), {}), ReadSystem(2, Seat.NORTH, (), {}), ReadSystem(5, Seat.SOUTH, (), {})]
    assert names_of(homes) == {1: "South", 2: "North", 5: STARS[4]}
