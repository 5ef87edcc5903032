"""Every option of both games changes what happens: by a record, as it is typed, and by what a camera reads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields

import pytest
from session_scripts import HOMES, fast_folder, reading_of

from companion_app.errors import AppError
from companion_app.game_files import read_game
from companion_app.game_files.records import play, record_of
from companion_app.notation import Position
from companion_app.session import GameLog, GameSession, How, State, Terms
from companion_app.session.course import Asked
from companion_app.session.referee import Referee
from companion_app.session.ruling import by_inference
from companion_app.web.typed import as_recorded, or_else, turn_typed
from rules import RulesError, Seat, homeworlds, settlers
from rules.records import GameKind, Record, RecordedTurn, read_record, write_record

THREE = "<0>; North(0,r2g1)g1g2g3--; East(1,y1b3)r3-g1-; South(2,g1b2)--r3"
SET_UP = ("homeworld r2 b1 g3 South", "homeworld y1 b3 g3 North")


@dataclass(frozen=True)
class Case:
    """A game that goes otherwise with an option than without.

    Attributes:
        option: the option that makes the difference, and its value.
        others: what both games are played with.
        turns: what is done, in turn; whatever is not legal ends it.
        comes: how far that is with the option, and how the game stands then; ``without`` the same without it.
        start: the position that it begins with.
        players: how many play.
        instead: what the other game has in place of the option.
    """

    option: str
    turns: tuple[str, ...]
    comes: str
    without: str
    others: str = ""
    start: str = ""
    players: int = 2
    instead: str = ""

    def terms(self, *, with_it: bool) -> Terms:
        """The terms of the game."""
        known = {field.name for field in fields(homeworlds.Options)}
        names = [option.split(" = ")[0] for option in filter(None, (self.option, self.others))]
        kind = GameKind.HOMEWORLDS if names[0] in known else GameKind.SETTLERS
        texts = [text for text in ((self.option if with_it else self.instead), *self.others.split("; ")) if text]
        seats = (Seat.SOUTH, Seat.NORTH) if self.players == 2 else (Seat.NORTH, Seat.EAST, Seat.SOUTH)
        pairs = tuple((name, value) for name, value in (text.split(" = ") for text in texts))
        return Terms.of_record(Record(kind, seats, (), pairs, self.start))


CASES = [
    Case(
        "self_elimination = forbidden",
        ("discover g3 South r3 Sol *",),
        "0, South",
        "1, North wins",
        start="<0>; South(0,y2b1)g3-; North(1,y1b3)-g3",
    ),
    Case("first_ship_sizes = small", ("homeworld b1 r2 g1 South",), "1, North", "0, South"),
    Case("home_stars = 1", ("homeworld b1 g3 South",), "1, North", "0, South"),
    Case("repetition_claim = yes", ("pass",) * 4 + ("claim repetition",), "5, draw", "4, South", start=HOMES),
    Case("victory = left neighbour", ("capture g1 East",), "1, North wins", "1, South", start=THREE, players=3),
    Case(
        "evil = east",
        ("capture g1 East",),
        "1, North and South win",
        "1, South",
        "victory = good and evil",
        instead="evil = south",
        start=THREE,
        players=3,
    ),
    Case("extra_ships = small", ("homeworld r2 b1 g3 g1 South",), "1, North", "0, South", "junior = south"),
    Case("junior = south", ("ask advice",), "1, South", "0, South", "tactical_computer = 1", HOMES),
    Case("timewarp = 1", (*SET_UP, "build g1 South"), "3, South", "3, North", "junior = south"),
    Case("brain_transference = yes", ("swap seats",), "1, South", "0, South", "junior = south", HOMES),
    Case("tactical_computer = 1", ("ask advice", "pass"), "2, North", "0, South", "junior = south", HOMES),
    Case("yellow_moves_any = yes", ("Y c3: d4-d5",), "1, North", "0, South", start="6/6/3G12/2y13/6/6 S 0"),
    Case("redless = yes", ("^ g1 c3", "pass", "G c3: r1 d4"), "2, South", "3, North"),
    Case("handicap = north", ("^ g1 c3", "G c3: b1 c4"), "2, North", "1, North"),
    Case("handicap_size = large", ("^ g1 c3", "pass", "^ g3 d4"), "3, South", "2, North", "handicap = north"),
    Case("landing_size = medium", ("^ g2 c3",), "1, North", "0, South"),
    Case("quiet_limit = 2", ("^ g1 c3", "^ g1 e5"), "2, North wins", "2, South"),
]


def test_every_option_is_in_the_table() -> None:
    """But the warning, which changes nothing that is played: see the tests of red alerts."""
    there = {case.option.split(" = ")[0] for case in CASES}
    assert there | {"red_alert"} == {
        field.name for kind in (homeworlds.Options, settlers.Options) for field in fields(kind)
    }


def stands(number: int, game: homeworlds.Game | settlers.Game) -> str:
    """How far a game came, and who has won or is to move."""
    outcome = game.outcome()
    if outcome is None:
        return f"{number}, {game.to_move.word}"
    won = " and ".join(seat.word for seat in outcome.winners)
    return f"{number}, {won} {'win' if len(outcome.winners) > 1 else 'wins'}" if won else f"{number}, draw"


def by_record(case: Case, terms: Terms) -> str:
    """The turns written down, each as its player's, read again and played by ``check`` and ``replay``."""
    game = terms.new_game()
    done = 0
    for text in case.turns:
        try:
            play(game, RecordedTurn(game.to_move, text))
        except RulesError:
            break
        done += 1
    if not done:
        return stands(0, game)
    record = record_of(game)
    opened = read_game(write_record(record))
    assert read_record(write_record(record)) == record
    assert (opened.verdict().is_ok, opened.verdict().turns) == (True, done)
    assert [ply.position for ply in opened.plies()][-1:] == [game.position]
    return stands(done, game)


