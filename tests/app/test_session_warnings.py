"""What the view tells besides the verdict: what a player may regret, red alerts, and who sits where now."""

from __future__ import annotations

import json

import pytest
from session_scripts import HOMES, HOMEWORLDS, N, Play, S

from companion_app.inferring.explanations import Kind
from companion_app.session import GameLog, GameSession, State, Terms
from companion_app.session.export import as_json, notation
from companion_app.session.importing import import_game
from rules import Seat, homeworlds

THREE = "<1>; North(0,r2b1)y3g3--; East(1,y1b3)-g1-; South(2,g1b2)--r3"
TOLD = {
    "gemini": ("", ("homeworld b1 r1 g3 South",), ("Both stars of South have the same size",)),
    "small_universe": (
        "",
        ("homeworld b1 r2 g3 S", "homeworld y1 g2 r3 N"),
        ("N and S have stars of the same",),
    ),
    "sitting_duck": (HOMES, ("build g1 South", "pass", "build g1 South"), ("Sitting duck: all ships at South",)),
    "bluebird": (
        "<1>; South(0,r1y2)g3-; North(1,b1r2)-b2y1; A(y3)b3-",
        ("sacrifice y1 North; pass",),
        ("Bluebird: all ships at North are blue",),
    ),
    "two at most, the most urgent first": (
        "<0>; South(0,r3b2)g1g1g1y3-; North(1,y1b1)-b3y2; Sol(y1)-y1; Far(b3)-b1b2g2b2",
        ("sacrifice y3 South",),
        ("Sitting duck: all ships at South", "The last large ship has left South"),
    ),
    "overpopulated": (
        "<0>; South(0,r2b1)y1g3-; North(1,y1b3)-g3; Sol(y2)-g1g1g2g2",
        ("pass",),
        ("Sol is left with 4 green pieces",),
    ),
    "no_large_at_home": (
        "<0>; South(0,y2b1)b1r1g3-; North(1,y1b3)-g3",
        ("discover g3 South y3 Sol",),
        ("The last large ship has left South",),
    ),
    "frozen_out": (
        "<0>; South(0,r2b1)y1g3-; North(1,y1b3)-g3b3; Sol(b2)-b3",
        ("sacrifice y1 South",),
        ("South has no blue ship and none to trade",),
    ),
    "home_given_up": (THREE, ("sacrifice g1 East *",), ("East has no ship at home at the end of this turn",)),
    "that somebody can win is no warning": (
        "<1>; South(0,r2b1)g3-; North(1,y1b3)r3-g1",
        ("pass",),
        (),
    ),
    "nothing": (HOMES, ("pass",), ()),
}


def begun(line: str, options: homeworlds.Options | None = None, names: dict[Seat, str] | None = None) -> Play:
    if not line:
        return Play(HOMEWORLDS)
    position = homeworlds.Position.parse(line)
    return Play(Terms.of_position(position, options or homeworlds.Options(), names=names))


@pytest.mark.parametrize(("line", "turns", "told"), TOLD.values(), ids=TOLD)
def test_what_a_player_may_regret_is_told_with_the_verdict(
    line: str, turns: tuple[str, ...], told: tuple[str, ...]
) -> None:
    play = begun(line)
    for text in turns:
        play.turn(text)
    warnings = play.session.view.warnings
    assert len(warnings) == len(told)
    assert all(warning.startswith(words) for warning, words in zip(warnings, told, strict=True))
    assert play.again().view.warnings == warnings


def test_it_is_told_until_something_else_happens() -> None:
    play = begun(HOMES)
    play.turn("build g1 South")
    assert play.session.view.warnings[0].startswith("Bluebird")
    with play.session.judging():
        assert not play.session.view.warnings
    play.session.pause()
    assert not play.session.view.warnings
    play.session.resume()
    play.session.undo()
    assert not play.session.view.warnings


