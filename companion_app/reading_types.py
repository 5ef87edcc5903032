"""The reading of a photo as values, one to one with the public JSON format.

Pixels: origin at the top left of the image as a viewer shows it, x right, y down, rounded to a tenth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from companion_app.json_fields import Fields, words_of
from vision.sight import Role, Seat
from vision.solids import Color, Posture, Size

Point = tuple[float, float]
Json = dict[str, Any]


class Game(StrEnum):
    """The two games that are read."""

    HOMEWORLDS = "homeworlds"
    SETTLERS = "settlers"


class Verdict(StrEnum):
    """How far the reading may be trusted as it stands."""

    CERTAIN = "certain"
    CHECK = "check"
    UNREADABLE = "unreadable"


class Ask(StrEnum):
    """What a question is about: one property of a piece, a piece as a whole, or the whole picture."""

    COLOR = "color"
    SIZE = "size"
    POSTURE = "posture"
    OWNER = "owner"
    ROLE = "role"
    PLACE = "place"
    PIECE = "piece"
    POSITION = "position"
    INVENTORY = "inventory"
    PHOTO = "photo"


_SIZES = {size.word: size for size in Size}
_FIELD_NAMES = {file + rank: file + rank for file in "abcdef" for rank in "123456"}


@dataclass(frozen=True)
class ReadAlternative:
    """Another reading of the same piece, with its probability."""

    color: Color
    size: Size
    posture: Posture
    owner: Seat | None
    probability: float

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "color": self.color.value,
            "size": self.size.word,
            "posture": self.posture.value,
            "owner": self.owner and self.owner.value,
            "probability": self.probability,
        }

    @classmethod
    def from_fields(cls, f: Fields) -> ReadAlternative:
        """From JSON; raises BadReading."""
        return cls(
            color=f.word("color", words_of(Color)),
            size=f.word("size", _SIZES),
            posture=f.word("posture", words_of(Posture)),
            owner=f.optional("owner", lambda key: f.word(key, words_of(Seat))),
            probability=f.number("probability"),
        )


@dataclass(frozen=True)
class ReadPiece:
    """One piece, as read or as corrected by a person.

    Attributes:
        system: id of its star system (Homeworlds), or ``None``.
        field: its field, ``"a1"`` … ``"f6"`` (Settlers), or ``None``.
        center, tip, outline: pixels, the middle of what is in sight of it, its tip and all of its outline, hidden or
            not; a piece added by hand may lie anywhere and have an empty outline.
        heading_deg: direction of a lying piece's tip, counter-clockwise from "right as South sees it".
        confidence: probability that colour, size, posture and owner are all right; 1 once a person said so.
    """

    color: Color
    size: Size
    posture: Posture
    role: Role
    owner: Seat | None = None
    system: int | None = None
    field: str | None = None
    center: Point = (0.0, 0.0)
    tip: Point = (0.0, 0.0)
    outline: tuple[Point, ...] = ()
    heading_deg: float | None = None
    confidence: float = 1.0
    alternatives: tuple[ReadAlternative, ...] = ()

    def moved(self, to: Callable[[tuple[Point, ...]], tuple[Point, ...]]) -> ReadPiece:
        """The piece in another picture, *to* whose pixels its points are moved."""
        center, tip, *outline = to((self.center, self.tip, *self.outline))
        return replace(self, center=center, tip=tip, outline=tuple(outline))

    @property
    def middle(self) -> Point:
        """Pixels, the middle of all of it: unlike ``center`` it stays where it is when something comes before it."""
        if not self.outline:
            return self.center
        xs, ys = zip(*self.outline, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    @property
    def code(self) -> str:
        """Colour letter and pips: ``"r1"`` … ``"b3"``."""
        return f"{self.color.value[0]}{int(self.size)}"

    @property
    def on_table(self) -> bool:
        """Whether it takes part in the game as a ship or a star."""
        return self.role in (Role.SHIP, Role.STAR)

    @property
    def looks(self) -> tuple[tuple[ReadPiece | ReadAlternative, float], ...]:
        """What it may look like, itself first, each with its probability."""
        return ((self, self.confidence), *((other, other.probability) for other in self.alternatives))

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "color": self.color.value,
            "size": self.size.word,
            "posture": self.posture.value,
            "role": self.role.value,
            "owner": self.owner and self.owner.value,
            "system": self.system,
            "field": self.field,
            "center": list(self.center),
            "tip": list(self.tip),
            "outline": [list(point) for point in self.outline],
            "heading_deg": self.heading_deg,
            "confidence": self.confidence,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        }

    @classmethod
    def from_json(cls, data: object, name: str = "piece") -> ReadPiece:
        """From JSON; of color, size, posture and role none may be missing. Raises BadReading."""
        return cls.from_fields(Fields(data, name))

    @classmethod
    def from_fields(cls, f: Fields) -> ReadPiece:
        """As ``from_json``."""
        center = f.optional("center", f.point) or (0.0, 0.0)
        confidence = f.optional("confidence", f.number)
        return cls(
            color=f.word("color", words_of(Color)),
            size=f.word("size", _SIZES),
            posture=f.word("posture", words_of(Posture)),
            role=f.word("role", words_of(Role)),
            owner=f.optional("owner", lambda key: f.word(key, words_of(Seat))),
            system=f.optional("system", f.integer),
            field=f.optional("field", lambda key: f.word(key, _FIELD_NAMES)),
            center=center,
            tip=f.optional("tip", f.point) or center,
            outline=f.points("outline"),
            heading_deg=f.optional("heading_deg", f.number),
            confidence=1.0 if confidence is None else min(1.0, max(0.0, confidence)),
            alternatives=tuple(ReadAlternative.from_fields(inner) for inner in f.inners("alternatives")),
        )


@dataclass(frozen=True)
class ReadSystem:
    """A star system: its stars and each player's ships as piece codes, sorted."""

    id: int
    home: Seat | None
    stars: tuple[str, ...]
    ships: Mapping[Seat, tuple[str, ...]]

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "id": self.id,
            "home": self.home and self.home.value,
            "stars": list(self.stars),
            "ships": {seat.value: list(self.ships.get(seat, ())) for seat in Seat},
        }

    @classmethod
    def from_fields(cls, f: Fields) -> ReadSystem:
        """From JSON; raises BadReading."""
        ships = f.inner("ships")
        return cls(
            id=f.integer("id"),
            home=f.optional("home", lambda key: f.word(key, words_of(Seat))),
            stars=f.texts("stars"),
            ships={seat: ships.texts(seat.value) for seat in Seat},
        )


