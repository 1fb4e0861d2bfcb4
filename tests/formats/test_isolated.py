"""Formats whose readers may abort: the file is refused in a sentence, whoever reads it."""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from small_files import ABORTING, SAMPLES, open_document, open_document_rows, parquet, workbook

from bleu_core.errors import FormatError
from bleu_core.formats import FORMATS, inspect, isolated, option_values, read
from bleu_core.isolation import OutOfMemoryError, OutOfTimeError, StoppedError
from bleu_core.limits import LimitError, Limits
from bleu_core.uploads import Workspace, assemble, create_file

#: The command as the console script runs it.
PROGRAM = "import sys; from bleu_core.cli import main; sys.exit(main())"
TEXTS = b"the cat sat\na dog ran\n"


def test_a_file_that_aborts_its_reader_is_refused_and_the_next_one_read() -> None:
    with pytest.raises(FormatError, match=r"^kill\.parquet: cannot be read"):
        read(ABORTING, "kill.parquet", "system")
    assert len(read(SAMPLES["parquet"], "a.parquet", "system").columns) == 2


def test_in_a_session_only_that_file_is_set_aside() -> None:
    files = [("ref.txt", TEXTS), ("kill.parquet", ABORTING), ("A.txt", TEXTS)]
    found = assemble([create_file(name, data, None) for name, data in files])
    assert isinstance(found, Workspace)
    assert [bool(entry.problem) for entry in found.entries] == [False, True, False]
    assert found.entries[1].problem.startswith("kill.parquet: cannot be read")


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_bytes(TEXTS)
    (tmp_path / "kill.parquet").write_bytes(ABORTING)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", "--ref", "ref.txt", "kill.parquet"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bleu-core check: kill.parquet: cannot be read")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (
            StoppedError("SIGABRT"),
            FormatError,
            r"the file makes the {} reader stop \(SIGABRT\); it is probably damaged: write it again, or export",
        ),
        (
            OutOfMemoryError(""),
            LimitError,
            r"the {} reader needs more than 5,000 bytes of memory; .* start with --limit reader_memory=10000$",
        ),
        (
            OutOfTimeError(""),
            LimitError,
            r"the {} reader needs more than 7 seconds; .* start with --limit reader_seconds=14$",
        ),
    ],
)
@pytest.mark.parametrize("key", ["parquet", "spreadsheet"])
def test_the_message_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, key: str, error: StoppedError, kind: type[Exception], message: str
) -> None:
    given: dict[str, Any] = {}

    def stop(*_: object, **limits: int) -> None:
        given.update(limits)
        raise error

    monkeypatch.setattr(isolated, "isolated", stop)
    limits = Limits(reader_memory=5000, reader_seconds=7)
    with pytest.raises(kind, match=f"^a: cannot be read: {message.format(FORMATS[key].label)}"):
        read(SAMPLES[key], "a", "system", limits=limits)
    assert given == {"memory": 5000, "seconds": 7}


@pytest.mark.parametrize("key", [key for key in FORMATS if FORMATS[key].isolated])
def test_a_table_is_the_same_whichever_process_reads_it(request: pytest.FixtureRequest, key: str) -> None:
    rows = {"source": ["ü", "\t", None], "S\n1": [" x", "y", None]}
    data = parquet(rows) if key == "parquet" else workbook([[*rows], *zip(*rows.values(), strict=True)], [["z"]])
    one = inspect(data, "a")
    request.getfixturevalue("readers_here")
    other = inspect(data, "a")
    assert one.table is not None
    assert other.table is not None
    for name in ("data", "name", "limits", "notes", "decisions", "table"):
        assert getattr(one.table, name) == getattr(other.table, name)


def test_every_format_that_has_native_code_of_its_own_is_isolated() -> None:
    assert {key for key in FORMATS if FORMATS[key].isolated} == {"parquet", "spreadsheet"}


def test_a_file_without_a_name_in_a_spreadsheet_is_ignored() -> None:
    data = workbook([["source", "S1"], ["uno", "one"]]).replace(b"docProps/app.xml", b"\0ocProps/app.xml")
    assert [column.name for column in read(data, "a.xlsx", "system").columns] == ["source", "S1"]


def test_the_sheets_of_a_workbook_are_known() -> None:
    assert option_values(workbook([["A"]], [["B"]]), "a.xlsx", "spreadsheet")["sheet"] == ["Sheet1", "Sheet2"]
    assert option_values(b"a b\n", "a.txt", "text") == {}


def repeating(spaces: str) -> bytes:
    """An ODS file with a cell that has so many blanks."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = (cell.format(text) for text in ("A", "B", f'x<text:s text:c="{spaces}"/>y', "z"))
    return open_document("".join(f"<table:table-row>{next(rows)}{next(rows)}</table:table-row>" for _ in range(2)))


def test_repeated_blanks_of_ods_are_written_out_within_the_memory() -> None:
    assert read(repeating("3"), "a.ods", "system").columns[0].segments == ("x   y",)
    with pytest.raises(FormatError, match=r"^a\.ods: cannot be read: the (file makes the )?spreadsheet reader "):
        read(repeating("2000000000"), "a.ods", "system", limits=Limits(reader_memory=400_000_000))


def test_what_takes_too_much_memory_stops_the_reader_only() -> None:
    text = f'<table:table-cell office:value-type="string"><text:p>{"x" * 100_000}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="100000">{text}</table:table-row>'
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FormatError, match=r"^a\.ods: cannot be read: "):
        read(open_document(row), "a.ods", "system", limits=Limits(reader_memory=400_000_000))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


DECLARED = (
    '<!DOCTYPE x [<!ENTITY a "spam"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">'
    '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>'
)
ROWS = [["source", "S1"], ["MARK", "one"]]


def declaring(data: bytes, path: str, reference: str) -> bytes:
    """A spreadsheet of which one file declares entities, and refers to one of them instead of MARK."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name).decode()
            if name == path:
                start = content.find("?>") + 2 if content.startswith("<?xml") else 0
                content = content[:start] + DECLARED + content[start:].replace("MARK", reference)
            new.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize("reference", ["&b;", "&f;", "MARK"])
@pytest.mark.parametrize(
    "path",
    [
        "content.xml",
        "META-INF/manifest.xml",
        "[Content_Types].xml",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
        "xl/sharedStrings.xml",
        "xl/_rels/workbook.xml.rels",
    ],
)
def test_no_entity_of_a_spreadsheet_is_expanded(path: str, reference: str) -> None:
    ods = path in ("content.xml", "META-INF/manifest.xml")
    data = open_document(open_document_rows(ROWS)) if ods else workbook(ROWS)
    try:
        segments = str([column.segments for column in read(declaring(data, path, reference), "a", "system").columns])
    except FormatError as error:
        segments = str(error)
    assert "spam" not in segments
    assert "root:" not in segments
