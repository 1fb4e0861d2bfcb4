"""`bleu-core errors`: the errors that judges or a metric marked, by severity, category and place."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import human_scores_notes
from bleu_core.cli.options import (
    add_common,
    add_documents,
    add_judgments,
    add_metric_scores,
    add_repeatable,
    add_seed,
    source_in_slices,
)
from bleu_core.cli.scored_data import assessed, evaluated
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import annotated_errors, identical_texts
from bleu_core.error_spans import BREAKDOWNS, TOKENS_PER_RATE, Breakdown
from bleu_core.errors import FormatError, SettingsError
from bleu_core.inference import RESAMPLES, TRIALS, check_draws
from bleu_core.scoring import basis_of

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import AlignedData
    from bleu_core.error_spans import AdjustedErrors, ErrorDifferences, ErrorProfile, SpanAgreement
    from bleu_core.results.paper import Section

HELP = "compare systems by the errors that judges or a metric marked, and measure the agreement of their spans"

#: The tables of a call that names none.
DEFAULT_BREAKDOWNS: tuple[Breakdown, ...] = ("severity", "category")


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_judgments(parser)
    add_metric_scores(parser, ", whose errors are compared with those of judges")
    add_documents(
        parser,
        "a file with one document id per line; whole documents are swapped and resampled if there are at least 10",
    )
    parser.add_argument(
        "--by",
        action="append",
        choices=BREAKDOWNS,
        help=f"what errors are divided by; repeatable (default: {' and '.join(DEFAULT_BREAKDOWNS)})",
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help="system that the others are compared with (default: the first)"
    )
    add_repeatable(
        parser, "--system", "NAME", "a system to compare with the baseline; repeatable (default: all others)"
    )
    parser.add_argument(
        "--annotations", metavar="METRIC", help="a metric whose errors are profiled (default: those of judges)"
    )
    add_repeatable(parser, "--judge", "NAME", "a judge whose errors are profiled; repeatable (default: all)")
    add_repeatable(parser, "--exclude-judge", "JUDGE", "a judge or a group of judges to exclude; repeatable")
    add_repeatable(parser, "--group", "NAME", "a group of judges whose errors are profiled; repeatable (default: all)")
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of trials of the permutation test (default: %(default)s)",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help="number of bootstrap resamples for the agreement of spans (default: %(default)s)",
    )
    add_seed(parser)
    source_in_slices(parser)
    parser.set_defaults(continues_without_bleu=True)
    for key in ("lower_is_better", "higher_is_better"):
        parser.only(key, lambda _: False, "errors are compared, not scores; remove the option")
    parser.checks.append(_check)


def run(options: argparse.Namespace) -> CommandResult:
    """Profile the errors of the systems, and compare them."""
    from bleu_core.error_spans import (
        error_differences,
        metric_names,
        of_judges,
        of_metric,
        output_tokens,
        profile_errors,
        span_agreement,
        without_judges,
    )
    from bleu_core.results.error_spans import (  # loaded when first needed
        agreement_method,
        differences_methods,
        errors_report,
        profile_method,
    )

    files = InputFiles(options)
    data = files.dataset(copies="none")
    corpus = data.corpus
    annotations = annotated_errors(corpus, data.judgments, data.scores)
    if annotations is None:
        raise FormatError(
            "no marked errors found, at least one annotated segment of these systems expected; name a file of "
            "judgments such as MQM with --human, or of a metric that marks errors with --metric-scores"
        )
    annotations = without_judges(annotations, options.exclude_judge)
    metric: str | None = options.annotations
    if metric is None and all(annotator.is_metric for annotator in annotations.annotators):
        raise SettingsError(
            f"only metrics marked errors; choose one by --annotations: {', '.join(metric_names(annotations))}"
        )
    chosen = of_judges(annotations, options.judge, options.group) if metric is None else of_metric(annotations, metric)
    evaluation = evaluated(options, corpus)
    tokens = output_tokens(evaluation)
    adjusted = _adjusted(options, data) if metric is None else None
    breakdowns: tuple[Breakdown, ...] = tuple(dict.fromkeys(options.by or DEFAULT_BREAKDOWNS))
    profiles = [profile_errors(chosen, tokens, by) for by in breakdowns]
    differences: list[ErrorDifferences] = []
    comparisons: list[tuple[tuple[str, str], Breakdown]] = [
        (pair, by) for pair in _pairs(options, tuple(corpus.systems)) for by in breakdowns
    ]
    with progress_bar() as progress:
        for number, ((system, baseline), by) in enumerate(comparisons, start=1):
            differences.append(
                error_differences(
                    chosen,
                    tokens,
                    system,
                    baseline,
                    by=by,
                    documents=corpus.documents,
                    trials=options.trials,
                    seed=options.seed,
                    adjusted=adjusted,
                )
            )
            if progress:
                progress(number, len(comparisons))
    with progress_bar() as progress:
        agreement = span_agreement(
            annotations, corpus.documents, resamples=options.resamples, seed=options.seed, progress=progress
        )
    sections = _sections(profiles, differences, agreement, details=options.format == "tsv")
    methods = [
        profile_method(evaluation, metric),
        *differences_methods(differences),
        agreement_method(agreement),
        *human_scores_notes(files.human_scores()),
    ]
    sections[-1] = replace(sections[-1], notes=[*sections[-1].notes, *methods])
    warnings = [*files.warnings, *(warning for pair in differences for warning in pair.warnings)]
    return CommandResult(
        errors_report(evaluation, profiles, differences, agreement, metric=metric),
        sections=sections,
        warnings=tuple(dict.fromkeys(warnings)),
        slice=files.slice,
        repairs=files.repairs,
        assessment=assessed(
            options,
            corpus,
            evaluation,
            {metric: basis_of(metric)} if metric else {"ratings": "raw ratings"},
            judgments=None if metric else data.ratings.rated,
            humans=files.human_translations,
            others=files.other_systems,
        ),
    )


def _adjusted(options: argparse.Namespace, data: AlignedData) -> AdjustedErrors | None:
    """Return the errors of all rated systems of the files, if judges are confounded with these; otherwise None.

    As for mean ratings, this is a property of all ratings in the files.
    """
    from bleu_core.error_spans import AdjustedErrors, of_judges, without_judges  # loaded when first needed
    from bleu_core.judges import ratings_policy

    rated, documents = data.ratings.rated, data.corpus.documents
    if rated is None:
        return None
    humans = {copy.system for copy in identical_texts(data.corpus) if copy.role == "reference"}
    systems = tuple(name for name in rated.systems if name not in humans or name in data.corpus.systems)
    if not ratings_policy(
        rated, [name for name in systems if name not in humans], documents, seed=options.seed
    ).confounded:
        return None
    annotations = annotated_errors(data.corpus, rated, systems=systems)
    if annotations is None:
        return None
    chosen = of_judges(without_judges(annotations, options.exclude_judge), options.judge, options.group)
    return AdjustedErrors(chosen, documents)


def _pairs(options: argparse.Namespace, systems: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs to compare: each system of the call, or each other system, with the baseline.

    Raises:
        SettingsError: a system is not among the systems, or is the baseline.
    """
    baseline: str = systems[0] if options.baseline is None else options.baseline
    for option, names in (("--baseline", [baseline]), ("--system", options.system)):
        for name in names:
            if name not in systems:
                raise SettingsError(f"argument {option}: {name!r} found, one of {', '.join(systems)} expected")
    if baseline in options.system:
        raise SettingsError(f"argument --system: {baseline!r} is the baseline; name another one by --baseline")
    return [(name, baseline) for name in options.system or systems if name != baseline]


