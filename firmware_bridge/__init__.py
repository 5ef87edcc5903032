"""Lights and buttons beside the table. Knows neither pictures nor rules; standard library and pyserial only.

``open_lights(address)`` gives a :class:`Lights`: ``show`` what is the case, read presses from ``events``.
"""

from firmware_bridge.lights import Lights
from firmware_bridge.opening import open_lights
from firmware_bridge.states import ButtonEvent, DeviceState, LightsError, LightState, Pattern

__all__ = ["ButtonEvent", "DeviceState", "LightState", "Lights", "LightsError", "Pattern", "open_lights"]
