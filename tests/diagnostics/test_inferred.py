"""Warnings that are inferred: each is found where its cause is planted, with its segments, and not without it."""

from __future__ import annotations

import random
import unicodedata

import pytest
from diagnostics.material import WORDS, drawn_set, found, material, reworded, sentence
from diagnostics.planted import edited, made_from, reordered, tokenised
from judges.rosters import confounded_rows, judgments_of
from nightly import nightly

from bleu_core.diagnostics import WARNINGS, DiagnosticInput, Finding, find_warning
from bleu_core.diagnostics.likeness import longest_match
from bleu_core.diagnostics.written_alike import without_typography
from bleu_core.judges import adjusted_for_judges
from bleu_core.scoring import BleuSettings, evaluate

OUTPUTS, REFERENCE = drawn_set()
INFERRED = [key for key in WARNINGS if find_warning(key).inferred]
DOCUMENTS = [f"d{i // 10}" for i in range(len(REFERENCE))]
GERMAN = "Der Mann und die Frau sind nicht mit dem Kind in das Haus gegangen, weil es noch nicht offen war."
DANISH = "Manden og kvinden er ikke g\u00e5et ind i huset med barnet, for det var endnu ikke \u00e5bent."


def only(key: str, of: DiagnosticInput) -> Finding:
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
    assert one.message.startswith("S2: 100% or more of the full stops and commas follow a blank")


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
    assert "quotation marks" in findings[0].message
    assert "apostrophes" in findings[1].message


def test_other_unicode_forms_are_a_caution() -> None:
    accented = [f"caf\u00e9 {line}" for line in REFERENCE]
    apart = [unicodedata.normalize("NFD", line) for line in accented]
    one = only("tokenization", material({"A": accented, "B": apart}, {"R": accented}))
    assert (one.systems, one.strength, len(one.segments)) == (("B",), "caution", 200)


#: What programs add to lines: how a line looks then, and what the warning says.
ADDED: dict[str, tuple[str, str]] = {
    "line numbers": ("{n}\t{line}", "100% of the lines begin like '0' (0% in R)"),
    "numbers in brackets": ("[{n}] {line}", "begin like '[0]' (0% in R)"),
    "numbered list": ("{n}. {line}", "begin like '0.' (0% in R)"),
    "fairseq": ("H-{n}\t-0.31\t{line}", "begin like 'H-0' (0% in R)"),
    "quotation marks": ('"{line}"', "begin with '\"The' (0% in R) and 100% of the lines end with 'said.\"' (0% in R)"),
    "typographic quotation marks": ("\u201e{line}\u201c", "end with 'said.\u201c' (0% in R)"),
    "end of the sequence": ("{line} </s>", "end with '</s>' (0% in R)"),
    "end of the sequence without a blank": ("{line}</s>", "end with 'said.</s>' (0% in R)"),
    "language": ("[de] {line}", "begin with '[de]' (0% in R)"),
    "language without a blank": ("<2de>{line}", "begin like '<2de>The' (0% in R)"),
    "language in underscores": ("__en__ {line}", "begin with '__en__' (0% in R)"),
    "Markdown": ("**{line}**", "begin with '**The' (0% in R)"),
    "list": ("- {line}", "begin with '-' (0% in R)"),
    "speaker": ("Translation: {line}", "begin with 'Translation:' (0% in R)"),
}


@pytest.mark.parametrize("case", ADDED)
@pytest.mark.parametrize("every", [1, 10])
def test_what_is_added_to_nearly_every_line_is_an_alarm(case: str, every: int) -> None:
    form, said = ADDED[case]
    text = [
        line if every > 1 and n % every == 1 else form.format(n=n, line=line) for n, line in enumerate(OUTPUTS["S3"])
    ]
    one = only("additions", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.strength, one.segments) == (("S3",), "alarm", ())
    assert one.obstacle.startswith("in S3, ")
    assert said.replace("100%", "100%" if every == 1 else "90%") in one.message


