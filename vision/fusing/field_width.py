"""How wide the fields of a board are: as wide as makes the ships on it small, medium and large."""

from __future__ import annotations

import numpy as np

from vision.camera import Camera
from vision.eyes.detections import Detections
from vision.fusing.arrow import ONLY_PLACES_AND_SCALES, Corners, settle
from vision.fusing.first_places import bodies_of, first_places, righted
from vision.fusing.laying import STEPS, Table
from vision.fusing.slopes import SCALE
from vision.fusing.table_fit import NOISE, told_corners, unlikely_by_pips
from vision.solids import Array, Size

OFFICIAL_FIELD = 34.29  # mm: 1.35 in
WIDTHS = np.arange(29.0, 47.0, 0.25)  # mm, of boards that people make at home
HOME_MADE = 10.0  # log-likelihood by which ships must speak for other fields than the official ones
STRANGE = 20.0  # of log-likelihood, by which fields are less likely for each time they are e times as wide or narrow
DEGREES = 7  # of freedom that the ten coordinates of a ship leave after its place and heading
LEAST_MISSED = 0.004  # of its length by which a ship counts as missing its corners

_BASES = np.log([size.base for size in Size])


def field_width(ships: Detections, camera: Camera) -> float:
    """mm; the official width unless the *ships*, which lie on the board, clearly speak for another.

    Args:
        camera: over the board, as if its fields had the official width.
    """
    if not len(ships):
        return OFFICIAL_FIELD
    free, by_pips = _freely_laid(ships, camera), unlikely_by_pips(ships)
    unlikely = _unlikelihood(*free, by_pips, WIDTHS)
    best = int(unlikely.argmin())
    official = float(_unlikelihood(*free, by_pips, np.array([OFFICIAL_FIELD]))[0])
    return float(WIDTHS[best]) if official - unlikely[best] > HOME_MADE else OFFICIAL_FIELD


def _freely_laid(ships: Detections, camera: Camera) -> tuple[Array, Array, Array]:
    """Ships laid on the board as large as suits their corners best.

    Returns:
        (N,) each: logarithm of the base in mm; the square of the share of its length by which a ship still misses
        its corners; and how fast that grows with the square of what the logarithm is off.
    """
    table = Table.known(camera)
    told = told_corners(ships)
    lying = np.ones(len(ships), dtype=bool)
    bodies = bodies_of(Size.MEDIUM, lying)
    seen = Corners(table.seen_at(told.pixels), told.precision)
    corners = Corners(righted(seen, lying), told.precision)
    places = first_places(table.look, corners, bodies)
    laid = settle(table.look, places, bodies, corners, NOISE, ONLY_PLACES_AND_SCALES, STEPS)
    slopes = laid.slopes[0, ..., SCALE:] * np.sqrt(corners.precision)[..., None, None]
    slopes = slopes.reshape(len(ships), 10, -1)  # x and y of five corners
    steep = 1 / np.linalg.inv(slopes.swapaxes(-1, -2) @ slopes)[:, 0, 0]  # with place and heading following
    whole = corners.precision.sum(-1) * np.linalg.norm(np.ptp(ships.corners, axis=1), axis=1) ** 2
    base = np.log(Size.MEDIUM.base) + laid.places[0, :, 0] - table.scale
    return base, laid.squares(corners)[0].sum(-1) / whole, steep / whole


def _unlikelihood(base: Array, missed: Array, steep: Array, by_pips: Array, widths: Array) -> Array:
    """(W,) negative log-likelihood of widths in mm, however far corners are usually off; of each size *by_pips*."""
    wider = np.log(widths / OFFICIAL_FIELD)[:, None]
    off = base[:, None, None] + wider - _BASES
    squares = np.clip(missed[:, None, None] + steep[:, None, None] * off**2, LEAST_MISSED**2, 1.0)
    each = (DEGREES / 2 * np.log(squares) + by_pips[:, None]).min(-1)
    return np.asarray(each.sum(0) + STRANGE * np.abs(wider[:, 0]))
