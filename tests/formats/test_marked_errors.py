"""Errors marked in files of all formats: places in Unicode code points, whatever the file counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from bleu_core.dataset import (
    NO_PLACE,
    OUTSIDE,
    Annotator,
    Corpus,
    Judgments,
    MarkedError,
    ScoreTable,
    annotated_errors,
    error_report,
)
from bleu_core.errors import FormatError
from bleu_core.formats import read

EMOJI = "\U0001f600"
#: A translation with an emoji (two UTF-16 code units) and combining marks; "cafe\u0301" is the part that is marked.
TEXT = f"{EMOJI} le cafe\u0301 noir"
START = TEXT.index("cafe")
END = START + len("cafe\u0301")

MQM_HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def judgments_of(data: str, name: str) -> Judgments:
    found = read(data.encode(), name, "judgments").judgments
    assert found is not None
    return found


def errors_of(judgments: Judgments) -> list[tuple[MarkedError, ...]]:
    """Return the errors of each annotated row, also of ratings of no segment."""
    return [cell for cell in judgments.table.get("errors", []) if isinstance(cell, tuple)]


def place_of(error: MarkedError) -> tuple[int, int]:
    return error.start, error.end


def units(text: str) -> int:
    """Return the number of UTF-16 code units, as JavaScript counts the length of a text."""
    return len(text.encode("utf-16-le")) // 2


#: The first and the last UTF-16 code unit of the marked part.
FIRST, LAST = units(TEXT[:START]), units(TEXT[:END]) - 1


def esa(spans: object, *, text: object = TEXT, score: object = "80", **fields: object) -> str:
    record: dict[str, object] = {"langs": "en-fr", "line_id": 1, "doc_id": "d", "src": "the black coffee", "tgt": text}
    return json.dumps(record | {"esa_spans": spans, "esa_score": score, "system": "A", "annotator": "ann"} | fields)


def span(first: object = FIRST, last: object = LAST, severity: object = "Minor", **fields: object) -> dict[str, object]:
    return {"start_i": first, "end_i": last, "severity": severity, **fields}


def mqm(target: str, source: str = "the black coffee", category: str = "Style", severity: str = "Minor") -> str:
    return f"A\td\t1\t1\tann\t{source}\t{target}\t{category}\t{severity}"


def read_mqm(*rows: str) -> Judgments:
    return judgments_of("\n".join((MQM_HEADER, *rows, "")), "m.tsv")


def pearmut(annotations: Mapping[str, Any], *, text: str = TEXT, item: str = "en-fr_#_news_#_d_#_0") -> str:
    described = {"item_id": item, "src": "the black coffee", "tgt": dict.fromkeys(annotations, text)}
    return json.dumps({"annotation": [annotations], "item": [described], "user_id": "ann", "item_i": 0, "actions": []})


def appraise(spans: object, score: str = "80", number: int = 1) -> str:
    quoted = json.dumps(spans).replace('"', '""')
    return f'ann,A,{number},TGT,eng,fra,{score},d,False,"{quoted}",1.0,2.0'


def marked(target: str) -> MarkedError:
    ((error,),) = errors_of(read_mqm(mqm(target)))
    return error


def test_mqm_marks_code_points() -> None:
    error = marked(f"{EMOJI} le <v>cafe\u0301</v> noir")
    assert error == MarkedError(START, END, "minor", "Style", text=TEXT, line=2)


def test_mqm_marks_the_source_and_omissions_without_a_mark() -> None:
    (errors,) = errors_of(
        read_mqm(
            mqm(TEXT, "the <v>black</v> coffee", "Accuracy/Omission", "Major"), mqm(TEXT, category="Accuracy/Omission")
        )
    )
    assert [(error.in_source, *place_of(error), error.text) for error in errors] == [
        (True, 4, 9, "the black coffee"),
        (False, NO_PLACE, NO_PLACE, None),
    ]


def test_mqm_without_errors_is_an_annotation_and_attention_checks_are_none() -> None:
    judgments = read_mqm(mqm(TEXT, category="No-error", severity="no-error"), mqm("b", severity="HOTW-test"))
    assert errors_of(judgments) == [()]


@pytest.mark.parametrize(
    "target",
    ["a <v>b", "a </v>b", "<v>a <v>b</v></v>", "a </v>b<v>", "literal <v> and <v>b</v>"],
)
def test_mqm_with_broken_tags_has_an_error_without_a_place(target: str) -> None:
    error = marked(target)
    assert place_of(error) == (NO_PLACE, NO_PLACE)
    assert error.problem == "the tags <v> and </v> in its text do not pair"


def test_mqm_with_an_empty_mark_has_an_error_without_a_place() -> None:
    assert marked("a <v></v>b").problem == "nothing is between its tags <v> and </v>"


def test_mqm_with_several_marks_has_one_error_and_a_note() -> None:
    judgments = read_mqm(mqm("<v>a</v> b <v>c</v> d"), mqm("<v>a</v> b c d", "<v>the</v> black coffee"))
    (errors,) = errors_of(judgments)
    assert [(*place_of(error), error.text) for error in errors] == [(0, 5, "a b c d"), (0, 1, "a b c d")]
    assert judgments.notes == (
        "1 error marked in several parts: from the first part to the last",
        "1 error marked in both texts: the mark in the target counts",
    )


def test_mqm_with_tags_that_belong_to_the_text_is_not_shifted() -> None:
    """A text with tags of its own differs from the corpus without them, so that its marks are counted."""
    judgments = read_mqm(mqm("use <v>x</v> here"))
    corpus = Corpus(systems={"A": ("use <v>x</v> here",)}, references={})
    report = error_report(corpus, judgments)
    assert report.placed == 0
    (problem,) = report.problems
    assert problem == (
        "1 error kept without its place (first: line 2): the translation in which it is marked is not that of the "
        "segment"
    )


def test_esa_counts_utf_16_code_units_with_the_last_one() -> None:
    (errors,) = errors_of(judgments_of(esa([span(), span(0, 1, None), span(0, 0)]) + "\n", "e.jsonl"))
    assert [place_of(error) for error in errors] == [(START, END), (0, 1), (NO_PLACE, NO_PLACE)]
    assert [error.severity for error in errors] == ["minor", "", "minor"]
    assert [error.problem for error in errors] == ["", "", OUTSIDE]  # half of the emoji is no character
    assert errors[0].text == TEXT


def test_esa_numbers_the_text_without_white_space_around_it() -> None:
    (errors,) = errors_of(judgments_of(esa([span()], text=f" \u3000{TEXT}\ufeff ") + "\n", "e.jsonl"))
    assert (place_of(errors[0]), errors[0].text) == ((START, END), TEXT)


@pytest.mark.parametrize(
    ("spans", "problem"),
    [
        ([span("missing", "missing")], ""),
        ([span(0, 400)], OUTSIDE),
        ([span(-1, 3)], OUTSIDE),
        ([span(3, 1)], OUTSIDE),
        ([span("3", 5)], "its start or end is not a whole number"),
        ([span(0.5, 5)], "its start or end is not a whole number"),
        ([span(first=True, last=5)], "its start or end is not a whole number"),
        ([7], "its start or end is not a whole number"),
    ],
)
def test_spans_without_a_place_are_kept_with_the_reason(spans: Sequence[object], problem: str) -> None:
    ((error,),) = errors_of(judgments_of(esa(spans) + "\n", "e.jsonl"))
    assert (place_of(error), error.problem) == ((NO_PLACE, NO_PLACE), problem)


def test_esa_without_spans_is_no_annotation_and_an_empty_list_is_one() -> None:
    lines = (esa(None), esa([]), esa([span()], score=None, line_id=2), esa([span()], langs="en-de"))
    judgments = judgments_of("\n".join((*lines, "")), "e.jsonl")
    assert [len(errors) for errors in errors_of(judgments)] == [0, 1]


def test_esa_by_segment_has_the_errors_of_each_rating() -> None:
    record = {
        "doc_id": "en-fr_#_news_#_d_#_1",
        "src_text": "the black coffee",
        "tgt_text": {"A": TEXT, "B": "un cafe"},
        "scores": {
            "A": [
                {"score": 80, "annotator": "ann", "errors": [span()]},
                {"score": 90, "annotator": "bob", "errors": []},
                {"score": 70, "annotator": "cy"},
            ],
            "B": {"human1": 50, "annotator1": "ann", "errors1": [span(3, 6)], "human2": 60, "errors2": []},
        },
    }
    found = errors_of(judgments_of(json.dumps(record) + "\n", "e.jsonl"))
    assert [[place_of(error) for error in errors] for errors in found] == [[(START, END)], [], [(3, 7)], []]


def test_pearmut_does_not_number_line_breaks_and_has_a_mark_of_omissions_behind_the_text() -> None:
    text = f"{EMOJI}\nun\nmot"
    spans = [span(2, 4), span(5, 6), span(7, 7), span(0, 1, "MAJOR", category="Accuracy/Omission"), span(7, 8)]
    line = pearmut({"A": {"score": 70, "error_spans": spans}}, text=text)
    (errors,) = errors_of(judgments_of(line + "\n", "p.jsonl"))
    assert [place_of(error) for error in errors] == [(2, 6), (6, 8), (-1, -1), (0, 1), (-1, -1)]
    assert [error.problem for error in errors] == ["", "", "", "", OUTSIDE]
    assert (errors[3].severity, errors[3].category) == ("major", "Accuracy/Omission")


def test_pearmut_places_errors_in_texts_with_spaces_for_line_breaks() -> None:
    line = pearmut({"A": {"score": 70, "error_spans": [span(2, 4)]}}, text=f"{EMOJI}\nun\nmot", item="x_###_d_###_0")
    judgments = judgments_of(line + "\n", "p.jsonl").table.assign(segment=[1])
    ratings = Judgments(table=judgments.astype({"segment": "Int64"}))
    found = annotated_errors(Corpus(systems={"A": (f"{EMOJI} un mot",)}, references={}), ratings)
    assert found is not None
    assert (found.span_start.tolist(), found.span_end.tolist()) == ([2], [6])


def test_a_campaign_of_pearmut_without_any_error_is_no_annotation() -> None:
    line = pearmut({"A": {"score": 70, "error_spans": []}})
    assert not judgments_of(line + "\n", "p.jsonl").has_errors
    marking = pearmut({"A": {"score": 70, "error_spans": [span()]}}, item="en-fr_#_news_#_d_#_1")
    judgments = judgments_of(f"{line}\n{marking}\n", "p.jsonl")
    assert [len(errors) for errors in errors_of(judgments)] == [0, 1]


def test_appraise_has_no_texts_so_that_the_corpus_converts_places() -> None:
    lines = (
        appraise([span(error_type=["Accuracy", "Omission"]), span("missing", "missing", "major"), span(0, 99)]),
        appraise([], number=2),
    )
    judgments = judgments_of("\n".join((*lines, "")), "a.csv")
    errors = errors_of(judgments)
    assert [len(own) for own in errors] == [3, 0]
    assert errors[0][0] == MarkedError(FIRST, LAST + 1, "minor", "Accuracy/Omission", line=1, utf16=True)
    corpus = Corpus(systems={"A": (f" {TEXT}", "b")}, references={})
    found = annotated_errors(corpus, judgments)
    assert found is not None
    assert found.span_start.tolist() == [START + 1, NO_PLACE, NO_PLACE]
    assert found.span_end.tolist() == [END + 1, NO_PLACE, NO_PLACE]
    report = error_report(corpus, judgments)
    assert (report.errors, report.placed, report.unmarked) == (3, 1, 1)
    assert report.problems == (f"1 error kept without its place (first: line 1): {OUTSIDE}",)


def test_direct_assessments_of_appraise_are_no_annotations() -> None:
    row = "ann,A,1,TGT,eng,fra,80,d,False,1.0,2.0\n"
    assert not judgments_of(row, "a.csv").has_errors


def test_mt_metrics_eval_counts_code_points_without_the_end() -> None:
    errors = [
        {"start": START, "end": END, "category": "Style", "severity": "Minor", "is_source_error": False},
        {"start": 4, "end": 9, "category": "Source", "severity": "minor", "is_source_error": True},
        {"start": -1, "end": -1, "category": "Accuracy/Omission", "severity": "major"},
        {"start": None, "end": 3, "category": None, "severity": None},
    ]
    lines = ("A\t" + json.dumps({"errors": errors}), "A\tNone", 'A\t{"errors": []}')
    judgments = judgments_of("\n".join((*lines, "")), "en-fr.mqm.ann.seg.rating")
    corpus = Corpus(systems={"A": (TEXT, "b", "c")}, references={}, source=("the black coffee", "b", "c"))
    found = annotated_errors(corpus, judgments)
    assert found is not None
    assert found.item_segment.tolist() == [0, 2]
    assert found.span_in_source.tolist() == [False, True, False, False]
    assert list(zip(found.span_start.tolist(), found.span_end.tolist(), strict=True)) == [
        (START, END),
        (4, 9),
        (NO_PLACE, NO_PLACE),
        (NO_PLACE, NO_PLACE),
    ]
    assert error_report(corpus, judgments).unmarked == 1


def comet(*segments: dict[str, object] | None) -> bytes:
    """Return a file of one system, with the error spans of each segment; None without a score."""
    items = [{"src": "s", "mt": TEXT} | ({"COMET": 0.9} | own if own is not None else {}) for own in segments]
    return json.dumps({"out/A.txt": items}, ensure_ascii=False, indent=4).encode()


def scores_of(data: bytes, name: str) -> ScoreTable:
    (table,) = read(data, name, "scores").scores
    return table


def test_comet_counts_code_points_without_the_end() -> None:
    spans = [{"text": "caf\u00e9", "confidence": 0.7, "severity": "major", "start": START, "end": END}]
    table = scores_of(comet({"errors": spans}, {}, None, {"error_spans": [{"severity": None, "start": "1"}]}), "x.json")
    assert table.errors == (
        (
            (MarkedError(START, END, "major", "", text=TEXT),),
            (),
            None,
            (MarkedError(-1, -1, "", "", text=TEXT, problem="its start or end is not a whole number"),),
        ),
    )
    corpus = Corpus(systems={"A": (TEXT, TEXT, TEXT, TEXT), "B": ("b",) * 4}, references={})
    found = annotated_errors(corpus, None, [table.aligned(("A", "B"), 4)])
    assert found is not None
    assert found.annotators == (Annotator("COMET", is_metric=True),)
    assert (found.item_system.tolist(), found.item_segment.tolist()) == ([0, 0, 0], [0, 1, 3])
    assert (found.span_start.tolist(), found.span_end.tolist()) == ([START, NO_PLACE], [END, NO_PLACE])
    assert error_report(corpus, table).problems == (
        "1 error kept without its place (first: segment 4): its start or end is not a whole number",
    )


def test_comet_without_error_spans_is_no_annotation() -> None:
    assert scores_of(comet({}, {"errors": []}), "x.json").errors is None


WMT25 = (
    *("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment"),
    *("start_indices", "end_indices", "error_types"),
)


def wmt25(*rows: tuple[object, ...]) -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in (WMT25, *rows)).encode()


def test_wmt25_counts_code_points_without_the_end() -> None:
    common = ("d", 0, "en", "de_DE", "official", "A", TEXT)
    rows = (
        (*common, f"{START} missing 3 -3", f"{END} missing x 2", "major minor Major minor"),
        ("d", 1, "en", "de_DE", "official", "A", "b", -1, -1, "no-error"),
        ("d", 0, "en", "de_DE", "official", "B", "c", "0 0", "1", "critical neutral"),
        ("e", 0, "en", "de_DE", "challenge", "A", "x", 0, 1, "minor"),
    )
    table = scores_of(wmt25(*rows), "GemSpanEval.tsv")
    assert (table.name, table.systems) == ("GemSpanEval", ("A", "B"))
    assert table.scores.tolist()[0] == [-12.0, 0.0]
    assert np.isnan(table.scores[1, 1])
    corpus = Corpus(systems={"A": (TEXT, "b"), "B": ("c", "d")}, references={})
    found = annotated_errors(corpus, None, [table])
    assert found is not None
    assert list(zip(found.item_system.tolist(), found.item_segment.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 0)]
    assert found.span_start.tolist() == [START, -1, -1, -1, 0, -1]
    assert found.span_end.tolist() == [END, -1, -1, -1, 1, -1]
    assert found.severities == ("major", "minor", "critical", "neutral")
    assert [problem.partition(": ")[2].partition(": ")[2] for problem in error_report(corpus, table).problems] == [
        "its start or end is not a whole number",
        OUTSIDE,
    ]


def test_wmt25_with_a_segment_twice_is_refused() -> None:
    row = ("d", 1, "en", "de", "official", "A", "b", 0, 1, "minor")
    with pytest.raises(
        FormatError, match=r"m\.tsv, line 3: second score of m for A, segment 1 found, 1 expected; .* line 2$"
    ):
        read(wmt25(row, row), "m.tsv", "scores")


def test_quality_estimation_includes_the_last_character() -> None:
    lines = (
        *("2409244995", "2280000000", "3"),
        f"he-en\tensemble\t0\t{TEXT}\t{START}\t{END - 1}\tmajor",
        "he-en\tensemble\t1\tb\t-1\t-1\tno-error",
    )
    table = scores_of("\n".join((*lines, "")).encode(), "ensemble.tsv")
    assert (table.name, table.systems, table.scores.tolist()) == ("ensemble", ("ensemble",), [[-5.0, 0.0]])
    assert table.errors == (((MarkedError(START, END, "major", "", text=TEXT, line=4),), ()),)
