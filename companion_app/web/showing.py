"""A record made ready to be shown: everything that the templates print and the page's scripts ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion_app.diagram import Key, diagram_svg
from companion_app.notation import Position, parse_position
from companion_app.reading import corrected
from companion_app.reading_types import Ask, Game, Point, Question, Reading, ReadPiece, Verdict
from companion_app.star_names import names_of
from companion_app.web.photo_shapes import Outline, Ring, field_outlines, region, rings
from companion_app.web.record import Record
from companion_app.web.words import codes_in_words, piece_in_words, title_of
from rules import KINDS, Piece, Seat, homeworlds, settlers
from vision.sight import Role

ARROWS = {"south": "▲", "north": "▼"}


@dataclass(frozen=True)
class PhotoPiece:
    """A piece on the photo: its outline, its badge, and whether a person should look at it."""

    index: int
    piece: ReadPiece
    outline: Outline
    badge: str
    words: str
    unsure: bool


@dataclass(frozen=True)
class Choice:
    """A button of a question: its words, and the correction that it sends."""

    words: str
    edit: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A question with its buttons."""

    sentence: str
    piece: int | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class BankKind:
    """One of the twelve kinds in the bank: how many are left, and how many of these the photo shows."""

    piece: Piece
    count: int
    seen: int


