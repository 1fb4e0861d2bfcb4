"""The options that choose the material of figures and reports, and the material of a call."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleu_core.cli import (
    Files,
    Parser,
    add_common,
    add_correction,
    add_judgments,
    add_metric,
    add_rated_data,
    add_repeatable,
    add_resampling,
    check_human_systems,
    chosen_judges,
    evaluated,
    human_scores_notes,
    resampled_documents,
)
from bleu_core.errors import SettingsError
from bleu_core.inference import BLOCKS, RESAMPLES, TESTS

if TYPE_CHECKING:  # loaded when a figure is drawn, not for the help
    from bleu_core.segments import Slice
    from dashboard.analysis import RankingOptions, RatingsInUse, View
    from dashboard.export import Material


@dataclass(frozen=True, slots=True)
class Gathered:
    """The material of a call.

    Attributes:
        material: of the files, under the settings and choices of the call.
        warnings: about the files.
        notes: choices that change numbers: the human scores in use.
        slice: the slice of the text, if any.
    """

    material: Material
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    slice: Slice | None


def add_material_options(parser: Parser) -> None:
    """The files, settings and choices that figures and reports are made of."""
    add_common(parser)
    add_judgments(parser)
    add_rated_data(parser)
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
    add_correction(parser)
    add_resampling(parser, f"default: {RESAMPLES}, or as many as the correction needs")


def gather(options: argparse.Namespace) -> Gathered:
    """Read the files of a call; within `session.without_page()`.

    Raises:
        BleuCoreError: a file cannot be used, or a choice does not fit the data.
    """
    from bleu_core.workspace import Workspace
    from dashboard.analysis import ComparisonOptions, RatingsInUse, View
    from dashboard.export import Material

    files = Files(options)
    data = files.dataset()
    corpus = data.corpus
    evaluation = evaluated(options, corpus)
    check_human_systems(options, corpus)
    judgments = None if data.judgments is None else chosen_judges(options, data.judgments)
    workspace = Workspace.of_data(corpus, judgments, tuple(options.human_system), data.scores)
    view = View(workspace, evaluation, files.slice)
    ratings = None if judgments is None else RatingsInUse(view, judgments, options.zscore, bool(options.human_system))
    misplaced = tuple(str(rows) for of_part in data.ratings.misplaced.values() for rows in of_part)
    comparison = ComparisonOptions(
        metric=options.metric,
        test=options.test,
        by_documents=resampled_documents(options, corpus) is not None,
        correction=options.correction,
        alpha=options.alpha,
        draws=options.resamples,
        blocks=options.blocks,
        seed=options.seed,
    )
    material = Material(
        view,
        ratings,
        comparison,
        pair=_pair(options, view),
        by=_division(options, view),
        blocks=options.blocks,
        ranking=_ranking(options, ratings),
    )
    notes = tuple(human_scores_notes(files.human_scores()))
    return Gathered(material, (*files.warnings, *misplaced), notes, files.slice)


def _pair(options: argparse.Namespace, view: View) -> tuple[str, str] | None:
    """The two systems that are named; a missing one is the best of the others. None if none is named."""
    from dashboard.analysis import ranked_systems

    named = [name for name in (options.system, options.baseline) if name is not None]
    if not named:
        return None
    systems = view.compared.systems
    for option in ("system", "baseline"):
        name = getattr(options, option)
        if name is not None and name not in systems:
            expected = f"one of {', '.join(systems)} expected"
            raise SettingsError(f"argument --{option}: {name!r} found, {expected}")
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
        raise SettingsError(f"argument --by: {options.by!r} found, one of {', '.join(possible)} expected")
    return str(options.by)


def _ranking(options: argparse.Namespace, ratings: RatingsInUse | None) -> RankingOptions | None:
    """How metrics are compared; None where there are no ratings."""
    from dashboard.analysis import RankingOptions, default_metrics, metric_choices

    if ratings is None:
        return None
    choices = metric_choices(ratings)
    unknown = next((label for label in options.also if label not in choices), None)
    if unknown is not None:
        raise SettingsError(f"metric {unknown!r} found, one of {', '.join(choices)} expected")
    uploaded = [label for label, choice in choices.items() if choice.table is not None]
    labels = dict.fromkeys([*uploaded, *options.also]) if options.also else default_metrics(ratings)
    return RankingOptions(tuple(labels), correction=options.correction)
