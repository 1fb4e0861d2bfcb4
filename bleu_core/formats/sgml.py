"""SGML and XML of NIST, IWSLT and WMT until 2020: files of sources, references or systems, by document.

Most such files are neither valid SGML nor well-formed XML, since & and < are not escaped in their segments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from bleu_core.dataset import Role, plural
from bleu_core.errors import FormatError
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.documents import DOCUMENT_ROLES, Document, Side, document_contents
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, decode
from bleu_core.formats.text_roles import text_role
from bleu_core.formats.xml_elements import ATTRIBUTE, detect_xml_encoding, join_lines, root_pattern, sniff_root
from bleu_core.progress import report_progress

LABEL = "SGML of WMT or NIST"
ROOT = root_pattern("(?:srcset|refset|tstset)")
MTEVAL = root_pattern("mteval", rf"(?:\s[^<>]*)?>(?:\s++|<!--.*?-->|<\?.*?\?>)*+<(?:srcset|refset|tstset){ATTRIBUTE}")
SETS: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
SET = re.compile(r"</?(srcset|refset|tstset)\b[^<>]*>", re.IGNORECASE)
#: A segment in the most frequent form: with an id and no other attributes or tags.
SIMPLE_SEGMENT = re.compile(r"\s*+<seg\s++id\s*+=\s*+([\"'])([^\"'<>]{1,100})\1\s*+>([^<&]*+)</seg\s*+>", re.IGNORECASE)
END_OF_SEGMENT = re.compile(r"</seg\s*>", re.IGNORECASE)
ANOTHER_SEGMENT = re.compile(r"<seg\b[^<>]*>", re.IGNORECASE)
DECLARATION = re.compile(r"<!entity\s", re.IGNORECASE)
ATTRIBUTES = re.compile(r"(?<![\w.:-])([\w.:-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))")
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-f]{1,6}));", re.IGNORECASE)
CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
#: The most characters of a tag.
MAX_TAG_LENGTH = 2**16
#: Attributes of documents that are labels of their segments.
LABELS = ("genre", "origlang")


@dataclass(slots=True)
class _Reader:
    """Iterates over the tags of a file and collects its documents."""

    source: Source
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    role: Role = "source"
    owner: str = ""
    unnamed: int = 0
    texts: dict[str, str] | None = None
    broken: int = 0

    def read(self, content: str) -> None:
        """Read all segments.

        Raises:
            FormatError: a segment has no end, a document or segment occurs twice, or entities are declared.
            LimitError: there are too many segments, or a segment is too long.
        """
        markup = self.source.data.replace(b"\0", b"").lower()
        documents = markup.count(b"<doc")
        self.source.limits.check("documents", documents, self.source.name)
        elements = documents + markup.count(b"<seg")
        self.source.limits.check("elements", elements, f"{self.source.name}, segments and documents")
        tag = TAG.search(content)
        declared = DECLARATION.search(content, 0, tag.start() if tag else len(content))
        if declared is not None:
            raise FormatError(
                f"{self._place(content, declared.start())}: declaration of an entity found, none allowed; write the "
                "text itself instead of the entity"
            )
        while tag is not None:
            end = tag.end()
            name = tag[2].lower()
            if not tag[1]:
                if name == "seg":
                    end = self._segment(content, tag)
                elif name == "doc":
                    self._document(content, tag)
                else:
                    given = self._attributes(content, tag)
                    self.role = SETS[name]
                    self.owner = given.get("sysid") or given.get("refid") or ""
                    self.unnamed, self.texts = 0, None
            tag = TAG.search(content, self._simple_segments(content, end))

    def _simple_segments(self, content: str, begin: int) -> int:
        """Read the simple segments that begin at this position; return the position after them."""
        texts, max_length = self.texts, self.source.limits.line_length
        while texts is not None and (match := SIMPLE_SEGMENT.match(content, begin)):
            _, number, text = match.groups()
            number = number.strip()
            if not number or number in texts or len(text) > max_length:
                break  # _segment reports the error
            text = text.strip()
            self.broken += "\n" in text
            texts[number] = join_lines(text).strip()
            begin = match.end()
        return begin

    def _document(self, content: str, tag: re.Match[str]) -> None:
        report_progress(tag.start(), len(content))
        given = self._attributes(content, tag)
        self.unnamed += 1
        name = given.get("docid") or given.get("id") or str(self.unnamed)
        side: Side = (self.role, "" if self.role == "source" else given.get("sysid") or self.owner)
        document = self.documents.setdefault(name, Document(name))
        if document.texts.get(side):  # an empty one is no text
            raise FormatError(
                f"{self._place(content, tag.start())}: document {name} found a second time, 1 expected; remove one"
            )
        document.labels |= {key: given[key] for key in LABELS if given.get(key)}
        self.texts = document.texts.setdefault(side, {})

    def _segment(self, content: str, tag: re.Match[str]) -> int:
        """Read a segment; return the position after it."""
        end = END_OF_SEGMENT.search(content, tag.end())
        text = content[tag.end() : end.start()] if end else ""
        if end is None or ("<" in text and ANOTHER_SEGMENT.search(text)):
            raise FormatError(f"{self._place(content, tag.start())}: <seg> without </seg> found; save the file again")
        if len(text) > self.source.limits.line_length:
            self.source.limits.check("line_length", len(text), self._place(content, tag.start()))
        if self.texts is None:
            raise FormatError(f"{self._place(content, tag.start())}: <seg> outside of <doc> found, none expected")
        number = self._attributes(content, tag).get("id") or str(len(self.texts) + 1)
        if number in self.texts:
            raise FormatError(
                f"{self._place(content, tag.start())}: a second segment with the id {number} found, 1 expected"
            )
        joined = join_lines(text)
        self.broken += "\n" in text.strip()
        self.texts[number] = (ENTITY.sub(_character, joined) if "&" in joined else joined).strip()
        return end.end()

    def _attributes(self, content: str, tag: re.Match[str]) -> dict[str, str]:
        """Return the attributes of a tag, with names in lower case."""
        if len(tag[3]) > MAX_TAG_LENGTH:
            raise FormatError(
                f"{self._place(content, tag.start())}: tag of {len(tag[3]):,} characters found, at most "
                f"{MAX_TAG_LENGTH:,} expected; save the file again"
            )
        attributes = ATTRIBUTES.findall(tag[3])
        return {name.lower(): (double or single or bare).strip() for name, double, single, bare in attributes}

    def _place(self, content: str, position: int) -> str:
        """Return the file and line of a position, for messages."""
        return f"{self.source.name}, line {content.count(chr(10), 0, position) + 1}"


def _character(match: re.Match[str]) -> str:
    """Return the character of an entity, or the unchanged text if it is not a known entity."""
    if match[1]:
        return CHARACTERS[match[1].lower()]
    code = int(match[2]) if match[2] else int(match[3], 16)
    character = chr(code) if 0x20 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""  # noqa: PLR2004 # Unicode
    return character if character.isprintable() and character else match[0]


def _without_single_name(documents: list[Document]) -> list[Document]:
    """Remove the name of the system or reference if there is only one; the file's name is used instead."""
    names = {side for document in documents for side in document.texts}
    if len(names) > 1:
        return documents
    return [
        replace(document, texts={(role, ""): texts for (role, _), texts in document.texts.items()})
        for document in documents
    ]


