"""Weights of MQM errors by category and severity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from bleu_core.dataset import plural
from bleu_core.errors import SettingsError

#: Severities with separate weights.
SEVERITIES = frozenset({"critical", "major", "minor", "neutral", "no-error", "no error"})
CRITICAL = "critical"
#: Unknown severities that are named in notes; the others are counted.
MAX_SEVERITIES = 5
#: Sums of larger weights would lose digits.
MAX_WEIGHT = 1e6
#: Name of a weight -> its label.
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "critical": "Critical",
        "major": "Major",
        "minor": "Minor",
        "minor_punctuation": "Minor, punctuation",
        "non_translation": "Major, non-translation",
        "neutral": "Neutral",
        "other": "Any other severity",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MqmWeights:
    """Weights of MQM errors; a segment's score is minus the sum of the weights of its errors.

    Attributes:
        critical: the weight of a critical error, 25 as in the weights 0, 1, 5 and 25 of MQM; others use 10.
        major: the weight of a major error.
        minor: the weight of a minor error.
        minor_punctuation: the weight of a minor error of punctuation.
        non_translation: the weight of a major error of the category Non-translation.
        neutral: the weight of a neutral remark.
        other: the weight of any other severity.

    Raises:
        SettingsError: a weight is negative, not a number, or larger than MAX_WEIGHT.

    Source:
        Freitag et al. (2021), arXiv 2104.14478, and Google's score_mqm.py.
    """

    critical: float = 25.0
    major: float = 5.0
    minor: float = 1.0
    minor_punctuation: float = 0.1
    non_translation: float = 25.0
    neutral: float = 0.0
    other: float = 0.0

    def __post_init__(self) -> None:
        for name, weight in asdict(self).items():
            if not 0 <= weight <= MAX_WEIGHT:  # NaN is neither
                raise SettingsError(
                    f"MQM weight {name}={weight:g} found, a number from 0 to {MAX_WEIGHT:,.0f} expected"
                )

    @classmethod
    def parse(cls, text: str) -> MqmWeights:
        """Parse weights as NAME=WEIGHT,...; the others have the published values.

        Raises:
            SettingsError: a name is unknown or occurs twice, or a weight is not a number from 0 on.
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
                raise SettingsError(f"MQM weights: {name} occurs twice; keep one")
            try:
                given[name] = float(value)
            except ValueError:
                raise SettingsError(f"MQM weights: {part!r} found, a number of at least 0 expected") from None
        if not given:
            raise SettingsError("MQM weights: none found, NAME=WEIGHT expected, as in major=5,minor=1")
        return cls(**given)

    @property
    def changed(self) -> str:
        """The weights that differ from the published ones, as text; empty if none differs."""
        published = asdict(PUBLISHED)
        others = {name: weight for name, weight in asdict(self).items() if weight != published[name]}
        return ", ".join(f"{name} {weight:g} instead of {published[name]:g}" for name, weight in others.items())

    @property
    def notes(self) -> tuple[str, ...]:
        """A note on weights that differ from the published ones; empty if none differs."""
        return (f"MQM weights: {self.changed}",) if self.changed else ()

    def notes_on(self, severities: Mapping[str, int]) -> tuple[str, ...]:
        """Return notes on weights that differ from the published ones, and on critical errors and unknown severities.

        Args:
            severities: severity in the file -> number of errors.
        """
        critical = sum(count for name, count in severities.items() if name.strip().lower() == CRITICAL)
        unknown = [(name, count) for name, count in severities.items() if name.strip().lower() not in SEVERITIES]
        n_more = len(unknown) - MAX_SEVERITIES
        return (
            *self.notes,
            *((f"{critical:,} critical {plural(critical, 'error')}: weight {self.critical:g}",) if critical else ()),
            *(
                f"{count:,} {plural(count, 'error')} of severity {name!r}: weight {self.other:g}"
                for name, count in unknown[:MAX_SEVERITIES]
            ),
            *((f"errors of {n_more:,} more severities: weight {self.other:g}",) if n_more > 0 else ()),
        )

    def of(self, category: str, severity: str) -> float:
        """Return the weight of an error; case is ignored."""
        category, severity = category.strip().lower(), severity.strip().lower()
        if severity == "critical":
            return self.critical
        if severity == "major":
            return self.non_translation if category.startswith("non-translation") else self.major
        if severity == "minor":
            return self.minor_punctuation if category.endswith("punctuation") else self.minor
        if severity == "neutral":
            return self.neutral
        return 0.0 if severity in SEVERITIES else self.other


PUBLISHED = MqmWeights()
