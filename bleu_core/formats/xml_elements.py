"""Reading of XML element by element within limits, and of segments with inline tags, for all formats in XML."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.source import Source
from bleu_core.formats.text import check_encoding, decode, marked_encoding
from bleu_core.formats.unsupported import HEAD_BYTES
from bleu_core.progress import report_progress

if TYPE_CHECKING:
    from lxml import etree

    Element: TypeAlias = etree._Element  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # the type's name in lxml
    ErrorLog: TypeAlias = etree._ListErrorLog  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

#: Bytes that are parsed at a time.
PIECE_BYTES = 2**16
#: The most bytes in UTF-8 of an element that is kept whole, such as a translation unit.
MAX_INNER_BYTES = 2**23
#: Matches an attribute, by which a root element is recognised: a text may begin with "<tmx> is a format".
ATTRIBUTE = r"\s+[\w.:-]+\s*="
_FLAGS = re.DOTALL | re.IGNORECASE
_BEFORE_ROOT = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!doctype[^\[>]*+(?:\[.*?\]\s*+)?>)*+", _FLAGS)
_ROOT = re.compile(r"<([A-Za-z][\w.:-]{0,99})[\s>]")
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
    """Return the beginning of a file as text in which markup, which is ASCII, can be searched."""
    mark = marked_encoding(source.data, None)[0]
    return source.data[len(mark) : HEAD_BYTES].replace(b"\0", b"").decode("latin-1")


def sniff_root(*roots: re.Pattern[str]) -> Callable[[Source], float]:
    """Return a function for Format.sniff: whether a pattern matches the beginning of the root element."""

    def sniff(source: Source) -> float:
        is_root = begins_with_tag(source) and any(_match_root(source, root) for root in roots)
        return 0.95 if is_root else 0

    return sniff


def root_name(source: Source) -> str:
    """Return the name of a file's root element, with its prefix; empty if the file does not begin with an element."""
    match = _match_root(source, _ROOT)
    return match[1] if match else ""


def _match_root(source: Source, root: re.Pattern[str]) -> re.Match[str] | None:
    begin = beginning_as_text(source)
    prolog = _BEFORE_ROOT.match(begin)
    return root.match(begin, prolog.end() if prolog else 0)


def root_pattern(name: str, then: str = ATTRIBUTE) -> re.Pattern[str]:
    """Return a pattern for sniff_root: an element of that name, with any prefix, and what follows the name."""
    return re.compile(rf"<(?:[\w.-]+:)?{name}{then}", _FLAGS)


