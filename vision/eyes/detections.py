"""What the eyes see in one picture, before any geometry: points, areas and probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.solids import Array, Color


@dataclass(frozen=True, eq=False)
class Detections:
    """N pieces and what lies around them. All points are (x, y) px of the picture that was shown.

    Attributes:
        score: (N,) how sure the eyes are that there is a piece, best first.
        glance: (N,) how sure they were at a glance; 0 of what was only looked for.
        closer: (N,) how sure they were when they first looked closer.
        speaks: (N,) bool, whether its corners may tell the camera: it seemed to be there on the table fitted before.
        centers: (N, 2) centroid of the visible part of each outline.
        corners: (N, 5, 2) tip, then the base corners; lying pieces in the order of :func:`vision.solids.lying`,
            upright ones counter-clockwise, beginning anywhere.
        corner_blur: (N, 5) px by which each corner is usually off when it is seen like that.
        lying: (N,) probability that the piece lies.
        colors: (N, 5) probabilities of red, yellow, green, blue and of any other colour.
        sizes: (N, 3) probabilities of small, medium, large from looks alone: weak, scale on the table is better.
        pips: (N, 3) log-likelihood of each size by the pips that are in sight; 0 where none were looked for.
        edges: (N, 3) how well edges in the picture bear out each size, as :func:`vision.fusing.edges.with_edges`
            tells; 0 where nobody has looked.
        visible: (N,) share of the whole outline that is in sight.
        under: (N,) bool, whether another piece stands on this one.
        above: (N,) probability that this one stands on another.
        crossings: (M, 3) px and score of the lines' crossings on a board.
        token: (3,) px and score of the turn token, or ``None``.
        plastic, board: (rows, columns) probability of plastic and of playing board, one cell for every
            ``cell`` × ``cell`` px of the picture.
        cell: px, may be broken.
    """

    score: Array
    glance: Array
    closer: Array
    speaks: NDArray[np.bool_]
    centers: Array
    corners: Array
    corner_blur: Array
    lying: Array
    colors: Array
    sizes: Array
    pips: Array
    edges: Array
    visible: Array
    under: NDArray[np.bool_]
    above: Array
    crossings: Array
    token: Array | None
    plastic: NDArray[np.float32]
    board: NDArray[np.float32]
    cell: float

    def __len__(self) -> int:
        return len(self.score)

    @property
    def our_colors(self) -> Array:
        """(N, 4) probabilities of red, yellow, green and blue, for pieces that are one of these."""
        ours = self.colors[:, : len(Color)]
        return np.asarray(ours / ours.sum(axis=1, keepdims=True))

    def only(self, indices: Sequence[int] | NDArray[np.intp]) -> Detections:
        """These pieces alone, in this order; what lies around them stays."""
        chosen = np.asarray(indices, dtype=np.intp)
        return replace(self, **{name: getattr(self, name)[chosen] for name in _OF_PIECES})

    def unknown(self, corners: Array) -> Detections:
        """Pieces in the same picture of which nothing is known but their (M, 5, 2) px of *corners*."""
        blank = {
            name: np.zeros_like(getattr(self, name), shape=(len(corners), *getattr(self, name).shape[1:]))
            for name in _OF_PIECES
        }
        speaks = np.ones(len(corners), dtype=bool)
        return replace(self, **blank | {"corners": corners, "centers": corners.mean(axis=1), "speaks": speaks})

    def moved(self, by: tuple[int, int], before: Detections) -> Detections:
        """What was seen in a part of a picture that begins at (x, y) px, in the pixels of the whole one.

        The areas, and the turn token where the part shows none, stay as they were seen *before* in the whole.
        """
        shift = np.array(by, dtype=np.float64)
        further = np.array([*shift, 0.0])
        return replace(
            self,
            centers=self.centers + shift,
            corners=self.corners + shift,
            crossings=self.crossings + further,
            token=before.token if self.token is None else self.token + further,
            plastic=before.plastic,
            board=before.board,
            cell=before.cell,
        )


_OF_PIECES = (
    "score",
    "glance",
    "closer",
    "speaks",
    "centers",
    "corners",
    "corner_blur",
    "lying",
    "colors",
    "sizes",
    "pips",
    "edges",
    "visible",
    "under",
    "above",
)


def together(several: Sequence[Detections]) -> Detections:
    """The pieces of all of them, and what lies around those of the first."""
    pieces: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in several]) for name in _OF_PIECES}
    return replace(several[0], **pieces)
