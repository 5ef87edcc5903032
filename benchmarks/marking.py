"""Holds a reading against the truth, piece by piece and as a whole.

A piece on the table counts when a quarter of it can be seen; colour, size, posture and owner are asked of the found.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.matching import Distance, center_distance, center_or_overlap, match
from benchmarks.scene_truth import SceneTruth, TruePiece
from companion_app.reading_types import Reading, ReadPiece, Verdict
from vision.sight import Role, Seat

SEEN = 0.25  # share of a piece that must be visible before it counts
COMPLETE = 0.2  # share of every piece on the table that must be visible before the whole position counts
FIELDS = tuple(file + rank for file in "abcdef" for rank in "123456")
PROPERTIES = {"color": "colour", "size": "size", "posture": "posture", "owner": "owner"}
"""What is asked of a piece, and what it is called."""
Counts = dict[str, int]


@dataclass(frozen=True)
class Claim:
    """Something a reading said with a certain confidence, and whether it was right.

    ``what`` is one of ``PROPERTIES``, "piece" (all of them) or "reading" (the whole position).
    """

    what: str
    confidence: float
    right: bool


@dataclass(frozen=True)
class Marks:
    """What was right in one reading.

    Attributes:
        counts: by name; "size" of "size_of" sizes are right, and so on.
        claims: for calibration.
        mistakes: each in words.
    """

    counts: Mapping[str, int]
    claims: tuple[Claim, ...] = ()
    mistakes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pieces:
    """The true pieces of our colours, what was read, and which is which; ``foreign`` ones were read as ours."""

    truth: Sequence[TruePiece]
    found: Sequence[ReadPiece]
    pairs: Mapping[int, int]
    foreign: int

    @property
    def extra(self) -> list[ReadPiece]:
        """Readings of pieces that are not there."""
        meant = set(self.pairs.values())
        return [piece for index, piece in enumerate(self.found) if index not in meant]

    @property
    def scored(self) -> Iterator[tuple[TruePiece, ReadPiece | None]]:
        """The true pieces that count, each with its reading, or ``None`` where it was not found."""
        for index, want in enumerate(self.truth):
            if want.role is not Role.BANK and want.visible >= SEEN:
                yield want, self.found[self.pairs[index]] if index in self.pairs else None


def mark(scene: SceneTruth, reading: Reading) -> Marks:
    """Marks the reading of a scene whose truth is known exactly."""
    pieces = _paired(scene.pieces, reading.pieces, center_distance)
    counts = _piece_counts(scene, pieces) | {"unreadable": int(reading.verdict is Verdict.UNREADABLE)}
    claims = _piece_claims(pieces)
    exact, told = _whole(scene, reading)
    counts |= told
    if exact is not None and reading.pieces:
        sure = math.prod(piece.confidence for piece in reading.pieces if piece.on_table)
        claims.append(Claim("reading", sure, exact))
    return Marks(counts, tuple(claims), tuple(_mistakes(pieces)))


def mark_boxes(scene: SceneTruth, reading: Reading) -> Marks:
    """Marks a reading by boxes that somebody drew: pieces only."""
    pieces = _paired(scene.pieces, reading.pieces, center_or_overlap)
    return Marks(_piece_counts(scene, pieces), mistakes=tuple(_mistakes(pieces)))


def _paired(truth: Sequence[TruePiece], found: Sequence[ReadPiece], distance: Distance[TruePiece]) -> _Pieces:
    """Pieces of our own colours choose their readings first; what is left may be of the others."""
    ours = [piece for piece in truth if piece.color]
    pairs = match(ours, found, distance)
    others = [piece for piece in truth if not piece.color]
    return _Pieces(ours, found, pairs, len(match(others, _Pieces(ours, found, pairs, 0).extra, distance)))


def _piece_counts(scene: SceneTruth, pieces: _Pieces) -> Counts:
    scored = list(pieces.scored)
    counts = {"pictures": 1, "pieces": len(scored), "found": sum(got is not None for _, got in scored)}
    counts["extra"] = len(pieces.extra)
    for what in PROPERTIES:
        asked = [(getattr(want, what), getattr(got, what)) for want, got in scored if got]
        asked = [(right, said) for right, said in asked if right is not None]
        counts |= {f"{what}_of": len(asked), what: sum(right == said for right, said in asked)}
    foreign = len(scene.pieces) - len(pieces.truth)
    return counts | ({"foreign_of": foreign, "foreign": pieces.foreign} if foreign else {})


def _mistakes(pieces: _Pieces) -> Iterator[str]:
    for piece in pieces.extra:
        yield f"not there: read as {piece.role}"
    for want, got in pieces.scored:
        if got is None:
            yield f"not found: {want.role}, {want.posture or 'tilted'}"
            continue
        for what in PROPERTIES:
            right, said = getattr(want, what), getattr(got, what)
            if right is not None and right != said:
                yield f"{PROPERTIES[what]}: {_word(right)} read as {_word(said)}"


def _word(value: object) -> str:
    return str(getattr(value, "word", value))


def _whole(scene: SceneTruth, reading: Reading) -> tuple[bool | None, Counts]:
    """Whether the whole position is right, ``None`` where there is none, and what is counted besides."""
    certain = reading.verdict is Verdict.CERTAIN
    truth = scene.game_state
    if truth is None or not (truth.systems or truth.score):
        return None, {"invented": int(certain and bool(reading.systems))}
    if truth.systems:
        exact, counts, name = *_systems(truth, reading), "position"
    else:
        exact, counts, name = *_fields(scene.pieces, reading.pieces), "board"
        counts |= {"boards": 1, "score": int(truth.score == reading.score)}
    if all(piece.visible >= COMPLETE for piece in scene.pieces if piece.role is not Role.BANK):
        counts |= {f"{name}_exact_of": 1, f"{name}_exact": int(exact)}
    return exact, counts | {
        "games": 1,
        "bank_of": len(truth.bank),
        "bank": sum(reading.bank.get(code, 0) == count for code, count in truth.bank.items()),
        "certain": int(certain),
        "certain_wrong": int(certain and not exact),
        "token": int(scene.token == reading.turn_token),
    }


def _fields(truth: Sequence[TruePiece], found: Sequence[ReadPiece]) -> tuple[bool, Counts]:
    want, got = (
        {piece.field: (piece.color, piece.size, piece.owner) for piece in pieces if piece.field}
        for pieces in (truth, found)
    )
    right = sum(want.get(name) == got.get(name) for name in FIELDS)
    return right == len(FIELDS), {"fields_of": len(FIELDS), "fields": right}


def _systems(truth: Reading, reading: Reading) -> tuple[bool, Counts]:
    want, got = (
        Counter(
            (one.home, *(tuple(sorted(codes)) for codes in (one.stars, *(one.ships.get(seat, ()) for seat in Seat))))
            for one in told.systems
        )
        for told in (truth, reading)
    )
    return want == got, {"systems_of": max(want.total(), got.total()), "systems": (want & got).total()}


def _piece_claims(pieces: _Pieces) -> list[Claim]:
    """What was said of pieces on the table; those too hidden to count and tilted ones are left out."""
    claims = [Claim("piece", got.confidence, False) for got in pieces.extra if got.role is not Role.BANK]
    for want, got in pieces.scored:
        if got is None or want.posture is None:
            continue
        alike = {what: getattr(want, what) == getattr(got, what) for what in PROPERTIES}
        claims.append(Claim("piece", got.confidence, all(alike.values())))
        asked = [what for what in PROPERTIES if what != "owner" or want.owner]
        claims += [Claim(what, confidence_in(got, what), alike[what]) for what in asked]
    return claims


def confidence_in(piece: ReadPiece, what: str) -> float:
    """The probability of one property as read, over the piece's own reading and its alternatives."""
    said = getattr(piece, what)
    alike = sum(other.probability for other in piece.alternatives if getattr(other, what) == said)
    everything = piece.confidence + sum(other.probability for other in piece.alternatives)
    return (piece.confidence + alike) / everything if everything else 0.0
