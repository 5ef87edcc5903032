"""Where pictures of the table come from, and when one of them is worth a look."""

from companion_app.cameras.camera import Camera
from companion_app.cameras.looking import table_states
from companion_app.cameras.sources import Source, source_at
from companion_app.cameras.states import CameraError, CameraState, Condition, Frame
from companion_app.cameras.watching import Bumped, Hand, Moving, Stale, Still, TableState, Watcher

__all__ = [
    "Bumped",
    "Camera",
    "CameraError",
    "CameraState",
    "Condition",
    "Frame",
    "Hand",
    "Moving",
    "Source",
    "Stale",
    "Still",
    "TableState",
    "Watcher",
    "source_at",
    "table_states",
]
