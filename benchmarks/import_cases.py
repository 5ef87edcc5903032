"""Games to take in as no program of ours writes them: whole ones, and what chance makes of them.

A case is made in three layers: the JSON of a game is changed in its values, it is packed with photos that may be
anything, and the bytes of the packet are spoiled where a zip keeps its headers, or anywhere.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

import numpy as np
from PIL import Image

from benchmarks.zip_spoils import (
    BYTE_SPOILS,
    HEADER_SPOILS,
    MEMBER_SPOILS,
    METHODS,
    PHOTO_SPOILS,
    Spoil,
    cut,
    flipped,
    hole,
    packed,
)
from companion_app.event_log import photo_name
from companion_app.session.export import FORMAT
from companion_app.session.terms import Terms
from rules import Seat, homeworlds, settlers

Told = dict[str, Any]

HOMES: Final = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
FAR: Final = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; Vega(g2)-y1"
SEATS: Final = (Seat.SOUTH, Seat.NORTH)
NAMES: Final = {Seat.SOUTH: "Zoë 👩‍🚀", Seat.NORTH: "Bo"}
ODD_DATES: Final = (
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31T23:59:59", "2025-W01-1",
    "20250102T030405,123456789Z", "2025-02-30T00:00:00", "soon", "", "2025-01-01T24:00:00", "٢٠٢٥-01-01",
)  # fmt: skip
ODD_TEXTS: Final = (
    "", " ", "\ud800", "\udfff\ud800", "a\tb", "a\0b", "\x1b[31m", "a\u202eb", "\u2028", "\u200f", "\ufeff",
    "\ufffe", "x" * 999, "x" * 1001, "9" * 400, "-1", "٣", "²", "{}", "{{7*7}}", "%s%n", "<script>", "</textarea>",
    "'", "&#0;",
    "../../x.jpg", "0" * 64 + ".jpg", "A" * 64 + ".jpg", "pass", "resign", "draw agreed", "claim repetition",
    "swap seats", "ask advice", "build g1 South", "land g1 c3", "homeworld b1 r2 g3 South", "catastrophe South g",
    HOMES, FAR, "6/6/6/6/6/6 S 0", "6/6/2g13/6/6/6 N 99999", "<0>; South(0,r2b1)g3-", "<1>; ", "<7>", "east", "west",
    "Game: settlers\nPlayers: South, North\nOption: quiet_limit = 0\nResult: unfinished\n\n",
    "Game: homeworlds\nPlayers: East, South, North\nResult: unfinished\n\n",
    "Game: homeworlds\nPlayers: South, North\nStart: <0>; \nResult: unfinished\n\n",
)  # fmt: skip
ODD_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, 2, -1, 7, 10**6, 2**63, 10**400, 10**4000, 0.5, -0.0, 1e308, float("nan"), float("inf"),
    [], {}, [[]], [{}], [None] * 1001, {"": ""}, {"photo": 7}, [0, 1, 2], [10**30], {"turns": []},
)  # fmt: skip
KINDS: Final = (
    "begun", "ready", "played", "refused", "asked", "disagreed", "settled", "agreed", "declared", "stopped",
    "taken back", "paused", "resumed", "restoring", "ticked", "restored", "unknown", "",
)  # fmt: skip


class Games:
    """Whole games with their photos, and cases made of them; all chance comes from one *random*."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._photos = [_picture(random, kind) for kind in ("JPEG", "JPEG", "PNG", "WEBP", "BMP")]
        self._whole = [_homeworlds(), _settlers()]

    def as_json(self) -> bytes:
        """A game as JSON, changed."""
        told = self._changed(self._random.choice(self._whole))
        data = _dumped(told, [photo_name(photo) for photo in self._photos])
        return self._random.choice(_JSON_SPOILS)(self._random, data)

    def as_zip(self) -> bytes:
        """A game as a zip, changed in its values, in its photos, in its headers, or anywhere."""
        random = self._random
        told = deepcopy(random.choice(self._whole))
        photos = list(self._photos)
        layer = random.randrange(5)
        if layer == 0:
            told = self._changed(told)
        if layer == 1:
            photos[random.randrange(len(photos))] = random.choice(PHOTO_SPOILS)(random, random.choice(photos))
        names = [photo_name(photo) for photo in photos]
        members = [("README.txt", b"a game"), ("game.json", _dumped(told, names))]
        members += [(f"photos/{name}", photo) for name, photo in zip(names, photos, strict=True)]
        if layer == 2:
            random.choice(MEMBER_SPOILS)(random, members)
        data = packed(members, random.choice(METHODS) if layer == 2 else zipfile.ZIP_DEFLATED)
        if layer == 3:
            for _ in range(random.choice((1, 1, 2))):
                data = random.choice(HEADER_SPOILS)(random, data)
        return random.choice(BYTE_SPOILS)(random, data) if layer == 4 else data

    def _changed(self, told: Told) -> Told:
        told = deepcopy(told)
        for _ in range(self._random.choice((0, 1, 1, 1, 2, 3))):
            self._random.choice(_CHANGES)(self._random, told)
        return told


