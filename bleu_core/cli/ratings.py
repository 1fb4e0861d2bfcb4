"""Options of commands about ratings and scores of other metrics, and the ratings that the options select."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from bleu_core.cli.arguments import Parser
from bleu_core.cli.options import add_metric_scores, add_repeatable
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import SettingsError
from bleu_core.formats import PUBLISHED, TITLES, MqmWeights
from bleu_core.scoring import BleuEvaluation


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
