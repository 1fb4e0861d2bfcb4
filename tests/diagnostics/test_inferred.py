"""Warnings that are inferred: each is found where its cause is planted, with its segments, and not without it."""

from __future__ import annotations

import random
import unicodedata

import pytest
from diagnostics.material import drawn_set, found, material, reworded, sentence
from diagnostics.planted import edited, tokenised

from bleu_core.diagnostics import WARNINGS, Finding, Material, find_warning
from bleu_core.diagnostics.likeness import longest_match
from bleu_core.scoring import BleuSettings

OUTPUTS, REFERENCE = drawn_set()
INFERRED = [key for key in WARNINGS if find_warning(key).inferred]
DOCUMENTS = [f"d{i // 10}" for i in range(len(REFERENCE))]
GERMAN = "Der Mann und die Frau sind nicht mit dem Kind in das Haus gegangen, weil es noch nicht offen war."
DANISH = "Manden og kvinden er ikke g\u00e5et ind i huset med barnet, for det var endnu ikke \u00e5bent."


def reordered(line: str, generator: random.Random) -> str:
    """The line with some neighbouring words exchanged, as translations of different people have them."""
    words = line.split(" ")
    for i in range(len(words) - 1):
        if generator.random() < 0.2:
            words[i : i + 2] = words[i + 1], words[i]
    return " ".join(words)


def only(key: str, of: Material) -> Finding:
    """The one finding of a warning."""
    (one,) = found(key, of)
    return one