def _sections(
    profiles: Sequence[ErrorProfile],
    differences: Sequence[ErrorDifferences],
    agreement: SpanAgreement,
    *,
    details: bool,
) -> list[Section]:
    """Return the tables: the systems, rates, differences, and the agreement of spans with or without all intervals."""
    from bleu_core.results.error_spans import (
        agreement_notes,
        differences_title,
        error_differences_table,
        error_rates_table,
        profiled_systems_table,
        span_agreement_table,
    )
    from bleu_core.results.paper import Section  # loaded when first needed

    sections = [
        Section(key="errors systems", heading="Annotated segments", tables=[profiled_systems_table(profiles[0])]),
        *(
            Section(
                key=f"errors {profile.by}",
                heading=f"Errors per {TOKENS_PER_RATE:,} tokens by {profile.by}",
                tables=[error_rates_table(profile)],
            )
            for profile in profiles
        ),
    ]
    for number, pair in enumerate(differences, start=1):
        notes = [f"No difference is shown: {pair.reason}."] if pair.reason else []
        sections.append(
            Section(
                key=f"errors difference {number}",
                heading=differences_title(pair),
                tables=[] if pair.reason else [error_differences_table(pair)],
                notes=notes,
            )
        )
    tables = [span_agreement_table(agreement, details=details)] if agreement.pairs else []
    heading = "Agreement of error spans"
    notes = agreement_notes(agreement)
    return [*sections, Section(key="errors agreement", heading=heading, tables=tables, notes=notes)]


def _check(options: argparse.Namespace) -> None:
    """Check options before any file is read.

    Raises:
        SettingsError: a number is out of its range, or judges and a metric are chosen.
    """
    check_draws(options.seed, trials=options.trials, resamples=options.resamples)
    if options.annotations is not None and (options.judge or options.group):
        raise SettingsError("argument --annotations: not allowed with --judge or --group, which choose judges")
