"""How far a table has come: ticks by hand and looks at the table, one after the other; the newest word counts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from companion_app.restoring.comparing import Comparison, Found, Mark, Surplus
from companion_app.restoring.steps import Plan

NOT_SEEN = "Ticked, but the picture does not show it: is it there?"


@dataclass(frozen=True)
class Progress:
    """The mark of each step with what there is to say about it, and the pieces still to be taken away.

    >>> from companion_app.restoring.steps import plan_of
    >>> from rules import homeworlds
    >>> plan = plan_of(homeworlds.Position.parse("<0>; South(0,b3y2)g3-; North(1,g1r2)-g3"))
    >>> progress = Progress.of(plan).ticked([0, 1])
    >>> progress.done, progress.next, progress.complete
    (2, 2, False)
    """

    found: tuple[Found, ...]
    surplus: tuple[Surplus, ...] = ()

    @classmethod
    def of(cls, plan: Plan) -> Progress:
        """Nothing is done yet."""
        return cls((Found(Mark.OPEN),) * len(plan.steps))

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(found.mark is Mark.DONE for found in self.found)

    @property
    def next(self) -> int | None:
        """The first step that is not done; ``None`` when all are."""
        return next((number for number, found in enumerate(self.found) if found.mark is not Mark.DONE), None)

    @property
    def complete(self) -> bool:
        """Whether every step is done and nothing has to be taken away."""
        return self.next is None and not any(surplus.sure for surplus in self.surplus)

    def ticked(self, steps: Collection[int], *, done: bool = True) -> Progress:
        """With some *steps* done by hand, or not *done* after all."""
        mark = Found(Mark.DONE if done else Mark.OPEN)
        return replace(self, found=tuple(mark if n in steps else found for n, found in enumerate(self.found)))

    def taken_away(self, piece: int) -> Progress:
        """With that surplus piece gone."""
        return replace(self, surplus=tuple(surplus for surplus in self.surplus if surplus.piece != piece))

    def looked(self, comparison: Comparison) -> Progress:
        """After a look at the table; what a person ticked and the look does not show is in doubt, not undone."""
        pairs = zip(self.found, comparison.found, strict=True)
        return Progress(tuple(_after(before, now) for before, now in pairs), comparison.surplus)


def _after(before: Found, now: Found | None) -> Found:
    if now is None or (before.mark is Mark.DONE and now.mark is Mark.LIKELY):
        return Found(before.mark)
    if before.mark is Mark.DONE and now.mark is Mark.OPEN:
        return Found(Mark.LIKELY, None, NOT_SEEN)
    return now
