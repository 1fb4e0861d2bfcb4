"""The data of a saved workspace that a call names, as the pages of the dashboard show them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleu_core.cli.loading import (
    check_taken,
    directed,
    distinct_of,
    excluded_names,
    settings_of,
    sliced,
    store_others,
    with_humans,
    without,
)
from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.formats import PUBLISHED, printable_path, read_bytes
from bleu_core.scoring import PRESETS

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import AlignedData, Column, Corpus, Judgments, LineRepair, PrintedScore
    from bleu_core.project import Choices, SavedWorkspace
    from bleu_core.slicing import Slice
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
    files = [_as_given(file, options) for file in saved.test_sets.get(name, ())]
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


def workspace_dataset(options: argparse.Namespace) -> AlignedData:
    """Return the data of the workspace, and store the slice in the options.

    Raises:
        AlignmentError: there is no system, or no segment in the slice.
        SettingsError: a text to exclude does not exist, or the slice is invalid.
    """
    from bleu_core.dataset import (
        COMPARE_SHARED,
        AlignedData,
        no_system,
        shared_segments_sentence,
    )  # loaded when first needed

    workspace: Workspace = options.loaded_workspace
    choices: Choices = options.choices
    check_taken(options, ((entry.report, entry.takes) for entry in workspace.entries if entry.report is not None))
    options.warnings += _test_set_notes(options)
    options.warnings += [f"not used: {problem}" for problem in workspace.unused]
    if options.command == "check":
        counts = ((entry.file.name, sentence) for entry in workspace.entries for sentence in entry.error_counts)
        options.warnings += [f"{name}: {sentence}" for name, sentence in counts]
    if workspace.incomplete:
        sharing = shared_segments_sentence(workspace.corpus.segments, workspace.unshared)
        options.warnings.append(sharing or COMPARE_SHARED)
    corpus_of_files, missing = workspace.corpus, workspace.missing
    if not corpus_of_files.systems:
        raise AlignmentError(no_system(missing))
    systems = [*corpus_of_files.systems, *(text.name for text in missing)]
    excluded = excluded_names(options, {"system": systems, "reference": list(corpus_of_files.references)})
    options.missing_systems = tuple(text for text in missing if text.name not in excluded["system"])
    references = [name for name in corpus_of_files.references if name not in excluded["reference"]]
    copies = [same for same in workspace.identical if same.role == "reference" and same.name in excluded["reference"]]
    corpus = replace(
        corpus_of_files,
        systems={name: text for name, text in corpus_of_files.systems.items() if name not in excluded["system"]},
        references={name: corpus_of_files.references[name] for name in references},
        languages=_languages(options),
    )
    corpus = with_humans(options, corpus, copies)
    ranked_or_human = {*corpus.systems, *(same.system for same in copies)}
    excluded_texts = {name: text for name, text in corpus_of_files.systems.items() if name not in ranked_or_human}
    store_others(options, excluded_texts, corpus)
    references = list(corpus.references)
    judgments = None if workspace.judgments is None else _without_excluded_judges(options, workspace.judgments)
    ratings = replace(workspace.ratings_for(corpus), judgments=judgments, rated=judgments)
    scores = (table.aligned(tuple(corpus.systems), corpus.segments) for table in directed(options, workspace.scores))
    data = AlignedData(corpus=corpus, ratings=ratings, scores=tuple(scores), problems={}, warnings={})
    slice_in_use = _slice(options, references_in_use(options) or references, _standardised(choices, judgments))
    if slice_in_use is not None:
        data = sliced(data, options, slice_in_use)
    if "standardise" in options:  # the command standardises the ratings itself
        return data
    judgments = _standardised(choices, data.ratings.judgments)
    return replace(data, ratings=replace(data.ratings, judgments=judgments, rated=judgments))


def _languages(options: argparse.Namespace) -> str:
    """Return the language pair that the name of the test set, or its files, say; empty if they do not."""
    from bleu_core.collection import set_languages  # loaded when first needed

    return set_languages(_test_set(options, options.saved_workspace), options.loaded_workspace)


def _test_set_notes(options: argparse.Namespace) -> list[str]:
    """Return which of the test sets of a workspace is used, if there are several and the call names none."""
    saved: SavedWorkspace = options.saved_workspace
    if options.set is not None or len(saved.test_sets) < 2:  # noqa: PLR2004 # several
        return []
    from bleu_core.uploads import set_label  # loaded when first needed

    used = f"the workspace has {len(saved.test_sets)} test sets; {set_label(saved.test_set)} is used"
    return [f"{used}, which was shown when it was saved: --set names another one, and bleu-core table compares all"]


def workspace_texts(options: argparse.Namespace) -> tuple[Column, ...]:
    """Return the texts of the workspace, whether or not they fit together, see loading.texts_of."""
    from bleu_core.uploads import readable_parts  # loaded when first needed

    parts = readable_parts(options.loaded_workspace, options.limits)
    return distinct_of(without(options, [part for part in parts if part.columns]))


def workspace_printed_scores(options: argparse.Namespace) -> tuple[PrintedScore, ...]:
    """Return the scores that sacreBLEU has printed, of all files of the workspace."""
    workspace: Workspace = options.loaded_workspace
    return tuple(score for entry in workspace.entries if not entry.problem for score in entry.printed)


def workspace_human_scores(options: argparse.Namespace) -> dict[str, str]:
    """Return the human scores in use of each test set that has any, by the name of its file."""
    workspace: Workspace = options.loaded_workspace
    return workspace.human_scores


def workspace_repairs(options: argparse.Namespace) -> tuple[tuple[str, LineRepair], ...]:
    """Return the repairs of lines in the workspace, each with the name of its file."""
    workspace: Workspace = options.loaded_workspace
    return workspace.repairs


def chosen_systems(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Return the corpus with some of its systems, in the order given.

    Raises:
        SettingsError: a system does not exist.
    """
    for name in names:
        if name not in corpus.systems:
            raise SettingsError(f"system {name!r} found, one of {', '.join(corpus.systems)} expected")
    return replace(corpus, systems={name: corpus.systems[name] for name in names})


