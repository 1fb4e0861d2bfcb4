"""Error span annotation in JSONL, in the shapes of WMT24 and WMT25."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats import inspect, recognise
from bleu_core.formats import read as read_file


def judgment(line_id: object = 3, score: object = "80", pair: str = "en-cs", doc: str = "d", **more: object) -> str:
    found = {"langs": pair, "line_id": line_id, "doc_id": doc, "esa_score": score, "esa_spans": [], "speech_info": None}
    return json.dumps({"system": "A", "annotator": "x", **found, **more})


def segment(scores: object, doc_id: str = "en-is_#_news_#_doc_#_9") -> str:
    return json.dumps({"doc_id": doc_id, "src_text": "s", "tgt_text": {"A": "t"}, "scores": scores})


def read(*lines: str, pair: str | None = None) -> Judgments:
    data = "".join(f"{line}\n" for line in lines).encode()
    found = read_file(data, "e.jsonl", "judgments", format="esa", pair=pair).judgments
    assert found is not None
    return found


def told(found: Judgments) -> list[list[object]]:
    cells = ["system", "segment", "judge", "score", "document", "line"]
    return found.table[cells].astype(object).to_numpy().tolist()


def test_an_object_a_judgment_is_read() -> None:
    assert inspect(judgment().encode(), "e").format == "esa"
    assert told(read(judgment(), judgment(4, 70.5, annotator=7))) == [
        ["A", 3, "x", 80.0, "d", 1],
        ["A", 4, "7", 70.5, "d", 2],
    ]


def test_an_object_a_segment_is_read() -> None:
    line = segment({"A": [{"score": 50, "annotator": "x"}, {"score": 60, "annotator": "y"}], "B": [{"score": 1}]})
    assert inspect(line.encode(), "e").format == "esa"
    assert told(read(line)) == [
        ["A", 9, "x", 50.0, "news_#_doc", 1],
        ["A", 9, "y", 60.0, "news_#_doc", 1],
        ["B", 9, "", 1.0, "news_#_doc", 1],
    ]


def test_one_language_pair_is_read_and_all_others_are_set_aside() -> None:
    lines = (judgment(), judgment(pair="en-uk", score="5"), judgment(4, pair="en-uk"))
    assert read(*lines).unused_rows == (UnusedRows("another language pair, en-uk", 2, 2, "e.jsonl"),)
    assert read(*lines, pair="en-uk").table["score"].tolist() == [5, 80]
    with pytest.raises(FormatError, match="no language pair de-en; choose one of en-cs, en-uk"):
        read(*lines, pair="de-en")


def test_it_is_said_where_lines_are_counted_from() -> None:
    assert any("canary" in note for note in read(judgment()).notes)


def test_numbers_beside_two_documents_are_no_lines() -> None:
    found = read(judgment(1), judgment(1, doc="e"), judgment(2), judgment(2, doc="e", system="B"))
    assert (found.numbering, found.table["segment"].isna().all()) == ("document", True)


def test_a_missing_score_is_listed() -> None:
    assert read(judgment(), judgment(4, None)).unused_rows == (UnusedRows("no score", 1, 2, "e.jsonl"),)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((judgment(), "{"), "e.jsonl, line 2: '{' found, an object with system"),
        (("[]",), "e.jsonl, line 1: '[]' found, an object with system, line_id and esa_score"),
        (('{"doc_id": 1, "scores": 2}',), "e.jsonl, line 1: "),
        ((judgment("x"),), "e.jsonl, line 1: segment 'x' found, a whole number expected"),
        ((judgment(0),), "e.jsonl, line 1: segment 0 found, 1 or more expected"),
        ((judgment(score=float("inf")),), "e.jsonl, line 1: score 'inf' found, a number expected"),
        ((judgment(score=True),), "e.jsonl, line 1: score 'True' found, a number expected"),
        ((judgment(system=None),), "e.jsonl, line 1: no system found, a name expected"),
        ((segment({"A": [1]}),), "e.jsonl, line 1: rating of A without a score found"),
        ((segment({"A": []}),), "e.jsonl: no rating in 0 rows"),
        ((segment({"A": [{"score": 1}]}, "d_9"),), "e.jsonl, line 1: doc_id 'd_9' found"),
    ],
)
def test_damaged_files_are_refused(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(*lines)


def test_lines_of_windows_and_white_space_around_objects_change_nothing() -> None:
    plain = read(judgment(), judgment(4), judgment(5))
    assert read(f"{judgment()}\r", f"  {judgment(4)}\t\r", f"{judgment(5)}\r").table.equals(plain.table)


def test_an_object_of_two_lines_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^e\.jsonl, line 2: .* found, an object with system"):
        read(judgment(), judgment(4).replace(", ", ",\n", 1))


FAULTS = {
    "{": "an object with system, line_id and esa_score",
    "[]": "an object with system, line_id and esa_score",
    judgment(score="x"): "score 'x' found",
    judgment(system=" "): "no system",
    judgment(system=None, score="x"): "no system",
    segment({"A": [1]}): "rating of A without a score found",
}


@given(st.lists(st.sampled_from([judgment(), segment({"A": {"score": 1}}), *FAULTS]), min_size=1, max_size=6))
def test_of_several_faults_the_first_is_told(lines: list[str]) -> None:
    first = next((i for i, line in enumerate(lines) if line in FAULTS), None)
    if first is None:
        assert len(read(*lines).table)
        return
    with pytest.raises(FormatError, match=f"^e.jsonl, line {first + 1}: .*{re.escape(FAULTS[lines[first]])}"):
        read(*lines)


@pytest.mark.parametrize("name", ["system", "annotator", "doc_id", "langs"])
def test_a_lone_surrogate_in_a_name_is_refused_with_its_line(name: str) -> None:
    line = judgment(4).replace(f'"{name}": "', f'"{name}": "\\ud800')
    assert json.loads(line)[name].startswith("\ud800")
    with pytest.raises(FormatError, match=r"^e\.jsonl, line 2: the name '.*' holds a lone surrogate") as error:
        read(judgment(), line)
    str(error.value).encode()


@pytest.mark.parametrize(
    "line", [segment({"A\udfff": [{"score": 1}]}), segment({"A": [{"score": 1}]}, "x_#_\udfff_#_1")]
)
def test_a_lone_surrogate_in_a_segments_object_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match=r"^e\.jsonl, line 1: the name '.*' holds a lone surrogate"):
        read(line)


def test_surrogates_in_pairs_are_characters_and_texts_may_hold_lone_ones() -> None:
    found = read(judgment(system="\U0001f600", src="\ud800"))
    assert found.systems == ("\U0001f600",)


@pytest.mark.parametrize("name", ["system", "annotator", "doc_id", "langs", "line_id", "esa_score"])
@pytest.mark.parametrize(("value", "kind"), [("[" * 400 + "]" * 400, "a list"), ('{"a": 1}', "an object")])
def test_names_and_numbers_are_no_lists_or_objects(name: str, value: str, kind: str) -> None:
    found = json.loads(judgment())
    line = json.dumps({**found, name: "HERE"}).replace('"HERE"', value)
    with pytest.raises(FormatError, match=rf"^e\.jsonl, line 2: {kind} found, text or a number exp"):
        read(judgment(), line)


@pytest.mark.parametrize(
    "line",
    [
        '{"system": ' + "[" * 100_000,
        judgment().replace('"80"', "9" * 5000),
        judgment().replace('"80"', "Infinity"),
        judgment().replace('"80"', "1e999"),
        segment({"A": [[[[1]]]]}),
        segment("[" * 9).replace('"' + "[" * 9 + '"', "[" * 900 + "]" * 900),
    ],
)
def test_odd_json_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(FormatError, match=r"^e\.jsonl, line 2: "):
        read(judgment(), line)


def test_nan_is_no_score_and_the_last_of_two_equal_keys_counts() -> None:
    found = read(judgment(), judgment(4).replace('"80"', "NaN"), judgment(5).replace('"80"', '"80", "esa_score": 7'))
    assert [UnusedRows("no score", 1, 2, "e.jsonl")] == list(found.unused_rows)
    assert found.rated["score"].tolist() == [80, 7]


def test_many_language_pairs_are_listed_in_part() -> None:
    lines = [judgment(pair=f"en-{n}") for n in range(200)]
    aside = read(*lines).unused_rows
    assert (len(aside), aside[-1].reason, aside[-1].count) == (51, "149 more reasons", 149)
    with pytest.raises(FormatError, match=r"^e\.jsonl: no language pair x; choose one of en-0, en-1, .*…"):
        read(*lines, pair="x")


def test_the_versions_of_wmt25_are_read() -> None:
    item = "cs-de_DE_#_news_#_blesk.cz.112043_#_0"
    rounds = {"human1": 100, "errors1": [], "annotator1": "b309", "human2": 90, "annotator2": "f702", "XCOMET-XL": 0.7}
    files = {
        "first": {"Mistral-Medium": rounds, "Yolu": {"human1": 75, "errors1": [], "annotator1": "b313"}},
        "control": {
            "Mistral-Medium": [{"human": 100, "annotator": "b309"}, {"human": 90, "annotator": "f702"}],
            "Yolu": [{"human": 75, "annotator": "b313", "times": [1, 2]}],
        },
        "last": {
            "Mistral-Medium": [
                {"score": 100, "annotator": "b309", "times": [1.5, 2]},
                {"score": 90, "annotator": "f702"},
            ],
            "Yolu": [{"score": 75, "annotator": "b313", "errors": []}],
        },
    }
    for scores in files.values():
        unrated, other = item.replace("_#_0", "_#_1"), item.replace("112043", "112044")
        lines = [segment(scores, item), segment({}, unrated), segment(scores, other)]
        data = "".join(f"{line}\n" for line in lines).encode()
        assert recognise(data, "a.jsonl") == "judgments"
        found = read_file(data, "a.jsonl", "judgments").judgments
        assert found is not None
        assert found.numbering == "document"
        assert found.table[["system", "judge", "score", "document"]].to_numpy().tolist()[:3] == [
            ["Mistral-Medium", "b309", 100, "news_#_blesk.cz.112043"],
            ["Mistral-Medium", "f702", 90, "news_#_blesk.cz.112043"],
            ["Yolu", "b313", 75, "news_#_blesk.cz.112043"],
        ]
