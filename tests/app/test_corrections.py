"""What people corrected: derived from the events of a real store, exported, switched off, and gone when deleted."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import pyramids, refused

from companion_app.corrections import CorrectedReading, export
from companion_app.derivation import with_pieces
from companion_app.errors import AppError
from companion_app.event_log import photo_name
from companion_app.reading_types import Game, ReadAlternative, Reading, ReadPiece
from companion_app.store import SAVED, Store
from companion_app.web.edits import BadEdit
from companion_app.web.record import CORRECTED, READ, UNDONE, WITHHELD, load
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size

Json = dict[str, Any]
COLORS = {color.value[0]: color for color in Color}
BOARD = ((100.0, 500.0), (700.0, 500.0), (600.0, 100.0), (200.0, 100.0))


def piece(code: str, owner: Seat | None, place: int, **more: Any) -> ReadPiece:
    """A piece that was read with some doubt; the *place*-th from the left, with an outline of its own."""
    x = 20.0 * place
    other = ReadAlternative(Color.BLUE, Size.SMALL, Posture.LYING, owner, 0.2)
    return ReadPiece(
        COLORS[code[0]],
        Size(int(code[1])),
        Posture.LYING if owner else Posture.UPRIGHT,
        more.pop("role", Role.SHIP if owner else Role.STAR),
        owner,
        center=(x, 50.0),
        tip=(x, 40.0),
        outline=((x - 9, 60.0), (x + 9, 60.0), (x, 40.0)),
        heading_deg=90.0 if owner else None,
        confidence=0.8,
        alternatives=(other,),
        **more,
    )


def of_settlers() -> Reading:
    """Three ships on the board, one piece in the bank, one nobody knows what to do with."""
    pieces = [
        piece("r3", Seat.SOUTH, 1, field="c4"),
        piece("g1", Seat.NORTH, 2, field="d4"),
        piece("y2", Seat.SOUTH, 3, field="a1"),
        piece("b2", None, 4, role=Role.BANK),
        piece("g2", None, 5, role=Role.LOOSE),
    ]
    return with_pieces(Reading(Game.SETTLERS, (800, 600), board=BOARD), pieces, {}, redless=False)


def of_homeworlds() -> Reading:
    """Two homes and a system between."""
    pieces = [
        piece("b1", None, 1, system=1),
        piece("r2", None, 2, system=1),
        piece("g3", Seat.SOUTH, 3, system=1),
        piece("b3", None, 4, system=2),
        piece("g3", Seat.NORTH, 5, system=2),
        piece("y2", None, 6, system=3),
        piece("r1", Seat.NORTH, 7, system=3),
    ]
    homes = {1: Seat.SOUTH, 2: Seat.NORTH, 3: None}
    return with_pieces(Reading(Game.HOMEWORLDS, (800, 600)), pieces, homes, redless=False)


class Table:
    """The readings of one data folder, worked on as the page does it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)

    def open(self, reading: Reading, photo: bytes = b"pixels") -> str:
        name = photo_name(photo)
        self.store.keep_photo(photo)
        content = {"reading": reading.to_json(), "south": "left", "title": "Ann’s table", "source": "photo"}
        return self.store.begin(READ, content | {"photo": name, "small": name})

    def edit(self, name: str, edit: Mapping[str, Any], mark: Mapping[str, bool] | None = None) -> None:
        """One correction; BadEdit where the page would refuse it."""
        record = load(self.store, name)
        if edit["do"] == "undo":
            if record.edits:
                self.store.append(name, UNDONE, mark or {})
            return
        record.after(edit)
        self.store.append(name, CORRECTED, {**edit, **(mark or {})})

    def save(self, name: str, mark: Mapping[str, bool] | None = None) -> None:
        names = {"name": "Ann’s final", "south": "Ann", "north": "Bo", "date": "2025-07-14"}
        self.store.append(name, SAVED, {**names, **(mark or {})})

    def exported(self, target: Path) -> list[Json]:
        """What ``pyramids corrections export`` writes, reading by reading."""
        done = pyramids("corrections", "export", target)
        assert done.exit_code == 0, done.output
        return [json.loads(path.read_text()) for path in sorted((target / "readings").iterdir())]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """An empty data folder that the commands find."""
    monkeypatch.setenv("PYRAMIDS_DATA", str(tmp_path / "data"))
    return Table(tmp_path / "data")