# Whole games


def _homeworlds() -> Told:
    """Every fact that a log can say, with photos."""
    terms = Terms.of_position(homeworlds.Position.parse(HOMES), homeworlds.Options(), names=NAMES, lay_out=True)
    build = {"turns": [{"seat": "south", "text": "build g1 South", "sentence": "South builds."}]}
    choice = {"sentence": "South builds.", "probability": 0.7, "fact": "played"}
    looked = {"sentence": "That is not so.", "marked": [0, 2], "table": FAR, "photo": "photo:1"}
    return _game(
        ("begun", terms.to_json()),
        ("ticked", {"step": 0, "done": True}),
        ("restored", {}),
        ("played", build | {"how": "token", "photo": "photo:0"}),
        ("refused", looked | {"seat": "north", "rule": "3", "code": "not_connected"}),
        ("agreed", {"seat": "north", "position": FAR, "sentence": "That is not so.", "photo": "photo:1"}),
        (
            "asked",
            {
                "sentence": "What was played?",
                "choices": [choice | {"payload": build | {"photo": "photo:2"}}],
                "photo": "photo:2",
            },
        ),
        ("played", build | {"photo": "photo:2", "asked": True, "small": "photo:3"}),
        ("disagreed", looked | {"photo": "photo:4"}),
        ("settled", {}),
        ("paused", {}),
        ("resumed", {}),
        ("declared", {"seat": "north", "what": "resign", "sentence": "North resigns."}),
        ("taken back", {"to": 3}),
        ("restoring", {"to": 1}),
        ("ticked", {"step": 1, "done": True}),
    )


def _settlers() -> Told:
    """A short game that was stopped."""
    terms = Terms.of_nothing(settlers.Options(), SEATS, Seat.SOUTH, names=NAMES)
    turns = [("south", "land g1 c3"), ("north", "land g1 d4"), ("south", "G c3: g1 d3")]
    played = [
        ("played", {"turns": [{"seat": seat, "text": text, "sentence": f"{text}."}], "photo": f"photo:{number}"})
        for number, (seat, text) in enumerate(turns)
    ]
    stopped = ("stopped", {"seat": "north", "sentence": "The game was stopped here, unfinished."})
    return _game(("begun", terms.to_json()), ("ready", {"photo": "photo:3"}), *played, stopped)


def _game(*events: tuple[str, Told]) -> Told:
    told = [
        {"at": f"2025-07-14T18:{number:02}:00+00:00", "kind": kind, "payload": payload}
        for number, (kind, payload) in enumerate(events)
    ]
    return {"format": FORMAT, "events": told}


def _picture(random: Random, kind: str) -> bytes:
    """A picture of 96 × 80 pixels that says where it was taken."""
    pixels = np.random.default_rng(random.randrange(2**32)).integers(0, 255, (80, 96, 3), np.uint8)
    exif, target = Image.Exif(), io.BytesIO()
    exif[0x010F], exif[0x0112] = "a camera's name", 6
    exif.get_ifd(0x8825)[1] = "N"
    Image.fromarray(pixels).save(target, kind, **({} if kind == "BMP" else {"exif": exif}))
    return target.getvalue()


