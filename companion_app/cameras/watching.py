"""Watches the table through a camera: when does it lie still, with nobody's hand over it?

Pure: frames go in one by one, each with its time, and each gets an answer; no clock, no thread.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion_app.cameras.differences import Mask, Small, changed, following, in_the_light_of, noise_between, shrunk
from companion_app.cameras.intruders import has_gone, intruder
from companion_app.cameras.shifts import shift_between
from companion_app.cameras.states import Frame
from companion_app.photos import Photo

STILL_AFTER_S = 0.7
LOST_AFTER_S = 2.0  # of stillness, when nothing in the picture is where it was
LYING_AFTER_S = 15.0  # no hand rests so long without a twitch: it is a thing that somebody has put there
LEAST_FRAMES = 3
LONGEST_GAP_S = 1.5  # between two frames of one rest
AVERAGED = 5
SPECKS = 0.0005  # of the picture: less of it may change by chance
FOLLOWING = 0.1  # how fast the known picture follows the light of a table that lies still
NOISE_FOLLOWING = 0.2
LOST = 0.5  # of the picture has changed, on all sides of it


@dataclass(frozen=True, eq=False)
class Still:
    """The table lies still, and no hand is known to be over it.

    Attributes:
        frames: the newest, the last one being from now.
        since: when it came to rest; another rest has another time.
        view: which place of the camera this is, counted from 1; another after each bump, so that what was measured
            once about the camera is good for one view.
    """

    frames: tuple[Frame, ...]
    since: float
    view: int

    @cached_property
    def picture(self) -> Photo:
        """The mean of the frames, with less noise than any of them."""
        total = np.zeros(self.frames[0].image.shape, np.float32)
        for frame in self.frames:
            cv2.accumulate(frame.image, total)
        return np.asarray(total / len(self.frames) + 0.5, np.uint8)

    @property
    def lens(self) -> float | None:
        """The focal length as a share of the picture's diagonal, where that tells it."""
        return self.frames[-1].lens


@dataclass(frozen=True)
class Moving:
    """Something moves, or moved just now."""


@dataclass(frozen=True)
class Hand:
    """A hand, or something else large that came in over the edge, is over the table, whether it moves or not."""


@dataclass(frozen=True)
class Bumped:
    """The picture as a whole is not where it was; stillness will tell.

    Attributes:
        shift: how far its middle has moved to the right and down, in pixels of the frame; ``None`` where everything
            looks different.
    """

    shift: tuple[float, float] | None


@dataclass(frozen=True)
class Stale:
    """The newest frame is too old to tell anything."""


TableState = Still | Moving | Hand | Bumped | Stale


@dataclass
class _Rest:
    """A time during which nothing moves."""

    anchor: Small
    since: float
    frames: deque[Frame]
    count: int = 0
    compared: int = 0
    bump: Bumped | None = None

    def is_due_to_compare(self, quiet_s: float) -> bool:
        """Whether to look for a bump: once soon, and if there was none yet, once more before it is called still."""
        wanted = (self.count >= LEAST_FRAMES) + (quiet_s >= STILL_AFTER_S)
        due = self.bump is None and self.compared < wanted
        self.compared = wanted
        return due


class Watcher:
    """Tells of each frame how the table is. Frames of one camera, in order."""

    def __init__(self) -> None:
        self._rest: _Rest | None = None
        self._before: Small | None = None
        self._known: Small | None = None  # the table as it last lay still
        self._unknown: Mask | None = None  # where a bump has brought into the picture what was beside it then
        self._noise = 0.0
        self._view = 1

    def look(self, frame: Frame) -> TableState:
        """How the table is in this frame."""
        picture = shrunk(frame.image)
        if self._before is not None and self._before.shape != picture.shape:
            self._forget()
        rest = self._rest_with(picture, frame)
        self._before = picture
        quiet_s = frame.at - rest.since if rest.count >= LEAST_FRAMES else 0.0
        if self._known is None:
            return self._still(rest, picture) if quiet_s >= STILL_AFTER_S else Moving()
        if rest.is_due_to_compare(quiet_s):
            self._look_for_bump(rest, picture, frame.image.shape[1])
        return self._judge(rest, picture, quiet_s)

    def _judge(self, rest: _Rest, picture: Small, quiet_s: float) -> TableState:
        assert self._known is not None
        mask = changed(self._known, picture, self._noise)
        if _on_all_sides(mask):
            if quiet_s < LOST_AFTER_S:
                return Bumped(None) if quiet_s else Moving()
            self._view += 1
            return self._still(rest, picture)
        hand = intruder(mask, self._unknown)
        if hand is None:
            return self._still(rest, picture) if quiet_s >= STILL_AFTER_S else rest.bump or Moving()
        if quiet_s < STILL_AFTER_S:
            return Hand()
        gone = has_gone(hand, self._known, in_the_light_of(self._known, picture))
        return self._still(rest, picture) if gone or quiet_s >= LYING_AFTER_S else Hand()

    def _rest_with(self, picture: Small, frame: Frame) -> _Rest:
        """The rest that goes on with this frame, or begins with it."""
        if self._before is not None:
            self._noise += NOISE_FOLLOWING * (noise_between(self._before, picture) - self._noise)
        rest = self._rest
        if (
            rest is None
            or frame.at - rest.frames[-1].at > LONGEST_GAP_S
            or changed(rest.anchor, picture, self._noise).mean() > SPECKS
        ):
            rest = self._rest = _Rest(picture, frame.at, deque(maxlen=AVERAGED))
        rest.frames.append(frame)
        rest.count += 1
        return rest

    def _look_for_bump(self, rest: _Rest, picture: Small, width: int) -> None:
        assert self._known is not None
        lit = in_the_light_of(self._known, picture)
        shift = shift_between(self._known, lit)
        if shift is not None:
            scale = width / picture.shape[1]
            rest.bump = Bumped((round(shift.across * scale, 1), round(shift.down * scale, 1)))
            self._known, self._unknown = shift.moved(self._known, lit)
            self._view += 1

    def _still(self, rest: _Rest, picture: Small) -> Still:
        rest.anchor = self._known = following(rest.anchor, picture, FOLLOWING)
        self._unknown = rest.bump = None
        return Still(tuple(rest.frames), rest.since, self._view)

    def _forget(self) -> None:
        """Another size of picture: another camera, or one that was turned."""
        self._rest = self._before = self._known = self._unknown = None
        self._view += 1


def _on_all_sides(mask: Mask) -> bool:
    """Whether most of the picture has changed, up to every edge."""
    edges = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
    return bool(mask.mean() > LOST and min(edge.mean() for edge in edges) > LOST)
