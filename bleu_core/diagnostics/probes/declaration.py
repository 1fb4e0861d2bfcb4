"""The declaration of probes and changes.

A probe changes a system's output so that readers judge it differently, and shows the effect on scores. It is declared
by a module of this package that exports PROBE, and listed in `register`.
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
        references: names of the references for both.
        tokenized: whether the texts are tokens joined by blanks, to be scored without a tokeniser.
        replacement: the reference whose text replaces the output, if any.
        orders: (S,) for each segment the number of orders of its chunks; empty for other probes.
        reason: why nothing is changed; empty if something is.
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
    """The input of a probe.

    Attributes:
        data: the texts and their counts.
        system: whose output is changed.
        language: of the references (ISO 639-1); empty if it is not known.
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
        """(S,) the output before the change."""
        return self.data.corpus.systems[self.system]

    @property
    def references(self) -> tuple[str, ...]:
        """The names of the references in use."""
        return self.data.references

    def generator(self) -> np.random.Generator:
        """Return a generator that depends on the seed and the probe only, so that probes are independent."""
        return np.random.default_rng([self.seed, *self.key.encode()])

    def unchanged(self, reason: str) -> Change:
        """Return a change without effect, with the reason."""
        return Change(before=self.output, after=self.output, references=self.references, reason=reason)

    def changed(self, after: Sequence[str], otherwise: str) -> Change:
        """Return the change of the output to other texts.

        Args:
            after: (S,) texts.
            otherwise: the reason to give if nothing is changed.
        """
        texts = tuple(after)
        reason = otherwise if texts == self.output else ""
        return Change(before=self.output, after=texts, references=self.references, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The declaration of a probe for the command line, the pages and the documentation.

    Attributes:
        key: in JSON and options.
        title: for people, a noun phrase.
        doing: description of the change as the subject of a sentence; {} is replaced by the name of a reference.
        changed: what is changed, a sentence.
        noticed: what a reader notices, a sentence.
        source: a paper that describes such a change.
        change: returns the changes of a system's output; several if there are several references.
    """

    key: str
    title: str
    doing: str
    changed: str
    noticed: str
    source: str
    change: Callable[[Task], Sequence[Change]]
