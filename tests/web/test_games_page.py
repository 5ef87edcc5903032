"""Games on the page: played by photo and by words, refused, settled, corrected, put back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from conftest import MakeApp
from flask import Flask
from flask.testing import FlaskClient
from game_tables import BUILT, GIVEN, HOMES, JSON, JUMPED, Eyes, Table

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind, Refusal
from companion_app.reading_types import Reading
from rules import homeworlds as homeworlds_rules


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with a reader that sees what it is told to."""
    return make_app(READER=eyes.read)


def test_turns_are_typed(settlers: Table) -> None:
    assert settlers.type("land g1 c3").json["state"] == "legal"
    answer = settlers.type("G c3: r1 d4")
    assert (answer.status_code, answer.json["seq"]) == (422, settlers.now()["seq"])
    assert settlers.type("pass").json["spoken"].endswith("South’s turn.")
    history = settlers.now()["parts"]["history"]
    assert "South lands a small green on c3." in history
    assert "/turns/2" in history


def test_a_turn_is_photographed(homeworlds: Table) -> None:
    assert homeworlds.photograph(BUILT).json["state"] == "legal"
    assert "builds" in homeworlds.spoken


def test_a_turn_that_breaks_a_rule_is_shown_and_the_record_stays(client: FlaskClient, homeworlds: Table) -> None:
    assert homeworlds.photograph(JUMPED).json["state"] in ("illegal", "disagree")
    parts = homeworlds.now()["parts"]
    assert "The picture in question" in parts["table"]
    (address,) = re.findall(r'href="(/games/\w+/photos/\w+\.jpg)"', parts["table"])
    assert client.get(address).mimetype == "image/jpeg"
    assert homeworlds.do("settle").json["state"] == "turn"
    assert homeworlds.type("build g1 South").json["state"] == "legal"


def test_both_agree_to_play_on_from_what_no_rule_allows(client: FlaskClient, homeworlds: Table) -> None:
    homeworlds.photograph(GIVEN)
    assert "Both agree, play on" in homeworlds.now()["parts"]["moves"]
    assert homeworlds.do("agree").json["spoken"] == "North’s turn."
    assert "agreed by both" in homeworlds.now()["parts"]["history"]
    assert client.get(f"{homeworlds.path}/game.pyramids").text.count("Game: homeworlds") == 2


def test_what_is_typed_settles_what_is_open(homeworlds: Table) -> None:
    homeworlds.photograph(JUMPED)
    assert homeworlds.type("build g1 South").json["state"] == "legal"


def test_a_picture_in_question_is_corrected(client: FlaskClient, homeworlds: Table) -> None:
    homeworlds.eyes.change = lambda reading: replace(reading, pieces=reading.pieces[1:])
    homeworlds.photograph(JUMPED)
    begun = client.post(f"{homeworlds.path}/correction").headers["Location"]
    assert "This is what stands on the table" in client.get(begun).text
    assert client.post(begun).headers["Location"] == homeworlds.path
    assert homeworlds.state in ("illegal", "disagree", "unsure")


def test_without_a_picture_in_question_there_is_none_to_correct(client: FlaskClient, homeworlds: Table) -> None:
    assert client.post(f"{homeworlds.path}/correction").status_code == 404


def unsure(of_the_first: float) -> Callable[..., Judgement]:
    """A judge who cannot tell two turns apart."""

    def judge(before: Any, options: Any, reading: Reading, earlier: object) -> Judgement:
        assert reading.position
        one, other = (
            Explanation(
                Kind.LEGAL, (homeworlds_rules.read_turn(text, before, options),), before, share, f"Perhaps {text}."
            )
            for text, share in (("build g1 South", of_the_first), ("trade g3 South y", 1 - of_the_first))
        )
        assert earlier == ()
        return Judgement(Certainty.UNSURE, one, (other,))

    return judge


@pytest.mark.parametrize(
    ("share", "told"), [(0.6, ("60 %", "40 %")), (0.9996, ("over 99 %", "under 1 %")), (0.994, ("99 %", "1 %"))]
)
def test_of_several_turns_one_is_chosen(make_app: MakeApp, eyes: Eyes, share: float, told: tuple[str, str]) -> None:
    app = make_app(READER=eyes.read, JUDGE=unsure(share))
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    assert table.photograph(BUILT).json["state"] == "unsure"
    moves = table.now()["parts"]["moves"]
    assert tuple(re.findall(r'"share">(.*?)<', moves)) == told
    assert "trades" in moves
    table.do("pause")
    assert "%" not in table.now()["parts"]["moves"]
    table.do("resume")
    assert "trades" in table.do("choose", choice=1).json["spoken"]
    assert "asked, and the players answered" in table.now()["parts"]["history"]