def _as_given(file: File, options: argparse.Namespace) -> File:
    """Return a file of the workspace with the options of the call for reading it, which override those saved."""
    weights = getattr(options, "mqm_weights", PUBLISHED)
    given = {
        "encoding": options.encoding,
        "first_segment": getattr(options, "first_segment", None),
        "pair": getattr(options, "language_pair", None),
        "weights": weights if weights != PUBLISHED else None,
        "human_scores": getattr(options, "human_scores", None),
    }
    changes = {name: value for name, value in given.items() if value is not None}
    file = replace(file, **changes) if changes else file
    return file.in_paragraphs() if getattr(options, "paragraphs", False) else file


def _slice(options: argparse.Namespace, references: Sequence[str], judgments: Judgments | None) -> Slice | None:
    """Return the slice, without segments that a file lacks; None for the whole text."""
    from bleu_core.slicing import Slice, slice_corpus  # loaded when first needed

    workspace: Workspace = options.loaded_workspace
    choices: Choices = options.choices
    absent = () if choices.score_missing else workspace.absent
    expression = choices.slice if options.slice is None else options.slice
    if not expression and not absent:
        return None
    corpus, scores = workspace.corpus, workspace.scores
    settings = settings_of(options, _languages(options), corpus.references.values())
    slice_in_use = (
        slice_corpus(expression, corpus, references=references, settings=settings, judgments=judgments, scores=scores)
        if expression
        else Slice.whole(corpus.segments)
    )
    return slice_in_use.without(absent, workspace.lacking)


def _standardised(choices: Choices, judgments: Judgments | None) -> Judgments | None:
    """Return the ratings, standardised by judge if the workspace standardises them."""
    if judgments is None or not choices.standardised:
        return judgments
    from bleu_core.judges import standardised  # loaded when first needed

    return standardised(judgments)


def _without_excluded_judges(options: argparse.Namespace, judgments: Judgments) -> Judgments:
    """Return the ratings without the judges that the workspace excludes, unless the call excludes others."""
    from bleu_core.dataset import Judge  # loaded when first needed

    choices: Choices = options.choices
    if getattr(options, "exclude_judge", ()):
        return judgments
    judges = [Judge(judge.group, judge.name) for judge in choices.without_judges]
    return judgments.without(judges=judges, groups=choices.without_groups)
