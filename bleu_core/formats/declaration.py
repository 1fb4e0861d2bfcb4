"""What the register knows of a format, and how a file is to be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED, MqmWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a file is read, beside its encoding and limits, which the Source holds. A format uses those it has a use for.

    Attributes:
        role: what the file holds.
        header: as in read_columns.
        first_segment: the number that the file gives the first segment, 1 or 0.
        weights: what the errors of MQM cost.
        pair: the language pair, where a file has several; its first when None.
        human_scores: of an archive, which of its human scores are the judgments; its preferred ones when None.
        lower_is_better: of metric scores, the metrics of which a lower score is the better one, and no others; None
            goes by the metrics' names.
        own: the values of options that only the format has, by their names in Format.own.
    """

    role: FileRole
    header: bool | None = None
    first_segment: int = 1
    weights: MqmWeights = PUBLISHED
    pair: str | None = None
    human_scores: str | None = None
    lower_is_better: Collection[str] | None = None
    own: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format, as it is declared once for recognition, reading, the Data page, the command line and the documentation.

    Confidences order the formats: a file is taken for the format that is surest of it. 1 is for bytes that leave no
    doubt, such as magic numbers; 0.8 to 0.95 for a header or an object with names that no other format has; 0.5 to 0.7
    for a header of common names; 0.3 and 0.4 for cells that look alike; 0.1 and 0.2 for what any text is.

    Attributes:
        key: the name in options and in the session.
        label: the name for people.
        description: what such files are, for people: a phrase without a full stop, which follows "Texts:",
            "Judgments:", "Metric scores:" or "Archive:".
        roles: what such a file may hold.
        sniff: the confidence that a file has the format, from 0 (it has not) to 1. It is given files of all kinds. That
            of a binary format sees the bytes alone; that of the others sees the text as well, or the name alone.
        read: reads a file; it is given the source and the options. It raises FormatError for a file that is not of the
            format, LimitError for one that holds too much, and SettingsError for options that it cannot follow. The
            report names the format in words; its key is added afterwards.
        role_of: what a file of the format holds, as far as its content and name tell; the first of roles by default.
        endings: of the names of such files, in lower case with the dot; may be empty.
        binary: whether such files are bytes that are not to be decoded as text, or that are decoded by the format.
        pairs: whether a file may hold ratings of several language pairs, of which one is chosen.
        own: options that only this format has, such as a sheet: name -> label for people. Their values are text.
    """

    key: str
    label: str
    description: str
    roles: tuple[FileRole, ...]
    sniff: Callable[[Source], float]
    read: Callable[[Source, Options], Contents]
    role_of: Callable[[Source], FileRole] | None = None
    endings: tuple[str, ...] = ()
    binary: bool = False
    pairs: bool = False
    own: Mapping[str, str] = field(default_factory=dict[str, str])
