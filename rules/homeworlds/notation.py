"""The line that describes a position: ``<0>; South(0,b1r2)g3-; North(1,y1b3)-g3; Sirius(g3)g1-y1``.

``<0>`` is the number of the player to move. Each system is a name, its stars in brackets (a home has its
owner's number and a comma before them), and the ships of one player after another with ``-`` between.
Two players are South 0 and North 1; three and four are North 0, East 1, South 2, West 3.

The reader takes any order of systems and of pieces, either case of the letters, spaces and line breaks
between the parts, and a trailing ``;``. Without a number the first player is to move; a system without a name is
given one, and a "/" in a name is read as a "-". The writer knows one line for each position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules.errors import RulesError, quoted
from rules.homeworlds.star_names import free_name
from rules.homeworlds.system import System
from rules.pieces import Piece
from rules.seats import Seat, seats_for

_TURN = re.compile(r"<\s*([0-9])\s*>")
_SYSTEM = re.compile(r"([^()]*)\(([^()]*)\)([^()]*)", re.DOTALL)
_HOME = re.compile(r"\s*([0-9]+)\s*,(.*)", re.DOTALL)
_DASHES = str.maketrans("–—−", "---")
_CODES = re.compile(r"([rygb][1-3])*", re.IGNORECASE)
_GAPS = re.compile(r"[\s,]+")


def written(systems: Iterable[System], seats: tuple[Seat, ...], to_move: Seat) -> str:
    """The line of these *systems*, which the caller has put in order."""
    return "; ".join([f"<{seats.index(to_move)}>", *(_written_system(system, seats) for system in systems)])


def _written_system(system: System, seats: tuple[Seat, ...]) -> str:
    owner = f"{seats.index(system.home)}," if system.home else ""
    fleets = "-".join(_codes(system.ships[seat]) for seat in seats)
    return f"{system.name}({owner}{_codes(system.stars)}){fleets}"


def _codes(pieces: Iterable[Piece]) -> str:
    return "".join(piece.code for piece in pieces)


def read(line: str, players: int) -> tuple[list[System], Seat, int]:
    """The systems, the seat to move and the number of players of a *line*.

    *players* is the number when no system tells it. A :class:`RulesError` for a line that cannot be read.
    """
    turn, *systems = _parts(line)
    split = [_split_system(text) for text in systems]
    if split:
        players = _number_of_players(split)
    seats = seats_for(players)
    return [_system(*parts, seats) for parts in _named(split, seats)], _to_move(turn, seats), players


def _parts(line: str) -> list[str]:
    """The turn mark and the systems, without empty parts; the first player's mark where there is none."""
    parts = [part.strip() for part in re.split(r"[;\n]", line) if part.strip()]
    if not parts:
        raise RulesError("line_empty", "Nothing to read: a position starts like <0>; South(0,b1r2)g3-")
    mark = _TURN.match(parts[0])
    if not mark and _SYSTEM.fullmatch(parts[0]) and "<" not in parts[0]:
        return ["<0>", *parts]
    if mark and mark.end() < len(parts[0]):  # the ";" after the mark may be missing
        parts[:1] = [mark.group(), parts[0][mark.end() :].strip()]
    return parts


def _to_move(mark: str, seats: tuple[Seat, ...]) -> Seat:
    numbers = " or ".join(f"<{number}> for {seat.word}" for number, seat in enumerate(seats))
    found = _TURN.fullmatch(mark)
    if not found:
        raise RulesError(
            "turn_missing",
            f"The line has to begin with the player to move, {numbers}, but it begins with {quoted(mark)}.",
            text=mark,
        )
    number = int(found[1])
    if number >= len(seats):
        raise RulesError(
            "turn_unknown",
            f"There is no player {number} to move when {len(seats)} play: write {numbers}.",
            number=number,
            players=len(seats),
        )
    return seats[number]


def _split_system(text: str) -> tuple[str, str, list[str]]:
    """Name, content of the bracket, and the fleets as they stand."""
    parts = _SYSTEM.fullmatch(text)
    if not parts:
        raise RulesError(
            "system_unreadable",
            f"{quoted(text)} is not a system: write its name, its stars in brackets and the ships, "
            "such as Sirius(g3)g1-y1.",
            text=text,
        )
    name, inside, fleets = parts.groups()
    return name.strip().replace("/", "-"), inside, fleets.translate(_DASHES).split("-")


def _named(split: list[tuple[str, str, list[str]]], seats: tuple[Seat, ...]) -> Iterator[tuple[str, str, list[str]]]:
    """The same, but a home without a name is called after its owner, and another system by a free name."""
    given = {name for name, _, _ in split}
    taken = given | {seat.word for seat in seats}
    for name, inside, fleets in split:
        home = _HOME.fullmatch(inside)
        owner = _home_owner(name, home[1], seats).word if home else ""
        known = name or ("" if owner in given else owner) or free_name(taken)
        taken.add(known)
        yield known, inside, fleets


def _number_of_players(split: list[tuple[str, str, list[str]]]) -> int:
    """Told by the dashes, which every system has to have alike."""
    first, _, fleets = split[0]
    for name, _, others in split:
        if len(others) == 1:
            raise RulesError(
                "owner_missing",
                f"Whose ships are at {quoted(name)}? Write a dash between the players' ships, also where one "
                "has none, such as Sirius(g3)g1-y1 or Sirius(g3)g1-.",
                name=name,
            )
        if len(others) != len(fleets):
            raise RulesError(
                "players_unclear",
                f"{quoted(first)} lists the ships of {len(fleets)} players and {quoted(name)} those of "
                f"{len(others)}: write the same number of dashes in every system.",
                name=name,
                players=len(others),
            )
    return len(fleets)


def _system(name: str, inside: str, fleets: list[str], seats: tuple[Seat, ...]) -> System:
    owned = _HOME.fullmatch(inside)
    home = None
    if owned:
        number, inside = owned.groups()
        home = _home_owner(name, number, seats)
    ships = {seat: _pieces(fleet, name) for seat, fleet in zip(seats, fleets, strict=True)}
    return System(name, home, _pieces(inside, name), ships)


def _home_owner(name: str, number: str, seats: tuple[Seat, ...]) -> Seat:
    numbers = {str(place): seat for place, seat in enumerate(seats)}
    if number not in numbers:
        raise RulesError(
            "home_owner_unknown",
            f"{quoted(name)} is the home of player {quoted(number, 3)}, who does not play: write "
            f"{', '.join(f'{place} for {seat.word}' for place, seat in numbers.items())}.",
            name=name,
            number=number,
        )
    return numbers[number]


def _pieces(text: str, name: str) -> list[Piece]:
    codes = _GAPS.sub("", text)
    if not _CODES.fullmatch(codes):
        raise RulesError(
            "pieces_unreadable",
            f"{quoted(text)} at {quoted(name)} are not pieces: write a colour letter (r, y, g or b) and a size "
            "(1 to 3) for each, such as g3y1.",
            name=name,
            text=text,
        )
    return [Piece.parse(codes[start : start + 2]) for start in range(0, len(codes), 2)]
