"""What a reading says for the purpose of inference: pieces in groups, and what else each of them may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist, inf
from typing import Final, NamedTuple

from companion_app.reading_types import Game, ReadAlternative, Reading, ReadPiece
from rules import KINDS, Color, Piece, Seat, Size
from vision.sight import Role
from vision.solids import Posture

LEAST_DOUBT: Final = 1e-4
"""However sure a reader is, this much stays for the piece being something else."""
LEAST_OF_KNOWN: Final = 1e-6
"""The same of a piece that people have told, or that has not moved since they did."""
NOTHING: Final = 0.05
"""The share of what no alternative accounts for that goes to there being no piece at all."""
NOTHING_NEW: Final = 0.005
"""The same of what is clearly seen where the table is known to have changed."""
CLEARLY: Final = 0.99
"""How sure a reader is of what is clearly seen, whatever it may be."""
NOTHING_IN_SIGHT: Final = 0.95
"""The same of a piece that people have told but nobody saw: what it is, is hardly in doubt."""
NEARLY: Final = 0.9
"""The share of the rest that goes to what differs from what was read in one thing only: colour, size or owner."""
LEAST_ELSEWHERE: Final = 1e-4
"""Another system is thought of from this probability on that a ship belongs to it."""
_NEARNESS: Final = 14
"""The odds that a ship belongs to a system fall with this power of the distance to the nearest other piece of it."""


Members = Mapping[str, Sequence[ReadPiece]]


class Appearance(NamedTuple):
    """What a piece looks like on the table: its kind, and whose ship it is; a star (or nobody's) has no owner."""

    piece: Piece
    owner: Seat | None


@dataclass(frozen=True)
class ObservedPiece:
    """One piece as it was read, with all doubts.

    Attributes:
        index: index into the pieces of the reading.
        read: what it was read as.
        beliefs: the probability of every appearance that was thought of, ``read`` among them.
        other: the probability of each appearance that was not.
        nothing: the probability that no piece is there.
        elsewhere: the probabilities that it belongs to other groups, by their places; of a star, if it is a ship.
    """

    index: int
    read: Appearance
    beliefs: Mapping[Appearance, float]
    other: float = LEAST_DOUBT / 100
    nothing: float = LEAST_DOUBT * NOTHING
    elsewhere: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether people have told what it is, and it has not moved since."""
        return self.beliefs[self.read] > 1 - LEAST_DOUBT

    @classmethod
    def believed(
        cls,
        index: int,
        read: Appearance,
        confidence: float,
        alternatives: Mapping[Appearance, float],
        elsewhere: Mapping[str, float] | None = None,
        nothing: float = NOTHING,
    ) -> ObservedPiece:
        """The piece of a reader's *confidence* and *alternatives*, made to sum to 1.

        *nothing* is the share of what is left for there being no piece.
        """
        others = {look: probability for look, probability in alternatives.items() if look != read}
        least = LEAST_DOUBT if confidence < 1 else LEAST_OF_KNOWN
        total = max(confidence + sum(others.values()), least)
        scale = min(1.0, (1 - least) / total)
        beliefs = {read: max(confidence, least) * scale} | {look: p * scale for look, p in others.items()}
        left = max(least, 1 - sum(beliefs.values()))
        alike = [look for look in _alike(read) if look not in beliefs]
        another = left * (1 - nothing)
        nearly = another * NEARLY if alike else 0.0
        beliefs |= {look: nearly / len(alike) for look in alike}
        unthought = 3 * len(KINDS) - len(beliefs)  # a star, and a ship of either player
        return cls(index, read, beliefs, (another - nearly) / unthought, left * nothing, dict(elsewhere or {}))


@dataclass(frozen=True)
class Group:
    """The pieces of one system or one field.

    Attributes:
        place: the field's name, or what tells the system from others of the same observation.
        home: whose home the reader took it for, if it did.
    """

    place: str
    pieces: tuple[ObservedPiece, ...]
    home: Seat | None = None


class BankDoubt(NamedTuple):
    """Of a piece that was seen in the bank.

    Attributes:
        amiss: the probability that it is not of the kind it was read as.
        nothing: the probability that no piece is there.
        others: the kinds that it may be.
    """

    amiss: float
    nothing: float
    others: tuple[Piece, ...]

    @classmethod
    def of(cls, piece: ReadPiece) -> BankDoubt:
        """The doubt about a *piece*, in thousandths."""
        others = {_look_of(other).piece for other in piece.alternatives if other.probability > 0}
        nothing = max(0.0, 1 - sum(chance for _, chance in piece.looks))
        return cls(round(1 - piece.confidence, 3), round(nothing, 3), tuple(sorted(others - {_look_of(piece).piece})))


@dataclass(frozen=True)
class Observation:
    """A table as it was read, without pixels.

    Attributes:
        groups: the systems or fields with pieces, none twice.
        adrift: pieces that lie about: in nobody's system, on no field, and not in the bank.
        bank: the kinds seen in the bank; empty where no bank was in the picture.
        unsure: of some kinds seen there, the doubts about each piece, the least sure first.
        settled: the kinds of which the bank is known to look as before; none where nothing is known.
        empty: the fields that are known to be empty.
        noticed: the places beside which something has come that was not read, and its colour.
        gone: what stood at some places where now something else is to be seen, and was not read there again.
    """

    game: Game
    groups: tuple[Group, ...]
    adrift: tuple[ObservedPiece, ...] = ()
    bank: tuple[Piece, ...] = ()
    unsure: Mapping[Piece, tuple[BankDoubt, ...]] = field(default_factory=dict)
    settled: frozenset[Piece] = frozenset()
    empty: frozenset[str] = frozenset()
    noticed: frozenset[tuple[str, Color]] = frozenset()
    gone: frozenset[tuple[str, Appearance]] = frozenset()

    @classmethod
    def of(cls, reading: Reading) -> Observation:
        """The observation of a *reading*; its pieces keep their indices."""
        members: dict[str, list[int]] = {}
        adrift: list[int] = []
        for index, piece in enumerate(reading.pieces):
            if piece.role is Role.BANK:
                continue
            place = _place(piece, reading.game)
            if place is None or piece.role is Role.LOOSE or (piece.role is Role.SHIP and piece.owner is None):
                adrift.append(index)
            else:
                members.setdefault(place, []).append(index)
        bank = [piece for piece in reading.pieces if piece.role is Role.BANK]
        unsettled = {piece.code for piece in bank if piece.confidence < 1}
        homes = {str(system.id): system.home for system in reading.systems}
        systems = _members(reading.pieces) if reading.game is Game.HOMEWORLDS else {}
        nothing = NOTHING_NEW if any(one.on_table and one.confidence == 1 for one in reading.pieces) else NOTHING
        groups = []
        for place, indices in members.items():
            pieces = tuple(_observed(index, reading.pieces[index], place, systems, nothing) for index in indices)
            home = homes.get(place)
            groups.append(Group(place, pieces, Seat(home.value) if home else None))
        return cls(
            reading.game,
            tuple(groups),
            tuple(_observed(index, reading.pieces[index], None, {}) for index in adrift),
            tuple(Piece.parse(piece.code) for piece in bank),
            _unsure(bank),
            frozenset(map(Piece.parse, {piece.code for piece in bank} - unsettled)),
            reading.still_empty,
            frozenset((str(number), Color(color.value)) for number, color in reading.noticed),
            frozenset((str(piece.system), _look_of(piece)) for piece in reading.gone),
        )

    @property
    def pieces(self) -> tuple[ObservedPiece, ...]:
        """All pieces on the table, group by group."""
        return tuple(piece for group in self.groups for piece in group.pieces)

    @property
    def is_stirred(self) -> bool:
        """Whether most of the table is known to be as it was, but some of it is not."""
        known = sum(piece.is_known for piece in self.pieces)
        return len(self.pieces) / 2 < known < len(self.pieces)


def _unsure(bank: Iterable[ReadPiece]) -> dict[Piece, tuple[BankDoubt, ...]]:
    doubts: dict[Piece, list[BankDoubt]] = {}
    for piece in bank:
        doubts.setdefault(Piece.parse(piece.code), []).append(BankDoubt.of(piece))
    return {piece: tuple(sorted(there, key=lambda doubt: -doubt.amiss)) for piece, there in doubts.items()}


def _alike(look: Appearance) -> Iterator[Appearance]:
    """What differs in colour, size or owner only."""
    color, size = look.piece.color, look.piece.size
    yield from (look._replace(piece=Piece(other, size)) for other in Color if other is not color)
    yield from (look._replace(piece=Piece(color, other)) for other in Size if other is not size)
    if look.owner:
        yield look._replace(owner=look.owner.opposite)


def _place(piece: ReadPiece, game: Game) -> str | None:
    if game is Game.SETTLERS:
        return piece.field
    return None if piece.system is None else str(piece.system)


def _observed(
    index: int, piece: ReadPiece, place: str | None, systems: Members, nothing: float = NOTHING
) -> ObservedPiece:
    """A piece with its doubts; *nothing* as in :meth:`ObservedPiece.believed`, where it is clearly seen."""
    alternatives: dict[Appearance, float] = {}
    for alternative in piece.alternatives:
        look = _look_of(alternative)
        alternatives[look] = alternatives.get(look, 0.0) + alternative.probability
    elsewhere = _elsewhere(piece, place, systems) if place and piece.confidence < 1 else {}
    if not piece.outline:
        share = NOTHING_IN_SIGHT
    else:
        share = nothing if sum(chance for _, chance in piece.looks) >= CLEARLY else NOTHING
    return ObservedPiece.believed(index, _look_of(piece), piece.confidence, alternatives, elsewhere, share)


def _look_of(piece: ReadPiece | ReadAlternative) -> Appearance:
    """A piece that stands is a star; a role that a person has given counts for more than the posture."""
    is_star = piece.role is Role.STAR if isinstance(piece, ReadPiece) else piece.posture is Posture.UPRIGHT
    owner = None if is_star or piece.owner is None else Seat(piece.owner.value)
    return Appearance(Piece.parse(f"{piece.color.value[0]}{int(piece.size)}"), owner)


def _members(pieces: Iterable[ReadPiece]) -> dict[str, list[ReadPiece]]:
    """The stars and ships of each system."""
    members: dict[str, list[ReadPiece]] = {}
    for piece in pieces:
        if piece.on_table and piece.system is not None:
            members.setdefault(str(piece.system), []).append(piece)
    return members


def _elsewhere(ship: ReadPiece, place: str, systems: Members) -> dict[str, float]:
    """How likely a ship belongs to other systems than its own: nearly as near, nearly as likely."""
    distances = {
        number: min((dist(ship.middle, piece.middle) for piece in there if piece is not ship), default=inf)
        for number, there in systems.items()
    }
    nearest = min(distances.values(), default=inf)
    if not 0 < nearest < inf:
        return {}
    odds = {number: (nearest / max(far, 1.0)) ** _NEARNESS for number, far in distances.items()}
    total = sum(odds.values())
    return {number: odd / total for number, odd in odds.items() if number != place and odd / total >= LEAST_ELSEWHERE}
