"""The course of a game as its log tells it: ``fold`` goes through the events, and is all that says what they mean.

A course is pure data. Whose turn it is and how the game stands follows from its entries by playing them: see
``companion_app.session.referee``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import reduce
from typing import Any, Final

from companion_app.errors import AppError
from companion_app.event_log import PHOTO_NAME, Event
from companion_app.json_fields import Fields, words_of
from companion_app.session.states import Fact
from companion_app.session.terms import Terms
from rules import Seat
from rules.frozen import FrozenMap
from rules.homeworlds import Special

Payload = Mapping[str, Any]


class How(StrEnum):
    """What told that a turn was over; ``MARKER`` is the turn token of the table."""

    MARKER = "token"
    BUTTON = "button"
    KEY = "key"
    PAGE = "page"


class What(StrEnum):
    """What an entry of the record is."""

    TURN = "turn"
    SPECIAL = "special"
    AGREED = "agreed"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Entry:
    """One thing that counts in the record.

    Attributes:
        seq: the event that it was acknowledged with.
        seat: whose doing it was.
        text: a turn in strict notation; the word of something special, such as ``"resign"``; the line of the position
            that both agreed to play on from.
        sentence: the same for people; of what was agreed on, the rule that it breaks.
        how: what told that the turn was over, where it was told.
        photo: the name of the photo that it was read from, or empty.
        asked: whether a person had to say what was played.
    """

    seq: int
    at: datetime
    what: What
    seat: Seat
    text: str
    sentence: str
    how: How | None = None
    photo: str = ""
    asked: bool = False


@dataclass(frozen=True)
class Refused:
    """A turn that breaks a rule: the sentence, the rule and its code, the pieces marked, and the table as read."""

    seat: Seat
    sentence: str
    rule: str
    code: str
    marked: tuple[int, ...]
    table: str
    photo: str


@dataclass(frozen=True)
class Choice:
    """One of several things that may have happened, and the fact that it would be."""

    sentence: str
    probability: float
    fact: Fact
    payload: Payload


@dataclass(frozen=True)
class Asked:
    """A table that may mean several things, the likeliest first."""

    sentence: str
    choices: tuple[Choice, ...]
    photo: str


@dataclass(frozen=True)
class Disagreed:
    """Table and record disagree: how, and the table as it was read, or empty."""

    sentence: str
    marked: tuple[int, ...]
    table: str
    photo: str


@dataclass(frozen=True)
class Restoring:
    """The position after the first *to* entries is being put back; some of its steps are ticked."""

    to: int
    ticked: frozenset[int] = frozenset()


Open = Refused | Asked | Disagreed | Restoring


@dataclass(frozen=True)
class Course:
    """What a log adds up to.

    Attributes:
        seq: the number of its newest event.
        entries: what counts, in order.
        open: what has to be settled before the game goes on.
        ready: whether the empty board was seen.
        paused: whether it rests.
        fresh: whether a turn was found legal just now.
        seen: the name of the photo by which table and record were last found to agree, or empty.
    """

    terms: Terms
    seq: int
    entries: tuple[Entry, ...] = ()
    open: Open | None = None
    ready: bool = False
    paused: bool = False
    fresh: bool = False
    seen: str = ""


def fold(events: Iterable[Event]) -> Course:
    """What some events, of which the first began the game, add up to; ``AppError`` where they make no sense."""
    first, *others = events
    if first.kind != Fact.BEGUN:
        raise _nonsense(first)
    terms = Terms.from_json(first.payload)
    begun = Course(terms, first.seq, open=Restoring(0) if terms.lay_out else None)
    return reduce(after, others, begun)


def after(course: Course, event: Event) -> Course:
    """The course with one more event."""
    if event.kind not in _MEANING or event.seq != course.seq + 1:
        raise _nonsense(event)
    fact, said = Fact(event.kind), Fields(event.payload, f"event {event.seq}")
    heard = replace(course, seq=event.seq, fresh=False, seen=_photo(said) if fact in _AGREEING else course.seen)
    return _MEANING[fact](heard, event, said)


def _nonsense(event: Event) -> AppError:
    return AppError("bad_game", f"Event {event.seq} of this game makes no sense here: {event.kind[:30]!r}.")


def _played(course: Course, event: Event, said: Fields) -> Course:
    turns = tuple(
        Entry(
            event.seq,
            event.at,
            What.TURN,
            turn.word("seat", words_of(Seat)),
            turn.text("text"),
            turn.text("sentence"),
            _how(said),
            _photo(said),
            said.yes("asked"),
        )
        for turn in said.inners("turns")
    )
    before = replace(course, entries=course.entries[: _number(course, event, said)]) if said.has("to") else course
    return replace(_with(before, *turns), fresh=True)


def _refused(course: Course, event: Event, said: Fields) -> Course:
    refused = Refused(
        said.word("seat", words_of(Seat)),
        said.text("sentence"),
        said.text("rule"),
        said.text("code"),
        _marked(event),
        said.text("table"),
        _photo(said),
    )
    return replace(course, open=refused)


def _asked(course: Course, event: Event, said: Fields) -> Course:
    choices = tuple(
        Choice(
            one.text("sentence"),
            one.number("probability"),
            one.word("fact", words_of(Fact)),
            _object(event, event.payload["choices"][number].get("payload")),
        )
        for number, one in enumerate(said.inners("choices"))
    )
    return replace(course, open=Asked(said.text("sentence"), choices, _photo(said)))


def _disagreed(course: Course, event: Event, said: Fields) -> Course:
    return replace(course, open=Disagreed(said.text("sentence"), _marked(event), said.text("table"), _photo(said)))


def _agreed(course: Course, event: Event, said: Fields) -> Course:
    return _with(
        course,
        Entry(
            event.seq,
            event.at,
            What.AGREED,
            said.word("seat", words_of(Seat)),
            said.text("position"),
            said.text("sentence"),
            photo=_photo(said),
            asked=True,
        ),
    )


def _declared(course: Course, event: Event, said: Fields) -> Course:
    seat, what, sentence = said.word("seat", words_of(Seat)), said.text("what"), said.text("sentence")
    return _with(course, Entry(event.seq, event.at, What.SPECIAL, seat, what, sentence))


def _stopped(course: Course, event: Event, said: Fields) -> Course:
    seat, sentence = said.word("seat", words_of(Seat)), said.text("sentence")
    return replace(_with(course, Entry(event.seq, event.at, What.STOPPED, seat, "stop", sentence)), paused=False)


def _taken_back(course: Course, event: Event, said: Fields) -> Course:
    return replace(course, entries=course.entries[: _number(course, event, said)], open=None)


def _restoring(course: Course, event: Event, said: Fields) -> Course:
    return replace(course, open=Restoring(_number(course, event, said)), paused=False)


def _ticked(course: Course, event: Event, said: Fields) -> Course:
    if not isinstance(course.open, Restoring):
        raise _nonsense(event)
    step = {said.integer("step")}
    ticked = course.open.ticked | step if said.yes("done") else course.open.ticked - step
    return replace(course, open=replace(course.open, ticked=ticked))


def _restored(course: Course, event: Event, said: Fields) -> Course:
    del said
    if not isinstance(course.open, Restoring):
        raise _nonsense(event)
    return replace(course, entries=course.entries[: course.open.to], open=None, ready=True)


def names_after(names: Mapping[Seat, str], entries: Iterable[Entry]) -> Mapping[Seat, str]:
    """Who sits where after these *entries*, of those who sat down as *names* tells: two may have changed places."""
    changed = sum(entry.what is What.SPECIAL and entry.text == Special.SWAP_SEATS for entry in entries) % 2
    return FrozenMap({seat.opposite: name for seat, name in names.items()}) if changed else names


_MEANING: Final[Mapping[str, Callable[[Course, Event, Fields], Course]]] = {
    Fact.READY: lambda course, _event, _said: replace(course, open=None, ready=True),
    Fact.PLAYED: _played,
    Fact.REFUSED: _refused,
    Fact.ASKED: _asked,
    Fact.DISAGREED: _disagreed,
    Fact.SETTLED: lambda course, _event, _said: replace(course, open=None),
    Fact.AGREED: _agreed,
    Fact.DECLARED: _declared,
    Fact.STOPPED: _stopped,
    Fact.TAKEN_BACK: _taken_back,
    Fact.PAUSED: lambda course, _event, _said: replace(course, paused=True),
    Fact.RESUMED: lambda course, _event, _said: replace(course, paused=False),
    Fact.RESTORING: _restoring,
    Fact.TICKED: _ticked,
    Fact.RESTORED: _restored,
}
"""What each fact means; the first, ``BEGUN``, is the ground that all others stand on."""
_AGREEING: Final = frozenset({Fact.READY, Fact.PLAYED, Fact.AGREED, Fact.TAKEN_BACK, Fact.RESTORED})
"""After these the table is as the record has it; what is settled may be half a turn."""


def _with(course: Course, *entries: Entry) -> Course:
    return replace(course, entries=(*course.entries, *entries), open=None)


def _number(course: Course, event: Event, said: Fields) -> int:
    to = said.integer("to")
    if not 0 <= to <= len(course.entries):
        raise _nonsense(event)
    return to


def _how(said: Fields) -> How | None:
    return said.optional("how", lambda key: said.word(key, words_of(How)))


def _photo(said: Fields) -> str:
    """The name of a photo, which is a file's: nothing else is let through."""
    name = said.optional("photo", said.text) or ""
    return name if PHOTO_NAME.fullmatch(name) else ""


def _marked(event: Event) -> tuple[int, ...]:
    marked = event.payload.get("marked", ())
    if not isinstance(marked, list | tuple) or not all(isinstance(index, int) for index in marked):
        raise _nonsense(event)
    return tuple(marked)


def _object(event: Event, value: object) -> Payload:
    if not isinstance(value, Mapping):
        raise _nonsense(event)
    return value
