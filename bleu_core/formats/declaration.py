"""The declaration of a format in the register, and the options for reading a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.mapping import MappedColumn
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED, MqmWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options for reading a file; a format ignores those that it does not need.

    Attributes:
        encoding: as in decode.
        format: a key of FORMATS, used instead of the recognised one.
        first_segment: the number that the file gives the first segment, 1 or 0.
        weights: the weights of MQM errors.
        pair: the language pair, in a file of several; None reads the first.
        human_scores: the human scores of an archive that become the judgments; None uses the preferred ones.
        lower_is_better: the metrics for which a lower score is better; None decides by the metrics' names.
        own: the values of the format's own options, by their names in Format.own.
        columns: the roles of a table's columns; the file is then a table, and all other columns are ignored. Empty if
            their headers decide.
    """

    encoding: str | None = None
    format: str | None = None
    first_segment: int = 1
    weights: MqmWeights = PUBLISHED
    pair: str | None = None
    human_scores: str | None = None
    lower_is_better: Collection[str] | None = None
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: Sequence[MappedColumn] = ()

    def in_role(self, role: FileRole, pair: str | None) -> Options:
        """Return the options for a file in a role, with the language pair for its format."""
        given: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(ReadOptions)}
        given |= {"role": role, "pair": pair}
        return Options(**given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(ReadOptions):
    """Options for reading a file, as formats get them; the Source has its encoding and limits.

    Attributes:
        role: the role of the file.
    """

    role: FileRole


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format, declared once for recognition, reading, the Data page, the command line and the documentation.

    A file is read in the format with the highest confidence: 1 for unambiguous bytes, such as magic numbers;
    0.8 to 0.95 for a header or an object with names that no other format has; 0.5 to 0.7 for a header of common names;
    0.3 and 0.4 for a typical form of the cells; 0.1 and 0.2 for formats that match any text.

    Attributes:
        key: the name in options and in saved workspaces.
        label: the name that users see.
        description: a phrase that says what such files are, without a full stop; it follows "Texts:",
            "Judgments:", "Metric scores:" or "Archive:".
        roles: the possible roles of such a file.
        sniff: returns the confidence that a file has the format, from 0 to 1, for files of all kinds. For a binary
            format it may use the bytes only, for others the text, too, or the name only.
        read: reads a file, given the source and the options. It raises FormatError for a file that is not in the
            format, LimitError for one that exceeds the limits, and SettingsError for unsuitable options. The report
            has the label of the format; its key is added afterwards. For a container, it returns the table as a source
            whose text is recognised and read in turn.
        role_of: guesses what a file of the format holds by its content and name; None uses the first of roles.
        endings: common endings of file names, in lower case with the dot; may be empty.
        binary: whether such files are not text, or are decoded by the format itself.
        json: whether such files are JSON, whose size has a limit of its own.
        container: whether such files hold a table that is not text, such as a sheet, which may be in any format of
            tables.
        isolated: whether a container's reader is native code that a damaged file may abort, and therefore runs in a
            separate process.
        pairs: whether a file may have ratings, texts or scores of several language pairs, one of which is read.
        list_pairs: returns the language pairs of a file, for a format with pairs whose contents do not have them; it
            raises the same errors as read.
        asks_pair: whether a file of several language pairs is refused until the user chooses one; such files share the
            choice.
        own: options that only this format has, such as a sheet: name -> label. Their values are text.
        values: returns, for a file, the possible values of own options; an option that is not among them may have any
            value. It raises the same errors as read.
    """

    key: str
    label: str
    description: str
    roles: tuple[FileRole, ...]
    sniff: Callable[[Source], float]
    read: Callable[[Source, Options], Contents | Source]
    role_of: Callable[[Source], FileRole] | None = None
    endings: tuple[str, ...] = ()
    binary: bool = False
    json: bool = False
    container: bool = False
    isolated: bool = False
    pairs: bool = False
    list_pairs: Callable[[Source], Sequence[str]] | None = None
    asks_pair: bool = False
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Callable[[Source], Mapping[str, Sequence[str]]] | None = None
