"""What virtual players say when they are asked: they know what was played, and stand for it.

They do what people at the page do, and by the same commands: choose one of several turns, correct a picture, take
back what was never played.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import UTC, datetime
from typing import Final

from companion_app.errors import AppError
from companion_app.event_log import Event
from companion_app.live.virtual_mistakes import content_of
from companion_app.reading_types import Reading
from companion_app.session import Course, Do, GameSession, How, State
from companion_app.session.course import Asked, Choice, after
from companion_app.session.referee import Referee
from rules import RulesError, Seat

_OPEN: Final = frozenset({State.ILLEGAL, State.UNSURE, State.DISAGREE})
OBJECTION: Final = "The players say that something else was played."


def right_choice(course: Course, content: Hashable, to_move: Seat) -> int | None:
    """Which of the choices leads to a table with this *content* and *to_move* to play; ``None`` where none does."""
    choices = course.open.choices if isinstance(course.open, Asked) else ()
    for number, choice in enumerate(choices):
        referee = _after(course, choice)
        if referee and content_of(referee.position) == content and (referee.outcome or referee.to_move is to_move):
            return number
    return None


def agree_on_start(session: GameSession, reading: Reading, content: Hashable, to_move: Seat) -> None:
    """Say that the table is set up, where that is waited for: *reading* is what stands on it."""
    session.end_turn(None, How.PAGE, reading)
    _choose(session, content, to_move)


def put_right(session: GameSession, reading: Reading, contents: Sequence[Hashable], to_move: Seat) -> str:
    """Have the record say what was played: *contents* of the table from the first on, the last read as *reading*.

    Turns that were never played are taken back. In words, what the players have done about it; ``AppError`` where the
    record cannot be brought there.
    """
    stands = _common(session.course, contents)
    was_wrong = stands < len(session.view.entries)
    if was_wrong:
        session.take_back(stands)
    if Do.CORRECT not in session.view.commands:
        session.disagree(OBJECTION)
    session.correct(reading)
    _choose(session, contents[-1], to_move)
    view = session.view
    if content_of(view.position) != contents[-1] or view.state in _OPEN:
        raise AppError("not_put_right", "The record cannot be brought to what was played: begin another game.")
    if was_wrong:
        return "The players have put the record right: it did not say what was played."
    told = " ".join(entry.sentence for entry in view.entries[stands:])
    return f"The players say: {told or 'it stands as it is recorded.'}"


def _choose(session: GameSession, content: Hashable, to_move: Seat) -> None:
    """Answer what is asked, where the right answer is there."""
    number = right_choice(session.course, content, to_move)
    if number is not None:
        session.choose(number)


def _common(course: Course, contents: Sequence[Hashable]) -> int:
    """How many entries of the record, from the first on, are what was played."""
    recorded = [content_of(position) for position in Referee.of(course).positions[1:]]
    pairs = list(zip(recorded, contents[1:], strict=False))
    return next((number for number, (one, other) in enumerate(pairs) if one != other), len(pairs))


def _after(course: Course, choice: Choice) -> Referee | None:
    """Where a choice leads; ``None`` where the rules do not let it."""
    event = Event(course.seq + 1, datetime.now(UTC), choice.fact.value, choice.payload)
    try:
        return Referee.of(after(course, event))
    except (AppError, RulesError):
        return None
