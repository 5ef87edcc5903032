"""Games on the page: begun, played by photo and by words, refused, settled, corrected, watched, scored."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import VIEW, MakeApp
from flask import Flask
from flask.testing import FlaskClient
from visitors import OPEN, Device

from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind
from companion_app.notation import parse_position
from companion_app.photos import Photo
from companion_app.reading import reading_of
from companion_app.reading_types import Game, Reading
from companion_app.samples import layout_of
from companion_app.web.keys import Role
from companion_app.web.live import Look
from companion_app.web.pictures import jpeg
from rules import homeworlds as homeworlds_rules
from vision.sight import ImageSide
from vision.virtual import photograph

JSON = {"Accept": "application/json"}
HOMES = "<0>; South(0,r2b1)g3-; North(1,y1b3)-g3"
BUILT = "<1>; South(0,r2b1)g1g3-; North(1,y1b3)-g3"
JUMPED = "<1>; South(0,r2b1)-; North(1,y1b3)g3-g3"
"""South's ship would be in a system that it has no way to."""

GIVEN = "<1>; South(0,r2b1)g3r3-; North(1,y1b3)-g3"
"""South has got a ship for nothing."""


class Eyes:
    """A reader that sees, without a fault, the table that it is told to."""

    def __init__(self) -> None:
        self.line = HOMES
        self.change: Callable[[Reading], Reading] = lambda reading: reading

    def read(self, image: Photo, game: Game, south: ImageSide, redless: bool) -> Reading:
        assert image.shape[2] == 3
        assert isinstance(south, ImageSide)
        truth = photograph(layout_of(parse_position(self.line, redless=redless)), seed=1, view=VIEW).truth
        return self.change(reading_of(truth, game, redless=redless))


class Table:
    """A game on the page, as one who plays it meets it."""

    def __init__(self, client: FlaskClient, eyes: Eyes, **terms: Any) -> None:
        self.client, self.eyes = client, eyes
        self.path = client.post("/games", data=terms).headers["Location"]

    def now(self) -> dict[str, Any]:
        news: Any = self.client.get(f"{self.path}/parts").json
        return dict(news)

    def post(self, where: str, **said: Any) -> Any:
        said = {"base": self.now()["seq"]} | said
        return self.client.post(self.path + where, data=said, headers=JSON)

    def do(self, word: str, **said: Any) -> Any:
        return self.post("/do", do=word, **said)

    def type(self, turn: str) -> Any:
        return self.post("/turn", turn=turn)

    def photograph(self, line: str) -> Any:
        self.eyes.line = line
        return self.post("/photo", photo=(a_photo(), "table.jpg"))

    @property
    def state(self) -> str:
        return str(self.now()["state"])

    @property
    def spoken(self) -> str:
        return str(self.now()["spoken"])


def a_photo() -> BytesIO:
    return BytesIO(jpeg(np.full((VIEW.height, VIEW.width, 3), 90, np.uint8)))


@pytest.fixture
def eyes() -> Eyes:
    """The reader of this test."""
    return Eyes()


@pytest.fixture
def app(make_app: MakeApp, eyes: Eyes) -> Flask:
    """The application with that reader."""
    return make_app(READER=eyes.read)


@pytest.fixture
def settlers(client: FlaskClient, eyes: Eyes) -> Table:
    """A game of Settlers on its empty board."""
    table = Table(client, eyes, game="settlers", south="Ann", north="Bo", beginner="south")
    table.post("/as-recorded")
    return table


@pytest.fixture
def homeworlds(client: FlaskClient, eyes: Eyes) -> Table:
    """A game of Homeworlds with both homes set up."""
    return Table(client, eyes, game="homeworlds", position=HOMES)


# Beginning


def test_the_list_leads_to_a_game_and_back(client: FlaskClient, settlers: Table) -> None:
    assert "/games" in client.get("/").text
    listed = client.get("/games").text
    assert settlers.path in listed
    assert "Ann – Bo" in listed
    assert "South’s turn." in listed
    page = client.get(settlers.path).text
    assert "Ann is South" in page


TERMS = [
    ({"game": "settlers", "redless": "on"}, "redless"),
    ({"game": "settlers", "junior": "north", "large_landing": "on"}, "North lands a large first"),
    ({"game": "settlers", "beginner": "north"}, "North began"),
    (
        {"game": "homeworlds", "junior": "south", "extra_ships": "two small", "timewarp": "1"},
        "South has a head start",
    ),
    ({"game": "homeworlds", "position": HOMES}, "South’s turn."),
    ({"game": "homeworlds", "position": HOMES, "lay_out": "on"}, "Putting a position back"),
]


