"""Scores, blocks and agreement with people in plain words. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bleu_core.agreement import BLEU, TRIALS, Agreement
from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.fields import Kind
from bleu_core.inference import BlockScores, significant
from bleu_core.reports import CORRECTION_NAMES, format_cell
from bleu_core.scoring import Bleu, Decay, ScoredCorpus
from dashboard.words.formatting import MINUS, coefficient, p_of, percent, signed

if TYPE_CHECKING:
    from bleu_core.agreement import MetricRanking, Robustness
    from dashboard.analysis import RatingsInUse, SegmentAgreement, SegmentReading, SystemScores, View

#: Scores are printed with two decimals; closer ones are called equal.
RESOLUTION = 0.005
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
    "by segment: the systems' outputs for one segment are compared with each other, and the coefficient is the mean "
    "over segments. by system: the segments of one system, likewise. all segments: all in one."
)


def leading_system(scores: SystemScores) -> str:
    """Who leads, and by how much."""
    metric, order = scores.metric, scores.best_first
    if not order and any(math.isnan(score) for score in scores.of_system.values()):
        return f"{metric.label} is undefined here: {metric.undefined}."
    if not order:
        return f"Every system is a copy of a reference in use, so {metric.label} says nothing here."
    (first, best), *rest = order
    if not rest:
        return f"{first} scores {best:.2f} {metric.label}."
    second, next_best = rest[0]
    ahead = abs(best - next_best)
    if ahead < RESOLUTION:
        return f"{first} and {second} lead together with {best:.2f} {metric.label}."
    how = "" if metric.higher_is_better else " (lower is better)"
    by = f"{ahead:.2f} {metric.unit}".rstrip()
    return f"{first} leads with {best:.2f} {metric.label}{how}, {by} ahead of {second}."


def undefined_scores(scored: ScoredCorpus) -> str:
    """Which systems have no score, and why; empty when all have one."""
    names = [name for name, score in zip(scored.table.systems, scored.scores, strict=True) if math.isnan(score)]
    return f"{scored.label} of {listed(names)} is undefined: {scored.metric.undefined}." if names else ""


def agreement_with_people(result: Agreement) -> str:
    """How far people agree with BLEU."""
    accuracy = result.pairwise_accuracy
    if not accuracy.pairs:
        return "Only one system has both a score and ratings, so there is no order to agree on."
    text = f"People and {result.metric} put {accuracy.agreeing} of {accuracy.pairs} pairs of systems in the same order"
    if result.pearson.reason:
        return f"{text}; the correlation is undefined: {result.pearson.reason}."
    interval = result.pearson.interval
    spans_zero = interval.low <= 0 <= interval.high
    doubt = ": with so few systems it could as well be none" if spans_zero else ""
    return (
        f"{text}; Pearson r = {coefficient(result.pearson.coefficient)} over {len(result.systems)} systems "
        f"(95 % interval {coefficient(interval.low)} to {coefficient(interval.high)}){doubt}."
    )


def agreement_by_segment(agreement: SegmentAgreement) -> str:
    """How far people agree with a metric on single segments."""
    metric, level = agreement.metric, agreement.level
    of_kendall = {c.grouping: c for c in level.correlations[metric] if c.method == "kendall"}
    by_segment, pooled, accuracy = of_kendall["item"], of_kendall["none"], level.calibrated[metric]
    if not by_segment.reason:
        tau = (
            f"Kendall's τ by segment is {coefficient(by_segment.coefficient)} "
            f"(mean of {by_segment.groups:,} {plural(by_segment.groups, 'segment')})"
        )
        share, apart = percent(accuracy.accuracy), _apart(metric, accuracy.threshold)
        x = agreement.points.x
        if accuracy.threshold > MOSTLY_TIES * float(x.max() - x.min()):
            return (
                f"{metric} hardly tells two translations of a segment apart: it agrees best with people, in {share} of "
                f"pairs, when scores up to {apart} apart count as ties; {tau}."
            )
        ties = f", where {metric} scores up to {apart} apart count as ties" if accuracy.threshold else ""
        return (
            f"Of two translations of a segment, {metric} and people prefer the same one, or neither, in {share} of "
            f"pairs{ties}; {tau}."
        )
    one = len(level.systems) == 1
    why = "there is one system only" if one else _by_segment(by_segment.reason)
    if pooled.reason:
        return f"Translations of a segment cannot be compared: {why}; nor all segments: {_pooled(pooled.reason)}."
    return (
        f"Over all segments {metric} and ratings agree with Kendall's τ = {coefficient(pooled.coefficient)} "
        f"(p {p_of(pooled.p_value)}); translations of one segment cannot be compared: {why}."
    )


def segment_scores(reading: SegmentReading) -> str:
    """The scores and the mean rating of a segment, one per line."""
    return "\n".join(_of_segment(*score) for score in reading.scores)


def _of_segment(name: str, kind: Kind, value: float, worse: float) -> str:
    if math.isnan(value):
        return f"{name}: none"
    among = "" if math.isnan(worse) else f" (better than {math.floor(100 * worse)}\N{NO-BREAK SPACE}% of segments)"
    return f"{name}: {format_cell(value, kind)}{among}"


def _apart(metric: str, threshold: float) -> str:
    return f"{threshold:.2f}" if metric == BLEU else f"{threshold:.3g}"


def _by_segment(reason: str) -> str:
    """A reason about groups, where a group is the translations of a segment."""
    return {
        "no group has two entries with both scores": "no segment has two that are scored and rated",
        "all metric scores of a group are the same, in every group": "all scores of a segment are the same",
        "all ratings of a group are the same, in every group": "all ratings of a segment are the same",
    }.get(reason, "all scores or all ratings of a segment are the same")


def _pooled(reason: str) -> str:
    """A reason about groups, where all segments are one."""
    return {
        "all metric scores of a group are the same, in every group": "all scores are the same",
        "all ratings of a group are the same, in every group": "all ratings are the same",
    }.get(reason, reason)


def precision_kept(systems: tuple[str, ...], scores: Bleu, decays: tuple[Decay, ...]) -> str:
    """Which system keeps most of its precision from one order to the next."""
    fitted = [(d.retention, name) for name, d in zip(systems, decays, strict=True) if not d.reason]
    if not fitted:
        return "No system matches the references at two orders or more, so there is no decay to fit."
    if len(fitted) == 1:
        return f"{fitted[0][1]} keeps {percent(fitted[0][0])} of its precision from one order to the next."
    (least, worst), (most, best) = min(fitted), max(fitted)
    at_every = scores.precisions[systems.index(best)] >= scores.precisions.max(axis=0)
    everywhere = f", and {best} is the most precise at every order" if at_every.all() else ""
    return (
        f"From one order to the next {best} keeps most of its precision, {percent(most)}; "
        f"{worst} keeps least, {percent(least)}{everywhere}."
    )


def spread_of_blocks(result: BlockScores) -> str:
    """How far block scores spread, and which neighbours differ."""
    blocks = len(result.blocks.names)
    if blocks == 1:
        return "There is one block only, so nothing is known of the spread."
    best, label = result.systems[-1], result.metric.label
    if np.isnan(result.scores).any():
        return f"The {label} of some blocks is undefined: {result.metric.undefined}."
    text = (
        f"Over {blocks} blocks {best} scores {result.means[-1]:.2f} {label} on average, "
        f"give or take {result.standard_deviations[-1]:.2f} (standard deviation)."
    )
    if not result.pairs:
        return text
    clear = sum(significant(p.test.p_value) for p in result.pairs)
    count = str(clear) if clear else "None"
    differ = "differ" if clear > 1 else "differs"
    return f"{text} {count} of {len(result.pairs)} pairs of neighbours {differ} at the 5 % level (paired t)."


def division_into_blocks(result: BlockScores) -> str:
    """How the text was divided, and which blocks are short or score 0."""
    sizes = result.blocks.sizes
    even = f"{sizes[0]}" if len(set(sizes)) == 1 else f"{min(sizes)} to {max(sizes)}"
    text = f"{len(sizes)} blocks of {even} segments."
    if result.short_block:
        text += f" The last block is short: {sizes[-1]} segments."
    zero = int(result.zero_blocks.sum())
    if zero and result.metric.key == "bleu":
        text += f" {zero} block scores are 0 because no n-gram of some order matches there."
    return text


def systems_left_out(view: View) -> str:
    """Which chosen systems are not compared; empty when all are."""
    if not view.copies or view.compared is view.evaluation:
        return ""
    return f"Left out, as their text equals a reference in use: {', '.join(view.copies)}."


def who_rated(ratings: RatingsInUse) -> str:
    """Who rated, and who among the systems is a person."""
    count, judges = len(ratings.judgments.rated), ratings.judgments.judge_count
    loaded = ratings.view.workspace.judgments
    of_all = loaded.judge_count if loaded is not None else judges
    text = f"{count:,} {plural(count, 'rating')} by {judges} {plural(judges, 'judge')}"
    if judges < of_all:
        text += f" ({of_all - judges} of {of_all} left out)"
    text += "; standardised, in standard deviations of each judge." if ratings.standardised else "."
    if ratings.humans:
        text += f" Human translators among the systems: {', '.join(ratings.humans)}."
    return text


def regression_line(result: Agreement) -> str:
    """The regression line as an equation."""
    line = result.line
    if line.reason:
        return f"There is no regression line: {line.reason}."
    return (
        f"Regression: mean rating = {f'{line.intercept:.3f}'.replace('-', MINUS)} {'+' if line.slope >= 0 else MINUS} "
        f"{abs(line.slope):.3f} × {result.metric}. The band is the 95 % confidence band of the line."
    )


def flipped_signs(metrics: Sequence[str]) -> str:
    """How to read the coefficients of metrics whose smaller score is better; empty if there are none."""
    if not metrics:
        return ""
    its = "its sign is" if len(metrics) == 1 else "their signs are"
    return f"Lower {' and '.join(metrics)} is better; coefficients are positive where people agree, as {its} turned."


def change_without(result: Agreement, rest: Agreement | None, gone: Sequence[str]) -> str:
    """How Pearson's r changes without some systems."""
    names = ", ".join(gone)
    if rest is None:
        return f"Without {names} fewer than three systems are left, so there is no correlation."
    if result.pearson.reason or rest.pearson.reason:
        return f"Without {names} the correlation is undefined: {rest.pearson.reason or result.pearson.reason}."
    before, after = result.pearson.coefficient, rest.pearson.coefficient
    return (
        f"Without {names} (hollow; dashed line) Pearson r = {coefficient(after)} instead of {coefficient(before)}, a "
        f"change of {signed(after - before)}."
    )


