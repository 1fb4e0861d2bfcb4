"""The declaration of a probe, and what it changes.

A probe changes a system's output so that readers judge it differently, and shows what scores do. It is declared by a
module of this package that exports PROBE, and listed in `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.probes.chunk_orders import Orders


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A system's output before and after a change.

    Attributes:
        before: (S,) texts.
        after: (S,) texts.
        references: names of those that both are scored against.
        tokenized: whether the texts are tokens with blanks between them, to be scored without a tokeniser.
        replacement: the reference whose text takes the place of the output, if one does.
        orders: (S,) of each segment, in how many orders its chunks can stand; empty where that is not asked.
        reason: why nothing is changed; empty if anything is.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    references: tuple[str, ...]
    tokenized: bool = False
    replacement: str = ""
    orders: tuple[Orders, ...] = ()
    reason: str = ""

    @property
    def rows(self) -> tuple[int, ...]:
        """The positions of the changed segments, from 0."""
        pairs = enumerate(zip(self.before, self.after, strict=True))
        return tuple(row for row, (before, after) in pairs if before != after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a probe is given.

    Attributes:
        material: the texts and their counts.
        system: whose output is to be changed.
        language: of the references (ISO 639-1); empty where it is not known.
        seed: of the draws.
        key: of the probe.
    """

    data: DiagnosticInput
    system: str
    language: str
    seed: int
    key: str

    @property
    def output(self) -> tuple[str, ...]:
        """(S,) the output that is to be changed."""
        return self.data.corpus.systems[self.system]

    @property
    def references(self) -> tuple[str, ...]:
        """The names of the references in use."""
        return self.data.references

    def generator(self) -> np.random.Generator:
        """Draws that depend on the seed and the probe alone, so that no probe changes what another one draws."""
        return np.random.default_rng([self.seed, *self.key.encode()])

    def unchanged(self, reason: str) -> Change:
        """No change, for a reason."""
        return Change(before=self.output, after=self.output, references=self.references, reason=reason)

    def changed(self, after: Sequence[str], otherwise: str) -> Change:
        """The output with other texts.

        Args:
            after: (S,) texts.
            otherwise: the reason why nothing is changed, if that is so.
        """
        texts = tuple(after)
        reason = otherwise if texts == self.output else ""
        return Change(before=self.output, after=texts, references=self.references, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A probe, as it is declared once for the command line, the pages and the documentation.

    Attributes:
        key: in JSON and options.
        title: for people, a noun phrase.
        doing: what is done to a segment, to begin a sentence; {} stands for a reference that is put in its place.
        changed: what is changed, a sentence.
        noticed: what a reader notices, a sentence.
        source: a paper that describes such a change.
        change: makes the changes of a system's output; several where there are several references.
    """

    key: str
    title: str
    doing: str
    changed: str
    noticed: str
    source: str
    change: Callable[[Task], Sequence[Change]]
