"""What is agreed on before a game: which game, who plays and begins, the options, and the table it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion_app.errors import AppError
from companion_app.json_fields import Fields
from companion_app.notation import Position
from rules import Seat, homeworlds, settlers
from rules.frozen import FrozenMap
from rules.option_values import read_options, written_options
from rules.records import GameKind, Record, read_record, write_record

Game = homeworlds.Game | settlers.Game
Options = homeworlds.Options | settlers.Options


@dataclass(frozen=True)
class Terms:
    """The terms of a game; :meth:`check` says whether it can be played on them.

    Attributes:
        players: the seats taken, in turn order from the beginner on.
        start: the line of the first position; empty for the empty table, on which homes are set up first.
        names: what the players are called, by seat.
        lay_out: whether the first position has still to be put on the table.

    >>> terms = Terms(GameKind.SETTLERS, (Seat.NORTH, Seat.SOUTH), settlers.Options())
    >>> terms.new_game().to_move.word
    'North'
    """

    game: GameKind
    players: tuple[Seat, ...]
    options: Options
    start: str = ""
    names: Mapping[Seat, str] = field(default_factory=lambda: FrozenMap({}))
    lay_out: bool = False

    @classmethod
    def of_nothing(
        cls, options: Options, seats: tuple[Seat, ...], beginner: Seat, *, names: Mapping[Seat, str] | None = None
    ) -> Terms:
        """A game from the empty table or board on; an AppError for a *beginner* who has none of the *seats*."""
        if beginner not in seats:
            there = ", ".join(seat.word for seat in seats)
            raise AppError("seat_empty", f"Nobody sits at {beginner.word}: choose who begins among {there}.")
        players = _from(beginner, seats)
        kind = GameKind.HOMEWORLDS if isinstance(options, homeworlds.Options) else GameKind.SETTLERS
        return cls(kind, players, options, names=_seated(names, players))

    @classmethod
    def of_position(
        cls,
        position: Position,
        options: Options,
        *,
        names: Mapping[Seat, str] | None = None,
        lay_out: bool = False,
    ) -> Terms:
        """A game from *position* on; who is to move in it counts as the beginner."""
        kind, seats = GameKind.SETTLERS, settlers.SEATS
        if isinstance(position, homeworlds.Position):
            kind, seats = GameKind.HOMEWORLDS, position.seats
        players = _from(position.to_move, seats)
        return cls(kind, players, options, position.line, _seated(names, players), lay_out)

    @classmethod
    def of_record(cls, record: Record, names: Mapping[Seat, str] | None = None) -> Terms:
        """The terms that a recorded game was played on; a RulesError for an option that does not exist."""
        options: Options
        if record.game is GameKind.HOMEWORLDS:
            options = read_options(homeworlds.Options, record.options)
        else:
            options = read_options(settlers.Options, record.options)
        return cls(record.game, record.players, options, record.start, FrozenMap(names or {}))

    @property
    def beginner(self) -> Seat:
        """Who has the first turn."""
        return self.players[0]

    @property
    def is_for_two(self) -> bool:
        """Whether two play, who face each other: only then does a picture show whose ship points where."""
        return len(self.players) == 2

    @property
    def redless(self) -> bool:
        """Whether it is Settlers without the red pieces."""
        return isinstance(self.options, settlers.Options) and self.options.redless

    def new_game(self) -> Game:
        """The game before its first turn; a RulesError where there can be none."""
        if isinstance(self.options, homeworlds.Options):
            start = homeworlds.Position.parse(self.start, len(self.players)) if self.start else None
            return homeworlds.Game(self.options, start, len(self.players), self.beginner)
        if len(self.players) != 2:
            raise AppError("players_wrong", "Settlers is for two players: South and North.")
        board = settlers.Position.parse(self.start, self.options.redless) if self.start else None
        return settlers.Game(self.options, board, self.beginner)

    def check(self) -> None:
        """A RulesError or AppError where no game can be played on these terms."""
        self.new_game()

    def to_json(self) -> dict[str, Any]:
        """As the log keeps it: the header of a game file, the names, and whether to lay it out first."""
        names = {seat.value: name for seat, name in self.names.items()}
        laid = {"lay_out": True} if self.lay_out else {}
        return {"terms": write_record(self._header()), "names": names} | laid

    @classmethod
    def from_json(cls, data: object) -> Terms:
        """From ``to_json``; a BadReading or RulesError for anything else."""
        fields = Fields(data, "beginning")
        named = fields.inner("names")
        names = {seat: named.text(seat.value) for seat in Seat if named.has(seat.value)}
        terms = cls.of_record(read_record(fields.text("terms")), names)
        return cls(terms.game, terms.players, terms.options, terms.start, terms.names, fields.yes("lay_out"))

    def _header(self) -> Record:
        return Record(self.game, self.players, (), written_options(self.options), self.start)


def _seated(names: Mapping[Seat, str] | None, players: tuple[Seat, ...]) -> FrozenMap[Seat, str]:
    """The names of those who play."""
    return FrozenMap({seat: name for seat, name in (names or {}).items() if seat in players})


def _from(beginner: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    first = seats.index(beginner)
    return seats[first:] + seats[:first]
