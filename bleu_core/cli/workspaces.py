"""The data of a saved workspace that a call names, as the pages of the dashboard show them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import SettingsError
from bleu_core.formats import PUBLISHED, printable_path, read_bytes
from bleu_core.scoring import PRESETS

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import Judgments
    from bleu_core.project import Choices, SavedWorkspace
    from bleu_core.uploads import File, Workspace


def with_workspace(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options, completed by the choices of the workspace.

    Raises:
        FormatError, LimitError: the workspace cannot be opened.
        OSError: it cannot be read.
    """
    if options.workspace is None:
        return options
    from bleu_core.project import open_workspace
    from bleu_core.uploads import assemble  # loaded when first needed

    place = printable_path(options.workspace)
    saved = open_workspace(read_bytes(options.workspace, options.limits), place, limits=options.limits)
    name = _test_set(options, saved)
    files = [as_given(file, options) for file in saved.test_sets.get(name, ())]
    choices = saved.choices
    shared_segments = options.shared_segments if options.shared_segments is not None else choices.shared_segments
    with progress_bar() as progress:
        workspace = assemble(files, options.limits, shared_segments=shared_segments, progress=progress)
    in_paper = options.command == "paper" and choices.paper_preset
    choices_in_use: dict[str, Any] = {"loaded_workspace": workspace, "saved_workspace": saved, "choices": choices}
    choices_in_use["saved_settings"] = PRESETS["paper"] if in_paper else choices.settings
    for role, saved_names in (("system", choices.without_systems), ("reference", choices.without_references)):
        known = workspace.corpus.systems if role == "system" else workspace.corpus.references
        given = getattr(options, f"exclude_{role}", None)
        choices_in_use[f"exclude_{role}"] = given or [name for name in saved_names if name in known]
    if "human_system" in options and not options.human_system:
        humans = (name for name in workspace.human_systems if name not in choices_in_use["exclude_system"])
        choices_in_use["human_system"] = list(humans)
    if "optimised" in options and not options.optimised:
        systems = set(workspace.corpus.systems).difference(choices_in_use["exclude_system"])
        choices_in_use["optimised"] = [mark for mark in choices.optimised if mark.system in systems]
    if "include_human" in options and not options.include_human and choices.rank_humans:
        choices_in_use["include_human"] = _ranked_humans(workspace, vars(options) | choices_in_use)
    if "standardise" in options:
        choices_in_use["standardise"] = options.standardise or choices.standardised
        choices_in_use["adjust_judges"] = options.adjust_judges or choices.adjusted_for_judges
    if options.command == "paper":  # shows all references, and uses some of them for its tables
        from bleu_core.paper import TABLE_REFERENCES  # loaded when first needed

        names = list(workspace.corpus.references)
        first = in_paper or options.table_references is not None
        max_references = TABLE_REFERENCES if options.table_references is None else options.table_references
        in_use = (
            names[:max_references]
            if first
            else [name for name in names if name not in choices_in_use["exclude_reference"]]
        )
        choices_in_use |= {"references_in_use": in_use, "exclude_reference": options.exclude_reference}
    return argparse.Namespace(**vars(options) | choices_in_use)


def _test_set(options: argparse.Namespace, saved: SavedWorkspace) -> str:
    """Return the test set of a workspace that a call reads: the one it names, or the one that is shown.

    Raises:
        SettingsError: there is no test set of that name.
    """
    if options.set is None:
        return saved.test_set
    from bleu_core.uploads import set_label  # loaded when first needed

    names = {set_label(name): name for name in saved.test_sets}
    if options.set not in names:
        raise SettingsError(f"argument --set: {options.set!r} found, one of {', '.join(names)} expected")
    return names[options.set]


def _ranked_humans(workspace: Workspace, choices: Mapping[str, Any]) -> list[str]:
    """Return the human translations that a workspace ranks; none if no other reference is left to rank them with."""
    from bleu_core.dataset import translations_of  # loaded when first needed

    systems = (name for name in workspace.corpus.systems if name not in choices["exclude_system"])
    humans = translations_of(systems, workspace.identical, choices["human_system"])
    names = [human.system for human in humans]
    return names if set(workspace.references_besides(names)) - set(choices["exclude_reference"]) else []


def has_workspace(options: argparse.Namespace) -> bool:
    """Return whether the files of the call are those of a workspace."""
    return "loaded_workspace" in options


def slice_follows_results(options: argparse.Namespace) -> bool:
    """Return whether the slice is that of a workspace in which it was chosen after its results were seen."""
    if not has_workspace(options) or options.slice is not None:
        return False
    saved: SavedWorkspace = options.saved_workspace
    return saved.controls.get("slice_planned") != ("true",)


def references_in_use(options: argparse.Namespace) -> Sequence[str] | None:
    """Return the references that a workspace uses for the tables of the 2002 paper; None without a workspace."""
    return getattr(options, "references_in_use", None)


def workspace_languages(options: argparse.Namespace) -> str:
    """Return the language pair that the name of the test set, or its files, say; empty if they do not."""
    from bleu_core.collection import set_languages  # loaded when first needed

    return set_languages(_test_set(options, options.saved_workspace), options.loaded_workspace)


def notes_on_sets(options: argparse.Namespace) -> list[str]:
    """Return which of the test sets of a workspace is used, if there are several and the call names none."""
    saved: SavedWorkspace | None = getattr(options, "saved_workspace", None)
    if saved is None or options.set is not None or len(saved.test_sets) < 2:  # noqa: PLR2004 # several
        return []
    from bleu_core.uploads import set_label  # loaded when first needed

    used = f"the workspace has {len(saved.test_sets)} test sets; {set_label(saved.test_set)} is used"
    return [f"{used}, which was shown when it was saved: --set names another one, and bleu-core table compares all"]


def absent_segments(options: argparse.Namespace) -> tuple[int, ...]:
    """Return the numbers of segments that a file of the workspace lacks, unless they are scored as empty."""
    return options.loaded_workspace.absent if has_workspace(options) and not options.choices.score_missing else ()


def given_corrections(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a call for reading files: names of attributes of File -> values."""
    weights = getattr(options, "mqm_weights", PUBLISHED)
    given = {
        "encoding": options.encoding,
        "first_segment": getattr(options, "first_segment", None),
        "pair": getattr(options, "language_pair", None),
        "weights": weights if weights != PUBLISHED else None,
        "human_scores": getattr(options, "human_scores", None),
    }
    return {name: value for name, value in given.items() if value is not None}


def as_given(file: File, options: argparse.Namespace) -> File:
    """Return a saved file with the options of the call for reading it, which override its own."""
    changes = given_corrections(options)
    file = replace(file, **changes) if changes else file
    return file.in_paragraphs() if getattr(options, "paragraphs", False) else file


def standardised_as_saved(options: argparse.Namespace, judgments: Judgments | None) -> Judgments | None:
    """Return the ratings, standardised by judge if the call has a workspace that standardises them."""
    if judgments is None or not has_workspace(options) or not options.choices.standardised:
        return judgments
    from bleu_core.judges import standardised  # loaded when first needed

    return standardised(judgments)


def without_saved_judges(options: argparse.Namespace, judgments: Judgments | None) -> Judgments | None:
    """Return the ratings without the judges that the workspace excludes, unless the call excludes others."""
    from bleu_core.dataset import Judge  # loaded when first needed

    choices: Choices = options.choices
    if judgments is None or getattr(options, "exclude_judge", ()):
        return judgments
    judges = [Judge(judge.group, judge.name) for judge in choices.without_judges]
    return judgments.without(judges=judges, groups=choices.without_groups)
