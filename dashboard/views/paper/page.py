"""The 2002 paper: the experiment of Papineni et al. (2002), step by step, on the loaded data."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bleu_core.dataset import plural, rated_segments
from bleu_core.errors import BleuCoreError
from bleu_core.paper import EXAMPLES as PAPER_EXAMPLES
from bleu_core.paper import combination_table, ngram_table
from bleu_core.results.encoding import to_json
from bleu_core.results.envelope import slice_described
from bleu_core.scoring import DEFAULT_METRIC
from dashboard import analysis, session, words
from dashboard.exhibits import STEP_FIGURES
from dashboard.export import PaperStep, Section, paper_code, paper_steps, printed_sections, probes_section
from dashboard.literal import literal
from dashboard.views.paper.analysis import PaperAnalysis, paper_numbers, repeat_paper, weights_by_hand, worked_example
from dashboard.views.paper.ngrams import marked
from dashboard.views.paper.probes import chosen_probes, show_probes
from dashboard.views.paper.words import (
    FAILING,
    PAPER_SOURCE,
    PAPER_TITLE,
    agreement_by_hand,
    claims_outcome,
    data_of_steps,
    example_brevity,
    example_counts,
    failing_claims,
    naive_recall,
    settings_of_paper_page,
    systems_without_bleu,
)
from dashboard.widgets import (
    PRESET_NAMES,
    answer,
    contents,
    data_in_use,
    downloads,
    file_download,
    json_bytes,
    name_in_slice,
    preset_of,
    section,
    select_one,
    show_chart,
    show_code,
    show_table,
    system_styles,
    view_or_stop,
)

SETTINGS_NAMES: Mapping[session.PaperSettings, str] = {"paper": "As in the paper", "sidebar": "As in the sidebar"}

#: Anchor of the section on probes.
PROBES = "what-bleu-cannot-see"

#: Width in pixels of the box for a step's choice.
CHOICE_WIDTH_PX = 320


def render() -> None:
    """Show the steps of the paper."""
    settings = _settings() if session.unmatched_link() is None else "sidebar"
    view = view_or_stop(as_in_paper=settings == "paper", of_paper=True)
    st.caption(literal(_in_use(view, settings)))
    st.caption(literal(PAPER_SOURCE))
    try:
        results = repeat_paper(view)
    except BleuCoreError as error:
        st.error(literal(str(error)))
        return
    experiment = results.experiment
    answer(claims_outcome(results.claims))
    failing = failing_claims(results.claims)
    if failing:
        st.caption("\n".join([f"{FAILING}:\n", *(f"- {literal(claim)}" for claim in failing)]))
    judgments = view.workspace.judgments
    rated = "" if judgments is None else rated_segments(judgments, experiment.evaluation.systems).note
    optimised = words.optimised_but_shown(view, analysis.metric_of(view, DEFAULT_METRIC), experiment.evaluation.systems)
    remarks = (data_of_steps(experiment), systems_without_bleu(experiment), rated, optimised)
    for remark in filter(None, remarks):
        st.caption(literal(remark))
    sentence = f"{FAILING}: {'; '.join(failing)}." if failing else ""
    probed, within = chosen_probes(view), slice_described(view.slice)
    name = name_in_slice("paper", within)
    with st.container(horizontal=True, key="paper-downloads"):
        file_download(
            "Report of this page (HTML)",
            lambda: printed_sections(
                [
                    *(step.section for step in paper_steps(experiment, results.steps, system_styles(view))),
                    _printed(view, probed),
                ],
                title=PAPER_TITLE,
                sentences=[PAPER_SOURCE, claims_outcome(results.claims), *filter(None, (sentence, *remarks))],
                signature=experiment.evaluation.signature,
                within=within,
            ),
            f"{name}.html",
            key="print",
        )
        file_download(
            "All numbers (JSON)",
            lambda: json_bytes(to_json(paper_numbers(view, results))),
            f"{name}.json",
            key="paper-json",
        )
    shown = paper_steps(experiment, results.steps, system_styles(view), _chosen())
    contents_column, steps_column = st.columns([1, 4], gap="medium")
    with contents_column:
        contents({_anchor(step): step.short for step in shown}, {PROBES: words.PROBES_HEADING})
    with steps_column:
        for step in shown:
            _step(step, view, results)
        _probes(view)
    show_code(paper_code(data_in_use(view), analysis.ratings_or_none(view)))


def _settings() -> session.PaperSettings:
    """Return the settings that the page uses; the sidebar is not changed."""
    session.restore_paper_settings()
    settings = st.segmented_control(
        "Settings",
        session.PAPER_SETTINGS,
        key="paper_settings",
        required=True,
        format_func=SETTINGS_NAMES.__getitem__,
        help="Applies to this page only. Excluded systems, groups and judges, and standardised ratings, apply in both "
        "cases.",
    )
    return settings or "paper"


def _in_use(view: analysis.View, settings: session.PaperSettings) -> str:
    used, loaded = view.evaluation, len(view.workspace.corpus.references)
    preset = PRESET_NAMES[preset_of(used.settings)]
    return settings_of_paper_page(used, loaded, preset, as_in_paper=settings == "paper")


def _chosen() -> dict[str, str]:
    """Restore the steps' choices before the figures are drawn, and return them."""
    chosen: dict[str, str] = {}
    for choice in filter(None, (figures.choice for figures in STEP_FIGURES.values())):
        session.restore_choice(choice.key, choice.options)
        chosen[choice.key] = session.control_value(choice.key)
    return chosen


