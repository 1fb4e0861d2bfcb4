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
    default_example,
    default_group,
    default_values,
    paper_values,
    plan_values,
)
from dashboard.views.campaign.analysis.width import Spread, assumed_spread, spread_of_ratings
from dashboard.views.campaign.words.form_help import (
    ANALYSES_HELP,
    CAMPAIGN_SEED_HELP,
    DEGRADED_HELP,
    INSTRUCTIONS_HELP,
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

#: Maximum number of groups of judges and of training examples in the form; a plan in a file may have more.
MAX_GROUPS, MAX_EXAMPLES = 6, 20

#: Bounds of boxes for numbers of a scale.
MIN_NUMBER, MAX_NUMBER = 0.001, 1e6

#: Key of the problem of a loaded plan.
PROBLEM = "campaign_plan_problem"

#: Key of the number of loaded plans, which makes a new, empty upload box after each.
UPLOADS = "campaign_plans"


def campaign_start(corpus: Corpus) -> None:
    """Draw ways to fill in the form: the paper's campaign, a plan from a file, or the defaults."""
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
        st.button("Reset form", on_click=session.fill_draft, args=({},), key="campaign-anew", type="tertiary")
    problem = session.control_value(PROBLEM)
    if problem:
        st.error(literal(problem))


def campaign_form(corpus: Corpus) -> Mapping[str, Any]:
    """Draw the form of a plan.

    Args:
        corpus: the texts from which segments are drawn.

    Returns:
        Its values, by the keys of its widgets.
    """
    defaults = default_values(corpus)
    names = list(corpus.systems)
    with _part("What is rated"):
        _text("Title", "campaign_title", defaults, help=TITLE_HELP)
        _several("Systems", "campaign_systems", names, defaults, help=RATED_SYSTEMS_HELP)
        _sample(corpus, defaults)
    with _part("What judges see"):
        _scale(defaults)
        _text("Question above each translation", "campaign_question", defaults)
        _area("Instructions", "campaign_instructions", defaults, help=INSTRUCTIONS_HELP)
        labels = {"single": "one translation at a time", "side by side": "all systems side by side, names hidden"}
        _select("Translations are shown", "campaign_presentation", labels, defaults, help=PRESENTATION_HELP)
    with _part("Judges"):
        _judges(corpus, defaults)
    with _part("Checks of the judges"):
        with st.container(horizontal=True):
            high = 100 * MAX_CHECKS
            _number("Repeated items (%)", "campaign_repeats", defaults, low=0.0, high=high, help=REPEATS_HELP)
            _number("Degraded copies (%)", "campaign_degraded", defaults, low=0.0, high=high, help=DEGRADED_HELP)
        _training(corpus)
    with _part("Stopping rule"):
        _stopping_rule(defaults)
    return session.drafted()


def width_boxes(plan: CampaignPlan, judgments: Judgments | None) -> tuple[Spread, float]:
    """Draw the assumptions behind the expected width of an interval, and the wanted width, and return both.

    Raises:
        SettingsError: a number is invalid.
    """
    spread = spread_of_ratings(judgments, plan)
    if spread is not None:
        titles = {basis: basis for basis in ("the ratings that are loaded", "assumptions")}
        if _select("Estimated from", "campaign_basis", titles, {"campaign_basis": spread.basis}) == "assumptions":
            spread = None
    if spread is None:
        assumed = assumed_spread(plan).components
        defaults = {f"campaign_spread_{name}": getattr(assumed, f"{name}_deviation") for name in SPREAD_HELP}
        with st.container(horizontal=True, key="campaign-spread"):
            deviations = [
                _number(SPREAD_LABELS[name], key, defaults, low=0.0, high=MAX_NUMBER, step=0.1, width=120, help=text)
                for (name, text), key in zip(SPREAD_HELP.items(), defaults, strict=True)
            ]
        spread = assumed_spread(plan, (deviations[0], deviations[1], deviations[2]))
    default_width = {"campaign_wanted": 0.1 * (plan.scale.highest - plan.scale.lowest)}
    wanted = _number(
        "Wanted width (points)", "campaign_wanted", default_width, low=MIN_NUMBER, high=MAX_NUMBER, step=0.1, width=220
    )
    return spread, wanted


def _part(title: str) -> Any:
    st.markdown(f"**{title}**")
    return st.container(border=True, key=f"campaign-part-{title.lower().replace(' ', '-')}")


def _sample(corpus: Corpus, defaults: Mapping[str, Any]) -> None:
    """Draw how many segments or documents are sampled, and how."""
    documents = len(set(corpus.documents or ()))
    units = {"segments": "single segments"} | ({"documents": "whole documents"} if documents else {})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        unit = _select("Draw at random", "campaign_unit", units, defaults, help=UNIT_HELP)
        if unit == "documents":
            label, key, available = "Documents", "campaign_documents", documents
        else:
            label, key, available = "Segments", "campaign_segments", corpus.segments
        _number(f"{label} (of {available:,})", key, defaults, low=1, high=available)
        if unit == "segments" and corpus.labels:
            strata = {"": "no label", **{name: name for name in corpus.labels}}
            _select("In proportion to", "campaign_strata", strata, defaults, help=STRATA_HELP)
        _number("Seed", "campaign_seed", defaults, low=0, high=2**31 - 1, help=CAMPAIGN_SEED_HELP)


def _scale(defaults: Mapping[str, Any]) -> None:
    scale = _select("Scale", "campaign_scale", {name: name for name in SCALES}, defaults)
    if SCALES[scale] is None:
        with st.container(horizontal=True):
            _number("Lowest number", "campaign_lowest", defaults, low=-MAX_NUMBER, high=MAX_NUMBER)
            _number("Highest number", "campaign_highest", defaults, low=-MAX_NUMBER, high=MAX_NUMBER)
            _number("Step", "campaign_step", defaults, low=MIN_NUMBER, high=MAX_NUMBER)
    default_names = {"campaign_names": SCALE_NAMES[scale]}
    _area("Names of numbers, one per line", "campaign_names", default_names, help=NAMES_HELP, height=80)


def _judges(corpus: Corpus, defaults: Mapping[str, Any]) -> None:
    modes = {"designed": "separate lists", "paper": "one list for all"}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = _select("Judges have", "campaign_mode", modes, defaults, help=MODE_HELP)
        _number("Groups", "campaign_groups", defaults, low=1, high=_max_count("campaign_groups", MAX_GROUPS))
    for number in range(int(session.drafted()["campaign_groups"])):
        group = default_group(number, corpus)
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"campaign-group-{number}"):
            _text("Group", f"campaign_group_name_{number}", group, width=170)
            high = MAX_JUDGES
            _number("Judges", f"campaign_group_judges_{number}", group, low=1, high=high, width=110)
            _switch("See the source", f"campaign_group_source_{number}", group, disabled=corpus.source is None)
    if corpus.source is None:
        st.caption(NO_SOURCE)
    if mode == "paper":
        return
    every = _switch("Every judge rates everything", "campaign_every_judge", defaults)
    if not every:
        _number(
            "Judges per translation, in each group",
            "campaign_ratings",
            defaults,
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
        high=_max_count("campaign_examples", MAX_EXAMPLES),
        help=TRAINING_HELP,
    )
    for number in range(int(count)):
        defaults = default_example(number)
        with st.container(border=True, key=f"campaign-example-{number}"):
            if corpus.source is not None:
                _text(f"Source of example {number + 1}", f"campaign_example_source_{number}", defaults)
            _text(f"Translation of example {number + 1}", f"campaign_example_text_{number}", defaults)
            with st.container(horizontal=True):
                _number(
                    "Accepted range from",
                    f"campaign_example_lowest_{number}",
                    defaults,
                    low=-MAX_NUMBER,
                    high=MAX_NUMBER,
                )
                _number("to", f"campaign_example_highest_{number}", defaults, low=-MAX_NUMBER, high=MAX_NUMBER)
            _text("Feedback after the rating", f"campaign_example_feedback_{number}", defaults)


