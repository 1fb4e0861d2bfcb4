"""The settings, metrics and slice that a call of `bleu-core` chooses."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.errors import SettingsError
from bleu_core.formats import checked_languages
from bleu_core.scoring import (
    DEFAULT_METRIC,
    DEFAULT_TOKENIZER,
    HUMAN,
    PRESETS,
    SETTINGS,
    BleuSettings,
    Setting,
    default_tokenizer,
    tokenizer_for_language,
    unavailable_tokenizer,
)

if TYPE_CHECKING:  # loaded when first needed; streamed files do without
    from bleu_core.dataset import Corpus
    from bleu_core.project import SavedWorkspace


def settings_of(
    options: argparse.Namespace, languages: str = "", references: Iterable[Sequence[str | None]] = ()
) -> BleuSettings:
    """Return the settings: the preset or those of the workspace, with the changes of the call.

    Args:
        options: options of the call.
        languages: the language pair of the texts; empty if it is unknown.
        references: the segments of each reference. Unless a tokeniser is chosen, language and script decide on it.

    Raises:
        SettingsError: the tokeniser of the language is not installed.
    """
    settings = _chosen_settings(options)
    if not languages or chooses_tokenizer(options):
        return settings
    name = default_tokenizer(languages.partition("-")[2], references)
    if unavailable := unavailable_tokenizer(name):
        if getattr(options, "continues_without_bleu", False) or not depends_on(SETTINGS["tokenizer"], options):
            return settings
        raise SettingsError(f"{unavailable}; it is the default for {languages}, and --tokenizer chooses another one")
    return replace(settings, tokenizer=name)


def settings_for(options: argparse.Namespace, corpus: Corpus) -> BleuSettings:
    """Return the settings of a call for texts; errors as for settings_of."""
    return settings_of(options, corpus.languages, corpus.references.values())


def chooses_tokenizer(options: argparse.Namespace) -> bool:
    """Return whether a call, its preset or its workspace chooses a tokeniser."""
    if options.tokenizer is not None:
        return True
    if options.preset is None and getattr(options, "saved_settings", None) is not None:
        saved: SavedWorkspace = options.saved_workspace
        return "tokenizer" in saved.controls or options.saved_settings.tokenizer != DEFAULT_TOKENIZER
    return (options.preset or options.default_preset) in SETTINGS["tokenizer"].presets


def _chosen_settings(options: argparse.Namespace) -> BleuSettings:
    given = {key: value for key in SETTINGS if (value := getattr(options, key)) is not None}
    saved: BleuSettings | None = getattr(options, "saved_settings", None)
    if saved is None or options.preset is not None:
        return replace(PRESETS[options.preset or options.default_preset], **given)
    reset = {
        key: setting.default
        for key, setting in SETTINGS.items()  # settings that depend on a changed setting
        if setting.parent in given or setting.one_per in given
    }
    return replace(saved, **reset | given)


def metrics_named(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the metrics that a call names, or the default that a check has set."""
    metric: str | Sequence[str] | None = getattr(options, "metric", None)
    return (metric,) if isinstance(metric, str) else tuple(metric or ())


def expression_of(options: argparse.Namespace) -> str:
    """Return the slice of a call, or that of its workspace; empty without one."""
    saved: str = options.choices.slice if "choices" in options else ""
    return saved if options.slice is None else options.slice


def depends_on(setting: Setting, options: argparse.Namespace) -> bool:
    """Return whether a call depends on a setting: one of its metrics does, or its slice may."""
    names = metrics_named(options) if getattr(options, "metrics_of_texts", False) else ()
    if not names or expression_of(options):
        names = (*names, DEFAULT_METRIC)
    from bleu_core.scoring import all_metrics  # loaded when first needed

    known = all_metrics()
    return any(name in known and setting.key in known[name].setting_names for name in names)


def reads_ratings(options: argparse.Namespace) -> bool:
    """Return whether a call uses ratings: its command is about them, or it names some, or it takes them as a metric."""
    if "human" not in options:
        return False
    if not options.ratings_optional or options.human:
        return True
    return options.metric == HUMAN if isinstance(options.metric, str) else HUMAN in (options.metric or ())


def chooses_by_language(options: argparse.Namespace) -> bool:
    """Return whether the language pair of a call can choose the tokeniser of files that name no languages."""
    if "tokenizer" not in options:
        return False
    pair = checked_languages(options.language_pair)
    return tokenizer_for_language(pair.partition("-")[2]) != DEFAULT_TOKENIZER
