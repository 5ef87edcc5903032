"""What the forms of the page send, checked field by field before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import TypeVar

from werkzeug.datastructures import FileStorage, MultiDict

from companion_app.errors import AppError
from companion_app.plain_text import BadText, check_text, name_of
from companion_app.reading_types import Game
from vision.sight import ImageSide

E = TypeVar("E", bound=Enum)

LAST_TABLE = 999_999


class BadForm(AppError):
    """A form with a wrong or missing field; code ``bad_form``."""

    def __init__(self, sentence: str) -> None:
        super().__init__("bad_form", sentence)


class Answer(Enum):
    """What a yes-or-no field says."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True)
class Names:
    """What a reading is saved as."""

    name: str
    south: str
    north: str
    date: str


def game_of(form: Mapping[str, str]) -> Game:
    """The game that was chosen."""
    return _one_of(form, "game", Game)


def south_of(form: Mapping[str, str]) -> ImageSide:
    """The side of the photo South sits at; the bottom where nothing is said."""
    return _one_of({"south": "bottom", **form}, "south", ImageSide)


def redless_of(form: Mapping[str, str]) -> bool:
    """Whether the game is played without reds, which only Settlers is."""
    return "redless" in form and game_of(form) is Game.SETTLERS


def kept_of(form: Mapping[str, str]) -> bool:
    """Whether corrections are to be kept."""
    return _one_of(form, "keep", Answer) is Answer.YES


def photo_of(files: MultiDict[str, FileStorage]) -> bytes:
    """The bytes of the one photo that was chosen, whichever way."""
    chosen = [file for file in files.getlist("photo") if file.filename]
    if not chosen:
        raise AppError("photo_missing", "No photo came with this form: choose one, then press Read the table.")
    data: bytes = chosen[0].read()
    return data


def table_of(form: Mapping[str, str]) -> int:
    """The number of the virtual table."""
    text = form.get("table", "").strip()
    if not text.isascii() or not text.isdecimal() or not 0 <= int(text[:9]) <= LAST_TABLE or len(text) > 6:
        raise BadForm(f"The number of the virtual table should be from 0 to {LAST_TABLE}.")
    return int(text)


def names_of_form(form: Mapping[str, str]) -> Names:
    """Name, players and date; the players may stay empty."""
    name = name_in(form, "name", "The name")
    if not name:
        raise BadForm("A saved reading needs a name: give it one.")
    day = form.get("date", "").strip()
    try:
        day = date.fromisoformat(day).isoformat() if day else ""
    except ValueError:
        raise BadForm("The date should be written as year-month-day, such as 2025-07-14.") from None
    south, north = (name_in(form, seat, "A player’s name") for seat in ("south", "north"))
    return Names(name, south, north, day)


def name_in(form: Mapping[str, str], key: str, what: str) -> str:
    """The name in a field, which may be empty; a BadForm, whose sentence begins with *what*, where it is none."""
    try:
        return name_of(form.get(key, ""), what)
    except BadText as error:
        raise BadForm(error.sentence) from None


def line_in(form: Mapping[str, str], key: str, what: str) -> str:
    """The turn or position in a field, on one line; see ``checked``."""
    return checked(" ".join(form.get(key, "").split()), what)


def checked(text: str, what: str) -> str:
    """*text*; a BadForm, whose sentence begins with *what*, for a character that cannot be in it."""
    try:
        check_text(text, what)
    except BadText as error:
        raise BadForm(error.sentence) from None
    return text


def _one_of(form: Mapping[str, str], key: str, kind: type[E]) -> E:
    words = [str(member.value) for member in kind]
    if form.get(key) not in words:
        raise BadForm(
            f"The field “{key}” of this form should be one of {', '.join(words)}: choose one and send again."
        )
    return kind(form[key])