COMMANDS = [
    (("pause", {}), "paused"),
    (("restore", {}), "restoring"),
    (("disagree", {}), "disagree"),
    (("agree on a draw", {}), "over"),
    (("resign", {"seat": "north"}), "over"),
    (("stop", {}), "over"),
    (("undo", {}), "turn"),
    (("take back", {"to": "0"}), "turn"),
]


@pytest.mark.parametrize(("command", "state"), COMMANDS)
def test_commands(homeworlds: Table, command: tuple[str, dict[str, str]], state: str) -> None:
    homeworlds.type("build g1 South")
    word, said = command
    assert homeworlds.do(word, **said).json["state"] == state


def test_a_position_is_put_back_step_by_step(homeworlds: Table) -> None:
    homeworlds.do("restore")
    assert "1 of 8 steps" in homeworlds.do("tick", step=0).json["spoken"]
    assert 'aria-pressed="true"' in homeworlds.now()["parts"]["moves"]
    assert "0 of 8 steps" in homeworlds.do("tick", open=0).json["spoken"]
    assert "Piece by piece, with drawings" in homeworlds.now()["parts"]["moves"]
    assert homeworlds.do("restored").json["state"] == "turn"


NONSENSE = [
    ("/do", {"do": "fly"}, 400),
    ("/do", {"do": "tick", "step": "x"}, 400),
    ("/do", {"do": "choose", "choice": "0"}, 409),
    ("/do", {"do": "resign", "seat": "nobody"}, 400),
    ("/do", {"do": "resign", "seat": "east"}, 422),
    ("/do", {"do": "take back", "to": "99"}, 422),
    ("/turn", {"turn": ""}, 400),
    ("/turn", {"turn": "x" * 1000}, 400),
    ("/photo", {}, 400),
    ("/look", {}, 422),
]


@pytest.mark.parametrize(("where", "said", "status"), NONSENSE)
def test_nonsense_changes_nothing(homeworlds: Table, where: str, said: dict[str, str], status: int) -> None:
    before = homeworlds.now()
    answer = homeworlds.post(where, **said)
    assert (answer.status_code, bool(answer.json["sentence"])) == (status, True)
    assert homeworlds.now() | {"newest": 0} == before | {"newest": 0}


def test_a_turn_that_is_too_long_is_called_so(homeworlds: Table) -> None:
    assert "up to 400 letters" in homeworlds.type("b" * 401).json["sentence"]


def test_who_has_not_seen_the_newest_is_told_so(homeworlds: Table) -> None:
    old = homeworlds.now()["seq"]
    homeworlds.type("build g1 South")
    answer = homeworlds.post("/do", base=old, do="undo")
    assert (answer.status_code, answer.json["error"]) == (409, "stale")
    assert homeworlds.state == "legal"


def test_it_all_works_by_forms_alone(client: FlaskClient, homeworlds: Table) -> None:
    base = homeworlds.now()["seq"]
    refused = client.post(f"{homeworlds.path}/turn", data={"base": base, "turn": "build g3 Nowhere"})
    assert refused.status_code == 422
    assert 'value="build g3 Nowhere"' in refused.text
    assert 'role="alert"' in refused.text
    done = client.post(f"{homeworlds.path}/turn", data={"base": base, "turn": "build g1 South"})
    assert (done.status_code, done.headers["Location"]) == (303, homeworlds.path)
    page = client.get(homeworlds.path).text
    assert "Legal: South builds" in page


def test_the_score_and_the_counter_are_live(settlers: Table) -> None:
    settlers.type("land g1 c3")
    score = settlers.now()["parts"]["score"]
    assert "If it ended here: South wins, 1 point to 0." in score
    assert "<strong>1</strong> of 36" in score


# Besides the verdict

BLUEBIRD = "<1>; South(0,r1y2)g3-; North(1,b1r2)-b2y1; A(y3)b3-"
DANGER = "<1>; South(0,r2b1)g3-; North(1,y1b3)r3-g1"


