"""What could stand in place of a piece: another size or posture, the other way round, or a stack."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.finding.colors import COLORS
from vision.finding.footprints import collide
from vision.finding.scene import Painted, Piece, Scene
from vision.poses import Pose, hull
from vision.solids import Array, Color, Posture, Size, nesting_step

Exchange = tuple[Sequence[Painted], Sequence[Painted]]  # out of the scene, into it

FEW = 12  # pixels of the shrunk picture; less of a colour shows no star
CLEAR_SEAM = 0.6  # mean strength of a seam that is really there
OFF_EDGE = 1.5  # pixels of the shrunk picture from another edge
SAME_SPOT = 9.0  # mm between the axes of stacked pieces


def alternatives(scene: Scene, piece: Painted) -> Iterator[Exchange]:
    """Everything that could be there instead of one piece."""
    pose, color = piece.piece.pose, piece.piece.color
    partner = stacked_with(scene, piece)
    if partner is not None:
        lower, upper = sorted((piece, partner), key=lambda p: p.piece.pose.z)
        yield from _other_stacks(scene, lower, upper)
        return
    yield (piece,), ()
    yield (piece,), (piece,)
    for other in other_poses(scene, replace(pose, z=0.0)):
        yield (piece,), (scene.paint(Piece(color, other)),)


def stacks(scene: Scene, piece: Painted) -> Iterator[Exchange]:
    """An upright piece as one of two stacked ones, with every colour seen around it."""
    pose = piece.piece.pose
    if pose.posture is not Posture.UPRIGHT or pose.z > 0 or stacked_with(scene, piece) is not None:
        return
    x0, y0, x1, y1 = piece.box
    margin = max(3, (x1 - x0) // 3)
    seen = scene.seen[max(0, y0 - margin) : y1 + margin, max(0, x0 - margin) : x1 + margin]
    for color, count in zip(COLORS, np.bincount(seen.ravel(), minlength=5)[1:], strict=True):
        if count < FEW:
            continue
        for size in Size:
            if size >= pose.size:
                lower, upper = _raised(scene, pose, size)
                yield _stack(scene, piece, Piece(color, lower), Piece(piece.piece.color, upper))
            if size <= pose.size:
                upper = replace(pose, size=size, z=nesting_step(pose.size, size))
                yield _stack(scene, piece, Piece(piece.piece.color, pose), Piece(color, upper))


def seam_shows(scene: Scene, stack: Sequence[Painted]) -> bool:
    """Whether the upper piece of a stack can be told from the lower one at all.

    Another colour tells it, or as large a size, which stands out. A smaller piece of the same colour must show the
    seam where it rests, away from the lower piece's own edges, which look the same.
    """
    lower, upper = sorted(stack, key=lambda painted: painted.piece.pose.z)
    below, above = lower.piece.pose, upper.piece.pose
    if lower.piece.color is not upper.piece.color or above.size >= below.size:
        return True
    tip, *base = below.keypoints(scene.camera) / scene.shrink
    rim = hull(np.array([tip, *base]))
    edges = [(tip, corner) for corner in base]
    edges += [(rim[k - 1], rim[k]) for k in range(len(rim))]
    points = scene.along_outline(upper)
    clear = np.min([_distances(points, a, b) for a, b in edges], axis=0) > OFF_EDGE
    strengths = scene.seam_at(points[clear])
    return len(strengths) > 0 and float(strengths.mean()) >= CLEAR_SEAM


def _distances(points: Array, a: Array, b: Array) -> Array:
    """(N,) distances of (N, 2) points from the line between a and b."""
    along = np.clip((points - a) @ (b - a) / max(1e-9, float((b - a) @ (b - a))), 0, 1)
    return np.asarray(np.hypot(*(points - a - along[:, None] * (b - a)).T))


def stacked_with(scene: Scene, piece: Painted) -> Painted | None:
    """The piece that stands on this one, or under it."""
    pose = piece.piece.pose
    if pose.posture is not Posture.UPRIGHT:
        return None
    for other in scene.pieces:
        there = other.piece.pose
        one_above = (there.z > 0) != (pose.z > 0) and there.posture is Posture.UPRIGHT
        if one_above and math.hypot(there.x - pose.x, there.y - pose.y) < SAME_SPOT:
            return other
    return None


def other_poses(scene: Scene, pose: Pose) -> Iterator[Pose]:
    """The same place in the picture, another size or posture, or pointing the other way."""
    sizes = [size for size in Size if abs(size - pose.size) <= 1]
    axis = scene.axis_deg
    for size in sizes:
        if pose.posture is Posture.LYING:
            if size is not pose.size:
                yield from _anchored(scene, pose, replace(pose, size=size))
            turned = replace(pose, size=size, heading_deg=(pose.heading_deg + 180) % 360)
            yield from _anchored(scene, pose, turned)
        elif size is not pose.size:
            yield from _anchored(scene, pose, replace(pose, size=size))
        if pose.z > 0:
            continue
        if pose.posture is Posture.LYING:
            for turn in (0.0, 30.0, 60.0):
                yield from _anchored(scene, pose, replace(pose, size=size, posture=Posture.UPRIGHT, heading_deg=turn))
        else:
            for heading in (axis - 18, axis, axis + 18, axis + 162, axis + 180, axis + 198):
                yield from _anchored(
                    scene, pose, replace(pose, size=size, posture=Posture.LYING, heading_deg=heading % 360)
                )


def _anchored(scene: Scene, old: Pose, new: Pose) -> Iterator[Pose]:
    """*new* moved so that its outline has the same middle in the picture as *old*'s."""
    camera = scene.camera
    before, after = hull(old.keypoints(camera)), hull(new.keypoints(camera))
    shift = (before.min(0) + before.max(0)) / 2 - (after.min(0) + after.max(0)) / 2
    foot = camera.project(np.array([[new.x, new.y, new.z]]))[0]
    x, y = camera.to_plane((foot + shift)[None], new.z)[0]
    if np.isfinite(x):
        yield replace(new, x=float(x), y=float(y))


