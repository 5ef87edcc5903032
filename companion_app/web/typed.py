"""What a person says of the table instead of showing it: a turn that was typed, or that all is as recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading
from companion_app.session import Judge
from companion_app.session.referee import Referee
from companion_app.session.terms import Options
from rules import homeworlds


@dataclass(frozen=True)
class Said(Reading):
    """A reading without a picture: what happened is known."""

    explanation: Explanation | None = None


def turn_typed(referee: Referee, text: str) -> Said:
    """The table after the turn that *text* writes down; a RulesError where it writes none, or an illegal one."""
    turn = referee.read(text)
    ((_, strict, sentence),) = referee.told((turn,))
    game = referee.game
    game.push_text(strict)
    after = game.position
    game.pop()
    return _said(Explanation(Kind.LEGAL, (turn,), after, 1.0, sentence))


def as_recorded(position: Position) -> Said:
    """The table as the record has it."""
    return _said(Explanation(Kind.UNCHANGED, (), position, 1.0, "Nothing was moved."))


def or_else(judge: Judge) -> Judge:
    """A judge that takes a person's word, and asks *judge* about pictures."""

    def judged(before: Position, options: Options, reading: Reading, earlier: Sequence[Position]) -> Judgement:
        if isinstance(reading, Said) and reading.explanation:
            return Judgement(Certainty.CERTAIN, reading.explanation, ())
        return judge(before, options, reading, earlier)

    return judged


def _said(explanation: Explanation) -> Said:
    position = explanation.position
    game = Game.HOMEWORLDS if isinstance(position, homeworlds.Position) else Game.SETTLERS
    return Said(game, (1, 1), position=position.line, explanation=explanation)
