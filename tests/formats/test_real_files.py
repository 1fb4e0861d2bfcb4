"""Files as other programs write them: names, ids, numbers and companions that are not in the simplest form."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Writer
from nightly import nightly

from bleu_core import load
from bleu_core.cli import main
from bleu_core.formats import FORMATS, MqmWeights, stem_of
from bleu_core.formats.compression import ENDINGS

TEXT = "the cat sat on the mat\nit was raining all day long\nwe went home by the last train\n"
OTHER = "a cat sat on the mat\nit rained all day long\nwe went home on the last train\n"
THIRD = "cats sit on mats\nit was raining\nwe went home\n"


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, float]:
    """System -> BLEU."""
    assert main(["score", "--format", "json", *map(str, arguments)]) == 0
    return {each["system"]: each["bleu"] for each in json.loads(capsys.readouterr().out)["systems"]}


def correlated(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[dict[str, Any], str]:
    """What correlate prints as JSON, and on standard error."""
    assert main(["correlate", "--format", "json", *map(str, arguments)]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


def test_a_version_after_the_last_dot_is_part_of_a_name(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    ref = write("ref.0", TEXT)
    found = scored(
        capsys, "--ref", ref, write("gpt-4.1", TEXT), write("gpt-4.0", OTHER), write("model.iter2000", OTHER)
    )
    assert found["gpt-4.1"] == pytest.approx(100)
    assert set(found) == {"gpt-4.1", "gpt-4.0", "model.iter2000"}
    assert set(load([write("B.hyp", OTHER)], [ref, write("ref.1", OTHER)]).corpus.references) == {"ref.0", "ref.1"}


@pytest.mark.parametrize("name", ["A.txt", "A.txt.gz", "A.hyp", "A.de", "A.pt-BR", "A.zh_Hans", "A.eng_Latn", "A.TSV"])
def test_known_endings_are_no_part_of_a_name(name: str) -> None:
    assert stem_of(name) == "A"


def test_the_endings_of_all_formats_are_known() -> None:
    assert {ending for found in FORMATS.values() for ending in found.endings} <= ENDINGS


def test_document_ids_and_names_are_compared_in_nfc_and_without_blanks(write: Writer) -> None:
    decomposed = unicodedata.normalize("NFD", "Müller")
    documents = write("docs.txt", f"{decomposed}\nMüller \n Müller\n")
    labels = write("labels.tsv", f"document\tkind\n{decomposed}\tnews\n")
    ratings = write("human.csv", f"system,judge,segment,score\n{decomposed},J,1,3\n Müller , J,2,4\n")
    found = load(
        [write(f"{decomposed}.txt", OTHER)],
        [write("ref.txt", TEXT)],
        documents=documents,
        labels=[labels],
        judgments=[ratings],
    )
    assert found.corpus.documents == ("Müller",) * 3
    assert found.corpus.labels["kind"] == ("news",) * 3
    assert found.judgments is not None
    assert found.judgments.system_means() == {"Müller": 3.5}
    assert list(found.judgments.table["judge"].unique()) == ["J"]


def test_names_in_options_have_the_same_form(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    decomposed = unicodedata.normalize("NFD", "Müller")
    files = [write("Müller.txt", OTHER), write("B.txt", THIRD)]
    found = scored(capsys, "--ref", write("ref.txt", TEXT), *files, "--exclude-system", f" {decomposed}")
    assert set(found) == {"B"}


def test_segment_numbers_may_be_written_as_pandas_does(write: Writer) -> None:
    def means(*numbers: str) -> object:
        rows = "".join(f"A,{number},{score}\n" for number, score in zip(numbers, (1, 5, 9), strict=True))
        file = write(f"human{numbers[0]}.csv", f"system,segment,score\n{rows}")
        found = load([write("A.txt", OTHER)], [write("ref.txt", TEXT)], judgments=[file]).judgments
        assert found is not None
        return found.table[["segment", "score"]].to_dict()

    assert means("1.0", "2.0", "3.00") == means("1", "2", "3")
    with pytest.raises(ValueError, match=r"segment .1\.5. found, a whole number expected"):
        means("1.5", "2.0", "3.0")


def esa(number: int, **changes: object) -> dict[str, object]:
    """A judgment as WMT24 published it."""
    usual = {"langs": "en-de", "line_id": number, "doc_id": "d", "system": "A", "annotator": "J", "esa_spans": []}
    return {**usual, "esa_score": "80", **changes}


def test_blank_lines_of_esa_are_no_objects_and_an_absent_score_is_missing(write: Writer) -> None:
    rows = [esa(1), esa(2, esa_score="60"), {k: v for k, v in esa(3).items() if k != "esa_score"}]
    for number, order in enumerate(([0, 1, 2], [2, 0, 1])):  # the first object may be the one without
        content = "\n\n".join(json.dumps(rows[i]) for i in order) + "\n \n"
        file = write(f"esa{number}.jsonl", content)
        found = load([write("A.txt", OTHER)], [write("ref.txt", TEXT)], judgments=[file]).judgments
        assert found is not None
        assert found.system_means() == {"A": 70}
        assert [(rows.reason, rows.count) for rows in found.unused_rows if rows.reason == "no score"] == [
            ("no score", 1)
        ]


@pytest.mark.parametrize("value", ["NaN", "null", '"nan"'])
def test_a_missing_score_of_comet_is_missing_and_counted(
    value: str, write: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    def items(text: str, *scores: str) -> str:
        scored = zip(text.split("\n"), scores, strict=False)
        return "[" + ",".join(f'{{"src": "x", "mt": "{line}", "COMET": {score}}}' for line, score in scored) + "]"

    own = {"A.txt": items(OTHER, "0.5", value, "0.7"), "B.txt": items(THIRD, "0.1", "0.2", "0.3")}
    comet = write("c.json", "{" + ",".join(f'"{name}": {scores}' for name, scores in own.items()) + "}")
    human = write("human.csv", "system,segment,score\n" + "".join(f"{s},{n},{n}\n" for s in "AB" for n in (1, 2, 3)))
    texts = ["--ref", write("ref.txt", TEXT), write("A.txt", OTHER), write("B.txt", THIRD)]
    found, errors = correlated(capsys, "--human", human, "--metric-scores", comet, *texts)
    assert "c.json: COMET: 1 of 6 scores missing" in errors
    assert any("COMET: 1 of 6 scores missing" in warning for warning in found["warnings"])


@pytest.mark.parametrize("name", ["MetricX", "metricx-24-hybrid-xl", "MetricX_23", "TER", "error count"])
def test_metrics_that_count_errors_are_known(name: str, write: Writer) -> None:
    def direction(score: float) -> bool:
        file = write(f"s{score}.csv", f"system,metric,segment,score\nA,{name},1,{score}\nA,{name},2,3\nA,{name},3,2\n")
        return load([write("A.txt", OTHER)], [write("ref.txt", TEXT)], scores=[file]).scores[0].higher_is_better

    assert not direction(1.5)
    assert direction(-1.5), "the sign has been flipped"


def test_critical_errors_of_mqm_have_a_weight_and_are_named(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    kinds = [("A", "Critical"), ("A", "minor"), ("B", "major"), ("B", "Odd"), ("C", "No-error")]
    rows = "".join(
        f"{system}\td\t1\t{segment}\tJ\t\t\tAccuracy\t{severity}\n" for system, severity in kinds for segment in (1, 2)
    )
    file = write("mqm.tsv", header + rows)
    texts = ["--ref", write("ref.txt", TEXT)] + [
        write(f"{n}.txt", t) for n, t in zip("ABC", (TEXT.upper(), OTHER, THIRD), strict=True)
    ]
    for weights, critical in ((), 25), (("--mqm-weights", "critical=10"), 10):
        found, errors = correlated(capsys, "--human", file, *weights, *texts)
        means = {each["system"]: each["human"] for each in found["systems"]}
        assert means == {"A": -(critical + 1.0), "B": -5.0, "C": 0.0}
        for sentence in (
            f"mqm.tsv: 2 critical errors: weight {critical}",
            "mqm.tsv: 2 errors of severity 'Odd': weight 0",
        ):
            assert sentence in errors
            assert any(warning.endswith(sentence) for warning in found["warnings"])
    assert MqmWeights().changed == ""


def test_companions_in_a_zip_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for name in ("plain.zip", "windows.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member, text in (("ref.txt", TEXT), ("A.txt", OTHER)):
                archive.writestr(member, text)
            if name == "windows.zip":
                archive.writestr("Thumbs.db", b"\xd0\xcf\x11\xe0")
                archive.writestr("desktop.ini", "[.ShellClassInfo]\r\n")
                archive.writestr("README.md", "# Data\n")
                archive.writestr("sub/LICENSE", "MIT\n")
        found.append(scored(capsys, "--archive", tmp_path / name))
    assert found[0] == found[1]
    assert set(found[0]) == {"A"}


def test_bytes_in_a_po_are_characters(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    """As GNU msgfmt decodes them and msgcat --escape writes them."""
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    escaped = r"Dr\303\274ck \xe2\x82\xac \"jetzt\" C:\\303 die Taste"
    po = write("A.po", f'{header}\nmsgid "Press"\nmsgstr "{escaped}"\n')
    ref = write("ref.txt", 'Drück € "jetzt" C:\\303 die Taste\n')
    assert scored(capsys, "--ref", ref, po)["A"] == pytest.approx(100)


def test_bytes_in_a_po_that_are_no_text_are_refused(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    po = write("A.po", 'msgid ""\nmsgstr "charset=UTF-8"\n\nmsgid "a"\nmsgstr "\\303 x"\n')
    assert main(["score", "--ref", str(write("ref.txt", "x\n")), str(po)]) == 2
    assert "A.po, line 5: \\303 found, which is not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "workers"),
    [
        *((command, "1") for command in ("score", "compare", "check", "blocks")),
        ("score", "2"),
        *nightly((command, "2") for command in ("compare", "check", "blocks")),
    ],
)
def test_standard_input_and_pipes_are_read_once(  # noqa: PLR0917 # fixtures
    command: str,
    workers: str,
    write: Writer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ref, other = write("ref.txt", 20 * TEXT), write("B.txt", 20 * THIRD)
    options = [command, "--format", "json", "--workers", workers]
    files = [write("stdin.txt", 20 * OTHER), other]
    assert main([*options, "--ref", str(ref), *map(str, files)]) == 0
    expected = json.loads(capsys.readouterr().out)
    pipe = tmp_path / "pipes" / "ref"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(20 * TEXT,), daemon=True)
    writer.start()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((20 * OTHER).encode())))
    assert main([*options, "--ref", str(pipe), "-", str(other)]) == 0
    writer.join(timeout=10)
    found = json.loads(capsys.readouterr().out)
    for each in (expected, found):
        for text in each.get("texts", ()):
            text.pop("file")
        each["warnings"] = [warning.rpartition(": ")[2] for warning in each["warnings"]]
    assert found == expected


@pytest.mark.parametrize("name", ["excel.tsv", "excel.csv"])
def test_tab_delimited_text_of_excel_is_unquoted(
    name: str, tmp_path: Path, write: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = write("ref.txt", 'He said "no" to me today.\nThe dog sleeps on the mat.\n')
    rows = [
        "sysA\tsysB",
        '"He said ""no"" to me today."\t"He said ""yes"" to me today."',
        "The dog sleeps on the mat.\tThe cat sleeps on the mat.",
    ]
    content = "".join(f"{row}\r\n" for row in rows)
    assert scored(capsys, "--ref", ref, write(name, content))["sysA"] == pytest.approx(100)
    (tmp_path / "unicode.txt").write_bytes(content.encode("utf-16"))
    table = str(tmp_path / "unicode.txt")
    assert scored(capsys, "--ref", ref, table, "--format-of", f"{table}=table")["sysA"] == pytest.approx(100)


def test_rows_of_separators_and_blank_lines_are_no_segments(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("--columns", "reference=reference,A=system", "--format", "json")
    end = write(
        "end.csv", "reference;A\r\nthe cat sat here;the cat sat here\r\na dog ran far;a dog went far\r\n;\r\n;\r\n;\r\n"
    )
    blank = write("blank.csv", "reference,A\nthe cat sat here,the cat sat here\n\na dog ran far,a dog went far\n")
    found: list[dict[str, Any]] = []
    for file in (end, blank):
        assert main(["score", str(file), *columns]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [each["segments"] for each in found] == [2, 2]
    assert found[0]["systems"] == found[1]["systems"]
    assert found[0]["warnings"] == [f"{end}: 3 empty rows at the end left out"]
    assert found[1]["warnings"] == [f"{blank}: 1 blank line between rows left out"]
