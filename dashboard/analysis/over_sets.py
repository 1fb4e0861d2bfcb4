"""Systems over all test sets of a session, by one metric: scores, mean scores, and differences pooled over sets.

N-grams are counted, and texts resampled, once per test set, with the same functions as on pages of one test set.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType

import numpy as np

from bleu_core.agreement import BLEU, SENTINELS
from bleu_core.arrays import Floats
from bleu_core.collection import (
    AgreementOverSets,
    CorrectedOver,
    EvaluatedSet,
    GroupsOverSets,
    Level,
    RatedTestSet,
    ScoredSet,
    ScoresOverSets,
    TestSet,
    agreement_over_sets,
    corrected,
    default_resamples,
    groups_of,
    groups_over_sets,
    score_over_sets,
    set_languages,
)
from bleu_core.diagnostics import Finding, obstruction
from bleu_core.errors import AlignmentError, BleuCoreError
from bleu_core.inference import ALPHA, SEED, Correction
from bleu_core.progress import Progress
from bleu_core.results.headlines import SliceChosen
from bleu_core.results.test_sets import CollectionReport, NextSet, collection_report, next_set, obstructed_over
from bleu_core.scoring import Metric
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.available_metrics import (
    default_metrics,
    rankable_metrics,
    scorable_metrics,
    score_rated_systems,
)
from dashboard.analysis.ratings_in_use import RatingsInUse, ratings_or_none, raw_ratings
from dashboard.analysis.scores import SystemScores, compared_by, metrics_on_offer, score_systems
from dashboard.analysis.shared import Fingerprinted, Sums, resampled_scores
from dashboard.analysis.trust_warnings import assessment_of
from dashboard.analysis.view import MissingDataError, View, view_of
from dashboard.session import Selection

#: Minimum number of test sets of a comparison over test sets.
MIN_SETS = 2

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsInUse:
    """The test sets under the settings, the slice and the choices in force.

    Attributes:
        views: name of a test set -> its view.
        left_out: name of a test set that cannot be used -> the reason.
    """

    views: Mapping[str, View]
    left_out: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def languages(self) -> Mapping[str, str]:
        """Name of a test set -> its language pair; empty if it is unknown."""
        return {name: set_languages(name, (view.whole or view).workspace) for name, view in self.views.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class OverSetsOptions:
    """Options of comparisons over test sets.

    Attributes:
        metric: the label of the metric.
        baseline: the system from which differences in cells are; empty for none.
        corrected_over: the differences for which p-values in cells are corrected together.
        alpha: the level of significance.
        resamples: of each test set; None for the default.
        seed: of the draws.
    """

    metric: str
    baseline: str = ""
    corrected_over: CorrectedOver = "column"
    alpha: float = ALPHA
    resamples: int | None = None
    seed: int = SEED


@dataclass(frozen=True, kw_only=True)  # without slots, which would exclude cached properties
class SetSums:
    """The systems of a test set under a metric: the input of comparisons over sets.

    Attributes:
        name: of the test set.
        sums: of all systems.
        compared: the systems that are compared.
        language: the code of the target language; empty if it is unknown.
        missing: systems whose output cannot be used, with the reasons.
    """

    name: str
    sums: Sums
    compared: tuple[str, ...]
    language: str = ""
    missing: tuple[tuple[str, str], ...] = ()

    @cached_property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """The fingerprint for caches."""
        return self.name, self.sums.fingerprint, self.compared, self.language, self.missing

    @property
    def not_ranked(self) -> tuple[str, ...]:
        """The systems that are not compared."""
        return tuple(name for name in self.sums.table.systems if name not in self.compared)

    def scored(self, draws: Floats | None = None) -> ScoredSet:
        """Return the scores of the systems, with those of resamples, if given."""
        return ScoredSet(
            name=self.name,
            scored=self.sums.scored,
            target_language=self.language,
            not_ranked=self.not_ranked,
            missing=dict(self.missing),
            draws=draws,
        )

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Return the scores of resamples, (K, resamples); those of compared systems are shared with other pages."""
        draws = np.empty((len(self.sums.table.systems), resamples))
        for names in filter(None, (self.compared, self.not_ranked)):
            sums = self.sums.select(names)
            places = [self.sums.table.systems.index(name) for name in names]
            draws[places] = resampled_scores(sums.scope, sums, resamples, seed, by_documents=False)
        return draws


