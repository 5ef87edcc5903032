"""Reads a free table with trained eyes: what they see, one camera and one size for every piece, systems, doubts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.eyes.eyes import Eyes
from vision.eyes.sharpen import sharpened
from vision.finding.grouping import Grouping, group
from vision.fusing.believing import of_the_four_colors, standing_on_the_table
from vision.fusing.expecting import fitted_again
from vision.fusing.one_light import hues, under_one_light
from vision.fusing.placed import Placed, told
from vision.fusing.second_star import Surroundings, second_star
from vision.fusing.sizing import lying_chances, size_chances
from vision.fusing.table_fit import TableFit, fit_table
from vision.fusing.token import side_of_token
from vision.fusing.whole_set import Kit, WholeSet, within_the_set
from vision.sight import ImageSide, SeenSystem, Sight
from vision.solids import Color
from vision.stages import Stopwatch

NOTHING_FOUND = "No pyramids were found in this picture: take it from closer, with the whole table in good light."
NO_VIEWPOINT = (
    "The pieces do not show from where the picture was taken: take it again with some pieces standing free "
    "of each other and wholly in the frame."
)


def look_systems(image: NDArray[np.uint8], eyes: Eyes, *, south: ImageSide, kit: Kit) -> Sight:
    """Reads a (H, W, 3) BGR picture of a free table.

    Args:
        south: the image side nearest to South's seat.
        kit: how many pieces of each kind exist; more than that are never reported as sure.
    """
    watch = Stopwatch()
    size = (image.shape[1], image.shape[0])
    with watch("eyes"):
        seen = sharpened(of_the_four_colors(eyes.look(image)), image)
    if not len(seen):
        return Sight(size, trouble=NOTHING_FOUND, seconds=watch.seconds)
    with watch("table"):
        first = fit_table(seen, size, south)
    if first is None:
        return Sight(size, trouble=NO_VIEWPOINT, seconds=watch.seconds)
    with watch("again"):
        seen, fit = fitted_again(seen, first, image, eyes, lambda seen: fit_table(seen, size, south))
    with watch("systems"):
        placed, grouping, whole = grouped(seen, fit, image, kit)
    with watch("homes"):
        placed, grouping = _with_second_stars(placed, grouping, whole, image, eyes)
    with watch("kinds"):
        pieces = told(placed, kit)
    systems = tuple(SeenSystem(system.stars, system.ships, system.home) for system in grouping.systems)
    return Sight(size, pieces, systems, token=side_of_token(placed), seconds=watch.seconds)


def grouped(seen: Detections, fit: TableFit, image: NDArray[np.uint8], kit: Kit) -> tuple[Placed, Grouping, WholeSet]:
    """The pieces that stand on the table, in their systems or in the bank, and what the set says of them."""
    sizes = size_chances(fit, seen)
    seen, whole = within_the_set(seen, sizes, kit)
    kept = standing_on_the_table(seen, fit)
    poses = tuple(pose for index in kept if (pose := fit.poses[index]) is not None)
    grouping = group(poses)
    of_system = {
        index: number for number, system in enumerate(grouping.systems) for index in (*system.stars, *system.ships)
    }
    count = range(len(poses))
    placed = Placed(
        detections=seen.only(kept),
        camera=fit.camera,
        poses=poses,
        sizes=sizes[kept],
        lying=lying_chances(fit)[kept],
        axis_deg=grouping.axis_deg,
        roles=grouping.roles,
        systems=tuple(of_system.get(index) for index in count),
        cells=tuple(None for _ in count),
    )
    return under_one_light(placed, image), grouping, whole


def _with_second_stars(
    placed: Placed, grouping: Grouping, whole: WholeSet, image: NDArray[np.uint8], eyes: Eyes
) -> tuple[Placed, Grouping]:
    """The same with what else most likely stands at homes where one star was told."""
    lone = [number for number, system in enumerate(grouping.systems) if system.home and len(system.stars) == 1]
    if not lone:
        return placed, grouping
    around = surroundings(placed, whole, image, eyes)
    for number in lone:
        star = grouping.systems[number].stars[0]
        second = second_star(placed.detections.only([star]), placed.poses[star], around)
        if second is not None:
            placed = placed.with_star(second.told, second.pose, second.sizes, number)
            grouping = grouping.with_star(number)
    return placed, grouping


def surroundings(placed: Placed, whole: WholeSet, image: NDArray[np.uint8], eyes: Eyes) -> Surroundings:
    """What homes are seen among, in a (H, W, 3) BGR *image*."""
    shades = hues(image, [pose.outline(placed.camera) for pose in placed.poses])
    colors = placed.detections.colors[:, : len(Color)]
    colors = colors / colors.sum(axis=1, keepdims=True)
    return Surroundings(image, eyes.lit(image), eyes, placed.camera, shades, colors, whole.room)
