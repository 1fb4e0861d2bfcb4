"""Scores, blocks and agreement with human judgments in plain language. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bleu_core.agreement import MIN_ENTRIES, TRIALS, Agreement
from bleu_core.dataset import (
    MIN_RATED_SEGMENTS,
    Judgments,
    RatedSegments,
    human_note,
    not_quality,
    optimised_for,
    optimised_note,
    plural,
)
from bleu_core.errors import as_sentence, enumeration, listed
from bleu_core.fields import MINUS, decimal
from bleu_core.inference import CONFIDENCE, BlockScores, significant
from bleu_core.results.significance import CORRECTION_NAMES
from bleu_core.results.table import format_cell
from bleu_core.scoring import Bleu, Decay, Metric, ScoredCorpus
from dashboard.words.formatting import INTERVAL, LEVEL, amount, coefficient, p_of, percent, signed

if TYPE_CHECKING:
    from bleu_core.agreement import MetricRanking, Robustness
    from dashboard.analysis import RatingsInUse, SegmentAgreement, SegmentDetails, View

#: Share of a metric's range: if larger differences count as ties, the metric hardly distinguishes segments.
MOSTLY_TIES = 0.5

#: Names of the coefficients by which metrics are ranked.
COEFFICIENTS: Mapping[str, str] = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau",
    "pairwise-accuracy": "pairwise accuracy",
    "acc-eq": "pairwise accuracy with ties calibrated",
}

GROUPING_HELP = (
    "by segment: the systems' translations of the same segment are compared, and the coefficient is averaged over "
    "segments. by system: the segments of one system are compared, and the coefficient is averaged over systems. "
    "all segments: all translations are compared at once."
)


#: Share of the segments up to which sentences say how few are rated.
FEW_RATED = 0.5


def undefined_scores(scored: ScoredCorpus) -> str:
    """Name the systems without a score, and the reason; empty when all have one."""
    names = [name for name, score in zip(scored.statistics.systems, scored.scores, strict=True) if math.isnan(score)]
    return f"{scored.label} of {listed(names)} is undefined: {scored.metric.undefined}." if names else ""


def not_tested(system: str, baseline: str, reason: str) -> str:
    """State why two systems are not tested."""
    return f"The difference of {system} and {baseline} is not tested: {reason}."


def undefined_resamples(scored: ScoredCorpus) -> str:
    """Explain why two systems cannot be compared by resampling."""
    return f"The {scored.label} of some resamples or blocks is undefined: {scored.metric.undefined}."


def pair_problem(scored: ScoredCorpus, system: str, baseline: str) -> str:
    """Explain why a system cannot be compared with a baseline; empty if it can."""
    return undefined_scores(scored) or ("Choose two different systems." if system == baseline else "")


def agreement_with_people(result: Agreement) -> str:
    """Describe how well a metric agrees with the judges on the order of systems."""
    accuracy = result.pairwise_accuracy
    if not accuracy.pairs:
        return "Only one system has both a score and ratings, so there are no pairs of systems to compare."
    if result.rated is not None and result.rated.too_few:
        return too_few_rated(result.rated, f"{result.metric} agrees with the judges")
    text = f"{result.metric} and the judges order {accuracy.agreeing} of {accuracy.pairs} pairs of systems the same way"
    if result.pearson.reason:
        return f"{text}; the correlation is undefined: {result.pearson.reason}.{_whole_systems(result.rated)}"
    interval = result.pearson.interval
    spans_zero = interval.low <= 0 <= interval.high
    few = f"; {len(result.systems)} systems are too few to exclude that the correlation is zero"
    doubt = few if spans_zero else ""
    return (
        f"{text}. Pearson's r = {coefficient(result.pearson.coefficient)} over {len(result.systems)} systems "
        f"({INTERVAL} {coefficient(interval.low)} to {coefficient(interval.high)}){doubt}."
        f"{_whole_systems(result.rated)}"
    )


def share_rated(rated: RatedSegments | None, segments: int) -> str:
    """State how many ratings a claim about judges is based on, if at most half of the segments are rated; else empty.

    Args:
        rated: how many segments are rated.
        segments: of the text.
    """
    if rated is None or rated.fewest is None or rated.segments > FEW_RATED * segments:
        return ""
    ratings = f"{rated.ratings:,} {plural(rated.ratings, 'rating')}"
    return f"This rests on {ratings} of {rated.segments:,} of {segments:,} segments."


def too_few_rated(rated: RatedSegments, claim: str) -> str:
    """State that too few segments are rated for a claim about judges.

    Args:
        rated: how many are.
        claim: the claim that is not supported, such as "BLEU agrees with the judges".
    """
    return f"{rated.statement}, too few to say whether {claim}: at least {MIN_RATED_SEGMENTS} are needed."


def _whole_systems(rated: RatedSegments | None) -> str:
    """Return a remark where whole systems are rated, without segments."""
    return f" {rated.note}" if rated is not None and rated.fewest is None else ""


def agreement_by_segment(agreement: SegmentAgreement) -> str:
    """Describe how well a metric agrees with the judges on single segments."""
    metric, level = agreement.metric, agreement.level
    kendall = {c.grouping: c for c in level.correlations[metric] if c.method == "kendall"}
    by_segment, pooled, accuracy = kendall["item"], kendall["none"], level.calibrated[metric]
    few = ""
    if level.rated is not None and level.rated.too_few:
        few = too_few_rated(level.rated, f"{metric} agrees with the judges")
    if few and not by_segment.reason:
        return few
    if not by_segment.reason:
        tau = (
            f"Kendall's tau by segment is {coefficient(by_segment.coefficient)} "
            f"(mean of {by_segment.groups:,} {plural(by_segment.groups, 'segment')})"
        )
        share, threshold = percent(accuracy.accuracy), f"{accuracy.threshold:.3g}"
        x = agreement.points.x
        if accuracy.threshold > MOSTLY_TIES * float(x.max() - x.min()):
            return (
                f"{metric} barely distinguishes translations of the same segment: it agrees with the judges on {share} "
                f"of pairs at most, where differences up to {threshold} count as ties. {tau}."
            )
        ties = f" ({metric} differences up to {threshold} count as ties)" if accuracy.threshold else ""
        return f"{metric} and the judges agree on {share} of pairs of translations of the same segment{ties}. {tau}."
    single = len(level.systems) == 1
    why = "there is only one system" if single else _by_segment(by_segment.reason)
    if pooled.reason:
        return (
            f"Translations of the same segment cannot be compared: {why}. All segments together cannot either: "
            f"{_pooled(pooled.reason)}."
        )
    if few:
        return f"{few} Translations of the same segment cannot be compared: {why}."
    return (
        f"Over all segments, {metric} and the ratings have Kendall's tau = {coefficient(pooled.coefficient)} "
        f"(p {p_of(pooled.p_value)}). Translations of the same segment cannot be compared: {why}."
    )


def segment_scores(reading: SegmentDetails) -> str:
    """Describe the scores and the mean rating of a segment, one per line."""
    return "\n".join(_of_segment(*score) for score in reading.scores)


def _of_segment(name: str, decimals: int, value: float, percentile: float) -> str:
    if math.isnan(value):
        return f"{name}: undefined"
    among = "" if math.isnan(percentile) else f" (percentile {format_cell(100 * percentile, 'percent')})"
    return f"{name}: {decimal(value, decimals)}{among}"


def _by_segment(reason: str) -> str:
    """Return a reason about groups in terms of the translations of a segment."""
    return {
        "no group has two entries with both scores": "no segment has two translations with both scores and ratings",
        "all metric scores of a group are the same, in every group": "all scores of a segment are the same",
        "all ratings of a group are the same, in every group": "all ratings of a segment are the same",
    }.get(reason, "all scores or all ratings of a segment are the same")


def _pooled(reason: str) -> str:
    """Return a reason about groups in terms of all segments together."""
    return {
        "all metric scores of a group are the same, in every group": "all scores are the same",
        "all ratings of a group are the same, in every group": "all ratings are the same",
    }.get(reason, reason)


def systems_of_decay(systems: Sequence[str], decays: Sequence[Decay]) -> tuple[str, ...]:
    """Return the system whose precision falls slowest and the one whose falls fastest; fewer if fewer are fitted."""
    fitted = [(d.retention, name) for name, d in zip(systems, decays, strict=True) if not d.reason]
    return (max(fitted)[1], min(fitted)[1]) if fitted[1:] else tuple(name for _, name in fitted)


def precision_kept(systems: tuple[str, ...], scores: Bleu, decays: tuple[Decay, ...]) -> str:
    """State which system's precision falls slowest from one order to the next, and which fastest."""
    named = systems_of_decay(systems, decays)
    retention = {name: d.retention for name, d in zip(systems, decays, strict=True)}
    if not named:
        return "No system has matches at two or more orders, so no decay can be fitted."
    if len(named) == 1:
        return f"Each longer n-gram order keeps {percent(retention[named[0]])} of {named[0]}'s precision."
    best, worst = named
    max_retention, min_retention = retention[best], retention[worst]
    at_every = scores.precisions[systems.index(best)] >= scores.precisions.max(axis=0)
    everywhere = f" {best} has the highest precision at every order." if at_every.all() else ""
    return (
        f"{best}'s precision falls slowest: each longer n-gram order keeps {percent(max_retention)} of the precision. "
        f"{worst}'s falls fastest ({percent(min_retention)}).{everywhere}"
    )


