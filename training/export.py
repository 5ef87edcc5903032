"""The net of a run as an ONNX file that the eyes can load."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import torch

from training.net import Eyes, Shown
from training.train import CHECKPOINT, PLAN
from vision.eyes.detector import session_of

OPSET = 17
LIMIT = 6_000_000  # bytes
CLOSE = 2e-2  # by how much two ways to compute the same words may differ


def export(run: Path, out: Path) -> int:
    """Writes the running mean of a run's nets and checks that onnxruntime answers as torch does; the file's bytes."""
    state = torch.load(run / CHECKPOINT, weights_only=True)
    plan = json.loads((run / PLAN).read_text(encoding="utf-8"))
    eyes = Eyes()
    eyes.load_state_dict(state["kept"])
    shown = Shown(eyes).eval()
    picture = torch.randint(0, 256, (1, 96, 128, 3), dtype=torch.uint8)
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        shown,
        (picture,),
        str(out),
        input_names=["image"],
        output_names=["dense", "words"],
        dynamic_axes={"image": {1: "height", 2: "width"}},
        opset_version=OPSET,
        dynamo=False,
    )
    _sign(out, plan, state["steps"])
    _compare(shown, out)
    size = out.stat().st_size
    if size > LIMIT:
        raise ValueError(f"{out} has {size} bytes, more than {LIMIT}.")
    return size


def _sign(file: Path, plan: dict[str, object], steps: int) -> None:
    """Says in the file how it was made."""
    model = onnx.load(str(file))
    told = {key: value for key, value in plan.items() if key not in {"scenes", "validation"}}
    command = f"python -m training train --seed {plan['seed']} --hours {plan['hours']}"
    onnx.helper.set_model_props(model, {"command": command, "plan": json.dumps(told), "steps": str(steps)})
    onnx.checker.check_model(model)
    onnx.save(model, str(file))


def _compare(shown: Shown, file: Path) -> None:
    session = session_of(file.read_bytes())
    picture = np.random.default_rng(1).integers(0, 256, (1, 160, 224, 3), dtype=np.uint8)
    with torch.no_grad():
        expected = shown(torch.from_numpy(picture))
    for mine, theirs in zip(expected, session.run(["dense", "words"], {"image": picture}), strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs, atol=CLOSE, rtol=CLOSE)
