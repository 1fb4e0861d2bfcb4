"""The form of a campaign: what is rated, on which scale, by whom, and when it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from bleu_core.campaigns import MAX_CHECKS, MAX_JUDGES, MAX_LOOKS, MIN_LOOKS, CampaignPlan
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import BleuCoreError
from dashboard import session
from dashboard.literal import literal
from dashboard.views.campaign.analysis.plan import (
    SCALE_NAMES,
    SCALES,
    paper_values,
    plan_values,
    usual_example,
    usual_group,
    usual_values,
)
from dashboard.views.campaign.analysis.width import Spread, assumed_spread, spread_of_ratings
from dashboard.views.campaign.words.form_help import (
    CAMPAIGN_SEED_HELP,
    DEGRADED_HELP,
    INSTRUCTIONS_HELP,
    LOOKS_HELP,
    MAX_INSTRUCTIONS_LENGTH,
    MAX_LINE_LENGTH,
    MODE_HELP,
    NAMES_HELP,
    NO_SOURCE,
    PAPER_CAMPAIGN_HELP,
    PLAN_HELP,
    PRESENTATION_HELP,
    RATED_SYSTEMS_HELP,
    RATINGS_HELP,
    REPEATS_HELP,
    RULE_EXPLAINED,
    RULE_HELP,
    RULE_NAMES,
    SPREAD_HELP,
    SPREAD_LABELS,
    STRATA_HELP,
    TITLE_HELP,
    TRAINING_HELP,
    UNIT_HELP,
)
from dashboard.widgets import select_subset

#: The most groups of judges and training examples that the form has; a plan in a file may have more.
MAX_GROUPS, MAX_EXAMPLES = 6, 20

#: Ends of boxes for numbers of a scale.
MIN_NUMBER, MAX_NUMBER = 0.001, 1e6

#: Key of what is wrong with a plan that was loaded.
PROBLEM = "campaign_plan_problem"

#: Key of the box for a plan, with the number of plans that were loaded: a new one is empty.
UPLOADS = "campaign_plans"


def campaign_start(corpus: Corpus) -> None:
    """Ways to fill in the form: the paper's campaign, a plan from a file, or the usual values."""
    with st.container(horizontal=True, vertical_alignment="center", key="campaign-start"):
        st.button(
            "The paper's campaign",
            on_click=session.fill_draft,
            args=(paper_values(corpus),),
            key="campaign-paper",
            icon=":material/history_edu:",
            help=PAPER_CAMPAIGN_HELP,
        )
        with st.popover("Load a plan", icon=":material/upload_file:", key="campaign-load"):
            box = f"campaign-plan-{session.control_value(UPLOADS, 0)}"
            load = session.callback(box, partial(_load, box, corpus))
            st.file_uploader("Plan (TOML)", type="toml", key=box, on_change=load, help=PLAN_HELP)
        st.button("Begin anew", on_click=session.fill_draft, args=({},), key="campaign-anew", type="tertiary")
    problem = session.control_value(PROBLEM)
    if problem:
        st.error(literal(problem))


def campaign_form(corpus: Corpus) -> Mapping[str, Any]:
    """The form of a plan.

    Args:
        corpus: the texts from which segments are drawn.

    Returns:
        What it holds, by the keys of its widgets.
    """
    usual = usual_values(corpus)
    names = list(corpus.systems)
    with _part("What is rated"):
        _text("Title", "campaign_title", usual, help=TITLE_HELP)
        _several("Systems", "campaign_systems", names, usual, help=RATED_SYSTEMS_HELP)
        _sample(corpus, usual)
    with _part("What judges see"):
        _scale(usual)
        _text("Question above each translation", "campaign_question", usual)
        _area("Instructions", "campaign_instructions", usual, help=INSTRUCTIONS_HELP)
        labels = {"single": "one translation at a time", "side by side": "all systems side by side, names hidden"}
        _one("Translations are shown", "campaign_presentation", labels, usual, help=PRESENTATION_HELP)
    with _part("Judges"):
        _judges(corpus, usual)
    with _part("Checks of the judges"):
        with st.container(horizontal=True):
            most = 100 * MAX_CHECKS
            _number("Rated twice, %", "campaign_repeats", usual, low=0.0, high=most, help=REPEATS_HELP)
            _number("Degraded copies, %", "campaign_degraded", usual, low=0.0, high=most, help=DEGRADED_HELP)
        _training(corpus)
    with _part("The end"):
        _end(usual)
    return session.drafted()


