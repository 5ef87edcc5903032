"""Which of the things that the eyes report are pieces of the game: black pyramids, dice and shadows are not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.eyes.detections import Detections
from vision.finding.footprints import Footprint, clearance, footprint_of
from vision.fusing.table_fit import TableFit
from vision.solids import Color

OTHER_COLOR = 0.5  # probability of a colour that is none of the four
ODD, ODD_BUT_CLEAR = 25.0, 100.0  # negative log-likelihood of its corners from which on a thing is no pyramid
ONE_PLACE = 0.5  # of the smaller piece's radius: how far two may run into each other before they are one
CLEARLY = 0.5  # score of what is a pyramid by its looks


def of_the_four_colors(seen: Detections) -> Detections:
    """The pieces that are red, yellow, green or blue."""
    return seen.only(np.flatnonzero(seen.colors[:, len(Color) :].sum(1) < OTHER_COLOR))


def standing_on_the_table(seen: Detections, fit: TableFit) -> NDArray[np.intp]:
    """Indices of the pieces whose corners are those of a pyramid standing or lying there.

    What the eyes are sure of may have corners that fit badly, for some were taken for those of a neighbour.
    """
    posed = np.array([pose is not None for pose in fit.poses], dtype=bool)
    likely = posed & fit.ground & (fit.oddity < np.where(seen.score > CLEARLY, ODD_BUT_CLEAR, ODD))
    return _apart(np.flatnonzero(likely), seen, fit)


def _apart(indices: NDArray[np.intp], seen: Detections, fit: TableFit) -> NDArray[np.intp]:
    """Those that have room on the table: of two pieces in one place the clearer one is there."""
    taken: dict[int, Footprint] = {}
    kept: list[int] = []
    for index in sorted(indices.tolist(), key=lambda i: -seen.score[i]):
        pose = fit.poses[index]
        if pose is None:
            continue
        if pose.z <= 0:
            footprint = footprint_of(pose)
            if any(
                clearance(footprint, other) < -ONE_PLACE * min(footprint.radius, other.radius)
                for other in taken.values()
            ):
                continue
            taken[index] = footprint
        kept.append(index)
    return np.array(sorted(kept), dtype=np.intp)
