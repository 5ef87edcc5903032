"""Training of the eyes in :mod:`vision.eyes`, from scenes with exact truth; see ``python -m training --help``.

``truth``, ``crops``, ``photo_errors``, ``targets`` and ``score`` need numpy and OpenCV only, the others torch.
"""
