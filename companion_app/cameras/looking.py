"""Joins a camera and its watcher: how the table is, frame by frame."""

from __future__ import annotations

from collections.abc import Iterator

from companion_app.cameras.camera import Camera
from companion_app.cameras.states import Condition
from companion_app.cameras.watching import Stale, Still, TableState, Watcher

PATIENCE_S = 0.5


def table_states(camera: Camera) -> Iterator[TableState]:
    """How the table is, whenever there is a new frame, until the camera is closed.

    While a camera that should be live is not, it is ``Stale``, told about twice a second. A photo that somebody took
    on purpose shows the table at rest, and each may be taken from another place. Whoever asks does slow work
    elsewhere: frames that come meanwhile are not seen.
    """
    watcher, number = Watcher(), 0
    while camera.state.condition is not Condition.CLOSED:
        frame = camera.wait(number, PATIENCE_S)
        if camera.source.live and camera.state.condition is not Condition.LIVE:
            yield Stale()
        elif frame is not None:
            number = frame.number
            yield watcher.look(frame) if camera.source.live else Still((frame,), frame.at, frame.number)