@pytest.mark.parametrize(("terms", "shown"), TERMS)
def test_terms(client: FlaskClient, eyes: Eyes, terms: dict[str, str], shown: str) -> None:
    assert shown in client.get(Table(client, eyes, **terms).path).text


WRONG_TERMS = [
    ({}, 400),
    ({"game": "chess"}, 400),
    ({"game": "settlers", "beginner": "up"}, 400),
    ({"game": "settlers", "junior": "east"}, 422),
    ({"game": "settlers", "position": HOMES}, 400),
    ({"game": "homeworlds", "position": "nonsense"}, 422),
    ({"game": "homeworlds", "extra_ships": "ten"}, 400),
    ({"game": "homeworlds", "extra_ships": "small"}, 422),
    ({"game": "homeworlds", "timewarp": "-1", "junior": "south"}, 400),
    ({"game": "homeworlds", "south": "x" * 200}, 400),
]


@pytest.mark.parametrize(("terms", "status"), WRONG_TERMS)
def test_wrong_terms_begin_nothing(client: FlaskClient, terms: dict[str, str], status: int) -> None:
    assert client.post("/games", data=terms).status_code == status
    assert "No games yet" in client.get("/games").text


def test_a_game_begins_with_what_a_photo_shows(client: FlaskClient, eyes: Eyes) -> None:
    table = Table(client, eyes, game="homeworlds", beginner="north", photo=(a_photo(), "table.jpg"))
    assert table.state == "turn"
    assert table.spoken == "North’s turn."


# Playing


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


def unsure(before: Any, options: Any, reading: Reading, earlier: object) -> Judgement:
    """A judge who cannot tell two turns apart."""
    assert reading.position
    one, other = (
        Explanation(
            Kind.LEGAL, (homeworlds_rules.read_turn(text, before, options),), before, share, f"Perhaps {text}."
        )
        for text, share in (("build g1 South", 0.6), ("trade g3 South y", 0.4))
    )
    assert earlier == ()
    return Judgement(Certainty.UNSURE, one, (other,))


def test_of_several_turns_one_is_chosen(make_app: MakeApp, eyes: Eyes) -> None:
    table = Table(make_app(READER=eyes.read, JUDGE=unsure).test_client(), eyes, game="homeworlds", position=HOMES)
    assert table.photograph(BUILT).json["state"] == "unsure"
    moves = table.now()["parts"]["moves"]
    assert "60 %" in moves
    assert "trades" in moves
    table.do("pause")
    assert "60 %" not in table.now()["parts"]["moves"]
    table.do("resume")
    assert "trades" in table.do("choose", choice=1).json["spoken"]
    assert "confirmed by hand" in table.now()["parts"]["history"]


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
    assert "1 of 4 steps" in homeworlds.do("tick", step=0).json["spoken"]
    assert 'aria-pressed="true"' in homeworlds.now()["parts"]["moves"]
    assert "0 of 4 steps" in homeworlds.do("tick", open=0).json["spoken"]
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
    assert homeworlds.now() == before


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


# Watching


def test_who_watches_hears_of_every_turn(app: Flask, client: FlaskClient, homeworlds: Table) -> None:
    with client.get(f"{homeworlds.path}/events") as stream:
        assert stream.mimetype == "text/event-stream"
        homeworlds.type("build g1 South")
        heard = b""
        for line in stream.response:
            heard += line if isinstance(line, bytes) else line.encode()
            if b'"legal"' in heard:
                break
    assert b'"judging"' in heard
    app.extensions["streams"].close()


def test_spectators_see_everything_and_press_nothing(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, **OPEN)
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    spectator = Device(app)
    spectator.scan(Role.SPECTATOR)
    page = spectator.ask(table.path).text
    assert "South’s turn." in page
    assert "<form" not in page
    assert "<form" not in spectator.ask("/games").text
    assert "<form" not in spectator.ask(f"{table.path}/parts").json["parts"]["moves"]
    assert (
        spectator.ask(f"{table.path}/do", "POST", data={"do": "resign", "seat": "south", "base": "1"}).status_code
        == 403
    )


# The camera


