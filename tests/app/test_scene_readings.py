"""How readings are marked against the truth, told in tables, and calibrated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from benchmarks.marking import Marks, confidence_in, mark, mark_boxes
from benchmarks.photo_scores import main as photo_scores
from benchmarks.photo_scores import words_kept
from benchmarks.photo_truth import boxed_pieces, rendered_photo
from benchmarks.reading_run import Result
from benchmarks.scene_readings import main as scene_readings
from benchmarks.scene_truth import SceneTruth, elevation_band, read_scene
from benchmarks.score_table import bars, percentile, report, split
from companion_app.derivation import with_pieces
from companion_app.reading_types import Game, ReadAlternative, Reading, ReadPiece, Verdict
from vision.sight import ImageSide, Role, Seat
from vision.solids import Color, Posture, Size

SIZE = (640, 480)
DOWN = {"K": [[800, 0, 320], [0, 800, 240], [0, 0, 1]], "dist": [0, 0, 0, 0, 0], "t": [0, 0, 500]}
"""A camera 500 mm straight above the table, but for its turn."""

UPRIGHT, LYING = Posture.UPRIGHT, Posture.LYING
RED, YELLOW, GREEN, BLUE = Color
SMALL, MEDIUM, LARGE = Size
SOUTH, NORTH = Seat


def square(x: float, y: float, side: float = 40) -> list[list[float]]:
    return [[x - side / 2, y - side / 2], [x + side / 2, y - side / 2], [x + side / 2, y + side / 2], [x, y]]


def true_piece(x: float, **more: object) -> dict[str, Any]:
    """A large red ship of South's in the first system, its middle at (x, 100) px, as scenes write it."""
    piece = {"color": "red", "size": "large", "posture": "lying", "role": "ship", "owner": "south", "system": 0}
    around = [x - 20, 80, x + 20, 120]
    return piece | {"field": None, "outline": square(x, 100), "visible": 1.0, "in_sight": around} | more


def true_star(x: float, **more: object) -> dict[str, Any]:
    return true_piece(x, posture="upright", role="star", owner=None, color="blue", size="small") | more


SETTINGS: dict[str, object] = {
    "light": "flash",
    "table": "glass",
    "plastic": "opaque",
    "elevation_deg": 50,
    "medium_base_px": 33,
}


def scene(folder: Path, pieces: Sequence[object], game: str = "homeworlds", **more: object) -> SceneTruth:
    """The truth of a scene by way of its file; South sits at the lower side."""
    homes = ["south", "north"] if game == "homeworlds" else []
    truth = {
        "game": game,
        "image": {"width": SIZE[0], "height": SIZE[1]},
        "camera": DOWN | {"R": np.diag([1.0, -1.0, -1.0]).tolist()},
        "settings": SETTINGS,
        "pieces": pieces,
        "token": {"side": "north", "center": [0, 0]},
        "systems": [{"home": home} for home in homes],
    } | more
    (folder / "one.json").write_text(json.dumps(truth))
    return read_scene(folder / "one.json")


GAME = [true_star(100), true_piece(200), true_star(400, system=1, color="green"), true_piece(500, system=1)]
BOARD = [true_piece(100, field="a1", system=None), true_piece(200, field="c4", system=None, owner="north")]


def read_piece(x: float, **more: Any) -> ReadPiece:
    ship = ReadPiece(RED, LARGE, LYING, Role.SHIP, SOUTH, 1, center=(x, 100.0), confidence=0.9)
    return replace(ship, **more)


def read_star(x: float, **more: Any) -> ReadPiece:
    return replace(read_piece(x), color=BLUE, size=SMALL, posture=UPRIGHT, role=Role.STAR, owner=None, **more)


READ_GAME = [
    read_star(103),
    read_piece(198),
    replace(read_star(400), color=GREEN, system=2),
    read_piece(500, system=2),
]
READ_BOARD = [
    read_piece(100, field="a1", system=None),
    read_piece(200, field="c4", system=None, owner=NORTH, confidence=0.5),
]


def reading(pieces: Sequence[ReadPiece], game: Game = Game.HOMEWORLDS, **more: Any) -> Reading:
    """What follows from some pieces."""
    done = with_pieces(Reading(game, SIZE), pieces, {1: SOUTH, 2: NORTH}, redless=False)
    return replace(done, **{"verdict": Verdict.CHECK} | more)


