"""A turn in the making: steps are tried one by one, and refused with a reason where the rules forbid them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rules.errors import IllegalTurn
from rules.homeworlds import refusals
from rules.homeworlds.endings import settled
from rules.homeworlds.options import Options, SelfElimination
from rules.homeworlds.packed import (
    BLUE,
    COLOR_INDEX,
    COLOR_OF,
    COLORS,
    GREEN,
    RED,
    SHIP,
    SIZE_OF,
    STAR,
    UNIT,
    YELLOW,
    Packed,
    packed,
    smallest,
)
from rules.homeworlds.position import Position
from rules.homeworlds.search import set_ups, steps_from
from rules.homeworlds.steps import (
    Build,
    Capture,
    Catastrophe,
    Discover,
    Homeworld,
    Move,
    Pass,
    Sacrifice,
    Step,
    Trade,
    Turn,
)
from rules.homeworlds.system import check_name
from rules.homeworlds.table import Table
from rules.outcomes import Termination
from rules.pieces import KINDS, Color, Piece, Size
from rules.seats import Seat

_POWER_OF: Final = {Build: GREEN, Trade: BLUE, Move: YELLOW, Discover: YELLOW, Capture: RED}
_NO_CAUSES: Final[Mapping[int, Termination]] = {}


class PartialTurn:
    """The steps of a turn so far, and what they have made of the table. Never changed; each step gives a new one.

    Attributes:
        start: the table at the start of the turn.
        table: the table now.
        steps: the steps so far.
        is_set_up: whether this is the player's first turn, on which the home is set up.
        sacrificed: index of the colour whose actions a sacrifice has bought, or -1.
        actions_left: how many actions may still be done; one before the turn's action.

    >>> turn = begin(Position.parse("<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"))
    >>> turn.apply(Build(Piece.parse("g1"), "South")).end().line
    '<1>; South(0,r2b1)g1g3-; North(1,y1b3)-g3'
    >>> turn.apply(Build(Piece.parse("g2"), "South"))
    Traceback (most recent call last):
    rules.errors.IllegalTurn: You must build the smallest green piece of the bank: g1, not g2.
    """

    __slots__ = ("_causes", "actions_left", "is_set_up", "options", "sacrificed", "start", "steps", "table")

    def __init__(
        self,
        start: Table,
        options: Options,
        table: Table,
        is_set_up: bool,
        steps: Turn = (),
        sacrificed: int = -1,
        actions_left: int = 1,
        causes: Mapping[int, Termination] = _NO_CAUSES,
    ) -> None:
        """Use :func:`begin`."""
        self.start = start
        self.options = options
        self.table = table
        self.is_set_up = is_set_up
        self.steps = steps
        self.sacrificed = sacrificed
        self.actions_left = actions_left
        self._causes = causes

    # What can be asked

    @property
    def position(self) -> Position:
        """The position at the start of the turn."""
        return self.start.position()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats taken, in turn order."""
        return self.start.seats

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.start.seats[self.start.to_move]

    def has_home(self, seat: Seat) -> bool:
        """Whether *seat* had a home at the start of the turn."""
        index = self.seats.index(seat)
        return any(system.home == index for system in self.start.systems.values())

    @property
    def extra_ships(self) -> tuple[Size, ...]:
        """The sizes of the ships that are set up besides the first: those of the junior's head start (ruling 25)."""
        return self.options.extra_ships if self.is_set_up and self.options.junior is self.to_move else ()

    def system(self, name: str) -> str | None:
        """How the system is written that may be given in other case; ``None`` when there is none."""
        return self.table.exact_name(name)

    def owners_of(self, piece: Piece, system: str) -> tuple[Seat, ...]:
        """The opponents who have such a ship at *system*, by its exact name."""
        there = self.table.systems.get(system)
        kind, mover = piece.kind, self.start.to_move
        if there is None:
            return ()
        return tuple(seat for i, seat in enumerate(self.seats) if i != mover and kind in there.kinds[i])

    def smallest(self, color: Color) -> Piece | None:
        """The smallest piece of a colour in the bank."""
        kind = smallest(self.table.bank, COLOR_INDEX[color])
        return None if kind < 0 else KINDS[kind]

    @property
    def causes(self) -> dict[Seat, Termination]:
        """For each player without a ship at home now, what took the last one."""
        return {self.seats[index]: cause for index, cause in self._causes.items() if self._is_homeless(index)}

    def _is_homeless(self, seat: int) -> bool:
        return not any(one.home == seat and one.ships[seat] for one in self.table.systems.values())

    # What can be done

    def apply(self, step: Step) -> PartialTurn:
        """The turn with one more step; an :class:`IllegalTurn` says why it cannot be done."""
        if self.is_set_up:
            return self._set_up(step)
        return _APPLY[type(step)](self, step)

    def play(self, steps: Turn) -> PartialTurn:
        """The turn with all of these *steps*."""
        turn = self
        for step in steps:
            turn = turn.apply(step)
        return turn

    @property
    def can_end(self) -> bool:
        """Whether the turn may end here: always but before the set-up, and where an option forbids it."""
        try:
            self.check_end()
        except IllegalTurn:
            return False
        return True

    def check_end(self) -> None:
        """An :class:`IllegalTurn` when the turn cannot end here (rulings 7, 10)."""
        if not self.steps and self.is_set_up:
            raise refusals.pass_at_set_up(self.to_move)
        if self.options.self_elimination is SelfElimination.FORBIDDEN and self.gives_up_home:
            raise refusals.self_elimination(self.to_move)

    @property
    def gives_up_home(self) -> bool:
        """Whether ending here would put the player out of the game."""
        return bool(self.steps) and self._is_homeless(self.start.to_move)

    def end(self) -> Position:
        """The position at the start of the next turn, those who are out having lost their homes."""
        return self.end_table()[0].position()

    def end_table(self) -> tuple[Table, tuple[int, ...]]:
        """As :meth:`end`, in the engine's form, with the indices of the seats that are out."""
        self.check_end()
        return settled(self.start, self.table)

    def legal_steps(self) -> Iterator[Step]:
        """Every legal next step, new systems being called by a free name."""
        if self.is_set_up:
            yield from set_ups(self.table, self.options, self.extra_ships) if not self.steps else ()
            return
        yield from steps_from(self.table, self.sacrificed, self.actions_left)

    # The steps

    def _with(self, step: Step, changes: dict[str, Packed | None], done: int = 1) -> PartialTurn:
        """The turn after *step*, which has exchanged some systems and taken *done* actions."""
        table = self.table.exchanged(changes)
        causes = self._causes
        for name in changes:
            old = self.table.systems.get(name)
            if old is not None and old.home >= 0 and old.ships[old.home]:
                new = changes[name]
                if new is None or not new.ships[old.home]:
                    causes = {**causes, old.home: _cause(step, new)}
        return PartialTurn(
            self.start,
            self.options,
            table,
            self.is_set_up,
            (*self.steps, step),
            self.sacrificed,
            self.actions_left - done,
            causes,
        )

    def _set_up(self, step: Step) -> PartialTurn:
        if isinstance(step, Pass):
            raise refusals.pass_at_set_up(self.to_move)
        if not isinstance(step, Homeworld):
            raise refusals.set_up_first(self, step)
        if self.steps:
            raise refusals.already_set_up(self, step)
        refusals.check_set_up(self, step)
        seat = self.start.to_move
        code = seat + 1 + sum(STAR[star.kind] for star in step.stars)
        code += sum(SHIP[seat][ship.kind] for ship in (step.ship, *step.extra))
        return self._with(step, {step.name: packed(code)})

    def _set_up_again(self, step: Homeworld) -> PartialTurn:
        raise refusals.already_set_up(self, step)

    def _own_system(self, step: Build | Trade | Sacrifice, piece: Piece) -> tuple[Packed, int]:
        """The system of a *step* and the kind of the own ship *piece* there."""
        there = self.table.systems.get(step.system)
        kind = piece.kind
        if there is None or kind not in there.kinds[self.start.to_move]:
            raise refusals.no_such_ship(self, step, piece, step.system)
        return there, kind

    def _check_power(self, step: Step, there: Packed, name: str) -> None:
        """An :class:`IllegalTurn` unless the action of *step* may be done at *there*, called *name*."""
        power = _POWER_OF[type(step)]
        if self.actions_left <= 0:
            raise refusals.action_used(self, step)
        if self.sacrificed < 0:
            if not there.powers[self.start.to_move] >> power & 1:
                raise refusals.no_power(self, step, COLORS[power], name)
        elif self.sacrificed != power:
            raise refusals.wrong_sacrifice(self, step, COLORS[power])

    def _build(self, step: Build) -> PartialTurn:
        there = self.table.systems.get(step.system)
        mover = self.start.to_move
        if there is None or not there.ships[mover]:
            raise refusals.no_ship_there(self, step, step.system)
        self._check_power(step, there, step.system)
        kind = step.piece.kind
        color = COLOR_OF[kind]
        if not any(COLOR_OF[own] == color for own in there.kinds[mover]):
            raise refusals.no_ship_of_color(self, step)
        if kind != smallest(self.table.bank, color):
            raise refusals.not_smallest(self, step)
        return self._with(step, {step.system: packed(there.code + SHIP[mover][kind])})

    def _trade(self, step: Trade) -> PartialTurn:
        there, kind = self._own_system(step, step.piece)
        self._check_power(step, there, step.system)
        if step.color is step.piece.color:
            raise refusals.same_color(self, step)
        wanted = 3 * COLOR_INDEX[step.color] + kind % 3
        if not self.table.bank & 7 * UNIT[wanted]:
            raise refusals.trade_not_in_bank(self, step, KINDS[wanted])
        units = SHIP[self.start.to_move]
        return self._with(step, {step.system: packed(there.code - units[kind] + units[wanted])})

    def _departure(self, step: Move | Discover) -> tuple[Packed, int]:
        there = self.table.systems.get(step.origin)
        kind = step.piece.kind
        if there is None or kind not in there.kinds[self.start.to_move]:
            raise refusals.no_such_ship(self, step, step.piece, step.origin)
        self._check_power(step, there, step.origin)
        return there, kind

    def _move(self, step: Move) -> PartialTurn:
        there, kind = self._departure(step)
        target = self.table.systems.get(step.target)
        if target is None:
            raise refusals.system_unknown(self, step, step.target)
        if target is there or target.sizes & there.sizes:
            raise refusals.not_connected(self, step)
        mover = self.start.to_move
        arrived = packed(target.code + SHIP[mover][kind])
        return self._with(step, {step.origin: there.without(mover, kind), step.target: arrived})

    def _discover(self, step: Discover) -> PartialTurn:
        there, kind = self._departure(step)
        star = step.star.kind
        if there.sizes >> SIZE_OF[star] & 1:
            raise refusals.star_size_shared(self, step)
        if not self.table.bank & 7 * UNIT[star]:
            raise refusals.star_not_in_bank(self, step)
        check_name(step.name)
        if self.table.exact_name(step.name) is not None:
            raise refusals.name_taken(self, step.name)
        mover = self.start.to_move
        found = packed(STAR[star] + SHIP[mover][kind])
        return self._with(step, {step.origin: there.without(mover, kind), step.name: found})

    def _capture(self, step: Capture) -> PartialTurn:
        there = self.table.systems.get(step.system)
        mover = self.start.to_move
        if there is None:
            raise refusals.system_unknown(self, step, step.system)
        owner, kind = self.seats.index(step.owner) if step.owner in self.seats else -1, step.piece.kind
        if owner == mover:
            raise refusals.own_ship(self, step)
        if owner < 0 or kind not in there.kinds[owner]:
            raise refusals.no_such_target(self, step)
        if not there.ships[mover]:
            raise refusals.no_ship_there(self, step, step.system)
        if self.actions_left <= 0 or self.sacrificed not in (-1, RED):
            raise refusals.too_late_to_capture(self, step)
        self._check_power(step, there, step.system)
        if SIZE_OF[kind] > there.biggest[mover]:
            raise refusals.too_big(self, step)
        return self._with(step, {step.system: packed(there.code - SHIP[owner][kind] + SHIP[mover][kind])})

    def _sacrifice(self, step: Sacrifice) -> PartialTurn:
        there, kind = self._own_system(step, step.piece)
        if self.sacrificed >= 0 or self.actions_left <= 0:
            raise refusals.action_used(self, step)
        turn = self._with(step, {step.system: there.without(self.start.to_move, kind)}, done=1 - SIZE_OF[kind])
        turn.sacrificed = COLOR_OF[kind]
        return turn

    def _catastrophe(self, step: Catastrophe) -> PartialTurn:
        there = self.table.systems.get(step.system)
        if there is None:
            raise refusals.system_unknown(self, step, step.system)
        color = COLOR_INDEX[step.color]
        if color not in there.overpopulated:
            raise refusals.not_overpopulated(self, step, there.count_of_color(color))
        return self._with(step, {step.system: there.after_catastrophe(color)}, done=0)

    def _pass(self, step: Pass) -> PartialTurn:
        if self.actions_left <= 0:
            raise refusals.action_used(self, step)
        return self._with(step, {})


