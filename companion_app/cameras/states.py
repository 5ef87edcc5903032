"""The words of this room: a frame, how a camera is, and what can go wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion_app.errors import AppError
from companion_app.photos import Photo


class Condition(StrEnum):
    """How a camera is; each goes with a sentence."""

    STARTING = "starting"
    WAITING = "waiting"  # open, and nobody has taken a photo yet
    LIVE = "live"
    STALE = "stale"  # open, but what it sends is old or the same again and again
    MISSING = "missing"  # was never there
    REFUSED = "refused"  # is there, but does not let us, or gives what cannot be used
    LOST = "lost"  # was there
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class CameraState:
    """How a camera is at one moment.

    Attributes:
        condition: for programs that decide.
        code: stable, finer than the condition, such as ``"camera_busy"``.
        sentence: the same for people, with what to do.
    """

    condition: Condition
    code: str
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a camera.

    Attributes:
        image: (H, W, 3) BGR; not to be written to.
        number: counts from 1, through all times that the camera was lost and found.
        at: when it came, in seconds of one clock that never goes back.
        lens: the focal length as a share of the picture's diagonal, where a photo tells it.
    """

    image: Photo
    number: int
    at: float
    lens: float | None = None


class CameraError(AppError):
    """A camera that does not open, or stops; ``condition`` is how the camera is by it.

    Codes: ``camera_missing``, ``camera_not_permitted``, ``camera_password``, ``camera_busy``, ``camera_unreachable``,
    ``camera_path``, ``camera_page``, ``camera_format``, ``camera_answer``, ``camera_silent``, ``camera_damaged``,
    ``camera_frozen``, ``camera_hangs``, ``camera_failed``, ``camera_address``, ``folder_unreadable``.
    """

    def __init__(self, code: str, sentence: str, condition: Condition = Condition.MISSING) -> None:
        super().__init__(code, sentence)
        self.condition = condition
