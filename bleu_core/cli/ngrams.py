"""`bleu-core ngrams`: n-grams won and lost between systems, or overused and missing relative to the references."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_of
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.options import add_common, add_documents
from bleu_core.cli.scored_data import assessed, bases, evaluated
from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import AlignmentError
from bleu_core.inference import baseline_pairs
from bleu_core.scoring import DEFAULT_METRIC, find_metric
from bleu_core.segments import DEFAULT_NGRAMS, NGRAM_KINDS, check_selection, compare_ngrams

HELP = "list the n-grams by which a system differs from a baseline or from the references"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.add_argument(
        "--baseline", metavar="NAME", help="system that the others are compared with (default: the references)"
    )
    parser.add_argument(
        "--order",
        type=int,
        metavar="N",
        help="list and group n-grams of this length only (default: all up to --max-order)",
    )
    parser.add_argument(
        "--top",
        type=int,
        default=DEFAULT_NGRAMS,
        metavar="N",
        help="number of n-grams of each order and list (default: %(default)s)",
    )
    parser.add_argument(
        "--kind",
        choices=NGRAM_KINDS,
        help="list only n-grams of this kind: with digits; with punctuation, without digits; or of words alone",
    )
    add_documents(parser, "a file with one document id per line, for --slice", lambda _: False)
    parser.checks.append(_check_listed)


def run(options: argparse.Namespace) -> CommandResult:
    """Find the n-grams by which the systems differ."""
    from bleu_core.results.ngrams import (  # loaded when first needed
        PAIR_NOTE,
        SYSTEM_NOTE,
        NgramPair,
        NgramSystem,
        ngram_lists,
        ngram_pairs_report,
        ngram_systems_report,
        ngram_tables,
    )

    files = InputFiles(options)
    corpus = files.corpus()
    evaluation = evaluated(options, corpus)
    check_selection(
        options.top, options.order, evaluation.settings.max_order
    )  # the settings of a workspace are known only now
    names = _compared_names(options, evaluation.systems)
    listed = {"max_ngrams": options.top, "order": options.order, "kind": options.kind}
    numbers = None if files.slice is None else files.slice.numbers
    results: list[NgramPair | NgramSystem] = []
    with progress_bar() as progress:
        for done, (system, baseline) in enumerate(names, start=1):
            differences = compare_ngrams(corpus, evaluation, system, baseline)
            results.append(ngram_lists(differences, **listed, numbers=numbers))
            if progress:
                progress(done, len(names))
    pairs = [result for result in results if isinstance(result, NgramPair)]
    systems = [result for result in results if isinstance(result, NgramSystem)]
    return CommandResult(
        ngram_pairs_report(pairs, evaluation) if pairs else ngram_systems_report(systems, evaluation),
        ngram_tables(results),
        [PAIR_NOTE if pairs else SYSTEM_NOTE, evaluation.signature],
        warnings=files.warnings,
        slice=files.slice,
        repairs=files.repairs,
        assessment=assessed(
            options,
            corpus,
            evaluation,
            bases([find_metric(DEFAULT_METRIC)]),
            humans=files.human_translations,
        ),
    )


def _compared_names(options: argparse.Namespace, systems: Sequence[str]) -> list[tuple[str, str]]:
    """Return the systems, each with the name of the baseline; empty without a baseline.

    Raises:
        AlignmentError: the baseline is the only system.
        SettingsError: the baseline is not one of the systems.
    """
    if options.baseline is None:
        return [(system, "") for system in systems]
    pairs = baseline_pairs(systems, options.baseline)
    if not pairs:
        raise AlignmentError("1 system found, at least 2 expected")
    return [(systems[k], systems[b]) for k, b in pairs]


def _check_listed(options: argparse.Namespace) -> None:
    """Check the numbers before any file is read.

    Raises:
        SettingsError: a number is out of range.
    """
    if options.workspace is None:
        check_selection(options.top, options.order, settings_of(options).max_order)