def _stopping_rule(defaults: Mapping[str, Any]) -> None:
    rule = _select("The campaign ends", "campaign_rule", RULE_NAMES, defaults, help=RULE_HELP)
    st.caption(RULE_EXPLAINED[rule])
    with st.container(horizontal=True):
        if rule == "number of ratings":
            _number("Ratings", "campaign_stop_ratings", defaults, low=1, high=10**7)
        if rule == "width of the interval":
            _number(
                "Narrower than (points)", "campaign_stop_width", defaults, low=MIN_NUMBER, high=MAX_NUMBER, step=0.1
            )
            low, high = MIN_LOOKS, MAX_LOOKS
            _number("Interim analyses", "campaign_looks", defaults, low=low, high=high, help=ANALYSES_HELP)


def _load(box: str, corpus: Corpus) -> None:
    """Fill in the form from an uploaded plan."""
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


def _max_count(key: str, limit: int) -> int:
    """Return the maximum of a box, which is higher if a plan in a file has more."""
    return max(limit, int(session.drafted().get(key, 0)))


# Boxes that store their values in the draft.


def _text(
    label: str,
    key: str,
    defaults: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    width: int | Literal["stretch"] = "stretch",
) -> None:
    session.restore_draft(key, defaults[key])
    st.text_input(label, key=key, help=help, width=width, max_chars=MAX_LINE_LENGTH)


def _area(
    label: str,
    key: str,
    defaults: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    height: int = 110,
) -> None:
    session.restore_draft(key, defaults[key])
    st.text_area(label, key=key, help=help, height=height, max_chars=MAX_INSTRUCTIONS_LENGTH)


def _number(
    label: str,
    key: str,
    defaults: Mapping[str, Any],
    *,
    low: float,
    high: float,
    step: float = 1.0,
    width: int = 150,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> float:
    whole = isinstance(low, int)
    session.restore_draft(key, defaults[key], lambda value: isinstance(value, (int, float)) and low <= value <= high)
    return st.number_input(
        label, low, high, key=key, step=1 if whole else step, width=width, help=help, format=None if whole else "%g"
    )


def _switch(label: str, key: str, defaults: Mapping[str, Any], *, disabled: bool = False) -> bool:
    session.restore_draft(key, defaults[key])
    return st.toggle(label, key=key, disabled=disabled)


def _select(
    label: str,
    key: str,
    titles: Mapping[str, str],
    defaults: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> str:
    """Draw a select box of options with titles, and return the selected option."""
    keys = {title: option for option, title in titles.items()}
    box = session.box_of_draft(key)
    if session.control_value(box) in keys:
        session.set_controls(**{key: keys[session.control_value(box)]})
    selected = session.restore_draft(key, defaults[key], lambda value: value in titles)
    session.set_controls(**{box: titles[selected]})
    return keys[st.selectbox(label, list(keys), key=box, help=help, width=270)]


def _several(
    label: str,
    key: str,
    names: Sequence[str],
    defaults: Mapping[str, Any],
    *,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> None:
    session.restore_draft(key, defaults[key], lambda value: set(value) <= set(names))
    select_subset(label, names, key=key, help=help)