def coefficients_without_each(robustness: Robustness) -> dict[str, str]:
    """System -> what Pearson's r would be without it."""
    pearson = robustness.leave_one_out[0]
    return {
        name: ""
        if math.isnan(value)
        else f"without it r = {coefficient(value)} ({signed(value - pearson.coefficient)})"
        for name, value in zip(robustness.systems, pearson.without.tolist(), strict=True)
    }


def decisive_system(robustness: Robustness) -> str:
    """Which system moves Pearson's r most."""
    pearson = robustness.leave_one_out[0]
    changes = {
        name: change
        for name, change in zip(robustness.systems, pearson.changes.tolist(), strict=True)
        if not math.isnan(change)
    }
    if not changes:
        reason = pearson.reason or "fewer than three systems would be left"
        return f"Nothing can be said of single systems: {reason}."
    most = max(changes, key=lambda name: (abs(changes[name]), name))
    text = f"Without {most}, r changes most: by {signed(changes[most])}."
    if not robustness.outlying:
        return f"{text} {no_outlier(robustness)}"
    verb = "are outliers" if len(robustness.outlying) > 1 else "is an outlier"
    return f"{text} {', '.join(robustness.outlying)} {verb} by mean rating."


def no_outlier(robustness: Robustness) -> str:
    """Why no system is left out as an outlier."""
    return f"No system is an outlier{f': {robustness.outliers.reason}' if robustness.outliers.reason else ''}."


