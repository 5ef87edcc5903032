"""A game of Homeworlds from certain readings alone: the real judge and the session fit together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from session_scripts import HOMEWORLDS, SETTLERS, S, fast_folder, reading_of

from companion_app.event_log import photo_name
from companion_app.session import GameLog, GameSession, How, State
from companion_app.session.ruling import by_inference
from rules import homeworlds, settlers

TURNS = (
    "homeworld r2 b1 g3 South",
    "homeworld y1 b3 g3 North",
    "build g1 South",
    "build g1 North",
    "trade g1 South y",
    "trade g1 North r",
    "discover y1 South g3 Vega",
    "build g1 North",
)


def test_a_game_is_recorded_from_what_stands_on_the_table() -> None:
    game = homeworlds.Game()
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), HOMEWORLDS, by_inference)
        for text in TURNS:
            seat, after = game.to_move, game.push_text(text)
            view = session.end_turn(seat, How.BUTTON, reading_of(after))
            assert (view.state, view.choices) in ((State.SETUP, ()), (State.LEGAL, ()))
            assert len(view.entries) == len(game.turns)
        assert [entry.text for entry in view.entries][:6] == list(TURNS[:6])
        assert view.position.pieces == game.position.pieces

        out_of_nowhere = "<1>; South(0,r2b1)g3-g1; North(1,y1b3)-r1g1g3; Vega(g3)y1-"
        view = session.end_turn(view.to_move, How.BUTTON, reading_of(homeworlds.Position.parse(out_of_nowhere)))
        assert view.state in (State.ILLEGAL, State.UNSURE, State.DISAGREE)
        assert len(view.entries) == len(TURNS)

        view = session.end_turn(view.to_move, How.BUTTON, reading_of(game.position))
        assert view.state is State.TURN
        assert len(view.entries) == len(TURNS)


def test_both_homeworlds_may_stand_there_before_anybody_says_so() -> None:
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), HOMEWORLDS, by_inference)
        game = homeworlds.Game()
        for text in TURNS[:2]:
            after = game.push_text(text)
        view = session.end_turn(game.to_move.opposite, How.BUTTON, reading_of(after))
        if view.state is State.UNSURE:  # it may ask, but it knows
            assert view.choices[0][0].startswith("South sets up South")
            view = session.choose(0)
        assert [entry.text for entry in view.entries] == list(TURNS[:2])


@pytest.mark.parametrize("text", ["build g1 South", "trade g3 South y"])
def test_the_last_turn_may_be_taken_back_on_the_table(text: str) -> None:
    game = homeworlds.Game()
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), HOMEWORLDS, by_inference)
        for turn in (*TURNS[:2], text):
            session.end_turn(game.to_move, How.BUTTON, reading_of(game.push_text(turn)))
        game.pop()
        view = session.end_turn(session.view.to_move, How.BUTTON, reading_of(game.position))
        assert view.state is State.UNSURE
        (taken_back,) = [number for number, (words, *_) in enumerate(view.choices) if "taken back" in words]
        assert session.choose(taken_back).position.pieces == game.position.pieces


def test_the_look_by_which_table_and_record_agreed_last_is_named() -> None:
    game, looks = homeworlds.Game(), iter(range(9))
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), HOMEWORLDS, by_inference)

        def end(of: homeworlds.Position) -> str:
            picture = b"look %d" % next(looks)
            session.end_turn(session.view.to_move, How.BUTTON, reading_of(of), photo=picture)
            return photo_name(picture)

        assert session.view.seen == ""
        for turn in (*TURNS[:2], "build g1 South"):
            look = end(game.push_text(turn))
            assert session.view.seen == look
        end(homeworlds.Position.parse("<1>; South(0,r2b1)g1g3-; North(1,y1b3)-r1g3"))  # of a colour North has not
        assert (session.view.state, session.view.seen) == (State.ILLEGAL, look)
        end(game.position)
        session.pause()
        session.resume()
        assert session.view.seen == look, "it still shows what was agreed on then"
        game.pop()
        back = end(game.position)
        assert session.view.seen == look, "nobody has said yet that it was taken back"
        session.choose(next(n for n, (words, _) in enumerate(session.view.choices) if "taken back" in words))
        assert session.view.seen == back
        session.undo()
        assert session.view.seen == "", "nothing was looked at"


CORNERS = ((10.0, 470.0), (630.0, 470.0), (630.0, 10.0), (10.0, 10.0))


@pytest.mark.parametrize(("board", "state"), [(CORNERS, State.TURN), ((), State.UNSURE)])
def test_an_empty_board_that_was_seen_begins_settlers_and_no_board_at_all_is_asked_about(
    board: tuple[tuple[float, float], ...], state: State
) -> None:
    empty = replace(reading_of(settlers.Position({}, S)), board=board)
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), SETTLERS, by_inference)
        view = session.end_turn(None, How.BUTTON, empty)
        assert (view.state, view.entries) == (state, ())
        if state is State.UNSURE:
            assert view.choices[0][0] == "The board is empty: South begins."
            view = session.choose(0)
        assert (view.sentence, view.entries) == ("South’s turn.", ())
        view = session.end_turn(None, How.BUTTON, replace(reading_of(settlers.Position({}, S)), board=CORNERS))
        assert view.state is State.UNSURE
        assert view.choices[0][0] == "South passes."