def iter_elements(
    source: Source, kept: Collection[str], others: Collection[str] = ()
) -> Iterator[tuple[str, str, Element]]:
    """Yield the elements with the given names in an XML file, in order, each with "start" or "end" and its name.

    Processed elements are removed regularly, so that only a piece of the file is in memory. Names are local names.

    Args:
        source: the file.
        kept: names of elements that are yielded once, complete, with "end"; their descendants are not yielded.
        others: names of elements that are yielded with "start" (with their attributes) and with "end"; the root
            element is one of them.

    Raises:
        FormatError: the file is not well-formed, declares entities, is not in the encoding that it declares, or has
            too much inside a kept element.
        LimitError: it has too many bytes or elements.
    """
    from lxml import etree  # loaded when first needed

    source.limits.check("file_bytes", len(source.data), source.name)
    markup = source.data.replace(b"\0", b"")  # as UTF-16 has
    no_elements = sum(map(markup.count, (b"</", b"<!", b"<?")))
    source.limits.check("elements", markup.count(b"<") - no_elements, source.name)
    # It loads no other files and expands no entities.
    parser = etree.XMLPullParser(
        ("start", "end"),
        tag=[f"{{*}}{name}" for name in (*kept, *others)],
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root: Element | None = None
    whole: Element | None = None  # the open element that is kept
    read = size = 0  # bytes in UTF-8, of the file and of the pieces that are in memory
    try:
        for piece in _pieces(source):
            parser.feed(piece)
            for event, element in parser.read_events():
                name = local_name(element)
                if root is None:
                    root = element.getroottree().getroot()
                    _check_declarations(element, source.name)
                if whole is None and event == "start" and name in kept:
                    whole, size = element, 0
                elif whole is None or element is whole:
                    whole = None
                    yield event, name, element
            read += len(piece)
            size = 0 if root is not None and whole is None else size + len(piece)
            if size > MAX_INNER_BYTES:
                place = source.name if whole is None else element_location(source, whole)
                raise FormatError(f"{place}: more than {MAX_INNER_BYTES:,} bytes in one element found; split it")
            _remove_processed(root, whole)
            report_progress(read, len(source.data))
        parser.close()
    except etree.LxmlError as error:
        raise FormatError(_not_well_formed(source.name, parser.feed_error_log, str(error))) from None


def _remove_processed(element: Element | None, whole: Element | None) -> None:
    """Remove all elements but the last one on each level, except in the whole element."""
    while element is not None and element is not whole and len(element):
        del element[:-1]
        element = element[0]


def detect_xml_encoding(source: Source) -> tuple[bytes, str]:
    """Return the byte order mark at the beginning of an XML file, empty if none, and its encoding.

    Priority: a byte order mark, the XML declaration, the encoding that the user names, UTF-8.

    Raises:
        FormatError: the declaration names an encoding that does not exist.
        SettingsError: the user names such an encoding.
    """
    begin = source.data[:200]
    mark, encoding = marked_encoding(begin, source.encoding)
    if mark:
        return mark, encoding
    if begin.startswith((b"<\0", b"\0<")):
        return b"", "UTF-16-LE" if begin.startswith(b"<") else "UTF-16-BE"
    declared = _DECLARED.match(begin.decode("latin-1").lstrip())
    # A declaration that is readable as ASCII is not in UTF-16, whatever it says: some programs write such files.
    if declared is None or declared[1].upper().replace("_", "-").startswith(("UTF-16", "UTF16")):
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
    text = element.text or ""
    if len(element):
        pieces = [text]
        _add_children(element, source, pieces, tags=tags)
        text = "".join(pieces)
    if len(text) > source.limits.line_length:
        source.limits.check("line_length", len(text), element_location(source, element))
    return text


def _add_children(element: Element, source: Source, pieces: list[str], *, tags: bool) -> None:
    """Add the texts in and behind the children of an element; the parser limits how deeply they are nested."""
    for child in element:
        name = local_name(child)
        if not name:
            raise FormatError(
                f"{element_location(source, element)}: entity {child.text} found, which the file does not define; "
                "write the character itself"
            )
        if name in CODES:
            pieces.append(_code(child, name, tags=tags))
        else:
            number = _number(child) if tags and name in PAIRED else None
            pieces.append((f"<{number}>" if number is not None else "") + (child.text or ""))
            _add_children(child, source, pieces, tags=tags)
            if number is not None:
                pieces.append(f"</{number}>")
        pieces.append(child.tail or "")


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


def _pieces(source: Source) -> Iterator[bytes]:
    """Yield the file in UTF-8, in pieces."""
    mark, encoding = detect_xml_encoding(source)
    data = source.data
    decoder = codecs.getincrementaldecoder(encoding)()
    begun = False
    for start in range(len(mark), len(data), PIECE_BYTES):
        try:
            text = decoder.decode(data[start : start + PIECE_BYTES], final=start + PIECE_BYTES >= len(data))
        except UnicodeError as error:
            decode(data, source.name, encoding, limits=source.limits)  # its error names the byte
            raise FormatError(f"{source.name}: cannot be read as {encoding}: {error}") from None
        piece = (text if begun else text.lstrip()).encode("utf-8", "surrogatepass")
        begun = begun or bool(piece)
        yield piece


def _check_declarations(element: Element, name: str) -> None:
    """Refuse declarations of entities, which may expand to gigabytes or include other files."""
    declared = element.getroottree().docinfo.internalDTD
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