def width_boxes(plan: CampaignPlan, judgments: Judgments | None) -> tuple[Spread, float]:
    """What the expected width of an interval rests on, and the width that is wanted.

    Raises:
        SettingsError: a number means nothing.
    """
    found = spread_of_ratings(judgments, plan)
    chosen = found
    if found is not None:
        titles = {one: one for one in ("the ratings that are loaded", "assumptions")}
        if _one("Estimated from", "campaign_basis", titles, {"campaign_basis": found.basis}) == "assumptions":
            chosen = None
    if chosen is None:
        assumed = assumed_spread(plan).components
        usual = {f"campaign_spread_{name}": getattr(assumed, f"{name}_deviation") for name in SPREAD_HELP}
        with st.container(horizontal=True, key="campaign-spread"):
            given = [
                _number(SPREAD_LABELS[name], key, usual, low=0.0, high=MAX_NUMBER, step=0.1, width=120, help=of)
                for (name, of), key in zip(SPREAD_HELP.items(), usual, strict=True)
            ]
        chosen = assumed_spread(plan, (given[0], given[1], given[2]))
    half = {"campaign_wanted": 0.1 * (plan.scale.highest - plan.scale.lowest)}
    wanted = _number(
        "Width that you want, points", "campaign_wanted", half, low=MIN_NUMBER, high=MAX_NUMBER, step=0.1, width=220
    )
    return chosen, wanted


def _part(title: str) -> Any:
    st.markdown(f"**{title}**")
    return st.container(border=True, key=f"campaign-part-{title.lower().replace(' ', '-')}")


def _sample(corpus: Corpus, usual: Mapping[str, Any]) -> None:
    """How many segments or documents are drawn, and how."""
    documents = len(set(corpus.documents or ()))
    units = {"segments": "single segments"} | ({"documents": "whole documents"} if documents else {})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        unit = _one("Draw at random", "campaign_unit", units, usual, help=UNIT_HELP)
        if unit == "documents":
            label, key, most = "Documents", "campaign_documents", documents
        else:
            label, key, most = "Segments", "campaign_segments", corpus.segments
        _number(f"{label} (of {most:,})", key, usual, low=1, high=most)
        if unit == "segments" and corpus.labels:
            strata = {"": "no label", **{name: name for name in corpus.labels}}
            _one("In proportion to", "campaign_strata", strata, usual, help=STRATA_HELP)
        _number("Seed", "campaign_seed", usual, low=0, high=2**31 - 1, help=CAMPAIGN_SEED_HELP)


def _scale(usual: Mapping[str, Any]) -> None:
    scale = _one("Scale", "campaign_scale", {name: name for name in SCALES}, usual)
    if SCALES[scale] is None:
        with st.container(horizontal=True):
            _number("Lowest number", "campaign_lowest", usual, low=-MAX_NUMBER, high=MAX_NUMBER)
            _number("Highest number", "campaign_highest", usual, low=-MAX_NUMBER, high=MAX_NUMBER)
            _number("Step", "campaign_step", usual, low=MIN_NUMBER, high=MAX_NUMBER)
    of_scale = {"campaign_names": SCALE_NAMES[scale]}
    _area("Names of numbers, one per line", "campaign_names", of_scale, help=NAMES_HELP, height=80)


def _judges(corpus: Corpus, usual: Mapping[str, Any]) -> None:
    modes = {"designed": "lists of their own", "paper": "one list for all"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = _one("Judges have", "campaign_mode", modes, usual, help=MODE_HELP)
        _number("Groups", "campaign_groups", usual, low=1, high=_most("campaign_groups", MAX_GROUPS))
    for number in range(int(session.drafted()["campaign_groups"])):
        of_group = usual_group(number, corpus)
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"campaign-group-{number}"):
            _text("Group", f"campaign_group_name_{number}", of_group, width=170)
            high = MAX_JUDGES
            _number("Judges", f"campaign_group_judges_{number}", of_group, low=1, high=high, width=110)
            _switch("See the source", f"campaign_group_source_{number}", of_group, disabled=corpus.source is None)
    if corpus.source is None:
        st.caption(NO_SOURCE)
    if mode == "paper":
        return
    every = _switch("Every judge rates everything", "campaign_every_judge", usual)
    if not every:
        _number(
            "Judges per translation, in each group",
            "campaign_ratings",
            usual,
            low=1,
            high=MAX_JUDGES,
            width=270,
            help=RATINGS_HELP,
        )


