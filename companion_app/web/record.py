"""A kept reading as it is now: what was read from the photo, and every correction since, gone through in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from companion_app.reading_types import Reading
from companion_app.store import Event, Store
from companion_app.web.edits import Edit, applied
from vision.sight import Seat

READ, CORRECTED, UNDONE, SAVED = "read", "corrected", "undone", "saved"


@dataclass(frozen=True)
class Record:
    """One reading and what is known about it.

    Attributes:
        seq: number of its newest event.
        edits: the corrections that stand, oldest first; the last one is undone first.
        began: who had the first turn, if a person said so.
        photo, small: names of the photo and of its little picture in the store.
        source: "photo", or "virtual" for a picture of the virtual table; then *seed* is its number.
        name, south, north, date: as saved; empty before.
    """

    id: str
    seq: int
    reading: Reading
    edits: tuple[Edit, ...]
    photo: str
    small: str
    source: str
    seed: int | None
    opened: datetime
    saved: bool
    name: str = ""
    south: str = ""
    north: str = ""
    date: str = ""

    @property
    def began(self) -> Seat | None:
        """Who had the first turn."""
        seats = [Seat(edit["seat"]) for edit in self.edits if edit["do"] == "began"]
        return seats[-1] if seats else None


def load(store: Store, reading_id: str) -> Record:
    """The reading of that name; raises NotKept."""
    return replayed(reading_id, store.events(reading_id))


def replayed(reading_id: str, events: tuple[Event, ...]) -> Record:
    """What the events of a reading add up to."""
    first = events[0].payload
    edits = standing(events)
    reading = Reading.from_json(first["reading"])
    for edit in edits:
        reading = applied(reading, edit)
    saved = [event.payload for event in events if event.kind == SAVED]
    last = saved[-1] if saved else {}
    return Record(
        id=reading_id,
        seq=events[-1].seq,
        reading=reading,
        edits=edits,
        photo=first["photo"],
        small=first["small"],
        source=first["source"],
        seed=first.get("seed"),
        opened=events[0].at,
        saved=bool(saved),
        **{key: str(last.get(key, "")) for key in ("name", "south", "north", "date")},
    )


def standing(events: Iterable[Event]) -> tuple[Edit, ...]:
    """The corrections that were not undone."""
    edits: list[Edit] = []
    for event in events:
        if event.kind == CORRECTED:
            edits.append(event.payload)
        elif event.kind == UNDONE:
            edits.pop()
    return tuple(edits)
