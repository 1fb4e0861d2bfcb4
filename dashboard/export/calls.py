"""Commands of `bleu-core` that compute the numbers of a page from the same files."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence

from bleu_core.formats import FormatChoice
from bleu_core.scoring import PRESETS, SETTINGS, BleuSettings
from dashboard.analysis import ComparisonOptions, View
from dashboard.export.source import UsedFile
from dashboard.session import Entry

#: Role of a file -> the option that names it; systems have none.
OPTIONS = {
    "reference": "--ref",
    "archive": "--archive",
    "document": "--documents",
    "source": "--source",
    "labels": "--labels",
    "judgments": "--human",
    "scores": "--metric-scores",
}

#: What only commands read that compare metrics with the judges.
ONLY_RATED = ("judgments", "scores")


def used_files(view: View) -> tuple[UsedFile, ...]:
    """The files of a view that are in use."""
    return tuple(UsedFile(entry.file.name, hashlib.sha256(entry.file.data).hexdigest()) for entry in _entries(view))


def calls_of(
    view: View, comparison: ComparisonOptions, without_judges: Sequence[str], *, zscore: bool
) -> tuple[str, ...]:
    """Commands for scores, blocks, pairs of systems and, where there are ratings, agreement with the judges.

    Args:
        view: the data and settings.
        comparison: how systems are compared.
        without_judges: judges and groups that are left out.
        zscore: whether ratings are standardised.

    Returns:
        Nothing where the files as they are do not give these numbers: columns, names or lines were changed by hand.
    """
    entries = _entries(view)
    files = [entry.file for entry in entries]
    if not files or any(file.columns or file.renamed or file.repairs for file in files):
        return ()
    shared = [*_settings(view.evaluation.settings), *_left_out(view)]
    if view.slice is not None:
        shared += ["--slice", view.slice.expression]
    for key, option in (("encoding", "--encoding"), ("pair", "--language-pair")):
        shared += [part for value in {getattr(file, key) for file in files} if value for part in (option, value)]
    texts, rated = _named(entries, rated=False), _named(entries, rated=True)
    resampling = [
        "--units",
        "documents" if comparison.by_documents else "segments",
        *("--alpha", f"{comparison.alpha:g}", "--seed", f"{comparison.seed}"),
        *(() if comparison.draws is None else (_draws(comparison.test), f"{comparison.draws}")),
    ]
    metric = [] if comparison.metric == "bleu" else ["--metric", comparison.metric]
    calls = [["score", *metric, *shared, *texts], ["blocks", *metric, *shared, *texts]]
    if len(view.compared.systems) > 1:
        how = ["--all-pairs", "--test", comparison.test, "--correction", comparison.correction]
        calls.append(["compare", *metric, *how, *resampling, *shared, *texts])
    if view.workspace.judgments is not None:
        judges = [part for name in without_judges for part in ("--exclude", name)]
        calls.append(["correlate", *judges, *(["--zscore"] if zscore else []), *shared, *rated])
    return tuple(shlex.join(["bleu-core", *call]) for call in calls)


def _draws(test: str) -> str:
    return "--trials" if test == "randomization" else "--resamples"


def _entries(view: View) -> tuple[Entry, ...]:
    whole = (view.whole or view).workspace
    return tuple(entry for entry in whole.entries if not entry.problem)


def _settings(settings: BleuSettings) -> list[str]:
    """The options that make these settings."""
    preset = next((name for name, found in PRESETS.items() if found == settings), "sacrebleu")
    given: list[str] = [] if PRESETS[preset] == BleuSettings() else ["--preset", preset]
    for key, setting in SETTINGS.items():
        value = getattr(settings, key)
        if value == getattr(PRESETS[preset], key) or value is None:
            continue
        if setting.kind == "flag":
            given.append(setting.option if value else f"--no-{setting.option.removeprefix('--')}")
        else:
            text = ",".join(f"{part:g}" for part in value) if setting.kind == "weights" else f"{value}"
            given += [setting.option, text]
    return given


def _left_out(view: View) -> list[str]:
    whole, used = (view.whole or view).workspace.corpus, view.evaluation
    systems = [part for name in whole.systems if name not in used.systems for part in ("--without-system", name)]
    return systems + [
        part for name in whole.references if name not in used.references for part in ("--without-reference", name)
    ]


def _named(entries: Sequence[Entry], *, rated: bool) -> list[str]:
    """The files with their options, systems last; those of ratings only if they are asked for."""
    named: list[str] = []
    systems: list[str] = []
    for file in (entry.file for entry in entries):
        if file.role in ONLY_RATED and not rated:
            continue
        if file.format is not None:
            named += ["--format-of", f"{file.name}={FormatChoice(file.format, dict(file.own))}"]
        if file.human_scores is not None and rated:
            named += ["--human-scores", file.human_scores]
        if rated and file.role == "judgments" and file.first_segment != 1:
            named += ["--first-segment", f"{file.first_segment}"]
        if file.role in OPTIONS:
            named += [OPTIONS[file.role], file.name]
        else:
            systems.append(file.name)
    return [*named, "--", *systems] if any(name.startswith("-") for name in systems) else [*named, *systems]
