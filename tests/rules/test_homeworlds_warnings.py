"""What is told before a turn is ended: when each warning is given and when not, and that they agree."""

from __future__ import annotations

from random import Random

import pytest
from random_homeworlds import random_position
from tables import rows

from rules.homeworlds import (
    Game,
    Options,
    PartialTurn,
    Position,
    SelfElimination,
    Urgency,
    Warning,
    begin,
    read_turn,
    warnings,
    winning_turns,
)
from rules.option_values import read_options

TABLE = rows("homeworlds_warnings.tsv")
CODES = {
    "home_given_up",
    "loses_next_turn",
    "overpopulated",
    "sitting_duck",
    "bluebird",
    "no_large_at_home",
    "frozen_out",
    "gemini",
    "small_universe",
}


def options_of(text: str) -> Options:
    pairs = [option.split(" = ") for option in text.split("; ") if option]
    return read_options(Options, [(name, value) for name, value in pairs])


def turn_of(line: str, options: str, text: str) -> PartialTurn:
    """The turn of a row; one that may not end as it stands is made all the same."""
    position, named = Position.parse(line), options_of(options)
    steps = read_turn(text, position, Options(self_elimination=SelfElimination.ALLOWED, home_stars=named.home_stars))
    return begin(position, named).play(steps)


@pytest.mark.parametrize(
    ("line", "options", "text", "codes"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_table(line: str, options: str, text: str, codes: str) -> None:
    turn = turn_of(line, options, text)
    found = warnings(turn)
    assert ",".join(warning.code for warning in found) == codes.replace("-", "")
    check_agree(turn, found)


def test_the_table_has_every_code() -> None:
    """Each of them is given alone somewhere, or first."""
    assert {row[4].split(",")[0] for row in TABLE} - {"-"} == CODES


def check_agree(turn: PartialTurn, found: tuple[Warning, ...]) -> None:
    """The most urgent first, each once, in one sentence, and none that another rules out."""
    codes = {warning.code for warning in found}
    assert codes <= CODES
    assert [warning.urgency for warning in found] == sorted(warning.urgency for warning in found)
    assert len(set(found)) == len({warning.sentence for warning in found}) == len(found)
    for warning in found:
        assert warning.sentence.endswith(".")
        assert ". " not in warning.sentence
        assert all(value in warning.sentence or value.title() in warning.sentence for value in told(warning))
    assert not {"sitting_duck", "bluebird"} <= codes
    assert ("home_given_up" in codes) == (turn.gives_up_home and not wins(turn))
    if "home_given_up" in codes:
        assert len(found) == 1
    if codes & {"gemini", "small_universe"}:
        assert turn.is_set_up
        assert codes <= {"gemini", "small_universe"}
    if wins(turn):
        assert not found


def told(warning: Warning) -> list[str]:
    return list(warning.parameters.values())


def wins(turn: PartialTurn) -> bool:
    if not turn.can_end:
        return False
    game = Game(turn.options, turn.position)
    game.push(turn)
    outcome = game.outcome()
    return outcome is not None and turn.to_move in outcome.winners


def check_red_alert(turn: PartialTurn, found: tuple[Warning, ...]) -> None:
    """Who is said to win in the next turn can, and whoever can is named, but where the game is over."""
    after = turn.end()
    named = {warning.parameters["seat"] for warning in found if warning.code == "loses_next_turn"}
    could = {
        seat.value
        for seat in after.seats
        if seat is not turn.to_move and any(True for _ in winning_turns(Position(after.systems, seat, after.players)))
    }
    assert named == (set() if wins(turn) or turn.gives_up_home else could)


@pytest.mark.parametrize("first", range(0, 160, 40))
def test_random_turns(first: int) -> None:
    given = set()
    for seed in range(first, first + 40):
        random = Random(seed)
        turn = begin(random_position(random))
        for _ in range(random.randint(0, 3)):
            steps = list(turn.legal_steps())
            if not steps:
                break
            turn = turn.apply(random.choice(steps))
        found = warnings(turn)
        given |= {warning.code for warning in found}
        check_agree(turn, found)
        check_red_alert(turn, found)
    assert {"home_given_up", "loses_next_turn", "overpopulated"} <= given


def test_urgencies() -> None:
    """A row that shows each, from what cannot wait to what can."""
    urgency: dict[str, set[Urgency]] = {}
    for _, line, options, text, _ in TABLE:
        for warning in warnings(turn_of(line, options, text)):
            urgency.setdefault(warning.code, set()).add(warning.urgency)
    assert urgency == {
        "home_given_up": {Urgency.OUT},
        "loses_next_turn": {Urgency.LOSS_NEXT},
        "overpopulated": {Urgency.CATASTROPHE_AT_HOME, Urgency.CATASTROPHE_ELSEWHERE},
        "sitting_duck": {Urgency.ONE_STEP_FROM_LOSS},
        "bluebird": {Urgency.WEAK_HOME},
        "no_large_at_home": {Urgency.WEAK_HOME},
        "frozen_out": {Urgency.ECONOMY},
        "gemini": {Urgency.ECONOMY},
        "small_universe": {Urgency.ECONOMY},
    }


def test_a_turn_without_steps_yet() -> None:
    assert warnings(begin(Position())) == ()
    assert warnings(begin(Position.parse("<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"))) == ()
