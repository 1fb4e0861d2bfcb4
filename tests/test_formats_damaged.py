"""Damaged files of every format: read, or refused with a message, and never anything else."""

from __future__ import annotations

import io
import json
import re
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_core.errors import FormatError
from bleu_core.formats import delimited
from bleu_core.formats.recognise import FORMATS, ROLES_OF_FORMATS, Contents, FileRole, read, recognise

MQM = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# Documentation: x"


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t/sources/xx-yy.txt", "uno\ndos\n")
        archive.writestr("t/references/xx-yy.refA.txt", "one\ntwo\n")
        archive.writestr("t/system-outputs/xx-yy/S1.txt", "one\nto\n")
        archive.writestr("t/human-scores/xx-yy.mqm.seg.score", "S1\t-1\nS1\tNone\n")
        archive.writestr("t/metric-scores/xx-yy/M-refA.sys.score", "S1\t0.6\n")
    return stream.getvalue()


SAMPLES: dict[str, bytes] = {
    "ratings": b'segment,system,judge,score,group\n1,A,x,2,g\n2,"B, too",y,NA,\n3,A,x,-0.5,g\n',
    "mqm": (
        f"{MQM}\nA\td\t1\t1\tr\ts\tt\tFluency/Punctuation\tMinor\t{{}}\nB\td\t1\t1\tr\ts\tt\tMissed\tHOTW-test\t\n"
    ).encode(),
    "mqm-averages": b"system mqm_avg_score seg_id\nA\t-1.5 3\nA\tNone 4\n",
    "appraise": (
        b'u,wmt23.A,2,TGT,eng,deu,0,d#A,False,"[{""start_i"":1,""severity"":""minor"",""error_type"":null}]",1.5,2.5\r\n'
        b"u,wmt23.B,1,BAD,eng,deu,0,d#B#bad1,False,\"{'start_i': 0, 'severity': 'major'}\",1.5,2.5\r\n"
    ),
    "crowd": b"HITId WorkerId sys_id type sid score\nh\tw\tA.1\tSYSTEM\t3\t0.5\nh\tw\tA.1\tREF\t4\t-0.5\n",
    "esa": (
        json.dumps({"langs": "en-cs", "line_id": 2, "doc_id": "d", "esa_score": "70", "system": "A", "annotator": 3})
        + "\n"
        + json.dumps({"doc_id": "en-is_#_n_#_d_#_9", "scores": {"A": [{"score": 1.5, "annotator": None}]}})
        + "\n"
    ).encode(),
    "scores": b"metric,system,segment,score\nM,A,1,0.5\nM,B,2,\n",
    "eval-scores": b"A\t1.5\nA\tNone\nB\t-2e1\nB\t3\n",
    "archive": _zip(),
}
PIECES = [
    b"", b"\n", b"\r", b"\t", b",", b'"', b"{", b"}", b"[", b"]", b"'", b":", b"0", b"-1", b"9" * 30, b"1_0", b"None",
    b"nan", b"inf", b"1e999", b"null", b"true", b"\xff", b"\0", b"\xe2\x80\xa8", b"#bad1", b"A+B", b"_#_", b"\\d",
    b"\\ud800", b'\\udfff"', b"NaN", b"-Infinity", b"[" * 3000, b'{"a":' * 3000, b"9" * 5000, b"<xliff a=",
    b"PK\x03\x04", b"\x1b[31m",
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
        assert recognise(sample, "a.csv" if kind == "ratings" else "a") in ROLES_OF_FORMATS[kind]


@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=150)
@given(data=st.data())
def test_damaged_files_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    content = data.draw(damaged(SAMPLES[kind]))
    for role in ROLES_OF_FORMATS[kind]:
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
        patch.setattr(delimited, "LARGE", 0)
        assert all_of(read_or_told(content, "f", "judgments", "appraise")) == small
