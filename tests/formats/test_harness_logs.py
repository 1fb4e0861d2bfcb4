"""Logs of programs that run language models or collect translations: output, reference and ids are in known columns.

The files are written after the layouts of lm-evaluation-harness 0.4, lighteval 0.11, Inspect 0.3.285, promptfoo 0.121,
the batches of OpenAI and Anthropic, doccano 1.8, Label Studio 1.12 and Argilla 2. BLEU is sacreBLEU's 2.6.0.
"""

from __future__ import annotations

import io
import json
import random
import shlex
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence

import pytest
from conftest import Run, Runner, Writer
from small_files import parquet

from bleu_core.errors import FormatError
from bleu_core.formats import read

SOURCE = [
    "The ferry to the island leaves at seven in the morning.",
    "Please close the window before you leave the room.",
    "Our neighbour has bought a second-hand bicycle.",
    "The report was published two days later than planned.",
    "She asked whether the library is open on Sundays.",
    "No one knows why the lights went out last night.",
    "The bakery on the corner sells bread without salt.",
    "We need three copies of the signed contract.",
    "It has been raining since the beginning of the month.",
    "The children painted the old fence green and white.",
    "He forgot his umbrella on the train to Hanover.",
    "The museum offers free admission on the first Friday.",
]
REFERENCE = [
    "Die Fähre zur Insel fährt um sieben Uhr morgens ab.",
    "Bitte schließen Sie das Fenster, bevor Sie den Raum verlassen.",
    "Unser Nachbar hat ein gebrauchtes Fahrrad gekauft.",
    "Der Bericht wurde zwei Tage später als geplant veröffentlicht.",
    "Sie fragte, ob die Bibliothek sonntags geöffnet ist.",
    "Niemand weiß, warum gestern Abend das Licht ausging.",
    "Die Bäckerei an der Ecke verkauft Brot ohne Salz.",
    "Wir brauchen drei Exemplare des unterschriebenen Vertrags.",
    "Es regnet seit Anfang des Monats.",
    "Die Kinder haben den alten Zaun grün und weiß gestrichen.",
    "Er hat seinen Regenschirm im Zug nach Hannover vergessen.",
    "Das Museum bietet am ersten Freitag freien Eintritt.",
]
OUTPUT = [
    "Die Fähre zur Insel geht um sieben Uhr morgens ab.",
    "Bitte schließen Sie das Fenster, bevor Sie das Zimmer verlassen.",
    "Unser Nachbar hat ein gebrauchtes Rad gekauft.",
    "Der Bericht wurde zwei Tage später als geplant veröffentlicht.",
    "Sie fragte, ob die Bibliothek am Sonntag offen ist.",
    "Keiner weiß, warum gestern Nacht das Licht ausging.",
    "Die Bäckerei an der Ecke verkauft Brot ohne Salz.",
    "Wir brauchen drei Kopien des unterschriebenen Vertrags.",
    "Es regnet seit Beginn des Monats.",
    "Die Kinder haben den alten Zaun grün und weiß bemalt.",
    "Er vergaß seinen Schirm im Zug nach Hannover.",
    "Das Museum bietet am ersten Freitag freien Eintritt.",
]
BLEU = 69.96

Row = dict[str, object]


def lm_evaluation_harness(number: int) -> Row:
    return {
        "doc_id": number,
        "doc": {"id": number, "src": SOURCE[number], "ref": REFERENCE[number]},
        "target": REFERENCE[number],
        "arguments": {"gen_args_0": {"arg_0": f"English: {SOURCE[number]}\nGerman:", "arg_1": {"until": ["\n"]}}},
        "resps": [[f" {OUTPUT[number]}"]],
        "filtered_resps": [OUTPUT[number]],
        "filter": "none",
        "metrics": ["bleu"],
        "doc_hash": f"{number}a7",
        "bleu": [REFERENCE[number], OUTPUT[number]],
    }


