"""The texts and ratings of commands that need ratings."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.judge_choices import add_judge_choices, chosen_judges
from bleu_core.cli.options import add_metric_scores
from bleu_core.cli.scored_data import assessed, bases, evaluated
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.scoring import BleuEvaluation

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.cli.input_files import InputFiles
    from bleu_core.dataset import AlignedData
    from bleu_core.diagnostics import Assessment


def add_rated_data(parser: Parser) -> None:
    """Add scores of other metrics, and the choice and adjustment of ratings."""
    add_metric_scores(parser)
    add_judge_choices(parser)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedData:
    """The texts and ratings of a call that needs ratings.

    Attributes:
        data: the data of the files.
        evaluation: the scored systems.
        given: the ratings of the chosen judges.
        judgments: these ratings, adjusted for judges if requested, or automatically, see adjusted_judges.
        adjusted: these ratings, adjusted for judges who are confounded with systems, if `judgments` are raw.
        humans: human translations, which are not compared, each with the reason.
        warnings: about the files, and about rows of ratings that are not used.
    """

    data: AlignedData
    evaluation: BleuEvaluation
    given: Judgments
    judgments: Judgments
    adjusted: Judgments | None
    humans: Mapping[str, str]
    warnings: tuple[str, ...]


def read_rated(options: argparse.Namespace, files: InputFiles) -> RatedData:
    """Read the texts and the ratings of a call, and score the systems.

    Raises:
        BleuCoreError: the files or the settings are invalid, or there are no ratings.
        OSError: a file cannot be read.
    """
    data = files.dataset(copies="note")
    if data.ratings.rated is None:
        raise FormatError(
            f"{(*options.human, *options.archive)[0]}: no judgments found; name a file of judgments with --human"
        )
    evaluation = evaluated(options, data.corpus)
    given = chosen_judges(options, data.ratings.rated)
    humans = {human.system: human.reason for human in files.human_translations}
    judgments, adjusted = adjusted_judges(options, given, data.corpus, evaluation=evaluation, humans=humans)
    return RatedData(
        data=data,
        evaluation=evaluation,
        given=given,
        judgments=judgments,
        adjusted=adjusted,
        humans=humans,
        warnings=(*files.warnings, *map(str, (*data.ratings.all_misplaced_rows, *judgments.unused_rows))),
    )


def assess_rated(
    options: argparse.Namespace, rated: RatedData, files: InputFiles, metrics: Iterable[MetricScores]
) -> Assessment:
    """Assess the texts and ratings of a call that compares metrics with judges."""
    return assessed(
        options,
        rated.data.corpus,
        rated.evaluation,
        bases(metrics, rated.judgments),
        judgments=rated.judgments,
        humans=files.human_translations,
        others=files.other_systems,
    )


def adjusted_judges(
    options: argparse.Namespace,
    judgments: Judgments,
    corpus: Corpus,
    *,
    evaluation: BleuEvaluation,
    humans: Mapping[str, str],
) -> tuple[Judgments, Judgments | None]:
    """Return the ratings to report, and adjusted ones to report beside raw ones, if any.

    Ratings are adjusted for judges by those of the compared systems if the call asks for it or, except in JSON, if
    judges are confounded with systems in all ratings of the files. JSON has the adjusted ones beside.

    Args:
        options: options of the call.
        judgments: the ratings.
        corpus: the texts.
        evaluation: the scored systems.
        humans: human translations, which are not compared, each with the reason.

    Raises:
        AlignmentError: the ratings cannot be adjusted.
    """
    from bleu_core.agreement import correlate  # loaded when first needed
    from bleu_core.judges import adjusted_for_judges, ratings_policy

    if not options.adjust_judges:
        rated = [name for name in judgments.systems if name not in humans]
        if not ratings_policy(judgments, rated, corpus.documents).adjusted:
            return judgments, None
    compared = correlate(corpus, evaluation, judgments, without=humans).systems
    try:
        adjusted = adjusted_for_judges(judgments, compared, corpus.documents)
    except AlignmentError:
        if options.adjust_judges:
            raise
        return judgments, None
    return (adjusted, None) if options.adjust_judges or options.format != "json" else (judgments, adjusted)
