"""What a command returns, and how it is printed in each format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleu_core.errors import one_line
from bleu_core.fields import Table
from bleu_core.reports import Envelope, SliceReport, to_json, to_latex, to_text, to_tsv

if TYPE_CHECKING:  # of the reports only that of the paper has sections
    from bleu_core.reports import Section
    from bleu_core.segments import Slice


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found.

    Attributes:
        content: the report, which becomes the JSON; its warnings are those below.
        tables: for all other formats.
        notes: lines below the tables, comments in LaTeX; TSV has none.
        sections: of a long report, which has no tables and notes of its own; headings and notes are comments in TSV
            and LaTeX.
        sentence: the whole output of format `table`, for a command that answers in one line.
        warnings: for standard error.
        slice: the slice of the text that was used, if any.
        status: the exit status.
    """

    content: Envelope
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    sections: Sequence[Section] = ()
    sentence: str | None = None
    warnings: Sequence[str] = ()
    slice: Slice | None = None
    status: int = 0

    def __post_init__(self) -> None:
        if self.slice is None:
            return
        told = f"slice: {self.slice.expression} ({self.slice.segments:,} of {self.slice.of:,} segments)"
        if self.sections:
            last = self.sections[-1]
            object.__setattr__(self, "sections", (*self.sections[:-1], replace(last, notes=(*last.notes, told))))
        object.__setattr__(self, "notes", (*self.notes, told))

    def formatted(self, form: str) -> str:
        """The output in a format: table, json, tsv or latex."""
        if form == "json":
            content = to_json(replace(self.content, warnings=tuple(self.warnings), slice=_report(self.slice)))
            return json.dumps(content, allow_nan=False)  # in ASCII, which every terminal can show
        if self.sections:
            return ("\n\n\n" if form == "table" else "\n\n").join(_section(section, form) for section in self.sections)
        if form == "tsv":
            return "\n".join(map(to_tsv, self.tables)).removesuffix("\n")
        if form == "latex":
            return "\n\n".join(map(to_latex, self.tables)) + "".join(f"\n% {one_line(note)}" for note in self.notes)
        if self.sentence is not None:
            return one_line(self.sentence)
        return "\n\n".join(map(to_text, self.tables)) + "\n\n" + "\n".join(map(one_line, self.notes))


def _report(chosen: Slice | None) -> SliceReport | None:
    return None if chosen is None else SliceReport(expression=chosen.expression, segments=chosen.segments, of=chosen.of)


def _section(section: Section, form: str) -> str:
    written = {"table": to_text, "tsv": to_tsv, "latex": to_latex}[form]
    comment = {"table": "", "tsv": "# ", "latex": "% "}[form]
    notes = "\n".join(comment + one_line(note) for note in section.notes)
    blocks = [comment + section.heading, *(written(table).removesuffix("\n") for table in section.tables)]
    return ("\n\n" if form == "table" else "\n").join([*blocks, notes] if notes else blocks)
