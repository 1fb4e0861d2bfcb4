"""The command line on whole test sets: an archive says what the same files say one by one."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from calls import assert_refused
from conftest import Runner, Writer
from two_languages import SCORES, in_layout

SEGMENTS = 12
CHANCE = random.Random(3)
WORDS = [f"w{n}" for n in range(30)]
TRUTH = [[CHANCE.choice(WORDS) for _ in range(9)] for _ in range(SEGMENTS)]
SYSTEMS = {
    name: [" ".join(word if CHANCE.random() < kept else "x" for word in line) for line in TRUTH]
    for name, kept in (("A", 0.6), ("B", 0.75), ("C", 0.85), ("D", 0.95))
}
REFERENCES = {
    "refA": [" ".join(line) for line in TRUTH],
    "refB": [" ".join([*line[1:], "y"]) for line in TRUTH],
}
DOCUMENTS = [f"d{n // 4}" for n in range(SEGMENTS)]
#: Names of human scores -> (system, segment) -> score.
HUMAN = {
    name: {(system, n): round(CHANCE.gauss(k, 1), 3) for k, system in enumerate(SYSTEMS) for n in range(SEGMENTS)}
    for name in ("mqm", "da-sqm")
}
METRIC = {(system, n): round(CHANCE.random(), 3) for system in SYSTEMS for n in range(SEGMENTS)}


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def scores(of: Mapping[tuple[str, int], float]) -> str:
    return "".join(f"{system}\t{score}\n" for (system, _), score in of.items())


def table(of: Mapping[tuple[str, int], float], metric: str = "") -> str:
    stream = io.StringIO()
    write = csv.writer(stream, lineterminator="\n")
    write.writerow(["segment", "system", "score", *(["metric"] if metric else ["judge"])])
    write.writerows([n + 1, system, score, metric or "j"] for (system, n), score in of.items())
    return stream.getvalue()


FILES = {
    "sources/en-xx.txt": text(REFERENCES["refA"]),
    "documents/en-xx.docs": text([f"news\t{document}" for document in DOCUMENTS]),
    "sources/en-yy.txt": "one\n",
    "references/en-yy.refA.txt": "one two three four\n",
    "system-outputs/en-yy/Z.txt": "one two three four\n",
    "metric-scores/en-xx/Hit-refA.seg.score": scores(METRIC),
    **{f"references/en-xx.{name}.txt": text(lines) for name, lines in REFERENCES.items()},
    **{f"system-outputs/en-xx/{name}.txt": text(lines) for name, lines in SYSTEMS.items()},
    **{f"human-scores/en-xx.{name}.seg.score": scores(of) for name, of in HUMAN.items()},
}


@pytest.fixture(params=["folder", "zip"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "folder":
        for name, content in FILES.items():
            path = tmp_path / "set" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return tmp_path / "set"
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as target:
        for name, content in FILES.items():
            target.writestr(name, content)
    return tmp_path / "set.zip"


def plain(write: Writer, *references: str) -> list[object]:
    """The same texts, a file each."""
    found: list[object] = []
    for name in references:
        found += ["--ref", write(f"{name}.txt", text(REFERENCES[name]))]
    return [*found, *(write(f"{name}.txt", text(lines)) for name, lines in SYSTEMS.items())]


def without_choices(found: dict[str, Any]) -> dict[str, Any]:
    """JSON without the warnings that say which pair of a test set is used, and which human scores, where they are."""
    choices = ("other language pairs in this archive: ", "human scores in use: ")
    warnings = [each for each in found["warnings"] if not any(choice in each for choice in choices)]
    of_human_scores = [each for each in found["warnings"] if choices[1] in each]
    assert len(of_human_scores) == ("level" in found)  # of correlate
    assert len(found["warnings"]) - len(warnings) == 1 + len(of_human_scores)
    return {**found, "warnings": warnings}


@pytest.mark.parametrize("command", ["score", "blocks", "compare"])
def test_an_archive_is_scored_as_its_files_are(run: Runner, write: Writer, archive: Path, command: str) -> None:
    more = {"score": [], "blocks": ["--blocks", 3], "compare": ["--all-pairs", "--resamples", 100]}[command]
    call = [command, "--format", "json", *more]
    assert without_choices(run(*call, "--archive", archive).json) == run(*call, *plain(write, "refA", "refB")).json
    fewer = run(*call, "--archive", archive, "--exclude-reference", "refB", "--exclude-system", "B").json
    wanted = [part for part in plain(write, "refA") if not str(part).endswith("B.txt")]
    assert without_choices(fewer) == run(*call, *wanted).json


#: Outputs that cannot be used -> the reason.
BAD_OUTPUTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty (0 lines, 12 expected)"),
    "another encoding": (
        b"caf\xe9\n" * SEGMENTS,
        "line 1: byte 0xE9 at offset 3 is not UTF-8; save the file as UTF-8 ",
    ),
    "short": (text(SYSTEMS["A"][:10]).encode(), "the file has 10 lines, 12 expected"),
    "long": (text([*SYSTEMS["A"], "more"]).encode(), "the file has 13 lines, 12 expected"),
}


def with_file(archive: Path, name: str, data: bytes) -> Path:
    """The test set with one more file."""
    if archive.is_dir():
        (archive / name).parent.mkdir(exist_ok=True)
        (archive / name).write_bytes(data)
        return archive
    with zipfile.ZipFile(archive, "a") as target:
        target.writestr(name, data)
    return archive


@pytest.mark.parametrize("kind", BAD_OUTPUTS)
def test_a_bad_output_in_an_archive_has_no_score_and_the_others_have_theirs(
    run: Runner, archive: Path, kind: str
) -> None:
    call = ["score", "--archive", archive]
    before = run(*call, "--format", "json").json
    data, reason = BAD_OUTPUTS[kind]
    with_file(archive, "system-outputs/en-xx/Bad.txt", data)
    found = run(*call, "--format", "json")
    assert found.status == 0
    *others, bad = found.json["systems"]
    assert others == before["systems"]
    assert {**bad, "reason": ""} == {
        "system": "Bad",
        "bleu": None,
        "score": None,
        "scores": {"bleu": None},
        "reason": "",
    }
    assert bad["reason"].startswith(f"no score: {reason}")
    warning, *others = without_choices(found.json)["warnings"]
    assert all(other.startswith("Not comparable: ") for other in others)  # of these few lines
    assert warning.startswith(f"not used: {archive}/system-outputs/en-xx/Bad.txt")
    assert f"bleu-core score: warning: {warning}" in found.err
    assert reason in run(*call).out
    assert run(*call, "--metric", "chrf2", "--format", "json").json["systems"][-1] == {
        "system": "Bad",
        "score": None,
        "scores": {"chrf2": None},
        "reason": bad["reason"],
    }
    assert run(*call, "--exclude-system", "Bad", "--format", "json").json == before
    assert "Bad" not in run(*call, "--language-pair", "en-yy").err
    assert run("blocks", "--blocks", 3, "--archive", archive).status == 0


def test_a_bad_reference_in_an_archive_is_an_error(run: Runner, archive: Path) -> None:
    with_file(archive, "references/en-xx.refC.txt", text(REFERENCES["refA"][:10]).encode())
    found = run("score", "--archive", archive)
    assert (found.status, found.out) == (2, "")
    assert "refC.txt has 10 lines, 2 fewer" in found.err


def test_an_archive_of_nothing_but_bad_outputs_is_an_error_with_the_reasons(run: Runner, archive: Path) -> None:
    alone = ["score", "--archive", archive, "--language-pair", "en-zz"]
    for name, data in {"system-outputs/en-zz/A.txt": b"", "sources/en-zz.txt": b"one\ntwo\n"}.items():
        with_file(archive, name, data)
    found = run(*alone)
    assert (found.status, found.out) == (2, "")
    assert "no system output can be used, at least 1 expected (A: the file is empty (0 lines, 2 expected))" in found.err


def test_check_warns_of_outputs_that_cannot_be_read_and_finds_the_lines_that_others_lack(
    run: Runner, archive: Path
) -> None:
    with_file(archive, "system-outputs/en-xx/Empty.txt", b"")
    found = run("check", "--archive", archive)
    assert "Empty.txt: the file is empty" in found.err


def test_files_are_left_out_by_name(run: Runner, write: Writer) -> None:
    call = ["score", "--format", "json", *plain(write, "refA", "refB")]
    found = run(*call, "--exclude-system", "A", "--exclude-system", "C", "--exclude-reference", "refB").json
    assert [s["system"] for s in found["systems"]] == ["B", "D"]
    assert found["references"] == ["refA"]


def test_another_language_pair_is_chosen(run: Runner, archive: Path) -> None:
    found = run("score", "--archive", archive, "--language-pair", "en-yy", "--format", "json").json
    assert [(s["system"], s["bleu"]) for s in found["systems"]] == [("Z", 100)]


@pytest.mark.parametrize("level", ["system", "segment"])
@pytest.mark.parametrize("human", [None, "da-sqm"])
def test_people_and_metrics_of_an_archive_are_compared_as_their_files_are(
    run: Runner, write: Writer, archive: Path, level: str, human: str | None
) -> None:
    call = ["correlate", "--level", level, "--format", "json"]
    chosen = [] if human is None else ["--human-scores", human]
    found = run(*call, "--archive", archive, *chosen).json
    ratings = write("ratings.csv", table(HUMAN[human or "mqm"]))
    metric = write("metric.csv", table(METRIC, "Hit-refA"))
    wanted = run(*call, "--human", ratings, "--metric-scores", metric, *plain(write, "refA", "refB")).json
    assert found.pop("human_scores") == [human or "mqm"]
    assert without_choices(found) == wanted
    assert "Hit-refA" in json.dumps(found)


def test_which_human_scores_count_is_said(run: Runner, archive: Path) -> None:
    found = run("correlate", "--archive", archive)
    assert f"human scores of {archive}: mqm" in found.out.split("\n")
    assert f"human scores of {archive}: mqm" in run("paper", "--archive", archive, "--draws", 10).out


def test_the_paper_is_repeated_on_an_archive(run: Runner, write: Writer, archive: Path) -> None:
    call = ["paper", "--format", "json", "--draws", 20]
    ratings, documents = write("ratings.csv", table(HUMAN["mqm"])), write("docs.txt", text(DOCUMENTS))
    wanted = run(*call, "--human", ratings, "--documents", documents, *plain(write, "refA", "refB")).json
    found = run(*call, "--archive", archive).json
    for key in ("table_1", "table_2", "single_reference", "figures_5_6", "figure_7", "definitions"):
        assert found[key] == wanted[key]


def test_files_go_with_an_archive(run: Runner, write: Writer, archive: Path) -> None:
    other = write("E.txt", text(SYSTEMS["A"][:6] + SYSTEMS["D"][6:]))
    found = run("score", "--archive", archive, "--format", "json", other).json
    assert [s["system"] for s in found["systems"]] == [*SYSTEMS, "E"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--exclude-system", "Q"], "system 'Q' to leave out not found, one of A, B, C, D expected"),
        (["--exclude-reference", "A"], "reference 'A' to leave out not found, one of refA, refB expected"),
        ([f"--exclude-reference={name}" for name in REFERENCES], "all references are left out, at least 1 expected"),
        ([f"--exclude-system={name}" for name in SYSTEMS], "all systems are left out, at least 1 expected"),
        (["--human-scores", "esa"], "no human scores 'esa' for en-xx; choose one of da-sqm, mqm"),
        (["--language-pair", "en-zz"], "no language pair 'en-zz'; choose one of en-xx, en-yy"),
    ],
)
def test_what_is_not_there_is_named(run: Runner, archive: Path, more: list[str], message: str) -> None:
    found = run("correlate", "--archive", archive, *more)
    assert (found.status, found.out) == (2, "")
    assert found.err.removesuffix("\n").endswith(message)
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["score"], "the following arguments are required: --ref, SYSTEM (or --archive, or --workspace)"),
        (
            ["correlate", "--ref", "r.txt", "s.txt"],
            "the following arguments are required: --human (or --archive, or --workspace)",
        ),
        (["gate", "a.txt", "b.txt"], "the following arguments are required: --ref"),
        (
            ["paper", "--ref", "r.txt", "s.txt", "--human-scores", "mqm"],
            "--human-scores needs --archive",
        ),
        (["score", "--archive", "nowhere.zip"], "nowhere.zip: no such file or directory"),
    ],
)
def test_what_is_missing_is_named(run: Runner, call: list[str], message: str) -> None:
    found = run(*call)
    assert (found.status, found.out) == (2, "")
    assert found.err.startswith(f"bleu-core {call[0]}: {message}")
    assert found.err.count("\n") == 1


def test_an_archive_without_human_scores_asks_for_them(run: Runner, write: Writer, tmp_path: Path) -> None:
    path = tmp_path / "texts.zip"
    with zipfile.ZipFile(path, "w") as target:
        for name, content in FILES.items():
            if not name.startswith("human-scores"):
                target.writestr(name, content)
    found = run("correlate", "--archive", path)
    assert (found.status, found.err) == (
        2,
        f"bleu-core correlate: {path}: no judgments found; name a file of judgments with --human\n",
    )
    ratings = write("ratings.csv", table(HUMAN["mqm"]))
    assert run("correlate", "--archive", path, "--human", ratings, "--format", "json").json["pearson"]


def test_numbers_within_documents_are_placed_where_the_documents_are_known(
    run: Runner, write: Writer, tmp_path: Path
) -> None:
    rows = [
        json.dumps(
            {
                "system": system,
                "annotator": "j",
                "langs": "en-xx",
                "doc_id": DOCUMENTS[n],
                "line_id": n % 4,
                "esa_score": score,
                "esa_spans": [],
            }
        )
        for (system, n), score in HUMAN["mqm"].items()
    ]
    rows.append(rows[0].replace("d0", "elsewhere"))
    ratings = write("ratings.jsonl", text(rows))
    call = ["correlate", "--level", "segment", "--format", "json", *plain(write, "refA")]
    wanted = run(*call, "--human", write("ratings.csv", table(HUMAN["mqm"]))).json
    found = run(*call, "--human", ratings, "--documents", write("docs.txt", text(DOCUMENTS)))
    reason = "the texts have no such document, or the document no such segment"
    assert found.json | {"warnings": []} == wanted | {"warnings": []}
    assert set(wanted["warnings"]) < set(found.json["warnings"])
    assert reason in found.err
    repeated = ["paper", "--draws", 5, "--format", "json", "--human", ratings, "--documents", tmp_path / "docs.txt"]
    (left_out,) = run(*repeated, *plain(write, "refA")).json["ratings_left_out"]
    assert reason in left_out


def test_metrics_are_ranked_as_asked(run: Runner, archive: Path) -> None:
    call = [
        "correlate",
        "--archive",
        archive,
        "--metric",
        "bleu",
        "--metric",
        "chrF2",
        "--metric",
        "BLEU-2",
        "--format",
        "json",
    ]
    ranking = run(*call, "--test", "williams", "--correction", "none").json["ranking"]
    assert (ranking["test"], ranking["method"], ranking["correction"]) == ("williams", "pearson", "none")
    segments = [*call, "--level", "segment", "--trials", 50]
    found = {
        (method, grouping): run(*segments, "--method", method, "--grouping", grouping).json["ranking"]
        for method, grouping in (("acc-eq", "item"), ("pearson", "system"), ("spearman", "none"), ("kendall", "item"))
    }
    for (method, grouping), ranking in found.items():
        assert (ranking["method"], ranking["grouping"], ranking["correction"]) == (method, grouping, "holm")
        assert sorted(m["metric"] for m in ranking["metrics"]) == ["BLEU", "BLEU-2", "Hit-refA", "chrF2"]
    first, again, other = (run(*segments, "--correction", "none", "--seed", s).json["ranking"] for s in (1, 1, 2))
    assert first == again
    assert first["p_values_adjusted"] != other["p_values_adjusted"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--method", "acc-eq"], "--method acc-eq is for segments: add --level segment --grouping item"),
        (["--level", "segment", "--method", "acc-eq", "--grouping", "none"], "--method acc-eq is for segments: "),
        (["--method", "spa", "--level", "segment"], "--method spa is for metrics of systems: remove --level segment"),
        (["--method", "spa", "--judge-as-metric"], "--method spa is for metrics of systems: remove --judge-as-metric"),
        (["--test", "williams", "--method", "kendall"], "--test williams is for Pearson's r of systems: "),
        (["--test", "williams", "--level", "segment"], "--test williams is for Pearson's r of systems: "),
        (["--trials", "0"], "0 trials found, at least 1 expected"),
    ],
)
def test_a_ranking_that_there_is_not_is_refused(run: Runner, more: list[str], message: str) -> None:
    found = run("correlate", "--ref", "r.txt", "--human", "h.csv", *more, "s.txt")
    assert (found.status, found.out) == (2, "")
    assert found.err.startswith(f"bleu-core correlate: {message}")


def test_a_zip_of_other_files_is_read_as_if_they_had_been_given(run: Runner, corpus: dict[str, Path]) -> None:
    path = corpus["ref"].parent / "job.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("ref", "better", "worse", "human"):
            archive.write(corpus[name], f"job/{corpus[name].name}")
    given = run("correlate", "--ref", corpus["ref"], "--human", corpus["human"], corpus["better"], corpus["worse"])
    packed = run("correlate", "--archive", path)
    assert packed.status == given.status == 0, packed.err
    assert packed.out == given.out


def test_review_takes_metrics_of_an_archive_by_name_and_selects_them(run: Runner, archive: Path) -> None:
    other = with_file(archive, "metric-scores/en-xx/Kiwi-src.seg.score", scores(METRIC).encode())
    for named, expected in (
        (["Kiwi-src"], ["Kiwi-src"]),
        (["chrf2"], ["chrF2"]),
        (["bleu", "Hit-refA"], ["BLEU", "Hit-refA"]),
        ([], ["Hit-refA", "Kiwi-src"]),
    ):
        options = [part for name in named for part in ("--metric", name)]
        found = run("review", "--archive", other, "--human-scores", "mqm", *options, "--format", "json").json["metrics"]
        assert [metric["metric"] for metric in found] == expected
        assert {metric["among"] for metric in found} == {len(expected)}
    for command in ("review", "correlate"):
        assert_refused(run(command, "--archive", other, "--metric", "Kiwi"), "metric 'Kiwi' found, expected one of ")


@pytest.mark.parametrize(
    ("layout", "languages"),
    [
        (in_layout("ref.{code}.txt", "{name}.{code}.txt"), ("de", "nl")),
        (
            in_layout("references/{code}.txt", "system-outputs/{name}/{code}.txt", ("deu_Latn", "nld_Latn")),
            ("deu_Latn", "nld_Latn"),
        ),
        (in_layout("refs/{code}.txt", "{name}/{code}.txt", ("en-de", "en-nl")), ("en-de", "en-nl")),
    ],
)
def test_one_of_several_languages_in_names_is_read_with_its_own_reference(
    layout: dict[str, str], languages: tuple[str, str], run: Runner, write: Writer
) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in {**layout, "A.txt~": "x\n"}.items():
            archive.writestr(name, content)
    path = write("all.zip", stream.getvalue())
    refused = run("score", "--archive", path)
    assert_refused(refused, f"{path}: files in several languages found by their names, in 1 language expected")
    option = f"--language-pair {languages[0]}"
    assert option in refused.err
    for chosen, expected in zip((option.split()[1], languages[1]), SCORES.values(), strict=True):
        found = run("score", "--archive", path, "--language-pair", chosen, "--format", "json").json
        assert {row["system"]: round(row["bleu"], 2) for row in found["systems"]} == expected
        assert len(found["references"]) == 1
        others = ", ".join(sorted(name for name in layout if languages[languages[0] == chosen] in name))
        assert found["warnings"][:2] == [
            f"{path}: descriptions, backups and programs not used: A.txt~",
            f"{path}: files in other languages, or of unknown ones, not used: {others}",
        ]
    assert_refused(run("score", "--archive", path, "--language-pair", "fr"), "choose one of")
    table = run("table", path, "--format", "json").json
    assert [each["name"] for each in table["sets"]] == list(languages)


def test_the_language_of_a_call_may_be_the_target_of_a_pair_in_names(run: Runner, write: Writer) -> None:
    for name, content in in_layout("refs/{code}.txt", "{name}/{code}.txt", ("en-de", "en-nl")).items():
        write(f"all/{name}", content)
    found = run(
        "score", "--archive", write("all/README.md", "x").parent, "--language-pair", "nl", "--format", "json"
    ).json
    assert {row["system"]: round(row["bleu"], 2) for row in found["systems"]} == SCORES["nl"]


def test_names_of_releases_name_the_systems_of_the_language_pair_of_a_call(run: Runner, write: Writer) -> None:
    layout = in_layout("news.{code}.ref.A.txt", "news.{code}.hyp.{name}.txt", ("en-de", "en-nl"))
    for name, content in layout.items():
        write(f"all/{name}", content)
    found = run(
        "score", "--archive", write("all/README.md", "x").parent, "--language-pair", "en-de", "--format", "json"
    ).json
    assert {row["system"]: round(row["bleu"], 2) for row in found["systems"]} == SCORES["de"]
    assert found["references"] == ["ref.A"]