# Values


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a value: what holds it, and its key there."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _spots(item)


def _set(random: Random, told: Told, value: Any) -> None:
    holder, key = random.choice(list(_spots(told)))
    holder[key] = value


def _odd_text(random: Random, told: Told) -> None:
    texts = [(holder, key) for holder, key in _spots(told) if isinstance(holder[key], str)]
    holder, key = random.choice(texts)
    text = random.choice(ODD_TEXTS)
    holder[key] = text if random.random() < 0.6 else holder[key] + text


def _other_events(random: Random, told: Told) -> None:
    events = told["events"]
    if not isinstance(events, list) or not events:
        return
    first, second = random.randrange(len(events)), random.randrange(len(events))
    match random.randrange(5):
        case 0:
            events[first], events[second] = events[second], events[first]
        case 1:
            events.insert(first, deepcopy(events[second]))
        case 2:
            del events[first]
        case 3:
            events += deepcopy(events) * random.choice((1, 3, 20))
        case 4:
            events += [{"at": "2025-07-15", "kind": random.choice(KINDS), "payload": {}}] * random.choice(
                (1, 9, 6000)
            )


def _in_events(change: Callable[[Random, Told], object]) -> Callable[[Random, Told], object]:
    """A change of one of the events, as long as there are any."""

    def changing(random: Random, told: Told) -> None:
        events = told["events"]
        there = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
        if there:
            change(random, random.choice(there))

    return changing


def _other_key(random: Random, told: Told) -> None:
    dicts = [holder[key] for holder, key in _spots(told) if isinstance(holder[key], dict) and holder[key]]
    holder = random.choice(dicts or [told])
    key = random.choice(list(holder))
    match random.randrange(3):
        case 0:
            del holder[key]
        case 1:
            holder[random.choice(ODD_TEXTS)] = holder.pop(key)
        case 2:
            holder[random.choice(("photo", "small", "to", "asked", "how", "table", "marked"))] = holder[key]


def _deep(random: Random, told: Told) -> None:
    value: Any = random.choice(ODD_TEXTS)
    for _ in range(random.choice((5, 30, 40, 200))):
        value = [value] if random.random() < 0.5 else {"a": value}
    _set(random, told, value)


_CHANGES: Final[tuple[Callable[[Random, Told], object], ...]] = (
    _odd_text,
    _odd_text,
    _other_events,
    _other_key,
    _deep,
    lambda random, told: _set(random, told, random.choice(ODD_VALUES)),
    lambda random, told: _set(random, told, random.choice(ODD_VALUES)),
    _in_events(lambda random, event: event.update(at=random.choice(ODD_DATES))),
    _in_events(lambda random, event: event.update(kind=random.choice(KINDS))),
    _in_events(lambda random, event: _set(random, event, random.choice(ODD_VALUES))),
)


def _dumped(told: Told, names: list[str]) -> bytes:
    """A game as JSON, with the *names* of its photos."""
    try:
        data = json.dumps(told).encode()
    except ValueError:  # a number of more digits than Python writes
        return b'{"format": "' + FORMAT.encode() + b'", "events": [' + b"1" * 5000 + b"]}"
    for number, name in enumerate(names):
        data = data.replace(f'"photo:{number}"'.encode(), f'"{name}"'.encode())
    return data


_JSON_SPOILS: Final[tuple[Spoil, ...]] = (
    *[lambda _random, data: data] * 6,
    lambda _random, data: b"\xef\xbb\xbf" + data,
    lambda random, data: data.decode().encode(random.choice(("utf-16", "utf-16-le", "utf-32"))),
    lambda _random, data: data.replace(b"Bo", b"\xed\xa0\x80"),
    lambda _random, data: data.replace(b'"token"', b"[" * 900 + b"]" * 900),
    lambda _random, data: data.replace(b'"token"', b'{"a":' * 300 + b"1" + b"}" * 300),
    flipped,
    cut,
    hole,
)
