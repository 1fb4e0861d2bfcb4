"""Replacement of the output by a human translation: a reference, scored against the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from bleu_core.dataset import first_without_reference
from bleu_core.diagnostics.probes.declaration import Change, Probe, Task


def _change(task: Task) -> Sequence[Change]:
    if len(task.references) == 1:
        return [task.unchanged("there is one reference, and two are needed")]
    texts = task.data.corpus.references
    copied = next((name for name in task.references if texts[name] == task.output), "")
    changes: list[Change] = []
    for name in task.data.full_references:
        others = tuple(other for other in task.references if other != name)
        if first_without_reference([texts[other] for other in others]):
            continue
        human = cast("tuple[str, ...]", texts[name])  # it has all segments
        reason = f"the output is the reference {copied}" if copied else ""
        changes.append(Change(before=task.output, after=human, references=others, replacement=name, reason=reason))
    return changes or [task.unchanged("no reference has all segments while the others cover all segments")]


PROBE = Probe(
    key="reference",
    title="A human translation in its place",
    doing="Putting {} in the place of the output",
    changed="A reference takes the place of the output, and both are scored against the other references.",
    noticed="The translation is that of a person.",
    source="Freitag et al. (2021), Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine "
    "Translation",
    change=_change,
)
