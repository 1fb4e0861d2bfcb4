"""`bleu-core table`: a collection in a manifest, a folder, a zip or a saved workspace."""

from __future__ import annotations

import io
import json
import re
import shlex
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Runner
from sacrebleu import corpus_bleu

import sample_data
from bleu_core.project import Choices, SavedWorkspace, write_workspace
from tests.divided import divided_sample

FOLDERS = {"system": "systems", "reference": "refs"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The divided sample, a folder per set, with a manifest."""
    root = tmp_path_factory.mktemp("collection")
    lines = ['baseline = "S1"']
    for test_set in divided_sample():
        for file in test_set.files:
            path = root / test_set.name / FOLDERS[file.role] / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        name = test_set.name
        lines += [f"[sets.{name}]", f'systems = "{name}/systems/*.txt"', f'references = "{name}/refs/*.txt"']
        lines += ['languages = "zh-en"']
    (root / "bleu.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


FEW = ("--resamples", "1000")


def test_every_cell_is_the_score_of_the_set(run: Runner, folder: Path) -> None:
    report = run("table", folder / "bleu.toml", *FEW, "--format", "json").json
    assert [(each["name"], each["segments"], each["systems"]) for each in report["sets"]] == [
        ("first", 200, 5),
        ("second", 200, 4),
        ("third", 100, 5),
    ]
    cells = {(cell["set"], cell["system"]): cell for cell in report["cells"]}
    assert len(cells) == 15
    for name in ("first", "second", "third"):
        systems, references = (sorted((folder / name / part).iterdir()) for part in ("systems", "refs"))
        refs = [argument for path in references for argument in ("--ref", path)]
        alone = run("score", *systems, *refs, "--intervals", "--format", "json").json
        for system in alone["systems"]:
            cell = cells[name, system["system"]]
            assert (cell["score"], cell["low"], cell["high"]) == (
                system["bleu"],
                system["bleu_low"],
                system["bleu_high"],
            )
        assert report["sets"][["first", "second", "third"].index(name)]["signatures"]["bleu"] == alone["signature"]
    hole = cells["second", "S3"]
    assert hole["score"] is None
    assert hole["reason"] == "second has no output of S3"
    assert cells["first", "S2"]["baseline"] == "S1"


def test_scores_of_few_segments_have_no_intervals_and_the_reason(run: Runner, tmp_path: Path) -> None:
    texts = ["the cat sat on the mat", "it rains all day long", "we go home now and sleep"]
    for name, start in (("one", "today"), ("two", "now")):
        (tmp_path / name).mkdir()
        for system, end in (("ref", "in the end"), ("A", "at the end"), ("B", "then")):
            lines = "".join(f"{start} {text} {end}\n" for text in texts)
            (tmp_path / name / f"{system}.txt").write_text(lines, encoding="utf-8")
    for arguments in ((), ("--baseline", "B")):
        cells = run("table", tmp_path, "--format", "json", *arguments).json["cells"]
        assert {cell["low"] for cell in cells} == {None}
        assert {cell["reason"] for cell in cells} == {"only 3 segments, at least 6 needed"}


def test_means_are_of_common_sets_and_the_hole_is_named(run: Runner, folder: Path) -> None:
    called = run("table", folder, *FEW)
    assert "no score by BLEU: S3: second" in called.out
    assert "the 2 of 3 test sets that all compared systems have: first, third" in called.out
    assert called.out.startswith("Over 2 test sets, H2 scores significantly higher than all others (39.63 mean BLEU).")
    assert "only 3 test sets, at least 4 needed" in called.out
    without = run("table", folder, *FEW, "--exclude-system", "S3")
    assert "over 3 test sets" in without.out
    assert "S3" not in without.out


def test_a_folder_a_zip_and_a_saved_workspace_give_the_same_cells(run: Runner, folder: Path, tmp_path: Path) -> None:
    expected = run("table", folder, *FEW, "--baseline", "S1", "--format", "json").json
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(folder.rglob("*.txt")):
            archive.write(path, path.relative_to(folder))
    zipped = tmp_path / "sets.zip"
    zipped.write_bytes(packed.getvalue())
    files = [replace(file, test_set=each.name) for each in divided_sample() for file in each.files]
    workspace = tmp_path / "sets.bleu.zip"
    write_workspace(SavedWorkspace(files=tuple(files)), workspace)
    for path in (zipped, workspace):
        report = run("table", path, *FEW, "--baseline", "S1", "--format", "json").json
        cells = {(cell["set"], cell["system"]): cell for cell in report["cells"]}
        assert cells == {(cell["set"], cell["system"]): cell for cell in expected["cells"]}


def test_sets_systems_and_metrics_are_chosen(run: Runner, folder: Path) -> None:
    report = run(
        *("table", folder, *FEW, "--set", "first", "--set", "third", "--system", "S1", "--system", "S3"),
        *("--metric", "bleu", "--metric", "ter", "--format", "json"),
    ).json
    assert [each["name"] for each in report["sets"]] == ["first", "third"]
    assert {cell["system"] for cell in report["cells"]} == {"S1", "S3"}
    assert [(each["metric"], each["higher_is_better"]) for each in report["metrics"]] == [
        ("bleu", True),
        ("ter", False),
    ]
    assert len(report["pairs"]) == 2
    best = [row["system"] for row in report["systems"] if row["mean_rank"] == 1]
    assert best == ["S3", "S3"]


def test_a_slice_and_settings_apply_to_every_set(run: Runner, folder: Path) -> None:
    report = run(
        *("table", folder, *FEW, "--slice", "length > 25", "--smoothing", "none", "--lowercase", "--format", "json")
    ).json
    assert report["slice"] == "length > 25"
    assert all(each["segments"] < 150 for each in report["sets"])
    assert all("smooth:none" in each["signatures"]["bleu"] for each in report["sets"])


def test_p_values_can_be_corrected_over_the_table(run: Runner, folder: Path) -> None:
    column, table = (
        run("table", folder, *FEW, "--correct-over", over, "--format", "json").json for over in ("column", "table")
    )
    assert (column["corrected_over"], table["corrected_over"]) == ("column", "table")
    for one, other in zip(column["cells"], table["cells"], strict=True):
        assert one.get("p_value") == other.get("p_value")
        assert one.get("p_value_adjusted", 0) <= other.get("p_value_adjusted", 0)


@pytest.mark.parametrize("form", ["tsv", "latex"])
def test_daggers_mark_significant_differences(run: Runner, folder: Path, form: str) -> None:
    out = run("table", folder, *FEW, "--intervals", "--format", form).out
    assert "†" in out
    if form == "latex":
        assert r"\textbf{" in out
        assert "† significantly different from S1" in out.split(r"\label")[0]
    else:
        header = out.split("\n")[1].split("\t")
        assert {"system", "mean", "score_first", "low_first", "mark_first"} <= set(header)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "fourth"), "argument --set: 'fourth' found, one of first, second, third expected"),
        (("--system", "X"), "argument --system: 'X' found, one of"),
        (("--baseline", "X"), "baseline 'X' found, one of"),
        (("--metric", "comet"), "argument --metric: 'comet' has no scores on any test set"),
        (("--metric", "human"), "argument --metric: 'human' has no scores on any test set (no ratings)"),
        (("--slice", "length >"), "slice"),
        (("--alpha", "2"), "alpha 2 found"),
        (("--resamples", "0"), "0 resamples found"),
    ],
)
def test_a_wrong_call_is_refused_in_one_line(
    run: Runner, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    called = run("table", folder, *arguments)
    assert called.status == 2
    assert message in called.err.strip().split("\n")[-1]
    assert called.out == ""


def test_a_set_without_references_is_named(run: Runner, tmp_path: Path) -> None:
    files = [replace(file, test_set=each.name) for each in divided_sample() for file in each.files]
    kept = [file for file in files if not (file.test_set == "third" and file.role == "reference")]
    workspace = tmp_path / "sets.bleu.zip"
    write_workspace(SavedWorkspace(files=tuple(kept)), workspace)
    called = run("table", workspace)
    assert called.status == 2
    assert "test set third: no reference that can be used found" in called.err
    (others,) = re.findall(r"use only the other test sets with (.*)", called.err)
    report = run("table", workspace, *others.split(), *FEW, "--format", "json").json
    assert [own["name"] for own in report["sets"]] == ["first", "second"]


@pytest.mark.parametrize("kind", ["outputs beside references", "references", "a dialect"])
def test_columns_that_hold_the_references_are_proposed_and_the_option_divides_the_files(
    run: Runner, tmp_path: Path, kind: str
) -> None:
    references = {
        "deu_Latn": ("Das Haus steht am Fluss.", "Der Regen kam spät.", "Wir gehen nach Hause."),
        "fra_Latn": ("La maison est au bord de la rivière.", "La pluie est venue tard.", "Nous rentrons chez nous."),
    }
    references = {name: tuple(f"{n}. {text}" for n in range(5) for text in own) for name, own in references.items()}
    if kind == "a dialect":
        references["bar_Latn"] = tuple(text.replace("Haus", "Häusl") for text in references["deu_Latn"])
    for language, texts in references.items():
        outputs = [text.replace("spät", "zu spät").replace("tard", "trop tard") for text in texts]
        if kind == "references":
            (tmp_path / "m").mkdir(exist_ok=True)
            (tmp_path / "m" / f"{language}.txt").write_text("\n".join([*outputs, ""]), encoding="utf-8")
            rows = [{"source": f"text {i}", "target": text, "domain": "news"} for i, text in enumerate(texts)]
            lines = [json.dumps(row) for row in rows]
            (tmp_path / f"{language}.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
        else:
            prompts = (f"[{{'role': 'user', 'content': 'Translate {i}'}}]" for i in range(len(texts)))
            rows = ["\t".join(row) for row in zip(prompts, texts, outputs, strict=True)]
            table = "\n".join(["messages\tlabel\tpredictions", *rows, ""])
            (tmp_path / f"m_{language}.tsv").write_text(table, encoding="utf-8")
    refused = run("table", tmp_path)
    assert refused.status == 2
    option = shlex.split(refused.err.partition("--columns ")[2])[0].rstrip(";,")
    report = run("table", tmp_path, "--columns", option, "--format", "json").json
    scores = {cell["set"]: (cell["system"], cell["score"]) for cell in report["cells"]}
    assert list(scores) == sorted(references)
    for language, texts in references.items():
        outputs = [text.replace("spät", "zu spät").replace("tard", "trop tard") for text in texts]
        assert scores[language] == ("m", pytest.approx(corpus_bleu(outputs, [texts]).score))


def test_columns_are_those_of_files_in_a_folder_or_zip(run: Runner, folder: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "sets.bleu.zip"
    write_workspace(SavedWorkspace(files=divided_sample()[0].files), workspace)
    for collection, found in ((folder, "a manifest"), (workspace, "a saved workspace")):
        called = run("table", collection, "--columns", "a=reference")
        assert called.status == 2
        assert f"columns: {found}" in called.err
    called = run("table", folder / "first", "--columns", "a=reference")
    assert "column 'a' found, but no file of the call is a table" in called.err


def test_groups_of_runs_are_compared_by_their_means(run: Runner, folder: Path) -> None:
    report = run(
        *("table", folder, *FEW, "--exclude-system", "S3", "--group", "human=H*", "--baseline", "human"),
        *("--format", "json"),
    ).json
    groups = {group["group"]: group for group in report["groups"]}
    means = {row["system"]: row["mean"] for row in report["systems"]}
    assert groups["human"]["score"] == pytest.approx((means["H1"] + means["H2"]) / 2)
    assert (groups["human"]["runs"], groups["S1"]["runs"]) == (2, 1)
    assert {(pair["system"], pair["baseline"]) for pair in report["group_pairs"]} == {("S1", "human"), ("S2", "human")}
    assert all(pair["varies"] == "runs and segments" for pair in report["group_pairs"])
    assert "baseline" not in report
    wrong = run("table", folder, "--group", "x=Y*")
    assert wrong.status == 2
    assert "argument --group" in wrong.err


def test_one_set_compares_groups_as_compare_does(run: Runner, folder: Path) -> None:
    grouped = ("--group", "human=H*", "--baseline", "human", "--format", "json")
    table = run("table", folder, *FEW, "--set", "first", *grouped).json
    systems, references = (sorted((folder / "first" / part).iterdir()) for part in ("systems", "refs"))
    refs = [argument for path in references for argument in ("--ref", path)]
    alone = run("compare", *systems, *refs, *grouped).json
    assert len(table["group_pairs"]) == len(alone["pairs"]) == 3
    for one, other in zip(table["group_pairs"], alone["pairs"], strict=True):
        for key in ("delta", "low", "high", "p_value", "p_value_adjusted", "degrees_of_freedom"):
            assert one[key] == pytest.approx(other[key])


def test_agreement_with_judges_is_averaged_over_sets(run: Runner, tmp_path: Path) -> None:
    rated = [(each, range(200) if each.name == "first" else range(200, 400)) for each in divided_sample()[:2]]
    lines = sample_data.JUDGMENTS.read_text(encoding="utf-8").split("\n")
    header, rows = lines[0], [line for line in lines[1:] if line]
    place = header.split(",").index("segment")
    manifest: list[str] = []
    for test_set, segments in rated:
        folder = tmp_path / test_set.name
        folder.mkdir()
        for file in test_set.files:
            (folder / file.name).write_bytes(file.data)
        own = [row.split(",") for row in rows if int(row.split(",")[place]) - 1 in segments]
        for row in own:
            row[place] = str(int(row[place]) - segments.start)
        text = "\n".join([header, *(",".join(row) for row in own)])
        (folder / "judgments.csv").write_text(text + "\n", encoding="utf-8")
        name = test_set.name
        manifest += [f"[sets.{name}]", f'systems = "{name}/[SH]*.txt"', f'references = "{name}/R*.txt"']
        manifest += [f'human = "{name}/judgments.csv"']
    (tmp_path / "bleu.toml").write_text("\n".join(manifest) + "\n", encoding="utf-8")
    called = ("table", tmp_path, *FEW, "--metric", "bleu", "--metric", "chrf2", "--agreement")
    agreement = run(*called, "--format", "json").json["agreement"]
    assert agreement["tasks"] == 4
    assert {each["metric"] for each in agreement["metrics"]} == {"BLEU", "chrF2"}
    for each in agreement["metrics"]:
        keys = ("soft_pairwise_accuracy", "calibrated_accuracy")
        values = [own[key] for own in each["sets"] for key in keys]
        assert each["average"] == pytest.approx(sum(values) / 4)
    assert "Agreement of metrics with judges over test sets" in run(*called).out


def test_other_commands_read_one_test_set_of_a_workspace_and_say_which(run: Runner, tmp_path: Path) -> None:
    files = [replace(file, test_set=each.name) for each in divided_sample() for file in each.files]
    workspace = tmp_path / "sets.bleu.zip"
    write_workspace(SavedWorkspace(files=tuple(files), choices=Choices(test_set="second")), workspace)
    shown = run("score", "--workspace", workspace, "--format", "json").json
    assert len(shown["systems"]) == 4
    assert "the workspace has 3 test sets; second is used" in shown["warnings"][0]
    third = run("score", "--workspace", workspace, "--set", "third", "--format", "json").json
    assert (len(third["systems"]), third["segments"], third["warnings"]) == (5, 100, [])
    wrong = run("score", "--workspace", workspace, "--set", "fourth")
    assert wrong.status == 2
    assert "argument --set: 'fourth' found, one of first, second, third expected" in wrong.err
    without = run("score", "--ref", workspace, workspace, "--set", "x")
    assert without.status == 2
    assert "argument --set: only with --workspace" in without.err
