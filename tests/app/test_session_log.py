"""What was acknowledged stays: whoever writes at once, whenever the program dies, and whatever the disk does."""

from __future__ import annotations

import doctest
import importlib
import resource
import sqlite3
import threading
from typing import Any

import pytest
from elsewhere import as_nobody, elsewhere, given_away
from session_scripts import FROM_HOMES, HOMES, N, Play, S, Told, fast_folder

from benchmarks.kill_nine import kill_often
from companion_app.errors import AppError
from companion_app.event_log import NotKept, Stale, photo_name
from companion_app.inferring.explanations import Certainty, Judgement, Kind
from companion_app.session import GameLog, GameSession, How, NotNow, State, View
from companion_app.session.latest import Latest

# Several at once


def test_of_two_referees_the_second_is_shown_what_the_first_did() -> None:
    play = Play()
    other = play.again()
    play.turn("build g1 South")
    with pytest.raises(Stale) as error:
        other.resign(S)
    assert error.value.seq == 2
    assert other.view == play.session.view
    other.resign(N)
    with pytest.raises(Stale):
        play.session.pause()
    assert play.session.view.sentence == "South wins: North resigns."


def test_what_another_program_wrote_can_be_asked_for() -> None:
    play = Play()
    other = play.again()
    play.turn("build g1 South")
    assert other.refresh() == play.session.view


def test_a_caller_who_has_not_seen_the_newest_changes_nothing() -> None:
    play = Play()
    play.turn("build g1 South")
    before = play.session.view
    with pytest.raises(Stale):
        play.session.undo(base=1)
    with pytest.raises(Stale):
        play.end(Kind.UNCHANGED, seat=N, base=1)
    assert play.session.view == before
    assert play.session.undo(base=2).seq == 3


def test_of_many_who_end_the_turn_at_once_one_does() -> None:
    play = Play()
    build = play.explained(Kind.LEGAL, (play.read("build g1 South"),))
    play.judge.judgement = Judgement(Certainty.CERTAIN, build)
    sessions = [play.session, *(play.again() for _ in range(3))]
    outcomes: list[str] = []

    def end(session: GameSession) -> None:
        try:
            session.end_turn(S, How.PAGE, play.reading(HOMES), base=1)
            outcomes.append("recorded")
        except (Stale, NotNow) as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=end, args=(session,)) for session in sessions * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("recorded") == 1
    assert len(play.log.events(play.session.game)) == 2


def test_what_came_while_the_table_was_judged_is_not_written_over() -> None:
    play = Play()
    other = play.again()
    build = play.explained(Kind.LEGAL, (play.read("build g1 South"),))

    def judge(*_: object) -> Judgement:
        other.agree_draw()
        return Judgement(Certainty.CERTAIN, build)

    session = GameSession(play.log, play.session.game, judge)
    with pytest.raises(Stale):
        session.end_turn(S, How.BUTTON, play.reading(HOMES))
    assert session.view.state is State.OVER


# Looking, and being told


def test_while_the_table_is_looked_at_everything_else_waits() -> None:
    play = Play()
    with play.session.judging():
        assert play.state() is State.JUDGING
        with pytest.raises(NotNow, match="wait a second"):
            play.session.undo()
        play.turn("build g1 South")
        assert play.state() is State.LEGAL
    assert play.state() is State.LEGAL


def test_a_photo_that_fails_leaves_the_game_as_it_was() -> None:
    play = Play()
    with pytest.raises(OSError, match="no camera"), play.session.judging():
        raise OSError("no camera")
    assert play.state() is State.TURN


def test_listeners_hear_everything_in_order_until_they_stop() -> None:
    play = Play()
    heard: list[State] = []

    def broken(_: View) -> None:
        raise RuntimeError("of no concern to the game")

    play.session.listen(broken)
    stop = play.session.listen(lambda view: heard.append(view.state))
    play.turn("build g1 South")
    play.session.pause()
    stop()
    play.session.resume()
    assert heard == [State.TURN, State.JUDGING, State.LEGAL, State.PAUSED]


def test_who_listens_slowly_gets_the_newest() -> None:
    play = Play()
    latest = Latest[View]()
    play.session.listen(latest.put)
    play.turn("build g1 South")
    play.session.pause()
    newest = latest.get(timeout=5)
    assert newest is not None
    assert newest.state is State.PAUSED
    assert latest.get(timeout=0.01) is None
    threading.Timer(0.02, play.session.resume).start()
    newest = latest.get(timeout=5)
    assert newest is not None
    assert newest.state is State.TURN


# What can happen to a disk


