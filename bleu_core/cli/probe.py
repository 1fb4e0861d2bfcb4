"""`bleu-core probe`: change outputs in ways that readers notice, and score them before and after."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.options import add_common, add_documents, add_repeatable, add_seed
from bleu_core.cli.scored_data import assessed, bases, evaluated
from bleu_core.cli.terminal import progress_bar
from bleu_core.diagnostics import EXAMPLES, PROBES
from bleu_core.errors import SettingsError
from bleu_core.progress import scaled_progress
from bleu_core.scoring import DEFAULT_METRIC, all_metrics, find_metric

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.results.probes import ProbeResult

#: Steps of the progress bar per system.
STEPS = 1000

HELP = "change outputs in ways that readers notice, and score them before and after"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_repeatable(
        parser,
        "--probe",
        "KEY",
        f"a probe to use: {', '.join(PROBES)}; repeatable (default: all)",
    )
    add_repeatable(parser, "--metric", "METRIC", "a metric to score by; repeatable (default: all but slow ones)")
    parser.add_argument(
        "--language", metavar="CODE", help="language of the references, such as en (default: guessed from their words)"
    )
    parser.add_argument(
        "--examples",
        type=int,
        default=EXAMPLES,
        metavar="N",
        help="number of examples of each change (default: %(default)s)",
    )
    add_seed(parser)
    add_documents(parser, "a file with one document id per line, for --slice", lambda _: False)
    parser.set_defaults(continues_without_bleu=True)
    parser.checks.append(_check)


def run(options: argparse.Namespace) -> CommandResult:
    """Probe the systems."""
    from bleu_core.diagnostics import DiagnosticInput, guessed_language, probe_system
    from bleu_core.results.probes import (  # loaded when first needed
        TOKENIZED_NOTE,
        probe_result,
        probe_sentences,
        probe_tables,
        probes_report,
    )

    files = InputFiles(options)
    corpus = files.corpus()
    evaluation = evaluated(options, corpus)
    material = DiagnosticInput(corpus, evaluation)
    metrics = {key: find_metric(key) for key in dict.fromkeys(options.metric)} or {
        key: metric for key, metric in all_metrics().items() if not metric.slow and metric.is_possible(corpus)
    }
    language = guessed_language(material) if options.language is None else options.language
    numbers = None if files.slice is None else files.slice.numbers
    results: list[ProbeResult] = []
    with progress_bar() as progress:
        for done, system in enumerate(evaluation.systems):
            probed = probe_system(
                material,
                system,
                keys=tuple(dict.fromkeys(options.probe)) or tuple(PROBES),
                metrics=tuple(metrics),
                language=language,
                seed=options.seed,
                progress=scaled_progress(progress, done * STEPS, STEPS, len(evaluation.systems) * STEPS),
            )
            results += [probe_result(probe, corpus, examples=options.examples, numbers=numbers) for probe in probed]
    labels = {key: metric.label for key, metric in metrics.items()}
    notes = probe_sentences(results, corpus.segments, labels)
    if any(result.orders is not None for result in results):
        notes.append(TOKENIZED_NOTE)
    return CommandResult(
        probes_report(results, evaluation, seed=options.seed, language=language),
        probe_tables(results, in_full=options.format != "table"),
        [*notes, evaluation.signature],
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


def _check(options: argparse.Namespace) -> None:
    """Check the probes, the metrics, the language and the numbers before any file is read.

    Raises:
        SettingsError: a probe, a metric or a language does not exist, or a number is out of range.
    """
    from bleu_core.diagnostics import check_language, find_probe
    from bleu_core.inference import check_draws  # loaded when first needed

    for name, check, values in (
        ("probe", find_probe, options.probe),
        ("metric", find_metric, options.metric),
        ("language", check_language, [options.language]),
        ("seed", check_draws, [options.seed]),
    ):
        for value in values:
            try:
                check(value)
            except SettingsError as error:
                raise SettingsError(f"argument --{name}: {error}") from error
    if options.examples < 0:
        raise SettingsError(f"argument --examples: {options.examples} found, 0 or more expected")
