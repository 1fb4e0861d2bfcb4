"""Commands on texts in a wrong role: a reference made from a system that is excluded, and a copy of a reference."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from calls import COMMANDS, COMPARING, arguments
from conftest import Runner, Writer
from diagnostics.material import drawn_set

from bleu_core.formats import FileRole
from bleu_core.project import Choices, SavedWorkspace, write_workspace
from bleu_core.uploads import File, assemble

OUTPUTS, REFERENCE = drawn_set(systems=3, segments=60)
ADVICE = "The reference seems to be made from Gamma's output; get another reference."


@pytest.fixture
def made(write: Writer) -> Mapping[str, Path]:
    """Three systems, and a reference of which half of the segments are those of Gamma."""
    texts: dict[str, list[str]] = dict(zip(("Alpha", "Beta", "Gamma"), OUTPUTS.values(), strict=True))
    texts["ref"] = [texts["Gamma"][i] if i % 2 else line for i, line in enumerate(REFERENCE)]
    return {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in texts.items()}


def workspace(folder: Path, made: Mapping[str, Path], choices: Choices) -> Path:
    """The files as a saved workspace."""
    roles: dict[str, FileRole] = {"ref": "reference"}
    files = tuple(File(path.name, path.read_bytes(), roles.get(name, "system")) for name, path in made.items())
    path = folder / "w.bleu.zip"
    write_workspace(SavedWorkspace(files=files, choices=choices, data=assemble(files).digest), path)
    return path


def calls(made: Mapping[str, Path], folder: Path) -> dict[str, list[object]]:
    """Ways to exclude Gamma -> the arguments."""
    texts = ["--ref", made["ref"], *(made[name] for name in ("Alpha", "Beta", "Gamma"))]
    saved = workspace(folder, made, Choices(without_systems=("Gamma",)))
    return {
        "files": [*texts, "--exclude-system", "Gamma"],
        "slice": [*texts, "--exclude-system", "Gamma", "--slice", "segment <= 40"],
        "workspace": ["--workspace", saved],
        "workspace and slice": ["--workspace", saved, "--slice", "segment <= 40"],
    }


@pytest.mark.parametrize("way", ["files", "slice", "workspace", "workspace and slice"])
def test_a_reference_made_from_an_excluded_system_makes_scores_not_comparable(
    run: Runner, made: Mapping[str, Path], tmp_path: Path, way: str
) -> None:
    found = run("compare", *calls(made, tmp_path)[way], "--resamples", 20, "--format", "json").json
    assert [row["system"] for row in found["systems"]] == ["Alpha", "Beta"]
    assert found["headline"]["class"] == "not-comparable"
    assert found["headline"]["text"].startswith("Not comparable: 50% of the reference's segments equal Gamma's output")


@pytest.mark.parametrize("way", ["files", "workspace"])
def test_check_advises_to_get_another_reference(
    run: Runner, made: Mapping[str, Path], tmp_path: Path, way: str
) -> None:
    result = run("check", *calls(made, tmp_path)[way])
    assert result.status == 1
    assert ADVICE in result.out
    assert "Reference close to a system (alarm): 50% of the reference's segments equal Gamma's output" in result.out
    assert "leave" not in result.out


def test_two_systems_of_a_workspace_are_not_comparable_by_a_reference_made_from_a_third(
    run: Runner, made: Mapping[str, Path], tmp_path: Path
) -> None:
    saved = workspace(tmp_path, made, Choices())
    result = run("gate", "--workspace", saved, "Alpha", "Beta", "--resamples", 20, "--format", "json")
    (alarm,) = json.loads(result.out)["assessment"]["obstructions"]
    assert (result.status, alarm["warning"], alarm["systems"]) == (4, "close-reference", [])
    assert (alarm["references"], alarm["advice"]) == (["ref"], ADVICE)


def test_an_excluded_human_translation_is_not_taken_for_a_system(
    run: Runner, made: Mapping[str, Path], write: Writer
) -> None:
    texts = ["--ref", made["ref"], made["Alpha"], made["Beta"]]
    copy = write("human.txt", made["ref"].read_text(encoding="utf-8"))
    found = run("check", *texts, copy, "--exclude-system", "human", "--format", "json")
    assert "close-reference" not in found.out
    longer = write("longer.txt", made["Gamma"].read_text(encoding="utf-8") + "one more\n")
    found = run("compare", *texts, longer, "--exclude-system", "longer", "--resamples", 20)
    assert found.status == 0  # it does not fit, so it is not compared


@pytest.mark.parametrize("command", [*COMMANDS, *(name for name in COMPARING if name != "errors"), "check", "table"])
def test_a_command_that_uses_references_names_an_output_that_equals_one(
    run: Runner, longer: dict[str, Path], write: Writer, tmp_path: Path, command: str
) -> None:
    again = {name: write(f"again/{name}.txt", 2 * longer[name].read_text(encoding="utf-8")) for name in ("ref2",)}
    copy = write("copied/better.txt", longer["ref"].read_text(encoding="utf-8"))
    if command == "table":
        for name, path in (("ref", longer["ref"]), ("better", copy), ("worse", longer["worse"])):
            write(f"sets/{name}.txt", path.read_text(encoding="utf-8"))
        result = run("table", tmp_path / "sets")
    else:
        result = run(*arguments(command, {**longer, **again, "better": copy}))
    said = " ".join(f"{result.out} {result.err}".split())
    assert "better" in said
    assert "identical to the reference ref" in said or "human translation" in said, said
