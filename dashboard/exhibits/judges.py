"""The judges: their ratings, how well they agree, and where the variance of ratings comes from."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.results.judges import (
    alpha_table,
    distribution_table,
    group_means_table,
    judge_pairs_table,
    tau_counts,
    tau_counts_table,
    variance_table,
)
from dashboard import words
from dashboard.analysis import JudgeAnalysis, PairwiseKendall
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import (
    MOST_IN_MATRIX,
    Style,
    group_means,
    kendall_counts,
    kendall_matrix,
    krippendorff_alphas,
    rating_histograms,
    variance_shares,
)


def _rating(found: JudgeAnalysis) -> str:
    return "standardised rating" if found.standardised else "rating"


def _pairs(found: PairwiseKendall, _styles: Mapping[str, Style]) -> go.Figure:
    if len(found.judges) <= MOST_IN_MATRIX:
        return kendall_matrix(found)
    return kendall_counts(tau_counts(found), found.mean)


def _pairs_table(found: PairwiseKendall) -> Table:
    if len(found.judges) <= MOST_IN_MATRIX:
        return judge_pairs_table(found)
    return tau_counts_table(tau_counts(found))


JUDGES = Exhibit(
    name="judges",
    page="Judges",
    title="Each judge",
    compute=lambda data: data.judges,
    figure=lambda found, _: rating_histograms(found.by_mean, rating=_rating(found)),
    table=lambda found: distribution_table(found.by_mean),
    needs=("judgments",),
    subject="judges",
    key="judge-ratings",
)

ALPHAS = Exhibit(
    name="alphas",
    page="Judges",
    title="How well judges agree",
    compute=lambda data: data.judges,
    figure=lambda found, _: krippendorff_alphas(found.alphas, words.ALPHA_BOUNDS),
    table=lambda found: alpha_table(found.alphas),
    needs=("judgments",),
    subject="judges",
    key="alphas",
)

JUDGE_PAIRS = Exhibit(
    name="judge-pairs",
    page="Judges",
    title="Pairs of judges",
    compute=lambda data: data.judge_pairs,
    figure=_pairs,
    table=_pairs_table,
    needs=("judgments",),
    subject="judges",
    key="judge-pairs",
)

VARIANCE = Exhibit(
    name="variance",
    page="Judges",
    title="Variance of the ratings",
    compute=lambda data: data.judges,
    figure=lambda found, _: variance_shares(found.variance),
    table=lambda found: variance_table(found.variance),
    needs=("judgments",),
    subject="judges",
    key="variance",
)

JUDGE_GROUPS = Exhibit(
    name="judge-groups",
    page="Judges",
    title="Groups of judges",
    compute=lambda data: data.judges,
    figure=lambda found, _: group_means(found.groups, rating=f"mean {_rating(found)}"),
    table=lambda found: group_means_table(found.groups),
    needs=("judgments",),
    subject="judges",
    key="group-means",
)