@dataclass(frozen=True, slots=True, kw_only=True)
class OverSets:
    """The results of systems over test sets by one metric.

    Attributes:
        sets: the test sets.
        options: of the comparison.
        used: the test sets with scores by the metric.
        results: of these.
        left_out: name of a test set that is not used -> the reason.
    """

    sets: SetsInUse
    options: OverSetsOptions
    used: tuple[SetSums, ...]
    results: ScoresOverSets
    left_out: Mapping[str, str]

    @property
    def scope(self) -> Hashable:
        """The scope of the data."""
        return _scope(self.used)

    @property
    def metric(self) -> Metric:
        """The metric of the scores."""
        return self.results.scored.metric

    @property
    def slice_chosen(self) -> SliceChosen | None:
        """When the slice was chosen, before or after its results were seen; None without a slice."""
        return next((view.slice_chosen for view in self.sets.views.values()), None)

    @property
    def compared(self) -> tuple[str, ...]:
        """The compared systems, the best mean first."""
        return tuple(row.system for row in self.results.systems)

    @property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """The fingerprint for caches of differences, which neither the level nor the correction changes."""
        return tuple(each.fingerprint for each in self.used), self.options.seed, self.results.resamples


def sets_in_use(
    workspaces: Mapping[str, Workspace],
    select: Callable[[str, Workspace], Selection],
    progress: Progress | None = None,
) -> SetsInUse:
    """Return the test sets under the settings; one that cannot be used is left out with the reason.

    Args:
        workspaces: name of a test set -> its data.
        select: returns the selection for a test set of a name and its data.
        progress: called with the number of test sets done and in all.
    """
    views: dict[str, View] = {}
    left_out: dict[str, str] = {}
    for number, (name, workspace) in enumerate(workspaces.items()):
        if progress is not None:
            progress(number, len(workspaces))
        try:
            views[name] = view_of(workspace, select(name, workspace))
        except BleuCoreError as error:
            left_out[name] = str(error).removesuffix(".")
    return SetsInUse(views=views, left_out=left_out)


def metrics_over_sets(sets: SetsInUse) -> Mapping[str, Metric]:
    """Return label -> metric, of all by which systems of some test set can be scored; BLEU first."""
    metrics: dict[str, Metric] = {}
    for view in sets.views.values():
        for label, metric in metrics_on_offer(view).items():
            metrics.setdefault(label, metric)
    return metrics


def systems_over_sets(sets: SetsInUse) -> tuple[str, ...]:
    """Return the compared systems of any test set, in the order in which they appear."""
    return tuple(dict.fromkeys(name for view in sets.views.values() for name in view.compared.systems))


def compare_over_sets(sets: SetsInUse, options: OverSetsOptions) -> OverSets:
    """Score and compare the systems over all test sets that have scores by the metric.

    Raises:
        MissingDataError: no test set has any.
        BleuCoreError: no test set has the baseline.
    """
    used: list[SetSums] = []
    left_out = dict(sets.left_out)
    for name, view in sets.views.items():
        scores = _scores_by(view, options.metric)
        if isinstance(scores, str):
            left_out[name] = scores
            continue
        languages = set_languages(name, (view.whole or view).workspace)
        compared = compared_by(view, scores.metric.key)
        target = TestSet(name=name, files=(), languages=languages).target_language
        missing = tuple((text.name, text.reason) for text in view.workspace.missing)
        used.append(SetSums(name=name, sums=scores.sums, compared=compared, language=target, missing=missing))
    if not used:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise MissingDataError(f"No test set has scores by {options.metric} ({reasons}).")
    known = tuple(used)
    results = _compared(
        _scope(known), known, options.baseline, resamples=options.resamples, seed=options.seed, alpha=options.alpha
    )
    results = replace(results, sets=tuple(each.scored() for each in known))
    over = OverSets(
        sets=sets,
        options=options,
        used=known,
        results=corrected([results], options.corrected_over)[0],
        left_out=left_out,
    )
    alarms = obstructed_sets(over)
    return replace(over, results=obstructed_over(over.results, alarms)) if alarms else over


def _scores_by(view: View, label: str) -> SystemScores | str:
    """Return the systems of a test set under a metric, or the reason why there are no scores."""
    metric = metrics_on_offer(view).get(label)
    if metric is None:
        return f"no scores by {label}"
    try:
        return score_systems(view, metric.key)
    except BleuCoreError as error:
        return str(error)


def _scope(sets: Iterable[SetSums]) -> Hashable:
    return session.joint_scope(each.sums.scope for each in sets)


