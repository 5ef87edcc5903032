"""Opening a game file of any kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

from companion_app.bounded_files import read_bounded
from companion_app.errors import AppError
from companion_app.game_files.records import Recorded
from companion_app.game_files.text import text_of
from companion_app.game_files.told import Ply, Verdict
from companion_app.game_files.transcripts import Transcribed
from companion_app.notation import Position
from companion_app.plain_text import check_text
from rules import Seat
from rules.homeworlds.abstractplay import is_abstractplay, looks_like_moves, read_abstractplay, read_moves
from rules.homeworlds.sdg import read_sdg
from rules.records import Record, read_record

MOST_BYTES: Final = 4_000_000
ENDINGS: Final = (".txt", ".pyramids", ".raw")
"""How files of games are called; exports (``.json``) are told from others by what is in them."""
_OURS: Final = re.compile(r"\s*game:", re.IGNORECASE)
_TRANSCRIPT: Final = re.compile(
    r"^[^\S\n]*(players:|participants:|winner:|[0-9]+\))|\(sdg\s*#", re.IGNORECASE | re.MULTILINE
)


class GameFile(Protocol):
    """A recorded game, whatever it was written by."""

    @property
    def game(self) -> str:
        """``homeworlds`` or ``settlers``."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of the file."""

    @property
    def names(self) -> Mapping[Seat, str]:
        """What the players are called, where the file tells it."""

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
    return read_game(text_of(content, str(path)))


def read_game(text: str) -> GameFile:
    """The game of a text: our own record, a transcript of SuperDuperGames, or a game or turns of AbstractPlay.

    An AppError where it is none of them, a RulesError where it is one of them, but wrong.
    """
    if _OURS.match(text):
        check_text(text, "This game file", lines=True)
        return Recorded(read_record(text))
    if text.lstrip().startswith(("{", "[")):
        return _exported(text)
    if looks_like_moves(text):
        return Transcribed(read_moves(text))
    if _TRANSCRIPT.search(text):
        return Transcribed(read_sdg(text))
    if not text.strip():
        raise AppError("file_empty", "This file is empty.")
    raise AppError(
        "not_a_game",
        "This is no game file: ours begin with Game: homeworlds or Game: settlers, transcripts of SuperDuperGames "
        "with Homeworlds Online or with Players: North, South, and turns of AbstractPlay with homeworld g3 b2 y3.",
    )


def is_export(text: str) -> bool:
    """Whether *text* is a game of AbstractPlay in JSON, whether or not it can be read."""
    return any(is_abstractplay(one) for one in _in_json(text))


def _exported(text: str) -> GameFile:
    found = _in_json(text)
    games = [one for one in found if is_abstractplay(one)]
    if len(games) > 1:
        raise AppError("several_games", f"There are {len(games)} games in this file: save each as a file of its own.")
    if not games:
        raise AppError(
            "not_a_game",
            "This is no game record of AbstractPlay, nor anything else in JSON that is read here: what this program "
            "exports is taken in again on its page.",
        )
    return Transcribed(read_abstractplay(games[0]))


def _in_json(text: str) -> list[object]:
    """What a text in JSON holds, a list of it or one alone; nothing where it cannot be read."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return content if isinstance(content, list) else [content]
