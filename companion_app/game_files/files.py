"""Opening a game file of either kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from companion_app.errors import AppError
from companion_app.game_files.records import Recorded
from companion_app.game_files.told import Ply, Verdict
from companion_app.game_files.transcripts import Transcribed
from rules.records import Record, read_record

MOST_BYTES = 4_000_000


class GameFile(Protocol):
    """A recorded game, whatever it was written by."""

    @property
    def game(self) -> str:
        """``homeworlds`` or ``settlers``."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""

    def verdict(self) -> Verdict:
        """Plays the game, and says how far it is legal and how it ended."""

    def plies(self) -> Iterator[Ply]:
        """Each turn up to the end or to the first that is refused."""

    def record(self) -> Record:
        """The game as a record of our own."""


def open_game(path: Path) -> GameFile:
    """The game of a file; an AppError where it is no text file, a RulesError where it is no game."""
    try:
        content = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        raise AppError("file_unreadable", f"{path} cannot be opened: {error.strerror}.") from None
    if content is None:
        raise AppError("file_too_large", f"{path.name} is too large to be a game: at most {MOST_BYTES:,} bytes.")
    return read_game(content.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n"))


def read_game(text: str) -> GameFile:
    """The game of a text, our own record or a transcript of SuperDuperGames; a RulesError where it is neither."""
    if text.startswith("Game:"):
        return Recorded(read_record(text))
    return Transcribed(text)