@session.cached("Comparing systems over test sets", "test sets")
def _compared(
    progress: Progress,
    sets: tuple[SetSums, ...],
    baseline: str,
    *,
    resamples: int | None,
    seed: int,
    alpha: float,
) -> ScoresOverSets:
    number = default_resamples([each.scored() for each in sets]) if resamples is None else resamples
    drawn: list[ScoredSet] = []
    for place, each in enumerate(sets):
        progress(place, len(sets))
        drawn.append(each.scored(each.resampled(number, seed)))
    progress(len(sets), len(sets))
    results = score_over_sets(drawn, baseline=baseline, resamples=number, seed=seed, alpha=alpha)
    return replace(results, sets=())  # which are cached by themselves


def next_set_of(over: OverSets, system: str, baseline: str) -> NextSet:
    """Return the difference of two systems pooled over the test sets that have both, and its prediction."""
    return _pooled(over.scope, Fingerprinted(value=over, fingerprint=over.fingerprint), system, baseline)


@session.cached("Pooling differences over test sets", "test sets")
def _pooled(_: Progress, over: Fingerprinted[OverSets], system: str, baseline: str) -> NextSet:
    results, seed = over.value.results, over.value.options.seed
    drawn = [
        each.scored(each.resampled(results.resamples, seed) if {system, baseline} <= set(each.compared) else None)
        for each in over.value.used
    ]
    return next_set(replace(results, sets=tuple(drawn)), system, baseline)


def pairs_of_next_set(over: OverSets) -> tuple[str, str] | None:
    """Return the default pair: the best system and the baseline, or the best two; None without two systems.

    Without mean scores, it is the pair of systems that share most test sets.
    """
    ranked, baseline = over.compared, over.options.baseline
    if len(ranked) < 2:  # noqa: PLR2004 # a pair
        return None
    pairs = (
        [(name, baseline) for name in ranked if name != baseline] if baseline in ranked else [*combinations(ranked, 2)]
    )
    if not over.results.mean_reason:
        return pairs[0]
    sets_of = {name: {each.name for each in over.used if name in each.compared} for name in ranked}
    return max(pairs, key=lambda pair: len(sets_of[pair[0]] & sets_of[pair[1]]))


def obstructed_sets(over: OverSets) -> Mapping[str, Finding]:
    """Return for each test set on which the compared systems are not comparable the open alarm that says why."""
    alarms = {
        each.name: obstruction(
            assessment_of(over.sets.views[each.name], {over.metric.key: over.metric.basis}).open,
            over.metric.basis,
            each.compared,
            over.sets.views[each.name].evaluation.references,
            metric=over.metric.key,
        )
        for each in over.used
    }
    return {name: alarm for name, alarm in alarms.items() if alarm is not None}


def report_over_sets(over: OverSets, groups: GroupsOverSets | None = None) -> CollectionReport:
    """Return the JSON of `bleu-core table` for these results, with groups of runs, if given."""
    key = over.metric.key
    names = {each.name: each for each in over.used}
    drawn = {each.name: each.scored(each.resampled(over.results.resamples, over.options.seed)) for each in over.used}
    sets: list[EvaluatedSet] = []
    for name, view in over.sets.views.items():
        workspace = (view.whole or view).workspace
        has_scores = name in names
        sets.append(
            EvaluatedSet(
                test_set=TestSet(name=name, files=(), languages=set_languages(name, workspace)),
                workspace=view.workspace,
                evaluation=view.evaluation,
                assessment=assessment_of(view, {over.metric.key: over.metric.basis}),
                scored={key: drawn[name]} if has_scores else {},
                reasons={} if has_scores else {key: over.left_out[name]},
            )
        )
    expression = next((view.selection.expression for view in over.sets.views.values()), "")
    return collection_report(
        sets,
        [replace(over.results, sets=tuple(drawn.values()))],
        seed=over.options.seed,
        expression=expression,
        groups=[] if groups is None else [(over.results.scored, groups)],
    )


def has_ratings(sets: SetsInUse) -> bool:
    """Return whether some test set has ratings in use."""
    return any(ratings_or_none(view) is not None for view in sets.views.values())


