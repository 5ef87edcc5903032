"""What the picture's own edges say of a piece: an outline of the right size lies on them, all the way around.

Corners that were told wrongly draw a piece to a wrong scale; then sizes that the table allows still lie elsewhere in
the picture, and all but the right one have a side along which nothing changes. So an outline is worth what its worst
side is worth, by how much more changes there than nearby: of a patterned table, where edges are everywhere, that says
little, as it should.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.eyes.maps import STRIDE
from vision.eyes.sides import Sides, shown, steepest
from vision.fusing.table_fit import TableFit
from vision.solids import Array, Size

ALONG = np.linspace(0.12, 0.88, 8)  # where a side is looked across

# In units of a pixel that the net saw, which is several of a large picture.
ON_THE_SIDE = np.array([-1.0, 0.0])  # where a step of one unit begins that crosses the side, or nearly
NEARBY = np.array([-21.0, -17.0, -13.0, -9.0, -5.0, 4.0, 8.0, 12.0, 16.0, 20.0])  # where others begin
FAINT = 6.0  # grey levels that a step changes by chance


def with_edges(seen: Detections, fit: TableFit, image: NDArray[np.uint8]) -> Detections:
    """The same pieces with how well edges of the (H, W, 3) BGR picture bear out each size where *fit* has it."""
    edges = np.zeros((len(seen), len(Size)))
    there = np.flatnonzero(fit.ground)
    if len(there):
        outlines = fit.outlines[there].reshape(-1, 5, 2)
        edges[there] = borne_out(outlines, image, max(1.0, seen.cell / STRIDE)).reshape(-1, len(Size))
    return replace(seen, edges=edges)


def borne_out(outlines: Array, image: NDArray[np.uint8], unit: float) -> Array:
    """(N,) by how much more the picture changes across the worst side of each outline than nearby, as a logarithm.

    Args:
        outlines: (N, 5, 2) px, corners of pieces. unit: px, how far apart things must be to be told apart.
    """
    sides = Sides.around(outlines / unit)
    begins = np.concatenate([ON_THE_SIDE, NEARBY])
    colors = shown(image, sides.across(ALONG, np.concatenate([begins, begins + 1])) * unit)
    change = steepest(colors[:, :, len(begins) :] - colors[:, :, : len(begins)]).astype(np.float64)
    most, usual = change[..., : len(ON_THE_SIDE)].max(axis=-1), change.mean(axis=-1)
    worth = np.log((most + FAINT) / (usual + FAINT)).mean(axis=1)
    worst = np.full(len(outlines), np.inf)
    np.minimum.at(worst, sides.piece, worth)
    return worst
