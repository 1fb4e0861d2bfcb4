"""What an error of a category and severity costs: from MQM's errors to a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from bleu_core.errors import SettingsError

#: Severities that the published weights speak of.
SEVERITIES = frozenset({"major", "minor", "neutral", "no-error", "no error"})
#: Larger weights would cost the scores their digits.
LARGEST_WEIGHT = 1e6
#: The weights by name, in words for people.
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "major": "Major",
        "minor": "Minor",
        "minor_punctuation": "Minor, punctuation",
        "non_translation": "Major, non-translation",
        "neutral": "Neutral",
        "other": "Any other severity",
    }
)


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
        SettingsError: a weight is negative, no number, or larger than LARGEST_WEIGHT.

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
        for name, weight in asdict(self).items():
            if not 0 <= weight <= LARGEST_WEIGHT:  # NaN is neither
                raise SettingsError(
                    f"MQM weight {name}={weight:g} found, a number from 0 to {LARGEST_WEIGHT:,.0f} expected"
                )

    @classmethod
    def parse(cls, text: str) -> MqmWeights:
        """Read weights as NAME=WEIGHT,...; those not named are the published ones.

        Raises:
            SettingsError: a name is none of ours or stands twice, or a weight is no number from 0 on.
        """
        given: dict[str, float] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, mark, value = part.partition("=")
            name = name.strip().lower().replace("-", "_")
            if not mark:
                raise SettingsError(f"MQM weights: {part!r} found, NAME=WEIGHT expected, as in major=5,minor=1")
            if name not in asdict(PUBLISHED):
                raise SettingsError(f"MQM weights: {name!r} found, one of {', '.join(asdict(PUBLISHED))} expected")
            if name in given:
                raise SettingsError(f"MQM weights: {name} found twice, once expected")
            try:
                given[name] = float(value)
            except ValueError:
                raise SettingsError(f"MQM weights: {part!r} found, a number from 0 on expected") from None
        if not given:
            raise SettingsError("MQM weights: none found, NAME=WEIGHT expected, as in major=5,minor=1")
        return cls(**given)

    @property
    def changed(self) -> str:
        """The weights that are not the published ones, in words for people; empty where all are."""
        published = asdict(PUBLISHED)
        others = {name: weight for name, weight in asdict(self).items() if weight != published[name]}
        return ", ".join(f"{name} {weight:g} instead of {published[name]:g}" for name, weight in others.items())

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell of the weights where they are not the published ones."""
        return (f"MQM weights: {self.changed}",) if self.changed else ()

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
