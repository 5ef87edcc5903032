"""What the end of a turn brings: who is out, who is next, and whether the game is over (rulings 8, 22, 23)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.homeworlds.options import Options, Victory
from rules.homeworlds.packed import Packed
from rules.homeworlds.table import Table
from rules.outcomes import Outcome, Termination
from rules.seats import Seat


def settled(before: Table, after: Table) -> tuple[Table, tuple[int, ...]]:
    """The table at the start of the next turn, and the seats that the turn has put out of the game.

    *before* and *after* are the table at the start and at the end of the turn.
    """
    mover = before.to_move
    standing = {packed.home for packed in after.systems.values() if packed.home >= 0 and packed.ships[packed.home]}
    had_home = {packed.home for packed in before.systems.values() if packed.home >= 0}
    out = tuple(sorted(had_home - standing))
    setting_up = mover not in had_home
    following = [(mover + step) % after.players for step in range(1, after.players + 1)]
    to_move = following[0] if setting_up else next((seat for seat in following if seat in standing), following[0])
    return without_homes(Table(after.systems, after.bank, to_move, after.players), out), out


def without_homes(table: Table, seats: tuple[int, ...]) -> Table:
    """The table where the homes of these *seats* are nobody's any more; their ships stay (ruling 23)."""
    changes: dict[str, Packed | None] = {
        name: packed.without_owner()
        for name, packed in table.systems.items()
        if packed.home >= 0 and packed.home in seats
    }
    return table.exchanged(changes) if changes else table


def elimination_outcome(
    mover: Seat,
    out: Mapping[Seat, Termination],
    standing: tuple[Seat, ...],
    seats: tuple[Seat, ...],
    options: Options,
) -> Outcome | None:
    """How the game ends when *mover*'s turn has put some players *out*, if it does.

    *standing* are those still in the game, *seats* all who play.
    """
    if not out:
        return None
    if len(seats) == 2 or options.victory is Victory.LAST_STANDING:
        return _last_standing(mover, out, standing)
    if options.victory is Victory.LEFT_NEIGHBOUR:
        return _left_neighbour(mover, out, standing, seats)
    return _good_and_evil(mover, out, standing, options)


def goals(mover: int, standing: tuple[int, ...], seats: tuple[Seat, ...], options: Options) -> tuple[set[int], ...]:
    """Sets of seats: *mover* wins by putting out all of any one set and staying in the game."""
    others = {seat for seat in standing if seat != mover}
    if not others:
        return ()
    if len(seats) == 2 or options.victory is Victory.LAST_STANDING:
        return (others,)
    if options.victory is Victory.LEFT_NEIGHBOUR:
        return ({left_neighbour(mover, standing, len(seats))},)
    if seats[mover] in options.evil:
        return tuple({seat} for seat in others)
    evil = {seat for seat in others if seats[seat] in options.evil}
    return (evil,) if evil else ()


def left_neighbour(mover: int, standing: tuple[int, ...], players: int) -> int:
    """The next player clockwise who is still in the game."""
    return next(seat for seat in ((mover + step) % players for step in range(1, players + 1)) if seat in standing)


def _last_standing(mover: Seat, out: Mapping[Seat, Termination], standing: tuple[Seat, ...]) -> Outcome | None:
    if len(standing) > 1:
        return None
    if not standing:
        return Outcome(
            Termination.BOTH_ELIMINATED, (), "A draw: nobody has a ship left at home at the end of the turn."
        )
    return _won(standing, mover, out)


def _left_neighbour(
    mover: Seat, out: Mapping[Seat, Termination], standing: tuple[Seat, ...], seats: tuple[Seat, ...]
) -> Outcome | None:
    in_game = tuple(seats.index(seat) for seat in seats if seat in standing or seat in out)
    target = seats[left_neighbour(seats.index(mover), in_game, len(seats))]
    if mover in standing and target in out:
        return _won((mover,), mover, {target: out[target]})
    return _last_standing(mover, out, standing)


def _good_and_evil(
    mover: Seat, out: Mapping[Seat, Termination], standing: tuple[Seat, ...], options: Options
) -> Outcome | None:
    """The good win together when no evil player is left; an evil player wins alone by putting anybody out."""
    if mover in options.evil and mover in standing:
        return _won((mover,), mover, out)
    if standing and not any(seat in options.evil for seat in standing):
        return _won(standing, mover, out)
    return _last_standing(mover, out, standing)


def _won(winners: tuple[Seat, ...], mover: Seat, out: Mapping[Seat, Termination]) -> Outcome:
    names = " and ".join(seat.word for seat in winners)
    wins = f"{names} {'wins' if len(winners) == 1 else 'win'}"
    if mover in out and out[mover] is not Termination.RESIGNATION:
        return Outcome(
            Termination.SELF_ELIMINATION,
            winners,
            f"{wins}: {mover.word} has given up the home at the end of the turn.",
        )
    victim = next(seat for seat in out if seat not in winners)
    termination = out[victim]
    how = {
        Termination.DIRECT_ASSAULT: f"all ships at {victim.word}'s home are captured",
        Termination.FLEET_CATASTROPHE: f"a catastrophe has destroyed {victim.word}'s last ships at home",
        Termination.STAR_DEMOLITION: f"the stars of {victim.word}'s home are destroyed",
        Termination.RESIGNATION: f"{victim.word} resigns",
    }
    return Outcome(termination, winners, f"{wins}: {how[termination]}.")
