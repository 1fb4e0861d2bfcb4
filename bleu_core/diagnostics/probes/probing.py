"""Probing of a system: changes of its output, and scores before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.language import guessed_language, known_languages
from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.diagnostics.probes.register import PROBES, find_probe
from bleu_core.diagnostics.probes.tokens import tokenized_text
from bleu_core.errors import SettingsError
from bleu_core.fields import REASON, derived, field, result
from bleu_core.inference import SEED, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import (
    DEFAULT_METRIC,
    BleuSettings,
    Metric,
    SegmentStatistics,
    evaluate,
    find_metric,
    score_metric,
    token_counts,
)


@result
class ScoreChange:
    """A metric's scores before and after a change; NaN where undefined."""

    metric: Metric = field("text", "Key of the metric.", part="key")
    before: float = field("points", "Corpus score of the output.")
    after: float = field("points", "Corpus score after the change.")

    @derived("difference", "After minus before.", label="difference")
    def delta(self) -> float:
        """After minus before, on the whole corpus."""
        return self.after - self.before

    before_changed: float = field(
        "points", "Score of the output on the changed segments alone.", label="changed segments before"
    )
    after_changed: float = field(
        "points", "Score on the changed segments alone, after the change.", label="changed segments after"
    )

    @derived("difference", "After minus before, on the changed segments alone.", label="changed segments difference")
    def delta_changed(self) -> float:
        """After minus before, on the changed segments."""
        return self.after_changed - self.before_changed

    @derived(REASON, only="json")
    def reason(self) -> str:
        """Why a difference is undefined; empty if both are defined."""
        return self.metric.undefined if math.isnan(self.delta) or math.isnan(self.delta_changed) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The result of a probe on a system's output.

    Attributes:
        probe: the probe.
        system: its name.
        change: the texts before and after.
        rows: the positions of the changed segments, from 0.
        tokens_before: of the changed segments, by the tokeniser in use.
        tokens_after: likewise.
        scores: by each metric; empty if nothing is changed.
    """

    probe: Probe
    system: str
    change: Change
    rows: tuple[int, ...]
    tokens_before: int
    tokens_after: int
    scores: tuple[ScoreChange, ...]

    @property
    def doing(self) -> str:
        """The description of the change, as the subject of a sentence."""
        return self.probe.doing.format(self.change.replacement)


def probe_system(
    data: DiagnosticInput,
    system: str,
    *,
    keys: Sequence[str] = tuple(PROBES),
    metrics: Sequence[str] = (DEFAULT_METRIC,),
    language: str | None = None,
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Probed, ...]:
    """Change a system's output by each probe, and score it before and after.

    Args:
        data: the texts, and the counts of the systems against the references in use.
        system: its name.
        keys: of the probes.
        metrics: keys of the metrics.
        language: of the references (ISO 639-1); guessed if None.
        seed: of the draws of each probe.
        progress: called with the scores computed and their total, a step per change and metric.

    Raises:
        SettingsError: a probe, metric, system or language is unknown.
    """
    check_draws(seed)
    check_language(language)
    if system not in data.systems:
        raise SettingsError(f"system {system!r} found, one of {', '.join(data.systems)} expected")
    chosen_metrics = [find_metric(key) for key in metrics]
    language_in_use = guessed_language(data) if language is None else language
    changes = [
        (probe, change)
        for probe in map(find_probe, keys)
        for change in probe.change(Task(data=data, system=system, language=language_in_use, seed=seed, key=probe.key))
    ]
    scores = _Scores(data, system)
    steps = len(changes) * max(len(chosen_metrics), 1)
    results: list[Probed] = []
    for number, (probe, change) in enumerate(changes):
        scored: list[ScoreChange] = []
        for done, metric in enumerate(chosen_metrics):
            if progress:
                progress(number * len(chosen_metrics) + done, steps)
            if not change.reason:
                scored.append(scores.change(metric, change))
        rows = () if change.reason else change.rows
        before, after = (scores.tokens(change, [text[row] for row in rows]) for text in (change.before, change.after))
        results.append(
            Probed(
                probe=probe,
                system=system,
                change=change,
                rows=rows,
                tokens_before=before,
                tokens_after=after,
                scores=tuple(scored),
            )
        )
    if progress:
        progress(steps, steps)
    return tuple(results)


def check_language(language: str | None) -> None:
    """Check that a language is known.

    Raises:
        SettingsError: it is not.
    """
    if language is not None and language not in known_languages():
        raise SettingsError(f"language {language!r} found, one of {', '.join(known_languages())} expected")


class _Scores:
    """The scores of a system before and after changes; those before are computed once."""

    def __init__(self, data: DiagnosticInput, system: str) -> None:
        self._data, self._system = data, system
        self._before: dict[tuple[str, bool, tuple[str, ...]], SegmentStatistics] = {}
        self._tokenized: dict[str, tuple[str | None, ...]] = {}

    def change(self, metric: Metric, change: Change) -> ScoreChange:
        """Score the texts of a change; segments that are not changed are not scored again."""
        rows = list(change.rows)
        key = (metric.key, change.tokenized, change.references)
        if key not in self._before:
            self._before[key] = self._statistics(metric, change, range(len(change.before)), change.before)
        before = self._before[key]
        changed = self._statistics(metric, change, rows, [change.after[row] for row in rows])
        values = np.array(before.values, np.result_type(before.values, changed.values))
        values[:, rows] = changed.values
        tables = (before, replace(before, values=values), before.subset(rows), changed)
        scores = (float(table.score(table.sums())[0]) for table in tables)
        return ScoreChange(
            metric=metric, **dict(zip(("before", "after", "before_changed", "after_changed"), scores, strict=True))
        )

    def tokens(self, change: Change, texts: Sequence[str]) -> int:
        """Return the number of tokens of texts of a change."""
        return int(token_counts(texts, self._settings(change).counting).sum()) if texts else 0

    def _settings(self, change: Change) -> BleuSettings:
        settings = self._data.evaluation.settings
        return replace(settings, tokenizer="none") if change.tokenized else settings

    def _statistics(
        self, metric: Metric, change: Change, rows: Sequence[int], texts: Sequence[str]
    ) -> SegmentStatistics:
        """Return the statistics of some segments with the given texts."""
        corpus = self._data.corpus
        references = {name: self._reference(name, tokenized=change.tokenized) for name in change.references}
        part = replace(corpus, systems={}, references=references).subset(rows)
        part = replace(part, systems={self._system: tuple(texts)})
        evaluation = evaluate(part, self._settings(change))
        return score_metric(part, evaluation, metric.key).statistics

    def _reference(self, name: str, *, tokenized: bool) -> tuple[str | None, ...]:
        texts = self._data.corpus.references[name]
        if not tokenized:
            return texts
        if name not in self._tokenized:
            self._tokenized[name] = tokenized_text(texts, self._data.evaluation.settings.counting)
        return self._tokenized[name]
