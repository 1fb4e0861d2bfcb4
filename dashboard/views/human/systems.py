"""Systems: scores beside mean ratings, how well they agree, and what that rests on."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import BLEU, STABILITY_RESAMPLES, Agreement, Robustness, without
from bleu_core.errors import AlignmentError
from bleu_core.reports import (
    Json,
    agreement_table,
    coefficients_table,
    correlate_json,
    leave_one_out_table,
    robustness_json,
    stability_table,
)
from dashboard import analysis, words
from dashboard.figures import bleu_and_ratings, normalised_lines, without_each
from dashboard.widgets import answer, chart, choice, downloads, literal, switch, table

NOBODY = "none"
FORMULA, BOOTSTRAP = "formula", "bootstrap"

HELP = {
    "value": "Pearson: how nearly the points lie on a line. Spearman and Kendall: how alike the two orders are. "
    "Pairwise accuracy: the fraction of pairs of systems in the same order. Soft pairwise accuracy: how alike the two "
    "are in how sure they are of each pair; 1 less the mean difference of their p-values.",
    "value_without": "Without the systems chosen.",
    "low": "Lower end of the 95 % interval over systems: would other systems like these show it, too?",
    "high": "Upper end of the 95 % interval over systems.",
    "p_value": "Two-sided: how often unrelated scores would agree or disagree this much.",
}
STABILITY_HELP = {
    "median": "Of draws of the segments with replacement.",
    "low": "Lower end: 95 % of the draws lie between this and the upper end.",
    "high": "Upper end: 95 % of the draws lie between the lower end and this.",
}


def render(found: analysis.RatingsInUse) -> None:
    """Show ratings over scores, the coefficients, how stable they are, and both scaled to their range."""
    labels = [BLEU, *analysis.metric_choices(found)]
    with st.container(horizontal=True, vertical_alignment="bottom", key="systems-controls"):
        label = choice("Score", labels, key="score", width=230, help="What is held against people's ratings.")
        systems = list(found.systems)
        left_out = choice(
            "Leave one out",
            [NOBODY, *systems],
            key="one_out",
            help="Draws the line without this system, too, and tells how the coefficients change.",
        )
        outliers = switch(
            "Without outliers",
            key="without_outliers",
            help="Systems whose mean rating lies more than 2.5 robust deviations from the median (Mathur et al. 2020) "
            "can decide a correlation by themselves.",
        )
        interval = choice(
            "Interval over systems",
            [FORMULA, BOOTSTRAP],
            key="interval_kind",
            help="formula: Fisher's for Pearson, its kin for ranks; exact for normal scores, but of skewed ones it "
            "covers 80 to 91 % instead of 95. bootstrap: systems drawn with replacement, 92 to 97 %.",
        )
    try:
        metric = analysis.metric_scores_of_systems(found, label)
        result = analysis.system_agreement(found, metric)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    rests_on = analysis.robustness_of_metric(found, metric, result)
    gone = [name for name in result.systems if name == left_out or (outliers and name in rests_on.outlying)]
    rest = without(result, gone) if gone else None
    if label != BLEU:
        answer(words.agreement_with_people(result))
    _scatter(found, result, rests_on, rest)
    if outliers and not rests_on.outlying:
        st.caption(literal(words.no_outlier(rests_on)))
    if gone:
        st.markdown(literal(words.change_without(result, rest, gone)))
    st.subheader("Agreement", anchor=False)
    asked = "Would other systems like these agree with people as well? The interval is over systems."
    st.caption(literal(" ".join(filter(None, (asked, words.flipped_signs(_lower(result)))))))
    data = coefficients_table(result, rests_on, bootstrap=interval == BOOTSTRAP, rest=rest)
    table(data, key="correlations", alt="Coefficients of agreement", help_of=HELP)
    downloads(data, key="agreement", content=_json(result, rests_on))
    left, right = st.columns(2, gap="large")
    with left:
        _decisive(found, result, rests_on)
    with right:
        _stable(rests_on)
    _left_out(result)
    if label == BLEU:
        _normalised(found)


def _scatter(found: analysis.RatingsInUse, result: Agreement, rests_on: Robustness, rest: Agreement | None) -> None:
    bounds = found.view.intervals if result.metric == BLEU else None
    chart(
        bleu_and_ratings(
            result,
            found.view.styles,
            found.humans,
            intervals=bounds and bounds.scores,
            rest=rest,
            notes=words.coefficients_without_each(rests_on),
            score=_axis(result),
        ),
        agreement_table(result, bounds),
        key="human",
        alt=f"Mean rating over {result.metric} with the regression line. {words.agreement_with_people(result)}",
    )
    ringed = " Human translators are ringed." if found.humans else ""
    st.caption(literal(words.regression_line(result) + ringed))


def _lower(result: Agreement) -> list[str]:
    return [] if result.higher_is_better else [result.metric]


def _json(result: Agreement, rests_on: Robustness) -> Json:
    content = correlate_json(result) | robustness_json(rests_on)
    if result.metric == BLEU:
        return content
    lower = {} if result.higher_is_better else {"lower_is_better": _lower(result)}
    return {"metric": result.metric} | content | lower


def _axis(result: Agreement) -> str:
    name = "BLEU (points)" if result.metric == BLEU else result.metric
    return name if result.higher_is_better else f"{name} (lower is better)"


def _decisive(found: analysis.RatingsInUse, result: Agreement, rests_on: Robustness) -> None:
    st.subheader("Which systems decide", anchor=False)
    pearson = rests_on.leave_one_out[0]
    said = words.decisive_system(rests_on)
    st.caption(literal(said))
    if pearson.reason:
        return
    figure = without_each(
        result.systems, pearson.coefficient, pearson.without.tolist(), found.view.styles, "Pearson's r"
    )
    chart(figure, leave_one_out_table(rests_on), key="leave-one-out", alt=f"Pearson's r without each system. {said}")


def _stable(rests_on: Robustness) -> None:
    st.subheader("Stability over segments", anchor=False)
    st.caption(
        "The same systems on other text: coefficients on segments drawn with replacement, "
        f"{STABILITY_RESAMPLES:,} times. This is no confidence interval of the coefficient: each draw adds the noise "
        "of sampling a second time, which pulls it towards 0."
    )
    data = stability_table(rests_on)
    if not data.rows:
        st.info("This metric has scores of whole systems only, so its segments cannot be drawn.")
        return
    table(data.without("resamples"), key="stability", alt="Coefficients on resampled segments", help_of=STABILITY_HELP)
    downloads(data, key="stability")


def _left_out(result: Agreement) -> None:
    if result.excluded:
        st.markdown("**Left out**")
        st.text("\n".join(f"{e.system}: {e.reason}" for e in result.excluded))


def _normalised(found: analysis.RatingsInUse) -> None:
    st.subheader("Scaled to the range", anchor=False)
    st.caption("BLEU and mean ratings, each from its lowest (0) to its highest (1), as Figure 7 of the 2002 paper.")
    systems, lines = analysis.normalised_scores(found)
    chart(
        normalised_lines(systems, lines),
        agreement_table(found.agreement),
        key="normalised",
        alt="BLEU and mean ratings of each system, each scaled to its range.",
    )
