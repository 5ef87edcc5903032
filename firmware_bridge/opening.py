"""Opens lights by their address."""

from __future__ import annotations

import re
from functools import partial

from firmware_bridge.drivers import adalight, firmata, own
from firmware_bridge.drivers.virtual import NoLights, VirtualLights
from firmware_bridge.drivers.wled_http import WledAt
from firmware_bridge.finding import OnAnyPort, OnPort, asked
from firmware_bridge.lights import Lights
from firmware_bridge.states import DeviceState, LightsError
from firmware_bridge.supervisor import Supervisor

_HOST = re.compile(r"wled://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?/?")
_ADALIGHT = re.compile(r"adalight:(.+?)(?:@([1-9]\d{0,2}))?")
_FIRMATA = re.compile(r"firmata:(.+)")
_SCHEME = re.compile(r"(\w+://|adalight:|firmata:).*|\s*")


def open_lights(address: str = "auto") -> Lights:
    """The lights at an address. Returns at once: ``device`` and ``sentence`` tell how it goes.

    Args:
        address: ``auto`` (whatever is plugged in), ``none``, ``virtual``, a port such as ``/dev/ttyUSB0``
            (asked what it is), ``wled://HOST``, ``adalight:PORT`` or ``adalight:PORT@LEDS``, ``firmata:PORT``.

    Raises:
        LightsError: address_unreadable; nothing else, however the device is.

    >>> open_lights("none").sentence
    'No lights are in use.'
    """
    if address == "none":
        return NoLights()
    if address == "virtual":
        return VirtualLights()
    greeting = partial(asked, receipts=own.Receipts())
    if address == "auto":
        return Supervisor(OnAnyPort(greeting), DeviceState.SEARCHING, "Lights are being looked for.")
    waiting = f"Waiting for the answer of {address}."
    if match := _HOST.fullmatch(address):
        return Supervisor(WledAt(match[1] + (match[2] or "")), DeviceState.CONNECTING, waiting)
    if match := _ADALIGHT.fullmatch(address):
        strip = partial(adalight.greeted, leds=int(match[2] or adalight.LEDS))
        return Supervisor(OnPort(match[1], strip), DeviceState.CONNECTING, waiting)
    if match := _FIRMATA.fullmatch(address):
        return Supervisor(OnPort(match[1], firmata.greeted), DeviceState.CONNECTING, waiting)
    if _SCHEME.fullmatch(address):
        raise LightsError(
            "address_unreadable",
            f"“{address}” is no address of lights: write auto, none, virtual, a port, wled://HOST, adalight:PORT "
            "or firmata:PORT.",
            DeviceState.NONE,
        )
    return Supervisor(OnPort(address, greeting), DeviceState.CONNECTING, waiting)