def test_killed_players_lose_nothing_that_was_acknowledged() -> None:
    with fast_folder() as folder:
        tally = kill_often(folder, kills=20, seed=6, longest_s=0.25)
    assert tally.acknowledged > 0
    assert tally.lost == 0


def test_a_full_disk_is_told_and_nothing_is_lost() -> None:
    play = Play()
    game = play.session.game

    def play_until_full() -> tuple[int, str, str, str]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            while True:
                play.end(Kind.ILLEGAL, table="x" * 900)
        except AppError as error:
            return play.session.view.seq, play.state().value, error.code, error.sentence

    acknowledged, state, code, sentence = elsewhere(play_until_full)
    assert acknowledged > 2
    assert code == "not_written"
    assert sentence.endswith("is the disk full? Make room and try again.")
    again = play.again()
    assert (again.view.seq, again.view.state) == (acknowledged, state)
    assert len(play.log.events(game)) == acknowledged
    assert again.stop().state is State.OVER


def test_a_turn_is_kept_even_where_its_photo_has_no_room() -> None:
    play = Play()

    def play_one() -> tuple[str, str]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        play.turn("build g1 South", photo=bytes(300_000))
        return play.state().value, play.session.view.note

    state, note = elsewhere(play_one)
    assert state == "legal"
    assert note.startswith("The turn is kept, but its photo is not.")
    assert len(play.again().view.entries) == 1
    assert list(play.log.photos.iterdir()) == []


def test_a_folder_that_turns_read_only_is_told_and_nothing_is_lost() -> None:
    play = Play()
    play.turn("build g1 South")
    given_away(play.folder)

    def go_on() -> list[str]:
        as_nobody()
        for path in (play.folder, *play.folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        told = []
        for doing in (play.session.pause, lambda: GameLog(play.folder)):
            with pytest.raises(AppError) as error:
                doing()
            told.append(error.value.code)
        told.append(play.state().value)
        for path in (play.folder, *play.folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        return [*told, play.session.pause().state.value]

    assert elsewhere(go_on) == ["not_written", "no_data_folder", "legal", "paused"]
    assert play.again().view.state is State.PAUSED


def test_a_log_of_a_newer_version_is_left_alone() -> None:
    play = Play()
    with sqlite3.connect(play.folder / "games.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(AppError, match="newer version"):
        GameLog(play.folder)


# The shelf


def test_the_game_that_went_on_last_comes_first() -> None:
    play = Play()
    second = GameSession.begin(play.log, FROM_HOMES, Told())
    assert [shelf.name for shelf in play.log.shelves()] == [second.game, play.session.game]
    play.turn("build g1 South")
    shelves = play.log.shelves()
    assert [shelf.name for shelf in shelves] == [play.session.game, second.game]
    assert [event and event.kind for event in (shelves[0].first, shelves[0].newest)] == ["begun", "played"]


def test_a_deleted_game_takes_the_photos_along_that_no_other_shows() -> None:
    play, pictures = Play(), (b"shown twice", b"shown once")
    for picture in pictures:
        play.end(Kind.ILLEGAL, photo=picture)
    other = GameSession.begin(play.log, FROM_HOMES, play.judge)
    other.end_turn(S, How.PAGE, play.reading(HOMES), photo=pictures[0])
    play.log.delete(play.session.game)
    assert [path.name for path in play.log.photos.iterdir()] == [photo_name(pictures[0])]
    with pytest.raises(NotKept):
        play.again()
    with pytest.raises(NotKept):
        play.session.pause()


@pytest.mark.parametrize(
    "event",
    [
        ("begun", {}),
        ("nonsense", {}),
        ("taken back", {"to": 1}),
        ("taken back", {"to": "0"}),
        ("ticked", {"step": 0}),
        ("restored", {}),
        ("played", {"turns": [{"seat": "south", "text": "pass", "sentence": "No."}], "asked": "perhaps"}),
        ("asked", {"sentence": "?", "choices": [{"sentence": "!", "probability": 1, "fact": "played"}]}),
        ("refused", {"seat": "south", "sentence": "", "rule": "", "code": "", "table": "", "marked": ["2"]}),
        ("played", {"turns": [{"seat": "south", "text": "build g3 South", "sentence": "No."}]}),
    ],
)
def test_a_log_that_makes_no_sense_is_refused_in_a_sentence(event: tuple[str, dict[str, Any]]) -> None:
    play = Play()
    play.log.append(play.session.game, *event)
    with pytest.raises(AppError) as error:
        play.again()
    assert error.value.sentence


@pytest.mark.parametrize("name", ["latest", "terms"])
def test_examples_are_right(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"companion_app.session.{name}"))
    assert (found.failed, found.attempted > 0) == (0, True)
