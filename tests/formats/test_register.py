"""The register of formats: what each format declares, and that everything else follows from it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from registers import formats_table
from small_files import SAMPLES

from bleu_core.cli.streaming import score_files
from bleu_core.counts import IrregularError
from bleu_core.dataset import Column
from bleu_core.errors import SettingsError
from bleu_core.formats import (
    FORMATS,
    Contents,
    FileRole,
    Format,
    formats_of,
    inspect,
    option_values,
    read,
    recognise,
    register,
)
from bleu_core.formats.contents import text_contents
from bleu_core.formats.declaration import Options
from bleu_core.formats.source import Source
from bleu_core.scoring import BleuSettings
from bleu_core.uploads import File, assemble
from dashboard.views.data.uploads import upload_help

FILES = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")
TEXT_ROLES: tuple[FileRole, ...] = ("system", "reference", "source", "document")


@pytest.mark.parametrize("key", FORMATS)
def test_a_format_declares_what_is_needed(key: str) -> None:
    found = FORMATS[key]
    assert found.key == key
    assert found.label
    assert found.roles
    assert found.description[-1] not in ".;"
    assert re.fullmatch(r"[a-z-]+", key)
    assert all(re.fullmatch(r"\.[a-z.]+", ending) for ending in found.endings)


def test_keys_and_labels_tell_formats_apart() -> None:
    assert len({found.label for found in FORMATS.values()}) == len({f.key for f in FORMATS.values()}) == len(FORMATS)


@pytest.mark.parametrize("key", SAMPLES)
def test_the_report_names_the_format(key: str) -> None:
    role = FORMATS[key].roles[0]
    report = read(SAMPLES[key], "a", role, format=key).report
    assert report.format_key == key
    assert report.format.startswith(FORMATS[key].label)


def test_only_the_format_of_errors_reports_what_they_cost() -> None:
    costs = {key: read(data, "a", FORMATS[key].roles[0], format=key).report.weights for key, data in SAMPLES.items()}
    assert {key for key, weights in costs.items() if weights is not None} == {"mqm", "appraise", "eval-ratings"}


HEADERS = {
    "mqm before ratings": ("system\tscore\trater\tcategory\tseverity\tseg_id\n", "a", "mqm"),
    "mqm before scores": ("system\tmetric\tscore\trater\tcategory\tseverity\tseg_id\n", "a", "mqm"),
    "scores before ratings": ("system,metric,score\n", "a", "scores"),
    "scores before incomplete mqm": ("system\tmetric\tscore\trater\tcategory\tseverity\n", "a", "scores"),
    "ratings before incomplete mqm": ("system\tscore\trater\tcategory\tseverity\n", "a", "ratings"),
    "incomplete mqm before tables": ("system\trater\tcategory\tseverity\n", "a.tsv", "mqm"),
    "crowd before score files": ("SYS RAW.SCR Z.SCR N\n", "a.score", "crowd"),
    "ratings before score files": ("system\tscore\tNone\nA\t1\t2\n", "a", "ratings"),
    "score files before tables": ("A\t1\nB\t2\n", "a.tsv", "eval-scores"),
    "labels before tables": ("document\tdomain\nd1\tnews\n", "a.tsv", "labels"),
    "texts before labels": ("segment\tA\n1\tThe dog sleeps in the sun.\n", "a.tsv", "table"),
    "tables before text": ("one\ttwo\n", "a.tsv", "table"),
    "text at last": ("one\ttwo\n", "a.txt", "text"),
}


@pytest.mark.parametrize("what", HEADERS)
def test_the_more_particular_format_wins(what: str) -> None:
    content, name, key = HEADERS[what]
    assert inspect(content.encode(), name).format == key


def test_listing_the_formats_imports_none_of_them() -> None:
    script = (
        "import sys; from bleu_core.formats import FORMATS; list(FORMATS); 'mqm' in FORMATS; "
        "print(*[name for name in sys.modules if name.endswith(('.mqm', '.plain', '.pearmut', '.esa'))])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert found.stdout == "\n"


@pytest.mark.parametrize("key", [key for role in TEXT_ROLES[:2] for key in formats_of(role) if key != "text"])
def test_no_other_format_of_texts_is_streamed_as_plain_text(key: str, tmp_path: Path) -> None:
    file, text = tmp_path / f"out{FORMATS[key].endings[0]}", tmp_path / "ref.txt"
    file.write_bytes(SAMPLES[key])
    text.write_bytes(SAMPLES["text"])
    with pytest.raises(IrregularError):
        score_files({"out": file}, {"ref": text}, BleuSettings())


@pytest.mark.parametrize("key", FORMATS)
def test_the_upload_form_lists_every_format(key: str) -> None:
    assert FORMATS[key].description in upload_help()


def test_the_documentation_lists_every_format() -> None:
    assert formats_table() in FILES, "python -m tests.registers prints the table of the formats"


# --- a format that joins ----------------------------------------------------------------------------------------

MAGIC = b"\x89DUO\0"


def sniff_duo(source: Source) -> float:
    return 1 if source.data.startswith(MAGIC) else 0


def read_duo(source: Source, options: Options) -> Contents:
    """A binary format with source and target, from the sheet that is chosen."""
    first = int(options.own.get("sheet", "1"))
    rows = [line.split("=") for line in source.data.removeprefix(MAGIC).decode("utf-16-le").split("\n")[first - 1 :]]
    columns = (
        Column("source", "source", tuple(row[0] for row in rows), source.name),
        Column("system", source.stem, tuple(row[1] for row in rows), source.name),
    )
    return text_contents(columns, source, options.role, DUO.label, encoding="UTF-16-LE", repairs=())


DUO = Format(
    key="duo",
    label="two texts",
    description="pairs of texts",
    roles=("system",),
    sniff=sniff_duo,
    read=read_duo,
    endings=(".duo",),
    binary=True,
    own={"sheet": "Sheet"},
)
FILE = MAGIC + "uno=one\ndos=two".encode("utf-16-le")


@pytest.fixture
def _with_duo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module of one more format, and a line in the register."""
    monkeypatch.setattr(register, "MODULES", {**register.MODULES, "duo": "duo"})
    module = type(sys)("bleu_core.formats.duo")
    module.FORMAT = DUO  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "bleu_core.formats.duo", module)
    yield
    register._load.cache_clear()  # noqa: SLF001 # the next test may register another module of that name