@pytest.mark.parametrize("key", INFERRED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_healthy_set_has_no_warning(key: str, seed: int) -> None:
    outputs, reference = drawn_set(seed=seed)
    generator = random.Random(seed)
    second = [reworded(line, generator, 0.2) for line in reference]
    healthy = material(outputs, {"R": reference, "Q": second}, documents=DOCUMENTS, source=reference[::-1])
    assert found(key, healthy) == []


def test_a_system_that_was_not_detokenised_is_an_alarm() -> None:
    outputs = OUTPUTS | {"S2": [tokenised(line) for line in OUTPUTS["S2"]]}
    one = only("tokenization", material(outputs, {"R": REFERENCE}))
    assert (one.systems, one.references, one.strength) == (("S2",), (), "alarm")
    assert one.found.startswith("S2: a blank stands before 100% or more of the full stops and commas")


def test_a_reference_that_was_not_detokenised_is_an_alarm() -> None:
    references = {"R": REFERENCE, "Q": [tokenised(line) for line in REFERENCE]}
    one = only("tokenization", material(OUTPUTS, references))
    assert (one.systems, one.references, one.strength) == ((), ("Q",), "alarm")


def test_texts_that_are_all_tokenised_are_a_caution() -> None:
    outputs = {name: [tokenised(line) for line in text] for name, text in OUTPUTS.items()}
    one = only("tokenization", material(outputs, {"R": [tokenised(line) for line in REFERENCE]}))
    assert (one.strength, len(one.systems), one.references) == ("caution", 6, ("R",))


@pytest.mark.parametrize("trace", ["un@@ do", "a @-@ b", "\u2581word", "&quot;so&quot;", "he 's", "&apos;s"])
def test_traces_of_tokenisers_are_found_with_their_segments(trace: str) -> None:
    text = [f"{trace} {line}" if i in (4, 7) else line for i, line in enumerate(OUTPUTS["S1"])]
    one = only("tokenization", material(OUTPUTS | {"S1": text}, {"R": REFERENCE}))
    assert (one.systems, one.segments, one.strength) == (("S1",), (5, 8), "note")
    many = [f"{trace} {line}" for line in OUTPUTS["S1"]]
    assert only("tokenization", material(OUTPUTS | {"S1": many}, {"R": REFERENCE})).strength == "alarm"


def test_missing_case_is_an_alarm_unless_case_is_ignored() -> None:
    outputs = OUTPUTS | {"S0": [line.lower() for line in OUTPUTS["S0"]], "S1": [line.upper() for line in OUTPUTS["S1"]]}
    findings = found("tokenization", material(outputs, {"R": REFERENCE}))
    assert [(one.systems, one.strength) for one in findings] == [(("S0",), "alarm"), (("S1",), "alarm")]
    assert found("tokenization", material(outputs, {"R": REFERENCE}, settings=BleuSettings(lowercase=True))) == []


def test_missing_punctuation_is_an_alarm() -> None:
    outputs = OUTPUTS | {"S4": [line.replace(",", "").replace(".", "") for line in OUTPUTS["S4"]]}
    one = only("tokenization", material(outputs, {"R": REFERENCE}))
    assert (one.systems, one.strength) == (("S4",), "alarm")


def test_other_quotation_marks_and_apostrophes_than_those_of_the_reference_are_a_caution() -> None:
    straight = [f'"{line}" It\'s so.' for line in REFERENCE]
    typeset = [f"\u201c{line}\u201d It\u2019s so." for line in REFERENCE]
    findings = found("tokenization", material({"A": straight, "B": typeset}, {"R": typeset}))
    assert [(one.systems, one.references, one.strength) for one in findings] == [(("A",), ("R",), "caution")] * 2
    assert "quotation marks" in findings[0].found
    assert "apostrophes" in findings[1].found


def test_other_unicode_forms_are_a_caution() -> None:
    accented = [f"caf\u00e9 {line}" for line in REFERENCE]
    apart = [unicodedata.normalize("NFD", line) for line in accented]
    one = only("tokenization", material({"A": accented, "B": apart}, {"R": accented}))
    assert (one.systems, one.strength, len(one.segments)) == (("B",), "caution", 200)


@pytest.mark.parametrize(
    "foreign",
    [
        GERMAN,
        DANISH,
        "\u042d\u0442\u043e \u0434\u0440\u0443\u0433\u043e\u0439 \u044f\u0437\u044b\u043a.",
        "\u8fd9\u662f\u53e6\u4e00\u79cd\u8bed\u8a00",
    ],
)
def test_outputs_in_another_language_are_found(foreign: str) -> None:
    text = [foreign if i in (0, 50, 199) else line for i, line in enumerate(OUTPUTS["S3"])]
    one = only("wrong-language", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.segments) == (("S3",), (1, 51, 200))
    references = [foreign if i in (0, 50, 199) else line for i, line in enumerate(REFERENCE)]
    assert found("wrong-language", material(OUTPUTS | {"S3": text}, {"R": references})) == []


def numbered(prefix: str, segments: int = 120) -> list[str]:
    """Sentences that share only their function words."""
    return [f"{prefix}{n}ab met cd{n}x, ef{n}y and {n}gh {n}ij." for n in range(segments)]


@pytest.mark.parametrize("moved", [range(20, 24), range(120)])
def test_outputs_in_the_lines_of_other_segments_are_found(moved: range) -> None:
    reference, output = numbered("q"), numbered("r")
    rows = list(range(120))
    rows[moved.start : moved.stop] = [*moved[1:], moved[0]]
    text = [output[n] for n in rows]
    one = only("misplaced", material({"A": output, "B": text}, {"R": reference, "Q": [*numbered("s")[:119], None]}))
    assert (one.systems, one.segments) == (("B",), tuple(n + 1 for n in moved))
    assert one.strength == ("caution" if len(moved) < 6 else "alarm")


def test_a_single_output_that_is_worded_like_another_segment_is_not_misplaced() -> None:
    text = numbered("q")
    one = [*text[:5], text[77], *text[6:]]
    assert found("misplaced", material({"A": one}, {"R": text})) == []


def test_many_outputs_that_are_like_nothing_are_not_misplaced() -> None:
    foreign = [f"Eine andere{n} Zeile{n} mit{n} Text{n}." for n in range(120)]
    assert found("misplaced", material({"A": foreign}, {"R": numbered("q")})) == []


def test_misplaced_lines_without_blanks_are_found() -> None:
    text = [chr(0x4E00 + 7 * n) + chr(0x5E00 + 11 * n) + chr(0x6E00 + 13 * n) * 2 for n in range(80)]
    settings = BleuSettings(tokenizer="char")
    one = only("misplaced", material({"A": text[::-1]}, {"R": text}, settings=settings))
    assert len(one.segments) == 80


def test_outputs_that_end_before_their_sentence_are_found() -> None:
    text = [" ".join(line.split(" ")[:6]) if i % 40 == 0 else line for i, line in enumerate(OUTPUTS["S3"])]
    one = only("truncated", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.segments) == (("S3",), (1, 41, 81, 121, 161))
    short = {name: [" ".join(line.split(" ")[:6]) for line in texts] for name, texts in OUTPUTS.items()}
    assert found("truncated", material(short, {"R": REFERENCE})) == []  # then the reference is the odd one


def test_references_that_favour_different_systems_are_found() -> None:
    generator = random.Random(4)
    one_style = [sentence(generator) for _ in REFERENCE]
    systems = {
        "A": [reworded(line, generator, 0.3) for line in REFERENCE],
        "B": [reworded(line, generator, 0.3) for line in one_style],
        "C": [reworded(line, generator, 0.9) for line in REFERENCE],
    }
    one = only("references-disagree", material(systems, {"R": REFERENCE, "Q": one_style}))
    assert one.references == ("R", "Q")
    assert {"A", "B"} <= set(one.systems)
    assert "R favours A" in one.found or "A scores" in one.found
    assert found("references-disagree", material(systems, {"R": REFERENCE})) == []


@pytest.mark.parametrize("system", ["S2", "S5"])
def test_a_reference_that_was_post_edited_from_a_system_is_found_be_the_system_good_or_bad(system: str) -> None:
    generator = random.Random(3)
    words = " ".join(REFERENCE).split(" ")
    outputs = {name: [reordered(line, generator) for line in text] for name, text in OUTPUTS.items()}
    assert found("close-reference", material(outputs, {"R": REFERENCE})) == []
    rows = set(generator.sample(range(200), 60))
    reference = [edited(outputs[system][i], words, generator) if i in rows else REFERENCE[i] for i in range(200)]
    one = only("close-reference", material(outputs, {"R": reference}))
    assert (one.systems, one.references, one.strength) == ((system,), ("R",), "alarm")
    assert len(rows & {number - 1 for number in one.segments}) > 40


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("key", ["close-reference", "memorised"])
def test_the_best_system_is_not_flagged_for_being_the_best(key: str, seed: int) -> None:
    outputs, reference = drawn_set(seed=seed)
    generator = random.Random(seed)
    outputs |= {"best": [reworded(line, generator, generator.uniform(0.2, 0.5)) for line in reference]}
    of = material(outputs, {"R": reference})
    scores = of.evaluation.scores.score
    assert scores[-1] > scores[:-1].max() + 5
    assert found(key, of) == []


@pytest.mark.parametrize("key", ["close-reference", "memorised"])
def test_four_other_systems_are_needed(key: str) -> None:
    four = {name: OUTPUTS[name] for name in ("S0", "S1", "S2")} | {"S3": list(REFERENCE[:100]) + OUTPUTS["S3"][100:]}
    assert found(key, material(four, {"R": REFERENCE})) == []


def test_a_system_that_learned_a_part_of_the_reference_is_an_alarm() -> None:
    generator = random.Random(8)
    outputs = {name: [reordered(line, generator) for line in text] for name, text in OUTPUTS.items()}
    assert found("memorised", material(outputs, {"R": REFERENCE})) == []
    rows = range(0, 200, 10)
    text = [REFERENCE[i] if i in rows else line for i, line in enumerate(outputs["S4"])]
    one = only("memorised", material(outputs | {"S4": text}, {"R": REFERENCE}))
    assert (one.systems, one.references, one.strength) == (("S4",), ("R",), "alarm")
    assert set(one.segments) <= {i + 1 for i in rows}
    assert len(one.segments) > 10


def test_a_lead_that_rests_on_one_document_is_found_and_one_that_rests_on_all_is_not() -> None:
    generator = random.Random(9)
    easy = [reworded(line, generator, 0.9) for line in REFERENCE]
    on_one = [line if 30 <= i < 60 else reworded(line, generator, 0.95) for i, line in enumerate(REFERENCE)]
    documents = [f"d{i // 20}" for i in range(200)]
    one = only(
        "few-documents-decide",
        material(
            {"A": on_one, "B": easy},
            {"R": REFERENCE},
            documents=["d" if 30 <= i < 60 else document for i, document in enumerate(documents)],
        ),
    )
    assert one.systems == ("A", "B")
    assert one.segments == tuple(range(31, 61))
    same = [reworded(line, generator, 0.9) for line in REFERENCE]
    better = [reworded(line, generator, 0.6) for line in REFERENCE]
    assert (
        found("few-documents-decide", material({"A": better, "B": same}, {"R": REFERENCE}, documents=documents)) == []
    )
    assert found("few-documents-decide", material({"A": on_one, "B": easy}, {"R": REFERENCE})) == []


def test_the_longest_match_is_a_run_of_tokens() -> None:
    assert longest_match("a b c d e".split(), "x b c d y e".split()) == 3  # noqa: SIM905
    assert longest_match([], ["a"]) == 0
