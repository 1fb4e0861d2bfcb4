"""The file that is recognised and read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from bleu_core.formats.compression import stem_of
from bleu_core.formats.large_text import MIN_LARGE_BYTES, LargeText
from bleu_core.formats.text import Text, decode, first_line_of, line_end_repairs
from bleu_core.limits import DEFAULT_LIMITS, Limits


@dataclass(frozen=True, eq=False)  # without slots, which would leave no place for cached properties
class Source:
    """A file's bytes, and its text, which is decoded when it is first needed.

    Attributes:
        data: all bytes of the file, unpacked.
        name: the file's name, for messages; its ending and stem may influence how it is read.
        encoding: as in decode.
        limits: the limits for the file.
        table: the text of the table in a file that is not text, such as a spreadsheet; None for other files.
        notes: sentences about what is unusual about that table.
        decisions: sentences about decisions in reading that table that are not unusual.
        lists: the names of values in that table's rows that are lists, whether they are columns or not -> whether
            some have several texts.
    """

    data: bytes
    name: str
    encoding: str | None = None
    limits: Limits = DEFAULT_LIMITS
    table: Text | None = None
    notes: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    lists: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def with_table(self, table: Text, notes: tuple[str, ...] = (), decisions: tuple[str, ...] = ()) -> Source:
        """Return the table in the file as a source, without the bytes of the file."""
        return replace(self, data=b"", table=table, notes=notes, decisions=decisions)

    @cached_property
    def text(self) -> Text:
        """The text, with its line ends as in the file.

        Raises:
            FormatError, LimitError, SettingsError: as decode; in a large file some only when the text is used.
        """
        if self.table is not None:
            return self.table
        if len(self.data) >= MIN_LARGE_BYTES:
            return LargeText(self.data, self.name, self.encoding, limits=self.limits)
        return decode(self.data, self.name, self.encoding, limits=self.limits)

    @cached_property
    def first_line(self) -> str:
        """The first line of the text, of any length; errors as for text."""
        return first_line_of(self.text.beginning)

    @cached_property
    def first_lines(self) -> str:
        """The complete lines in the first HEAD_CHARS characters, at least the first line; errors as for text."""
        return self.text.head

    @property
    def repairs(self) -> tuple[str, ...]:
        """The repairs of the text when it is read as a table."""
        return self.text.repairs + line_end_repairs(self.text.line_ends.windows)

    @property
    def stem(self) -> str:
        """The file's name without its last ending, and without that of a compression."""
        return stem_of(self.name)
