"""Short random games of both kinds, kept as the texts that the strict writers make of them.

The same seed gives the same games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final, Generic, TypeVar

from rules import Outcome, Seat, Size, homeworlds, settlers
from rules.records import GameKind, Result

_GAMES: Final = 12
_MOST_TURNS: Final = 40

AnyOptions = TypeVar("AnyOptions", homeworlds.Options, settlers.Options)
AnyTurn = TypeVar("AnyTurn", homeworlds.PartialTurn, settlers.PartialTurn)

HOMEWORLDS_OPTIONS: Final = (
    homeworlds.Options(),
    homeworlds.Options(self_elimination=homeworlds.SelfElimination.ALLOWED, repetition_claim=True),
    homeworlds.Options(victory=homeworlds.Victory.GOOD_AND_EVIL, evil=(Seat.NORTH,), red_alert=(Seat.SOUTH,)),
    homeworlds.Options(junior=Seat.SOUTH, extra_ships=(Size.SMALL, Size.MEDIUM), timewarp=2, tactical_computer=3),
    homeworlds.HANDICAP,
)
"""What games of Homeworlds may be played on."""

SETTLERS_OPTIONS: Final = (
    settlers.Options(),
    settlers.Options(redless=True, quiet_limit=50),
    settlers.Options(yellow_moves_any=True),
    settlers.Options(handicap=Seat.NORTH, handicap_size=Size.LARGE),
)
"""What games of Settlers may be played on."""


@dataclass
class Play(Generic[AnyOptions]):
    """What a game was: the position at its start and after each turn; and the turns, each with its seat and text."""

    kind: GameKind
    options: AnyOptions
    seats: tuple[Seat, ...]
    lines: list[str]
    turns: list[tuple[Seat, str]] = field(default_factory=list)
    result: Result | None = None

    def add(self, seat: Seat, text: str, line: str, outcome: Outcome | None) -> None:
        """One turn more, and how it ended the game, if it did."""
        self.turns.append((seat, text))
        self.lines.append(line)
        self.result = Result(outcome.termination, outcome.winners) if outcome else None


def homeworlds_play(dice: Random) -> Play[homeworlds.Options]:
    """A game of Homeworlds in which nobody gives up the own home."""
    game = homeworlds.Game(dice.choice(HOMEWORLDS_OPTIONS), players=dice.choice((2, 2, 3, 4)))
    play = Play(GameKind.HOMEWORLDS, game.options, game.seats, [game.position.line])
    while play.result is None and len(play.turns) < _MOST_TURNS:
        turn = some_steps(game.begin(), dice)
        steps = () if turn.gives_up_home else turn.steps
        seat, text = game.to_move, homeworlds.write_turn(steps, game.begin())
        play.add(seat, text, game.push(steps).line, game.outcome())
    return play


def settlers_play(dice: Random) -> Play[settlers.Options]:
    """A game of Settlers."""
    game = settlers.Game(dice.choice(SETTLERS_OPTIONS))
    play = Play(GameKind.SETTLERS, game.options, settlers.SEATS, [game.position.line])
    while play.result is None and len(play.turns) < _MOST_TURNS:
        steps = some_steps(game.begin(), dice).steps
        seat, text = game.to_move, settlers.write_turn(steps, game.position)
        play.add(seat, text, game.push(steps).line, game.outcome())
    return play


def some_steps(turn: AnyTurn, dice: Random) -> AnyTurn:
    """The longest of a few ways to go on from *turn* in which something is done, if anything can be."""
    return max((_walk(turn, dice) for _ in range(3)), key=lambda walked: len(walked.steps))


def _walk(turn: AnyTurn, dice: Random) -> AnyTurn:
    avoided: tuple[type, ...] = (homeworlds.Pass, settlers.Pass)
    if dice.random() < 0.9:
        avoided += (homeworlds.Sacrifice, homeworlds.Catastrophe)
    for _ in range(dice.randint(2, 6)):
        kinds: dict[type, list[Any]] = {}
        for step in turn.legal_steps():
            if not isinstance(step, avoided):
                kinds.setdefault(type(step), []).append(step)
        if not kinds:
            break
        turn = turn.apply(dice.choice(dice.choice(list(kinds.values()))))
    return turn


@cache
def homeworlds_plays() -> list[Play[homeworlds.Options]]:
    """Some games of Homeworlds."""
    return [homeworlds_play(Random(seed)) for seed in range(_GAMES)]


@cache
def settlers_plays() -> list[Play[settlers.Options]]:
    """Some games of Settlers."""
    return [settlers_play(Random(seed)) for seed in range(_GAMES)]
