"""One scene from its seed: a game, a table, a light, a camera; then the picture and its truth."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from scenes import positions
from scenes.arrangement import Standing, board_on_table, scattered, systems_on_table
from scenes.banks import kept, strewn
from scenes.boards import FIELDS, MM, board_picture
from scenes.clutter import CLUTTER, token
from scenes.lens import Development, developed
from scenes.lighting import lit
from scenes.looks import LOOKS, RGB, AnyColor, Look, OtherColor
from scenes.plastic import add_pieces
from scenes.surfaces import Bytes, Rng
from scenes.textures import TEXTURES
from scenes.tracer.picture import trace
from scenes.tracer.world import Builder, Substance, World
from scenes.truth import camera_truth, piece_truth, rounded, systems_truth
from scenes.viewpoint import MEDIUM_BASE, viewpoint
from vision.camera import Camera
from vision.sight import Role
from vision.solids import Array, Size
from vision.virtual.layout import BoardLayout, SystemsLayout

PITCH: Final = 34.3  # mm of an official field
OFFICIAL: Final = 0.5  # share of the boards
HOME_MADE: Final = (30.0, 46.0)  # mm, fields of the others
KINDS: Final = ("homeworlds", "settlers", "set-up", "bank", "knocked over", "empty")
SHARES: Final = (0.44, 0.40, 0.04, 0.04, 0.06, 0.02)
DULL: Final = (
    *("cloth", "checked", "felt", "carpet", "stripes", "printed", "chessboard"),
    *("newspaper", "daily", "rug", "knotted"),
)
ON_REQUEST: Final = ("binaries",)  # kinds that are only drawn when asked for


@dataclass
class Plan:
    """What stands where, before it is lit and seen; ``cut``: the picture's edge may cut the bank off."""

    kind: str
    game: str
    pieces: list[Standing]
    homes: list[str | None] = field(default_factory=list)
    pitch: float = 0.0
    board_top: float = 0.0
    to_move: str | None = None
    cut: bool = False


@dataclass(frozen=True)
class Scene:
    """A picture (H, W, 3) in sRGB and what is in it; ``jpeg``: the quality to save it with."""

    picture: Bytes
    truth: dict[str, object]
    jpeg: int


def render(seed: int, look_name: str, samples: int = 4, scale: float = 1.0, kind: str | None = None) -> Scene:
    """The scene that belongs to *seed*, the look and the *kind*, if one is asked for; *scale* below 1 gives smaller
    pictures, for tests.
    """
    rng, chance, look = np.random.default_rng(seed), random.Random(seed), LOOKS[look_name]
    plan = planned(chance, rng, kind)
    camera = _scaled(viewpoint(_framed(plan), _points(plan), look, rng), scale)
    settings: dict[str, object] = {"look": look.name, "kind": plan.kind}
    world, light, token_at = _furnished(plan, look, camera, rng, settings)
    picture = trace(world, camera, samples, seed)
    how = Development.drawn(look, light, rng)
    away = float(
        np.linalg.norm(camera.position - np.array([p.vertices[0] for p in plan.pieces] or [[0, 0, 0]]).mean(0))
    )
    settings |= {
        "elevation_deg": round(camera.elevation_deg, 2),
        "px_per_mm": round(camera.focal / away, 4),
        "medium_base_px": round(camera.focal / away * MEDIUM_BASE, 1),
        "samples": samples,
        "development": how.settings(),
    }
    truth: dict[str, object] = {
        "seed": seed,
        "game": plan.game,
        "image": {"width": camera.size[0], "height": camera.size[1]},
        "camera": camera_truth(camera),
        "settings": settings,
        "pieces": [piece_truth(k, piece, world, camera, picture.first) for k, piece in enumerate(plan.pieces)],
        "board": rounded(camera.project(board_corners(plan))) if plan.pitch else None,
        "token": None if token_at is None else {"side": plan.to_move, "center": rounded(camera.project(token_at))[0]},
        "systems": systems_truth(plan.pieces, plan.homes),
    }
    return Scene(developed(picture.light, how, rng), truth, how.jpeg)