_APPLY: Final[dict[type, Callable[..., PartialTurn]]] = {
    Homeworld: PartialTurn._set_up_again,
    Build: PartialTurn._build,
    Trade: PartialTurn._trade,
    Move: PartialTurn._move,
    Discover: PartialTurn._discover,
    Capture: PartialTurn._capture,
    Sacrifice: PartialTurn._sacrifice,
    Catastrophe: PartialTurn._catastrophe,
    Pass: PartialTurn._pass,
}


def _cause(step: Step, left: Packed | None) -> Termination:
    """What has taken the last ships of a player from a home of which *left* is left."""
    if isinstance(step, Capture):
        return Termination.DIRECT_ASSAULT
    if isinstance(step, Catastrophe):
        return Termination.STAR_DEMOLITION if left is None else Termination.FLEET_CATASTROPHE
    return Termination.SELF_ELIMINATION


def begin(position: Position, options: Options | None = None) -> PartialTurn:
    """The turn of the player to move, nothing done yet; a :class:`RulesError` for an impossible position."""
    return begin_at(Table.of(position), options or Options())


def begin_at(table: Table, options: Options) -> PartialTurn:
    """As :func:`begin`, from the engine's form."""
    setting_up = all(system.home != table.to_move for system in table.systems.values())
    return PartialTurn(table, options, table, setting_up)
