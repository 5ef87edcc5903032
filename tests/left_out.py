"""Tests that want what not every computer has."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def left_out(reason: str) -> NoReturn:
    """Leaves a test out, with a word; where everything must be tested that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
