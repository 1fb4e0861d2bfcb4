"""Details of a segment: its note, an explanation of its outputs' scores, and their ratings."""

from __future__ import annotations

import streamlit as st

from bleu_core.fields import Table
from bleu_core.paper import ngram_table
from dashboard import analysis, words
from dashboard.literal import literal
from dashboard.views.segments.analysis import SegmentTexts, precision_steps, ratings_by_judge
from dashboard.views.segments.notes import Notes, note_box
from dashboard.widgets import downloads, section, show_table


def segment_details(view: analysis.View, segments: analysis.SegmentAnalysis, texts: SegmentTexts, notes: Notes) -> None:
    """Show the details of a segment below its texts.

    Args:
        view: the data and settings.
        segments: all segments of one or two systems, whose outputs are explained.
        texts: of the segment.
        notes: notes about segments, by number.
    """
    with st.container(key="segment-details"):
        note_box(texts.number, notes)
        ratings = ratings_by_judge(view, segments.systems, texts.place)
        for k, place in enumerate(st.columns(len(segments.systems), gap="large")):
            with place:
                clipped = words.clipped_ngrams(texts.outputs[k])
                if clipped:
                    st.caption(literal(clipped))
                _why(texts, k)
                if ratings:
                    _ratings(texts, k, ratings[k])


def _why(texts: SegmentTexts, k: int) -> None:
    """Show the steps to BLEU of the segment, folded."""
    output = texts.outputs[k]
    part = section(f"why-{k}", f"Why this score: BLEU {output.worked.score:.2f} of {texts.systems[k]}")
    if part is None:
        return
    with part:
        for step in words.why_this_score(output, texts.settings):
            st.markdown(literal(step))
        name = f"segment {texts.number} of {texts.systems[k]}"
        show_table(precision_steps(output), key=f"why-{k}", alt=f"N-grams and precisions of {name}")
        data = ngram_table(output.worked)
        show_table(data, key=f"why-ngrams-{k}", alt=f"All n-grams of {name}", max_height=320)
        downloads(data, key=f"why-ngrams-{k}")


def _ratings(texts: SegmentTexts, k: int, ratings: Table) -> None:
    system = texts.systems[k]
    st.markdown(f"**Ratings of {literal(system)}**")
    if ratings.rows:
        show_table(ratings, key=f"reader-ratings-{k}", alt=f"Each judge's rating of segment {texts.number} of {system}")
    else:
        st.text("It has no ratings.")
