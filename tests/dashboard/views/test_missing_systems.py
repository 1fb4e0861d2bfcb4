"""Outputs in a zip or folder that cannot be used: named on the pages with the reason, and repaired one by one."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from conftest import Opener
from pages import said, upload, visit
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.project import SavedWorkspace, open_workspace, pack_workspace
from bleu_core.results.encoding import to_json
from dashboard import analysis
from dashboard.analysis import with_choices

FOLDER = Path(sample_data.__file__).parent
#: Segments, and the one that Short lacks.
SEGMENTS, LOST = 120, 41


def lines(path: str) -> list[bytes]:
    return (FOLDER / path).read_bytes().split(b"\n")[:SEGMENTS]


def text(of: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in of)


TEXTS = {name: lines(f"systems/{name}.txt") for name in ("S1", "S2", "S3")}
REFERENCE = lines("references/R1.txt")
SHORT = [*TEXTS["S2"][: LOST - 1], *TEXTS["S2"][LOST:]]
#: System -> its output.
OUTPUTS = {
    "Empty": b"",
    "Latin": b"caf\xe9\n" * SEGMENTS,
    "S1": text(TEXTS["S1"]),
    "S3": text(TEXTS["S3"]),
    "Short": text(SHORT),
    "Twice": text(TEXTS["S2"] * 2),
}
REASONS = {
    "Empty": "no score: the file is empty (0 lines, 120 expected)",
    "Latin": "no score: line 1: byte 0xE9 at offset 3 is not UTF-8; save the file as UTF-8 or name its encoding",
    "Short": "no score: the file has 119 lines, 120 expected",
    "Twice": "no score: the file has 240 lines, 120 expected",
}


def packed(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def files_of(pair: str, outputs: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a test set."""
    texts = {f"sources/{pair}.txt": text(REFERENCE), f"references/{pair}.refA.txt": text(REFERENCE)}
    return texts | {f"system-outputs/{pair}/{name}.txt": data for name, data in outputs.items()}


KINDS = {
    "test set": ("set.zip", packed({**files_of("xx-yy", OUTPUTS), **files_of("yy-xx", {"Other": text(REFERENCE)})})),
    "other files": (
        "job.zip",
        packed({"references/ref.txt": text(REFERENCE), **{f"systems/{n}.txt": data for n, data in OUTPUTS.items()}}),
    ),
}


@pytest.fixture(params=KINDS)
def loaded(request: pytest.FixtureRequest, app: AppTest) -> AppTest:
    return upload(app, KINDS[request.param])


@pytest.fixture
def archive(app: AppTest) -> AppTest:
    return upload(app, KINDS["test set"])


def scores(app: AppTest) -> dict[str, Any]:
    """The rows of the table on the page Scores, by system."""
    visit(app, "ranking/scores")
    assert not app.exception
    frame: Any = next(table.value for table in app.dataframe if "bleu" in table.value)
    return {row["system"]: row for row in frame.to_dict("records")}


def expected(hypothesis: list[bytes], rows: list[int]) -> float:
    given, wanted = ([line[n].decode() for n in rows] for line in (hypothesis, REFERENCE))
    return sacrebleu.corpus_bleu(given, [wanted]).score


def systems_box(app: AppTest) -> str:
    labels = (re.sub(r"\\(.)", r"\1", box.label).replace("\u2060", "") for box in app.expander)
    return next(label for label in labels if label.startswith("Systems: "))


def repair(app: AppTest, name: str) -> AppTest:
    return next(button for button in app.button if button.label == f"Repair {name}").click().run()


def test_each_bad_output_has_a_row_that_says_why_and_the_others_are_scored(loaded: AppTest) -> None:
    assert not loaded.exception
    found = scores(loaded)
    assert {name: row["reason"] for name, row in found.items() if row["reason"]} == REASONS
    assert list(found)[-4:] == list(REASONS)
    assert found["S1"]["bleu"] == pytest.approx(expected(TEXTS["S1"], list(range(SEGMENTS))))
    assert systems_box(loaded) == "Systems: 2 of 6; Empty, Latin and 2 more are missing"
    for name, reason in REASONS.items():  # in the sidebar, and below the table
        assert said(loaded).count(f"{name}: {reason}") == 2


def test_the_overview_says_once_what_is_not_used(archive: AppTest) -> None:
    assert "In use: 2 of 6 systems, 1 reference, 120 segments" in said(archive)
    shown = said(visit(archive, ""))
    assert shown.count("Short, Twice, Empty, Latin are not used. The Data page says why.") == 1
    assert shown.count("are not used") == 1


