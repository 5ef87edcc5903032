"""Which ships fly around which star, whose home a binary star is, and what is only the bank."""

from __future__ import annotations

import numpy as np
import pytest

from vision.finding.axis import players_axis
from vision.finding.crews import seeming
from vision.finding.grouping import group
from vision.finding.strewn import Strewn
from vision.poses import Pose
from vision.sight import Role, Seat
from vision.solids import Posture, Size

NORTH, SOUTH = 270.0, 90.0  # where the ships of a player point


def star(x: float, y: float, size: Size = Size.MEDIUM, z: float = 0.0) -> Pose:
    return Pose(size, Posture.UPRIGHT, x, y, 10.0, z)


def ship(x: float, y: float, heading: float, size: Size = Size.SMALL) -> Pose:
    return Pose(size, Posture.LYING, x, y, heading)


SOUTHERN_HOME = [star(0, -150, Size.LARGE), star(1, -149, Size.SMALL, 26.0), ship(0, -190, SOUTH + 12, Size.LARGE)]
NORTHERN_HOME = [star(20, 150, Size.MEDIUM), star(20, 151, Size.SMALL, 16.7), ship(22, 190, NORTH - 20, Size.LARGE)]
COLONY = [star(5, 0), ship(-4, -32, SOUTH), ship(14, -30, SOUTH + 22), ship(5, 32, NORTH + 24)]
BANK = [star(200 + 33 * column, -33 + 33 * row, size) for column in range(4) for row, size in enumerate(Size)]


def test_stacked_binaries_are_homes() -> None:
    found = group([*SOUTHERN_HOME, *NORTHERN_HOME, *COLONY])
    assert {(system.stars, system.ships, system.home) for system in found.systems} == {
        ((0, 1), (2,), Seat.SOUTH),
        ((3, 4), (5,), Seat.NORTH),
        ((6,), (7, 8, 9), None),
    }
    assert [found.roles[index] for index in (0, 1, 2, 6)] == [Role.STAR, Role.STAR, Role.SHIP, Role.STAR]


def test_stars_side_by_side_are_a_binary() -> None:
    pair = [star(-12, -150, Size.LARGE), star(12.5, -150, Size.MEDIUM), ship(0, -190, SOUTH)]
    system = group([*pair, *COLONY]).systems[0]
    assert (set(system.stars), system.ships, system.home) == ({0, 1}, (2,), Seat.SOUTH)


def test_stars_side_by_side_near_the_bank_are_a_binary() -> None:
    """A piece of the bank stands near one of them, but not nearly as near as they stand to each other."""
    beside = [star(142, 0, Size.LARGE), star(166, 0), ship(142, -38, SOUTH)]
    assert [system.stars for system in group([*beside, *BANK]).systems] == [(0, 1)]


def test_three_that_stand_in_a_row_are_no_binary() -> None:
    row = [star(-26, 0), star(0, 0), star(26, 0), ship(0, -33, SOUTH)]
    assert seeming(Strewn.of(row)).units == ((0,), (1,), (2,))


@pytest.mark.parametrize("doubtful", range(3))
def test_of_more_than_two_stars_the_least_likely_is_not_there(doubtful: int) -> None:
    """Of one of two stars beside each other something else is easily told, as if it stood upon that one."""
    told = [star(-12, -150, Size.LARGE), star(-11, -150, Size.SMALL, 26.0), star(12.5, -150), ship(0, -190, SOUTH)]
    found = group(told)
    assert set(found.systems[0].stars) == {0, 1, 2}
    likely = np.where(np.arange(len(told)) == doubtful, 0.6, 0.9)
    assert found.beyond_two(likely) == [doubtful]
    assert found.beyond_two(np.full(len(told), 0.99)) == []  # what is sure stays, and is asked about
    assert group(COLONY).beyond_two(np.full(len(COLONY), 0.5)) == []


def test_what_is_off_the_table_stands_on_the_nearest_piece() -> None:
    """Where an upper piece is placed badly it is of no other system for that, nor of the bank."""
    system = group([star(0, -150, Size.LARGE), star(9, -142, Size.SMALL, 26.0), ship(0, -190, SOUTH)]).systems[0]
    assert system.stars == (0, 1)


def test_stars_apart_are_two_systems() -> None:
    poses = [star(-60, 0), ship(-60, -32, SOUTH), star(60, 0), ship(60, -32, SOUTH)]
    found = group(poses)
    assert {(system.stars, system.ships, system.home) for system in found.systems} == {
        ((0,), (1,), None),
        ((2,), (3,), None),
    }


def test_ships_of_both_players_fly_in_one_system() -> None:
    found = group(COLONY)
    assert found.owners == (None, Seat.SOUTH, Seat.SOUTH, Seat.NORTH)
    assert found.systems[0].ships == (1, 2, 3)


