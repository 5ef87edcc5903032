"""What stood on the table when people last agreed about it, and has not moved since, stands there still.

::

    look, agreed position ── agreed ──> Agreed ── Memory
    next look ── Memory.recalled ──> the reading, with what is known in place of what was read

A reader sees each picture as if it were the first. At a table most pieces stay where they are from turn to turn: of
those the kind, the owner and the system are known, and only what has changed in the picture has to be read.
"""

from companion_app.remembering.agreed import Agreed, agreed
from companion_app.remembering.memory import Memory

__all__ = ["Agreed", "Memory", "agreed"]
