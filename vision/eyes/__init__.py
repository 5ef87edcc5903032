"""Trained eyes: one net finds pieces, the board and the turn token in a picture, another looks at each piece again.

Only numpy, OpenCV and onnxruntime are needed here; the nets are made by the folder ``training``.
"""

from vision.eyes.detections import Detections
from vision.eyes.detector import Detector
from vision.eyes.eyes import Eyes
from vision.eyes.inspector import Inspector
from vision.eyes.nets import NoEyes
from vision.eyes.pips import PipCounter

__all__ = ["Detections", "Detector", "Eyes", "Inspector", "NoEyes", "PipCounter"]
