"""`bleu-core paper`: the tables, figures and claims of Papineni et al. (2002), computed on other data."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_for
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import human_scores_notes
from bleu_core.cli.options import (
    add_common,
    add_documents,
    add_human_systems,
    add_judgments,
    add_seed,
    source_in_slices,
)
from bleu_core.cli.scored_data import assessed, bases
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import references_in_use
from bleu_core.dataset import identical_texts, translations_of
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.scoring import DEFAULT_METRIC, Basis, find_metric

HELP = "compute the tables, figures and claims of Papineni et al. (2002) on your own data"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser, preset="paper")
    add_judgments(parser)
    add_human_systems(parser, "compared like the machines")
    add_documents(parser, "a file with one document id per line, for drawing one reference per document")
    parser.add_argument(
        "--table-references",
        type=int,
        metavar="N",
        help=f"use the first N references for everything except Figure 1 and section 3 (default: {TABLE_REFERENCES})",
    )
    parser.add_argument(
        "--draws", type=int, default=1000, metavar="N", help="number of draws of single references (default: 1000)"
    )
    add_seed(parser)
    source_in_slices(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Repeat the experiments of the paper."""
    from bleu_core.paper import (
        PaperInput,
        PaperOptions,
        all_steps,
        compute_steps,
        repeat_experiment,
    )  # loaded when first needed
    from bleu_core.results.envelope import rating_notes
    from bleu_core.results.paper import Section, paper_report, sections

    files = InputFiles(options)
    texts = files.dataset(copies="none")  # copies are reported as excluded
    settings = settings_for(options, texts.corpus)
    with progress_bar() as progress:
        results = repeat_experiment(
            texts.corpus,
            settings,
            texts.ratings.judgments,
            options=PaperOptions(
                humans=options.human_system,
                references=references_in_use(options),
                table_references=TABLE_REFERENCES if options.table_references is None else options.table_references,
                draws=options.draws,
                seed=options.seed,
            ),
            progress=progress,
        )
    marked = [*options.human_system, *(human.system for human in files.human_translations)]
    assessment = assessed(
        options,
        texts.corpus,
        results.evaluation,
        bases([find_metric(DEFAULT_METRIC)], texts.ratings.rated),
        judgments=texts.ratings.rated,
        humans=translations_of(texts.corpus.systems, identical_texts(texts.corpus), marked),
        others=files.other_systems,
    )
    systems, references = results.evaluation.systems, results.evaluation.references
    obstacles: dict[Basis, str] = {
        basis: reason
        for basis in assessment.assessed
        if (reason := assessment.obstacle("", basis, systems, references))
    }
    data = PaperInput(corpus=texts.corpus, judgments=texts.ratings.judgments, results=results, obstacles=obstacles)
    steps, rows = compute_steps(data, all_steps()), [str(row) for row in texts.ratings.all_unused_rows]
    notes = [f"left out: {e.system}: {e.reason}" for e in results.left_out]
    notes += [f"left out: {row}" for row in rows]
    notes += human_scores_notes(files.human_scores())
    notes.append(results.evaluation.signature)
    report = (*sections(steps), Section("signature", "Signature", (), tuple(notes)))
    return CommandResult(
        paper_report(data, steps, rows),
        sections=report,
        warnings=[*files.warnings, *rating_notes(data.rated)],
        slice=files.slice,
        repairs=files.repairs,
        assessment=assessment,
    )
