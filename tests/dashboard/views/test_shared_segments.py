"""Systems that lack segments by the ids in their files: named, without a score, and compared on shared segments."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from conftest import Downloads, Opener, Runner
from pages import said, upload, visit
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.project import open_workspace

FOLDER = Path(sample_data.__file__).parent
COUNT = 60
#: Segments that S2, and S3, lack.
HOLES: Mapping[str, Sequence[int]] = {"S1": (), "S2": (3, 17), "S3": (17, 40)}
SHARED = [n for n in range(COUNT) if n not in {*HOLES["S2"], *HOLES["S3"]}]


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:COUNT]


TEXTS = {name: lines(f"systems/{name}.txt") for name in HOLES}
REFERENCE = lines("references/R1.txt")


def table(column: str, rows: Mapping[int, str], *, backwards: bool = False) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([("seg_id", column), *sorted(rows.items(), reverse=backwards)])
    return text.getvalue().encode()


@pytest.fixture
def incomplete(opened: Opener) -> AppTest:
    files = [("ref.csv", table("reference", dict(enumerate(REFERENCE))))]
    for name, holes in HOLES.items():
        rows = {n: text for n, text in enumerate(TEXTS[name]) if n not in holes}
        files.append((f"{name}.csv", table("hypothesis", rows, backwards=name == "S2")))
    return upload(opened(""), *files)


def expected(names: Sequence[str], rows: Sequence[int]) -> dict[str, float]:
    references = [[REFERENCE[n] for n in rows]]
    return {name: sacrebleu.corpus_bleu([TEXTS[name][n] for n in rows], references).score for name in names}


def score_rows(app: AppTest) -> dict[str, dict[str, Any]]:
    found = next(one.value for one in visit(app, "ranking/scores").dataframe if "bleu" in one.value)
    rows: list[dict[Any, Any]] = found.to_dict("records")
    return {row["system"]: row for row in rows}


def bleu(app: AppTest) -> dict[str, float]:
    return {name: row["bleu"] for name, row in score_rows(app).items() if row["bleu"] == pytest.approx(row["bleu"])}


def test_systems_that_lack_segments_are_named_and_have_no_score(incomplete: AppTest) -> None:
    assert not incomplete.exception
    assert "S2, S3 lack segments and have no score." in said(incomplete)
    assert "Not used: S2.csv: no text for 2 of 60 segments (3, 17)" in said(incomplete)
    assert "Not used: S3.csv: no text for 2 of 60 segments (17, 40)" in said(incomplete)
    assert "misaligned position" not in said(incomplete)
    status = next(one.value for one in incomplete.dataframe if "status" in one.value)["status"].tolist()
    assert [text.split(",")[0] for text in status] == ["in use", "in use", "not used", "not used"]
    visit(incomplete, "ranking/pairs")
    assert "1 of 3 system outputs can be used, at least 2 needed (S2: no text for" in said(incomplete)
    assert "Switch on “Shared segments only” on the Data page, or correct these files." in said(incomplete)
    rows = score_rows(incomplete)
    assert rows["S2"]["reason"] == "no score: no text for 2 of 60 segments (3, 17)"
    assert bleu(incomplete) == pytest.approx(expected(["S1"], range(COUNT)))


def test_the_switch_compares_all_on_the_segments_that_they_share(incomplete: AppTest) -> None:
    digest = incomplete.query_params["data"]
    incomplete.toggle(key="shared_segments").set_value(True).run()
    assert not incomplete.exception
    assert not incomplete.error
    assert "57 of 60 segments are compared: all systems have them." in said(incomplete)
    assert bleu(incomplete) == pytest.approx(expected(list(HOLES), SHARED))
    assert incomplete.query_params["data"] == digest
    assert incomplete.query_params["shared_segments"] == "true"
    assert "Shared segments only" in said(incomplete)
    for path in ("", "significance", "blocks", "segments", "two-systems", "slices"):
        visit(incomplete, path)
        assert (incomplete.exception, incomplete.error) == ([], [])
    incomplete.button(key="reset-all").click().run()
    assert set(bleu(incomplete)) == {"S1"}


def test_a_saved_workspace_has_the_switch_for_pages_commands_and_code(
    incomplete: AppTest, opened: Opener, downloads: Downloads, run: Runner, tmp_path: Path
) -> None:
    incomplete.toggle(key="shared_segments").set_value(True).run()
    visit(incomplete, "ranking/scores")
    incomplete.session_state["section-code"] = True
    incomplete.run()
    code = {block.language: block.value for block in incomplete.code}
    assert code["bash"].startswith("bleu-core score --workspace workspace.bleu.zip")
    path = tmp_path / "workspace.bleu.zip"
    path.write_bytes(downloads["save-workspace"]())
    names: dict[str, Any] = {}
    exec(code["python"], names)  # noqa: S102 # this is what people do with it
    computed = names["evaluation"]
    by_code = dict(zip(computed.systems, computed.scores.score.tolist(), strict=True))
    assert by_code == pytest.approx(expected(list(HOLES), SHARED))
    saved = open_workspace(path.read_bytes(), path.name)
    assert saved.choices.shared_segments
    assert saved.data == incomplete.query_params["data"]

    again = upload(opened(""), (path.name, path.read_bytes()))
    assert (again.exception, again.error, again.toggle(key="shared_segments").value) == ([], [], True)
    assert bleu(again) == pytest.approx(expected(list(HOLES), SHARED))

    answer = run("score", "--workspace", path, "--format", "json").json
    assert answer["segments"] == len(SHARED)
    found = {each["system"]: each["bleu"] for each in answer["systems"]}
    assert found == pytest.approx(expected(list(HOLES), SHARED))
    whole = run("score", "--workspace", path, "--no-shared-segments", "--format", "json").json
    assert [each["bleu"] is None for each in whole["systems"]] == [False, True, True]
    assert "to compare on the segments that all systems have, use --shared-segments" in whole["warnings"]


def test_without_a_shared_segment_the_page_says_so(opened: Opener) -> None:
    files = [("ref.csv", table("reference", dict(enumerate(REFERENCE[:3]))))]
    rows = {"S1": (0, 1, 2), "S2": (0,), "S3": (1,)}
    files += [(f"{name}.csv", table("hypothesis", {n: TEXTS[name][n] for n in of})) for name, of in rows.items()]
    app = upload(opened("data", shared_segments="true"), *files)
    assert not app.exception
    assert "No segment is in the files of all systems, so that S2, S3 have no score." in said(app)
    assert set(bleu(app)) == {"S1"}