def _training(corpus: Corpus) -> None:
    count = _number(
        "Training examples",
        "campaign_examples",
        {"campaign_examples": 0},
        low=0,
        high=_most("campaign_examples", MAX_EXAMPLES),
        help=TRAINING_HELP,
    )
    for number in range(int(count)):
        usual = usual_example(number)
        with st.container(border=True, key=f"campaign-example-{number}"):
            if corpus.source is not None:
                _text(f"Source of example {number + 1}", f"campaign_example_source_{number}", usual)
            _text(f"Translation of example {number + 1}", f"campaign_example_text_{number}", usual)
            with st.container(horizontal=True):
                _number("Right from", f"campaign_example_lowest_{number}", usual, low=-MAX_NUMBER, high=MAX_NUMBER)
                _number("to", f"campaign_example_highest_{number}", usual, low=-MAX_NUMBER, high=MAX_NUMBER)
            _text("What judges are told after it", f"campaign_example_feedback_{number}", usual)


def _end(usual: Mapping[str, Any]) -> None:
    """The stopping rule."""
    rule = _one("The campaign ends", "campaign_rule", RULE_NAMES, usual, help=RULE_HELP)
    st.caption(RULE_EXPLAINED[rule])
    with st.container(horizontal=True):
        if rule == "number of ratings":
            _number("Ratings", "campaign_stop_ratings", usual, low=1, high=10**7)
        if rule == "width of the interval":
            _number("Narrower than, points", "campaign_stop_width", usual, low=MIN_NUMBER, high=MAX_NUMBER, step=0.1)
            low, high = MIN_LOOKS, MAX_LOOKS
            _number("Looks", "campaign_looks", usual, low=low, high=high, help=LOOKS_HELP)


def _load(box: str, corpus: Corpus) -> None:
    """Fill in the form from a plan that was dropped."""
    upload = session.control_value(box)
    if upload is None:
        return
    try:
        values = plan_values(upload.getvalue(), upload.name, corpus)
    except BleuCoreError as error:
        session.set_controls(**{PROBLEM: str(error)})
    else:
        session.set_controls(**{PROBLEM: ""})
        session.fill_draft(values)
    session.set_controls(**{UPLOADS: session.control_value(UPLOADS, 0) + 1})


def _most(key: str, most: int) -> int:
    """The most that a box can hold; more where a plan in a file has more."""
    return max(most, int(session.drafted().get(key, 0)))


# Boxes that keep what is filled in.


def _text(
    label: str,
    key: str,
    usual: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    width: int | Literal["stretch"] = "stretch",
) -> None:
    session.restore_draft(key, usual[key])
    st.text_input(label, key=key, help=help, width=width, max_chars=MAX_LINE_LENGTH)


def _area(
    label: str,
    key: str,
    usual: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    height: int = 110,
) -> None:
    session.restore_draft(key, usual[key])
    st.text_area(label, key=key, help=help, height=height, max_chars=MAX_INSTRUCTIONS_LENGTH)


def _number(
    label: str,
    key: str,
    usual: Mapping[str, Any],
    *,
    low: float,
    high: float,
    step: float = 1.0,
    width: int = 150,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> float:
    whole = isinstance(low, int)
    session.restore_draft(key, usual[key], lambda value: isinstance(value, (int, float)) and low <= value <= high)
    return st.number_input(
        label, low, high, key=key, step=1 if whole else step, width=width, help=help, format=None if whole else "%g"
    )


def _switch(label: str, key: str, usual: Mapping[str, Any], *, disabled: bool = False) -> bool:
    session.restore_draft(key, usual[key])
    return st.toggle(label, key=key, disabled=disabled)


def _one(
    label: str,
    key: str,
    titles: Mapping[str, str],
    usual: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> str:
    """A box for one choice, and what each is called for people."""
    keys = {title: one for one, title in titles.items()}
    box = session.box_of_draft(key)
    if session.control_value(box) in keys:
        session.set_controls(**{key: keys[session.control_value(box)]})
    chosen = session.restore_draft(key, usual[key], lambda value: value in titles)
    session.set_controls(**{box: titles[chosen]})
    return keys[st.selectbox(label, list(keys), key=box, help=help, width=270)]


def _several(
    label: str,
    key: str,
    names: Sequence[str],
    usual: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> None:
    session.restore_draft(key, usual[key], lambda value: set(value) <= set(names))
    select_subset(label, names, key=key, help=help)
