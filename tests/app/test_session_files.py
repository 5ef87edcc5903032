"""Games written out and taken in again, and games that begin with what stands on the table."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from session_scripts import FAR, FROM_HOMES, HOMES, SETTLERS, N, Play, S

from companion_app.errors import AppError
from companion_app.event_log import photos_of
from companion_app.game_files import open_game, read_game
from companion_app.inferring.explanations import Kind
from companion_app.reading_types import Game, Reading, ReadPiece
from companion_app.session import Entry, GameSession, Terms
from companion_app.session.export import as_json, notation, write_zip
from companion_app.session.importing import import_game
from companion_app.session.opening import Stands, opening_of, terms_from
from rules import homeworlds, settlers
from vision import sight
from vision.sight import Role
from vision.solids import Color, Posture, Size

GAMES = Path(__file__).parent / "data" / "games"
ARCHIVE = Path(__file__).parents[2].parent / "shared" / "games" / "sdg"
THREE = Terms.of_position(
    homeworlds.Position.parse("<0>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"), homeworlds.Options()
)
TAKEN = ["agreed.pyramids", "assault.pyramids", "head_start.pyramids", "settlers_quiet.pyramids", "three.txt"]


def jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", np.full((80, 80, 3), shade, np.uint8))[1].tobytes()


def agreed_game() -> Play:
    """A game with photos, a refused turn that both agreed on, and a draw."""
    play = Play(Terms.of_position(homeworlds.Position.parse(HOMES), homeworlds.Options(), names={S: "Ann"}))
    play.turn("build g1 South", S, jpeg(10))
    play.end(Kind.ILLEGAL, seat=N, table=FAR, photo=jpeg(20))
    play.session.agree()
    play.turn("build g1 South", S)
    play.session.agree_draw()
    return play


def zipped(play: Play) -> bytes:
    target = io.BytesIO()
    write_zip(play.log.events(play.session.game), play.log.photos, target)
    return target.getvalue()


def taken_in(play: Play, data: bytes) -> GameSession:
    return GameSession(play.log, import_game(data, play.log), play.judge)


def without_photos(session: GameSession) -> list[Entry]:
    return [replace(entry, photo="") for entry in session.view.entries]


def kept(play: Play) -> set[str]:
    """The names of all that lies among the photos."""
    return {path.name for path in play.log.photos.iterdir()}


def test_json_gives_the_same_game_again() -> None:
    play = agreed_game()
    told = as_json(play.log.events(play.session.game))
    assert told["names"] == {"south": "Ann"}
    assert told["agreed"] == [2]
    assert told["outcome"] == "A draw: the players agree on it."
    again = taken_in(play, json.dumps(told).encode())
    assert again.view.entries == play.session.view.entries
    assert as_json(play.log.events(again.game)) == told


def test_a_zip_brings_its_photos_along() -> None:
    play, other = agreed_game(), Play()
    data = zipped(play)
    assert data == zipped(play)
    again = taken_in(other, data)
    assert without_photos(again) == without_photos(play.session)
    first, agreed = (bool(entry.photo) for entry in again.view.entries[:2])
    assert (first, agreed) == (True, True)
    assert kept(other) == photos_of(other.log.events(again.game))
    assert len(kept(other)) == 2


@pytest.mark.parametrize("terms", [FROM_HOMES, SETTLERS, THREE])
def test_a_zip_shows_where_the_game_stands(terms: Terms) -> None:
    play = Play(terms)
    if terms is SETTLERS:
        play.end(Kind.UNCHANGED, table="6/6/6/6/6/6 S 0")
        play.turn("land g1 c3")
    with zipfile.ZipFile(io.BytesIO(zipped(play))) as archive:
        drawn, picture = archive.read("position.svg").decode(), archive.read("position.png")
    pieces = [
        element.get("data-piece") for element in ElementTree.fromstring(drawn).iter() if element.get("data-piece")
    ]
    assert sorted(filter(None, pieces)) == sorted(piece.code for piece in play.session.view.position.pieces)
    assert ("South 1" in drawn) is (terms is SETTLERS)
    shown = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1] == 1200


def test_what_else_is_in_a_zip_is_left_there() -> None:
    play, other = agreed_game(), Play()
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(zipped(play))) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as all_,
    ):
        for name in source.namelist():
            content = source.read(name)
            all_.writestr(name, {"position.svg": b"<script>", "position.png": bytes(30_000_000)}.get(name, content))
        all_.writestr("../position.png", b"outside")
        all_.writestr("photos/../../games.sqlite3", b"no log")
    before = sorted(path.name for path in other.folder.iterdir())
    assert without_photos(taken_in(other, target.getvalue())) == without_photos(play.session)
    assert sorted(path.name for path in other.folder.iterdir()) == before
    assert len(list(other.log.photos.iterdir())) == 2
    assert not (other.folder.parent / "position.png").exists()


def test_the_records_are_game_files_that_can_be_played() -> None:
    play = agreed_game()
    first, second = notation(play.log.events(play.session.game))
    assert "1. South: build g1 South" in first
    assert "Result: unfinished" in first
    assert f"Start: {FAR}" in second
    assert "Result: draw by agreement" in second
    assert all(read_game(text).verdict().is_ok for text in (first, second))


@pytest.mark.parametrize("name", TAKEN)
def test_a_game_file_is_taken_in_and_written_out_the_same(name: str) -> None:
    play = Play()
    again = taken_in(play, (GAMES / name).read_bytes())
    (text,) = notation(play.log.events(again.game))
    written, read = read_game(text).verdict(), open_game(GAMES / name).verdict()
    assert (written.turns, written.outcome) == (read.turns, read.outcome)
    assert again.view.outcome == read.outcome


@pytest.mark.skipif(not ARCHIVE.is_dir(), reason="the games of others are not here")
def test_games_of_others_are_taken_in() -> None:
    play = Play()
    for path in sorted(ARCHIVE.glob("*.txt"))[::120]:
        again = taken_in(play, path.read_bytes())
        assert len(again.view.entries) == len(open_game(path).record().turns)


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """A game as JSON in which something was changed."""
    play = agreed_game()
    told = as_json(play.log.events(play.session.game))
    change(told)
    return json.dumps(told).encode()


def illegal(told: dict[str, Any]) -> None:
    told["events"][1]["payload"]["turns"][0]["text"] = "build g3 South"


def bomb() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.json", b"{" + b" " * 5_000_000)
    return target.getvalue()


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "file_empty"),
    "text": (lambda: b"hello", "not_a_game"),
    "no json": (lambda: b"{", "not_a_game"),
    "deep": (lambda: b'{"a":' * 100_000, "not_a_game"),
    "format": (lambda: changed(lambda told: told.update(format="other")), "not_a_game"),
    "no events": (lambda: changed(lambda told: told.update(events=[])), "not_a_game"),
    "event": (lambda: changed(lambda told: told["events"].append(7)), "not_a_game"),
    "kind": (lambda: changed(lambda told: told["events"][1].update(kind="x")), "bad_game"),
    "payload": (lambda: changed(lambda told: told["events"][1].update(payload={"turns": 3})), "bad_reading"),
    "date": (lambda: changed(lambda told: told["events"][1].update(at="soon")), "not_a_game"),
    "illegal": (lambda: changed(illegal), "not_legal"),
    "illegal text": ((GAMES / "no_yellow.txt").read_bytes, "not_recordable"),
    "large": (lambda: b"{" + b" " * 5_000_000, "file_too_large"),
    "no zip": (lambda: b"PK\x03\x04nothing", "not_a_game"),
    "bomb": (bomb, "file_too_large"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_game_is_refused_in_a_sentence_and_not_kept(name: str) -> None:
    play = Play()
    data, code = HOSTILE[name]
    with pytest.raises(AppError) as error:
        import_game(data(), play.log)
    assert error.value.code == code
    assert error.value.sentence.endswith(".")
    assert len(play.log.shelves()) == 1


def test_a_photo_that_is_another_is_refused() -> None:
    play = agreed_game()
    source, target = zipfile.ZipFile(io.BytesIO(zipped(play))), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, jpeg(99) if name.endswith(".jpg") else source.read(name))
    with pytest.raises(AppError) as error:
        import_game(target.getvalue(), play.log)
    assert error.value.code == "photo_differs"


def test_a_name_of_a_photo_that_leads_elsewhere_is_no_name(tmp_path: Path) -> None:
    outside = tmp_path / "precious"
    outside.write_text("stays")
    data = changed(lambda told: told["events"][1]["payload"].update(photo=f"../../..{outside}"))
    play = Play()
    again = taken_in(play, data)
    assert again.view.entries[0].photo == ""
    play.log.delete(again.game)
    assert outside.read_text() == "stays"


# Beginnings


def reading(game: Game, line: str | None, pieces: int = 1, token: sight.Seat | None = None) -> Reading:
    piece = ReadPiece(Color.GREEN, Size.LARGE, Posture.LYING, Role.SHIP, sight.Seat.SOUTH)
    return Reading(game, (640, 480), (piece,) * pieces, position=line, turn_token=token)


@pytest.mark.parametrize(
    ("game", "line", "pieces", "stands"),
    [
        (Game.HOMEWORLDS, None, 0, Stands.NOTHING),
        (Game.SETTLERS, "6/6/6/6/6/6 S 0", 0, Stands.NOTHING),
        (Game.HOMEWORLDS, HOMES, 1, Stands.HOMES),
        (Game.HOMEWORLDS, HOMES.replace("g3-;", "g3g1-;"), 1, Stands.POSITION),
        (Game.HOMEWORLDS, FAR, 1, Stands.POSITION),
        (Game.SETTLERS, "6/6/2g13/6/6/6 S 0", 1, Stands.POSITION),
        (Game.HOMEWORLDS, None, 1, Stands.UNREADABLE),
        (Game.HOMEWORLDS, HOMES.replace("g3-;", "g3g3g3-;"), 1, Stands.UNREADABLE),
    ],
)
def test_what_stands_before_a_game_is_told(game: Game, line: str | None, pieces: int, stands: Stands) -> None:
    opening = opening_of(reading(game, line, pieces))
    assert opening.stands is stands
    assert opening.sentence.endswith(".")


def test_a_game_begins_with_the_position_on_the_table() -> None:
    terms = terms_from(reading(Game.HOMEWORLDS, FAR), homeworlds.Options(), N, {N: "Bo"})
    assert Play(terms).session.view.sentence == "North’s turn."
    assert terms.names == {N: "Bo"}
    by_token = terms_from(reading(Game.HOMEWORLDS, FAR, token=sight.Seat.NORTH), homeworlds.Options())
    assert by_token.beginner is N
    board = terms_from(reading(Game.SETTLERS, "6/6/2g13/6/6/6 S 0"), settlers.Options(redless=True))
    assert Play(board).session.view.sentence == "South’s turn."
    with pytest.raises(AppError) as error:
        terms_from(reading(Game.HOMEWORLDS, FAR), settlers.Options())
    assert error.value.code == "no_position"


@pytest.mark.parametrize("terms", [FROM_HOMES, SETTLERS])
def test_terms_outlast_the_program(terms: Terms) -> None:
    assert Terms.from_json(json.loads(json.dumps(terms.to_json()))) == terms
