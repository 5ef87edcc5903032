"""What one step of a turn may look like in words, and the steps that it can mean.

A *shape* is a verb and what follows it, such as ``build`` and ``piece place``. The exact shapes come first. Where
none fits, or where words such as "from" and "at" occur, the small words and brackets are left out, "small green"
becomes ``g1``, and the loose shapes count as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rules.errors import IllegalTurn, InvalidTurn, quoted
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
)
from rules.homeworlds.turns import PartialTurn
from rules.pieces import KINDS, Color, Piece, Size
from rules.seats import Seat

Meaning = Callable[..., tuple[Step, ...]]
"""Takes a turn in the making and the values of a shape; gives the steps that they can mean there, likeliest first."""


class Reading(NamedTuple):
    """The words of a step, read in one way; which systems and whose ships they speak of, only a position tells.

    Attributes:
        meaning: gives the steps.
        values: what the words say, for *meaning*.
        places: which of the values are names of systems that have to stand already.
        owner: whose the player's own ship is said to be, where that is said.
    """

    meaning: Meaning
    values: tuple[Any, ...]
    places: tuple[int, ...] = ()
    owner: Seat | int | None = None

    def steps(self, turn: PartialTurn) -> tuple[Step, ...]:
        """What this can mean as the next step of *turn*; an :class:`IllegalTurn` when it makes no sense there."""
        if self.owner is not None and _seat(turn, self.owner) is not turn.to_move:
            owner = _seat(turn, self.owner)
            raise IllegalTurn(
                "not_your_ship",
                f"It is {turn.to_move.word}'s turn, and {self.values[0]}{owner.letter} is a ship of {owner.word}'s: "
                f"write {self.values[0]}, or the letter of the player to move.",
                seat=owner.value,
            )
        return self.meaning(turn, *self.values)

    def completed(self, turn: PartialTurn) -> Reading:
        """With systems in full of which only the beginning is given; an :class:`IllegalTurn` for one of several."""
        values = list(self.values)
        for index in self.places:
            values[index] = _completed(turn, values[index])
        return self._replace(values=tuple(values))


# Verbs

_SYNONYMS: Final = {
    "homeworld": ("homeworld",),
    "build": ("build", "construct"),
    "trade": ("trade", "convert"),
    "move": ("move",),
    "discover": ("discover",),
    "catastrophe": ("catastrophe",),
    "capture": ("capture", "attack"),
    "sacrifice": ("sacrifice",),
    "pass": ("pass",),
}

_HOW: Final = {
    "homeworld": "to set up, write two stars, the ship and a name, such as homeworld b3 y2 g3 Sol",
    "build": "to build, write the piece and the system, such as build g1 Sol",
    "trade": "to trade, write the ship, its system and the new colour, such as trade g1 Sol y",
    "move": "to move, write the ship, where it is and where it goes, such as move g1 Sol Vega, or for a new system "
    "discover g1 Sol b3 Vega",
    "discover": "to discover, write the ship, where it is, the new star and a name of one word, such as "
    "discover g1 Sol b3 Vega",
    "catastrophe": "for a catastrophe, write the system and the colour, such as catastrophe Sol g",
    "capture": "to capture, write the ship and the system, such as capture g1 Sol",
    "sacrifice": "to sacrifice, write the ship and its system, such as sacrifice y2 Sol, and then the actions",
    "pass": "to pass, write just pass",
}


def _prefixes() -> dict[str, tuple[str, ...]]:
    """The verbs that each beginning of a word may stand for; synonyms count where no verb itself begins so."""
    meant: dict[str, list[str]] = {}
    for verb in _SYNONYMS:
        for end in range(1, len(verb) + 1):
            meant.setdefault(verb[:end], []).append(verb)
    own = frozenset(meant)
    for verb, synonyms in _SYNONYMS.items():
        for word in synonyms[1:]:
            for end in range(1, len(word) + 1):
                if word[:end] not in own:
                    meant.setdefault(word[:end], []).append(verb)
    return {prefix: tuple(verbs) for prefix, verbs in meant.items()}


_VERBS: Final = _prefixes()

# Words

_PIECES: Final = {piece.code: piece for piece in KINDS}
_COLORS: Final = {word: color for color in Color for word in (color.letter, color.value)}
_SEATS: Final[dict[str, Seat | int]] = {
    **{word: seat for seat in Seat for word in (seat.letter.lower(), seat.value)},
    **{str(number): number for number in range(4)},
}
_SHIPS: Final[dict[str, tuple[Piece, Seat | int | None]]] = {
    **{code: (piece, None) for code, piece in _PIECES.items()},
    **{
        code + before + word + after: (piece, seat)
        for code, piece in _PIECES.items()
        for word, seat in _SEATS.items()
        for before, after in (("", ""), ("[", "]"), ("(", ")"))
    },
}
_ANY_WORD: Final = None  # the name of a system
_WORDS: Final[dict[str, Mapping[str, Any] | None]] = {
    "piece": _PIECES,
    "color": _COLORS,
    "seat": _SEATS,
    "ship": _SHIPS,
    "place": _ANY_WORD,
    "name": _ANY_WORD,
}

# Meanings


def _at(turn: PartialTurn, place: str) -> str:
    """How the system is written that *place* names; an unknown one as it stands, for the engine to refuse."""
    return turn.system(place) or place


def _completed(turn: PartialTurn, place: str) -> str:
    """The one system that is called *place* or begins so; *place* itself where there is none."""
    if turn.system(place):
        return place
    found = sorted(name for name in turn.table.systems if name.casefold().startswith(place.casefold()))
    if len(found) > 1:
        raise IllegalTurn(
            "system_unclear",
            f"{quoted(place)} can mean {' or '.join(quoted(name) for name in found)}: write more of the name.",
            system=place,
            choices=found,
        )
    return found[0] if found else place


def _seat(turn: PartialTurn, owner: Seat | int) -> Seat:
    if isinstance(owner, Seat):
        return owner
    if owner >= len(turn.seats):
        numbers = ", ".join(f"{number} for {seat.word}" for number, seat in enumerate(turn.seats))
        raise IllegalTurn("player_unknown", f"There is no player {owner}: write {numbers}.", number=owner)
    return turn.seats[owner]


def _homeworld(turn: PartialTurn, *words: Piece | str) -> tuple[Step, ...]:
    """Stars, the first ship, extra ships and perhaps a name; what looks like a piece is one rather than a name."""
    pieces = [word for word in words if isinstance(word, Piece)]
    name = str(words[-1]) if len(pieces) < len(words) else turn.to_move.word
    stars = len(pieces) - 1 - len(turn.extra_ships)
    if stars not in turn.options.home_stars:
        stars = min(2, len(pieces) - 1)
    if name.lower() in _PIECES:
        return ()
    return (Homeworld(tuple(pieces[:stars]), pieces[stars], name, tuple(pieces[stars + 1 :])),)


def _build(turn: PartialTurn, piece: Piece, place: str) -> tuple[Step, ...]:
    return (Build(piece, _at(turn, place)),)


def _build_smallest(turn: PartialTurn, color: Color, place: str) -> tuple[Step, ...]:
    return (Build(turn.smallest(color) or Piece(color, Size.SMALL), _at(turn, place)),)


def _trade(turn: PartialTurn, ship: Piece, place: str, color: Color) -> tuple[Step, ...]:
    return (Trade(ship, _at(turn, place), color),)


def _trade_for(turn: PartialTurn, ship: Piece, new: Piece, place: str) -> tuple[Step, ...]:
    if ship.size is not new.size:
        raise IllegalTurn(
            "trade_changes_size",
            f"A trade keeps the size: {ship} can become another {ship.size.word} piece, but not {new}.",
            rule="12",
            piece=ship.code,
            wanted=new.code,
        )
    return (Trade(ship, _at(turn, place), new.color),)


def _trade_into(turn: PartialTurn, ship: Piece, color: Color, place: str) -> tuple[Step, ...]:
    return _trade(turn, ship, place, color)


def _trade_there(turn: PartialTurn, ship: Piece, place: str, new: Piece) -> tuple[Step, ...]:
    return _trade_for(turn, ship, new, place)


def _move(turn: PartialTurn, ship: Piece, origin: str, target: str) -> tuple[Step, ...]:
    return (Move(ship, _at(turn, origin), _at(turn, target)),)


def _discover(turn: PartialTurn, ship: Piece, origin: str, star: Piece, name: str) -> tuple[Step, ...]:
    return (Discover(ship, _at(turn, origin), star, name),)


def _go(turn: PartialTurn, ship: Piece, origin: str, target: str, star: Piece) -> tuple[Step, ...]:
    """To a system given with its star: a new one unless it stands already."""
    if turn.system(target):
        return _move(turn, ship, origin, target)
    return _discover(turn, ship, origin, star, target)


def _capture(turn: PartialTurn, ship: tuple[Piece, Seat | int | None], place: str) -> tuple[Step, ...]:
    piece, owner = ship
    system = _at(turn, place)
    if owner is not None:
        return (Capture(piece, _seat(turn, owner), system),)
    owners = turn.owners_of(piece, system)
    if not owners:  # the engine knows why not
        owners = tuple(seat for seat in turn.seats if seat is not turn.to_move)[:1]
    return tuple(Capture(piece, seat, system) for seat in owners)


def _capture_from(turn: PartialTurn, piece: Piece, place: str, seat: Seat | int) -> tuple[Step, ...]:
    """The *seat* is whose ship it was; that of the player to move can only be meant as whose it becomes."""
    owner = None if _seat(turn, seat) is turn.to_move else seat
    return _capture(turn, (piece, owner), place)


def _capture_of(turn: PartialTurn, piece: Piece, seat: Seat | int, place: str) -> tuple[Step, ...]:
    return _capture_from(turn, piece, place, seat)


def _sacrifice(turn: PartialTurn, ship: Piece, place: str) -> tuple[Step, ...]:
    return (Sacrifice(ship, _at(turn, place)),)


def _catastrophe(turn: PartialTurn, place: str, color: Color) -> tuple[Step, ...]:
    return (Catastrophe(_at(turn, place), color),)


def _catastrophe_of(turn: PartialTurn, color: Color, place: str) -> tuple[Step, ...]:
    return _catastrophe(turn, place, color)


def _pass(turn: PartialTurn) -> tuple[Step, ...]:
    del turn
    return (Pass(),)


# Shapes

_WITH_OWN_SHIP: Final = {"build", "trade", "move", "discover", "sacrifice"}
_Shapes = dict[tuple[str, int], list[tuple[tuple[Mapping[str, Any] | None, ...], tuple[int, ...], Meaning]]]


def _table(*shapes: tuple[str, str, Meaning]) -> _Shapes:
    """Shapes by their verb and the number of words after it, the likeliest first."""
    table: _Shapes = {}
    for verb, pattern, meaning in shapes:
        words = pattern.split()
        kinds = tuple(_WORDS[word] for word in words)
        places = tuple(index for index, word in enumerate(words) if word == "place")
        table.setdefault((verb, len(kinds)), []).append((kinds, places, meaning))
    return table


_EXACT: Final = _table(
    ("homeworld", "piece piece piece name", _homeworld),
    ("homeworld", "piece piece piece", _homeworld),
    ("homeworld", "piece piece name", _homeworld),
    ("homeworld", "piece piece", _homeworld),
    ("homeworld", "piece piece piece piece name", _homeworld),
    ("homeworld", "piece piece piece piece", _homeworld),
    ("homeworld", "piece piece piece piece piece name", _homeworld),
    ("homeworld", "piece piece piece piece piece", _homeworld),
    ("build", "piece place", _build),
    ("build", "color place", _build_smallest),
    ("trade", "piece place color", _trade),
    ("trade", "piece piece place", _trade_for),
    ("move", "piece place place", _move),
    ("discover", "piece place piece name", _discover),
    ("capture", "ship place", _capture),
    ("capture", "piece place seat", _capture_from),
    ("sacrifice", "piece place", _sacrifice),
    ("catastrophe", "place color", _catastrophe),
    ("pass", "", _pass),
)
_LOOSE: Final = _table(
    ("trade", "piece place piece", _trade_there),
    ("trade", "piece color place", _trade_into),
    ("move", "piece place piece name", _discover),
    ("move", "piece place name piece", _go),
    ("discover", "piece place name piece", _go),
    ("capture", "piece seat place", _capture_of),
    ("catastrophe", "color place", _catastrophe_of),
)

_SMALL = """a an and around as at by called for from in into its my named new of on our ship ships star stars system
the to with - -- -> → – — *"""
SMALL_WORDS: Final = frozenset(_SMALL.split())
_MARKS: Final = re.compile(r"""[()\[\]{}:=@*"“”>]|[.!?]+(?=\s|$)""")
_COLOR_NAMES: Final = "|".join(color.value for color in Color)
_SIZE_NAMES: Final = "|".join(size.word for size in Size)
_SIZE_FIRST: Final = re.compile(rf"\b({_SIZE_NAMES})[\s-]+({_COLOR_NAMES})\b", re.IGNORECASE)
_COLOR_FIRST: Final = re.compile(rf"\b({_COLOR_NAMES})[\s-]+({_SIZE_NAMES})\b", re.IGNORECASE)
_SIZES: Final = {size.word: str(size.value) for size in Size}