def test_marks_are_found_beside_different_words() -> None:
    lines = [f"{WORDS[i % 31]} {line} {WORDS[i % 29]}" for i, line in enumerate(REFERENCE)]
    marked = [f'"{line}"' for line in lines]
    one = only("additions", material({"A": lines, "B": marked}, {"R": lines}))
    assert one.systems == ("B",)
    assert one.message.startswith(
        "B: 100% of the lines begin with '\"' (0% in R) and 100% of the lines end with '\"' (0% in R)."
    )


def test_what_is_added_to_a_reference_is_found_beside_the_systems() -> None:
    numbered = [f"{n}. {line}" for n, line in enumerate(REFERENCE)]
    one = only("additions", material(OUTPUTS, {"R": REFERENCE, "Q": numbered}))
    assert (one.systems, one.references, one.strength) == ((), ("Q",), "alarm")
    assert one.message.startswith("Reference Q: 100% of the lines begin like '0.' (at most 0% in ")


def test_full_stops_that_the_references_lack_are_a_caution() -> None:
    lines = [f"{WORDS[i % 31]} {WORDS[i % 29]}" for i in range(len(REFERENCE))]
    one = only("additions", material({"A": lines, "B": [f"{line}." for line in lines]}, {"R": lines}))
    assert (one.systems, one.strength) == (("B",), "caution")


def test_what_the_references_or_few_lines_have_is_no_addition() -> None:
    added = {name: [f'- "{line}"' for line in text] for name, text in OUTPUTS.items()}
    assert found("additions", material(added, {"R": [f'- "{line}"' for line in REFERENCE]})) == []
    half = [line if n % 2 else f"- {line}" for n, line in enumerate(OUTPUTS["S3"])]
    assert found("additions", material(OUTPUTS | {"S3": half}, {"R": REFERENCE})) == []
    few = {name: [f"{n} {line}" for n, line in enumerate(text[:9])] for name, text in OUTPUTS.items()}
    assert found("additions", material(few, {"R": REFERENCE[:9]})) == []


#: Texts in which every character is as people write it, and some of which look like mojibake.
CLEAN = [
    "Der Spa\u00df\u201c, sagte \u201eGro\u00df\u201c",
    "\u2013 \u00c4\u2026 \u00dcbel MEN\u00dc\u201c \u00e4\u00b0 5\u00b0",
    "L\u2019\u00e9t\u00e9 \u00ab\u00a0o\u00f9 \u00c9mile va-t-il\u00a0?\u00a0\u00bb",
    "CAF\u00c9\u201d \u20ac\u00a05 th\u00e9\u2026",
    "S\u00c3O Jo\u00e3o, n\u00e3o! \u00c2NGULO \u00c0\u2026 ma\u00e7\u00e3\u2026",
    "\u0141\u00f3d\u017a, Za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105 ja\u017a\u0144 \u2014 \u201eTak\u201d",
    "\u041c\u043e\u0441\u043a\u0432\u0430 \u00ab\u0434\u0430\u00bb \u2014 \u2116 5",
    "\u00c5ngstr\u00f6m \u00c5\u2026 p\u00e5 \u00f6n \u00d1u\u00f1o \u00ce\u00b0 x",
    "Ti\u1ebfng Vi\u1ec7t \u00e2\u2026 \u00ea\u201d \u00f4\u2013",
]
MISREAD = [
    "\u00e9t\u00e9 o\u00f9 na\u00efve",
    "it\u2019s \u201cfine\u201d",
    "za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105",
    "by\u0142o",
    "\u0434\u0430, \u043d\u0435\u0442",
    "\u03bd\u03b1\u03b9",
    "\u4f60\u597d",
    "5\u00a0\u20ac",
]


@pytest.mark.parametrize("written", MISREAD)
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_utf_8_that_was_read_in_another_encoding_is_found(written: str, encoding: str) -> None:
    damaged = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in written.encode())
    text = [f"{damaged} {line}" if i < 10 else line for i, line in enumerate(OUTPUTS["S3"])]
    one = only("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.references, one.strength) == (("S3",), (), "caution")
    assert one.segments == tuple(range(1, 11))
    reference = only("damaged-characters", material(OUTPUTS, {"R": text}))
    assert (reference.systems, reference.references) == ((), ("R",))
    both = found("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": text}))
    assert [one.references for one in both] == [("R",)]  # what the reference has is no fault of the system


