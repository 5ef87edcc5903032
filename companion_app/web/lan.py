"""The open door: who is it that asks, and what may they do?

::

    request ── a name of this computer? ── from this computer: REFEREE
                                        └─ a key in the address: becomes a cookie, and the address is cleaned
                                        └─ the cookie's key: REFEREE or SPECTATOR, who only looks
                                        └─ anything else: nothing

Without a :class:`Door` nobody but this computer gets in, whatever address the server listens at.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from flask import Blueprint, Flask, current_app, g, redirect, render_template, request
from werkzeug.wrappers import Response

from companion_app.errors import AppError
from companion_app.web import qr
from companion_app.web.keys import Keys, Role
from companion_app.web.knocks import Knocks

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PORT = 8080  # always the same, so that phones find back
KEY = "key"
COOKIE = "pyramids-key"
COOKIE_S = 30 * 24 * 3600

blueprint = Blueprint("join", __name__)


class KeyWanted(AppError):
    """Somebody without a right key; code ``key_wanted``."""

    def __init__(self) -> None:
        super().__init__("key_wanted", "This page wants a key: scan the code that the referee shows, then it opens.")


class TooManyKeys(AppError):
    """Too many wrong keys; code ``too_many_keys``."""

    def __init__(self) -> None:
        super().__init__("too_many_keys", "Too many wrong keys came from this device: wait a minute, then try again.")


class OnlyLooking(AppError):
    """A spectator wanted to change something; code ``only_looking``."""

    def __init__(self) -> None:
        super().__init__(
            "only_looking", "Spectators only look: what you wanted to change is the referee’s to change."
        )


@dataclass(frozen=True)
class Door:
    """The way in from the network: the *keys*, and the *address* of the page there, ``http://192.168.1.5:8080/``."""

    keys: Keys
    address: str

    def invitation(self, role: Role) -> str:
        """The address that lets one in as a *role*."""
        return f"{self.address}?{urlencode({KEY: self.keys.of(role)})}"


@dataclass(frozen=True)
class Invitation:
    """What one person shows another: the address as text and as a QR code of *side* modules, drawn by *path*."""

    role: Role
    address: str
    side: int
    path: str


def watch_the_door(app: Flask) -> None:
    """Ask of everyone who they are, before anything else is done for them."""
    app.extensions["knocks"] = Knocks()
    app.before_request(admit)
    app.context_processor(lambda: {"may_write": may_write()})


def admit() -> Response | None:
    """Find out who asks, and send away who may not ask this."""
    door: Door | None = current_app.config["DOOR"]
    if at_this_computer():
        g.role = Role.REFEREE
        return None
    if door is None:
        raise KeyWanted
    if request.method in SAFE_METHODS and KEY in request.args:
        return _with_cookie(door.keys, request.args[KEY])
    g.role = _role(door.keys, request.cookies.get(COOKIE, ""))
    if g.role is Role.SPECTATOR and request.method not in SAFE_METHODS:
        raise OnlyLooking
    return None


def at_this_computer() -> bool:
    """Whether the request comes from the computer that serves it, and by a name that only it has.

    Reading the name refuses the unknown ones, before anything else is looked at.
    """
    name = urlsplit(request.host_url).hostname or ""
    return is_loopback(name) and is_loopback(request.remote_addr or "")


def admitted() -> bool:
    """Whether whoever asks has been let in."""
    return "role" in g


def may_write() -> bool:
    """Whether whoever asks may change anything; what a view changes by being looked at, it asks this first."""
    return g.get("role") is Role.REFEREE


@blueprint.get("/join")
def join() -> str:
    """How others come in: codes for the roles that one has oneself."""
    return render_template("join.html", invitations=list(_invitations()))


def is_loopback(host: str) -> bool:
    """Whether *host* is this computer's name for itself."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def own_addresses() -> list[str]:
    """This computer's IPv4 addresses in its networks, the one towards the internet first. Nothing is sent."""
    found = [_address_towards(far) for far in ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")]
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return list(dict.fromkeys(one for one in found if one and not is_loopback(one)))


def own_names() -> list[str]:
    """The names by which others in the network may ask for this computer."""
    name = socket.gethostname().lower()
    return [*own_addresses(), name, f"{name.partition('.')[0]}.local"]


def _address_towards(far: str) -> str | None:
    """The own address on the way to *far*; connecting a datagram socket only looks the way up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((far, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _with_cookie(keys: Keys, key: str) -> Response:
    """To the same address without the key, which is in a cookie from now on."""
    if _knocks().too_many(_device()):
        raise TooManyKeys
    _role(keys, key)
    rest = [(name, value) for name, value in request.args.items(multi=True) if name != KEY]
    answer = redirect(f"{request.base_url}?{urlencode(rest)}".removesuffix("?"), code=303)
    answer.set_cookie(COOKIE, key, max_age=COOKIE_S, httponly=True, samesite="Strict")
    return answer


def _role(keys: Keys, key: str) -> Role:
    """What *key* makes whoever asks."""
    if role := keys.role_of(key):
        return role
    if key:
        _knocks().wrong(_device(), key)
    raise TooManyKeys if _knocks().too_many(_device()) else KeyWanted


def _invitations() -> Iterator[Invitation]:
    door: Door | None = current_app.config["DOOR"]
    for role in Role if may_write() else [Role.SPECTATOR]:
        if door:
            address = door.invitation(role)
            code = qr.modules(address)
            yield Invitation(role, address, len(code), qr.as_path(code))


def _knocks() -> Knocks:
    knocks: Knocks = current_app.extensions["knocks"]
    return knocks


def _device() -> str:
    return request.remote_addr or ""