def _raised(scene: Scene, pose: Pose, below: Size) -> tuple[Pose, Pose]:
    """A star under an upright piece, and the piece itself lifted onto it without moving in the picture."""
    z = nesting_step(below, pose.size)
    foot = scene.camera.project(np.array([[pose.x, pose.y, 0.0]]))
    x, y = scene.camera.to_plane(foot, z)[0]
    upper = replace(pose, x=float(x), y=float(y), z=z)
    return replace(upper, size=below, z=0.0), upper


def _stack(scene: Scene, piece: Painted, lower: Piece, upper: Piece) -> Exchange:
    """Puts a stack in place of a piece and of whatever in its two colours already stood there."""
    into = [scene.paint(lower), scene.paint(upper)]
    in_the_way = [
        other
        for other in scene.pieces
        if other is not piece
        and other.piece.color in (lower.color, upper.color)
        and collide(other.footprint, into[0].footprint)
    ]
    return (piece, *in_the_way), into


def _other_stacks(scene: Scene, lower: Painted, upper: Painted) -> Iterator[Exchange]:
    """Other sizes of a stack, the other order of its colours, and one piece in its place."""
    out = (lower, upper)
    pose = lower.piece.pose
    below: Color = lower.piece.color
    above: Color = upper.piece.color
    yield out, out
    yield out, (scene.paint(Piece(below, pose)),)
    for size in Size:
        for top in Size:
            if top <= size:
                base = scene.paint(Piece(below, replace(pose, size=size)))
                turned = upper.piece.pose.heading_deg
                lifted = replace(pose, size=top, z=nesting_step(size, top), heading_deg=turned)
                yield out, (base, scene.paint(Piece(above, lifted)))