def test_texts_as_people_write_them_are_not_damaged() -> None:
    text = [f"{CLEAN[i % len(CLEAN)]} {line}" for i, line in enumerate(OUTPUTS["S3"])]
    assert found("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": REFERENCE})) == []


def test_replacement_characters_are_found_in_systems_and_references() -> None:
    text = [line.replace("e", "\ufffd") if i == 3 else line for i, line in enumerate(OUTPUTS["S3"])]
    one = only("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.strength, one.segments) == (("S3",), "note", (4,))
    assert "U+FFFD in 1 of 200 segments (0.5%)" in one.message
    (other,) = found("damaged-characters", material(OUTPUTS, {"R": text}))
    assert (other.systems, other.references) == ((), ("R",))


def test_full_width_punctuation_is_found_where_the_references_have_none() -> None:
    text = [line.replace(",", "\uff0c").replace(".", "\u3002") for line in OUTPUTS["S3"]]
    one = only("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": REFERENCE}))
    assert (one.systems, one.strength, len(one.segments)) == (("S3",), "caution", 200)
    chinese = [f"{line}\u3002" if i == 0 else line for i, line in enumerate(REFERENCE)]
    assert found("damaged-characters", material(OUTPUTS | {"S3": text}, {"R": chinese})) == []


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
    assert "R favours A" in one.message or "A scores" in one.message
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


def test_memorised_needs_four_other_systems() -> None:
    four = {name: OUTPUTS[name] for name in ("S0", "S1", "S2")} | {"S3": list(REFERENCE[:100]) + OUTPUTS["S3"][100:]}
    assert found("memorised", material(four, {"R": REFERENCE})) == []


