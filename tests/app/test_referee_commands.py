"""The commands of the referee, as a person types them: check, replay, turns and threats."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typed import GAMES, HUGE, OPENING, SHARED, WINNING, objects, pyramids, refused


@pytest.mark.parametrize("name", ["check", "replay", "turns", "threats"])
def test_each_explains_itself_with_examples(name: str) -> None:
    shown = pyramids(name, "--help")
    assert shown.exit_code == 0
    assert "Examples" in shown.output
    assert "--json" in shown.output


# check


def test_check_gives_one_object_a_file() -> None:
    files = [GAMES / name for name in ("resigned.pyramids", "no_yellow.txt", "gone.txt")]
    done = pyramids("check", *files, "--json")
    assert done.exit_code == 1
    legal, illegal, gone = objects(done)
    assert legal == {
        "file": str(files[0]),
        "players": 2,
        "verdict": "ok",
        "turns": 4,
        "ending": "resigned",
        "winner": "North",
        "problem": None,
    }
    assert list(illegal) == list(legal)
    assert (illegal["verdict"], illegal["turns"], illegal["ending"]) == ("illegal", 4, "unfinished")
    assert list(illegal["problem"]) == ["turn", "code", "sentence"]
    assert (illegal["problem"]["turn"], illegal["problem"]["code"]) == (5, "no_power")
    assert list(gone) == list(legal)
    assert (gone["players"], gone["verdict"], gone["winner"]) == (None, "illegal", None)
    assert (gone["problem"]["turn"], gone["problem"]["code"]) == (0, "file_unreadable")


def test_a_legal_game_is_told_in_one_line() -> None:
    done = pyramids("check", GAMES / "two_passes.pyramids")
    assert done.exit_code == 0
    assert (
        done.stdout == f"{GAMES}/two_passes.pyramids: ok, 3 turns. Both players passed: South wins, 1 point to 0.\n"
    )
    assert "ok, 1 turn. South wins" in pyramids("check", GAMES / "assault.pyramids").stdout


def test_an_illegal_game_is_told_with_its_turn_the_reason_and_what_to_type_next(tmp_path: Path) -> None:
    file = tmp_path / "my game.txt"
    shutil.copy(GAMES / "no_yellow.txt", file)
    done = pyramids("check", file)
    assert done.exit_code == 1
    heading, turn, reason, hint = done.stdout.splitlines()
    assert heading == f"{file}: illegal, turn 5"
    assert turn == "  5. North: Discover G1 North Y2 Far"
    assert reason.startswith("  To move at North takes yellow")
    assert hint == f"The game up to there: pyramids replay '{file}' --at 4"


def test_what_is_no_game_is_called_unreadable() -> None:
    done = pyramids("check", GAMES / "notes.txt")
    assert done.exit_code == 1
    heading, reason = done.stdout.splitlines()
    assert heading.endswith("notes.txt: unreadable")
    assert "no game file" in reason


def test_several_games_are_summed_up_and_the_legal_ones_only_counted() -> None:
    names = ["resigned.pyramids", "three.txt", "no_yellow.txt", "notes.txt", "settlers_quiet.pyramids"]
    done = pyramids("check", *(GAMES / name for name in names))
    assert done.exit_code == 1
    *told, summary = done.stdout.splitlines()
    assert summary == ("5 games: 3 ok, 1 illegal, 1 unreadable; 17 turns; 1 resigned, 1 score, 1 unfinished")
    assert [line for line in told if not line.startswith(" ")] == [
        f"{GAMES}/no_yellow.txt: illegal, turn 5",
        f"{GAMES}/notes.txt: unreadable",
    ]
    assert pyramids("check", GAMES / "resigned.pyramids", GAMES / "three.txt").exit_code == 0


def test_a_folder_stands_for_its_games(tmp_path: Path) -> None:
    for name in ("b.txt", "a.PYRAMIDS", "c.md"):
        shutil.copy(GAMES / "build.txt", tmp_path / name)
    (tmp_path / "d.txt").mkdir()
    found = objects(pyramids("check", tmp_path, GAMES / "assault.pyramids", "--json"))
    assert [Path(one["file"]).name for one in found] == ["a.PYRAMIDS", "b.txt", "assault.pyramids"]
    assert {one["verdict"] for one in found} == {"ok"}
    assert "There is no game in" in refused(pyramids("check", tmp_path / "d.txt"))
    assert "GAME" in refused(pyramids("check"))


def test_many_files_give_the_same_as_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    names = ["build.txt", "no_yellow.txt", "resigned.pyramids", "notes.txt"]
    files = [tmp_path / f"{number:03}{name}" for number in range(15) for name in names]
    for file in files:
        shutil.copy(GAMES / file.name[3:], file)
    few = [
        one for start in range(0, 60, 20) for one in objects(pyramids("check", *files[start : start + 20], "--json"))
    ]
    many = pyramids("check", tmp_path, "--json")
    assert sorted(map(str, objects(many))) == sorted(map(str, few))
    assert [one["file"] for one in objects(many)] == sorted(str(file) for file in files)
    assert many.exit_code == 1


def test_archived_games_get_their_known_verdicts() -> None:
    if not (SHARED / "sdg" / "verdicts.tsv").exists():
        pytest.skip("no archived games here: ../shared/games/sdg is absent")
    with (SHARED / "sdg" / "verdicts.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        columns = ("players", "verdict", "turns_replayed", "ending", "winner")
        known = {row["game"]: [row[column] for column in columns] for row in rows}
    done = pyramids("check", SHARED / "sdg", "--json")
    assert done.exit_code == 0
    found = {
        Path(one["file"]).stem: [
            str(one[name] if one[name] is not None else "")
            for name in ("players", "verdict", "turns", "ending", "winner")
        ]
        for one in objects(done)
    }
    assert len(found) > 900
    assert found == known


# replay


def test_a_game_is_told_turn_by_turn() -> None:
    done = pyramids("replay", GAMES / "resigned.pyramids")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[4:6] == ["  3. South: build g1 South", "     South builds a small green at South."]
    assert lines[-1] == "4 turns, all legal. North wins: South resigns."


def test_a_red_alert_stands_under_the_turn_after_which_it_holds(tmp_path: Path) -> None:
    game = tmp_path / "x.pyramids"
    start = (GAMES / "assault.pyramids").read_text().partition("Result")[0]
    game.write_text(f"{start}Result: unfinished\n\n1. South: pass\n")
    lines = pyramids("replay", game).stdout.splitlines()
    assert lines[2] == "     ! Red alert: South threatens to win: sacrifice r1 Vega; capture g3 North"
    assert lines[-1] == "1 turn, legal. The game is unfinished."


def test_what_a_player_may_regret_stands_under_the_turn(tmp_path: Path) -> None:
    """The two most urgent: that somebody may declare a catastrophe elsewhere is left out."""
    game = tmp_path / "x.pyramids"
    start = "<1>; South(0,r3b2)g3-; North(1,y1b1)-g1g1g1y3; Sol(y1)y1-; Far(b3)b2-b1b2b3"
    game.write_text(
        f"Game: homeworlds\nPlayers: North, South\nStart: {start}\nResult: unfinished\n\n"
        "1. North: sacrifice y3 North\n2. South: pass\n"
    )
    done = pyramids("replay", game, "--at", 1)
    assert [line for line in done.stdout.splitlines() if line.startswith("     * ")] == [
        "     * Sitting duck: all ships at North are green, and one more green piece there lets a catastrophe take "
        "them all.",
        "     * The last large ship has left North: any bigger ship that comes there can capture those that stay.",
    ]
    assert " * " not in pyramids("replay", game, "--no-warnings").stdout
    assert len(objects(pyramids("replay", game, "--json"))[0]["warnings"]) > 2
    assert pyramids("replay", game, "--json", "--no-warnings").exit_code == 2


def test_a_red_alert_that_was_agreed_on_is_told_to_whom_it_is_for(tmp_path: Path) -> None:
    game = tmp_path / "x.pyramids"
    head, _, rest = (GAMES / "assault.pyramids").read_text().partition("Result")[0].partition("Start")
    game.write_text(f"{head}Option: red_alert = north\nStart{rest}Result: unfinished\n\n1. South: pass\n")
    lines = pyramids("replay", game).stdout.splitlines()
    assert lines[2] == "     ! Red alert for North: South could put North out with one turn."


def test_threats_in_a_record_are_those_of_its_victory(tmp_path: Path) -> None:
    game = tmp_path / "x.pyramids"
    start = "<2>; North(0,r2g1)g1g2g3--; East(1,y1b3)r3-g1-; South(2,g1b2)--r3"
    rest = f"Start: {start}\nResult: unfinished\n\n1. South: pass\n"
    for options, told in (
        ("Option: victory = left neighbour\n", True),
        ("Option: victory = good and evil\nOption: evil = east\n", True),
        ("", False),
    ):
        game.write_text(f"Game: homeworlds\nPlayers: South, North, East\n{options}{rest}")
        assert ("North is to move and can win: capture g1 East" in pyramids("replay", game).stdout) is told


def test_nobody_is_evil_who_does_not_play(tmp_path: Path) -> None:
    game = tmp_path / "x.pyramids"
    options = "Option: victory = good and evil\nOption: evil = west\n"
    game.write_text(f"Game: homeworlds\nPlayers: North, East, South\n{options}Result: unfinished\n\n")
    for command in ("check", "replay"):
        done = pyramids(command, game)
        assert done.exit_code
        assert "The side of evil cannot be West's, where nobody sits" in done.stdout + done.stderr


def test_the_size_of_a_handicap_is_read_as_a_word(tmp_path: Path) -> None:
    game = tmp_path / "x.pyramids"
    options = "Option: handicap = north\nOption: handicap_size = large\n"
    turns = "1. South: ^ g1 c3\n2. South: pass\n3. North: ^ g3 d4\n"
    game.write_text(f"Game: settlers\nPlayers: South, North\n{options}Result: unfinished\n\n{turns}")
    assert pyramids("check", game).exit_code == 0


def test_an_illegal_game_is_told_up_to_the_turn_that_is() -> None:
    done = pyramids("replay", GAMES / "no_yellow.txt", "--no-warnings")
    assert done.exit_code == 0
    *told, blank, turn, reason = done.stdout.splitlines()
    assert len(told) == 8
    assert (blank, turn) == ("", "  5. North: Discover G1 North Y2 Far")
    assert reason.startswith("     is not legal. To move at North takes yellow")


def test_a_wrong_result_is_told_after_the_end() -> None:
    lines = pyramids("replay", GAMES / "wrong_winner.pyramids").stdout.splitlines()
    assert lines[-2] == "3 turns, all legal. North wins: South resigns."
    assert lines[-1].endswith("write Result: North wins by resignation")


def test_replay_gives_one_object_a_turn_and_one_for_the_end() -> None:
    *turns, end = objects(pyramids("replay", GAMES / "no_yellow.txt", "--json"))
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4]
    assert turns[2] == {
        "turn": 3,
        "seat": "North",
        "text": "build g1 North",
        "sentence": "North builds a small green at North.",
        "position": "<0>; South(0,y1b3)g3-; North(1,r1b3)-g1g3",
        "alerts": [],
        "warnings": turns[2]["warnings"],
    }
    assert all(isinstance(warning, str) for turn in turns for warning in turn["warnings"])
    assert list(end) == ["verdict", "turns", "ending", "winner", "sentence", "problem"]
    assert (end["verdict"], end["turns"], end["problem"]["turn"]) == ("illegal", 4, 5)
    *_, end = objects(pyramids("replay", GAMES / "two_passes.pyramids", "--json"))
    assert end == {
        "verdict": "ok",
        "turns": 3,
        "ending": "score",
        "winner": "South",
        "sentence": "Both players passed: South wins, 1 point to 0.",
        "problem": None,
    }


@pytest.mark.parametrize(
    ("name", "at", "line", "turns"),
    [
        ("build.txt", 0, "<1>", 0),
        ("build.txt", 2, "<1>; South(0,y1b3)g3-; North(1,r1b3)-g3", 2),
        ("assault.pyramids", 0, WINNING, 0),
        ("two_passes.pyramids", 0, "6/6/6/6/6/6 S 0", 0),
        ("two_passes.pyramids", 1, "6/6/6/2g13/6/6 N 1", 1),
        ("two_passes.pyramids", 99, "6/6/6/2g13/6/6 N 3", 3),
    ],
)
def test_a_game_is_stopped_where_asked(name: str, at: int, line: str, turns: int) -> None:
    shown = pyramids("replay", GAMES / name, "--at", at).stdout.splitlines()
    assert shown[-1] == line
    assert sum(text.lstrip()[:1].isdigit() and ". " in text for text in shown[:-1]) == turns
    assert [one["turn"] for one in objects(pyramids("replay", GAMES / name, "--at", at, "--json"))] == list(
        range(1, turns + 1)
    )


@pytest.mark.parametrize("name", ["build.txt", "assault.pyramids", "two_passes.pyramids"])
def test_a_position_of_the_game_is_drawn(name: str) -> None:
    drawings = [pyramids("replay", GAMES / name, "--svg", "--at", at).stdout for at in (0, 1)]
    drawings.append(pyramids("replay", GAMES / name, "--svg").stdout)
    for drawing in drawings:
        assert ET.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawings[0] != drawings[1]


@pytest.mark.parametrize("name", ["gives_up.txt", "misses_turn.txt", "resigned.pyramids", "two_passes.pyramids"])
def test_a_game_is_written_as_a_file_of_ours_that_is_legal_again(name: str, tmp_path: Path) -> None:
    written = pyramids("replay", GAMES / name, "--record")
    assert written.exit_code == 0
    assert written.stdout.startswith("Game: ")
    file = tmp_path / "written.pyramids"
    file.write_text(written.stdout)
    before, after = objects(pyramids("check", GAMES / name, file, "--json"))
    assert after["verdict"] == "ok"
    assert (after["ending"], after["winner"]) == (before["ending"], before["winner"])
    assert pyramids("replay", file, "--record").stdout == written.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["no_yellow.txt", "--record"], "turn 5 is not legal"),
        (["late_set_up.txt", "--record"], "South misses turns"),
        (["build.txt", "--record", "--at", "2"], "leave --at out"),
        (["build.txt", "--record", "--json"], "Choose one"),
        (["build.txt", "--svg", "--json"], "Choose one"),
        (["build.txt", "--at", "-1"], "--at"),
        (["build.txt", "--at", "two"], "two"),
        (["notes.txt"], "no game file"),
        (["gone.txt"], "cannot be opened"),
        (["unknown_option.pyramids"], "magic"),
        ([], "cannot be opened: Is a directory"),
    ],
)
def test_replay_refuses_in_one_sentence(words: list[str], expected: str) -> None:
    name, *options = words or [""]
    done = pyramids("replay", GAMES / name, *options)
    assert expected in refused(done)
    assert done.stdout == ""


# Real processes

# What a shell starts in the background is deaf to interrupts, and so are its children: hear them again.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PYRAMIDS = [sys.executable, "-c", f"{HEARING}; from companion_app.cli import main; main()"]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no terminals to pretend")
def test_a_bar_is_shown_on_a_terminal_only() -> None:
    words = [*PYRAMIDS, "check", str(GAMES / "build.txt"), str(GAMES / "notes.txt")]
    piped = subprocess.run(words, check=False, capture_output=True, timeout=60)
    assert (piped.returncode, piped.stderr) == (1, b"")
    ours, theirs = os.openpty()
    shown = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=theirs, timeout=60)
    assert b"Checking" in os.read(ours, 9999)
    os.close(ours)
    os.close(theirs)
    assert shown.stdout == piped.stdout


@pytest.mark.parametrize("command", ["check", "turns"])
def test_a_closed_pipe_is_quiet(command: str, tmp_path: Path) -> None:
    for number in range(60):
        shutil.copy(GAMES / "build.txt", tmp_path / f"{number}.txt")
    words = {"check": ["check", str(tmp_path), "--json"], "turns": ["turns", HUGE]}[command]
    process = subprocess.Popen([*PYRAMIDS, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(timeout=60)


@pytest.mark.parametrize("command", ["turns", "threats"])
def test_answers_come_line_by_line_and_an_interrupt_is_quiet(command: str) -> None:
    process = subprocess.Popen(
        [*PYRAMIDS, command, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(OPENING + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == ""


def test_an_interrupted_check_is_quiet_though_many_files_are_shared_out(tmp_path: Path) -> None:
    for number in range(300):
        shutil.copy(GAMES / "gives_up.txt", tmp_path / f"{number}.txt")
    process = subprocess.Popen(
        [*PYRAMIDS, "check", *[str(tmp_path)] * 20, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout
    assert process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == ""
