"""Reads a free table with trained eyes: what they see, one camera and one size for every piece, systems, doubts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.eyes.eyes import Eyes
from vision.eyes.halvings import Halvings
from vision.eyes.sharpen import sharpened
from vision.finding.grouping import Grouping, group
from vision.fusing.believing import of_the_four_colors, standing_on_the_table
from vision.fusing.expecting import looked_again
from vision.fusing.one_light import shades_of, under_one_light
from vision.fusing.placed import Placed, told
from vision.fusing.presence import gathered, weighed
from vision.fusing.second_star import Surroundings, second_star
from vision.fusing.sizing import lying_chances, size_chances
from vision.fusing.table_fit import TableFit, fit_table
from vision.fusing.token import side_of_token
from vision.fusing.whole_set import Kit, WholeSet, within_the_set
from vision.sight import ImageSide, SeenSystem, Sight
from vision.solids import Array
from vision.stages import Stopwatch

NOTHING_FOUND = "No pyramids were found in this picture: take it from closer, with the whole table in good light."
NO_VIEWPOINT = (
    "The pieces do not show from where the picture was taken: take it again with some pieces standing free "
    "of each other and wholly in the frame."
)


def look_systems(
    image: NDArray[np.uint8], eyes: Eyes, *, south: ImageSide, kit: Kit, lens: float | None = None
) -> Sight:
    """Reads a (H, W, 3) BGR picture of a free table.

    Args:
        south: the image side nearest to South's seat.
        kit: how many pieces of each kind exist; more than that are never reported as sure.
        lens: focal length as a share of the picture's diagonal, where it is known.
    """
    watch = Stopwatch()
    size = (image.shape[1], image.shape[0])
    with watch("eyes"):
        lit = eyes.lit(image)
        seen = sharpened(of_the_four_colors(eyes.look(lit)), image)
    if not len(seen):
        return Sight(size, trouble=NOTHING_FOUND, seconds=watch.seconds)
    with watch("table"):
        first = fit_table(seen, size, south, lens=lens)
    if first is None:
        return Sight(size, trouble=NO_VIEWPOINT, seconds=watch.seconds)
    with watch("again"):
        fitting = partial(fit_table, size_px=size, south=south, lens=lens)
        seen, fit = looked_again(seen, first, image, lit, eyes, fitting)
        seen = weighed(gathered(seen, fit, image))
    with watch("systems"):
        told_first = grouped(seen, fit, image, kit)
    with watch("homes"):
        placed, grouping = _with_second_stars(told_first, image, lit, eyes)
    with watch("kinds"):
        pieces = told(placed, kit)
    systems = tuple(SeenSystem(system.stars, system.ships, system.home) for system in grouping.systems)
    return Sight(size, pieces, systems, token=side_of_token(placed), seconds=watch.seconds)


@dataclass(frozen=True, eq=False)
class Grouped:
    """The pieces that stand on the table, in their systems or in the bank.

    Attributes:
        whole: what the set says of all that was seen. shades: (N, 2) of the pieces that are *placed*.
    """

    placed: Placed
    grouping: Grouping
    whole: WholeSet
    shades: Array


def grouped(seen: Detections, fit: TableFit, image: NDArray[np.uint8], kit: Kit) -> Grouped:
    """The pieces *seen* that are there, sorted into systems and bank, of colours that suit one light.

    No system has more than two stars: of more, what is in doubt is left out.
    """
    sizes = size_chances(fit, seen)
    seen, whole = within_the_set(seen, sizes, kit)
    kept = standing_on_the_table(seen, fit)
    poses = tuple(pose for index in kept if (pose := fit.poses[index]) is not None)
    grouping = group(poses)
    while beyond := grouping.beyond_two(seen.score[kept]):
        kept = np.delete(kept, beyond)
        poses = tuple(pose for index, pose in enumerate(poses) if index not in beyond)
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
    shades = shades_of(placed, image)
    return Grouped(under_one_light(placed, shades), grouping, whole, shades)


def _with_second_stars(told: Grouped, image: NDArray[np.uint8], lit: Halvings, eyes: Eyes) -> tuple[Placed, Grouping]:
    """The same with what else most likely stands at homes where one star was told."""
    placed, grouping = told.placed, told.grouping
    lone = [number for number, system in enumerate(grouping.systems) if system.home and len(system.stars) == 1]
    if not lone:
        return placed, grouping
    around = surroundings(told, image, lit, eyes)
    for number in lone:
        star = grouping.systems[number].stars[0]
        second = second_star(placed.detections.only([star]), placed.poses[star], around)
        if second is not None:
            placed = placed.with_star(second.told, second.pose, second.sizes, number)
            grouping = grouping.with_star(number)
    return placed, grouping


def surroundings(told: Grouped, image: NDArray[np.uint8], lit: Halvings, eyes: Eyes) -> Surroundings:
    """What homes are seen among, in a (H, W, 3) BGR *image*, also *lit* as the eyes see it."""
    colors = told.placed.detections.our_colors
    return Surroundings(image, lit, eyes, told.placed.camera, told.shades, colors, told.whole)