@pytest.mark.usefixtures("_with_duo")
def test_a_binary_format_with_two_roles_is_recognised_and_read() -> None:
    assert recognise(FILE, "x") == "system"
    for contents in (read(FILE, "x", "system"), read(FILE, "x", "system", inspection=inspect(FILE, "x"))):
        assert [(c.role, c.segments) for c in contents.columns] == [
            ("source", ("uno", "dos")),
            ("system", ("one", "two")),
        ]
        assert (contents.report.format, contents.report.format_key) == ("two texts", "duo")
    assert read(FILE, "x", "system", own={"sheet": "2"}).columns[1].segments == ("two",)


@pytest.mark.usefixtures("_with_duo")
def test_a_registered_format_is_offered_everywhere() -> None:
    assert formats_of("system")[-1] == "duo"
    assert "pairs of texts" in upload_help()
    with pytest.raises(SettingsError, match=r"^x: format duo has no option 'page'; its options: sheet$"):
        read(FILE, "x", "system", format="duo", own={"page": "2"})
    with pytest.raises(SettingsError, match="one of these expected for the role judgments"):
        read(FILE, "x", "judgments", format="duo")


@pytest.mark.usefixtures("_with_duo")
def test_the_options_of_a_format_reach_its_reader_on_the_page() -> None:
    file = File("x.duo", FILE, "system", format="duo", own={"sheet": "2"})
    assert dict(assemble([file]).corpus.systems) == {"x.duo": ("two",)}
    assert file.fingerprint != File("x.duo", FILE, "system", format="duo").fingerprint


@pytest.mark.parametrize(
    ("key", "values"),
    [
        (
            "tmx",
            {
                "source": ("es", "en-GB", "fr", "en-US"),
                "target": ("es", "en-GB", "fr", "en-US"),
                "tags": ("drop", "keep"),
            },
        ),
        ("xliff", {"tags": ("drop", "keep")}),
        ("wmt-xml", {"testset": ("general",)}),
    ],
)
def test_values_of_options_are_listed_and_each_is_read(key: str, values: dict[str, tuple[str, ...]]) -> None:
    data, role = SAMPLES[key], FORMATS[key].roles[-1]
    assert option_values(data, "a", key) == values
    for name, choices in values.items():
        for choice in choices:
            assert read(data, "a", role, format=key, own={name: choice}).report.format_key == key
