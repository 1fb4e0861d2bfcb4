"""The choice and adjustment of ratings: options, and the ratings that they select."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.chosen_settings import expression_of, metrics_named
from bleu_core.cli.options import NO_RATINGS, add_judgments, add_repeatable, has_judges_beside
from bleu_core.dataset import Judgments
from bleu_core.errors import SettingsError, listed
from bleu_core.fields import decimal
from bleu_core.formats import PUBLISHED, TITLES, MqmWeights
from bleu_core.scoring import HUMAN

#: Maximum number of systems whose raw mean ratings a note names.
MAX_RAW_MEANS = 30

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.judges import Adjustment, RatingsPolicy


def add_ratings_as_metric(parser: Parser) -> None:
    """Add files of ratings, which are read if the call uses them as a metric or in a slice, and their choice."""
    add_judgments(parser)
    add_judge_choices(parser)
    parser.set_defaults(ratings_optional=True)
    for key in ("adjust_judges", "standardise", "exclude_judge"):
        parser.only(key, _has_mean_ratings, f"{NO_RATINGS}, or remove the option")
    parser.only("mqm_weights", _weighs_errors, f"{NO_RATINGS}, or remove the option")


def add_judge_choices(parser: Parser) -> None:
    """Add the choice and adjustment of ratings."""
    parser.add_argument(
        "--mqm-weights",
        type=_mqm_weights,
        default=PUBLISHED,
        metavar="NAME=W,...",
        help=f"MQM error weights: {', '.join(TITLES)} (default: as published)",
    )
    add_adjust_judges(parser)
    parser.add_argument("--standardise", action="store_true", help="standardise the ratings of each judge first")
    add_repeatable(parser, "--exclude-judge", "JUDGE", "a judge or a group of judges to exclude; repeatable")


def add_adjust_judges(parser: Parser) -> None:
    """Add the adjustment of ratings for judges."""
    parser.add_argument(
        "--adjust-judges",
        action="store_true",
        help="adjust ratings for judges: means of systems by least squares, single ratings by the severity of their "
        "judge (default: if judges are confounded with systems; JSON then reports the results by raw and by adjusted "
        "ratings)",
    )


def rating_choices(
    options: argparse.Namespace, human_scores: Mapping[str, str], judgments: Judgments
) -> tuple[dict[str, Any], list[str]]:
    """Return the choices of ratings that change numbers: fields of the report, and notes.

    Args:
        options: options of the call.
        human_scores: the human scores in use, by archive.
        judgments: the ratings.
    """
    content: dict[str, Any] = {"human_scores": tuple(human_scores.values())} if human_scores else {}
    notes = human_scores_notes(human_scores)
    if options.adjust_judges or judgments.adjusted_means:
        content["adjusted_for_judges"] = True
        notes += adjustment_notes(options, judgments)
    if options.mqm_weights.changed and not unused_weights(options, judgments):
        content["mqm_weights"] = options.mqm_weights
        notes += options.mqm_weights.notes
    return content, notes


def adjustment_notes(options: argparse.Namespace, judgments: Judgments) -> list[str]:
    """Return a note if ratings are adjusted for judges: by request, or as judges are confounded with systems."""
    if not judgments.adjusted_means and not options.adjust_judges:
        return []
    return [adjusted_note(options)]


def adjusted_note(options: argparse.Namespace) -> str:
    """Return a note that ratings are adjusted for judges, and why."""
    why = "" if options.adjust_judges else ", as these are confounded with systems"
    why += "" if options.adjust_judges or _decides_status(options) else " (--format json has raw means)"
    return f"ratings are adjusted for judges: least squares with systems, segments and judges{why}"


def adjustment_of(options: argparse.Namespace) -> Adjustment:
    """Return how a call adjusts ratings: as it asks for, raw in JSON, otherwise automatically.

    JSON reports the results by raw and by adjusted ratings, except where one outcome decides the exit status.
    """
    if options.adjust_judges:
        return "adjusted"
    return "raw" if options.format == "json" and not _decides_status(options) else "auto"


def _decides_status(options: argparse.Namespace) -> bool:
    return getattr(options, "decides_status", False)


def choose_ratings(
    options: argparse.Namespace,
    judgments: Judgments,
    systems: Sequence[str],
    documents: Sequence[str] | None,
    *,
    humans: Collection[str] = (),
) -> tuple[Judgments, RatingsPolicy]:
    """Return the ratings that are a metric, and the policy that holds for them.

    They are adjusted for judges if the call asks for it or judges are confounded with systems in all ratings of the
    files, except in JSON, see adjustment_of.

    Args:
        options: options of the call.
        judgments: the ratings of the chosen judges.
        systems: the compared systems.
        documents: (S,) the document of each segment, if they are known.
        humans: human translations, which are not compared.

    Raises:
        AlignmentError: the call asks for adjusted ratings, and they cannot be adjusted.
    """
    from bleu_core.judges import ratings_in_force, ratings_policy  # loaded when first needed

    adjustment = adjustment_of(options)
    rated = [name for name in judgments.systems if name not in humans]
    policy = ratings_policy(judgments, rated, documents, adjustment=adjustment)
    return ratings_in_force(judgments, policy, systems, documents, adjustment=adjustment)


def raw_means_notes(given: Judgments, judgments: Judgments, systems: Sequence[str], segments: int) -> list[str]:
    """Return a note with the raw mean ratings of systems if ratings are adjusted for judges."""
    if not judgments.adjusted_means or given.adjusted_means:
        return []
    raw = given.segment_means(systems, segments, name=HUMAN)
    rated = (raw.scores[k] for k in range(len(raw.systems)))
    means = {name: own[np.isfinite(own)].mean() for name, own in zip(raw.systems, rated, strict=True) if len(own)}
    shown = (f"{name} {decimal(float(mean))}" for name, mean in means.items())
    return [f"raw mean ratings: {listed(shown, max_items=MAX_RAW_MEANS)}"]


def unused_weights(options: argparse.Namespace, judgments: Judgments) -> list[str]:
    """Return a note if the call changes MQM weights and there are no MQM errors to weight."""
    if set(options.mqm_weights.notes) <= set(judgments.notes):
        return []
    return without_effect(options, ["mqm_weights"], "no file of MQM errors is among the judgments")


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


def human_scores_notes(human_scores: Mapping[str, str]) -> list[str]:
    """Return a note for each archive on the human scores in use."""
    return [f"human scores of {path}: {name}" for path, name in human_scores.items()]


def _mqm_weights(text: str) -> MqmWeights:
    try:
        return MqmWeights.parse(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _weighs_errors(options: argparse.Namespace) -> bool:
    """Return whether a call uses ratings, as a metric, beside its headline or in its slice."""
    return _has_mean_ratings(options) or bool(expression_of(options))


def _has_mean_ratings(options: argparse.Namespace) -> bool:
    """Return whether a call uses mean ratings of systems, as a metric or beside its headline."""
    return HUMAN in metrics_named(options) or has_judges_beside(options)
