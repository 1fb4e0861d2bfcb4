"""What pages showed when a workspace was saved, for commands: the values of controls, and a view of the data."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleu_core.cli import UNITS, settings_of
from bleu_core.inference import CORRECTIONS, TESTS

if TYPE_CHECKING:  # loaded where a workspace is used
    from bleu_core.dataset import Dataset
    from bleu_core.project import Choices, SavedWorkspace
    from bleu_core.uploads import Workspace
    from dashboard.analysis import View
    from dashboard.session import Selection

#: Controls of the page Report: its form, and its parts by title.
FORM, PARTS = "report_form", "report_parts"


class Noted(argparse.Action):
    """Stores a value, and notes which options a call has given."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option: str | None = None,
    ) -> None:
        """Store the value."""
        setattr(namespace, self.dest, values)
        namespace.given = {*getattr(namespace, "given", ()), self.dest}


def with_saved_controls(options: argparse.Namespace) -> argparse.Namespace:
    """The options, with the controls of pages that a workspace has wherever the call gives no option.

    What is no value of a control, such as a metric of a package that is not installed, does not count, as on a page.
    """
    if options.workspace is None:
        return options
    from bleu_core.results.significance import TEST_NAMES
    from bleu_core.scoring import key_of_label

    tests = {TEST_NAMES[test]: test for test in TESTS}
    corrections = {name.lower(): name for name in CORRECTIONS}
    read: Mapping[str, tuple[str, Callable[[str], Any]]] = {
        "metric": ("metric", key_of_label),
        "test": ("test", tests.get),
        "units": ("units", lambda text: text if text in UNITS else None),
        "correction": ("correction", lambda text: corrections.get(text.lower())),
        "alpha": ("level", lambda text: level if 0 < (level := float(text)) < 1 else None),
        "resamples": ("draws", lambda text: _within(text, 1, math.inf)),
        "seed": ("seed", lambda text: _within(text, 0, 2**31 - 1)),
        "blocks_of_t": ("t_blocks", lambda text: _within(text, 1, math.inf)),
        "by": ("slices_by", str),
    }
    given: set[str] = getattr(options, "given", set())
    chosen: dict[str, Any] = {}
    for option, (control, value) in read.items():
        if option in given or (option == "blocks_of_t" and "blocks" in given):
            continue
        with suppress(ValueError):
            found = value(control_of(options, control))
            if found is not None and found != "":
                chosen[option] = found
    return argparse.Namespace(**vars(options) | chosen)


def control_of(options: argparse.Namespace, key: str) -> str:
    """The value of a control in the workspace, as in an address; empty for the usual one."""
    saved: SavedWorkspace = options.saved_workspace
    return next(iter(saved.controls.get(key, ())), "")


def selection_of(options: argparse.Namespace) -> Selection:
    """The settings, slice and choices of a call; what it does not say is as in the workspace, or else as by default."""
    from dashboard.session import Selection, judge_labels

    settings = settings_of(options)
    if options.workspace is None:
        return Selection(settings=settings, slice=options.slice or "")
    choices: Choices = options.choices
    workspace: Workspace = options.loaded_workspace
    saved: SavedWorkspace = options.saved_workspace
    judges, groups = tuple(saved.controls.get("without_judges", ())), choices.without_groups
    if options.exclude:
        labels = judge_labels(workspace).items()
        judges = tuple(label for label, judge in labels if judge.name in options.exclude)
        groups = tuple(name for name in options.exclude if workspace.judgments and name in workspace.judgments.groups)
    return Selection(
        settings=settings,
        slice=choices.slice if options.slice is None else options.slice,
        slice_planned=options.slice is None and control_of(options, "slice_planned") == "true",
        score_missing=choices.score_missing,
        shared_segments=choices.shared_segments,
        intervals=control_of(options, "intervals") != "false",
        without_systems=tuple(options.without_system),
        without_references=tuple(options.without_reference),
        without_judges=judges,
        without_groups=groups,
        standardised=options.zscore,
        adjusted=options.adjust_judges,
        rank_humans=bool(options.include_human),
    )


def saved_view(options: argparse.Namespace, data: Dataset) -> View:
    """The view of a workspace that its pages show.

    Args:
        options: of the call.
        data: what the call has read, with the direction of each metric's scores.
    """
    from dashboard.analysis import view_of

    workspace: Workspace = options.loaded_workspace
    better = {table.name: table.higher_is_better for table in data.scores}
    scores = (replace(one, higher_is_better=better.get(one.name, one.higher_is_better)) for one in workspace.scores)
    humans = tuple(options.human_system) or workspace.human_systems
    if set(humans) == set(workspace.human_systems) - set(options.without_system):
        humans = workspace.human_systems
    selection, included = selection_of(options), frozenset(options.include_human)
    if included and not included.issuperset(
        each.system for each in selection.humans_in(workspace).present
    ):  # not all are
        workspace = workspace.without_references_of(included)
        humans = tuple(name for name in humans if name not in included)
        selection = replace(selection, rank_humans=False)
    # The digest is that of the workspace, so that results for other scores have to have another scope.
    found = replace(workspace, scores=tuple(scores), human_systems=humans, scope=object())
    return view_of(found, selection)


def is_as_saved(options: argparse.Namespace) -> bool:
    """Return whether the call selects the same data as the workspace, so that its pages have the same numbers."""
    choices: Choices = options.choices
    workspace: Workspace = options.loaded_workspace
    corpus = workspace.corpus
    return (
        settings_of(options) == choices.settings
        and options.slice is None
        and options.shared_segments in (None, choices.shared_segments)
        and not options.exclude
        and set(options.human_system) == set(workspace.human_systems) - set(options.without_system)
        and bool(options.include_human) == choices.rank_humans
        and options.zscore == choices.standardised
        and options.adjust_judges == choices.adjusted_for_judges
        and list(options.without_system) == [name for name in choices.without_systems if name in corpus.systems]
        and list(options.without_reference)
        == [name for name in choices.without_references if name in corpus.references]
    )


def blocks_of_t(options: argparse.Namespace, segments: int) -> int:
    """The number of blocks of the paired t, which a workspace has apart from that of the page Blocks."""
    number: int = getattr(options, "blocks_of_t", options.blocks)
    return number if options.workspace is None else min(number, segments)


def blocks_of_page(options: argparse.Namespace, view: View) -> dict[str, Any]:
    """How the page Blocks of a workspace divides the text, unless the call says it, as arguments of Data."""
    if options.workspace is None or "blocks" in getattr(options, "given", ()):
        return {"blocks": options.blocks}
    found: dict[str, Any] = {}
    division = control_of(options, "divide_into")
    if division == "size" or (division == "documents" and view.workspace.corpus.documents is not None):
        found["division"] = division
    for argument, control in (("blocks", "blocks_number"), ("block_size", "blocks_size")):
        with suppress(ValueError):
            number = _within(control_of(options, control), 1, view.workspace.corpus.segments)
            found |= {} if number is None else {argument: number}
    return found


def _within(text: str, low: int, high: float) -> int | None:
    """A whole number; None beyond its bounds.

    Raises:
        ValueError: it is no number.
    """
    return number if low <= (number := int(text)) <= high else None
