"""Exported nets with most of their convolutions in whole numbers: hardly another answer, in half of the time.

The weights that are rounded have seven bits, not eight: with eight, the sums overflow on processors without VNNI, and
the same picture would be read otherwise there. Convolutions stay as they are where rounding their weights shifted the
answers most (the first ones, on which all else rests), and where it saves nothing (the narrow and the last ones).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from vision.eyes import Eyes, Inspector
from vision.eyes.inspector import EVENING, FIRST
from vision.eyes.nets import Net, Question, session_of

STAY = {
    "detector.onnx": ("/fine/", "/eighth/", "/narrow/", "/dense.1/", "/words.1/"),
    "inspector.onnx": ("/fine/", "/heat/"),
    "inspector_evening.onnx": ("/fine/", "/heat/"),
    "pips.onnx": ("/seen.0/",),
}
"""Parts of the names of convolutions that are not rounded, net by net."""


class Listener:
    """A net at work that keeps all that it is asked."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.asked: list[Question] = []

    def run(self, wanted: Sequence[str], question: Question) -> Any:
        """The net's answer."""
        self.asked.append(question)
        return self.net.run(wanted, question)


def quantize(exact: Path, pictures: Sequence[Path], out: Path) -> dict[str, int]:
    """Writes the nets of the folder *exact* into the folder *out*, rounded to what they meet in *pictures*.

    Returns:
        The bytes of each file.
    """
    eyes = Eyes(inspector=Inspector())
    listeners = {net.name: Listener(session_of((exact / net.name).read_bytes())) for net in eyes.nets}
    for net in eyes.nets:
        net.session = listeners[net.name]
    listeners[EVENING] = listeners[FIRST]  # in the mirror it meets the same
    out.mkdir(parents=True, exist_ok=True)
    for file in pictures:
        picture = cv2.imread(str(file))
        if picture is None:
            raise ValueError(f"{file} cannot be opened as a picture.")
        eyes.look(eyes.lit(np.asarray(picture, dtype=np.uint8)))
    for name, stay in STAY.items():
        _round(exact / name, iter(listeners[name].asked), stay, out / name)
    return {name: (out / name).stat().st_size for name in STAY}


def _round(exact: Path, asked: Iterator[Question], stay: Sequence[str], out: Path) -> None:
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Asked(CalibrationDataReader):
        def get_next(self) -> Question | None:
            return next(asked, None)

    with TemporaryDirectory() as folder:
        prepared = Path(folder) / exact.name
        quant_pre_process(exact, prepared, skip_symbolic_shape=True)
        convolutions = [node.name for node in onnx.load(str(prepared)).graph.node if node.op_type == "Conv"]
        quantize_static(
            prepared,
            out,
            Asked(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Relu"],
            nodes_to_exclude=[name for name in convolutions if any(part in name for part in stay)],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    _sign_as(exact, out)


def _sign_as(exact: Path, out: Path) -> None:
    """Says in the rounded file how the exact one was made."""
    import onnx

    model = onnx.load(str(out))
    told = {prop.key: prop.value for prop in onnx.load(str(exact)).metadata_props}
    onnx.helper.set_model_props(model, told | {"rounded": "python -m training quantize"})
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
