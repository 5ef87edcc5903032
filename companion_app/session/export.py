"""A game written out: as JSON that holds all of it, as game files, and as a zip of both with pictures and photos."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final

from companion_app.diagram import diagram_svg
from companion_app.event_log import Event, photo_name, photos_of
from companion_app.game_files.records import record_of
from companion_app.photos import BadPhoto
from companion_app.pictures import encoded_anew, has_only_pixels
from companion_app.raster import svg_to_png
from companion_app.session.course import What, fold, names_after
from companion_app.session.photo_names import renamed
from companion_app.session.referee import Referee
from rules import Seat, settlers
from rules.records import Record, write_record

FORMAT: Final = "pyramid-companion game 1"
GAME_JSON: Final = "game.json"
PHOTOS: Final = "photos/"
PICTURE_WIDTH: Final = 1200  # px
_PACKED: Final = (".jpg", ".png")
README: Final = """A game of pyramid-companion

game.json          all of it: every event, when it was, and what both players agreed on
game-1.pyramids    the record as text: “pyramids check game-1.pyramids” plays it again. Where both agreed to play on
                   from a position that no legal turn leads to, game-2.pyramids begins there, and so on
position.svg       where the game stands at its end, drawn; position.png is the same as a picture
photos/NAME.jpg    the photos of the turns, without place or camera data; NAME is the SHA-256 of the file

This zip can be imported again, and so can game.json or one of the records by itself. Photos are encoded anew then,
and named anew, unless they are there already.
"""


def records(events: Sequence[Event]) -> tuple[Record, ...]:
    """The record of a game, one more for every position that both agreed to play on from."""
    return tuple(record_of(game) for game in Referee.of(fold(events)).stretches)


def notation(events: Sequence[Event]) -> tuple[str, ...]:
    """The texts of ``records``."""
    return tuple(write_record(record) for record in records(events))


def drawing(events: Sequence[Event]) -> str:
    """Where a game stands after these events, as SVG; of Settlers with the score."""
    game = Referee.of(fold(events)).game
    score = {Seat.SOUTH: game.score.south, Seat.NORTH: game.score.north} if isinstance(game, settlers.Game) else None
    return diagram_svg(game.position, score=score, over=game.outcome() is not None)


def as_json(events: Sequence[Event]) -> dict[str, Any]:
    """All of a game: ``import_game`` makes the same game of it again."""
    course = fold(events)
    outcome = Referee.of(course).outcome
    return {
        "format": FORMAT,
        "program": f"pyramid-companion {version('pyramid-companion')}",
        "game": course.terms.game.value,
        "names": {seat.value: name for seat, name in names_after(course.terms.names, course.entries).items()},
        "outcome": outcome and outcome.sentence,
        "history": [
            {"seat": entry.seat.value, "what": entry.what.value, "text": entry.text, "sentence": entry.sentence}
            for entry in course.entries
        ],
        "agreed": [number for number, entry in enumerate(course.entries, 1) if entry.what is What.AGREED],
        "records": list(notation(events)),
        "events": [
            {"at": event.at.isoformat(), "kind": event.kind, "payload": dict(event.payload)} for event in events
        ],
    }


def write_zip(events: Sequence[Event], photos: Path, target: IO[bytes]) -> None:
    """Write a game with those of its photos that are in the folder *photos*; the same game gives the same bytes."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in _files(events, photos):
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED)


def _files(kept: Sequence[Event], photos: Path) -> Iterator[tuple[str, bytes]]:
    cleaned = _cleaned(kept, photos)
    events = renamed(kept, {name: photo_name(photo) for name, photo in cleaned.items() if photo})
    yield "README.txt", README.encode()
    yield GAME_JSON, (json.dumps(as_json(events), indent=1) + "\n").encode()
    for number, text in enumerate(notation(events), 1):
        yield f"game-{number}.pyramids", text.encode()
    drawn = drawing(events)
    yield "position.svg", drawn.encode()
    yield "position.png", svg_to_png(drawn, PICTURE_WIDTH)
    for name in sorted(photos_of(kept) - cleaned.keys()):
        if (photos / name).is_file():
            yield PHOTOS + name, (photos / name).read_bytes()
    for photo in filter(None, cleaned.values()):
        yield PHOTOS + photo_name(photo), photo


def _cleaned(events: Sequence[Event], photos: Path) -> dict[str, bytes]:
    """By their names those photos that say more than pixels, encoded anew; empty where that cannot be.

    Older versions kept the photos of imported games as they came.
    """
    cleaned = {}
    for name in sorted(photos_of(events)):
        if (photos / name).is_file() and not has_only_pixels(photo := (photos / name).read_bytes()):
            cleaned[name] = b""
            with suppress(BadPhoto):
                cleaned[name] = encoded_anew(photo, name)
    return cleaned
