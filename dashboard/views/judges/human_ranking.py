"""Rating differences between systems, as in Figures 3 and 4 of the 2002 paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from bleu_core.inference import ALPHA
from bleu_core.judges import UNITS, RatingDifferences, Unit
from bleu_core.results.encoding import table_json
from bleu_core.results.human_ranking import human_ranking_table, method
from bleu_core.results.judges import differences_table
from dashboard import analysis, words
from dashboard.exhibits import HUMAN_RANKING, RATER_DIFFERENCES, RatedPairs, common_axis
from dashboard.export import rater_differences_code
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    ROW_HINT,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    note_adjustment,
    open_row,
    select_one,
    show_code,
    show_exhibit,
    show_table,
)

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

NEIGHBOURS, ALL, ONE = "neighbours", "all pairs", "one pair"
ALL_JUDGES, EACH_GROUP = "all judges", "each group"
ALL_UNITS = "all three"

#: Maximum number of pairs in the figure.
MAX_DRAWN = 120
#: Maximum number of panels per row.
MAX_SIDE_BY_SIDE = 2


def render() -> None:
    """Select pairs, judges and unit; draw the differences and list them."""
    place, row, ratings = begin_people_page()
    unnamed = words.no_judge_is_named(ratings.judgments)
    if unnamed:
        st.info(unnamed)
    systems = analysis.rated_systems(ratings)
    if len(systems) < 2:  # noqa: PLR2004 # a pair
        answer("Only one system has ratings, so there is nothing to compare.")
        return
    with row:
        pairs, neighbours = _pairs(systems)
        by_group = False
        if len(ratings.judgments.groups) > 1:
            by_group = select_one("Rated by", [ALL_JUDGES, EACH_GROUP], key="rated_by") == EACH_GROUP
        units = _units()
    if not pairs:
        st.info("Choose two different systems.")
        return
    differences = analysis.rating_differences(ratings, pairs)[""]
    with place:
        answer(words.raters_verdict(differences, neighbours=neighbours))
        raw = analysis.raw_ratings(ratings)
        of_raw = None if raw is None else analysis.rating_differences(raw, pairs)[""]
        note_adjustment(ratings, of_raw and words.raters_verdict(of_raw, neighbours=neighbours))
        st.caption(literal(words.who_rated(ratings)))
        test = words.raters_test(differences)
        if test:
            st.caption(literal(test))
    results = analysis.rating_differences(ratings, pairs, by_group=by_group)
    st.caption(f"First system minus second. Hollow: not significant (corrected p is {ALPHA:g} or more).")
    if len(differences.pairs) > MAX_DRAWN:
        st.info(f"{len(differences.pairs):,} pairs are too many to draw; the table lists them all.")
    else:
        _panels(ratings, results, units, neighbours=neighbours)
    st.caption(literal(words.meaning_of_units(units)))
    data = differences_table(results, units)
    show_table(
        data,
        key="rater-differences",
        alt="All pairs: difference, interval and p",
        max_height=LONG_TABLE_HEIGHT_PX,
        on_pick=open_row(data),
        hint=ROW_HINT,
    )
    downloads(data, key="rater-differences", content=table_json(data))
    _ranking(ratings)
    show_code(rater_differences_code(data_in_use(ratings.view), ratings, pairs, units, by_group=by_group))


def _panels(
    ratings: analysis.RatingsInUse,
    results: Mapping[str, RatingDifferences],
    units: tuple[Unit, ...],
    *,
    neighbours: bool,
) -> None:
    """Draw the differences by each group of judges, side by side."""
    ends = common_axis(tuple(results.values()), units)
    columns: list[DeltaGenerator] = []
    for n, (who, result) in enumerate(results.items()):
        if n % MAX_SIDE_BY_SIDE == 0:
            columns = st.columns(min(len(results), MAX_SIDE_BY_SIDE), gap="large")
        with columns[n % MAX_SIDE_BY_SIDE]:
            if who:
                st.text(who)
            show_exhibit(
                RATER_DIFFERENCES,
                RatedPairs(differences=result, units=units, group=who, standardised=ratings.standardised),
                axis=ends,
                key=f"differences-{n}",
                alt="Mean rating difference of each pair with its 95% interval. "
                f"{words.raters_verdict(result, neighbours=neighbours)}",
            )


def _units() -> tuple[Unit, ...]:
    """Return the selected units."""
    choice = select_one(
        "Unit",
        [*UNITS, ALL_UNITS],
        key="rated_unit",
        default="segment",  # the unit of the verdict
        help="The unit over which differences are averaged. It determines the meaning of the interval; see below "
        "the figure.",
    )
    return tuple(unit for unit in UNITS if choice in (unit, ALL_UNITS))


def _ranking(ratings: analysis.RatingsInUse) -> None:
    """Show the systems ranked by judges."""
    if len(ratings.systems) < 2:  # noqa: PLR2004 # a pair
        return
    st.subheader("Ranking by judges", anchor=False)
    ranking = analysis.rank_by_judges(ratings)
    st.caption(literal(method(ranking)))
    show_exhibit(HUMAN_RANKING, ranking, alt="Mean rating of each system with its 95% interval, best at the top.")
    data = human_ranking_table(ranking)
    show_table(data, key="human-ranks", alt="Systems ranked by judges", max_height=LONG_TABLE_HEIGHT_PX)
    downloads(data, key="human-ranks", content=table_json(data))


def _pairs(systems: tuple[str, ...]) -> tuple[analysis.Pairs, bool]:
    """Return the selected pairs, and whether they are neighbours; none for a system compared with itself."""
    which = select_one(
        "Pairs",
        [NEIGHBOURS, ALL, ONE],
        key="rated_pairs",
        help="Neighbours are next to each other in the order of mean ratings.",
    )
    if which != ONE:
        return ("neighbours", True) if which == NEIGHBOURS else ("all", False)
    first = select_one("System", systems, key="rated_system")
    second = select_one("Baseline", systems, key="rated_against", default=systems[1])
    return () if first == second else ((first, second),), False
