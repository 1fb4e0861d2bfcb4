"""What an error of a category and severity costs: from MQM's errors to a score."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

from bleu_core.errors import SettingsError

#: Severities that the published weights speak of.
SEVERITIES = frozenset({"major", "minor", "neutral", "no-error", "no error"})


@dataclass(frozen=True, slots=True)
class MqmWeights:
    """Weights of errors; a segment's score is minus the sum of its errors' weights, so that 0 means no error.

    Attributes:
        major: of a major error.
        minor: of a minor error.
        minor_punctuation: of a minor error of punctuation.
        non_translation: of a major error of the category Non-translation.
        neutral: of a neutral remark.
        other: of any other severity.

    Raises:
        SettingsError: a weight is negative or no finite number.

    Source:
        Freitag et al. (2021), arXiv 2104.14478, and Google's score_mqm.py.
    """

    major: float = 5.0
    minor: float = 1.0
    minor_punctuation: float = 0.1
    non_translation: float = 25.0
    neutral: float = 0.0
    other: float = 0.0

    def __post_init__(self) -> None:
        for weight in astuple(self):
            if not (math.isfinite(weight) and weight >= 0):
                raise SettingsError(f"MQM weight {weight} found, a number from 0 on expected")

    def of(self, category: str, severity: str) -> float:
        """The weight of one error; upper and lower case do not matter."""
        category, severity = category.strip().lower(), severity.strip().lower()
        if severity == "major":
            return self.non_translation if category.startswith("non-translation") else self.major
        if severity == "minor":
            return self.minor_punctuation if category.endswith("punctuation") else self.minor
        if severity == "neutral":
            return self.neutral
        return 0.0 if severity in SEVERITIES else self.other


PUBLISHED = MqmWeights()
