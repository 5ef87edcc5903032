"""Addresses of cameras in the network: as people write them, taken apart, and shown without their passwords."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from companion_app.cameras.states import CameraError, Condition

SCHEMES = ("http", "https", "rtsp", "rtsps")

_HOST_PORT = r"(\[[0-9a-f:.%]+\]|[^\s/:@\[\]]+):\d{1,5}"
_IP = r"(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.%]+\])"
_DOTTED_AND_PATH = r"[a-z0-9-]+(\.[a-z0-9-]+)+/.*"
# What is a network address without its scheme: one with a port, an IP address, or a dotted name with a path. Others
# ("snaps", "video.mp4") are rather a file or a folder that is not there.
_WITHOUT_SCHEME = re.compile(
    rf"([^\s/@]+@)?({_HOST_PORT}([/?].*)?|{_IP}([/?].*)?|{_DOTTED_AND_PATH})", re.IGNORECASE | re.DOTALL
)
_OTHER_KINDS = ("usb", "folder", "file", "upload", "virtual")


@dataclass(frozen=True)
class NetworkAddress:
    """An address taken apart; what it is printed as has no password.

    Attributes:
        scheme: one of :data:`SCHEMES`.
        host, port: the port is ``None`` where the scheme's own is meant; IPv6 addresses have no brackets.
        target: path and query, fit for a request line.
        user, password: decoded, ``None`` where the address has none.
    """

    scheme: str
    host: str
    port: int | None
    target: str
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """Host and port, as people know them: ``192.168.0.7:554``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host

    @property
    def bare(self) -> str:
        """The address without user and password."""
        return f"{self.scheme}://{self.place}{self.target}"


def with_scheme(text: str) -> str | None:
    """A network address with its scheme in small letters; ``None`` for what is none.

    >>> with_scheme("192.168.1.7:8080/video"), with_scheme("HTTP://Phone/Video"), with_scheme("snaps")
    ('http://192.168.1.7:8080/video', 'http://Phone/Video', None)
    """
    text = text.strip()
    kind, separator, rest = text.partition("://")
    if separator:
        return f"{kind.lower()}://{rest}" if kind.lower() in SCHEMES else None
    kind = text.partition(":")[0].lower()
    if kind not in _OTHER_KINDS and _WITHOUT_SCHEME.fullmatch(text):
        return f"http://{text}"
    return None


def network_address(text: str) -> NetworkAddress:
    """What :func:`with_scheme` gave, taken apart.

    Raises CameraError, code ``camera_address``, for an address without a host, or one that cannot be read.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")  # as when it is looked up: empty labels, labels that are too long
    except ValueError:  # a port that is no number, brackets that do not close
        host, port = "", None
    if not host or port == 0 or re.search(r"[\s\x00-\x1f]", host):
        raise CameraError(
            "camera_address", "The address of the camera has no host, or one that cannot be read.", Condition.REFUSED
        )
    target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    if parts.query:
        target += "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    user, password = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    return NetworkAddress(parts.scheme, host, port, target, user, password)


def shown(text: str) -> str:
    """An address, or what was meant as one, for people to read: what may be a name and a password is left out.

    >>> shown("htp://anna:secret@phone/video"), shown("the moon")
    ('htp://…@phone/video', 'the moon')
    """
    before, separator, place = text.rpartition("@")
    if not separator:
        return text
    kind, scheme, _ = before.partition("://")
    return f"{kind}://…@{place}" if scheme else f"…@{place}"
