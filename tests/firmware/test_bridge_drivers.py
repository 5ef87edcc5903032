"""The other kinds of lights, each against a fake made from its documentation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from fakes import AdalightFake, FirmataFake, OwnFake, PtyDevice, Stranger, WledHttpFake, WledSerialFake, eventually

from firmware_bridge import DeviceState, LightsError, LightState, Pattern, open_lights
from firmware_bridge.drivers import own
from firmware_bridge.drivers.firmata import FirmataReader
from firmware_bridge.drivers.virtual import VirtualLights
from firmware_bridge.drivers.wled_json import state_json
from firmware_bridge.finding import OnAnyPort, PortInfo, asked
from firmware_bridge.lights import Lights
from firmware_bridge.supervisor import Supervisor

AMBER, CYAN, DARK = [255, 150, 0], [0, 200, 255], [0, 0, 0]
Device = TypeVar("Device", bound=PtyDevice)
Plug = Callable[[type[Device]], Device]
Open = Callable[[str], Lights]


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug[PtyDevice]]:
    """Plugs devices in; they are pulled at the end."""
    devices: list[PtyDevice] = []

    def plug(kind: type[Device]) -> Device:
        device = kind(tmp_path / f"port{len(devices)}")
        devices.append(device)
        return device

    yield plug
    for device in devices:
        device.end()


@pytest.fixture
def ready() -> Iterator[Open]:
    """Opens lights and waits until they are ready; they are closed at the end."""
    opened: list[Lights] = []

    def ready(address: str) -> Lights:
        lights = open_lights(address)
        opened.append(lights)
        assert eventually(lambda: lights.device is DeviceState.READY), lights.sentence
        return lights

    yield ready
    for lights in opened:
        lights.close()


def shows(wled: WledSerialFake | WledHttpFake, expected: list[list[int]]) -> bool:
    return eventually(lambda: colors(wled.states) == expected)


def colors(states: list[dict[str, list[dict[str, list[object]]]]]) -> list[object]:
    """The colours of the segments of the last state."""
    return [segment["col"][0] for segment in states[-1]["seg"]] if states else []


def test_wled_on_a_port_is_found_and_shown_to(plug: Plug[WledSerialFake], ready: Open) -> None:
    wled = plug(WledSerialFake)
    lights = ready(wled.name)
    assert lights.sentence == f"Ready: WLED with 30 LEDs on {wled.name}."
    lights.show(LightState(Pattern.TURN, 0))
    assert shows(wled, [AMBER, DARK])
    assert [(part["start"], part["stop"]) for part in wled.states[-1]["seg"]] == [(0, 15), (15, 30)]
    lights.show(LightState(Pattern.TURN, 1))
    assert shows(wled, [DARK, CYAN])
    lights.close()
    assert shows(wled, [DARK, DARK])


def test_wled_shows_rhythms(plug: Plug[WledSerialFake], ready: Open) -> None:
    wled = plug(WledSerialFake)
    ready(wled.name).show(LightState(Pattern.DISAGREE, 0))
    orange = [255, 60, 0]
    for expected in [orange, DARK], [DARK, orange], [orange, DARK]:
        assert shows(wled, expected)


def test_wled_on_a_port_comes_back(plug: Plug[WledSerialFake], ready: Open) -> None:
    wled = plug(WledSerialFake)
    lights = ready(wled.name)
    lights.show(LightState(Pattern.TURN, 1))
    wled.pull()
    assert eventually(lambda: lights.device is DeviceState.LOST)
    wled.plug()
    assert shows(wled, [DARK, CYAN])


def test_wled_over_the_network() -> None:
    wled = WledHttpFake()
    lights = open_lights(f"wled://{wled.host}/")
    assert eventually(lambda: lights.device is DeviceState.READY)
    assert lights.sentence == f"Ready: Table with 10 LEDs at {wled.host}."
    lights.show(LightState(Pattern.TURN, 0))
    assert shows(wled, [AMBER, DARK])
    sent = len(wled.states)
    assert eventually(lambda: len(wled.states) > sent)  # again, a second later
    wled.end()
    assert eventually(lambda: lights.device is DeviceState.LOST)
    assert lights.sentence == f"No WLED answers at {wled.host}: see that it has power and is in the same network."
    lights.close()


@pytest.mark.parametrize("info", [["a page"], {"leds": 3}, {"leds": {"count": 0}}, None])
def test_something_else_on_the_network(info: object) -> None:
    page = WledHttpFake()
    page.info = info
    lights = open_lights(f"wled://{page.host}")
    assert eventually(lambda: lights.device is DeviceState.NOT_OURS)
    assert "is no WLED" in lights.sentence
    lights.close()
    page.end()


@pytest.mark.parametrize("host", ["127.0.0.1:9", "127.0.0.1:99999", f"{'a' * 70}.invalid", "[::1]:9"])
def test_nobody_on_the_network(host: str) -> None:
    lights = open_lights(f"wled://{host}")
    assert eventually(lambda: lights.device is DeviceState.SEARCHING)
    lights.close()


def test_a_single_led_shows_whose_turn_it_is() -> None:
    assert '"col":[[0,200,255]]' in state_json(((0, 0, 0), (0, 200, 255)), 1)


def test_adalight(plug: Plug[AdalightFake], ready: Open) -> None:
    strip = plug(AdalightFake)
    lights = ready(f"adalight:{strip.name}")
    lights.show(LightState(Pattern.TURN, 0))
    assert eventually(lambda: strip.frames and strip.frames[-1] == bytes(AMBER + DARK))
    lights.show(LightState(Pattern.TURN, 1, 51))
    assert eventually(lambda: strip.frames[-1] == bytes([0, 0, 0, 0, 40, 51]))
    lights.close()
    assert eventually(lambda: strip.frames[-1] == bytes(6))


def test_adalight_of_many_leds(plug: Plug[AdalightFake], ready: Open) -> None:
    strip = plug(AdalightFake)
    strip.leds = 5
    ready(f"adalight:{strip.name}@5").show(LightState(Pattern.TURN, 1))
    assert eventually(lambda: strip.frames and strip.frames[-1] == bytes(2 * DARK + 3 * CYAN))


def test_adalight_that_says_nothing(plug: Plug[PtyDevice]) -> None:
    lights = open_lights(f"adalight:{plug(PtyDevice).name}")
    assert eventually(lambda: lights.device is DeviceState.NOT_OURS)
    assert "it is no Adalight strip" in lights.sentence
    lights.close()


def test_firmata(plug: Plug[FirmataFake], ready: Open) -> None:
    board = plug(FirmataFake)
    lights = ready(f"firmata:{board.name}")
    assert lights.sentence == f"Ready: StandardFirmata.ino on {board.name}."
    lights.show(LightState(Pattern.TURN, 0, 200))
    assert eventually(lambda: board.levels == {9: 200, 10: 0})
    assert board.modes == {9: 3, 10: 3, 2: 0x0B, 3: 0x0B}
    lights.show(LightState(Pattern.TURN, 1))
    assert eventually(lambda: board.levels == {9: 0, 10: 255})
    board.button(1, True)
    board.button(1, False)
    board.button(1, True)  # it bounces
    assert [event.seat for event in lights.events(0.3)] == [1]
    board.button(1, False)
    board.button(0, True)
    assert [event.seat for event in lights.events(0.3)] == [0]
    board.pull()
    board.plug()
    assert eventually(lambda: board.levels == {9: 0, 10: 255})


def test_firmata_that_says_nothing(plug: Plug[Stranger]) -> None:
    lights = open_lights(f"firmata:{plug(Stranger).name}")
    assert eventually(lambda: lights.device is DeviceState.NOT_OURS)
    assert "it is no board with StandardFirmata" in lights.sentence
    lights.close()


def test_firmata_messages_among_rubbish() -> None:
    data = bytes((1, 2, 0x90, 0x04, 0xF9, 2, 5, 0x90, 8, 0, 0xF0, 0x79, 2, 0xF7, 0xF7, 3))
    whole = [bytes((0xF9, 2, 5)), bytes((0x90, 8, 0)), bytes((0xF0, 0x79, 2))]
    assert list(FirmataReader().feed(data)) == whole
    reader = FirmataReader()
    assert [message for byte in data for message in reader.feed(bytes([byte]))] == whole


def test_the_right_port_is_found_among_others(plug: Plug[PtyDevice]) -> None:
    devices = [plug(kind) for kind in (Stranger, AdalightFake, OwnFake)]
    ports = [PortInfo(device.name, "", True) for device in devices[:1]]
    finder = OnAnyPort(partial(asked, receipts=own.Receipts()), lambda: ports)
    lights = Supervisor(finder, DeviceState.SEARCHING, "")
    assert eventually(lambda: lights.sentence == "No lights were found: plug a board in; it is found by itself.")
    assert lights.device is DeviceState.SEARCHING
    ports += [PortInfo(device.name, "", True) for device in devices[2:]]
    assert eventually(lambda: lights.device is DeviceState.READY, 20)
    assert lights.sentence == f"Ready: fake on {devices[2].name}."
    lights.close()


def test_strangers_are_left_alone_after_some_chances(plug: Plug[PtyDevice]) -> None:
    stranger = plug(PtyDevice)
    greetings = []

    def greeting(port: object) -> object:
        greetings.append(port)
        raise LightsError("not_ours", "Not ours.", DeviceState.NOT_OURS)

    finder = OnAnyPort(greeting, lambda: [PortInfo(stranger.name, "", False)])  # type: ignore[arg-type]
    for _ in range(10):
        with pytest.raises(LightsError, match="No lights were found"):
            finder.connect(threading.Event())
    assert len(greetings) == 3
    stranger.pull()
    time.sleep(0.05)  # the clock of the file system is coarse
    stranger.plug()
    with pytest.raises(LightsError, match="No lights were found"):
        finder.connect(threading.Event())
    assert len(greetings) == 4


def test_adalight_is_found_by_itself(plug: Plug[AdalightFake], ready: Open) -> None:
    strip = plug(AdalightFake)
    assert ready(strip.name).sentence == f"Ready: Adalight with 2 LEDs on {strip.name}."


def test_virtual_lights() -> None:
    lights = open_lights("virtual")
    assert isinstance(lights, VirtualLights)
    assert lights.device is DeviceState.READY
    lights.show(LightState(Pattern.TURN, 1))
    assert lights.frame() == ((0, 0, 0), (0, 200, 255))
    lights.press(1)
    assert [event.seat for event in lights.events(0)] == [1]
    lights.close()
    assert list(lights.events()) == []


def test_no_lights() -> None:
    lights = open_lights("none")
    lights.show(LightState(Pattern.TURN, 1))
    assert (lights.device, lights.sentence) == (DeviceState.NONE, "No lights are in use.")
    lights.close()
    assert list(lights.events()) == []


@pytest.mark.parametrize("address", ["", " ", "wled://", "wled://a b", "http://x", "adalight:", "firmata:"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(LightsError) as error:
        open_lights(address)
    assert error.value.code == "address_unreadable"


@pytest.mark.parametrize("leds", [2, 3, 30, 300])
def test_all_leds_have_a_segment(leds: int) -> None:
    assert f'"stop":{leds}' in state_json((DARK, CYAN), leds)  # type: ignore[arg-type]
