"""Crops of scenes: what is true of the picture stays true of every part of it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from training.__main__ import main
from training.crops import CROP, Crop, cut, random_crop, whole
from training.photo_errors import shaded, spoilt
from training.score import Tally, count, matched
from training.tablecloths import dyed, grained
from training.targets import LEAST_VISIBLE, targets
from training.truth import Scene, TruePiece, crossings, scene_files, scene_of, scenes_in
from training.virtual_scenes import photograph_with_truth, random_layout, write_scenes
from vision.camera import Camera
from vision.eyes.decode import decode
from vision.eyes.maps import STRIDE, WORD_STRIDE, WORDS, Dense, Floor, Maps, cells_to_px
from vision.virtual import BoardLayout

WITHIN, BESIDE = np.s_[120:155, 145:175], np.s_[180:215, 145:175]  # a piece of 80 px, and the cloth before it


@cache
def folder_of_scenes(folder: Path) -> Path:
    write_scenes(folder, range(4))
    return folder


@pytest.fixture
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    base = tmp_path_factory.getbasetemp() / "scenes"
    return next(scenes_in(folder_of_scenes(base)))


def test_scenes_are_written_once_and_read_again(tmp_path: Path) -> None:
    write_scenes(tmp_path, range(2))
    files = scene_files(tmp_path)
    before = [file.stat().st_mtime_ns for file in files]
    write_scenes(tmp_path, range(3))
    assert len(scene_files(tmp_path)) == 3
    assert [file.stat().st_mtime_ns for file in files] == before
    files[0].with_suffix(".jpg").unlink()
    assert scene_files(tmp_path)[0] == files[1]
    assert {*json.loads(files[0].read_text(encoding="utf-8"))} >= {"seed", "game", "image", "camera", "pieces"}


@pytest.mark.parametrize("seed", range(8))
def test_random_layouts_use_one_kit(seed: int) -> None:
    layout = random_layout(np.random.default_rng(seed))
    used = sum(layout.bank.values())
    if isinstance(layout, BoardLayout):
        used += len(layout.cells)
    else:
        used += sum(len(system.stars) + len(system.ships) for system in layout.systems)
    assert used == 36
    assert max(layout.bank.values(), default=0) <= 3


@pytest.mark.parametrize("seed", range(6))
def test_the_truth_moves_with_the_picture(scene: Scene, seed: int) -> None:
    """White dots painted at the tips are found again where the crop says the tips are."""
    dots = np.zeros((scene.size[1], scene.size[0], 3), np.uint8)
    for piece in scene.pieces:
        cv2.circle(dots, (round(piece.corners[0, 0]), round(piece.corners[0, 1])), 6, (255, 255, 255), -1)
    crop = random_crop(dots, scene, np.random.default_rng(seed))
    assert crop.image.shape == (CROP[1], CROP[0], 3)
    tips = np.array([piece.corners[0] for piece in crop.scene.pieces]).reshape(-1, 2)
    inside = tips[((tips > 8) & (tips < np.array(CROP) - 8)).all(1)]
    assert all(crop.image[round(y), round(x), 0] > 200 for x, y in inside)


def test_what_is_beyond_the_picture_is_not_asked_for(scene: Scene) -> None:
    moved = np.array([[1.0, 0.0, 300.0], [0.0, 1.0, 0.0]])
    crop = cut(scene.image(), scene, moved, CROP)
    assert not targets(crop).counts[:, :, : 296 // 4].any()
    assert targets(crop).counts[Dense.BOARD, :, 304 // 4 :].all()


def test_the_edge_of_a_picture_is_an_edge_in_every_crop(scene: Scene) -> None:
    """What is asked of pieces that the picture's edge cuts does not depend on how far a crop goes beyond it."""
    through_the_middle = np.array([[1.0, 0.0, -scene.size[0] / 2], [0.0, 1.0, 0.0]])
    part = cut(scene.image(), scene, through_the_middle, (scene.size[0] // 2, scene.size[1]))
    assert any((piece.outline[:, 0] < 0).any() and piece.visible >= LEAST_VISIBLE for piece in part.scene.pieces)
    cells = 8
    right = np.array([[1.0, 0.0, cells * WORD_STRIDE], [0.0, 1.0, 0.0]])
    larger = cut(part.image, part.scene, right, (part.scene.size[0] + cells * WORD_STRIDE, part.scene.size[1]))
    asked, again = targets(whole(part.image, part.scene)), targets(larger)
    inside = slice(cells * WORD_STRIDE // STRIDE, None)
    centers = [Dense.TOP, Dense.UNDER]
    np.testing.assert_allclose(again.dense[centers][:, :, inside], asked.dense[centers], atol=0.05)
    within = again.words.column >= cells
    np.testing.assert_array_equal(again.words.column[within] - cells, asked.words.column)
    np.testing.assert_allclose(again.words.offsets[within], asked.words.offsets, atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_corners_beyond_a_crop_are_not_seen(scene: Scene, seed: int) -> None:
    crop = random_crop(scene.image(), scene, np.random.default_rng(seed))
    before = {piece.distance: piece.corners_seen for piece in scene.pieces}
    for piece in crop.scene.pieces:
        beyond = np.any((piece.corners < -0.5) | (piece.corners > np.array(CROP) - 0.5), axis=1)
        np.testing.assert_array_equal(piece.corners_seen, before[piece.distance] & ~beyond)


def test_hardly_visible_pieces_are_not_asked_for(scene: Scene) -> None:
    crop = whole(scene.image(), scene)
    hidden = [piece for piece in scene.pieces if piece.visible < (0.1 if piece.under else 0.25)]
    target = targets(crop)
    asked = {(int(row), int(column)) for row, column in zip(target.words.row, target.words.column, strict=True)}
    assert len(asked) <= 9 * (len(scene.pieces) - len(hidden))
    assert target.counts[Dense.PLASTIC].all()


def test_spoiling_leaves_shape_and_kind(scene: Scene) -> None:
    image = scene.image()[:120, :160]
    spoilt_ones = [spoilt(image, np.random.default_rng(seed)) for seed in range(20)]
    assert {(one.shape, one.dtype.name) for one in spoilt_ones} == {((120, 160, 3), "uint8")}
    assert len({one.tobytes() for one in spoilt_ones}) >= 19


def test_crossings_through_a_lens() -> None:
    lens = np.array([-0.12, 0.03, 0.001, -0.002, 0.0])
    camera = Camera.looking_at(
        (0, 0), azimuth_deg=265, elevation_deg=50, distance=500, focal=1000, size=(1280, 960), dist=lens
    )
    board = np.array([[-100, -100, 4], [100, -100, 4], [100, 100, 4], [-100, 100, 4]], dtype=np.float64)
    steps = np.linspace(-100, 100, 7)
    lattice = np.array([[x, y, 4.0] for y in steps for x in steps])
    found = crossings(camera.project(board), camera)
    np.testing.assert_allclose(found, camera.project(lattice), atol=0.02)


def test_score_counts_missed_and_extra(scene: Scene) -> None:
    target = targets(whole(scene.image(), scene))
    rows, columns = target.dense.shape[1:]
    words = np.zeros((len(Floor), WORDS, rows // 2, columns // 2), np.float32)
    nothing = Maps(np.zeros_like(target.dense), words)
    tally = Tally()
    count(tally, scene, decode(nothing))
    asked = sum(piece.visible >= 0.25 for piece in scene.pieces)
    assert (tally.asked, tally.found, tally.extra, len(tally.missed)) == (asked, 0, 0, asked)
    nothing.dense[Dense.TOP, 2, 2] = 1.0
    count(tally, scene, decode(nothing))
    assert (tally.pictures, tally.extra) == (2, 1)
    assert tally.row()["extra_a_picture"] == 0.5
    assert matched(scene, decode(nothing)) == []


def test_a_net_that_is_not_installed_is_scored_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_scenes(tmp_path, range(1))
    monkeypatch.chdir(Path(__file__).parents[2])
    done = CliRunner().invoke(main, ["score", "--scenes", str(tmp_path), "--net", "training/weights/detector.onnx"])
    assert done.exit_code == 0, done.output
    assert "found" in done.output


def test_tips_are_hot_where_they_are_seen(scene: Scene) -> None:
    crop: Crop = whole(scene.image(), scene)
    heat = targets(crop).dense[Dense.TIP]
    for row, column in np.argwhere(heat > 0.95):
        place = cells_to_px(np.array([column, row], dtype=np.float64))
        assert min(np.linalg.norm(piece.corners[0] - place) for piece in scene.pieces) < 3


@pytest.mark.parametrize("seed", range(4))
def test_another_cloth_leaves_pieces_and_board_as_they_were(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture, truth = photograph_with_truth(random_layout(rng), seed)
    crop = whole(picture.image, scene_of(truth, Path("virtual.jpg")))
    cloth = dyed(crop, rng)
    assert cloth.shape == crop.image.shape
    changed = (cloth != crop.image).any(axis=2)
    assert changed.mean() > 0.15
    for piece in crop.scene.pieces:
        x, y = np.clip(np.round(piece.corners.mean(0)).astype(int), 0, np.array(crop.scene.size) - 1)
        assert not changed[y, x]


def test_some_cloths_have_the_colour_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.tablecloths.LIKE_PLASTIC", 1.0)
    grey, blue = np.full((240, 320, 3), 120, np.uint8), (150, 60, 40)
    corners = np.array([[160, 80], [140, 160], [180, 160], [170, 140], [150, 140]], dtype=np.float64)
    cv2.fillConvexPoly(grey, cv2.convexHull(corners.astype(np.int32)), blue)
    seen = np.ones(5, dtype=bool)
    piece = TruePiece(3, 1, "upright", corners, seen, corners, 1.0, under=False, above=False, distance=500.0)
    crop = whole(grey, Scene(Path("grey.jpg"), (320, 240), {}, (piece,), np.zeros((0, 2)), None, None))
    cloths = np.array([dyed(crop, np.random.default_rng(seed))[:60] for seed in range(5)], dtype=int)
    assert np.abs(cloths - blue).max(axis=-1).min() <= 3


@pytest.mark.parametrize(("plastic", "through"), [("translucent", True), ("opaque", False)])
def test_another_cloth_is_seen_through_clear_pieces(plastic: str, *, through: bool) -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    corners = np.array([[160, 60], [120, 160], [200, 160], [180, 120], [140, 120]], dtype=np.float64)
    seen = np.ones(5, dtype=bool)
    piece = TruePiece(3, 1, "upright", corners, seen, corners, 1.0, under=False, above=False, distance=500.0)
    settings = {"plastic": plastic}
    crop = whole(grey, Scene(Path("grey.jpg"), (320, 240), settings, (piece,), np.zeros((0, 2)), None, None))
    cloths = [np.log(dyed(crop, np.random.default_rng(seed)) / 120.0) for seed in range(12)]
    within, beside = (np.array([one[area].std((0, 1)).max() for one in cloths]) for area in (WITHIN, BESIDE))
    if through:
        assert (within > 0.02).mean() > 0.5
        assert within.mean() < beside.mean()
    else:
        assert within.max() == 0


def test_on_a_board_clear_pieces_show_the_board() -> None:
    grey, board = np.full((240, 320, 3), 120, np.uint8), np.array([[0, 0], [320, 0], [320, 240], [0, 240]], float)
    corners = np.array([[160, 60], [120, 160], [200, 160], [180, 120], [140, 120]], dtype=np.float64)
    seen = np.ones(5, dtype=bool)
    piece = TruePiece(3, 1, "upright", corners, seen, corners, 1.0, under=False, above=False, distance=500.0)
    settings = {"plastic": "translucent"}
    crop = whole(grey, Scene(Path("grey.jpg"), (320, 240), settings, (piece,), np.zeros((0, 2)), board, None))
    assert np.array_equal(dyed(crop, np.random.default_rng(0)), grey)


def test_a_board_of_another_make_has_the_same_fields_in_the_same_places() -> None:
    size, field = 240, 40
    checks = np.kron(np.indices((6, 6)).sum(0) % 2, np.ones((field, field)))
    picture = np.full((320, 320, 3), 90, np.uint8)
    picture[40:280, 40:280] = np.where(checks > 0, 170, 110)[..., None]
    board = np.array([[40, 40], [40 + size, 40], [40 + size, 40 + size], [40, 40 + size]], dtype=np.float64)
    corners = np.array([[160, 160], [150, 170], [170, 170], [170, 150], [150, 150]], dtype=np.float64)
    seen = np.ones(5, dtype=bool)
    piece = TruePiece(3, 1, "upright", corners, seen, corners, 1.0, under=False, above=False, distance=500.0)
    crop = whole(picture, Scene(Path("board.jpg"), (320, 320), {}, (piece,), np.zeros((0, 2)), board, None))
    others = np.array([grained(crop, picture, np.random.default_rng(seed)) for seed in range(8)], dtype=int)
    changed = (others != picture).any(axis=-1)
    assert changed.any(axis=0)[45:275, 45:275].mean() > 0.9
    assert not changed[:, :36].any()
    assert not changed[:, 153:168, 153:168].any()
    contrasts = [one[40:280, 40:280][checks > 0].mean() - one[40:280, 40:280][checks == 0].mean() for one in others]
    assert np.abs(np.diff(contrasts)).max() > 5  # dark fields and light ones each have a stain of their own


def test_without_a_board_there_is_none_of_another_make() -> None:
    grey = np.full((60, 80, 3), 120, np.uint8)
    crop = whole(grey, Scene(Path("grey.jpg"), (80, 60), {}, (), np.zeros((0, 2)), None, None))
    assert grained(crop, grey, np.random.default_rng(0)) is grey


def test_two_lights_of_different_colours_may_fall_on_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.photo_errors.TWO_LIGHTS", 1.0)
    picture = np.full((384, 512, 3), 100, np.uint8)
    warmth = [np.ptp(np.log(one[..., 2] / one[..., 0])) for one in shaded_pictures(picture)]
    assert max(warmth) > 0.3
    monkeypatch.setattr("training.photo_errors.TWO_LIGHTS", 0.0)
    assert max(np.ptp(np.log(one[..., 2] / one[..., 0])) for one in shaded_pictures(picture)) < 1e-4


def shaded_pictures(picture: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    light = picture.astype(np.float32)
    return [shaded(light, np.random.default_rng(seed)) for seed in range(8)]


def test_a_glare_is_white_where_it_is_and_nothing_elsewhere() -> None:
    picture = np.full((384, 512, 3), 60, np.uint8)
    brighter = [spoilt(picture, np.random.default_rng(seed)).min(axis=2) for seed in range(60)]
    assert any(one.max() > 250 and np.median(one) < 120 for one in brighter)


@pytest.mark.parametrize("seed", range(6))
def test_every_corner_in_sight_is_asked_for(seed: int) -> None:
    picture, truth = photograph_with_truth(random_layout(np.random.default_rng(seed)), seed)
    answer = targets(whole(picture.image, scene_of(truth, Path("virtual.jpg"))))
    for point in (Dense.TIP, Dense.CORNER):
        assert answer.counts[point][answer.dense[point] > 0.5].all()