class Camera:
    """A camera that sees the table of a game."""

    def __init__(self, game: str, look: Look) -> None:
        self.game, self.look, self.picture = game, look, look.picture
        self.sentence = "The table lies still."
        self.ended = 0

    def end_turn(self) -> None:
        self.ended += 1

    def close(self) -> None:
        self.game = ""


def test_the_camera_s_picture_is_shown_and_the_button_is_its_cue(
    app: Flask, client: FlaskClient, eyes: Eyes, homeworlds: Table
) -> None:
    reading = eyes.read(np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False)
    camera = Camera(homeworlds.path.rpartition("/")[2], Look(a_photo().getvalue(), reading))
    assert client.get(f"{homeworlds.path}/live.jpg").status_code == 404
    app.extensions["games"].watch(camera)
    assert "The table lies still." in homeworlds.now()["parts"]["table"]
    assert client.get(f"{homeworlds.path}/live.jpg").data == camera.picture
    assert homeworlds.post("/look").status_code == 200
    assert camera.ended == 1
    client.post(f"{homeworlds.path}/camera/away")
    assert camera.game == ""
    assert "The table lies still." not in homeworlds.now()["parts"]["table"]


class SureReader:
    """A reader of a camera's pictures that sees one table."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def read(self, picture: Photo, view: int) -> Reading:
        assert picture.any()
        assert view >= 0
        return self.reading


def test_a_turn_is_seen_by_a_real_camera(make_app: MakeApp, eyes: Eyes, tmp_path: Path) -> None:
    eyes.line = BUILT
    seen = eyes.read(np.zeros((600, 800, 3), np.uint8), Game.HOMEWORLDS, ImageSide.BOTTOM, redless=False)
    app = make_app(TABLE_READER=lambda *_, **__: SureReader(seen))
    client = app.test_client()
    table = Table(client, eyes, game="homeworlds", position=HOMES)
    (tmp_path / "snaps").mkdir()
    (tmp_path / "snaps" / "table.jpg").write_bytes(a_photo().getvalue())
    assert client.post(f"{table.path}/camera", data={"camera": f"folder:{tmp_path / 'snaps'}"}).status_code == 303
    table.post("/look")
    for _ in range(150):
        if table.state == "legal":
            break
        time.sleep(0.1)
    assert "builds" in table.spoken, table.now()["parts"]["table"]
    assert client.get(f"{table.path}/live.jpg").mimetype == "image/jpeg"
    client.post(f"{table.path}/delete")


def test_only_who_sits_here_names_a_camera(make_app: MakeApp, eyes: Eyes) -> None:
    app = make_app(READER=eyes.read, **OPEN)
    table = Table(app.test_client(), eyes, game="homeworlds", position=HOMES)
    referee = Device(app)
    referee.scan(Role.REFEREE)
    assert "Put a camera" not in referee.ask(table.path).text
    answer = referee.ask(f"{table.path}/camera", "POST", data={"camera": "usb:0"}, headers=JSON)
    assert (answer.status_code, answer.json["error"]) == (403, "only_here")


def test_what_is_no_camera(client: FlaskClient, homeworlds: Table) -> None:
    assert "Put a camera over this table" in client.get(homeworlds.path).text
    assert homeworlds.post("/camera", camera="the moon").json["error"] == "camera_address"


# The scorer


def test_the_scorer_reads_a_board_in_one_go(client: FlaskClient, eyes: Eyes) -> None:
    eyes.line = "6/6/2g13/3R32/6/6 S 0"
    answer = client.post("/score", data={"photo": (a_photo(), "board.jpg")})
    result = client.get(answer.headers["Location"])
    assert "North wins, 3 points to 1." in result.text


def test_a_tie_is_decided_by_who_began(client: FlaskClient, eyes: Eyes) -> None:
    eyes.line = "6/6/2g13/3Y12/6/6 S 0"
    result = client.post("/score", data={"photo": (a_photo(), "board.jpg")}).headers["Location"]
    assert "North wins the tie" in client.get(f"{result}?began=south").text
    assert "South wins the tie" in client.get(f"{result}?began=north").text


def test_a_table_of_homeworlds_has_no_score(client: FlaskClient) -> None:
    reading = client.post("/virtual", data={"game": "homeworlds", "table": "7"}).headers["Location"]
    assert client.get(f"/score/{reading.rpartition('/')[2]}").status_code == 400
