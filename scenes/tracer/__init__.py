"""A small ray tracer of its own: hollow pyramids and simple things on a table, lit by lamps, windows and a room."""

from __future__ import annotations
