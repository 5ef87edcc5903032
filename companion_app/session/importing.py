"""A game from elsewhere: a zip or JSON of ours, a game file, or a transcript. What is not legal is refused."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

from companion_app.errors import AppError
from companion_app.event_log import Event, photo_name, photos_of
from companion_app.game_files import read_game
from companion_app.game_files.files import MOST_BYTES
from companion_app.photos import MAX_BYTES, decode_photo
from companion_app.session.course import after, fold
from companion_app.session.export import FORMAT, GAME_JSON, PHOTOS
from companion_app.session.log import GameLog
from companion_app.session.referee import Referee
from companion_app.session.states import Fact
from companion_app.session.terms import Terms
from rules import RulesError
from rules.homeworlds import Special
from rules.records import RecordedTurn

MOST_PHOTOS: Final = 1000
# What zipfile raises for bytes that are no zip, or cut off, or coded in a way that it does not know.
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, OSError, EOFError, KeyError)


def import_game(data: bytes, log: GameLog) -> str:
    """Keep the game that is in a file; its new name. An AppError for anything that is no game, or not legal."""
    photos: list[bytes] = []
    if data.startswith(b"PK"):
        events, photos = _unzipped(data)
    elif len(data) > MOST_BYTES:
        raise AppError("file_too_large", f"This is too large to be a game: at most {MOST_BYTES:,} bytes.")
    elif data.lstrip().startswith(b"{"):
        events = _from_json(data)
    else:
        events = _from_notation(data.decode(errors="replace").removeprefix("\ufeff"))
    try:
        Referee.of(fold(events))
    except RulesError as error:
        raise AppError("not_legal", f"This game cannot be played: {error.sentence}") from error
    game = log.adopt(events)
    for photo in photos:
        log.keep_photo(photo)
    return game


def _from_json(data: bytes) -> list[Event]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise _no_game("it is no JSON") from None
    if not isinstance(told, Mapping) or told.get("format") != FORMAT:
        raise _no_game(f"its format is not “{FORMAT}”")
    events = told.get("events")
    if not isinstance(events, list) or not events:
        raise _no_game("it has no events")
    return [_event(seq, event) for seq, event in enumerate(events, 1)]


def _event(seq: int, told: Any) -> Event:
    try:
        at, kind, payload = datetime.fromisoformat(told["at"]), told["kind"], told["payload"]
    except (TypeError, KeyError, ValueError):
        raise _no_game(f"event {seq} cannot be read") from None
    if not isinstance(kind, str) or not isinstance(payload, Mapping):
        raise _no_game(f"event {seq} cannot be read")
    return Event(seq, at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC), kind, payload)


def _from_notation(text: str) -> list[Event]:
    """The events that would have made this record, all of today."""
    try:
        record = read_game(text.replace("\r\n", "\n").replace("\r", "\n")).record()
        now, terms = datetime.now(UTC), Terms.of_record(record)
        events = [Event(1, now, Fact.BEGUN.value, terms.to_json())]
        course, referee = fold(events), Referee(terms)
        for seq, turn in enumerate(record.turns, 2):
            fact, said = _said(referee, turn)
            events.append(Event(seq, now, fact.value, said))
            course = after(course, events[-1])
            referee.follow(course.entries)
    except RulesError as error:
        raise AppError(error.code, error.sentence) from error
    return events


def _said(referee: Referee, turn: RecordedTurn) -> tuple[Fact, dict[str, Any]]:
    if turn.is_special:
        sentence = referee.told_of(Special(turn.text), turn.seat)
        return Fact.DECLARED, {"seat": turn.seat.value, "what": turn.text, "sentence": sentence}
    ((seat, text, sentence),) = referee.told((referee.read(turn.text),))
    return Fact.PLAYED, {"turns": [{"seat": seat.value, "text": text, "sentence": sentence}]}


def _unzipped(data: bytes) -> tuple[list[Event], list[bytes]]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            events = _from_json(_content(archive, GAME_JSON, MOST_BYTES))
            return events, list(_photos(archive, events))
    except _DAMAGED:
        raise _no_game("it is damaged, or no zip of ours") from None


def _photos(archive: zipfile.ZipFile, events: Sequence[Event]) -> Iterator[bytes]:
    """The photos that the game speaks of; whatever else is in the zip is left there."""
    there = set(archive.namelist())
    names = [name for name in sorted(photos_of(events)) if PHOTOS + name in there]
    if len(names) > MOST_PHOTOS:
        raise _no_game(f"it has more than {MOST_PHOTOS} photos")
    for name in names:
        photo = _content(archive, PHOTOS + name, MAX_BYTES)
        if photo_name(photo) != name:
            raise AppError("photo_differs", f"The photo {name[:12]}… is not the one that was exported.")
        decode_photo(photo, f"The photo {name[:12]}…")
        yield photo


def _content(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file of the archive, of *most* bytes at most, whatever its header says."""
    with archive.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise AppError("file_too_large", f"{name} in this zip is too large: at most {most:,} bytes.")
    return content


def _no_game(why: str) -> AppError:
    return AppError("not_a_game", f"This is no game that was exported here: {why}.")
