"""Systems: scores and mean ratings, their agreement, and its robustness."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import STABILITY_RESAMPLES, Agreement, Robustness
from bleu_core.errors import AlignmentError
from bleu_core.results.agreement import coefficients_table, metric_report, stability_table
from dashboard import analysis, words
from dashboard.exhibits import AGREEMENT, NORMALISED, WITHOUT_EACH, ScoresAndRatings
from dashboard.export import system_agreement_code
from dashboard.literal import literal
from dashboard.widgets import (
    POINT_HINT,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    note_adjustment,
    open_segments,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    switch,
    system_styles,
    warn_of_directions,
)

NO_SYSTEM = "none"
FORMULA, BOOTSTRAP = "formula", "bootstrap"


def render() -> None:
    """Show ratings over scores, the coefficients, their stability, and both scaled to their range."""
    first, row, ratings = begin_people_page()
    labels = list(analysis.metric_choices(ratings))
    with row:
        label = select_one("Score", labels, key="score", width=230, help="Metric that is compared with the ratings.")
        left_out, outliers = _excluded(ratings)
        interval = select_one(
            "Interval over systems",
            [FORMULA, BOOTSTRAP],
            key="interval_kind",
            help="formula: Fisher's interval and its rank equivalents. Accurate for normal scores; for skewed "
            "scores the true coverage is 80% to 91% instead of 95%. bootstrap: systems drawn with "
            "replacement; the true coverage is 92% to 97%.",
        )
    try:
        metric = analysis.score_rated_systems(ratings, label)
        result = analysis.system_agreement(ratings, metric)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    robustness = analysis.robustness_of_agreement(ratings, label)
    excluded = [name for name in result.systems if name == left_out or (outliers and name in robustness.outlying)]
    rest = analysis.agreement_without(result, excluded)
    with first:
        answer(words.agreement_with_people(result))
        st.caption(literal(words.who_rated(ratings)))
        if robustness.outlying:  # outliers can dominate a correlation
            st.caption(literal(words.decisive_system(robustness)))
        note_adjustment(ratings, words.raw_correlation(result))
    warn_of_directions(ratings, [label])
    _scatter(ratings, result, robustness, rest)
    if outliers and not robustness.outlying:
        st.caption(literal(words.no_outlier(robustness)))
    if excluded:
        st.markdown(literal(words.change_without(result, rest, excluded)))
    st.subheader("Agreement", anchor=False)
    question = "Would other systems of this kind agree with the judges as well? The interval is over systems."
    st.caption(literal(" ".join(filter(None, (question, words.flipped_signs(_lower(result)))))))
    data = coefficients_table(result, robustness, bootstrap=interval == BOOTSTRAP, rest=rest)
    show_table(data, key="correlations", alt="Coefficients of agreement")
    downloads(data, key="agreement", content=metric_report(result, robustness, ratings.evaluation))
    left, right = st.columns(2, gap="large")
    with left:
        _decisive(ratings, result, robustness)
    with right:
        _stable(robustness)
    _left_out(ratings, result)
    if label == labels[0]:  # the metric of the ratings in use
        _normalised(ratings)
    data = data_in_use(ratings.view)
    show_code(system_agreement_code(data, ratings, label, bootstrap=interval == BOOTSTRAP, without=excluded))


def _excluded(ratings: analysis.RatingsInUse) -> tuple[str, bool]:
    """Return the selected system to exclude, and whether outliers are excluded."""
    left_out = select_one(
        "Exclude one system",
        [NO_SYSTEM, *ratings.systems],
        key="one_out",
        help="Also draw the line without this system, and show how the coefficients change.",
    )
    outliers = switch(
        "Exclude outliers",
        key="without_outliers",
        help="Exclude systems whose mean rating lies more than 2.5 robust standard deviations from the "
        "median. A single outlier can decide a correlation (Mathur et al. 2020).",
    )
    return left_out, outliers


def _scatter(
    ratings: analysis.RatingsInUse,
    result: Agreement,
    robustness: Robustness,
    rest: Agreement | None,
) -> None:
    show_exhibit(
        AGREEMENT,
        ScoresAndRatings(agreement=result, robustness=robustness, ratings=ratings, rest=rest),
        system_styles(ratings.view),
        alt=f"Mean rating by {result.metric}, with the regression line. {words.agreement_with_people(result)}",
        on_pick=lambda point: open_segments(result.systems[point[0]]),
        hint=POINT_HINT,
    )
    ringed = " Human translators are ringed." if ratings.humans else ""
    st.caption(literal(words.regression_line(result) + ringed))


def _lower(result: Agreement) -> list[str]:
    return [] if result.higher_is_better else [result.metric]


def _decisive(ratings: analysis.RatingsInUse, result: Agreement, robustness: Robustness) -> None:
    st.subheader("Influence of each system", anchor=False)
    pearson = robustness.leave_one_out[0]
    decisive = words.decisive_system(robustness)
    st.caption(literal(decisive))
    if pearson.reason:
        return
    show_exhibit(
        WITHOUT_EACH,
        ScoresAndRatings(agreement=result, robustness=robustness, ratings=ratings),
        system_styles(ratings.view),
        alt=f"Pearson's r without each system. {decisive}",
    )


def _stable(robustness: Robustness) -> None:
    st.subheader("Stability over segments", anchor=False)
    st.caption(
        f"The same systems on other text: coefficients over {STABILITY_RESAMPLES:,} bootstrap "
        "resamples of the segments. This is not a confidence interval: resampling adds sampling noise a "
        "second time and pulls coefficients towards 0."
    )
    data = stability_table(robustness)
    if not data.rows:
        st.info("This metric has only system scores, so segments cannot be resampled.")
        return
    show_table(data.without("resamples"), key="stability", alt="Coefficients on resampled segments")
    downloads(data, key="stability")


def _left_out(ratings: analysis.RatingsInUse, result: Agreement) -> None:
    excluded = [e for e in result.excluded if e.system not in ratings.without]  # a note above names these
    if excluded:
        st.markdown("**Left out**")
        st.text("\n".join(f"{e.system}: {e.reason}" for e in excluded))


def _normalised(ratings: analysis.RatingsInUse) -> None:
    st.subheader("Scaled to the range", anchor=False)
    st.caption(
        "BLEU and mean ratings, each scaled from its lowest value (0) to its highest (1), as in Figure 7 of the "
        "2002 paper."
    )
    show_exhibit(NORMALISED, ratings, alt="BLEU and mean ratings of each system, each scaled to its range.")
