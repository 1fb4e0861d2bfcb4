"""Warnings that state facts: each is found where the fact is, and nowhere else."""

from __future__ import annotations

import random

import pytest
from diagnostics.material import drawn_set, found, material, sentence

from bleu_core.dataset import Judgments
from bleu_core.diagnostics import find_unsplit_words
from bleu_core.scoring import BleuSettings, find_metric

OUTPUTS, REFERENCE = drawn_set()
GENERATOR = random.Random(5)
OTHER = [sentence(GENERATOR) for _ in REFERENCE]
CHINESE = ["今天天气很好，我们去公园散步。", "他昨天买了一本新书。"]
JAPANESE = ["きょうはとてもよい天気です。", "かれはきのう新しい本を買いました。"]
THAI = ["วันนี้อากาศดีมาก", "เขาซื้อหนังสือเล่มใหม่เมื่อวานนี้"]

KOREAN = ["오늘은 날씨가 아주 좋습니다.", "그는 어제 새 책을 샀습니다."]


@pytest.mark.parametrize(
    "key",
    ["script", "length", "empty", "copied-source", "repeated", "identical-systems", "reference-rated-low"],
)
def test_a_healthy_set_has_no_warning(key: str) -> None:
    judgments = rated({"S0": 5, "S1": 4, "R": 6})
    healthy = material(OUTPUTS, {"R": REFERENCE, "Q": OTHER}, source=OTHER[::-1], judgments=judgments)
    assert found(key, healthy) == []


def rated(means: dict[str, float], segments: int = 20) -> Judgments:
    """One rating of each system on each of so many segments."""
    rows = [(name, mean, n + 1) for n in range(segments) for name, mean in means.items()]
    names, values, numbers = zip(*rows, strict=True)
    return Judgments.from_ratings(names, values, range(1, len(rows) + 1), "human.csv", segments=numbers)


@pytest.mark.parametrize(
    ("text", "tokenizer", "wanted"),
    [
        (CHINESE, "13a", "zh"),
        (CHINESE, "intl", "zh"),
        (CHINESE, "zh", ""),
        (CHINESE, "char", ""),
        (JAPANESE, "13a", "ja-mecab"),
        (JAPANESE, "zh", "ja-mecab"),
        (THAI, "none", "flores200"),
        (REFERENCE[:2], "13a", ""),
    ],
)
def test_a_script_that_the_tokeniser_does_not_split_is_an_alarm(text: list[str], tokenizer: str, wanted: str) -> None:
    of = material({"S": text}, {"R": text}, settings=BleuSettings(tokenizer=tokenizer))
    findings = found("script", of)
    assert [one.strength for one in findings] == (["alarm"] if wanted else [])
    assert all(f"Choose the tokeniser {wanted}" in one.advice for one in findings)
    about_words = found("words-at-blanks", of)
    assert [one.strength for one in about_words] == ([] if text == REFERENCE[:2] else ["note"])
    labels = "chrF2++, TER and WER" if tokenizer in ("13a", "intl", "none") else "chrF2++ and TER"
    assert all(one.message.startswith(f"{labels} treat the text between blanks as a word") for one in about_words)


@pytest.mark.parametrize(("text", "splits"), [(CHINESE, True), (JAPANESE, True), (THAI, False)])
def test_asian_support_of_ter_splits_chinese_and_japanese_only(text: list[str], *, splits: bool) -> None:
    of = material({"S": text}, {"R": text}, settings=BleuSettings(tokenizer="char", ter_asian_support=True))
    (finding,) = found("words-at-blanks", of)
    assert finding.message.startswith("chrF2++ treats" if splits else "chrF2++ and TER treat")
    by_metric = {
        key: find_unsplit_words(of.corpus, of.evaluation.settings, find_metric(key))
        for key in ("ter", "chrf2++", "wer", "chrf2", "bleu")
    }
    assert [finding.strength for finding in by_metric["ter"]] == ([] if splits else ["alarm"])
    (of_words,) = by_metric["chrf2++"]
    assert (of_words.strength, of_words.message.startswith("chrF2++ treats the text between")) == ("caution", True)
    assert by_metric["wer"] == by_metric["chrf2"] == by_metric["bleu"] == ()


