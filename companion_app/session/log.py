"""The games that are kept: a log of their events in ``games.sqlite3``, and the photos of their turns."""

from __future__ import annotations

from pathlib import Path

from companion_app.event_log import EventLog


class GameLog(EventLog):
    """The games in one folder."""

    def __init__(self, folder: Path) -> None:
        """Open or make the log; ``AppError`` where the folder cannot be used."""
        super().__init__(folder, "game", "game_photos")
