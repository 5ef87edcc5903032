"""Where the plastic is and of which colour, on every table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from corner_scenes import homeworlds_picture, picture_on

from vision.finding.colors import COLORS, map_colors, table_color
from vision.finding.regions import MIN_AREA, find_regions
from vision.solids import Color
from vision.virtual import TABLES, Picture

PLASTIC = {
    Color.RED: (40, 30, 200),
    Color.YELLOW: (20, 190, 220),
    Color.GREEN: (60, 140, 30),
    Color.BLUE: (180, 60, 30),
}


def painted(picture: Picture, color: Color | None = None) -> np.ndarray:
    """(H, W) whether a true outline, of one colour or of any, covers a pixel."""
    mask = np.zeros(picture.image.shape[:2], np.uint8)
    for piece in picture.truth.pieces:
        if color in (None, piece.color):
            cv2.fillConvexPoly(mask, np.round(np.array(piece.outline)).astype(np.int32), 1)
    return mask > 0


@pytest.mark.parametrize("table", TABLES)
def test_plastic_is_told_from_every_table(table: str) -> None:
    picture = picture_on(table, 3)
    found, true = map_colors(picture.image).labels > 0, painted(picture)
    assert (found & true).sum() >= 0.95 * true.sum()
    assert (found & ~true).sum() <= 0.06 * true.sum()


@pytest.mark.parametrize("opacity", [1.0, 0.72])
@pytest.mark.parametrize("table", ["white", "walnut", "felt"])
def test_clear_plastic_counts_like_opaque(table: str, opacity: float) -> None:
    picture = picture_on(table, 4, opacity)
    assert (map_colors(picture.image).labels > 0)[painted(picture)].mean() > 0.95


@pytest.mark.parametrize("seed", range(4))
def test_colours_are_told_apart(seed: int) -> None:
    picture = homeworlds_picture(seed)
    colors = map_colors(picture.image)
    for color in Color:
        others = np.any([painted(picture, other) for other in Color if other is not color], axis=0)
        alone = painted(picture, color) & ~others
        assert (colors.mask(color)[alone] > 0).mean() > 0.95, color


@pytest.mark.parametrize("table", TABLES)
def test_the_table_s_colour_is_measured(table: str) -> None:
    picture = picture_on(table, 3)
    bare = picture.image[~cv2.dilate(painted(picture).astype(np.uint8), np.ones((25, 25))).astype(bool)]
    np.testing.assert_allclose(table_color(picture.image), np.median(bare, axis=0), atol=12)


@pytest.mark.parametrize("grey", [0, 8, 100, 190, 245, 255])
def test_plastic_is_told_from_a_table_of_one_brightness(grey: int) -> None:
    image = np.full((240, 320, 3), grey, np.uint8)
    for number, color in enumerate(Color):
        cv2.rectangle(image, (20 + 70 * number, 60), (60 + 70 * number, 110), PLASTIC[color], -1)
    np.testing.assert_allclose(table_color(image), max(grey, 6))
    assert {region.color for region in find_regions(map_colors(image))} == set(Color)


@pytest.mark.parametrize("color", Color)
def test_a_patch_becomes_a_region(color: Color) -> None:
    image = np.full((240, 320, 3), 190, np.uint8)
    cv2.rectangle(image, (100, 60), (149, 99), PLASTIC[color], -1)
    (region,) = find_regions(map_colors(image))
    assert region.color is color
    np.testing.assert_allclose(region.box, (100, 60, 150, 100), atol=2)
    assert region.area == pytest.approx(2000, rel=0.1)
    assert region.inside((320, 240))
    assert not region.inside((150, 240))


def test_regions_come_largest_first_and_without_specks() -> None:
    regions = find_regions(map_colors(homeworlds_picture(0).image))
    areas = [region.area for region in regions]
    assert areas == sorted(areas, reverse=True)
    assert min(areas) >= MIN_AREA
    assert {region.color for region in regions} == set(Color)


@pytest.mark.parametrize("grey", [0, 128, 230])
def test_a_grey_picture_holds_no_plastic(grey: int) -> None:
    colors = map_colors(np.full((120, 160, 3), grey, np.uint8))
    assert not colors.labels.any()
    assert find_regions(colors) == ()


def test_labels_count_from_the_colours() -> None:
    labels = map_colors(homeworlds_picture(1).image).labels
    assert labels.shape == (960, 1280)
    assert set(np.unique(labels)) == set(range(len(COLORS) + 1))
