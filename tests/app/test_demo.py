"""Games before people's eyes: their pace, what the players answer, and how they put a record right."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from camera_fakes import PATIENCE_S, eventually
from session_scripts import fast_folder

from companion_app.live.answering import agree_on_start, put_right, right_choice
from companion_app.live.demo import Demo
from companion_app.live.pace import Pace
from companion_app.live.staging import SEEDS, Staging
from companion_app.live.virtual_games import Trouble, VirtualGame
from companion_app.live.virtual_mistakes import content_of
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading
from companion_app.session import GameLog, GameSession, How, State
from companion_app.session.referee import Referee
from companion_app.session.ruling import by_inference
from rules import Seat
from vision.virtual import View

VIEW = View(width=160, height=120)
NOTHING_WRONG = Trouble(0, 0, 0, 0, 0)


def test_a_pace_waits_while_it_is_paused_and_no_longer_when_it_is_over() -> None:
    pace, woken = Pace(), threading.Event()
    pace.pause()

    def wait() -> None:
        pace.wait()
        woken.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not woken.wait(0.2)
    pace.go_on()
    assert woken.wait(PATIENCE_S)
    waiting.join()
    pace.end()
    assert not pace.wait(1000)


def test_speeds_have_names_and_two_ends() -> None:
    pace, words = Pace(), []
    while pace.can_be_slower:
        pace.slower()
    words.append(pace.word)
    while pace.can_be_faster:
        pace.faster()
        words.append(pace.word)
    assert words == ["slow", "normal", "fast", "very fast"]
    pace.faster()
    assert pace.word == "very fast"


class Played:
    """A game of Settlers of which the first turn was played on a table, and a session that has not seen that."""

    def __init__(self, log: GameLog, seed: int = 5) -> None:
        self.game = VirtualGame(Game.SETTLERS, seed, VIEW, NOTHING_WRONG, token=False)
        self.session = GameSession.begin(log, self.game.terms, by_inference)
        agree_on_start(self.session, self.game.reading, self.game.contents[0], self.game.to_move)
        with Demo(GameSession.begin(log, self.game.terms, by_inference), self.game, rest_s=1000) as demo:
            eventually(lambda: demo.table.session.view.entries, bool)

    def put_right(self) -> str:
        return put_right(self.session, self.game.reading, self.game.contents, self.game.to_move)

    @property
    def is_right(self) -> bool:
        positions = Referee.of(self.session.course).positions
        return [content_of(position) for position in positions] == self.game.contents


@pytest.fixture
def log() -> Iterator[GameLog]:
    with fast_folder() as folder:
        yield GameLog(folder)


def test_players_of_a_demo_stand_for_what_was_played(log: GameLog) -> None:
    played = Played(log)
    assert played.session.view.state is State.TURN
    assert played.put_right().startswith("The players say: South lands")
    assert played.is_right
    assert played.session.view.entries[-1].asked


def test_a_turn_that_was_never_played_is_taken_back(log: GameLog) -> None:
    played = Played(log)
    session, other = played.session, Played(log, seed=6)
    session.end_turn(Seat.SOUTH, How.KEY, other.game.reading)
    if session.view.state is State.UNSURE:
        session.choose(0)
    assert len(session.view.entries) == 1
    assert not played.is_right
    assert "put the record right" in played.put_right()
    assert played.is_right


def test_what_is_open_is_answered(log: GameLog) -> None:
    played = Played(log)
    played.session.disagree("Somebody says so.")
    assert played.put_right().startswith("The players say: South")
    assert played.is_right
    played.session.disagree("Somebody says so again.")
    assert played.put_right() == "The players say: it stands as it is recorded."
    assert played.session.view.state in (State.TURN, State.LEGAL)
    assert right_choice(played.session.course, played.game.contents[-1], played.game.to_move) is None


def test_a_reader_that_is_wrong_is_put_right_before_everybodys_eyes(log: GameLog) -> None:
    class Blind(VirtualGame):
        """Its reader sees nothing but the empty board."""

        def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
            super().read(picture, view, lens)
            return empty

    game = Blind(Game.SETTLERS, 5, VIEW, NOTHING_WRONG, token=False)
    empty = game.reading
    session = GameSession.begin(log, game.terms, by_inference)
    heard: list[str] = []
    with Demo(session, game, rest_s=0, changed=lambda: heard.append(demo.said)) as demo:
        eventually(lambda: heard, lambda said: any("The players" in words for words in said))
        eventually(lambda: len(session.view.entries), lambda count: count > 0)
        recorded = [content_of(position) for position in Referee.of(session.course).positions]
        assert recorded[1] == game.contents[1]


@pytest.mark.parametrize("game", list(Game))
def test_demos_follow_one_another(game: Game) -> None:
    staging = Staging(VIEW)
    begun = [staging.game(game, number) for number in (0, 1, len(SEEDS[game]))]
    first, other, again = (list(one.reading.pieces) for one in begun)
    assert first == again != other