def test_everything_right(tmp_path: Path) -> None:
    marks = mark(scene(tmp_path, GAME), reading(READ_GAME, turn_token=NORTH, verdict=Verdict.CERTAIN))
    assert marks.counts == {
        **{"pictures": 1, "pieces": 4, "found": 4, "extra": 0, "color_of": 4, "color": 4, "size_of": 4, "size": 4},
        **{"posture_of": 4, "posture": 4, "owner_of": 2, "owner": 2, "unreadable": 0, "systems_of": 2, "systems": 2},
        **{"position_exact_of": 1, "position_exact": 1, "games": 1, "bank_of": 12, "bank": 12},
        **{"certain": 1, "certain_wrong": 0, "token": 1},
    }
    assert not marks.mistakes
    assert [claim.right for claim in marks.claims if claim.what == "reading"] == [True]
    assert next(claim for claim in marks.claims if claim.what == "reading").confidence == pytest.approx(0.9**4)


WRONG: dict[str, tuple[list[ReadPiece], dict[str, int], list[str]]] = {
    "nothing": (
        [],
        {"found": 0, "color_of": 0, "systems": 0, "systems_of": 2, "position_exact": 0, "bank": 9},
        ["not found: star, upright", "not found: ship, lying", "not found: star, upright", "not found: ship, lying"],
    ),
    "colour": (
        [READ_GAME[0], replace(READ_GAME[1], color=YELLOW), *READ_GAME[2:]],
        {"found": 4, "color": 3, "size": 4, "systems": 1, "position_exact": 0, "bank": 10},
        ["colour: red read as yellow"],
    ),
    "size and owner": (
        [READ_GAME[0], replace(READ_GAME[1], size=MEDIUM, owner=NORTH), *READ_GAME[2:]],
        {"size": 3, "owner": 1, "owner_of": 2, "systems": 1, "posture": 4},
        ["size: large read as medium", "owner: south read as north"],
    ),
    "one too many": (
        [*READ_GAME, read_piece(300, system=2)],
        {"found": 4, "extra": 1, "systems": 1, "bank": 11},
        ["not there: read as ship"],
    ),
    "too far": (
        [READ_GAME[0], replace(READ_GAME[1], center=(240.0, 100.0)), *READ_GAME[2:]],
        {"found": 3, "extra": 1, "systems": 2, "position_exact": 1},
        ["not there: read as ship", "not found: ship, lying"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_something_wrong(tmp_path: Path, name: str) -> None:
    pieces, counts, mistakes = WRONG[name]
    marks = mark(scene(tmp_path, GAME), reading(pieces, verdict=Verdict.CERTAIN))
    assert marks.counts.items() >= counts.items()
    assert list(marks.mistakes) == mistakes
    assert marks.counts["certain_wrong"] == 1 - marks.counts["position_exact"]


def test_a_board(tmp_path: Path) -> None:
    truth = scene(tmp_path, BOARD, "settlers")
    right = mark(truth, reading(READ_BOARD, Game.SETTLERS)).counts
    assert (
        right.items()
        >= {"fields": 36, "fields_of": 36, "board_exact": 1, "boards": 1, "score": 1, "bank": 12}.items()
    )
    other = [READ_BOARD[0], replace(READ_BOARD[1], field="c5")]
    moved = mark(truth, reading(other, Game.SETTLERS, verdict=Verdict.CERTAIN)).counts
    assert moved.items() >= {"fields": 34, "board_exact": 0, "certain_wrong": 1, "found": 2, "bank": 12}.items()


def test_hidden_pieces_do_not_count(tmp_path: Path) -> None:
    """The one that is nearly hidden is not asked for, and its reading is no invention."""
    truth = scene(tmp_path, [*GAME[:3], true_piece(500, system=1, visible=0.1)])
    for pieces in (READ_GAME, READ_GAME[:3]):
        marks = mark(truth, reading(pieces))
        assert marks.counts.items() >= {"pieces": 3, "found": 3, "extra": 0}.items()
        assert "position_exact" not in marks.counts
        assert sum(claim.what == "piece" for claim in marks.claims) == 3


def test_the_bank_and_other_peoples_pieces(tmp_path: Path) -> None:
    bank = true_piece(600, role="bank", owner=None, system=None)
    black = true_piece(300, color="black", role="loose", owner=None, system=None)
    extra = [read_piece(600, role=Role.BANK, owner=None, system=None), read_piece(300, role=Role.LOOSE, system=None)]
    marks = mark(scene(tmp_path, [*GAME, bank, black]), reading([*READ_GAME, *extra]))
    assert marks.counts.items() >= {"pieces": 4, "found": 4, "extra": 1, "foreign_of": 1, "foreign": 1}.items()


def test_tilted_pieces_have_no_posture(tmp_path: Path) -> None:
    loose = [true_piece(100, posture="tilted", role="loose", owner=None, system=None)]
    marks = mark(scene(tmp_path, loose, "none", systems=[]), reading([read_piece(100, role=Role.LOOSE)]))
    assert marks.counts.items() >= {"found": 1, "color": 1, "posture_of": 0, "owner_of": 0, "invented": 0}.items()
    assert "games" not in marks.counts


def test_a_game_where_there_is_none(tmp_path: Path) -> None:
    marks = mark(scene(tmp_path, [], "none", systems=[]), reading(READ_GAME, verdict=Verdict.CERTAIN))
    assert marks.counts["invented"] == 1


def test_a_stack_is_told_apart_by_what_is_alike(tmp_path: Path) -> None:
    """Both readings lie nearer to the upper one; colour and size tell which is which."""
    truth = scene(tmp_path, [true_star(100), true_star(112, color="yellow", size="large"), *GAME[2:]])
    read = [read_star(98), replace(read_star(104), color=YELLOW, size=LARGE), *READ_GAME[2:]]
    assert mark(truth, reading(read)).counts.items() >= {"found": 4, "color": 4, "size": 4}.items()


def test_a_piece_of_which_a_rim_shows_is_found_on_its_rim(tmp_path: Path) -> None:
    below = true_star(200, color="yellow", size="large", visible=0.3, in_sight=[180, 112, 220, 120])
    truth = scene(tmp_path, [true_star(100), below, *GAME[2:]])
    for y, found in ((116.0, 4), (100.0, 4), (85.0, 3)):
        read = replace(read_star(200), color=YELLOW, size=LARGE, center=(200.0, y))
        counts = mark(truth, reading([READ_GAME[0], read, *READ_GAME[2:]])).counts
        assert (counts["found"], counts["extra"]) == (found, 4 - found)


@pytest.mark.parametrize(
    ("turn_deg", "side"),
    [
        (0, ImageSide.BOTTOM),
        (90, ImageSide.LEFT),
        (180, ImageSide.TOP),
        (270, ImageSide.RIGHT),
        (40, ImageSide.BOTTOM),
    ],
)
def test_where_south_sits(tmp_path: Path, turn_deg: float, side: ImageSide) -> None:
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    R = [[cos, sin, 0], [sin, -cos, 0], [0, 0, -1]]
    assert scene(tmp_path, GAME, camera=DOWN | {"R": R}).south is side


def test_labels(tmp_path: Path) -> None:
    labels = {"game": "homeworlds", "light": "flash", "table": "glass", "board": "none", "plastic": "opaque"}
    labels |= {"field width": "no board", "elevation": "from 45°", "medium base": "from 30 px"}
    assert scene(tmp_path, GAME).labels == labels
    assert [elevation_band(degrees) for degrees in (12.0, 30.0, 90.0)] == ["below 30°", "from 30°", "from 75°"]


def path_traced() -> dict[str, Any]:
    """The other format: owners by number, letters and pips, fields by row and column."""
    ship = {"code": "B3", "posture": "lying", "role": "ship", "owner": 1, "system": None, "field": [3, 2]}
    seen = {"bbox": [0, 0, 9, 9], "visible_bbox": [1, 2, 3, 4], "visible_fraction": 0.8, "in_frame_fraction": 0.5}
    return {
        "game": "settlers",
        "image": {"width": SIZE[0], "height": SIZE[1]},
        "camera": DOWN
        | {"R": np.diag([1.0, -1.0, -1.0]).tolist(), "target_mm": [0, 0, 8], "distance_mm": 500, "elevation_deg": 90},
        "seats": {"south": {"direction": [0, -1]}},
        "pieces": [ship | seen, {**ship, **seen, "role": "stacked-upper", "owner": None, "field": None}],
        "systems": None,
        "token": {"present": True, "owner": 0},
        "scene": {"lighting": {"preset": "evening"}, "table_kind": "oak", "pieces": {"kind": "opaque"}},
    }


@pytest.mark.parametrize(
    ("said", "width"), [({}, "official"), ({"field_mm": 33.7}, "official"), ({"field_mm": 41.2}, "other")]
)
def test_boards_are_told_apart_by_the_width_of_their_fields(
    said: dict[str, float], width: str, tmp_path: Path
) -> None:
    settings = SETTINGS | {"board": "cloth"} | said
    assert scene(tmp_path, BOARD, "settlers", settings=settings).labels["field width"] == width


def test_path_traced_truth() -> None:
    photo = rendered_photo(path_traced(), Path("S_1.jpg"))
    first, second = photo.pieces
    assert (first.color, first.size, first.owner, first.field) == (BLUE, LARGE, NORTH, "c4")
    assert (first.box, first.visible) == ((1, 2, 3, 4), 0.4)
    assert second.role is Role.BANK
    assert (photo.south, photo.token, photo.labels["medium base"]) == (ImageSide.BOTTOM, SOUTH, "from 30 px")
    assert photo.game_state
    assert photo.game_state.score == {SOUTH: 0, NORTH: 3}


BOXES = [
    {"bbox": [80, 80, 120, 120], "colour": "R", "size": "L?", "pose": "lying"},
    {"bbox": [80, 120, 120, 130], "colour": "Y", "size": "S", "pose": "tilted"},
    {"bbox": [280, 80, 320, 120], "colour": "K", "size": "M", "pose": "upright"},
]


def test_boxes_drawn_by_hand() -> None:
    """Of the yellow piece below only a rim is boxed: its reading reaches over it, its middle lies elsewhere."""
    whole = ((80.0, 118.0), (120.0, 118.0), (120.0, 142.0), (80.0, 142.0))
    below = replace(read_piece(160), color=YELLOW, size=SMALL, posture=UPRIGHT, outline=whole)
    real = SceneTruth("real", Path("real.png"), None, ImageSide.BOTTOM, boxed_pieces(BOXES))
    marks = mark_boxes(real, reading([read_piece(100, size=SMALL), below, read_piece(305)]))
    expected = {"pieces": 2, "found": 2, "extra": 1, "foreign": 1, "foreign_of": 1, "size": 1, "size_of": 1}
    assert marks.counts.items() >= (expected | {"posture": 1, "posture_of": 1, "color": 2}).items()


def test_words_about_photographs_are_kept() -> None:
    end = "<!-- end of words -->"
    text = f"a\n<!-- words: zendo -->\nTwo lines,\nby hand.\n{end}\n<!-- words: x -->\n{end}"
    assert words_kept(text) == {"zendo": "Two lines,\nby hand.\n", "x": ""}


def test_photographs_may_be_missing(tmp_path: Path) -> None:
    done = CliRunner().invoke(photo_scores, ["--photos", str(tmp_path), "--out", str(tmp_path)])
    assert done.exit_code == 0
    assert done.stdout.count("left out") == 2


def test_photographs_are_read_drawn_and_described(tmp_path: Path) -> None:
    """Empty pictures; the words somebody wrote outlive another run."""
    photos, out, drawn = (tmp_path / name for name in ("photos", "out", "drawn"))
    for folder, name, truth in (("rendered", "S_1", path_traced()), ("real", "zendo.boxes", BOXES)):
        (photos / folder).mkdir(parents=True)
        (photos / folder / f"{name}.json").write_text(json.dumps(truth))
        Image.new("RGB", (160, 120), (90, 110, 100)).save(photos / folder / f"{name.removesuffix('.boxes')}.jpg")
    words = ["--photos", str(photos), "--out", str(out), "--annotated", str(drawn)]
    first = CliRunner().invoke(photo_scores, words)
    assert first.exit_code == 0, first.output
    assert {path.name for path in drawn.iterdir()} == {"S_1.png", "zendo.png"}
    assert "the tool that comes with the photographs is not there" in (out / "rendered_photos.md").read_text().lower()
    real = out / "real_photos.md"
    assert "0 of 2 pieces found, 0 extra; 0 of 1 pieces of other colours read as ours" in real.read_text()
    mark = "<!-- words: zendo -->\n"
    real.write_text(real.read_text().replace(mark, f"{mark}Nothing to see.\n"))
    CliRunner().invoke(photo_scores, words)
    assert f"{mark}Nothing to see.\n<!-- end of words -->" in real.read_text()


def test_no_foreign_photographs_in_the_project(tmp_path: Path) -> None:
    inside = Path(__file__).parents[2] / "results" / "drawn"
    done = CliRunner().invoke(photo_scores, ["--photos", str(tmp_path), "--annotated", str(inside)])
    assert done.exit_code == 2
    assert not inside.exists()


def test_confidence_in_one_property() -> None:
    others = (
        ReadAlternative(RED, MEDIUM, LYING, SOUTH, 0.2),
        ReadAlternative(BLUE, LARGE, LYING, SOUTH, 0.05),
        ReadAlternative(RED, LARGE, LYING, NORTH, 0.05),
    )
    piece = read_piece(0, confidence=0.7, alternatives=others)
    confidences = {what: round(confidence_in(piece, what), 6) for what in ("color", "size", "posture", "owner")}
    assert confidences == {"color": 0.95, "size": 0.8, "posture": 1.0, "owner": 0.95}


def result(name: str, seconds: float = 0.1, **counts: int) -> Result:
    marks = Marks({"pictures": 1} | counts, mistakes=("size: large read as medium",))
    return Result(name, {"light": name[:1]}, marks, seconds, {"open": 0.01})


def test_bars_say_how_much_is_missing() -> None:
    results = [result("a", pieces=100, found=97, extra=1), result("b", pieces=100, found=98, extra=0)]
    lines = bars(results).splitlines()
    assert "| table pieces found | 97.50 % | 98 | 99.9 | no, by 0.50 |" in lines
    assert "| readings of pieces that are not there, a picture | 0.50 | 0.3 | 0.02 | no, by 0.20 |" in lines
    assert "| milliseconds a reading, median | 100 | 300 | 120 | yes, the aim too |" in lines
    assert not any("Settlers" in line for line in lines)


def test_split_by_light() -> None:
    results = [result("a1", pieces=4, found=4), result("a2", pieces=4, found=2), result("b1", pieces=1, found=1)]
    table = split(results, "light")
    assert "| a | 2 | 75.00 |" in table
    assert "| b | 1 | 100.00 |" in table
    assert "| size: large read as medium | 3 |" in report(results)


def test_percentile() -> None:
    values = [float(value) for value in range(1, 101)]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.95, 1.0)] == [1, 50, 95, 100]
    assert percentile([7.0], 0.95) == 7


def test_one_tiny_scene_from_the_command(tmp_path: Path) -> None:
    """A table on which there is nothing; what cannot be opened is an error and is counted as such."""
    scene(tmp_path, [], "none", systems=[])
    Image.new("RGB", (160, 120), (90, 110, 100)).save(tmp_path / "one.jpg")
    for name in ("two.json", "two.jpg"):
        (tmp_path / name).write_bytes(
            (tmp_path / "one.json").read_bytes() if name.endswith("json") else b"no picture"
        )
    done = CliRunner().invoke(scene_readings, [str(tmp_path), "--out", str(tmp_path / "out" / "tiny")])
    assert done.exit_code == 0, done.output
    assert "| errors | 1 | 0 | 0 | |" in done.stdout
    assert "Errors: two (BadPhoto" in (tmp_path / "out" / "tiny.md").read_text()
    assert (tmp_path / "out" / "tiny.csv").read_text().count("\n") == 3
    assert (tmp_path / "out" / "tiny_reliability.svg").exists()


def test_a_folder_without_scenes(tmp_path: Path) -> None:
    done = CliRunner().invoke(scene_readings, [str(tmp_path)])
    assert done.exit_code == 2
    assert "python -m scenes render" in done.output
