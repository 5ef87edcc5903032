"""A correction is the difference between a piece as it was read and what a person made of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from companion_app.reading_types import Json, Reading, ReadPiece
from vision.sight import Seat

FORMAT = 1
PROPERTIES = ("color", "size", "posture", "role", "owner", "system", "field")


class What(StrEnum):
    """What a person did with a piece."""

    CHANGED = "changed"
    CONFIRMED = "confirmed"  # asked about it, said that it was read rightly
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Correction:
    """One piece that a person changed, confirmed, added or removed.

    Attributes:
        piece: its number among the pieces as read; ``None`` for one that was added.
        read: as it was read, with its confidence and alternatives.
        told: as the person left it; ``None`` for one that was removed.
    """

    piece: int | None
    read: ReadPiece | None
    told: ReadPiece | None

    @property
    def what(self) -> What:
        """Which of the four it is."""
        if self.read is None:
            return What.ADDED
        if self.told is None:
            return What.REMOVED
        return What.CHANGED if self.differs else What.CONFIRMED

    @property
    def differs(self) -> tuple[str, ...]:
        """Which properties of a changed piece had been read wrongly."""
        if not self.read or not self.told:
            return ()
        return tuple(name for name in PROPERTIES if getattr(self.read, name) != getattr(self.told, name))

    def to_json(self) -> Json:
        """As it is exported."""
        return {
            "what": self.what.value,
            "piece": self.piece,
            "differs": list(self.differs),
            "read": self.read and self.read.to_json(),
            "is": self.told and self.told.to_json(),
        }


@dataclass(frozen=True)
class HomeCorrection:
    """Whose home system number *system* was *read* as, and whose it is *told* to be."""

    system: int
    read: Seat | None
    told: Seat | None

    def to_json(self) -> Json:
        """As it is exported."""
        return {"system": self.system, "read": self.read and self.read.value, "is": self.told and self.told.value}


@dataclass(frozen=True)
class CorrectedReading:
    """A reading that a person worked on: nothing in it says who, when, or what it was called.

    Attributes:
        photo: name of its photo in the store: the fingerprint of its bytes.
        source: "photo", or "virtual" for a picture of the virtual table.
        south_side: the side of the photo that South sits at.
        saved: whether the person saved it, and so stands for every piece of it.
        read: as the program read it.
        corrected: as the person left it.
        origins: for each piece of *corrected* its number in *read*; ``None`` if the person added it.
    """

    photo: str
    source: str
    south_side: str
    saved: bool
    read: Reading
    corrected: Reading
    origins: tuple[int | None, ...]

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What the person did with the pieces, in the order in which they were read, and then what was added."""
        left = dict(zip(self.origins, self.corrected.pieces, strict=True))
        touched = [
            Correction(number, piece, left.get(number))
            for number, piece in enumerate(self.read.pieces)
            if left.get(number) != piece
        ]
        added = [p for origin, p in zip(self.origins, self.corrected.pieces, strict=True) if origin is None]
        return (*touched, *(Correction(None, None, piece) for piece in added))

    @property
    def homes(self) -> tuple[HomeCorrection, ...]:
        """The systems that are another's home than was read."""
        homes = {system.id: system.home for system in self.read.systems}
        return tuple(
            HomeCorrection(system.id, homes.get(system.id), system.home)
            for system in self.corrected.systems
            if homes.get(system.id) != system.home
        )

    @property
    def counts(self) -> Counter[str]:
        """How many corrections of each kind, in that order; a home counts as changed."""
        told = Counter(one.what for one in self.corrections) + Counter({What.CHANGED: len(self.homes)})
        return Counter({what.value: told[what] for what in What if told[what]})

    @cached_property
    def fingerprint(self) -> str:
        """A name that tells nothing, and is the same for the same content."""
        content = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:24]

    def to_json(self) -> Json:
        """As it is exported."""
        return {
            "format": FORMAT,
            "photo": f"photos/{self.photo}",
            "source": self.source,
            "game": self.read.game.value,
            "south": self.south_side,
            "saved": self.saved,
            "corrections": [one.to_json() for one in self.corrections],
            "homes": [one.to_json() for one in self.homes],
            "read": self.read.to_json(),
            "corrected": self.corrected.to_json(),
        }


def distinct(readings: Iterable[CorrectedReading]) -> list[CorrectedReading]:
    """Each once, however often the same photo was opened and told the same, in the order of their fingerprints."""
    return [one for _, one in sorted({one.fingerprint: one for one in readings}.items())]
