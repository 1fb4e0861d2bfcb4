"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import depends_on, expression_of, metrics_named
from bleu_core.cli.input_files import FILES, chosen_formats
from bleu_core.errors import SettingsError
from bleu_core.formats import FORMATS, MappedColumn, parse_columns
from bleu_core.inference import ALPHA, CORRECTIONS, SEED
from bleu_core.limits import DEFAULT_LIMITS, NAMES
from bleu_core.scoring import BUILT_IN_METRICS, DEFAULT_METRIC, HUMAN, PRESETS, SETTINGS, Kind, Setting

#: The options that name files and are not allowed with a workspace; `gate` then takes names of systems as files.
OTHER_FILES = tuple(name for name in FILES if not name.endswith("_file"))

ENCODING_HELP = "encoding of files that are neither UTF-8 nor UTF-16 with a byte order mark"

#: Why an option about ratings has no effect.
NO_RATINGS = f"no ratings are used; add --metric {HUMAN}"

MAX_WORKERS = 1024

#: Units of resampling.
UNITS = ("segments", "documents")


def add_common(parser: Parser, *, systems: bool = True, preset: str = "sacrebleu") -> None:
    """Add the options of all commands: files, format and settings.

    Args:
        parser: the parser of the command.
        systems: whether any number of systems, and archives, can be named.
        preset: the default of --preset.
    """
    parser.needed["ref"] = "--ref"
    if systems:
        parser.needed["systems"] = "SYSTEM"
        _add_systems(parser)
    else:
        add_columns(parser)
        add_text_reading(parser)
    add_repeatable(parser, "--ref", "R", "a reference translation; repeatable")
    _add_workspace(parser)
    _add_slice(parser)
    add_reading(parser)
    add_output(parser)
    add_workers(parser)
    add_settings(parser, preset)


def add_accept(parser: Parser) -> None:
    """Add the warnings that do not make results incomparable in a call."""
    add_repeatable(
        parser,
        "--accept",
        "WARNING",
        "compare although this warning says that the systems are not comparable, such as close-reference; the output "
        "records it; repeatable",
    )


def add_texts(parser: Parser) -> None:
    """Add the files with the texts of a corpus, for a command without settings and workspaces."""
    _add_systems(parser)
    add_repeatable(parser, "--ref", "R", "a reference translation; repeatable")
    _add_other_texts(parser)
    add_documents(parser, "a file with one document id per line")
    add_reading(parser)
    parser.add_argument("--encoding", help=ENCODING_HELP)
    parser.set_defaults(slice=None)


def add_counted(parser: Parser) -> None:
    """Add the files to count, and the settings that counting depends on."""
    parser.needed["ref"] = "--ref"
    parser.needed["systems"] = "SYSTEM"
    _add_systems(parser)
    add_repeatable(parser, "--ref", "R", "a reference translation; repeatable")
    add_reading(parser)
    add_output(parser)
    add_workers(parser)
    used = [setting for setting in SETTINGS.values() if setting.counting or setting.key == "max_order"]
    add_settings(parser, "sacrebleu", used)
    later = (setting.key for setting in SETTINGS.values() if setting not in used)
    parser.set_defaults(workspace=None, set=None, slice=None, labels=[], source=None, **dict.fromkeys(later))


def add_reading(parser: Parser) -> None:
    """Add the options for reading files."""
    add_repeatable(
        parser,
        "--format-of",
        "FILE=FORMAT",
        f"read a file in this format instead of recognising it; repeatable (formats: {', '.join(FORMATS)})",
    )
    parser.checks.append(_check_formats)


def add_output(parser: Parser) -> None:
    """Add the options of all commands about output and limits."""
    parser.add_argument("--format", choices=["table", "json", "tsv", "latex", "markdown"], default="table")
    limits = ", ".join(f"{name}={getattr(DEFAULT_LIMITS, name)}" for name in NAMES)
    add_repeatable(
        parser, "--limit", "NAME=NUMBER", f"change a limit on the content of files; repeatable (defaults: {limits})"
    )
    parser.add_argument("--debug", action="store_true", help="print the traceback of an unexpected error")


