"""Games that were played and written down elsewhere, through every door: check, replay, and the import."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import GAMES, SHARED, objects, pyramids, refused

from companion_app.errors import AppError
from companion_app.game_files import open_game, read_game, skipping, text_of
from rules import RulesError, Seat

SITE = GAMES / "site.raw"
RECORD = GAMES / "abstractplay.json"
LAST = "<1>; South(0,y1b3)y1g3-; North(1,r1b3)-g1g1"


def cut(text: str) -> st.SearchStrategy[str]:
    """The *text* without some letters in the middle."""
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, 40))
    return ends.map(lambda end: text[: end[0]] + text[end[0] + end[1] :])


def last_line(file: Path) -> str:
    return [ply.position.line for ply in open_game(file).plies()][-1]


# What was skipped


SKIPPED = {
    "site.raw": ["2 lines of talk", "the variant “Sinister”"],
    "site_after_the_end.raw": ["1 line of talk", "2 turns after the end of the game, from turn 4 on"],
    "abstractplay.json": ["the variant “Blitz”"],
    "abstractplay.txt": None,
    "build.txt": None,
    "resigned.pyramids": None,
}


@pytest.mark.parametrize("name", SKIPPED)
def test_what_is_no_part_of_the_game_is_told(name: str) -> None:
    file = GAMES / name
    (checked,) = objects(pyramids("check", file, "--json"))
    *_, end = objects(pyramids("replay", file, "--json"))
    assert checked.get("skipped") == end.get("skipped") == SKIPPED[name]
    told = [pyramids(command, file).stdout for command in ("check", "replay")]
    for text in told:
        assert ("Skipped: " in text) is (SKIPPED[name] is not None)
        assert all(what in text for what in SKIPPED[name] or ())


def test_the_skipped_is_told_in_one_sentence() -> None:
    shown = pyramids("check", SITE).stdout.splitlines()
    assert shown == [
        f"{SITE}: ok, 6 turns. The game is unfinished.",
        "  Skipped: 2 lines of talk and the variant “Sinister”.",
    ]
    assert pyramids("replay", SITE).stdout.endswith("\nSkipped: 2 lines of talk and the variant “Sinister”.\n")


def test_an_illegal_game_tells_what_was_skipped_too(tmp_path: Path) -> None:
    file = tmp_path / "x.raw"
    file.write_text(SITE.read_text().replace("Trade G1 Y1 ann", "Trade R1 Y1 ann"))
    assert "  Skipped: 2 lines of talk" in pyramids("check", file).stdout
    assert "Skipped: 2 lines of talk" in pyramids("replay", file).stdout


def test_of_many_games_it_is_told_how_many_hold_what() -> None:
    files = [GAMES / name for name in SKIPPED]
    told = pyramids("check", *files).stdout.splitlines()[-1]
    first, *others = told.removeprefix("Skipped: ").removesuffix(".").split(", ")
    assert first == "talk (in 2 games)"
    assert sorted(others) == [
        "the variant “Blitz” (in 1 game)",
        "the variant “Sinister” (in 1 game)",
        "turns after the end (in 1 game)",
    ]


# Folders


def test_a_folder_stands_for_its_games_whatever_they_were_written_by(tmp_path: Path) -> None:
    for name in ("site.raw", "abstractplay.json", "abstractplay_volcano.json", "ours.json", "build.txt"):
        shutil.copy(GAMES / name, tmp_path / name)
    (tmp_path / "damaged.json").write_text('{"header": ')
    (tmp_path / "verdicts.tsv").write_text("game\tplayers\n")
    found = objects(pyramids("check", tmp_path, "--json"))
    names = ["abstractplay.json", "abstractplay_volcano.json", "build.txt", "site.raw"]
    assert [Path(one["file"]).name for one in found] == names
    assert [one["verdict"] for one in found] == ["ok", "illegal", "ok", "ok"]
    (tmp_path / "only").mkdir()
    shutil.copy(GAMES / "ours.json", tmp_path / "only")
    assert ".raw" in refused(pyramids("check", tmp_path / "only"))


def test_games_as_the_site_sent_them_get_the_verdicts_of_their_twins() -> None:
    if not (SHARED / "sdg_raw").exists():
        pytest.skip("no transcripts as sent here: ../shared/games/sdg_raw is absent")
    with (SHARED / "sdg" / "verdicts.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        columns = ("players", "verdict", "turns_replayed", "ending", "winner")
        known = {row["game"]: [row[column] for column in columns] for row in rows}
    done = pyramids("check", SHARED / "sdg_raw", "--json")
    assert done.exit_code == 0
    checked = objects(done)
    assert len(checked) == 95
    for one in checked:
        fields = [one[name] for name in ("players", "verdict", "turns", "ending", "winner")]
        assert [str(field or "") for field in fields] == known[Path(one["file"]).stem], one["file"]
    assert sum("talk" in str(one.get("skipped")) for one in checked) > 80
    for file in sorted((SHARED / "sdg_raw").glob("*.raw"))[::8]:
        assert last_line(file) == last_line(SHARED / "sdg" / f"{file.stem}.txt")


# Replaying and writing


@pytest.mark.parametrize("name", ["site.raw", "site_after_the_end.raw", "abstractplay.json", "abstractplay.txt"])
def test_it_is_written_as_a_file_of_ours_and_for_abstractplay(name: str, tmp_path: Path) -> None:
    (before,) = objects(pyramids("check", GAMES / name, "--json"))
    for option, ending in (("--record", "pyramids"), ("--abstractplay", "txt")):
        written = pyramids("replay", GAMES / name, option)
        assert written.exit_code == 0
        assert ("Skipped: " in written.stderr) is bool(SKIPPED[name])
        file = tmp_path / f"again.{ending}"
        file.write_text(written.stdout)
        (after,) = objects(pyramids("check", file, "--json"))
        assert after["verdict"] == "ok"
        if not (option == "--abstractplay" and name == "abstractplay.json"):
            assert [after[key] for key in ("turns", "ending", "winner")] == [
                before[key] for key in ("turns", "ending", "winner")
            ]


def test_the_end_by_the_clock_is_told() -> None:
    assert pyramids("replay", RECORD).stdout.splitlines()[-3:] == [
        "",
        "6 turns, all legal. North wins: South resigns.",
        "Skipped: the variant “Blitz”.",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["two_passes.pyramids", "--abstractplay"], "has no Settlers"),
        (["assault.pyramids", "--abstractplay"], "in the middle of a game"),
        (["no_yellow.txt", "--abstractplay"], "turn 5 is not legal"),
        (["build.txt", "--abstractplay", "--at", "2"], "--abstractplay prints the whole game"),
        (["build.txt", "--abstractplay", "--record"], "Choose one"),
        (["ours.json"], "on its page"),
    ],
)
def test_replay_refuses_in_one_sentence(words: list[str], expected: str) -> None:
    assert expected in refused(pyramids("replay", GAMES / words[0], *words[1:]))


@pytest.mark.parametrize(("name", "doubt"), [("gives_up.txt", "one's own home"), ("three.txt", "left neighbour")])
def test_what_abstractplay_would_not_take_is_told(name: str, doubt: str) -> None:
    written = pyramids("replay", GAMES / name, "--abstractplay")
    assert written.exit_code == 0
    assert doubt in written.stderr
    assert doubt not in written.stdout
    assert not pyramids("replay", GAMES / "build.txt", "--abstractplay").stderr


# Names


def test_the_names_of_the_players_are_kept() -> None:
    assert open_game(SITE).names == {Seat.SOUTH: "ann", Seat.NORTH: "Jon-42"}
    assert open_game(RECORD).names == {Seat.NORTH: "ann", Seat.SOUTH: "Zoë"}
    assert open_game(GAMES / "build.txt").names == open_game(GAMES / "resigned.pyramids").names == {}
    long = SITE.read_text().replace("ann", "a" * 200)
    assert read_game(long).names[Seat.SOUTH] == "a" * 80
    strange = json.loads(RECORD.read_text())
    strange["header"]["players"][0]["name"] = "a\nnn\u202e"
    assert read_game(json.dumps(strange)).names[Seat.NORTH] == "ann"


# Whatever stands in a file

EXAMPLES = [(GAMES / name).read_text(encoding="utf-8") for name in SKIPPED]
LINES = sorted({line for text in EXAMPLES for line in text.splitlines(keepends=True)})


@given(
    st.text() | st.lists(st.sampled_from(LINES), max_size=25).map("".join) | st.sampled_from(EXAMPLES).flatmap(cut)
)
def test_any_text_is_read_or_refused_in_a_sentence(text: str) -> None:
    refusal = ""
    try:
        game = read_game(text)
        verdict = game.verdict()
    except (AppError, RulesError) as error:
        refusal = error.sentence
    assert refusal.isprintable()
    if not refusal:
        assert len(list(game.plies())) == verdict.turns
        assert skipping(verdict.skipped).isprintable()


ENDLESS = {
    "names": "Participants: " + "x, " * 30_000,
    "brackets": "Participants: " + "(s" * 60_000,
    "blanks": "Participants: ann (S), bert (N)\n1)" + " " * 100_000 + "x",
    "a title": " " * 3 + "x" + " " * 100_000 + "(SDG",
    "blank lines": "\n" * 200_000,
    "commas": "Players: North, South\n1) North: Build" + "," * 200_000,
    "indents": "Participants: ann (S), bert (N)\n" + " " * 100_000 + "x",
    "lists": "[" * 200_000,
    "turns": "homeworld g1 b2 y3\n" * 40_000,
}


@pytest.mark.parametrize("what", ENDLESS)
def test_an_endless_text_is_refused(what: str) -> None:
    refusal = ""
    try:
        problem = read_game(ENDLESS[what]).verdict().problem
        refusal = problem.sentence if problem else ""
    except (AppError, RulesError) as error:
        refusal = error.sentence
    assert refusal
    assert len(refusal) < 400


# Bytes


WRITTEN: dict[str, Callable[[str], bytes]] = {
    "a mark before UTF-8": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16, the other way round": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-16 the other way round without a mark": lambda text: text.encode("utf-16-be"),
    "old Windows": lambda text: text.replace("ann", "Zoë").encode("cp1252"),
    "line breaks of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "line breaks of old Macs": lambda text: text.replace("\n", "\r").encode(),
    "a byte that is nothing": lambda text: text.encode().replace(b"good luck", b"g\x81\xffd luck"),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_text_of_any_editor_is_read(how: str, tmp_path: Path) -> None:
    file = tmp_path / "x.raw"
    file.write_bytes(WRITTEN[how](SITE.read_text()))
    (checked,) = objects(pyramids("check", file, "--json"))
    assert (checked["verdict"], checked["turns"]) == ("ok", 6)
    assert last_line(file) == LAST


def test_names_of_old_windows_are_read_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "x.raw"
    file.write_bytes(SITE.read_text().replace("ann", "Zoë").encode("cp1252"))
    assert open_game(file).names[Seat.SOUTH] == "Zoë"


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"Game: \0", bytes(range(256)), b"\0"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(AppError) as caught:
        text_of(content, "x.raw")
    assert caught.value.code == "not_text"
    assert caught.value.sentence.startswith("x.raw is not a text file")
