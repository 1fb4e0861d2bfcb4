"""Judges: their ratings, their agreement, and the variance of the ratings."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.campaigns import CampaignStatus
from bleu_core.errors import BleuCoreError
from bleu_core.judges import PairwiseKendall
from bleu_core.results.encoding import table_json
from bleu_core.results.human_ranking import confounding_sentences, judge_means_table, roster_table
from bleu_core.results.judges import (
    group_pairs_table,
    groups_table,
    judges_table,
)
from dashboard import analysis, session, words
from dashboard.exhibits import ALPHAS, JUDGE_GROUPS, JUDGE_PAIRS, JUDGES, VARIANCE
from dashboard.export import judges_code
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    flagged_part,
    show_code,
    show_exhibit,
    show_table,
)


def render() -> None:
    """Show the agreement of judges, each judge, the variance of ratings, and groups."""
    first, _, ratings = begin_people_page()
    unnamed = words.no_judge_is_named(ratings.judgments)
    if unnamed:
        st.info(unnamed)
    result = analysis.analyse_judges(ratings)
    with first:
        answer(words.judges_agreement(result))
        st.caption(literal(words.who_rated(ratings)))
    campaign = _campaign()
    if campaign is not None:
        flagged_part(campaign)
    nameless = words.unnamed_judges(result)
    if nameless:
        st.caption(nameless)
    if ratings.standardised:
        st.caption(
            "Ratings are standardised per judge, so all judges have the same mean and spread. Switch off "
            "“Standardise judges” to see the original ratings."
        )
    _judges(result, campaign)
    _by_systems(ratings)
    place = _agreement(result)
    _variance(result)
    if result.groups.pairs:
        _groups(result)
    with place:  # last, as it may be slow
        _every_two(analysis.pairwise_judges(ratings))
    show_code(judges_code(data_in_use(ratings.view), ratings))


def _campaign() -> CampaignStatus | None:
    """Return the status of the campaign whose ratings are among the files; None without one."""
    try:
        store = session.campaign_in_use()
        return None if store is None else analysis.status_of_campaign(store)
    except BleuCoreError:  # the page of the campaign gives the reason
        return None


def _judges(result: analysis.JudgeAnalysis, campaign: CampaignStatus | None) -> None:
    st.subheader("Each judge", anchor=False)
    show_exhibit(JUDGES, result, alt="Distribution of each judge's ratings, lowest mean first.")
    data = judges_table(result.by_mean)
    show_table(data, key="judges", alt="Summary of each judge's ratings", max_height=LONG_TABLE_HEIGHT_PX)
    if campaign is not None:
        st.caption(literal(f"{words.CHECKS_NOT_INCLUDED} {words.checks_so_far(campaign)}"))
    elif "repeat_alpha" not in data.kinds:
        st.caption(words.NO_REPEATS)
    downloads(data, key="judges", content=table_json(data))


def _by_systems(ratings: analysis.RatingsInUse) -> None:
    """Show which judge rated which system, and how."""
    if ratings.judgments.judge_count < 2 or not ratings.judgments.named:  # noqa: PLR2004 # nothing to compare
        return
    st.subheader("Judges by systems", anchor=False)
    ranking = analysis.rank_by_judges(ratings)
    st.caption(literal(" ".join(confounding_sentences(ranking.confounding))))
    st.markdown("**Share of each judge in the mean rating of a system**")
    data = roster_table(ranking.means)
    show_table(
        data, key="judge-shares", alt="Each judge's share in each system's mean rating", max_height=LONG_TABLE_HEIGHT_PX
    )
    downloads(data, key="judge-shares", content=table_json(data))
    st.markdown("**Mean rating of each system by each judge**")
    data = judge_means_table(ranking.means)
    show_table(data, key="judge-means", alt="Mean rating of each system by each judge", max_height=LONG_TABLE_HEIGHT_PX)
    downloads(data, key="judge-means", content=table_json(data))


def _agreement(result: analysis.JudgeAnalysis) -> DeltaGenerator:
    """Show the agreement of all judges; return the container for that of pairs of judges."""
    st.subheader("How well judges agree", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**All judges**")
        if result.interval.reason:
            st.info(literal(words.krippendorff_alpha(result.interval)))
        else:
            st.caption(literal(words.basis_of_alpha(result.interval)))
            show_exhibit(ALPHAS, result, alt=words.krippendorff_alpha(result.interval))
    with right:
        st.markdown("**Pairs of judges**")
        return st.container()


def _every_two(pairs: PairwiseKendall) -> None:
    sentence = words.agreement_of_two_judges(pairs)
    if pairs.reason:
        st.info(literal(sentence))
        return
    st.caption(literal(sentence))
    show_exhibit(JUDGE_PAIRS, pairs, alt=sentence)


def _variance(result: analysis.JudgeAnalysis) -> None:
    st.subheader("Variance of the ratings", anchor=False)
    sentence = words.variance_of_ratings(result.variance)
    if result.variance.reason:
        st.info(literal(sentence))
        return
    st.caption(literal(words.residual_variance(result.variance)))
    show_exhibit(VARIANCE, result, alt=sentence)


def _groups(result: analysis.JudgeAnalysis) -> None:
    st.subheader("Groups of judges", anchor=False)
    sentence = words.difference_of_groups(result.groups)
    st.text(sentence)
    data = groups_table(result.groups)
    show_table(data, key="groups", alt="Each group of judges")
    downloads(data, key="groups", content=table_json(data))
    show_exhibit(JUDGE_GROUPS, result, alt=f"Mean rating of systems by group. {sentence}")
    data = group_pairs_table(result.groups)
    show_table(data, key="group-pairs", alt="Pairs of groups: difference and correlations")
    downloads(data, key="group-pairs", content=table_json(data))