def add_judgments(parser: Parser, *, needed: bool = False) -> None:
    """Add files of ratings, and options for reading them.

    Args:
        parser: the parser of the command.
        needed: whether such a file, or an archive, is required.
    """
    if needed:
        parser.needed["human"] = "--human"
    add_repeatable(parser, "--human", "JUDGMENTS", "ratings; repeatable")
    add_rating_reading(parser)
    parser.checks.append(_check_human_scores)
    parser.set_defaults(ratings_optional=False, ratings_are_evidence=False)
    parser.only("human", _uses_ratings, NO_RATINGS, refused=False)
    for key in ("human_scores", "first_segment"):
        parser.only(key, _uses_ratings_or_scores, f"{NO_RATINGS}, or remove the option")


def add_rating_reading(parser: Parser) -> None:
    """Add the options for reading ratings, whatever the files."""
    parser.add_argument(
        "--human-scores", metavar="NAME", help="human scores of an archive to use (default: mqm, else esa, else da-sqm)"
    )
    parser.add_argument(
        "--first-segment", type=int, choices=[0, 1], help="number of the first segment in the judgments (default: 1)"
    )


def add_resampling(parser: Parser, resamples: str) -> None:
    """Add the options of tests of differences.

    Args:
        parser: the parser of the command.
        resamples: the default number of resamples, for the help.
    """
    add_documents(parser, "a file with one document id per line; whole documents are resampled unless --units differs")
    parser.add_argument(
        "--units",
        choices=UNITS,
        help="unit of resampling (default: documents if --documents names them, else segments)",
    )
    parser.add_argument("--resamples", type=int, metavar="N", help=f"number of bootstrap resamples ({resamples})")
    add_seed(parser)
    parser.add_argument("--alpha", type=float, default=ALPHA, help="significance level (default: %(default)s)")


def add_metric(parser: Parser, *, uploaded: bool = True) -> None:
    """Add the metric that the systems are scored by, which is in `options.metric` a key; None for that of a file.

    Args:
        parser: the parser of the command.
        uploaded: whether it can be a metric whose segment scores are in a file.
    """
    built_in = ", ".join(BUILT_IN_METRICS)
    of_files = f", a metric of --metric-scores, or {HUMAN} for the ratings of --human" if uploaded else ""
    parser.add_argument(
        "--metric",
        metavar="METRIC",
        help=f"{built_in}, a metric added by an installed package{of_files} (default: {DEFAULT_METRIC})",
    )
    parser.set_defaults(ratings_are_metric=uploaded, metrics_of_texts=True)
    parser.checks.append(_check_metric)


def add_metrics(parser: Parser, *, ratings: bool = True) -> None:
    """Add the metrics that the systems are scored by, which are keys in `options.metric`.

    Args:
        parser: the parser of the command.
        ratings: whether ratings can be a metric.
    """
    built_in = ", ".join(BUILT_IN_METRICS)
    of_ratings = f", or {HUMAN} for the ratings of --human" if ratings else ""
    add_repeatable(
        parser,
        "--metric",
        "METRIC",
        f"{built_in}, a metric added by an installed package, one of --metric-scores{of_ratings}; repeatable "
        f"(default: all of --metric-scores, or {DEFAULT_METRIC} without)",
    )
    parser.set_defaults(ratings_are_metric=ratings, metrics_of_texts=True)
    parser.checks.append(_check_metrics)


