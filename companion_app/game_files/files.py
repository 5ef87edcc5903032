"""Opening a game file of either kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from companion_app.bounded_files import read_bounded
from companion_app.errors import AppError
from companion_app.game_files.records import Recorded
from companion_app.game_files.told import Ply, Verdict
from companion_app.game_files.transcripts import Transcribed
from companion_app.notation import Position
from companion_app.plain_text import check_text
from rules.records import Record, read_record

MOST_BYTES: Final = 4_000_000
_OURS: Final = re.compile(r"\s*game:", re.IGNORECASE)
_TRANSCRIPT: Final = re.compile(r"^\s*(players:|winner:|[0-9]+\))", re.IGNORECASE | re.MULTILINE)


class GameFile(Protocol):
    """A recorded game, whatever it was written by."""

    @property
    def game(self) -> str:
        """``homeworlds`` or ``settlers``."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""

    @property
    def start(self) -> Position:
        """The position before the first turn."""

    def verdict(self) -> Verdict:
        """Plays the game, and says how far it is legal and how it ended."""

    def plies(self) -> Iterator[Ply]:
        """Each turn up to the end or to the first that is refused."""

    def record(self) -> Record:
        """The game as a record of our own; an AppError where it is not legal or cannot be written."""


def open_game(path: Path) -> GameFile:
    """The game of a file; an AppError where it is no game file, a RulesError where its game cannot be played."""
    try:
        content = read_bounded(path, MOST_BYTES)
    except OSError as error:
        raise AppError("file_unreadable", f"{path} cannot be opened: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise AppError("file_too_large", f"{path} is too large to be a game: at most {MOST_BYTES:,} bytes.")
    if b"\0" in content:
        raise AppError("not_text", f"{path} is not a text file: save the game as text in UTF-8.")
    text = content.decode(errors="replace").removeprefix("\ufeff")
    return read_game(text.replace("\r\n", "\n").replace("\r", "\n"))


def read_game(text: str) -> GameFile:
    """The game of a text, our own record or a transcript of SuperDuperGames.

    An AppError where it is neither, a RulesError where it is one of them, but wrong.
    """
    if _OURS.match(text):
        check_text(text, "This game file", lines=True)
        return Recorded(read_record(text))
    if _TRANSCRIPT.search(text):
        return Transcribed(text)
    if not text.strip():
        raise AppError("file_empty", "This file is empty.")
    raise AppError(
        "not_a_game",
        "This is no game file: ours begin with Game: homeworlds or Game: settlers, transcripts of SuperDuperGames "
        "with Players: North, South.",
    )
