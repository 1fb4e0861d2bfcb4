"""`bleu-core count`: n-gram counts of texts, or of a part of them, in a file that other commands take."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bleu_core.cli.arguments import Parser
from bleu_core.cli.counts_files import warnings_about
from bleu_core.cli.elsewhere import Where, add_elsewhere, counted_where, refuse_urls
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import plain_locations, settings_of
from bleu_core.cli.options import add_counted, add_documents
from bleu_core.cli.result import Result
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
    described_counts,
    parse_part,
    processes_for,
    processes_for_files,
    scan_files,
    write_counts,
)
from bleu_core.errors import SettingsError
from bleu_core.formats import printable_path
from bleu_core.results.counts import counts_report, counts_table

HELP = "count n-grams, or those of a part of the text, and keep the counts in a file"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_counted(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help="the counts file to write")
    parser.add_argument(
        "--part",
        type=_part,
        metavar="I/N",
        help="count only the I-th of N parts of the text, from 1; `bleu-core merge` adds them up",
    )
    parser.add_argument(
        "--bundles",
        type=int,
        nargs="?",
        const=BUNDLES,
        metavar="B",
        help=f"keep sums in B bundles of segments (default: {BUNDLES}) in place of counts per segment",
    )
    add_documents(parser, "a file with one document id per line: with --bundles, whole documents are bundled")
    add_elsewhere(parser)
    parser.checks.append(_check)


def run(options: argparse.Namespace) -> Result:
    """Count, and write the counts."""
    warnings: list[str] = []
    counts = _counts_of_files(options)
    if counts is None:
        refuse_urls([*options.systems, *options.ref])
        files = Files(options)
        corpus = files.corpus(copies="none")
        documents = corpus.documents if options.documents else None  # those in a table of texts do not count
        texts = Texts(corpus.systems, corpus.references, documents)
        with counted_where(options, processes_for(len(corpus.systems) * corpus.segments)) as where:
            counts = _counted(options, texts, where)
        warnings += files.warnings
    write_counts(counts, options.out)
    return written(counts, options.out, warnings)


def written(counts: Counts, out: str, warnings: Sequence[str] = ()) -> Result:
    """What is printed about counts that were written to a file."""
    report = counts_report(counts, printable_path(out))
    notes = [report.signature, f"{report.file}: {described_counts(counts)}"]
    return Result(report, [counts_table(report)], notes, warnings=[*warnings, *warnings_about(counts)])


def _part(text: str) -> Part:
    try:
        return parse_part(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("part ")) from None


def _check(options: argparse.Namespace) -> None:
    """Check the number of bundles, and that documents are named only where they are bundled.

    Raises:
        SettingsError: they are not.
    """
    if options.bundles is not None and options.bundles < 1:
        raise SettingsError(f"argument --bundles: {options.bundles} found, at least 1 expected")
    if options.documents and options.bundles is None:
        raise SettingsError("argument --documents: counts per segment do not depend on documents; add --bundles")


def _counts_of_files(options: argparse.Namespace) -> Counts | None:
    """Count plain files without keeping their texts; None where a Corpus has to find out what is wrong."""
    plain = plain_locations(options)
    if plain is None:
        return None
    systems, references = ({name: Source(path, options.encoding) for name, path in files.items()} for files in plain)
    processes = processes_for_files(path for files in plain for path in files.values())
    with counted_where(options, processes) as where:
        try:
            texts = scan_files(
                systems, references, documents=Files(options).documents(), limits=options.limits, run=where.scan
            )
            return _counted(options, texts, where)
        except IrregularError:
            return None


def _counted(options: argparse.Namespace, texts: Texts, where: Where) -> Counts:
    settings = settings_of(options)
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
            workers=where.workers,
            limits=options.limits,
            run=where.count,
            progress=progress,
        )
