"""Reading of XML element by element within limits, and of segments with inline tags, for all formats in XML."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.source import Source
from bleu_core.formats.text import BYTE_ORDER_MARKS, check_encoding
from bleu_core.formats.unsupported import HEAD_BYTES
from bleu_core.progress import report_progress

if TYPE_CHECKING:
    from lxml import etree

    Element: TypeAlias = etree._Element  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # the type's name in lxml
    PullParser: TypeAlias = etree.XMLPullParser
    ErrorLog: TypeAlias = etree._ListErrorLog  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

#: Bytes that are parsed at a time.
PIECE_BYTES = 2**16
#: The most tags in an element that is kept whole, such as a translation unit, which rarely has more than a hundred.
MAX_INNER_TAGS = 100_000
#: The most bytes of such an element, in UTF-8.
MAX_INNER_BYTES = 2**23
#: Matches an attribute, by which a root element is recognised: a text may begin with "<tmx> is a format".
ATTRIBUTE = r"\s+[\w.:-]+\s*="
_FLAGS = re.DOTALL | re.IGNORECASE
_BEFORE_ROOT = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!doctype[^\[>]*+(?:\[.*?\]\s*+)?>)*+", _FLAGS)
_DECLARED = re.compile(r"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")

#: Inline tags that represent a tag of the original format, which may be their content: name -> function.
CODES: Mapping[str, Literal["opens", "closes", "stands alone"]] = {
    "bpt": "opens",
    "bx": "opens",
    "sc": "opens",
    "ept": "closes",
    "ex": "closes",
    "ec": "closes",
    "ph": "stands alone",
    "it": "stands alone",
    "ut": "stands alone",
    "x": "stands alone",
}
#: Inline tags around text that are shown. All others, such as mrk, only mark text and are never shown.
PAIRED = frozenset({"g", "pc", "hi"})
#: The attributes that number an inline tag; the first existing one is shown.
NUMBER_ATTRIBUTES = ("startRef", "rid", "i", "x", "id")
#: The values of attributes of inline tags that are line breaks.
LINE_BREAK_TYPES = frozenset({"lb", "xlf:lb", "x-html-BR"})
#: The values of the option for inline tags.
TAG_CHOICES = ("drop", "keep")


def begins_with_tag(source: Source) -> bool:
    """Return whether a file begins with "<", possibly after white space."""
    return beginning_as_text(source).lstrip().startswith("<")


def beginning_as_text(source: Source) -> str:
    """Return the beginning of a file as text in which markup can be searched."""
    return _as_text(source.data[:HEAD_BYTES])


def has_root(source: Source, root: re.Pattern[str]) -> bool:
    """Return whether a pattern matches the beginning of a file's root element, after a possible prolog."""
    if not begins_with_tag(source):
        return False
    begin = beginning_as_text(source)
    prolog = _BEFORE_ROOT.match(begin)
    return root.match(begin, prolog.end() if prolog else 0) is not None


def root_pattern(name: str, then: str = ATTRIBUTE) -> re.Pattern[str]:
    """Return a pattern for has_root: an element of that name, with any prefix, and what follows the name."""
    return re.compile(rf"<(?:[\w.-]+:)?{name}{then}", _FLAGS)