def spread_of_blocks(result: BlockScores, *, tested: bool = True) -> str:
    """Describe how much block scores vary, and how many pairs of neighbours differ.

    Args:
        result: the scores.
        tested: whether differences are tested; not in a slice that was chosen for its results.
    """
    blocks = len(result.blocks.names)
    if blocks == 1:
        return "There is only one block, so the spread over blocks is undefined."
    best, metric = result.systems[-1], result.metric
    if np.isnan(result.scores).any():
        return f"The {metric.label} of some blocks is undefined: {metric.undefined}."
    text = (
        f"Over {blocks} blocks, {best} has a mean score of {amount(result.means[-1], metric)} (standard deviation "
        f"{decimal(result.standard_deviations[-1], metric.decimals)})."
    )
    if not result.pairs or not tested:
        return text
    clear = sum(significant(p.test.p_value) for p in result.pairs)
    if len(result.pairs) == 1:
        differ = "differ" if clear else "do not differ"
        return f"{text} The two systems {differ} significantly ({LEVEL}, two-sided paired t)."
    count = str(clear) if clear else "None"
    differ = "differ" if clear > 1 else "differs"
    return (
        f"{text} {count} of {len(result.pairs)} pairs of neighbours {differ} significantly ({LEVEL}, two-sided paired "
        "t, not corrected for their number)."
    )


