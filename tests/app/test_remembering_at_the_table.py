"""Games at a table whose reader errs: what nobody touched is known, and turns are told as they were played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from remembered_tables import (
    BUMPS,
    VIEWS,
    Bump,
    left_alone,
    misread,
    seen_from,
    shot,
)
from session_scripts import fast_folder

from companion_app.cameras import Frame, Hand, Still
from companion_app.inferring import Kind
from companion_app.live import Conductor
from companion_app.live.laying import Layer
from companion_app.notation import Position, parse_position
from companion_app.photos import Photo
from companion_app.reading_types import Game, Reading
from companion_app.session import GameLog, GameSession, How, State, Terms
from companion_app.session.ruling import by_inference
from rules import homeworlds
from vision.sight import Seat

Ship = tuple[str, Seat]


class Table:
    """A table with its bank out of the picture, and a reader that errs about a ship, at each look in another way."""

    def __init__(self, log: GameLog) -> None:
        begun = homeworlds.Position.parse("<0>; South(0,r2b1)g3y1-; North(1,y1b3)-g3r1")
        self._log = log
        self.session = GameSession.begin(log, Terms.of_position(begun, homeworlds.Options()), by_inference)
        self.conductor = Conductor(self.session, self, clock=lambda: self.time)
        self.time, self.bumps, self._layer = (
            0.0,
            [(0.0, 0.0, 0.0)],
            Layer(Game.HOMEWORLDS, 17, VIEWS[Game.HOMEWORLDS]),
        )
        self._laid = self._layer.lay(begun)
        self.lay(begun)
        self._ended = self.reading

    def read(self, picture: Photo, view: int, lens: float | None = None) -> Reading:
        del picture, view, lens
        return self.reading

    def read_kept(self, picture: Photo) -> Reading | None:
        """What was read when the last turn was ended, if that is what the picture shows."""
        now = self._still.picture
        return self._ended if np.abs(picture.astype(int) - now).mean() < 10 else None

    def lay(self, position: Position, ship: Ship | None = None) -> None:
        """A hand makes the table this one; a *ship* which it does not touch is misread, and then not seen."""
        before, self._laid = self._laid, self._layer.lay(position)
        alone, seen = left_alone(before, self._laid), seen_from(self.bumps[-1], self._laid)
        pieces = zip(self._laid.reading.pieces, seen.reading.pieces, strict=True)
        which = [piece for true, piece in pieces if true in alone and (true.code, true.owner) == ship][:1]
        assert len(which) == bool(ship)
        table = tuple(piece for piece in seen.reading.pieces if piece.on_table)
        seen = replace(seen, reading=replace(seen.reading, pieces=table))
        for error in ("of another colour", "missed"):
            self.conductor.see(Hand())
            self.reading = misread(seen, which, error)
            self.time += 1
            frame = Frame(shot(seen.picture, int(self.time)), int(self.time), self.time)
            self._still = Still((frame,), self.time, len(self.bumps))
            self.conductor.see(self._still)

    def begin_again(self, *, forgetting: bool = False) -> None:
        """The program is begun again, and takes the game up; *forgetting* its photos, if they are lost."""
        if forgetting:
            for photo in self._log.photos.iterdir():
                photo.unlink()
        self.session = GameSession(self._log, self.session.game, by_inference)
        self.conductor = Conductor(self.session, self, clock=lambda: self.time)

    def end_turn(self) -> list[str]:
        """The turn is over; the record after that."""
        self.conductor.end_turn(None, How.BUTTON)
        self.time += 0.1
        frame = replace(self._still.frames[0], at=self.time)
        self.conductor.see(replace(self._still, frames=(frame,)))
        self._ended = self.reading
        return [entry.text for entry in self.session.view.entries]

    def play(self, text: str, ship: Ship | None = None) -> list[str]:
        """A turn is played and ended; by the reading alone it is none if that misses a ship."""
        position = self.session.view.position
        assert isinstance(position, homeworlds.Position)
        self.lay(homeworlds.Game(position=position).push_text(text), ship)
        assert (self.judged_alone(position) is Kind.LEGAL) == (ship is None)
        return self.end_turn()

    def judged_alone(self, position: Position) -> Kind:
        """What the last look shows to somebody who remembers nothing."""
        return by_inference(position, homeworlds.Options(), self.reading, ()).best.kind


@pytest.fixture
def table() -> Iterator[Table]:
    with fast_folder() as folder:
        yield Table(GameLog(folder))


@pytest.mark.parametrize("bumps", [[], *([bump] for bump in BUMPS)])
def test_what_is_misread_at_each_look_hides_no_turn_once_one_is_agreed_on(table: Table, bumps: list[Bump]) -> None:
    table.play("build g1 South")
    table.play("build g1 North")
    table.bumps += bumps
    played = table.play("build g1 South", ("g1", Seat.SOUTH))
    assert played == ["build g1 South", "build g1 North", "build g1 South"]
    assert table.session.view.state is State.LEGAL


@pytest.mark.parametrize("bumps", [[], BUMPS[:1]])
def test_the_table_is_known_though_the_program_was_begun_again(table: Table, bumps: list[Bump]) -> None:
    table.play("build g1 South")
    table.play("build g1 North")
    table.begin_again()
    table.bumps += bumps
    assert table.play("build g1 South", ("g1", Seat.SOUTH))[2:] == ["build g1 South"]
    assert table.session.view.state is State.LEGAL


def test_without_its_photo_the_table_is_read_as_it_is(table: Table) -> None:
    table.play("build g1 South")
    table.begin_again(forgetting=True)
    assert table.play("build g1 North") == ["build g1 South", "build g1 North"]


def test_after_undoing_the_table_is_known_as_it_was_then(table: Table) -> None:
    table.play("build g1 South")
    table.play("trade g3 North r")
    table.session.undo()
    assert table.play("trade g3 North r") == ["build g1 South", "trade g3 North r"]
    table.session.undo()
    assert table.play("build r1 North", ("r1", Seat.NORTH)) == ["build g1 South", "build r1 North"]
    table.session.take_back(0)
    assert table.play("build y1 South", ("y1", Seat.SOUTH)) == ["build y1 South"]


def test_a_turn_against_the_rules_is_refused_still(table: Table) -> None:
    table.play("build g1 South")
    recorded = table.play("build g1 North")
    before = table.session.view.position
    built = parse_position("<0>; South(0,r2b1)g3y1g1r1-; North(1,y1b3)-g3r1g1")  # of a colour that South has not
    table.lay(built, ("g1", Seat.SOUTH))
    assert table.judged_alone(before) is Kind.LEGAL  # a trade
    assert table.end_turn() == recorded
    assert table.session.view.state is State.ILLEGAL
    table.lay(before)
    table.end_turn()
    assert table.play("build g1 South", ("g1", Seat.SOUTH)) == [*recorded, "build g1 South"]