CHANGE_OWNER: Json = {"do": "change", "piece": 0, "set": {"owner": "north"}}
DEEDS: dict[str, tuple[list[Json], list[Json]]] = {
    "changed": ([CHANGE_OWNER], [{"what": "changed", "piece": 0, "differs": ["owner"]}]),
    "answered": (
        [{"do": "answer", "piece": 1, "ask": "size", "value": "large"}],
        [{"what": "changed", "piece": 1, "differs": ["size"]}],
    ),
    "confirmed": ([{"do": "confirm", "piece": 2}], [{"what": "confirmed", "piece": 2, "differs": []}]),
    "changed and back": (
        [CHANGE_OWNER, {"do": "change", "piece": 0, "set": {"owner": "south"}}],
        [{"what": "confirmed", "piece": 0, "differs": []}],
    ),
    "removed": ([{"do": "remove", "piece": 4}], [{"what": "removed", "piece": 4, "is": None}]),
    "two removed": (
        [{"do": "remove", "piece": 1}, {"do": "remove", "piece": 1}],
        [{"what": "removed", "piece": 1}, {"what": "removed", "piece": 2}],
    ),
    "added": (
        [{"do": "add", "set": {"color": "red", "size": "small", "field": "f6"}}],
        [{"what": "added", "piece": None, "read": None}],
    ),
    "added and removed": (
        [
            {"do": "add", "set": {"color": "red", "size": "small", "field": "f6"}},
            {"do": "add", "set": {"color": "blue", "size": "small", "field": "f5"}},
            {"do": "remove", "piece": 5},
            {"do": "remove", "piece": 0},
        ],
        [{"what": "removed", "piece": 0}, {"what": "added", "piece": None}],
    ),
    "moved": (
        [{"do": "change", "piece": 3, "set": {"field": "b2"}}],
        [{"what": "changed", "piece": 3, "differs": ["posture", "role", "owner", "field"]}],
    ),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_a_person_did_is_told_piece_by_piece(table: Table, tmp_path: Path, deed: str) -> None:
    edits, expected = DEEDS[deed]
    name = table.open(of_settlers())
    for edit in edits:
        table.edit(name, edit)
    (reading,) = table.exported(tmp_path / "out")
    assert [
        {key: told[key] for key in wanted} for told, wanted in zip(reading["corrections"], expected, strict=True)
    ] == expected
    for told in reading["corrections"]:
        if told["read"]:
            assert told["read"] == reading["read"]["pieces"][told["piece"]]
            assert told["read"]["outline"]
            assert told["read"]["alternatives"]


def test_whose_home_a_system_is_can_be_corrected(table: Table, tmp_path: Path) -> None:
    name = table.open(of_homeworlds())
    table.edit(name, {"do": "home", "system": 3, "home": "south"})
    (reading,) = table.exported(tmp_path / "out")
    assert reading["corrections"] == []
    assert reading["homes"] == [
        {"system": 1, "read": "south", "is": None},
        {"system": 3, "read": None, "is": "south"},
    ]
    assert "1 reading: 2 changed." in pyramids("corrections", "list").stdout


def rebuilt(reading: Json) -> Reading:
    """The corrected reading, made of the read one as the README.txt of the export says."""
    told = {one["piece"]: one["is"] for one in reading["corrections"] if one["piece"] is not None}
    left = [told.get(number, one) for number, one in enumerate(reading["read"]["pieces"])]
    added = [one["is"] for one in reading["corrections"] if one["piece"] is None]
    pieces = [ReadPiece.from_json(one) for one in [*left, *added] if one is not None]
    read = Reading.from_json(reading["read"])
    homes = {system.id: system.home for system in read.systems}
    homes |= {one["system"]: one["is"] and Seat(one["is"]) for one in reading["homes"]}
    return with_pieces(read, pieces, homes, redless=read.redless)


numbers = st.integers(0, 9)
wishes = st.fixed_dictionaries(
    {},
    optional={
        "color": st.sampled_from([*Color]),
        "size": st.sampled_from([size.word for size in Size]),
        "owner": st.sampled_from([*Seat]),
        "role": st.sampled_from(["ship", "star", "bank", "loose"]),
    },
)
places = st.one_of(
    st.sampled_from(["a1", "b2", "c4", "f6"]).map(lambda field: {"field": field}),
    st.integers(0, 5).map(lambda system: {"system": system}),
)
edits = st.one_of(
    st.builds(lambda number, wish: {"do": "change", "piece": number, "set": wish}, numbers, wishes),
    st.builds(lambda number, place: {"do": "change", "piece": number, "set": place}, numbers, places),
    st.builds(lambda number: {"do": "remove", "piece": number}, numbers),
    st.builds(lambda number: {"do": "confirm", "piece": number}, numbers),
    st.builds(
        lambda number, value: {"do": "answer", "piece": number, "ask": "owner", "value": value},
        numbers,
        st.sampled_from([*Seat]),
    ),
    st.builds(
        lambda wish, place: {"do": "add", "set": {"color": "red", "size": "small", **wish, **place}}, wishes, places
    ),
    st.builds(
        lambda system, home: {"do": "home", "system": system, "home": home},
        st.integers(1, 5),
        st.sampled_from([*Seat, None]),
    ),
    st.sampled_from([{"do": "rest-in-bank"}, {"do": "undo"}, {"do": "began", "seat": "south"}]),
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([of_settlers, of_homeworlds]), st.lists(edits, max_size=8))
def test_what_was_read_with_its_corrections_is_what_was_saved(
    table: Table, tmp_path: Path, read: Any, edits: list[Json]
) -> None:
    name = table.open(read())
    for edit in edits:
        with suppress(BadEdit):
            table.edit(name, edit)
    table.save(name)
    saved = load(table.store, name).reading
    exported = table.exported(tmp_path / name)
    table.store.delete(name)
    (reading,) = exported
    assert rebuilt(reading) == Reading.from_json(reading["corrected"]) == saved
    assert Reading.from_json(reading["read"]) == read()
    for one in reading["corrections"]:
        assert not (one["read"] and one["is"]) or one["read"]["outline"] == one["is"]["outline"], "the same piece"


def test_only_what_a_person_worked_on_is_kept(table: Table, tmp_path: Path) -> None:
    merely_opened = table.open(of_settlers(), b"1")
    undone = table.open(of_settlers(), b"2")
    table.edit(undone, CHANGE_OWNER)
    table.edit(undone, {"do": "undo"})
    began = table.open(of_settlers(), b"3")
    table.edit(began, {"do": "began", "seat": "south"})
    assert "Nothing is kept yet." in pyramids("corrections", "list").stdout
    assert "do that on the page first" in refused(pyramids("corrections", "export", tmp_path / "out"))
    corrected = table.open(of_settlers(), b"4")
    table.edit(corrected, CHANGE_OWNER)
    table.save(merely_opened)
    kept = {one["photo"]: (one["saved"], len(one["corrections"])) for one in table.exported(tmp_path / "out")}
    assert kept == {f"photos/{photo_name(b'1')}": (True, 0), f"photos/{photo_name(b'4')}": (False, 1)}
    assert "2 readings: 1 changed." in pyramids("corrections", "list").stdout


def test_the_export_is_explained_and_tells_nobodys_name(table: Table, tmp_path: Path) -> None:
    name = table.open(of_homeworlds(), b"pixels")
    table.edit(name, {"do": "remove", "piece": 6})
    table.save(name)
    (reading,) = table.exported(tmp_path / "out")
    files = {path.relative_to(tmp_path / "out").as_posix(): path for path in (tmp_path / "out").rglob("*.*")}
    readme, photo, told = sorted(files)
    assert (readme, photo) == ("README.txt", reading["photo"])
    assert hashlib.sha256(files[photo].read_bytes()).hexdigest() == Path(photo).stem
    assert told.removeprefix("readings/").removesuffix(".json") in pyramids("corrections", "list").stdout
    text = files[told].read_text()
    for private in ("Ann", "Bo", "final", "2025", name):
        assert private not in text + told
    explained = files[readme].read_text()
    for key in [*reading, *reading["corrections"][0]]:
        assert f"  {key} " in explained
    assert reading["program"].startswith("pyramid-companion ")
    assert reading["south"] == "left"


def test_a_zip_and_a_folder_hold_the_same_and_repeat_to_the_byte(table: Table, tmp_path: Path) -> None:
    for photo in (b"1", b"2", b"2"):
        table.edit(table.open(of_settlers(), photo), CHANGE_OWNER)
    assert len(table.exported(tmp_path / "out")) == 2, "the same photo told the same twice is once enough"
    archives = [tmp_path / "one.zip", tmp_path / "two.zip"]
    archives[1].write_text("in the way, and replaced")
    for archive in archives:
        done = pyramids("corrections", "export", archive)
        assert done.stdout.startswith(f"2 readings written to {archive}: 2 changed.")
        assert done.stderr == "", "no progress where nobody looks"
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with zipfile.ZipFile(archives[0]) as opened:
        held = {name: opened.read(name) for name in opened.namelist()}
    assert held == {
        path.relative_to(tmp_path / "out").as_posix(): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["out.zip", "out"])
def test_an_export_that_fails_leaves_nothing_and_harms_nothing(tmp_path: Path, name: str) -> None:
    gone = CorrectedReading("gone.jpg", "photo", "left", True, of_settlers(), of_settlers(), tuple(range(5)))
    target = tmp_path / name
    if target.suffix:
        target.write_text("an earlier one")
    with pytest.raises(AppError) as error:
        export([gone], tmp_path, target)
    assert error.value.code == "not_written"
    assert [path.name for path in tmp_path.iterdir()] == ([name] if target.suffix else [])
    assert not target.suffix or target.read_text() == "an earlier one"


REFUSED = {
    "full": "something in it",
    "file.txt": "is a file",
    "nowhere/out.zip": "make it first",
    "folder.zip": "something in it",
}


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_of_anybodys_is_overwritten(table: Table, tmp_path: Path, name: str) -> None:
    table.save(table.open(of_settlers()))
    for folder in ("full", "folder.zip"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine").touch()
    (tmp_path / "file.txt").touch()
    assert REFUSED[name] in refused(pyramids("corrections", "export", tmp_path / name))
    assert (tmp_path / "full" / "mine").exists()


def test_a_reading_whose_photo_is_gone_is_left_out(table: Table, tmp_path: Path) -> None:
    for photo in (b"1", b"2"):
        table.save(table.open(of_settlers(), photo))
    (table.store.photos / photo_name(b"1")).unlink()
    done = pyramids("corrections", "export", tmp_path / "out")
    assert done.stdout.startswith("1 reading written")
    assert "Left out: 1 reading" in done.stderr


def test_deleting_a_reading_deletes_its_corrections(table: Table, tmp_path: Path) -> None:
    names = [table.open(of_settlers(), photo) for photo in (b"1", b"2")]
    for name in names:
        table.edit(name, CHANGE_OWNER)
    table.store.delete(names[0])
    (reading,) = table.exported(tmp_path / "out")
    assert reading["photo"] == f"photos/{photo_name(b'2')}"
    assert len(list((tmp_path / "out" / "photos").iterdir())) == 1


def test_nothing_is_exported_while_it_is_off_and_what_was_marked_then_never(table: Table, tmp_path: Path) -> None:
    before, meanwhile = (table.open(of_settlers(), photo) for photo in (b"1", b"2"))
    table.edit(before, CHANGE_OWNER)
    assert "is kept" in pyramids("corrections", "status").stdout
    assert "not kept" in pyramids("corrections", "off").stdout
    table.edit(meanwhile, CHANGE_OWNER, WITHHELD)
    assert "corrections on" in refused(pyramids("corrections", "export", tmp_path / "out"))
    listed = pyramids("corrections", "list").stdout
    assert "not kept" in listed
    assert "Not among them: 1 reading" in listed
    assert "is kept" in pyramids("corrections", "on").stdout
    table.edit(meanwhile, {"do": "remove", "piece": 1})
    table.save(meanwhile)
    (reading,) = table.exported(tmp_path / "out")
    assert reading["photo"] == f"photos/{photo_name(b'1')}"
    assert "not kept" in pyramids("corrections", "off").stdout
    assert "not kept" in pyramids("corrections", "off").stdout
    assert "not kept" in pyramids("corrections", "status").stdout
