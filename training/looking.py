"""Scenes looked at as a reading looks at pictures, with the installed eyes. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from typing import TypeVar

import cv2

from training.truth import Scene
from vision.eyes.detections import Detections
from vision.eyes.detector import Image
from vision.eyes.eyes import Eyes
from vision.eyes.sharpen import sharpened
from vision.fusing.believing import of_the_four_colors
from vision.fusing.board_fit import fit_board
from vision.fusing.expecting import looked_again
from vision.fusing.field_width import OFFICIAL_FIELD
from vision.fusing.table_fit import TableFit, fit_table
from vision.look_board import fitted
from vision.sight import ImageSide

Asked = TypeVar("Asked")
Told = TypeVar("Told")


def of_each(read: Callable[[Asked], Told], asked: Sequence[Asked], workers: int = 1) -> Iterator[Told]:
    """What a function makes of each of those *asked*, in their order, by so many processes."""
    if workers == 1:
        yield from map(read, asked)
        return
    afresh = get_context("spawn")  # a fork would inherit threads of nets that it cannot go on with, and wait forever
    with ProcessPoolExecutor(workers, afresh, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(read, asked, chunksize=4)


def seen_twice(scene: Scene, image: Image) -> tuple[Detections, TableFit, float | None] | None:
    """The pieces looked at twice, the table that fits them and its fields' width; ``None`` where none fits."""
    lit = eyes().lit(image)
    seen = sharpened(of_the_four_colors(eyes().look(lit)), image)
    first, field_mm = _first_fit(scene, image, seen) if len(seen) else (None, None)
    if first is None:
        return None
    camera = None if field_mm is None else first.camera
    fitting = partial(fit_table, size_px=scene.size, south=ImageSide.BOTTOM, camera=camera)
    again, fit = looked_again(seen, first, image, lit, eyes(), fitting, field_mm)
    return again, fit, field_mm


def _first_fit(scene: Scene, image: Image, seen: Detections) -> tuple[TableFit | None, float | None]:
    if scene.settings["game"] != "settlers":
        return fit_table(seen, scene.size, ImageSide.BOTTOM), None
    board = fit_board(image, seen, ImageSide.BOTTOM, OFFICIAL_FIELD)
    return (None, None) if board is None else fitted(seen, scene.size, ImageSide.BOTTOM, board)


@cache
def eyes() -> Eyes:
    """The installed ones, loaded once."""
    return Eyes()
