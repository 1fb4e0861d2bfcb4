"""The state of pages in a saved workspace, for commands: the values of controls, and a view of the data."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleu_core.cli import UNITS, chooses_tokenizer, settings_for, settings_of
from bleu_core.inference import CORRECTIONS, TESTS

if TYPE_CHECKING:  # loaded where a workspace is used
    from bleu_core.dataset import AlignedData, Corpus
    from bleu_core.judges import Adjustment
    from bleu_core.project import Choices, SavedWorkspace
    from bleu_core.uploads import Workspace
    from dashboard.analysis import View
    from dashboard.session import Selection

#: Controls of the page Report: its form, and its parts by title.
FORM, PARTS = "report_form", "report_parts"


def with_saved_controls(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options; those that the call does not give are taken from the workspace's controls.

    Invalid values of controls, such as a metric of a package that is not installed, are ignored, as on a page.
    """
    if options.workspace is None:
        return options
    from bleu_core.results.significance import TEST_NAMES
    from bleu_core.scoring import key_of_label
    from dashboard.analysis import LEVELS, MAX_DRAWS, MAX_SEED, uploaded_tables

    workspace: Workspace = options.loaded_workspace
    uploaded = uploaded_tables(workspace)  # whose keys are their labels
    tests = {TEST_NAMES[test]: test for test in TESTS}
    corrections = {name.lower(): name for name in CORRECTIONS}
    parsers: Mapping[str, tuple[str, Callable[[str], Any]]] = {
        "metric": ("metric", lambda label: key_of_label(label) or (label if label in uploaded else None)),
        "test": ("test", tests.get),
        "units": ("units", lambda text: text if text in UNITS else None),
        "correction": ("correction", lambda text: corrections.get(text.lower())),
        "alpha": ("level", lambda text: float(text) if text in LEVELS else None),
        "resamples": ("draws", lambda text: _within(text, 1, MAX_DRAWS)),
        "seed": ("seed", lambda text: _within(text, 0, MAX_SEED)),
        "blocks_of_t": ("t_blocks", lambda text: _within(text, 1, math.inf)),
        "by": ("slices_by", str),
    }
    given: frozenset[str] = options.given
    restored: dict[str, Any] = {}
    for option, (control, value) in parsers.items():
        if option in given or (option == "blocks_of_t" and "blocks" in given):
            continue
        with suppress(ValueError):
            parsed = value(control_of(options, control))
            if parsed is not None and parsed != "":
                restored[option] = parsed
    return argparse.Namespace(**vars(options) | restored)


def control_of(options: argparse.Namespace, key: str) -> str:
    """Return the value of a control in the workspace, as in a URL; empty for the default."""
    saved: SavedWorkspace = options.saved_workspace
    return next(iter(saved.controls.get(key, ())), "")


def selection_of(options: argparse.Namespace, corpus: Corpus) -> Selection:
    """Return the selection of a call; what it does not specify is taken from the workspace, or has its default.

    Args:
        options: of the call.
        corpus: the texts, whose language and script decide on the default tokeniser.
    """
    from dashboard.session import Selection, judge_labels

    settings, by_language = settings_for(options, corpus), not chooses_tokenizer(options)
    if options.workspace is None:
        return Selection(
            settings=settings,
            by_language=by_language,
            slice=options.slice or "",
            adjustment="adjusted" if options.adjust_judges else "auto",
            optimised=tuple(options.optimised),
        )
    choices: Choices = options.choices
    workspace: Workspace = options.loaded_workspace
    saved: SavedWorkspace = options.saved_workspace
    judges, groups = tuple(saved.controls.get("without_judges", ())), choices.without_groups
    if options.exclude_judge:
        labels = judge_labels(workspace).items()
        judges = tuple(label for label, judge in labels if judge.name in options.exclude_judge)
        groups = tuple(
            name for name in options.exclude_judge if workspace.judgments and name in workspace.judgments.groups
        )
    return Selection(
        settings=settings,
        by_language=by_language,
        slice=choices.slice if options.slice is None else options.slice,
        slice_planned=options.slice is None and control_of(options, "slice_planned") == "true",
        score_missing=choices.score_missing,
        shared_segments=choices.shared_segments,
        intervals=control_of(options, "intervals") != "false",
        without_systems=tuple(options.exclude_system),
        without_references=tuple(options.exclude_reference),
        without_judges=judges,
        without_groups=groups,
        standardised=options.standardise,
        adjustment="adjusted" if options.adjust_judges else _automatic_or_raw(options),
        rank_humans=bool(options.include_human),
        optimised=tuple(options.optimised),
    )