def test_both_homes_that_stand_there_at_once_are_told_of() -> None:
    play = begun("")
    first = homeworlds.read_turn("homeworld b1 r1 g3 South", homeworlds.Position())
    second = homeworlds.read_turn("homeworld y1 g1 r3 North", homeworlds.Position.parse("<1>; South(0,b1r1)g3-"))
    play.end(Kind.SEVERAL, (first, second))
    assert len(play.session.view.entries) == 2
    assert [warning[:10] for warning in play.session.view.warnings] == ["Both stars", "Both stars"]


# Red alerts

DANGER = "<1>; South(0,r2b1)g3-; North(1,y1b3)r3-g1"
SWAPPING = homeworlds.Options(junior=N, red_alert=(N,), brain_transference=True)


@pytest.mark.parametrize(
    ("warned", "told"),
    [((), ()), ((N,), ("Red alert for North: South could put North out with one turn.",)), ((S,), ())],
)
def test_who_is_to_be_warned_is_told_of_danger(warned: tuple[Seat, ...], told: tuple[str, ...]) -> None:
    play = begun(DANGER, homeworlds.Options(red_alert=warned))
    assert play.session.view.red_alerts == told
    play.turn("pass")
    assert play.session.view.red_alerts == told
    play.session.resign(N)
    assert not play.session.view.red_alerts


def test_a_warning_outlives_what_both_agree_on_and_a_change_of_places() -> None:
    play = begun(DANGER, SWAPPING)
    play.session.swap_seats()
    assert not play.session.view.red_alerts
    play.end(Kind.UNEXPLAINED, table="<0>; South(0,r2b1)g3-r3; North(1,y1b3)-r3g1")
    play.session.agree(to_move=S)
    assert play.session.view.red_alerts == ("Red alert for South: North could put South out with one turn.",)
    assert "Option: red_alert = south\n" in notation(play.log.events(play.session.game))[-1]


# Who sits where


def test_a_name_goes_with_its_person_to_the_other_seat() -> None:
    play = begun(HOMES, homeworlds.Options(junior=S, brain_transference=True), {S: "Ann", N: "Bo"})
    session = play.session
    assert session.view.names == {S: "Ann", N: "Bo"}
    session.swap_seats()
    assert session.view.entries[-1].sentence == (
        "The players change places. From now on Bo sits South and Ann sits North."
    )
    assert session.view.to_move is S
    play.turn("build g1 South")
    assert session.view.names == play.again().view.names == {S: "Bo", N: "Ann"}
    assert as_json(play.log.events(session.game))["names"] == {"south": "Bo", "north": "Ann"}
    session.take_back(0)
    assert (session.view.names, session.view.seats_swapped) == ({S: "Ann", N: "Bo"}, False)


def test_they_still_sit_there_when_both_agree_on_another_table() -> None:
    play = begun(HOMES, homeworlds.Options(junior=S, brain_transference=True), {S: "Ann"})
    play.session.swap_seats()
    play.end(Kind.UNEXPLAINED)
    view = play.session.agree()
    assert (dict(view.names), view.seats_swapped) == ({N: "Ann"}, True)


def test_a_game_that_is_taken_in_again_knows_who_sits_where() -> None:
    play = begun(HOMES, homeworlds.Options(junior=S, brain_transference=True), {S: "Ann", N: "Bo"})
    play.session.swap_seats()
    taken_away = json.dumps(as_json(play.log.events(play.session.game))).encode()
    again = GameSession(play.log, import_game(taken_away, GameLog(play.folder)), play.judge)
    assert again.view.names == {S: "Bo", N: "Ann"}
    assert again.view.state is State.TURN


def test_advice_in_a_record_is_told_again() -> None:
    play = begun(HOMES, homeworlds.Options(junior=S, tactical_computer=1))
    advice = play.session.ask_advice().entries[-1].sentence
    (record,) = notation(play.log.events(play.session.game))
    again = GameSession(play.log, import_game(record.encode(), play.log), play.judge)
    assert again.view.entries[-1].sentence == advice
    assert advice.startswith("South is advised to play: build g1 South. It brings more ships")
