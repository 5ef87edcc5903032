"""A game at a table with a camera over it: who joins the camera, the reader, the session and the lights."""

from companion_app.live.conductor import Conductor, Cue
from companion_app.live.lamps import Lamps
from companion_app.live.looks import Eyes, Look, Reader
from companion_app.live.now import Now, Scene
from companion_app.live.table import LiveTable

__all__ = ["Conductor", "Cue", "Eyes", "Lamps", "LiveTable", "Look", "Now", "Reader", "Scene"]
