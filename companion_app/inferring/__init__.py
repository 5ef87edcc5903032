"""Which turn was played: from the last agreed position and a new reading to a judgement.

``explain(before, options, Observation.of(reading), earlier=positions)`` is the door for both games.
"""

from companion_app.inferring.explain import explain
from companion_app.inferring.explanations import Certainty, Explanation, Judgement, Kind, Refusal
from companion_app.inferring.observation import Appearance, Group, Observation, ObservedPiece

__all__ = [
    "Appearance",
    "Certainty",
    "Explanation",
    "Group",
    "Judgement",
    "Kind",
    "Observation",
    "ObservedPiece",
    "Refusal",
    "explain",
]
