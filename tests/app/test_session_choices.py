"""What people can do about a judgement: choose, correct, agree, pause, resign and take back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from session_scripts import FAR, FROM_HOMES, HOMES, SETTLERS, N, Play, S

from companion_app.errors import AppError
from companion_app.inferring.explanations import Certainty, Judgement, Kind
from companion_app.session import Do, GameSession, State, Terms, What
from rules import Seat, homeworlds, settlers
from rules.pieces import Size
from rules.records import GameKind


def said(play: Play) -> list[str]:
    return [entry.sentence for entry in play.session.view.entries]


# Choices and corrections


def test_of_several_readings_one_is_chosen() -> None:
    play = Play()
    build, trade = play.read("build g1 South"), play.read("trade g3 South y")
    play.end(Kind.LEGAL, (build,), rivals=(play.explained(Kind.LEGAL, (trade,)), play.explained(Kind.ILLEGAL)))
    sentences = [sentence for sentence, _ in play.session.view.choices]
    assert sentences[0] == "South builds a small green at South."
    assert len(sentences) == 3
    with pytest.raises(AppError, match="Choose one of 1 to 3"):
        play.session.choose(3)
    play.session.choose(1)
    assert said(play) == ["South trades the large green at South for a yellow one."]


def test_choosing_what_is_illegal_refuses_it() -> None:
    play = Play()
    build = play.read("build g1 South")
    play.end(Kind.LEGAL, (build,), rivals=(play.explained(Kind.ILLEGAL),))
    play.session.choose(1)
    assert play.state() is State.ILLEGAL


def test_a_corrected_reading_is_judged_again() -> None:
    play = Play()
    play.end(Kind.ILLEGAL, seat=S, photo=b"a picture")
    play.judge.judgement = Judgement(Certainty.CERTAIN, play.explained(Kind.LEGAL, (play.read("build g1 South"),)))
    play.session.correct(play.reading(FAR))
    (entry,) = play.session.view.entries
    assert entry.asked
    assert (play.log.photos / entry.photo).read_bytes() == b"a picture"


# Agreeing to play on


def test_both_may_agree_to_play_on_and_the_record_says_so() -> None:
    play = Play()
    play.end(Kind.ILLEGAL, seat=S, table=FAR.replace("g2)-y1", "g2)y1-"))
    table = play.session.view.table
    view = play.session.agree()
    assert view.position == table
    (entry,) = view.entries
    assert (entry.what, entry.seat, entry.sentence) == (What.AGREED, S, "This is illegal.")
    assert view.position.line == "<1>; South(0,r2b1)g3-; North(1,y1b3)-g3; Vega(g2)y1-"
    assert view.to_move is N
    play.turn("build g1 North")
    play.session.undo()
    play.session.undo()
    assert play.session.view.position.line == HOMES


def test_systems_keep_their_names_and_homes_whatever_the_reading_calls_them() -> None:
    start = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3; Rigel(g2)y1-"
    play = Play(Terms.of_position(homeworlds.Position.parse(start), homeworlds.Options()))
    seen = "<0>; North(1,y1b3)-g3; Altair(b1)g3-; Rigel(y3)y1-; Sadr(g2)b1-"  # South's home has lost a star
    play.end(Kind.UNEXPLAINED, table=seen)
    view = play.session.agree(to_move=S)
    assert view.position.line == "<0>; South(0,b1)g3-; North(1,y1b3)-g3; Achernar(y3)y1-; Rigel(g2)b1-"


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ("", "no_position"),
        ("<0>; South(0,r2b1)g3-; Vega(b2)-g3", "home_lost"),
        ("<0>; South(0,r2b1)g3g3g3g3-; North(1,y3y1)-g3", "too_many_of_a_kind"),
        ("6/6/2g13/6/6/6 S 0", "another_game"),
    ],
)
def test_nobody_can_play_on_from_such_a_table(table: str, code: str) -> None:
    start = "<0>; South(0,r2b1)g3-; North(1,y3y1)-g3"
    play = Play(Terms.of_position(homeworlds.Position.parse(start), homeworlds.Options()))
    play.end(Kind.UNEXPLAINED, table=table)
    before = play.session.view
    assert before.table is None
    assert Do.AGREE not in before.commands
    with pytest.raises(AppError) as error:
        play.session.agree()
    assert error.value.code == code
    assert play.session.view == before


def test_an_agreed_board_of_settlers_keeps_count_of_quiet_turns() -> None:
    play = Play(Terms.of_position(settlers.Position.parse("6/6/2g13/3R12/6/6 S 7"), settlers.Options()))
    play.end(Kind.ILLEGAL, table="6/6/2g13/3r12/6/6 S 0")
    assert play.session.agree().position.line == "6/6/2g13/3r12/6/6 N 0"
    play.end(Kind.ILLEGAL, table="6/6/2g13/3r12/6/g25 S 0")
    assert play.session.agree().position.line == "6/6/2g13/3r12/6/g25 S 1"


# Everything else


def test_three_play_on_when_one_resigns() -> None:
    play = Play(Terms(GameKind.HOMEWORLDS, (Seat.EAST, S, N), homeworlds.Options()))
    play.session.resign(S)
    assert play.state() is State.SETUP
    assert play.session.view.standing == (N, Seat.EAST)
    assert play.session.view.light.seat is None
    with pytest.raises(AppError, match="South is not in this game"):
        play.session.resign(S)


def test_a_head_start_is_offered_while_it_lasts() -> None:
    options = homeworlds.Options(junior=S, brain_transference=True, tactical_computer=1)
    play = Play(replace(FROM_HOMES, options=options))
    assert {Do.SWAP_SEATS, Do.ASK_ADVICE} <= play.session.view.commands
    advice = play.session.ask_advice().entries[-1].sentence
    assert advice.startswith("South is advised to play: ")
    assert play.session.view.advice_left == 0
    assert play.session.swap_seats().seats_swapped
    assert not {Do.SWAP_SEATS, Do.ASK_ADVICE} & play.session.view.commands


def test_the_first_landing_of_a_handicap_is_judged_by_its_size() -> None:
    play = Play(replace(SETTLERS, options=settlers.Options(handicap=N, handicap_size=Size.LARGE)))
    for text, seat in (("^ g1 c3", S), ("pass", S), ("^ g3 d4", N), ("pass", S), ("pass", N)):
        play.end(Kind.LEGAL, (settlers.read_turn(text, *_asked(play)),), seat=seat)
    sizes = [getattr(options, "landing_size", None) for _, options, *_ in play.judge.heard]
    assert sizes == [None, None, Size.LARGE, None, None]


def _asked(play: Play) -> tuple[settlers.Position, settlers.Options]:
    position, to_move = play.session.view.position, play.session.view.to_move
    assert isinstance(position, settlers.Position)
    landing = Size.LARGE if to_move is N and not any(s.owner is N for s in position.board.values()) else None
    return position, settlers.Options(landing_size=landing)


def test_a_pause_comes_back_to_what_was_open() -> None:
    play = Play()
    play.end(Kind.ILLEGAL)
    play.session.pause()
    assert play.state() is State.PAUSED
    assert play.session.resume().state is State.ILLEGAL


def test_a_stopped_game_is_unfinished_until_it_is_taken_up_again() -> None:
    play = Play()
    view = play.session.stop()
    assert (view.state, view.outcome) == (State.OVER, None)
    assert view.sentence == "The game was stopped here, unfinished."
    assert play.session.undo().state is State.TURN


@pytest.mark.parametrize(("to", "code"), [(-1, "no_such_turn"), (2, "no_such_turn")])
def test_only_turns_that_were_played_are_taken_back(to: int, code: str) -> None:
    play = Play()
    with pytest.raises(AppError) as nothing:
        play.session.undo()
    assert nothing.value.code == "nothing_to_undo"
    play.turn("build g1 South")
    play.turn("build g1 North")
    with pytest.raises(AppError) as error:
        play.session.take_back(to)
    assert error.value.code == code


def test_a_game_that_is_not_there_is_told_so() -> None:
    play = Play()
    with pytest.raises(AppError) as error:
        GameSession(play.log, "nothing", play.judge)
    assert error.value.code == "no_such_game"
