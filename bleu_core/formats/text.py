"""Bytes to text, and text to lines: the part that every format shares."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from bleu_core.errors import FormatError, SettingsError

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "UTF-8"), (codecs.BOM_UTF16_LE, "UTF-16-LE"), (codecs.BOM_UTF16_BE, "UTF-16-BE"))


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text as read.

    Attributes:
        content: the text, without byte order mark, with its line ends as found.
        encoding: the encoding it was read in.
        repairs: what was put right while reading, in words.
    """

    content: str
    encoding: str
    repairs: tuple[str, ...] = ()


def decode(data: bytes, name: str, encoding: str | None = None) -> Text:
    """Decode a file: UTF-8, UTF-16 with a byte order mark, or the encoding a person named.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: used unless the file begins with a byte order mark.

    Raises:
        FormatError: the bytes are not text in that encoding (with the offset of the first wrong byte), or
            hold NUL.
        SettingsError: there is no such encoding.
    """
    mark, chosen = marked_encoding(data, encoding)
    try:
        content = data[len(mark) :].decode(chosen)
    except LookupError:
        raise SettingsError(f"{name}: there is no text encoding called {chosen!r}; try utf-8 or latin-1") from None
    except UnicodeError as error:
        raise FormatError(_undecodable(error, data, len(mark), name, chosen)) from None
    nul = content.find("\0")
    if nul >= 0:
        hint = "save it as plain text" if mark or encoding else "is it a binary file, or UTF-16 without a mark?"
        raise FormatError(f"{name}, line {content.count(chr(10), 0, nul) + 1}: a NUL character, text expected; {hint}")
    return Text(content, chosen, ("byte order mark removed",) if mark else ())


def marked_encoding(begin: bytes, encoding: str | None) -> tuple[bytes, str]:
    """The byte order mark that data begin with, empty if none, and the encoding to read what follows in."""
    return next((found for found in BYTE_ORDER_MARKS if begin.startswith(found[0])), (b"", encoding or "UTF-8"))


def line_end_repairs(count: int) -> tuple[str, ...]:
    """What to tell of so many lines that ended as in Windows."""
    return (f"{count} Windows line {'end' if count == 1 else 'ends'} (CRLF) read as LF",) if count else ()


def first_line(content: str) -> str:
    """A text's first line; to split it off would copy all others."""
    return content[: content.find("\n")] if "\n" in content else content


def split_lines(text: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Split into segments at \n, with \r\n accepted, and nowhere else.

    str.splitlines would also split at U+2028, U+0085 and others, which occur inside segments.

    Returns:
        The lines, none for an empty file, and what was repaired while reading (the text's own repairs first).
    """
    if not text.content:
        return (), text.repairs
    lines = text.content.removesuffix("\n").split("\n")
    if "\r\n" not in text.content:
        return tuple(lines), text.repairs
    # The last line keeps a \r that no \n follows.
    ended = lines if text.content.endswith("\n") else lines[:-1]
    count = sum(line.endswith("\r") for line in ended)
    lines[: len(ended)] = [line.removesuffix("\r") for line in ended]
    return tuple(lines), text.repairs + line_end_repairs(count)


def _undecodable(error: UnicodeError, data: bytes, skipped: int, name: str, encoding: str) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return f"{name}: cannot be read as {encoding}: {error}"
    offset = error.start + skipped
    line = data.count(b"\n", 0, offset) + 1
    found = f"byte 0x{data[offset]:02X} at offset {offset}" if offset < len(data) else f"the end at offset {offset}"
    return f"{name}, line {line}: {found} is not {encoding}; save the file as UTF-8 or name its encoding"
