"""What is true of photographs that are only for measuring: of path-traced ones all, of real ones boxes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scene_truth import (
    POSTURES,
    SceneTruth,
    TruePiece,
    camera_of,
    derived,
    elevation_band,
    pixel_band,
    south_side,
)
from companion_app.reading_types import Game
from vision.sight import ImageSide, Role, Seat
from vision.solids import Color, Size

LETTERS = {color.value[0].upper(): color for color in Color}
SEATS = {0: Seat.SOUTH, 1: Seat.NORTH, None: None}
LABELED_SIZES = {"S": Size.SMALL, "M": Size.MEDIUM, "L": Size.LARGE}
ENDINGS = (".jpg", ".png", ".jpeg")


def rendered_photos(folder: Path) -> list[SceneTruth]:
    """The path-traced photographs of a folder, by name."""
    found = []
    for file in sorted(folder.glob("*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        picture = _picture(file.with_suffix(""))
        if "camera" in truth and picture:
            found.append(rendered_photo(truth, picture))
    return found


def rendered_photo(truth: Mapping[str, Any], picture: Path) -> SceneTruth:
    """One path-traced photograph."""
    camera = camera_of(truth["camera"], truth["image"])
    game = Game(truth["game"]) if truth["game"] else None
    pieces = tuple(_rendered_piece(piece) for piece in truth["pieces"])
    middle = np.array(truth["camera"]["target_mm"][:2])
    homes = [SEATS[system["home_of"]] for system in truth["systems"] or ()]
    look = truth["scene"]
    medium_px = Size.MEDIUM.base * camera.focal / truth["camera"]["distance_mm"]
    return SceneTruth(
        name=picture.stem,
        picture=picture,
        game=game,
        south=south_side(camera, middle, tuple(truth["seats"]["south"]["direction"])),
        pieces=pieces,
        game_state=derived(game, camera.size, pieces, homes) if game else None,
        token=SEATS[truth["token"].get("owner")],
        labels={
            "game": truth["game"] or "none",
            "light": look["lighting"]["preset"],
            "table": look["table_kind"],
            "plastic": look["pieces"]["kind"],
            "elevation": elevation_band(truth["camera"]["elevation_deg"]),
            "medium base": pixel_band(medium_px),
        },
    )


def _rendered_piece(piece: Mapping[str, Any]) -> TruePiece:
    letter, pips = piece["code"]
    role = piece["role"]
    if role == "stacked-upper":
        role = Role.BANK if piece["system"] is None else Role.STAR
    x0, y0, x1, y1 = piece.get("visible_bbox") or piece["bbox"]
    return TruePiece(
        color=LETTERS[letter],
        size=Size(int(pips)),
        posture=POSTURES.get(piece["posture"]),
        role=Role(role),
        box=(x0, y0, x1, y1),
        owner=SEATS[piece["owner"]] if role == Role.SHIP else None,
        system=piece["system"],
        field=None if piece["field"] is None else "abcdef"[piece["field"][1]] + str(piece["field"][0] + 1),
        visible=piece["visible_fraction"] * piece.get("in_frame_fraction", 1.0),
    )


def real_photos(folder: Path) -> list[SceneTruth]:
    """The real photographs of a folder that have boxes drawn by hand, by name."""
    found = []
    for file in sorted(folder.glob("*.boxes.json")):
        picture = _picture(file.with_name(file.name.removesuffix(".boxes.json")))
        if picture:
            pieces = boxed_pieces(json.loads(file.read_text(encoding="utf-8")))
            found.append(SceneTruth(picture.stem, picture, None, ImageSide.BOTTOM, pieces))
    return found


def boxed_pieces(boxes: Sequence[Mapping[str, Any]]) -> tuple[TruePiece, ...]:
    """What somebody saw in a photograph; sizes they were not sure of, and tilted pieces' postures, are ``None``."""
    return tuple(
        TruePiece(
            color=LETTERS.get(box["colour"]),
            size=LABELED_SIZES.get(box["size"]),
            posture=POSTURES.get(box["pose"]),
            role=Role.LOOSE,
            box=tuple(box["bbox"]),
        )
        for box in boxes
    )


def _picture(stem: Path) -> Path | None:
    beside = [stem.with_name(stem.name + ending) for ending in ENDINGS]
    return next((path for path in beside if path.exists()), None)
