"""Files whose rows have ids: joined in any order, with segments that a system lacks, and --shared-segments."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from calls import assert_refused
from conftest import Runner, Writer

import sample_data
from bleu_core import load

PAIRS = ("en-de", "en-cs", "cs-uk")
DOCUMENTS, PARAGRAPHS = 8, 3
SYSTEMS = ("S1", "S2", "S3", "H1")

#: (pair, document, paragraph), as a row has them.
Key = tuple[str, str, int]


def texts_of(name: str) -> list[str]:
    path = next(p for p in (*sample_data.systems(), *sample_data.references()) if p.stem == name)
    return path.read_text(encoding="utf-8").splitlines()


def keys() -> list[Key]:
    return [(p, f"doc-{d}", n) for p in PAIRS for d in range(DOCUMENTS) for n in range(1, PARAGRAPHS + 1)]


@pytest.fixture
def rows() -> dict[str, dict[Key, str]]:
    """The reference and four systems of three language pairs; each system lacks other rows, in two of the pairs."""
    rng = random.Random(7)
    found = {
        name: dict(zip(keys(), texts_of(source), strict=False))
        for name, source in zip(("ref", *SYSTEMS), (sample_data.references()[0].stem, *SYSTEMS), strict=True)
    }
    for name in SYSTEMS:
        for pair in PAIRS[: SYSTEMS.index(name)][:2]:
            for key in rng.sample([key for key in keys() if key[0] == pair], 3):
                del found[name][key]
    return found


def json_lines(rows: Mapping[Key, str], column: str, rng: random.Random) -> str:
    """The rows in another order, with ids that have the language pair, as those of WMT have."""
    shuffled = rng.sample(list(rows.items()), len(rows))
    return "".join(
        json.dumps({"doc_id": f"{pair}_#_{document}", "seg_id": n, column: text}, ensure_ascii=False) + "\n"
        for (pair, document, n), text in shuffled
    )


def scores_of(answer: Mapping[str, Any]) -> dict[str, float | None]:
    return {each["system"]: each["bleu"] for each in answer["systems"]}


@pytest.mark.parametrize("pair", PAIRS)
def test_scores_are_those_of_sacrebleu_on_the_segments_that_all_systems_have(
    pair: str, rows: dict[str, dict[Key, str]], write: Writer, run: Runner
) -> None:
    rng = random.Random(pair)
    of_pair = {key: text for key, text in rows["ref"].items() if key[0] == pair}
    reference = write("ref.jsonl", json_lines(of_pair, "reference", rng))
    outputs = [write(f"{name}.jsonl", json_lines(rows[name], "hypothesis", rng)) for name in SYSTEMS]
    shared = [key for key in of_pair if all(key in rows[name] for name in SYSTEMS)]
    whole = [name for name in SYSTEMS if all(key in rows[name] for key in of_pair)]
    assert len(shared) < len(of_pair) or len(whole) == len(SYSTEMS)

    def expected(name: str, chosen: Sequence[Key]) -> float:
        hypotheses, references = [rows[name][key] for key in chosen], [of_pair[key] for key in chosen]
        return sacrebleu.corpus_bleu(hypotheses, [references]).score

    call = ["score", "--format", "json", "--ref", reference, *outputs]
    result = run(*call)
    answer = result.json
    assert answer["segments"] == len(of_pair)
    found = scores_of(answer)
    assert [name for name, score in found.items() if score is not None] == whole
    for name in whole:
        assert found[name] == pytest.approx(expected(name, list(of_pair)), abs=1e-9)
    reasons = {each["system"]: each["reason"] for each in answer["systems"] if each["bleu"] is None}
    for name, reason in reasons.items():
        lacking = [f"{pair}_#_{d} {n}" for p, d, n in of_pair if (p, d, n) not in rows[name]]
        assert reason.startswith(f"no score: no text for {len(lacking)} of {len(of_pair)} segments (")
        assert set(reason.partition("(")[2].rstrip(")").split(", ")) == set(lacking)
    assert len([w for w in answer["warnings"] if "references have no such segments" in w]) == len(SYSTEMS)
    assert ("use --shared-segments" in result.err) is bool(reasons)

    result = run(*call, "--shared-segments")
    answer = result.json
    assert answer["segments"] == len(shared)
    for name, score in scores_of(answer).items():
        assert score == pytest.approx(expected(name, shared), abs=1e-9)
    said = f"{len(shared)} of {len(of_pair)} segments are compared: all systems have them"
    assert (said in answer["warnings"]) is bool(reasons)


def sacrebleu_of(output: Path, reference: Path) -> float:
    """The score of an output that has all segments of the reference, joined here by a dictionary."""
    sides: list[dict[tuple[str, str], str]] = []
    for path in (output, reference):
        with path.open(encoding="utf-8", newline="") as file:
            sides.append({(row[0], row[1]): row[-1] for row in list(csv.reader(file))[1:]})
    return sacrebleu.corpus_bleu([sides[0][key] for key in sides[1]], [list(sides[1].values())]).score


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    return text.getvalue()


@pytest.fixture
def tables(write: Writer) -> dict[str, Path]:
    """A reference with documents and sources, a system in another order, and one that lacks a segment of four."""
    reference = [
        ("x", 1, "eins", "the cat sat on the mat today"),
        ("x", 2, "zwei", "a dog barked at the old man"),
        ("y", 1, "drei", "it was raining all day long in town"),
        ("y", 2, "vier", "nobody knew what to do next"),
    ]
    outputs = {(doc, seg): text for doc, seg, _, text in reference}
    reordered = [(*key, outputs[key].replace("nobody", "no one")) for key in (("y", 2), ("x", 2), ("y", 1), ("x", 1))]
    partial = [(*key, outputs[key].replace("the", "this")) for key in (("y", 2), ("x", 1), ("x", 2))]
    return {
        "ref": write("ref.csv", table(("doc", "seg", "source", "reference"), reference)),
        "A": write("A.csv", table(("doc", "seg", "hyp"), reordered)),
        "B": write("B.csv", table(("doc", "seg", "hyp"), [*partial, ("z", 1, "of another text")])),
    }


def test_a_reordered_table_joins_to_the_right_rows(tables: dict[str, Path], run: Runner) -> None:
    answer = run("score", "--format", "json", "--ref", tables["ref"], tables["A"]).json
    assert scores_of(answer) == {"A": pytest.approx(sacrebleu_of(tables["A"], tables["ref"]))}
    data = load([tables["A"]], [tables["ref"]])
    assert data.corpus.source == ("eins", "zwei", "drei", "vier")
    assert data.corpus.documents == ("x", "x", "y", "y")


def test_a_system_that_lacks_segments_has_no_score_and_the_others_are_compared(
    tables: dict[str, Path], run: Runner
) -> None:
    result = run("score", "--ref", tables["ref"], tables["A"], tables["B"])
    assert result.status == 0
    assert "no score: no text for 1 of 4 segments (y 1)" in result.out
    a, b, reference = (str(tables[name]) for name in ("A", "B", "ref"))
    assert [line.removeprefix("bleu-core score: warning: ") for line in result.err.splitlines()] == [
        f"not used: {b}: no text for 1 of 4 segments (y 1)",
        f"{a}: its rows have another order than {reference}: they are joined by columns doc, seg",
        f"{b}: 1 row of B not used: the references have no such segment (z 1)",
        "to compare on the segments that all systems have, use --shared-segments",
    ]


def test_commands_for_several_systems_say_why_one_is_left(tables: dict[str, Path], run: Runner) -> None:
    call = ["--ref", tables["ref"], tables["A"], tables["B"]]
    advice = "to compare on the segments that all systems have, use --shared-segments"
    assert_refused(run("compare", *call), f"(B: no text for 1 of 4 segments (y 1)); {advice}")
    assert_refused(
        run("score", "--ref", tables["ref"], tables["B"]), f"(B: no text for 1 of 4 segments (y 1)); {advice}"
    )
    answer = run("compare", "--format", "json", "--shared-segments", *call).json
    assert [each["system"] for each in answer["systems"]] == ["A", "B"]
    assert answer["segments"] == 3


def test_without_a_shared_segment_the_call_is_refused(tables: dict[str, Path], write: Writer, run: Runner) -> None:
    other = write("C.csv", table(("doc", "seg", "hyp"), [("y", 1, "it was raining")]))
    call = ["score", "--shared-segments", "--ref", tables["ref"], tables["A"], tables["B"], other]
    assert_refused(run(*call), "no segment found that all systems have, at least 1 expected (B, C lack segments)")


def test_a_plain_file_is_in_the_order_of_a_table_with_the_same_texts(write: Writer, run: Runner) -> None:
    reference = write("ref.txt", "eins\nzwei\ndrei\n")
    first = write("first.csv", table(("id", "hyp"), [(3, "eins"), (1, "zwei"), (2, "drei")]))
    second = write("second.csv", table(("id", "hyp"), [(1, "zwei"), (2, "drei"), (3, "eins")]))
    found = load([first, second], [reference]).corpus
    assert found.systems == {"first": ("eins", "zwei", "drei"), "second": ("eins", "zwei", "drei")}
    result = run("score", "--ref", reference, first, second)
    assert f"{reference}: its rows are joined by order, not by column id" in result.err


def test_ratings_and_scores_follow_the_shared_segments(tables: dict[str, Path], write: Writer, run: Runner) -> None:
    rows = [(doc, seg, s, 10 * seg + (s == "A")) for doc in "xy" for seg in (1, 2) for s in "AB"]
    ratings = write("h.csv", table(("doc", "seg", "system", "score"), rows))
    call = ["correlate", "--format", "json", "--shared-segments", "--human", ratings, "--ref", tables["ref"]]
    answer = run(*call, tables["A"], tables["B"]).json
    assert answer["segments"] == 3
    assert {each["system"]: each["human"] for each in answer["systems"]} == {
        "A": pytest.approx((11 + 21 + 21) / 3),
        "B": pytest.approx((10 + 20 + 20) / 3),
    }


@pytest.mark.parametrize("columns", [("lp",), ("src_lang", "tgt_lang")])
def test_a_reference_of_one_language_pair_chooses_it_in_tables_of_several(
    columns: Sequence[str], write: Writer, run: Runner
) -> None:
    def row(pair: str, n: int, text: str) -> tuple[object, ...]:
        return (*([pair] if len(columns) == 1 else pair.split("-")), n, text)

    texts = {("en-de", n): f"der Satz {n} ist kurz und gut" for n in (1, 2, 3)}
    texts |= {("en-cs", n): f"tahle věta {n} je krátká a dobrá" for n in (1, 2)}
    rows = [row(pair, n, text.replace("ist", "war").replace("je", "byla")) for (pair, n), text in texts.items()]
    output = write("A.csv", table((*columns, "seg_id", "hyp"), rows))
    for chosen in ("en-de", "en-cs"):
        of_pair = {key: text for key, text in texts.items() if key[0] == chosen}
        references = [row(*key, text) for key, text in reversed(of_pair.items())]
        reference = write(f"{chosen}.csv", table((*columns, "seg_id", "reference"), references))
        answer = run("score", "--format", "json", "--ref", reference, output).json
        hypotheses = [str(each[-1]) for each in reversed(rows) if chosen in "-".join(map(str, each))]
        expected = sacrebleu.corpus_bleu(hypotheses, [list(reversed(of_pair.values()))]).score
        assert scores_of(answer) == {"A": pytest.approx(expected)}
        said = "2 language pairs in one table (en-de, en-cs): all rows with a reference are one text"
        assert any(warning.startswith(f"{output}: {said}") for warning in answer["warnings"])


def test_one_of_the_language_pairs_in_tables_is_chosen(write: Writer, run: Runner) -> None:
    texts = {
        pair: [f"{word} number {n} is here" for n in range(6)] for pair, word in (("en-de", "Satz"), ("en-cs", "věta"))
    }
    rows = [
        (pair, text.replace("is", "was") if n % 2 else text, text, 50 + n)
        for pair, of_pair in texts.items()
        for n, text in enumerate(of_pair)
    ]
    path = write("comet.csv", table(("lp", "mt", "ref", "score"), rows))
    lines = "".join(json.dumps(dict(zip(("lp", "mt", "ref", "score"), row, strict=True))) + "\n" for row in rows)
    for file in (path, write("comet.jsonl", lines)):
        for pair, of_pair in texts.items():
            found = run("score", "--format", "json", "--language-pair", pair, "--ref", file, file).json
            hypotheses = [mt for lp, mt, _, _ in rows if lp == pair]
            assert found["segments"] == 6
            assert found["systems"][0]["bleu"] == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [of_pair]).score)
            assert not any("language pairs" in warning for warning in found["warnings"])
        assert_refused(
            run("score", "--language-pair", "en-fr", "--ref", file, file),
            f"{file}: no language pair en-fr; choose one of en-de, en-cs",
        )
