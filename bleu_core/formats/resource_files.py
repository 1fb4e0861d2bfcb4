"""Detection of resource files and other markup, code or fields with texts in them; they are refused with advice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.errors import FormatError
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.delimited import SUFFIXES as TABLES
from bleu_core.formats.header_rows import are_rows
from bleu_core.formats.json_objects import are_json_lines
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS
from bleu_core.formats.xml_elements import beginning_as_text, root_name
from bleu_core.invocation import format_option

_EXCHANGE = "export XLIFF, TMX or PO, or plain text with one segment per line"


class Kind(NamedTuple):
    """A kind of file that is refused.

    Attributes:
        name: the name in messages.
        advice: what the user can do.
        may_be_text: whether its lines may be segments that only look like this kind.
    """

    name: str
    advice: str = _EXCHANGE
    may_be_text: bool = True


HTML = Kind("HTML", "save its text, one segment per line, or export XLIFF from a translation tool")
OTHER_XML = Kind("XML of another kind")
NO_TABLE = Kind(
    "a JSON file that is not a table", f"{_EXCHANGE}, or JSON lines with an object per segment", may_be_text=False
)
PYTHON = Kind(
    "lists or dictionaries as Python prints them", f"write them with json.dumps, or {_EXCHANGE}", may_be_text=False
)
FIELDS = Kind(
    "fields separated by | or |||, as of n-best lists,",
    "replace these marks by tabs to read it as a table, or save one segment per line",
    may_be_text=False,
)
FAIRSEQ = Kind(
    "lines of fairseq-generate for sources (S-), outputs (H-) and others",
    "keep those of one kind, as with grep ^H-, and save the references, one segment per line, or their lines (T-) in "
    "another file",
    may_be_text=False,
)
MARKDOWN = Kind("a table in Markdown", "save it as CSV, or its texts with one segment per line", may_be_text=False)
LATEX = MARKDOWN._replace(name="a table in LaTeX")
YAML = Kind("a YAML file of texts with keys")
YAML_LIST = Kind("a list in YAML", "save its texts with one segment per line, or as a list in JSON", may_be_text=False)
PROPERTIES = Kind("a file of texts with keys, as of Java properties or in INI,")
STRINGS = Kind("a file of Apple strings")
TRANSCRIPTS = Kind(
    "lines with ids, as of sclite or Kaldi,",
    "save a table with a tab between ids and texts below the headers id and text, or the texts alone, one segment per "
    "line",
)

DOCTYPE = re.compile(r"\s*+<!doctype\s++html\b", re.IGNORECASE)
DECLARATION = re.compile(r"\s*+<\?xml\s")
#: The last tag of a file, and the number of bytes at its end that are searched for it.
END_TAG = re.compile(rb"</([\w.:-]{1,100})\s*+>\s*+\Z")
TAIL_BYTES = 2**10
HTML_ENDINGS = frozenset({".html", ".htm", ".xhtml"})
LINES_ENDINGS = frozenset({".jsonl", ".ndjson"})
JSON_ENDINGS = frozenset({".json", ".arb", *LINES_ENDINGS})
XML_ENDING = ".xml"
YAML_ENDINGS = frozenset({".yml", ".yaml"})
PROPERTIES_ENDINGS = frozenset({".properties", ".ini", ".toml"})
#: All endings of resource files.
RESOURCE_ENDINGS = frozenset({*HTML_ENDINGS, *JSON_ENDINGS, *YAML_ENDINGS, *PROPERTIES_ENDINGS, XML_ENDING, ".strings"})
#: The fewest letters of a tag that may not be within texts, and an element with such a tag that fills a line.
MIN_TAG_LENGTH = 3
ELEMENT = re.compile(r"<([A-Za-z][\w.:-]{2,99})(?:\s[^<>]*+)?+>.*</\1\s*+>")
#: Kinds of files -> the form of nearly all of their lines: of Python, a list or a dictionary with texts in single
#: quotation marks.
FORMS: Mapping[Kind, re.Pattern[str]] = MappingProxyType(
    {
        PYTHON: re.compile(r"\[(?:'.*[\"']|\{'.*\})\]|\{'[^']*+'\s*+:.*\}"),
        FAIRSEQ: re.compile(r"[STHDP]-\d++\t.*"),
        MARKDOWN: re.compile(r"\|.*\|"),
        FIELDS: re.compile(r"[^|]*\S(?: \|\|\| \S.*|\|\S[^|]*+)"),
        LATEX: re.compile(r".* & .*\\\\(?:\s*+\\hline)?+"),
    }
)

#: Lines of transcripts: the text and an id in brackets, or an id with letters and digits before the text.
LINES_WITH_IDS = (
    re.compile(r"\S.*\s\(([^\s()]*+)\)"),
    re.compile(r"([A-Za-z][A-Za-z0-9]*+[-_]\S*+)\s\S.*"),
)
_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
STRINGS_ENTRY = re.compile(rf"\s*+(?:{_STRING}|[\w.-]++)\s*+=\s*+{_STRING}\s*+;\s*+(?://.*+)?\Z")
#: A key of properties in a file with that ending.
PROPERTY = re.compile(r"\s*+(?:[^\s=:\\]|\\.)++\s*+[=:]")
DOTTED = re.compile(r"([A-Za-z][\w-]*+(?:\.[\w-]++)++) ?=")  # a key that is not a word of a text
YAML_ENTRY = re.compile(r"\s*+(?:- )?(?:[\w./-]++|\"[^\"]*+\"|'[^']*+'):(?:\s|\Z)")
YAML_ITEM = re.compile(r"\s*+- ")
YAML_LANGUAGE = re.compile(r"[\"']?[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*+[\"']?:\s*+\Z")
YAML_INNER = re.compile(rf"[ ]++{YAML_ENTRY.pattern}")
#: The fewest lines with keys by which a text without a known ending is recognised.
MIN_ENTRIES = 3
#: The share of lines that must have keys in a file with a known ending.
MIN_SHARE_OF_LINES = 0.5
#: The share of lines that must be elements or lists in a file without a known ending.
MIN_SHARE_OF_ALL = 0.75


def refuse_resource_file(source: Source) -> None:
    """Refuse a file of text that is a resource file.

    Args:
        source: a file that would otherwise be read as text or as a table.

    Raises:
        FormatError: it is a resource file.
        LimitError, SettingsError: as for its text.
    """
    kind = _kind(source)
    if kind is not None:
        raise refusal(source.name, kind)


def refusal(name: str, kind: Kind) -> FormatError:
    """Return the error for a file of a kind that cannot be read."""
    how = f"; {as_text(name)}" if kind.may_be_text else ""
    return FormatError(f"{name}: {kind.name} found, which cannot be read; {kind.advice}{how}")


def as_text(name: str) -> str:
    """Return what to do with a file whose lines are segments although it looks like something else."""
    return (
        "if each line is a segment all the same, read it as text, on the Data page or with "
        f"{format_option(name, 'text')}"
    )


def looks_like_other_file(beginning: str) -> bool:
    """Return whether the first lines of a text are those of a resource file, of JSON lines or of a table.

    Args:
        beginning: HEAD_CHARS characters of the text or more, or all of it.
    """
    end = len(beginning) if len(beginning) <= HEAD_CHARS else beginning.rfind("\n", 0, HEAD_CHARS)
    head = beginning[: end if end >= 0 else HEAD_CHARS]
    return are_rows(head) or are_json_lines(head) or _kind_without_ending(head.split("\n")) is not None


def _kind(source: Source) -> Kind | None:
    if source.table is not None or are_rows(source.first_lines):
        return None
    begin, suffix = source.first_lines[:HEAD_CHARS], suffix_of(source.name)
    kind = _kind_of_markup(source) if begin.lstrip()[:1] == "<" else _kind_of_lines(begin, suffix)
    if kind is None and suffix in (*HTML_ENDINGS, XML_ENDING):
        return HTML if suffix in HTML_ENDINGS else OTHER_XML
    return kind


def _kind_of_markup(source: Source) -> Kind | None:
    """Return the kind of a text that begins and ends with markup; None if it may be a text about code."""
    if _are_nearly_all(ELEMENT.fullmatch, source.first_lines.split("\n")):
        return OTHER_XML
    data = source.data.replace(b"\0", b"")  # as UTF-16 has
    end = END_TAG.search(data, max(0, len(data) - TAIL_BYTES))
    if end is None:
        return None
    begin, root, last = beginning_as_text(source), root_name(source), end[1].decode("latin-1")
    if last.lower() in ("html", "body") and (root.lower() == "html" or DOCTYPE.match(begin)):
        return HTML
    is_root = root == last and len(root) >= MIN_TAG_LENGTH and data.count(b"<" + end[1]) == 1
    return OTHER_XML if is_root or DECLARATION.match(begin) else None


def _kind_of_lines(begin: str, suffix: str) -> Kind | None:
    """Return the kind of a text by its first lines and the ending of its name."""
    lines = begin.split("\n")
    if suffix in YAML_ENDINGS:
        entries = list(_without(lines, "#", "---"))
        return YAML if _has_entries(YAML_ENTRY, entries) else YAML_LIST if _has_entries(YAML_ITEM, entries) else None
    if suffix in PROPERTIES_ENDINGS:
        return PROPERTIES if _has_entries(PROPERTY, list(_without(lines, "#", "!", ";", "["))) else None
    if suffix == ".strings":
        return STRINGS if any(map(STRINGS_ENTRY.match, lines)) else None
    return None if suffix in TABLES else _kind_without_ending(lines)


def _kind_without_ending(lines: Sequence[str]) -> Kind | None:
    """Return the kind of a text by its lines, all of which must have the form of the kind."""
    kind = next((kind for kind, form in FORMS.items() if _are_nearly_all(form.fullmatch, lines)), None)
    if kind is not None:
        return kind
    entries = list(_without(lines, "#"))
    if len(entries) < MIN_ENTRIES:
        return None
    keys = [match[1] for match in map(DOTTED.match, entries) if match]
    if len(keys) == len(entries):
        return PROPERTIES if len(set(keys)) == len(keys) else None
    strings = list(_without_comments(lines))
    if len(strings) >= MIN_ENTRIES and all(map(STRINGS_ENTRY.match, strings)):
        return STRINGS
    if any(_have_ids(form, entries) for form in LINES_WITH_IDS):
        return TRANSCRIPTS
    is_yaml = YAML_LANGUAGE.match(entries[0]) and all(map(YAML_INNER.match, entries[1:]))
    return YAML if is_yaml else None


def _are_nearly_all(matches: Callable[[str], object], lines: Sequence[str]) -> bool:
    """Return whether nearly all lines that have text match."""
    filled = [line.strip() for line in lines if line.strip()]
    return sum(map(bool, map(matches, filled))) >= MIN_SHARE_OF_ALL * len(filled) > 0


def _have_ids(form: re.Pattern[str], lines: Sequence[str]) -> bool:
    """Return whether all lines have the form, with another id with a digit each."""
    matches = map(form.fullmatch, map(str.strip, lines))
    return len({match[1] for match in matches if match and any(map(str.isdigit, match[1]))}) == len(lines)


def _has_entries(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    """Return whether the first line and enough of all lines begin with the pattern."""
    return bool(lines and pattern.match(lines[0])) and sum(
        map(bool, map(pattern.match, lines))
    ) >= MIN_SHARE_OF_LINES * len(lines)


def _without(lines: Sequence[str], *comments: str) -> Iterator[str]:
    """Return the lines with text that are not comments."""
    return (line for line in lines if line.strip() and not line.lstrip().startswith(comments))


def _without_comments(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines with text, without comments in the syntax of C."""
    inside = False
    for line in lines:
        begins = line.lstrip().startswith("/*")
        if inside or begins:
            inside = "*/" not in (line.lstrip()[2:] if begins else line)
        elif line.strip() and not line.lstrip().startswith("//"):
            yield line
