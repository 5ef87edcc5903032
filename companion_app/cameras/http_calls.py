"""Asking a camera over HTTP: redirects, names and passwords, limits, and what each refusal means.

The standard library's openers follow redirects (to http and https only, ten at most) and answer Basic and Digest;
names and passwords go to the camera's own address and to no other. No proxy is asked. A certificate is not verified:
hardly a camera has one that anybody has signed.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from companion_app.cameras.addresses import NetworkAddress
from companion_app.cameras.allowance import (
    Allowance,
    Exhausted,
    LimitedConnection,
    LimitedSecureConnection,
    TooSlow,
)
from companion_app.cameras.states import CameraError, Condition

OPEN_WITHIN_S = 3.0  # until the head of the answer is there, redirects and passwords included
MOST_BEFORE_PICTURES = 256 * 1024  # bytes, of heads and of the bodies of refusals

_BUSY = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.LOCKED})
_NOT_THERE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.METHOD_NOT_ALLOWED})


class _Http(urllib.request.HTTPHandler):
    def __init__(self, allowance: Allowance) -> None:
        super().__init__()
        self._allowance = allowance

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(LimitedConnection, allowance=self._allowance), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, allowance: Allowance) -> None:
        self._unverified = ssl.create_default_context()
        self._unverified.check_hostname = False
        self._unverified.verify_mode = ssl.CERT_NONE
        super().__init__(context=self._unverified)
        self._allowance = allowance

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        connection = partial(LimitedSecureConnection, context=self._unverified, allowance=self._allowance)
        return self.do_open(connection, req)


class _Basic(urllib.request.HTTPBasicAuthHandler):
    """Basic, for cameras that may ask in ways that are not known here."""

    def http_error_401(self, *answer: Any) -> http.client.HTTPResponse | None:
        with suppress(ValueError, IndexError):
            return super().http_error_401(*answer)
        return None


class _DigestOnce(urllib.request.HTTPDigestAuthHandler):
    """Digest with one try, where the standard library makes six: cameras lock out who is wrong too often."""

    def __init__(self, passwords: urllib.request.HTTPPasswordMgr) -> None:
        super().__init__(passwords)
        self.reset_retry_count()

    def http_error_401(self, *answer: Any) -> http.client.HTTPResponse | None:
        with suppress(ValueError, IndexError):
            return super().http_error_401(*answer)
        return None

    def reset_retry_count(self) -> None:
        self.retried = 5


class HttpCaller:
    """Asks one address, again and again; its allowance also limits what is read of the answers."""

    def __init__(self, address: NetworkAddress, name: str) -> None:
        """*name* is what the camera is called in sentences."""
        self.allowance = Allowance()
        self._address = address
        self._name = name
        self._opener = urllib.request.OpenerDirector()
        passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
        if address.user is not None:
            whole_camera = f"{address.scheme}://{address.place}/"
            passwords.add_password(None, whole_camera, address.user, address.password or "")
        for handler in (
            _Http(self.allowance),
            _Https(self.allowance),
            urllib.request.HTTPRedirectHandler(),
            _Basic(passwords),
            _DigestOnce(passwords),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.UnknownHandler(),
        ):
            self._opener.add_handler(handler)

    def ask(self) -> http.client.HTTPResponse:
        """The answer, if it is 200 and not compressed; raises CameraError for any other."""
        self.allowance.renew(seconds=OPEN_WITHIN_S, silence_s=OPEN_WITHIN_S, size=MOST_BEFORE_PICTURES)
        try:
            response: http.client.HTTPResponse = self._opener.open(self._address.bare, timeout=OPEN_WITHIN_S)
        except urllib.error.HTTPError as error:
            error.close()
            raise self._refused(error.code) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._failed(error) from None
        if response.status != HTTPStatus.OK or response.headers.get("Content-Encoding", "identity") != "identity":
            response.close()
            raise self._refused(response.status) if response.status != HTTPStatus.OK else self.no_picture()
        return response

    def no_picture(self) -> CameraError:
        """The error for an answer that is neither a page nor a picture."""
        return CameraError(
            "camera_format",
            f"{self._name} sends what is neither a picture nor MJPEG: cameras often answer at /video or /shot.jpg, "
            "or at an rtsp:// address.",
            Condition.REFUSED,
        )

    def page(self) -> CameraError:
        """The error for an answer that is a page for browsers."""
        return CameraError(
            "camera_page",
            f"That address is a page: cameras often answer at /video, as http://{self._address.place}/video.",
            Condition.REFUSED,
        )

    def damaged(self) -> CameraError:
        """The error for pictures that are never whole."""
        sentence = "sends no whole picture: set it to send smaller ones, or bring it nearer to the router."
        return CameraError("camera_damaged", f"{self._name} {sentence}", Condition.LOST)

    def broken_off(self, error: Exception) -> CameraError:
        """The error for an answer that ends, stalls or does not make sense while it is being read."""
        if isinstance(error, (TooSlow, Exhausted)):
            return self.damaged()
        if isinstance(error, TimeoutError):
            return CameraError("camera_silent", f"{self._name} has stopped sending pictures.", Condition.LOST)
        return CameraError("camera_silent", f"{self._name} has hung up: it is called again.", Condition.LOST)

    def _refused(self, status: int) -> CameraError:
        if status == HTTPStatus.UNAUTHORIZED:
            return wrong_password(self._name, self._address)
        if status == HTTPStatus.FORBIDDEN:
            sentence = "does not let this computer in: look in its settings for who may see its pictures."
            return CameraError("camera_not_permitted", f"{self._name} {sentence}", Condition.REFUSED)
        if status in _BUSY:
            return busy(self._name)
        if status in _NOT_THERE:
            return no_path(self._name, "cameras often answer at /video or /shot.jpg.")
        return CameraError(
            "camera_answer",
            f"{self._name} answers {status} instead of pictures: look at the address, or restart the camera.",
            Condition.REFUSED,
        )

    def _failed(self, error: Exception) -> CameraError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, ssl.SSLError):
            return CameraError(
                "camera_unreachable", f"{self._name} does not understand https://: write http:// instead."
            )
        if isinstance(reason, OSError) and not isinstance(reason, (Exhausted, http.client.RemoteDisconnected)):
            # What failed before the request was sent comes as a URLError, what failed after it as it is.
            return unreachable(self._name, self._address, reason, called=not isinstance(error, urllib.error.URLError))
        if isinstance(reason, http.client.RemoteDisconnected):
            return busy(self._name)
        return CameraError(
            "camera_answer",
            f"{self._name} answers as no camera does at {self._address.scheme}://: look at the port, and whether it "
            "is an rtsp:// address.",
            Condition.REFUSED,
        )


def unreachable(name: str, address: NetworkAddress, error: OSError, *, called: bool) -> CameraError:
    """The error for a call that nobody took, or, where it was *called*, that nobody answered."""
    if isinstance(error, (ConnectionResetError, BrokenPipeError)):
        return busy(name)
    if isinstance(error, ConnectionRefusedError):
        why = f"is on, but nothing answers at port {port_of(address)}: start its camera program, or look at the port."
    elif isinstance(error, socket.gaierror):
        sentence = f"Nobody in this network is called {address.host}: write the camera's IP address instead."
        return CameraError("camera_unreachable", sentence)
    elif called:
        return CameraError(
            "camera_silent", f"{name} takes the call, but sends nothing: restart it if that goes on.", Condition.LOST
        )
    else:
        why = "does not answer: is it on, in the same network, and the address right?"
    return CameraError("camera_unreachable", f"{name} {why}")


def busy(name: str) -> CameraError:
    """The error for a camera that is there, and has no time."""
    return CameraError(
        "camera_busy", f"{name} is busy: close the other program or page that looks through it.", Condition.REFUSED
    )


def wrong_password(name: str, address: NetworkAddress) -> CameraError:
    """The error for a camera that wants a name and a password, or others than it was given."""
    if address.user is None:
        how = f"{address.scheme}://NAME:PASSWORD@{address.place}{'/…' if address.target != '/' else ''}"
        sentence = f"{name} asks for a name and password: write them into the address, {how}"
    else:
        sentence = f"{name} asks for another name and password than those in the address: write the right ones."
    return CameraError("camera_password", sentence, Condition.REFUSED)


def no_path(name: str, advice: str) -> CameraError:
    """The error for a camera that has nothing at the path of its address."""
    return CameraError("camera_path", f"{name} has no pictures at that address: {advice}", Condition.REFUSED)


def port_of(address: NetworkAddress) -> int:
    """The port, or that of the scheme."""
    return address.port or {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}[address.scheme]
