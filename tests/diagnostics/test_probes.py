"""What probes change, what they leave, and the scores before and after."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from diagnostics.material import drawn_set, material
from diagnostics.page import probes_table
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from bleu_core.diagnostics import (
    PROBES,
    Change,
    DiagnosticInput,
    Probed,
    check_language,
    find_probe,
    guessed_language,
    probe_system,
    split_chunks,
)
from bleu_core.diagnostics.probes.negation import without
from bleu_core.diagnostics.probes.sentences import sentence_starts
from bleu_core.errors import SettingsError
from bleu_core.scoring import BleuSettings
from bleu_core.slicing import NEGATION_LANGUAGES

PAGE = (Path(__file__).parents[2] / "docs" / "probes.md").read_text(encoding="utf-8")
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6).map(" ".join)


def probed(
    key: str,
    output: Sequence[str],
    *references: Sequence[str | None],
    language: str | None = "en",
    seed: int = 1,
    settings: BleuSettings | None = None,
) -> Probed:
    """What one probe changes of an output."""
    texts = references or [output]
    of = material({"S": output}, {f"R{n}": text for n, text in enumerate(texts)}, settings=settings)
    found, *_ = probe_system(of, "S", keys=[key], language=language, seed=seed)
    return found


def changed(key: str, *output: str, language: str = "en", seed: int = 1) -> list[str]:
    """The texts after one probe."""
    return list(probed(key, output, language=language, seed=seed).change.after)


def sample(segments: int = 60) -> DiagnosticInput:
    """Two systems and two references, with negations, numbers, names and several sentences."""
    outputs, reference = drawn_set(systems=3, segments=segments)
    tails = ["", " He did not see Anna.", " In 1984 it was not Paul.", " She said to Mary: never again!"]
    texts = {
        name: [f"{line}{tails[(row + k) % 4]}" for row, line in enumerate(text)]
        for k, (name, text) in enumerate(outputs.items())
    }
    return material({"S0": texts["S0"], "S1": texts["S1"]}, {"R": [*reference], "Q": texts["S2"]})


@pytest.mark.parametrize("key", PROBES)
def test_every_probe_says_what_it_is(key: str) -> None:
    probe = find_probe(key)
    assert probe.key == key
    assert not probe.title.endswith(".")
    assert probe.changed.endswith(".")
    assert probe.noticed.endswith(".")
    assert re.search(r"\(\d{4}\)", probe.source)


def test_the_page_shows_the_register() -> None:
    assert probes_table() in PAGE, "print the table with python -m tests.diagnostics.page"


# --- scores -----------------------------------------------------------------------------------------------------


@cache  # where all segments change, those that do are the corpus
def sacrebleu_score(
    key: str, texts: tuple[str, ...], references: tuple[tuple[str, ...], ...], *, tokenized: bool
) -> float:
    """A corpus score by sacreBLEU."""
    metric = {
        "bleu": BLEU(tokenize="none" if tokenized else "13a", force=True),
        "chrf2": CHRF(),
        "chrf2++": CHRF(word_order=2),
        "ter": TER(),
    }[key]
    return metric.corpus_score(texts, references).score


@pytest.mark.parametrize("key", PROBES)
def test_scores_before_and_after_are_those_of_sacrebleu(key: str) -> None:
    of = sample(4)
    metrics = ("bleu", "chrf2", "chrf2++", "ter")
    found = probe_system(of, "S0", keys=[key], metrics=metrics)
    split = BLEU().tokenizer
    for one in found:
        change = one.change
        assert change.rows == one.rows != ()
        texts = [[str(text) for text in of.corpus.references[name]] for name in change.references]
        references = [[split(line) for line in text] for text in texts] if change.tokenized else texts
        some = [[text[row] for row in one.rows] for text in references]
        for score in one.scores:
            for texts_scored, whole, alone in (
                (change.before, score.before, score.before_changed),
                (change.after, score.after, score.after_changed),
            ):
                rows = [texts_scored[row] for row in one.rows]
                scored = [
                    sacrebleu_score(
                        score.metric.key, tuple(chosen), tuple(map(tuple, others)), tokenized=change.tokenized
                    )
                    for chosen, others in ((texts_scored, references), (rows, some))
                ]
                assert [whole, alone] == pytest.approx(scored, rel=1e-12)
            assert score.delta == score.after - score.before


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", ["13a", "none", "intl", "char"])
def test_bleu_before_a_new_order_is_that_of_the_output(tokenizer: str, *, lowercase: bool) -> None:
    of = sample()
    settings = BleuSettings(tokenizer=tokenizer, lowercase=lowercase)
    of = material(of.corpus.systems, of.corpus.references, settings=settings)
    (found,) = probe_system(of, "S0", keys=["reorder"])
    assert found.scores[0].before == of.evaluation.scores.score[0]
    assert found.scores[0].after > found.scores[0].before


# --- draws ------------------------------------------------------------------------------------------------------


def texts_of(found: Sequence[Probed]) -> dict[str, tuple[str, ...]]:
    return {one.probe.key + one.change.replacement: one.change.after for one in found}


def test_the_same_seed_makes_the_same_texts_whichever_probes_and_metrics_there_are() -> None:
    together = texts_of(probe_system(sample(), "S0", seed=3))
    alone = {
        name: text
        for key in reversed(list(PROBES))
        for name, text in texts_of(probe_system(sample(), "S0", keys=[key], metrics=["chrf2"], seed=3)).items()
    }
    assert together == alone
    other = texts_of(probe_system(sample(), "S0", seed=4))
    assert {key for key in together if together[key] != other[key]} == {"reorder", "negation", "number", "name"}


def test_unchanged_segments_are_the_same_before_and_after() -> None:
    for one in probe_system(sample(), "S1"):
        assert one.change.before != one.change.after
        for row, (before, after) in enumerate(zip(one.change.before, one.change.after, strict=True)):
            assert (before != after) is (row in one.rows)


# --- a new order ------------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4),
    st.integers(0, 5),
    st.sampled_from(["exp", "none", "floor", "add-k"]),
    st.integers(1, 4),
)
def test_a_new_order_never_has_a_lower_bleu_and_differs_where_one_can(
    rows: list[tuple[str, str, str]], seed: int, smoothing: Any, max_order: int
) -> None:
    output, *references = ([*text] for text in zip(*rows, strict=True))
    settings = BleuSettings(tokenizer="none", smoothing=smoothing, max_order=max_order)
    found = probed("reorder", output, *references, seed=seed, settings=settings)
    for row, text in enumerate(output):
        tokens = text.split()
        chunks = split_chunks(tokens, [reference[row].split() for reference in references])
        orders = {tuple(itertools.chain(*order)) for order in itertools.permutations(chunks)}
        after = tuple(found.change.after[row].split())
        assert after in orders
        assert (after != tuple(tokens)) is (len(orders) > 1)
        assert found.change.orders[row].number == len(orders)
    if found.change.reason:
        assert found.rows == ()
        return
    score = found.scores[0]
    assert score.after >= score.before - 1e-12
    assert score.after_changed >= score.before_changed - 1e-12


def test_an_order_that_a_shuffle_hardly_finds_is_found() -> None:
    found = probed("reorder", [" ".join(["a"] * 400 + ["b"])], ["c"], settings=BleuSettings(tokenizer="none"))
    assert found.rows == (0,)
    assert found.change.orders[0].number == 401


def test_no_new_order_is_made_where_a_match_can_lower_bleu() -> None:
    settings = BleuSettings(smoothing="floor", smoothing_value=3.0)
    assert "value above 1" in probed("reorder", ["a b c"], ["c b a"], settings=settings).change.reason


# --- negations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [
        ("I do not know.", "I do know.", "en"),
        ("I don't know.", "I do know.", "en"),
        ("You can\u2019t say that, he said.", "You can say that, he said.", "en"),
        ("Won't you come?", "Will you come?", "en"),
        ("They cannot come.", "They can come.", "en"),
        ("No one came.", "One came.", "en"),
        ("He said it never.", "He said it.", "en"),
        ("Not a single one.", "A single one.", "en"),
        ("It's raining.", "It's raining.", "en"),
        ("No.", "No.", "en"),  # nothing would be left
        ("Il ne vient pas, dit-elle.", "Il vient, dit-elle.", "fr"),
        ("Ce n'est pas vrai.", "Ce est vrai.", "fr"),
        ("Das ist kein Haus.", "Das ist Haus.", "de"),
        ("Ona není doma.", "Ona doma.", "cs"),
        ("Никто не пришёл.", "Пришёл.", "ru"),
        ("我不知道。", "我知道。", "zh"),
    ],
)
def test_the_negations_of_a_clause_are_dropped(before: str, after: str, language: str) -> None:
    assert changed("negation", before, language=language) == [after]


def test_one_clause_loses_its_negations_and_the_seed_chooses_it() -> None:
    text = "It is not here, it is not there, and never will be."
    found = {changed("negation", text, seed=seed)[0] for seed in range(20)}
    assert found == {
        "It is here, it is not there, and never will be.",
        "It is not here, it is there, and never will be.",
        "It is not here, it is not there, and will be.",
    }


def test_blanks_and_capitals_are_put_right() -> None:
    assert without("", []) == ""
    assert without("Never say never.", [(0, 5)]) == "Say never."
    assert without("never!", [(0, 5)]) == "!"


def test_negations_need_a_language_with_a_list() -> None:
    assert "was not recognised" in probed("negation", ["xx yy"], language=None).change.reason
    assert "and not for fi" in probed("negation", ["ei"], language="fi").change.reason
    assert "no segment" in probed("negation", ["Yes."]).change.reason
    with pytest.raises(SettingsError, match="language 'xx' found, one of"):
        check_language("xx")
    for language in NEGATION_LANGUAGES:
        check_language(language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat is on the mat and it was not of the dog that he had seen.", "en"),
        ("Der Hund ist nicht auf der Straße und die Katze ist mit ihm.", "de"),
        ("我们不知道他们在哪里。", "zh"),
        ("これはペンではありません。", "ja"),
        ("هذا ليس كتابا", "ar"),
        ("", ""),
        ("Xylophon quux", ""),
    ],
)
def test_the_language_is_guessed_by_script_or_function_words(text: str, language: str) -> None:
    assert guessed_language(material({"S": ["x"]}, {"R": [text]})) == language


# --- numbers ----------------------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from(["0", "7", "12", "100", "1,234", "3.05", "١٢", "10:30"]), min_size=1), st.integers(0, 9)
)
def test_one_digit_of_one_number_changes_and_none_begins_with_a_new_zero(numbers: list[str], seed: int) -> None:
    text = "We saw " + " and ".join(numbers) + " of them."
    (after,) = changed("number", text, seed=seed)
    assert len(after) == len(text)
    places = [n for n, (one, other) in enumerate(zip(text, after, strict=True)) if one != other]
    assert len(places) == 1
    assert after[places[0]].isdecimal()
    assert text[places[0]].isdecimal()
    if not text[places[0] - 1].isdecimal() and text[places[0] - 1] not in ".,:":
        assert int(after[places[0]]) != 0


@pytest.mark.parametrize("text", ["No digit.", "COVID-19 and B2B, the 21st.", ""])
def test_digits_in_words_are_no_numbers(text: str) -> None:
    assert probed("number", [text]).change.reason == "no segment has a number"


# --- names ------------------------------------------------------------------------------------------------------


def test_a_name_gives_way_to_another_of_the_same_output() -> None:
    output = ["Then Anna Berg came home.", "He met Paul in town.", "Yesterday it rained.", "So I saw him."]
    after = changed("name", *output)
    assert after == ["Then Paul came home.", "He met Anna Berg in town.", *output[2:]]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (["Anna came.", "He met Paul."], "no two names"),  # Anna stands at the beginning
        (["He met Will and Anna.", "They will come."], "no two names"),  # will is a word
        (["A Tale Of Two Big Cities", "He met Anna."], "no two names"),  # a title
        (["我们不知道", "他们在哪里"], "no capitals"),
        (["he met anna and paul."], "no two names"),
    ],
)
def test_without_two_names_none_is_exchanged(output: list[str], reason: str) -> None:
    assert reason in probed("name", output).change.reason


def test_german_has_capitals_elsewhere_too() -> None:
    assert "German" in probed("name", ["Er traf Anna und Paul."], language="de").change.reason


# --- sentences --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He left. She stayed.", "He left."),
        ("He left! (She stayed.) It was late.", "He left! (She stayed.)"),
        ("Mr. Smith saw Dr. No.", "Mr. Smith saw Dr. No."),
        ("It cost 3.50 dollars.", "It cost 3.50 dollars."),
        ("\u201cGo!\u201d \u201cNo.\u201d", "\u201cGo!\u201d"),
        ("他走了。她留下。", "他走了。"),
        ("One sentence only", "One sentence only"),
    ],
)
def test_the_last_of_several_sentences_is_cut(before: str, after: str) -> None:
    assert changed("cut", before) == [after]
    assert (sentence_starts(before) != []) is (before != after)


def test_tokens_that_are_cut_are_counted() -> None:
    found = probed("cut", ["He left. She stayed there.", "He left."])
    assert (found.rows, found.tokens_before, found.tokens_after) == ((0,), 7, 3)


# --- references -------------------------------------------------------------------------------------------------


def test_each_reference_takes_the_place_of_the_output_and_is_scored_against_the_others() -> None:
    outputs, reference = drawn_set(systems=4, segments=30)
    other, third = outputs["S2"], [*outputs["S3"][:-1], None]
    of = material({"S": outputs["S0"]}, {"R": reference, "Q": other, "part": third})
    found = probe_system(of, "S", keys=["reference"])
    assert [(one.change.replacement, one.change.references) for one in found] == [
        ("R", ("Q", "part")),
        ("Q", ("R", "part")),
    ]
    assert [one.change.after for one in found] == [tuple(reference), tuple(other)]


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        ([["a b", "c d"]], "there is one reference"),
        ([["a b", None], [None, "c d"]], "no reference has all segments"),
        ([["x y", "z w"], ["a b", "c d"]], "the output is the reference R0"),
    ],
)
def test_without_two_references_none_is_scored(references: list[list[str | None]], reason: str) -> None:
    assert reason in probed("reference", ["x y", "z w"], *references).change.reason


# --- what is refused --------------------------------------------------------------------------------------------


def test_what_there_is_not_is_refused() -> None:
    of = sample()
    with pytest.raises(SettingsError, match="probe 'x' found"):
        probe_system(of, "S0", keys=["x"])
    with pytest.raises(SettingsError, match="metric 'x' found"):
        probe_system(of, "S0", metrics=["x"])
    with pytest.raises(SettingsError, match="language 'xx' found"):
        probe_system(of, "S0", language="xx")
    with pytest.raises(SettingsError, match="seed -1 found"):
        probe_system(of, "S0", seed=-1)
    with pytest.raises(SettingsError, match="system 'X' found"):
        probe_system(of, "X")


def test_progress_goes_to_the_end_and_can_stop_the_work() -> None:
    steps: list[tuple[int, int]] = []
    probe_system(sample(), "S0", metrics=["bleu", "chrf2"], progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert steps[-1] == (14, 14)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        probe_system(sample(), "S0", progress=stop)


def test_scores_without_a_match_or_token_do_not_fail() -> None:
    for one in probe_system(material({"S": ["", ""]}, {"R": ["", ""], "Q": ["", ""]}), "S", metrics=["bleu", "wer"]):
        assert one.change.reason
    found = probed("reorder", ["x y"], [""])
    assert found.change.orders[0].number == 2
    assert math.isfinite(found.scores[0].after)


def test_a_change_is_of_the_segments_that_differ() -> None:
    change = Change(before=("a", "b"), after=("a", "c"), references=())
    assert change.rows == (1,)
    assert replace(change, after=("a", "b")).rows == ()
