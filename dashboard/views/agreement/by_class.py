"""Agreement by class: classes of segments on which a metric and judges disagree, and the segments."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import TestedMethod
from bleu_core.diagnostics import known_languages
from bleu_core.results.agreement import documents_table, scatter_table
from bleu_core.results.encoding import table_json
from dashboard import analysis, words
from dashboard.exhibits import AGREEMENT_BY_CLASS
from dashboard.export import class_agreement_code
from dashboard.literal import literal
from dashboard.widgets import (
    ROW_HINT,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    open_document,
    open_rated_segment,
    select_one,
    show_code,
    show_exhibit,
    show_table,
)

#: Columns of the table of agreement; downloads have all columns.
COLUMNS = (
    "title",
    "segments",
    "others",
    "inside",
    "outside",
    "difference",
    "low",
    "high",
    "p_value_adjusted",
    "reason",
)
RANK_COLUMNS = ("title", "segments", "rank_difference", "rank_low", "rank_high")

#: Columns where no class is tested, without intervals.
UNTESTED_COLUMNS = ("title", "segments", "others", "inside", "outside")
UNTESTED_RANK_COLUMNS = ("title", "segments", "rank_difference")

OTHER = "other"

LANGUAGE_HELP = "Language of the references: lists of negation words depend on it, and German capitalises all nouns."


def render() -> None:
    """Compare agreement inside and outside classes, and list where metric and judges differ most."""
    first, row, ratings = begin_people_page()
    guess = analysis.language_of_references(ratings.view) or OTHER
    with row:
        metric = select_one("Metric", analysis.segment_metrics(ratings), key="segment_metric", width=230)
        languages = [*known_languages(), OTHER]
        language = select_one("Language", languages, key="language", default=guess, width=120, help=LANGUAGE_HELP)
        label = select_one("Coefficient", list(words.CLASS_COEFFICIENTS.values()), key="class_method", width=190)
    methods: dict[str, TestedMethod] = {named: key for key, named in words.CLASS_COEFFICIENTS.items()}
    method = methods[label]
    agreement = analysis.compare_segments(ratings, metric)
    if agreement.reason:
        first.info(literal(f"Segments cannot be compared: {agreement.reason}."))
        return
    code = "" if language == OTHER else language
    result = analysis.compare_classes(ratings, agreement, code, method)
    sentence = words.agreement_of_classes(result, metric)
    with first:
        answer(sentence)
        over_and_under = words.rank_differences_of_classes(result, metric)
        if over_and_under:
            st.markdown(literal(over_and_under))
        st.caption(literal(words.who_rated(ratings)))
    data = AGREEMENT_BY_CLASS.table(result)
    if result.tested:
        show_exhibit(AGREEMENT_BY_CLASS, result, alt=sentence)
        st.caption("The dotted line is the agreement on all segments.")
    st.caption("The class of a segment is decided on the first reference in use.")
    columns, rank_columns = (COLUMNS, RANK_COLUMNS) if result.tested else (UNTESTED_COLUMNS, UNTESTED_RANK_COLUMNS)
    show_table(data.only(*columns), key="class-agreement", alt="Agreement inside and outside each class")
    downloads(data, key="class-agreement", content=table_json(data))
    st.subheader("Differences in rank by class", anchor=False)
    st.caption(literal(words.RANK_DIFFERENCE_LOOK))
    show_table(data.only(*rank_columns), key="class-ranks", alt="Mean difference in rank of each class")
    _furthest(ratings, agreement, code)
    _documents(ratings, agreement)
    show_code(class_agreement_code(data_in_use(ratings.view), ratings, label=metric, language=code, method=method))


def _furthest(ratings: analysis.RatingsInUse, agreement: analysis.SegmentAgreement, language: str) -> None:
    st.subheader("Largest differences in rank", anchor=False)
    title = select_one("Class", list(analysis.CLASS_TITLES.values()), key="class", width=230)
    members = next(m for m in analysis.members_of(ratings, language) if m.segment_class.title == title)
    positions = analysis.furthest_of_class(agreement, members)
    if not positions:
        st.info(literal(f"No rated segments {title}{': ' + members.reason if members.reason else ''}."))
        return
    show_table(
        scatter_table(agreement.points, agreement.systems, positions, agreement.numbers, decimals=agreement.decimals),
        key="class-furthest",
        alt="Segments of the class with the largest differences in rank",
        on_pick=lambda row: open_rated_segment(*agreement.entry(positions[row])),
        hint="Select a row to read the segment.",
    )


def _documents(ratings: analysis.RatingsInUse, agreement: analysis.SegmentAgreement) -> None:
    documents = analysis.document_agreement(ratings, agreement)
    if documents is None:
        return
    st.subheader("Documents", anchor=False)
    st.caption("Mean scores and ratings of documents whose ranks differ most.")
    data = documents_table(
        documents.points, agreement.systems, documents.names, documents.furthest, decimals=agreement.decimals
    )
    show_table(
        data,
        key="documents-furthest",
        alt="Documents with the largest differences in rank",
        on_pick=open_document(data),
        hint=ROW_HINT,
    )