def lighteval(number: int) -> Row:
    return {
        "doc": {
            "query": f"Translate: {SOURCE[number]}",
            "choices": [REFERENCE[number]],
            "gold_index": [0],
            "id": str(number),
            "task_name": "wmt:en-de",
        },
        "metric": {"bleu": 0.5},
        "model_response": {"input": "x", "text": [OUTPUT[number]], "input_tokens": [1, 2], "truncated_tokens_count": 0},
    }


def inspect_sample(number: int) -> Row:
    content = [{"type": "reasoning", "reasoning": "so"}, {"type": "text", "text": OUTPUT[number]}]
    message = {"role": "assistant", "content": content}
    return {
        "id": number + 1,
        "epoch": 1,
        "input": SOURCE[number],
        "target": REFERENCE[number],
        "messages": [{"role": "user", "content": SOURCE[number]}, message],
        "output": {"model": "m", "choices": [{"message": message}], "completion": OUTPUT[number]},
        "scores": {"bleu": {"value": 0.5, "answer": OUTPUT[number]}},
    }


def promptfoo(number: int, provider: str = "openai:gpt-4o") -> Row:
    return {
        "promptIdx": 0,
        "testIdx": number,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": f"Translate: {SOURCE[number]}", "label": "Translate: {{source}}"},
        "vars": {"source": SOURCE[number], "expected": REFERENCE[number]},
        "testCase": {"vars": {"source": SOURCE[number]}, "assert": [{"type": "similar", "value": REFERENCE[number]}]},
        "response": {"output": OUTPUT[number], "tokenUsage": {"total": 3}},
        "score": 1,
    }


def openai(number: int) -> Row:
    message = {"role": "assistant", "content": OUTPUT[number]}
    body: Row = {"id": "c", "choices": [{"index": 0, "message": message}], "usage": {"total_tokens": 40}}
    return _openai(number, body)


def openai_responses(number: int) -> Row:
    content = [{"type": "output_text", "text": OUTPUT[number]}]
    return _openai(number, {"output": [{"type": "reasoning", "summary": []}, {"type": "message", "content": content}]})


def openai_completions(number: int) -> Row:
    return _openai(number, {"choices": [{"index": 0, "text": OUTPUT[number]}]})


def _openai(number: int, body: Row) -> Row:
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": f"batch_req_{99 - number}", "custom_id": f"request-{number}", "response": response, "error": None}


def anthropic(number: int) -> Row:
    content = [{"type": "thinking", "thinking": "so"}, {"type": "text", "text": OUTPUT[number]}]
    message = {"id": "m", "role": "assistant", "model": "c", "content": content}
    return {"custom_id": str(number + 1), "result": {"type": "succeeded", "message": message}}


def doccano(number: int) -> Row:
    return {"id": number + 31, "text": SOURCE[number], "label": [OUTPUT[number]], "Comments": []}


def label_studio(number: int) -> Row:
    result = {"value": {"text": [OUTPUT[number]]}, "from_name": "answer", "to_name": "text", "type": "textarea"}
    return {
        "id": number,
        "annotations": [{"id": 3, "completed_by": 1, "result": [result]}],
        "data": {"text": SOURCE[number]},
        "updated_at": "2024-05-01T10:00:00Z",
        "inner_id": number + 1,
    }


def label_studio_min(number: int) -> Row:
    times = dict.fromkeys(("created_at", "updated_at"), "2024-05-01T10:00:00Z")
    row = {"id": number, "text": SOURCE[number], "answer": OUTPUT[number], "annotator": 1, "annotation_id": 3}
    return {**row, **times, "lead_time": 1.5}


def argilla(number: int) -> Row:
    return {
        "id": str(number),
        "fields": {"text": SOURCE[number]},
        "suggestions": {},
        "responses": {"answer": [{"value": OUTPUT[number], "user_id": "0f9c-12"}]},
        "status": "completed",
    }


