"""Subtitles: a cue is a segment, in SRT and WebVTT, as other programs write them."""

from __future__ import annotations

import json

import pytest
from conftest import Writer
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from webvtt import Caption, WebVTT

from bleu_core.cli import main
from bleu_core.errors import FormatError
from bleu_core.formats import read, recognise
from bleu_core.formats.subtitles import MAX_OPEN
from bleu_core.limits import LimitError, Limits

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Hello</i> {\\an8}there, <font color="red">you</font>

2
00:00:02,000 --> 00:00:03,500 X1:1 X2:2
In the year
2019

3
00:00:04,000 --> 00:00:05,000

4
00:00:05,000 --> 00:00:06,000
5
00:00:06,000 --> 00:00:06,900
a & b

after a blank line
6
00:00:07,000 --> 00:00:08,000
last <b>one</b>
"""
VTT = """WEBVTT - title

NOTE a comment
in two lines

STYLE
::cue { color: red }

intro
00:00:01.000 --> 00:00:02.500 align:start position:10%
<v Anna>Hello <i>there</i>, you &amp; me</v>

NOTE another

2
00:02.000 --> 00:03.500
- In the <00:00:02.500>year
- 2019

00:00:04.000 --> 00:00:05.000

00:00:05.000 --> 00:00:06.000
last one
"""


def segments(content: str, name: str = "x.srt") -> tuple[str | None, ...]:
    return read(content.encode(), name, "system").columns[0].segments


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_cue_of_srt_is_a_segment_without_tags(end: str) -> None:
    expected = ("Hello there, you", "In the year 2019", "", "", "a & b after a blank line", "last one")
    assert segments(SRT.replace("\n", end)) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_cue_of_webvtt_is_a_segment_without_tags_notes_and_styles(end: str) -> None:
    expected = ("Hello there, you & me", "- In the year - 2019", "", "last one")
    assert segments(VTT.replace("\n", end), "x.vtt") == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1\n00", "\n\n1 \n00"),  # blank lines first, and a blank behind the number
        ("2\n00:00:02", "00:00:02"),  # a cue without its number
        ("1\n00:00:01", "00:00:01"),
        ("\n\n2\n", "\n2\n"),  # no blank line
        ("00:00:01,000 --> 00:00:02,500", "0:00:01.0-->0:00:02.50"),
    ],
)
def test_srt_as_other_programs_write_it_is_read(old: str, new: str) -> None:
    assert old in SRT
    assert segments(SRT.replace(old, new, 1)) == segments(SRT)


@pytest.mark.parametrize(("content", "ending"), [(SRT, ".srt"), (VTT, ".vtt"), (SRT, ".txt"), (VTT, "")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_subtitles_are_recognised_by_their_content(content: str, ending: str, encoding: str) -> None:
    data = content.encode(encoding)
    assert recognise(data, f"x{ending}") == "system"
    assert recognise(data, f"ref{ending}") == "reference"
    assert read(data, f"x{ending}", "reference").report.format_key == "subtitles"


@pytest.mark.parametrize("content", ["1\nThe cat\n", "WEBVTT\nis a format\n", "12:30:00 --> 1\n", "1\n00:00:01\n"])
def test_texts_that_begin_like_subtitles_are_texts(content: str) -> None:
    assert segments(content, "x.txt") == tuple(content.splitlines())


def test_what_was_done_is_reported() -> None:
    report = read(SRT.encode(), "x.srt", "system").report
    assert report.repairs == ("line breaks in 2 cues read as blanks",)
    assert report.about_texts == ("2 segments without text",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n00:01,000 --> 00:02,000\nno hours\n", r"x\.srt: 0 of 1 cues can be read; expected are a number"),
        (VTT.replace("00:00:04.000 -->", "00:00:04 -->"), r"x\.srt, line 20: 3 of 4 cues can be read"),
        (f"{SRT}\n{'<' * (MAX_OPEN + 1)}\n", rf"x\.srt, line 24: more than {MAX_OPEN} '<' without '>' found"),
        ("WEBVTT\n\n1\n", "x.srt: no cue found, times such as"),
    ],
)
def test_damaged_files_are_refused_with_the_place(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(content.encode(), "x.srt", "system", format="subtitles")


def test_limits_hold() -> None:
    with pytest.raises(LimitError, match="lines"):
        read(SRT.encode(), "x.srt", "system", limits=Limits(lines=10))
    with pytest.raises(LimitError, match="line 3"):
        read(SRT.encode(), "x.srt", "system", limits=Limits(line_length=40))


@given(
    st.lists(
        st.lists(st.text("ab .,!?-&", min_size=1, max_size=8).filter(str.strip), max_size=2), min_size=1, max_size=5
    )
)
def test_what_the_library_writes_is_read_as_it_was(cues: list[list[str]]) -> None:
    captions = [Caption(f"00:00:0{n}.000", f"00:00:0{n}.500", lines) for n, lines in enumerate(cues)]
    expected = tuple(" ".join(line.strip() for line in lines) for lines in cues)
    written = WebVTT(captions=captions).content
    assert segments(written, "x.vtt") == expected


def test_the_score_is_that_of_the_texts(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    texts = ("The river runs slowly through the town", "Our train leaves at nine", "Nobody knows the name of the baker")
    others = ("The river runs slowly past the town", "Our train leaves at nine", "Nobody knows the name of the cook")

    def srt(lines: tuple[str, ...]) -> str:
        return "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},500\n{line}\n\n" for n, line in enumerate(lines, start=1))

    found: list[float] = []
    for ending, made in ((".srt", srt), (".txt", "\n".join)):
        files = [str(write(f"{name}{ending}", made(lines))) for name, lines in (("ref", texts), ("A", others))]
        assert main(["score", "--ref", *files, "--format", "json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["systems"][0]["bleu"])
    assert found[0] == found[1] == pytest.approx(BLEU().corpus_score(others, [texts]).score)
