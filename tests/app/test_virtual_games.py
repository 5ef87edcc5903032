"""Games that play themselves: players, mistakes, how they lay their pieces, and a short game of each kind."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from camera_fakes import eventually
from session_scripts import fast_folder

from companion_app.live.demo import Demo
from companion_app.live.laying import Layer
from companion_app.live.virtual_games import Deed, Fate, Played, Trouble, VirtualGame, terms_of
from companion_app.live.virtual_mistakes import content_of, mistake_in
from companion_app.live.virtual_players import take_turn
from companion_app.live.virtual_stage import Simulated, Stage
from companion_app.notation import Position
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading, Verdict
from companion_app.session import GameLog, GameSession, How, Terms
from companion_app.session.opening import position_of
from companion_app.session.ruling import by_inference
from rules import Seat, homeworlds, settlers
from vision.sight import Role
from vision.virtual import View

VIEW = View(width=160, height=120)
BOTH = pytest.mark.parametrize("game", list(Game))


def positions(game: Game, seed: int, turns: int) -> list[Position]:
    """A game of so many turns, or fewer."""
    dice, played = random.Random(seed), terms_of(game).new_game()
    found: list[Position] = [played.position]
    while played.outcome() is None and len(found) <= turns:
        take_turn(played, dice)
        found.append(played.position)
    return found


def play(virtual: VirtualGame, turns: int) -> list[Played]:
    """The game played on simulated time, recorded by a session of its own."""
    with fast_folder() as folder:
        log = GameLog(folder)

        def begin(terms: Terms) -> Stage:
            return Simulated(GameSession.begin(log, terms, by_inference), virtual.table, virtual)

        return list(virtual.play(begin, turns))


@BOTH
def test_a_short_game_is_recorded_as_it_is_played(game: Game) -> None:
    trouble = Trouble(mistakes=0.3, taken_back=0.3, shoves=0.5, bumps=0.3, leans=0.3)
    played = play(VirtualGame(game, 5, VIEW, trouble), 5)
    fates = Counter((one.deed, one.fate) for one in played)
    assert fates[Deed.LEGAL, Fate.RIGHT] == sum(one.deed is Deed.LEGAL for one in played) > 3, played
    assert fates[Deed.MISTAKE, Fate.RIGHT] == sum(one.deed is Deed.MISTAKE for one in played), played
    assert not fates.keys() & {(deed, Fate.SILENT) for deed in Deed}
    assert all(one.seconds is not None and one.seconds >= 0.5 for one in played)


def test_without_a_token_no_turn_is_ended_by_it() -> None:
    virtual = VirtualGame(Game.HOMEWORLDS, 3, VIEW, Trouble(0, 0, 0, 0, 0), token=False)
    played = play(virtual, 4)
    assert {one.how for one in played} <= {How.BUTTON, How.KEY}
    assert all(one.fate is Fate.RIGHT for one in played)


def test_the_same_seed_is_the_same_game() -> None:
    trouble = Trouble(mistakes=0, taken_back=0)
    one, other = (play(VirtualGame(Game.HOMEWORLDS, 3, VIEW, trouble), 3) for _ in range(2))
    assert [played.told for played in one] == [played.told for played in other]


def test_a_game_is_performed_before_peoples_eyes() -> None:
    virtual = VirtualGame(Game.SETTLERS, 6, VIEW, Trouble(0, 0, 0, 0, 0))
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), virtual.terms, by_inference)
        with Demo(session, virtual, rest_s=0) as demo:
            view = eventually(lambda: session.view, lambda view: len(view.entries) > 0)
            assert not demo.over
        assert eventually(lambda: demo.over, bool)
        assert view.entries[0].seat is Seat.SOUTH


def test_a_record_that_goes_astray_is_noticed() -> None:
    class Blind(VirtualGame):
        """Its reader always sees the table on which a small green has been built where none was."""

        def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
            reading = super().read(picture, view, lens)
            ships = [piece for piece in reading.pieces if piece.role is Role.SHIP]
            return reading if len(ships) < 3 else Layer(Game.HOMEWORLDS, 1, VIEW).lay(self._wrong).reading

        _wrong = homeworlds.Position.parse("<0>; South(0,r2b1)g3-")

    fates = Counter(one.fate for one in play(Blind(Game.HOMEWORLDS, 3, VIEW, Trouble(0, 0, 0, 0, 0)), 3))
    assert fates[Fate.RIGHT] == 2
    assert fates.total() == 3


@BOTH
def test_what_is_laid_is_what_the_reading_says(game: Game) -> None:
    layer = Layer(game, 2, VIEW)
    for position in positions(game, 1, 6):
        laid = layer.lay(position, position.to_move)
        read = position_of(laid.reading.position)
        assert len(laid.top.pieces) == 36
        if laid.reading.verdict is Verdict.CERTAIN:
            assert read is not None
            assert content_of(read) == content_of(position)
        assert laid.reading.turn_token
        assert laid.reading.turn_token.value == position.to_move.value


@BOTH
def test_what_does_not_change_stays_where_it_lies(game: Game) -> None:
    layer = Layer(game, 2, VIEW)
    tables = [layer.lay(position) for position in positions(game, 4, 6)]
    before, after = tables[-2:]
    assert len(set(before.top.pieces) & set(after.top.pieces)) > 20


def test_a_shoved_system_is_elsewhere_and_the_others_are_not() -> None:
    position = homeworlds.Position.parse("<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; Vega(g2)y1-; Sirius(r3)-b1")
    layer = Layer(Game.HOMEWORLDS, 2, VIEW)
    before = layer.lay(position)
    layer.shove("Vega")
    moved = set(before.top.pieces) - set(layer.lay(position).top.pieces)
    number = [system.name for system in position.systems].index("Vega") + 1
    assert {piece.system for piece in moved} == {number}


@BOTH
@pytest.mark.parametrize("seed", range(3))
def test_mistakes_are_refused_by_the_rules(game: Game, seed: int) -> None:
    dice, played = random.Random(seed), terms_of(game).new_game()
    found = 0
    for _ in range(8):
        take_turn(played, dice)
        mistake = mistake_in(played, dice) if played.outcome() is None else None
        if mistake:
            found += 1
            assert mistake.codes
            assert not mistake.after.surplus.total
            assert content_of(mistake.after) != content_of(played.position)
        if played.outcome():
            break
    assert found > 2


@BOTH
@pytest.mark.parametrize("seed", range(4))
def test_players_play_on_and_give_no_home_up(game: Game, seed: int) -> None:
    dice, played = random.Random(seed), terms_of(game).new_game()
    for _ in range(12):
        if played.outcome():
            break
        mover = played.to_move
        take_turn(played, dice)
        if isinstance(played, homeworlds.Game):
            assert mover not in played.out
    assert len(played.turns) >= 5
    if isinstance(played, settlers.Game):
        assert len(played.position.board) >= 5
