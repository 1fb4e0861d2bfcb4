"""Reports: the selected parts, or the short form for one page, and their file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from bleu_core.errors import BleuCoreError, SettingsError, as_sentence
from bleu_core.results.envelope import slice_described
from dashboard import words
from dashboard.export.examples import examples, telling_segments
from dashboard.export.one_page import fit_examples
from dashboard.export.parts.declaration import Part
from dashboard.export.parts.register import PARTS
from dashboard.export.printing import printed_sections
from dashboard.export.section import Section
from dashboard.export.source import Source

#: Default title of a report.
DEFAULT_TITLE = "Evaluation report"

#: Maximum number of examples in the short form, and of references of each.
MAX_EXAMPLES, MAX_REFERENCES = 10, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, with all results.

    Attributes:
        title: the heading.
        introduction: paragraphs of plain text below it.
        sections: of the report.
        signature: of the scores, at the foot.
        within: the slice that was used, as it is described; empty for the whole text.
        lines: number of lines to which each text of an example is cut in the short form; None in the full form.
    """

    title: str
    introduction: tuple[str, ...]
    sections: tuple[Section, ...]
    signature: str
    within: str = ""
    lines: int | None = None

    def html(self, created: date | None = None) -> bytes:
        """Return the file, which is self-contained.

        Args:
            created: the date at its foot; None for no date.
        """
        return printed_sections(
            self.sections,
            title=self.title,
            sentences=self.introduction,
            signature=self.signature,
            within=self.within,
            lines=self.lines,
            created=created,
        )


def possible_parts(source: Source) -> tuple[Part, ...]:
    """Return the parts that the data allow, in the order of the report."""
    return tuple(part for part in PARTS.values() if not part.lacks(source))


def make_report(
    source: Source, parts: Collection[str] | None = None, *, title: str = "", introduction: str = ""
) -> Report:
    """Make a report of some parts, in the order of the register.

    Args:
        source: the data and user's notes.
        parts: keys of PARTS; all that the data allow if None.
        title: the heading; empty for the default.
        introduction: plain text; an empty line separates paragraphs.

    Raises:
        SettingsError: there is no such part, or the data that it needs are missing.
    """
    for key in parts or ():
        if key not in PARTS:
            raise SettingsError(f"part {key!r} found, one of {', '.join(PARTS)} expected")
        lacking = PARTS[key].lacks(source)
        if lacking:
            raise SettingsError(f"part {key!r} needs {lacking}, which these data do not have; leave it out")
    selected = possible_parts(source) if parts is None else [part for part in PARTS.values() if part.key in parts]
    sections = tuple(_content(part, source) for part in selected)
    return Report(
        title=_title(title),
        introduction=_paragraphs(introduction),
        sections=sections,
        signature=source.data.scored.signature,
        within=slice_described(source.data.view.slice),
    )


def make_short_report(source: Source, *, title: str = "", introduction: str = "") -> Report:
    """Make a report that fits one page: the verdict, the cautions, and some examples.

    Args:
        source: the data and user's notes.
        title: the heading; empty for the default.
        introduction: plain text; an empty line separates paragraphs.
    """
    verdict = _content(PARTS["summary"], source)
    paragraphs = _paragraphs(introduction)
    candidates = examples(source, telling_segments(source, MAX_EXAMPLES), references=MAX_REFERENCES)
    shown, lines = fit_examples((title, *paragraphs, *verdict.sentences), candidates)
    what = words.examples_chosen(
        source.data.names if source.has_pair else (), len(shown), min(len(source.starred), len(shown))
    )
    sections = (verdict, Section("examples", "Examples", (what,), examples=shown))
    return Report(
        title=_title(title),
        introduction=paragraphs,
        sections=sections,
        signature=source.data.scored.signature,
        within=slice_described(source.data.view.slice),
        lines=lines,
    )


def _title(title: str) -> str:
    return title.strip() or DEFAULT_TITLE


def _paragraphs(introduction: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in introduction.replace("\r\n", "\n").split("\n\n"))))


def _content(part: Part, source: Source) -> Section:
    """Return a part, or the reason why it cannot be computed."""
    try:
        return part.content(source)
    except BleuCoreError as error:
        return Section(part.key, part.title, (as_sentence(str(error)),))