def add_metric_scores(parser: Parser, purpose: str = "") -> None:
    """Add files with scores of metrics, and their directions.

    Args:
        parser: the parser of the command.
        purpose: completes the help of the files.
    """
    add_repeatable(parser, "--metric-scores", "FILE", f"segment scores of metrics such as COMET{purpose}; repeatable")
    add_repeatable(
        parser,
        "--lower-is-better",
        "NAME",
        "metric of --metric-scores for which lower is better (known for TER and similar metrics); repeatable",
    )
    add_repeatable(
        parser, "--higher-is-better", "NAME", "metric of --metric-scores for which higher is better; repeatable"
    )
    parser.only("metric_scores", _uses_scores, "the metrics of this call are computed from the texts", refused=False)
    for key in ("lower_is_better", "higher_is_better"):
        reason = "no scores in files are used, a metric of --metric-scores expected; name it, or remove the option"
        parser.only(key, _uses_scores, reason)


def add_pairs(parser: Parser) -> None:
    """Add the options for the pairs of systems to compare."""
    parser.add_argument(
        "--baseline", metavar="NAME", help="system that the others are compared with (default: the first)"
    )
    parser.add_argument(
        "--all-pairs",
        action="store_true",
        help="compare all pairs of systems; the baseline of each pair is the worse system",
    )
    parser.only("baseline", lambda call: not call.all_pairs, "not allowed with --all-pairs; remove one of the two")


def add_correction(parser: Parser) -> None:
    """Add the correction of p-values."""
    parser.add_argument(
        "--correction", choices=CORRECTIONS, default="holm", help="correction of p-values for the number of pairs"
    )


def add_workers(parser: Parser) -> None:
    """Add the number of processes."""
    parser.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="number of processes that count or rank metrics (default: one per core if there is much to do, else one)",
    )


def add_documents(
    parser: Parser,
    help_text: str,
    applies: Callable[[argparse.Namespace], bool] | None = None,
    reason: str = "documents are used in a slice; add --slice",
) -> None:
    """Add a file of document ids, one per line.

    Args:
        parser: the parser of the command.
        help_text: the help.
        applies: returns whether a call without a slice uses documents; None if each call does.
        reason: why they are not used otherwise.
    """
    parser.add_argument("--documents", metavar="DOCS", help=help_text)
    if applies is not None:
        used = applies
        parser.only("documents", lambda call: used(call) or bool(expression_of(call)), reason, refused=False)


def add_human_translations(parser: Parser) -> None:
    """Add options for human translations among the systems, which are not ranked unless the call includes them."""
    add_human_systems(parser, "not ranked, as systems with the text of a reference are not")
    add_repeatable(
        parser,
        "--include-human",
        "NAME",
        "a human translation to rank among the systems, with the references other than its own; repeatable",
    )


def add_human_systems(parser: Parser, treatment: str) -> None:
    """Add names of human translators among the systems; `treatment` completes the help."""
    add_repeatable(
        parser, "--human-system", "NAME", f"a human translator among the systems, which is {treatment}; repeatable"
    )


def add_seed(parser: Parser) -> None:
    """Add the seed of all random draws."""
    parser.add_argument("--seed", type=int, default=SEED, help="seed of all draws (default: %(default)s)")


def add_repeatable(parser: Parser, name: str, metavar: str, help_text: str) -> None:
    """Add an option that can be repeated; its values are a list."""
    parser.add_argument(name, action="append", default=[], metavar=metavar, help=help_text)


def _add_systems(parser: Parser) -> None:
    parser.add_argument(
        "systems",
        nargs="*",
        metavar="SYSTEM",
        help="system outputs: text with one segment per line, a table (TSV, CSV), XLIFF, TMX, PO or SGML",
    )
    add_columns(parser)
    add_repeatable(
        parser,
        "--archive",
        "ARCHIVE",
        "a test set: a zip or folder of mt-metrics-eval, or an XML or SGML file; or a zip or folder of other files; "
        "repeatable",
    )
    add_text_reading(parser)
    for noun in ("system", "reference"):
        add_repeatable(parser, f"--exclude-{noun}", "NAME", f"a {noun} to exclude; repeatable")