def planned(chance: random.Random, rng: Rng, kind: str | None = None) -> Plan:
    """A scene's pieces; of any of ``KINDS`` if no *kind* is asked for."""
    plan = _game(kind or chance.choices(KINDS, SHARES)[0], chance, rng)
    plan.cut = bool(rng.random() < 0.25)
    if rng.random() < 0.16:
        plan.pieces += _strangers(plan, rng)
    return plan


def _game(kind: str, chance: random.Random, rng: Rng) -> Plan:
    if kind == "settlers":
        board = positions.random_settlers(chance, chance.randint(4, 110))
        return _board_plan(kind, positions.board_layout(board), board.to_move.value, chance, rng)
    if kind in ("homeworlds", "set-up"):
        turns = chance.randint(0, 2) if kind == "set-up" else chance.randint(3, 44)
        position = positions.random_homeworlds(chance, turns)
        return _systems_plan(kind, positions.systems_layout(position), position.to_move.value, chance, rng)
    if kind == "binaries":
        return _systems_plan(kind, positions.binaries(chance), None, chance, rng)
    if kind == "bank":
        if chance.random() < 0.4:
            return _board_plan(kind, BoardLayout({}, positions.whole_bank()), None, chance, rng)
        bank = positions.some_pieces(chance, chance.randint(8, 36))
        return Plan(kind, "none", kept(bank, np.zeros((0, 2)), rng))
    if kind == "knocked over":
        return Plan(kind, "none", scattered(positions.some_pieces(chance, chance.randint(3, 30)), rng))
    return Plan(kind, "none", [])


def _systems_plan(kind: str, layout: SystemsLayout, to_move: str | None, chance: random.Random, rng: Rng) -> Plan:
    homes = [system.home.value if system.home else None for system in layout.systems]
    plan = Plan(kind, "homeworlds", systems_on_table(layout, rng), homes, to_move=to_move)
    if chance.random() > 0.12:
        plan.pieces += kept(Counter(layout.bank).elements(), _points(plan), rng)
    return plan


def _board_plan(kind: str, layout: BoardLayout, to_move: str | None, chance: random.Random, rng: Rng) -> Plan:
    pitch, top = _pitch(chance.random()), chance.choice((0.2, 0.3, 1.0, 3.0, 6.0))
    plan = Plan(kind, "settlers", board_on_table(layout, pitch, top, rng), [], pitch, top, to_move)
    if chance.random() > 0.15:
        plan.pieces += kept(Counter(layout.bank).elements(), _points(plan), rng)
    return plan


def _pitch(share: float) -> float:
    """mm of a field, for a *share* from 0 to 1 of all boards: half are official, printed not quite true to scale."""
    if share < OFFICIAL:
        return PITCH * (0.98 + 0.04 * share / OFFICIAL)
    low, high = HOME_MADE
    return low + (high - low) * (share - OFFICIAL) / (1 - OFFICIAL)


def _strangers(plan: Plan, rng: Rng) -> list[Standing]:
    """Pieces in colours of other games: a heap beside the play or, where there is no board, some among it."""
    colors = rng.choice(list(OtherColor), int(rng.integers(1, 3)))
    drawn = [OtherColor(str(rng.choice(colors))) for _ in range(int(rng.integers(1, 10)))]
    kinds: list[tuple[AnyColor, Size]] = [(color, Size(int(rng.integers(1, 4)))) for color in drawn]
    if plan.pitch or rng.random() < 0.4:
        return kept(kinds, _points(plan), rng, role=Role.LOOSE)
    return strewn(kinds, plan.pieces, rng)


def board_corners(plan: Plan) -> Array:
    """(4, 3) mm: the outer corners of the fields a1, f1, f6, a6."""
    half = FIELDS * plan.pitch / math.sqrt(2)
    flat = np.array([[0, -half], [half, 0], [0, half], [-half, 0]])
    return np.column_stack([flat, np.full(4, plan.board_top)])


