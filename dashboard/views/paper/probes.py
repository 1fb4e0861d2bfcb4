"""Probes: the answers, the scores, and the changed segments side by side."""

from __future__ import annotations

import streamlit as st

from bleu_core.inference import SEED
from bleu_core.results.probes import probe_overview, probe_scores, probe_title
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.views.paper.words import score_of_text
from dashboard.widgets import (
    different_marks,
    downloads,
    integer_input,
    legend,
    marked_text,
    plain_text,
    select_many,
    select_one,
    show_table,
)

SYSTEM, METRICS, PROBE_SEED, PROBE, POSITION = (
    "probed_system",
    "probe_metrics",
    "probe_seed",
    "probe",
    "probe_position",
)

#: Maximum of the box for the seed.
MAX_SEED = 1_000_000

#: Maximum height in pixels of the table of all scores.
MAX_TABLE_HEIGHT_PX = 320

METRICS_HELP = "Further scores besides BLEU. Slow metrics, which may take a minute, are not selected by default."


def chosen_probes(view: analysis.View) -> analysis.ProbeChoice:
    """Return the selected probes, by default of the leading system under all metrics that are not slow."""
    systems, offered = list(view.best_systems), analysis.probe_metrics(view)
    session.restore_choice(SYSTEM, systems)
    session.restore_choices(METRICS, list(offered), _default_metrics(view))
    session.restore_number(PROBE_SEED, 0, MAX_SEED, SEED)
    return analysis.ProbeChoice(
        session.control_value(SYSTEM), tuple(session.control_value(METRICS)), int(session.control_value(PROBE_SEED))
    )


def show_probes(view: analysis.View) -> None:
    """Select a system, show how the changes affect its scores, and read the changed segments."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="probe-controls"):
        select_one("System", list(view.best_systems), key=SYSTEM)
        select_many(
            "Metrics besides BLEU",
            list(analysis.probe_metrics(view)),
            key=METRICS,
            default=_default_metrics(view),
            help=METRICS_HELP,
        )
        integer_input("Seed", 0, MAX_SEED, SEED, key=PROBE_SEED)
    probes = analysis.run_probes(view, chosen_probes(view))
    findings = [f"- **{literal(title)}.** {literal(sentence)}" for title, sentence in words.probe_findings(probes)]
    st.markdown("\n".join(findings))
    standing = words.human_standing(probes)
    if standing:
        st.text(standing)
    overview = probe_overview(probes.results, probes.labels)
    show_table(overview, key="probe-overview", alt="The difference that each change makes to each metric")
    downloads(overview, key="probe-overview")
    _segments(probes)
    scores = probe_scores(probes.results, probes.labels)
    if scores.rows:
        st.markdown("**All scores, of the whole text and of the changed segments alone**")
        show_table(
            scores, key="probe-scores", alt="Scores before and after each change", max_height=MAX_TABLE_HEIGHT_PX
        )
        downloads(scores, key="probe-scores")
    st.caption(literal(words.probe_notes(probes)))


def _default_metrics(view: analysis.View) -> list[str]:
    return [label for label, metric in analysis.probe_metrics(view).items() if not metric.slow]


@st.fragment
def _segments(probes: analysis.ProbeAnalysis) -> None:
    """Draw a changed segment: before and after, with the words that differ, and its references."""
    possible = {probe_title(result): number for number, result in enumerate(probes.results) if result.changed}
    if not possible:
        return
    with st.container(key="probe-reader"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="probe-reader-controls"):
            title = select_one("Change", list(possible), key=PROBE, width=320)
            change = possible[title]
            last = len(probes.changes[change].rows)
            position = integer_input(f"Changed segment (1 to {last:,})", 1, last, 1, key=POSITION, width=220)
        session.write_url()  # a change here runs only this part of the page
        st.caption(literal(words.what_is_noticed(probes, change)))
        changed = analysis.changed_segment(probes, change, position - 1)
        st.markdown(f"**Segment {changed.number:,}**")
        orders = words.orders_of_segment(changed)
        if orders:
            st.text(orders)
        places = st.columns(2, gap="large")
        titles = ("Before", "After")
        for place, side, output, different in zip(
            places, titles, (changed.before, changed.after), changed.different, strict=True
        ):
            with place, st.container(key=f"probe-{side.lower()}", gap=None):
                st.markdown(f"**{literal(score_of_text(side, output.worked.score))}**")
                marked_text(output, different_marks(different))
        legend({"different": "missing in the other text"})
        for number, (name, text) in enumerate(changed.references.items()):
            with st.container(key=f"probe-reference-{number}", gap=None):
                st.caption(literal(f"Reference {name}" if len(changed.references) > 1 else "Reference"))
                plain_text(text)