@pytest.mark.parametrize(
    ("text", "metric", "settings", "strength"),
    [
        (CHINESE, "bleu", BleuSettings(), "alarm"),
        (CHINESE, "wer", BleuSettings(), "alarm"),
        (CHINESE, "ter", BleuSettings(tokenizer="zh"), "alarm"),
        (CHINESE, "chrf2", BleuSettings(), ""),
        (CHINESE, "bleu", BleuSettings(tokenizer="zh"), ""),
        (THAI, "bleu", BleuSettings(), "alarm"),
        (KOREAN, "bleu", BleuSettings(), "caution"),
        (KOREAN, "bleu", BleuSettings(tokenizer="zh"), "caution"),
        (KOREAN, "wer", BleuSettings(), ""),
        (REFERENCE[:2], "bleu", BleuSettings(), ""),
    ],
)
def test_a_metric_that_takes_clauses_for_words_is_obstructed(
    text: list[str], metric: str, settings: BleuSettings, strength: str
) -> None:
    of = material({"S": text}, {"R": text}, settings=settings)
    findings = find_unsplit_words(of.corpus, settings, find_metric(metric))
    assert [finding.strength for finding in findings] == [strength] * bool(strength)
    assert all(finding.obstacle and finding.cause for finding in findings if finding.strength == "alarm")


def test_a_short_and_a_long_system_are_found_with_their_segments() -> None:
    short = [" ".join(line.split(" ")[:5]) if i < 100 else line for i, line in enumerate(REFERENCE)]
    long = [f"{line} {line}" if i % 2 else line for i, line in enumerate(REFERENCE)]
    of = material({"short": short, "long": long, "right": REFERENCE}, {"R": REFERENCE})
    one, other = found("length", of)
    assert (one.systems, other.systems) == (("short",), ("long",))
    assert set(one.segments) == set(range(1, 101))
    assert set(other.segments) == set(range(2, 201, 2))
    assert "brevity penalty is 0." in one.message


