"""Whose turn it is by the turn token: it lies before the player who is to move."""

from __future__ import annotations

import math

import numpy as np

from vision.fusing.placed import Placed
from vision.sight import Role, Seat

UNDECIDED = 12.0  # mm around the middle of the game where a token may be anyone's


def side_of_token(placed: Placed) -> Seat | None:
    """The player on whose side of the game the token lies; ``None`` without one, or half-way between."""
    token = placed.detections.token
    if token is None:
        return None
    spot = placed.camera.to_plane(token[None, :2])[0]
    axis = math.radians(placed.axis_deg)
    north = np.array([math.cos(axis), math.sin(axis)])
    played = [
        np.array([pose.x, pose.y]) @ north
        for pose, role in zip(placed.poses, placed.roles, strict=True)
        if role in (Role.SHIP, Role.STAR)
    ]
    if not played or not np.isfinite(spot).all():
        return None
    ahead = float(spot @ north) - (min(played) + max(played)) / 2
    if abs(ahead) < UNDECIDED:
        return None
    return Seat.NORTH if ahead > 0 else Seat.SOUTH
