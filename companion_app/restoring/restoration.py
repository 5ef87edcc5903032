"""A restoration under way: what its events — begun, ticked, looked, taken away — add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion_app.errors import AppError
from companion_app.event_log import PHOTO_NAME, Damaged, Event
from companion_app.json_fields import Fields
from companion_app.notation import Position, parse_position
from companion_app.reading_types import Reading
from companion_app.restoring.comparing import compare
from companion_app.restoring.progress import Progress
from companion_app.restoring.steps import Plan, plan_of
from rules import RulesError, settlers

BEGUN, TICKED, LOOKED, TAKEN_AWAY = "begun", "ticked", "looked", "taken away"


@dataclass(frozen=True)
class About:
    """What is known of the position beside itself.

    Attributes:
        reading: the kept reading that it comes from, or ``""``.
        bank: what that reading's photo shows of the bank, by code; ``None`` where it shows none.
    """

    title: str
    south: str = ""
    north: str = ""
    date: str = ""
    reading: str = ""
    bank: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Look:
    """A look at the table: what was read, and the name of the photo."""

    reading: Reading
    photo: str


@dataclass(frozen=True)
class Restoration:
    """One position on its way back to the table; *look* is the last look at it."""

    plan: Plan
    about: About
    progress: Progress
    look: Look | None = None


def begun(position: Position, about: About) -> dict[str, Any]:
    """The payload of the first event."""
    redless = isinstance(position, settlers.Position) and position.redless
    return {"position": position.line, "redless": redless, "about": vars(about)}


def replayed(events: tuple[Event, ...]) -> Restoration:
    """What the events of a restoration add up to; ``Damaged`` where they make no sense."""
    try:
        first = Fields(events[0].payload, "beginning")
        plan = plan_of(parse_position(first.text("position"), redless=first.yes("redless")))
        restoration = Restoration(plan, _about(first.inner("about")), Progress.of(plan))
        for event in events[1:]:
            restoration = _after(restoration, event)
    except (AppError, RulesError) as error:
        raise Damaged("restoration", error.sentence.rstrip(".")) from error
    return restoration


def _about(fields: Fields) -> About:
    title, south, north, date, reading = (
        fields.optional(key, fields.text) or "" for key in ("title", "south", "north", "date", "reading")
    )
    return About(title, south, north, date, reading, fields.optional("bank", fields.counts))


def _after(now: Restoration, event: Event) -> Restoration:
    said = Fields(event.payload, "event")
    match event.kind:
        case "ticked":
            return replace(now, progress=now.progress.ticked(said.integers("steps"), done=said.yes("done")))
        case "looked":
            look = Look(Reading.from_json(event.payload.get("reading")), _photo(said))
            return replace(now, progress=now.progress.looked(compare(now.plan, look.reading)), look=look)
        case _:
            return replace(now, progress=now.progress.taken_away(said.integer("piece")))


def _photo(said: Fields) -> str:
    """The name of a photo, which is a file's: nothing else is let through."""
    name = said.text("photo")
    return name if PHOTO_NAME.fullmatch(name) else ""