@pytest.mark.parametrize("among", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_reference_is_close_to_a_system_without_cause(among: int, seed: int) -> None:
    outputs, reference = drawn_set(seed=seed)
    names = random.Random(seed).sample(sorted(outputs), among)
    assert found("close-reference", material({name: outputs[name] for name in names}, {"R": reference})) == []


@pytest.mark.parametrize("typography", [False, True])
@pytest.mark.parametrize("share", [0.2, 0.6, *nightly([0.3])])
@pytest.mark.parametrize("among", [1, 2, 12, *nightly([3, 5])])
def test_a_reference_made_from_a_system_is_found_among_any_number(
    among: int, share: float, *, typography: bool
) -> None:
    outputs, reference = drawn_set(systems=12)
    generator = random.Random(among)
    outputs = {name: outputs[name] for name in generator.sample(sorted(outputs), among)}
    source = next(iter(outputs))
    of = material(outputs, {"R": reference})
    made = made_from(of.corpus, source, "R", share, generator, typography=typography)
    one = only("close-reference", DiagnosticInput(made.corpus, evaluate(made.corpus)))
    assert (one.systems, one.references, one.strength) == ((source,), ("R",), "alarm")
    assert len(one.segments) == pytest.approx(200 * share, abs=5)


def test_the_sentence_gives_the_share_of_the_system_and_the_highest_of_the_others() -> None:
    reference = [
        OUTPUTS["S4"][i] if i < 118 else OUTPUTS["S3"][i] if i < 132 else line for i, line in enumerate(REFERENCE)
    ]
    systems = {"Alpha": OUTPUTS["S3"], "Beta": OUTPUTS["S4"], "Gamma": OUTPUTS["S5"]}
    first, second = "59% of {} equal Beta's output (other systems: at most 7%). ", "Beta may have learned it."
    one = only("close-reference", material(systems, {"R": reference}))
    assert one.message.startswith(first.format("the reference's segments"))
    assert second in one.message
    one, *_ = found("close-reference", material(systems, {"R": reference, "Q": REFERENCE}))
    assert one.message.startswith(first.format("the segments of the reference R"))
    one = only("close-reference", material({name: systems[name] for name in ("Alpha", "Beta")}, {"R": reference}))
    assert one.message.startswith("59% of the reference's segments equal Beta's output (the other system: 7%). ")
    one = only("close-reference", material({"Beta": systems["Beta"]}, {"R": reference}))
    assert one.message.startswith("59% of the reference's segments equal Beta's output. ")


def test_the_systems_that_a_reference_was_made_from_are_all_found() -> None:
    halves = [
        OUTPUTS["S4"][i] if i % 3 == 0 else OUTPUTS["S5"][i] if i % 3 == 1 else line for i, line in enumerate(REFERENCE)
    ]
    some = {name: OUTPUTS[name] for name in ("S3", "S4", "S5")}
    assert [one.systems for one in found("close-reference", material(some, {"R": halves}))] == [("S4",), ("S5",)]
    mixed = [OUTPUTS[f"S{i % 4 + 2}"][i] if i % 10 < 4 else line for i, line in enumerate(REFERENCE)]
    one = only("close-reference", material(OUTPUTS, {"R": mixed}))
    assert set(one.systems) >= {"S2", "S3", "S4", "S5"}
    assert "equal the output of exactly one system" in one.message
    assert one.strength == "alarm"


def test_variants_of_one_system_are_named_together() -> None:
    other = [line if i % 4 else OUTPUTS["S5"][i] for i, line in enumerate(OUTPUTS["S4"])]
    reference = [OUTPUTS["S4"][i] if i < 80 else line for i, line in enumerate(REFERENCE)]
    some = {"S3": OUTPUTS["S3"], "S4": OUTPUTS["S4"], "S4b": other}
    one = only("close-reference", material(some, {"R": reference}))
    assert one.systems == ("S4", "S4b")
    assert one.message.startswith("40% of the reference's segments equal S4's output (S4b: 30%, the other system: ")


def test_a_reference_of_short_segments_is_not_judged() -> None:
    short = [" ".join(line.split(" ")[:6]) for line in REFERENCE]
    one = only("close-reference", material({"S": short[::-1], "T": OUTPUTS["S4"]}, {"R": short}))
    assert (one.systems, one.references, one.strength) == ((), ("R",), "note")
    assert "is not checked: half of its segments have at most 6 tokens" in one.message


def test_texts_are_compared_without_case_and_typography() -> None:
    assert (
        without_typography(
            [
                "\u201cIt\u2019s late\u201d \u2013 he said\u2026",
                "'It`s  Late' - he said...",
                "\u00abIt's late\u00bb\u2014he said",
                "\u201eIt\u2032s late\u201c -- he\u00a0said!",
            ]
        )
        == ["itslate-hesaid"] * 4
    )
    assert without_typography(["\uff21\uff22\uff0c\u3002", "ab", "", "a.b"]) == ["ab", "ab", "", "a.b"]


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


@pytest.mark.parametrize("confounded", [True, False])
def test_judges_confounded_with_systems_are_found_and_named(*, confounded: bool) -> None:
    systems = {name: OUTPUTS[f"S{k}"] for k, name in enumerate("ABCD")}
    judgments = judgments_of(confounded_rows("ABCD", confounded=confounded))
    findings = found("confounded-judges", material(systems, {"R": REFERENCE}, judgments=judgments))
    assert bool(findings) == confounded
    for one in findings:
        assert one.strength == "alarm"
        assert one.systems == ("A", "B", "C", "D")
        assert "J3" in one.message
        adjusted, raw = one.message.index("adjusted for judges, and at r = "), one.message.index("by raw mean ratings")
        assert adjusted < raw
        assert one.obstacle.startswith("raw mean ratings depend on who rated which system")
        assert one.cause.startswith("J3, whose ratings lie")


def test_ratings_that_are_adjusted_for_judges_are_not_confounded() -> None:
    systems = {name: OUTPUTS[f"S{k}"] for k, name in enumerate("ABCD")}
    judgments = adjusted_for_judges(judgments_of(confounded_rows("ABCD")))
    assert found("confounded-judges", material(systems, {"R": REFERENCE}, judgments=judgments)) == []
