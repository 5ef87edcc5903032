"""A position put back on the table in the middle of a game: ticked by hand, looked at, and played on from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from session_scripts import FAR, HOMES, SETTLERS, Play, S, reading_of

from companion_app.derivation import with_pieces
from companion_app.errors import AppError
from companion_app.inferring.explanations import Certainty, Judgement, Kind
from companion_app.reading_types import Game, Reading
from companion_app.session import Do, How, State, Terms
from rules import homeworlds, settlers
from vision import sight

NOT_YET = [
    (
        HOMES.replace("g3-;", "g2-;"),
        "South’s home: there is a medium green ship of South: exchange it for a large green.",
    ),
    (HOMES.replace(")-g3", ")-"), "North’s home: lay a large green ship, 3 pips, pointing away from North."),
    (FAR, "Take away the medium green star of a system that is too much: it belongs in the bank."),
]
HOMES_OF = {1: sight.Seat.SOUTH, 2: sight.Seat.NORTH}


def test_a_position_is_put_back_step_by_step() -> None:
    play = Play()
    play.turn("build g1 South")
    view = play.session.restore(0)
    assert view.layout is not None
    assert view.layout.position.line == HOMES
    assert [step.place for step in view.layout.steps] == ["South"] * 3 + ["North"] * 3 + ["turn token", "bank"]
    assert view.layout.steps[0].sentence == "South’s home: stand up a medium red star, 2 pips."
    play.session.tick(1)
    play.session.tick(0)
    view = play.session.tick(1, done=False)
    assert view.layout is not None
    assert view.layout.ticked == {0}
    assert view.sentence == "Putting a position back: 1 of 8 steps done."
    with pytest.raises(AppError, match="no such step"):
        play.session.tick(8)
    for line, wanted in NOT_YET:
        play.session.end_turn(None, How.PAGE, reading_of(homeworlds.Position.parse(line)))
        assert play.session.view.note == f"The table is not that position yet. {wanted}"
    with pytest.raises(AppError, match="could not be read"):
        play.session.end_turn(None, How.PAGE, Reading(Game.HOMEWORLDS, (640, 480)))
    play.session.end_turn(None, How.PAGE, reading_of(homeworlds.Position.parse(HOMES)))
    assert (play.state(), play.session.view.position.line, play.session.view.entries) == (State.TURN, HOMES, ())


def test_an_empty_board_is_put_back_by_taking_everything_away() -> None:
    play = Play(SETTLERS)
    play.end(Kind.UNCHANGED, table="6/6/6/6/6/6 S 0")
    play.turn("land g1 c3")
    board = play.session.restore(0).position
    play.session.end_turn(None, How.PAGE, reading_of(board))
    assert play.session.view.note.endswith("Take away the small green ship of South on c3: it belongs in the bank.")
    play.session.end_turn(None, How.PAGE, reading_of(settlers.Position()))
    assert (play.state(), play.session.view.entries) == (State.TURN, ())


def test_what_is_put_back_as_recorded_settles_what_was_refused() -> None:
    play = Play()
    play.end(Kind.ILLEGAL)
    play.session.end_turn(S, How.PAGE, reading_of(homeworlds.Position.parse(HOMES)))
    assert play.state() is State.TURN


@pytest.mark.parametrize(
    ("open_", "sure", "state"),
    [
        (Kind.ILLEGAL, 0.4, State.DISAGREE),
        (Kind.ILLEGAL, 0.6, State.TURN),
        (Kind.UNEXPLAINED, 0.6, State.DISAGREE),
    ],
)
def test_a_doubt_about_a_piece_is_left_to_the_judge_unless_it_was_to_be_put_back(
    open_: Kind, sure: float, state: State
) -> None:
    play = Play()
    play.end(open_)
    best = play.explained(Kind.UNEXPLAINED)
    play.judge.judgement = Judgement(Certainty.CERTAIN, best)
    there = reading_of(homeworlds.Position.parse(HOMES))
    doubtful = with_pieces(
        there, [replace(piece, confidence=sure) for piece in there.pieces], HOMES_OF, redless=False
    )
    play.session.end_turn(S, How.PAGE, doubtful)
    assert play.state() is state


def test_a_position_from_the_archive_is_laid_out_first() -> None:
    play = Play(Terms.of_position(homeworlds.Position.parse(FAR), homeworlds.Options(), lay_out=True))
    assert play.state() is State.RESTORING
    assert play.session.restored().sentence == "South’s turn."


def test_a_game_that_is_over_cannot_be_stopped_while_it_is_put_back() -> None:
    play = Play()
    play.session.resign(S)
    assert Do.STOP not in play.session.restore().commands
    with pytest.raises(AppError, match="The game is over"):
        play.session.stop()
