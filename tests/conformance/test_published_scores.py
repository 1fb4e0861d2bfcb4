"""BLEU without options against the published scores of WMT21, which has characters for Japanese in place of words."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nightly import nightly

from bleu_core.scoring import tokenizer_for_language

PAIRS = (
    *(
        "bn-hi",
        "cs-en",
        "de-en",
        "de-fr",
        "en-cs",
        "en-de",
        "en-ha",
        "en-is",
        "en-ja",
        "en-ru",
        "en-zh",
        "fr-de",
        "ha-en",
    ),
    *("hi-bn", "is-en", "ja-en", "ru-en", "xh-zu", "zh-en", "zu-xh"),
)
BY_DAY = ("en-zh", "en-ja")
#: Options of pairs whose published scores are not those of sacreBLEU's tokeniser for the language.
OPTIONS = {"en-ja": ("--tokenizer", "char")}


@pytest.fixture(scope="session")
def release(folder: Path) -> Path:
    """The release of WMT21; without it nothing here runs."""
    place = folder / "data" / "wmt21-news-systems"
    if not place.is_dir():
        pytest.skip(f"{place} does not exist; see tests/conformance/README.md")
    return place


def published(release: Path, pair: str, metric: str) -> dict[str, float]:
    with (release / "scores" / "automatic-scores.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {row["system"]: float(row["score"]) for row in rows if (row["pair"], row["metric"]) == (pair, metric)}


@pytest.mark.parametrize("pair", [*BY_DAY, *nightly(pair for pair in PAIRS if pair not in BY_DAY)])
def test_bleu_without_options_is_the_published_one(release: Path, command: Callable[..., Any], pair: str) -> None:
    scores = published(release, pair, "bleu-all")
    references = sorted((release / "txt" / "references").glob(f"*.{pair}.ref.*"))
    outputs = sorted((release / "txt" / "system-outputs").glob(f"*.{pair}.hyp.*"))
    report = command(
        "score", *OPTIONS.get(pair, ()), *(part for path in references for part in ("--ref", path)), *outputs
    )
    computed = {entry["system"].partition(".hyp.")[2]: entry["bleu"] for entry in report["systems"]}
    assert {system: computed[system] for system in scores} == pytest.approx(scores, rel=1e-11)
    name = "char" if pair in OPTIONS else tokenizer_for_language(pair.partition("-")[2])
    assert f"tok:{name}" in report["signature"]
