"""What a command returns, and how it is printed in each format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleu_core.errors import one_line
from bleu_core.fields import Table
from bleu_core.reports import Envelope, slice_report, to_json, to_text, to_tsv

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

    def formatted(self, form: str, command: str = "") -> str:
        """The output in a format.

        Args:
            form: table, json, tsv or latex.
            command: the name of the command, for captions and labels in LaTeX.
        """
        if form == "json":
            content = to_json(replace(self.content, warnings=tuple(self.warnings), slice=slice_report(self.slice)))
            return json.dumps(content, allow_nan=False)  # in ASCII, which every terminal can show
        of_slice = _slice_notes(self.slice)
        if self.sections:
            *first, last = self.sections
            sections = (*first, replace(last, notes=(*last.notes, *of_slice)))
            return ("\n\n\n" if form == "table" else "\n\n").join(_section(section, form) for section in sections)
        notes = (*self.notes, *of_slice)
        if form == "tsv":
            return "\n".join(map(to_tsv, self.tables)).removesuffix("\n")
        if form == "latex":
            written = _captioned(self.tables, command.capitalize(), self.content.signature, command)
            return "\n\n".join(written) + "".join(f"\n% {one_line(note)}" for note in notes)
        if self.sentence is not None:
            return one_line(self.sentence)
        return "\n\n".join(map(to_text, self.tables)) + "\n\n" + "\n".join(map(one_line, notes))


def _captioned(tables: Sequence[Table], title: str, signature: str, key: str) -> list[str]:
    """Tables in LaTeX with a caption; labels have a number where there are several."""
    from bleu_core.reports import to_latex  # loaded when first needed

    caption = ". ".join(filter(None, (title, signature)))
    labels = [f"{key} {number}" if tables[1:] else key for number in range(1, len(tables) + 1)]
    return [to_latex(table, caption, label) for table, label in zip(tables, labels, strict=True)]


def _slice_notes(chosen: Slice | None) -> tuple[str, ...]:
    if chosen is None:
        return ()
    return (f"slice: {chosen.expression} ({chosen.segments:,} of {chosen.of:,} segments)",)


def _section(section: Section, form: str) -> str:
    comment = {"table": "", "tsv": "# ", "latex": "% "}[form]
    notes = "\n".join(comment + one_line(note) for note in section.notes)
    if form == "latex":
        tables = _captioned(section.tables, section.heading, "", section.key)
    else:
        tables = [(to_tsv if form == "tsv" else to_text)(table).removesuffix("\n") for table in section.tables]
    blocks = [comment + section.heading, *tables]
    return ("\n\n" if form == "table" else "\n").join([*blocks, notes] if notes else blocks)
