"""The table in two pictures, before and now: what looks as it did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from companion_app.reading_types import Point, ReadPiece
from companion_app.remembering.unchanged import Picture, is_covered, is_hardly_changed, is_unchanged

LITTLE: Final = 0.15
"""Of a piece's outline less than this does not tell whether it is there."""
HARD_TO_SEE: Final = 0.3
"""Of a piece's outline less than this does not tell that it is there if others have changed some of it."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The same table in two ``smoothed`` pictures; by *slack_px* it may seem to have moved."""

    before: Picture
    now: Picture
    slack_px: int

    def is_unchanged(self, piece: ReadPiece, beside: Iterable[Sequence[Point]] = ()) -> bool:
        """Whether both show the same where a *piece* is, *beside* the outlines that are left out."""
        return is_unchanged(self.before, self.now, piece.outline, self.slack_px, beside)

    def is_hidden_or_unchanged(self, piece: ReadPiece, beside: Sequence[Sequence[Point]]) -> bool:
        """Whether what can be seen of a *piece* beside others, if anything, is as it was."""
        if is_covered(self.now, piece.outline, beside, LITTLE):
            return True
        return is_unchanged(self.before, self.now, piece.outline, self.slack_px, beside, LITTLE)

    def is_hardly_changed(self, piece: ReadPiece, beside: Sequence[Sequence[Point]]) -> bool:
        """Whether most of what can be seen of a *piece* beside others is as it was; not known after a bump."""
        if self.slack_px:
            return False
        return is_hardly_changed(self.before, self.now, piece.outline, beside, HARD_TO_SEE)