@dataclass(frozen=True)
class Inventory:
    """Is every piece of the set accounted for?

    Attributes:
        set: how many pieces the set has (36, or 27 without the reds).
        seen: how many pieces are in the picture, on the table or in the bank.
        unseen: codes of the pieces of the set that are not in the picture, one entry a piece.
        surplus: codes of the pieces in the picture that the set does not have.
    """

    set: int
    seen: int
    unseen: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "set": self.set,
            "seen": self.seen,
            "unseen": list(self.unseen),
            "surplus": list(self.surplus),
        }

    @classmethod
    def from_fields(cls, f: Fields) -> Inventory:
        """From JSON; raises BadReading."""
        return cls(f.integer("set"), f.integer("seen"), f.texts("unseen"), f.texts("surplus"))


@dataclass(frozen=True)
class Question:
    """Something a person should look at.

    Attributes:
        piece: index into the reading's pieces, or ``None`` when it is about the whole picture.
        ask: what is asked.
        choices: words to choose from, the likeliest first; empty where there is nothing to choose.
        sentence: the question for people.
    """

    piece: int | None
    ask: Ask
    choices: tuple[str, ...]
    sentence: str

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "piece": self.piece,
            "ask": self.ask.value,
            "choices": list(self.choices),
            "sentence": self.sentence,
        }

    @classmethod
    def from_fields(cls, f: Fields) -> Question:
        """From JSON; raises BadReading."""
        return cls(
            piece=f.optional("piece", f.integer),
            ask=f.word("ask", words_of(Ask)),
            choices=f.texts("choices"),
            sentence=f.text("sentence"),
        )


@dataclass(frozen=True)
class Reading:
    """Everything read from one photo.

    Attributes:
        image: (width, height) px.
        position: the position line, or ``None`` where the pieces make none that can be written.
        bank: pieces left in the bank by code, all kinds: the full set minus the table.
        turn_token: whose turn it is, ``None`` when no token was seen.
        score: pips by seat (Settlers), else ``None``.
        board: corners of the playing area in px — a1, f1, f6, a6 — (Settlers), or empty.
        still_empty: fields that people agreed are empty and where nothing has changed since (Settlers); not in JSON.
        noticed: systems beside which something has come that was not read, and its colour (Homeworlds); not in JSON.
        gone: pieces that stood in systems where now something else is to be seen, and were not read there again
            (Homeworlds); not in JSON.
    """

    game: Game
    image: tuple[int, int]
    pieces: tuple[ReadPiece, ...] = ()
    systems: tuple[ReadSystem, ...] = ()
    position: str | None = None
    bank: Mapping[str, int] = field(default_factory=dict)
    inventory: Inventory = Inventory(36, 0)
    turn_token: Seat | None = None
    score: Mapping[Seat, int] | None = None
    verdict: Verdict = Verdict.UNREADABLE
    questions: tuple[Question, ...] = ()
    board: tuple[Point, ...] = ()
    still_empty: frozenset[str] = frozenset()
    noticed: frozenset[tuple[int, Color]] = frozenset()
    gone: tuple[ReadPiece, ...] = ()

    @property
    def redless(self) -> bool:
        """Whether the set was read as one without reds."""
        return self.inventory.set == 27

    def to_json(self) -> Json:
        """The public JSON object."""
        return {
            "game": self.game.value,
            "image": {"width": self.image[0], "height": self.image[1]},
            "board": [list(corner) for corner in self.board] or None,
            "pieces": [piece.to_json() for piece in self.pieces],
            "systems": [system.to_json() for system in self.systems],
            "position": self.position,
            "bank": dict(self.bank),
            "inventory": self.inventory.to_json(),
            "turn_token": self.turn_token and self.turn_token.value,
            "score": None if self.score is None else {seat.value: self.score[seat] for seat in Seat},
            "verdict": self.verdict.value,
            "questions": [question.to_json() for question in self.questions],
        }

    @classmethod
    def from_json(cls, data: object) -> Reading:
        """The reading whose ``to_json`` this is; raises BadReading."""
        f = Fields(data, "reading")
        image = f.inner("image")
        return cls(
            game=f.word("game", words_of(Game)),
            image=(image.integer("width"), image.integer("height")),
            pieces=tuple(ReadPiece.from_fields(inner) for inner in f.inners("pieces")),
            systems=tuple(ReadSystem.from_fields(inner) for inner in f.inners("systems")),
            position=f.optional("position", f.text),
            bank=f.counts("bank"),
            inventory=Inventory.from_fields(f.inner("inventory")),
            turn_token=f.optional("turn_token", lambda key: f.word(key, words_of(Seat))),
            score={seat: f.inner("score").integer(seat.value) for seat in Seat} if f.has("score") else None,
            verdict=f.word("verdict", words_of(Verdict)),
            questions=tuple(Question.from_fields(inner) for inner in f.inners("questions")),
            board=f.quadrangle("board"),
        )
