"""Options that select the data of figures and reports, and the data of a call."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli import (
    InputFiles,
    Parser,
    add_common,
    add_correction,
    add_human_translations,
    add_judgments,
    add_metric,
    add_optimised,
    add_rated_data,
    add_repeatable,
    add_resampling,
    chosen_judges,
    evaluated,
    human_scores_notes,
    resampled_documents,
)
from bleu_core.errors import SettingsError
from bleu_core.formats import printable_path
from bleu_core.inference import BLOCKS, PAIR_RESAMPLES, TESTS
from dashboard.commands.saved_view import (
    blocks_of_page,
    blocks_of_t,
    control_of,
    given_blocks,
    saved_view,
    selection_of,
    with_saved_controls,
)

if TYPE_CHECKING:  # loaded when a figure is drawn, not for the help
    from bleu_core.dataset import AlignedData, OptimisedSystem
    from bleu_core.slicing import Slice
    from dashboard.analysis import RankingOptions, RatingsInUse, View
    from dashboard.exhibits import Data


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandData:
    """The data of a call.

    Attributes:
        data: of the files, under the settings and options of the call.
        warnings: about the files.
        notes: selections that affect numbers: the human scores in use.
        slice: the slice of the text, if any.
        options: of the call, with the controls that a workspace has.
    """

    data: Data
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    slice: Slice | None
    options: argparse.Namespace


def add_out(parser: Parser, help_text: str) -> None:
    """Add the option of the output file, which is overwritten only with --force."""
    parser.add_argument("--out", required=True, metavar="FILE", help=help_text)
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    parser.checks.append(_check_out)


def write_out(options: argparse.Namespace, content: bytes) -> None:
    """Write the output file; without --force, a file that was created meanwhile is not overwritten either.

    Raises:
        OSError: the file cannot be written.
    """
    with Path(options.out).open("wb" if options.force else "xb") as file:
        file.write(content)


def _check_out(options: argparse.Namespace) -> None:
    """Check the output file before any file is read.

    Raises:
        SettingsError: the file exists.
    """
    if Path(options.out).exists() and not options.force:
        raise SettingsError(f"argument --out: {printable_path(options.out)} exists; add --force to overwrite it")


def add_data_options(parser: Parser) -> None:
    """Add the options that select files, settings and exhibits of figures and reports."""
    add_common(parser)
    add_judgments(parser)
    add_rated_data(parser)
    add_human_translations(parser)
    add_optimised(parser)
    add_metric(parser)
    add_repeatable(
        parser, "--also", "NAME", "metric that is compared with BLEU by its agreement with the judges; repeatable"
    )
    parser.add_argument("--system", metavar="NAME", help="first of two systems (default: the best)")
    parser.add_argument("--baseline", metavar="NAME", help="second of two systems (default: the second best)")
    parser.add_argument(
        "--by", default="", metavar="LABEL", help="what divides the text into slices (default: the first label)"
    )
    parser.add_argument("--test", choices=TESTS, default="bootstrap")
    parser.add_argument(
        "--blocks", type=int, default=BLOCKS, metavar="B", help="number of blocks of text (default: %(default)s)"
    )
    parser.add_argument("--block-size", type=int, metavar="M", help="segments per block of text, instead of --blocks")
    parser.add_argument(
        "--document-blocks", action="store_true", help="divide the text into its documents, not into blocks"
    )
    for key in ("blocks", "document_blocks"):
        parser.only(key, partial(_divides, key), "not allowed with another division of the text; remove one of the two")
    add_correction(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")
    parser.set_defaults(divides_text=True, metrics_of_texts=False)


def _divides(key: str, options: argparse.Namespace) -> bool:
    """Return whether an option divides the text: one at a time does, except the blocks of the paired t."""
    if key == "blocks":
        return options.test == "t" or (options.block_size is None and not options.document_blocks)
    return options.block_size is None


def gather(options: argparse.Namespace, *, as_pages: bool = False) -> CommandData:
    """Read the files of a call, and prepare the data that pages show.

    Args:
        options: of the call.
        as_pages: whether the pair of systems and the blocks are those of the workspace's pages.

    Raises:
        BleuCoreError: a file cannot be used, or an option does not fit the data.
    """
    from dashboard.analysis import ComparisonOptions
    from dashboard.exhibits import Data

    options = with_saved_controls(options)
    files = InputFiles(options)
    dataset = files.dataset(copies="note")
    view, ratings = _view(options, files, dataset)
    options = argparse.Namespace(**vars(options) | {"metric": _metric(options, view)})
    by_documents, units_notes = _by_documents(options, view)
    misplaced = tuple(map(str, dataset.ratings.all_misplaced_rows))
    comparison = ComparisonOptions(
        metric=options.metric,
        test=options.test,
        by_documents=by_documents,
        correction=options.correction,
        alpha=options.alpha,
        draws=options.resamples,
        blocks=blocks_of_t(options, view.evaluation.segments),
        seed=options.seed,
    )
    blocks = blocks_of_page(options, view) if as_pages else given_blocks(options)
    data = Data(
        view,
        ratings,
        comparison,
        pair=_pair(options, view) or (_pair_of_pages(options, view) if as_pages else None),
        by=_division(options, view),
        **blocks,
        ranking=_ranking(options, ratings),
        loaded=files.all_systems,
    )
    notes = tuple(human_scores_notes(files.human_scores()))
    return CommandData(
        data=data, warnings=(*files.warnings, *misplaced, *units_notes), notes=notes, slice=view.slice, options=options
    )


def marks_in_use(gathered: CommandData) -> tuple[OptimisedSystem, ...]:
    """Return the marks of systems that were optimised for a metric that the data have or that can be computed."""
    from dashboard.analysis import markable_metrics

    names = markable_metrics(gathered.data.view)
    return tuple(mark for mark in gathered.data.view.optimised if mark.concerns(*names))


def _view(options: argparse.Namespace, files: InputFiles, data: AlignedData) -> tuple[View, RatingsInUse | None]:
    """Return the data and settings of a call, and the ratings in use; with a workspace, those of its pages."""
    from bleu_core.dataset import translations_of
    from bleu_core.uploads import Workspace
    from dashboard.analysis import RatingsInUse, View, choose_ratings, in_force

    judgments = data.judgments
    if judgments is not None and data.ratings.rated is not None:  # standardised with those of excluded systems
        rated = data.ratings.rated.of_systems([*data.corpus.systems, *options.exclude_system])
        judgments = chosen_judges(options, rated)
    if options.workspace is not None:
        view = saved_view(options, data)
        return view, None if judgments is None else choose_ratings(view)
    others = {name: tuple(text) for name, text in files.other_systems.items() if None not in text}
    workspace = Workspace.of_data(
        replace(data.corpus, systems={**data.corpus.systems, **others}),  # a reference may be made from one of these
        judgments,
        human_systems=tuple(options.human_system),
        scores=data.scores,
        missing=files.missing_systems,
    )
    evaluation = evaluated(options, workspace.corpus).select(tuple(data.corpus.systems))
    selection = selection_of(options, data.corpus)
    humans, included = files.human_translations, tuple(options.include_human)
    ranked = translations_of(included, (), included)  # without the references with their texts
    view = View(workspace, evaluation, files.slice, selection=selection, humans=humans, ranked_humans=ranked)
    if judgments is None:
        return view, None
    return view, in_force(RatingsInUse(view, judgments, options.standardise))


def _metric(options: argparse.Namespace, view: View) -> str:
    """Return the key of the metric of a call: one that is computed or one of its files; BLEU if it names none.

    Raises:
        SettingsError: there is no such metric, or only whole systems have scores by it.
    """
    from bleu_core.scoring import DEFAULT_METRIC, find_metric
    from dashboard.analysis import metrics_on_offer, uploaded_tables

    name: str | None = options.metric
    if name is None or any(metric.key == name for metric in metrics_on_offer(view).values()):
        return name or DEFAULT_METRIC
    try:
        return find_metric(name).key
    except SettingsError as error:
        if options.workspace is not None and "metric" not in options.given:
            return DEFAULT_METRIC  # as on its pages
        uploaded = uploaded_tables(view.workspace)
        if name in uploaded and uploaded[name].level == "system":
            raise SettingsError(
                f"argument --metric: the file has scores of whole systems only by {name}, scores of segments expected"
            ) from error
        if name in uploaded:
            raise SettingsError(
                f"argument --metric: no score by {name} of the systems {', '.join(view.compared.systems)} found"
            ) from error
        of_files = f"; the metrics of the files are {', '.join(uploaded)}" if uploaded else ""
        raise SettingsError(f"argument --metric: {error}{of_files}") from error


def _by_documents(options: argparse.Namespace, view: View) -> tuple[bool, tuple[str, ...]]:
    """Return whether documents are resampled, and notes; documents that are no longer there are ignored."""
    corpus = view.workspace.corpus
    if corpus.documents is None and "units" not in options.given and options.workspace is not None:
        return False, ()
    documents, notes = resampled_documents(options, corpus)
    return documents is not None, notes


def _pair_of_pages(options: argparse.Namespace, view: View) -> tuple[str, str] | None:
    """Return the two systems that the pages of a workspace compare; None without a workspace, or for the best two."""
    from dashboard.analysis import PAIR_KEYS, different_pair, ranked_systems

    if options.workspace is None:
        return None
    order = ranked_systems(view, options.metric)
    return different_pair(
        name if (name := control_of(options, key)) in order else default
        for key, default in zip(PAIR_KEYS, order, strict=False)
    )


def _pair(options: argparse.Namespace, view: View) -> tuple[str, str] | None:
    """Return the two named systems; a missing one is the best of the others. None if none is named."""
    from bleu_core.dataset import not_quality
    from dashboard.analysis import compared_by, metric_of, ranked_systems

    named = [name for name in (options.system, options.baseline) if name is not None]
    if not named:
        return None
    systems, compared = view.compared.systems, compared_by(view, options.metric)
    for option in ("system", "baseline"):
        name = getattr(options, option)
        if name is not None and name not in systems:
            expected = f"one of {', '.join(systems)} expected"
            raise SettingsError(f"argument --{option}: {name!r} found, {expected}")
        if name is not None and name not in compared:
            reason = not_quality([name], metric_of(view, options.metric).label)
            raise SettingsError(f"argument --{option}: {reason}; name another system or metric, or remove the mark")
    if len(set(named)) < len(named):
        raise SettingsError(f"--system and --baseline are both {named[0]!r}; name two different systems")
    others = [name for name in ranked_systems(view, options.metric) if name not in named]
    if len(named) == 1 and not others:
        return None
    return options.system or others[0], options.baseline or others[0]


def _division(options: argparse.Namespace, view: View) -> str:
    from dashboard.analysis import divisions

    possible = divisions(view)
    if options.by and options.by not in possible:
        if "by" not in options.given:
            return ""  # from a workspace, ignored as on its page
        raise SettingsError(f"argument --by: {options.by!r} found, one of {', '.join(possible)} expected")
    return str(options.by)


def _ranking(options: argparse.Namespace, ratings: RatingsInUse | None) -> RankingOptions | None:
    """Return the options of comparisons of metrics; None without ratings."""
    from bleu_core.dataset import ScoreTable
    from dashboard.analysis import RankingOptions, default_metrics, metric_choices

    if ratings is None:
        return None
    choices = metric_choices(ratings)
    unknown = next((label for label in options.also if label not in choices), None)
    if unknown is not None:
        raise SettingsError(f"metric {unknown!r} found, one of {', '.join(choices)} expected")
    uploaded = [label for label, choice in choices.items() if isinstance(choice, ScoreTable)]
    labels = dict.fromkeys([*uploaded, *options.also]) if options.also else default_metrics(ratings)
    return RankingOptions(metrics=tuple(labels), correction=options.correction)
