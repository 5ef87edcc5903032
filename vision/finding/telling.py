"""Telling others what was found: a piece of the scene as a piece of the sight."""

from __future__ import annotations

import math

from vision.camera import Camera
from vision.finding.scene import Piece
from vision.sight import Alternative, Role, Seat, SeenPiece
from vision.solids import Posture


def seen_piece(
    piece: Piece,
    camera: Camera,
    *,
    role: Role,
    enlarge: float,
    owner: Seat | None = None,
    system: int | None = None,
    judged: tuple[float, tuple[Alternative, ...]],
    turn: float = 0.0,
) -> SeenPiece:
    """A piece in pixels of the whole picture and in the players' table frame.

    Args:
        enlarge: pixels of the whole picture to one of the camera's.
        judged: confidence and alternatives.
        turn: radians from the camera's table frame to the players', counter-clockwise.
    """
    pose = piece.pose
    outline = (pose.outline(camera) + 0.5) * enlarge - 0.5
    tip = (pose.keypoints(camera)[0] + 0.5) * enlarge - 0.5
    center = (outline.min(0) + outline.max(0)) / 2
    lying = pose.posture is Posture.LYING
    c, s = math.cos(turn), math.sin(turn)
    return SeenPiece(
        color=piece.color,
        size=pose.size,
        posture=pose.posture,
        role=role,
        owner=owner if role is not Role.BANK else None,
        center=(float(center[0]), float(center[1])),
        tip=(float(tip[0]), float(tip[1])),
        outline=tuple((float(x), float(y)) for x, y in outline),
        heading_deg=(pose.heading_deg + math.degrees(turn)) % 360 if lying else None,
        place=(pose.x * c - pose.y * s, pose.x * s + pose.y * c),
        system=system,
        confidence=judged[0],
        alternatives=judged[1],
    )
