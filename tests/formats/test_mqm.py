"""Google's MQM files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import fields

import pytest

from bleu_core.dataset import Column, FilePart, Judgments, UnusedRows, fit
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import TITLES, MqmWeights, ReadOptions, recognise
from bleu_core.formats import read as read_file
from bleu_core.formats.mqm import is_mqm

OLD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
COMMENT = OLD + "\tcomment"
NEW = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# Documentation: here"


def row(
    system: str = "A", segment: object = 1, rater: str = "r", category: str = "Style", severity: str = "Minor"
) -> str:
    return f'{system}\td1\t1\t{segment}\t{rater}\tle "chat\tthe <v>cat</v>\t{category}\t{severity}'


def read(*rows: str, header: str = OLD, weights: MqmWeights | None = None, first_segment: int = 1) -> Judgments:
    data = ("\n".join((header, *rows)) + "\n").encode()
    options = ReadOptions(format="mqm", weights=weights or MqmWeights(), first_segment=first_segment)
    found = read_file(data, "m.tsv", "judgments", options).judgments
    assert found is not None
    return found


def told(found: Judgments) -> list[tuple[object, ...]]:
    return [tuple(r) for r in found.table[["system", "segment", "judge", "score"]].astype(object).to_numpy().tolist()]


@pytest.mark.parametrize("header", [OLD, COMMENT, NEW, OLD + "\r"])
def test_headers_of_all_years_are_known(header: str) -> None:
    assert is_mqm(header)
    extra = {OLD: "", COMMENT: "\tso so", NEW: '\t{"a": "b"}'}.get(header, "")
    found = read(row() + extra, header=header)
    assert told(found) == [("A", 1, "r", -1.0)]
    assert (found.table["document"].tolist(), found.table["line"].tolist()) == (["d1"], [2])


@pytest.mark.parametrize("separator", [",", ";"])
def test_files_of_google_may_be_saved_with_other_separators(separator: str) -> None:
    rows = (OLD, row(segment=7), row(segment=8, severity="No-error"), row(segment=7, category="Style, odd"))
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator).writerows(line.split("\t") for line in rows)
    data = stream.getvalue()
    assert recognise(data.encode(), "m.csv") == "judgments"
    found = read_file(data.encode(), "m.csv", "judgments").judgments
    assert found is not None
    assert told(found) == [("A", 7, "r", -2), ("A", 8, "r", 0)]


@pytest.mark.parametrize("line", ["system\tscore", "a text", ""])
def test_other_lines_are_no_header_of_mqm(line: str) -> None:
    assert not is_mqm(line)


@pytest.mark.parametrize(
    ("category", "severity", "score"),
    [
        ("Accuracy/Mistranslation", "Major", -5),
        ("Accuracy/Mistranslation", "major", -5),
        ("Style/Awkward", "Minor", -1),
        ("Fluency/Punctuation", "Minor", -0.1),
        ("Fluency/Punctuation", "Major", -5),
        ("Non-translation!", "Major", -25),
        ("Non-translation!", "Minor", -1),
        ("Other", "Neutral", 0),
        ("No-error", "No-error", 0),
        ("No-error", "no-error", 0),
        ("Other", "Critical", -25),
        ("Other", "Odd", 0),
    ],
)
def test_errors_cost_what_was_published(category: str, severity: str, score: float) -> None:
    assert told(read(row(category=category, severity=severity))) == [("A", 1, "r", score)]


def test_a_score_is_minus_the_sum_of_a_raters_errors_in_a_segment_of_a_system() -> None:
    found = read(row(severity="Major"), row(), row(rater="q"), row(system="B"), row(segment=2), row())
    assert told(found) == [("A", 1, "r", -7), ("A", 1, "q", -1), ("B", 1, "r", -1), ("A", 2, "r", -1)]


def test_weights_can_be_changed() -> None:
    weights = MqmWeights(
        major=10, minor=2, minor_punctuation=0.5, non_translation=50, neutral=0.25, other=3, critical=7
    )
    rows = [row(severity=s) for s in ("Major", "Minor", "Neutral", "Odd", "Critical")]
    rows += [row(category="Non-translation!", severity="Major"), row(category="Fluency/Punctuation")]
    assert told(read(*rows, weights=weights))[0][3] == -(10 + 2 + 0.25 + 3 + 7 + 50 + 0.5)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), 1e7])
def test_weights_are_numbers_from_0_on(weight: float) -> None:
    with pytest.raises(SettingsError, match="MQM weight minor="):
        MqmWeights(minor=weight)


def test_weights_that_are_not_the_published_ones_are_told() -> None:
    assert MqmWeights.parse("Major=5, non-translation=25") == MqmWeights()
    assert MqmWeights().notes == ()
    weights = MqmWeights.parse("other=3,minor=0")
    note = "MQM weights: minor 0 instead of 1, other 3 instead of 0"
    assert read(row(), row(severity="Odd"), weights=weights).notes == (
        note,
        "1 error of severity 'Odd': weight 3",
    )
    assert list(TITLES) == [field.name for field in fields(MqmWeights)]


def test_severities_that_are_not_known_are_told() -> None:
    assert read(row(severity="Odd"), row(severity="Critical"), row(severity="Odd")).notes == (
        "1 critical error: weight 25",
        "2 errors of severity 'Odd': weight 0",
        "1 row is an exact copy of another one: both count, since two errors may look the same",
    )
    assert read(row(), row(severity="No-error")).notes == ()


def test_attention_checks_are_set_aside_and_are_no_errors() -> None:
    check = row(category="Found", severity="HOTW-test")
    found = read(check, row(), row(rater="q", category="Missed", severity="HOTW-test"))
    assert told(found) == [("A", 1, "r", -1)]
    assert found.unused_rows == (
        UnusedRows("attention check (HOTW-test: found)", 1, 2, "m.tsv"),
        UnusedRows("attention check (HOTW-test: missed)", 1, 4, "m.tsv"),
    )


def test_segments_may_count_from_0() -> None:
    assert told(read(row(segment=0), first_segment=0))[0][1] == 1


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        ((), "", "m.tsv, line 1: no column system in the header (); system expected"),
        (
            (row(),),
            OLD.replace("rater", "who"),
            "m.tsv, line 1: no column rater in the header (system, doc, doc_id, seg_id, who, ",
        ),
        ((row(), "A\td"), OLD, "m.tsv, line 3: 2 cells found, 9 cells expected as in line 1"),
        ((row() + "\tx",), OLD, "m.tsv, line 2: 10 cells found, 9 cells expected as in line 1"),
        ((row(segment="x"),), OLD, "m.tsv, line 2: segment 'x' found, a whole number expected"),
        ((row(segment=0),), OLD, "m.tsv, line 2: segment 0 found, 1 or more expected"),
        ((row(system=" "),), OLD, "m.tsv, line 2: no system found, a name expected"),
        ((), OLD, "m.tsv: no rating in 0 rows, at least 1 expected"),
        ((row(severity="HOTW-test"),), OLD, "m.tsv: no rating in 0 rows, at least 1 expected"),
    ],
)
def test_damaged_files_are_refused(rows: tuple[str, ...], header: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(*rows, header=header)


def test_averages_are_ratings_of_one_judge() -> None:
    header = "system mqm_avg_score seg_id"
    assert recognise(f"{header}\nA 1 1\n".encode(), "a.tsv") == "judgments"
    found = read_file(f"{header}\nA\t-1.5 3\nA\tNone 4\n".encode(), "a.tsv", "judgments").judgments
    assert found is not None
    assert told(found.without())[0] == ("A", 3, "mean of raters", -1.5)
    assert found.unused_rows == (UnusedRows("no score", 1, 3, "a.tsv"),)
    with pytest.raises(FormatError, match=r"^a\.tsv, line 2: 2 cells found, 3 expected"):
        read_file(f"{header}\nA\t-1.5\n".encode(), "a.tsv", "judgments")


def test_many_severities_that_are_not_known_are_counted() -> None:
    notes = read(*(row(severity=f"S{n}") for n in range(1000))).notes
    assert (len(notes), notes[0]) == (6, "1 error of severity 'S0': weight 0")
    assert notes[-1] == "errors of 995 more severities: weight 0"


@pytest.mark.parametrize("missing", ["seg_id", "rater", "category", "severity", "system"])
def test_a_header_that_lacks_one_column_is_recognised_and_refused(missing: str) -> None:
    header = OLD.replace(f"{missing}\t", "") if missing != "severity" else OLD.removesuffix("\tseverity")
    data = f"{header}\nA\td\t1\t1\tr\ts\tt\tStyle\n".encode()
    assert recognise(data, "m.tsv") == "judgments"
    with pytest.raises(FormatError, match=rf"^m\.tsv, line 1: no column \w+ in the header .*{missing} expected$"):
        read_file(data, "m.tsv", "judgments")


def marot(document: str, place: object, segment: object, rater: str = "r", severity: str = "Major") -> str:
    kind = ("Style", severity) if rater else ("", "")
    metadata = '{"timestamp": 1, "segment": {"metrics": {"Bleurt-X": 0.5}}}'
    return "\t".join(("A", document, str(place), str(segment), rater, "le chat", "the <v>cat</v>", *kind, metadata))


def test_files_of_marot_need_no_header_and_rows_without_rating_are_counted() -> None:
    rows = [marot("d1", 1, 1), marot("d1", 2, 2, rater=""), marot("d2", 1, 3, severity="Minor")]
    data = "\n".join(rows).encode()
    assert recognise(data, "a.tsv") == "judgments"
    found = read_file(data, "a.tsv", "judgments").judgments
    assert found is not None
    assert told(found) == [("A", 1, "r", -5), ("A", 3, "r", -1)]
    assert found.table["line"].tolist() == [1, 3]
    assert [str(aside) for aside in found.unused_rows] == [
        "a.tsv: 1 row not used (line 2): metrics or references only, without a rating"
    ]


def test_where_marot_has_no_numbers_of_segments_their_places_in_documents_count() -> None:
    rows = [marot("d1", 1, 0), marot("d1", 2, 0), marot("d2", 1, 0), marot("d2", 1, 0, severity="Minor")]
    header = "\t".join((*OLD.split("\t")[:2], "docSegId", "globalSegId", *OLD.split("\t")[4:], "metadata"))
    found = read(*rows, header=header)
    assert found.table["score"].tolist() == [-5, -5, -6]
    placed, aside = found.place(("A",), 3, ("d1", "d1", "d2"))
    assert not aside
    assert placed.table["segment"].tolist() == [1, 2, 3]


#: Errors as tools for localisation export them; with the weights 1, 5 and 25, the sums are 6 of A and 32 of B.
EXPORTED = (
    ("A", 1, "Accuracy", "Mistranslation", "Minor"),
    ("A", 3, "Terminology", "Wrong term", "Major"),
    ("A", 8, "Style", "Awkward", "Neutral"),
    ("B", 2, "Style", "Awkward", "Minor"),
    ("B", 3, "Accuracy", "Mistranslation", "Critical"),
    ("B", 4, "Terminology", "Wrong term", "Major"),
    ("B", 9, "Fluency", "Word order", "Minor"),
)


def exported(rows: Sequence[tuple[str, int, str, str, str]] = EXPORTED, separator: str = ",") -> bytes:
    header = ("System", "Segment ID", "Target", "Error category", "Error subcategory", "Severity", "Comment")
    cells = [(system, str(n), f'"text {n}, here"', *error, "see glossary") for system, n, *error in rows]
    return "".join(f"{separator.join(row)}\n" for row in (header, *cells)).encode()


def placed(data: bytes, segments: int = 12, **own: str) -> dict[str, float]:
    """Return the mean ratings of A and B in texts of 12 segments."""
    judgments = read_file(data, "lqa.csv", "judgments", format="mqm", own=own).judgments
    texts = [Column("reference", "R", ("x",) * segments)]
    texts += [Column("system", name, tuple(f"text {n}, here" for n in range(1, segments + 1))) for name in "AB"]
    found = fit([FilePart("texts", columns=tuple(texts)), FilePart("lqa.csv", judgments=judgments)], refuse=True)
    assert found.judgments is not None
    return dict(found.judgments.system_means())


def test_errors_that_other_tools_export_are_ratings_and_no_outputs() -> None:
    assert recognise(exported(), "lqa.csv") == "judgments"
    judgments = read_file(exported(), "lqa.csv", "judgments", own={"unlisted": "unrated"}, format="mqm").judgments
    assert judgments is not None
    assert judgments.table.groupby("system")["score"].sum().to_dict() == {"A": -6.0, "B": -32.0}
    errors = [error for *_, marked in judgments.annotations() for error in marked]
    assert errors[0].category == "Accuracy/Mistranslation"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_unlisted_segments_have_no_errors_or_no_rating_as_the_user_says(separator: str) -> None:
    data = exported(separator=separator)
    with pytest.raises(FormatError) as caught:
        read_file(data, "lqa.csv", "judgments")
    assert str(caught.value) == (
        "lqa.csv: only segments with errors found; if the other segments have no errors, use "
        "--format-of lqa.csv=mqm:unlisted=no-error; if they are not rated, --format-of lqa.csv=mqm:unlisted=unrated"
    )
    assert placed(data, unlisted="no-error") == pytest.approx({"A": -6 / 12, "B": -32 / 12})
    assert placed(data, unlisted="unrated") == pytest.approx({"A": -6 / 3, "B": -32 / 4})


def test_a_table_that_lists_segments_without_errors_needs_no_choice() -> None:
    rows = [*EXPORTED, ("A", 2, "", "", ""), ("B", 1, "", "", "no-error")]
    assert placed(exported(rows)) == pytest.approx({"A": -6 / 4, "B": -32 / 5})


def test_errors_of_one_system_are_read_if_the_option_names_it() -> None:
    data = b"Segment,Category,Severity\n1,Style,Minor\n2,,\n"
    with pytest.raises(FormatError, match=r"use --format-of A\.csv=mqm:system=A$"):
        read_file(data, "A.csv", "judgments")
    assert placed(data, system="A") == {"A": -0.5}


def test_unlisted_segments_of_several_judges_are_refused() -> None:
    data = b"system,segment,rater,category,severity\nA,1,x,Style,Minor\nA,2,y,Style,Minor\n"
    with pytest.raises(
        FormatError, match=r"^lqa\.csv: several judges of A found where segments without errors have no row"
    ):
        read_file(data, "lqa.csv", "judgments", format="mqm", own={"unlisted": "no-error"})
    with pytest.raises(FormatError, match=r"^lqa\.csv: unlisted 'x' found, no-error or unrated expected$"):
        read_file(data, "lqa.csv", "judgments", format="mqm", own={"unlisted": "x"})
