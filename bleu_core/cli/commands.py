"""`bleu-core`: arguments to core to print. Bad input ends it with status 2 and one line on standard error."""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import BAD_INPUT, parse
from bleu_core.cli.inputs import (
    check_numbers,
    corpus_of,
    human_scores_of,
    judgments_of,
    metric_scores_of,
    printable_path,
    settings_of,
)
from bleu_core.cli.streaming import IrregularError, score_files
from bleu_core.dataset import Corpus, Judgments, ScoreTable, identical_texts
from bleu_core.errors import AlignmentError, BleuCoreError, FormatError, SettingsError, one_line
from bleu_core.formats import MqmWeights
from bleu_core.inference import (
    GATE_RESAMPLES,
    Blocks,
    against,
    all_pairs,
    block_scores,
    blocks_of_size,
    compare,
    document_blocks,
    equal_blocks,
    gate,
    score_intervals,
)
from bleu_core.progress import Progress
from bleu_core.reports import (
    Json,
    Table,
    agreement_table,
    block_table,
    blocks_json,
    score_json,
    score_table,
    to_latex,
    to_text,
    to_tsv,
)
from bleu_core.scoring import METRICS, CorpusScores, Evaluation, Metric, MetricName, evaluate, metric

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores

#: The exit status of a gate that fails.
WORSE = 1

#: The exit status after Ctrl-C: 128 and the number of its signal, as of programs that it kills.
INTERRUPTED = 130

#: A baseline and a candidate.
GATED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    try:
        return _run(parse(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    warnings: list[str] = []
    options.warnings, options.status = warnings, 0
    try:
        output = COMMANDS[options.command](options)
        for warning in warnings:  # not before: an error stands alone
            _tell(f"bleu-core {options.command}: warning: {warning}")
        return _print(output, options.command) or options.status
    except BleuCoreError as error:
        return _fail(options.command, str(error))
    except OSError as error:
        place = f"{printable_path(error.filename)}: " if error.filename else ""
        return _fail(options.command, f"{place}{(error.strerror or str(error)).lower()}")
    except Exception as error:  # noqa: BLE001 # whatever is wrong here, the user gets a sentence
        if options.debug and sys.stderr is not None:
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        how = "" if options.debug else "run with --debug for the traceback, and "
        return _fail(options.command, f"unexpected error: {what}; {how}please report it")


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
    from bleu_core.reports import compare_json, comparison_table, methods, tier_table  # where needed

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
    from bleu_core.reports import gate_json, gate_junit, gate_line, gate_table  # where needed

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
            raise OSError(error.errno, error.strerror, error.filename or options.junit) from error
    options.status = 0 if result.passed else WORSE
    if options.format == "table":
        return one_line(gate_line(result, found))
    return _formatted(options, gate_json(result, found), [gate_table(result)], [found.signature])


def _documents(options: argparse.Namespace, corpus: Corpus) -> Blocks | None:
    """The documents, where they were asked for: a table may well name them by the way."""
    return document_blocks(corpus.documents) if options.documents and corpus.documents is not None else None


def _metric(options: argparse.Namespace, corpus: Corpus, evaluation: Evaluation) -> Metric:
    with progress_bar() as progress:
        return metric(corpus, evaluation, options.metric, progress=progress)


def _correlate(options: argparse.Namespace) -> str:
    from bleu_core import reports  # where needed
    from bleu_core.agreement import MetricScores, of_metrics, segment_level, system_level

    corpus = _corpus(options)
    judgments, aside = judgments_of(options, corpus)
    if judgments is None:
        raise FormatError(f"{(*options.human, *options.archive)[0]}: no judgments; name a file of them with --human")
    options.warnings += map(str, aside)
    evaluation = _evaluated(options, corpus)
    unknown = [name for name in options.human_system if name not in corpus.systems]
    if unknown:
        raise SettingsError(f"human system {unknown[0]!r} found, one of {', '.join(corpus.systems)} expected")
    judgments = _chosen_judges(options, judgments)
    tables = metric_scores_of(options)
    said, also = _choices(options, judgments, tables)
    metrics = [MetricScores.of_table(table, corpus) for table in tables]
    metrics += _computed_metrics(options, corpus, evaluation)
    if options.level == "segment":
        method = options.method or "kendall"
        with progress_bar() as progress:
            of_segments = segment_level(
                corpus,
                evaluation,
                judgments,
                metrics,
                method=method,
                grouping=options.grouping,
                correction=options.correction,
                trials=options.trials,
                seed=options.seed,
                without=options.human_system,
                progress=progress,
            )
        printed = [reports.segment_table(of_segments)]
        printed += [reports.ranking_table(of_segments.ranking)] if of_segments.ranking else []
        notes = [f"left out: {e.system}: {e.reason}" for e in of_segments.excluded]
        unranked = of_segments.ranking.excluded if of_segments.ranking else ()
        notes += [f"left out: {name}: {reason}" for name, reason in (*of_segments.left_out, *unranked)]
        content = reports.segment_level_json(of_segments) | said
        content |= _of_people(options, judgments, of_segments.systems, printed)
        return _formatted(options, content, printed, [*notes, *also, of_segments.signature])
    with progress_bar() as progress:
        result = system_level(
            corpus,
            evaluation,
            judgments,
            metrics,
            method=options.method or "pearson",
            test=options.test,
            correction=options.correction,
            trials=options.trials,
            seed=options.seed,
            without=options.human_system,
            progress=progress,
        )
    first = result.agreements[0]
    scored = [MetricScores.of_bleu(evaluation), *metrics]
    rests_on = of_metrics(result, scored, judgments, corpus.segments, seed=options.seed)
    bootstrap = options.interval == "bootstrap"
    coefficients = reports.coefficients_table(first, rests_on[first.metric], bootstrap=bootstrap)
    printed = [agreement_table(first), reports.system_table(result) if metrics else coefficients]
    printed.append(reports.stability_table(rests_on[first.metric]))
    printed += [reports.ranking_table(result.ranking)] if result.ranking else []
    notes = [f"left out: {e.system}: {e.reason}" for e in first.excluded]
    notes += [f"not ranked: {name}: {reason}" for name, reason in (result.ranking.excluded if result.ranking else ())]
    content = reports.system_level_json(result, rests_on) | said
    content |= _of_people(options, judgments, first.systems, printed)
    return _formatted(options, content, printed, [*notes, *also, first.signature])


def _paper(options: argparse.Namespace) -> str:
    from bleu_core.paper import (
        claims,  # where needed
        experiment,
        paper_examples,
    )
    from bleu_core.reports import paper_json, sections

    settings = settings_of(options)
    corpus = corpus_of(options)
    judgments, left_out = judgments_of(options, corpus)
    if judgments is not None:
        judgments.check_segments(corpus.segments)
        judgments, others = judgments.place(corpus.systems, corpus.segments, corpus.documents)
        left_out += others
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
    notes += _said_of_scores(human_scores_of(options))
    parts.append(("Signature", (), (*notes, found.evaluation.signature)))
    apart = "\n\n\n" if options.format == "table" else "\n\n"
    return apart.join(_section(options.format, *part) for part in parts)


def _section(kind: str, heading: str, tables: Sequence[Table], notes: Sequence[str]) -> str:
    """A part of a long report, under a heading that is a comment in TSV and LaTeX."""
    written = {"table": to_text, "tsv": to_tsv, "latex": to_latex}[kind]
    comment = {"table": "", "tsv": "# ", "latex": "% "}[kind]
    said = "\n".join(comment + one_line(note) for note in notes)
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
    from bleu_core.agreement import MetricScores, bleu_variants

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
    from bleu_core.reports import of_differences, of_judges

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
    chosen = human_scores_of(options)
    said: Json = {"human_scores": list(chosen.values())} if chosen else {}
    notes = _said_of_scores(chosen)
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


def _said_of_scores(chosen: Mapping[str, str]) -> list[str]:
    return [f"human scores of {path}: {name}" for path, name in chosen.items()]


def _streamed(options: argparse.Namespace) -> CorpusScores | None:
    """Score plain files without keeping them; None where a Corpus has to say what is the matter."""
    if options.archive or options.without_system or options.without_reference:
        return None
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))
    systems, references = (
        {Path(printable_path(p)).stem: Path(p) for p in paths} for paths in (options.systems, options.ref)
    )
    if len(systems) < len(options.systems) or len(references) < len(options.ref):
        return None
    try:
        with progress_bar() as progress:
            found = score_files(
                systems,
                references,
                settings_of(options),
                encoding=options.encoding,
                limits=options.limits,
                progress=progress,
            )
    except IrregularError:
        return None
    options.warnings += [_copy(name, reference) for name, reference in found.copies]
    return found.scores


