"""What nobody at the table would send: odd paths, fields, bodies and headers, and real requests with some of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from urllib.parse import quote_plus

ODD_PATHS = (
    "/static/../app.py", "/static/..%2f..%2fstore.py", "/static/%2e%2e/%2e%2e/store.py", "/static//etc/passwd",
    "/static/..\\..\\store.py", "/readings/../../etc/passwd", "/readings/%00", "/readings/%ff%fe", "/readings/'--",
    "/readings/" + "9" * 4000, "/readings/é✓", "//evil.example/", "/\\evil.example", "/.git/config", "/keys.json",
    "/favicon.ico", "/%0d%0aSet-Cookie:a=b", "/readings/%s%n", "/?key", "/;a=b", "/..;/", "/photos/", "/{{7*7}}",
)  # fmt: skip
FORM = "multipart/form-data; boundary=x"
TYPES = (
    None, "application/json", "multipart/form-data", "text/plain", "image/jpeg",
    "multipart/form-data; boundary=", "application/x-www-form-urlencoded", "application/json; charset=no", "\xff",
)  # fmt: skip
DIGITS = ("9" * 5000, "-1", "0", "00", "1e9", "١", "²", "0x1", "1_0", " 1", "1.0", "NaN", "2147483648", "9" * 20)
WORDS = (
    "", " ", "\x00", "a\x00b", "\r\nX: y", "\ud800", "\udfff\ud800", "é", "\u202eabc", "\U0001f6f8", "x" * 10_000,
    "../../etc/passwd", "'; drop table events; --", "{{7*7}}", "%s%n", "<script>", "null", "true", "[]", "south",
    "settlers", "homeworlds", "pass", "6/6/6/6/6/6 S 0", "<0>; A(g1)b3-", "undo", "on", "\x1b[31m", "\ufeff",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 10**30, float("nan"), float("inf"), [], {}, [[]], {"": None}, ["south"],
)  # fmt: skip
PARTS = ("%00", "%ff", "..", ".", "%2e%2e", "0", "-1", "9" * 400, "é", "%0a", "a%20b", "%2f", "'", "new", "x.json")
QUERIES = (
    "", "?", "?page=-1", "?page=" + "9" * 9, "?page=%00", "?number=" + "9" * 5000, "?number=x", "?since=-1",
    "?since=" + "9" * 18, "?began=%ff", "?paper=%00", "?paper=letter", "?key=%00", "?%ff=%fe", "?a[]=1&a[]=2", "?&&&",
)  # fmt: skip


def as_form(content: bytes, name: str = "photo", file: str = "x.jpg", end: bytes = b"\r\n--x--\r\n") -> bytes:
    """A form with a file in it, as a browser sends it with the boundary ``x``."""
    parts = [f'Content-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'.encode()]
    parts.append(content)
    game = b'--x\r\nContent-Disposition: form-data; name="game"\r\n\r\nsettlers\r\n'
    return game + b"--x\r\n" + b"".join(parts) + end


DICED: tuple[Callable[[Random], bytes], ...] = (
    lambda dice: dice.randbytes(dice.randrange(2000)),
    lambda dice: as_form(dice.randbytes(300)),
    lambda dice: b"--x\r\n" * dice.randrange(2000),
    lambda dice: b"[" * dice.randrange(100_000),
    lambda dice: b'{"base": 1' + b"0" * dice.randrange(9000) + b"}",
    lambda dice: b"game=settlers&table=" + b"9" * dice.randrange(7, 5000),
    lambda dice: b"game=" + dice.randbytes(40) + b"&table=%FF%00",
    lambda dice: b"&".join(b"a%d=b" % number for number in range(dice.randrange(3000))),
)


@dataclass(frozen=True)
class Upload:
    """A file in a form."""

    name: str
    content: bytes


Field = tuple[str, "str | Upload"]


@dataclass(frozen=True)
class Request:
    """A request of this computer's own browser: a form, a JSON value, or whatever stands in *raw*.

    Attributes:
        fields: those of the form, in their order; a name may come twice.
        value: what is sent as JSON instead of a form.
        raw: the body as it is, whatever else there is.
    """

    method: str
    path: str
    fields: tuple[Field, ...] = ()
    value: Any = None
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The content type that belongs to it."""
        if self.value is not None:
            return "application/json"
        uploads = any(isinstance(value, Upload) for _, value in self.fields)
        return FORM if uploads else "application/x-www-form-urlencoded"

    @property
    def body(self) -> bytes:
        """What is sent."""
        if self.raw is not None:
            return self.raw
        if self.value is not None:
            return json.dumps(self.value).encode()
        if self.kind == FORM:
            return b"".join(_part(name, value) for name, value in self.fields) + b"--x--\r\n"
        return "&".join(f"{_quoted(name)}={_quoted(str(value))}" for name, value in self.fields).encode()

    @property
    def all_headers(self) -> dict[str, str]:
        """The headers, with the content type."""
        return ({"Content-Type": self.kind} if self.method == "POST" else {}) | dict(self.headers)


