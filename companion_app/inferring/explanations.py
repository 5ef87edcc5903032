"""The answers of inference: what may have happened since the last position, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules import RulesError, homeworlds, settlers

Position = homeworlds.Position | settlers.Position
Turn = homeworlds.Turn | settlers.Turn


class Kind(StrEnum):
    """What has happened on the table."""

    UNCHANGED = "unchanged"
    LEGAL = "legal"
    HALF_DONE = "half done"
    SEVERAL = "several"
    TAKEN_BACK = "taken back"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"


class Certainty(StrEnum):
    """Whether the best explanation may be recorded without asking."""

    CERTAIN = "certain"
    UNSURE = "unsure"


@dataclass(frozen=True)
class Refusal:
    """The rule that an explanation breaks.

    Attributes:
        code: stable, mostly that of the engine's own refusal.
        rule: the number of the ruling, empty where none has one.
        sentence: the rule for people, without what was done.
    """

    code: str
    rule: str
    sentence: str

    @classmethod
    def of(cls, error: RulesError) -> Refusal:
        """The refusal of the rules engine."""
        return cls(error.code, error.rule, error.sentence)


@dataclass(frozen=True)
class Explanation:
    """One thing that may have happened.

    Attributes:
        turns: the turns in their order, of alternating players: one of a legal table, none where none explains it.
        position: the position to go on from; of an illegal or half-done turn, the last agreed one.
        probability: among all that was thought of.
        sentence: what happened, for people.
        refusal: which rule forbids it, of an illegal turn.
        marked: indices into the reading's pieces: what has moved where the rules are broken, or was read amiss.
    """

    kind: Kind
    turns: tuple[Turn, ...]
    position: Position
    probability: float
    sentence: str
    refusal: Refusal | None = None
    marked: tuple[int, ...] = ()

    @property
    def recorded(self) -> tuple[object, ...]:
        """What would be written down: explanations that agree in this need no choice."""
        return self.kind, self.position, self.refusal and self.refusal.code


@dataclass(frozen=True)
class Judgement:
    """What inference says of a table: the best explanation, and what else it may be, the likeliest first."""

    verdict: Certainty
    best: Explanation
    rivals: tuple[Explanation, ...] = ()
