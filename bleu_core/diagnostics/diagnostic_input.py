"""The input of warnings and probes: texts, counts, ratings, and cached values that several warnings use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus, HumanTranslation, Judgments, identical_texts, translations_of
from bleu_core.scoring import BleuEvaluation, evaluate

T = TypeVar("T")

#: Arrays of any numbers, (texts, segments, ...).
BySegment = npt.NDArray[Any]

#: Counts of each segment, by the function that counts them.
TextTables = Mapping[Callable[..., Any], BySegment]

#: Seed of samples of segments.
SAMPLE_SEED = 1


@dataclass(frozen=True, slots=True)
class DiagnosticInput:
    """The input of warnings and probes.

    Attributes:
        corpus: the texts.
        evaluation: the counts of its systems against the references in use.
        judgments: the ratings, including those of references; None without any.
        tables: counts of these texts by `count_texts`, if they have been computed.
        humans: known human translations among the systems; systems with the text of a reference are added.
        alarms_only: whether weaker findings are not needed, so that a warning need not search for them.
        whole_texts: whether single lines are not compared with those of other segments, which takes long.
        others: outputs of further systems, which are not ranked and may be what a reference was made from.
    """

    corpus: Corpus
    evaluation: BleuEvaluation
    judgments: Judgments | None = None
    tables: TextTables = field(default_factory=dict[Callable[..., Any], BySegment], compare=False, repr=False)
    humans: tuple[HumanTranslation, ...] = ()
    alarms_only: bool = False
    whole_texts: bool = False
    others: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]], compare=False, repr=False)
    _shared: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any], compare=False, repr=False)
    _whole: tuple[DiagnosticInput, npt.NDArray[np.int64]] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self._whole is not None:  # all human translations are known
            return
        copies = translations_of(self.corpus.systems, identical_texts(self.corpus))
        known = {human.system: human for human in (*copies, *self.humans)}
        humans = tuple(known[name] for name in self.corpus.systems if name in known)
        object.__setattr__(self, "humans", humans)

    @property
    def segments(self) -> int:
        """S, the number of segments."""
        return self.corpus.segments

    @property
    def systems(self) -> tuple[str, ...]:
        """K names."""
        return self.evaluation.systems

    @property
    def references(self) -> tuple[str, ...]:
        """The names of the references in use."""
        return self.evaluation.references

    @property
    def whole(self) -> DiagnosticInput:
        """The input that this is a subset of; itself if it is no subset."""
        return self if self._whole is None else self._whole[0].whole

    @property
    def texts(self) -> Mapping[tuple[str, str], Sequence[str | None]]:
        """(role, name) -> text: the systems, the references in use, and the source if it is known."""
        texts: dict[tuple[str, str], Sequence[str | None]] = {
            ("system", name): self.corpus.systems[name] for name in self.systems
        }
        texts |= {("reference", name): self.corpus.references[name] for name in self.references}
        if self.corpus.source is not None:
            texts["source", "source"] = self.corpus.source
        return texts

    @property
    def reference_rows(self) -> slice:
        """The position of the references among the texts, after the systems and before the source."""
        return slice(len(self.systems), len(self.systems) + len(self.references))

    def computed_once(self, compute: Callable[[DiagnosticInput], T]) -> T:
        """Return the result of a function of the input, computed once for all warnings."""
        return self._once(compute, lambda: compute(self))

    def segment_values(self, compute: Callable[[DiagnosticInput], BySegment]) -> BySegment:
        """Return values that are computed for each segment separately; a subset selects those of the whole input.

        Args:
            compute: returns an array with the segments along its second axis.
        """

        def values() -> BySegment:
            if self._whole is not None:
                parent, rows = self._whole
                return parent.segment_values(compute)[:, rows]
            return self.tables[compute].astype(np.int64) if compute in self.tables else compute(self)

        return self._once(compute, values)

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        if key not in self._shared:
            self._shared[key] = compute()
        return self._shared[key]

    def against_single_reference(self, reference: str) -> BleuEvaluation:
        """Return the evaluation against a single complete reference, counted once or selected from the whole input."""
        if self.references == (reference,):
            return self.evaluation

        def evaluation() -> BleuEvaluation:
            if self._whole is None:
                return evaluate(self.corpus, self.evaluation.settings, references=[reference])
            parent, rows = self._whole
            return parent.against_single_reference(reference).subset(rows.tolist(), self.corpus.digest)

        return self._once(("alone", reference), evaluation)

    @property
    def full_references(self) -> tuple[str, ...]:
        """The references in use that have all segments."""
        return tuple(name for name in self.references if None not in self.corpus.references[name])

    @property
    def distinct_systems(self) -> tuple[str, ...]:
        """The systems that are not human translations and whose text differs from that of earlier systems."""
        return self.computed_once(_distinct)

    @property
    def without_humans(self) -> DiagnosticInput:
        """The input without systems that are human translations, unless there are no other systems."""
        humans = {human.system for human in self.humans}
        others = [name for name in self.systems if name not in humans]
        if not 0 < len(others) < len(self.systems):
            return self

        def reduced() -> DiagnosticInput:
            if self._whole is None:
                return replace(self, evaluation=self.evaluation.select(others), _shared={})
            parent, rows = self._whole
            return parent.without_humans.subset(rows.tolist())

        return self._once("without humans", reduced)

    def subset(self, rows: Sequence[int]) -> DiagnosticInput:
        """Return the input for some of the segments, without ratings and without counting again.

        Args:
            rows: their positions, from 0.
        """
        corpus = self.corpus.subset(rows)
        evaluation = self.evaluation.subset(list(rows), corpus.digest)
        others = {name: [text[i] for i in rows] for name, text in self.others.items()}
        return DiagnosticInput(
            corpus,
            evaluation,
            humans=self.humans,
            alarms_only=self.alarms_only,
            whole_texts=self.whole_texts,
            others=others,
            _whole=(self, np.array(rows, np.int64)),
        )

    def sample_rows(self, max_segments: int) -> npt.NDArray[np.int64]:
        """Return the positions, from 0, of at most so many segments: one at random in each of equal parts."""
        if self.segments <= max_segments:
            return np.arange(self.segments)
        generator = Random(SAMPLE_SEED)  # noqa: S311 # nothing is secret
        places = np.array([place + generator.random() for place in range(max_segments)])
        return (places * (self.segments / max_segments)).astype(np.int64)

    def sample(self, max_segments: int) -> DiagnosticInput:
        """Return the input for the segments of `sample_rows`; what is not known of them is counted for them alone."""
        if self.segments <= max_segments:
            return self

        def sampled() -> DiagnosticInput:
            rows = self.sample_rows(max_segments)
            corpus = self.corpus.subset(rows.tolist())
            evaluation = self.evaluation.subset(rows.tolist(), corpus.digest)
            tables = {compute: table[:, rows] for compute, table in self.tables.items()}
            return DiagnosticInput(
                corpus,
                evaluation,
                tables=tables,
                humans=self.humans,
                alarms_only=self.alarms_only,
                whole_texts=self.whole_texts,
            )

        return self._once(("sample", max_segments), sampled)


def _distinct(data: DiagnosticInput) -> tuple[str, ...]:
    copies = {identical.system for identical in identical_texts(data.corpus) if identical.role != "source"}
    copies.update(human.system for human in data.humans)
    return tuple(name for name in data.systems if name not in copies)
