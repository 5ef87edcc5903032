"""Every state with every command: it is taken and leads where the table says, or refused with a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from session_scripts import FROM_HOMES, HOMES, INTO, N, Play, S, in_state, reading_of

from companion_app.errors import AppError
from companion_app.inferring.explanations import Certainty, Judgement, Kind
from companion_app.session import COMMANDS, LEADS_TO, Do, Fact, How, NotNow, State
from firmware_bridge.states import Pattern

EXPECTED = {
    # command: the states in which it is taken, by their first letters below
    Do.END_TURN: "S T J L I U D - R -",
    Do.CORRECT: "- - - - I U D - - -",
    Do.CHOOSE: "- - - - - U - - - -",
    Do.AGREE: "- - - - I - D - - -",
    Do.SETTLE: "- - - - I U D - R -",
    Do.UNDO: "S T - L - - - - - O",
    Do.TAKE_BACK: "S T - L I U D - - O",
    Do.RESIGN: "S T - L I U D - - -",
    Do.AGREE_DRAW: "S T - L I U D - - -",
    Do.CLAIM_REPETITION: "S T - L - - - - - -",
    Do.SWAP_SEATS: "S T - L - - - - - -",
    Do.ASK_ADVICE: "S T - L - - - - - -",
    Do.STOP: "S T - L I U D P R -",
    Do.PAUSE: "S T - L I U D - R -",
    Do.RESUME: "- - - - - - - P - -",
    Do.DISAGREE: "S T - L I U - - - -",
    Do.RESTORE: "S T - L I U D P - O",
    Do.TICK: "- - - - - - - - R -",
    Do.RESTORED: "- - - - - - - - R -",
}
COLUMNS = (
    State.SETUP,
    State.TURN,
    State.JUDGING,
    State.LEGAL,
    State.ILLEGAL,
    State.UNSURE,
    State.DISAGREE,
    State.PAUSED,
    State.RESTORING,
    State.OVER,
)
CELLS = [(state, do) for do in Do for state in COLUMNS]


def corrected(play: Play) -> None:
    best = play.explained(Kind.UNCHANGED)
    play.judge.judgement = Judgement(Certainty.CERTAIN, best)
    play.session.correct(play.reading(HOMES))


def turn_ended(play: Play) -> None:
    texts = {State.SETUP: "homeworld b1 r2 g3 South", State.LEGAL: "build g1 North"}
    if play.state() is State.RESTORING:
        play.session.end_turn(S, How.PAGE, reading_of(play.session.view.position))
    else:
        play.turn(texts.get(play.state(), "build g1 South"))


DOING: Mapping[Do, Callable[[Play], object]] = {
    Do.END_TURN: turn_ended,
    Do.CORRECT: corrected,
    Do.CHOOSE: lambda play: play.session.choose(0),
    Do.AGREE: lambda play: play.session.agree(),
    Do.SETTLE: lambda play: play.session.settle(),
    Do.UNDO: lambda play: play.session.undo(),
    Do.TAKE_BACK: lambda play: play.session.take_back(0),
    Do.RESIGN: lambda play: play.session.resign(N),
    Do.AGREE_DRAW: lambda play: play.session.agree_draw(),
    Do.CLAIM_REPETITION: lambda play: play.session.claim_repetition(),
    Do.SWAP_SEATS: lambda play: play.session.swap_seats(),
    Do.ASK_ADVICE: lambda play: play.session.ask_advice(),
    Do.STOP: lambda play: play.session.stop(),
    Do.PAUSE: lambda play: play.session.pause(),
    Do.RESUME: lambda play: play.session.resume(),
    Do.DISAGREE: lambda play: play.session.disagree("Two ships more than the record has."),
    Do.RESTORE: lambda play: play.session.restore(),
    Do.TICK: lambda play: play.session.tick(0),
    Do.RESTORED: lambda play: play.session.restored(),
}
NEEDS_MORE = {Do.UNDO, Do.TAKE_BACK, Do.CLAIM_REPETITION, Do.SWAP_SEATS, Do.ASK_ADVICE}
"""What a state that takes it may still refuse, with a sentence of its own, since the game does not have it."""


def taken(state: State, do: Do) -> bool:
    return EXPECTED[do].split()[COLUMNS.index(state)] != "-"


def test_the_table_is_this_table() -> None:
    assert set(COLUMNS) == set(State) == set(INTO)
    assert set(EXPECTED) == set(COMMANDS) == set(Do) == set(DOING)
    for do, row in COMMANDS.items():
        assert row.states == {state for state in State if taken(state, do)}, do
    assert set(LEADS_TO) == set(Fact)
    assert {fact for row in COMMANDS.values() for fact in row.writes} | {Fact.BEGUN} == set(Fact)


@pytest.mark.parametrize(("state", "do"), CELLS, ids=lambda value: value.value)
def test_each_command_is_taken_or_refused_with_a_sentence(state: State, do: Do) -> None:
    play = in_state(state)
    before = play.session.view
    count = len(play.log.events(play.session.game))
    if taken(state, do):
        refusal = refusal_of(lambda: DOING[do](play))
        if refusal:
            assert do in NEEDS_MORE
            assert not isinstance(refusal, NotNow)
            assert_sentence(refusal.sentence)
            assert play.session.view == before
            return
        (fact,) = [Fact(event.kind) for event in play.log.events(play.session.game)[count:]]
        assert fact in COMMANDS[do].writes
        assert play.session.view.state in LEADS_TO[fact]
    else:
        with pytest.raises(NotNow) as refused:
            DOING[do](play)
        assert refused.value.code == "not_now"
        assert_sentence(refused.value.sentence)
        assert play.session.view == before
        assert len(play.log.events(play.session.game)) == count


def refusal_of(doing: Callable[[], object]) -> AppError | None:
    try:
        doing()
    except AppError as error:
        return error
    return None


def assert_sentence(sentence: str) -> None:
    """It begins with a capital, ends with a full stop, and speaks no code."""
    assert re.fullmatch(r"[A-Z][^_]{15,}\.", sentence), sentence


@pytest.mark.parametrize("state", State, ids=lambda state: state.value)
def test_each_state_has_a_sentence_a_light_and_a_main_button(state: State) -> None:
    play = in_state(state)
    view = play.session.view
    assert view.sentence[0].isupper()
    assert view.sentence.endswith((".", "?"))
    assert view.light.state is (Pattern.TURN if state is State.LEGAL else Pattern(state.value))
    assert view.main.label
    assert view.main.do in view.commands if view.main.do else state in (State.JUDGING, State.OVER)
    assert view.commands <= {do for do in Do if taken(state, do)}


@pytest.mark.parametrize("state", sorted(set(State) - {State.JUDGING}), ids=lambda state: state.value)
def test_each_state_outlasts_the_program(state: State) -> None:
    play = in_state(state)
    assert play.again().view == play.session.view


def test_terms_that_cannot_be_are_refused() -> None:
    crowd = FROM_HOMES.start.replace("g3-", "g3g3g3g3-")
    with pytest.raises(AppError, match="the set has only 3"):
        Play(type(FROM_HOMES)(FROM_HOMES.game, (S, N), FROM_HOMES.options, crowd))