def division_into_blocks(result: BlockScores) -> str:
    """Describe how the text was divided, and name blocks that are short or score 0."""
    sizes = result.blocks.sizes
    even = f"{sizes[0]}" if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    text = f"{len(sizes)} blocks of {even} segments."
    if result.short_block:
        text += f" The last block has only {sizes[-1]} {plural(sizes[-1], 'segment')}."
    zero = int(result.zero_blocks.sum())
    if zero and result.metric.from_ngram_counts:
        text += (
            f" {zero} block {plural(zero, 'score')} {'is' if zero == 1 else 'are'} 0 because some order has no "
            "matching n-gram there."
        )
    return text


def optimised_systems(view: View) -> str:
    """Name the systems that are not ranked by the metric they were optimised for; empty without any."""
    return as_sentence(optimised_note(view.optimised))


def optimised_but_shown(view: View, metric: Metric, systems: Sequence[str]) -> str:
    """Say which of the shown systems were optimised for the metric that they are shown with; empty without any."""
    marked = {mark.system for mark in optimised_for(view.optimised, metric.key, metric.label)}
    note = not_quality([name for name in systems if name in marked], metric.label)
    return f"{note}." if note else ""


def human_translations(view: View) -> str:
    """Name the systems that are human translations, and say whether they are ranked; empty without any."""
    note = human_note(view.humans) or human_note(view.ranked_humans, ranked=True)
    if not note:
        return ""
    own = tuple(dict.fromkeys(human.reference for human in view.ranked_humans if human.reference))
    without = f" {enumeration(own)} {'is' if len(own) == 1 else 'are'} not used as a reference." if own else ""
    alone = " No other system is selected." if view.has_humans_only else ""
    return f"{as_sentence(note)}{without}{alone}"


