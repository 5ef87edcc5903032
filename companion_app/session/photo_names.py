"""The names of photos in the events of a game, which follow the photos when these are encoded anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion_app.event_log import Event

_NAMING: Final = ("photo", "small")  # the keys that name a photo in an event


def renamed(events: Sequence[Event], names: Mapping[str, str]) -> list[Event]:
    """The same events with other *names* of photos, by the old ones."""
    return [replace(event, payload=_renamed(event.payload, names)) for event in events]


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value of JSON with other names, also inside the choices of a question."""
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key: names.get(item, item) if key in _NAMING and isinstance(item, str) else _renamed(item, names)
        for key, item in value.items()
    }
