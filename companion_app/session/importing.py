"""A game from elsewhere: a zip or JSON of ours, or a game file of any kind. What is not legal is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from typing import IO, Any, Final

from companion_app.errors import AppError
from companion_app.event_log import Event, photo_name, photos_of
from companion_app.game_files import is_export, read_game, text_of
from companion_app.game_files.files import MOST_BYTES
from companion_app.json_fields import decoded, read_json
from companion_app.photos import MAX_BYTES
from companion_app.pictures import encoded_anew, has_only_pixels
from companion_app.plain_text import name_of
from companion_app.session.course import after, fold
from companion_app.session.export import FORMAT, GAME_JSON, PHOTOS
from companion_app.session.log import GameLog
from companion_app.session.photo_names import renamed
from companion_app.session.referee import Referee
from companion_app.session.spooling import Spool, spool
from companion_app.session.states import Fact
from companion_app.session.terms import Terms
from companion_app.session.unpacking import MOST_UNPACKED, Damaged, Unpacking, unpacking
from companion_app.session.view import view_of
from rules import RulesError
from rules.homeworlds import Special
from rules.records import RecordedTurn

MOST_PHOTOS: Final = 1000
MOST_EVENTS: Final = 5000
MOST_TURNS: Final = 1000  # twice as many take four times as long; the longest recorded game has fewer than 200
MOST_LINES: Final = 2000

Door = Callable[[Callable[[], bytes]], bytes]
"""Does a piece of work on a photo when it is its turn; an AppError where too many wait."""


def _at_once(work: Callable[[], bytes]) -> bytes:
    return work()


def import_game(data: bytes | IO[bytes], log: GameLog, door: Door = _at_once) -> str:
    """Keep the game that is in some bytes, or in a file that can be sought in; its new name.

    Its photos are opened one by one, each through the *door*, and kept as their pixels, encoded anew.
    Raises AppError, and nothing is kept, for anything that is no game, not legal, or too large.
    """
    file = BytesIO(data) if isinstance(data, bytes) else data
    file.seek(0)
    if file.read(2) == b"PK":
        try:
            with unpacking(file) as parcel:
                return _zipped(parcel, log, door)
        except Damaged:
            raise _no_game("it is damaged, or no zip of ours") from None
    file.seek(0)
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise AppError("file_too_large", f"This is too large to be a game: at most {MOST_BYTES:,} bytes.")
    is_ours = decoded(content, errors="replace").lstrip().startswith("{") and not is_export(text_of(content))
    events = _from_json(content) if is_ours else _from_notation(text_of(content))
    _check(events)
    return log.adopt(events)


def _zipped(parcel: Unpacking, log: GameLog, door: Door) -> str:
    """Keep the game of a zip with the photos that it speaks of; whatever else is in the zip is left there."""
    events = _from_json(parcel.read(GAME_JSON, MOST_BYTES))
    _check(events)
    names = sorted(name for name in photos_of(events) if PHOTOS + name in parcel.names)
    if not names:
        return log.adopt(events)
    if len(names) > MOST_PHOTOS:
        raise _no_game(f"it has more than {MOST_PHOTOS} photos")
    parcel.check_sizes(PHOTOS + name for name in names)
    with spool(log) as ready:
        return log.adopt(renamed(events, _made_ready(names, parcel, log, door, ready)), ready.photos())


def _made_ready(names: list[str], parcel: Unpacking, log: GameLog, door: Door, ready: Spool) -> dict[str, str]:
    """The names of the photos as they will be kept, by the names that the zip has for them."""
    kept, size = dict[str, str](), 0
    for name in names:
        photo, called = parcel.read(PHOTOS + name, MAX_BYTES), f"The photo {name[:12]}…"
        if photo_name(photo) != name:
            raise AppError("photo_differs", f"{called} is not the one that was exported.")
        if not (log.photo(name) == photo and has_only_pixels(photo)):  # what is ours already stays as it is
            photo = door(partial(encoded_anew, photo, called))
        size += len(photo)
        if size > MOST_UNPACKED:
            raise _no_game(f"its photos take more than {MOST_UNPACKED // 1_000_000} MB")
        kept[name] = ready.add(photo)
    return kept


def _check(events: list[Event]) -> None:
    """Raise AppError for events that are no game which can be shown and gone on with."""
    if len(events) > MOST_EVENTS:
        raise _no_game(f"it has more than {MOST_EVENTS:,} events")
    try:
        course = fold(events)
        _check_length(len(course.entries))
        for name in course.terms.names.values():
            name_of(name, "A player’s name")
        view_of("", course, Referee.of(course))
    except RulesError as error:
        raise AppError("not_legal", f"This game cannot be played: {error.sentence}") from error


def _check_length(turns: int) -> None:
    if turns > MOST_TURNS:
        raise _no_game(f"it has more than {MOST_TURNS:,} turns")


def _from_json(data: bytes) -> list[Event]:
    try:
        told = read_json(data, "this game")
    except ValueError:
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
        at = at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (TypeError, KeyError, ValueError, OverflowError):  # the first day of the calendar begins earlier elsewhere
        raise _no_game(f"event {seq} cannot be read") from None
    if not isinstance(kind, str) or not isinstance(payload, Mapping):
        raise _no_game(f"event {seq} cannot be read")
    return Event(seq, at, kind, payload)


def _from_notation(text: str) -> list[Event]:
    """The events that would have made this record, all of today."""
    if text.count("\n") > MOST_LINES:
        raise AppError("file_too_large", f"This is too long to be a game: at most {MOST_LINES:,} lines.")
    try:
        opened = read_game(text)
        record = opened.record()
        _check_length(len(record.turns))
        now, terms = datetime.now(UTC), Terms.of_record(record, opened.names)
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


def _no_game(why: str) -> AppError:
    return AppError("not_a_game", f"This is no game that was exported here: {why}.")
