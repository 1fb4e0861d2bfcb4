"""Subtitles in SRT and WebVTT; each cue is a segment."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence

from bleu_core.dataset import Column, Role, plural
from bleu_core.errors import FormatError
from bleu_core.formats.contents import Contents, FileRole, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.text_roles import text_role
from bleu_core.formats.xml_elements import join_lines
from bleu_core.progress import report_progress

LABEL = "subtitles"
#: The roles of such a file.
ROLES: tuple[Role, ...] = ("system", "reference", "source")
TIME = r"(?:\d{1,10}:)?\d{1,2}:\d{1,2}[,.]\d{1,3}"
FROM_TO = rf"{TIME}\s*+-->\s*+{TIME}(?!\S)"
TIMES = re.compile(rf"\s*+{FROM_TO}")
#: The beginning of an SRT file: the number and the times of the first cue.
SRT = re.compile(rf"\s*+(?:\d++[ \t]*+\r?\n)?{TIMES.pattern}")
#: The first line of a WebVTT file.
VTT = re.compile(r"WEBVTT(?:[ \t][^\n]*+)?\r?\n")
#: The times of a cue.
CUE = re.compile(rf"^[^\S\n]*+{FROM_TO}", re.MULTILINE)
ARROW = "-->"
#: An empty tag, which the reader removes: it skips cues of SRT without any line.
EMPTY = "<c></c>"
#: Codes such as {\an8}, which players of SRT accept from another format.
OVERRIDE = re.compile(r"\{\\[^{}\n]*+\}")
#: The most "<" without ">" in a line: the reader searches the rest of the line from each of them.
MAX_OPEN = 100
#: Cues after which progress is reported.
CUES_PER_REPORT = 2**12


def is_subtitles(beginning: str) -> bool:
    """Return whether a text begins like an SRT or a WebVTT file with a cue.

    Args:
        beginning: the beginning of the text, without a byte order mark.
    """
    if VTT.match(beginning):
        return CUE.search(beginning) is not None
    return SRT.match(beginning) is not None


def _sniff(source: Source) -> float:
    return 0.9 if is_subtitles(source.text.beginning) else 0


def _role_of(source: Source) -> FileRole:
    return text_role(source, "system")


def _read(source: Source, options: Options) -> Contents:
    """Read the cues.

    Raises:
        FormatError: there is no cue, or one that cannot be read.
    """
    lines, repairs = split_lines(source.text)
    texts = _texts(lines, source)
    segments = tuple(map(join_lines, texts))
    n_broken = sum(text != segment for text, segment in zip(texts, segments, strict=True))
    if n_broken:
        repairs = (*repairs, f"line breaks in {n_broken:,} {plural(n_broken, 'cue')} read as blanks")
    role: Role = options.role if options.role in ("reference", "source") else "system"
    column = Column(role, source.stem, segments, source.name)
    return text_contents((column,), source, options.role, LABEL, repairs=repairs)


def _texts(lines: Sequence[str], source: Source) -> list[str]:
    """Return the texts of all cues, without tags, in the order of the file."""
    _check_tags(lines, source.name)
    is_vtt = VTT.match(f"{lines[0]}\n") is not None if lines else False
    cues = [i for i, line in enumerate(lines) if (ARROW in line if is_vtt else TIMES.match(line))]
    if not cues:
        raise FormatError(f"{source.name}: no cue found, times such as 00:00:01,000 --> 00:00:02,000 expected")
    import webvtt  # loaded when first needed
    from webvtt.errors import MalformedCaptionError, MalformedFileError

    given = lines if is_vtt else _with_all_cues(lines, frozenset(cues))
    try:
        captions = webvtt.from_buffer(given, format="vtt" if is_vtt else "srt").captions
    except (MalformedFileError, MalformedCaptionError):
        captions = []
    if len(captions) != len(cues):
        wrong = next((i for i in cues if not TIMES.match(lines[i])), None)
        place = source.name if wrong is None else f"{source.name}, line {wrong + 1}"
        raise FormatError(
            f"{place}: {len(captions):,} of {len(cues):,} cues can be read; expected are a number and times such as "
            "00:00:01,000 --> 00:00:02,000 above each text, and a blank line below it"
        )
    texts: list[str] = []
    for number, caption in enumerate(captions):
        text = html.unescape(caption.text) if is_vtt else OVERRIDE.sub("", caption.text)
        texts.append(text.strip())
        if not number % CUES_PER_REPORT:
            report_progress(number, len(captions))
    return texts


def _check_tags(lines: Sequence[str], name: str) -> None:
    for number, line in enumerate(lines, start=1):
        if "<" in line and line.count("<", line.rfind(">") + 1) > MAX_OPEN:
            raise FormatError(f"{name}, line {number}: more than {MAX_OPEN} '<' without '>' found, tags expected")


def _with_all_cues(lines: Sequence[str], cues: Collection[int]) -> list[str]:
    """Return the lines of an SRT in the reader's strict form: a number above the times, and no empty cue.

    Args:
        lines: the lines of the file.
        cues: the positions of the lines with times.
    """
    output: list[str] = []
    for i, line in enumerate(lines):
        if i in cues:
            above = output.pop().strip() if output else ""
            output += [above] if above.isdecimal() else [above, "1"]
        output.append(line)
        if i in cues and (not "".join(lines[i + 1 : i + 2]).strip() or i + 2 in cues):
            output.append(EMPTY)
    start = next((i for i, line in enumerate(output) if line.strip()), 0)
    return output[start:]


FORMAT = Format(
    key="subtitles",
    label=LABEL,
    description="subtitles in SRT or WebVTT, each cue a segment",
    roles=ROLES,
    sniff=_sniff,
    read=_read,
    role_of=_role_of,
    endings=(".srt", ".vtt"),
)
