"""The systems of a test set under several metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from bleu_core.agreement import MetricScores
from bleu_core.collection.agreement import RatedTestSet
from bleu_core.collection.scores import ScoredSet
from bleu_core.collection.test_sets import TestSet
from bleu_core.dataset import Judgments, OptimisedSystem, optimised_for
from bleu_core.diagnostics import Assessment, DiagnosticInput, Finding, assess, obstruction
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.judges import Adjustment, RatingsPolicy, metric_of_ratings, ratings_in_force, ratings_policy
from bleu_core.progress import Progress
from bleu_core.scoring import (
    BUILT_IN_METRICS,
    DEFAULT_METRIC,
    DEFAULT_TOKENIZER,
    HUMAN,
    BleuEvaluation,
    BleuSettings,
    Count,
    Metric,
    count_ngrams,
    evaluate,
    find_metric,
    label_tables,
    metric_of_scores,
    score_metric,
    unavailable_tokenizer,
)
from bleu_core.slicing import slice_corpus
from bleu_core.uploads import Workspace


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluatedSet:
    """A test set, evaluated by BLEU and by metrics.

    Attributes:
        test_set: the test set.
        workspace: its data, of the slice if there is one.
        evaluation: its evaluation by BLEU.
        scored: key of a metric -> the systems under it, for the metrics that the set has.
        reasons: key of a metric -> why the set has no scores by it.
        unavailable: those of these metrics whose tokeniser is not installed.
        warnings: sentences about its files, without the name of the set.
        assessment: whether what is stated about its systems can be compared.
        find_ratings: returns its ratings, adjusted for judges if the policy says so, and the policy, which follows from
            the ratings of all segments.
    """

    test_set: TestSet
    workspace: Workspace
    evaluation: BleuEvaluation
    scored: Mapping[str, ScoredSet]
    reasons: Mapping[str, str]
    unavailable: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    assessment: Assessment = field(default_factory=Assessment)
    find_ratings: Callable[[], tuple[Judgments | None, RatingsPolicy]] = lambda: (None, RatingsPolicy())

    @property
    def name(self) -> str:
        """The name of the test set."""
        return self.test_set.name

    @property
    def ratings(self) -> tuple[Judgments | None, RatingsPolicy]:
        """The ratings, adjusted for judges if the policy says so, and the policy."""
        return self.find_ratings()


def evaluate_set(
    test_set: TestSet,
    workspace: Workspace,
    settings: BleuSettings,
    metrics: Sequence[str] = (),
    *,
    expression: str = "",
    optimised: Sequence[OptimisedSystem] = (),
    accepted: Sequence[str] = (),
    adjustment: Adjustment = "auto",
    count: Count = count_ngrams,
    progress: Progress | None = None,
) -> EvaluatedSet:
    """Evaluate the systems of a test set.

    Args:
        test_set: the test set.
        workspace: its data.
        settings: of BLEU, and of the metrics that share them. If the tokeniser cannot be used, the set has no scores
            by the metrics that depend on it.
        metrics: keys of registered metrics, labels of metrics whose scores are in files, or "human" for ratings; if
            empty, BLEU and all whose scores are in files.
        expression: of the slice; empty for the whole text.
        optimised: systems that are not ranked by the metric they were optimised for.
        accepted: keys of warnings that obstruct nothing here.
        adjustment: "raw" or "adjusted" for mean ratings as they are or adjusted for judges; "auto" to adjust them if
            judges are confounded with systems.
        count: as for `evaluate`.
        progress: called while n-grams are counted.

    Raises:
        AlignmentError: the set has no system or no reference that can be used, or its ratings cannot be adjusted as
            chosen.
        BleuCoreError: a metric fails, or the slice cannot be evaluated.
    """
    corpus = workspace.corpus
    if not corpus.systems or not corpus.references:
        what = "reference" if corpus.systems else "system output"
        raise AlignmentError(f"test set {test_set.name}: no {what} that can be used found, at least 1 expected")
    whole = workspace
    if expression:
        chosen = slice_corpus(
            expression, corpus, settings=settings, judgments=workspace.judgments, scores=workspace.scores
        )
        workspace = workspace.subset(chosen.rows)
        corpus = workspace.corpus
    unavailable = unavailable_tokenizer(settings.tokenizer)
    if unavailable:
        settings = replace(settings, tokenizer=DEFAULT_TOKENIZER)
    evaluation = evaluate(corpus, settings, count=count, progress=progress)
    humans = [human.system for human in workspace.human_translations]
    uploaded = label_tables(workspace.scores)
    names = list(dict.fromkeys(metrics)) or [
        DEFAULT_METRIC,
        *(label for label, table in uploaded.items() if table.level == "segment"),
    ]
    scored: dict[str, ScoredSet] = {}
    reasons: dict[str, str] = {}
    without_tokenizer: list[str] = []
    judgments, policy = workspace.judgments, RatingsPolicy()
    find_ratings = cache(partial(_ratings, workspace, whole, adjustment))
    for name in names:
        if reason := _why_without_scores(name, workspace):
            reasons[name] = reason
            continue
        if name == HUMAN:
            judgments, policy = find_ratings()
        metric = _metric(name, workspace, judgments, policy)
        if unavailable and "tokenizer" in metric.setting_names:
            reasons[name] = f"not available: {unavailable}"
            without_tokenizer.append(name)
            continue
        marked = [mark.system for mark in optimised_for(optimised, metric.key, metric.label)]
        scored[metric.key] = ScoredSet(
            name=test_set.name,
            scored=score_metric(corpus, evaluation, metric),
            target_language=test_set.target_language,
            missing={text.name: text.reason for text in workspace.missing},
            not_ranked=(*humans, *(name for name in marked if name in corpus.systems and name not in humans)),
        )
    return EvaluatedSet(
        test_set=test_set,
        workspace=workspace,
        evaluation=evaluation,
        scored=scored,
        reasons=reasons,
        unavailable=tuple(without_tokenizer),
        warnings=_warnings(workspace),
        assessment=_assessed(
            workspace, evaluation, judgments, [of_set.scored.metric for of_set in scored.values()]
        ).accepting(*accepted),
        find_ratings=find_ratings,
    )


def _ratings(workspace: Workspace, whole: Workspace, adjustment: Adjustment) -> tuple[Judgments | None, RatingsPolicy]:
    """Return the ratings of a workspace by the policy for all ratings of its data."""
    if workspace.judgments is None or whole.judgments is None:
        return None, RatingsPolicy()
    humans = {human.system for human in whole.human_translations}
    rated = [name for name in whole.judgments.systems if name not in humans]
    policy = ratings_policy(whole.judgments, rated, whole.corpus.documents, adjustment=adjustment)
    systems = [name for name in workspace.corpus.systems if name not in humans]
    return ratings_in_force(workspace.judgments, policy, systems, workspace.corpus.documents, adjustment=adjustment)


def _assessed(
    workspace: Workspace, evaluation: BleuEvaluation, judgments: Judgments | None, metrics: Iterable[Metric]
) -> Assessment:
    data = DiagnosticInput(workspace.corpus, evaluation, judgments, humans=workspace.human_translations)
    return assess(data, {metric.key: metric.basis for metric in metrics})


def obstructions(sets: Iterable[EvaluatedSet], metric: Metric, systems: Sequence[str]) -> Mapping[str, Finding]:
    """Return for each test set on which systems are not comparable by a metric the alarm that says why.

    Args:
        sets: the test sets.
        metric: the metric.
        systems: the compared systems.
    """
    alarms = {
        each.name: obstruction(
            each.assessment.open, metric.basis, systems, each.evaluation.references, metric=metric.key
        )
        for each in sets
        if metric.key in each.scored
    }
    return {name: alarm for name, alarm in alarms.items() if alarm is not None}


def rated_set(evaluated: EvaluatedSet) -> RatedTestSet:
    """Return a test set with its ratings and the metrics that are compared with them, all but the ratings."""
    workspace = evaluated.workspace
    tables = label_tables(workspace.scores)
    humans = {human.system: human.reason for human in workspace.human_translations}
    metrics: list[MetricScores] = []
    for key, scored_set in evaluated.scored.items():
        if key == HUMAN:
            continue
        scores = (
            replace(MetricScores.of_table(tables[key], workspace.corpus), name=key)
            if key in tables
            else MetricScores.of_metric(scored_set.scored)
        )
        optimised = [name for name in scored_set.not_ranked if name not in humans]
        metrics.append(scores.excluding(dict.fromkeys(optimised, "optimised for the metric")))
    return RatedTestSet(
        name=evaluated.name,
        corpus=workspace.corpus,
        evaluation=evaluated.evaluation,
        metrics=tuple(metrics),
        judgments=evaluated.ratings[0],
        without=humans,
    )


def by_metric(sets: Sequence[EvaluatedSet]) -> Mapping[str, tuple[ScoredSet, ...]]:
    """Return metric -> the test sets that have scores by it, in the order in which metrics appear."""
    keys = dict.fromkeys(key for evaluated in sets for key in evaluated.scored)
    return {key: tuple(evaluated.scored[key] for evaluated in sets if key in evaluated.scored) for key in keys}


def _metric(name: str, workspace: Workspace, judgments: Judgments | None, policy: RatingsPolicy) -> Metric:
    """Return the metric of a name: of the files, of the ratings, or registered."""
    uploaded, corpus = label_tables(workspace.scores), workspace.corpus
    if name in uploaded:
        return metric_of_scores(uploaded[name], label=name)
    if name == HUMAN and judgments is not None:
        return metric_of_ratings(judgments, corpus.segments, untested=policy.obstacle)
    return find_metric(name)


def _why_without_scores(name: str, workspace: Workspace) -> str:
    """Return why a test set has no scores by a metric, whatever the settings; empty if it has."""
    uploaded = label_tables(workspace.scores)
    if name in uploaded:
        return "" if uploaded[name].level == "segment" else "scores of whole systems only"
    if name == HUMAN:
        return "no ratings" if workspace.judgments is None else ""
    if name not in BUILT_IN_METRICS:
        try:
            find_metric(name)
        except SettingsError:
            return "no scores by this metric"
    metric = find_metric(name)
    return "" if metric.is_possible(workspace.corpus) else f"it needs {listed(metric.needs)}"


def _warnings(workspace: Workspace) -> tuple[str, ...]:
    """Return sentences about files that are not used, or only in part, and about decisions of their readers."""
    sentences = [entry.problem for entry in workspace.entries if entry.problem]
    sentences += [
        f"{entry.file.name}: {sentence}"
        for entry in workspace.entries
        if not entry.problem
        for sentence in (*entry.warnings, *(() if entry.report is None else entry.report.decisions))
    ]
    if workspace.incomplete:
        sentences.append(f"systems that lack segments: {listed(workspace.incomplete)}")
    return tuple(dict.fromkeys(sentences))