def test_what_a_player_may_regret_stands_with_the_verdict_and_in_the_archive(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", position=BLUEBIRD)
    answer = table.type("sacrifice y1 North; pass").json
    told = "Bluebird: all ships at North are blue"
    assert told in answer["parts"]["verdict"]
    assert told in answer["warned"]
    assert told not in answer["spoken"]
    assert told in client.get(f"{table.path}/turns/1").text
    table.type("pass")
    assert told not in table.now()["parts"]["verdict"]
    assert told in client.get(f"{table.path}/turns/1").text
    assert told not in client.get(f"{table.path}/turns/2").text


@pytest.mark.parametrize("form", [{"red_alert_north": "on"}, {"junior": "north", "red_alert": "on"}])
def test_a_red_alert_stands_with_the_verdict_and_in_the_archive(
    client: FlaskClient, eyes: Eyes, form: dict[str, str]
) -> None:
    told = "Red alert for North: South could put North out with one turn."
    table = Table(client, eyes, game="homeworlds", position=DANGER, **form)
    assert told in table.now()["parts"]["verdict"]
    assert told in table.spoken
    assert told in client.get(f"{table.path}/turns/0").text
    table.type("trade g1 North y")
    table.do("resign", seat="south")
    assert told not in client.get(f"{table.path}/turns/2").text
    unasked = Table(client, eyes, game="homeworlds", position=DANGER)
    assert "Red alert" not in unasked.now()["parts"]["verdict"]


def test_after_changing_places_the_page_says_who_sits_where_now(client: FlaskClient, eyes: Eyes) -> None:
    terms = {"south": "Ann", "north": "Bo", "junior": "south", "brain_transference": "on"}
    table = Table(client, eyes, game="homeworlds", position=HOMES, **terms)
    facts = table.now()["parts"]["facts"]
    assert "Ann is South" in facts
    assert "may change places once" in facts
    answer = table.do("swap seats").json["parts"]
    assert "Bo is South · Ann is North" in answer["facts"]
    assert "North has a head start" in answer["facts"]
    assert "From now on Bo sits South and Ann sits North." in answer["history"]
    table.type("build g1 South")
    for number, seated in enumerate(("Ann is South · Bo is North", *("Bo is South · Ann is North",) * 2)):
        assert seated in client.get(f"{table.path}/turns/{number}").text
    taken_away: Any = client.get(f"{table.path}/game.json", headers=JSON).json
    assert taken_away["names"] == {"south": "Bo", "north": "Ann"}
    table.do("take back", to=0)
    assert "Ann is South · Bo is North" in table.now()["parts"]["facts"]


def probably_not_legal(before: Any, options: Any, reading: Reading, earlier: object) -> Judgement:
    """A judge who thinks that a rule was broken, but could not swear to it."""
    del reading, earlier
    refusal = Refusal("not_smallest", "7", "You must build the smallest green piece of the bank: g1, not g2.")
    seen = f"South builds a medium green at South: {refusal.sentence}"
    illegal = Explanation(Kind.ILLEGAL, (), before, 0.85, seen, refusal)
    turn = homeworlds_rules.read_turn("build g1 South", before, options)
    return Judgement(Certainty.UNSURE, illegal, (Explanation(Kind.LEGAL, (turn,), before, 0.1, "It is built."),))


def test_a_turn_that_is_probably_not_legal_is_called_so_before_anybody_chooses(make_app: MakeApp, eyes: Eyes) -> None:
    client = make_app(READER=eyes.read, JUDGE=probably_not_legal).test_client()
    table = Table(client, eyes, game="homeworlds", position=HOMES)
    answer = table.photograph(BUILT).json
    words = (
        "Not legal (ruling 7): You must build the smallest green piece of the bank: g1, not g2. "
        "Seen: South builds a medium green at South."
    )
    assert [(one["sentence"], one["legal"]) for one in answer["choices"]] == [
        (words, False),
        ("South builds a small green at South.", True),
    ]
    assert f"What was played? The likeliest turn is not legal. 1: {words} 2: South builds" in answer["spoken"]
    for page in (answer["parts"]["moves"], client.get(table.path).text):
        first, second = re.findall(
            r'<button class="button ([^"]*)"[^>]*name="choice"[^>]*>(.*?)</button>', page, re.S
        )
        assert (first[0].strip(), "✕" in first[1], words in first[1]) == ("not-legal", True, True)
        assert "✕" not in second[1]
    table.do("choose", choice=0)
    assert table.state == "illegal"


def test_a_single_turn_that_may_not_be_legal_is_asked_about_as_such(make_app: MakeApp, eyes: Eyes) -> None:
    def judge(*asked: Any) -> Judgement:
        return replace(probably_not_legal(*asked), rivals=())

    table = Table(make_app(READER=eyes.read, JUDGE=judge).test_client(), eyes, game="homeworlds", position=HOMES)
    assert "Is this right? Not legal (ruling 7): You must build" in table.photograph(BUILT).json["spoken"]
