"""Which look at a table shows the position that was last agreed on: by that look the next picture is read."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Final

from companion_app.event_log import photo_name
from companion_app.live.looks import Look
from companion_app.notation import Position
from companion_app.remembering import Memory, agreed
from companion_app.restoring import plan_of, stands
from companion_app.session.view import View

_KEPT: Final = 4
"""Looks that turns were read from and may go back to."""


class Recall:
    """The looks of one game that may be remembered."""

    def __init__(self) -> None:
        self._judged: OrderedDict[str, Look] = OrderedDict()
        self._standing: tuple[Position, Look] | None = None
        self._memory: tuple[Look, Position, Memory] | None = None
        self._moved: tuple[Memory, int, Memory | None] | None = None

    def judged(self, look: Look) -> None:
        """The end of a turn was judged by this *look*; what comes of it the record will tell by its photo."""
        self._judged[photo_name(look.photo)] = look
        while len(self._judged) > _KEPT:
            self._judged.popitem(last=False)

    def read(self, look: Look, game: View) -> Look:
        """The *look* with what is known of the table in place of what was read.

        A look that shows just what was agreed on, at the beginning for instance, is remembered, too.
        """
        memory = self._memory_for(look, game)
        if memory:
            return replace(look, reading=memory.recalled(look.picture, look.reading))
        if stands(plan_of(game.position), look.reading):
            self._standing = game.position, look
        return look

    def _memory_for(self, look: Look, game: View) -> Memory | None:
        """What is known of the table that is looked at, from wherever it was seen."""
        judged = self._judged.get(game.entries[-1].photo) if game.entries else None
        if judged:
            return self._from(look, judged, game.position, whole=True)
        if self._standing and self._standing[0] == game.position:
            return self._from(look, self._standing[1], game.position, whole=False)
        return None

    def _from(self, look: Look, before: Look, position: Position, *, whole: bool) -> Memory | None:
        """What is known from the look *before*, as it is seen now."""
        memory = self._memory_of(before, position, whole=whole)
        if before.still.view == look.still.view:
            return memory
        if self._moved is None or self._moved[0] is not memory or self._moved[1] != look.still.view:
            self._moved = memory, look.still.view, memory.moved_to(look.picture)
        return self._moved[2]

    def _memory_of(self, look: Look, position: Position, *, whole: bool) -> Memory:
        kept = self._memory
        if kept is None or kept[0] is not look or kept[1] != position:
            kept = look, position, Memory(look.picture, agreed(look.reading, position), whole=whole)
            self._memory = kept
        return kept[2]
