"""What a session makes of a judgement, turn by turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from session_scripts import ASSAULT, FAR, FROM_HOMES, HOMES, HOMEWORLDS, SETTLERS, N, Play, S, in_state, reading_of

from companion_app.errors import AppError
from companion_app.inferring.explanations import Kind
from companion_app.notation import parse_position
from companion_app.session import How, State, Terms, What
from rules import Seat, homeworlds


def said(play: Play) -> list[str]:
    return [entry.sentence for entry in play.session.view.entries]


def kinds(play: Play) -> list[str]:
    return [event.kind for event in play.log.events(play.session.game)[1:]]


def refusal(play: Play, kind: Kind, seat: Seat) -> str:
    with pytest.raises(AppError) as error:
        play.end(kind, (play.read("build g1 South"),), seat=seat)
    return error.value.code


def test_a_legal_turn_is_recorded_and_the_next_player_is_to_move() -> None:
    play = Play()
    play.turn("build g1 South", S)
    view = play.session.view
    assert view.state is State.LEGAL
    assert view.sentence == "Legal: South builds a small green at South. North’s turn."
    assert view.to_move is N
    assert view.light.seat == 1
    (entry,) = view.entries
    assert (entry.what, entry.seat, entry.text, entry.how) == (What.TURN, S, "build g1 South", How.BUTTON)


def test_both_homeworlds_may_be_set_up_before_anybody_says_so() -> None:
    play = Play(HOMEWORLDS)
    south = play.read("homeworld b1 r2 g3 South")
    north = homeworlds.read_turn("homeworld b3 y1 g3 North", homeworlds.Position((), N))
    play.end(Kind.SEVERAL, (south, north))
    assert play.state() is State.LEGAL
    assert len(play.session.view.entries) == 2
    assert play.session.view.position.line == HOMES
    play.session.undo()
    assert play.state() is State.SETUP
    assert play.session.view.sentence == "Setting up: North chooses a homeworld."


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (HOMES, State.UNSURE),
        (FAR, State.DISAGREE),
        (HOMES.replace("-g3", "-"), State.DISAGREE),
        (HOMES.split("; North")[0], State.DISAGREE),
        ("", State.DISAGREE),
    ],
)
def test_homeworlds_that_the_judge_cannot_explain_are_asked_about(table: str, state: State) -> None:
    play = Play(HOMEWORLDS)
    play.end(Kind.UNEXPLAINED, table=table)
    assert play.state() is state
    if state is State.UNSURE:
        assert play.session.choose(0).position.line == HOMES


def test_homeworlds_that_cannot_be_are_refused() -> None:
    play = Play(HOMEWORLDS)
    play.end(Kind.UNEXPLAINED, table=HOMES.replace("g3-", "g2-"))
    play.session.choose(0)
    assert (play.state(), play.session.view.code) == (State.ILLEGAL, "first_ship_wrong")


def test_an_empty_board_begins_settlers_and_the_counter_runs() -> None:
    play = Play(SETTLERS)
    assert play.session.view.sentence == "Setting up: clear the board, then South begins."
    play.end(Kind.UNCHANGED)
    assert play.session.view.sentence == "South’s turn."
    play.turn("^ g1 c3", S)
    view = play.session.view
    assert view.quiet == (1, 36)
    assert view.score is not None
    assert (view.score.south, view.score.north) == (1, 0)


def test_a_first_landing_begins_settlers_too() -> None:
    play = Play(SETTLERS)
    play.turn("^ g1 c3", S)
    assert (play.state(), kinds(play)) == (State.LEGAL, ["played"])
    play.session.undo()
    assert play.state() is State.SETUP


@pytest.mark.parametrize("state", State)
def test_a_button_without_a_camera_is_answered_where_a_turn_could_end(state: State) -> None:
    play = in_state(state)
    before = play.session.view
    after = play.session.no_camera()
    asks = state in (State.SETUP, State.TURN, State.LEGAL, State.ILLEGAL, State.UNSURE, State.DISAGREE)
    assert after.note == ("Type the turn on the page: no camera sees this table." if asks else "")
    assert replace(after, note="") == before
    if state is State.TURN:
        play.turn("build g1 South")
        assert play.session.view.note == ""


def test_a_button_cannot_tell_without_a_camera_that_the_board_is_empty() -> None:
    play = Play(SETTLERS)
    assert play.session.no_camera().note == "Say so on the page: no camera sees this table."
    play.end(Kind.UNCHANGED)
    assert play.session.no_camera().note == "Type the turn on the page: no camera sees this table."


def test_two_passes_end_settlers() -> None:
    play = Play(SETTLERS)
    play.turn("^ g1 c3", S)
    play.end(Kind.UNCHANGED, seat=N)
    assert play.session.view.sentence == "Legal: North passes. South’s turn."
    play.end(Kind.UNCHANGED, seat=S)
    assert play.state() is State.OVER
    assert play.session.view.sentence == "Both players passed: South wins, 1 point to 0."
    assert play.session.view.light.seat == 0


def test_a_win_is_over_and_can_be_taken_back() -> None:
    play = Play(Terms.of_position(homeworlds.Position.parse(ASSAULT), homeworlds.Options()))
    win = next(homeworlds.winning_turns(homeworlds.Position.parse(ASSAULT)))
    play.end(Kind.LEGAL, (win,))
    assert play.state() is State.OVER
    assert play.session.view.sentence.startswith("South wins")
    assert play.session.view.light.seat == 0
    play.session.undo()
    assert play.session.view.position.line == ASSAULT
    assert play.state() is State.TURN


def test_nothing_moved_is_a_pass_if_the_player_to_move_says_so() -> None:
    play = Play()
    play.end(Kind.UNCHANGED, seat=S)
    assert said(play) == ["South passes."]


def test_nothing_moved_is_asked_about_if_nobody_knows_who_said_so() -> None:
    play = Play()
    play.end(Kind.UNCHANGED)
    assert play.state() is State.UNSURE
    assert play.session.view.choices == (("South passes.", 0.5),)
    play.session.choose(0)
    assert said(play) == ["South passes."]
    assert play.session.view.entries[0].asked


@pytest.mark.parametrize("kind", [Kind.UNCHANGED, Kind.LEGAL])
def test_only_the_player_to_move_ends_the_turn(kind: Kind) -> None:
    play = Play()
    assert refusal(play, kind, N) == "not_your_turn"
    assert kinds(play) == []


def test_before_the_homeworld_is_set_up_there_is_no_pass() -> None:
    play = Play(HOMEWORLDS)
    play.end(Kind.UNCHANGED, seat=S)
    assert play.state() is State.SETUP
    assert play.session.view.note == "South has no homeworld yet: set it up, then end the turn."
    assert kinds(play) == []


def test_a_turn_that_is_half_done_goes_on() -> None:
    play = Play()
    play.end(Kind.HALF_DONE)
    assert (play.state(), play.session.view.note, kinds(play)) == (State.TURN, "This is half done.", [])
    play.turn("build g1 South")
    assert play.session.view.note == ""


def test_an_illegal_turn_is_refused_with_its_rule_and_its_pieces_marked() -> None:
    play = Play()
    play.end(Kind.ILLEGAL, seat=S)
    view = play.session.view
    assert (view.state, view.rule, view.code, view.marked) == (State.ILLEGAL, "3", "not_connected", (2, 5))
    assert view.sentence == "This is illegal."
    assert view.to_move is S
    assert view.light.seat == 0
    assert not view.entries


def test_what_the_rules_refuse_after_all_is_not_recorded() -> None:
    play = Play()
    foreign = homeworlds.read_turn("build g1 North", homeworlds.Position.parse(HOMES.replace("<0>", "<1>")))
    play.end(Kind.LEGAL, (foreign,))
    assert play.state() is State.ILLEGAL
    assert play.session.view.code == "no_ship_there"


@pytest.mark.parametrize("kind", [Kind.ILLEGAL, Kind.UNEXPLAINED])
@pytest.mark.parametrize("line", [HOMES, "6/6/2g13/3R12/6/6 S 7"])
def test_pieces_that_were_put_back_are_no_pass(kind: Kind, line: str) -> None:
    for exactly in (False, True):
        play = Play(Terms.of_position(parse_position(line), SETTLERS.options if "/" in line else FROM_HOMES.options))
        play.end(kind)
        if exactly:
            play.judge.judgement = None  # what stands there just as before needs no judge
            play.session.end_turn(S, How.BUTTON, reading_of(play.session.view.position))
        else:
            play.end(Kind.UNCHANGED, seat=S)
        assert (play.state(), kinds(play)[-1], said(play)) == (State.TURN, "settled", [])


def test_a_turn_in_the_place_of_the_last_one_is_asked_about() -> None:
    play = Play()
    trade = play.read("trade g3 South y")
    play.turn("build g1 South")
    play.end(Kind.TAKEN_BACK, (trade,))
    assert play.session.view.choices == (("This is taken back.", 0.5),)
    play.session.choose(0)
    assert said(play) == ["South trades the large green at South for a yellow one."]
    assert play.session.view.to_move is N


def test_a_turn_that_cannot_be_explained_is_a_disagreement() -> None:
    play = Play()
    play.end(Kind.UNEXPLAINED)
    assert (play.state(), play.session.view.sentence) == (State.DISAGREE, "This is unexplained.")
    play.turn("build g1 South", S)
    assert play.state() is State.LEGAL


def test_a_position_that_was_there_before_is_asked_about_and_taken_back() -> None:
    play = Play()
    play.turn("build g1 South")
    play.turn("build g1 North")
    play.end(Kind.TAKEN_BACK, position=homeworlds.Position.parse(HOMES))
    assert play.state() is State.UNSURE
    play.session.choose(0)
    assert (play.state(), play.session.view.position.line, said(play)) == (State.TURN, HOMES, [])
    assert "refused" not in kinds(play)