@pytest.mark.parametrize("axis", [65.0, 90.0, 118.0])
def test_owners_follow_the_players_axis(axis: float) -> None:
    poses = [star(0, 0), ship(0, -32, axis + 24), ship(0, 32, axis + 180 - 24)]
    assert group(poses).owners == (None, Seat.SOUTH, Seat.NORTH)


def test_a_huddle_of_stars_without_ships_is_the_bank() -> None:
    found = group([*COLONY, *BANK])
    assert found.roles[4:] == (Role.BANK,) * 12
    assert len(found.systems) == 1


def test_a_ship_far_from_every_star_is_loose() -> None:
    found = group([*COLONY, ship(-300, 20, SOUTH)])
    assert found.roles[4] is Role.LOOSE
    assert found.owners[4] is Seat.SOUTH
    assert all(4 not in system.ships for system in found.systems)


def test_a_long_row_of_ships_flies_around_one_star() -> None:
    """Each is near the next one, the last far from its star and nearer to another."""
    row = [ship(34.0 * column, -33, SOUTH) for column in range(6)]
    found = group([star(0, 0), *row, star(180, 40), ship(180, 74, NORTH)])
    assert {(system.stars, system.ships) for system in found.systems} == {((0,), (1, 2, 3, 4, 5, 6)), ((7,), (8,))}


@pytest.mark.parametrize("away", [30.0, 22.0])
def test_a_system_beside_the_bank_stays_one(away: float) -> None:
    beside = [star(200 - away, 0), ship(200 - away, -33, SOUTH)]
    found = group([*beside, *BANK])
    assert [(system.stars, system.ships) for system in found.systems] == [((0,), (1,))]
    assert set(found.roles[2:]) == {Role.BANK}


def test_pieces_laid_out_in_rows_are_no_ships() -> None:
    """Not even beside a star, and however many they are they do not say where the players sit."""
    rows = [ship(60 + 30 * row, -60 + 20 * place, 8.0) for row in range(3) for place in range(8)]
    found = group([star(0, 0), ship(0, -33, SOUTH), ship(30, -30, SOUTH), *NORTHERN_HOME, *rows])
    assert found.axis_deg == pytest.approx(90.0, abs=25)
    assert {(system.stars, system.ships) for system in found.systems} == {((0,), (1, 2)), ((3, 4), (5,))}
    assert set(found.roles[6:]) == {Role.LOOSE}


@pytest.mark.parametrize("heads_and_tails", [False, True])
def test_a_bank_in_long_ranks_is_no_fleet_even_where_it_lies_as_ships_do(heads_and_tails: bool) -> None:
    """Neither the ships of the star beside it nor what says where the players sit."""
    ranks = [
        ship(40 + 25.0 * place, -40.0 - 60 * rank, SOUTH - 30 + (180 if heads_and_tails and place % 2 else 0))
        for rank in range(3)
        for place in range(8)
    ]
    found = group([star(0, 0), ship(0, -33, SOUTH + 8), *NORTHERN_HOME, *ranks])
    assert {(system.stars, system.ships) for system in found.systems} == {((0,), (1,)), ((2, 3), (4,))}
    assert set(found.roles[5:]) == {Role.LOOSE}
    assert found.axis_deg == pytest.approx(90.0, abs=15)


def test_a_fleet_of_seven_in_a_neat_row_is_one() -> None:
    fleet = [ship(-84.0 + 28 * place, -33, SOUTH) for place in range(7)]
    assert [system.ships for system in group([star(0, 0), *fleet]).systems] == [(1, 2, 3, 4, 5, 6, 7)]


def test_a_doubtful_system_stays_where_its_ships_would_make_another_unlikely() -> None:
    """One of its ships seems to lie across. Without it that would fly, all the same, around a star farther away."""
    doubtful = [star(0, 0), ship(0, -30, SOUTH), ship(-23, 19, SOUTH - 46)]
    others = [star(33, -44), star(68, -92), ship(68, -124, SOUTH), *NORTHERN_HOME]
    found = group([*doubtful, *others, *BANK])
    assert {system.stars: system.ships for system in found.systems} == {(0,): (1, 2), (4,): (5,), (6, 7): (8,)}


def test_ships_of_a_struck_star_spoil_no_system_far_away() -> None:
    """One of them lies across, as no ship does. From the next star both are as far as any that may fly around it."""
    struck = [star(0, 0), ship(4, -20, SOUTH), ship(-16, 0, SOUTH - 70), star(10, 46)]
    far = [star(63, -65), ship(69, -100, SOUTH), ship(44, -67, SOUTH)]
    found = group([*struck, *far, *NORTHERN_HOME, *BANK])
    assert {system.stars: system.ships for system in found.systems} == {(4,): (5, 6), (7, 8): (9,)}


def test_stars_in_a_heap_rule_no_system() -> None:
    heap = [star(200, 0), ship(224, 4, 15.0), star(214, 34), ship(230, 40, 160.0), star(190, 28), ship(176, 4, 85.0)]
    found = group([*COLONY, *heap])
    assert [system.stars for system in found.systems] == [(0,)]
    assert set(found.roles[4:]) == {Role.BANK}