def add_columns(parser: Parser) -> None:
    """Add the option that says what the columns of tables are."""
    parser.add_argument(
        "--columns",
        type=_columns,
        default=(),
        metavar="[FILE:]COLUMN=ROLE[:NAME],...",
        help="roles of the columns of tables, in one file or in all files with such columns; other columns are ignored "
        "(roles: source, reference, system, document, label, rating:JUDGE:SYSTEM, id)",
    )


def add_text_reading(parser: Parser) -> None:
    """Add the options for reading texts, whatever the files: language pair, paragraphs and shared segments."""
    parser.add_argument(
        "--language-pair",
        metavar="PAIR",
        help="language pair to read from files with several (default: the first; all of a table; documents of WMT "
        "have no default)",
    )
    parser.add_argument(
        "--paragraphs",
        action="store_true",
        help="split documents of WMT, which are one segment each, at paragraphs if all texts of a document have the "
        "same number",
    )
    parser.add_argument(
        "--shared-segments",
        action=argparse.BooleanOptionalAction,
        help="compare on the segments that all systems have, if a system lacks segments by the ids in its file "
        "(default: such a system has no score)",
    )


def source_in_slices(parser: Parser) -> None:
    """Declare that a command uses the source only in slices."""
    reason = "the source is used in a slice; add --slice"
    parser.only("source", lambda call: bool(expression_of(call)), reason, refused=False)


def _add_workspace(parser: Parser) -> None:
    parser.add_argument(
        "--workspace",
        metavar="FILE",
        help="a workspace saved by the dashboard, in place of all other files; its settings, exclusions, slice and "
        "repairs apply unless the call has others",
    )
    parser.add_argument(
        "--set",
        metavar="NAME",
        help="the test set to read of a workspace with several (default: the one that is shown)",
    )
    parser.checks.append(_check_workspace)


def _add_slice(parser: Parser) -> None:
    """Add the slice of the text, and files that only slices need, except documents, which each command adds."""
    parser.add_argument(
        "--slice",
        metavar="EXPRESSION",
        help="use only the segments that match, for example 'domain = news and length > 40' (see docs/slices.md)",
    )
    _add_other_texts(parser)
    parser.set_defaults(divides_text=False)
    used = "labels are used in a slice; add --slice"
    parser.only("labels", lambda call: call.divides_text or bool(expression_of(call)), used, refused=False)


def _add_other_texts(parser: Parser) -> None:
    add_repeatable(parser, "--labels", "LABELS", "a table of labels of segments or documents; repeatable")
    parser.add_argument("--source", metavar="SOURCE", help="the source text, one segment per line")


def add_settings(parser: Parser, preset: str = "sacrebleu", offered: Iterable[Setting] = SETTINGS.values()) -> None:
    """Add the settings of metrics, and the encoding of files.

    Args:
        parser: the parser of the command.
        preset: the default of --preset.
        offered: the settings.
    """
    settings = parser.add_argument_group("settings")
    settings.add_argument(
        "--preset",
        choices=list(PRESETS),
        help=f"starting point for the settings below (default: {preset}, or the settings of the workspace)",
    )
    parser.set_defaults(default_preset=preset)
    for setting in offered:
        settings.add_argument(setting.option, help=setting.option_help, **_parsing(setting))
        parser.only(setting.key, partial(depends_on, setting), "no metric of this call depends on it", refused=False)
    settings.add_argument("--encoding", help=ENCODING_HELP)


def _parsing(setting: Setting) -> dict[str, Any]:
    """Return how the option of a setting is parsed; its default is None."""
    options: Mapping[Kind, dict[str, Any]] = {
        "choice": {"choices": list(setting.choices)},
        "flag": {"action": argparse.BooleanOptionalAction},
        "whole number": {"type": int, "metavar": "N"},
        "positive number": {"type": float, "metavar": "X"},
        "weights": {"type": _weights, "metavar": "W1,W2,..."},
    }
    return options[setting.kind]


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MAX_WORKERS:
        raise argparse.ArgumentTypeError(f"{text!r} found, a whole number from 1 to {MAX_WORKERS} expected")
    return number


