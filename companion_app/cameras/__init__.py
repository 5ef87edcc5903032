"""Where pictures of the table come from, and when one of them is worth a look."""

from companion_app.cameras.camera import Camera
from companion_app.cameras.sources import Source, source_at
from companion_app.cameras.states import CameraError, CameraState, Condition, Frame

__all__ = ["Camera", "CameraError", "CameraState", "Condition", "Frame", "Source", "source_at"]
