"""Damaged files of every format: read, or refused with a message, and never anything else."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import SAMPLES

from bleu_core.errors import FormatError
from bleu_core.formats import FORMATS, Contents, FileRole, delimited, read, recognise

PIECES = [
    b"", b"\n", b"\r", b"\t", b",", b'"', b"{", b"}", b"[", b"]", b"'", b":", b"0", b"-1", b"9" * 30, b"1_0", b"None",
    b"nan", b"inf", b"1e999", b"null", b"true", b"\xff", b"\0", b"\xe2\x80\xa8", b"#bad1", b"A+B", b"_#_", b"\\d",
    b"\\ud800", b'\\udfff"', b"NaN", b"-Infinity", b"[" * 3000, b'{"a":' * 3000, b"9" * 5000, b"<xliff a=",
    b"PK\x03\x04", b"\x1b[31m", b"<", b">", b"</", b"&", b"&x;", b"&#0;", b"<seg>", b"</target>", b"<![CDATA[", b"<!--",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"<g>" * 400, b'id="1"', b'encoding="utf-32"', b'msgid "', b'msgstr[9] "',
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, sample: bytes) -> bytes:
    """A sample with pieces put in the place of others, rows doubled or moved, or cut off."""
    data = sample
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 6)))
        data = data[:start] + draw(st.sampled_from(PIECES)) + data[end:]
    if draw(st.booleans()):
        lines = data.split(b"\n")
        data = b"\n".join(draw(st.permutations(lines))) if len(lines) < 6 else data[: draw(st.integers(0, len(data)))]
    return data


def read_or_told(content: bytes, name: str, role: FileRole | None = None, kind: str | None = None) -> Contents | str:
    """What was read, or the message."""
    try:
        return read(content, name, role or recognise(content, name), format=kind)
    except FormatError as error:
        return str(error)


def test_every_format_is_sampled_and_recognised() -> None:
    assert set(SAMPLES) == set(FORMATS)
    for kind, sample in SAMPLES.items():
        assert recognise(sample, "a.csv" if kind in ("ratings", "table") else "a") in FORMATS[kind].roles


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=20)  # thousands by tests.fuzz
@given(data=st.data())
def test_damaged_files_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    content = data.draw(damaged(SAMPLES[kind]))
    for role in FORMATS[kind].roles:
        contents = read_or_told(content, "f", role, kind)
        if not isinstance(contents, Contents):
            assert re.fullmatch(r"f[:,/].*", contents)
            continue
        if contents.judgments is not None:
            values = contents.judgments.rated["score"].to_numpy()
            assert len(values)
            assert np.isfinite(values).all()
            assert contents.judgments.place(("A",), 3)[0].segment_means(("A",), 3).systems == ("A",)
        for table in contents.scores:
            assert not np.isinf(table.scores).any()


@given(data=st.data())
def test_damaged_files_are_recognised_as_something_or_refused(data: st.DataObject) -> None:
    content = data.draw(damaged(data.draw(st.sampled_from(list(SAMPLES.values())))))
    contents = read_or_told(content, "f.csv")
    assert isinstance(contents, Contents) or re.match(r"f\.csv[:,/]", contents)


def all_of(contents: Contents | str) -> object:
    """What tells one reading from another."""
    if isinstance(contents, str) or contents.judgments is None:
        return contents
    table = contents.judgments.table
    cells = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    return contents.report, list(table), cells, contents.judgments.digest, contents.judgments.numbering


@given(data=st.data())
def test_damaged_exports_are_read_or_refused_alike_whether_large_or_small(data: st.DataObject) -> None:
    content = data.draw(damaged(SAMPLES["appraise"] * data.draw(st.integers(1, 3))))
    small = all_of(read_or_told(content, "f", "judgments", "appraise"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MIN_PANDAS_CHARS", 0)
        assert all_of(read_or_told(content, "f", "judgments", "appraise")) == small
