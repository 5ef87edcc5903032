"""Reads a free table: pieces, their star systems and the bank, from one picture and nothing else known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from vision.camera import Camera
from vision.finding.bank import fit_to_kit
from vision.finding.colors import ColorMap, Image, map_colors
from vision.finding.cover import cover
from vision.finding.doubts import drop_unfounded, look_for_stacks, think_again
from vision.finding.edges import seam_map
from vision.finding.grouping import Grouping, group, in_bank, players_axis
from vision.finding.judgement import DOUBT, weigh
from vision.finding.missing import add_missing
from vision.finding.regions import Region, find_regions
from vision.finding.scene import Piece, Scene
from vision.finding.singles import fit_singles
from vision.finding.telling import seen_piece
from vision.finding.viewpoint import find_viewpoint
from vision.sight import Alternative, ImageSide, Role, SeenPiece, SeenSystem, Sight
from vision.solids import Color, Posture, Size
from vision.stages import Stopwatch, shrunk

WORKING_SIDE = 1280  # px, long side at which pieces are sought
SCENE_SIDE = 640  # px, long side at which explanations are compared
ROUNDS = 2
UNDECIDED = 1.5  # lead of the camera's height, as a log-likelihood, below which all sizes are in doubt
CERTAIN_MISFIT = 1.3  # px, root mean square of an outline that is one piece beyond doubt
NOTHING_FOUND = (
    "No pyramids were found in this picture: take it from closer, with the whole table in good light "
    "and nothing in the same colours around it."
)
NO_VIEWPOINT = (
    "The pieces do not show from where the picture was taken: take it again with some pieces standing free "
    "of each other and wholly in the frame."
)


def see_systems(image: Image, *, south: ImageSide = ImageSide.BOTTOM, kit: Mapping[tuple[Color, Size], int]) -> Sight:
    """Reads a (H, W, 3) BGR picture of a free table.

    Args:
        south: the image side nearest to South's seat.
        kit: how many pieces of each kind exist; more than that are never reported as sure.
    """
    watch = Stopwatch()
    full = (image.shape[1], image.shape[0])
    scale = min(1.0, WORKING_SIDE / max(full))
    small = shrunk(image, scale)
    size = (small.shape[1], small.shape[0])
    with watch("colors"):
        colors = map_colors(small)
        regions = find_regions(colors)
    if not regions:
        return Sight(full, trouble=NOTHING_FOUND, seconds=watch.seconds)
    with watch("viewpoint"):
        whole = [region for region in regions if region.inside(size)]
        viewpoint = find_viewpoint([region.contour for region in whole], size)
        if viewpoint is None:
            return Sight(full, trouble=NO_VIEWPOINT, seconds=watch.seconds)
        singles = fit_singles(whole, viewpoint, size, south)
    sure = {singles.indices[k]: singles.poses[k] for k in np.flatnonzero(singles.misfit < CERTAIN_MISFIT)}
    with watch("pieces"):
        camera = singles.camera
        single = {id(whole[index]) for index in sure}
        axis = players_axis([pose.heading_deg for pose in sure.values() if pose.posture is Posture.LYING])
        pieces = [Piece(whole[index].color, pose) for index, pose in sure.items()]
        pieces += cover_all([region for region in regions if id(region) not in single], colors, camera, axis)
    with watch("scene"):
        shrink = max(1, math.ceil(max(size) / SCENE_SIDE))
        scene = Scene(colors.labels, seam_map(small, shrink), camera, axis, shrink)
        scene.add(pieces)
        explain(scene, sum(kit.values()))
    with watch("systems"):
        poses = [painted.piece.pose for painted in scene.pieces]
        axis = players_axis([pose.heading_deg for pose in poses if pose.posture is Posture.LYING])
        grouping = group(poses, axis)
    with watch("judgement"):
        played = [index for index, role in enumerate(grouping.roles) if role is not Role.BANK]
        weights = weigh(scene.finer(seam_map(small, 1)), grouping, played, axis, kit)
        if viewpoint.height_margin < UNDECIDED:
            weights = {index: (min(confidence, DOUBT), rest) for index, (confidence, rest) in weights.items()}
    seen = fit_to_kit(_seen_pieces(scene, grouping, weights, axis, 1 / scale), kit)
    systems = tuple(SeenSystem(system.stars, system.ships, system.home) for system in grouping.systems)
    return Sight(full, seen, systems, seconds=watch.seconds)


def explain(scene: Scene, most: int) -> None:
    """Drops, adds and exchanges pieces until nothing explains the picture better, or twice over.

    *most* is how many pieces there are at all.
    """
    drop_unfounded(scene, most)
    add_missing(scene)
    banked = in_bank([painted.piece.pose for painted in scene.pieces])
    stars = {id(painted) for painted, waiting in zip(scene.pieces, banked, strict=True) if not waiting}
    look_for_stacks(scene, lambda painted: id(painted) in stars)
    for _ in range(ROUNDS):
        changed = think_again(scene)
        drop_unfounded(scene, most)
        if not (add_missing(scene) or changed):
            return


def cover_all(regions: Sequence[Region], colors: ColorMap, camera: Camera, axis_deg: float | None) -> list[Piece]:
    """The pieces that explain the given regions, each by itself."""
    return [piece for region in regions for piece in cover(region, colors, camera, axis_deg)]


def _seen_pieces(
    scene: Scene,
    grouping: Grouping,
    weights: Mapping[int, tuple[float, tuple[Alternative, ...]]],
    axis_deg: float,
    enlarge: float,
) -> tuple[SeenPiece, ...]:
    """The pieces of a scene as they are told to others: in pixels of the whole picture, South at negative y."""
    of_system = {
        index: number for number, system in enumerate(grouping.systems) for index in (*system.stars, *system.ships)
    }
    turn = math.radians(90 - axis_deg)
    return tuple(
        seen_piece(
            painted.piece,
            scene.camera,
            role=grouping.roles[index],
            owner=grouping.owners[index],
            system=of_system.get(index),
            judged=weights.get(index, (0.9, ())),
            turn=turn,
            enlarge=enlarge,
        )
        for index, painted in enumerate(scene.pieces)
    )
