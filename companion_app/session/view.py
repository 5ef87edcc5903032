"""What everybody sees of a game: its state with a sentence, a light and a main button, and what stands where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion_app.errors import AppError
from companion_app.game_files.alerts import urgent
from companion_app.lights import SEATS, number_of
from companion_app.notation import Position
from companion_app.restoring import Plan, Step, plan_of
from companion_app.session.course import Asked, Course, Disagreed, Entry, Refused, Restoring, names_after
from companion_app.session.referee import Referee
from companion_app.session.ruling import waits_for_board
from companion_app.session.states import Do, Fact, State, takes
from companion_app.session.terms import Terms
from firmware_bridge.states import LightState, Pattern
from rules import Outcome, RulesError, Seat, homeworlds, settlers
from rules.frozen import FrozenMap
from rules.homeworlds import Special


@dataclass(frozen=True)
class MainButton:
    """What is most likely wanted now; *do* is ``None`` where one can only wait, or begin another game."""

    label: str
    do: Do | None


@dataclass(frozen=True)
class Layout:
    """What it takes to put a position back, and which steps are ticked, by their numbers."""

    plan: Plan
    ticked: frozenset[int]

    @property
    def position(self) -> Position:
        """The position that is being put back."""
        return self.plan.position

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that lead there, in the order in which they are best done."""
        return self.plan.steps


@dataclass(frozen=True)
class View:
    """A game as it is now.

    Attributes:
        seq: the number of the newest event.
        sentence: the verdict line.
        note: a word besides, on what is not kept, such as a turn that is half done; empty where there is none.
        rule, code: the ruling that a refused turn breaks and the stable code of that.
        marked: indices into the pieces of the reading that was refused or not explained.
        photo: the name of the photo in which that is to be seen, or empty.
        table: what both could agree to play on from, with the next player to move.
        choices: sentences to choose from with their probabilities, the likeliest first.
        not_legal: the numbers, from 0, of those that break a rule.
        position: the last agreed one.
        commands: what can be done now.
        score: of Settlers, as it stands.
        quiet: of Settlers: turns in a row without a conquest, and how many end the game.
        layout: what is being put back.
        seen: the name of the photo by which table and record were last found to agree, or empty.
        names: what the players are called, by the seats that they have now.
        red_alerts: what those are told who are to be warned of danger, a sentence each.
        warnings: what the player of the turn that was just found legal may regret, the most urgent first.
    """

    game: str
    seq: int
    state: State
    sentence: str
    light: LightState
    main: MainButton
    commands: frozenset[Do]
    terms: Terms
    position: Position
    to_move: Seat
    standing: tuple[Seat, ...]
    entries: tuple[Entry, ...]
    note: str = ""
    rule: str = ""
    code: str = ""
    marked: tuple[int, ...] = ()
    photo: str = ""
    table: Position | None = None
    choices: tuple[tuple[str, float], ...] = ()
    not_legal: tuple[int, ...] = ()
    outcome: Outcome | None = None
    score: settlers.Score | None = None
    quiet: tuple[int, int] | None = None
    layout: Layout | None = None
    advice_left: int = 0
    seats_swapped: bool = False
    seen: str = ""
    names: Mapping[Seat, str] = field(default_factory=lambda: FrozenMap({}))
    red_alerts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def state_of(course: Course, referee: Referee) -> State:
    """The state of a game at which nobody is looking just now."""
    if course.paused:
        return State.PAUSED
    if course.open:
        return _OPEN[type(course.open)]
    if referee.outcome or referee.stopped:
        return State.OVER
    if referee.is_setting_up or waits_for_board(course):
        return State.SETUP
    return State.LEGAL if course.fresh else State.TURN


def view_of(game: str, course: Course, referee: Referee, *, judging: bool = False, note: str = "") -> View:
    """The view of a course that *referee* has followed; *judging* while somebody looks at the table."""
    state = State.JUDGING if judging else state_of(course, referee)
    open_, played = course.open, referee.game
    choices = open_.choices if isinstance(open_, Asked) else ()
    return View(
        game=game,
        seq=course.seq,
        state=state,
        sentence=_sentence(state, course, referee),
        light=_light(state, referee),
        main=_main(state, course, referee),
        commands=frozenset(do for do in Do if takes(state, do) and _is_for(do, course, referee)),
        terms=course.terms,
        position=referee.position,
        to_move=referee.to_move,
        standing=referee.standing,
        entries=course.entries,
        note=note,
        rule=open_.rule if isinstance(open_, Refused) else "",
        code=open_.code if isinstance(open_, Refused) else "",
        marked=open_.marked if isinstance(open_, Refused | Disagreed) else (),
        photo=open_.photo if isinstance(open_, Refused | Asked | Disagreed) else "",
        table=_table(course, referee),
        choices=tuple((one.sentence, one.probability) for one in choices),
        not_legal=tuple(number for number, one in enumerate(choices) if one.fact is Fact.REFUSED),
        outcome=referee.outcome,
        score=played.score if isinstance(played, settlers.Game) else None,
        quiet=_quiet(referee),
        layout=_layout(course, referee),
        advice_left=played.advice_left if isinstance(played, homeworlds.Game) else 0,
        seats_swapped=sum(entry.text == Special.SWAP_SEATS for entry in course.entries) % 2 == 1,
        seen=course.seen,
        names=names_after(course.terms.names, course.entries),
        red_alerts=() if judging else referee.red_alerts,
        warnings=_warnings(course, referee) if course.fresh and not judging else (),
    )


