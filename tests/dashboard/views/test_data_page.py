"""The Data page without a browser: what was recognised is said aloud, and can be overruled."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pages import said
from sacrebleu.metrics.bleu import BLEU
from streamlit.testing.v1 import AppTest
from wmt_files import shared_task

APP = Path(__file__).parents[3] / "dashboard" / "app.py"

REFERENCE = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEM = b"the cat sat on a mat\nit was a fine day in the park\nwe all went home by night\n"

MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "ours\td\t1\t1\tr1\t\t\tStyle/Awkward\tMajor\n"
    "ours\td\t2\t2\tr1\t\t\tNo-error\tno-error\n"
    "ghost\td\t2\t2\tr1\t\t\tNo-error\tno-error\n"
)
COMET = "segment,system,metric,score\n1,ours,COMET,0.5\n2,ours,COMET,0.25\n1,ghost,COMET,1\n"


def packed(*pairs: str, more: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """A test set of three segments in each language pair."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for pair in pairs:
            archive.writestr(f"set/sources/{pair}.txt", b"a\nb\nc\n")
            archive.writestr(f"set/references/{pair}.refA.txt", REFERENCE)
            archive.writestr(f"set/system-outputs/{pair}/sys-{pair}.txt", SYSTEM)
            archive.writestr(f"set/system-outputs/{pair}/refA.txt", REFERENCE)
            archive.writestr(f"set/documents/{pair}.docs", b"news\td1\nnews\td1\nnews\td2\n")
            archive.writestr(f"set/human-scores/{pair}.mqm.seg.score", f"sys-{pair}\t-1\n" * 3)
            archive.writestr(f"set/metric-scores/{pair}/M-refA.sys.score", f"sys-{pair}\t0.5\n")
        for name, content in more.items():
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The Data page of a new session."""
    monkeypatch.setattr("sys.argv", ["app.py"])
    return data_page()


def data_page() -> AppTest:
    """The Data page, of the files named on the command line."""
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    pages: dict[str, Any] = vars(app)["_registered_pages"]
    vars(app)["_page_hash"] = next(h for h, found in pages.items() if found.get("url_pathname") == "data")
    return app.run()


def upload(page: AppTest, **files: str | bytes) -> AppTest:
    """Drop files; the last underscore of a name stands for a dot."""
    given = [(".".join(name.rsplit("_", 1)), data) for name, data in files.items()]
    texts = [(name, data.encode() if isinstance(data, str) else data, "text/plain") for name, data in given]
    page.file_uploader[0].set_value(texts).run()
    assert not page.exception
    return page


def column(page: AppTest, name: str) -> list[Any]:
    return next(table.value for table in page.dataframe if name in table.value)[name].tolist()


def select(page: AppTest, row: int) -> AppTest:
    """Select a file in the table; AppTest cannot click on a row."""
    page.session_state["selected_file"] = row
    return page.run()


def box(page: AppTest, label: str) -> Any:
    boxes = [*page.selectbox, *page.text_input, *page.toggle, *page.multiselect, *page.number_input, *page.button]
    return next(found for found in boxes if found.label == label)


def test_a_text_can_be_read_as_a_table_and_a_table_as_text(page: AppTest) -> None:
    upload(page, ours_csv=b"a, b\nc, d\n")
    assert column(page, "names") == ["ours.1, ours.2"]
    select(page, 0)
    format_box = box(page, "Format")
    assert format_box.options == [
        "as recognised",
        "text, one segment per line",
        "table of texts",
        "subtitles",
        "table below a title",
        "JSON lines",
        "documents of WMT (JSON lines)",
    ]
    format_box.set_value("text").run()
    assert column(page, "names") == ["ours"]
    assert "Read as text, one segment per line · encoding UTF-8" in said(page)


def test_a_language_of_a_translation_memory_is_chosen(page: AppTest) -> None:
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{n}</seg></tuv><tuv xml:lang="de"><seg>eins {n}</seg></tuv>'
        f'<tuv xml:lang="fr"><seg>un deux {n}</seg></tuv></tu>'
        for n in range(3)
    )
    upload(page, a_tmx=f'<tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>'.encode())
    text = said(select(page, 0))
    assert "Read as TMX · encoding UTF-8" in text
    assert "translations into de are used; the option target chooses another language of this file: fr" in text
    box(page, "Language of the translation").set_value("fr").run()
    assert not page.exception
    assert "translations into de" not in said(page)


def test_formats_are_said_aloud_and_what_is_not_counted_is_listed_once(page: AppTest) -> None:
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, errors_tsv=MQM, comet_csv=COMET)
    assert column(page, "type") == ["reference", "system", "judgments", "metric scores"]
    assert column(page, "status") == ["in use", "in use", "in use, 1 warning", "in use, 2 warnings"]
    assert column(page, "names") == ["ref", "ours", "", "COMET"]
    assert column(page, "ratings")[2:] == [3, 3]
    assert "In use: 1 system, 1 reference, 3 segments, 2 ratings by 1 judge, 1 metric (COMET)" in said(page)
    assert not page.warning
    text = said(select(page, 2))
    assert "Read as Google MQM (TSV) · encoding UTF-8" in text
    assert text.count("1 row not used (line 4): ghost is not loaded as a system") == 1
    text = said(select(page, 3))
    assert "Read as metric scores, one per row · encoding UTF-8" in text
    assert text.count("1 score of COMET is not used: no output of ghost is loaded") == 1
    assert text.count("COMET: 1 of 4 scores missing") == 1
    assert not page.error


def test_the_language_pairs_of_an_archive_are_test_sets(page: AppTest) -> None:
    upload(page, wmt_zip=packed("aa-bb", "xx-yy"))
    assert "1 file was divided into 2 test sets by language pair: aa-bb, xx-yy" in said(page)
    assert column(page, "type") == ["archive"]
    assert "Read as mt-metrics-eval directory, aa-bb" in said(select(page, 0))
    counts = "2 systems, 1 reference, 3 segments, 2 documents, 3 segment scores (judges not named), 1 metric (M-refA)"
    assert f"In use: {counts}" in said(page)
    assert "sys-aa-bb" in column(page, "names")[0]
    page.selectbox(key="shown_set").set_value("xx-yy").run()
    assert "Read as mt-metrics-eval directory, xx-yy" in said(select(page, 0))
    assert "sys-xx-yy" in column(page, "names")[0]
    box(page, "Human translators").set_value(["refA"]).run()
    assert [file.human_names for file in page.session_state["held"].files] == [(), ("refA",)]
    assert not page.exception


def test_one_of_an_archives_human_scores_can_be_chosen(page: AppTest) -> None:
    more = {f"set/human-scores/{pair}.da.sys.score": f"sys-{pair}\t70\n" for pair in ("aa-bb",)}
    upload(page, wmt_zip=packed("aa-bb", more=more))
    assert box(select(page, 0), "Human scores").options == ["default (mqm)", "mqm", "da"]
    assert "3 segment scores (judges not named)" in said(page)
    box(page, "Human scores").set_value("da").run()
    assert "1 system score (judges not named)" in said(page)
    assert "human scores in use: da; available: da, mqm" in said(page)


def test_the_ratings_chosen_in_the_header_stay_while_the_file_is_open_below(page: AppTest) -> None:
    more = {"set/human-scores/aa-bb.da.sys.score": "sys-aa-bb\t70\n"}
    upload(page, wmt_zip=packed("aa-bb", more=more))
    select(page, 0)
    for chosen in ("da", "mqm"):
        box(page, r"Ratings of wmt\.zip").set_value(chosen).run()
        for _ in range(2):
            assert page.session_state["held"].files[0].human_scores == chosen
            assert box(page, "Human scores").value == chosen
            page.run()


#: Attributes of a file, changed elsewhere -> the box of the editor that shows them, and what it then shows.
CHANGED_ELSEWHERE: dict[str, tuple[object, str, object]] = {
    "encoding": ("latin-1", "Encoding", "latin-1"),
    "first_segment": (0, "First segment", 0),
    "renamed": ("other", "Name", "other"),
    "human": (True, "Human translator", True),
    "format": ("text", "Format", "text"),
    "lower_is_better": (("COMET",), "Lower is better", True),
}


@pytest.mark.parametrize("attribute", CHANGED_ELSEWHERE)
def test_what_is_changed_elsewhere_is_not_undone_by_the_open_file(page: AppTest, attribute: str) -> None:
    is_score = attribute in ("first_segment", "lower_is_better")
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, one_csv=COMET)
    position = 2 if is_score else 1
    select(page, position)
    value, label, shown = CHANGED_ELSEWHERE[attribute]
    held = page.session_state["held"]
    files = list(held.files)
    files[position] = replace(files[position], **{attribute: value})
    held.files = tuple(files)
    page.run()
    assert not page.exception
    assert getattr(page.session_state["held"].files[position], attribute) == value
    assert box(page, label).value == shown


def test_a_folder_is_taken_for_an_archive(page: AppTest) -> None:
    page.segmented_control(key="upload_role").set_value("Folder").run()
    with zipfile.ZipFile(io.BytesIO(packed("aa-bb"))) as archive:
        inside = [(name, archive.read(name), "text/plain") for name in archive.namelist()]
    page.file_uploader[0].set_value(inside).run()
    assert (column(page, "file"), column(page, "type")) == (["set"], ["archive"])
    assert (
        "2 systems, 1 reference, 3 segments, 2 documents, 3 segment scores (judges not named), 1 metric (M-refA)"
        in said(page)
    )
    page.file_uploader[0].set_value([("aa-bb.txt", b"x", "text/plain")]).run()
    assert "aa-bb.txt: 1 file arrived without a folder" in said(page)
    assert column(page, "file") == ["set"]
    page.segmented_control(key="upload_role").set_value("Recognise by name and content").run()
    upload(page, b_zip=packed("aa-bb"))
    assert column(page, "file") == ["set", "b.zip"]
    assert not page.exception


def weights(page: AppTest) -> list[Any]:
    """The boxes for numbers, without that of the slice."""
    return [box for box in page.number_input if box.key != "condition_number"]


def test_what_errors_cost_can_be_changed_and_restored(page: AppTest) -> None:
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, errors_tsv=MQM)
    assert not weights(page)
    select(page, 2)
    assert [(b.label, b.value) for b in weights(page)] == [
        ("Critical", 25),
        ("Major", 5),
        ("Minor", 1),
        ("Minor, punctuation", 0.1),
        ("Major, non-translation", 25),
        ("Neutral", 0),
        ("Any other severity", 0),
    ]
    digest = page.query_params["data"]
    box(page, "Major").set_value(8.0).run()
    assert page.session_state["held"].files[2].weights.major == 8
    assert "MQM weights: major 8 instead of 5" in said(page)
    assert page.query_params["data"] != digest
    page.button(key="published-weights").click().run()
    assert "MQM weights" not in said(page)
    assert (box(page, "Major").value, page.query_params["data"]) == (5, digest)
    assert page.button(key="published-weights").disabled
    box(page, "Format").set_value("ratings").run()  # which it is not, and has no weights
    assert not weights(page)
    assert not page.exception


def test_marked_errors_are_counted_and_those_without_a_place_are_named(page: AppTest) -> None:
    rows = (
        "ours\td\t1\t1\tr1\tx\tthe cat <v>sat</v> on a mat\tFluency/Grammar\tMajor\n",
        "ours\td\t1\t1\tr1\tx\tthe cat <v>sat on a mat\t**bold** <b>$x$\tMinor\n",
    )
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, errors_tsv="".join((MQM, *rows)))
    select(page, 2)
    counts = "3 errors in 2 annotated items: 1 placed in the texts, 1 without a mark in a text, 1 without a place"
    assert counts in said(page)
    assert "1 error kept without its place (first: line 6): the tags <v> and </v> in its text do not pair" in said(page)


def test_a_metric_can_be_said_to_be_better_when_lower(page: AppTest) -> None:
    two = COMET + "1,ours,TER,60\n"
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, one_csv=COMET, two_csv=two.replace("COMET", "CHRF"))
    assert "TER: lower is assumed to be better because of the name" in said(select(page, 3))
    select(page, 2)
    box(page, "Lower is better").set_value(True).run()
    assert page.session_state["held"].files[2].lower_is_better == ("COMET",)
    select(page, 3)
    assert (box(page, "Lower is better").options, box(page, "Lower is better").value) == (["CHRF", "TER"], ["TER"])
    box(page, "Lower is better").set_value([]).run()
    assert page.session_state["held"].files[3].lower_is_better == ()
    assert "lower is assumed" not in said(page)
    assert not page.exception


def test_some_systems_of_a_table_can_be_human(page: AppTest) -> None:
    rows = b"".join(b"%s\t%s\n" % pair for pair in zip(SYSTEM.splitlines(), REFERENCE.splitlines(), strict=True))
    upload(page, ref_txt=b"a\nb\nc\n", all_tsv=b"me\tyou\n" + rows)
    select(page, 1)
    assert box(page, "Human translators").options == ["me", "you"]
    box(page, "Human translators").set_value(["you"]).run()
    assert page.session_state["held"].files[1].human_names == ("you",)
    box(page, "Human translators").set_value([]).run()
    assert page.session_state["held"].files[1].human_names == ()


@pytest.mark.parametrize("clicks", [["C", "A"], ["C", "B", "A"]])
def test_human_translators_can_be_chosen_in_any_order(page: AppTest, clicks: list[str]) -> None:
    rows = "".join(f"{line}\t{line} too\t{line} and so on\n" for line in SYSTEM.decode().splitlines())
    upload(page, ref_txt=REFERENCE, all_tsv=f"A\tB\tC\n{rows}")
    select(page, 1)
    box(page, "Human translators").set_value(clicks).run()
    assert not page.exception
    assert page.session_state["held"].files[1].human_names == tuple(sorted(clicks))
    assert box(page, "Human translators").value == sorted(clicks)


def test_metrics_that_are_better_when_lower_can_be_chosen_in_any_order(page: AppTest) -> None:
    scores = "".join(f"1,ours,{name},1\n" for name in ("alpha", "beta", "gamma"))
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, three_csv=f"segment,system,metric,score\n{scores}")
    select(page, 2)
    box(page, "Lower is better").set_value(["gamma", "alpha"]).run()
    assert not page.exception
    assert page.session_state["held"].files[2].lower_is_better == ("alpha", "gamma")
    assert box(page, "Lower is better").value == ["alpha", "gamma"]


def test_an_archive_named_at_the_start_is_opened(
    page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del page
    with zipfile.ZipFile(io.BytesIO(packed("aa-bb"))) as archive:
        archive.extractall(tmp_path)
    scores = tmp_path / "comet.csv"
    scores.write_text(COMET.replace("ours", "sys-aa-bb"), encoding="utf-8")
    call = ["--archive", str(tmp_path / "set"), "--metric-scores", str(scores), "--human-system", "refA"]
    monkeypatch.setattr("sys.argv", ["app.py", *call])
    started = data_page()
    assert (column(started, "file"), column(started, "type")) == (["comet.csv", "set"], ["metric scores", "archive"])
    assert "2 metrics (COMET, M-refA)" in said(started)
    assert started.session_state["held"].files[1].human_names == ("refA",)


def test_a_wrong_guess_can_be_overruled_and_taken_back(page: AppTest) -> None:
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, h_csv=COMET.replace("metric", "judge"))
    select(page, 2)
    assert box(page, "Format").options[:3] == ["as recognised", "ratings, one per row", "Google MQM (TSV)"]
    box(page, "Format").set_value("mqm").run()
    assert "h.csv" in page.error[0].value.replace("\\", "")
    assert column(page, "status")[2] == "not used"
    box(page, "Format").set_value("").run()
    assert not page.error
    box(page, "Format").set_value("mqm").run()
    box(page, "Type").set_value("scores").run()  # which have formats of their own
    assert not page.error
    assert column(page, "type")[2] == "metric scores"
    assert box(page, "Format").value == ""


def test_a_zip_of_other_files_adds_them_and_what_was_loaded_stays(page: AppTest) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("engines/**b**.txt", SYSTEM)
        archive.writestr("engines/short.txt", "x\n")
        archive.writestr("engines/report.docx", "x")
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, other_zip=stream.getvalue())
    assert column(page, "file") == ["ref.txt", "ours.txt", "**b**.txt", "report.docx", "short.txt"]
    assert column(page, "status")[:2] == ["in use", "in use"]
    assert column(page, "status")[3:] == ["not used", "not used"]
    assert "Not used: short.txt has 1 line" in said(page)


def test_ratings_of_several_language_pairs_can_be_told_which(page: AppTest) -> None:
    line = {"system": "ours", "line_id": 1, "doc_id": "d", "esa_score": "80", "esa_spans": [], "annotator": "x"}
    rows = "".join(json.dumps({**line, "langs": pair}) + "\n" for pair in ("en-cs", "en-de"))
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, esa_jsonl=rows)
    select(page, 2)
    assert "Read as ESA (JSONL), en-cs" in said(page)
    assert "another language pair, en-de" in said(page)
    box(page, "Language pair").set_value("en-de").run()
    assert "Read as ESA (JSONL), en-de" in said(page)
    box(page, "Language pair").set_value("en-xx").run()
    assert "no language pair en-xx; choose one of en-cs, en-de" in said(page)
    box(page, "Language pair").set_value("").run()
    assert not page.error


def test_a_folder_that_fails_for_a_reason_nobody_expected_does_not_keep_the_session_from_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_: Path, **__: object) -> bytes:
        raise RecursionError

    monkeypatch.setattr("dashboard.session.files.pack_folder", failing)
    monkeypatch.setattr("sys.argv", ["app.py", "--archive", str(tmp_path)])
    page = data_page()
    assert f"{tmp_path.name}: cannot be used because of an unexpected error (RecursionError)" in said(page)
    assert not page.exception
    assert caplog.records
    caplog.clear()


def test_scores_that_sacrebleu_printed_are_compared_with_those_computed_here(page: AppTest) -> None:
    def printed(scorer: BLEU) -> str:
        texts = SYSTEM.decode().splitlines(), [REFERENCE.decode().splitlines()]
        return scorer.corpus_score(*texts).format(2, False, str(scorer.get_signature()), True)  # noqa: FBT003

    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, ours_json=printed(BLEU()))
    assert "1 of 1 scores in ours.json equals the one computed here in all printed digits" in said(page)
    upload(page, bleu_json=printed(BLEU(tokenize="char")))
    assert "bleu.json: the scores of BLEU are for bleu, but the systems loaded are ours" in said(page)
    select(page, 2)
    box(page, "Remove").click().run()
    select(page, 2)
    box(page, "System").set_value("ours").run()
    assert "0 of 1 scores in bleu.json equal those computed here in all printed digits" in said(page)
    (table,) = (found.value for found in page.dataframe if "verdict" in found.value)
    assert table["explanation"].tolist() == ["the file has tok:char; the score here has tok:13a"]


def in_use(page: AppTest) -> str:
    """What the line above the page names."""
    (shown,) = [block.proto.popover.label for block in page.get("popover") if "My files" in block.proto.popover.label]
    return shown.replace("\\", "").replace("\u2060", "")


def test_the_language_pairs_of_documents_of_wmt_are_test_sets_and_can_be_split(page: AppTest) -> None:
    task = shared_task()
    test, a, b = task.test_set, task.of_systems["A"], task.of_systems["B"]
    page.file_uploader[0].set_value(
        [("t.jsonl", test, "text/plain"), ("A.jsonl", a, "text/plain"), ("B.jsonl", b, "text/plain")]
    ).run()
    pairs = ["eng_Latn-isl_Latn", "eng_Latn-ces_Latn", "ces_Latn-deu_Latn"]
    assert page.selectbox(key="shown_set").options == pairs
    assert f"3 files were divided into 3 test sets by language pair: {', '.join(pairs)}" in said(page)
    page.selectbox(key="shown_set").set_value("ces_Latn-deu_Latn").run()
    assert column(page, "type") == ["archive", "system", "system"]
    assert "Not used" not in said(page)
    assert "In use: 2 systems, 1 reference, 11 segments, 11 documents" in said(page)
    select(page, 0)
    box(page, "Segments").set_value("paragraphs").run()
    assert "In use: 2 systems, 1 reference, 26 segments, 11 documents" in said(page)
    assert "1 of 12 documents not split" in said(page)


def test_one_of_the_language_pairs_of_a_table_can_be_chosen(page: AppTest) -> None:
    rows = "".join(f"{pair},a cat {n} sat,the cat {n} sat\n" for pair in ("en-de", "en-cs") for n in range(4))
    upload(page, comet_csv=f"lp,mt,ref\n{rows}")
    select(page, 0)
    assert "2 language pairs in one table (en-de, en-cs)" in said(page)
    assert box(page, "Language pair").options == ["all", "en-de", "en-cs"]
    box(page, "Language pair").set_value("en-cs").run()
    assert "In use: 1 system, 1 reference, 4 segments" in said(page)
    assert "language pairs in one table" not in said(page)


def test_files_about_the_others_in_a_zip_are_named(page: AppTest) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in (("references/r.txt", REFERENCE), ("systems/s.txt", SYSTEM), ("README.md", b"About.")):
            archive.writestr(name, data)
    page.file_uploader[0].set_value([("job.zip", stream.getvalue(), "application/zip")]).run()
    assert column(page, "file") == ["r.txt", "s.txt"]
    assert "job.zip: descriptions, backups and programs not used: README.md" in said(page)
    upload(page, more_txt=SYSTEM)
    assert "not used: README.md" not in said(page)


def test_an_ignored_copy_is_not_in_use(page: AppTest) -> None:
    documents = "doc\tseg_id\n" + "".join(f"d\t{n}\n" for n in (1, 2, 3))
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, docs_txt="d\nd\nd\n", segments_tsv=documents)
    assert column(page, "status") == ["in use", "in use", "in use", "ignored (copy)"]
    assert column(page, "type")[2:] == ["documents", "documents"]
    assert "This file is ignored" in said(select(page, 3))


def test_warnings_are_read_without_opening_a_file(page: AppTest) -> None:
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, copy_txt=SYSTEM, errors_tsv=MQM)
    warnings = [f"- **{name}**: " for name in ("copy.txt", "errors.tsv")]
    assert [expander.label for expander in page.expander if "warning" in expander.label] == ["2 warnings about 2 files"]
    assert all(warning in said(page) for warning in warnings)
    text = said(select(page, 2))
    assert "1 warning about 1 file" in [expander.label for expander in page.expander]
    assert warnings[0] not in text  # it stands in the form of the file
    assert text.count("copy is identical to the system ours") == 1


def test_ratings_of_other_texts_are_refused_alone(page: AppTest) -> None:
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    others = "".join(f"ours\td\t1\t{n}\tr1\tein Satz\ta <v>sentence</v> {n}\tStyle\tMajor\n" for n in (1, 2, 3))
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM, others_tsv=header + others, comet_csv=COMET)
    statuses = dict(zip(column(page, "file"), column(page, "status"), strict=True))
    assert not statuses.pop("others.tsv").startswith("in use")
    assert all(status.startswith("in use") for status in statuses.values())
    assert "In use: 1 system, 1 reference, 3 segments" in said(page)
    assert "rating" not in next(text for text in said(page).split("\n") if text.startswith("In use: 1 system"))
    assert "others.tsv: its segment numbers are not those of the texts: 0 of 3 rated texts" in said(
        select(page, column(page, "file").index("others.tsv"))
    )


def test_a_file_is_closed_again(page: AppTest) -> None:
    upload(page, ref_txt=REFERENCE, ours_txt=SYSTEM)
    select(page, 1)
    assert "Edit ours.txt" in said(page)
    box(page, "Close").click().run()
    assert "Edit ours.txt" not in said(page)
    assert page.session_state["selected_file"] is None
