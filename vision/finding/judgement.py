"""How sure a reading is: every piece against the best other piece that could be there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from vision.finding.exchanges import other_poses
from vision.finding.grouping import Grouping
from vision.finding.scene import Painted, Piece, Scene
from vision.sight import Alternative, Seat
from vision.solids import Color, Posture, Size

SOFTNESS = 1.3  # times the root of a piece's area: the pixels of which chance easily makes a difference
LEAST = 1e-3  # no alternative is less likely than this
WORTH_SAYING = 0.01
DOUBT = 0.5  # confidence in a piece when something speaks against it as a whole

Reading = tuple[Size, Posture, Seat | None]


def weigh(
    scene: Scene, grouping: Grouping, indices: Sequence[int], axis_deg: float, kit: Mapping[tuple[Color, Size], int]
) -> dict[int, tuple[float, tuple[Alternative, ...]]]:
    """Confidence and alternatives of the scene's pieces at *indices*.

    Of a kind of which more are seen than the *kit* holds, at least one is misread: none of them is sure.
    """
    judged = {index: _weigh_piece(scene, scene.pieces[index], grouping.owners[index], axis_deg) for index in indices}
    kinds = {index: (scene.pieces[index].piece.color, scene.pieces[index].piece.pose.size) for index in indices}
    counts = Counter(kinds.values())
    return {
        index: (confidence if counts[kinds[index]] <= kit.get(kinds[index], 0) else min(confidence, DOUBT), rest)
        for index, (confidence, rest) in judged.items()
    }


def _weigh_piece(
    scene: Scene, painted: Painted, owner: Seat | None, axis_deg: float
) -> tuple[float, tuple[Alternative, ...]]:
    pose = painted.piece.pose
    itself: Reading = (pose.size, pose.posture, owner)
    best: dict[Reading, tuple[float, Painted]] = {}
    for other in other_poses(scene, pose):
        reading: Reading = (other.size, other.posture, _owner_of(other.posture, other.heading_deg, axis_deg))
        if reading == itself:
            continue
        candidate = scene.paint(Piece(painted.piece.color, other))
        gain = scene.gain((painted,), (candidate,))
        if reading not in best or gain > best[reading][0]:
            best[reading] = (gain, candidate)
    softness = SOFTNESS * math.sqrt(painted.area)
    weights: dict[Reading, float] = {}
    for reading, (gain, candidate) in best.items():
        promising = gain > -10 * softness
        settled = scene.settle((painted,), (candidate,), (2.0,))[0] if promising else gain
        weights[reading] = max(LEAST, math.exp(min(3.0, settled / softness)))
    total = 1 + sum(weights.values())
    alternatives = tuple(
        Alternative(painted.piece.color, size, posture, seat, weight / total)
        for (size, posture, seat), weight in sorted(weights.items(), key=lambda item: -item[1])
        if weight / total >= WORTH_SAYING
    )
    return 1 / total, alternatives


def _owner_of(posture: Posture, heading_deg: float, axis_deg: float) -> Seat | None:
    if posture is Posture.UPRIGHT:
        return None
    return Seat.SOUTH if abs((heading_deg - axis_deg + 180) % 360 - 180) < 90 else Seat.NORTH
