"""A kept reading as it is now: what was read from the photo, and every correction since, gone through in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from companion_app.corrections import CorrectedReading
from companion_app.event_log import PHOTO_NAME, Damaged, Event, NotKept
from companion_app.json_fields import BadReading, Fields, words_of
from companion_app.reading_types import Reading
from companion_app.store import SAVED, Store
from companion_app.web.edits import BadEdit, Edit, applied
from vision.sight import ImageSide, Seat

READ, CORRECTED, UNDONE = "read", "corrected", "undone"

WITHHELD: dict[str, bool] = {"withheld": True}
"""What an event says beside its own when it happened while corrections were not to be kept for export."""


@dataclass(frozen=True)
class Record:
    """One reading and what is known about it.

    Attributes:
        seq: number of its newest event.
        read: as the program read it.
        reading: as it is now.
        origins: for each piece of the reading as it is now its number in *read*; ``None`` if a person added it.
        edits: the corrections that stand, oldest first; the last one is undone first.
        began: who had the first turn, if a person said so.
        photo, small: names of the photo and of its little picture in the store.
        source: "photo", or "virtual" for a picture of the virtual table; then *seed* is its number.
        south_side: the side of the photo that South sits at.
        withheld: whether a person worked on it while corrections were not to be kept for export.
        name, south, north, date: as saved; empty before.
    """

    id: str
    seq: int
    read: Reading
    reading: Reading
    origins: tuple[int | None, ...]
    edits: tuple[Edit, ...]
    photo: str
    small: str
    source: str
    seed: int | None
    south_side: str
    opened: datetime
    saved: bool
    withheld: bool
    name: str = ""
    south: str = ""
    north: str = ""
    date: str = ""

    @property
    def began(self) -> Seat | None:
        """Who had the first turn."""
        seats = [Seat(edit["seat"]) for edit in self.edits if edit["do"] == "began"]
        return seats[-1] if seats else None

    @property
    def corrected(self) -> CorrectedReading | None:
        """What a person made of it; ``None`` where nobody corrected a piece or a home, and nobody saved it."""
        if not self.saved and all(edit["do"] == "began" for edit in self.edits):
            return None
        return CorrectedReading(
            self.photo, self.source, self.south_side, self.saved, self.read, self.reading, self.origins
        )

    def after(self, edit: Edit) -> Record:
        """With one more correction; raises BadEdit."""
        reading, origins = applied(self.reading, edit), self.origins
        if edit["do"] == "remove":
            origins = origins[: edit["piece"]] + origins[edit["piece"] + 1 :]
        added = (None,) * (len(reading.pieces) - len(origins))
        return replace(self, reading=reading, origins=origins + added, edits=(*self.edits, edit))


def load(store: Store, reading_id: str) -> Record:
    """The reading of that name; raises NotKept, or Damaged where what is kept of it makes no sense."""
    return replayed(reading_id, store.events(reading_id))


def load_all(store: Store) -> Iterator[Record]:
    """All readings that are kept and not damaged, the one that changed last first."""
    for shelf in store.shelves():
        with suppress(NotKept, Damaged):  # deleted just now, in another window; or shown in the list as damaged
            yield load(store, shelf.name)


def replayed(reading_id: str, events: tuple[Event, ...]) -> Record:
    """What the events of a reading add up to; raises Damaged where they make no sense."""
    try:
        return _replayed(reading_id, events)
    except (BadReading, BadEdit) as error:
        raise Damaged("reading", error.sentence.rstrip(".")) from error


def _replayed(reading_id: str, events: tuple[Event, ...]) -> Record:
    first = Fields(events[0].payload, "reading")
    read = Reading.from_json(events[0].payload.get("reading"))
    saved = [event.payload for event in events if event.kind == SAVED]
    last = saved[-1] if saved else {}
    record = Record(
        id=reading_id,
        seq=events[-1].seq,
        read=read,
        reading=read,
        origins=tuple(range(len(read.pieces))),
        edits=(),
        photo=_photo(first, "photo"),
        small=_photo(first, "small"),
        source=first.text("source"),
        seed=first.optional("seed", first.integer),
        south_side=first.word("south", words_of(ImageSide)).value,
        opened=events[0].at,
        saved=bool(saved),
        withheld=any(Fields(event.payload, "event").yes("withheld") for event in events),
        **{key: str(last.get(key, "")) for key in ("name", "south", "north", "date")},
    )
    for edit in standing(events):
        record = record.after(edit)
    return record


def standing(events: Iterable[Event]) -> tuple[Edit, ...]:
    """The corrections that were not undone."""
    edits: list[Edit] = []
    for event in events:
        if event.kind == CORRECTED:
            edits.append(event.payload)
        elif event.kind == UNDONE:
            if not edits:
                raise BadReading("The reading says that a correction was undone, but there was none.")
            edits.pop()
    return tuple(edits)


def _photo(fields: Fields, key: str) -> str:
    """The name of a photo, which is a file's: nothing else is let through."""
    name = fields.text(key)
    if not PHOTO_NAME.fullmatch(name):
        raise BadReading(f"The field “{key}” of the reading should name a photo.")
    return name