def ratings_in_use(judgments: Judgments) -> str:
    """State how many ratings there are, and by whom."""
    rated, named = judgments.rated, judgments.of_named_judges
    averages = rated["origin"].isin(list(judgments.averages))
    parts: list[str] = []
    if named.any():
        judges = len(rated.loc[named, ["group", "judge"]].drop_duplicates())
        parts.append(f"{named.sum():,} {plural(int(named.sum()), 'rating')} by {judges:,} {plural(judges, 'judge')}")
    if averages.any():
        count = int(averages.sum())
        of = "system" if rated.loc[averages, "segment"].isna().all() else "segment"
        parts.append(f"{count:,} {of} {plural(count, 'score')} (judges not named)")
    unnamed = int((~named & ~averages).sum())
    if unnamed:
        parts.append(f"{unnamed:,} {plural(unnamed, 'rating')}, judges not named")
    return ", ".join(parts)


def no_judge_is_named(judgments: Judgments) -> str:
    """Explain what ratings without judge names cannot show; empty where some have names."""
    if judgments.named:
        return ""
    what = "averages over several judges" if judgments.averages else "ratings"
    return f"The files give {what} without judge names, so per-judge statistics are not available."


def who_rated(ratings: RatingsInUse) -> str:
    """Describe how many ratings, judges and rated segments there are, and name systems that are human translators."""
    judges = ratings.judgments.judge_count
    loaded = ratings.view.workspace.judgments
    all_judges = loaded.judge_count if loaded is not None else judges
    text = ratings_in_use(ratings.judgments)
    if judges < all_judges:
        text += f" ({judges} of {all_judges} judges)"
    all_segments = ratings.view.workspace.corpus.segments
    count = int(ratings.judgments.rated["segment"].nunique())
    if 0 < count < all_segments:
        text += f", of {count:,} of {all_segments:,} segments"
    changed = ["standardised per judge"] if ratings.standardised else []
    changed += ["adjusted for judges"] if ratings.adjusted else []
    text += f"; ratings are {' and '.join(changed)}." if changed else "."
    if ratings.humans:
        text += f" Human translators: {', '.join(ratings.humans)}."
    return text


def regression_line(result: Agreement) -> str:
    """Give the regression line as an equation."""
    line = result.line
    if line.reason:
        return f"The regression line is undefined: {line.reason}."
    return (
        f"Regression: mean rating = {decimal(line.intercept, 3)} {'+' if line.slope >= 0 else MINUS} "
        f"{abs(line.slope):.3f} × {result.metric}, with its {100 * CONFIDENCE:g}% confidence band."
    )


def flipped_signs(metrics: Sequence[str]) -> str:
    """Explain how to read the coefficients of metrics for which lower is better; empty if there are none."""
    if not metrics:
        return ""
    its = "its sign is" if len(metrics) == 1 else "their signs are"
    return f"Lower {enumeration(metrics)} is better; {its} flipped, so positive coefficients mean agreement."


def change_without(result: Agreement, without: Agreement | None, excluded: Sequence[str]) -> str:
    """Describe how Pearson's r changes when some systems are excluded."""
    names = ", ".join(excluded)
    if without is None:
        return f"Without {names}, fewer than {MIN_ENTRIES} systems are left, so the correlation is undefined."
    if result.pearson.reason or without.pearson.reason:
        return f"Without {names}, the correlation is undefined: {without.pearson.reason or result.pearson.reason}."
    before, after = result.pearson.coefficient, without.pearson.coefficient
    return (
        f"Without {names} (hollow; dashed line), Pearson's r is {coefficient(after)} instead of {coefficient(before)} "
        f"({signed(after - before)})."
    )


