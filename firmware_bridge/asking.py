"""Asks what is on a port again and again: a board that starts does not hear the first question."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from firmware_bridge.serial_port import SerialPort

ASK_EVERY = 0.25
Answer = TypeVar("Answer")


def ask(
    port: SerialPort,
    question: bytes,
    understood: Callable[[bytes], Answer | None],
    seconds: float,
    every: float = ASK_EVERY,
) -> Answer | None:
    """The first thing that *understood* makes of what arrives, or None after so many seconds.

    Args:
        port: where to ask.
        question: what is sent at once, and again every *every* seconds; empty to listen only.
        understood: is given all bytes as they come, and returns something when they are an answer.
        seconds: how long in all.
        every: seconds between two questions.

    Raises:
        LightsError: port_lost, closed.
    """
    ask_at = time.monotonic()
    end = ask_at + seconds
    while (now := time.monotonic()) < end:
        if now >= ask_at:
            port.write(question)
            ask_at = now + every
        data = port.read(max(0.0, min(ask_at, end) - time.monotonic()))
        if data and (answer := understood(data)) is not None:
            return answer
    return None
