"""The nets that are installed are rounded to whole numbers: they must see what the exact ones see."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion_app.samples import layout_of, random_homeworlds, random_settlers
from vision.eyes import Detections, Eyes
from vision.eyes.nets import session_of
from vision.virtual import photograph

EXACT = Path(__file__).parents[2] / "training" / "weights"
SURE = 0.8  # from this score on a piece must be seen by both
CLOSE = 0.25  # of a piece's size: how far its corners may lie apart in the mean

ALIKE = 0.9  # of the sure ones; where the corners of one in a stack are hidden, nobody sees them for certain


@pytest.fixture(scope="module")
def exact() -> Eyes:
    eyes = Eyes()
    for net in eyes.nets:
        net.session = session_of((EXACT / net.name).read_bytes())
    return eyes


def is_seen(piece: int, of: Detections, other: Detections) -> bool:
    """Whether the *other* eyes see that piece, too, in its place, its colour and its posture."""
    off = np.linalg.norm(other.corners - of.corners[piece], axis=2).mean(1)
    alike = (other.colors.argmax(1) == of.colors[piece].argmax()) & ((other.lying > 0.5) == (of.lying[piece] > 0.5))
    return bool((alike & (off < CLOSE * np.ptp(of.corners[piece], axis=0).max())).any())


def test_what_is_sure_is_seen_by_both(exact: Eyes) -> None:
    seen = asked = 0
    for position in (random_homeworlds(11), random_homeworlds(12), random_settlers(13)):
        for seed in (11, 12):
            picture = photograph(layout_of(position), seed=seed).image
            lit = exact.lit(picture)
            before, now = exact.look(lit), Eyes().look(lit)
            for of, other in ((before, now), (now, before)):
                sure = np.flatnonzero(of.score >= SURE).tolist()
                assert len(sure) >= 20
                asked += len(sure)
                seen += sum(is_seen(piece, of, other) for piece in sure)
    assert seen >= ALIKE * asked


def test_they_are_small_and_say_how_they_were_made() -> None:
    rounded = EXACT.parents[1] / "vision" / "eyes" / "weights"
    names = sorted(net.name for net in Eyes().nets)
    assert names == sorted(file.name for file in rounded.iterdir()) == sorted(file.name for file in EXACT.iterdir())
    for name in names:
        file = rounded / name
        assert file.stat().st_size < 0.6 * (EXACT / name).stat().st_size
        told = session_of(file.read_bytes()).get_modelmeta().custom_metadata_map
        made = session_of((EXACT / name).read_bytes()).get_modelmeta().custom_metadata_map
        assert told == made | {"rounded": "python -m training quantize"}
        assert "python -m training train" in told["command"]
