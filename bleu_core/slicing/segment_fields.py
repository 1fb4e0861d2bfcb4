"""The fields of slice conditions, with a value for each segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import FIELDS, Corpus, Judgments, ScoreTable
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.inference import DECIMALS
from bleu_core.scoring import DEFAULT_METRIC, BleuSettings, evaluate, key_of_label, score_metric, token_counts
from bleu_core.slicing.disputes import rating_ranges
from bleu_core.slicing.error_fields import ErrorFields, MarkedValues
from bleu_core.slicing.expression import FIELDS_OF_ERRORS, Condition
from bleu_core.slicing.half import HALVES, halves
from bleu_core.slicing.negations import negation_counter
from bleu_core.slicing.text_counts import capitalised_words, numbers, quotation_marks


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of each segment; a condition holds if it holds for one of them.

    Attributes:
        columns: of S texts each; None for absent texts.
    """

    columns: Sequence[Sequence[str | None]]


@dataclass(frozen=True, slots=True)
class Label:
    """A label of each segment: text, or numbers if all labels of the column are numbers.

    Attributes:
        values: S labels, empty if the segment has none.
    """

    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several possible values for each segment.

    Attributes:
        values: S values.
        choices: all possible values.
    """

    values: Sequence[str]
    choices: Sequence[str]


#: Values of a field; unknown numbers are NaN.
FieldValues = Texts | Label | Choice | MarkedValues | Floats


class SegmentFields:
    """The fields of a corpus's segments."""

    def __init__(
        self,
        corpus: Corpus,
        references: tuple[str, ...],
        settings: BleuSettings,
        judgments: Judgments | None = None,
        *,
        scores: Sequence[ScoreTable] = (),
    ) -> None:
        """Store the data; fields are computed when first needed.

        Args:
            corpus: the texts.
            references: names of those in use.
            settings: of tokenisation and scoring.
            judgments: the ratings in use, if any.
            scores: of metrics, aligned with the texts.
        """
        self._corpus = corpus
        self._references = references
        self._settings = settings
        self._judgments = judgments
        self._scores_of_metrics = scores
        self._values: dict[tuple[str, bool, tuple[str, ...], str | None], FieldValues] = {}

    def values(self, condition: Condition) -> FieldValues:
        """Return the values of the field of a condition, computed once.

        Raises:
            SettingsError: there is no such field, or no system or metric of a name in it.
            AlignmentError: the data that it needs are not known.
        """
        key = (condition.field, condition.quoted, condition.names, condition.annotator)
        if key not in self._values and self._is_of_errors(condition):
            self._values[key] = self._errors(condition)
        if key not in self._values:
            compute = None if condition.quoted else self._functions.get(condition.field)
            self._values[key] = self._label(condition.field) if compute is None else compute(*condition.names)
        return self._values[key]

    def _is_of_errors(self, condition: Condition) -> bool:
        """Return whether a condition is on marked errors; not if it may be on a label of that name."""
        if condition.quoted or condition.field not in FIELDS_OF_ERRORS:
            return False
        has_names = bool(condition.names) or condition.annotator is not None
        return has_names or condition.field not in self._corpus.labels

    def _errors(self, condition: Condition) -> MarkedValues | Floats:
        systems, annotator = self._systems(*condition.names), condition.annotator
        if condition.field == "errors":
            return self._error_fields.counts(systems, annotator)
        return self._error_fields.values(condition.field, systems, annotator)

    @cached_property
    def _error_fields(self) -> ErrorFields:
        return ErrorFields(self._corpus, self._judgments, self._scores_of_metrics)

    @property
    def _functions(self) -> Mapping[str, Callable[..., FieldValues]]:
        """The function that computes each of FIELDS from the names that follow the field."""
        return {
            "segment": lambda: np.arange(1, self._corpus.segments + 1, dtype=np.float64),
            "document": lambda: self._text(self._corpus.documents, "document", "a file with one document id per line"),
            "half": lambda: Choice(halves(self._corpus.documents, range(1, self._corpus.segments + 1)), HALVES),
            "source": lambda: self._text(self._corpus.source, "source", "the source text"),
            "reference": lambda: Texts([self._corpus.references[name] for name in self._references_in_use]),
            "system": lambda *names: Texts(self._outputs(*names)),
            "equal": self._equal,
            "score": self._scores,
            "length": lambda: token_counts(self._first_texts, self._settings.counting).astype(np.float64),
            "numbers": lambda: self._counted(numbers),
            "capitalised": lambda: self._counted(capitalised_words),
            "quotes": lambda: self._counted(quotation_marks),
            "negations": self._negations,
            "ratings": self._rating_counts,
            "disputed": self._ranges,
        }

    def _label(self, name: str) -> Label:
        labels = self._corpus.labels.get(name)
        if labels is None:
            known = [*FIELDS, *FIELDS_OF_ERRORS, *self._corpus.labels]
            similar = [] if name in known else get_close_matches(name, known, n=1)
            if similar:
                raise SettingsError(f"slice: there is no field {name!r}; did you mean {similar[0]!r}?")
            raise SettingsError(f"slice: field {name!r} found, one of {listed(known, max_items=40)} expected")
        return Label(labels)

    def _text(self, text: Sequence[str] | None, field: str, needed: str) -> Texts:
        if text is None:
            raise AlignmentError(f"slice: the {field} of the segments is not known; add {needed}")
        return Texts([text])

    def _systems(self, *names: str) -> Sequence[str]:
        """Return the named systems; all if no name is given."""
        systems = self._corpus.systems
        if not systems:
            raise AlignmentError("slice: no system found, at least 1 expected; add the output of a system")
        unknown = next((name for name in names if name not in systems), None)
        if unknown is not None:
            raise SettingsError(f"slice: system {unknown!r} found, one of {listed(systems)} expected")
        return names or tuple(systems)

    def _outputs(self, *names: str) -> Sequence[Sequence[str]]:
        return [self._corpus.systems[name] for name in self._systems(*names)]

    def _equal(self, first_system: str, second_system: str) -> Choice:
        """Return "yes" or "no" for each segment: whether the outputs of two systems are equal."""
        pairs = zip(*self._outputs(first_system, second_system), strict=True)
        return Choice(["yes" if first == second else "no" for first, second in pairs], ("yes", "no"))

    def _scores(self, system: str, name: str = DEFAULT_METRIC) -> Floats:
        """Return segment scores of a system, (S,), by a metric, named by its key or its label."""
        (system,) = self._systems(system)
        corpus = self._corpus
        alone = Corpus({system: corpus.systems[system]}, corpus.references, corpus.source, corpus.documents)
        evaluation = evaluate(alone, self._settings, references=self._references_in_use)
        scored = score_metric(alone, evaluation, key_of_label(name) or name)
        return scored.statistics.segment_scores[0].round(DECIMALS)  # so that equal texts score exactly 100

    @property
    def _references_in_use(self) -> tuple[str, ...]:
        if not self._references:
            raise AlignmentError("slice: no reference is in use, at least 1 expected")
        return self._references

    def _counted(self, count: Callable[[str], int]) -> Floats:
        """Return a count for each segment, (S,), in the first reference in use that has it."""
        return np.array([count(text) for text in self._first_texts], np.float64)

    @cached_property
    def _first_texts(self) -> tuple[str, ...]:
        """(S,) text of each segment in the first reference in use that has it."""
        texts = zip(*(self._corpus.references[name] for name in self._references_in_use), strict=True)
        return tuple(next((text for text in texts_of_segment if text is not None), "") for texts_of_segment in texts)

    def _negations(self, language: str) -> Floats:
        return self._counted(negation_counter(language))

    @property
    def _judgments_in_use(self) -> Judgments:
        if self._judgments is None:
            raise AlignmentError("slice: the ratings of the segments are not known; add human judgments")
        return self._judgments

    def _rating_counts(self, *systems: str) -> Floats:
        """Return the number of ratings of each segment, (S,)."""
        rated = self._judgments_in_use.rated
        rated = rated[rated["system"].isin(list(self._systems(*systems))) & rated["segment"].notna()]
        positions = rated["segment"].to_numpy(np.int64) - 1
        return np.bincount(positions, minlength=self._corpus.segments).astype(np.float64)

    def _ranges(self, *systems: str) -> Floats:
        """Return the maximum range of ratings of an output, (S,); NaN if it is not known."""
        ranges = rating_ranges(self._judgments_in_use, self._systems(*systems), self._corpus.segments)
        return np.fmax.reduce(ranges, axis=0)
