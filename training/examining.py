"""How wrong exported nets are on scenes that they have not learnt from: what nets of one kind are compared by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from training.revive import LESSONS, revive
from training.run import Subject


def examined(
    subject: Subject, files: Sequence[Path], folders: Sequence[Path], count: int, size: int, seed: int
) -> Iterator[dict[str, float]]:
    """The parts of the loss of each exported net, as means over the same *count* lessons of *size* samples.

    Crops are spoilt as in training.

    Raises:
        ValueError: a file holds a net of another make.
    """
    stream = subject.lessons(list(folders), size, seed, workers=1, echoes=1)
    first, asked = list(islice(stream, 1 + LESSONS)), list(islice(stream, count))
    for file in files:
        net = subject.net()
        revive(net, file, partial(subject.losses, half=False), iter(first))
        yield _means(subject, net.eval(), asked)


def _means(subject: Subject, net: torch.nn.Module, asked: Sequence[Any]) -> dict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    with torch.no_grad():
        for lesson in asked:
            for name, part in subject.losses(net, lesson, half=False).items():
                sums[name] += float(part)
    return {name: value / len(asked) for name, value in sums.items()}
