"""Mistakes that players of virtual games make: one step that the rules refuse, and what the table is after it."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice

from companion_app.notation import Position
from companion_app.star_names import STARS
from rules import Color, IllegalTurn, Piece, Seat, Size, homeworlds, settlers

_LOOKED_AT = 3000
"""So many legal turns, the shortest first, are compared with a mistake: it must not look like any of them."""
_NOBODY_DOES = frozenset(
    {"no_ship_there", "no_such_ship", "no_such_target", "own_ship", "not_yours", "same_system", "same_color"}
)
"""Codes of refusals that a table alone cannot show, or that nobody runs into with pieces in hand. Nor does anybody
leave the own home by mistake."""


@dataclass(frozen=True)
class Mistake:
    """A turn against the rules.

    Attributes:
        after: what stands on the table.
        codes: of the refusals that it meets, by whatever piece it is tried.
        rules: the numbers of those.
        words: what was done.
    """

    after: Position
    codes: frozenset[str]
    rules: frozenset[str]
    words: str


def mistake_in(game: homeworlds.Game | settlers.Game, dice: random.Random) -> Mistake | None:
    """Some mistake of the player to move; ``None`` where none comes to mind."""
    found = _in_systems(game) if isinstance(game, homeworlds.Game) else _on_board(game)
    by_kind: dict[str, list[Mistake]] = {}
    for kind, mistake in found:
        by_kind.setdefault(kind, []).append(mistake)
    legal: set[Hashable] | None = None
    for _ in range(20):
        if not by_kind:
            return None
        mistake = dice.choice(by_kind[dice.choice(sorted(by_kind))])
        legal = legal or set(_legal_ends(game))
        if content_of(mistake.after) not in legal:
            return mistake
    return None


def _legal_ends(game: homeworlds.Game | settlers.Game) -> Iterator[Hashable]:
    if isinstance(game, homeworlds.Game):
        yield from (content_of(after) for _, after in islice(game.legal_turns, _LOOKED_AT))
    else:
        yield from (content_of(after) for _, after in islice(game.legal_turns(), _LOOKED_AT))


def content_of(position: Position) -> Hashable:
    """What tells tables apart, whatever systems are called."""
    if isinstance(position, settlers.Position):
        return position.board
    return tuple(sorted(str((one.home, one.stars, dict(one.ships))) for one in position.systems))


# Homeworlds


def _in_systems(game: homeworlds.Game) -> Iterator[tuple[str, Mistake]]:
    begun = game.begin()
    if begun.is_set_up:
        return
    before, seat = game.position, game.to_move
    for step in _tried_steps(before, seat):
        try:
            begun.play((step,)).check_end()
        except IllegalTurn as error:
            after = _done(before, seat, step)
            if error.code not in _NOBODY_DOES and after.homes(seat):
                refused = frozenset({error.code}), frozenset({error.rule})
                yield f"{type(step).__name__} {error.code}", Mistake(after, *refused, f"{seat.word} does {step}")


def _tried_steps(before: homeworlds.Position, seat: Seat) -> Iterator[homeworlds.Step]:
    """Everything that the player's hands could do with one ship."""
    bank = sorted(set(before.bank.pieces))
    names = [system.name for system in before.systems]
    fresh = next(name for name in STARS if name not in names)
    for system in before.systems:
        own = sorted(set(system.ships[seat]))
        if own:
            yield from (homeworlds.Build(piece, system.name) for piece in bank)
        for ship in own:
            yield from (homeworlds.Move(ship, system.name, name) for name in names if name != system.name)
            yield from (homeworlds.Discover(ship, system.name, star, fresh) for star in bank)
            yield from (
                homeworlds.Trade(ship, system.name, color)
                for color in Color
                if color is not ship.color and before.bank[Piece(color, ship.size)]
            )
        for other in before.seats:
            if other is not seat and own:
                yield from (homeworlds.Capture(ship, other, system.name) for ship in sorted(set(system.ships[other])))


def _done(before: homeworlds.Position, seat: Seat, step: homeworlds.Step) -> homeworlds.Position:
    """The table after a step, legal or not; systems that are left by all go back to the bank."""
    fleets = {one.name: {who: list(ships) for who, ships in one.ships.items()} for one in before.systems}
    stars = {one.name: (one.home, one.stars) for one in before.systems}
    match step:
        case homeworlds.Build(piece, system):
            fleets[system][seat].append(piece)
        case homeworlds.Move(piece, origin, target):
            fleets[origin][seat].remove(piece)
            fleets[target][seat].append(piece)
        case homeworlds.Discover(piece, origin, star, name):
            fleets[origin][seat].remove(piece)
            fleets[name], stars[name] = {seat: [piece]}, (None, (star,))
        case homeworlds.Trade(piece, system, color):
            fleets[system][seat].remove(piece)
            fleets[system][seat].append(Piece(color, piece.size))
        case homeworlds.Capture(piece, owner, system):
            fleets[system][owner].remove(piece)
            fleets[system][seat].append(piece)
    return homeworlds.Position(
        (homeworlds.System(name, *stars[name], fleet) for name, fleet in fleets.items() if any(fleet.values())),
        seat,
        before.players,
    )


# Settlers


def _on_board(game: settlers.Game) -> Iterator[tuple[str, Mistake]]:
    """One action with each of the player's pieces of its colour: all of them must refuse it."""
    begun, before, seat = game.begin(), game.position, game.to_move
    mine = [field for field, ship in before.board.items() if ship.owner is seat]
    for color, action in _tried_actions(before, seat):
        able = [field for field in mine if before.board[field].piece.color is color]
        refusals: list[IllegalTurn] = []
        for field in able or mine[:1]:
            try:
                begun.play((settlers.Choose(field), action))
                break
            except IllegalTurn as error:
                refusals.append(error)
        else:
            codes = frozenset(error.code for error in refusals)
            if able and not codes & _NOBODY_DOES:
                rules = frozenset(error.rule for error in refusals)
                words = f"{seat.word} does {action}"
                yield (
                    f"{type(action).__name__} {min(codes)}",
                    Mistake(_acted(before, seat, action), codes, rules, words),
                )


def _tried_actions(before: settlers.Position, seat: Seat) -> Iterator[tuple[Color, settlers.Step]]:
    bank = sorted(set(before.bank.pieces))
    for field, ship in before.board.items():
        if ship.owner is not seat:
            yield Color.RED, settlers.Conquer(field)
            continue
        yield from (
            (Color.BLUE, settlers.Trade(field, color))
            for color in Color
            if color is not ship.piece.color and before.bank[Piece(color, ship.piece.size)]
        )
        if ship.piece.size < Size.LARGE and before.bank[Piece(ship.piece.color, Size(ship.piece.size + 1))]:
            yield Color.BLUE, settlers.Upgrade(field)
    for field in settlers.FIELDS:
        if field not in before.board:
            yield from ((Color.GREEN, settlers.Build(piece, field)) for piece in bank)


def _acted(before: settlers.Position, seat: Seat, action: settlers.Step) -> settlers.Position:
    """The board after an action, legal or not."""
    board = dict(before.board)
    match action:
        case settlers.Build(piece, field):
            board[field] = settlers.Ship(piece, seat)
        case settlers.Conquer(field):
            board[field] = settlers.Ship(board[field].piece, seat)
        case settlers.Trade(field, color):
            board[field] = settlers.Ship(Piece(color, board[field].piece.size), seat)
        case settlers.Upgrade(field):
            old = board[field].piece
            board[field] = settlers.Ship(Piece(old.color, Size(old.size + 1)), seat)
    return settlers.Position(board, seat, before.quiet_turns, before.redless)
