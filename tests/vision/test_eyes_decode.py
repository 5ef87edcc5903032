"""Decoding of answers made by hand, and the orders in which base corners are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.eyes.decode import COLD, HOT, SHARP_PX, Thresholds, decode
from vision.eyes.maps import (
    COLOR,
    LYING,
    OFFSET_UNIT,
    OFFSETS,
    SIZE,
    STRIDE,
    VISIBLE,
    WORDS,
    Dense,
    Floor,
    Maps,
    cells_to_px,
    px_to_cells,
)
from vision.eyes.order import better_order, both_orders
from vision.eyes.peaks import peaks
from vision.solids import Array

ROWS, COLUMNS = 60, 80
SQUARE = np.array([[20.0, 20.0], [20.0, -20.0], [-20.0, -20.0], [-20.0, 20.0]])


def blank() -> Maps:
    dense = np.zeros((len(Dense), ROWS, COLUMNS), np.float32)
    return Maps(dense, np.zeros((len(Floor), WORDS, ROWS // 2, COLUMNS // 2), np.float32))


def heat(maps: Maps, channel: Dense, place: tuple[float, float], height: float = 1.0, spread: float = 1.0) -> None:
    """A bell around a place in cells."""
    y, x = np.mgrid[:ROWS, :COLUMNS]
    bell = height * np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * spread**2))
    maps.dense[channel] = np.maximum(maps.dense[channel], bell)


def piece(maps: Maps, cell: tuple[int, int], tip: tuple[float, float] = (0, -50), floor: Floor = Floor.TOP) -> None:
    """A lying, green, medium piece; its tip and its square base are told in px from its cell."""
    heat(maps, Dense(int(floor)), cell, 0.9)
    words = maps.words[floor, :, cell[1] // 2, cell[0] // 2]
    beside = np.array([cell[0] % 2, cell[1] % 2]) * STRIDE - STRIDE / 2  # from the middle of the word cell
    words[OFFSETS] = (np.concatenate([np.array([tip]), SQUARE, SQUARE]) + beside).ravel() / OFFSET_UNIT
    words[LYING], words[VISIBLE] = 5, 5
    words[COLOR], words[SIZE] = 5 * np.eye(5)[2], 5 * np.eye(3)[1]


@pytest.mark.parametrize(
    "place", [(10, 10), (10.3, 20.45), (30.5, 12), (30.5, 12.5), (0, 0), (79, 59), (79.2, 30), (7.75, 58.9)]
)
@pytest.mark.parametrize("spread", [0.8, 1.6])
def test_peak_finer_than_its_cells(place: tuple[float, float], spread: float) -> None:
    maps = blank()
    heat(maps, Dense.TIP, place, 0.8, spread)
    found, score = peaks(maps.dense[Dense.TIP], 0.3)
    on_edge = place[0] in (0, 79, 79.2) or place[1] in (0, 59, 58.9)
    np.testing.assert_allclose(found, [place], atol=0.51 if on_edge else 0.02)
    assert 0.4 < score[0] <= 0.81


def test_peaks_come_hottest_first() -> None:
    maps = blank()
    for place, height in {(10, 10): 0.5, (20, 10): 0.9, (30, 10): 0.7, (40, 10): 0.2}.items():
        heat(maps, Dense.TIP, place, height)
    found, score = peaks(maps.dense[Dense.TIP], 0.3)
    np.testing.assert_allclose(found[:, 0], [20, 30, 10])
    np.testing.assert_allclose(score, [0.9, 0.7, 0.5], atol=1e-6)


def test_nothing_there() -> None:
    seen = decode(blank())
    assert len(seen) == 0
    assert seen.corners.shape == (0, 5, 2)
    assert seen.colors.shape == (0, 5)
    assert seen.crossings.shape == (0, 3)
    assert seen.token is None


def test_one_piece() -> None:
    maps = blank()
    piece(maps, (40, 30))
    seen = decode(maps)
    center = cells_to_px(np.array([40.0, 30.0]))
    assert len(seen) == 1
    np.testing.assert_allclose(seen.centers, [center])
    np.testing.assert_allclose(seen.corners[0, 0], center + np.array([0, -50]), atol=1e-4)
    np.testing.assert_allclose(seen.corners[0, 1:], center + SQUARE, atol=1e-4)
    assert (seen.corner_blur == SHARP_PX * HOT / COLD).all()
    assert seen.lying[0] > 0.99
    assert seen.colors[0].argmax() == 2
    assert seen.sizes[0].argmax() == 1
    assert not seen.under[0]


@pytest.mark.parametrize(("shift", "moved"), [(0.0, True), (1.2, True), (6.0, False)])
def test_corners_move_to_peaks_within_reach(shift: float, moved: bool) -> None:
    maps = blank()
    piece(maps, (40, 30))
    told = cells_to_px(np.array([40.0, 30.0])) + np.array([0, -50])
    peak = px_to_cells(told) + np.array([shift, 0])
    heat(maps, Dense.TIP, (float(peak[0]), float(peak[1])), 0.8)
    seen = decode(maps)
    expected = told + np.array([shift * STRIDE if moved else 0.0, 0])
    np.testing.assert_allclose(seen.corners[0, 0], expected, atol=0.1)
    assert (seen.corner_blur[0, 0] == SHARP_PX) == moved


@pytest.mark.parametrize(
    ("floor", "tip", "count"),
    [
        (Floor.TOP, (-8.0, -50.0), 1),  # another peak of the same piece
        (Floor.TOP, (40.0, -50.0), 2),  # a piece beside it
        (Floor.UNDER, (-8.0, -50.0), 1),  # the same piece on both floors
        (Floor.UNDER, (-8.0, -20.0), 2),  # a stack
    ],
)
def test_the_same_piece_is_told_once(floor: Floor, tip: tuple[float, float], count: int) -> None:
    maps = blank()
    piece(maps, (40, 30))
    piece(maps, (42, 30), tip, floor)
    assert len(decode(maps)) == count


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.32])
def test_pixels_of_the_larger_picture(scale: float) -> None:
    maps = blank()
    piece(maps, (40, 30))
    heat(maps, Dense.TOKEN, (20, 20))
    heat(maps, Dense.CROSSING, (60, 50))
    seen, small = decode(maps, scale), decode(maps)
    for here, there in ((seen.centers, small.centers), (seen.corners, small.corners)):
        np.testing.assert_allclose((here + 0.5) * scale, there + 0.5)
    assert seen.token is not None
    np.testing.assert_allclose((seen.token[:2] + 0.5) * scale, np.array([20, 20]) * STRIDE + STRIDE / 2)
    np.testing.assert_allclose((seen.crossings[0, :2] + 0.5) * scale, [60 * STRIDE + 2, 50 * STRIDE + 2])
    assert seen.cell == STRIDE / scale


def test_thresholds() -> None:
    maps = blank()
    piece(maps, (40, 30))
    assert len(decode(maps, thresholds=replace(Thresholds(), piece=0.95))) == 0


def turned(degrees: float) -> Array:
    """A square base, seen from above a little flattened, turned counter-clockwise as the picture is seen."""
    angle = np.radians(degrees)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(SQUARE @ rotation * (1.0, 0.8) + (300, 200))


@pytest.mark.parametrize("degrees", range(0, 360, 7))
def test_orders_do_not_depend_on_the_first_corner(degrees: float) -> None:
    base = turned(degrees)
    for shift in range(4):
        np.testing.assert_allclose(both_orders(np.roll(base, shift, axis=0), True), both_orders(base, True))


def test_only_one_order_jumps_at_a_time() -> None:
    """Turned by one degree, corners move a little in one order at least: there a net can follow."""
    for degrees in range(360):
        steps = both_orders(turned(degrees + 1), True) - both_orders(turned(degrees), True)
        assert np.abs(steps).max((1, 2)).min() < 1


def test_the_larger_answer_is_believed() -> None:
    """At a jump a net answers with the mean of both sides."""
    orders = both_orders(turned(10), True)
    half = (orders[0] + np.roll(orders[0], 1, axis=0)) / 2
    answers = np.stack([[orders[0], half], [half, orders[1]]])
    np.testing.assert_allclose(better_order(answers), [orders[0], orders[1]])


def test_a_lying_piece_keeps_the_order_of_its_body() -> None:
    base = turned(33)
    np.testing.assert_allclose(both_orders(base, False), [base, base])