def _automatic_or_raw(options: argparse.Namespace) -> Adjustment:
    """Return the choice for ratings that a call does not adjust: raw ones only if the workspace chose them."""
    return "raw" if control_of(options, "adjust_judges") == "raw" else "auto"


def saved_view(options: argparse.Namespace, data: AlignedData) -> View:
    """Return the view of a workspace that its pages show.

    Args:
        options: of the call.
        data: the data that the call has read, with the direction of each metric's scores.
    """
    from dashboard.analysis import view_of

    workspace: Workspace = options.loaded_workspace
    better = {table.name: table.higher_is_better for table in data.scores}
    scores = (
        replace(table, higher_is_better=better.get(table.name, table.higher_is_better)) for table in workspace.scores
    )
    humans = tuple(options.human_system) or workspace.human_systems
    if set(humans) == set(workspace.human_systems) - set(options.exclude_system):
        humans = workspace.human_systems
    selection, included = selection_of(options, data.corpus), frozenset(options.include_human)
    if included and not included.issuperset(
        human.system for human in selection.humans_in(workspace).present
    ):  # not all are
        workspace = workspace.without_references_of(included)
        humans = tuple(name for name in humans if name not in included)
        selection = replace(selection, rank_humans=False)
    # The digest is that of the workspace, so results for other scores need another scope.
    data_in_use = replace(workspace, scores=tuple(scores), human_systems=humans, scope=object())
    return view_of(data_in_use, selection)


def is_as_saved(options: argparse.Namespace) -> bool:
    """Return whether the call selects the same data as the workspace, so that its pages have the same numbers."""
    choices: Choices = options.choices
    workspace: Workspace = options.loaded_workspace
    corpus = workspace.corpus
    return (
        settings_of(options) == choices.settings
        and options.slice is None
        and options.shared_segments in (None, choices.shared_segments)
        and not options.exclude_judge
        and set(options.human_system) == set(workspace.human_systems) - set(options.exclude_system)
        and bool(options.include_human) == choices.rank_humans
        and {mark for mark in choices.optimised if mark.system not in options.exclude_system} == set(options.optimised)
        and options.standardise == choices.standardised
        and options.adjust_judges == choices.adjusted_for_judges
        and list(options.exclude_system) == [name for name in choices.without_systems if name in corpus.systems]
        and list(options.exclude_reference)
        == [name for name in choices.without_references if name in corpus.references]
    )


def blocks_of_t(options: argparse.Namespace, segments: int) -> int:
    """Return the number of blocks of the paired t, which a workspace stores separately from that of the page Blocks."""
    if options.workspace is None:
        return options.blocks
    number: int | None = getattr(options, "blocks_of_t", None)
    return min(options.blocks, segments) if number is None or number > segments else number


def blocks_of_page(options: argparse.Namespace, view: View) -> dict[str, Any]:
    """Return arguments of Data: the division of the text of the workspace's page Blocks, unless the call gives one."""
    arguments = given_blocks(options)
    if options.workspace is None or "blocks" in options.given or "division" in arguments:
        return arguments
    arguments = {}
    division = control_of(options, "divide_into")
    if division == "size" or (division == "documents" and view.workspace.corpus.documents is not None):
        arguments["division"] = division
    for argument, control in (("blocks", "blocks_number"), ("block_size", "blocks_size")):
        with suppress(ValueError):
            number = _within(control_of(options, control), 1, view.workspace.corpus.segments)
            arguments |= {} if number is None else {argument: number}
    return arguments


def given_blocks(options: argparse.Namespace) -> dict[str, Any]:
    """Return arguments of Data: the division of the text that a call gives."""
    if options.block_size is not None:
        return {"division": "size", "block_size": options.block_size}
    return {"division": "documents"} if options.document_blocks else {"blocks": options.blocks}


def _within(text: str, low: int, high: float) -> int | None:
    """Parse a whole number; return None beyond its bounds.

    Raises:
        ValueError: the text is not a number that a URL may have.
    """
    from dashboard.session import WHOLE_NUMBER

    if not WHOLE_NUMBER.fullmatch(text):
        raise ValueError(text)
    return number if low <= (number := int(text)) <= high else None
