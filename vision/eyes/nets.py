"""The trained nets as they are installed, ready to run, with nothing sent to anybody."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# Read once, as it is imported: from 1.29 on it reports to its makers unless this is set.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from onnxruntime import (
    InferenceSession,
    OrtAllocatorType,
    OrtArenaCfg,
    OrtMemoryInfo,
    OrtMemType,
    SessionOptions,
    create_and_register_allocator,
    disable_telemetry_events,
)

disable_telemetry_events()  # builds for Windows that do not read the variable

# All nets share one arena, which grows by as much as is needed: by itself each keeps the most that it ever needed,
# rounded up to a power of two.
create_and_register_allocator(
    OrtMemoryInfo("Cpu", OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, OrtMemType.DEFAULT),
    OrtArenaCfg(
        {
            "max_mem": 0,
            "arena_extend_strategy": 1,  # as requested; 0 would double it
            "initial_chunk_size_bytes": -1,
            "max_dead_bytes_per_chunk": -1,
        }
    ),
)

Net: TypeAlias = InferenceSession
"""A net at work, as it is imported elsewhere: from here, so that the above comes first."""

Question: TypeAlias = Mapping[str, NDArray[Any]]
"""What a net is asked: its inputs by name."""

AT_ONCE = 64  # things that a net is shown together
FEWEST = 4  # of them for which it is worth asking another thread


class NoEyes(Exception):
    """The trained net cannot be loaded; ``code`` is stable, ``sentence`` is for people."""

    code = "eyes_missing"

    def __init__(self, name: str) -> None:
        self.sentence = f"The trained net {name} is not in this installation: install pyramid-companion again."
        super().__init__(self.sentence)


def net_of(name: str) -> bytes:
    """A net that is installed, by the name of its file; raises NoEyes when it is not there."""
    try:
        return (files("vision.eyes") / "weights" / name).read_bytes()
    except FileNotFoundError:
        raise NoEyes(name) from None


def session_of(net: bytes, threads: int = 1) -> Net:
    """A net ready to run."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # who waits leaves the core to others
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.enable_mem_pattern = False  # one large block for each size of picture, which the arena would keep
    options.log_severity_level = 3
    return Net(net, options, providers=["CPUExecutionProvider"])


class Installed:
    """Somebody who asks a net that is installed, and loads it when it is first needed.

    Attributes:
        threads: how many processor threads the net may use; one is fastest beside other work.
        name: the file in ``vision/eyes/weights``.
    """

    def __init__(self, threads: int, name: str) -> None:
        self.threads = threads
        self.name = name

    def use_threads(self, threads: int) -> None:
        """From now on uses so many; the net is loaded anew when it is next needed."""
        self.threads = threads
        self.__dict__.pop("session", None)

    @cached_property
    def session(self) -> Net:
        """The loaded net; raises NoEyes when its file is not there."""
        return session_of(net_of(self.name), self.threads)


class InstalledForMany(Installed):
    """Somebody who asks a net about many small things: every thread is shown a part of them.

    Each is too small for several threads to share the work that it makes.
    """

    @cached_property
    def session(self) -> Net:
        """The loaded net, which works on the thread that asks; raises NoEyes when its file is not there."""
        return session_of(net_of(self.name))

    def said(self, question: Question) -> NDArray[np.float64]:
        """(N, M) what the net says of N > 0 things, each the same row of every input."""
        count = len(next(iter(question.values())))
        size = min(AT_ONCE, max(FEWEST, -(-count // self.threads)))
        parts = [slice(begin, begin + size) for begin in range(0, count, size)]

        def of_part(part: slice) -> Any:
            return self.session.run(["said"], {name: asked[part] for name, asked in question.items()})[0]

        if len(parts) == 1 or self.threads == 1:
            answers = list(map(of_part, parts))
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                answers = list(pool.map(of_part, parts))
        return np.asarray(np.concatenate(answers), dtype=np.float64)
