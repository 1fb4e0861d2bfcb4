"""`bleu-core count`: write the n-gram counts of texts, or of a part of them, to a file for other commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_for
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.counts_files import assessment_of_counts, warnings_about
from bleu_core.cli.execution import Backend, add_execution_options, counting_backend, refuse_urls
from bleu_core.cli.input_files import InputFiles, beginnings, plain_locations
from bleu_core.cli.options import add_counted, add_documents
from bleu_core.cli.scored_data import sampled_assessment
from bleu_core.cli.streaming import read_sample, sample_of
from bleu_core.cli.terminal import progress_bar
from bleu_core.counts import (
    BUNDLES,
    Bundling,
    Counts,
    IrregularError,
    Part,
    Source,
    Texts,
    count_texts,
    describe_counts,
    parse_part,
    processes_for,
    processes_for_files,
    scan_files,
    write_counts,
)
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.formats import printable_path
from bleu_core.results.counts import counts_report, counts_table
from bleu_core.scoring import BleuSettings

HELP = "count the n-grams of texts, or of a part of them, and write the counts to a file"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_counted(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help="the counts file to write")
    parser.add_argument(
        "--part",
        type=_part,
        metavar="I/N",
        help="count only part I (from 1) of N parts of the text; `bleu-core merge` adds the parts",
    )
    parser.add_argument(
        "--bundles",
        type=int,
        nargs="?",
        const=BUNDLES,
        metavar="B",
        help=f"write sums in B bundles of segments (default: {BUNDLES}) instead of counts per segment",
    )
    add_documents(parser, "a file with one document id per line: with --bundles, whole documents are bundled")
    add_execution_options(parser)
    parser.checks.append(_check)


def run(options: argparse.Namespace) -> CommandResult:
    """Count, and write the counts."""
    warnings: list[str] = []
    of_files = _counts_of_files(options)
    if of_files is None:
        refuse_urls([*options.systems, *options.ref])
        files = InputFiles(options)
        corpus = files.corpus(copies="none")
        documents = corpus.documents if options.documents else None  # documents in tables of texts are not used
        texts = Texts(corpus.systems, corpus.references, documents)
        with counting_backend(options, processes_for(len(corpus.systems) * corpus.segments)) as backend:
            counts = _counted(options, texts, backend, settings_for(options, corpus))
        warnings += files.warnings
        sample = sample_of(corpus)
    else:
        counts, sample = of_files
    counts = replace(counts, assessments=(sampled_assessment(options, sample, counts.counted.segments).encoded,))
    write_counts(counts, options.out)
    return written(counts, options.out, warnings)


def written(counts: Counts, out: str, warnings: Sequence[str] = ()) -> CommandResult:
    """Return the result about counts that were written to a file."""
    report = counts_report(counts, printable_path(out))
    notes = [report.signature, f"{report.file}: {describe_counts(counts)}"]
    return CommandResult(
        report,
        [counts_table(report)],
        notes,
        warnings=[*warnings, *warnings_about(counts)],
        assessment=assessment_of_counts(counts),
    )


def _part(text: str) -> Part:
    try:
        return parse_part(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("part ")) from None


def _check(options: argparse.Namespace) -> None:
    """Check the number of bundles, and that documents are named only with bundles.

    Raises:
        SettingsError: the number is below 1, or documents are named without bundles.
    """
    if options.bundles is not None and options.bundles < 1:
        raise SettingsError(f"argument --bundles: {options.bundles} found, at least 1 expected")
    if options.documents and options.bundles is None:
        raise SettingsError("argument --documents: counts per segment do not depend on documents; add --bundles")


def _counts_of_files(options: argparse.Namespace) -> tuple[Counts, Corpus] | None:
    """Count plain files without loading them, and return counts and a sample.

    Returns:
        None if a Corpus is needed to read the files or to report an error.
    """
    plain = plain_locations(options)
    if plain is None:
        return None
    systems, references = ({name: Source(path, options.encoding) for name, path in files.items()} for files in plain)
    processes = processes_for_files(path for files in plain for path in files.values())
    with counting_backend(options, processes) as backend:
        try:
            texts = scan_files(
                systems, references, documents=InputFiles(options).documents(), limits=options.limits, run=backend.scan
            )
            begin = beginnings(options, *plain)
            counts = _counted(options, texts, backend, settings_for(options, begin))
            sample = read_sample(texts, options.limits)
            return counts, replace(sample, languages=begin.languages)
        except IrregularError:
            return None


def _counted(options: argparse.Namespace, texts: Texts, backend: Backend, settings: BleuSettings) -> Counts:
    bundling = None
    if options.bundles is not None:
        bundling = Bundling("lines" if texts.documents is None else "documents", options.bundles)
    with progress_bar() as progress:
        return count_texts(
            texts,
            counting=settings.counting,
            max_order=settings.max_order,
            part=options.part,
            bundling=bundling,
            workers=backend.workers,
            limits=options.limits,
            run=backend.count,
            progress=progress,
        )
