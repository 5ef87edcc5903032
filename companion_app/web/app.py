"""The application factory: settings, the store, the guards, and a blueprint for each noun of the page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify

from companion_app.live import Eyes
from companion_app.live.staging import Staging
from companion_app.session.ruling import by_inference
from companion_app.store import Store, data_folder
from companion_app.turn_token import TurnToken
from companion_app.web import tables
from companion_app.web.archive import blueprint as archive
from companion_app.web.cameras import blueprint as cameras
from companion_app.web.correcting import blueprint as correcting
from companion_app.web.demo import blueprint as demo
from companion_app.web.games import blueprint as games
from companion_app.web.gate import Gate
from companion_app.web.lan import blueprint as lan
from companion_app.web.lights import blueprint as lights
from companion_app.web.lights import shown
from companion_app.web.opening import blueprint as opening
from companion_app.web.readings import blueprint as readings
from companion_app.web.refusals import answer_refusals
from companion_app.web.restore import blueprint as restore
from companion_app.web.safety import guard
from companion_app.web.score import blueprint as score
from companion_app.web.streams import Streams

MOST_BYTES = 20 * 1024 * 1024

DEFAULTS: Mapping[str, Any] = {
    "MAX_CONTENT_LENGTH": MOST_BYTES,
    "TRUSTED_HOSTS": ["127.0.0.1", "localhost", "[::1]"],
    "CAMERA": None,
    "DATA": None,
    "DEMO": Staging(),
    "DOOR": None,
    "JUDGE": by_inference,
    "LIGHTS": "none",
    "READER": tables.read,
    "TABLE_READER": Eyes,
    "VIRTUAL_TABLE": tables.virtual_table,
    "WAITING_PHOTOS": 4,
    "PATIENCE_S": 20.0,
}


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The page as an application.

    Settings in *config*, beside Flask's own:
        CAMERA: the ``overhead.Mounted`` through which games are looked at from their beginning; none without.
        DATA: folder of the saved readings; else ``$PYRAMIDS_DATA``, else the user's data folder.
        DEMO: how the virtual table plays by itself, a ``Staging``.
        JUDGE: ``(before, options, reading, earlier) -> Judgement`` of the games; else inference from legal turns.
        DOOR: the way in for others in the network, a ``lan.Door``; without one only this computer gets in.
        LIGHTS: where the turn token's lights are, as ``open_lights`` of the bridge takes it; "none" without.
        READER: ``(image, game, south, redless, lens) -> Reading`` of an (H, W, 3) BGR image.
        TABLE_READER: ``(game, south, redless=…)`` makes the reader of a camera's pictures.
        VIRTUAL_TABLE: ``(game, seed) -> (image, south)``, a picture of a made-up table.
        WAITING_PHOTOS, PATIENCE_S: how many photos may wait to be read, and how long.

    ``AppError`` where the folder or the lights cannot be used. Whoever makes the application closes its turn token.
    """
    app = Flask(__name__)
    app.config.from_mapping(DEFAULTS)
    app.config.from_mapping(config or {})
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    folder = app.config["DATA"]
    app.extensions["store"] = Store(Path(folder) if folder else data_folder())
    app.extensions["gate"] = Gate(app.config["WAITING_PHOTOS"], app.config["PATIENCE_S"])
    app.extensions["streams"] = Streams()
    token = TurnToken(app.config["LIGHTS"])
    app.extensions["token"] = token
    app.context_processor(lambda: {"token": token, "lights": shown, "mounted": app.config["CAMERA"]})
    guard(app)
    answer_refusals(app)
    app.register_blueprint(opening)
    app.register_blueprint(readings)
    app.register_blueprint(lights)
    app.register_blueprint(restore)
    app.register_blueprint(lan)
    app.register_blueprint(games)
    app.register_blueprint(archive)
    app.register_blueprint(correcting)
    app.register_blueprint(cameras)
    app.register_blueprint(score)
    app.register_blueprint(demo)
    app.add_url_rule("/health", view_func=health)
    return app


def health() -> Response:
    """That the server lives."""
    return jsonify(ok=True)
