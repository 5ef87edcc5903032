"""Second thoughts: every doubtful piece is held against what else could stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from vision.finding.exchanges import Exchange, alternatives, seam_shows, stacked_with, stacks
from vision.finding.scene import Painted, Scene

CLEAR = 0.07  # share of a piece's outline that may be wrong without a second thought
MIN_GAIN = 16.0  # px of the whole picture that an exchange must win
HOPELESS = 0.2  # loss, as a share of a piece's outline, that no nudging makes good
THOUGHTS = 24  # pieces that are reconsidered at a time, the most doubtful ones
SETTLED = 4  # most promising exchanges that are tried in earnest


def think_again(scene: Scene) -> bool:
    """Exchanges doubtful pieces of the scene, the small ones first, for what explains the picture better."""
    doubts = {id(piece): doubt(scene, piece) for piece in scene.pieces}
    worst = sorted(scene.pieces, key=lambda piece: -doubts[id(piece)])[:THOUGHTS]
    concerned = [piece for piece in worst if doubts[id(piece)] > 0]
    return _reconsider_all(scene, concerned, alternatives, lambda _: True)


def drop_unfounded(scene: Scene, most: int) -> None:
    """Takes away every piece without which the picture is explained as well, and the weakest beyond *most*."""
    for piece in sorted(scene.pieces, key=lambda p: p.area):
        if stacked_with(scene, piece) is None and scene.gain((piece,), ()) > 0:
            scene.exchange((piece,), ())
    surplus = len(scene.pieces) - most
    if surplus > 0:
        scene.exchange(sorted(scene.pieces, key=lambda piece: -scene.gain((piece,), ()))[:surplus], ())


def look_for_stacks(scene: Scene, is_star: Callable[[Painted], bool]) -> bool:
    """Tries a second star over or under every upright piece that may be one: colours alone need not show it."""
    concerned = [piece for piece in scene.pieces if is_star(piece)][:THOUGHTS]
    return _reconsider_all(scene, concerned, stacks, lambda into: seam_shows(scene, into))


def doubt(scene: Scene, piece: Painted, pieces: Sequence[Painted] | None = None) -> float:
    """How much of the picture around a piece is not as it should be, over what may well be so; 0 for a clear one.

    *pieces* are all that are assumed, by default the scene's.
    """
    x0, y0, x1, y1 = piece.box
    height, width = scene.seen.shape
    around = (max(0, x0 - 3), max(0, y0 - 3), min(width, x1 + 3), min(height, y1 + 3))
    return max(0.0, scene.cost(scene.pieces if pieces is None else pieces, around) - CLEAR * piece.area - 3)


def _reconsider_all(
    scene: Scene,
    concerned: Sequence[Painted],
    propose: Callable[[Scene, Painted], Iterable[Exchange]],
    accept: Callable[[Sequence[Painted]], bool],
) -> bool:
    changed = False
    for piece in sorted(concerned, key=lambda p: p.area):
        if any(piece is other for other in scene.pieces):
            changed |= _exchange_best(scene, propose(scene, piece), accept)
    return changed


def _exchange_best(scene: Scene, exchanges: Iterable[Exchange], accept: Callable[[Sequence[Painted]], bool]) -> bool:
    """Makes the exchange that gains most, if it gains enough and is acceptable."""
    settled = [(*scene.settle(out, into, (2.0,)), out) for out, into in promising(scene, exchanges)]
    if not settled:
        return False
    _, into, out = max(settled, key=lambda exchange: exchange[0])
    gain, into = scene.settle(out, into, (1.0,))
    better = gain > MIN_GAIN / scene.shrink**2 and accept(into)
    if better:
        scene.exchange(out, into)
    return better


def promising(scene: Scene, exchanges: Iterable[Exchange]) -> list[Exchange]:
    """The exchanges that gain most as they stand, and are not hopeless."""
    weighed = [(scene.gain(out, into), out, into) for out, into in exchanges]
    hopeful = [
        (gain, out, into)
        for gain, out, into in weighed
        if gain > -HOPELESS * max(piece.area for piece in (*out, *into)) and all(scene.fits(new, out) for new in into)
    ]
    hopeful.sort(key=lambda exchange: -exchange[0])
    return [(out, into) for _, out, into in hopeful[:SETTLED]]