def test_a_ship_goes_to_the_star_it_flies_with() -> None:
    found = group([*COLONY, star(130, 0), ship(130, -34, SOUTH)])
    assert {(system.stars, system.ships) for system in found.systems} == {((0,), (1, 2, 3)), ((4,), (5,))}


@pytest.mark.parametrize(
    ("home", "seat"), [(SOUTHERN_HOME, Seat.SOUTH), (NORTHERN_HOME, Seat.NORTH)], ids=["South's", "North's"]
)
def test_one_binary_is_the_home_of_its_guard(home: list[Pose], seat: Seat) -> None:
    found = group([*home, *COLONY])
    assert [system.home for system in found.systems if len(system.stars) == 2] == [seat]


def test_nothing_groups_to_nothing() -> None:
    found = group([])
    assert (found.roles, found.owners, found.systems) == ((), (), ())


@pytest.mark.parametrize(
    ("headings", "axis"),
    [
        ([], 90.0),
        ([[]], 90.0),
        ([[90.0, 270.0]], 90.0),
        ([[110.0, 290.0]] * 8, 108.0),
        ([[70.0]] * 16, 71.0),
        ([[90.0], [85.0], [95.0], [0.0] * 20], 90.0),
    ],
)
def test_the_axis_is_that_of_both_players(headings: list[list[float]], axis: float) -> None:
    assert players_axis(headings) == pytest.approx(axis, abs=1.5)
    turned = [[heading + 180 for heading in crew] for crew in headings]
    assert players_axis(turned) == pytest.approx(axis, abs=1.5)


def test_a_lone_binary_star_belongs_to_whose_ships_guard_it() -> None:
    star = [Pose(Size.LARGE, Posture.UPRIGHT, 0, 0, 10), Pose(Size.SMALL, Posture.UPRIGHT, 0, 0, 10, 27.0)]
    for heading, seat, y in ((90.0, Seat.SOUTH, -42.0), (270.0, Seat.NORTH, 42.0)):
        grouping = group([*star, Pose(Size.LARGE, Posture.LYING, 0, y, heading)])
        assert [system.home for system in grouping.systems] == [seat]


@pytest.mark.parametrize(("home", "y", "heading"), [(Seat.SOUTH, -150.0, SOUTH), (Seat.NORTH, 150.0, NORTH)])
def test_a_home_that_lost_a_star_is_still_one(home: Seat, y: float, heading: float) -> None:
    other = NORTHERN_HOME if home is Seat.SOUTH else SOUTHERN_HOME
    left = [star(0, y), ship(0, y + (-34 if home is Seat.SOUTH else 34), heading)]
    homes = {system.stars: system.home for system in group([*left, *other, *COLONY]).systems}
    assert homes[(0,)] is home
    assert sorted(seat for seat in homes.values() if seat) == [Seat.NORTH, Seat.SOUTH]


def test_a_home_that_lost_a_star_is_not_the_colony_behind_it() -> None:
    """Many ships around what lies a little less near to its player say more than one ship at the edge."""
    guarded = [star(0, -120), *(ship(x, -154, SOUTH) for x in (-45, -15, 15, 45))]
    behind = [star(150, -150), ship(150, -184, SOUTH)]
    homes = {system.stars: system.home for system in group([*guarded, *behind, *NORTHERN_HOME, *COLONY]).systems}
    assert (homes[(0,)], homes[(5,)]) == (Seat.SOUTH, None)


def test_the_only_system_is_the_home_of_its_ships() -> None:
    assert [system.home for system in group([star(0, 0), ship(0, 34, NORTH)]).systems] == [Seat.NORTH]


def test_nobodys_home_has_only_ships_of_the_other() -> None:
    lost = [star(0, -150), ship(0, -116, NORTH), *NORTHERN_HOME]
    assert [system.home for system in group(lost).systems].count(Seat.SOUTH) == 0


def test_a_colony_in_the_middle_is_no_home() -> None:
    homes = [system.home for system in group([*SOUTHERN_HOME, *COLONY, star(80, 150), ship(80, 116, SOUTH)]).systems]
    assert homes.count(None) == 2


def test_each_player_has_one_home_at_most() -> None:
    poses: list[Pose] = []
    for x, y in ((0.0, -150.0), (0.0, 150.0), (150.0, -100.0), (-150.0, -90.0)):
        poses += [Pose(Size.MEDIUM, Posture.UPRIGHT, x, y, 0), Pose(Size.SMALL, Posture.UPRIGHT, x, y, 0, 18.0)]
        poses.append(Pose(Size.LARGE, Posture.LYING, x, y - 40, 90))
    homes = [system.home for system in group(poses).systems if system.home is not None]
    assert sorted(homes) == [Seat.NORTH, Seat.SOUTH]
