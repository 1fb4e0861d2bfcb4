"""`bleu-core campaign`: from a plan to a file, links and exports."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Run, Runner, Writer
from schemas import check_json

from bleu_core.campaigns import CampaignStore
from bleu_core.formats import unescape_cell

PLAN = """
title = "Pilot"
systems = ["A", "B"]
segments = 12
repeats = 0.1
degraded = 0.1
groups = [{name = "people", judges = 3, source = false}]
"""


@pytest.fixture
def files(write: Writer) -> dict[str, str]:
    texts = {name: "".join(f"{name} puts segment {n} in so many words\n" for n in range(30)) for name in "AB"}
    found = {name: str(write(f"{name}.txt", text)) for name, text in texts.items()}
    return found | {"plan": str(write("plan.toml", PLAN)), "ref": str(write("ref.txt", texts["A"].replace("so", "as")))}


@pytest.fixture
def created(run: Runner, files: dict[str, str], tmp_path: Path) -> str:
    path = str(tmp_path / "pilot.db")
    assert run("campaign", "create", "--out", path, files["plan"], files["A"], files["B"]).status == 0
    return path


def create(run: Runner, files: dict[str, str], *more: str) -> Run:
    return run("campaign", "create", *more, files["plan"], files["A"], files["B"])


def rated(path: str) -> None:
    """A rating of the first judge."""
    with CampaignStore(path) as store:
        item = store.slots("people 1")[0].items[0].item
        store.add_rating("people 1", 0, item, 4, client="x", shown=1.0, given=2.0)


# --- create -----------------------------------------------------------------------------------------------------


def test_a_dry_run_shows_the_design_and_writes_nothing(run: Runner, files: dict[str, str], tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    result = create(run, files, "--dry-run")
    assert (result.status, result.err) == (0, "")
    assert "12 segments, 2 systems, 3 judges: 72 ratings and 12 checks." in result.out
    assert result.out.endswith("No campaign file was written.\n")
    assert set(tmp_path.iterdir()) == before


def test_the_json_has_the_sample_and_the_lists(run: Runner, files: dict[str, str], tmp_path: Path) -> None:
    path = str(tmp_path / "pilot.db")
    found = create(run, files, "--out", path, "--format", "json").json
    check_json("campaign", found)
    with CampaignStore(path) as store:
        assert found["file"] == path
        assert found["digest"] == store.digest
        assert found["segments"] == [segment.segment for segment in store.segments]
        assert found["probabilities"] == [0.4] * 12
        for judge in found["judges"]:
            kinds = [slot.kind for slot in store.slots(judge["judge"])]
            counts = [judge[key] for key in ("ratings", "repeats", "degraded")]
            assert counts == [kinds.count(kind) for kind in ("first", "repeat", "degraded")]


def test_the_same_plan_gives_the_same_design(run: Runner, files: dict[str, str]) -> None:
    first, second = (create(run, files, "--dry-run", "--format", "json").json for _ in range(2))
    assert first == second


def test_references_choose_what_is_degraded(run: Runner, files: dict[str, str]) -> None:
    plain = create(run, files, "--dry-run", "--format", "json")
    scored = create(run, files, "--dry-run", "--format", "json", "--ref", files["ref"])
    assert plain.json["segments"] == scored.json["segments"]
    assert plain.json["digest"] != scored.json["digest"]


def test_a_design_with_shortfalls_is_written_only_when_they_are_accepted(
    run: Runner, files: dict[str, str], tmp_path: Path
) -> None:
    Path(files["plan"]).write_text(PLAN.replace("12", "3"), encoding="utf-8")
    path = tmp_path / "pilot.db"
    result = create(run, files, "--out", str(path))
    assert result.status == 1
    assert "translations of one segment are 2 places apart, not 10" in result.out
    assert result.out.endswith("add --force to create the campaign as it is.\n")
    assert not path.exists()
    assert create(run, files, "--dry-run").status == 1
    accepted = create(run, files, "--out", str(path), "--force")
    assert (accepted.status, path.exists()) == (0, True)
    assert "2 places apart, not 10" in accepted.out


@pytest.mark.parametrize(
    ("old", "new", "fragment"),
    [
        ('"B"', '"C"', "systems: 'C' found, systems of the corpus expected: A, B"),
        ("12", "99", "99 found"),
        ("segments", "segmetns", "plan.toml: segmetns: unknown key found"),
        ("12", "", "not valid TOML"),
    ],
)
def test_a_wrong_plan_is_refused(run: Runner, files: dict[str, str], old: str, new: str, fragment: str) -> None:
    Path(files["plan"]).write_text(PLAN.replace(old, new), encoding="utf-8")
    assert_refused(create(run, files, "--dry-run"), fragment)


def test_a_file_that_exists_is_kept(run: Runner, files: dict[str, str], created: str) -> None:
    before = Path(created).read_bytes()
    assert_refused(create(run, files, "--out", created), "pilot.db: the file already exists; choose another name")
    assert Path(created).read_bytes() == before


def test_a_file_or_a_dry_run_is_required(run: Runner, files: dict[str, str]) -> None:
    for more in ([], ["--dry-run", "--out", "x.db"]):
        assert_refused(create(run, files, *more), "either --out FILE or --dry-run is required")


# --- links ------------------------------------------------------------------------------------------------------


def test_links_are_shown_once_and_open_the_campaign(run: Runner, created: str) -> None:
    found = run("campaign", "links", created, "--url", "https://rate.example/mt/", "--format", "json").json
    check_json("campaign", found)
    with CampaignStore(created) as store:
        for link in found["links"]:
            base, token = link["link"].split("#")
            assert base == "https://rate.example/mt/rate"
            assert store.token_owner(token) == ("judge", link["judge"])
    again = run("campaign", "links", created, "--format", "json").json
    assert [(link["judge"], link["link"]) for link in again["links"]] == [(f"people {n}", "") for n in (1, 2, 3)]
    kept = run("campaign", "links", created).out
    assert "3 of 3 judges already have a link, which was kept: people 1, people 2, people 3. Add --renew" in kept


def test_renewed_links_end_the_old_ones(run: Runner, created: str) -> None:
    def token(*more: str) -> str:
        found = run("campaign", "links", created, "--judge", "people 2", "--format", "json", *more).json
        return str(found["links"][0]["link"].split("#")[1])

    first, kept, second = token(), run("campaign", "links", created, "--judge", "people 2"), token("--renew")
    assert "1 of 1 judges already have a link, which was kept: people 2." in kept.out
    with CampaignStore(created) as store:
        assert store.token_owner(first) is None
        assert store.token_owner(second) == ("judge", "people 2")
        assert store.token_created("people 1") is None
    renewed = run("campaign", "links", created, "--renew").out
    assert "1 of 3 judges had a link, which is not valid any more; send them the new links: people 2.\n" in renewed
    with CampaignStore(created) as store:
        assert store.token_owner(second) is None


def test_the_lead_gets_a_new_link_at_any_time_which_ends_the_one_before(run: Runner, created: str) -> None:
    def token() -> str:
        (link,) = run("campaign", "links", created, "--lead", "--format", "json").json["links"]
        return str(link["link"].removeprefix("http://localhost:8501/lead#"))

    with CampaignStore(created) as served:
        first, second = token(), token()
        assert (served.token_owner(first), served.token_owner(second)) == (None, ("lead", ""))
        assert "Open it within 24 hours, in at most 3 browsers." in run("campaign", "links", created, "--lead").out
        assert served.token_owner(second) is None
    assert_refused(run("campaign", "links", created, "--lead", "--judge", "people 1"), "not allowed with --lead")


def test_links_of_an_unknown_judge_make_none(run: Runner, created: str) -> None:
    assert_refused(run("campaign", "links", created, "--judge", "people 1", "--judge", "x"), "judge 'x' found")
    with CampaignStore(created) as store:
        assert store.token_created("people 1") is None


# --- state ------------------------------------------------------------------------------------------------------


def test_a_campaign_is_opened_paused_and_closed(run: Runner, created: str) -> None:
    for action, state in (("open", "open"), ("pause", "paused"), ("reopen", "open"), ("close", "closed")):
        result = run("campaign", action, created)
        assert (result.status, result.out) == (0, f"The campaign Pilot is {state}.\n")
    check_json("campaign", run("campaign", "reopen", created, "--format", "json").json)
    assert_refused(run("campaign", "open", created), "the campaign is open; it can be opened when it is new")


def test_no_campaign_is_refused(run: Runner, files: dict[str, str], tmp_path: Path) -> None:
    for action in (["links"], ["open"], ["close"], ["export", "--out", str(tmp_path / "x")]):
        assert_refused(run("campaign", *action, files["A"]), "A.txt: a damaged file found")
        assert_refused(run("campaign", *action, str(tmp_path / "no.db")), "no.db: no file found, a campaign expected")


# --- width and status -------------------------------------------------------------------------------------------


def test_a_pilot_or_assumptions_say_how_wide_intervals_will_be(
    run: Runner, files: dict[str, str], write: Writer
) -> None:
    scores = {"A": (4, 3, 5, 4), "B": (2, 3, 4, 1)}
    pilot = write(
        "pilot.csv",
        "segment,system,judge,score\n"
        + "".join(f"{n},{name},j{j},{score - (j == 2) * (n % 2)}\n" for j in (1, 2, 3) for name, of in scores.items()
                  for n, score in enumerate(of, start=1)),
    )  # fmt: skip
    found = create(run, files, "--dry-run", "--human", str(pilot), "--format", "json").json["expected"]
    check = create(run, files, "--dry-run", "--deviations", "0.6,0.2,1", "--width", "0.4", "--format", "json").json
    check_json("campaign", check)
    assert (found["segments"], found["judges"], found["ratings"]) == (12, 3, 3)
    assert found["width"] > 0
    assert [change["what"] for change in check["expected"]["changes"]] == ["segments", "judges", "ratings"]
    shown = create(run, files, "--dry-run", "--deviations", "0.6,0.2,1", "--width", "0.4").out
    assert f"is {check['expected']['width']:.2f} points (0.40 requested)" in shown
    assert "expected" not in create(run, files, "--dry-run", "--format", "json").json


def test_a_pilot_on_another_scale_is_refused(run: Runner, files: dict[str, str], write: Writer) -> None:
    pilot = write("pilot.csv", "segment,system,judge,score\n1,A,j,80\n1,B,j,90\n")
    assert_refused(
        create(run, files, "--dry-run", "--human", str(pilot)), "ratings from 80 to 90 found, numbers from 1 to 5"
    )
    assert_refused(create(run, files, "--dry-run", "--width", "0.3"), "--width: needs ratings of a pilot")
    assert_refused(create(run, files, "--dry-run", "--deviations", "1,2"), "'1,2' found, three numbers expected")


def test_the_status_shows_no_means_before_the_first_look(run: Runner, created: str) -> None:
    run("campaign", "open", created)
    rated(created)
    found = run("campaign", "status", created, "--format", "json").json
    check_json("campaign", found)
    assert found["status"]["ratings"] == 1
    assert found["status"]["means"] == []
    assert "closest" not in found["status"]
    peeked = run("campaign", "status", created, "--format", "json", "--show-interim").json
    assert {mean["ratings"] for mean in peeked["status"]["means"]} == {0, 1}
    for form in ("table", "tsv", "latex"):
        assert run("campaign", "status", created, "--format", form).status == 0


def test_a_whole_campaign_shows_its_means(run: Runner, created: str) -> None:
    run("campaign", "open", created)
    with CampaignStore(created) as store:
        for judge in store.judges:
            for slot in store.slots(judge):
                for item in slot.items:
                    times = {"client": f"{judge} {slot.place}", "shown": 1.0, "given": 9.0}
                    score = {"A": 2, "B": 4}[item.system]
                    store.add_rating(judge, slot.place, item.item, score, **times)  # type: ignore[arg-type]
    found = run("campaign", "status", created, "--format", "json").json
    check_json("campaign", found)
    assert {mean["system"]: mean["mean"] for mean in found["status"]["means"]} == {"A": 2, "B": 4}
    assert found["status"]["stop"] is True


# --- export -----------------------------------------------------------------------------------------------------


def test_an_export_writes_all_files(run: Runner, created: str, tmp_path: Path) -> None:
    run("campaign", "open", created)
    rated(created)
    folder = tmp_path / "new" / "export"
    found = run("campaign", "export", created, "--out", folder, "--format", "json").json
    check_json("campaign", found)
    assert [file["file"] for file in found["files"]] == [
        str(folder / name)
        for name in (
            *("ratings.csv", "answers.csv", "comments.csv", "campaign.seg.score", "pearmut.json", "methods.txt"),
        )
    ]
    with (folder / "ratings.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["judge"], row["score"]) == ("people 1", "4")


def test_an_export_replaces_files_only_when_told(run: Runner, created: str, tmp_path: Path) -> None:
    result = run("campaign", "export", created, "--out", tmp_path / "export")
    assert result.err.endswith("ratings.csv and campaign.seg.score: there is no rating yet.\n")
    assert_refused(
        run("campaign", "export", created, "--out", tmp_path / "export"),
        "answers.csv: the file already exists; add --overwrite",
    )
    assert run("campaign", "export", created, "--out", tmp_path / "export", "--overwrite").status == 0


# --- backup -----------------------------------------------------------------------------------------------------


def test_a_backup_is_a_campaign_with_all_answers(run: Runner, created: str, tmp_path: Path) -> None:
    run("campaign", "open", created)
    copy = tmp_path / "copy.db"
    with CampaignStore(created) as store:  # as where it is served
        item = store.slots("people 1")[0].items[0].item
        store.add_rating("people 1", 0, item, 4, client="x", shown=1.0, given=2.0)
        store.add_comment("people 1", 0, "hm", client="y")
        result = run("campaign", "backup", created, copy)
        assert (result.status, result.err) == (0, "")
        assert result.out == f"{copy} is a complete copy: 3 judges, 1 answer, 1 comment.\n"
    assert {file.name for file in tmp_path.glob("copy.db*")} == {"copy.db"}
    found = run("campaign", "backup", copy, tmp_path / "again.db", "--format", "json").json
    check_json("campaign", found)
    assert (found["file"], found["answers"]) == (str(tmp_path / "again.db"), 1)
    assert_refused(run("campaign", "backup", created, copy), "copy.db: the file already exists")
    assert_refused(run("campaign", "backup", created, tmp_path / "none" / "copy.db"), "none")


# --- calls ------------------------------------------------------------------------------------------------------


def test_wrong_calls_are_one_line(run: Runner, created: str) -> None:
    assert_refused(run("campaign"), "the following arguments are required: ACTION; see bleu-core campaign --help")
    assert_refused(run("campaign", "cretae"), "invalid choice: 'cretae' (choose from")
    assert_refused(run("campaign", "links", created, "--reneww"), "unknown option --reneww (did you mean --renew?)")
    assert_refused(run("campaign", "close", created, "more"), "unexpected argument 'more'")


@pytest.mark.parametrize("form", ["table", "tsv", "latex"])
def test_names_reach_no_terminal_as_they_are(run: Runner, write: Writer, form: str, files: dict[str, str]) -> None:
    plan = write("odd.toml", PLAN.replace('"people"', '"red\\u001B[31m\\\\end{x}"'))
    result = run("campaign", "create", "--dry-run", "--format", form, plan, files["A"], files["B"])
    assert result.status == 0
    if form in ("table", "tsv"):
        assert "\x1b" not in result.out
    if form == "latex":
        assert "\\end{x}" not in result.out


def test_no_cell_of_its_tables_is_run_by_a_spreadsheet(run: Runner, write: Writer, tmp_path: Path) -> None:
    texts = "".join(f"segment {n} in so many words\n" for n in range(30))
    systems = {name: str(write(f"{name}.txt", texts)) for name in ("=A", "B")}
    plan = write("odd.toml", PLAN.replace('"A"', '"=A"').replace('"people"', '"@\\u0007people"'))
    path = str(tmp_path / "odd.db")
    assert run("campaign", "create", "--out", path, plan, *systems.values()).status == 0
    for action in ("links", "status"):
        (first, *_) = run("campaign", action, path, "--format", "tsv").out.split("\n\n")
        header, *rows = csv.reader(io.StringIO(first), dialect="excel-tab")
        judges = [row[header.index("judge")] for row in rows]
        assert [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))] == []
        assert judges == [f"'@\\x07people {n}" for n in (1, 2, 3)]
        assert [unescape_cell(judge) for judge in judges] == [f"@\x07people {n}" for n in (1, 2, 3)]
        assert {row[header.index("escaped_by")] for row in rows} == {"bleu-core"}