def _copy(system: str, reference: str) -> str:
    return f"{system} is identical to the reference {reference}; its score says nothing"


@contextmanager
def progress_bar() -> Generator[Progress | None]:
    """A progress bar on a terminal, for work that takes long enough for one."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # loaded when first needed

    with tqdm(total=1.0, delay=0.5, leave=False, bar_format="{percentage:3.0f}%|{bar}| {remaining}") as bar:

        def show(done: int, total: int) -> None:
            bar.update(done / total - bar.n)

        yield show


def _corpus(options: argparse.Namespace) -> Corpus:
    corpus = corpus_of(options)
    for same in identical_texts(corpus):
        if same.role == "reference":
            options.warnings.append(_copy(same.system, same.name))
    return corpus


def _evaluated(options: argparse.Namespace, corpus: Corpus) -> Evaluation:
    with progress_bar() as progress:
        return evaluate(corpus, settings_of(options), progress=progress)


def _evaluate(options: argparse.Namespace) -> tuple[Corpus, Evaluation]:
    corpus = _corpus(options)
    return corpus, _evaluated(options, corpus)


def _formatted(options: argparse.Namespace, content: Json, tables: Sequence[Table], notes: Sequence[str]) -> str:
    if options.format == "json":
        return json.dumps(content, allow_nan=False)  # in ASCII, which every terminal can show
    if options.format == "tsv":
        return "\n".join(map(to_tsv, tables)).removesuffix("\n")
    if options.format == "latex":
        return "\n\n".join(map(to_latex, tables)) + "".join(f"\n% {one_line(note)}" for note in notes)
    return "\n\n".join(map(to_text, tables)) + "\n\n" + "\n".join(map(one_line, notes))


def _drop_output() -> None:
    """Let what Python flushes at its end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _print(output: str, command: str) -> int:
    if sys.stdout is None:
        return _fail(command, "standard output: closed")
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
    _tell(f"bleu-core {command}: {message}")
    return BAD_INPUT


def _tell(line: str) -> None:
    """Print a line on standard error, where there is one."""
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk
            print(one_line(line), file=sys.stderr)


COMMANDS: dict[str, Callable[[argparse.Namespace], str]] = {
    "score": _score,
    "blocks": _blocks,
    "compare": _compare,
    "gate": _gate,
    "correlate": _correlate,
    "paper": _paper,
}
