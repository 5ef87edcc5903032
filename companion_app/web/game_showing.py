"""A game made ready to be shown: as it is now, and as it was after any of its turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from companion_app.diagram import diagram_svg
from companion_app.event_log import photo_name
from companion_app.game_files.alerts import homeworlds_alerts, settlers_alerts, urgent
from companion_app.live.demo import Demo
from companion_app.notation import Position
from companion_app.session import Do, Entry, GameSession, State, Terms, View, What
from companion_app.session.course import names_after
from companion_app.session.referee import Referee
from companion_app.session.terms import Options
from companion_app.web.live import Live, Look
from companion_app.web.options_in_words import options_in_words
from companion_app.web.writing import EXAMPLES, Example
from rules import KINDS, Piece, Seat, homeworlds, settlers

MARKS: Final = {
    State.SETUP: "▲",
    State.TURN: "▶",
    State.JUDGING: "…",
    State.LEGAL: "✓",
    State.ILLEGAL: "✕",
    State.UNSURE: "?",
    State.DISAGREE: "≠",
    State.PAUSED: "‖",
    State.RESTORING: "↺",
    State.OVER: "■",
}
"""A sign for each state, so that it is never told by its colour alone."""

HEADS: Final = {
    State.ILLEGAL: "Not legal.",
    State.UNSURE: "Not sure.",
    State.DISAGREE: "Table and record differ.",
}
"""What is read from far away where the sentence is long."""

LONG: Final = 60
"""Letters of a sentence that is written smaller."""

_MORE: Final = {
    Do.UNDO: "Undo",
    Do.PAUSE: "Pause",
    Do.RESTORE: "Put it back on the table",
    Do.SWAP_SEATS: "Change places",
    Do.ASK_ADVICE: "Ask for advice",
    Do.CLAIM_REPETITION: "Claim the draw",
}
_WEIGHTY: Final = {
    Do.DISAGREE: "Table and record disagree",
    Do.AGREE_DRAW: "We agree on a draw",
    Do.STOP: "Stop here, unfinished",
}


@dataclass(frozen=True)
class BankRow:
    """One of the kinds: how many are in the bank, and how many on the table."""

    piece: Piece
    bank: int
    table: int


@dataclass(frozen=True)
class Board:
    """What stands on the table of a game, drawn and counted."""

    position: Position
    terms: Terms
    over: bool = False
    """Whether the game has ended with it."""

    @property
    def is_settlers(self) -> bool:
        """Whether it has a score."""
        return isinstance(self.position, settlers.Position)

    @cached_property
    def score(self) -> settlers.Score | None:
        """Of Settlers, as it would be if the game ended here."""
        there = self.position
        return settlers.score(there, self.terms.beginner) if isinstance(there, settlers.Position) else None

    @property
    def quiet(self) -> tuple[int, int] | None:
        """Of Settlers: turns in a row without a conquest, and how many end the game."""
        if isinstance(self.position, settlers.Position) and isinstance(self.terms.options, settlers.Options):
            return self.position.quiet_turns, self.terms.options.quiet_limit
        return None

    @property
    def diagram(self) -> str:
        """The diagram as SVG."""
        points = {Seat.SOUTH: self.score.south, Seat.NORTH: self.score.north} if self.score else None
        return diagram_svg(self.position, score=points, over=self.over)

    @property
    def alerts(self) -> tuple[str, ...]:
        """Who could win or conquer next, a sentence each."""
        return _alerts(self.position, self.terms.options)

    @property
    def bank(self) -> list[BankRow]:
        """The kinds of the set, three sizes of a colour after the other."""
        there = list(self.position.pieces)
        kinds = [kind for kind in KINDS if not (self.terms.redless and kind.code.startswith("r"))]
        return [BankRow(kind, self.position.bank[kind], there.count(kind)) for kind in kinds]


@dataclass(frozen=True)
class Moment:
    """A game after the first *number* entries of its record.

    Attributes:
        names: who sat where then.
        red_alerts: what those were told who are warned of danger.
        warnings: what the player of the turn may have regretted.
    """

    number: int
    count: int
    entry: Entry | None
    board: Board
    names: Mapping[Seat, str]
    red_alerts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def named(self) -> dict[str, str]:
        """The same by the words of the seats."""
        return _by_words(self.names)

    @property
    def seated(self) -> tuple[str, ...]:
        """Who sat where, in a few words each."""
        return seated(self.board.terms, self.names)

    @property
    def sentence(self) -> str:
        """What was done last."""
        return self.entry.sentence if self.entry else "The beginning."


@dataclass(frozen=True)
class Ship:
    """A piece that is marked on the photo: its outline in pixels of the reading."""

    outline: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Told:
    """One line of the history; *number* counts from 1."""

    number: int
    entry: Entry
    word: str


class Showing:
    """What the page shows of a game now."""

    def __init__(self, view: View, look: Look | None = None, camera: Live | None = None) -> None:
        self.view = view
        self.look = look
        self.camera = camera
        self.board = Board(view.position, view.terms, view.outcome is not None)

    @property
    def demo(self) -> Demo | None:
        """Who plays this game by itself, if somebody does."""
        return self.camera.demo if self.camera else None

    @property
    def plays_itself(self) -> bool:
        """Whether nobody at the page has to do anything about this game, since virtual players do."""
        return self.demo is not None and (self.is_over or not self.demo.over)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played."""
        return self.view.state is State.OVER

    @property
    def asked(self) -> int:
        """About how many turns somebody had to be asked."""
        return sum(entry.asked for entry in self.view.entries)

    @property
    def title(self) -> str:
        """The players, or the game."""
        return title_of(self.view.terms)

    @property
    def facts(self) -> list[str]:
        """The terms in a few words each, and who sits where now."""
        return facts_of(self.view.terms, self.view.names, swapped=self.view.seats_swapped)

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, by the words of the seats that they have now."""
        return _by_words(self.view.names)

    @property
    def mark(self) -> str:
        """The sign of the state."""
        return MARKS[self.view.state]

    @property
    def head(self) -> str:
        """What goes before the sentence of the state, in larger letters; empty where that says it itself."""
        return HEADS.get(self.view.state, "")

    @property
    def choices(self) -> list[dict[str, Any]]:
        """What there is to choose from, for programs: each sentence, how likely it is, and whether it is legal."""
        return [
            {"sentence": sentence, "probability": probability, "legal": number not in self.view.not_legal}
            for number, (sentence, probability) in enumerate(self.view.choices)
        ]

    @property
    def spoken(self) -> str:
        """The verdict to be read aloud, with all that there is to choose from."""
        choices = (f"{number}: {sentence}" for number, (sentence, _) in enumerate(self.view.choices, 1))
        return " ".join(
            filter(None, (self.head, self.view.sentence, *self.view.red_alerts, self.view.note, *choices))
        )

    @property
    def is_long(self) -> bool:
        """Whether the sentence has to be written smaller."""
        return len(self.view.sentence) > LONG

    @property
    def history(self) -> list[Told]:
        """The record, the newest first."""
        told = [Told(number, entry, _word(entry)) for number, entry in enumerate(self.view.entries, 1)]
        return told[::-1]

    @property
    def more(self) -> list[tuple[str, str]]:
        """Commands besides the main button: their words for the form, and for people."""
        return [(do.value, words) for do, words in _MORE.items() if do in self.view.commands]

    @property
    def weighty(self) -> list[tuple[str, str]]:
        """Commands that nobody should give by a slip of the finger."""
        return [(do.value, words) for do, words in _WEIGHTY.items() if do in self.view.commands]

    @property
    def may_resign(self) -> tuple[Seat, ...]:
        """Who could give up now."""
        return self.view.standing if self.can(Do.RESIGN) else ()

    @property
    def waits_for_board(self) -> bool:
        """Whether an empty Settlers board is all that is waited for."""
        return self.view.state is State.SETUP and self.board.is_settlers

    @property
    def takes_turns(self) -> bool:
        """Whether a turn can be told now, by a picture or in words."""
        return self.view.state not in (State.JUDGING, State.RESTORING) and self.can(Do.END_TURN)

    @property
    def examples(self) -> tuple[Example, ...]:
        """How turns of this game are written."""
        return EXAMPLES[self.view.terms.game]

    @property
    def hint(self) -> str:
        """A turn like the one that is to be typed now."""
        view = self.view
        if isinstance(view.position, settlers.Position):
            landed = any(ship.owner is view.to_move for ship in view.position.board.values())
            return self.examples[1 if landed else 0].turn
        return f"{'homeworld b3 y1 g3' if view.state is State.SETUP else 'build g1'} {view.to_move.word}"

    @property
    def reads_pictures(self) -> bool:
        """Whether a picture of this table can be read at all."""
        return self.view.terms.is_for_two

    @property
    def looking(self) -> str:
        """What the button says that has the table looked at."""
        return self.view.main.label if self.view.main.do is Do.END_TURN else "Look again"

    @property
    def is_open(self) -> bool:
        """Whether something about the table has to be settled."""
        return self.view.state in (State.ILLEGAL, State.UNSURE, State.DISAGREE)

    def can(self, do: Do) -> bool:
        """Whether this can be done now."""
        return do in self.view.commands

    @property
    def seen(self) -> Look | None:
        """The look that is in question now, where it is still in memory."""
        return self.look if self.look and photo_name(self.look.picture) == self.view.photo else None

    @property
    def marked(self) -> Iterator[Ship]:
        """The pieces of that look that were moved against the rules, or read amiss."""
        pieces = self.seen.reading.pieces if self.seen else ()
        for index in self.view.marked:
            if index < len(pieces) and len(pieces[index].outline) > 2:
                yield Ship(pieces[index].outline)

    @property
    def both_agree_on(self) -> str:
        """The table that both could agree to play on from, as SVG; empty where there is none."""
        return diagram_svg(self.view.table) if self.view.table else ""


def moment(session: GameSession, number: int) -> Moment | None:
    """A game after *number* entries; ``None`` where it has not so many."""
    course = session.course
    if not 0 <= number <= len(course.entries):
        return None
    entries = course.entries[:number]
    referee = Referee.of(replace(course, entries=entries))
    return Moment(
        number,
        len(course.entries),
        entries[-1] if entries else None,
        Board(referee.position, course.terms, referee.outcome is not None),
        names_after(course.terms.names, entries),
        referee.red_alerts,
        urgent(referee.warnings(number - 1)) if entries else (),
    )


def seated(terms: Terms, names: Mapping[Seat, str]) -> tuple[str, ...]:
    """Who sits where, in a few words each."""
    return tuple(f"{names[seat]} is {seat.word}" for seat in terms.players if seat in names)


def title_of(terms: Terms) -> str:
    """The players by their names, or the game."""
    if not terms.names:
        return terms.game.value.title()
    return " – ".join(terms.names.get(seat, seat.word) for seat in terms.players)


def _by_words(names: Mapping[Seat, str]) -> dict[str, str]:
    return {seat.value: name for seat, name in names.items()}


def facts_of(terms: Terms, names: Mapping[Seat, str], *, swapped: bool) -> list[str]:
    """The terms in a few words each, where those with *names* sit, who may have *swapped* places."""
    many = [] if terms.is_for_two else [f"{len(terms.players)} players"]
    agreed = options_in_words(terms.options, swapped=swapped)
    return [terms.game.value.title(), *many, *seated(terms, names), f"{terms.beginner.word} began", *agreed]


def _word(entry: Entry) -> str:
    """The turn in notation; of what is no turn, a word."""
    match entry.what:
        case What.TURN:
            return entry.text or "pass"
        case What.AGREED:
            return "both agreed to play on"
        case What.STOPPED:
            return "stopped"
    return entry.text


@lru_cache(maxsize=64)
def _alerts(position: Position, options: Options) -> tuple[str, ...]:
    """Looked for once a position, since everybody who watches asks."""
    if isinstance(position, homeworlds.Position):
        assert isinstance(options, homeworlds.Options)
        return homeworlds_alerts(position, options)
    assert isinstance(options, settlers.Options)
    return settlers_alerts(position, options)
