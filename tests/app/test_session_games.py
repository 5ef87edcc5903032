"""Whatever people do, in whatever order: the pieces stay, the log tells it all again, and taking back is exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from session_scripts import FROM_HOMES, HOMEWORLDS, NOT_CONNECTED, SETTLERS, N, S, fast_folder

from companion_app.errors import AppError
from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind
from companion_app.notation import Position
from companion_app.reading_types import Game, Reading
from companion_app.session import COMMANDS, LEADS_TO, Do, Fact, GameLog, GameSession, How, Terms, View, fold
from companion_app.session.terms import Options
from rules import Seat, full_set, homeworlds, settlers
from rules.pieces import Size
from rules.records import GameKind

HEAD_START = homeworlds.Options(
    junior=N,
    extra_ships=(Size.SMALL,),
    timewarp=2,
    brain_transference=True,
    tactical_computer=1,
    repetition_claim=True,
)
TERMS = (
    HOMEWORLDS,
    FROM_HOMES,
    SETTLERS,
    Terms(GameKind.HOMEWORLDS, (N, S), HEAD_START),
    Terms(GameKind.HOMEWORLDS, (Seat.EAST, S, N), homeworlds.Options()),
    Terms(GameKind.SETTLERS, (N, S), settlers.Options(redless=True, handicap=S, quiet_limit=5)),
    Terms.of_position(settlers.Position.parse("6/6/2g13/3R12/6/6 N 3"), settlers.Options(), lay_out=True),
)


class Wild:
    """A judge that sees something possible in every table: mostly a legal turn, now and then something else."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __call__(
        self, before: Position, options: Options, reading: Reading, earlier: Sequence[Position]
    ) -> Judgement:
        del reading
        seen = [self.seen(before, options, earlier) for _ in range(self.random.choice([1, 1, 1, 1, 3]))]
        return Judgement(Certainty.UNSURE if seen[1:] else Certainty.CERTAIN, seen[0], tuple(seen[1:]))

    def seen(self, before: Position, options: Options, earlier: Sequence[Position]) -> Explanation:
        kind = self.random.choice([Kind.LEGAL] * 6 + list(Kind))
        position: Position = before
        turns: tuple[homeworlds.Turn | settlers.Turn, ...] = ()
        if kind is Kind.TAKEN_BACK and earlier:
            position = self.random.choice(earlier)
            turns = self.random.choice([(), (self.turn(earlier[-1], options),)])
        if kind in (Kind.LEGAL, Kind.SEVERAL):
            turns = (self.turn(before, options),) * (1 if kind is Kind.LEGAL else 2)
        refusal = NOT_CONNECTED if kind is Kind.ILLEGAL else None
        return Explanation(kind, turns, position, self.random.random(), "Seen.", refusal, (0,))

    def turn(self, before: Position, options: Options) -> homeworlds.Turn | settlers.Turn:
        if isinstance(before, homeworlds.Position):
            assert isinstance(options, homeworlds.Options)
            some = list(islice(homeworlds.legal_turns(before, options).turns(), 60))
            return self.random.choice(some)
        assert isinstance(options, settlers.Options)
        return self.random.choice(list(islice(settlers.legal_turns(before, options).turns(), 200)))


def reading_of(view: View, random: Random) -> Reading:
    """A table that may be any that was there, whatever the judge says."""
    game = Game(view.terms.game.value)
    line = view.position.line if random.random() < 0.8 else view.terms.start
    return Reading(game, (640, 480), position=line or None)


def someone(random: Random) -> Seat:
    return random.choice(list(Seat))


ACTS: Mapping[Do, Callable[[GameSession, Random], View]] = {
    Do.END_TURN: lambda one, random: one.end_turn(
        random.choice([None, one.view.to_move, one.view.to_move, N]), How.BUTTON, reading_of(one.view, random)
    ),
    Do.CORRECT: lambda one, random: one.correct(reading_of(one.view, random)),
    Do.CHOOSE: lambda one, random: one.choose(random.randrange(4)),
    Do.AGREE: lambda one, random: one.agree(to_move=random.choice([None, None, someone(random)])),
    Do.SETTLE: lambda one, _: one.settle(),
    Do.UNDO: lambda one, _: one.undo(),
    Do.TAKE_BACK: lambda one, random: one.take_back(random.randrange(9)),
    Do.RESIGN: lambda one, random: one.resign(someone(random)),
    Do.AGREE_DRAW: lambda one, _: one.agree_draw(),
    Do.CLAIM_REPETITION: lambda one, _: one.claim_repetition(),
    Do.SWAP_SEATS: lambda one, _: one.swap_seats(),
    Do.ASK_ADVICE: lambda one, _: one.ask_advice(),
    Do.STOP: lambda one, _: one.stop(),
    Do.PAUSE: lambda one, _: one.pause(),
    Do.RESUME: lambda one, _: one.resume(),
    Do.DISAGREE: lambda one, random: one.disagree("They differ.", reading_of(one.view, random)),
    Do.RESTORE: lambda one, random: one.restore(random.choice([None, random.randrange(6)])),
    Do.TICK: lambda one, random: one.tick(random.randrange(5), random.random() < 0.8),
    Do.RESTORED: lambda one, _: one.restored(),
}
OFTEN = {
    Do.END_TURN: 16,
    Do.CHOOSE: 8,
    Do.RESTORED: 4,
    Do.RESUME: 4,
    Do.AGREE: 4,
    Do.STOP: 0.2,
    Do.RESIGN: 0.3,
    Do.AGREE_DRAW: 0.2,
}


def some_command(view: View, random: Random) -> Do:
    """Mostly one that can be done now, and the turns of the game more often than its end."""
    some = list(Do) if random.random() < 0.1 else sorted(view.commands)
    return random.choices(some, [OFTEN.get(do, 1) for do in some])[0]


@settings(max_examples=30)
@given(st.sampled_from(TERMS), st.integers(0, 2**32))
def test_any_commands_in_any_order(terms: Terms, seed: int) -> None:
    random = Random(seed)
    with fast_folder() as folder:
        log = GameLog(folder)
        session = GameSession.begin(log, terms, Wild(random))
        known = {session.view.entries: standing(session.view)}
        for _ in range(30):
            before = session.view
            do = some_command(before, random)
            try:
                view = ACTS[do](session, random)
            except AppError:
                assert session.view == before
                continue
            newest = log.events(session.game)[-1]
            if newest.seq > before.seq:
                assert Fact(newest.kind) in COMMANDS[do].writes
                assert view.state in LEADS_TO[Fact(newest.kind)]
            else:
                assert view.note
            assert view == session.view
            assert_all_pieces(view)
            assert known.setdefault(view.entries, standing(view)) == standing(view)
            assert view.commands
        assert fold(log.events(session.game)) == session.course
        assert GameSession(GameLog(folder), session.game, Wild(random)).view == replace(session.view, note="")


def standing(view: View) -> tuple[object, ...]:
    """How the game stands: nothing but its entries decides that."""
    return (
        view.position,
        view.to_move,
        view.standing,
        view.outcome,
        view.score,
        view.advice_left,
        view.seats_swapped,
    )


def assert_all_pieces(view: View) -> None:
    players, redless = len(view.terms.players), getattr(view.terms.options, "redless", False)
    whole = full_set(redless=redless) if redless else full_set(players)
    assert view.position.bank + view.position.pieces == whole