def _points(plan: Plan) -> Array:
    """(N, 3) mm, all that should be in view."""
    points = [piece.vertices for piece in plan.pieces]
    if plan.pitch:
        points.append(board_corners(plan))
    if not points:
        points.append(np.array([[-150.0, -120.0, 0.0], [150.0, 120.0, 30.0]]))
    return np.concatenate(points)


def _framed(plan: Plan) -> Array:
    """(N, 3) mm, what the photographer wants in view: all, or the play with the near half of the bank only."""
    bank = [piece for piece in plan.pieces if piece.role is Role.BANK]
    play = [piece for piece in plan.pieces if piece.role is not Role.BANK]
    if not plan.cut or not bank or not (play or plan.pitch):
        return _points(plan)
    middle = _points(replace(plan, pieces=play)).mean(0)
    bank.sort(key=lambda piece: math.dist((piece.x, piece.y), middle[:2]))
    return _points(replace(plan, pieces=play + bank[: len(bank) // 2]))


def _furnished(
    plan: Plan, look: Look, camera: Camera, rng: Rng, settings: dict[str, object]
) -> tuple[World, RGB, Array | None]:
    """The world of the plan, the colour of its light, and where the turn token lies."""
    name = str(rng.choice(look.tables))
    mm = float(np.clip(0.9 * np.linalg.norm(camera.t) / camera.focal, 0.3, 0.8))
    glass = name == "glass"
    picture = TEXTURES["plain" if glass else name](rng, mm)
    tint = _tint(rng)
    mean = np.array(tint) * (picture.reshape(-1, 3).mean(0) / 255) ** 2.2
    table = (float(mean[0]), float(mean[1]), float(mean[2]))
    eye = camera.position
    light_name = str(rng.choice(look.lights))
    lamps, room, kelvin, light = lit(light_name, look, table, (float(eye[0]), float(eye[1]), float(eye[2])), rng)
    world = Builder(room, lamps)
    plastic = add_pieces(world, plan.pieces, look, rng)
    settings |= {"table": name, "light": light_name, "kelvin": round(kelvin), "plastic": plastic}
    gloss, sharpness, mirror = 0.045, 1500.0, 1.0
    if not glass:
        style = str(rng.choice(("dull", "satin", "polished"), p=(0.6, 0.25, 0.15)))
        if name in DULL:
            style = "dull"
        gloss, sharpness, mirror = {
            "dull": (0.004, 6.0, 0.0),
            "satin": (0.025, 40.0, 0.0),
            "polished": (0.04, 700.0, 1.0),
        }[style]
        settings["finish"] = style
    substance = Substance(tint, gloss, sharpness, texture=world.texture(picture, mm, _shift(rng)), mirror=mirror)
    half = (float(rng.uniform(330, 900)), float(rng.uniform(330, 700)))
    place = (float(rng.normal(0, 60)), float(rng.normal(0, 60)))
    world.plate(
        place,
        float(rng.normal(0, 0.25)),
        half,
        0.0,
        28.0,
        world.substance(substance),
        float(rng.choice((0, 20, 200))),
    )
    floor = TEXTURES[str(rng.choice(("wood", "carpet", "plain")))](rng, 2.0)
    world.plate(
        (0, 0),
        0.5,
        (4000, 4000),
        -730.0,
        10.0,
        world.substance(Substance((0.5, 0.5, 0.5), 0.01, 20, texture=world.texture(floor, 2.0))),
    )
    if rng.random() < 0.22:
        _mat(world, look, mm, rng, settings)
    if plan.pitch:
        _board(world, plan, look, rng, settings)
    token_at = _token(world, plan, rng)
    settings["clutter"] = _clutter(world, plan, rng)
    return world.build(), light, token_at


def _tint(rng: Rng) -> RGB:
    shade = float(rng.uniform(0.6, 1.0))
    r, g, b = (shade * rng.normal(1, 0.02, 3)).tolist()
    return r, g, b


def _shift(rng: Rng) -> tuple[float, float]:
    x, y = rng.uniform(-150, 150, 2).tolist()
    return x, y


def _mat(world: Builder, look: Look, mm: float, rng: Rng, settings: dict[str, object]) -> None:
    name = str(rng.choice(look.mats))
    settings["mat"] = name
    texture = world.texture(TEXTURES[name](rng, mm), mm, _shift(rng))
    half = (float(rng.uniform(170, 420)), float(rng.uniform(150, 330)))
    place = (float(rng.normal(0, 20)), float(rng.normal(0, 20)))
    world.plate(
        place,
        float(rng.normal(0, 0.15)),
        half,
        0.02,
        0.5,
        world.substance(Substance((1, 1, 1), 0.005, 8, texture=texture)),
    )


def _board(world: Builder, plan: Plan, look: Look, rng: Rng, settings: dict[str, object]) -> None:
    style = str(rng.choice(look.boards))
    border = float(rng.choice((0.0, rng.uniform(2, 18))))
    settings |= {"board": style, "border_mm": round(border, 1), "field_mm": round(plan.pitch, 2)}
    texture = world.texture(board_picture(style, plan.pitch, border, rng), MM)
    gloss = Substance((0.95, 0.95, 0.95), float(rng.choice((0.004, 0.025))), 40, texture=texture)
    half = FIELDS * plan.pitch / 2 + border
    world.plate((0, 0), math.pi / 4, (half, half), plan.board_top, plan.board_top, world.substance(gloss))


def _token(world: Builder, plan: Plan, rng: Rng) -> Array | None:
    """Lays the turn token before the player to move, where there is room."""
    if plan.to_move is None or rng.random() < 0.35:
        return None
    side = -1.0 if plan.to_move == "south" else 1.0
    reach = _points(plan)[:, 1]
    edge = float(reach.min() if side < 0 else reach.max())
    for _ in range(40):
        x = float(rng.uniform(-120, 120))
        y = edge * (1 - abs(x) / edge * side * 0.8) + side * 22 if plan.pitch else edge + side * 12
        if _free((x, y), 18, plan.pieces):
            token(world, (x, y), 0.0, rng)
            return np.array([x, y, 2.0])
    return None


def _free(spot: tuple[float, float], reach: float, pieces: list[Standing]) -> bool:
    return all(math.hypot(piece.x - spot[0], piece.y - spot[1]) > reach + 22 for piece in pieces)


def _clutter(world: Builder, plan: Plan, rng: Rng) -> list[str]:
    """Lays other things beside the play; their names."""
    names: list[str] = []
    points = _points(plan)[:, :2]
    middle, spread = points.mean(0), np.abs(points - points.mean(0)).max(0)
    count = int(rng.choice((0, 1, 2, 3, 5), p=(0.3, 0.25, 0.2, 0.15, 0.1)))
    for name in rng.choice(list(CLUTTER), count):
        put, reach = CLUTTER[str(name)]
        for _ in range(30):
            spot = middle + rng.uniform(-1, 1, 2) * (spread + 130)
            at = (float(spot[0]), float(spot[1]))
            off_board = not plan.pitch or abs(at[0]) + abs(at[1]) > FIELDS * plan.pitch / math.sqrt(2) + 1.42 * reach
            if off_board and _free(at, reach, plan.pieces):
                put(world, at, rng)
                names.append(str(name))
                break
    return names


def _scaled(camera: Camera, scale: float) -> Camera:
    """The same view with fewer pixels."""
    if scale == 1.0:
        return camera
    width, height = (round(side * scale) for side in camera.size)
    K = camera.K * scale
    K[:2, 2], K[2, 2] = ((width - 1) / 2, (height - 1) / 2), 1
    return Camera(K, camera.R, camera.t, (width, height), camera.dist)


__all__ = ["KINDS", "ON_REQUEST", "Plan", "Scene", "board_corners", "planned", "render"]
