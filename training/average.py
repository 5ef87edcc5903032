"""The mean of two nets of one make, of which one was trained further from the other.

What was learnt last and what was known before both stay, better than in either (M. Wortsman et al., "Robust
fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import numpy_helper


def average(before: Path, after: Path, out: Path) -> None:
    """Writes the net whose weights lie halfway between those of two exported files; told of it is what *after* tells.

    Raises:
        ValueError: the nets are not of one make.
    """
    net = onnx.load(str(after))
    known, learnt = _weights(onnx.load(str(before))), _weights(net)
    if [list(one.dims) for one in known] != [list(one.dims) for one in learnt]:
        raise ValueError(f"{before} and {after} hold nets of different makes.")
    for one, other in zip(known, learnt, strict=True):
        mean = (numpy_helper.to_array(one) + numpy_helper.to_array(other)) / 2
        other.CopyFrom(numpy_helper.from_array(mean, other.name))
    onnx.save(net, str(out))


def _weights(net: onnx.ModelProto) -> list[onnx.TensorProto]:
    """In the order in which they were exported; their names are numbered anew with every export."""
    return [one for one in net.graph.initializer if one.data_type == onnx.TensorProto.FLOAT]
