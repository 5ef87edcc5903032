"""What keeps strangers out: a key is wanted, other sites cannot write, and only the page's own files run."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider

from companion_app.errors import AppError
from companion_app.web.lan import SAFE_METHODS, admitted, at_this_computer, watch_the_door

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" a form of our own would come from Origin: null
    "Cross-Origin-Resource-Policy": "same-origin",
}


class ForeignWrite(AppError):
    """A page of another site tried to write; code ``foreign_write``."""

    def __init__(self) -> None:
        super().__init__("foreign_write", "Only this page itself may change readings: open it anew and try again.")


class ShallowJson(DefaultJSONProvider):
    """JSON as ever, but what is nested too deeply is wrong like anything else that cannot be read."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """What *s* says; ``ValueError`` where it cannot be read."""
        try:
            return super().loads(s, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


class Answer(Response):
    """An answer that is always sent: half a character, which an old name may have, is sent as a question mark."""

    def set_data(self, value: bytes | str) -> None:
        """Put *value* into the answer."""
        super().set_data(value.encode(errors="replace") if isinstance(value, str) else value)


def guard(app: Flask) -> None:
    """Put the guards on every request and every answer of *app*."""
    app.response_class = Answer
    app.json = ShallowJson(app)
    watch_the_door(app)
    app.before_request(refuse_foreign_writes)
    app.after_request(add_headers)


def refuse_foreign_writes() -> None:
    """Unsafe requests must come from the page itself, or from a program that is no browser."""
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    own = request.host_url.rstrip("/")
    if (site is not None and site not in ("same-origin", "none")) or (origin is not None and origin != own):
        raise ForeignWrite


def add_headers(response: Response) -> Response:
    """Tell the browser how little this page needs; pages are never kept by it, files may be asked for again."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if admitted() and at_this_computer():  # elsewhere browsers do without it, and complain
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store" if response.mimetype == "text/html" else "no-cache")
    return response