def _step(step: PaperStep, view: analysis.View, results: PaperAnalysis) -> None:
    """Draw a section of the page: its figures, and its details, which are not drawn while they are folded."""
    st.header(step.heading, anchor=_anchor(step))
    st.markdown(literal(step.look))
    if step.choice is not None and step.tables:
        select_one(step.choice.label, step.choice.options, key=step.choice.key, width=CHOICE_WIDTH_PX)
    _drawings(step)
    inside = _inside(step)
    part = section(_anchor(step), inside) if inside else None
    if part is None:
        return
    with part:
        _details(step, view, results)


def _probes(view: analysis.View) -> None:
    """Draw a section that is computed when it is unfolded."""
    st.header(words.PROBES_HEADING, anchor=PROBES)
    st.markdown(words.PROBES_LOOK)
    part = section(PROBES, "Answers, 2 tables, changed segments side by side")
    if part is not None:
        with part:
            show_probes(view)


def _printed(view: analysis.View, chosen: analysis.ProbeChoice) -> Section:
    """Return the section on probes of the printed page."""
    return probes_section(analysis.run_probes(view, chosen))


def _inside(step: PaperStep) -> str:
    """Return the label of a section's details: "2 tables"; empty if there are none."""
    count = len(step.tables)
    return f"{count} {plural(count, 'table')}" if count else "Notes" if step.notes else ""


def _details(step: PaperStep, view: analysis.View, results: PaperAnalysis) -> None:
    """Draw the details of a section."""
    if step.key == "examples":
        _example(view)
        st.markdown("**The paper's examples: computed, and as published where it prints them**")
    if step.key == "combining":
        _by_hand(results)
    for number, data in enumerate(step.tables):
        key = f"{_anchor(step)}{f'-{number + 1}' if number else ''}"
        number_text = f", table {number + 1}" if len(step.tables) > 1 else ""
        show_table(data, key=key, alt=f"{step.heading}{number_text}")
        downloads(data, key=key)
    if step.notes:
        st.caption(literal(step.remarks))


def _anchor(step: PaperStep) -> str:
    return step.key.replace("_", "-")


def _drawings(step: PaperStep) -> None:
    drawings = step.draw()
    if not drawings:
        return
    key = _anchor(step)
    columns = st.columns(len(drawings), gap="large") if len(drawings) > 1 else [st.container()]
    for number, (column, drawing) in enumerate(zip(columns, drawings, strict=True)):
        with column:
            if drawing.title:
                st.markdown(f"**{literal(drawing.title)}**")
            alt = f"{step.heading}{f', {drawing.title}' if drawing.title else ''}. {step.look}"
            show_chart(drawing.figure, None, key=f"{key}-figure{f'-{number + 1}' if number else ''}", alt=alt)


@st.fragment
def _example(view: analysis.View) -> None:
    """Draw a candidate and its references, which the user can change, n-gram by n-gram."""
    names = {
        f"{example.place}{f', candidate {number}' if len(example.candidates) > 1 else ''}": (example, candidate)
        for example in PAPER_EXAMPLES
        for number, candidate in enumerate(example.candidates, start=1)
    }
    name = select_one("Start with", list(names), key="example", width=260)
    session.write_url()  # a change here runs only this part of the page
    example, candidate = names[name]
    left, right = st.columns(2, gap="large")
    with left:
        text = st.text_area("Candidate", candidate, key=f"candidate-{name}", height=100)
    with right:
        others = st.text_area(
            "References, one per line", "\n".join(example.references), key=f"references-{name}", height=100
        )
    references = [line for line in others.split("\n") if line.strip()]
    if not references:
        st.info("Write at least one reference.")
        return
    settings = view.evaluation.settings
    worked = worked_example(text, references, settings)
    orders = [str(order) for order in range(1, settings.max_order + 1)]
    order = int(st.segmented_control("Order of n-gram", orders, default=orders[0], key="example_order") or orders[0])
    st.markdown(marked(worked, order))
    st.text("\n".join((example_counts(worked, order), example_brevity(worked))))
    st.text(naive_recall(worked))
    data = ngram_table(worked)
    show_table(data, key="ngrams", alt="All n-grams of the candidate")
    downloads(data, key="ngrams")


@st.fragment
def _by_hand(results: PaperAnalysis) -> None:
    """Draw a box for the user's weights, and the results."""
    text = st.text_input(
        "Weights by hand",
        key="paper_weights",
        placeholder="0.4 0.3 0.2 0.1",
        width=320,
        help="One number per order, separated by spaces, that sum to 1.",
    )
    if not text.strip():
        return
    try:
        combined, followed = weights_by_hand(results.experiment, session.weights(text) or ())
    except BleuCoreError as error:
        st.error(literal(str(error)))
        return
    st.text(agreement_by_hand(followed))
    show_table(combination_table(combined, followed), key="by-hand", alt="BLEU with weights by hand")


PAGE = session.Page(
    title="The 2002 paper",
    path="paper",
    question="What do the tables, figures and claims of Papineni et al. (2002) show on these data?",
    parts=(session.Part(render=render, needs="systems"),),
    group="BLEU",
    icon=":material/article:",
)
