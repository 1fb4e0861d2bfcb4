"""`bleu-core`: arguments to core to print. Bad input ends it with status 2 and one line on standard error."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bleu_core.bleu import HIGHEST_ORDER, PRESETS, REFERENCE_LENGTHS, SMOOTHINGS, BleuSettings
from bleu_core.blocks import Blocks, block_scores, blocks_of_size, document_blocks, equal_blocks
from bleu_core.corpus import Column, Corpus, identical_texts
from bleu_core.errors import AlignmentError, BleuCoreError, FormatError, SettingsError
from bleu_core.evaluation import CorpusScores, Evaluation, evaluate
from bleu_core.formats.recognise import Contents, FileRole, read
from bleu_core.formats.weights import PUBLISHED, TITLES, MqmWeights
from bleu_core.gate import MARGIN, gate
from bleu_core.gate import RESAMPLES as GATE_RESAMPLES
from bleu_core.judgments import Judgments, ScoreTable, merge
from bleu_core.metrics import METRICS, Metric, MetricName, metric
from bleu_core.paired_tests import CORRECTIONS
from bleu_core.progress import Progress
from bleu_core.report import (
    agreement_table,
    block_table,
    blocks_json,
    score_json,
    score_table,
)
from bleu_core.resampling import SEED
from bleu_core.significance import ALPHA, BLOCKS, TESTS, against, all_pairs, compare, score_intervals
from bleu_core.streaming import IrregularError, score_files
from bleu_core.table import Json, Table, to_latex, to_text, to_tsv
from bleu_core.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from bleu_core.meta_evaluation import MetricScores

#: Exit statuses: of a gate that fails, and of bad input.
WORSE, BAD_INPUT = 1, 2

#: A baseline and a candidate.
GATED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    options = build_parser().parse_args(arguments)
    warnings: list[str] = []
    options.warnings, options.status = warnings, 0
    try:
        output = options.run(options)
    except BleuCoreError as error:
        return _fail(options.command, str(error))
    except OSError as error:
        return _fail(options.command, f"{error.filename}: {(error.strerror or str(error)).lower()}")
    for warning in warnings:  # not before: an error stands alone
        print(f"bleu-core {options.command}: warning: {warning}", file=sys.stderr)
    return _print(output, options.command) or options.status


def build_parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    parser = _Parser(prog="bleu-core", description="Score machine-translation systems with BLEU.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="BLEU of each system", parents=[_shared()])
    score.add_argument(
        "--intervals", action="store_true", help="with 95 %% intervals from 1,000 bootstrap resamples of the segments"
    )
    score.set_defaults(run=_score)

    blocks = commands.add_parser("blocks", help="BLEU on blocks of text, and neighbours' paired t", parents=[_shared()])
    division = blocks.add_mutually_exclusive_group()
    division.add_argument("--blocks", type=int, default=20, metavar="B", help="this many blocks (default: 20)")
    division.add_argument("--block-size", type=int, metavar="M", help="blocks of this many segments")
    division.add_argument("--documents", metavar="DOCS", help="documents as blocks: a file with a document id a line")
    blocks.set_defaults(run=_blocks)

    compare = commands.add_parser("compare", help="which differences between systems are real", parents=[_shared()])
    compare.add_argument("--baseline", metavar="NAME", help="what the others are compared with (default: the first)")
    compare.add_argument("--all-pairs", action="store_true", help="compare each two systems")
    compare.add_argument("--test", choices=TESTS, default="bootstrap")
    compare.add_argument("--trials", type=int, metavar="N", help="of randomization (default: 10000, or what it takes)")
    compare.add_argument("--blocks", type=int, default=BLOCKS, metavar="B", help="of test t (default: %(default)s)")
    compare.add_argument("--correction", choices=CORRECTIONS, default="holm", help="for the number of pairs")
    _add_resampling(compare, "default: 1000, or what the correction takes")
    compare.set_defaults(run=_compare)

    gate = commands.add_parser(
        "gate", help="fail if a candidate is shown to be worse than a baseline", parents=[_shared(systems=False)]
    )
    gate.add_argument("baseline_file", metavar="BASELINE", help="the output to hold it against")
    gate.add_argument("candidate_file", metavar="CANDIDATE", help="the output in question")
    gate.add_argument(
        "--margin", type=float, default=MARGIN, metavar="X", help="points it may be worse (default: %(default)s)"
    )
    gate.add_argument("--junit", metavar="FILE", help="write the outcome as a JUnit file, too")
    _add_resampling(gate, f"default: {GATE_RESAMPLES}")
    gate.set_defaults(run=_gate)

    _add_correlate(commands)

    paper = commands.add_parser(
        "paper",
        help="the tables, figures and claims of Papineni et al. (2002) on one's own data",
        parents=[_shared(preset="paper")],
    )
    paper.add_argument("--human", action="append", default=[], metavar="JUDGMENTS", help="ratings; repeatable")
    paper.add_argument(
        "--human-system",
        action="append",
        default=[],
        metavar="NAME",
        help="a human translator among the systems, who is compared as the machines are; repeatable",
    )
    paper.add_argument("--documents", metavar="DOCS", help="a file with a document id a line: each gets one reference")
    paper.add_argument(
        "--first-segment", type=int, choices=[0, 1], default=1, help="number of the first segment in JUDGMENTS"
    )
    paper.add_argument(
        "--table-references",
        type=int,
        default=2,
        metavar="N",
        help="how many references, the first ones, serve all but Figure 1 and section 3 (default: %(default)s)",
    )
    paper.add_argument("--draws", type=int, default=1000, metavar="N", help="of single references (default: 1000)")
    paper.add_argument("--seed", type=int, default=SEED, help="of all draws (default: %(default)s)")
    paper.set_defaults(run=_paper)
    return parser


def _add_correlate(commands: Any) -> None:
    """The command with the most options."""
    correlate = commands.add_parser("correlate", help="agreement of BLEU with people", parents=[_shared()])
    correlate.add_argument("--human", action="append", required=True, metavar="JUDGMENTS", help="ratings; repeatable")
    correlate.add_argument("--level", choices=["system", "segment"], default="system", help="what is correlated")
    correlate.add_argument(
        "--method",
        choices=["pearson", "spearman", "kendall", "pairwise-accuracy"],
        help="what metrics are ranked by (default: pearson of systems, kendall of segments)",
    )
    correlate.add_argument(
        "--metric-scores",
        action="append",
        default=[],
        metavar="FILE",
        help="another metric's scores, which are compared as BLEU is; repeatable",
    )
    correlate.add_argument(
        "--interval",
        choices=["formula", "bootstrap"],
        default="formula",
        help="over systems, of the table: Fisher's and its kin, or systems drawn with replacement; JSON has both",
    )
    correlate.add_argument("--seed", type=int, default=SEED, help="of all draws (default: %(default)s)")
    correlate.add_argument(
        "--lower-is-better",
        action="append",
        default=[],
        metavar="NAME",
        help="one of those metrics, of which a lower score is the better one (known of TER and its like); repeatable",
    )
    correlate.add_argument(
        "--higher-is-better", action="append", default=[], metavar="NAME", help="the other way round; repeatable"
    )
    correlate.add_argument(
        "--mqm-weights",
        type=_mqm_weights,
        default=PUBLISHED,
        metavar="NAME=W,...",
        help=f"what errors cost in files of MQM: {', '.join(TITLES)} (default: as published)",
    )
    correlate.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME",
        help="a metric computed here, to compare as well: chrF2, chrF2++, TER, or BLEU under another setting, such as "
        "BLEU-2, 'BLEU, tokeniser char', 'BLEU, lower-case' or 'BLEU, smoothing none'; repeatable",
    )
    correlate.add_argument("--judges", action="store_true", help="also the judges, and how far they agree")
    correlate.add_argument(
        "--differences",
        choices=["neighbours", "all"],
        help="also how far raters put systems apart: neighbours by mean rating, or all pairs",
    )
    correlate.add_argument("--zscore", action="store_true", help="standardise each judge's ratings first")
    correlate.add_argument(
        "--exclude", action="append", default=[], metavar="JUDGE", help="a judge, or a group, to leave out; repeatable"
    )
    correlate.add_argument(
        "--human-system",
        action="append",
        default=[],
        metavar="NAME",
        help="a human translator among the systems, who is left out; repeatable",
    )
    correlate.add_argument(
        "--first-segment", type=int, choices=[0, 1], default=1, help="number of the first segment in JUDGMENTS"
    )
    correlate.set_defaults(run=_correlate)


def _add_resampling(command: argparse.ArgumentParser, resamples: str) -> None:
    """What compare and gate have in common."""
    command.add_argument("--metric", choices=list(METRICS), default="bleu", help="chrF and TER are sacreBLEU's")
    command.add_argument("--documents", metavar="DOCS", help="resample whole documents: a file with an id a line")
    command.add_argument("--resamples", type=int, metavar="N", help=f"of the bootstrap ({resamples})")
    command.add_argument("--seed", type=int, default=SEED, help="of all draws (default: %(default)s)")
    command.add_argument("--alpha", type=float, default=ALPHA, help="level of significance (default: %(default)s)")


def _shared(*, systems: bool = True, preset: str = "sacrebleu") -> argparse.ArgumentParser:
    """Files, settings and format, which all commands have; the preset is what they start from."""
    shared = argparse.ArgumentParser(add_help=False)
    if systems:
        shared.add_argument("systems", nargs="+", metavar="SYSTEM", help="outputs, one segment a line, or a TSV or CSV")
    shared.add_argument(
        "--ref", action="append", required=True, metavar="R", help="a reference translation; repeat for more"
    )
    shared.add_argument("--format", choices=["table", "json", "tsv", "latex"], default="table")
    chosen = shared.add_argument_group("settings")
    chosen.add_argument(
        "--preset", choices=list(PRESETS), default=preset, help="what the others change (default: %(default)s)"
    )
    chosen.add_argument("--tokenizer", choices=list(TOKENIZERS))
    chosen.add_argument("--lowercase", action=argparse.BooleanOptionalAction)
    chosen.add_argument("--max-order", type=int, metavar="N", help=f"highest order of n-grams, 1 to {HIGHEST_ORDER}")
    chosen.add_argument("--weights", type=_weights, metavar="W1,W2,...", help="one an order, summing to 1")
    chosen.add_argument("--smoothing", choices=SMOOTHINGS)
    chosen.add_argument("--smoothing-value", type=float, metavar="X", help="of floor and add-k")
    chosen.add_argument("--reference-length", choices=REFERENCE_LENGTHS)
    chosen.add_argument("--encoding", help="of all files that are neither UTF-8 nor marked UTF-16")
    return shared


def _score(options: argparse.Namespace) -> str:
    if options.intervals:  # which need every segment
        counted = _evaluate(options)[1]
        found = score_intervals(counted)
        return _formatted(options, score_json(counted, found), [score_table(counted, found)], [counted.signature])
    evaluation = _streamed(options) or _evaluate(options)[1]
    return _formatted(options, score_json(evaluation), [score_table(evaluation)], [evaluation.signature])


def _blocks(options: argparse.Namespace) -> str:
    corpus, evaluation = _evaluate(options)
    if options.documents and corpus.documents is not None:
        division = document_blocks(corpus.documents)
    elif options.block_size is not None:
        division = blocks_of_size(corpus.segments, options.block_size)
    else:
        division = equal_blocks(corpus.segments, options.blocks)
    result = block_scores(evaluation, division)
    sizes = result.blocks.sizes
    notes = [result.signature, f"{len(sizes)} blocks of {min(sizes)} to {max(sizes)} segments"]
    if result.short_block:
        notes.append(f"the last block is short: {sizes[-1]} segments")
    return _formatted(options, blocks_json(result), [block_table(result)], notes)


def _compare(options: argparse.Namespace) -> str:
    from bleu_core.significance_report import compare_json, comparison_table, methods, tier_table  # where needed

    corpus, evaluation = _evaluate(options)
    names = evaluation.systems
    if len(names) == 1:
        raise AlignmentError("1 system found, at least 2 expected")
    groups = _documents(options, corpus)
    if options.test == "t" and groups is None:
        groups = equal_blocks(corpus.segments, options.blocks)
    baseline = names[0] if options.baseline is None else options.baseline
    pairs = against(names, baseline)
    if options.all_pairs:
        pairs = all_pairs(names)
    found = _metric(options, corpus, evaluation)
    with progress_bar() as progress:
        result = compare(
            found.table,
            pairs,
            test=options.test,
            groups=groups,
            resamples=options.resamples,
            trials=options.trials,
            seed=options.seed,
            correction=options.correction,
            alpha=options.alpha,
            progress=progress,
        )
    options.warnings += result.warnings
    tables = [comparison_table(result)]
    if options.all_pairs:
        tables.append(tier_table(result))
    notes = [methods(result, found, evaluation)]
    return _formatted(options, compare_json(result, found, evaluation), tables, notes)


def _gate(options: argparse.Namespace) -> str:
    from bleu_core.significance_report import gate_json, gate_junit, gate_line, gate_table  # where needed

    options.systems = [options.baseline_file, options.candidate_file]
    corpus, evaluation = _evaluate(options)
    if len(evaluation.systems) != GATED:
        raise AlignmentError(f"{len(evaluation.systems)} systems found, a baseline and a candidate expected")
    found = _metric(options, corpus, evaluation)
    result = gate(
        found.table,
        margin=options.margin,
        alpha=options.alpha,
        groups=_documents(options, corpus),
        resamples=GATE_RESAMPLES if options.resamples is None else options.resamples,
        seed=options.seed,
    )
    options.warnings += result.warnings
    if options.junit is not None:
        try:
            Path(options.junit).write_text(gate_junit(result, found), encoding="utf-8")
        except OSError as error:  # which does not name the file where the disk is full
            raise OSError(error.errno, error.strerror, options.junit) from error
    options.status = 0 if result.passed else WORSE
    if options.format == "table":
        return gate_line(result, found)
    return _formatted(options, gate_json(result, found), [gate_table(result)], [found.signature])


def _documents(options: argparse.Namespace, corpus: Corpus) -> Blocks | None:
    """The documents, where they were asked for: a table may well name them by the way."""
    return document_blocks(corpus.documents) if options.documents and corpus.documents is not None else None


def _metric(options: argparse.Namespace, corpus: Corpus, evaluation: Evaluation) -> Metric:
    with progress_bar() as progress:
        return metric(corpus, evaluation, options.metric, progress=progress)


def _correlate(options: argparse.Namespace) -> str:
    from bleu_core import agreement_report as report  # where needed
    from bleu_core.meta_evaluation import MetricScores, segment_level, system_level
    from bleu_core.robustness import of_metrics

    judgments = _judgments(options)
    corpus, evaluation = _evaluate(options)
    unknown = [name for name in options.human_system if name not in corpus.systems]
    if unknown:
        raise SettingsError(f"human system {unknown[0]!r} found, one of {', '.join(corpus.systems)} expected")
    judgments = _chosen_judges(options, judgments)
    tables = _metric_scores(options)
    said, also = _choices(options, judgments, tables)
    metrics = [MetricScores.of_table(table, corpus) for table in tables]
    metrics += _computed_metrics(options, corpus, evaluation)
    if options.level == "segment":
        method = options.method or "kendall"
        of_segments = segment_level(corpus, evaluation, judgments, metrics, method=method, without=options.human_system)
        printed = [report.segment_table(of_segments)]
        printed += [report.ranking_table(of_segments.ranking)] if of_segments.ranking else []
        notes = [f"left out: {e.system}: {e.reason}" for e in of_segments.excluded]
        unranked = of_segments.ranking.excluded if of_segments.ranking else ()
        notes += [f"left out: {name}: {reason}" for name, reason in (*of_segments.left_out, *unranked)]
        content = report.segment_level_json(of_segments) | said
        content |= _of_people(options, judgments, of_segments.systems, printed)
        return _formatted(options, content, printed, [*notes, *also, of_segments.signature])
    result = system_level(
        corpus, evaluation, judgments, metrics, method=options.method or "pearson", without=options.human_system
    )
    first = result.agreements[0]
    scored = [MetricScores.of_bleu(evaluation), *metrics]
    rests_on = of_metrics(result, scored, judgments, corpus.segments, seed=options.seed)
    bootstrap = options.interval == "bootstrap"
    coefficients = report.coefficients_table(first, rests_on[first.metric], bootstrap=bootstrap)
    printed = [agreement_table(first), report.system_table(result) if metrics else coefficients]
    printed.append(report.stability_table(rests_on[first.metric]))
    printed += [report.ranking_table(result.ranking)] if result.ranking else []
    notes = [f"left out: {e.system}: {e.reason}" for e in first.excluded]
    notes += [f"not ranked: {name}: {reason}" for name, reason in (result.ranking.excluded if result.ranking else ())]
    content = report.system_level_json(result, rests_on) | said
    content |= _of_people(options, judgments, first.systems, printed)
    return _formatted(options, content, printed, [*notes, *also, first.signature])


def _paper(options: argparse.Namespace) -> str:
    from bleu_core.claims import claims  # where needed
    from bleu_core.experiment import experiment
    from bleu_core.paper_json import paper_json
    from bleu_core.paper_report import sections
    from bleu_core.worked_example import paper_examples

    settings = _settings(options)
    corpus = _corpus(options)
    judgments, left_out = None, ()
    if options.human:
        judgments = _judgments(options)
        judgments.check_segments(corpus.segments)
        judgments, left_out = judgments.place(corpus.systems, corpus.segments, corpus.documents)
    with progress_bar() as progress:
        found = experiment(
            corpus,
            settings,
            judgments,
            humans=options.human_system,
            table_references=options.table_references,
            draws=options.draws,
            seed=options.seed,
            progress=progress,
        )
    examples, tested, rows = paper_examples(settings), claims(found), [str(row) for row in left_out]
    if options.format == "json":
        return _formatted(options, paper_json(found, examples, tested, rows), [], [])
    parts = [(part.heading, part.tables, part.notes) for part in sections(found, examples, tested)]
    notes = [f"left out: {e.system}: {e.reason}" for e in found.left_out]
    notes += [f"left out: {row}" for row in rows]
    parts.append(("Signature", (), (*notes, found.evaluation.signature)))
    apart = "\n\n\n" if options.format == "table" else "\n\n"
    return apart.join(_section(options.format, *part) for part in parts)


def _section(kind: str, heading: str, tables: Sequence[Table], notes: Sequence[str]) -> str:
    """A part of a long report, under a heading that is a comment in TSV and LaTeX."""
    written = {"table": to_text, "tsv": to_tsv, "latex": to_latex}[kind]
    comment = {"table": "", "tsv": "# ", "latex": "% "}[kind]
    said = "\n".join(comment + " ".join(note.split()) for note in notes)  # names may hold line ends
    parts = [comment + heading, *(written(table).removesuffix("\n") for table in tables), *([said] if said else [])]
    return ("\n\n" if kind == "table" else "\n").join(parts)


def _chosen_judges(options: argparse.Namespace, judgments: Judgments) -> Judgments:
    """The ratings without the judges and groups to leave out, standardised if that was asked for."""
    known = {judge.name for judge in judgments.judges} | set(judgments.groups)
    for name in options.exclude:
        if name not in known:
            raise SettingsError(f"judge {name!r} found, one of {', '.join(sorted(known)) or 'none'} expected")
    judgments = judgments.without(judges=options.exclude, groups=options.exclude)
    if not len(judgments.rated):
        raise SettingsError("all judges are left out, at least 1 expected")
    if options.zscore:
        from bleu_core.judges import standardised  # loaded when first needed

        judgments = standardised(judgments)
    options.warnings += [str(rows) for rows in judgments.set_aside]
    return judgments


def _computed_metrics(options: argparse.Namespace, corpus: Corpus, evaluation: Evaluation) -> list[MetricScores]:
    """ChrF, TER and BLEU under other settings, as far as they were asked for."""
    from bleu_core.meta_evaluation import MetricScores, bleu_variants

    variants = bleu_variants(evaluation.settings)
    names: dict[str, MetricName] = {label: name for name, label in METRICS.items() if name != "bleu"}
    found: list[MetricScores] = []
    for label in options.also:
        with progress_bar() as progress:
            if label in names:
                found.append(MetricScores.of_metric(metric(corpus, evaluation, names[label], progress=progress)))
            elif label in variants:
                counted = evaluate(corpus, variants[label], progress=progress)
                found.append(MetricScores.of_bleu(counted, label))
            else:
                known = ", ".join((*names, *variants))
                raise SettingsError(f"metric {label!r} found, one of these expected: {known}")
    return found


def _of_people(options: argparse.Namespace, judgments: Judgments, systems: Sequence[str], tables: list[Table]) -> Json:
    """What was asked about the judges, added to the tables and for JSON."""
    from bleu_core.judges_report import of_differences, of_judges

    content: Json = {}
    if options.judges:
        said, more = of_judges(judgments, systems)
        content |= said
        tables += more
    if options.differences:
        said, more = of_differences(judgments, systems, options.differences)
        content |= said
        tables += more
    return content


def _choices(
    options: argparse.Namespace, judgments: Judgments, metrics: Sequence[ScoreTable]
) -> tuple[Json, list[str]]:
    """What was chosen, or guessed, that turns numbers: for JSON, and as notes."""
    said: Json = {}
    notes: list[str] = []
    weights: MqmWeights = options.mqm_weights
    if weights.changed and set(weights.notes) <= set(judgments.notes):
        said["mqm_weights"] = asdict(weights)
        notes += weights.notes
    elif weights.changed:
        options.warnings.append("--mqm-weights changes nothing: no file of MQM errors among the judgments")
    lower = [table.name for table in metrics if not table.higher_is_better]
    if lower:
        said["lower_is_better"] = lower
        notes.append(f"lower is better, so the sign of the scores is turned: {', '.join(lower)}")
    return said, notes


def _metric_scores(options: argparse.Namespace) -> list[ScoreTable]:
    tables = [table for path in options.metric_scores for table in _read(path, "scores", options).scores]
    names = ["BLEU", *(table.name for table in tables)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"two metrics are called {twice}; rename one")
    lower, higher = options.lower_is_better, options.higher_is_better
    for name in (*lower, *higher):
        if name not in names[1:]:
            there = f"one of {', '.join(names[1:])}" if tables else "--metric-scores with it"
            raise SettingsError(f"metric {name!r} found, {there} expected")
        if name in lower and name in higher:
            raise SettingsError(f"metric {name!r} found as both lower and higher is better, one expected")
    return [
        replace(t, higher_is_better=t.name in higher or (t.higher_is_better and t.name not in lower)) for t in tables
    ]


def _streamed(options: argparse.Namespace) -> CorpusScores | None:
    """Score plain files without keeping them; None where a Corpus has to say what is the matter."""
    systems, references = ({Path(p).stem: Path(p) for p in paths} for paths in (options.systems, options.ref))
    if len(systems) < len(options.systems) or len(references) < len(options.ref):
        return None
    try:
        with progress_bar() as progress:
            found = score_files(systems, references, _settings(options), encoding=options.encoding, progress=progress)
    except IrregularError:
        return None
    options.warnings += [_copy(name, reference) for name, reference in found.copies]
    return found.scores


def _copy(system: str, reference: str) -> str:
    return f"{system} is identical to the reference {reference}; its score says nothing"


@contextmanager
def progress_bar() -> Generator[Progress | None]:
    """A progress bar on a terminal, for work that takes long enough for one."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # loaded when first needed

    with tqdm(total=1.0, delay=0.5, leave=False, bar_format="{percentage:3.0f}%|{bar}| {remaining}") as bar:

        def show(done: int, total: int) -> None:
            bar.update(done / total - bar.n)

        yield show


