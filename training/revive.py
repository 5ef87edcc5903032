"""An exported net made trainable again, so that whoever has the weights can go on with their training.

Exporting folds the scale of every step into its convolution. Here each step gets a scale of its own back, the one
that some lessons show its answers to have: the net says what the exported one says, and learns as it used to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.net import WHITE, Further

Ask = Callable[[nn.Module, Any], object]
"""Puts a lesson to a net; what it answers does not matter here."""

LESSONS = 12  # that show how large the answers of each step are
FIRST = "fine.0.0.weight"


def revive(net: nn.Module, file: Path, ask: Ask, lessons: Iterator[Any]) -> None:
    """Gives the *net* the weights of an exported *file*, in place; some *lessons* are used up.

    A net may have further steps that the file has not: they go on changing nothing.

    Raises:
        ValueError: the file holds a net of another make.
    """
    graph = onnx.load(str(file)).graph
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    named = {name.partition(".")[2]: value for name, value in values.items() if not name.startswith("onnx::")}
    steps = [
        (values[node.input[1]], values[node.input[2]])
        for node in graph.node
        if node.op_type == "Conv" and node.input[1].startswith("onnx::")
    ]
    net.load_state_dict(named, strict=False)
    with torch.no_grad():
        scaled = everything = _in_order(net, ask, next(lessons))
        if len(steps) < len(scaled):
            added = {conv for module in net.modules() if isinstance(module, Further) for conv in module}
            scaled = [pair for pair in everything if pair[0] not in added]
        if [conv.weight.shape for conv, _ in scaled] != [weight.shape for weight, _ in steps]:
            raise ValueError(f"{file} holds a net of another make than training.{type(net).__name__}.")
        for (conv, scale), (weight, bias) in zip(scaled, steps, strict=True):
            conv.weight.copy_(weight)
            _unscaled(scale, bias)
        net.get_parameter(FIRST).mul_(WHITE)
        _scale_again(net, ask, lessons, [scale for _, scale in everything])


def _in_order(net: nn.Module, ask: Ask, lesson: Any) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """The convolutions that have a scale, with it, in the order in which they are used."""
    order: list[tuple[nn.Conv2d, nn.BatchNorm2d]] = []
    hooks = []
    for sequence in net.modules():
        if isinstance(sequence, nn.Sequential):
            for one, other in pairwise(sequence):
                if isinstance(one, nn.Conv2d) and isinstance(other, nn.BatchNorm2d):
                    pair = (one, other)
                    hooks.append(other.register_forward_hook(lambda *_, pair=pair: order.append(pair)))
    net.eval()
    ask(net, lesson)
    for hook in hooks:
        hook.remove()
    return order


def _unscaled(scale: nn.BatchNorm2d, bias: Tensor) -> None:
    """Makes a scale add the bias and do nothing else."""
    scale.running_mean.zero_()
    scale.running_var.fill_(1.0)
    scale.weight.fill_((1.0 + scale.eps) ** 0.5)
    scale.bias.copy_(bias)


def _scale_again(net: nn.Module, ask: Ask, lessons: Iterator[Any], scales: list[nn.BatchNorm2d]) -> None:
    """Splits what each of the *scales* does into what lessons show its input to be like and what is done with it."""
    means: dict[nn.Module, list[Tensor]] = defaultdict(list)
    squares: dict[nn.Module, list[Tensor]] = defaultdict(list)

    def measure(scale: nn.Module, given: tuple[Tensor, ...]) -> None:
        means[scale].append(given[0].float().mean((0, 2, 3)))
        squares[scale].append(given[0].float().square().mean((0, 2, 3)))

    hooks = [scale.register_forward_pre_hook(measure) for scale in scales]
    for _ in range(LESSONS):
        ask(net, next(lessons))
    for hook in hooks:
        hook.remove()
    for scale in scales:
        mean = torch.stack(means[scale]).mean(0)
        variance = (torch.stack(squares[scale]).mean(0) - mean.square()).clamp(min=1e-6)
        scale.bias.add_(mean)
        scale.weight.copy_((variance + scale.eps).sqrt())
        scale.running_mean.copy_(mean)
        scale.running_var.copy_(variance)
