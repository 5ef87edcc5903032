"""What a lamp does not reach is made lighter before the eyes look; what is well lit stays as it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.virtual_readings import take_picture
from vision.eyes import Eyes
from vision.eyes.brightness import LIGHT_ENOUGH, MOST, brightened
from vision.eyes.detector import in_color
from vision.eyes.halvings import Halvings

WIDTH, HEIGHT = 640, 480


def plain(color: tuple[int, int, int], width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    return np.full((height, width, 3), color, np.uint8)


def test_a_well_lit_picture_stays_as_it_is() -> None:
    picture = plain((120, 140, 160))
    assert brightened(picture) is picture


def test_a_dark_picture_becomes_as_light_as_a_lit_table_and_keeps_its_hue() -> None:
    light = brightened(plain((20, 30, 40)))
    assert abs(float(cv2.cvtColor(light, cv2.COLOR_BGR2GRAY).mean()) - LIGHT_ENOUGH) < 2
    blue, green, red = light.reshape(-1, 3).mean(0)
    assert green / blue == pytest.approx(1.5, abs=0.05)
    assert red / blue == pytest.approx(2.0, abs=0.05)


def test_what_is_lit_keeps_its_light_beside_what_is_not() -> None:
    picture = plain((15, 15, 15))
    picture[:, WIDTH // 2 :] = 150
    light = brightened(picture)
    assert light[HEIGHT // 2, 40].min() > 60
    assert light[HEIGHT // 2, -40].max() <= 151


def test_a_black_picture_is_not_torn_to_pieces() -> None:
    noise = np.random.default_rng(0).integers(0, 4, (HEIGHT, WIDTH, 3), np.uint8)
    assert brightened(noise).max() <= 3 * MOST


@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 255))
def test_no_picture_is_too_small(width: int, height: int, light: int) -> None:
    picture = plain((light, light, light), width, height)
    shown = brightened(picture)
    assert shown.shape == picture.shape
    assert (shown >= picture).all()


def test_a_part_is_lit_as_in_the_whole() -> None:
    """Surroundings are as wide as the whole picture makes them, not the part."""
    whole = plain((10, 10, 10), 1280, 960)
    whole[:, 600:] = 200
    part = np.ascontiguousarray(whole[200:760, 200:1000])
    lit = brightened(whole)[480, 400:900].astype(int)
    assert np.abs(brightened(part, long_side=1280)[280, 200:700].astype(int) - lit).max() <= 6


@pytest.mark.parametrize("seed", [3, 11])
def test_pieces_in_a_twelfth_of_the_light_are_seen(seed: int) -> None:
    picture, _ = take_picture("homeworlds", seed)
    image = in_color(picture.image)
    dark = (image * 0.08).astype(np.uint8)
    eyes = Eyes()
    by_day, by_night = (int((eyes.look(eyes.lit(shown)).score > 0.5).sum()) for shown in (image, dark))
    unhelped = eyes.inspector.inspected(eyes.detector.look(dark), Halvings(dark))
    assert by_night > int((unhelped.score > 0.5).sum())
    assert by_night >= 0.9 * by_day