def _corpus(options: argparse.Namespace) -> Corpus:
    corpus = Corpus.from_columns(_columns(options))
    if not corpus.systems:
        raise AlignmentError("no system among the columns of the files given, at least 1 expected")
    return corpus


def _evaluate(options: argparse.Namespace) -> tuple[Corpus, Evaluation]:
    corpus = _corpus(options)
    for same in identical_texts(corpus):
        if same.role == "reference":
            options.warnings.append(_copy(same.system, same.name))
    with progress_bar() as progress:
        return corpus, evaluate(corpus, _settings(options), progress=progress)


def _columns(options: argparse.Namespace) -> list[Column]:
    documents: str | None = getattr(options, "documents", None)
    given: tuple[tuple[FileRole, list[str]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("document", [documents] if documents else []),
    )
    return [column for role, paths in given for path in paths for column in _read(path, role, options).columns]


def _judgments(options: argparse.Namespace) -> Judgments:
    read_files = [_read(path, "judgments", options).judgments for path in options.human]
    merged = merge(j for j in read_files if j is not None)
    if merged is None:
        raise FormatError(f"{options.human[0]}: no judgments")
    return merged


def _read(path: str, role: FileRole, options: argparse.Namespace) -> Contents:
    return read(
        Path(path).read_bytes(),
        path,
        role,
        encoding=options.encoding,
        first_segment=getattr(options, "first_segment", 1),
        weights=getattr(options, "mqm_weights", PUBLISHED),
    )


def _settings(options: argparse.Namespace) -> BleuSettings:
    named = {f.name for f in fields(BleuSettings)}
    given = {name: value for name, value in vars(options).items() if name in named and value is not None}
    return replace(PRESETS[options.preset], **given)


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} found, numbers like 0.4,0.3,0.2,0.1 expected") from None


