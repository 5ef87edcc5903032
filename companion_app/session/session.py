"""One game at the table: the one owner of its state. It takes commands, writes them down, and tells all who listen.

::

    command ── states.check ──> fact ── referee.follow (is it possible?) ── log.append (it is on the disk) ──>
        course.after ──> view ──> listeners

Nothing is acknowledged before it is on the disk, and nothing comes there that the rules cannot play. The session sees
no pictures: a reading comes with the command, and a ``Judge`` says what it means.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from companion_app.errors import AppError
from companion_app.event_log import Damaged, Event, Stale, photo_name
from companion_app.reading_types import Reading
from companion_app.session.course import Asked, Course, Disagreed, How, Payload, Refused, Restoring, after, fold
from companion_app.session.log import GameLog
from companion_app.session.referee import Referee
from companion_app.session.ruling import Bench, Judge, Ruling, Signal, waits_for_board
from companion_app.session.states import Do, Fact, State, check
from companion_app.session.terms import Terms
from companion_app.session.view import View, view_of
from rules import RulesError, Seat
from rules.homeworlds import Special

Listener = Callable[[View], object]

_SPECIAL: Mapping[Do, Special] = {
    Do.RESIGN: Special.RESIGN,
    Do.AGREE_DRAW: Special.AGREE_DRAW,
    Do.CLAIM_REPETITION: Special.CLAIM_REPETITION,
    Do.SWAP_SEATS: Special.SWAP_SEATS,
}


class GameSession:
    """A game that is being played. Any thread may call.

    Every command answers the view after it, and raises ``AppError`` where it is not taken; then nothing has changed.
    *base* is the number of the newest event that the caller has seen: where there are newer ones, ``Stale`` comes,
    and :attr:`view` is what has come since.
    """

    def __init__(self, log: GameLog, game: str, judge: Judge) -> None:
        """Take up a game of the log where it stands.

        ``NotKept`` where there is none of this name, ``Damaged`` where what is kept cannot be played.
        """
        self.game = game
        self._log = log
        self._judge = judge
        self._guard = threading.RLock()
        self._listeners: list[Listener] = []
        self._looking = False
        self._note = ""
        events = log.events(game)
        try:
            self._course = fold(events)
            self._referee = Referee.of(self._course)
            self._view = self._seen()
        except (AppError, RulesError) as error:
            raise Damaged("game", error.sentence.rstrip(".")) from error

    @classmethod
    def begin(cls, log: GameLog, terms: Terms, judge: Judge) -> GameSession:
        """Begin a game; an AppError for terms on which none can be played."""
        with _as_app_error():
            terms.check()
        return cls(log, log.begin(Fact.BEGUN, terms.to_json()), judge)

    # What can be asked

    def photo(self, name: str) -> bytes | None:
        """A photo that events of the log name, as a JPEG file; ``None`` where it is not kept."""
        return self._log.photo(name)

    @property
    def view(self) -> View:
        """The game as it is now."""
        return self._view

    @property
    def course(self) -> Course:
        """What the log adds up to."""
        return self._course

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have *listener* called with the view now and after every change, in order; call the answer to end that.

        It is called while the game waits for it, so it should do no more than pass the view on.
        """
        with self._guard:
            self._listeners.append(listener)
            self._tell(listener)

        def stop() -> None:
            with self._guard, suppress(ValueError):
                self._listeners.remove(listener)

        return stop

    def refresh(self) -> View:
        """Read what other programs have written."""
        with self._guard:
            self._course = fold(self._log.events(self.game))
            self._referee.follow(self._course.entries)
            return self._show()

    # Looking at the table

    @contextmanager
    def judging(self) -> Iterator[None]:
        """While the table is being photographed and read, the state is JUDGING and other commands are refused."""
        with self._looking_for(Do.END_TURN):
            yield

    def end_turn(
        self, seat: Seat | None, how: How, reading: Reading, *, photo: bytes = b"", base: int | None = None
    ) -> View:
        """A turn is over, *seat* said (``None``: somebody did), and *reading* is what stands on the table.

        What it means is judged, and written down if it is a turn, refused, unsure or not to be explained.
        """
        return self._look(Do.END_TURN, Signal(seat, how, reading.position or "", _name(photo)), reading, photo, base)

    def no_camera(self) -> View:
        """Somebody pressed a button at a table that nobody looks at: where a turn could end, say how it can."""
        with self._guard:
            if self._view.state in (State.JUDGING, State.RESTORING) or Do.END_TURN not in self._view.commands:
                return self._view
            way = "Say so" if waits_for_board(self._course) else "Type the turn"
            self._note = f"{way} on the page: no camera sees this table."
            return self._show()

    def correct(self, reading: Reading, *, base: int | None = None) -> View:
        """*reading* is what really stands on the table, as a person says of one that was refused or in doubt."""
        signal = Signal(None, How.PAGE, reading.position or "", self._open_photo(), asked=True)
        return self._look(Do.CORRECT, signal, reading, b"", base)

    # What people decide

    def choose(self, number: int, *, base: int | None = None) -> View:
        """Of what may have been played it was the choice of this *number*, from 0."""
        with self._commanding(Do.CHOOSE):
            asked = self._course.open
            assert isinstance(asked, Asked)
            if not 0 <= number < len(asked.choices):
                raise AppError("no_such_choice", f"Choose one of 1 to {len(asked.choices)}.")
            choice = asked.choices[number]
            return self._write(choice.fact, choice.payload, base)

    def agree(self, *, to_move: Seat | None = None, base: int | None = None) -> View:
        """Both agree to play on from the table as it was read; *to_move* is next, or else the next player."""
        with self._commanding(Do.AGREE):
            open_ = self._course.open
            assert isinstance(open_, Refused | Disagreed)
            position = self._referee.agreed(open_.table, to_move)
            payload = {"seat": self._referee.to_move.value, "position": position.line, "sentence": open_.sentence}
            return self._write(Fact.AGREED, payload | ({"photo": open_.photo} if open_.photo else {}), base)

    def settle(self, *, base: int | None = None) -> View:
        """The record stands as it is: on with the turn."""
        return self._plain(Do.SETTLE, Fact.SETTLED, {}, base)

    def undo(self, *, base: int | None = None) -> View:
        """Take the last entry of the record back, whatever it was."""
        return self._take_back(Do.UNDO, None, base)

    def take_back(self, to: int, *, base: int | None = None) -> View:
        """Go back to where the record had *to* entries."""
        return self._take_back(Do.TAKE_BACK, to, base)

    def resign(self, seat: Seat, *, base: int | None = None) -> View:
        """*seat* gives up."""
        return self._declare(Do.RESIGN, seat, base)

    def agree_draw(self, *, base: int | None = None) -> View:
        """The players agree on a draw."""
        return self._declare(Do.AGREE_DRAW, None, base)

    def claim_repetition(self, *, base: int | None = None) -> View:
        """The player to move claims a draw, the same position standing for the third time."""
        return self._declare(Do.CLAIM_REPETITION, None, base)

    def swap_seats(self, *, base: int | None = None) -> View:
        """Brain Transference: the players change places."""
        junior = getattr(self._referee.game, "junior", None)
        return self._declare(Do.SWAP_SEATS, junior, base)

    def ask_advice(self, *, base: int | None = None) -> View:
        """Tactical Computer: the advice is the sentence of the newest entry."""
        with self._commanding(Do.ASK_ADVICE):
            return self._write(Fact.DECLARED, self._declared(Special.ASK_ADVICE, self._referee.to_move), base)

    def stop(self, *, base: int | None = None) -> View:
        """Leave the game unfinished; it can be taken up again by undoing this."""
        said = {"seat": self._referee.to_move.value, "sentence": "The game was stopped here, unfinished."}
        return self._plain(Do.STOP, Fact.STOPPED, said, base)

    def pause(self, *, base: int | None = None) -> View:
        """Rest; the camera is not needed meanwhile."""
        return self._plain(Do.PAUSE, Fact.PAUSED, {}, base)

    def resume(self, *, base: int | None = None) -> View:
        """Go on where it rested."""
        return self._plain(Do.RESUME, Fact.RESUMED, {}, base)

    def disagree(self, sentence: str, reading: Reading | None = None, *, base: int | None = None) -> View:
        """Table and record disagree, as *sentence* says; *reading* is what stands on the table, if that is known."""
        table = reading.position if reading else None
        return self._plain(Do.DISAGREE, Fact.DISAGREED, {"sentence": sentence, "table": table or ""}, base)

    def restore(self, to: int | None = None, *, base: int | None = None) -> View:
        """Put the position after the first *to* entries back on the table, or the last one."""
        with self._commanding(Do.RESTORE):
            count = len(self._course.entries)
            wanted = count if to is None else to
            if not 0 <= wanted <= count:
                raise _no_such_turn(count)
            return self._write(Fact.RESTORING, {"to": wanted}, base)

    def tick(self, step: int, done: bool = True, *, base: int | None = None) -> View:
        """A step of what is put back is done, or is not after all."""
        with self._commanding(Do.TICK):
            layout = self._view.layout
            if layout is None or not 0 <= step < len(layout.steps):
                raise AppError("no_such_step", "There is no such step any more: look at the list as it is now.")
            return self._write(Fact.TICKED, {"step": step, "done": done}, base)

    def restored(self, *, base: int | None = None) -> View:
        """The position stands: play goes on from it."""
        return self._plain(Do.RESTORED, Fact.RESTORED, {}, base)

    # How it is done

    @contextmanager
    def _commanding(self, do: Do) -> Iterator[None]:
        """One command at a time, where the state takes it; what the rules refuse is an ``AppError`` as well."""
        with self._guard:
            check(self._view.state, do)
            with _as_app_error():
                yield

    @contextmanager
    def _looking_for(self, do: Do) -> Iterator[None]:
        with self._guard:
            check(self._view.state, do)
            self._looking = True
            self._show()
        try:
            yield
        finally:
            with self._guard:
                if self._view.state is State.JUDGING:  # nothing came of it
                    self._looking = False
                    self._show()

    def _look(self, do: Do, signal: Signal, reading: Reading, photo: bytes, base: int | None) -> View:
        with self._looking_for(do):
            with self._guard:
                course = self._course
                self._check_base(base)
                bench = Bench(course, self._referee, signal)
                plain = bench.put_back(reading) or bench.begun(reading)
                if plain:
                    return self._rule(plain, photo)
                *earlier, now = self._referee.positions
                options = self._referee.options
            judgement = self._judge(now, options, reading, tuple(earlier))
            with self._guard, _as_app_error():
                self._check_base(course.seq)
                return self._rule(bench.ruling(judgement), photo)

    def _rule(self, ruling: Ruling, photo: bytes) -> View:
        """Do what was ruled; the table is not looked at any longer."""
        self._looking = False
        if ruling.said is None:
            self._note = ruling.note
            return self._show()
        fact, payload = ruling.said
        self._append(fact, payload)
        self._note = ruling.note
        if photo:  # the log first: a turn is worth more than its picture
            try:
                self._log.keep_photo(photo)
            except AppError as error:
                self._note = f"The turn is kept, but its photo is not. {error.sentence}"
        return self._show()

    def _plain(self, do: Do, fact: Fact, payload: Payload, base: int | None) -> View:
        with self._commanding(do):
            return self._write(fact, payload, base)

    def _take_back(self, do: Do, to: int | None, base: int | None) -> View:
        with self._commanding(do):
            last = len(self._course.entries) - 1
            if last < 0:
                raise AppError("nothing_to_undo", "Nothing has been played yet, so there is nothing to take back.")
            if to is not None and not 0 <= to <= last:
                raise _no_such_turn(last)
            return self._write(Fact.TAKEN_BACK, {"to": last if to is None else to}, base)

    def _declare(self, do: Do, seat: Seat | None, base: int | None) -> View:
        with self._commanding(do):
            doer = seat or self._referee.to_move
            if doer not in self._referee.standing:
                raise AppError("seat_out", f"{doer.word} is not in this game (any more).")
            return self._write(Fact.DECLARED, self._declared(_SPECIAL[do], doer), base)

    def _declared(self, what: Special, doer: Seat) -> Payload:
        return {"seat": doer.value, "what": what.value, "sentence": self._referee.told_of(what, doer)}

    def _write(self, fact: Fact, payload: Payload, base: int | None) -> View:
        self._check_base(base)
        self._append(fact, payload)
        self._note = ""
        return self._show()

    def _check_base(self, base: int | None) -> None:
        if base is not None and base != self._course.seq:
            raise Stale("game", self._course.seq)

    def _append(self, fact: Fact, payload: Payload) -> None:
        """Write a fact down, once it is clear that the game can go on from it."""
        event = Event(self._course.seq + 1, datetime.now(UTC), fact.value, payload)
        course = after(self._course, event)
        self._referee.follow(course.entries)
        try:
            self._log.append(self.game, event.kind, payload, base=self._course.seq, at=event.at)
        except AppError as error:
            self._referee.follow(self._course.entries)
            if isinstance(error, Stale):
                self.refresh()
            raise
        self._course = course

    def _seen(self) -> View:
        return view_of(self.game, self._course, self._referee, judging=self._looking, note=self._note)

    def _show(self) -> View:
        """Make the view anew and tell it to all who listen."""
        self._view = self._seen()
        for listener in tuple(self._listeners):
            self._tell(listener)
        return self._view

    def _tell(self, listener: Listener) -> None:
        try:
            listener(self._view)
        except Exception:  # whoever listens must not stop the game
            logging.getLogger(__name__).exception("a listener of game %s failed", self.game)

    def _open_photo(self) -> str:
        open_ = self._course.open
        return "" if open_ is None or isinstance(open_, Restoring) else open_.photo


@contextmanager
def _as_app_error() -> Iterator[None]:
    try:
        yield
    except RulesError as error:
        raise AppError(error.code, error.sentence) from error


def _name(photo: bytes) -> str:
    return photo_name(photo) if photo else ""


def _no_such_turn(most: int) -> AppError:
    return AppError("no_such_turn", f"There is no such turn in the record: name one from 0 to {most}.")
