"""Warnings about texts in a wrong role: other contents or languages, copies, escapes, and what is no tokenisation."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from diagnostics.material import WORDS, drawn_set, found, material, reworded
from diagnostics.planted import OTHER_LETTERS, edited, reordered, tokenised

from bleu_core.diagnostics import DiagnosticInput, Finding, findings, obstructing
from bleu_core.scoring import BleuSettings, evaluate

OUTPUTS, REFERENCE = drawn_set(systems=3)
_, ANOTHER_TEXT = drawn_set(systems=1, seed=9)
GERMAN = [
    f"Der Mann und die Frau sind nicht mit dem {n}. Kind in das Haus gegangen, weil es noch nicht offen war."
    for n in range(200)
]
DANISH = [
    f"Manden og kvinden er ikke g\u00e5et ind i huset med det {n}. barn, for det var ikke \u00e5bent."
    for n in range(200)
]


def ideographs(seed: int, segments: int = 60) -> list[str]:
    """Lines of Chinese characters without blanks."""
    generator = random.Random(seed)
    return ["".join(chr(0x4E00 + int(3000 * generator.random() ** 4)) for _ in range(20)) for _ in range(segments)]


def alarms(of: DiagnosticInput) -> list[Finding]:
    """The alarms that make scores not comparable."""
    return [one for one in findings(of, obstructing("references")) if one.strength == "alarm"]


def named(of: DiagnosticInput) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Key, systems and references of each such alarm."""
    return [(one.key, one.systems, one.references) for one in alarms(of)]


# --- lines that do not correspond -------------------------------------------------------------------------------------


@pytest.mark.parametrize("segments", [60, 200])
def test_the_output_of_another_text_is_an_alarm(segments: int) -> None:
    systems = {"A": OUTPUTS["S1"][:segments], "B": ANOTHER_TEXT[:segments]}
    of = material(systems, {"R": REFERENCE[:segments]})
    assert named(of) == [("misplaced", ("B",), ())]
    (one,) = alarms(of)
    assert one.obstacle == "the lines of B do not correspond to those of the reference"
    assert one.message.startswith("The lines of B do not correspond to those of the reference: lines of the same ")


def test_the_output_of_another_text_is_an_alarm_in_scripts_without_blanks() -> None:
    reference = ideographs(1)
    near = [line[:12] + other[12:] for line, other in zip(reference, ideographs(2), strict=True)]
    of = material({"A": near, "B": ideographs(3)}, {"R": reference}, settings=BleuSettings(tokenizer="char"))
    assert named(of) == [("misplaced", ("B",), ())]


