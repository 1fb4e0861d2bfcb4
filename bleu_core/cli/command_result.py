"""The result of a command, and its output in each format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bleu_core.dataset import plural
from bleu_core.errors import one_line
from bleu_core.fields import Table
from bleu_core.results.encoding import to_json
from bleu_core.results.envelope import (
    Envelope,
    assessment_report,
    not_ranked,
    repair_reports,
    slice_described,
    slice_of_each,
    slice_report,
    with_slice,
)
from bleu_core.results.table import to_text, to_tsv

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import HumanTranslation, LineRepair, OptimisedSystem
    from bleu_core.diagnostics import Assessment
    from bleu_core.results.campaigns import CampaignReport
    from bleu_core.results.paper import Section
    from bleu_core.results.test_sets import CollectionReport
    from bleu_core.slicing import Slice

#: Maximum number of repairs of lines that are listed below tables; further ones are counted.
MAX_REPAIRS = 10

#: Command -> the content of its tables, for captions; comparisons have captions of their own.
CAPTIONS: Mapping[str, str] = {
    "score": "Scores of systems",
    "blocks": "Scores on blocks of text",
    "ngrams": "N-grams by which systems differ",
    "check": "Misaligned lines",
    "correlate": "Agreement with human judgments",
    "review": "Segments that skip review",
    "errors": "Errors of systems",
    "references": "Systems with each reference",
    "probe": "Outputs before and after changes",
    "gate": "Candidate and baseline",
}


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command.

    Attributes:
        content: the report for JSON, without warnings.
        tables: the tables for all other formats.
        notes: lines below the tables; comments in LaTeX, not in TSV.
        sections: the sections of a long report, instead of tables and notes; headings and notes are comments in TSV and
            LaTeX.
        headline: the first lines of format `table`; the first notes in LaTeX, or the last ones after sections.
        sentence: the whole output of format `table`, if the result is one line.
        warnings: lines for standard error and JSON.
        slice: the slice of the text that was used, if any.
        repairs: repairs of lines, each with the name of its file.
        humans: human translations among the systems, which are not ranked.
        optimised: systems that are not ranked by a metric of the result, as they were optimised for it.
        assessment: whether the results can be compared; reasons why they cannot are warnings, and parts of captions.
        raw_ratings: whether they rest on raw ratings, for JSON, though judges are confounded with systems.
        adjusted: the results by ratings adjusted for judges, which JSON reports in addition.
        status: the exit status.
    """

    content: Envelope | CampaignReport | CollectionReport
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    sections: Sequence[Section] = ()
    headline: Sequence[str] = ()
    sentence: str | None = None
    warnings: Sequence[str] = ()
    slice: Slice | None = None
    repairs: Sequence[tuple[str, LineRepair]] = ()
    humans: Sequence[HumanTranslation] = ()
    optimised: Sequence[OptimisedSystem] = ()
    assessment: Assessment | None = None
    raw_ratings: bool = False
    adjusted: CommandResult | None = None
    status: int = 0

    @property
    def all_warnings(self) -> tuple[str, ...]:
        """The warnings, and why results are not comparable."""
        return tuple(dict.fromkeys((*self.warnings, *self.obstacles)))

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Why results are not comparable, sentences for each reason, and what is accepted."""
        if self.assessment is None:
            return ()
        alarms = {finding.key for finding in self.assessment.findings}
        accepted = [f for f in self.assessment.findings if f.key in self.assessment.accepted]
        return (
            *(finding.reason for finding in self.assessment.open),
            *(f"{finding.key} is accepted: {finding.message}" for finding in accepted),
            *(
                f"--accept {key} has no effect: it has no alarm"
                for key in self.assessment.accepted
                if key not in alarms
            ),
        )

    @property
    def _described(self) -> str:
        if isinstance(self.content, Envelope):
            return slice_described(self.slice)
        return slice_of_each(getattr(self.content, "slice", None) or "")

    def stderr_notes(self, form: str) -> tuple[str, ...]:
        """Return lines for standard error on the slice, which tables in TSV alone do not name."""
        return _slice_notes(self.slice, self._described) if form == "tsv" and not self.sections else ()

    def formatted(self, form: str, command: str = "") -> str:
        """Return the output in a format.

        Args:
            form: table, json, tsv, latex or markdown.
            command: the name of the command, for captions and labels in LaTeX.
        """
        if form == "json":
            return json.dumps(self.encoded(), allow_nan=False)  # ASCII, which every terminal can show
        described = self._described
        obstacles = self.obstacles if form in ("latex", "markdown") else ()  # else on standard error alone
        about_data = (*obstacles, *_slice_notes(self.slice, described), *_repair_notes(self.repairs))
        if self.sections:
            *first, last = self.sections
            sections = (*first, replace(last, notes=(*last.notes, *about_data)))
            return _joined(sections, form, self.headline, described)
        notes = (*self.notes, *about_data)
        if form == "latex":
            content = self.content
            if isinstance(content, Envelope):
                content = replace(content, slice=slice_report(self.slice))
            is_comparable = self.assessment is None or not self.assessment.open
            tables = self.tables if is_comparable else [table.without_best() for table in self.tables]
            latex_tables = _captioned(tables, with_slice(_caption(content, command), described), command)
            return "\n\n".join(latex_tables) + "".join(f"\n% {one_line(note)}" for note in (*self.headline, *notes))
        return self._of_tables(form, notes, described)

    def encoded(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        content: Any = replace(self.content, warnings=self.all_warnings)
        if self.adjusted is not None:
            content = replace(content, by_adjusted_ratings=self.adjusted.encoded())
        if self.assessment is not None:
            content = replace(content, assessment=assessment_report(self.assessment))
        if isinstance(content, Envelope):
            content = replace(
                content,
                slice=slice_report(self.slice),
                repairs=repair_reports(self.repairs),
                not_ranked=not_ranked(self.humans, self.optimised),
            )
        return to_json(content)

    def _of_tables(self, form: str, notes: Sequence[str], described: str) -> str:
        """Return the tables and notes as tsv, markdown or text; the only line names the slice, too."""
        if form == "tsv":
            escaped = not isinstance(self.content, Envelope)  # campaigns have text by judges
            return "\n".join(to_tsv(table, escaped=escaped) for table in self.tables).removesuffix("\n")
        if form == "markdown":
            from bleu_core.results.paper import Section  # loaded when first needed

            return _in_markdown([Section(key="", heading="", tables=self.tables, notes=notes)], self.headline)
        if self.sentence is not None:
            return one_line(with_slice(self.sentence, described))
        return _head(self.headline) + "\n\n".join(map(to_text, self.tables)) + "\n\n" + "\n".join(map(one_line, notes))


def _caption(content: Envelope | CampaignReport | CollectionReport, command: str) -> str:
    """Return the caption of tables: the metric with its signature, the text, and the tests, if any."""
    if not isinstance(content, Envelope):
        return content.caption
    from bleu_core.results.latex import caption_of  # loaded when first needed

    return caption_of(content, CAPTIONS.get(command, command.capitalize()))


def _captioned(tables: Sequence[Table], caption: str, key: str) -> list[str]:
    """Return tables in LaTeX with a caption; labels are numbered if there are several tables."""
    from bleu_core.results.latex import to_latex  # loaded when first needed

    labels = [f"{key} {number}" if tables[1:] else key for number in range(1, len(tables) + 1)]
    return [to_latex(table, caption, label) for table, label in zip(tables, labels, strict=True)]


def _slice_notes(slice_in_use: Slice | None, described: str) -> tuple[str, ...]:
    if slice_in_use is None:
        return (f"slice: {described}",) if described else ()
    size = f"slice: {described}" if slice_in_use.expression else ""
    return tuple(filter(None, (size, slice_in_use.exclusion)))


def _repair_notes(repairs: Sequence[tuple[str, LineRepair]]) -> tuple[str, ...]:
    notes = [f"{name}: {repair.sentence}" for name, repair in repairs[:MAX_REPAIRS]]
    more = len(repairs) - len(notes)
    return (*notes, *([f"and {more:,} more {plural(more, 'repair')} of lines"] if more else []))


def _head(headline: Sequence[str]) -> str:
    return "".join(f"{one_line(line)}\n" for line in headline) + ("\n" if headline else "")


def _joined(sections: Sequence[Section], form: str, headline: Sequence[str], described: str) -> str:
    """Return a long report, with the headline first, or last in LaTeX."""
    if form == "markdown":
        return _in_markdown(sections, headline)
    parts = [_section(section, form, described) for section in sections]
    if form == "table":
        return _head(headline) + "\n\n\n".join(parts)
    if form == "latex" and headline:
        parts.append("\n".join(f"% {one_line(line)}" for line in headline))
    return "\n\n".join(parts)


def _in_markdown(sections: Sequence[Section], headline: Sequence[str]) -> str:
    """Return a long report in Markdown, with the headline first."""
    from bleu_core.results.markdown import markdown_line, markdown_text, to_markdown  # loaded when first needed

    lines = list(map(markdown_line, headline))
    for section in sections:
        lines += [f"## {markdown_text(section.heading)}"] if section.heading else []
        lines += map(to_markdown, section.tables)
        lines += map(markdown_line, section.notes)
    return "\n\n".join(line.removesuffix("\n") for line in lines)


def _section(section: Section, form: str, described: str) -> str:
    comment = {"table": "", "tsv": "# ", "latex": "% "}[form]
    notes = "\n".join(comment + one_line(note) for note in section.notes)
    if form == "latex":
        tables = _captioned(section.tables, with_slice(section.caption or section.heading, described), section.key)
    else:
        tables = [(to_tsv if form == "tsv" else to_text)(table).removesuffix("\n") for table in section.tables]
    blocks = [comment + one_line(section.heading), *tables]
    return ("\n\n" if form == "table" else "\n").join([*blocks, notes] if notes else blocks)
