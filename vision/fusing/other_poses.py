"""Ships that the eyes saw in a wrong pose: what fits the table badly is looked for as if it lay as ships do.

A ship that points away from the camera or towards it looks much like a pyramid that stands; of one that is half
hidden the corners are easily told of its neighbour. Looked at once more where such a piece would have its corners, it
is told so again. Asked about a ship that points the way the others do, the eyes know it; and it lies on the table as
a piece does, which what was told before did not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.finding.axis import players_axis
from vision.fusing.laying import Table, lay
from vision.fusing.presence import BELIEVED
from vision.fusing.star_pairs import Guesses, lengths_of, told_nearby
from vision.fusing.table_fit import TableFit, told_corners
from vision.poses import body_of
from vision.solids import Array, Posture, Size

LIKELY = 0.05  # probability of a piece that is asked about
BADLY, WELL = 0.06, 0.06  # of its length: a piece that is where it seems to be fits better
TOLERABLY = 0.12  # of it: the first answer, for it is told from where the piece was not quite
BETTER = 0.8  # of how badly it fitted before
MAY_LIE = 0.1  # or its looks say with this probability that what seems to stand lies
SURE = 0.5  # probability of a piece where one was guessed
SAME = 0.1  # of its length: what is nearer to a ship that was told is that ship
STEPS = 2  # after which a guess covers what was told

SHIPS = np.array([body_of(size, Posture.LYING) for size in Size])
LENGTHS = lengths_of(SHIPS)  # mm


def other_poses(seen: Detections, fit: TableFit, likely: Array) -> Guesses:
    """Ships, pointing either way, that *likely* (N,) pieces may be which fit badly on the table."""
    stands = np.array([pose is not None and pose.posture is Posture.UPRIGHT for pose in fit.poses], dtype=bool)
    low = np.array([pose is not None and pose.z <= 0 for pose in fit.poses], dtype=bool)
    badly = (fit.misfit >= BADLY * lengths_of(seen.corners)) | (stands & (seen.lying >= MAY_LIE))
    asked = np.repeat(np.flatnonzero(badly & low & (likely >= LIKELY)), 2)
    headings = _axis(fit, likely) + np.tile([0.0, 180.0], len(asked) // 2)
    ships = _ships_there(seen.corners[asked], headings, fit.camera)
    there = np.isfinite(ships).all(axis=(1, 2))  # and not in the sky
    return asked[there], ships[there]


def _axis(fit: TableFit, likely: Array) -> float:
    """Degrees, along which ships point that are there."""
    ships = [
        pose
        for pose, chance in zip(fit.poses, likely, strict=True)
        if pose is not None and chance >= BELIEVED and pose.posture is Posture.LYING
    ]
    return players_axis([[ship.heading_deg] for ship in ships])


def fitting_better(
    answers: Detections, of: NDArray[np.intp], seen: Detections, fit: TableFit
) -> tuple[Detections, Array]:
    """The ship among the *answers* about each piece that fits best, if better than what was *seen* and of its colour.

    Args:
        of: (M,) indices of the pieces that were asked about.

    Returns:
        also (K, 5, 2) px of the corners of these, as they lie on the table.
    """
    told, corners, off = fitting_tolerably(answers, seen, fit)
    answers, of = answers.only(told), of[told]
    before = fit.misfit[of] / lengths_of(seen.corners[of])
    good = (off <= BETTER * before) & (answers.colors.argmax(1) == seen.colors[of].argmax(1))
    each = [np.flatnonzero(good & (of == piece)) for piece in np.unique(of[good])]
    chosen = np.array([those[off[those].argmin()] for those in each], dtype=np.intp)
    return answers.only(chosen), corners[chosen]


def fitting_tolerably(answers: Detections, seen: Detections, fit: TableFit) -> tuple[NDArray[np.intp], Array, Array]:
    """(K,) which of the *answers* are ships that lie about there and were not *seen* lying so already.

    Returns:
        also (K, 5, 2) px of their corners, as they lie on the table, and how badly they fit, (K,) of their length.
    """
    off, corners = _on_the_table(answers, fit)
    known = (told_nearby(answers, answers.corners, seen, SAME) & (seen.lying > 0.5)).any(axis=1)
    told = np.flatnonzero((answers.score >= SURE) & (answers.lying > 0.5) & (off <= TOLERABLY) & ~known)
    return told, corners[told], off[told]


def fitting_well(answers: Detections, fit: TableFit) -> Detections:
    """The *answers* that are where the table has them."""
    off, _ = _on_the_table(answers, fit)
    return answers.only(np.flatnonzero(off <= WELL))


def _on_the_table(answers: Detections, fit: TableFit) -> tuple[Array, Array]:
    """How badly *answers* fit as ships, (M,) of their lengths, and where these have corners, (M, 5, 2) px."""
    if not len(answers):
        return np.zeros(0), np.zeros((0, 5, 2))
    told = told_corners(answers)
    laid = lay(Table.known(fit.camera), told, np.zeros((len(answers), len(Size))), fit.noise)
    each, lies = np.arange(len(answers)), list(Posture).index(Posture.LYING)
    squares = laid.squares[:, lies].sum(axis=-1)
    sizes = squares.argmin(axis=1)
    off = np.sqrt(squares[each, sizes] / told.precision.sum(axis=1)) / lengths_of(answers.corners)
    return off, laid.outlines[each, lies, sizes]


def _ships_there(corners: Array, headings_deg: Array, camera: Camera) -> Array:
    """(K, 5, 2) px of ships with these headings, of the sizes and in the places of (K, 5, 2) px of *corners*."""
    medium = np.full(len(corners), list(Size).index(Size.MEDIUM))
    told, shown = lengths_of(corners), lengths_of(_covering(corners, medium, headings_deg, camera))
    lengths = LENGTHS[medium] * told / shown
    sizes = np.abs(np.log(LENGTHS / lengths[:, None])).argmin(axis=1)
    return _covering(corners, sizes, headings_deg, camera)


def _covering(corners: Array, sizes: NDArray[np.intp], headings_deg: Array, camera: Camera) -> Array:
    """(K, 5, 2) px of ships around which boxes have the same middles as around *corners*; not finite in the sky.

    All at once, and not pose by pose, which takes ten times as long.
    """
    turns = np.radians(headings_deg)[:, None]
    ships, wanted = SHIPS[sizes], _middles(corners)
    c, s = np.cos(turns), np.sin(turns)
    turned = np.stack(
        [ships[..., 0] * c - ships[..., 1] * s, ships[..., 0] * s + ships[..., 1] * c, ships[..., 2]], axis=-1
    )
    there = camera.to_plane(wanted)
    places = there
    for _ in range(STEPS):
        places = places + there - camera.to_plane(_middles(_shown(turned, places, camera)))
    return _shown(turned, places, camera)


def _shown(bodies: Array, places: Array, camera: Camera) -> Array:
    """(K, 5, 2) px of (K, 5, 3) *bodies* at (K, 2) mm."""
    return camera.project(bodies + np.pad(places, ((0, 0), (0, 1)))[:, None])


def _middles(points: Array) -> Array:
    """(K, 2) of the boxes around (K, 5, 2)."""
    return np.asarray((points.min(axis=1) + points.max(axis=1)) / 2)
