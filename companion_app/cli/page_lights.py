"""The lights of a page that is being served, from another terminal."""

from __future__ import annotations

import json
import threading
from http.client import HTTPException
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from companion_app.errors import AppError
from companion_app.lights import SEATS
from firmware_bridge.states import LightState, Pattern
from rules import Seat

EVERY_S = 0.5
PATIENCE_S = 5


class PageLights:
    """What the page at *address* shows, asked for twice a second. ``AppError`` where it does not answer at first."""

    def __init__(self, address: str) -> None:
        base = address if "://" in address else f"http://{address}"
        if not base.startswith(("http://", "https://")):
            raise AppError("address_wrong", f"{address} is no page: give its address, such as http://127.0.0.1:8080.")
        self._address = base.rstrip("/") + "/lights"
        self._light = self._asked()
        self._closed = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()

    def __enter__(self) -> PageLights:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()

    def light(self) -> LightState:
        """What was shown when last heard of; paused while the page does not answer."""
        return self._light

    def press(self, seat: Seat) -> None:
        """Press the button of *seat* on the page."""
        try:
            self._light = self._asked(json.dumps({"seat": seat.value}).encode())
        except AppError:
            self._light = LightState(Pattern.PAUSED)

    def _follow(self) -> None:
        while not self._closed.wait(EVERY_S):
            try:
                self._light = self._asked()
            except AppError:
                self._light = LightState(Pattern.PAUSED)

    def _asked(self, press: bytes | None = None) -> LightState:
        address = self._address + ("/press" if press else "")
        request = Request(address, press, {"Content-Type": "application/json", "Accept": "application/json"})
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                shown: dict[str, Any] = json.load(answer)
            seat = shown["seat"] and SEATS.index(Seat(shown["seat"]))
            return LightState(Pattern(shown["state"]), seat, shown["level"])
        except (URLError, HTTPException, OSError, ValueError, KeyError, TypeError) as error:
            raise AppError(
                "no_page",
                f"No page with lights answers at {self._address.removesuffix('/lights')}: "
                "start pyramids demo first, and give the address that it prints.",
            ) from error