def best_metric(ranking: MetricRanking) -> str:
    """Which metric agrees best with people, and whether that is more than chance."""
    if not ranking.metrics:
        return "No metric has a coefficient, so there is nothing to rank."
    value = f"{COEFFICIENTS[ranking.method]} {coefficient(float(ranking.coefficients[0]))}"
    text = f"{ranking.metrics[0]} agrees best with people ({value})"
    others = len(ranking.metrics) - 1
    if not others:
        return f"{text}; no other metric can be ranked."
    below = int(significant(ranking.p_values_adjusted[0, 1:], ranking.alpha).sum())
    # Not by rank: the next one may open for another.
    tied = others - below
    if not below:
        return f"{text}, but none of the {others} others is shown to agree less."
    if not tied:
        return f"{text}, and {'the other is' if others == 1 else f'all {others} others are'} shown to agree less."
    return f"{text}; {below} of {others} others {'is' if below == 1 else 'are'} shown to agree less."


def ranking_method(ranking: MetricRanking) -> str:
    """How the metrics were tested and ranked."""
    name = {"perm-both": f"Permutation of paired scores (PERM-BOTH, {TRIALS:,} trials)", "williams": "Williams' test"}
    pairs = len(ranking.metrics) * (len(ranking.metrics) - 1) // 2
    corrected = (
        "not corrected" if ranking.correction == "none" else f"corrected by {CORRECTION_NAMES[ranking.correction]}"
    )
    return (
        f"{name[ranking.test]} of each two metrics, {pairs} {plural(pairs, 'pair')}, {corrected}, on the "
        f"{ranking.entries:,} scores that all of them have. Going down, a metric opens the next rank where one of the "
        "rank above agrees significantly better."
    )
