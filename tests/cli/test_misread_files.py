"""Files like those that people have reported as misread by such tools: each gives the right value, or a message.

The right values come from sacreBLEU, Python's csv, GNU gettext and calculations by hand. The files are in `misread/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Run, Runner, Writer

import sample_data

MISREAD = Path(__file__).parent / "misread"
Caller = Callable[..., Run]


@pytest.fixture
def within(run: Runner, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Caller]:
    """`within("json-array")("score", "--ref", "r.txt")`: a command in that folder."""

    def folder(name: str) -> Caller:
        monkeypatch.chdir(MISREAD / name)
        return run

    return folder


def scored(run: Caller, *arguments: str) -> dict[str, float]:
    """BLEU of each system."""
    found = run("score", "--format", "json", *arguments).json
    return {row["system"]: row["bleu"] for row in found["systems"]}


def rated(run: Caller, *arguments: str) -> list[float]:
    """The human score of each system."""
    found = run("correlate", "--format", "json", *arguments).json
    return [row["human"] for row in found["systems"]]


SYSTEMS = [f"S{i}.txt" for i in range(6)]


@pytest.mark.parametrize(("reference", "system"), [("ref.csv", "sys.csv"), ("ref_num.csv", "sys_num.csv")])
def test_headers_as_people_write_them_are_no_segments(
    within: Callable[[str], Caller], reference: str, system: str
) -> None:
    found = within("header-row-scored-as-text")("score", "--format", "json", "--ref", reference, system).json
    assert found["segments"] == 3
    assert found["systems"][0]["bleu"] == pytest.approx(72.0329, abs=1e-4)


def test_other_columns_of_a_reference_table_are_no_references(within: Callable[[str], Caller]) -> None:
    run = within("ref-table-extra-columns-become-references")
    for reference in ("ref.txt", "ref_comment.csv"):
        assert scored(run, "--ref", reference, "A.txt") == {"A": pytest.approx(48.0933, abs=1e-4)}
    found = run("score", "--format", "json", "--ref", "wmt25_style.jsonl", "SysA.jsonl").json
    assert found["references"] == ["refA"]
    assert [row["system"] for row in found["systems"]] == ["SysA"]


@pytest.mark.parametrize("name", ["excel_tab.tsv", "tabs.csv", "excel_unicode_text.txt"])
def test_quotation_marks_of_excel_are_no_text(within: Callable[[str], Caller], name: str) -> None:
    options = ["--format-of", f"{name}=table"] if name.endswith(".txt") else []
    found = scored(within("excel-quoting-in-tab-delimited"), "--ref", "ref.txt", *options, name)
    assert found == {"sysA": pytest.approx(100), "sysB": pytest.approx(61.8, abs=0.01)}


@pytest.mark.parametrize(("weight", "first", "last"), [(None, -7.5, -38.7), (5, -1.5, -8.7), (10, -3.0, -16.2)])
def test_critical_errors_have_a_weight_which_a_warning_names(
    within: Callable[[str], Caller], weight: int | None, first: float, last: float
) -> None:
    weights = [] if weight is None else ["--mqm-weights", f"critical={weight}"]
    run = within("mqm-critical-counts-zero-silently")
    found = run("correlate", "--format", "json", "--ref", "ref.txt", "--human", "mqm.tsv", *weights, *SYSTEMS).json
    human = [row["human"] for row in found["systems"]]
    assert (human[0], human[-1]) == (pytest.approx(first), pytest.approx(last))
    assert f"mqm.tsv: 59 critical errors: weight {weight or 25}" in found["warnings"]


@pytest.mark.parametrize("kind", ["srt", "vtt"])
def test_subtitles_are_their_cues(within: Callable[[str], Caller], kind: str) -> None:
    found = within("subtitles-and-resource-files-scored-as-text")(
        "score", "--format", "json", "--ref", f"ref_{kind}.{kind}", f"hyp_{kind}.{kind}"
    ).json
    assert (found["segments"], found["systems"][0]["bleu"]) == (3, 0)


@pytest.mark.parametrize(
    "name", ["android.xml", "resx.resx", "qt.ts", "json.json", "properties.properties", "strings.strings", "yml.yml"]
)
def test_files_of_texts_with_keys_are_refused(within: Callable[[str], Caller], name: str) -> None:
    kind = name.partition(".")[0]
    run = within("subtitles-and-resource-files-scored-as-text")
    result = run("score", "--ref", f"ref_{name}", f"hyp_{kind}{Path(name).suffix}")
    assert_refused(result, f"ref_{name}", "which cannot be read; export XLIFF, TMX or PO")


def test_html_is_refused(within: Callable[[str], Caller]) -> None:
    run = within("subtitles-and-resource-files-scored-as-text")
    assert_refused(run("score", "--ref", "ref_html.html", "hyp_html.html"), "HTML found, which cannot be read")


def test_blanks_around_document_ids_make_no_further_documents(within: Callable[[str], Caller]) -> None:
    run = within("document-ids-with-trailing-blanks")
    call = ("compare", "--format", "json", "--documents", "docs.txt", "--ref", "ref.txt", "A.txt", "B.txt")
    assert run(*call).json["units"] == 8


def test_bytes_in_octal_of_po_are_letters(within: Callable[[str], Caller]) -> None:
    assert scored(within("po-octal-escapes"), "--ref", "ref.txt", "octal.po") == {"octal": pytest.approx(100)}


def test_versions_after_a_dot_stay_in_names(within: Callable[[str], Caller]) -> None:
    run = within("version-after-last-dot-cut-from-names")
    assert set(scored(run, "--ref", "ref.0", "gpt-4.1", "gpt-4.0")) == {"gpt-4.1", "gpt-4.0"}
    assert set(scored(run, "--ref", "ref.0", "model.iter1000", "model.iter2000")) == {
        "model.iter1000",
        "model.iter2000",
    }
    found = run("score", "--format", "json", "--ref", "ref.0", "--ref", "ref.1", "gpt-4.1").json
    assert found["references"] == ["ref.0", "ref.1"]


def test_whole_numbers_of_segments_may_have_a_decimal_point(within: Callable[[str], Caller]) -> None:
    human = rated(within("segment-numbers-as-floats"), "--ref", "r40.txt", "--human", "ratings.csv", *SYSTEMS)
    assert human == pytest.approx([53, 48, 43, 38, 33, 28])


def test_blank_lines_and_missing_scores_of_esa(within: Callable[[str], Caller]) -> None:
    run = within("esa-blank-line-and-missing-key")
    human = rated(run, "--ref", "ref.txt", "--human", "esa_trail.jsonl", *SYSTEMS)
    assert human == pytest.approx([88.8, 74.4, 62.3, 51.2, 35.9, 25.2])
    found = run("correlate", "--format", "json", "--ref", "ref.txt", "--human", "esa_noscore.jsonl", *SYSTEMS).json
    assert any("6 rows not used" in warning for warning in found["warnings"])


def test_json_arrays_are_tables(within: Callable[[str], Caller]) -> None:
    run = within("json-array")
    human = rated(run, "--ref", "r40.txt", "--human", "ratings.json", *SYSTEMS)
    assert human == pytest.approx([53, 48, 43, 38, 33, 28])
    assert scored(run, "--columns", "reference=reference,A=system", "texts.json") == {
        "A": pytest.approx(88.55, abs=0.01)
    }


@pytest.mark.parametrize("name", ["windows_files.zip", "readme.zip"])
def test_companions_in_an_archive_are_left_out(within: Callable[[str], Caller], name: str) -> None:
    found = scored(within("zip-with-windows-files-and-readme"), "--archive", name)
    assert found == {"A": pytest.approx(68.93, abs=0.01), "B": pytest.approx(49.92, abs=0.01)}


def test_columns_of_numbers_are_no_systems(within: Callable[[str], Caller]) -> None:
    found = scored(within("number-columns-of-csv-become-systems"), "--ref", "ref.txt", "comet.csv")
    assert found == {"comet": pytest.approx(48.09, abs=0.01)}


def test_chosen_columns_leave_plain_texts_alone(within: Callable[[str], Caller]) -> None:
    run = within("columns-applied-to-plain-text")
    assert scored(run, "--columns", "reference=reference", "ref_comment.csv", "A.txt") == {
        "A": pytest.approx(48.09, abs=0.01)
    }


def test_nan_is_a_missing_score(within: Callable[[str], Caller]) -> None:
    call = ["--ref", "r40.txt", "--human", "ratings.csv", "--metric-scores", "comet_nan1.json", *SYSTEMS[:3]]
    found = within("comet-json-nan")("correlate", "--format", "json", *call).json
    warning, *others = found["warnings"]
    assert warning == "comet_nan1.json: COMET: 1 of 120 scores missing"
    assert all(other.startswith("Not comparable: ") for other in others)


def test_metricx_counts_errors(within: Callable[[str], Caller]) -> None:
    call = ["--ref", "r40.txt", "--human", "ratings.csv", "--metric-scores", "scores.csv", *SYSTEMS]
    found = within("metricx-lower-is-better")("correlate", "--format", "json", *call).json
    (metricx,) = [row for row in found["metrics"] if row["metric"] == "MetricX-24"]
    assert metricx["pearson"]["coefficient"] == pytest.approx(0.999, abs=0.001)


@pytest.mark.parametrize(
    ("add", "key"),
    [
        (lambda number, line: f"{number} {line}", "additions"),
        (lambda _, line: f'"{line}"', "additions"),
        (lambda _, line: f"__en__ {line}", "additions"),
        (lambda _, line: f"{line} </s>", "additions"),
        (lambda _, line: f"** {line} **", "additions"),
        (lambda _, line: line.replace("e", "é", 1).encode().decode("cp1252"), "damaged-characters"),
        (lambda _, line: line.replace("e", "\N{REPLACEMENT CHARACTER}", 1), "damaged-characters"),
        (lambda _, line: line.replace(",", "\N{FULLWIDTH COMMA}"), "damaged-characters"),
    ],
    ids=["numbers", "quoted", "language", "end", "bold", "mojibake", "replaced", "full-width"],
)
def test_additions_to_every_line_are_named(
    run: Runner, write: Writer, add: Callable[[int, str], str], key: str
) -> None:
    base, reference = next(iter(sample_data.systems())), next(iter(sample_data.references()))
    lines = base.read_text(encoding="utf-8").split("\n")[:300]
    texts = [reference.read_text(encoding="utf-8").split("\n")[:300], lines, [add(*each) for each in enumerate(lines)]]
    ref, system, changed = (write(f"{i}.txt", "\n".join(text) + "\n") for i, text in enumerate(texts))
    found = json.loads(run("check", "--format", "json", "--ref", ref, system, changed).out)["findings"]
    assert ["2"] in [finding["systems"] for finding in found if finding["key"] == key]


def test_empty_rows_and_blank_lines_of_a_csv_are_no_segments(within: Callable[[str], Caller]) -> None:
    run = within("empty-rows-at-the-end-of-csv")
    found = run("score", "--format", "json", "--columns", "reference=reference,A=system", "tr.csv").json
    assert (found["segments"], found["warnings"]) == (2, ["tr.csv: 3 empty rows at the end left out"])
    assert scored(run, "--columns", "reference=reference,A=system", "blank_line.csv") == {
        "A": pytest.approx(61.8, abs=0.01)
    }


def test_messages_say_what_was_expected(within: Callable[[str], Caller]) -> None:
    run = within("messages")
    result = run("correlate", "--ref", "ref.txt", "--human", "mqm_short.tsv", "S0.txt")
    assert_refused(result, "mqm_short.tsv, line 6: 7 cells found, 9 cells expected")
    assert_refused(run("score", "--ref", "ref4.txt", "noseg.tmx"), "noseg.tmx, line 1: tuv without seg")
    assert "There is 1 system;" in run("check", "--ref", "ref.txt", "S0.txt").out


def test_ter_of_text_without_blanks_has_a_warning(within: Callable[[str], Caller]) -> None:
    call = ("score", "--format", "json", "--metric", "ter", "--ref", "ref.txt", "hyp.txt")
    found = within("ter-of-chinese")(*call).json
    assert found["systems"][0]["score"] == pytest.approx(100)
    assert any("TER of Chinese or Japanese characters, --ter-asian-support" in warning for warning in found["warnings"])
    split = within("ter-of-chinese")(*call, "--ter-asian-support").json
    assert split["systems"][0]["score"] == pytest.approx(
        23.0769230769
    )  # sacrebleu --ter-normalized --ter-asian-support
    assert split["signature"].startswith("nrefs:1|case:lc|tok:tercom|norm:yes|punct:yes|asian:yes|version:")
    assert split["warnings"] == []
