"""Messages and their translations in PO and POT files of gettext."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Self

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
#: The most lines of one text: the time of polib is quadratic in them.
MAX_LINES = 10_000
#: Escaped backslashes, and sequences of bytes in octal or hexadecimal.
BYTES = re.compile(r"\\\\|((?:\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{2}))+)")
BYTE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{2}))")
#: Escapes of characters with a meaning in PO.
PO_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
#: Lines after which progress is reported.
LINES_PER_REPORT = 2**12
#: Error messages of polib.
SYNTAX = re.compile(r"\(line (\d+)\)(?:: (.+))?")


class _Lines(str):
    """A text for polib that is split into given lines and never opened as a path.

    polib opens the file that a text names, and splits texts at U+2028 and other characters that occur in messages.
    """

    __slots__ = ("lines",)

    def __new__(cls, lines: list[str]) -> Self:
        """Create from lines without their line ends."""
        text = super().__new__(cls, "\0")
        text.lines = lines
        return text

    def splitlines(self, keepends: bool = False) -> list[str]:  # noqa: ARG002, FBT001, FBT002 # as str has it
        """Return the lines, which polib iterates over once."""
        return _ReportingLines(self.lines)


class _ReportingLines(list[str]):
    """Lines that report progress during iteration."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(super().__iter__()):
            if not number % LINES_PER_REPORT:
                report_progress(number, len(self))
            yield line


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


def _without_comments(source: Source, text: Text) -> list[str]:
    """Return the lines with all comments except flags emptied, since polib's time is quadratic in their number.

    Raises:
        FormatError: a text has too many lines.
        LimitError: a text is too long, or there are too many texts.
    """
    lines, _ = split_lines(text)
    count = length = texts = 0
    kept: list[str] = []
    for number, line in enumerate(lines, start=1):
        begin = line.lstrip()[:2]
        kept.append("" if begin[:1] == "#" and begin != "#," else _unescaped(line, number, text.encoding, source.name))
        if begin[:1] == '"':
            count, length = count + 1, length + len(line)
            if count > MAX_LINES:
                raise FormatError(
                    f"{source.name}, line {number}: a text of more than {MAX_LINES:,} lines found; split it"
                )
            source.limits.check("line_length", length, f"{source.name}, line {number}")
        elif begin and begin[:1] != "#":
            count, length, texts = 0, len(line), texts + 1
    source.limits.check("messages", texts, source.name)
    return kept


def _unescaped(line: str, number: int, encoding: str, name: str) -> str:
    """Return a line with characters in place of bytes in octal or hexadecimal.

    Raises:
        FormatError: the bytes are not text in the encoding of the file.
    """
    if "\\" not in line:
        return line

    def characters(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        data = bytes(
            int(octal, 8) & 0xFF if octal else int(hexadecimal, 16) for octal, hexadecimal in BYTE.findall(match[1])
        )
        try:
            text = data.decode(encoding)
        except UnicodeError:
            raise FormatError(
                f"{name}, line {number}: {match[1]} found, which is not {encoding}; write the characters"
            ) from None
        if "\0" in text:
            raise FormatError(f"{name}, line {number}: NUL character found, text expected")
        return text.translate(PO_ESCAPES)

    return BYTES.sub(characters, line)


def _read(source: Source, options: Options) -> Contents:
    """Read the messages that are not obsolete.

    A message with a plural is two segments, translated by the first and the last of its forms.

    Raises:
        FormatError: the file is damaged, or has no message or no translation.
        LimitError: it exceeds the limits.
    """
    text = _decoded(source)
    lines = _without_comments(source, text)
    import polib  # loaded when first needed

    try:
        entries = polib.pofile(_Lines(lines), encoding="utf-8")
    except (OSError, ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise FormatError(_why(source, str(error))) from None
    segments = Bilingual(file=source)
    for entry in entries:
        if not entry.msgid and not entry.msgctxt:
            continue  # a further header, in concatenated files
        line = entry.linenum or 1
        forms = [form for _, form in sorted(entry.msgstr_plural.items())] or [entry.msgstr]
        texts = [(entry.msgid, forms[0])]
        if entry.msgid_plural:
            texts.append((entry.msgid_plural, forms[-1]))
        for message, translation in texts:
            translated = bool(translation.strip())
            state = "fuzzy" if "fuzzy" in entry.flags else "translated" if translated else "untranslated"
            segments.add(message, translation if translated else None, line, state=state)
    return segments.contents(options.role, LABEL, text.encoding, repairs=text.repairs)


def _why(source: Source, message: str) -> str:
    match = SYNTAX.search(message)
    line, what = (match[1], match[2]) if match else ("1", None)
    what = (what or "no keyword or text").removesuffix(" found")
    return f"{source.name}, line {line}: {what} found, the syntax of PO expected"


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
