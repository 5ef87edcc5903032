"""The net of a run as an ONNX file that the eyes can load."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import Tensor

from training.run import CHECKPOINT, PLAN
from training.subjects import subject_of
from vision.eyes.nets import session_of

OPSET = 17
LIMIT = 8_000_000  # bytes; of those that are installed a third is left
PLACES = {"scenes", "validation", "begin_as", "begin_with"}  # of a plan: they are of one machine
CLOSE = 2e-2  # by how much two ways to compute the same answer may differ


@dataclass(frozen=True)
class Door:
    """How a net is asked once it is exported.

    Attributes:
        inputs, outputs: names. open: the axes of the inputs whose length may differ, by name.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    open: dict[str, dict[int, str]]


DOORS = {
    "eyes": Door(("image",), ("dense", "words"), {"image": {1: "height", 2: "width"}}),
    "inspector": Door(
        ("image", "told", "under"),
        ("said",),
        {"image": {0: "n"}, "told": {0: "n"}, "under": {0: "n"}, "said": {0: "n"}},
    ),
    "pips": Door(("image", "width"), ("said",), {"image": {0: "n"}, "width": {0: "n"}, "said": {0: "n"}}),
}


def export(run: Path, out: Path) -> int:
    """Writes the running mean of a run's nets and checks that onnxruntime answers as torch does; the file's bytes."""
    state = torch.load(run / CHECKPOINT, weights_only=True, map_location="cpu")
    plan = json.loads((run / PLAN).read_text(encoding="utf-8"))
    subject, door = subject_of(plan["net"]), DOORS[plan["net"]]
    net = subject.net()
    net.load_state_dict(state["kept"])
    shown = subject.shown(net).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        shown,
        subject.question(0),
        str(out),
        input_names=list(door.inputs),
        output_names=list(door.outputs),
        dynamic_axes=door.open,
        opset_version=OPSET,
        dynamo=False,
    )
    _sign(out, plan, state["steps"])
    _compare(shown, subject.question(1), door, out)
    size = out.stat().st_size
    if size > LIMIT:
        raise ValueError(f"{out} has {size} bytes, more than {LIMIT}.")
    return size


def _sign(file: Path, plan: dict[str, Any], steps: int) -> None:
    """Says in the file how it was made."""
    model = onnx.load(str(file))
    told = {key: value for key, value in plan.items() if key not in PLACES}
    command = f"python -m training train --net {plan['net']} --seed {plan['seed']} --hours {plan['hours']}"
    onnx.helper.set_model_props(model, {"command": command, "plan": json.dumps(told), "steps": str(steps)})
    onnx.checker.check_model(model)
    onnx.save(model, str(file))


def _compare(shown: torch.nn.Module, question: tuple[Tensor, ...], door: Door, file: Path) -> None:
    session = session_of(file.read_bytes())
    with torch.no_grad():
        mine = shown(*question)
    told = {name: tensor.numpy() for name, tensor in zip(door.inputs, question, strict=True)}
    theirs = session.run(list(door.outputs), told)
    for one, other in zip(mine if isinstance(mine, tuple) else (mine,), theirs, strict=True):
        np.testing.assert_allclose(one.numpy(), other, atol=CLOSE, rtol=CLOSE)
