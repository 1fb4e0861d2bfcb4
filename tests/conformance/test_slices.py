"""Slices of a whole test set: every number equals that of files which hold only the lines of the slice."""

from __future__ import annotations

import csv
import hashlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Runner, Writer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.slicing import slice_corpus

TED, WMT23 = "ted-zhen", "wmt23-ende-3raters"
SYSTEMS = ("DIDI-NLP", "metricsystem2", "Online-W", "Facebook-AI")

CALLS: Mapping[str, Sequence[object]] = {
    "score": ["--intervals"],
    "score by chrF2": ["--metric", "chrf2"],
    "blocks": [],
    "compare": ["--all-pairs", "--resamples", 100],
    "compare by randomisation": ["--test", "randomization", "--trials", 100, "--resamples", 100],
    "correlate": ["--trials", 50],
    "correlate by segment": ["--level", "segment", "--grouping", "none", "--trials", 50],
}


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


@cache
def texts(data: Path) -> dict[str, tuple[str, ...]]:
    """All texts of a set, by the names that the files have here."""
    found = {"ref": lines(data / "refs" / "ref.A.txt"), "docs": lines(data / "docs.txt")}
    found["source"] = lines(data / "source.txt")
    systems = SYSTEMS if data.name == TED else [path.stem for path in sorted((data / "systems").iterdir())]
    return found | {name: lines(data / "systems" / f"{name}.txt") for name in systems}


@cache
def ratings(data: Path) -> tuple[tuple[int, str, str, float], ...]:
    """Segment, system, judge and score of each rating."""
    with (data / "human.csv").open(encoding="utf-8", newline="") as file:
        rows = [(int(r["seg_id"]), r["system"], r["rater"], float(r["score"])) for r in csv.DictReader(file)]
    return tuple(row for row in rows if row[1] in texts(data))


@cache
def corpus(data: Path) -> Corpus:
    found = texts(data)
    systems = {name: text for name, text in found.items() if name not in ("ref", "docs", "source")}
    return Corpus(systems, {"ref": found["ref"]}, found["source"], found["docs"])


@cache
def judgments(data: Path) -> Judgments:
    segments, systems, judges, scores = zip(*ratings(data), strict=True)
    return Judgments.from_ratings(
        systems, scores, range(2, len(scores) + 2), "human.csv", segments=segments, judges=judges
    )


def chosen(expression: str, data: Path) -> list[int]:
    """The numbers of the segments for which an expression holds; none if it holds for none."""
    try:
        return list(slice_corpus(expression, corpus(data), judgments=judgments(data)).numbers)
    except AlignmentError:
        return []


def random_condition(chance: random.Random, *, rated: bool) -> str:
    """A condition on any field."""
    first, second = chance.sample(SYSTEMS, 2)
    start, low = chance.randint(1, 400), chance.randint(5, 60)
    sign = chance.choice(["<", "<=", ">", ">=", "!="])
    conditions = [
        f"segment in {start}-{start + 120}, 7, 520",
        f"document in talk.{chance.randint(1, 5)}, talk.2",
        f"half = {chance.choice(['explore', 'test'])}",
        f"length {sign} {chance.randint(8, 30)}",
        f"numbers {sign} {chance.randint(0, 1)}",
        f"capitalised {sign} {chance.randint(0, 2)}",
        f"quotes {sign} {chance.randint(0, 1)}",
        f'negations "en" {sign} {chance.randint(0, 1)}',
        f'equal "{first}" "{second}" = {chance.choice(["yes", "no"])}',
        f'score "{first}" {sign} {low}',
        f'score "{first}" "chrF2" {sign} {low}',
        f'system "{second}" ~ "{chance.choice(["the", "[0-9]", "(?i)we.*,"])}"',
        f'source ~ "{chance.choice(["。.+", "我", "[a-z]"])}"',  # Chinese
        'reference ~ "(and|but)"',
    ]
    if rated:
        conditions += [f'ratings "{first}" = 1', "ratings >= 4", "not disputed > 0"]
    return chance.choice(conditions)


def random_expression(chance: random.Random, *, rated: bool) -> str:
    """One to three conditions, joined."""
    found = random_condition(chance, rated=rated)
    for _ in range(chance.randint(0, 2)):
        joined = chance.choice(["and", "or", "and not"])
        found = f"({found}) {joined} {random_condition(chance, rated=rated)}"
    return found


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.slow)])
def test_numbers_of_a_slice_equal_those_of_files_with_only_its_lines(
    run: Runner, write: Writer, folder: Path, call: str, count: int
) -> None:
    data = folder / "data" / TED
    rated = call.startswith("correlate")
    chance = random.Random(len(call))
    checked = 0
    while checked < count:
        expression = random_expression(chance, rated=rated)
        segments = chosen(expression, data)
        if len(segments) < 8:  # which has too few segments for blocks and intervals
            continue
        whole = write_files(write, data, range(1, len(texts(data)["ref"]) + 1), rated=rated)
        sliced = run(*command(call, whole), "--slice", expression).json
        alone = run(*command(call, write_files(write, data, segments, rated=rated))).json
        by_adjusted = [found["by_adjusted_ratings"] for found in (sliced, alone) if "by_adjusted_ratings" in found]
        for found in (sliced, *by_adjusted[:1]):
            assert found.pop("slice") == {"expression": expression, "segments": len(segments), "of": 529}
        for found in (alone, *by_adjusted[1:]):
            found["warnings"] = [text for text in found["warnings"] if "used in a slice" not in text]
        for found in (sliced, alone):
            if "headline" in found:  # its words mention the slice
                found["headline"] = {key: found["headline"][key] for key in ("class", "systems")}
        assert sliced == alone, expression
        checked += 1


