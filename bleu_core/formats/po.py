"""Messages and their translations in PO and POT files of gettext."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.bilingual import BILINGUAL_ROLES, Bilingual
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, check_encoding, decode, split_lines
from bleu_core.formats.text_roles import text_role
from bleu_core.formats.unsupported import HEAD_BYTES
from bleu_core.progress import report_progress

LABEL = "PO"
KEYWORDS = (b'msgid "', b'msgctxt "')
CHARSET = re.compile(rb"charset=([A-Za-z0-9._-]+)")
#: A line with a text, and the keyword above its first line.
TEXT = re.compile(r"(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[[0-9]{1,3}\])?)\s*+)?\"((?:[^\"\\]|\\.)*+)\"")
#: Keyword, or "" for a further line of a text -> the keywords that may precede it.
PREVIOUS = {
    "": ("msgctxt", "msgid", "msgid_plural", "msgstr"),
    "msgctxt": ("", "msgstr"),
    "msgid": ("", "msgctxt", "msgstr"),
    "msgid_plural": ("msgid",),
    "msgstr": ("msgid", "msgid_plural", "msgstr"),
}
#: Sequences of bytes in octal or hexadecimal, and other escapes.
ESCAPE = re.compile(r"((?:\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{2}))+)|\\([bfnrtv\\\"])")
BYTE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{2}))")
CHARACTERS = dict(zip('bfnrtv\\"', '\b\f\n\r\t\v\\"', strict=True))
#: Lines after which progress is reported.
LINES_PER_REPORT = 2**12


@dataclass(slots=True)
class _Message:
    """A message: the line on which it begins, whether it is marked as fuzzy, and the lines of its texts by keyword."""

    line: int
    fuzzy: bool
    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def text(self, keyword: str) -> str:
        """Return the text of a keyword; empty if there is none."""
        return "".join(self.texts.get(keyword, ()))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield its text with the translation; for a plural two, with the first and the last of the forms."""
        numbered = sorted((len(keyword), keyword) for keyword in self.texts if keyword.startswith("msgstr"))
        forms = [self.text(keyword) for _, keyword in numbered] or [""]
        yield self.text("msgid"), forms[0]
        if self.text("msgid_plural"):
            yield self.text("msgid_plural"), forms[-1]


def is_po(begin: bytes) -> bool:
    """Return whether the first line that is neither empty nor a comment begins a message.

    Args:
        begin: the file's bytes, or the first bytes.
    """
    for line in begin[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip()
        if text and not text.startswith(b"#"):
            return text.startswith(KEYWORDS)
    return False


def _sniff(source: Source) -> float:
    return 0.95 if is_po(source.data[:HEAD_BYTES]) else 0


def _role_of(source: Source) -> FileRole:
    return text_role(source, "source" if source.name.lower().endswith(".pot") else "system")


def _decoded(source: Source) -> Text:
    """Return the text, in the encoding that the header names if it exists."""
    declared = CHARSET.search(source.data[:HEAD_BYTES])
    if declared is not None:
        encoding = declared[1].decode("ascii")
        try:
            check_encoding(encoding, source.name)
        except SettingsError:
            pass  # templates contain the word CHARSET
        else:
            return decode(source.data, source.name, encoding, limits=source.limits)
    return source.text


def _messages(source: Source, text: Text) -> Iterator[_Message]:
    """Yield the messages that are not obsolete, and headers.

    Raises:
        FormatError: a line is not in the syntax of PO.
        LimitError: a text is too long, or there are too many texts.
    """
    lines, _ = split_lines(text)
    source.limits.check("messages", sum(line.lstrip().startswith("msg") for line in lines), source.name)
    message = _Message(1, fuzzy=False)
    keyword, length, fuzzy = "", 0, False
    for number, line in enumerate(lines, start=1):
        if not number % LINES_PER_REPORT:
            report_progress(number, len(lines))
        written = line.strip()
        if not written or written.startswith("#"):
            fuzzy = fuzzy or (written.startswith("#,") and "fuzzy" in map(str.strip, written[2:].split(",")))
            continue
        place = f"{source.name}, line {number}"
        match = TEXT.fullmatch(written)
        kind = (match[1] or "").partition("[")[0] if match else ""
        begins = kind == "msgctxt" or (kind == "msgid" and keyword != "msgctxt")
        is_next = keyword.partition("[")[0] in PREVIOUS[kind]
        if match is None or not is_next or (not begins and match[1] in message.texts):
            raise FormatError(f"{place}: {written[:40]!r} found, the syntax of PO expected")
        if begins:
            if keyword:
                yield message
            message, fuzzy = _Message(number, fuzzy), False
        keyword = match[1] or keyword
        length = len(line) + (0 if kind else length)
        source.limits.check("line_length", length, place)
        message.texts.setdefault(keyword, []).append(_unescaped(match[2], text.encoding, place))
    if keyword:
        yield message


def _unescaped(text: str, encoding: str, place: str) -> str:
    """Return a text with characters in place of escapes.

    Raises:
        FormatError: bytes in octal or hexadecimal are not text in the encoding of the file.
    """
    if "\\" not in text:
        return text

    def characters(match: re.Match[str]) -> str:
        if match[1] is None:
            return CHARACTERS[match[2]]
        data = bytes(
            int(octal, 8) & 0xFF if octal else int(hexadecimal, 16) for octal, hexadecimal in BYTE.findall(match[1])
        )
        try:
            decoded = data.decode(encoding)
        except UnicodeError:
            raise FormatError(f"{place}: {match[1]} found, which is not {encoding}; write the characters") from None
        if "\0" in decoded:
            raise FormatError(f"{place}: NUL character found, text expected")
        return decoded

    return ESCAPE.sub(characters, text)


def _read(source: Source, options: Options) -> Contents:
    """Read the messages that are not obsolete.

    A message with a plural is two segments, translated by the first and the last of its forms.

    Raises:
        FormatError: the file is damaged, or has no message or no translation.
        LimitError: it exceeds the limits.
    """
    text = _decoded(source)
    segments = Bilingual(file=source)
    for message in _messages(source, text):
        if not message.text("msgid") and not message.text("msgctxt"):
            continue  # a header, of which concatenated files have several
        for original, translation in message.pairs():
            translated = bool(translation.strip())
            state = "fuzzy" if message.fuzzy else "translated" if translated else "untranslated"
            segments.add(original, translation if translated else None, message.line, state=state)
    return segments.contents(options.role, LABEL, text.encoding, repairs=text.repairs)


FORMAT = Format(
    key="po",
    label=LABEL,
    description="PO of gettext",
    roles=BILINGUAL_ROLES,
    sniff=_sniff,
    read=_read,
    role_of=_role_of,
    endings=(".po", ".pot"),
    binary=True,
)
