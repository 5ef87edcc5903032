"""What is true of a picture that is read for measuring, and how our own scenes tell it.

``SceneTruth`` is the common form; ``read_scene`` makes it from the JSON that ``scenes`` writes beside each picture,
``benchmarks.photo_truth`` from other files. Pixels have their origin at the centre of the top left pixel.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion_app.derivation import with_pieces
from companion_app.reading_types import Game, Reading, ReadPiece
from vision.camera import Camera
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.sight import ImageSide, Role, Seat
from vision.solids import Array, Color, Posture, Size

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""

NEARLY_OFFICIAL = 0.025  # of the width by which printed boards may be too small or large
SOUTHWARDS = 60.0  # mm, a step towards South's seat: long enough to see where it leads in the picture
COLORS = {color.value: color for color in Color}
POSTURES = {posture.value: posture for posture in Posture}


@dataclass(frozen=True)
class TruePiece:
    """One piece that is there.

    Attributes:
        color: ``None`` where it is none of ours, such as black: it must not be read as a piece.
        size, posture: ``None`` where nobody is sure or none applies (tilted): not asked.
        box: around what is in sight of it, or all of it if nothing is.
        visible: share of the outline that can be seen in the picture, 0 to 1.
        system: index of its star system; field: ``"a1"`` … ``"f6"``.
    """

    color: Color | None
    size: Size | None
    posture: Posture | None
    role: Role
    box: Box
    owner: Seat | None = None
    system: int | None = None
    field: str | None = None
    visible: float = 1.0


@dataclass(frozen=True, eq=False)
class SceneTruth:
    """One picture and what is true of it.

    Attributes:
        game: ``None`` where none is being played; such tables are read as Homeworlds.
        south: the side of the picture nearest to South's seat.
        game_state: the reading that follows from the true pieces: systems, bank and score; ``None`` without a game.
        token: before whom the turn token lies.
        labels: by which results are split, such as ``{"light": "flash"}``.
    """

    name: str
    picture: Path
    game: Game | None
    south: ImageSide
    pieces: tuple[TruePiece, ...]
    game_state: Reading | None = None
    token: Seat | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


def scenes_of(folder: Path) -> list[SceneTruth]:
    """All scenes of a folder whose picture and truth are both there, by name."""
    files = [file for file in sorted(folder.glob("*.json")) if file.with_suffix(".jpg").exists()]
    return [read_scene(file) for file in files]


def read_scene(file: Path) -> SceneTruth:
    """The scene of our own whose truth is in *file*, its picture beside it."""
    truth = json.loads(file.read_text(encoding="utf-8"))
    camera = camera_of(truth["camera"], truth["image"])
    middle = camera.to_plane(np.array([[camera.size[0] / 2, camera.size[1] / 2]]))[0]
    game = None if truth["game"] == "none" else Game(truth["game"])
    pieces = tuple(_piece(piece) for piece in truth["pieces"])
    homes = [_seat(system["home"]) for system in truth["systems"]]
    settings = truth["settings"]
    return SceneTruth(
        name=file.stem,
        picture=file.with_suffix(".jpg"),
        game=game,
        south=south_side(camera, middle, (0.0, -1.0)),
        pieces=pieces,
        game_state=derived(game, camera.size, pieces, homes) if game else None,
        token=_seat(truth["token"] and truth["token"]["side"]),
        labels={
            "game": truth["game"],
            "light": settings["light"],
            "table": settings["table"],
            "board": settings.get("board", "none"),
            "field width": _width_band(settings),
            "plastic": settings["plastic"],
            "elevation": elevation_band(settings["elevation_deg"]),
            "medium base": pixel_band(settings["medium_base_px"]),
        },
    )


def _width_band(settings: Mapping[str, Any]) -> str:
    """Whether the fields of a board are as wide as official ones; where nothing is said of it they are."""
    if "board" not in settings:
        return "no board"
    wider = settings.get("field_mm", OFFICIAL_FIELD) / OFFICIAL_FIELD - 1
    return "official" if abs(float(wider)) < NEARLY_OFFICIAL else "other"


def _piece(piece: Mapping[str, Any]) -> TruePiece:
    return TruePiece(
        color=COLORS.get(piece["color"]),
        size=Size.of_word(piece["size"]),
        posture=POSTURES.get(piece["posture"]),
        role=Role(piece["role"]),
        box=tuple(piece["in_sight"] or box_of(piece["outline"])),
        owner=_seat(piece["owner"]),
        system=piece["system"],
        field=piece["field"],
        visible=piece["visible"],
    )


def derived(game: Game, size: tuple[int, int], pieces: Sequence[TruePiece], homes: Sequence[Seat | None]) -> Reading:
    """What follows from the true *pieces* of a game: systems (whose *homes* are given by index), bank and score."""
    told = [
        ReadPiece(piece.color, piece.size, piece.posture or Posture.UPRIGHT, piece.role, piece.owner, piece.system)
        if piece.field is None
        else ReadPiece(piece.color, piece.size, Posture.LYING, piece.role, piece.owner, field=piece.field)
        for piece in pieces
        if piece.color and piece.size
    ]
    return with_pieces(Reading(game, size), told, dict(enumerate(homes)), redless=False)


def camera_of(camera: Mapping[str, Any], image: Mapping[str, Any]) -> Camera:
    """The camera of a truth file in OpenCV's model."""
    K, R, t, dist = (np.array(camera[name], np.float64) for name in ("K", "R", "t", "dist"))
    return Camera(K, R, t.reshape(3), (image["width"], image["height"]), dist)


def south_side(camera: Camera, middle: Array, southwards: tuple[float, float]) -> ImageSide:
    """The side of the picture that one nears on the way from *middle*, (2,) mm on the table, towards South's seat."""
    start = np.array([*middle, 0.0])
    way = np.array([*southwards, 0.0]) * SOUTHWARDS
    dx, dy = camera.project(start + way) - camera.project(start)
    if abs(dx) > abs(dy):
        return ImageSide.RIGHT if dx > 0 else ImageSide.LEFT
    return ImageSide.BOTTOM if dy > 0 else ImageSide.TOP


def box_of(outline: Sequence[Sequence[float]]) -> Box:
    """The box around a polygon."""
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def elevation_band(degrees: float) -> str:
    """How steeply the camera looks down, in words."""
    return _band(degrees, (30, 45, 60, 75), "°")


def pixel_band(pixels: float) -> str:
    """How large the base of a medium piece appears, in words."""
    return _band(pixels, (30, 40, 50), " px")


def _band(value: float, edges: Sequence[int], unit: str) -> str:
    if value < edges[0]:
        return f"below {edges[0]}{unit}"
    low = max(edge for edge in edges if edge <= value)
    return f"from {low}{unit}"


def _seat(word: str | None) -> Seat | None:
    return None if word is None else Seat(word)
