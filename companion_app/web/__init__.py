"""The page: open a photo, see what was read, correct it, keep it. ``create_app`` makes it, ``run`` serves it."""

from companion_app.web.app import create_app
from companion_app.web.serving import listen, run

__all__ = ["create_app", "listen", "run"]
