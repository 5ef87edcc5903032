"""Which look at a table shows the position that was last agreed on: by that look the next picture is read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from companion_app.event_log import photo_name
from companion_app.live.looks import Look
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.reading_types import Reading
from companion_app.remembering import Memory, agreed
from companion_app.restoring import plan_of, stands
from companion_app.session.view import View

_KEPT: Final = 6
"""Looks that turns were read from and may go back to."""
_ANOTHER_VIEW: Final = -1
"""From where a picture was taken that is older than this program's look at the table: from no view of its camera."""


class Seen(NamedTuple):
    """What is kept of a look: frames would fill the memory."""

    photo: Photo
    reading: Reading
    view: int

    @classmethod
    def of(cls, look: Look) -> Seen:
        """The picture that was read, and what was read from where."""
        return cls(look.picture, look.reading, look.still.view)

    @classmethod
    def earlier(cls, photo: Photo, reading: Reading) -> Seen:
        """A photo of before the program was begun again; by it the table is known if it looks alike still."""
        return cls(photo, reading, _ANOTHER_VIEW)


class Recall:
    """The looks of one game that may be remembered."""

    def __init__(self, kept: Callable[[str], Seen | None]) -> None:
        """*kept* finds the looks of before the program was begun again, by the names of their photos."""
        self._kept = kept
        self._judged: OrderedDict[str, Seen] = OrderedDict()
        self._sought: set[str] = set()
        self._standing: tuple[Position, Seen] | None = None
        self._memory: tuple[Seen, Position, Memory] | None = None
        self._moved: tuple[Memory, int, Memory | None] | None = None

    def judged(self, look: Look) -> None:
        """The end of a turn was judged by this *look*; what comes of it the record will tell by its photo."""
        self._judged[photo_name(look.photo)] = Seen.of(look)
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
            self._standing = game.position, Seen.of(look)
        return look

    def _memory_for(self, look: Look, game: View) -> Memory | None:
        """What is known of the table that is looked at, from wherever it was seen."""
        photos = [game.seen, *(entry.photo for entry in game.entries[-1:])]
        judged = next((self._judged[photo] for photo in photos if photo in self._judged), None)
        judged = judged or self._earlier(photos)
        if judged:
            return self._from(look, judged, game.position, whole=True)
        if self._standing and self._standing[0] == game.position:
            return self._from(look, self._standing[1], game.position, whole=False)
        return None

    def _earlier(self, photos: Sequence[str]) -> Seen | None:
        """The look of one of these photos, if it was kept; each is sought once."""
        for photo in photos:
            if photo and photo not in self._sought:
                self._sought.add(photo)
                seen = self._kept(photo)
                if seen:
                    self._judged[photo] = seen
                    return seen
        return None

    def _from(self, look: Look, before: Seen, position: Position, *, whole: bool) -> Memory | None:
        """What is known from the look *before*, as it is seen now."""
        memory = self._memory_of(before, position, whole=whole)
        if before.view == look.still.view:
            return memory
        if self._moved is None or self._moved[0] is not memory or self._moved[1] != look.still.view:
            self._moved = memory, look.still.view, memory.moved_to(look.picture)
        return self._moved[2]

    def _memory_of(self, seen: Seen, position: Position, *, whole: bool) -> Memory:
        kept = self._memory
        if kept is None or kept[0] is not seen or kept[1] != position:
            kept = seen, position, Memory(seen.photo, agreed(seen.reading, position), whole=whole)
            self._memory = kept
        return kept[2]
