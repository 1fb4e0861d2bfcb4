"""Counts files in place of texts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli.input_files import copy_warning
from bleu_core.dataset import translations_of
from bleu_core.errors import AlignmentError, FormatError, SettingsError
from bleu_core.formats import COUNTS_FILE, MEDIA_TYPE_BYTES, declares_media_type, printable_path
from bleu_core.invocation import invocation
from bleu_core.scoring import find_metric

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.counts import Counts
    from bleu_core.dataset import HumanTranslation
    from bleu_core.diagnostics import Assessment
    from bleu_core.scoring import BleuSettings

#: Options that need texts: the attribute of the options -> the option.
TEXT_OPTIONS = {
    "ref": "--ref",
    "source": "--source",
    "labels": "--labels",
    "slice": "--slice",
    "archive": "--archive",
    "workspace": "--workspace",
    "columns": "--columns",
    "format_of": "--format-of",
    "shared_segments": "--shared-segments",
    "human": "--human",
    "metric_scores": "--metric-scores",
    "exclude_system": "--exclude-system",
    "exclude_reference": "--exclude-reference",
    "encoding": "--encoding",
    "language_pair": "--language-pair",
    "paragraphs": "--paragraphs",
    "first_segment": "--first-segment",
    "human_scores": "--human-scores",
    "lower_is_better": "--lower-is-better",
    "higher_is_better": "--higher-is-better",
}


def system_paths(options: argparse.Namespace) -> list[str]:
    """Return the paths of the systems of a call."""
    gate = (getattr(options, name, None) for name in ("baseline_file", "candidate_file"))
    return [*getattr(options, "systems", ()), *(path for path in gate if path is not None)]


def names_counts(options: argparse.Namespace) -> bool:
    """Return whether one of the systems of a call is a counts file."""
    return any(map(_is_counts, system_paths(options)))


def read_counts_of(options: argparse.Namespace) -> Counts:
    """Read the counts of all systems of a call.

    Raises:
        FormatError, LimitError, OSError: a file cannot be read.
        AlignmentError: references or methods of counting differ, or one of the files has texts.
        SettingsError: the call has an option that needs texts.
    """
    from bleu_core.counts import combine_systems, read_counts  # loaded when first needed

    paths = system_paths(options)
    texts = [path for path in paths if not _is_counts(path)]
    if texts:
        raise AlignmentError(
            f"{printable_path(texts[0])}: texts found together with counts files; count the texts first with "
            f"`{invocation('bleu-core')} count`"
        )
    for name, option in TEXT_OPTIONS.items():
        if name in options.given:
            raise SettingsError(f"argument {option}: counts files hold no texts; name the texts, or remove the option")
    names: Sequence[str] = [options.metric] if isinstance(options.metric, str) else options.metric
    needing = next((name for name in names if not find_metric(name).from_ngram_counts), None)
    if needing is not None:
        raise SettingsError(f"argument --metric: counts files hold n-grams of BLEU; {needing} needs the texts")
    return combine_systems([(printable_path(path), read_counts(path, options.limits)) for path in paths])


def settings_of_counts(options: argparse.Namespace, settings: BleuSettings, counts: Counts) -> BleuSettings:
    """Return the settings of a call with those that the counts were made with.

    Args:
        options: options of the call.
        settings: settings of the call.
        counts: the counts.

    Raises:
        SettingsError: the call asks for settings that the counts were not made with, or that need higher orders.
    """
    from bleu_core.counts import settings_of_counted  # loaded when first needed

    counted = counts.counted
    for setting in fields(counted.counting):
        requested, counted_with = getattr(settings, setting.name), getattr(counted.counting, setting.name)
        if requested != counted_with and (options.preset is not None or getattr(options, setting.name) is not None):
            option = f"--{setting.name}" if getattr(options, setting.name) is not None else "--preset"
            raise SettingsError(
                f"argument {option}: {setting.name} {requested} found, but the texts were counted with {counted_with}; "
                "count them again"
            )
    return settings_of_counted(settings, counted)


def warnings_about(counts: Counts, *, with_copies: bool = True) -> list[str]:
    """Return warnings about oddities of counts and, if requested, about systems that are copies of a reference."""
    from bleu_core.counts import copies, oddities_of  # loaded when first needed

    return [*oddities_of(counts), *(map(copy_warning, copies(counts.counted)) if with_copies else ())]


def assessment_of_counts(counts: Counts) -> Assessment:
    """Return whether the scores of counts can be compared, as assessed when the texts were counted.

    Raises:
        FormatError: the assessment is damaged.
    """
    from bleu_core.diagnostics import decoded  # loaded when first needed

    try:
        return decoded(counts.assessments)
    except ValueError as error:
        raise FormatError(f"counts: {error}; count the texts again") from None


def humans_counted(options: argparse.Namespace, counts: Counts) -> tuple[HumanTranslation, ...]:
    """Return the human translations among the systems of counts.

    Raises:
        SettingsError: the call names a human translation that is no system, or includes one in the ranking.
    """
    from bleu_core.counts import copies  # loaded when first needed

    names = [text.name for text in counts.counted.systems]
    if options.include_human:
        raise SettingsError("argument --include-human: counts files hold no texts; count without its reference")
    for name in options.human_system:
        if name not in names:
            raise SettingsError(f"human system {name!r} found, one of {', '.join(names)} expected")
    return translations_of(names, copies(counts.counted), options.human_system)


def _is_counts(path: str) -> bool:
    try:
        if not Path(path).is_file():  # a pipe can be read only once
            return False
        with Path(path).open("rb") as file:
            return declares_media_type(file.read(MEDIA_TYPE_BYTES), COUNTS_FILE)
    except (OSError, ValueError):  # reading the file reports what is wrong with it
        return False
