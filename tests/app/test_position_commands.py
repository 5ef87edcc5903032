"""The commands that look at positions, as a person types them: turns and threats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from typed import BOARD, CONQUEST, HUGE, OPENING, SHARED, WINNING, objects, pyramids, refused

from rules import homeworlds, settlers

# turns


def test_turns_are_listed_each_end_once() -> None:
    listed = pyramids("turns", OPENING)
    assert listed.exit_code == 0
    assert sorted(listed.stdout.splitlines()) == [
        "build g1 South",
        "pass",
        "sacrifice g3 South *",
        "trade g3 South b",
        "trade g3 South r",
        "trade g3 South y",
    ]
    found = objects(pyramids("turns", OPENING, "--json"))
    assert [one["turn"] for one in found] == listed.stdout.splitlines()
    position = homeworlds.Position.parse(OPENING)
    for one in found:
        assert list(one) == ["turn", "position"]
        turn = homeworlds.read_turn(one["turn"], position)
        assert homeworlds.begin(position).play(turn).end().line == one["position"]


def test_turns_of_settlers_lead_where_they_say() -> None:
    found = objects(pyramids("turns", CONQUEST, "--json"))
    ends = [one["position"] for one in found]
    assert len(set(ends)) == len(ends) > 10
    position = settlers.Position.parse(CONQUEST)
    for one in found:
        turn = settlers.read_turn(one["turn"], position)
        assert settlers.begin(position).play(turn).end().line == one["position"]


def test_turns_are_counted() -> None:
    done = pyramids("turns", "--count", "--json", OPENING, WINNING, BOARD)
    first, second, third = objects(done)
    assert first == {"distinct": 6, "not_self_eliminating": 5, "wins": 0, "draws": 0}
    assert list(second) == list(first)
    assert second["wins"] == 1
    assert third == {"distinct": len(pyramids("turns", BOARD).stdout.splitlines())}
    told = pyramids("turns", "--count", OPENING).stdout
    assert told == f"6 distinct, 5 not self eliminating, 0 wins, 0 draws   {OPENING}\n"


def test_no_more_turns_are_looked_for_than_were_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[homeworlds.Turn] = []
    legal_turns = homeworlds.legal_turns

    def watched(position: homeworlds.Position) -> Iterator[tuple[homeworlds.Turn, homeworlds.Position]]:
        for turn, end in legal_turns(position):
            looked_at.append(turn)
            yield turn, end

    monkeypatch.setattr(homeworlds, "legal_turns", watched)
    found = pyramids("turns", HUGE, "--limit", 3).stdout.splitlines()
    assert len(found) == len(set(found)) == len(looked_at) == 3


def test_known_counts() -> None:
    table = SHARED / "perft1.tsv"
    if not table.exists():
        pytest.skip("no known counts here: ../shared/games/perft1.tsv is absent")
    lines = [line.split("\t") for line in table.read_text().splitlines() if not line.startswith("#")]
    rows = sorted(lines, key=lambda row: int(row[3]))[:40]
    found = objects(pyramids("turns", "--count", "--json", given="\n".join(row[-1] for row in rows)))
    assert [[str(number) for number in one.values()] for one in found] == [row[3:7] for row in rows]


# threats


def test_who_could_win_is_told() -> None:
    turn = "sacrifice r1 Vega; capture g3 North"
    theirs = WINNING.replace("<0>", "<1>")
    assert pyramids("threats", WINNING).stdout == f"South is to move and can win: {turn}\n"
    assert pyramids("threats", theirs).stdout == f"Red alert: South threatens to win: {turn}\n"
    assert pyramids("threats", OPENING).stdout == "Nobody can win in one turn.\n"
    assert objects(pyramids("threats", "--json", WINNING, theirs, OPENING)) == [
        {"win_in_one": True, "turn": turn},
        {"win_in_one": False, "turn": None},
        {"win_in_one": False, "turn": None},
    ]
    assert objects(pyramids("threats", "--json", "--all", WINNING, theirs, OPENING)) == [
        {"win_in_one": True, "turn": turn, "threats": [{"seat": "South", "turn": turn}]},
        {"win_in_one": False, "turn": None, "threats": [{"seat": "South", "turn": turn}]},
        {"win_in_one": False, "turn": None, "threats": []},
    ]


def test_what_could_be_conquered_is_told() -> None:
    assert pyramids("threats", CONQUEST).stdout == "South can conquer the small blue on d3: R c4: x d3\n"
    assert pyramids("threats", BOARD).stdout == "No piece can be conquered in one turn.\n"
    assert objects(pyramids("threats", "--json", CONQUEST, BOARD)) == [
        {"conquerable": [{"field": "d3", "by": "South", "turn": "R c4: x d3"}]},
        {"conquerable": []},
    ]


def test_a_conquest_of_either_side_is_told() -> None:
    found = objects(pyramids("threats", "--json", "g1R14/6/2r13/3B12/6/6 N 3"))
    assert [(one["field"], one["by"]) for one in found[0]["conquerable"]] == [("a6", "North"), ("d3", "South")]


# Positions, for both


@pytest.mark.parametrize("command", ["turns", "threats"])
def test_positions_come_from_arguments_and_standard_input(command: str) -> None:
    as_arguments = pyramids(command, OPENING, BOARD, WINNING)
    as_lines = f"\ufeff# an evening\r\n\r\n{OPENING}\r\n  {BOARD}  \n{WINNING}"
    assert as_arguments.exit_code == 0
    assert pyramids(command, given=as_lines).stdout == as_arguments.stdout
    assert pyramids(command, "-", given=as_lines).stdout == as_arguments.stdout
    assert pyramids(command, OPENING, "-", WINNING, given=BOARD).stdout == as_arguments.stdout


@pytest.mark.parametrize("command", ["turns", "threats"])
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "No position was given"),
        ("# nothing\n\n", "No position was given"),
        ("hello", "Line 1: “hello” is not a position"),
        (f"{BOARD}\n# one\nhello", "Line 3: “hello” is not a position"),
        (f"{BOARD}\n<0>; South(0,", "Line 2: "),
        ("6/6/6/6/6/6/6 S 0", "Line 1: "),
        (f"{BOARD}\ng1g1g1g1g11/6/6/6/6/6 S 0", "Line 2: 5 small green pieces (g1) are on the table"),
        ("<0>; South(0,g1g1)g1-; North(1,b3y1)-g1", "Line 1: 4 small green pieces (g1) are on the table"),
        (b"\xff\xfe\x00/", "Line 1: "),
    ],
)
def test_what_is_no_position_is_refused_with_its_line(command: str, given: str | bytes, expected: str) -> None:
    assert expected in refused(pyramids(command, given=given))


def test_a_bad_argument_needs_no_line_number() -> None:
    assert refused(pyramids("turns", "hello")).startswith("pyramids: “hello” is not")
    assert "--limit" in refused(pyramids("turns", OPENING, "--limit", 0))


def test_redless_positions_are_read_as_such() -> None:
    whole, redless = objects(pyramids("turns", BOARD, "--count", "--json"))[0], pyramids("turns", BOARD, "--redless")
    assert 0 < len(redless.stdout.splitlines()) < whole["distinct"]
    assert "red" in refused(pyramids("turns", CONQUEST, "--redless"))
