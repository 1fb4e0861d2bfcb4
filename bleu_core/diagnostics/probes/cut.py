"""Removal of the last sentence of a segment."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.diagnostics.probes.sentences import sentence_starts


def _change(task: Task) -> Sequence[Change]:
    after = [_without_last_sentence(text) for text in task.output]
    return [task.changed(after, "no segment has two sentences")]


def _without_last_sentence(text: str) -> str:
    starts = sentence_starts(text)
    return text[: starts[-1]].rstrip() if starts else text


PROBE = Probe(
    key="cut",
    title="A sentence cut",
    doing="Cutting the last sentence",
    changed="Each segment of two or more sentences loses the last one.",
    noticed="What the last sentence said is missing.",
    source="Karpinska et al. (2022), DEMETR: Diagnosing Evaluation Metrics for Translation",
    change=_change,
)
