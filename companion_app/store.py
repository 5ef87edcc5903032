"""The readings that are kept: a log of their events in ``readings.sqlite3``, and their photos in ``photos``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from companion_app.event_log import Event, EventLog, Shelf

SAVED: Final = "saved"
"""The kind of the event by which a person gives a reading a name."""


@dataclass(frozen=True)
class ReadingShelf(Shelf):
    """One line of the list of readings; *saved* is the last time that it was saved.

    *is_draft* says that nobody saved it, for certain: what cannot be read may have been saved.
    """

    saved: Event | None
    is_draft: bool


class Store(EventLog):
    """The readings in one folder."""

    def __init__(self, folder: Path) -> None:
        """Open or make the store; ``AppError`` where the folder cannot be used."""
        super().__init__(folder, "reading", "photos")

    def shelves(self) -> tuple[ReadingShelf, ...]:
        """All readings, the one that changed last first."""
        saved = self.last_of(SAVED)
        return tuple(
            ReadingShelf(
                shelf.name,
                shelf.first,
                shelf.newest,
                saved.get(shelf.name),
                is_draft=shelf.name not in saved and None not in (shelf.first, shelf.newest),
            )
            for shelf in super().shelves()
        )


def data_folder() -> Path:
    """Where everything is kept: ``$PYRAMIDS_DATA``, or the user's own data folder."""
    chosen = os.environ.get("PYRAMIDS_DATA")
    return Path(chosen).expanduser() if chosen else user_data_path("pyramid-companion", appauthor=False)
