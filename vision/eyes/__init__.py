"""Trained eyes: a small net that finds pieces, their corners, the board and the turn token in a picture.

Only numpy, OpenCV and onnxruntime are needed here; the net is made by the folder ``training``.
"""

from vision.eyes.detections import Detections
from vision.eyes.detector import Detector, NoEyes

__all__ = ["Detections", "Detector", "NoEyes"]
