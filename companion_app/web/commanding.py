"""The commands of the game page: what a form of it says, given to the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion_app.session import Do, GameSession, View
from companion_app.web.agreements import seat_of_form
from companion_app.web.forms import BadForm

Form = Mapping[str, str]

SAID_ON_THE_PAGE: Final = "The players say that table and record disagree."


def obeyed(session: GameSession, form: Form) -> View:
    """Carry out the command of a form; the view after it. An AppError where it is none, or is not taken now."""
    word = form.get("do", "")
    if word not in _ACTS:
        raise BadForm("There is no such command: open the page anew and try again.")
    return _ACTS[word](session, form, base_of(form))


def base_of(form: Form) -> int:
    """The number of the newest event that the sender of a form has seen."""
    return number_of(form, "base")


def number_of(form: Form, key: str) -> int:
    """A number that is not negative."""
    text = form.get(key, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadForm(f"The field “{key}” should be a number: open the page anew and try again.")
    return int(text)


def _restore(session: GameSession, form: Form, base: int) -> View:
    return session.restore(number_of(form, "to") if "to" in form else None, base=base)


def _tick(session: GameSession, form: Form, base: int) -> View:
    done = "open" not in form
    return session.tick(number_of(form, "step" if done else "open"), done, base=base)


_ACTS: Final[Mapping[str, Callable[[GameSession, Form, int], View]]] = {
    Do.CHOOSE: lambda session, form, base: session.choose(number_of(form, "choice"), base=base),
    Do.AGREE: lambda session, _form, base: session.agree(base=base),
    Do.SETTLE: lambda session, _form, base: session.settle(base=base),
    Do.UNDO: lambda session, _form, base: session.undo(base=base),
    Do.TAKE_BACK: lambda session, form, base: session.take_back(number_of(form, "to"), base=base),
    Do.RESIGN: lambda session, form, base: session.resign(seat_of_form(form), base=base),
    Do.AGREE_DRAW: lambda session, _form, base: session.agree_draw(base=base),
    Do.CLAIM_REPETITION: lambda session, _form, base: session.claim_repetition(base=base),
    Do.SWAP_SEATS: lambda session, _form, base: session.swap_seats(base=base),
    Do.ASK_ADVICE: lambda session, _form, base: session.ask_advice(base=base),
    Do.STOP: lambda session, _form, base: session.stop(base=base),
    Do.PAUSE: lambda session, _form, base: session.pause(base=base),
    Do.RESUME: lambda session, _form, base: session.resume(base=base),
    Do.DISAGREE: lambda session, _form, base: session.disagree(SAID_ON_THE_PAGE, base=base),
    Do.RESTORE: _restore,
    Do.TICK: _tick,
    Do.RESTORED: lambda session, _form, base: session.restored(base=base),
}
"""All commands that come without a look at the table; those with one have addresses of their own."""
