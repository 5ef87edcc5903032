"""The virtual table: what stays where it is, what is played, and all of it through a camera in real time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from camera_fakes import until

from companion_app.cameras import Camera, Condition, source_at
from companion_app.cameras.given import GivenPictures
from companion_app.cameras.hands import Arm
from companion_app.cameras.looking import table_states
from companion_app.cameras.tabletop import Tabletop
from companion_app.cameras.virtual_table import Doing, VirtualCamera, VirtualTable, Weather
from companion_app.cameras.watching import Hand, Still
from companion_app.photos import Photo
from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.virtual import View

VIEW = View(width=240, height=180)
HOMEWORLDS = Tabletop.of(layout_of(random_homeworlds(1)), seed=1, view=VIEW)
SETTLERS = Tabletop.of(layout_of(random_settlers(21)), seed=2, view=VIEW)
PICTURE = HOMEWORLDS.picture()
QUIET = Weather(noise=0)


def changed(one: Photo, other: Photo) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """(H, W): the pixels that differ."""
    return np.asarray((one != other).any(axis=2), np.bool_)


@pytest.mark.parametrize("table", [HOMEWORLDS, SETTLERS], ids=["homeworlds", "settlers"])
@pytest.mark.parametrize("seed", range(4))
def test_everything_is_in_the_picture_from_wherever_it_is_taken(table: Tabletop, seed: int) -> None:
    position = random_homeworlds(seed) if table is HOMEWORLDS else random_settlers(seed)
    view = replace(View.random(seed), width=240, height=180)
    top = Tabletop.of(layout_of(position), seed=seed, view=view)
    corners = np.concatenate([top.camera.project(piece.pose.vertices()) for piece in top.pieces])
    assert (corners > 5).all()
    assert (corners < (235, 175)).all()
    assert max(np.ptp(corners, axis=0) / (240, 180)) > 0.3


def test_the_same_table_looks_the_same_again() -> None:
    assert np.array_equal(PICTURE, HOMEWORLDS.picture())


def test_only_where_a_piece_lay_and_lies_the_picture_changes() -> None:
    first, *others = SETTLERS.pieces
    moved = replace(SETTLERS, pieces=(replace(first, pose=replace(first.pose, x=first.pose.x + 20)), *others))
    places = changed(SETTLERS.picture(), moved.picture())
    assert 0 < places.mean() < 0.1


def test_a_shoved_system_moves_as_a_whole_and_alone() -> None:
    shoved = HOMEWORLDS.shoved(0, 30, -10)
    for before, after in zip(HOMEWORLDS.pieces, shoved.pieces, strict=True):
        way = (30, -10) if before.system == 0 else (0, 0)
        assert (after.pose.x - before.pose.x, after.pose.y - before.pose.y) == pytest.approx(way)


def test_without_weather_a_table_at_rest_is_its_picture() -> None:
    shots = list(VirtualTable(PICTURE, weather=QUIET).rest(0.5))
    assert len(shots) == 5
    assert all(np.array_equal(shot.frame.image, PICTURE) for shot in shots)
    assert [shot.frame.number for shot in shots] == [1, 2, 3, 4, 5]


def test_a_turn_leaves_the_last_picture_and_no_hand() -> None:
    after = [HOMEWORLDS.shoved(0, 10.0 * step, 0).picture() for step in (1, 2)]
    table = VirtualTable(PICTURE, weather=QUIET)
    hand = [shot.doing is Doing.HAND for shot in table.turn(after, (100, 80), seconds=1)]
    assert all(hand)
    assert np.array_equal(next(iter(table.rest(0.1))).frame.image, after[-1])


@pytest.mark.parametrize("seed", range(6))
def test_an_arm_comes_in_over_the_edge_and_covers_a_good_part(seed: int) -> None:
    arm = Arm.random(np.random.default_rng(seed))
    places = changed(PICTURE, arm.over(PICTURE, (120, 90)))
    assert 0.03 < places.mean() < 0.4
    assert max(edge.sum() for edge in (places[0], places[-1], places[:, 0], places[:, -1])) > 10


def test_bumps_add_up() -> None:
    table = VirtualTable(PICTURE, weather=QUIET)
    for way in ((10, 4), (-10, -4)):
        list(table.bump(*way))
    seen = next(iter(table.rest(0.1))).frame.image
    assert np.abs(seen[20:-20, 20:-20].astype(int) - PICTURE[20:-20, 20:-20]).max() <= 1


def test_dropped_frames_leave_gaps_in_time_and_none_in_the_numbers() -> None:
    shots = list(VirtualTable(PICTURE, weather=Weather(dropped=0.5)).rest(10))
    assert 25 < len(shots) < 75
    assert [shot.frame.number for shot in shots] == list(range(1, len(shots) + 1))
    assert shots[-1].frame.at - shots[0].frame.at > 8


def test_repeated_frames_are_the_same_to_the_last_pixel() -> None:
    images = [shot.frame.image for shot in VirtualTable(PICTURE, weather=Weather(repeated=0.5)).rest(4)]
    same = [np.array_equal(one, other) for one, other in pairwise(images)]
    assert 0.2 < np.mean(same) < 0.8


def test_a_played_turn_is_seen_through_the_camera() -> None:
    table = VirtualCamera(VirtualTable(PICTURE, seed=4))
    with Camera(source_at("virtual", table.next_picture)) as camera:
        states = table_states(camera)
        first = next(state for state in states if isinstance(state, Still))
        after = HOMEWORLDS.shoved(0, 20, 0).picture()
        table.play(lambda table: table.turn([after], (120, 90), seconds=0.5))
        assert any(isinstance(state, Hand) for state in states)
        second = next(state for state in states if isinstance(state, Still) and state.since > first.since)
        assert table.idle
        assert second.view == first.view
        assert changed(first.picture, second.picture).any()


def test_a_function_that_repeats_itself_is_a_frozen_camera() -> None:
    with Camera(GivenPictures(PICTURE.copy, 50.0), stale_after=0.1) as camera:
        until(camera, Condition.STALE)
        assert camera.frame is not None
        assert camera.frame.number == 1
