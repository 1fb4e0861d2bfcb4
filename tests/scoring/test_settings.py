"""The settings: each is declared once, and everything else follows from the declaration."""

from __future__ import annotations

import re
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest

from bleu_core.cli.commands import main
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.scoring import (
    PRESETS,
    SETTINGS,
    BleuSettings,
    Counting,
    Setting,
    all_metrics,
    evaluate,
    score_metric,
    signature,
    signature_keys,
)

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
CORPUS = Corpus({"A": ("The cat sat, on a mat.",)}, {"R": ("the cat sat on the mat.",)})


def other(setting: Setting) -> dict[str, Any]:
    """Settings that differ from sacreBLEU's in one, and in what that one goes with."""
    values: dict[str, Any] = {
        "choice": next((name for name in setting.choices if name != setting.default), None),
        "flag": not setting.default,
        "whole number": setting.bounds[0],
        "positive number": 0.7,
        "weights": (0.4, 0.3, 0.2, 0.1),
    }
    beside = {setting.parent: next(iter(setting.defaults_by_choice))} if setting.parent else {}
    return beside | {setting.key: values[setting.kind]}


def test_what_is_counted_is_a_part_of_the_settings() -> None:
    assert [key for key, setting in SETTINGS.items() if setting.counting] == [each.name for each in fields(Counting)]
    assert list(SETTINGS) == [each.name for each in fields(BleuSettings) if each.name != "effective_order"]
    settings = BleuSettings(
        tokenizer="none", lowercase=True, max_order=2, smoothing="none", reference_length="shortest"
    )
    assert settings.counting == Counting("none", lowercase=True)
    assert asdict(BleuSettings()) == {
        "tokenizer": "13a",
        "lowercase": False,
        "max_order": 4,
        "weights": None,
        "smoothing": "exp",
        "smoothing_value": None,
        "reference_length": "closest",
        "ter_normalized": False,
        "ter_no_punct": False,
        "ter_asian_support": False,
        "effective_order": None,
    }


@pytest.mark.parametrize("key", SETTINGS)
def test_a_setting_declares_what_people_need(key: str) -> None:
    setting = SETTINGS[key]
    assert (setting.key, setting.default) == (key, getattr(BleuSettings(), key))
    assert setting.label[0].isupper()
    assert setting.help.endswith(".")
    assert all(f"{name}: {meaning}" in setting.full_help for name, meaning in setting.choices.items())
    assert setting.parent == "" or set(setting.defaults_by_choice) <= set(SETTINGS[setting.parent].choices)


@pytest.mark.parametrize("key", SETTINGS)
def test_a_setting_needs_a_new_count_if_counting_depends_on_it(key: str) -> None:
    evaluation = evaluate(CORPUS)
    settings = BleuSettings(**other(SETTINGS[key]))
    assert (settings.counting != Counting()) == SETTINGS[key].counting
    assert (settings.counting_up_to(9) != BleuSettings(max_order=9)) == SETTINGS[key].counting
    if SETTINGS[key].counting:
        with pytest.raises(ValueError, match="needs other n-gram counts"):
            evaluation.with_settings(settings)
    else:
        assert evaluation.with_settings(settings).scores.score == evaluate(CORPUS, settings).scores.score


@pytest.mark.parametrize("key", SETTINGS)
def test_the_signature_tells_every_setting_but_the_default(key: str) -> None:
    beside = {name: value for name, value in other(SETTINGS[key]).items() if name != key}
    before, after = BleuSettings(**beside), BleuSettings(**other(SETTINGS[key]))
    of_others = SETTINGS[key].metric
    assert (signature(before, 1) == signature(after, 1)) == bool(of_others)
    if of_others:
        ours, theirs = (score_metric(CORPUS, evaluate(CORPUS, each), of_others).signature for each in (before, after))
        assert ours != theirs
    assert len(signature_keys(after)) == bool(SETTINGS[key].signature)


def test_the_settings_of_another_metric_change_nothing_else() -> None:
    settings = BleuSettings(ter_normalized=True, ter_no_punct=True, ter_asian_support=True)
    for key, each in all_metrics().items():
        assert (each.settings_in_use(settings) == each.settings_in_use(BleuSettings())) == (key != "ter")


def test_our_keys_of_the_signature_follow_sacrebleus_in_the_order_of_the_settings() -> None:
    settings = BleuSettings(max_order=2, weights=(0.75, 0.25), reference_length="average")
    assert signature(settings, 1).partition("|order:")[2] == "2|weights:0.75/0.25|length:average"
    assert signature_keys(settings.counting) == []


def test_presets_are_what_the_settings_declare() -> None:
    assert dict(PRESETS) == {
        "sacrebleu": BleuSettings(),
        "paper": BleuSettings(tokenizer="none", lowercase=True, smoothing="none"),
        "shortest-reference": BleuSettings(reference_length="shortest"),
    }
    assert all(set(setting.presets) <= set(PRESETS) for setting in SETTINGS.values())


def test_counting_is_checked_as_settings_are() -> None:
    with pytest.raises(SettingsError, match=r"^tokeniser 'words' found, one of 13a, none, "):
        Counting(tokenizer="words")
    with pytest.raises(SettingsError, match=r"^tokeniser 'words' found"):
        replace(BleuSettings(), tokenizer="words")


@pytest.mark.parametrize("command", ["score", "blocks", "compare", "slices", "ngrams", "gate", "correlate", "paper"])
def test_every_command_takes_every_setting(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    text = capsys.readouterr().out
    for setting in SETTINGS.values():
        assert f"{setting.option} " in text or f"{setting.option}," in text
        assert setting.option_help is None or " ".join(setting.option_help.split()) in " ".join(text.split())


def row_of(option: str) -> list[str]:
    """The cells of the table of settings, in the row of an option."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("|")]
    return next(row for row in rows if f"`{option}`" in row[0])


def shown(setting: Setting) -> str:
    """The default as the table has it."""
    if setting.kind == "flag":
        return "yes" if setting.default else "no"
    return setting.empty if setting.default is None else str(setting.default)


@pytest.mark.parametrize("key", SETTINGS)
def test_the_documentation_has_every_setting_with_its_values_and_its_default(key: str) -> None:
    setting = SETTINGS[key]
    _, values, default = row_of(setting.option)
    assert default.strip("`") == shown(setting)
    assert re.findall(r"`([^`]+)`", values) == list(setting.choices or setting.defaults_by_choice)
    for bound in filter(None, setting.bounds):
        assert str(bound) in values
    for name, usual in setting.defaults_by_choice.items():
        assert f"`{name}` ({usual:g})" in values


def test_the_documentation_has_every_preset() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| preset |"))
    assert all(f"`{name}`" in row for name in PRESETS)