def iter_elements(
    source: Source, kept: Collection[str], others: Collection[str] = ()
) -> Iterator[tuple[str, str, Element]]:
    """Yield the elements with the given names in an XML file, in order, each with "start" or "end" and its name.

    Processed elements are removed regularly, so that only a piece of the file is in memory. Names are local names.

    Args:
        source: the file.
        kept: names of elements that are yielded once, complete, with "end"; their descendants are not yielded.
        others: names of elements that are yielded with "start" (with their attributes) and with "end".

    Raises:
        FormatError: the file is not well-formed, declares entities, is not in the encoding that it declares, or has
            too much inside a kept element.
        LimitError: it has too many bytes or elements.
    """
    from lxml import etree  # loaded when first needed

    source.limits.check("file_bytes", len(source.data), source.name)
    _check_number(source)
    wanted = {*kept, *others}
    names: dict[str, str] = {}  # by tag, which has a namespace
    name = ""
    read = 0  # bytes in UTF-8; the file may have more or fewer
    tree = _Tree(source)
    parser = _parser(("start",))
    try:
        root = _root_tag(source, parser)
        parser = _parser(("start", "end"), (root, *(f"{{*}}{name}" for name in wanted)))
        for piece in _pieces(source):
            parser.feed(piece)
            for event, element in parser.read_events():
                if tree.whole is not None:  # checked first, since most elements are kept or inside kept ones
                    if element is tree.whole:
                        tree.end()
                        yield event, name, element
                    continue
                tag = str(element.tag)
                name = names.get(tag) or names.setdefault(tag, local_name(element))
                if event == "start" and tree.begins(element, whole=name in kept):
                    continue
                if name in wanted:
                    yield event, name, element
            tree.remove_processed(piece)
            read += len(piece)
            report_progress(read, len(source.data))
        parser.close()
    except etree.LxmlError as error:
        raise FormatError(_not_well_formed(source.name, parser.feed_error_log, str(error))) from None


class _Tree:
    """The elements of a file that are in memory.

    Attributes:
        whole: the open element that is kept whole, if any.
    """

    def __init__(self, source: Source) -> None:
        self.whole: Element | None = None
        self._source = source
        self._root: Element | None = None
        self._before = False  # whether the whole element began in an earlier piece
        self._tags = self._size = 0  # of the pieces inside it

    def begins(self, element: Element, *, whole: bool) -> bool:
        """Note the beginning of an element, and return whether it is kept whole."""
        if self._root is None:
            self._root = element
        if whole:
            self.whole, self._before, self._tags, self._size = element, False, 0, 0
        return whole

    def end(self) -> None:
        """Note the end of the whole element, and check its size unless it is smaller than a piece of the file."""
        if self._before and self.whole is not None:
            self._tags = sum(1 for _ in self.whole.iterdescendants())
            self._check()
        self.whole = None

    def remove_processed(self, piece: bytes) -> None:
        """Remove processed elements: all but the last one on each level, except in the whole element.

        Args:
            piece: the piece of the file that has been read.
        """
        if self.whole is not None and self._before:
            self._tags += piece.count(b"<") - piece.count(b"</")
            self._size += len(piece)
            self._check()
        self._before = self.whole is not None
        element = self._root
        while element is not None and element is not self.whole and len(element):
            del element[:-1]
            element = element[0]

    def _check(self) -> None:
        """Check the size of the whole element."""
        if self.whole is None or (self._tags <= MAX_INNER_TAGS and self._size <= MAX_INNER_BYTES):
            return
        limit = f"{MAX_INNER_TAGS:,} tags" if self._tags > MAX_INNER_TAGS else f"{MAX_INNER_BYTES:,} bytes"
        place = element_location(self._source, self.whole)
        raise FormatError(f"{place}: more than {limit} in one element found; split it")