def typed(case: Case, terms: Terms) -> str:
    """Typed on the page."""

    def turn(session: GameSession, text: str, _after: Position) -> None:
        session.end_turn(None, How.PAGE, turn_typed(Referee.of(session.course), text))

    return at_a_table(case, terms, turn)


def by_camera(case: Case, terms: Terms) -> str:
    """Read from the table, on which each turn has been played whether or not it is legal."""

    def turn(session: GameSession, _text: str, after: Position) -> None:
        mover = session.view.to_move
        view = session.end_turn(mover, How.BUTTON, reading_of(after))
        if view.state is State.UNSURE and isinstance(asked := session.course.open, Asked):
            offered = [choice.payload.get("turns", [{"text": ""}])[-1]["text"] for choice in asked.choices]
            played = [number for number, text in enumerate(offered) if leads_to(session, text) == after.pieces]
            if played:
                session.choose(played[0])

    def leads_to(session: GameSession, text: str) -> object:
        game = Referee.of(session.course).game
        with suppress(RulesError):
            return game.push_text(text).pieces
        return None

    return at_a_table(case, terms, turn)


SPECIALS: dict[str, Callable[[GameSession], object]] = {
    "claim repetition": GameSession.claim_repetition,
    "swap seats": GameSession.swap_seats,
    "ask advice": GameSession.ask_advice,
}


def at_a_table(case: Case, terms: Terms, turn: Callable[[GameSession, str, Position], None]) -> str:
    """A session in which *turn* plays what is no special; the position after it by the terms that allow it."""
    played = case.terms(with_it=case.comes >= case.without).new_game()
    with fast_folder() as folder:
        session = GameSession.begin(GameLog(folder), terms, or_else(by_inference))
        if session.view.state is State.SETUP and terms.game is GameKind.SETTLERS:
            session.end_turn(None, How.PAGE, as_recorded(session.view.position))
        for text in case.turns:
            play(played, RecordedTurn(played.to_move, text))
            before = len(session.view.entries)
            try:
                if text in SPECIALS:
                    SPECIALS[text](session)
                else:
                    turn(session, text, played.position)
            except (AppError, RulesError):
                break
            if len(session.view.entries) == before:
                break
        assert GameSession(GameLog(folder), session.game, by_inference).view.position == session.view.position
        return stands(len(session.view.entries), Referee.of(session.course).game)


DOORS = [by_record, typed, by_camera]
"""By camera two can play only."""


@pytest.mark.parametrize(
    ("case", "door"),
    [(case, door) for case in CASES for door in DOORS if case.players == 2 or door is not by_camera],
    ids=lambda one: one.option if isinstance(one, Case) else one.__name__,
)
def test_an_option_changes_what_happens(case: Case, door: Callable[[Case, Terms], str]) -> None:
    assert door(case, case.terms(with_it=True)) == case.comes
    assert door(case, case.terms(with_it=False)) == case.without