def _mqm_weights(text: str) -> MqmWeights:
    try:
        return MqmWeights.parse(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _formatted(options: argparse.Namespace, content: Json, tables: Sequence[Table], notes: Sequence[str]) -> str:
    if options.format == "json":
        return json.dumps(content, allow_nan=False)  # in ASCII, which every terminal can show
    if options.format == "tsv":
        return "\n".join(map(to_tsv, tables)).removesuffix("\n")
    if options.format == "latex":
        return "\n\n".join(map(to_latex, tables)) + "".join(f"\n% {note}" for note in notes)
    return "\n\n".join(map(to_text, tables)) + "\n\n" + "\n".join(notes)


def _drop_output() -> None:
    """Let what Python flushes at its end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _print(output: str, command: str) -> int:
    encoding = sys.stdout.encoding or "utf-8"
    try:  # a name that the terminal cannot show is no reason to fail
        print(output.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader, head for example, has seen enough
        _drop_output()
    except OSError as error:  # a full disk
        _drop_output()
        return _fail(command, f"standard output: {(error.strerror or str(error)).lower()}")
    return 0


def _fail(command: str, message: str) -> int:
    print(f"bleu-core {command}: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT


class _Parser(argparse.ArgumentParser):
    """Reports a wrong call in one line, as all other bad input."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(BAD_INPUT)

    def add_subparsers(self, **options: Any) -> Any:
        return super().add_subparsers(parser_class=type(self), **options)
