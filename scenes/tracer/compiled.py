"""Numba's compiler with this tracer's settings, in a form that type checkers understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])

FREEDOM: Final = {"nsz", "contract", "arcp", "reassoc"}  # not "nnan" and "ninf": slabs divide by zero


def compiled(function: F) -> F:
    """*function* as machine code, compiled at its first call and kept on disk.

    Nothing is allocated in compiled code here, so counting references is switched off: it costs a fifth of the time.
    """
    settings: dict[str, Any] = {"cache": True, "fastmath": FREEDOM, "error_model": "numpy", "_nrt": False}
    return cast(F, njit(**settings)(function))
