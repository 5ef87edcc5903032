"""Pictures for people: contact sheets, and the truth drawn over a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.surfaces import Bytes

TILE = (320, 240)
INK = {"red": (60, 60, 255), "yellow": (0, 255, 255), "green": (90, 255, 90), "blue": (255, 150, 60)}


def sheet(pictures: Sequence[Path], columns: int = 10) -> Bytes:
    """All pictures, small, in rows (BGR)."""
    tiles = [_fitted(np.asarray(cv2.imread(str(path)), np.uint8)) for path in pictures]
    tiles += [np.zeros((TILE[1], TILE[0], 3), np.uint8)] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[row : row + columns]) for row in range(0, len(tiles), columns)])


def _fitted(picture: Bytes) -> Bytes:
    height, width = picture.shape[:2]
    scale = min(TILE[0] / width, TILE[1] / height)
    small = cv2.resize(picture, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_AREA)
    tile = np.zeros((TILE[1], TILE[0], 3), np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small
    return tile


def overlay(picture: Path) -> Bytes:
    """The picture (BGR) with outlines, corners (filled where visible), board, token and each piece's words."""
    truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    image = np.asarray(cv2.imread(str(picture)), np.uint8)
    for piece in truth["pieces"]:
        ink = INK.get(piece["color"], (200, 200, 200))
        cv2.polylines(image, [_pixels(piece["outline"])], True, ink, 1, cv2.LINE_AA)
        for k, (corner, seen) in enumerate(zip(_pixels(piece["corners"]), piece["corners_visible"], strict=True)):
            cv2.circle(image, corner.tolist(), 4 if k == 0 else 2, ink, -1 if seen else 1, cv2.LINE_AA)
        words = [piece["size"][0] + piece["posture"][0], piece["role"][:2], (piece["owner"] or "-")[0]]
        word = f"{' '.join(words)} {piece['visible']:.2f}"
        spot = _pixels(piece["corners"]).mean(0).astype(int) + np.array([-20, 14])
        cv2.putText(image, word, spot.tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (255, 255, 255), 1, cv2.LINE_AA)
    if truth["board"]:
        cv2.polylines(image, [_pixels(truth["board"])], True, (255, 0, 255), 2, cv2.LINE_AA)
        cv2.circle(image, _pixels(truth["board"])[0].tolist(), 7, (255, 0, 255), 2)
    if truth["token"]:
        cv2.circle(image, _pixels([truth["token"]["center"]])[0].tolist(), 12, (255, 255, 0), 2)
    return image


def _pixels(points: Sequence[Sequence[float]]) -> NDArray[np.int32]:
    return np.round(np.array(points)).astype(np.int32)
