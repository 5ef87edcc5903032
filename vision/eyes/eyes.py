"""All that is seen in a picture: found by one net at a glance, then looked at piece by piece by another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.eyes.brightness import brightened
from vision.eyes.decode import Thresholds, different
from vision.eyes.detections import Detections, together
from vision.eyes.detector import Detector, in_color
from vision.eyes.halvings import Halvings
from vision.eyes.inspector import Inspector
from vision.eyes.nets import Installed
from vision.eyes.pips import PipCounter
from vision.solids import Array, Color

STILL = 0.7  # of its probability: what is seen again like that is told as it is seen then
ONE = Thresholds(same_stack=0.05)  # corners told as well as that tell two of a stack apart
HARDLY = 0.05  # probability below which nothing is kept

Image = NDArray[np.uint8]


class Eyes:
    """Sees the pieces in pictures. The nets are loaded when they are first needed.

    Attributes:
        detector, inspector, pip_counter: for the glance, for the closer look and for the pips.
    """

    def __init__(
        self,
        detector: Detector | None = None,
        inspector: Inspector | None = None,
        pip_counter: PipCounter | None = None,
    ) -> None:
        self.detector = detector or Detector()
        self.inspector = inspector or Inspector.of_two()
        self.pip_counter = pip_counter or PipCounter()

    def use_threads(self, threads: int) -> None:
        """From now on works on so many processor cores, instead of on one."""
        for net in self.nets:
            net.use_threads(threads)

    @property
    def nets(self) -> tuple[Installed, ...]:
        """Each net that is asked, once."""
        return self.detector, *self.inspector.nets, self.pip_counter

    def lit(self, image: Image) -> Halvings:
        """An (H, W, 3) BGR or (H, W) grey picture as it is looked at: in colour, and its dark parts lighter."""
        return Halvings(brightened(in_color(image)))

    def look(self, lit: Halvings) -> Detections:
        """What is seen in a picture as :meth:`lit` shows it, the surest first."""
        seen = self.inspector.inspected(self.detector.look(lit.image), lit)
        once = _once(replace(seen, closer=seen.score))
        return self.count_pips(once, once.corners, once.lying > 0.5, lit)

    def look_again(self, seen: Detections, expected: Array, lit: Halvings) -> Detections:
        """The pieces that were *seen*, each once, looked at where their corners (N, 5, 2) px are *expected*.

        They are looked at in a picture as :meth:`lit` shows it. What is then seen less clearly than before is told as
        it was before, and so is what then has another of the four colours: that is a neighbour.
        """
        again = self.inspector.inspected(replace(seen, corners=expected), lit)
        before, now = seen.colors.argmax(1), again.colors.argmax(1)
        clearer = (again.score >= STILL * seen.score) & ((now == before) | (now >= len(Color)))
        return _once(together([seen, again]).only(np.arange(len(seen)) + clearer * len(seen)))

    def look_for(self, like: Detections, corners: Array, lit: Halvings, *, under: bool = False) -> Detections:
        """What is seen where pieces *like* those would have their corners (N, 5, 2) px, each *under* another or none.

        They are looked for in a picture as :meth:`lit` shows it. Each answer stands where its question stood; its
        score is the probability that there is such a piece.
        """
        if not len(like):
            return like
        never, unsized = np.zeros(len(like)), np.zeros_like(like.pips)
        asked = replace(
            like, corners=corners, under=np.full(len(like), under), glance=never, pips=unsized, edges=unsized
        )
        answers = self.inspector.inspected(asked, lit)
        return replace(answers, closer=answers.score)

    def count_pips(self, seen: Detections, expected: Array, lying: NDArray[np.bool_], lit: Halvings) -> Detections:
        """The same pieces with what their pips tell, their corners being *expected* (N, 5, 2) px; (N,) which lie.

        They are looked at in a picture as :meth:`lit` shows it.
        """
        return replace(seen, pips=self.pip_counter.counted(expected, lying, lit))


def _once(seen: Detections) -> Detections:
    """Each piece once, the surest first; what is hardly there left out."""
    best = np.argsort(-seen.score, kind="stable")
    ordered = seen.only(best[seen.score[best] > HARDLY])
    return ordered.only(different(ordered.corners, ordered.under, ONE))