_REMEMBERED: Final = 4096


@lru_cache(maxsize=_REMEMBERED)
def readings(step: str) -> tuple[Reading, ...]:
    """Every way to read the words of one *step*, the likeliest first; an :class:`InvalidTurn` where there is none."""
    verb, *words = step.split()
    verbs = _verbs(verb)
    found = tuple(_fitting(_EXACT, verbs, words))
    if not found or not SMALL_WORDS.isdisjoint(word.lower() for word in words):
        found += tuple(_loose(verbs, words))
    found = found or tuple(_with_owner(verbs, words))
    if not found:
        raise unreadable(step)
    return found


@lru_cache(maxsize=_REMEMBERED)
def further_readings(step: str) -> tuple[Reading, ...]:
    """The ways to read a *step* that count only where none of its :func:`readings` is legal."""
    verb, *words = step.split()
    return tuple(_loose(_verbs(verb), words))


def unreadable(step: str) -> InvalidTurn:
    """The refusal of a *step* that has no meaning: how it is written."""
    verbs = _verbs(step.split()[0])
    if not verbs:
        return InvalidTurn(
            "step_unknown",
            f"{quoted(step)} does not say what is done: begin with homeworld, build, trade, move, discover, capture, "
            "sacrifice, catastrophe or pass, such as build g1 Sol.",
            text=step,
        )
    how = "; ".join(_HOW[verb] for verb in verbs)
    return InvalidTurn("step_unreadable", f"{quoted(step)} cannot be read: {how}.", text=step)


