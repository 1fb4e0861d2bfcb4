"""Options of commands about ratings and scores of other metrics, and the ratings that the options select."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleu_core.cli.arguments import Parser
from bleu_core.cli.options import add_metric_scores, add_repeatable
from bleu_core.cli.scored_data import evaluated, human_scores_notes
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import PUBLISHED, TITLES, MqmWeights
from bleu_core.scoring import BleuEvaluation

if TYPE_CHECKING:
    from bleu_core.cli.input_files import InputFiles
    from bleu_core.dataset import AlignedData


def add_rated_data(parser: Parser) -> None:
    """Add scores of other metrics, and the choice and adjustment of ratings."""
    add_metric_scores(parser)
    add_judge_choices(parser)


def add_judge_choices(parser: Parser) -> None:
    """Add the choice and adjustment of ratings."""
    parser.add_argument(
        "--mqm-weights",
        type=_mqm_weights,
        default=PUBLISHED,
        metavar="NAME=W,...",
        help=f"MQM error weights: {', '.join(TITLES)} (default: as published)",
    )
    parser.add_argument(
        "--adjust-judges",
        action="store_true",
        help="adjust ratings for judges: means of systems by least squares, single ratings by the severity of their "
        "judge",
    )
    parser.add_argument("--standardise", action="store_true", help="standardise the ratings of each judge first")
    add_repeatable(parser, "--exclude-judge", "JUDGE", "a judge or a group of judges to exclude; repeatable")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedData:
    """The texts and ratings of a call that needs ratings.

    Attributes:
        data: the data of the files.
        evaluation: the scored systems.
        given: the ratings of the chosen judges.
        judgments: these ratings, adjusted for judges if requested.
        humans: human translations, which are not compared, each with the reason.
        warnings: about the files, and about rows of ratings that are not used.
    """

    data: AlignedData
    evaluation: BleuEvaluation
    given: Judgments
    judgments: Judgments
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
    judgments = adjusted_judges(options, given, data.corpus, evaluation=evaluation, humans=humans)
    misplaced = (str(rows) for part_rows in data.ratings.misplaced.values() for rows in part_rows)
    return RatedData(
        data=data,
        evaluation=evaluation,
        given=given,
        judgments=judgments,
        humans=humans,
        warnings=(*files.warnings, *misplaced, *map(str, judgments.unused_rows)),
    )


def rating_choices(
    options: argparse.Namespace, human_scores: Mapping[str, str], *, weights_are_used: bool = True
) -> tuple[dict[str, Any], list[str]]:
    """Return the choices of ratings that change numbers: fields of the report, and notes.

    Args:
        options: options of the call.
        human_scores: the human scores in use, by archive.
        weights_are_used: whether MQM weights that the call changes have an effect.
    """
    content: dict[str, Any] = {"human_scores": tuple(human_scores.values())} if human_scores else {}
    notes = human_scores_notes(human_scores)
    if options.adjust_judges:
        content["adjusted_for_judges"] = True
        notes.append("ratings are adjusted for judges: least squares with systems, segments and judges")
    if options.mqm_weights.changed and weights_are_used:
        content["mqm_weights"] = options.mqm_weights
        notes += options.mqm_weights.notes
    return content, notes


def chosen_judges(options: argparse.Namespace, judgments: Judgments) -> Judgments:
    """Return the ratings without excluded judges and groups, standardised if requested.

    Raises:
        SettingsError: a judge to exclude does not exist, or none would remain.
    """
    known = {judge.name for judge in judgments.judges} | set(judgments.groups)
    for name in options.exclude_judge:
        if name not in known:
            raise SettingsError(f"judge {name!r} found, one of {', '.join(sorted(known)) or 'none'} expected")
    judgments = judgments.without(judges=options.exclude_judge, groups=options.exclude_judge)
    if not len(judgments.rated):
        raise SettingsError("all judges are left out, at least 1 expected")
    if options.standardise:
        from bleu_core.judges import standardised  # loaded when first needed

        judgments = standardised(judgments)
    return judgments


def adjusted_judges(
    options: argparse.Namespace,
    judgments: Judgments,
    corpus: Corpus,
    *,
    evaluation: BleuEvaluation,
    humans: Mapping[str, str],
) -> Judgments:
    """Return the ratings, adjusted for judges by the ratings of the compared systems if requested.

    Args:
        options: options of the call.
        judgments: the ratings.
        corpus: the texts.
        evaluation: the scored systems.
        humans: human translations, which are not compared, each with the reason.

    Raises:
        AlignmentError: the ratings cannot be adjusted.
    """
    if not options.adjust_judges:
        return judgments
    from bleu_core.agreement import correlate  # loaded when first needed
    from bleu_core.judges import adjusted_for_judges

    compared = correlate(corpus, evaluation, judgments, without=humans).systems
    return adjusted_for_judges(judgments, compared, corpus.documents)


def _mqm_weights(text: str) -> MqmWeights:
    try:
        return MqmWeights.parse(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