def command(call: str, files: Mapping[str, Path]) -> list[object]:
    """A call on those files."""
    options = [call.split(maxsplit=1)[0], *CALLS[call], "--format", "json", "--ref", files["ref"]]
    options += ["--documents", files["docs"], "--source", files["source"]]
    return [*options, *(["--human", files["human"]] if "human" in files else []), *(files[name] for name in SYSTEMS)]


def write_files(write: Writer, data: Path, segments: Sequence[int], *, rated: bool) -> dict[str, Path]:
    """Files with these segments only, which are numbered anew in the ratings."""
    found = {
        name: write(f"{name}.txt", "".join(f"{text[n - 1]}\n" for n in segments)) for name, text in texts(data).items()
    }
    if rated:
        number = {segment: n for n, segment in enumerate(segments, start=1)}
        rows = [f"{number[s]},{system},{judge},{score}\n" for s, system, judge, score in ratings(data) if s in number]
        found["human"] = write("human.csv", "segment,system,judge,score\n" + "".join(rows))
    return found


Values = Callable[[Path], Sequence[Any]]


def sentence_scores(metric: BLEU | CHRF, system: str) -> Values:
    """SacreBLEU's score of each segment."""

    def values(data: Path) -> Sequence[float]:
        pairs = zip(texts(data)[system], texts(data)["ref"], strict=True)
        return [metric.sentence_score(output, [reference]).score for output, reference in pairs]

    return values


def ranges(data: Path) -> Sequence[float]:
    """How far the judges of a segment are apart, at most over systems; NaN where one judge alone rated each."""
    found = [[np.nan] for _ in texts(data)["ref"]]
    items: dict[tuple[int, str], list[float]] = {}
    for segment, system, _, score in ratings(data):
        items.setdefault((segment, system), []).append(score)
    for (segment, _), scores in items.items():
        if len(scores) > 1:
            found[segment - 1].append(max(scores) - min(scores))
    return [np.nanmax(of_segment) if of_segment[1:] else np.nan for of_segment in found]


def halves(data: Path) -> Sequence[str]:
    hashes = [hashlib.blake2b(name.encode(), digest_size=8).hexdigest() for name in texts(data)["docs"]]
    return ["explore" if int(one, 16) % 2 == 0 else "test" for one in hashes]


@pytest.mark.parametrize(
    ("name", "expression", "values", "holds"),
    [
        (TED, "half = explore", halves, lambda half: half == "explore"),
        (TED, 'score "Online-W" >= 30', sentence_scores(BLEU(effective_order=True), "Online-W"), lambda s: s >= 30),
        (TED, 'score "DIDI-NLP" "chrF2" < 45', sentence_scores(CHRF(), "DIDI-NLP"), lambda score: score < 45),
        (
            TED,
            'equal "Online-W" "Facebook-AI" = yes',
            lambda data: list(zip(texts(data)["Online-W"], texts(data)["Facebook-AI"], strict=True)),
            lambda pair: pair[0] == pair[1],
        ),
        (
            TED,
            "numbers > 1",
            lambda data: texts(data)["ref"],
            lambda text: len(re.findall(r"\d+(?:[.,]\d+)*", text)) > 1,
        ),
        (
            TED,
            'negations "en" = 0',
            lambda data: texts(data)["ref"],
            lambda text: (
                not re.search(
                    r"\b(no|not|none|never|nothing|nobody|nowhere|neither|nor|without|cannot)\b|n['\u2019]t\b",
                    text,
                    re.IGNORECASE,
                )
            ),
        ),
        (TED, "quotes > 0", lambda data: texts(data)["ref"], lambda text: bool(re.search(r"[\"\u201c\u201d]", text))),
        (
            WMT23,
            "ratings > 29",
            lambda data: np.bincount([row[0] - 1 for row in ratings(data)], minlength=len(texts(data)["ref"])).tolist(),
            lambda count: count > 29,
        ),
        (WMT23, "disputed >= 10", ranges, lambda widest: widest >= 10),
        (WMT23, "not disputed < 5", ranges, lambda widest: not widest < 5),
    ],
)
def test_a_field_is_what_a_short_program_finds(
    folder: Path, name: str, expression: str, values: Values, holds: Callable[[Any], bool]
) -> None:
    data = folder / "data" / name
    expected = [n for n, value in enumerate(values(data), start=1) if holds(value)]
    assert len(expected) > 0
    assert chosen(expression, data) == expected