def coefficients_without_each(robustness: Robustness) -> dict[str, str]:
    """Return system -> a phrase with Pearson's r without it."""
    pearson = robustness.leave_one_out[0]
    return {
        name: ""
        if math.isnan(value)
        else f"without it, Pearson's r = {coefficient(value)} ({signed(value - pearson.coefficient)})"
        for name, value in zip(robustness.systems, pearson.without.tolist(), strict=True)
    }


def decisive_system(robustness: Robustness) -> str:
    """Name the system that influences Pearson's r most."""
    pearson = robustness.leave_one_out[0]
    changes = {
        name: change
        for name, change in zip(robustness.systems, pearson.changes.tolist(), strict=True)
        if not math.isnan(change)
    }
    if not changes:
        reason = pearson.reason or f"fewer than {MIN_ENTRIES} systems would be left"
        return f"The influence of single systems is undefined: {reason}."
    decisive = max(changes, key=lambda name: (abs(changes[name]), name))
    by = signed(changes[decisive])
    if by == signed(0):
        by = "less than 0.01"
    text = f"{decisive} influences Pearson's r most: without it, r changes by {by}."
    if not robustness.outlying:
        return f"{text} {no_outlier(robustness)}"
    verb = "are outliers" if len(robustness.outlying) > 1 else "is an outlier"
    return f"{text} {', '.join(robustness.outlying)} {verb} by mean rating."


def no_outlier(robustness: Robustness) -> str:
    """State that no system is an outlier, and why if that cannot be determined."""
    return f"No system is an outlier{f': {robustness.outliers.reason}' if robustness.outliers.reason else ''}."


def best_metric(ranking: MetricRanking) -> str:
    """State which metric agrees best with the judges, and whether it is significantly better than the others."""
    if not ranking.metrics:
        few = ranking.entries <= MIN_ENTRIES
        why = f"{ranking.entries:,} scores with ratings found, at least {MIN_ENTRIES + 1} needed"
        return f"Metrics cannot be ranked: {why if few else 'no metric has a defined coefficient'}."
    if ranking.rated is not None and ranking.rated.too_few:
        return too_few_rated(ranking.rated, "one metric agrees better with the judges than another")
    value = f"{COEFFICIENTS[ranking.method]} = {coefficient(float(ranking.coefficients[0]))}"
    others = len(ranking.metrics) - 1
    if not others:
        return f"{ranking.metrics[0]} agrees with the judges ({value}); no other metric can be ranked."
    text = f"Of {others + 1} metrics, {ranking.metrics[0]} agrees best with the judges ({value})"
    below = int(significant(ranking.p_values_adjusted[0, 1:], ranking.alpha).sum())
    # Not by rank: another metric may start the next rank.
    tied = others - below
    if not below:
        return f"{text}, but not significantly better than any other metric."
    if not tied:
        return f"{text}, significantly better than {'the other' if others == 1 else f'all {others} others'}."
    return f"{text}, significantly better than {below} of the {others} others."


def ranking_method(ranking: MetricRanking) -> str:
    """Describe how the metrics were tested and ranked; empty where none was."""
    if not ranking.metrics:
        return ""
    name = {
        "perm-both": f"a permutation test of paired scores (PERM-BOTH, {TRIALS:,} permutations)",
        "williams": "Williams' test",
    }
    pairs = len(ranking.metrics) * (len(ranking.metrics) - 1) // 2
    corrected = (
        "not corrected" if ranking.correction == "none" else f"corrected by {CORRECTION_NAMES[ranking.correction]}"
    )
    return (
        f"{pairs} {plural(pairs, 'pair')} of metrics tested by {name[ranking.test]} on the {ranking.entries:,} scores "
        f"they share; p {corrected}. A new rank starts where a metric is significantly worse than one in the rank "
        "above."
    )
