"""Subtitles in SRT and WebVTT; each cue is a segment."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from bleu_core.dataset import Column, Role, plural
from bleu_core.errors import FormatError
from bleu_core.formats.contents import Contents, text_contents
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
EXPECTED = "times such as 00:00:01,000 --> 00:00:02,000 expected"
#: A tag such as <i>, or a time within a cue.
TAG = re.compile(r"<(?!\s)[^<>\n]*+>")
#: Codes such as {\an8}, which players of SRT accept from another format.
OVERRIDE = re.compile(r"\{\\[^{}\n]*+\}")
#: Cues after which progress is reported.
CUES_PER_REPORT = 2**12


def _sniff(source: Source) -> float:
    """Recognise a beginning with the first cue, for WebVTT below the first line."""
    beginning = source.text.beginning
    return 0.9 if (CUE.search(beginning) if VTT.match(beginning) else SRT.match(beginning)) else 0


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
    """Return the texts of all cues, without tags, in the order of the file.

    A cue of SRT ends above the number and the times of the next one, since some files have blank lines in cues; one of
    WebVTT ends at a blank line, which notes and styles may follow.
    """
    is_vtt = bool(lines) and VTT.match(f"{lines[0]}\n") is not None
    cues = [i for i, line in enumerate(lines) if (ARROW in line if is_vtt else TIMES.match(line))]
    if not cues:
        raise FormatError(f"{source.name}: no cue found, {EXPECTED}")
    for i in cues:
        if not TIMES.match(lines[i]):
            raise FormatError(f"{source.name}, line {i + 1}: {lines[i][:40]!r} found, {EXPECTED}")
    texts: list[str] = []
    for number, (begin, end) in enumerate(pairwise((*cues, len(lines)))):
        is_numbered = end < len(lines) and lines[end - 1].strip().isdecimal()
        inside = lines[begin + 1 : end - is_numbered]
        filled = takewhile(str.strip, inside) if is_vtt else filter(str.strip, inside)
        text = TAG.sub("", "\n".join(filled))
        texts.append((html.unescape(text) if is_vtt else OVERRIDE.sub("", text)).strip())
        if not number % CUES_PER_REPORT:
            report_progress(number, len(cues))
    return texts


FORMAT = Format(
    key="subtitles",
    label=LABEL,
    description="subtitles in SRT or WebVTT, each cue a segment",
    roles=ROLES,
    sniff=_sniff,
    read=_read,
    role_of=lambda source: text_role(source, "system"),
    endings=(".srt", ".vtt"),
)
