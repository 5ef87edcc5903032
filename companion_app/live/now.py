"""What goes on at the table at this moment, for the page: in a word, in a sentence, and as the newest look."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion_app.cameras import Bumped, CameraState, Hand, Moving, Stale, Still, TableState
from companion_app.live.looks import Look


class Scene(StrEnum):
    """What the camera sees, or that it is being read."""

    STARTING = "starting"
    STILL = "still"
    READING = "reading"
    MOVING = "moving"
    HAND = "hand"
    BUMPED = "bumped"
    STALE = "stale"


SENTENCES = {
    Scene.STARTING: "Waiting for the first picture.",
    Scene.STILL: "The table lies still.",
    Scene.READING: "Reading the table.",
    Scene.MOVING: "Something moves.",
    Scene.HAND: "A hand is over the table.",
    Scene.BUMPED: "The camera has moved: looking anew.",
    Scene.STALE: "The camera shows nothing new.",
}

_SCENES: dict[type[TableState], Scene] = {
    Still: Scene.STILL,
    Moving: Scene.MOVING,
    Hand: Scene.HAND,
    Bumped: Scene.BUMPED,
    Stale: Scene.STALE,
}


@dataclass(frozen=True)
class Now:
    """The table at this moment.

    Attributes:
        camera: how the camera is; ``None`` before anything is known of it.
        waiting: whether somebody has ended a turn that is not judged yet.
        note: why that is so, or why the end of a turn came to nothing; empty where all is well.
        look: the newest look at the table at rest, however old.
    """

    scene: Scene = Scene.STARTING
    camera: CameraState | None = None
    waiting: bool = False
    note: str = ""
    look: Look | None = None

    @property
    def sentence(self) -> str:
        """The scene for people."""
        return SENTENCES[self.scene]


def scene_of(state: TableState) -> Scene:
    """The scene that a state of the table is."""
    return _SCENES[type(state)]
