"""Plays what happens over a table to a camera: rest, hands, moved pieces, bumps, and all that a camera does to it.

Every picture of a position is made once, elsewhere; here arms are laid over it, it is shifted and exposed. What is
played depends on the seed only, and its time is that of the script: a game can be watched faster than it is played.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.cameras.hands import Arm, Point
from companion_app.cameras.states import Frame
from companion_app.photos import Photo

REACH_S = 0.5  # for a hand to come, and to go again
SHAKE_S = 0.4


class Doing(StrEnum):
    """What happens while a frame is taken."""

    REST = "rest"
    HAND = "hand"
    SHAKE = "shake"


@dataclass(frozen=True)
class Weather:
    """What a camera adds.

    Attributes:
        noise: standard deviation in each channel, of 255.
        drift: how far the automatic exposure wanders, as a share, within *drift_s* seconds.
        flicker: bands of lamps that are faster than the shutter, as a share.
        dropped, repeated: shares of frames that do not come, or come as the one before once more.
    """

    noise: float = 3.0
    drift: float = 0.0
    drift_s: float = 4.0
    flicker: float = 0.0
    dropped: float = 0.0
    repeated: float = 0.0


@dataclass(frozen=True, eq=False)
class Shot:
    """A frame and what is true while it is taken.

    Attributes:
        frame: as the camera gives it.
        doing: what happens.
        quiet_s: for how long nothing has happened by then.
        covered: share of the picture under the arm.
    """

    frame: Frame
    doing: Doing
    quiet_s: float
    covered: float = 0.0


class VirtualTable:
    """A table with one thing after the other happening on it; each method plays one of them, frame by frame."""

    def __init__(
        self, picture: Photo, *, seed: int = 0, weather: Weather | None = None, frames_per_second: float = 10.0
    ) -> None:
        """Begin with *picture*, (H, W, 3) BGR without noise."""
        self.picture = picture
        self.weather = weather or Weather()
        self._rng = np.random.default_rng([seed, 0xCA])
        self._step = 1 / frames_per_second
        self._ticks = self._number = self._busy_tick = 0
        self._pose: NDArray[np.float64] = np.eye(2, 3)
        self._grain = _grain(self._rng, picture.shape, self.weather.noise)
        self._phase = float(self._rng.uniform(0, 2 * math.pi))
        self._last: Photo | None = None
        self._doing, self._covered = Doing.REST, 0.0

    def rest(self, seconds: float) -> Iterator[Shot]:
        """Nothing happens."""
        for _ in range(self._frames(seconds)):
            yield from self._shots(self.picture, Doing.REST)

    def turn(
        self, pictures: Sequence[Photo], at: Point, *, seconds: float = 1.5, arm: Arm | None = None
    ) -> Iterator[Shot]:
        """A hand comes, and under it the table becomes each of *pictures* in turn; then it goes.

        *at* is where, in px; whatever changes elsewhere changes in plain sight, as when a system is shoved along.
        """
        yield from self._reach(pictures, at, seconds, arm or Arm.random(self._rng), trembling=0.015)

    def lean(self, at: Point, seconds: float, *, arm: Arm | None = None) -> Iterator[Shot]:
        """A hand comes, rests on the table without moving at all, and goes."""
        yield from self._reach((), at, seconds, arm or Arm.random(self._rng), trembling=0.0)

    def _reach(
        self, pictures: Sequence[Photo], at: Point, seconds: float, arm: Arm, trembling: float
    ) -> Iterator[Shot]:
        height, width = self.picture.shape[:2]
        start = arm.shoulder[0] * width, arm.shoulder[1] * height
        coming, working = self._frames(REACH_S), self._frames(seconds)
        for number in range(coming):
            yield from self._shots(self.picture, Doing.HAND, arm, _between(start, at, (number + 1) / coming))
        for number in range(working):
            if pictures:
                self.picture = pictures[min(len(pictures) - 1, number * len(pictures) // working)]
            across, down = self._rng.normal(0, trembling * width, 2)
            yield from self._shots(self.picture, Doing.HAND, arm, (at[0] + across, at[1] + down))
        for number in range(coming):
            yield from self._shots(self.picture, Doing.HAND, arm, _between(at, start, (number + 1) / coming))

    def bump(self, across: float, down: float, turn_deg: float = 0.0) -> Iterator[Shot]:
        """The camera shakes and comes to rest *across* and *down* px from where it was, turned a little."""
        height, width = self.picture.shape[:2]
        before = self._pose
        turned = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
        turned[0, 2] += across
        turned[1, 2] += down
        after = (np.vstack([turned, [0, 0, 1]]) @ np.vstack([before, [0, 0, 1]]))[:2]
        frames = self._frames(SHAKE_S)
        for number in range(frames):
            share = (number + 1) / frames
            shaken = np.zeros((2, 3))
            shaken[:, 2] = self._rng.normal(0, 0.006 * width * (1 - share), 2)
            self._pose = before + share * (after - before) + shaken
            yield from self._shots(self.picture, Doing.SHAKE)
        self._pose = after

    def in_view(self, places: tuple[Point, ...]) -> tuple[Point, ...]:
        """Where *places* of the picture, px, are in what the camera shows of it since it was bumped."""
        moved = np.array(places) @ self._pose[:, :2].T + self._pose[:, 2]
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in moved)

    def _frames(self, seconds: float) -> int:
        return max(1, round(seconds / self._step))

    def _shots(self, picture: Photo, doing: Doing, arm: Arm | None = None, at: Point = (0, 0)) -> Iterator[Shot]:
        """One frame later: what the camera gives, if it gives anything."""
        self._ticks += 1
        if self._rng.random() < self.weather.dropped:
            return
        if self._last is None or self._rng.random() >= self.weather.repeated:
            scene = picture if arm is None else arm.over(picture, at)
            self._covered = _share_of_change(picture, scene)
            self._last, self._doing = self._exposed(scene), doing
        if self._doing is Doing.SHAKE or self._covered:
            self._busy_tick = self._ticks
        self._number += 1
        frame = Frame(self._last, self._number, self._ticks * self._step)
        yield Shot(frame, self._doing, (self._ticks - self._busy_tick) * self._step, self._covered)

    def _exposed(self, scene: Photo) -> Photo:
        """As the camera gives it: from where it stands now, by its exposure, with noise."""
        height, width = scene.shape[:2]
        if not np.array_equal(self._pose, np.eye(2, 3)):
            scene = np.asarray(
                cv2.warpAffine(scene, self._pose, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        time = self._ticks * self._step
        gain = 1 + self.weather.drift * math.sin(2 * math.pi * time / self.weather.drift_s + self._phase)
        if self.weather.flicker:
            bands = np.sin(np.linspace(0, 6 * math.pi, height) + self._rng.uniform(0, 2 * math.pi))
            rows = (gain * (1 + self.weather.flicker * bands)).astype(np.float32)
            lit = scene * rows[:, None, None]
        else:
            lit = scene * np.float32(gain)
        top, left = (
            self._rng.integers(0, self._grain.shape[0] - height),
            self._rng.integers(0, self._grain.shape[1] - width),
        )
        noise = self._grain[top : top + height, left : left + width]
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)


class VirtualCamera:
    """A virtual table as a live source: plays what it is told to, and shows a table at rest in between.

    Any thread may call ``play``; the camera's thread asks for pictures (give ``next_picture`` to ``source_at``).
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._guard = threading.Lock()
        self._scripts: deque[Iterator[Shot]] = deque()

    def play(self, script: Callable[[VirtualTable], Iterable[Shot]]) -> None:
        """Play something on the table, after whatever is still being played."""
        with self._guard:
            self._scripts.append(iter(script(self._table)))

    @property
    def idle(self) -> bool:
        """Whether everything has been played."""
        return not self._scripts

    def next_picture(self) -> Photo:
        """What the camera sees next; always a new array."""
        with self._guard:
            while True:
                script = self._scripts[0] if self._scripts else self._table.rest(0)
                shot = next(iter(script), None)
                if shot is not None:
                    return shot.frame.image.copy()
                if self._scripts:
                    self._scripts.popleft()


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _share_of_change(before: Photo, after: Photo) -> float:
    if before is after:
        return 0.0
    return float((before[::8, ::8] != after[::8, ::8]).any(axis=2).mean())


def _grain(rng: np.random.Generator, shape: tuple[int, ...], noise: float) -> NDArray[np.float32]:
    """Noise somewhat larger than a picture: each frame is given another part of it."""
    return rng.standard_normal((shape[0] + 64, shape[1] + 64, 3), dtype=np.float32) * np.float32(noise)