def test_an_output_that_corresponds_to_one_of_the_references_is_not_misplaced() -> None:
    of = material({"A": OUTPUTS["S1"]}, {"R": REFERENCE, "Q": ANOTHER_TEXT})
    assert [one.key for one in alarms(of)] == ["unrelated-references"]


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("segments", [12, 30, 200])
def test_a_bad_translation_corresponds(share: float, segments: int) -> None:
    generator = random.Random(segments)
    bad = [reworded(line, generator, share) for line in REFERENCE[:segments]]
    half = [line[: len(line) // 2] for line in bad]
    assert alarms(material({"A": bad, "B": half}, {"R": REFERENCE[:segments]})) == []


def test_equal_or_empty_or_very_short_lines_are_not_judged() -> None:
    assert alarms(material({"A": ["the same line"] * 40}, {"R": ["the same line again"] * 40})) == []
    assert alarms(material({"A": [""] * 40}, {"R": REFERENCE[:40]})) == []
    assert alarms(material({"A": ["yes", "no"] * 20}, {"R": ["no", "yes"] * 20})) == []
    few = 9
    assert alarms(material({"A": ANOTHER_TEXT[:few]}, {"R": REFERENCE[:few]})) == []


# --- languages --------------------------------------------------------------------------------------------------------

#: Translations of a whole text into another language or script.
FOREIGN: dict[str, Sequence[str]] = {
    "German": GERMAN,
    "Danish": DANISH,
    "no known language": [line.translate(OTHER_LETTERS) for line in OUTPUTS["S2"]],
    "Cyrillic": [
        line.translate(str.maketrans("aeiortn", "\u0430\u0435\u0438\u043e\u0440\u0442\u043d"))
        for line in ["".join(c for c in text if c in "aeiortn ") for text in OUTPUTS["S2"]]
    ],
}


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("segments", [100, 200])
def test_a_system_in_another_language_than_the_others_is_an_alarm_of_its_language(language: str, segments: int) -> None:
    systems = {"A": OUTPUTS["S0"], "B": FOREIGN[language], "C": OUTPUTS["S1"]}
    of = material({name: text[:segments] for name, text in systems.items()}, {"R": REFERENCE[:segments]})
    assert named(of) == [("wrong-language", ("B",), ())]
    assert alarms(of)[0].obstacle.startswith(("B is in another language or script", "100% of B's segments are in"))


@pytest.mark.parametrize("language", FOREIGN)
def test_references_in_two_languages_are_an_alarm(language: str) -> None:
    of = material({"A": OUTPUTS["S0"], "B": FOREIGN[language]}, {"R": REFERENCE, "Q": FOREIGN[language]})
    assert named(of.subset(range(100))) == [("unrelated-references", (), ("R", "Q"))]
    assert "the references R, Q are in different languages or scripts" in alarms(of)[0].obstacle


def test_the_languages_of_references_are_named_where_they_are_known() -> None:
    (one,) = alarms(material({"A": OUTPUTS["S0"]}, {"R": REFERENCE, "Q": GERMAN}))
    assert one.obstacle == (
        "the references R, Q are in different languages or scripts (de, en by their function words)"
    )


def test_references_of_different_contents_are_an_alarm() -> None:
    (one,) = alarms(material({"A": OUTPUTS["S0"]}, {"R": REFERENCE, "Q": ANOTHER_TEXT}))
    assert (one.key, one.references, one.strength) == ("unrelated-references", ("R", "Q"), "alarm")
    assert one.obstacle == "the lines of the references R, Q do not correspond to each other"


def test_a_large_set_is_judged_by_a_sample_whose_segments_have_their_own_numbers() -> None:
    generator = random.Random(3)
    _, reference = drawn_set(systems=1, segments=1500)
    output = [GERMAN[n % 200] if n % 3 == 0 else reworded(line, generator, 0.3) for n, line in enumerate(reference)]
    (one,) = found("wrong-language", material({"A": output}, {"R": reference}))
    assert one.strength == "alarm"
    assert "of 1,000 segments" in one.message
    assert "of a sample" in one.message
    assert 300 < len(one.segments) < 370  # a third, although the distances are nearly equal
    assert all((segment - 1) % 3 == 0 for segment in one.segments)


def test_the_sample_is_that_of_the_counted_tables() -> None:
    outputs, reference = drawn_set(systems=2, segments=300)
    of = material(outputs, {"R": reference})
    sample, rows = of.sample(40), of.sample_rows(40)
    assert len(np.unique(rows)) == 40
    assert list(sample.corpus.references["R"]) == [reference[i] for i in rows]
    assert of.sample(300) is of


# --- escape sequences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("escape", [r"\n", r"\t", r"\r", r"\u00e9", r"\xe9", r"\""])
@pytest.mark.parametrize(("every", "strength"), [(200, "note"), (40, "caution"), (6, "caution"), (2, "alarm")])
def test_escape_sequences_of_a_system_are_found(escape: str, every: int, strength: str) -> None:
    text = [line.replace(" ", escape, 1) if i % every == 0 else line for i, line in enumerate(OUTPUTS["S1"])]
    (one,) = found("escape-sequences", material({"A": OUTPUTS["S0"], "B": text}, {"R": REFERENCE}))
    assert (one.systems, one.strength) == (("B",), strength)
    assert one.segments == tuple(range(1, 201, every))
    assert f"such as {escape} in" in one.message


def test_escape_sequences_of_a_reference_are_found() -> None:
    text = [line.replace(" ", "\\n", 1) for line in REFERENCE]
    of = material(OUTPUTS, {"R": text, "Q": REFERENCE})
    assert named(of) == [("escape-sequences", (), ("R",))]


@pytest.mark.parametrize(
    "line", [r"C:\new\table of things", r"the file \\server\names", r"a \ b", r"\alpha and \le", "50\\% of them"]
)
def test_other_backslashes_are_no_escape_sequences(line: str) -> None:
    assert found("escape-sequences", material({"A": [line] * 40}, {"R": REFERENCE[:40]})) == []


def test_backslashes_of_the_reference_or_the_source_are_no_escape_sequences() -> None:
    text = [f"print(a\\n) {line}" for line in OUTPUTS["S1"]]
    code = [f"write(a\\n) {line}" for line in REFERENCE]
    assert found("escape-sequences", material({"A": text}, {"R": code})) == []
    assert found("escape-sequences", material({"A": text}, {"R": REFERENCE}, source=code)) == []


# --- traces of tokenisation -------------------------------------------------------------------------------------------

#: Language -> lines as people write them, of a system and of a reference.
WRITTEN: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "Dutch": (
        [
            "De veerboot vertrekt om zeven uur 's ochtends.",
            "Hij werkt 's nachts en slaapt overdag.",
            "Wij wonen in 's-Gravenhage, of Den Haag.",
            "Zij heeft twee foto's en drie auto's.",
        ],
        [
            "De veerboot gaat om zeven uur in de ochtend.",
            "Hij werkt in de nacht en slaapt overdag.",
            "Wij wonen in 's-Hertogenbosch, dus Den Bosch.",
            "Zij heeft twee foto's en drie auto's.",
        ],
    ),
    "Dutch with other words": (
        ["Zij was 's Konings dochter, zei men.", "Dat is 's mans eigen zaak."],
        ["Zij was 's Konings kind, zei men.", "Dat is zijn eigen zaak."],
    ),
    "French": (
        ["L'\u00e9t\u00e9 dernier, il n'a pas dit : \u00ab C'est l'heure ! \u00bb", "Aujourd'hui, qu'il vienne d'ici."],
        [
            "L\u2019\u00e9t\u00e9 pass\u00e9, il n\u2019a pas dit : \u00ab C\u2019est l\u2019heure ! \u00bb",
            "Aujourd'hui.",
        ],
    ),
    "English": (
        ["It's the dogs' turn, isn't it?", "'Twas rock 'n' roll in the '60s, Tom's own."],
        ["It is the dogs' turn, isn't it?", "That was rock 'n' roll in the 'sixties, and Tom's."],
    ),
    "German": (
        ["Wie geht's, wenn 's regnet?", "Andreas' Auto steht auf'm Hof."],
        ["Wie geht 's, falls 's regnet?", "Andreas' Wagen steht auf dem Hof."],
    ),
}


@pytest.mark.parametrize("language", WRITTEN)
def test_apostrophes_as_people_write_them_are_no_traces_of_tokenisation(language: str) -> None:
    output, reference = WRITTEN[language]
    of = material({"A": [*output] * 10, "B": [*reference] * 10}, {"R": [*reference] * 10, "Q": [*output] * 10})
    assert [one for one in found("tokenization", of) if "traces" in one.message] == []
    alone = material({"A": [*output] * 10}, {"R": [*reference] * 10})
    assert [one for one in found("tokenization", alone) if "traces" in one.message] == []


def test_a_reference_with_detached_endings_is_judged_by_its_marks() -> None:
    lines = [f"The {n}. teacher 's garden, he said, is n't here." for n in range(40)]
    plain = [line.replace(" 's", "'s").replace(" n't", "n't") for line in lines]
    assert found("tokenization", material({"A": plain}, {"R": lines})) == []
    (traces,) = [
        one
        for one in found("tokenization", material({"A": plain}, {"R": [tokenised(line) for line in plain]}))
        if "traces" in one.message
    ]
    assert (traces.references, traces.systems, len(traces.segments)) == (("R",), (), 40)
    (system,) = found("tokenization", material({"A": lines}, {"R": plain}))
    assert (system.systems, system.strength, len(system.segments)) == (("A",), "alarm", 40)


def test_traces_that_the_reference_has_in_the_same_segment_are_not_those_of_a_system() -> None:
    marked = [f"A &amp; B {line}" for line in REFERENCE]
    of = material({"A": [f"A &amp; B {line}" for line in OUTPUTS["S0"]]}, {"R": marked})
    assert [one.references for one in found("tokenization", of)] == [("R",)]


# --- references made from a system that is not ranked -----------------------------------------------------------------


def made_from(engine: Sequence[str], segments: int = 200) -> list[str]:
    """The reference, of which every other segment is that of an engine."""
    return [engine[i] if i % 2 else REFERENCE[i] for i in range(segments)]


def test_a_reference_made_from_an_excluded_system_obstructs_scores_and_names_it() -> None:
    systems, gamma = {"Alpha": OUTPUTS["S0"], "Beta": OUTPUTS["S1"]}, OUTPUTS["S2"]
    of = material({**systems, "Gamma": gamma}, {"R": made_from(gamma)})
    without = material(systems, {"R": made_from(gamma)})
    excluded = DiagnosticInput(without.corpus, without.evaluation, others={"Gamma": gamma})
    assert found("close-reference", without) == []
    for data, named_systems in ((of, ("Gamma",)), (excluded, ())):
        for part in (data, data.subset(range(0, 200, 3))):
            (one,) = found("close-reference", part)
            assert (one.systems, one.references, one.strength) == (named_systems, ("R",), "alarm")
            assert one.obstacle.startswith(("50% of the reference's segments equal Gamma's output", "51% of the"))
            assert one.advice == "The reference seems to be made from Gamma's output; get another reference."
    (one,) = found("close-reference", excluded)
    assert "(Gamma is not ranked, other systems: at most " in one.obstacle


def test_a_reference_made_from_excluded_systems_by_light_edits_is_found_among_five() -> None:
    drawn, reference = drawn_set()
    generator = random.Random(3)
    outputs = {name: [reordered(line, generator) for line in text] for name, text in drawn.items()}
    rows = set(generator.sample(range(200), 60))
    made = [edited(outputs["S5"][i], WORDS, generator) if i in rows else reference[i] for i in range(200)]
    ranked = {name: text for name, text in outputs.items() if name != "S5"}
    without = material(ranked, {"R": made, "Q": reference})
    data = DiagnosticInput(without.corpus, without.evaluation, others={"S5": outputs["S5"]})
    assert found("close-reference", without) == []
    (one,) = found("close-reference", data)
    assert (one.systems, one.references) == ((), ("R",))
    assert "nearly equal S5's output (S5 is not ranked" in one.message
    assert one.advice == "The reference R seems to be made from S5's output; get another reference."


def test_excluded_human_translations_and_copies_of_ranked_systems_are_not_compared() -> None:
    of = material({"A": OUTPUTS["S0"], "B": OUTPUTS["S1"]}, {"R": REFERENCE, "Q": made_from(OUTPUTS["S2"])})
    others = {"human": REFERENCE, "A2": OUTPUTS["S0"]}
    data = DiagnosticInput(of.corpus, evaluate(of.corpus, references=["R"]), others=others)
    assert found("close-reference", data) == []


# --- copies of a reference --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [1.0, 0.97])
@pytest.mark.parametrize("words", [3, 12])
@pytest.mark.parametrize("systems", [1, 2])
def test_an_output_that_is_nearly_a_reference_is_never_silent(share: float, words: int, systems: int) -> None:
    reference = [" ".join(line.split(" ")[1 : words + 1]) + f" {n}" for n, line in enumerate(REFERENCE)]
    other = [" ".join(line.split(" ")[1 : words + 1]) for line in OUTPUTS["S2"]]
    copy = [line if i < share * 200 else other[i] for i, line in enumerate(reference)]
    of = material({"copy": copy, "other": other} if systems > 1 else {"copy": copy}, {"R": reference})
    found_of_copy = [one for one in findings(of) if "copy" in one.systems and "R" in one.references]
    assert [one.key for one in found_of_copy] == ["identical-systems" if share == 1 else "close-reference"]
    assert share == 1 or found_of_copy[0].strength == "alarm"