def _roles(source: Source) -> set[Role]:
    return {SETS[name.lower()] for name in SET.findall(_text(source).content)}


def _text(source: Source) -> Text:
    if source.data[:100].lstrip().startswith(b"<?xml"):
        return decode(source.data, source.name, detect_xml_encoding(source)[1], limits=source.limits)
    return source.text


def _role_of(source: Source) -> FileRole:
    roles: set[FileRole] = {*_roles(source)}
    if len(roles) > 1:
        return "archive"
    return text_role(source, roles.pop() if roles else "system")


def _read(source: Source, options: Options) -> Contents:
    """Read the segments.

    Raises:
        FormatError: the file is damaged, or has no segment or no text of the role.
        LimitError: it exceeds the limits.
    """
    text = _text(source)
    reader = _Reader(source)
    reader.read(text.content)
    documents = [document for document in reader.documents.values() if any(document.texts.values())]
    repairs = list(text.repairs)
    if reader.broken:
        repairs.append(f"line breaks in {reader.broken:,} {plural(reader.broken, 'segment')} read as blanks")
    return document_contents(
        source,
        _without_single_name(documents),
        options.role,
        LABEL,
        encoding=text.encoding,
        repairs=tuple(repairs),
        any_role=True,
    )


FORMAT = Format(
    key="sgml",
    label=LABEL,
    description="SGML of WMT or NIST, and XML of NIST or IWSLT",
    roles=DOCUMENT_ROLES,
    sniff=sniff_root(ROOT, MTEVAL),
    read=_read,
    role_of=_role_of,
    endings=(".sgm", ".sgml"),
    binary=True,
)