def test_half_the_length_is_an_alarm() -> None:
    quarter = [" ".join(line.split(" ")[: len(line.split(" ")) // 4]) for line in REFERENCE]
    (one,) = found("length", material({"S": quarter}, {"R": REFERENCE}))
    assert one.strength == "alarm"


def test_empty_segments_are_found_in_systems_and_references() -> None:
    system = ["" if i in (3, 9) else line for i, line in enumerate(REFERENCE)]
    reference = [" " if i == 4 else line for i, line in enumerate(REFERENCE)]
    findings = found("empty", material({"S": system}, {"R": reference, "absent": [None, *REFERENCE[1:]]}))
    assert [(one.systems, one.references, one.segments) for one in findings] == [
        (("S",), (), (4, 10)),
        ((), ("R",), (5,)),
    ]
    assert findings[0].message == "S has no text in 2 of 200 segments (1.0%)."


def test_a_copy_of_the_source_is_found_unless_a_reference_copies_it_too() -> None:
    system = [OTHER[i].upper() if i < 30 else line for i, line in enumerate(REFERENCE)]
    reference = [OTHER[i] if i < 10 else line for i, line in enumerate(REFERENCE)]
    (one,) = found("copied-source", material({"S": system}, {"R": reference}, source=OTHER))
    assert one.segments == tuple(range(11, 31))
    assert one.strength == "alarm"
    assert found("copied-source", material({"S": system}, {"R": reference})) == []


def test_words_that_are_repeated_over_and_over_are_found_but_not_where_the_source_repeats_them() -> None:
    looping = ["and so on and so on and so on and so on" if i in (0, 1) else line for i, line in enumerate(REFERENCE)]
    source = ["no no no no no no no no no no" if i == 1 else line for i, line in enumerate(OTHER)]
    (one,) = found("repeated", material({"S": looping}, {"R": REFERENCE}, source=source))
    assert one.segments == (1,)


def test_one_output_for_many_segments_is_found() -> None:
    same = ["I do not know what to say." if i % 4 == 0 else line for i, line in enumerate(REFERENCE)]
    (one,) = found("repeated", material({"S": same}, {"R": REFERENCE}))
    assert one.segments == tuple(range(1, 201, 4))
    assert one.strength == "alarm"
    assert found("repeated", material({"S": same}, {"R": same})) == []


def test_identical_systems_and_references_are_found() -> None:
    of = material({"A": OTHER, "B": OTHER, "C": REFERENCE}, {"R": REFERENCE})
    assert [(one.systems, one.references, one.strength) for one in found("identical-systems", of)] == [
        (("A", "B"), (), "caution"),
        (("C",), ("R",), "note"),
    ]
    assert of.distinct_systems == ("A",)


@pytest.mark.parametrize(("rating", "strength"), [(1.0, "alarm"), (2.5, "caution"), (4.0, "note"), (6.0, "")])
def test_a_reference_that_is_rated_lower_than_systems_is_found(rating: float, strength: str) -> None:
    judgments = rated({"S0": 2, "S1": 3, "S2": 5, "R": rating})
    findings = found("reference-rated-low", material(OUTPUTS, {"R": REFERENCE}, judgments=judgments))
    assert [one.strength for one in findings] == ([strength] if strength else [])


def test_few_ratings_do_not_say_that_a_reference_is_rated_low() -> None:
    judgments = rated({"S0": 2, "S1": 3, "S2": 5, "R": 1.0}, segments=19)
    assert found("reference-rated-low", material(OUTPUTS, {"R": REFERENCE}, judgments=judgments)) == []


def test_a_reference_is_rated_as_the_system_with_its_text() -> None:
    outputs = {**OUTPUTS, "human": REFERENCE}
    judgments = rated({"S0": 2, "S1": 3, "human": -1.5})
    (one,) = found("reference-rated-low", material(outputs, {"R": REFERENCE}, judgments=judgments))
    assert one.references == ("R",)
    assert "mean rating is \u22121.50" in one.message


def test_one_reference_is_a_note() -> None:
    (one,) = found("one-reference", material(OUTPUTS, {"R": REFERENCE}))
    assert (one.strength, one.references) == ("note", ("R",))
    assert found("one-reference", material(OUTPUTS, {"R": REFERENCE, "Q": OTHER})) == []


def test_few_systems_and_few_rated_systems_are_found() -> None:
    few = material({name: OUTPUTS[name] for name in ("S0", "S1")}, {"R": REFERENCE})
    (one,) = found("too-few-systems", few)
    assert one.strength == "note"
    (one,) = found("too-few-systems", material({"S0": OUTPUTS["S0"]}, {"R": REFERENCE}))
    assert one.message.startswith("There is 1 system; ")
    (one,) = found("too-few-systems", material(OUTPUTS, {"R": REFERENCE}, judgments=rated({"S0": 1, "S1": 2})))
    assert one.strength == "caution"
    assert one.message.startswith("2 systems with a text of their own are rated")
    assert found("too-few-systems", material(OUTPUTS, {"R": REFERENCE})) == []


def test_little_text_is_found_and_a_few_lines_are_too_few() -> None:
    few = {name: text[:20] for name, text in OUTPUTS.items()}
    (one,) = found("too-little-text", material(few, {"R": REFERENCE[:20]}))
    assert one.message == "The text has 20 segments, too few for intervals or tests."
    long = {name: text * 30 for name, text in OUTPUTS.items()}
    assert found("too-little-text", material(long, {"R": REFERENCE * 30})) == []
