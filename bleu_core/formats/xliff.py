"""XLIFF 1.0 to 1.2 and 2.0 to 2.2, with extensions of SDL, Memsource and others: sources and translations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.formats.bilingual import BILINGUAL_ROLES, Bilingual
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text_roles import text_role
from bleu_core.formats.xml_elements import (
    TAG_CHOICES,
    attribute,
    detect_xml_encoding,
    inline_text,
    iter_elements,
    join_lines,
    keeps_tags,
    local_name,
    root_pattern,
    sniff_root,
)

if TYPE_CHECKING:
    from bleu_core.formats.xml_elements import Element

LABEL = "XLIFF"
#: A target element in a file, which may be in UTF-16.
TARGET = re.compile(rb"[<:]\0?t\0?a\0?r\0?g\0?e\0?t\0?[\s/>]")
#: Elements with the segments of a unit, in versions 1 and 2.
UNITS = ("trans-unit", "unit")


@dataclass(slots=True)
class _Segment:
    """A segment: its source, its target if it has one, alternative translations by origin, and its labels."""

    source: str
    target: str | None
    line: int
    state: str = ""
    locked: bool = False
    others: dict[str, str] = field(default_factory=dict[str, str])


class _Reader:
    """Reads units, given the settings of their file and groups."""

    def __init__(self, source: Source, *, tags: bool) -> None:
        self.source = source
        self.tags = tags

    def text(self, element: Element | None) -> str:
        return inline_text(element, self.source, tags=self.tags)

    def unit(self, unit: Element, *, locked: bool) -> list[_Segment]:
        """Return the segments of a unit, without those that have no text and are not to be translated."""
        translate = unit.get("translate", "")
        locked = translate == "no" or (locked and translate != "yes") or attribute(unit, "locked") == "true"
        segments = self._segments_1(unit) if local_name(unit) == "trans-unit" else self._segments_2(unit)
        for segment in segments:
            segment.locked = segment.locked or locked
        return [segment for segment in segments if segment.source.strip() or not segment.locked]

    def _segments_1(self, unit: Element) -> list[_Segment]:
        """Return the segments of version 1: those marked in seg-source if the target marks the same, else the unit."""
        first: dict[str, Element] = {}
        others: list[tuple[str, Element]] = []
        for child in unit:  # in one pass, since a file may have a million units
            name = local_name(child)
            if name == "alt-trans":
                others.append((attribute(child, "origin") or "alternative", child))
            else:
                first.setdefault(name, child)
        source, target, definitions = first.get("source"), first.get("target"), first.get("seg-defs")
        if source is None and target is None:
            return []
        marked, translated = _marked_segments(first.get("seg-source")), _marked_segments(target)
        line = unit.sourceline or 1
        state = "" if target is None else target.get("state", "")
        seg_definitions = [] if definitions is None else _children(definitions, "seg")
        defined = {definition.get("id", ""): definition for definition in seg_definitions}
        target_text = self.text(target)
        same_marks = bool(translated) and set(translated) <= set(marked)
        if not marked or (target_text.strip() and not same_marks):
            texts = {origin: self.text(_child(other, "target")) for origin, other in reversed(others)}
            segment = _Segment(
                self.text(source), target_text if target_text.strip() else None, line, state, others=texts
            )
            return [self._with_definition(segment, next(iter(defined.values()), None))]
        segments: list[_Segment] = []
        for number, part in marked.items():
            text = self.text(translated.get(number))
            segment = _Segment(self.text(part), text if text.strip() else None, part.sourceline or line, state)
            for origin, other in reversed(others):
                part_number = attribute(other, "mid")
                if part_number == number or (not part_number and len(marked) == 1):
                    segment.others[origin] = self.text(_child(other, "target"))
            segments.append(self._with_definition(segment, defined.get(number)))
        return segments

    @staticmethod
    def _with_definition(segment: _Segment, definition: Element | None) -> _Segment:
        """Return a segment with its state by a definition of SDL."""
        if definition is not None:
            segment.state = definition.get("conf", segment.state)
            segment.locked = definition.get("locked") == "true"
        return segment

    def _segments_2(self, unit: Element) -> list[_Segment]:
        """Return the segments of version 2."""
        parts = _children(unit, "segment")
        positions: dict[str | None, int] = {}  # id -> position of its first segment
        segments: list[_Segment] = []
        for part in parts:
            text = self.text(_child(part, "target"))
            state = part.get("state", "initial")
            line = part.sourceline or 1
            positions.setdefault(part.get("id"), len(segments))
            segments.append(_Segment(self.text(_child(part, "source")), text if text.strip() else None, line, state))
        for matches in _children(unit, "matches"):
            for match in reversed(_children(matches, "match")):
                position = positions.get(match.get("ref", "").removeprefix("#"))
                if position is None and len(parts) == 1:
                    position = 0
                if position is not None:
                    origin = match.get("origin") or "alternative"
                    segments[position].others[origin] = self.text(_child(match, "target"))
        return segments


def _children(element: Element, name: str) -> list[Element]:
    return list(element.iterchildren(f"{{*}}{name}"))


def _child(element: Element, name: str) -> Element | None:
    return next(element.iterchildren(f"{{*}}{name}"), None)


def _marked_segments(element: Element | None) -> dict[str, Element]:
    """Return the segments that are marked in an element, by number; empty if two have the same number."""
    if element is None or not len(element):
        return {}
    marks = element.iter("{*}mrk")
    segments = [mark for mark in marks if mark.get("mtype") == "seg"]
    elements_by_number = {mark.get("mid", ""): mark for mark in segments}
    return elements_by_number if len(elements_by_number) == len(segments) else {}


def _segments(source: Source, *, tags: bool) -> Iterator[tuple[str, _Segment]]:
    """Yield the segments of all files in a file, each with the name of its file."""
    reader = _Reader(source, tags=tags)
    document, files = "", 0
    locked = [False]
    for event, name, element in iter_elements(source, UNITS, ("xliff", "file", "group")):
        if name in UNITS:
            for segment in reader.unit(element, locked=locked[-1]):
                yield document, segment
        elif event == "start":
            translate = element.get("translate", "")
            locked.append(translate == "no" or (locked[-1] and translate != "yes"))
            if name == "file":
                files += 1
                document = element.get("original") or element.get("id") or f"file {files}"
        else:
            locked.pop()


def _role_of(source: Source) -> FileRole:
    return text_role(source, "system" if TARGET.search(source.data) else "source")


def _read(source: Source, options: Options) -> Contents:
    """Read the segments.

    A unit that is marked as not to be translated and has no target is translated by its source. Alternative
    translations are a further system if every segment with text has one of that origin.

    Raises:
        FormatError: the file is damaged, or has no segment or no target.
        LimitError: it exceeds the limits.
        SettingsError: the option for inline tags has another value.
    """
    tags = keeps_tags(options.own.get("tags"), source.name)
    bilingual = Bilingual(file=source)
    others: dict[str, dict[int, str]] = {}
    copied = 0
    for document, segment in _segments(source, tags=tags):
        target = segment.target
        if target is None and (segment.locked or not segment.source.strip()):
            target = segment.source
            copied += bool(target.strip())
        for origin, text in segment.others.items():
            others.setdefault(origin, {})[len(bilingual.sources)] = join_lines(text)
        locked = "yes" if segment.locked else "no"
        bilingual.add(segment.source, target, segment.line, document, state=segment.state, locked=locked)
    notes: list[str] = []
    if copied:
        notes.append(
            f"{copied:,} {plural(copied, 'segment')} not to be translated and without translation: the source is used"
        )
    further: dict[str, list[str]] = {}
    with_text = {i for i, text in enumerate(bilingual.sources) if text.strip()}
    for origin, texts in others.items():
        if with_text <= {i for i, text in texts.items() if text.strip()}:
            further[f"{source.stem}.{origin}"] = [texts.get(i, "") for i in range(len(bilingual.sources))]
    partial = [origin for origin in others if f"{source.stem}.{origin}" not in further]
    if partial:
        notes.append(
            f"alternative translations of {listed(partial, max_items=5)} not used: not every segment has one of that "
            "origin"
        )
    return bilingual.contents(options.role, LABEL, detect_xml_encoding(source)[1], further=further, notes=notes)


FORMAT = Format(
    key="xliff",
    label=LABEL,
    description="XLIFF 1.2 or 2 with source and translation",
    roles=BILINGUAL_ROLES,
    sniff=sniff_root(root_pattern("xliff")),
    read=_read,
    role_of=_role_of,
    endings=(".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff"),
    binary=True,
    own={"tags": "Inline tags"},
    values=lambda _: {"tags": TAG_CHOICES},
)