def _quoted(text: str) -> str:
    return quote_plus(text.encode(errors="surrogatepass"))


def _part(name: str, value: str | Upload) -> bytes:
    file = f'; filename="{value.name}"' if isinstance(value, Upload) else ""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
    content = value.content if isinstance(value, Upload) else value.encode(errors="surrogatepass")
    return head.encode(errors="surrogatepass") + content + b"\r\n"


class Spoiler:
    """Makes odd requests of real ones."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def spoilt(self, request: Request) -> Request:
        """*request* with up to three things wrong with it."""
        for _ in range(self._dice.choice((1, 1, 1, 2, 3))):
            request = self._dice.choice((self._content, self._content, self._content, self._frame, self._path))(
                request
            )
        return request

    def _content(self, request: Request) -> Request:
        if request.value is not None:
            return replace(request, value=self._other(request.value))
        if not request.fields:
            return replace(request, fields=((self._word(), self._word()),)) if request.method == "POST" else request
        fields, at = list(request.fields), self._dice.randrange(len(request.fields))
        name, value = fields[at]
        match self._dice.randrange(6):
            case 0:
                del fields[at]
            case 1:
                fields.append((name, self._word()))
            case 2:
                fields[at] = (self._word(), value)
            case 3 if isinstance(value, Upload):
                fields[at] = (name, Upload(self._word().replace('"', ""), self._bitten(value.content)))
            case 4:
                fields[at] = (name, Upload("x.jpg", self._dice.randbytes(200)))
            case _:
                fields[at] = (name, self._word())
        return replace(request, fields=tuple(fields))

    def _other(self, value: Any) -> Any:
        """A JSON value with something else somewhere in it."""
        dice = self._dice
        if isinstance(value, dict) and value and dice.random() < 0.8:
            key = dice.choice(sorted(value))
            match dice.randrange(4):
                case 0:
                    return {name: one for name, one in value.items() if name != key}
                case 1:
                    return value | {self._word(): dice.choice(VALUES)}
                case _:
                    return value | {key: self._other(value[key])}
        if isinstance(value, list) and value and dice.random() < 0.5:
            return [*value[:-1], self._other(value[-1])]
        return dice.choice((*VALUES, *WORDS, *DIGITS))

    def _frame(self, request: Request) -> Request:
        """Another content type, a body that does not fit it, or headers that say what is not so."""
        dice, headers = self._dice, dict(request.headers)
        match dice.randrange(5):
            case 0:
                headers["Content-Type"] = dice.choice(TYPES) or ""
            case 1:
                return replace(request, raw=self._bitten(request.body)) if request.method == "POST" else request
            case 2:
                return replace(request, raw=dice.choice(DICED)(dice)) if request.method == "POST" else request
            case 3:
                name = dice.choice(("Content-Encoding", "Accept", "Accept-Language", "Cookie", "Referer", "Expect"))
                headers[name] = dice.choice(
                    ("gzip", "*/*;q=x", "\xe9\xff", "a" * 9000, "=;=;", ",,,", "100-continue")
                )
            case _:
                headers |= {"Range": "bytes=9-1,-", "If-None-Match": '"', "If-Modified-Since": "never"}
                headers["Last-Event-ID"] = dice.choice(DIGITS[2:4])
        return replace(request, headers=headers)

    def _path(self, request: Request) -> Request:
        dice = self._dice
        if dice.random() < 0.05:
            return replace(request, path=dice.choice(ODD_PATHS))
        if dice.random() < 0.3:
            return replace(request, path=request.path.partition("?")[0] + dice.choice(QUERIES))
        if dice.random() < 0.2:
            return replace(request, method=dice.choice(("GET", "POST", "HEAD", "PUT", "DELETE", "x")))
        parts = request.path.split("/")
        parts[dice.randrange(1, len(parts))] = dice.choice(PARTS)
        return replace(request, path="/".join(parts))

    def _word(self) -> str:
        return self._dice.choice((*WORDS, *DIGITS))

    def _bitten(self, content: bytes) -> bytes:
        """The beginning of some bytes, with a few others in it."""
        some = bytearray(content[: self._dice.randrange(len(content) + 1)])
        for _ in range(min(len(some), 4)):
            some[self._dice.randrange(len(some))] = self._dice.randrange(256)
        return bytes(some)