def _columns(text: str) -> tuple[MappedColumn, ...]:
    try:
        return parse_columns(text)
    except SettingsError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("columns: ")) from None


def _weights(text: str) -> Sequence[float]:
    try:
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} found, comma-separated numbers expected, such as 0.4,0.3,0.2,0.1"
        ) from None


def _uses_ratings(options: argparse.Namespace) -> bool:
    """Return whether a call uses ratings: as its subject, as a metric, in its slice or beside its headline."""
    return (
        not options.ratings_optional
        or HUMAN in metrics_named(options)
        or bool(expression_of(options))
        or has_judges_beside(options)
    )


def has_judges_beside(options: argparse.Namespace) -> bool:
    """Return whether a call names ratings that its headline by another metric is compared with."""
    return options.ratings_are_evidence and bool(options.human) and not options.group


def _uses_ratings_or_scores(options: argparse.Namespace) -> bool:
    return _uses_ratings(options) or ("metric_scores" in options and _uses_scores(options)) or bool(options.labels)


def _uses_scores(options: argparse.Namespace) -> bool:
    """Return whether a call may use scores of metrics in files."""
    if not (getattr(options, "metric_scores", ()) or getattr(options, "archive", ()) or options.workspace):
        return False
    if not getattr(options, "metrics_of_texts", False) or expression_of(options):
        return True
    names, takes_all = metrics_named(options), isinstance(options.metric, list) and bool(options.metric_scores)
    return takes_all or not names or any(name not in (*BUILT_IN_METRICS, HUMAN) for name in names)


def _check_metric(options: argparse.Namespace) -> None:
    """Check before any file is read that the metric exists, unless it may be one of the files.

    Raises:
        SettingsError: it does not exist, or the package that adds it is broken.
    """
    if options.metric is None and not getattr(options, "metric_scores", ()):
        options.metric = DEFAULT_METRIC
    if options.metric is not None:
        _check_known(options, options.metric)


def _check_metrics(options: argparse.Namespace) -> None:
    """Check all metrics of a call, as _check_metric does."""
    if not options.metric and not options.metric_scores:
        options.metric = [DEFAULT_METRIC]
    for name in options.metric:
        _check_known(options, name)


def _check_known(options: argparse.Namespace, name: str) -> None:
    if name in BUILT_IN_METRICS:
        return
    from bleu_core.scoring import find_metric  # loaded when first needed

    archives: Sequence[str] = getattr(options, "archive", ())
    if name == HUMAN and options.ratings_are_metric:
        if not options.human and not archives and not options.workspace:
            raise SettingsError(f"argument --metric: {HUMAN} found, but there are no ratings; add a file with --human")
        return
    try:
        find_metric(name)
    except SettingsError as error:
        if "metric_scores" in options and (options.metric_scores or archives or options.workspace):
            return
        raise SettingsError(f"argument --metric: {error}") from error


def _check_workspace(options: argparse.Namespace) -> None:
    """Check that a call with a workspace names no other files, nor options for reading them.

    Raises:
        SettingsError: it names them.
    """
    if options.workspace is None:
        if options.set is not None:
            raise SettingsError("argument --set: only with --workspace; name the files of the test set instead")
        return
    for name in (*OTHER_FILES, "format_of", "columns"):
        if getattr(options, name, None):
            title = "SYSTEM" if name == "systems" else f"--{name.replace('_', '-')}"
            raise SettingsError(f"argument {title}: not allowed with --workspace, which has its own files; remove it")


def _check_formats(options: argparse.Namespace) -> None:
    """Check that --format-of names files of the call and known formats.

    Raises:
        SettingsError: a file or a format is unknown.
    """
    chosen_formats(options)


def _check_human_scores(options: argparse.Namespace) -> None:
    if options.human_scores is not None and not getattr(options, "archive", ()) and options.workspace is None:
        raise SettingsError("--human-scores needs --archive")