def test_the_data_page_says_what_is_wrong_with_each_output_of_a_test_set(archive: AppTest) -> None:
    assert len(archive.error) == 4
    assert "set.zip/system-outputs/xx-yy/Short.txt has 119 lines, 1 fewer than" in said(archive)
    assert "set.zip/system-outputs/xx-yy/Empty.txt: the file is empty" in said(archive)
    assert f"Line {LOST} is missing:" in said(archive)
    assert "Lines 121 to 240 are doubled:" in said(archive)


def test_one_output_of_a_test_set_is_repaired_and_the_repair_undone(archive: AppTest) -> None:
    repair(archive, "Short")
    path = "system-outputs/xx-yy/Short.txt"
    assert f"Repaired set.zip/{path}: line {LOST} is missing: an empty segment was put in its place." in said(archive)
    assert f"1 of {SEGMENTS} segments is excluded" in said(archive)
    found = scores(archive)
    rows = [n for n in range(SEGMENTS) if n != LOST - 1]
    assert found["Short"]["bleu"] == pytest.approx(expected(TEXTS["S2"], rows))
    assert found["S1"]["bleu"] == pytest.approx(expected(TEXTS["S1"], rows))
    assert set(found) == set(OUTPUTS)
    assert [name for name, row in found.items() if row["reason"]] == ["Empty", "Latin", "Twice"]
    repair(visit(archive, "data"), "Twice")
    assert "Repaired: set.zip (2 places)" in said(archive)
    assert scores(archive)["Twice"]["bleu"] == pytest.approx(expected(TEXTS["S2"], rows))
    visit(archive, "data")
    archive.button(key="undo-repairs-0-0").click().run()
    assert "Short.txt has 119 lines" in said(archive)
    assert [name for name, row in scores(archive).items() if row["reason"]] == ["Empty", "Latin", "Short"]


def test_repairs_in_a_test_set_are_in_json_and_survive_a_saved_workspace(
    archive: AppTest, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    repair(archive, "Short")
    wanted = scores(archive)
    written: list[Any] = []
    monkeypatch.setattr(
        analysis,
        "with_choices",
        lambda report, *choices, **options: (
            written.append(to_json(with_choices(report, *choices, **options))) or report
        ),
    )
    visit(archive, "ranking/scores")
    place = "set.zip/system-outputs/xx-yy/Short.txt"
    assert written[0]["repairs"] == [{"file": place, "kind": "missing", "line": LOST, "lines": 1}]
    assert {row["system"]: row.get("reason") for row in written[0]["systems"]}["Empty"] == REASONS["Empty"]
    saved = pack_workspace(SavedWorkspace(files=archive.session_state["held"].files))
    files = open_workspace(saved, "w.bleu.zip").files
    assert len({file.test_set for file in files}) == len(files) == 2  # one for each language pair
    again = upload(opened(""), ("w.bleu.zip", saved))
    assert again.session_state["held"].files == files
    found = scores(again)
    assert found["Short"] == wanted["Short"]
    assert {name: row["reason"] for name, row in found.items()} == {n: row["reason"] for n, row in wanted.items()}
    assert f"Repaired {place}: line {LOST}" in said(visit(again, "data"))


def test_another_language_pair_misses_nothing(archive: AppTest) -> None:
    repair(archive, "Short")
    archive.session_state["selected_file"] = 0
    archive.run()
    next(box for box in archive.selectbox if box.label == "Language pair").set_value("yy-xx").run()
    assert not archive.error
    assert "In use: 1 system, 1 reference, 120 segments" in said(archive)
    assert "Repaired" not in said(archive)


@pytest.mark.parametrize("kind", ["test set", "other files"])
def test_where_no_output_can_be_used_the_pages_say_why(opened: Opener, kind: str) -> None:
    bad = {"A": b"", "B": b"a\0\n" * SEGMENTS}
    files = files_of("xx-yy", bad)
    if kind == "other files":
        files = {"references/ref.txt": text(REFERENCE), **{f"systems/{name}.txt": data for name, data in bad.items()}}
    app = upload(opened(""), ("set.zip", packed(files)))
    assert not app.exception
    message = (
        "0 of 2 system outputs can be used, at least 1 needed (A: the file is empty (0 lines, 120 expected), "
        "B: line 1: NUL"
    )
    for path in ("", "scores", "ngrams"):
        assert message in said(visit(app, path))


def test_settings_that_differ_count_the_missing_systems_too(archive: AppTest) -> None:
    box = next(box for box in archive.checkbox if (box.key or "").startswith("without_systems-"))
    box.uncheck().run()
    assert "Systems: 1 of 6" in said(visit(archive, "ranking/scores"))
    assert systems_box(archive).startswith("Systems: 1 of 6; ")
