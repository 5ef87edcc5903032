"""From what inference says of a table to what the log will say: one fact, or just a word to the players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from companion_app.errors import AppError
from companion_app.inferring.explain import explain
from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind, Refusal
from companion_app.inferring.observation import Observation
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading
from companion_app.restoring import plan_of, stands, still_wanted
from companion_app.session.course import Course, How, Refused, Restoring
from companion_app.session.opening import homes_chosen, position_of
from companion_app.session.referee import Referee
from companion_app.session.states import Fact
from companion_app.session.terms import Options
from rules import RulesError, Seat, homeworlds
from rules.records import GameKind
from vision.sight import Role

Judge = Callable[[Position, Options, Reading, Sequence[Position]], Judgement]
"""Says what happened between a position and a reading; the last are the earlier positions of the game."""

_IS_THIS_RIGHT: Final = "Is this right?"

Said = tuple[Fact, dict[str, Any]]
"""A fact, and what the log keeps with it."""


def by_inference(before: Position, options: Options, reading: Reading, earlier: Sequence[Position]) -> Judgement:
    """The judge of every real game; an AppError for a reading of the other one."""
    if isinstance(before, homeworlds.Position) != (reading.game is Game.HOMEWORLDS):
        raise AppError("another_game", "This picture is of another game than the recorded one: photograph this one.")
    return explain(before, options, Observation.of(reading), earlier=earlier)


@dataclass(frozen=True)
class Signal:
    """That a turn is over.

    Attributes:
        seat: who said so; ``None`` where nobody knows.
        table: the line of the position as it was read, or empty.
        photo: the name of the photo, or empty.
        asked: whether a person corrected the reading, and so vouches for it.
    """

    seat: Seat | None
    how: How
    table: str = ""
    photo: str = ""
    asked: bool = False


@dataclass(frozen=True)
class Ruling:
    """What is written, if anything, and what the players are told besides."""

    said: Said | None
    note: str = ""


@dataclass(frozen=True)
class Bench:
    """Rules on tables of one game as it stands."""

    course: Course
    referee: Referee
    signal: Signal

    def put_back(self, reading: Reading) -> Ruling | None:
        """What follows where the pieces were put back, which needs no judge; ``None`` where that was not wanted.

        Players who were told to put them back have done so if that is what the table most likely shows.
        """
        open_ = self.course.open
        if isinstance(open_, Restoring):
            wanted = still_wanted(plan_of(self.referee.positions[open_.to]), reading)
            if wanted:
                return Ruling(None, f"The table is not that position yet. {wanted}")
            return Ruling((Fact.RESTORED, self._kept()))
        if open_ and stands(plan_of(self.referee.position), reading, likely=isinstance(open_, Refused)):
            return Ruling((Fact.SETTLED, self._kept()))
        return None

    def begun(self, reading: Reading) -> Ruling | None:
        """What follows where an empty board was waited for and is seen, which needs no judge either."""
        if self._waits_for_board and reading.board and all(piece.role is Role.BANK for piece in reading.pieces):
            return Ruling((Fact.READY, self._kept()))
        return None

    def ruling(self, judgement: Judgement) -> Ruling:
        """What follows from a judgement; an AppError where it is not the turn of who said that it is over."""
        best = judgement.best
        if not self._may_say_so(judgement):
            raise not_your_turn(self.referee.to_move)
        if judgement.verdict is Certainty.UNSURE and judgement.rivals:
            return Ruling(self._asked("What was played?", (best, *judgement.rivals)))
        if judgement.verdict is Certainty.UNSURE and best.kind is not Kind.UNEXPLAINED:
            return Ruling(self._asked(_IS_THIS_RIGHT, (best,)))
        match best.kind:
            case Kind.UNEXPLAINED if homes := homes_chosen(position_of(self.signal.table), self.referee.position):
                chosen = replace(best, kind=Kind.SEVERAL, turns=homes, sentence="The homeworlds are other ones.")
                return Ruling(self._asked("Are these your homeworlds?", (chosen,)))
            case Kind.UNCHANGED:
                return self._unchanged(best)
            case Kind.HALF_DONE:
                return Ruling(self._settled(), best.sentence)
            case Kind.TAKEN_BACK:
                return Ruling(self._asked(_IS_THIS_RIGHT, (best,)))
        said = self._chosen(best, asked=self.signal.asked)
        if said[0] is Fact.PLAYED:
            self._check_seat(said[1]["turns"][-1]["seat"])
        return Ruling(said)

    # What each kind of explanation comes to

    def _unchanged(self, best: Explanation) -> Ruling:
        mover, seat = self.referee.to_move, self.signal.seat
        if self.course.open or self._waits_for_board:
            return Ruling(self._chosen(best))
        if self.referee.is_setting_up:
            return Ruling(None, f"{mover.word} has no homeworld yet: set it up, then end the turn.")
        if seat is None:
            return Ruling(self._asked("Nothing was moved: is that a pass?", (best,)))
        self._check_seat(mover.value)
        return Ruling(self._chosen(best))

    def _asked(self, question: str, explanations: Sequence[Explanation]) -> Said:
        """The *question* which of these it was; that a turn is not legal is said before anybody chooses it."""
        choices = []
        for one in explanations:
            fact, payload = self._chosen(one, asked=True)
            choices.append(
                {
                    "sentence": self._offered(one, fact, payload),
                    "probability": round(one.probability, 4),
                    "fact": fact.value,
                    "payload": payload,
                }
            )
        likeliest, refused = choices[0]["sentence"], choices[0]["fact"] == Fact.REFUSED
        if question == _IS_THIS_RIGHT:
            question = f"{question} {likeliest if refused else explanations[0].sentence}"
        elif refused:
            question = f"{question} The likeliest turn is not legal."
        return Fact.ASKED, self._kept(sentence=question, choices=choices)

    def _offered(self, one: Explanation, fact: Fact, payload: dict[str, Any]) -> str:
        """A choice in words: what the record will have, where it will have something."""
        if fact is Fact.READY:
            return f"The board is empty: {self.referee.to_move.word} begins."
        if fact is Fact.REFUSED:
            return _not_legal(payload)
        return _recorded(payload) if fact is Fact.PLAYED and "to" not in payload else one.sentence

    def _chosen(self, one: Explanation, *, asked: bool = False) -> Said:
        """The fact that *one* is, once it is settled that it happened."""
        match one.kind:
            case Kind.UNCHANGED if self._waits_for_board:
                return Fact.READY, self._kept()
            case Kind.UNCHANGED if not self.course.open and not self.referee.is_setting_up:
                return self._played(one, ((homeworlds.Pass(),) if self._is_homeworlds else (),), asked)
            case Kind.LEGAL | Kind.SEVERAL if one.turns:
                return self._played(one, one.turns, asked)
            case Kind.TAKEN_BACK if one.turns:
                return self._played(one, one.turns, asked, self._before_last_turn)
            case Kind.TAKEN_BACK if one.position in self.referee.positions:
                positions = self.referee.positions
                return Fact.TAKEN_BACK, self._kept(to=len(positions) - 1 - positions[::-1].index(one.position))
            case Kind.ILLEGAL:
                return self._refused(one, one.refusal)
            case Kind.UNCHANGED | Kind.HALF_DONE:
                return Fact.SETTLED, self._kept()
        table = self.signal.table
        return Fact.DISAGREED, self._kept(sentence=one.sentence, marked=list(one.marked), table=table)

    def _played(self, one: Explanation, turns: Sequence[Any], asked: bool, to: int | None = None) -> Said:
        """Some turns, played after the first *to* entries where others were taken back.

        A turn that the rules refuse after all, by an option that a position does not tell, is no legal one.
        """
        course = self.course
        referee = self.referee if to is None else Referee.of(replace(course, entries=course.entries[:to]))
        try:
            told = referee.told(turns)
        except RulesError as error:
            return self._refused(one, Refusal.of(error))
        said = self._kept(
            how=self.signal.how.value,
            turns=[{"seat": seat.value, "text": text, "sentence": sentence} for seat, text, sentence in told],
        )
        return Fact.PLAYED, said | ({"asked": True} if asked else {}) | ({} if to is None else {"to": to})

    def _refused(self, one: Explanation, refusal: Refusal | None) -> Said:
        return Fact.REFUSED, self._kept(
            seat=(self.signal.seat or self.referee.to_move).value,
            sentence=one.sentence,
            rule=refusal.rule if refusal else "",
            code=refusal.code if refusal else "",
            why=refusal.sentence if refusal else "",
            marked=list(one.marked),
            table=self.signal.table,
        )

    def _settled(self) -> Said | None:
        return (Fact.SETTLED, self._kept()) if self.course.open else None

    def _kept(self, **said: Any) -> dict[str, Any]:
        return said | ({"photo": self.signal.photo} if self.signal.photo else {})

    @property
    def _before_last_turn(self) -> int:
        """How many entries there were before the position now came about."""
        positions = self.referee.positions
        return max((number for number, position in enumerate(positions) if position != positions[-1]), default=0)

    @property
    def _is_homeworlds(self) -> bool:
        return self.course.terms.game is GameKind.HOMEWORLDS

    @property
    def _waits_for_board(self) -> bool:
        return waits_for_board(self.course)

    def _may_say_so(self, judgement: Judgement) -> bool:
        """Whether whoever said that the turn is over may be asked about it: they are to move, or have replied."""
        if self.signal.seat in (None, self.referee.to_move) or self.course.open or self.referee.is_setting_up:
            return True
        return any(one.kind is Kind.SEVERAL for one in (judgement.best, *judgement.rivals))

    def _check_seat(self, seat: str) -> None:
        """An AppError where somebody else than *seat*, who has just moved, said that the turn is over."""
        if self.signal.seat is not None and self.signal.seat.value != seat:
            raise not_your_turn(self.referee.to_move)


def not_your_turn(mover: Seat) -> AppError:
    """Somebody else than *mover* said that the turn is over."""
    return AppError("not_your_turn", f"It is {mover.word}’s turn: {mover.word} ends it.")


def _not_legal(payload: dict[str, Any]) -> str:
    """A refused turn as a choice: that it is not legal, the rule, and what was seen."""
    ruling = f" (ruling {payload['rule']})" if payload["rule"] else ""
    why, seen = payload["why"], payload["sentence"].removesuffix(payload["why"]).rstrip(" .:")
    return " ".join(filter(None, (f"Not legal{ruling}:", why, f"Seen: {seen}." if seen else "")))


def _recorded(payload: dict[str, Any]) -> str:
    """The sentences of some turns as the record will have them."""
    return " ".join(turn["sentence"] for turn in payload["turns"])


def waits_for_board(course: Course) -> bool:
    """Whether a game of Settlers still waits for its empty board."""
    terms = course.terms
    return terms.game is GameKind.SETTLERS and not (course.ready or course.entries or terms.start)