def rankable_over_sets(sets: SetsInUse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of metrics that can be compared with judges on some test set, and those that are by default.

    Of the sentinel, systems have no score that is compared, so it is not among them.
    """
    labels: dict[str, None] = {}
    defaults: dict[str, None] = {}
    for ratings in _ratings(sets).values():
        labels |= dict.fromkeys(label for label in rankable_metrics(ratings) if label not in SENTINELS)
        defaults |= dict.fromkeys((BLEU, *default_metrics(ratings)))
    return tuple(labels), tuple(defaults)


def _ratings(sets: SetsInUse) -> Mapping[str, RatingsInUse]:
    """Return the ratings in use of each test set that has any."""
    found = {name: ratings_or_none(view) for name, view in sets.views.items()}
    return {name: ratings for name, ratings in found.items() if ratings is not None}


def adjusted_sets(sets: SetsInUse) -> tuple[str, ...]:
    """Return the test sets whose ratings are adjusted for judges."""
    return tuple(name for name, ratings in _ratings(sets).items() if ratings.adjusted)


def confounded_sets(sets: SetsInUse) -> tuple[tuple[str, RatingsInUse], ...]:
    """Return the test sets whose mean ratings may not be compared, with their ratings."""
    return tuple((name, ratings) for name, ratings in _ratings(sets).items() if ratings.policy.obstacle)


def confounded_ratings(sets: SetsInUse) -> RatingsInUse | None:
    """Return the ratings of the first test set whose judges are confounded with systems; None if there is none."""
    return next((ratings for ratings in _ratings(sets).values() if ratings.policy.confounded), None)


def agreement_of_sets(
    sets: SetsInUse,
    labels: Sequence[str],
    *,
    levels: Sequence[Level],
    correction: Correction,
    alpha: float,
    raw: bool = False,
) -> AgreementOverSets:
    """Rank metrics by their agreement with judges, averaged over test sets with equal weights.

    Args:
        sets: the test sets.
        labels: of the metrics.
        levels: of the tasks of each test set.
        correction: of p-values for the number of pairs.
        alpha: the level of significance.
        raw: whether ratings are not adjusted for judges, whatever the choice.

    Raises:
        AlignmentError: no test set has ratings by which metrics can be compared.
    """
    known = _ratings(sets)
    if raw:
        known = {name: raw_ratings(ratings) or ratings for name, ratings in known.items()}
    rated: list[RatedTestSet] = []
    fingerprints: list[Hashable] = []
    for name, view in sets.views.items():
        ratings = known.get(name)
        if ratings is None:
            rated.append(RatedTestSet(name=name, corpus=view.workspace.corpus, evaluation=view.evaluation, metrics=()))
            fingerprints.append(name)
            continue
        possible = [label for label in labels if label in rankable_metrics(ratings)]
        scorable, _ = scorable_metrics(ratings, possible)
        rated.append(
            RatedTestSet(
                name=name,
                corpus=ratings.view.workspace.corpus,
                evaluation=ratings.view.evaluation,
                metrics=tuple(score_rated_systems(ratings, label) for label in scorable),
                judgments=ratings.judgments,
                without=ratings.without,
            )
        )
        fingerprints.append((name, ratings.fingerprint, tuple(scorable)))
    result = _agreement(
        session.joint_scope(view.scope for view in sets.views.values()),
        Fingerprinted(value=tuple(rated), fingerprint=tuple(fingerprints)),
        tuple(levels),
        correction=correction,
        alpha=alpha,
    )
    if isinstance(result, str):
        raise AlignmentError(result)
    return result


@session.cached("Comparing metrics with judges over test sets", "trials")
def _agreement(
    progress: Progress,
    rated: Fingerprinted[tuple[RatedTestSet, ...]],
    levels: tuple[Level, ...],
    *,
    correction: Correction,
    alpha: float,
) -> AgreementOverSets | str:
    try:
        return agreement_over_sets(rated.value, levels=levels, correction=correction, alpha=alpha, progress=progress)
    except AlignmentError as error:  # cached, too
        return str(error)


def compare_runs(over: OverSets, patterns: Sequence[str]) -> GroupsOverSets:
    """Compare groups of runs by their mean scores over test sets.

    Args:
        over: the systems over test sets; the baseline can be a group or a system.
        patterns: NAME=PATTERN each.

    Raises:
        SettingsError: a pattern is wrong.
    """
    groups = groups_of(patterns, over.compared)
    known = Fingerprinted(value=over.results, fingerprint=over.fingerprint)
    named = tuple((name, tuple(runs)) for name, runs in groups.items())
    return _groups(over.scope, known, named, baseline=over.options.baseline, alpha=over.options.alpha)


@session.cached("Comparing groups of runs", "groups", typed=True)
def _groups(
    _: Progress,
    results: Fingerprinted[ScoresOverSets],
    groups: tuple[tuple[str, tuple[str, ...]], ...],
    *,
    baseline: str,
    alpha: float,
) -> GroupsOverSets:
    compared = {row.system for row in results.value.systems}
    chosen = [(each, [name for name in each.scored.systems if name in compared]) for each in results.value.sets]
    sets = [replace(each, scored=each.scored.select(names), draws=None) for each, names in chosen if names]
    return groups_over_sets(sets, dict(groups), baseline=baseline, alpha=alpha)
