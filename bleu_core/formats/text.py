"""Decodes bytes to text and splits text into lines, for all formats."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import NoReturn

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import unsupported
from bleu_core.limits import DEFAULT_LIMITS, Limits

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "UTF-8"), (codecs.BOM_UTF16_LE, "UTF-16-LE"), (codecs.BOM_UTF16_BE, "UTF-16-BE"))
#: Python codecs that are not character encodings: they interpret escapes, can give lone surrogates, or take quadratic
#: time.
NO_TEXT_ENCODINGS = frozenset({"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined"})


@dataclass(frozen=True, slots=True)
class Text:
    """The decoded text of a file.

    Attributes:
        content: the text, without byte order mark, with its line ends as found.
        encoding: the encoding it was read in.
        repairs: what was repaired while reading, in words.
        separator: between cells, where the text was made from a table that is no text; else None.
        header: whether the first row holds names, where that is known.
        above: rows of the file above the first row, in a table that does not begin with the file.
    """

    content: str
    encoding: str
    repairs: tuple[str, ...] = ()
    separator: str | None = None
    header: bool | None = None
    above: int = 0


def decode(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Text:
    """Decode a file: UTF-8, UTF-16 with a byte order mark, or an encoding that the user names.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: used unless the file begins with a byte order mark.
        limits: the most that the file may hold; bytes, lines and their lengths are checked here.

    Raises:
        FormatError: the bytes are not text in that encoding (the message has the offset of the first wrong byte),
            contain NUL, have CR alone as line ends, or are a zip or another kind of file that is not supported.
        LimitError: the file is too large, or has too many lines or too long ones.
        SettingsError: there is no such encoding.
    """
    limits.check("file_bytes", len(data), name)
    unsupported.check_supported(data, name)
    if unsupported.is_zip(data):
        _refuse_zip(data, name, limits)
    mark, chosen = marked_encoding(data, encoding)
    check_encoding(chosen, name)
    try:
        content = data[len(mark) :].decode(chosen)
    except LookupError:
        raise _no_encoding(chosen, name) from None
    except UnicodeError as error:
        raise FormatError(_undecodable(error, data, len(mark), name, chosen)) from None
    nul = content.find("\0")
    if nul >= 0:
        hint = (
            "save it as plain text" if mark or encoding else "is it a binary file, or UTF-16 without a byte order mark?"
        )
        raise FormatError(
            f"{name}, line {content.count(chr(10), 0, nul) + 1}: NUL character found, text expected; {hint}"
        )
    check_lines(content, name, limits)
    return Text(content, chosen, ("byte order mark removed",) if mark else ())


def check_encoding(encoding: str, name: str) -> None:
    """Check that an encoding exists and is one of characters.

    Args:
        encoding: as Python calls it.
        name: the file, for messages.

    Raises:
        SettingsError: there is no such encoding.
    """
    try:
        found = codecs.lookup(encoding).name
    except (LookupError, ValueError):  # a name may hold NUL or a lone surrogate
        found = ""
    if not found or found in NO_TEXT_ENCODINGS:
        raise _no_encoding(encoding, name)


def marked_encoding(begin: bytes, encoding: str | None) -> tuple[bytes, str]:
    """The byte order mark at the beginning of the data, empty if none, and the encoding of what follows."""
    return next((found for found in BYTE_ORDER_MARKS if begin.startswith(found[0])), (b"", encoding or "UTF-8"))


def line_end_repairs(count: int) -> tuple[str, ...]:
    """The repair of so many Windows line ends, in words."""
    return (f"{count:,} Windows line {'end' if count == 1 else 'ends'} (CRLF) read as LF",) if count else ()


def first_line(content: str) -> str:
    """The first line of a text, without splitting (and so copying) the rest."""
    return content[: content.find("\n")] if "\n" in content else content


def split_lines(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Split into segments at \n, with \r\n accepted, and nowhere else.

    str.splitlines would also split at U+2028, U+0085 and others, which occur inside segments.

    Returns:
        The lines, none for an empty file, and the repairs (those of the text first).
    """
    if not text.content:
        return (), text.repairs
    lines = text.content.split("\n")
    if not lines[-1]:  # after the last line end; a text without it would be a copy
        lines.pop()
    if "\r\n" not in text.content:
        return tuple(lines), text.repairs
    # The last line keeps a \r that no \n follows.
    ended = lines if text.content.endswith("\n") else lines[:-1]
    count = sum(line.endswith("\r") for line in ended)
    lines[: len(ended)] = [line.removesuffix("\r") for line in ended]
    return tuple(lines), text.repairs + line_end_repairs(count)


def _refuse_zip(data: bytes, name: str, limits: Limits) -> NoReturn:
    from bleu_core.formats.zips import check_office  # loaded when first needed

    check_office(data, name, limits=limits)
    raise FormatError(f"{name}: zip file found, text expected; unpack it, or load it as an archive (a test set)")


def _no_encoding(encoding: str, name: str) -> SettingsError:
    return SettingsError(f"{name}: unknown encoding {encoding!r}; try utf-8 or latin-1")


def check_lines(content: str, name: str, limits: Limits) -> None:
    """Check line ends and the limits on lines, without building a list of lines.

    Raises:
        FormatError: lines end with CR alone.
        LimitError: there are too many lines, or too long ones.
    """
    if "\n" not in content and content.find("\r", 0, len(content) - 1) >= 0:
        raise FormatError(
            f"{name}: line ends are CR alone (old Macintosh), LF or CRLF expected; save the file with those"
        )
    if len(content) > limits.lines:
        # Some rows of a table may end with CR alone; they count as lines too.
        lines = content.count("\n") + (not content.endswith("\n"))
        if "\r" in content and lines + content.count("\r") > limits.lines:
            lines += content.count("\r") - content.count("\r\n")
        limits.check("lines", lines, name)
    start = 0
    while len(content) - start > limits.line_length:
        end = content.rfind("\n", start, start + limits.line_length + 1)
        if end < 0:
            end = content.find("\n", start)
            length = (end if end >= 0 else len(content)) - start
            limits.check("line_length", length, f"{name}, line {content.count(chr(10), 0, start) + 1}")
        start = end + 1


def _undecodable(error: UnicodeError, data: bytes, skipped: int, name: str, encoding: str) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return f"{name}: cannot be read as {encoding}: {error}"
    offset = error.start + skipped
    line = data.count(b"\n", 0, offset) + 1
    found = f"byte 0x{data[offset]:02X} at offset {offset}" if offset < len(data) else f"the end at offset {offset}"
    return f"{name}, line {line}: {found} is not {encoding}; save the file as UTF-8 or name its encoding"
