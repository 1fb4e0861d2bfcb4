"""Texts of files that contain a source and its translation, segment by segment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bleu_core.dataset import Column, Labels, Role, plural
from bleu_core.errors import FormatError
from bleu_core.formats.contents import Contents, FileRole, text_contents
from bleu_core.formats.source import Source
from bleu_core.formats.xml_elements import join_lines

#: The roles of such a file: its translations are a system's or a reference.
BILINGUAL_ROLES: tuple[Role, ...] = ("system", "reference", "source")


@dataclass(slots=True, kw_only=True)
class Bilingual:
    """The segments of a file while it is read.

    Attributes:
        file: the file.
        sources: S texts.
        targets: S translations; None if a segment has none.
        lines: the line of the file on which each segment begins.
        documents: the document of each segment, or its file in a file of several.
        labels: name -> S labels, empty if a segment has none.
        broken: segments with line breaks, which are read as blanks.
    """

    file: Source
    sources: list[str] = field(default_factory=list[str])
    targets: list[str | None] = field(default_factory=list[str | None])
    lines: list[int] = field(default_factory=list[int])
    documents: list[str] = field(default_factory=list[str])
    labels: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    broken: int = 0

    def add(self, source: str, target: str | None, line: int, document: str = "", **labels: str) -> None:
        """Add a segment.

        Args:
            source: its text.
            target: its translation; None if there is none.
            line: its line in the file, from 1.
            document: its document.
            labels: its labels by name; the same names for all segments.

        Raises:
            LimitError: there are too many segments.
        """
        if len(self.sources) >= self.file.limits.lines:
            self.file.limits.check("lines", len(self.sources) + 1, f"{self.file.name}, segments")
        texts = join_lines(source), None if target is None else join_lines(target)
        self.broken += texts != (source, target)
        self.sources.append(texts[0])
        self.targets.append(texts[1])
        self.lines.append(line)
        self.documents.append(document)
        for name, label in labels.items():
            self.labels.setdefault(name, []).append(label)

    def contents(
        self,
        role: FileRole,
        label: str,
        encoding: str,
        *,
        further: Mapping[str, Sequence[str]] | None = None,
        repairs: Iterable[str] = (),
        notes: Iterable[str] = (),
    ) -> Contents:
        """Build the contents with the report.

        Args:
            role: the role of the translations; for the role source, only the source is used.
            label: the format in words.
            encoding: the encoding of the bytes.
            further: the translations of further systems, by name.
            repairs: further repairs.
            notes: sentences about decisions while reading.

        Raises:
            FormatError: there is no segment, or no translation although the role needs them.
            LimitError: there are too many systems.
        """
        name = self.file.name
        if not self.sources:
            raise FormatError(f"{name}: 0 segments found, at least 1 expected")
        columns = [Column("source", "source", tuple(self.sources), name)]
        all_repairs, all_notes = list(repairs), list(notes)
        if self.broken:
            all_repairs.append(f"line breaks in {self.broken:,} {plural(self.broken, 'segment')} read as blanks")
        if role != "source":
            systems = dict(further or {}) if role == "system" else {}
            if not any(self.targets) and not systems:
                raise FormatError(
                    f"{name}: no translation in {len(self.sources):,} {plural(len(self.sources), 'segment')} found, at "
                    "least 1 expected; if the file holds only the source, choose that as its type"
                )
            self.file.limits.check("systems", 1 + len(systems), name)
            missing = self.targets.count(None)
            if missing:
                reading = "as empty" if role == "system" else "as without reference"
                all_notes.append(f"{missing:,} {plural(missing, 'segment')} without translation read {reading}")
            if any(self.targets):
                columns.append(Column(_role(role), self.file.stem, self._translations(role), name))
            columns += [Column("system", system, tuple(texts), name) for system, texts in systems.items()]
        if len(set(self.documents)) > 1:
            columns.append(Column("document", "documents", tuple(self.documents), name))
        return text_contents(
            tuple(columns),
            self.file,
            role,
            label,
            encoding=encoding,
            repairs=tuple(all_repairs),
            notes=tuple(all_notes),
            labels=self._labels(),
        )

    def _translations(self, role: FileRole) -> tuple[str | None, ...]:
        return tuple(self.targets) if role == "reference" else tuple(text or "" for text in self.targets)

    def _labels(self) -> Labels | None:
        given = {name: tuple(labels) for name, labels in self.labels.items() if len(set(labels)) > 1}
        numbers = tuple(range(1, len(self.sources) + 1))
        return (
            Labels(unit="segment", keys=numbers, columns=given, lines=tuple(self.lines), origin=self.file.name)
            if given
            else None
        )


def _role(role: FileRole) -> Role:
    return "reference" if role == "reference" else "system"