def argilla_flat(number: int) -> Row:
    users = {"answer.responses.users": ["0f9c-12"], "answer.responses.status": ["submitted"]}
    return {"id": str(number), "text": SOURCE[number], "answer.responses": [OUTPUT[number]], **users}


WITH_REFERENCE = (lm_evaluation_harness, lighteval, inspect_sample, promptfoo)
OTHERS = (openai, openai_responses, openai_completions, anthropic, doccano, label_studio)
ASKED = (label_studio_min, argilla, argilla_flat)
#: Logs whose rows need not be in the order of their numbers.
ORDER = [7, 2, 11, 0, 5, 9, 1, 10, 3, 8, 4, 6]


Log = Callable[[int], Row]


def lines(rows: Iterable[object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def log(row: Log, order: Sequence[int] = ORDER) -> str:
    return lines(map(row, order))


@pytest.fixture
def score(run: Runner, write: Writer, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """`score("A.jsonl", text)`: the file scored against its own reference, or that in plain text."""

    def call(name: str, content: str | bytes, *options: str, own: bool = False) -> Run:
        monkeypatch.chdir(write("ref.txt", "\n".join(REFERENCE) + "\n").parent)
        write(name, content)
        return run("score", "--format", "json", "--ref", name if own else "ref.txt", name, *options)

    return call


def bleu(found: Run) -> dict[str, float]:
    return {row["system"]: round(row["bleu"], 2) for row in found.json["systems"]}


@pytest.mark.parametrize("row", [*WITH_REFERENCE, *OTHERS], ids=lambda row: row.__name__)
def test_outputs_are_scored_in_the_order_of_their_numbers(row: Log, score: Callable[..., Run]) -> None:
    found = score("A.jsonl", log(row))
    name = "openai:gpt-4o" if row is promptfoo else "A"
    assert bleu(found) == {name: BLEU}
    assert len([note for note in found.json["warnings"] if "read as a log of" in note]) == 1


@pytest.mark.parametrize("row", WITH_REFERENCE, ids=lambda row: row.__name__)
def test_a_log_has_its_reference(row: Log, score: Callable[..., Run]) -> None:
    assert list(bleu(score("A.jsonl", log(row), own=True)).values()) == [BLEU]


@pytest.mark.parametrize("row", [doccano, label_studio, openai], ids=lambda row: row.__name__)
def test_what_people_or_models_wrote_may_be_the_reference(row: Log) -> None:
    found = read(log(row).encode(), "a.jsonl", "reference").columns
    assert [column.segments for column in found if column.role == "reference"] == [tuple(OUTPUT)]
    assert not any(column.role == "system" for column in found)


def test_keys_may_have_any_order(score: Callable[..., Run]) -> None:
    chance = random.Random(3)
    for row in (*WITH_REFERENCE, *OTHERS):
        rows = [dict(chance.sample(list(row(number).items()), len(row(number)))) for number in ORDER]
        assert list(bleu(score("A.jsonl", lines(rows))).values()) == [BLEU]


def test_other_columns_of_a_log_can_be_chosen(score: Callable[..., Run]) -> None:
    text = log(lm_evaluation_harness, range(12))
    assert bleu(score("A.jsonl", text, "--columns", "A.jsonl:doc.ref=system")) == {"doc.ref": 100}


@pytest.mark.parametrize("indent", [None, 2])
def test_logs_of_inspect_and_promptfoo_are_lists_in_objects(indent: int | None, score: Callable[..., Run]) -> None:
    head = {"version": 2, "status": "success", "eval": {"model": "m"}}
    whole = {**head, "samples": [inspect_sample(n) for n in ORDER], "reductions": [{"scorer": "bleu"}]}
    assert bleu(score("A.json", json.dumps(whole, indent=indent), own=True)) == {"A": BLEU}
    rows = [promptfoo(n, provider) for n in ORDER for provider in ("openai:gpt-4o", "claude")]
    results = {"version": 3, "prompts": [{"raw": "x"}], "results": rows, "stats": {}}
    whole = {"evalId": "e", "results": results, "config": {"tests": [{"vars": {}}]}}
    found = bleu(score("A.json", json.dumps(whole, indent=indent), own=True))
    assert found == {"openai:gpt-4o": BLEU, "claude": BLEU}


def test_pools_of_a_sample_are_no_columns(score: Callable[..., Run]) -> None:
    rows = [inspect_sample(n) | {"attachments": {f"{n}{i}": "x" for i in range(200)}, "store": {}} for n in ORDER]
    assert bleu(score("A.json", json.dumps({"samples": rows}), own=True)) == {"A": BLEU}


@pytest.mark.parametrize("option", ["--ref", "--archive"])
def test_a_packed_log_of_inspect_names_how_to_convert_it(option: str, run: Runner, write: Writer) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in ("_journal/start.json", "samples/1_epoch_1.json", "header.json"):
            archive.writestr(name, "{}")
    found = run("score", option, write("A.eval", stream.getvalue()), write("B.txt", "a\n"))
    assert (found.status, found.out) == (2, "")
    assert "A.eval: a log of Inspect (.eval) found, which cannot be read; convert it with" in found.err


def test_older_logs_of_inspect_have_the_output_in_its_choices(score: Callable[..., Run]) -> None:
    rows = [inspect_sample(number) for number in ORDER]
    for row in rows:
        del row["output"]["completion"]  # type: ignore[attr-defined]
    assert bleu(score("A.json", json.dumps({"samples": rows}))) == {"A": BLEU}


def test_without_filters_the_responses_are_the_outputs(score: Callable[..., Run]) -> None:
    rows = [lm_evaluation_harness(number) for number in ORDER]
    for row in rows:
        del row["filtered_resps"]
    assert bleu(score("A.jsonl", lines(rows))) == {"A": BLEU}


def test_each_filter_and_each_epoch_is_a_system(score: Callable[..., Run]) -> None:
    rows = [lm_evaluation_harness(n) | {"filter": name} for n in ORDER for name in ("strict", "first")]
    for row in rows[1::2]:
        row["filtered_resps"] = row["target"]
    assert bleu(score("A.jsonl", lines(rows), own=True)) == {"A.strict": BLEU, "A.first": 100}
    rows = [inspect_sample(n) | {"epoch": epoch} for n in ORDER for epoch in (1, 2)]
    assert bleu(score("A.json", json.dumps({"samples": rows}))) == {"A.1": BLEU, "A.2": BLEU}


def test_details_of_lighteval_are_parquet(score: Callable[..., Run]) -> None:
    rows = [lighteval(number) for number in ORDER]
    data = parquet({name: [row[name] for row in rows] for name in rows[0]})
    assert bleu(score("A.parquet", data, own=True)) == {"A": BLEU}


def test_failed_requests_are_counted(score: Callable[..., Run]) -> None:
    rows = [openai(number) for number in range(12)]
    rows[3] |= {"response": None, "error": {"code": "server_error"}}
    found = score("A.jsonl", lines(rows))
    assert any(
        "1 of 12 rows have no output in response.body.choices.message.content" in w for w in found.json["warnings"]
    )
    assert found.json["segments"] == 12


def test_ids_without_numbers_are_joined_or_named(score: Callable[..., Run], write: Writer, run: Runner) -> None:
    rows = [openai(number) | {"custom_id": "abcdefghijkl"[number]} for number in ORDER]
    found = score("A.jsonl", lines(rows))
    assert any("the ids in custom_id are not numbered" in warning for warning in found.json["warnings"])
    ref = [{"custom_id": "abcdefghijkl"[number], "reference": REFERENCE[number]} for number in range(12)]
    path = write("r.jsonl", lines(ref))
    assert bleu(run("score", "--format", "json", "--ref", path, path.parent / "A.jsonl")) == {"A": BLEU}


def _with(row: Log, **changes: object) -> str:
    return lines([row(number) | changes for number in range(12)])


REFUSED: Mapping[str, tuple[str, str]] = {
    "several outputs": (
        _with(lm_evaluation_harness, filtered_resps=["one", "two"]),
        "lists of several values in filtered_resps found in a log of lm-evaluation-harness, one text per row expected",
    ),
    "likelihoods": (
        _with(lm_evaluation_harness, filtered_resps=[["-1.2", "False"]], resps=[[["-1.2", "False"]]]),
        "lists of several values in filtered_resps found",
    ),
    "an output twice": (
        lines(map(lm_evaluation_harness, (0, 1, 0))),
        "line 4: a second output for doc_id 0 found, after that in line 2, 1 expected",
    ),
    "several choices": (
        lines([_openai(n, {"choices": [{"message": {"content": x}} for x in "ab"]}) for n in range(12)]),
        "lists of several values in response.body.choices.message.content found",
    ),
    "no output": (_with(openai, response={"status_code": 500}), "no text found in a log of batches of OpenAI"),
    "labels of spans": (_with(doccano, label=[[0, 3, "PER"]]), "lists of several values in label found"),
    "an older lighteval": (
        lines(
            [{"full_prompt": "x", "predictions": f"['{OUTPUT[n]}']", "gold": f"['{REFERENCE[n]}']"} for n in range(12)]
        ),
        "no text found in a log of lighteval, one text per row expected in lists, as in its newer versions",
    ),
    "lists in another table": (
        lines([{"text": SOURCE[n], "predictions": [OUTPUT[n], REFERENCE[n]]} for n in range(12)]),
        "lists of several texts found in predictions, one text per row expected",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_single_output_is_refused(case: str, score: Callable[..., Run]) -> None:
    text, message = REFUSED[case]
    found = score("A.jsonl", text)
    assert (found.status, found.out) == (2, "")
    assert f"A.jsonl{',' if message.startswith('line') else ':'} {message}" in found.err


def test_a_log_without_a_source_gives_none() -> None:
    with pytest.raises(FormatError, match="no source found in a log of lm-evaluation-harness, 1 expected"):
        read(log(lm_evaluation_harness).encode(), "a.jsonl", "source")
    assert read(log(doccano).encode(), "a.jsonl", "source").columns[0].segments == tuple(SOURCE)


def _with_machine_translation(number: int) -> Row:
    return label_studio(number) | {"data": {"source": SOURCE[number], "mt": OUTPUT[number]}}


def _with_lists(number: int) -> Row:
    return lm_evaluation_harness(number) | {"target": [REFERENCE[number], SOURCE[number]]}


def _with_alternatives(number: int) -> Row:
    texts: Row = {"source": SOURCE[number], "A, new": OUTPUT[number], "reference": REFERENCE[number]}
    return texts | {"alternatives": [SOURCE[number], REFERENCE[number]]}


@pytest.mark.parametrize(
    "row", [*ASKED, _with_machine_translation, _with_lists, _with_alternatives], ids=lambda row: row.__name__
)
def test_the_option_in_a_refusal_reads_the_file(row: Log, score: Callable[..., Run]) -> None:
    text = log(row, range(12))
    refused = score("A.jsonl", text)
    assert (refused.status, refused.out) == (2, "")
    option = shlex.split(refused.err[refused.err.index("--columns") :])[1]
    assert list(bleu(score("A.jsonl", text, "--columns", option)).values()) == [BLEU]


@pytest.mark.parametrize(
    "row",
    [
        {"doc_id": "d1", "target": "one two", "source": "uno dos"},
        {"id": 1, "text": "one two", "label": "news"},
        {"custom_id": "a", "text": "one two"},
        {"id": 1, "epoch": 2, "target": "one two"},
    ],
)
def test_other_tables_with_such_columns_are_no_logs(row: Row) -> None:
    found = read(lines([row, {**row, "id": 2}]).encode(), "a.jsonl", "system")
    assert not any("read as a log" in note for note in found.report.notes)
    assert [column.segments[0] for column in found.columns if column.role == "system"] == ["one two"]