class Showing:
    """What the page shows of *record*."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.reading = record.reading
        self.is_settlers = self.reading.game is Game.SETTLERS
        self.names = names_of(self.reading.systems)

    @property
    def title(self) -> str:
        """Its name, or what it is."""
        return self.record.name or title_of(self.reading)

    @property
    def about(self) -> list[str]:
        """What else is known of it, in a few words each."""
        record = self.record
        players = f"{record.south or 'South'} (South) and {record.north or 'North'} (North)"
        source = f"virtual table {record.seed}" if record.source == "virtual" else "your photo"
        return [
            *([self.reading.game.value.title()] if record.saved else []),
            *(["redless"] if self.reading.redless else []),
            *([players] if record.south or record.north else []),
            source,
            record.date or f"{record.opened:%Y-%m-%d}",
        ]

    @property
    def region(self) -> tuple[int, int, int, int]:
        """The part of the photo with pieces in it."""
        return region(self.reading)

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """The star systems on the photo."""
        return rings(self.reading)

    @cached_property
    def fields(self) -> dict[str, Outline]:
        """The empty fields on the photo."""
        taken = {piece.field for piece in self.reading.pieces if piece.on_table}
        return {name: outline for name, outline in field_outlines(self.reading).items() if name not in taken}

    @cached_property
    def photo_pieces(self) -> list[PhotoPiece]:
        """All pieces that have a place on the photo, those on top of others last."""
        unsure = {question.piece for question in self.reading.questions}
        fields = field_outlines(self.reading)
        shown = [
            PhotoPiece(
                index,
                piece,
                outline,
                piece.code.upper() + (ARROWS[piece.owner.value] if piece.owner else ""),
                piece_in_words(piece, self.names),
                index in unsure,
            )
            for index, piece in enumerate(self.reading.pieces)
            if (outline := piece.outline if len(piece.outline) > 2 else fields.get(piece.field or "", ()))
        ]
        return sorted(shown, key=lambda one: (one.piece.on_table, -_area(one.outline)))

    @property
    def verdict(self) -> str:
        """The state of the reading in one line."""
        asked = len(self.reading.questions)
        if self.reading.verdict is Verdict.UNREADABLE:
            return "This photo could not be read."
        if self.reading.verdict is Verdict.CERTAIN:
            return f"All {self.reading.inventory.set} pieces accounted for."
        if not asked:
            return "Almost sure: look once over the pieces."
        return f"Please check {asked} thing{'' if asked == 1 else 's'}."

    @cached_property
    def questions(self) -> list[Asked]:
        """What a person should look at, with its buttons."""
        return [Asked(question.sentence, question.piece, self._choices(question)) for question in self._ranked()]

    @cached_property
    def position(self) -> Position:
        """The position as far as the pieces make one: those without a place are left out."""
        line = self.reading.position or corrected(self.reading, _placed(self.reading)).position
        if line:
            return parse_position(line, redless=self.reading.redless)
        return settlers.Position(redless=self.reading.redless) if self.is_settlers else homeworlds.Position(())

    @cached_property
    def score(self) -> settlers.Score | None:
        """Settlers: both totals, the winner and why."""
        if not isinstance(self.position, settlers.Position):
            return None
        began = self.record.began
        return settlers.score(self.position, Seat(began.value) if began else None)

    @property
    def diagram(self) -> str:
        """The diagram as SVG, its pieces numbered as in the reading."""
        indices: dict[Key, list[int]] = defaultdict(list)
        for index, piece in enumerate(self.reading.pieces):
            place = piece.field if self.is_settlers else self.names.get(piece.system or 0)
            if piece.on_table and place:
                owner = piece.owner.value if piece.owner and piece.role is Role.SHIP else None
                indices[place, owner, piece.code].append(index)
        points = {Seat.SOUTH: self.score.south, Seat.NORTH: self.score.north} if self.score else None
        return diagram_svg(self.position, indices=indices, score=points)

    @property
    def bank(self) -> list[BankKind]:
        """The twelve kinds, or nine without the reds."""
        seen = [piece.code for piece in self.reading.pieces if piece.role is Role.BANK]
        return [
            BankKind(kind, self.reading.bank.get(kind.code, 0), seen.count(kind.code))
            for kind in KINDS
            if not (self.reading.redless and kind.code.startswith("r"))
        ]

    @property
    def on_table(self) -> int:
        """How many pieces are on the table."""
        return sum(piece.on_table for piece in self.reading.pieces)

    @property
    def unseen(self) -> str:
        """The pieces of the set that are not in the picture, in words."""
        return codes_in_words(self.reading.inventory.unseen)

    @property
    def surplus(self) -> str:
        """The pieces in the picture that the set does not have, in words."""
        return codes_in_words(self.reading.inventory.surplus)

    @property
    def state(self) -> dict[str, Any]:
        """What the page's scripts must know."""
        return {
            "seq": self.record.seq,
            "game": self.reading.game.value,
            "undoable": bool(self.record.edits),
            "pieces": [self._piece_state(piece) for piece in self.reading.pieces],
            "systems": [
                {"id": system.id, "name": self.names[system.id], "home": system.home}
                for system in self.reading.systems
            ],
        }

    def _piece_state(self, piece: ReadPiece) -> dict[str, Any]:
        data = piece.to_json()
        kept = ("color", "size", "owner", "role", "system", "field")
        return {key: data[key] for key in kept} | {"words": piece_in_words(piece, self.names)}

    def _ranked(self) -> Sequence[Question]:
        """The questions with buttons before those that only tell something; the order stays otherwise."""
        return sorted(self.reading.questions, key=lambda question: not self._choices(question))

    def _choices(self, question: Question) -> tuple[Choice, ...]:
        if question.piece is None:
            told = question.ask is Ask.INVENTORY and self.reading.inventory.unseen
            rest = Choice("The rest is in the bank", {"do": "rest-in-bank"})
            return (rest,) if told and not self.reading.inventory.surplus else ()
        if question.ask is Ask.PIECE:
            return (Choice("Yes, it is right", {"do": "confirm", "piece": question.piece}),)
        return tuple(self._choice(question, value) for value in question.choices)

    def _choice(self, question: Question, value: str) -> Choice:
        if question.ask is Ask.ROLE and value == "loose":
            return Choice("Not in play", {"do": "remove", "piece": question.piece})
        edit = {"do": "answer", "piece": question.piece, "ask": question.ask.value, "value": value}
        if question.ask is Ask.PLACE and value.isdecimal():
            return Choice(self.names.get(int(value), value), edit)
        words = {"bank": "In the bank", "upright": "Upright: a star", "lying": "Lying: a ship"}
        return Choice(words.get(value, value.capitalize()), edit)


def _placed(reading: Reading) -> list[ReadPiece]:
    """The pieces that have a place and, where they need one, an owner."""
    return [
        piece
        for piece in reading.pieces
        if piece.on_table
        and (piece.owner or piece.role is Role.STAR)
        and (piece.field if reading.game is Game.SETTLERS else piece.system)
    ]


def _area(outline: Sequence[Point]) -> float:
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2
