"""The declaration of a format in the register, and the options for reading a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.mapping import MappedColumn
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED, MqmWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a file is read, besides its encoding and limits, which the Source has. A format ignores what it cannot use.

    Attributes:
        role: what the file holds.
        header: as in read_columns.
        first_segment: the number that the file gives the first segment, 1 or 0.
        weights: of MQM errors.
        pair: the language pair, where a file has several; its first when None.
        human_scores: which human scores of an archive are the judgments; the preferred ones when None.
        lower_is_better: the metrics for which a lower score is better, and no others; None decides by the metrics'
            names.
        own: the values of options that only the format has, by their names in Format.own.
        columns: what the columns of a table are; empty if their headers decide.
        paragraphs: whether documents that are one segment each are split at paragraphs.
    """

    role: FileRole
    header: bool | None = None
    first_segment: int = 1
    weights: MqmWeights = PUBLISHED
    pair: str | None = None
    human_scores: str | None = None
    lower_is_better: Collection[str] | None = None
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: tuple[MappedColumn, ...] = ()
    paragraphs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format, declared once for recognition, reading, the Data page, the command line and the documentation.

    A file is read in the format with the highest confidence: 1 for bytes that leave no doubt, such as magic numbers;
    0.8 to 0.95 for a header or an object with names that no other format has; 0.5 to 0.7 for a header of common names;
    0.3 and 0.4 for cells that look alike; 0.1 and 0.2 for what any text may be.

    Attributes:
        key: the name in options and in the session.
        label: the name for users.
        description: what such files are, for users: a phrase without a full stop, which follows "Texts:",
            "Judgments:", "Metric scores:" or "Archive:".
        roles: what such a file may hold.
        sniff: the confidence that a file has the format, from 0 (it has not) to 1, for files of all kinds. For a binary
            format it may look at the bytes only, for others at the text too, or at the name only.
        read: reads a file, given the source and the options. It raises FormatError for a file that is not in the
            format, LimitError for one that holds too much, and SettingsError for options that it cannot follow. The
            report names the format in words; its key is added afterwards. For a container, the table in it, as a
            source whose text is recognised and read in its turn.
        role_of: what a file of the format holds, judged by its content and name; the first of roles by default.
        endings: usual endings of file names, in lower case with the dot; may be empty.
        binary: whether such files are not text, or are decoded by the format itself.
        json: whether such files are JSON, whose size has a limit of its own.
        container: whether such files hold a table that is no text, such as a sheet, which may be of any kind that a
            table may be as text.
        isolated: of a container, whether its reader is native code that a damaged file may make abort, and so runs in
            a process of its own.
        pairs: whether a file may have ratings, texts or scores of several language pairs, one of which is chosen.
        asks_pair: whether a file of several language pairs is refused until one is chosen; such files share the choice.
        own: options that only this format has, such as a sheet: name -> label for users. Their values are text.
        values: for a file, the values that own options may have; an option that is not among them may have any value.
            It raises what read raises.
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
    asks_pair: bool = False
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Callable[[Source], Mapping[str, Sequence[str]]] | None = None
