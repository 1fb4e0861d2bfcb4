"""Files of texts among keys, tags or code are refused with what to export; plain text never is."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import nightly

import sample_data
from bleu_core.cli import main
from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, read, recognise
from bleu_core.formats.text import HEAD_CHARS

TEXTS = ["The river runs slowly through the town", "Our train leaves at nine tonight", "Nobody knows the baker: really"]
XML = '<?xml version="1.0" encoding="utf-8"?>\n'
STRINGS = "".join(f'"title.{n}" = "{text}";\n' for n, text in enumerate(TEXTS))
PROPERTIES = "".join(f"screen.title.{n}={text}\n" for n, text in enumerate(TEXTS))
YAML = "de:\n" + "".join(f'  title_{n}: "{text}"\n' for n, text in enumerate(TEXTS))
KEYS = {f"key.{n}": text for n, text in enumerate(TEXTS)}
TAGS = "".join(f"<p>{text}</p>\n" for text in TEXTS)
ANDROID = f"{XML}<resources>\n" + "".join(f'<string name="k">{text}</string>\n' for text in TEXTS) + "</resources>\n"

#: The kind as it is called, an ending, and the content.
REFUSED: dict[str, tuple[str, str, str]] = {
    "HTML": ("HTML", ".html", f"<html><body>\n{TAGS}</body></html>\n"),
    "HTML by its name": ("HTML", ".htm", TAGS),
    "HTML 5": ("HTML", ".txt", f"<!-- x -->\n<!DOCTYPE html>\n<html lang='de'>\n<head></head>\n{TAGS}</html>"),
    "HTML 5 without html": ("HTML", ".txt", f"<!doctype html>\n<title>x</title>\n<body>{TAGS}</body>"),
    "Android": ("XML of another kind", ".xml", ANDROID),
    "RESX": (
        "XML of another kind",
        ".resx",
        f"{XML}<root>\n"
        + "".join(f'<data name="k" x="y">\n<value>{text}</value>\n</data>\n' for text in TEXTS)
        + "</root>",
    ),
    "Qt": (
        "XML of another kind",
        ".ts",
        f'{XML}<!DOCTYPE TS>\n<TS version="2.1"><context><message><source>a</source></message></context></TS>\n',
    ),
    "property list": ("XML of another kind", ".plist", f"{XML}<plist><dict><key>a</key></dict></plist>"),
    "other XML": ("XML of another kind", ".xml", f"{XML}<menu>\n<item>a</item>\n</menu>\n"),
    "JSON": ("a JSON file that is not a table", ".json", json.dumps(KEYS, indent=2)),
    "nested JSON": ("a JSON file that is not a table", ".txt", json.dumps({"de": KEYS, "n": [1]}, indent=1)),
    "JSON in a line": ("a JSON file that is not a table", ".json", json.dumps({"de": KEYS, "en": KEYS})),
    "ARB": ("a JSON file that is not a table", ".arb", json.dumps(KEYS)),
    "properties": (
        "a file of texts with keys, as of Java properties or in INI,",
        ".properties",
        f"# title\n{PROPERTIES}continued = a \\\n  line\n",
    ),
    "properties with colons": (
        "a file of texts with keys, as of Java properties or in INI,",
        ".properties",
        "ok: Yes\nno: No\n",
    ),
    "properties by their content": ("a file of texts with keys, as of Java properties or in INI,", ".txt", PROPERTIES),
    "INI": ("a file of texts with keys, as of Java properties or in INI,", ".ini", "[a]\none = x y\ntwo = y\n"),
    "strings": ("a file of Apple strings", ".strings", f"/* Title\n of a screen */\n{STRINGS}"),
    "strings by their content": ("a file of Apple strings", ".txt", f"/* one */\n{STRINGS}\n// end\n"),
    "YAML": ("a YAML file of texts with keys", ".yml", YAML),
    "YAML with comments": (
        "a YAML file of texts with keys",
        ".yaml",
        f"# all\n---\nde:\n  a: |\n    x\n  b: y\n{YAML[4:]}",
    ),
    "list in YAML": ("a list in YAML", ".yaml", '---\n- "one two"\n- three\n'),
    "table in Markdown": ("a table in Markdown", ".md", "| ref | A |\n|---|---|\n| one two | one |\n"),
    "table in LaTeX": ("a table in LaTeX", ".tex", "1 & one two \\\\\n2 & three \\\\ \\hline\n"),
    "n-best list": (
        "fields separated by | or |||, as of n-best lists,",
        ".txt",
        "0 ||| a b ||| -1.2\n0 ||| a c ||| -1.3\n",
    ),
    "pasted texts": ("fields separated by | or |||, as of n-best lists,", ".txt", "a b|a c\na d.|a e.\n"),
    "fairseq-generate": (
        "lines of fairseq-generate for sources (S-), outputs (H-) and others",
        ".txt",
        "S-1\tuno\nT-1\tone\nH-1\t-0.2\ton e\nP-1\t-0.1 -0.3\n",
    ),
    "transcripts of sclite": (
        "lines with ids, as of sclite or Kaldi,",
        ".trn",
        "it rains (a-001)\nwe go (a-003)\nthe cat sat (b-001)\n",
    ),
    "transcripts of Kaldi": (
        "lines with ids, as of sclite or Kaldi,",
        ".txt",
        "spk1-utt001 it rains\nspk1-utt003 we go\nspk2-utt001 the cat sat\n",
    ),
    "YAML by its content": ("a YAML file of texts with keys", ".txt", YAML),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_it_is_refused_with_what_to_export(case: str, encoding: str) -> None:
    kind, ending, content = REFUSED[case]
    data, name = content.encode(encoding), f"x{ending}"
    with pytest.raises(FormatError) as error:
        recognise(data, name)
    found, advice, *_ = str(error.value).split("; ")
    assert found == f"{name}: {kind} found, which cannot be read"
    assert "one segment per line" in advice
    roles: tuple[FileRole, ...] = ("system", "reference", "source", "document")
    for role in roles:
        with pytest.raises(FormatError, match=r" found, which cannot be read; "):
            read(data, name, role)


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_read_as_text_where_somebody_says_so(case: str) -> None:
    _, ending, content = REFUSED[case]
    found = read(content.encode(), f"x{ending}", "system", format="text")
    assert list(found.columns[0].segments) == content.removesuffix("\n").split("\n")


@pytest.mark.parametrize(
    ("case", "workers"),
    [
        *((case, "1") for case in ("properties", "properties by their content", "strings by their content", "YAML")),
        ("properties by their content", "2"),
        *nightly((case, "2") for case in ("properties", "strings by their content", "YAML")),
    ],
)
def test_the_command_line_refuses_it_however_it_reads(
    case: str, workers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, ending, content = REFUSED[case]
    path = tmp_path / f"x{ending}"
    path.write_text(content)
    assert main(["score", "--ref", str(path), str(path), "--workers", workers]) == 2
    assert f"{kind} found, which cannot be read" in capsys.readouterr().err


#: Texts that have something of such files, and are none.
PLAIN: dict[str, tuple[str, str]] = {
    "sentences with equals signs": (".txt", "a=b is an equation\nx = y\ny.z = w\n"),
    "one key twice": (".txt", "a.b=1\na.b=2\na.b=3\n"),
    "few keys": (".txt", "a.b=1\na.c=2\n"),
    "keys but for a line": (".txt", f"{PROPERTIES}The end.\n"),
    "keys without dots": (".txt", "title=One\nlabel=Two\nmenu=Three\n"),
    "strings but for a line": (".txt", f"{STRINGS}The end.\n"),
    "speakers": (".txt", "anna: Hello\nbert: Good morning\nanna: Bye\n"),
    "a colon first": (".txt", "de:\n title: x\nand more\n"),
    "brackets": (".txt", "it rains (a-1)\nwe go (see above)\nshe left (a-2)\n"),
    "one word": (".txt", "F-16 planes flew\nF-16 planes landed\nB-52 planes stayed\n"),
    "braces": (".txt", "{a}\n{b}\n"),
    "an object in a line": (".txt", '{"a": "x", "b": "y"}\n'),
    "tags": (".txt", TAGS),
    "html at the beginning": (".txt", "<html> begins a file\nand </html> ends it\n"),
    "a document type": (".txt", "<!DOCTYPE html>\nis how it begins, and it ends with\n</p>\n"),
    "resources": (".txt", "<resources> are\nin a file that has <string >s\n"),
    "a wrong ending": (".yml", "The cat sat.\nThe dog: a story\n"),
    "another wrong ending": (".properties", "The cat sat on a mat.\nx\n"),
    "strings without an entry": (".strings", '"Hello," she said.\n'),
    "a comment of C": (".txt", "/* never ended\n" + STRINGS),
}


@pytest.mark.parametrize("case", PLAIN)
def test_plain_text_is_not_refused(case: str) -> None:
    ending, content = PLAIN[case]
    assert recognise(content.encode(), f"x{ending}") == "system"
    if '{"' not in content:
        assert list(read(content.encode(), f"x{ending}", "system").columns[0].segments) == content[:-1].split("\n")


@given(st.lists(st.text("ab.=: \"';{}<>/\\#\t-", max_size=12), min_size=1, max_size=6), st.sampled_from([".txt", ""]))
def test_what_is_refused_as_text_has_keys_in_every_line(lines: list[str], ending: str) -> None:
    content = "\n".join(lines)
    try:
        recognise(content.encode(), f"x{ending}")
    except FormatError as error:
        assert "cannot be read" in str(error)  # noqa: PT017 # most texts raise nothing
        assert all("=" in line or ":" in line for line in lines if line.strip() and line.lstrip()[0] not in "#/")


def test_a_long_text_is_judged_by_its_first_lines() -> None:
    lines = "".join(f"a.b{n}={'x' * 50}\n" for n in range(HEAD_CHARS // 20))
    with pytest.raises(FormatError, match="Java properties"):
        recognise(f"{lines}The end.\n".encode(), "x.txt")


def test_rows_of_tables_are_read() -> None:
    stream = io.StringIO()
    csv.writer(stream).writerows([["a.b=1", "c"], ["a.c=2", "d"], ["a.d=3", "e"]])
    assert recognise(stream.getvalue().encode(), "x.csv") == "system"
    row = json.dumps({"src": "a b", "mt": "c d"})
    assert len(read(f"{row}\n{row}\n".encode(), "x.jsonl", "system").columns) == 2
    assert len(read(f"{row}\n".encode(), "x.json", "system").columns) == 2


def test_no_text_of_the_sample_and_of_real_test_sets_is_refused() -> None:
    folders = [Path(sample_data.__file__).parent]
    if "BLEU_CONFORMANCE_DATA" in os.environ:
        folders.append(Path(os.environ["BLEU_CONFORMANCE_DATA"]) / "data")
    texts = [path for folder in folders for path in folder.rglob("*.txt")]
    assert len(texts) >= 5
    for path in texts:
        for name in (path.name, path.stem, "x.hyp"):
            recognise(path.read_bytes(), name)
