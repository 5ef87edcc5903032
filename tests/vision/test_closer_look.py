"""Large pictures are looked at again where the pieces are, and the points come back to where they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulated_eyes import detections_of

from companion_app.samples import layout_of, random_settlers
from training.truth import scene_of
from training.virtual_scenes import photograph_with_truth
from vision.eyes.detections import Detections
from vision.eyes.detector import EASIER, FINEST, LARGER, LONG_SIDE, TOO_LARGE, scaled, worth_another_look


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Detections:
    _, truth = photograph_with_truth(layout_of(random_settlers(3)), 3)
    scene = scene_of(truth, tmp_path_factory.mktemp("none") / "virtual.jpg")
    return detections_of(scene, 0.5, np.random.default_rng(3))


@pytest.mark.parametrize(
    ("shape", "where", "again"),
    [
        ((960, 1280), (0, 0), False),  # no more pixels than were looked at
        ((3000, 4000), (1200, 900), True),  # a third of a phone's picture
        ((3000, 4000), (0, 0), True),
        ((1000, 1300), (10, 10), False),  # hardly larger
    ],
)
def test_where_a_closer_look_pays(
    seen: Detections, shape: tuple[int, int], where: tuple[int, int], again: bool
) -> None:
    there = seen.moved(where, seen)
    part = worth_another_look(there, shape, LONG_SIDE, min(1.0, LONG_SIDE / max(shape)))
    assert (part is not None) == again
    if part is not None:
        rows, columns = part.rows, part.columns
        x, y = there.corners.reshape(-1, 2).T
        inside = (x >= 0) & (y >= 0)
        assert (rows.start <= y[inside]).all()
        assert (y <= rows.stop).all()
        assert (columns.start <= x[inside]).all()
        assert (x <= columns.stop).all()
        assert 0 <= rows.start < rows.stop <= shape[0]
        assert 0 <= columns.start < columns.stop <= shape[1]


def test_nothing_seen_needs_no_second_look(seen: Detections) -> None:
    assert worth_another_look(seen.only([]), (3000, 4000), LONG_SIDE, 0.32) is None


@pytest.mark.parametrize(("times", "scale"), [(1.0, None), (0.5, (1.25, LARGER)), (0.25, (LARGER, LARGER))])
def test_small_pieces_are_looked_at_enlarged(
    seen: Detections, times: float, scale: tuple[float, float] | None
) -> None:
    """A picture without more pixels is shown larger, for the eyes know pieces of the usual size best."""
    small = replace(seen, corners=seen.corners * times, crossings=seen.crossings * [times, times, 1])
    part = worth_another_look(small, (960, 1280), LONG_SIDE, 1.0)
    if scale is None:
        assert part is None
    else:
        assert part is not None
        assert scale[0] <= part.scale <= scale[1]
        assert max(part.rows.stop - part.rows.start, part.columns.stop - part.columns.start) * part.scale <= FINEST


@pytest.mark.parametrize("shape", [(960, 1280), (3000, 4000)])
def test_very_large_pieces_are_looked_at_from_farther_away(seen: Detections, shape: tuple[int, int]) -> None:
    """Close to the camera the eyes take parts of a piece for pieces: all of the picture is shown smaller."""
    now = min(1.0, LONG_SIDE / max(shape))
    usual = float(np.median(np.linalg.norm(np.ptp(seen.corners, axis=1), axis=1)))
    times = 1.2 * TOO_LARGE / (usual * now)
    large = replace(seen, corners=seen.corners * times, crossings=seen.crossings * [times, times, 1])
    part = worth_another_look(large, shape, LONG_SIDE, now)
    assert part is not None
    assert part.scale * usual * times == pytest.approx(EASIER)
    assert (part.rows, part.columns) == (slice(0, shape[0]), slice(0, shape[1]))


def test_no_closer_look_makes_pieces_too_large(seen: Detections) -> None:
    """A phone's picture has pixels enough to show a few pieces larger than the eyes know them."""
    now = LONG_SIDE / 4000
    few = replace(seen, crossings=np.zeros((0, 3))).only([0, 1])
    usual = float(np.median(np.linalg.norm(np.ptp(few.corners, axis=1), axis=1)))
    middle, times = few.corners.mean((0, 1)), 100 / (now * usual)
    large = replace(few, corners=middle + times * (few.corners - middle))
    part = worth_another_look(large, (3000, 4000), LONG_SIDE, now)
    assert part is not None
    assert part.scale * 100 / now == pytest.approx(TOO_LARGE)


def test_a_part_is_shown_as_large_as_it_is_asked_for() -> None:
    image = np.zeros((30, 40, 3), np.uint8)
    assert scaled(image, 1.5)[0].shape == (45, 60, 3)
    assert scaled(image, 0.5)[0].shape == (15, 20, 3)
    assert scaled(image, 1)[0] is image


def test_points_move_with_their_part(seen: Detections) -> None:
    moved = replace(seen, token=np.array([5.0, 6.0, 0.9])).moved((100, 40), seen)
    np.testing.assert_allclose(moved.corners - seen.corners, np.broadcast_to([100.0, 40.0], moved.corners.shape))
    assert moved.token is not None
    assert moved.token.tolist() == [105.0, 46.0, 0.9]
    assert moved.board is seen.board