def _verbs(word: str) -> tuple[str, ...]:
    """What the first word of a step may stand for."""
    return _VERBS.get(word.lower()) or _VERBS.get(word.lower().rstrip(":.!*"), ())


def _loose(verbs: tuple[str, ...], words: list[str]) -> Iterator[Reading]:
    """Readings without the small words, of exact and of loose shapes."""
    text = _SIZE_FIRST.sub(lambda found: found[2][0] + _SIZES[found[1].lower()], " ".join(words))
    text = _COLOR_FIRST.sub(lambda found: found[1][0] + _SIZES[found[2].lower()], text)
    words = [word for word in _MARKS.sub(" ", text).split() if word.lower() not in SMALL_WORDS]
    yield from _fitting(_EXACT, verbs, words)
    yield from _fitting(_LOOSE, verbs, words)


def _with_owner(verbs: tuple[str, ...], words: list[str]) -> Iterator[Reading]:
    """Readings of what is done with one's own ship where its owner is said as well, as in ``build g1N Vega``."""
    ship, owner = _SHIPS.get(words[0].lower(), (None, None)) if words else (None, None)
    if ship is not None and owner is not None:
        for reading in _loose(tuple(verb for verb in verbs if verb in _WITH_OWN_SHIP), [ship.code, *words[1:]]):
            yield reading._replace(owner=owner)


def _fitting(table: _Shapes, verbs: tuple[str, ...], words: list[str]) -> Iterator[Reading]:
    for verb in verbs:
        for kinds, places, meaning in table.get((verb, len(words)), ()):
            values = [
                word if kind is None else kind.get(word.lower()) for kind, word in zip(kinds, words, strict=True)
            ]
            if None not in values:
                yield Reading(meaning, tuple(values), places)