def _warnings(course: Course, referee: Referee) -> tuple[str, ...]:
    """What speaks against the turns that were found legal with the newest event."""
    newest = (number for number, entry in enumerate(course.entries) if entry.seq == course.seq)
    return urgent(warning for number in newest for warning in referee.warnings(number))


_OPEN = {
    Refused: State.ILLEGAL,
    Asked: State.UNSURE,
    Disagreed: State.DISAGREE,
    Restoring: State.RESTORING,
}
_PATTERNS = {state: Pattern(state.value) for state in State if state is not State.LEGAL} | {State.LEGAL: Pattern.TURN}
_ABOUT_SEAT = {State.TURN, State.LEGAL, State.JUDGING, State.ILLEGAL}
_HOMEWORLDS_ONLY = {Do.CLAIM_REPETITION, Do.SWAP_SEATS, Do.ASK_ADVICE}


def _sentence(state: State, course: Course, referee: Referee) -> str:
    mover = referee.to_move.word
    match state:
        case State.SETUP if referee.is_setting_up:
            return f"Setting up: {mover} chooses a homeworld."
        case State.SETUP:
            return f"Setting up: clear the board, then {mover} begins."
        case State.TURN:
            return f"{mover}’s turn."
        case State.JUDGING:
            return f"Looking at {mover}’s turn."
        case State.LEGAL:
            told = [entry.sentence for entry in course.entries if entry.seq == course.seq]
            return f"Legal: {' '.join(told)} {mover}’s turn."
        case State.PAUSED:
            return f"Paused. {mover} is to move."
        case State.RESTORING:
            layout = _layout(course, referee)
            assert layout
            return f"Putting a position back: {len(layout.ticked)} of {len(layout.steps)} steps done."
        case State.OVER:
            return referee.outcome.sentence if referee.outcome else "The game was stopped here, unfinished."
    assert course.open
    assert not isinstance(course.open, Restoring)
    return course.open.sentence


def _light(state: State, referee: Referee) -> LightState:
    """The pattern of the state, about the player whom it concerns.

    Lights stand before South and North only: they are dark where it is about somebody else.
    """
    about: tuple[Seat, ...] = (referee.to_move,) if state in _ABOUT_SEAT else ()
    if state is State.OVER and referee.outcome:
        about = referee.outcome.winners
    if len(about) > 1 or not set(about) <= set(SEATS):
        return LightState(Pattern.OFF)
    return LightState(_PATTERNS[state], number_of(about[0]) if about else None)


def _main(state: State, course: Course, referee: Referee) -> MainButton:
    match state:
        case State.SETUP if waits_for_board(course):
            return MainButton("The board is empty", Do.END_TURN)
        case State.SETUP:
            return MainButton(f"{referee.to_move.word}’s home stands", Do.END_TURN)
        case State.TURN | State.LEGAL:
            return MainButton(f"End {referee.to_move.word}’s turn", Do.END_TURN)
        case State.JUDGING:
            return MainButton("Looking …", None)
        case State.ILLEGAL | State.DISAGREE:
            return MainButton("Look again", Do.END_TURN)
        case State.UNSURE:
            return MainButton("It was the first", Do.CHOOSE)
        case State.PAUSED:
            return MainButton("Go on", Do.RESUME)
        case State.RESTORING:
            return MainButton("It all stands", Do.RESTORED)
        case State.OVER:
            return MainButton("Begin another game", None)


def _is_for(do: Do, course: Course, referee: Referee) -> bool:
    """Whether a command that the state takes is for this game at all."""
    if do in (Do.UNDO, Do.TAKE_BACK):
        return bool(course.entries)
    if do is Do.STOP:
        return referee.outcome is None
    if do is Do.AGREE:
        return _table(course, referee) is not None
    return do not in _HOMEWORLDS_ONLY or (isinstance(referee.game, homeworlds.Game) and _is_open(do, referee.game))


def _is_open(do: Do, game: homeworlds.Game) -> bool:
    """Whether a draw can be claimed now, or a head start be used."""
    if do is Do.CLAIM_REPETITION:
        return game.can_claim_repetition
    if do is Do.SWAP_SEATS:
        wanted = game.options.brain_transference and game.junior is not None and not game.seats_swapped
        return wanted and len(game.seats) == 2
    return game.advice_left > 0 and game.junior is game.to_move


def _quiet(referee: Referee) -> tuple[int, int] | None:
    game = referee.game
    return (game.position.quiet_turns, game.options.quiet_limit) if isinstance(game, settlers.Game) else None


def _table(course: Course, referee: Referee) -> Position | None:
    """The table as it was read, where both could agree to play on from it."""
    if not isinstance(course.open, Refused | Disagreed):
        return None
    try:
        return referee.agreed(course.open.table)
    except (AppError, RulesError):
        return None


def _layout(course: Course, referee: Referee) -> Layout | None:
    if not isinstance(course.open, Restoring):
        return None
    return Layout(plan_of(referee.positions[course.open.to]), course.open.ticked)
