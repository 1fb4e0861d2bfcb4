"""What BLEU cannot see: the answers, the scores, and the changed segments side by side."""

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

#: The largest seed that the box takes.
MAX_SEED = 1_000_000

#: Pixels: of the table of all scores.
MAX_TABLE_HEIGHT = 320

METRICS_HELP = "Scores beside BLEU. A metric that is slow is not chosen at first: it may take a minute."


def chosen_probes(view: analysis.View) -> analysis.ProbeChoice:
    """What is probed: what was chosen, or the leading system under all metrics that are not slow."""
    systems, offered = list(view.best_systems), analysis.probe_metrics(view)
    session.restore_choice(SYSTEM, systems)
    session.restore_choices(METRICS, list(offered), _usual_metrics(view))
    session.restore_number(PROBE_SEED, 0, MAX_SEED, SEED)
    return analysis.ProbeChoice(
        session.control_value(SYSTEM), tuple(session.control_value(METRICS)), int(session.control_value(PROBE_SEED))
    )


def show_probes(view: analysis.View) -> None:
    """Choose a system, see what the changes do to its scores, and read the changed segments."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="probe-controls"):
        select_one("System", list(view.best_systems), key=SYSTEM)
        select_many(
            "Metrics beside BLEU",
            list(analysis.probe_metrics(view)),
            key=METRICS,
            default=_usual_metrics(view),
            help=METRICS_HELP,
        )
        integer_input("Seed", 0, MAX_SEED, SEED, key=PROBE_SEED)
    read = analysis.run_probes(view, chosen_probes(view))
    found = [f"- **{literal(title)}.** {literal(sentence)}" for title, sentence in words.probe_findings(read)]
    st.markdown("\n".join(found))
    standing = words.human_standing(read)
    if standing:
        st.text(standing)
    overview = probe_overview(read.results, read.labels)
    show_table(overview, key="probe-overview", alt="The difference that each change makes to each metric")
    downloads(overview, key="probe-overview")
    _segments(read)
    scores = probe_scores(read.results, read.labels)
    if scores.rows:
        st.markdown("**All scores, of the whole text and of the changed segments alone**")
        show_table(scores, key="probe-scores", alt="Scores before and after each change", max_height=MAX_TABLE_HEIGHT)
        downloads(scores, key="probe-scores")
    st.caption(literal(words.probe_notes(read)))


def _usual_metrics(view: analysis.View) -> list[str]:
    return [label for label, metric in analysis.probe_metrics(view).items() if not metric.slow]


@st.fragment
def _segments(read: analysis.ProbeAnalysis) -> None:
    """A changed segment: before and after, with the words that differ, and its references."""
    possible = {probe_title(one): number for number, one in enumerate(read.results) if one.changed}
    if not possible:
        return
    with st.container(key="probe-reader"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="probe-reader-controls"):
            title = select_one("Change", list(possible), key=PROBE, width=320)
            change = possible[title]
            last = len(read.changes[change].rows)
            position = integer_input(f"Changed segment (1 to {last:,})", 1, last, 1, key=POSITION, width=220)
        session.write_url()  # a choice here runs this part of the page only
        st.caption(literal(words.what_is_noticed(read, change)))
        changed = analysis.changed_segment(read, change, position - 1)
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
        legend({"different": "not there in the other text"})
        for number, (name, text) in enumerate(changed.references.items()):
            with st.container(key=f"probe-reference-{number}", gap=None):
                st.caption(literal(f"Reference {name}" if len(changed.references) > 1 else "Reference"))
                plain_text(text)
