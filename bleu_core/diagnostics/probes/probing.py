"""Probing a system: what is changed of its output, and its scores before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.language import KNOWN_LANGUAGES, guessed_language
from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.diagnostics.probes.register import PROBES, find_probe
from bleu_core.diagnostics.probes.tokens import tokenized_text
from bleu_core.errors import SettingsError
from bleu_core.inference import SEED, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import BleuSettings, Metric, SegmentStatistics, evaluate, find_metric, score_metric, token_counts


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """A metric's scores before and after a change, in points; NaN where undefined.

    Attributes:
        metric: which.
        before: of the whole corpus.
        after: of the whole corpus.
        before_changed: of the changed segments alone.
        after_changed: of the changed segments alone.
    """

    metric: Metric
    before: float
    after: float
    before_changed: float
    after_changed: float

    @property
    def delta(self) -> float:
        """After minus before, of the whole corpus."""
        return self.after - self.before

    @property
    def delta_changed(self) -> float:
        """After minus before, of the changed segments."""
        return self.after_changed - self.before_changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """What a probe has changed of a system's output.

    Attributes:
        probe: which.
        system: whose output.
        change: the texts before and after.
        rows: the positions of the changed segments, from 0.
        tokens_before: of the changed segments, as the tokeniser in use counts them.
        tokens_after: likewise.
        scores: by each metric; none where nothing is changed.
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
        """What is done to a segment, to begin a sentence."""
        return self.probe.doing.format(self.change.replacement)


def probe_system(
    data: DiagnosticInput,
    system: str,
    *,
    keys: Sequence[str] = tuple(PROBES),
    metrics: Sequence[str] = ("bleu",),
    language: str | None = None,
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Probed, ...]:
    """Change a system's output by each probe, and score it before and after.

    Args:
        data: the texts, and the counts of the systems against the references in use.
        system: whose output.
        keys: of the probes.
        metrics: keys of the metrics.
        language: of the references (ISO 639-1); guessed if None.
        seed: of the draws, which for each probe depend on it alone.
        progress: told how many scores are computed, for each change a step per metric.

    Raises:
        SettingsError: there is no such probe, metric, system or language.
    """
    check_draws(seed)
    check_language(language)
    if system not in data.systems:
        raise SettingsError(f"system {system!r} found, one of {', '.join(data.systems)} expected")
    chosen = [find_metric(key) for key in metrics]
    spoken = guessed_language(data) if language is None else language
    changes = [
        (probe, change)
        for probe in map(find_probe, keys)
        for change in probe.change(Task(data=data, system=system, language=spoken, seed=seed, key=probe.key))
    ]
    scores = _Scores(data, system)
    steps = len(changes) * max(len(chosen), 1)
    found: list[Probed] = []
    for number, (probe, change) in enumerate(changes):
        scored: list[ScoreChange] = []
        for done, one in enumerate(chosen):
            if progress:
                progress(number * len(chosen) + done, steps)
            if not change.reason:
                scored.append(scores.change(one, change))
        rows = () if change.reason else change.rows
        before, after = (scores.tokens(change, [text[row] for row in rows]) for text in (change.before, change.after))
        found.append(
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
    return tuple(found)


def check_language(language: str | None) -> None:
    """Check that a language can be named.

    Raises:
        SettingsError: it cannot.
    """
    if language is not None and language not in KNOWN_LANGUAGES:
        raise SettingsError(f"language {language!r} found, one of {', '.join(KNOWN_LANGUAGES)} expected")


class _Scores:
    """The scores of a system before and after changes; what is scored before is scored once."""

    def __init__(self, data: DiagnosticInput, system: str) -> None:
        self._material, self._system = data, system
        self._before: dict[tuple[str, bool, tuple[str, ...]], SegmentStatistics] = {}
        self._tokenized: dict[str, tuple[str | None, ...]] = {}

    def change(self, metric: Metric, change: Change) -> ScoreChange:
        """Score the texts of a change; segments that are not changed are not scored again."""
        rows = list(change.rows)
        key = (metric.key, change.tokenized, change.references)
        if key not in self._before:
            self._before[key] = self._table(metric, change, range(len(change.before)), change.before)
        before = self._before[key]
        of_changed = self._table(metric, change, rows, [change.after[row] for row in rows])
        whole = np.array(before.values, np.result_type(before.values, of_changed.values))
        whole[:, rows] = of_changed.values
        tables = (before, replace(before, values=whole), before.subset(rows), of_changed)
        found = (float(table.score(table.sums())[0]) for table in tables)
        return ScoreChange(
            metric=metric, **dict(zip(("before", "after", "before_changed", "after_changed"), found, strict=True))
        )

    def tokens(self, change: Change, texts: Sequence[str]) -> int:
        """The tokens of some texts of a change."""
        return int(token_counts(texts, self._settings(change).counting).sum()) if texts else 0

    def _settings(self, change: Change) -> BleuSettings:
        settings = self._material.evaluation.settings
        return replace(settings, tokenizer="none") if change.tokenized else settings

    def _table(
        self, metric_in_use: Metric, change: Change, rows: Sequence[int], texts: Sequence[str]
    ) -> SegmentStatistics:
        """The sums of some segments with these texts."""
        corpus = self._material.corpus
        references = {name: self._reference(name, tokenized=change.tokenized) for name in change.references}
        part = replace(corpus, systems={}, references=references).subset(rows)
        part = replace(part, systems={self._system: tuple(texts)})
        evaluation = evaluate(part, self._settings(change))
        return score_metric(part, evaluation, metric_in_use.key).statistics

    def _reference(self, name: str, *, tokenized: bool) -> tuple[str | None, ...]:
        texts = self._material.corpus.references[name]
        if not tokenized:
            return texts
        if name not in self._tokenized:
            self._tokenized[name] = tokenized_text(texts, self._material.evaluation.settings.counting)
        return self._tokenized[name]