def _parser(events: tuple[Literal["start", "end"], ...], tags: tuple[str, ...] | None = None) -> PullParser:
    """Return a parser that loads no other files and expands no entities.

    Args:
        events: the events that it reports.
        tags: the tags of the elements that it reports; None reports all.
    """
    from lxml import etree

    return etree.XMLPullParser(
        events,
        tag=tags,
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _root_tag(source: Source, parser: PullParser) -> str:
    """Return the tag of the root element; empty if the file ends before it."""
    for piece in _pieces(source):
        parser.feed(piece)
        for _, element in parser.read_events():
            _check_declarations(element, source.name)
            return str(element.tag)
    parser.close()
    return ""


def _check_number(source: Source) -> None:
    """Check the number of elements before any is read."""
    _, encoding = detect_xml_encoding(source)
    # Some codecs write a byte order mark first.
    marks = [f"<{mark}".encode(encoding)[len("<".encode(encoding)) :] for mark in ("<", "</", "<!", "<?")]
    count, *no_elements = (source.data.count(mark) for mark in marks)
    source.limits.check("elements", count - sum(no_elements), source.name)


def detect_xml_encoding(source: Source) -> tuple[bytes, str]:
    """Return the byte order mark at the beginning of an XML file, empty if none, and its encoding.

    Priority: a byte order mark, the XML declaration, the encoding that the user names, UTF-8.

    Raises:
        FormatError: the declaration names an encoding that does not exist.
        SettingsError: the user names such an encoding.
    """
    begin = source.data[:200]
    marked = next(
        (mark_and_encoding for mark_and_encoding in BYTE_ORDER_MARKS if begin.startswith(mark_and_encoding[0])), None
    )
    if marked is not None:
        return marked
    if begin.startswith((b"<\0", b"\0<")):
        return b"", "UTF-16-LE" if begin.startswith(b"<") else "UTF-16-BE"
    declared = _DECLARED.match(begin.decode("latin-1").lstrip())
    # A declaration that is readable as ASCII is not in UTF-16, whatever it says: some programs write such files.
    if declared is None or declared[1].upper().replace("_", "-").startswith(("UTF-16", "UTF16")):
        encoding = source.encoding or "UTF-8"
        check_encoding(encoding, source.name)
        return b"", encoding
    try:
        check_encoding(declared[1], source.name)
    except SettingsError:
        raise FormatError(
            f"{source.name}, line 1: encoding {declared[1]!r} found, the name of a known encoding expected; save the "
            "file as UTF-8"
        ) from None
    return b"", declared[1]


def local_name(element: Element) -> str:
    """Return an element's name without its namespace; empty if it is not an element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """Return the value of an attribute in any namespace; empty if there is none."""
    value = element.get(name)
    if value is None:
        value = next((value for key, value in element.items() if str(key).rpartition("}")[2] == name), "")
    return value


def element_location(source: Source, element: Element) -> str:
    """Return the file and the line of an element, for messages."""
    return f"{source.name}, line {element.sourceline}"


def inline_text(element: Element | None, source: Source, *, tags: bool = False) -> str:
    """Return the text of an element with inline tags for the formatting of the original.

    Args:
        element: an element such as a source or target; None gives an empty text.
        source: the file, for its limits and for messages.
        tags: whether tags are shown, as <1>, </1> and <2/>; otherwise they are left out, and a line break becomes a
            blank.

    Raises:
        FormatError: the text has an entity that is not defined.
        LimitError: the text is too long.
    """
    if element is None:
        return ""
    first = element.text or ""
    length = len(first)
    if not len(element):
        if length > source.limits.line_length:
            source.limits.check("line_length", length, element_location(source, element))
        return first
    pieces = [first]
    # Without recursion, since tags may be deeply nested.
    open_elements = [(iter(element), "")]
    while open_elements:
        children, after = open_elements[-1]
        child = next(children, None)
        if child is None:
            open_elements.pop()
            piece = after
        else:
            name = local_name(child)
            if not name:
                raise FormatError(
                    f"{source.name}, line {element.sourceline}: entity {child.text} found, which the file does not "
                    "define; write the character itself"
                )
            tail = child.tail or ""
            if name in CODES:
                piece = _code(child, name, tags=tags) + tail
            else:
                number = _number(child) if tags and name in PAIRED else None
                piece = (f"<{number}>" if number is not None else "") + (child.text or "")
                open_elements.append((iter(child), (f"</{number}>" if number is not None else "") + tail))
        pieces.append(piece)
        length += len(piece)
        if length > source.limits.line_length:
            source.limits.check("line_length", length, element_location(source, element))
    return "".join(pieces)


def join_lines(text: str) -> str:
    r"""Replace each line break and the blanks around it by one blank, and remove those at the beginning and end.

    >>> join_lines("\n  one\n\n  two ")
    'one two'
    >>> join_lines(" one ")
    ' one '
    """
    if "\n" not in text and "\r" not in text:
        return text
    return " ".join(filter(None, (line.strip(" \t") for line in text.replace("\r", "\n").split("\n"))))


def keeps_tags(value: str | None, name: str) -> bool:
    """Return whether inline tags are kept, by the value of a format's option for them.

    Raises:
        SettingsError: the value is not one of TAG_CHOICES.
    """
    if value not in (None, *TAG_CHOICES):
        raise SettingsError(f"{name}: tags={value!r} found, one of {', '.join(TAG_CHOICES)} expected")
    return value == "keep"


def _code(child: Element, name: str, *, tags: bool) -> str:
    if not tags:
        kinds = (child.get(key) for key in ("ctype", "subType", "type"))
        return " " if any(kind in LINE_BREAK_TYPES for kind in kinds) else ""
    number = _number(child)
    return {"opens": f"<{number}>", "closes": f"</{number}>", "stands alone": f"<{number}/>"}[CODES[name]]


def _number(child: Element) -> str:
    return next((value for key in NUMBER_ATTRIBUTES if (value := child.get(key)) is not None), "")


def _as_text(begin: bytes) -> str:
    """Decode bytes as text in which markup, which is ASCII, can be searched."""
    if begin.startswith((codecs.BOM_UTF16_LE, b"<\0")):
        encoding = "utf-16-le"
    elif begin.startswith((codecs.BOM_UTF16_BE, b"\0<")):
        encoding = "utf-16-be"
    else:
        encoding = "latin-1"
        begin = begin.removeprefix(codecs.BOM_UTF8)
    return begin.decode(encoding, "replace").removeprefix("\ufeff")


def _pieces(source: Source) -> Iterator[bytes]:
    """Yield the file in UTF-8, in pieces."""
    mark, encoding = detect_xml_encoding(source)
    data = source.data
    decoder = codecs.getincrementaldecoder(encoding)()
    begun = False
    for start in range(len(mark), len(data), PIECE_BYTES):
        try:
            text = decoder.decode(data[start : start + PIECE_BYTES], final=start + PIECE_BYTES >= len(data))
            piece = (text if begun else text.lstrip()).encode("utf-8")
        except UnicodeError as error:
            raise _undecodable(error, source, start, encoding) from None
        begun = begun or bool(piece)
        yield piece


def _undecodable(error: UnicodeError, source: Source, start: int, encoding: str) -> FormatError:
    data = source.data
    if not isinstance(error, UnicodeDecodeError):
        return FormatError(f"{source.name}: cannot be read as {encoding}: {error}")
    waiting = len(error.object) - len(data[start : start + PIECE_BYTES])  # bytes of a character before the piece
    offset = start + error.start - waiting
    line = data.count(b"\n", 0, offset) + 1
    problem = f"byte 0x{data[offset]:02X} at offset {offset}" if offset < len(data) else f"the end at offset {offset}"
    return FormatError(
        f"{source.name}, line {line}: {problem} is not {encoding}; save the file as UTF-8 or declare its encoding"
    )


def _check_declarations(root: Element, name: str) -> None:
    """Refuse declarations of entities, which may expand to gigabytes or include other files."""
    declared = root.getroottree().docinfo.internalDTD
    entity = next(iter(declared.iterentities()), None) if declared is not None else None
    if entity is not None:
        raise FormatError(
            f"{name}, line 1: declaration of the entity {entity.name!r} found, none allowed; write the text itself "
            "instead of the entity"
        )


def _not_well_formed(name: str, log: ErrorLog, message: str) -> str:
    entries = [entry for entry in log if entry.level_name in {"ERROR", "FATAL"}]
    line = max(entries[0].line, 1) if entries else 1
    problem = (entries[0].message if entries else message.partition(" (")[0]).strip()
    if "XML_PARSE_HUGE" in problem:
        problem = re.sub(r",? (?:try|use) XML_PARSE_HUGE.*", "", problem)
        return (
            f"{name}, line {line}: exceeds the limits of the XML reader: {problem}; remove content that is not part of "
            "segments, such as embedded files"
        )
    return f"{name}, line {line}: well-formed XML expected: {problem}; save the file again or repair it"
