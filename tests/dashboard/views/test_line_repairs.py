"""Files whose lines are not those of the others: found, shown, repaired, scored without what they lack, undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from conftest import Opener
from nightly import nightly
from pages import load, said, upload, visit, with_parameters
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.dataset import LineRepair
from bleu_core.results.encoding import to_json
from bleu_core.results.envelope import Envelope
from bleu_core.uploads import File
from dashboard import analysis
from dashboard.analysis import with_choices

FOLDER = Path(sample_data.__file__).parent
LOST = 117


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:-1]  # as segments end


TEXTS = {name: lines(f"systems/{name}.txt") for name in ("S1", "S2", "S3")}
REFERENCE = lines("references/R1.txt")
#: S2 lacks a line.
SHORT = [*TEXTS["S2"][: LOST - 1], *TEXTS["S2"][LOST:]]


def packed(texts: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in texts).encode()


def loaded(app: AppTest, second: list[str]) -> AppTest:
    """The Data page with three systems and a reference."""
    files = {"S1": TEXTS["S1"], "S2": second, "S3": TEXTS["S3"]}
    load(app, *((f"{name}.txt", packed(text)) for name, text in files.items()), ("ref.txt", packed(REFERENCE)))
    return visit(app, "data")


def frame(app: AppTest, column: str) -> Any:
    return next(one.value for one in app.dataframe if column in one.value)


def bleu(app: AppTest) -> dict[str, float]:
    found = frame(visit(app, "ranking/scores"), "bleu")
    scored = found[found["bleu"].notna()]
    return dict(zip(scored["system"], scored["bleu"], strict=True))


def expected(second: list[str], rows: list[int]) -> dict[str, float]:
    texts = {"S1": TEXTS["S1"], "S2": second, "S3": TEXTS["S3"]}
    references = [[REFERENCE[n] for n in rows]]
    return {name: sacrebleu.corpus_bleu([text[n] for n in rows], references).score for name, text in texts.items()}


@pytest.fixture
def short(app: AppTest) -> AppTest:
    return loaded(app, SHORT)


@pytest.fixture
def repaired(short: AppTest) -> AppTest:
    return short.button(key="repair-1").click().run()


def test_a_lost_line_is_shown_between_its_neighbours(short: AppTest) -> None:
    assert "S2.txt has 499 lines, 1 fewer than the 3 other files (500)" in said(short)
    assert f"Line {LOST} is missing:" in said(short)
    rows = frame(short, "beside").to_dict("records")
    assert [row["segment"] for row in rows] == [LOST - 1, LOST, LOST + 1]
    assert [row["beside"] for row in rows] == REFERENCE[LOST - 2 : LOST + 1]
    assert [row["text"] for row in rows] == [TEXTS["S2"][LOST - 2], "", TEXTS["S2"][LOST]]
    assert [row["line"] for row in rows][::2] == [LOST - 1, LOST]


def test_without_a_click_nothing_is_repaired(short: AppTest) -> None:
    assert set(bleu(short)) == {"S1", "S3"}
    rows = frame(short, "bleu").set_index("system")
    assert rows["reason"].to_dict() == {"S1": "", "S3": "", "S2": "no score: the file has 499 lines, 500 expected"}


def test_a_segment_that_a_file_lacks_is_left_out_for_all_systems(repaired: AppTest) -> None:
    assert not repaired.error
    assert f"Repaired S2.txt: line {LOST} is missing: an empty segment was put in its place." in said(repaired)
    assert "1 of 500 segments is excluded because S2.txt lacks it. A switch in the sidebar" in said(repaired)
    rows = [n for n in range(500) if n != LOST - 1]
    assert bleu(repaired) == pytest.approx(expected(TEXTS["S2"], rows))
    assert "499 of 500 segments" in [block.proto.popover.label for block in repaired.get("popover")]


def test_a_switch_scores_it_as_empty(repaired: AppTest) -> None:
    repaired.toggle(key="score_missing").set_value(True).run()
    assert "Segments that S2.txt lacks are scored as empty. A switch in the sidebar" in said(repaired)
    with_gap = [*TEXTS["S2"][: LOST - 1], "", *TEXTS["S2"][LOST:]]
    assert bleu(repaired) == pytest.approx(expected(with_gap, list(range(500))))


def test_a_repair_can_be_undone(repaired: AppTest) -> None:
    repaired.button(key="undo-repairs-1").click().run()
    assert f"Line {LOST} is missing:" in said(repaired)
    assert set(bleu(repaired)) == {"S1", "S3"}


@pytest.mark.parametrize("path", ["segments", *nightly(["", "two-systems", "data"])])
def test_thousands_of_segments_may_be_lacking(app: AppTest, path: str) -> None:
    texts = {name: [f"the {name} sat on {n % 7} mats of {n}" for n in range(4_000)] for name in ("ref", "full", "half")}
    texts["half"] = texts["half"][1::2]
    repairs = tuple(LineRepair("missing", line, 1) for line in range(1, 2_001))
    files = {name: File(f"{name}.txt", packed(text), "system") for name, text in texts.items()}
    files["ref"] = replace(files["ref"], role="reference")
    files["half"] = replace(files["half"], repairs=repairs)
    visit(load(app, *files.values()), path)
    assert (app.exception, app.error) == ([], [])
    assert "2,000 of 4,000 segments" in [block.proto.popover.label for block in app.get("popover")]
    assert "2,000 of 4,000 segments are excluded because half.txt lacks them." in said(app)


def test_repairs_stand_beside_the_signature_and_in_what_is_quoted(repaired: AppTest) -> None:
    visit(repaired, "ranking/pairs")
    assert "Repaired: S2.txt (1 place)" in said(repaired)
    quoted = [block.value for block in repaired.code if "Systems were compared" in block.value]
    assert quoted[0].endswith(
        f"1 of 500 segments is excluded because S2.txt lacks it. Repaired S2.txt: line {LOST} is missing: an empty "
        "segment was put in its place."
    )


def test_a_shift_is_found_where_the_number_of_lines_is_right(app: AppTest) -> None:
    loaded(app, [*SHORT, "The end."])
    assert not app.error
    visit(app, "")
    assert "S2 scores very low. Check whether its lines are out of line with the other files." in said(app)
    visit(app, "data").button(key="check-lines").click().run()
    assert f"Lines {LOST} to " in said(app)
    assert "are shifted:" in said(app)
    app.button(key="repair-1").click().run()
    rows = [n for n in range(500) if n != LOST - 1]
    found, wanted = bleu(app), expected(TEXTS["S2"], rows)
    assert (found["S1"], found["S3"]) == pytest.approx((wanted["S1"], wanted["S3"]))
    assert found["S2"] == pytest.approx(wanted["S2"], abs=0.1)  # which ends with a line that is not its own
    assert "scores very low" not in said(visit(app, ""))


def test_files_in_line_are_told_so(app: AppTest) -> None:
    loaded(app, TEXTS["S2"])
    app.button(key="check-lines").click().run()
    assert [block.value for block in app.success] == ["All 4 texts line up."]


def test_files_that_have_nothing_in_common_are_not_repaired(app: AppTest) -> None:
    loaded(app, [f"lorem{n} ipsum{n}" for n in range(480)])
    assert "S2.txt: the misaligned position could not be found." in said(app)
    assert not [button for button in app.button if (button.key or "").startswith("repair-")]


def test_the_json_of_a_page_has_the_repairs_and_the_slice(repaired: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def noted(report: Envelope, *choices: Any, **options: Any) -> Envelope:
        written.append(to_json(with_choices(report, *choices, **options)))
        return report

    monkeypatch.setattr(analysis, "with_choices", noted)
    visit(repaired, "ranking/pairs")
    report = written[0]
    assert report["repairs"] == [{"file": "S2.txt", "kind": "missing", "line": LOST, "lines": 1}]
    assert report["slice"] == {"expression": "", "segments": 499, "of": 500, "excluded": 1}
    assert report["segments"] == 499


def test_several_texts_of_one_file_are_shown_one_by_one_and_not_repaired(opened: Opener) -> None:
    rows = "".join(f"{a}\t{b}\n" for a, b in zip(SHORT, SHORT, strict=True))
    table = f"T1\tT2\n{rows}".encode()
    files = {"S1": TEXTS["S1"], "S3": TEXTS["S3"], "ref": REFERENCE}
    app = upload(opened(""), *((f"{name}.txt", packed(text)) for name, text in files.items()), ("two.tsv", table))
    assert not app.exception
    assert said(app).count(f"Line {LOST} is missing:") == 2
    assert "two.tsv, T1" in said(app)
    assert said(app).count("This file has several texts, so its lines cannot be repaired here.") == 2


def test_the_overview_names_files_that_are_not_used_or_out_of_line(app: AppTest) -> None:
    loaded(app, SHORT)
    shifted = [*TEXTS["S3"][:300], *TEXTS["S3"][301:], "And so on."]
    upload(app, ("late.txt", packed(shifted)))
    assert "After the repair: line 301 is missing: an empty segment was put in its place;" in said(app)
    text = said(visit(app, ""))
    assert "S2.txt is not used. The Data page says why." in text
    assert "late is out of line with the other files, so its scores are too low." in text


def test_a_slice_outlasts_files_without_a_reference(app: AppTest) -> None:
    loaded(with_parameters(app, slice="not segment in 1-20"), TEXTS["S2"])
    position = next(i for i, file in enumerate(app.session_state["held"].files) if file.role == "reference")
    app.session_state["selected_file"] = position
    app.run()
    next(box for box in app.selectbox if box.label == "Type").set_value("system").run()
    visit(app, "ranking/scores")
    assert "cannot be used" not in said(app)
    visit(app, "data")
    next(box for box in app.selectbox if box.label == "Type").set_value("reference").run()
    assert "480 of 500 segments" in [block.proto.popover.label for block in visit(app, "ranking/scores").get("popover")]
