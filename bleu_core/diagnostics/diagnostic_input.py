"""What warnings look at: the texts, the counts already made, the ratings, and what several warnings share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus, HumanTranslation, Judgments, human_translations, identical_texts
from bleu_core.scoring import BleuEvaluation, evaluate

T = TypeVar("T")

#: Arrays of any numbers, (texts, segments, ...).
BySegment = npt.NDArray[Any]

#: What was counted of each segment, by the function that counts it.
TextTables = Mapping[Callable[..., Any], BySegment]


@dataclass(frozen=True, slots=True)
class DiagnosticInput:
    """What warnings look at.

    Attributes:
        corpus: the texts.
        evaluation: the counts of its systems against the references in use.
        judgments: the ratings, those of references too; None without any.
        tables: what was counted of these texts before, by `count_texts`.
        humans: human translations among the systems beside those with the text of a reference of the corpus; then all.
    """

    corpus: Corpus
    evaluation: BleuEvaluation
    judgments: Judgments | None = None
    tables: TextTables = field(default_factory=dict[Callable[..., Any], BySegment], compare=False, repr=False)
    humans: tuple[HumanTranslation, ...] = ()
    _shared: dict[Any, Any] = field(default_factory=dict[Any, Any], compare=False, repr=False)
    _whole: tuple[DiagnosticInput, npt.NDArray[np.int64]] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self._whole is not None:  # where all human translations are known
            return
        known = {each.system: each for each in (*human_translations(self.corpus), *self.humans)}
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
        """The material that this is a part of; itself if it is no part."""
        return self if self._whole is None else self._whole[0].whole

    @property
    def texts(self) -> Mapping[tuple[str, str], Sequence[str | None]]:
        """(role, name) -> text: the systems, the references in use, and the source if it is known."""
        found: dict[tuple[str, str], Sequence[str | None]] = {
            ("system", name): self.corpus.systems[name] for name in self.systems
        }
        found |= {("reference", name): self.corpus.references[name] for name in self.references}
        if self.corpus.source is not None:
            found["source", "source"] = self.corpus.source
        return found

    @property
    def reference_rows(self) -> slice:
        """Where the references are among the texts; the systems come before, the source behind."""
        return slice(len(self.systems), len(self.systems) + len(self.references))

    def computed_once(self, compute: Callable[[DiagnosticInput], T]) -> T:
        """What a function computes from the material, computed once for all warnings that need it."""
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        return self._shared[compute]

    def segment_values(self, compute: Callable[[DiagnosticInput], BySegment]) -> BySegment:
        """The same for what is computed of each segment by itself, which for a part is taken from the whole.

        Args:
            compute: makes an array with the segments along its second axis.
        """
        if self._whole is not None:
            whole, rows = self._whole
            return self.computed_once(_Part(compute, lambda: whole.segment_values(compute)[:, rows]))
        if compute in self.tables and compute not in self._shared:
            self._shared[compute] = self.tables[compute].astype(np.int64)
        return self.computed_once(compute)

    def against_single_reference(self, reference: str) -> BleuEvaluation:
        """The systems against one reference alone, which has all segments; counted once, or taken from the whole."""
        if self.references == (reference,):
            return self.evaluation
        key = ("alone", reference)
        if key not in self._shared:
            if self._whole is not None:
                whole, rows = self._whole
                found = whole.against_single_reference(reference).subset(rows.tolist(), self.corpus.digest)
            else:
                found = evaluate(self.corpus, self.evaluation.settings, references=[reference])
            self._shared[key] = found
        return self._shared[key]

    @property
    def full_references(self) -> tuple[str, ...]:
        """The references in use that have all segments."""
        return tuple(name for name in self.references if None not in self.corpus.references[name])

    @property
    def distinct_systems(self) -> tuple[str, ...]:
        """The systems that are no human translations, and whose text is not that of an earlier system."""
        return self.computed_once(_distinct)

    @property
    def without_humans(self) -> DiagnosticInput:
        """The material without the systems that are human translations, unless there are no others."""
        humans = {each.system for each in self.humans}
        others = [name for name in self.systems if name not in humans]
        if not 0 < len(others) < len(self.systems):
            return self
        key = ("compared",)
        if key not in self._shared:
            if self._whole is not None:  # of which a part is taken
                whole, rows = self._whole
                found = whole.without_humans.subset(rows.tolist())
            else:
                found = replace(self, evaluation=self.evaluation.select(others), _shared={})
            self._shared[key] = found
        return self._shared[key]

    def subset(self, rows: Sequence[int]) -> DiagnosticInput:
        """The material of some of the segments, without ratings; nothing is counted again.

        Args:
            rows: their positions, from 0.
        """
        corpus = self.corpus.subset(rows)
        evaluation = self.evaluation.subset(list(rows), corpus.digest)
        return DiagnosticInput(corpus, evaluation, humans=self.humans, _whole=(self, np.array(rows, np.int64)))


@dataclass(frozen=True)
class _Part:
    """What is taken from the whole, under the name of the function that computed it there."""

    compute: Callable[[DiagnosticInput], BySegment]
    taken: Callable[[], BySegment] = field(compare=False)

    def __call__(self, _: DiagnosticInput) -> BySegment:
        return self.taken()


def _distinct(data: DiagnosticInput) -> tuple[str, ...]:
    copies = {found.system for found in identical_texts(data.corpus) if found.role != "source"}
    copies.update(each.system for each in data.humans)
    return tuple(name for name in data.systems if name not in copies)
