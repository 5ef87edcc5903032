"""Those who come to the page from the network, with and without a key, and what they could have changed there."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping
from contextlib import closing
from queue import Queue
from typing import Any

from flask import Flask
from left_out import left_out

from companion_app.store import Store
from companion_app.web import run
from companion_app.web.keys import Keys, Role
from companion_app.web.lan import Door, own_addresses
from companion_app.web.serving import EVERYWHERE

KEYS = Keys("the-key-of-the-referee-01", "the-key-of-the-spectators")
NAME = "192.168.1.5"
PAGE = f"http://{NAME}:8080"
DOOR = Door(KEYS, f"{PAGE}/")
OPEN = {"DOOR": DOOR, "TRUSTED_HOSTS": ["127.0.0.1", "localhost", NAME]}
"""Settings of a page with its door open."""

NEAR, FAR = "127.0.0.1", "192.168.1.77"


def own_address() -> str:
    """This computer's address in its network; where it is in none, nobody can come from there."""
    address = next(iter(own_addresses()), None)
    if address is None:
        left_out("this computer is in no network")
    return address


def open_to_all(app: Flask, address: str) -> str:
    """The page served to all networks, as at *address*, on a thread that ends with the tests."""
    base = Queue[str]()
    threading.Thread(target=run, args=(app, EVERYWHERE), kwargs={"ready": base.put}, daemon=True).start()
    return base.get(timeout=20).replace("127.0.0.1", address).rstrip("/")


class Device:
    """A device in the network, with a browser that keeps cookies."""

    def __init__(self, app: Flask, address: str = FAR) -> None:
        self.client = app.test_client()
        self.address = address

    def ask(self, path: str, method: str = "GET", **more: Any) -> Any:
        """The answer to a request."""
        known = {"base_url": PAGE, "environ_overrides": {"REMOTE_ADDR": self.address}}
        return self.client.open(path, method=method, **(known | more))

    def scan(self, role: Role) -> Any:
        """The answer to the address in a code."""
        return self.ask(f"/?key={KEYS.of(role)}")


def one_of_each(app: Flask) -> Mapping[str, str]:
    """A reading, a game and a restoration, begun at this computer; what the variable parts of routes may be."""
    home = app.test_client()
    reading = home.post("/virtual", data={"game": "settlers", "table": "7"}).headers["Location"].rpartition("/")[2]
    game = home.post("/games", data={"game": "homeworlds"}).headers["Location"].rpartition("/")[2]
    restoration = home.post(f"/restore/of/{reading}", data={"turn": "south"}).headers["Location"].rpartition("/")[2]
    about = {"reading_id": reading, "game": game, "restoration_id": restoration}
    return about | {"filename": "page.css", "number": "0", "kind": "svg", "name": "0" * 64 + ".jpg"}


def routes(app: Flask, things: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every route of the page with every method that it takes, as (method, path), about these *things*."""
    adapter = app.url_map.bind("localhost")
    return [
        (method, adapter.build(rule.endpoint, {name: things[name] for name in rule.arguments}, method))
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
    ]


def what_is_kept(app: Flask) -> tuple[object, ...]:
    """Everything that a request could have changed: the rows of all logs, the files beside them, the lights."""
    store: Store = app.extensions["store"]
    folder = store.photos.parent
    rows = []
    for file in sorted(folder.rglob("*.sqlite3")):
        with closing(sqlite3.connect(file)) as connection:
            rows.append((file.name, *connection.iterdump()))
    files = sorted((str(file), file.stat().st_size) for file in folder.rglob("*") if "sqlite3" not in file.name)
    view = app.extensions["token"].view()
    return rows, files, view.light, view.presses
