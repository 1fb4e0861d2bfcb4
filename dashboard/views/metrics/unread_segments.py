"""Unread segments: the score from which segments can be published without review."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import MAX_UNACCEPTABLE, ReviewThreshold
from bleu_core.errors import AlignmentError
from bleu_core.inference import SEED
from bleu_core.results.encoding import table_json
from bleu_core.results.review_threshold import (
    review_report,
    review_table,
    reviewed_systems_table,
    thresholds_table,
)
from dashboard import analysis, words
from dashboard.exhibits import REVIEW_THRESHOLD
from dashboard.export import review_code
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    answer,
    begin_people_page,
    data_in_use,
    decimal_input,
    downloads,
    integer_input,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    warn_of_directions,
)

#: Bounds of the limit, in percent.
MIN_LIMIT, MAX_LIMIT = 0.1, 50.0

#: Maxima of the boxes for the seed and for the number of metrics.
MAX_SEED, MAX_AMONG = 2**31 - 1, 1000

ACCEPTABLE_HELP = (
    "A segment is acceptable if its mean rating is at or above this value. The default follows from the scale of the "
    "ratings: −1 (one minor error) for error weights, 0 for standardised ratings, else three quarters of the scale."
)
LIMIT_HELP = "Maximum share of unacceptable segments among those that skip review, in percent."


def render() -> None:
    """Find the threshold of a metric on part of the documents, and show what it does on the others."""
    first, row, ratings = begin_people_page()
    scale = analysis.rating_scale(ratings)
    with row, row.in_view:
        label = select_one(
            "Metric",
            analysis.segment_metrics(ratings),
            key="review_metric",
            default=analysis.default_review_metric(ratings),
            width=300,
        )
        acceptable = decimal_input(
            "Acceptable rating",
            scale.low,
            scale.high,
            scale.default,
            key="acceptable",
            width=160,
            help=ACCEPTABLE_HELP,
        )
        limit = decimal_input(
            "Limit in %", MIN_LIMIT, MAX_LIMIT, 100 * MAX_UNACCEPTABLE, key="max_unacceptable", help=LIMIT_HELP
        )
    with row:
        default_among = analysis.metrics_to_choose_from(ratings, label)
        among = integer_input("Metrics to choose from", 1, MAX_AMONG, default_among, key="review_among", width=180)
        seed = integer_input("Seed of the draw", 0, MAX_SEED, SEED, key="review_seed")
    options = analysis.ReviewOptions(
        metric=label,
        acceptable=None if acceptable == scale.default else acceptable,
        max_unacceptable=round(limit / 100, 9),
        seed=seed,
        among=None if among == default_among else among,
    )
    try:
        review = analysis.review_of_ratings(ratings, options)
    except AlignmentError as error:
        st.error(literal(str(error)))
        return
    with first:
        answer(words.unread_segments(review))
        st.caption(literal(words.who_rated(ratings)))
    warn_of_directions(ratings, [label])
    if not review.is_drawn:
        return
    show_exhibit(REVIEW_THRESHOLD, review, alt=words.unread_segments(review))
    st.caption(literal(words.lines_of_review(review)))
    st.caption(literal(words.basis_of_review(review)))
    st.caption(words.REVIEW_CAVEATS)
    _thresholds(ratings, review, options)
    _parts(review)
    show_code(review_code(data_in_use(ratings.view), ratings, options))


def _thresholds(ratings: analysis.RatingsInUse, review: ReviewThreshold, options: analysis.ReviewOptions) -> None:
    st.subheader("Thresholds", anchor=False)
    data = thresholds_table(review)
    show_table(data, key="review-thresholds", alt="Shares by threshold in both parts", max_height=LONG_TABLE_HEIGHT_PX)
    report = review_report(
        [review],
        ratings.evaluation,
        excluded=ratings.agreement.excluded,
        acceptable_is_default=options.acceptable is None,
        warnings=analysis.notes_on_ratings(ratings),
    )
    downloads(data, key="review-thresholds", content=report)


def _parts(review: ReviewThreshold) -> None:
    st.subheader("The threshold in both parts", anchor=False)
    data = review_table([review]).without("metric")
    show_table(data, key="review-parts", alt="The threshold in the part for the choice and in the part for the test")
    downloads(data, key="review-parts", content=table_json(data))
    st.subheader("By system", anchor=False)
    systems = reviewed_systems_table([review]).without("metric")
    show_table(
        systems,
        key="review-systems",
        alt="What the threshold does to each system in the part for the test",
        max_height=LONG_TABLE_HEIGHT_PX,
    )
    downloads(systems, key="review-systems", content=table_json(systems))
