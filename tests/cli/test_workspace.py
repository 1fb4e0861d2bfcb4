"""`--workspace`: the files, settings, exclusions, slice and repairs of a saved workspace."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from calls import COMMANDS, COMPARING, arguments, assert_refused
from conftest import Runner

from bleu_core.dataset import LineRepair, OptimisedSystem
from bleu_core.formats import FileRole
from bleu_core.project import Choices, JudgeRecord, SavedWorkspace, write_workspace
from bleu_core.scoring import PRESETS, BleuSettings
from bleu_core.uploads import File, assemble

ROLES: dict[str, FileRole] = {"ref": "reference", "human": "judgments", "mqm": "judgments", "labels": "labels"}

NAMES = ("ref", "better", "worse", "third", "human", "labels")


@pytest.fixture
def files(corpus: dict[str, Path]) -> tuple[File, ...]:
    return files_of(corpus, *NAMES)


def files_of(corpus: dict[str, Path], *names: str) -> tuple[File, ...]:
    return tuple(File(corpus[name].name, corpus[name].read_bytes(), ROLES.get(name, "system")) for name in names)


def saved(folder: Path, files: tuple[File, ...], choices: Choices | None = None) -> Path:
    path = folder / "w.bleu.zip"
    write_workspace(SavedWorkspace(files=files, choices=choices or Choices(), data=assemble(files).digest), path)
    return path


def without_files(command: str, corpus: dict[str, Path]) -> list[object]:
    """A call of a command, without the files; of gate with the names of its systems."""
    call, paths = arguments(command, corpus), set(corpus.values())
    found = [each for k, each in enumerate(call) if each not in paths and call[k + 1 : k + 2] != [each]]
    found = [each for each in found if each not in ("--ref", "--human", "--labels")]
    return [*found, "better", "worse"] if command == "gate" else found


@pytest.mark.parametrize("command", [*COMMANDS, *COMPARING, "check"])
def test_a_workspace_gives_the_numbers_of_its_files(
    run: Runner, corpus: dict[str, Path], longer: dict[str, Path], tmp_path: Path, command: str
) -> None:
    if command == "gate":
        corpus, files = longer, files_of(longer, "ref", "better", "worse", "third")
    else:
        files = files_of(corpus, *(("mqm" if command == "errors" and name == "human" else name) for name in NAMES))
    call = [*arguments(command, corpus), "--format", "json"]
    if command == "references":  # which needs two, and has more to say where there are ratings
        files = (files[0], File(corpus["ref2"].name, corpus["ref2"].read_bytes(), "reference"), *files[1:])
        call += ["--human", corpus["human"]]
    path = saved(tmp_path, files)
    found = run(*without_files(command, corpus), "--workspace", path, "--format", "json")
    wanted = run(*call)
    assert found.status == wanted.status
    if command == "check":  # which lists the files by their paths
        assert [text["name"] for text in found.json["texts"]] == ["ref", "better", "worse", "third"]
    else:
        assert json.loads(found.out) == json.loads(wanted.out)


def systems(found: Any) -> dict[str, float]:
    return {system["system"]: system["bleu"] for system in found["systems"]}


def test_settings_exclusions_and_slice_apply_and_the_call_wins(
    run: Runner, corpus: dict[str, Path], files: tuple[File, ...], tmp_path: Path
) -> None:
    chosen = Choices(settings=PRESETS["paper"], without_systems=("third",), slice="segment < 3")
    path = saved(tmp_path, files, chosen)
    texts = ["score", "--ref", corpus["ref"], corpus["better"], corpus["worse"], "--format", "json"]
    found = run("score", "--workspace", path, "--format", "json").json
    assert found == run(*texts, "--preset", "paper", "--slice", "segment < 3").json
    changed = ["--smoothing", "exp", "--slice", "segment > 1", "--exclude-system", "worse"]
    found = run("score", "--workspace", path, *changed, "--format", "json").json
    assert list(systems(found)) == ["better", "third"]
    assert (found["settings"]["smoothing"], found["settings"]["lowercase"]) == ("exp", True)
    assert found["slice"] == {"expression": "segment > 1", "segments": 2, "of": 3}
    again = run("score", "--workspace", path, "--preset", "sacrebleu", "--format", "json").json
    assert again["settings"] == run(*texts).json["settings"]


def test_a_changed_setting_sets_back_those_that_go_with_it(
    run: Runner, files: tuple[File, ...], tmp_path: Path
) -> None:
    settings = BleuSettings(max_order=2, weights=(0.7, 0.3), smoothing="floor", smoothing_value=0.2)
    path = saved(tmp_path, files, Choices(settings=settings))
    found = run("score", "--workspace", path, "--max-order", 3, "--smoothing", "exp", "--format", "json").json
    assert (found["settings"]["weights"], found["settings"]["smoothing_value"]) == (None, None)


def test_the_order_of_ngrams_follows_the_settings_of_the_workspace(
    run: Runner, files: tuple[File, ...], tmp_path: Path
) -> None:
    path = saved(tmp_path, files, Choices(settings=BleuSettings(max_order=6)))
    assert run("ngrams", "--workspace", path, "--order", 6).status == 0
    assert_refused(run("ngrams", "--workspace", path, "--order", 7), "7")


def test_repairs_apply_and_are_reported(
    run: Runner, corpus: dict[str, Path], files: tuple[File, ...], tmp_path: Path
) -> None:
    lines = corpus["better"].read_text(encoding="utf-8").split("\n")
    short = replace(files[1], data=f"{lines[0]}\n{lines[2]}\n".encode(), repairs=(LineRepair("missing", 2, 1),))
    path = saved(tmp_path, (files[0], short, *files[2:]))
    found = run("score", "--workspace", path, "--format", "json").json
    assert found["repairs"] == [{"file": "better.txt", "kind": "missing", "line": 2, "lines": 1}]
    assert found["slice"] == {"expression": "", "segments": 2, "of": 3, "excluded": 1}
    notes = run("score", "--workspace", path).out
    assert "\n1 of 3 segments is excluded because better.txt lacks it\n" in notes
    both = run("score", "--workspace", path, "--slice", "segment < 3", "--format", "json").json
    assert both["slice"] == {"expression": "segment < 3", "segments": 1, "of": 3, "excluded": 1}
    texts = ["score", "--ref", corpus["ref"], corpus["better"], corpus["worse"], corpus["third"], "--format", "json"]
    assert found["systems"] == run(*texts, "--slice", "not segment = 2").json["systems"]
    assert "better.txt: line 2 is missing" in run("score", "--workspace", path).out
    path = saved(tmp_path, (files[0], short, *files[2:]), Choices(score_missing=True))
    empty = corpus["better"].with_name("better2.txt")
    empty.write_text(f"{lines[0]}\n\n{lines[2]}\n", encoding="utf-8")
    scored = systems(run("score", "--workspace", path, "--format", "json").json)
    assert scored["better"] == systems(run("score", "--ref", corpus["ref"], empty, "--format", "json").json)["better2"]


def test_judges_and_human_translators_are_left_out(
    run: Runner, corpus: dict[str, Path], files: tuple[File, ...], tmp_path: Path
) -> None:
    more = "".join(f"{n},{name},y,{n * len(name)}\n" for n in (1, 2, 3) for name in ("worse", "better", "third"))
    rated = files[4].data + b"1,human,x,5\n2,human,x,5\n3,human,x,4\n"
    corpus["human"].write_bytes(rated)
    ratings = replace(files[4], data=rated + more.encode())
    human = File("human.txt", b"the cat sat\na dog ran\nit is\n", "system", human=True)
    corpus["system"] = corpus["ref"].with_name("human.txt")
    corpus["system"].write_bytes(human.data)
    chosen = Choices(without_judges=(JudgeRecord(name="y"),), standardised=True)
    path = saved(tmp_path, (*files[:4], human, ratings), chosen)
    found = run("correlate", "--workspace", path, "--format", "json").json
    texts = [corpus["better"], corpus["worse"], corpus["third"], corpus["system"]]
    call = ["correlate", "--ref", corpus["ref"], "--human", corpus["human"], *texts, "--format", "json"]
    assert found == run(*call, "--standardise", "--human-system", "human").json
    others = run("correlate", "--workspace", path, "--exclude-judge", "x", "--format", "json").json
    assert others["pearson"] != found["pearson"]


def test_the_paper_is_computed_as_its_page_does(
    run: Runner, corpus: dict[str, Path], files: tuple[File, ...], tmp_path: Path
) -> None:
    second = File("ref2.txt", corpus["third"].read_bytes(), "reference")
    third = File("ref3.txt", corpus["worse"].read_bytes(), "reference")
    given = (files[0], second, third, *files[1:5])
    call = ["paper", "--workspace", saved(tmp_path, given, Choices(paper_preset=True)), "--draws", 20]
    found = run(*call, "--format", "json").json
    assert (found["table_references"], found["settings"]["smoothing"]) == (["ref", "ref2"], "none")
    chosen = Choices(settings=BleuSettings(max_order=2), without_references=("ref2",))
    call = ["paper", "--workspace", saved(tmp_path, given, chosen), "--draws", 20, "--format", "json"]
    found = run(*call).json
    assert (found["table_references"], found["settings"]["max_order"]) == (["ref", "ref3"], 2)
    assert run(*call, "--table-references", 1).json["table_references"] == ["ref"]


def test_files_that_the_workspace_does_not_use_are_warned_of(
    run: Runner, files: tuple[File, ...], tmp_path: Path
) -> None:
    path = saved(tmp_path, (*files, File("short.txt", b"a\n", "system")), Choices(without_systems=("gone", "third")))
    found = run("score", "--workspace", path, "--format", "json")
    assert list(systems(found.json)) == ["better", "worse", "short"]
    assert found.json["systems"][-1]["reason"].startswith("no score: the file has ")
    assert "warning: not used: short.txt has 1 line, 2 fewer" in found.err


def test_the_call_says_otherwise_how_files_are_read(run: Runner, files: tuple[File, ...], tmp_path: Path) -> None:
    latin = replace(files[1], data="café\na dog\nit is\n".encode("latin-1"), encoding="latin-1")
    path = saved(tmp_path, (files[0], latin))
    assert run("score", "--workspace", path).status == 0
    assert_refused(run("score", "--workspace", path, "--encoding", "utf-8"), "no system output")
    path = saved(tmp_path, files)
    found = run("correlate", "--workspace", path, "--first-segment", 0, "--format", "json")
    assert found.json["pearson"] != run("correlate", "--workspace", path, "--format", "json").json["pearson"]


OTHERS = {
    "SYSTEM": ["better.txt"],
    "--ref": ["--ref", "ref.txt"],
    "--source": ["--source", "s.txt"],
    "--documents": ["--documents", "d.txt"],
    "--labels": ["--labels", "l.tsv"],
    "--archive": ["--archive", "a.zip"],
    "--human": ["--human", "h.csv"],
    "--metric-scores": ["--metric-scores", "m.csv"],
    "--columns": ["--columns", "a=system"],
}


@pytest.mark.parametrize("option", OTHERS)
def test_further_files_are_an_error(run: Runner, files: tuple[File, ...], tmp_path: Path, option: str) -> None:
    refused = run("correlate", "--workspace", saved(tmp_path, files), *OTHERS[option])
    assert_refused(refused, f"argument {option}: not allowed with --workspace, which has its own files; remove it")


def test_what_is_no_workspace_is_refused(
    run: Runner, corpus: dict[str, Path], files: tuple[File, ...], tmp_path: Path
) -> None:
    assert_refused(run("score", "--workspace", corpus["ref"]), "ref.txt: cannot be read as a zip")
    assert_refused(run("score", "--workspace", tmp_path / "gone.zip"), "gone.zip: no such file")
    path = saved(tmp_path, files)
    path.write_bytes(path.read_bytes()[:-400])
    assert_refused(run("score", "--workspace", path), "w.bleu.zip: ")
    assert_refused(run("gate", "--workspace", saved(tmp_path, files), "better", "x"), "system 'x' found, one of better")
    for role in ("--archive", "--ref"):
        assert_refused(run("score", role, saved(tmp_path, files), corpus["better"]), "a saved workspace", "--workspace")
    only = saved(tmp_path, files[:1])
    assert_refused(run("score", "--workspace", only), "no system output")


def test_systems_that_were_optimised_for_a_metric_are_those_of_the_workspace_unless_the_call_marks_some(
    run: Runner, files: tuple[File, ...], tmp_path: Path
) -> None:
    marks = (OptimisedSystem(system="better", metric="BLEU"), OptimisedSystem(system="nobody", metric="BLEU"))
    path = saved(tmp_path, files, Choices(optimised=marks))
    call = ["compare", "--workspace", path, "--all-pairs", "--format", "json"]
    found = run(*call).json
    assert found["not_ranked"] == [{"system": "better", "reason": "optimised for BLEU", "metric": "BLEU"}]
    assert len(found["pairs"]) == 1
    assert "not_ranked" not in run(*call, "--metric", "chrf2").json
    (other,) = run(*call, "--optimised", "worse=bleu").json["not_ranked"]
    assert other["system"] == "worse"
