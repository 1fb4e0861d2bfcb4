"""Test sets of WMT25 and WMT26 with outputs over several language pairs: scores are sacreBLEU's, per pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sacrebleu
from calls import assert_refused
from conftest import Runner, Writer
from wmt_files import PAIRS, SYSTEMS, SharedTask, shared_task

from bleu_core.formats import FileRole
from bleu_core.project import SavedWorkspace, write_workspace
from bleu_core.uploads import File

NAMES = [f"{source}-{target}" for source, target in PAIRS]
#: The system that lacks a document.
INCOMPLETE = "D 4 - 9B"


@pytest.fixture(scope="module")
def task() -> SharedTask:
    return shared_task()


@pytest.fixture
def files(task: SharedTask, write: Writer) -> dict[str, Path]:
    found = {"test": write("wmt26-genmt.jsonl", task.test_set)}
    return found | {name: write(f"systems/{name}.jsonl", data) for name, data in task.of_systems.items()}


def expected(task: SharedTask, pair: str, system: str, documents: Sequence[str]) -> float:
    """BLEU of a system on those documents, in the words of the files, by sacreBLEU."""
    hypotheses = [" ".join(f"<p>{p}</p>" for p in task.outputs[system][pair][name]) for name in documents]
    references = [" ".join(f"<p>{p}</p>" for p in task.references[pair][name] or ()) for name in documents]
    return sacrebleu.corpus_bleu(hypotheses, [references]).score


def with_reference(task: SharedTask, pair: str) -> list[str]:
    return [name for name, found in task.references[pair].items() if found]


@pytest.mark.parametrize("pair", NAMES)
@pytest.mark.parametrize("how", ["reference", "archive"])
def test_scores_of_a_pair_are_those_of_sacrebleu(
    run: Runner, task: SharedTask, files: dict[str, Path], pair: str, how: str
) -> None:
    systems = [path for name, path in files.items() if name != "test"]
    given = ["--archive", files["test"].parent] if how == "archive" else ["--ref", files["test"], *systems]
    found = run("score", *given, "--language-pair", pair, "--format", "json").json
    complete = [name for name in SYSTEMS if pair in task.outputs[name] and name != INCOMPLETE]
    scores = {each["system"]: each["bleu"] for each in found["systems"]}
    assert scores == pytest.approx(
        {name: expected(task, pair, name, with_reference(task, pair)) for name in complete} | {INCOMPLETE: None}
    )
    (reason,) = [each["reason"] for each in found["systems"] if each["system"] == INCOMPLETE]
    assert "no text for 1 of 11 segments (news_###_doc3)" in reason
    absent = [warning for warning in found["warnings"] if "no document of the language pair" in warning]
    assert len(absent) == 4 - 1 - len(complete)


@pytest.mark.parametrize("pair", NAMES)
def test_all_systems_are_compared_on_the_documents_that_all_have(
    run: Runner, task: SharedTask, files: dict[str, Path], pair: str
) -> None:
    systems = [path for name, path in files.items() if name != "test"]
    call = ["score", "--ref", files["test"], *systems, "--language-pair", pair, "--shared-segments"]
    found = run(*call, "--format", "json").json
    shared = [name for name in with_reference(task, pair) if name in task.outputs[INCOMPLETE][pair]]
    assert found["segments"] == len(shared) == 10
    assert {each["system"]: each["bleu"] for each in found["systems"]} == pytest.approx(
        {name: expected(task, pair, name, shared) for name in SYSTEMS if pair in task.outputs[name]}
    )


@pytest.mark.parametrize("wmt25", [False, True])
def test_documents_are_split_where_all_texts_have_as_many_paragraphs(
    run: Runner, write: Writer, *, wmt25: bool
) -> None:
    task, pair = shared_task(wmt25=wmt25), NAMES[0]
    test = write("test.jsonl", task.test_set)
    systems = [write(f"{name}.jsonl", task.of_systems[name]) for name in ("A", "B")]
    call = ["score", "--ref", test, *systems, "--language-pair", pair]
    found = run(*call, "--paragraphs", "--format", "json").json
    documents = with_reference(task, pair)
    whole = [name for name in documents if name.endswith("doc2")]
    assert found["segments"] == sum(
        1 if name in whole else len(task.references[pair][name] or ()) for name in documents
    )
    tags = ("", "") if wmt25 else ("<p>", "</p>")
    for each in found["systems"]:
        outputs = task.outputs[each["system"]][pair]
        hypotheses: list[str] = []
        references: list[str] = []
        for name in documents:
            for side, found_there in ((outputs[name], hypotheses), (task.references[pair][name] or (), references)):
                texts = [f"{tags[0]}{text}{tags[1]}" for text in side]
                found_there.extend([" ".join(texts)] if name in whole else texts)
        assert each["bleu"] == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [references]).score)
    (warning,) = [sentence for sentence in found["warnings"] if "not split" in sentence]
    assert "1 of 12 documents not split, as their texts differ in the number of paragraphs" in warning
    assert "doc2; other numbers than in the source: B in 1" in warning
    by_document = run(*call, "--format", "json").json
    assert by_document["segments"] == 11
    one_file = run(*call, "--format-of", f"{test}=wmt-documents:segments=paragraphs", "--format", "json").json
    assert one_file["systems"] == found["systems"]


def test_the_language_pair_is_asked_for(run: Runner, files: dict[str, Path]) -> None:
    listed = "eng_Latn-isl_Latn, eng_Latn-ces_Latn, ces_Latn-deu_Latn"
    choose = "choose one with --language-pair, or by Language pair on the Data page"
    message = f"3 language pairs found, 1 expected; {choose}: {listed}"
    assert_refused(run("score", "--ref", files["test"], files["A"]), message)
    assert_refused(
        run("score", "--ref", files["test"], files["A"], "--language-pair", "en-de"),
        f"no language pair en-de; choose one of {listed}",
    )


def test_ratings_of_pearmut_are_of_paragraphs_or_of_the_documents_they_are_in(
    run: Runner, write: Writer, task: SharedTask, files: dict[str, Path]
) -> None:
    pair, names = NAMES[0], ("A", "B", "C.v2")
    rows: list[dict[str, object]] = []
    ratings: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for k, document in enumerate(with_reference(task, pair)):
        texts = task.outputs["A"][pair][document]
        scores = [{name: 10.0 * i + k + 3 * n for i, name in enumerate(names)} for n in range(len(texts))]
        for name in names:
            ratings[name][document] = [score[name] for score in scores]
        rows.append(
            {
                "annotation": [{name: {"score": s} for name, s in score.items()} for score in scores],
                "item": [
                    {"item_id": f"{document}_###_{n}", "src": "", "tgt": {"A": text}} for n, text in enumerate(texts)
                ],
                "user_id": "judge",
                "item_i": k,
                "actions": [{"action": "submit"}],
            }
        )
    human = write("annotations.json", json.dumps({"eng_Latn---isl_Latn v3": rows, "eng_Latn---ces_Latn": []}))
    systems = [files[name] for name in names]
    call = ["correlate", "--ref", files["test"], *systems, "--human", human, "--language-pair", pair]
    found = run(*call, "--format", "json").json
    of_documents = {
        name: sum(sum(found) / len(found) for found in of.values()) / len(of) for name, of in ratings.items()
    }
    assert {each["system"]: each["human"] for each in found["systems"]} == pytest.approx(of_documents)
    assert any("its ratings of segments count for whole documents (8 rated" in warning for warning in found["warnings"])
    found = run(*call, "--paragraphs", "--format", "json").json
    of_segments = {
        name: sum(sum(of[d]) / (len(of[d]) if d.endswith("doc2") else 1) for d in of)
        / sum(1 if d.endswith("doc2") else len(of[d]) for d in of)
        for name, of in ratings.items()
    }
    assert {each["system"]: each["human"] for each in found["systems"]} == pytest.approx(of_segments)


def test_published_metric_scores_are_of_the_documents_they_name(run: Runner, write: Writer) -> None:
    task, pair, names = shared_task(wmt25=True), NAMES[0], ("A", "B", "C.v2")
    test = write("test.jsonl", task.test_set)
    systems = [write(f"{name}.jsonl", task.of_systems[name]) for name in names]
    documents = with_reference(task, pair)
    ratings = ["system,document,segment,score"]
    published: list[Path] = []
    means: dict[str, float] = {}
    for i, name in enumerate(names):
        rows: list[dict[str, object]] = []
        of_documents: list[float] = []
        for k, document in reversed(list(enumerate(documents))):
            domain, _, short = document.partition("_#_")
            scores = [0.1 * i + 0.01 * (k + n) for n in range(len(task.outputs["A"][pair][document]))]
            rows.append(
                {"language_pair": pair, "domain": domain, "document_id": short, "metric_scores": {"XCOMET-XL": scores}}
            )
            of_documents.append(sum(scores) / len(scores))
            ratings.append(f"{name},{document},{k + 1},{i + k % 3}")
        published.append(write(f"scores/{name}.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows)))
        means[name] = sum(of_documents) / len(of_documents)
    human = write("human.csv", "\n".join(ratings) + "\n")
    given = [option for path in published for option in ("--metric-scores", path)]
    call = ["correlate", "--ref", test, *systems, "--human", human, *given, "--language-pair", pair]
    found = run(*call, "--format", "json").json
    (metric,) = [each for each in found["metrics"] if each["metric"] == "XCOMET-XL"]
    assert {each["system"]: each["score"] for each in metric["systems"]} == pytest.approx(means)


def test_a_workspace_and_a_collection_are_split_at_paragraphs_as_their_files_are(
    run: Runner, files: dict[str, Path], tmp_path: Path
) -> None:
    roles: dict[str, FileRole] = {"test": "reference", "A": "system", "B": "system"}
    saved = tuple(File(files[name].name, files[name].read_bytes(), role) for name, role in roles.items())
    write_workspace(SavedWorkspace(files=saved), workspace := tmp_path / "w.bleu.zip")
    pair = ["--language-pair", NAMES[0], "--format", "json"]
    given = ["--ref", files["test"], files["A"], files["B"]]
    whole, split = (run("score", *pair, *more, *given).json for more in ([], ["--paragraphs"]))
    assert split["segments"] > whole["segments"]
    found = run("score", *pair, "--paragraphs", "--workspace", workspace).json
    assert (found["segments"], found["systems"]) == (split["segments"], split["systems"])
    in_pair = tuple(replace(file, pair=NAMES[0]) for file in saved)
    write_workspace(SavedWorkspace(files=in_pair), workspace)
    (of_set,) = run("table", "--paragraphs", workspace, "--format", "json").json["sets"]
    assert of_set["segments"] == split["segments"]


def test_a_plain_text_has_no_paragraphs_and_no_language_pairs(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["score", "--ref", corpus["ref"], corpus["better"]]
    assert_refused(run(*call, "--paragraphs"), "argument --paragraphs: no file that this call reads has documents")
    assert_refused(run(*call, "--language-pair", "en-de"), "argument --language-pair: no file that this call reads has")
