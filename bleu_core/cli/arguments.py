"""The command line of `bleu-core`: its commands and their options. What they do is in cli."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from bleu_core.agreement import TRIALS
from bleu_core.errors import SettingsError, one_line
from bleu_core.formats import PUBLISHED, TITLES, MqmWeights
from bleu_core.inference import ALPHA, BLOCKS, CORRECTIONS, GATE_RESAMPLES, MARGIN, RESAMPLES, SEED, TESTS
from bleu_core.inference import TRIALS as RANDOMIZATION_TRIALS
from bleu_core.limits import DEFAULT_LIMITS, NAMES, with_changes
from bleu_core.scoring import HIGHEST_ORDER, METRICS, PRESETS, REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS

#: The exit status of a wrong call and of bad input.
BAD_INPUT = 2


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line; `command` is the command's name, and `limits` are the limits on files.

    A wrong call ends the program with status BAD_INPUT and one line on standard error.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = build_parser()
    _check_command(parser, given)
    options, others = parser.parse_known_args(given)
    _check_others(options, others)
    try:
        options.limits = with_changes(options.limit)
    except SettingsError as error:
        options.parser.error(str(error))
    _check_files(options)
    return options


def build_parser() -> _Parser:
    """The commands and their options."""
    parser = _Parser(prog="bleu-core", description="Score machine-translation systems with BLEU.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="BLEU of each system", parents=[_shared()])
    score.add_argument(
        "--intervals",
        action="store_true",
        help=f"with 95 %% intervals from {RESAMPLES:,} bootstrap resamples of the segments",
    )

    blocks = commands.add_parser("blocks", help="BLEU on blocks of text, and neighbours' paired t", parents=[_shared()])
    division = blocks.add_mutually_exclusive_group()
    division.add_argument("--blocks", type=int, default=20, metavar="B", help="this many blocks (default: 20)")
    division.add_argument("--block-size", type=int, metavar="M", help="blocks of this many segments")
    division.add_argument("--documents", metavar="DOCS", help="documents as blocks: a file with a document id a line")

    compare = commands.add_parser("compare", help="which differences between systems are real", parents=[_shared()])
    compare.add_argument("--baseline", metavar="NAME", help="what the others are compared with (default: the first)")
    compare.add_argument("--all-pairs", action="store_true", help="compare each two systems")
    compare.add_argument("--test", choices=TESTS, default="bootstrap")
    compare.add_argument(
        "--trials", type=int, metavar="N", help=f"of randomization (default: {RANDOMIZATION_TRIALS}, or what it takes)"
    )
    compare.add_argument("--blocks", type=int, default=BLOCKS, metavar="B", help="of test t (default: %(default)s)")
    compare.add_argument("--correction", choices=CORRECTIONS, default="holm", help="for the number of pairs")
    _add_resampling(compare, f"default: {RESAMPLES}, or what the correction takes")

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

    _add_correlate(commands)
    _add_paper(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    parser.commands = tuple(commands.choices)
    return parser


def _add_paper(commands: Any) -> None:
    paper = commands.add_parser(
        "paper",
        help="the tables, figures and claims of Papineni et al. (2002) on one's own data",
        parents=[_shared(preset="paper")],
    )
    _add_judgments(paper)
    paper.add_argument(
        "--human-system",
        action="append",
        default=[],
        metavar="NAME",
        help="a human translator among the systems, who is compared as the machines are; repeatable",
    )
    paper.add_argument("--documents", metavar="DOCS", help="a file with a document id a line: each gets one reference")
    paper.add_argument(
        "--table-references",
        type=int,
        default=2,
        metavar="N",
        help="how many references, the first ones, serve all but Figure 1 and section 3 (default: %(default)s)",
    )
    paper.add_argument("--draws", type=int, default=1000, metavar="N", help="of single references (default: 1000)")
    paper.add_argument("--seed", type=int, default=SEED, help="of all draws (default: %(default)s)")


def _add_correlate(commands: Any) -> None:
    """The command with the most options."""
    correlate = commands.add_parser("correlate", help="agreement of BLEU with people", parents=[_shared()])
    _add_judgments(correlate)
    correlate.add_argument(
        "--documents", metavar="DOCS", help="a file with a document id a line: places ratings of documents"
    )
    correlate.add_argument("--level", choices=["system", "segment"], default="system", help="what is correlated")
    correlate.add_argument(
        "--method",
        choices=["pearson", "spearman", "kendall", "pairwise-accuracy", "acc-eq"],
        help="what metrics are ranked by (default: pearson of systems, kendall of segments); acc-eq, the accuracy with "
        "ties calibrated, is of segments only",
    )
    correlate.add_argument(
        "--grouping",
        choices=["item", "system", "none"],
        default="item",
        help="of segments, for the ranking: the mean over segments, or over systems, or all at once (default: item)",
    )
    correlate.add_argument(
        "--test",
        choices=["perm-both", "williams"],
        default="perm-both",
        help="of each two metrics: permutation of paired scores, or Williams' of Pearson's r of systems",
    )
    correlate.add_argument(
        "--trials", type=int, default=TRIALS, metavar="N", help="of each permutation (default: %(default)s)"
    )
    correlate.add_argument("--correction", choices=CORRECTIONS, default="holm", help="for the number of pairs")
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


def _add_judgments(command: argparse.ArgumentParser) -> None:
    """What correlate and paper have in common."""
    command.add_argument("--human", action="append", default=[], metavar="JUDGMENTS", help="ratings; repeatable")
    command.add_argument(
        "--human-scores", metavar="NAME", help="which of an archive's count (default: mqm, else esa, else da-sqm)"
    )
    command.add_argument(
        "--first-segment", type=int, choices=[0, 1], default=1, help="number of the first segment in JUDGMENTS"
    )


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
        shared.add_argument("systems", nargs="*", metavar="SYSTEM", help="outputs, one segment a line, or a TSV or CSV")
        shared.add_argument(
            "--archive",
            action="append",
            default=[],
            metavar="ARCHIVE",
            help="a test set of mt-metrics-eval, a zip or a folder, instead of other files or with them; repeatable",
        )
        shared.add_argument("--language-pair", metavar="PAIR", help="of files that hold several (default: the first)")
        for noun in ("system", "reference"):
            shared.add_argument(
                f"--without-{noun}",
                action="append",
                default=[],
                metavar="NAME",
                help=f"a {noun} to leave out; repeatable",
            )
    shared.add_argument(
        "--ref", action="append", default=[], metavar="R", help="a reference translation; repeat for more"
    )
    shared.add_argument("--format", choices=["table", "json", "tsv", "latex"], default="table")
    limits = ", ".join(f"{name}={getattr(DEFAULT_LIMITS, name)}" for name in NAMES)
    shared.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=f"the most that files may hold; repeatable (defaults: {limits})",
    )
    shared.add_argument("--debug", action="store_true", help="print the traceback of an unexpected error")
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


def _check_command(parser: _Parser, given: Sequence[str]) -> None:
    """See that a command is named first, unless help is asked for."""
    first = given[0] if given else ""
    known = ", ".join(parser.commands)
    if first.startswith("-") and not first.startswith("-h") and not "--help".startswith(first):
        parser.error(f"option {_name(first)} found, a command expected first: {known}")
    if first and not first.startswith("-") and first not in parser.commands:
        guess = _closest(first, parser.commands)
        parser.error(f"unknown command {first!r}{guess}, one of {known} expected")


def _check_others(options: argparse.Namespace, others: Sequence[str]) -> None:
    """See that there is no unknown option; argparse leaves files over that follow options which follow files."""
    parser: _Parser = options.parser
    unknown = next((_name(other) for other in others if other.startswith("-") and other != "-"), None)
    if unknown is not None:
        guess = _closest(unknown, re.findall(r"--[\w-]+", parser.format_usage()))
        parser.error(f"unknown option {unknown}{guess}")
    if others and "systems" not in options:
        parser.error(f"unexpected argument {others[0]!r}")
    if others:
        options.systems += others


def _name(option: str) -> str:
    """An option without its value."""
    return option.partition("=")[0]


def _closest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, as a question."""
    from difflib import get_close_matches  # loaded when first needed

    found = get_close_matches(word, list(known), n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def _check_files(options: argparse.Namespace) -> None:
    """See that there is something to score, and to score it by, as far as the call tells."""
    archive: list[str] = getattr(options, "archive", [])
    needed: tuple[tuple[str, str], ...] = (("ref", "--ref"), ("systems", "SYSTEM"))
    if options.command == "correlate":
        needed += (("human", "--human"),)
    missing = [name for key, name in needed if not getattr(options, key, True)]
    if missing and not archive:
        or_archive = " (or --archive)" if hasattr(options, "archive") else ""
        options.parser.error(f"the following arguments are required: {', '.join(missing)}{or_archive}")
    if options.command == "correlate":
        _check_ranking(options)
    if getattr(options, "human_scores", None) is not None and not archive:
        options.parser.error("--human-scores names some of an archive's, and there is no --archive")


def _check_ranking(options: argparse.Namespace) -> None:
    """See that there is such a coefficient of what is correlated, and such a test of it."""
    of_segments = options.level == "segment"
    if options.method == "acc-eq" and not (of_segments and options.grouping == "item"):
        options.parser.error("--method acc-eq is of segments, --level segment --grouping item expected with it")
    if options.test == "williams" and (of_segments or options.method not in (None, "pearson")):
        options.parser.error("--test williams is of Pearson's r, --level system --method pearson expected with it")
    if options.trials < 1:
        options.parser.error(f"{options.trials} trials found, at least 1 expected")


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


class _Parser(argparse.ArgumentParser):
    """Reports a wrong call in one line, as all other bad input.

    Attributes:
        commands: the names of the commands; none in the parser of a command.
    """

    commands: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, one_line(f"{self.prog}: {message}; see {self.prog} --help") + "\n")

    def add_subparsers(self, **options: Any) -> Any:
        return super().add_subparsers(parser_class=type(self), **options)

    def _get_option_tuples(self, option_string: str) -> Any:
        """The options that an abbreviation may mean; --debug and --limit leave all other abbreviations as they are."""
        found: list[Any] = super()._get_option_tuples(option_string)
        return [each for each in found if each[1] not in ("--debug", "--limit")] or found
