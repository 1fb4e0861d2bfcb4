"""Decoding of bytes to text and splitting of text into lines, for all formats."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NoReturn

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import unsupported
from bleu_core.formats.quoted_cells import count_quoted_cells
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import report_progress

BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "UTF-8"), (codecs.BOM_UTF16_LE, "UTF-16-LE"), (codecs.BOM_UTF16_BE, "UTF-16-BE"))
#: Python codecs that are not character encodings: they interpret escapes, can produce lone surrogates, or take
#: quadratic time.
NO_TEXT_ENCODINGS = frozenset({"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined"})
#: Characters of a text by which its format is recognised.
HEAD_CHARS = 2**14
#: Characters of a text that are processed at a time.
PIECE_CHARS = 2**20


class LineEnds(NamedTuple):
    """The line ends of a text.

    Attributes:
        newlines: the number of LF, alone or after CR.
        windows: the number of CR LF.
        returns: the number of CR, alone or before LF.
        ended: whether the text ends with LF.
    """

    newlines: int
    windows: int
    returns: int
    ended: bool

    @property
    def lines(self) -> int:
        """The number of lines, including a last one without LF."""
        return self.newlines + (not self.ended)


@dataclass(frozen=True)  # without slots, which would leave no place for the cached properties of large texts
class Text:
    """The decoded text of a file.

    Attributes:
        content: the text, without byte order mark, with its line ends unchanged.
        encoding: the encoding in which it was read.
        repairs: descriptions of repairs while reading.
        separator: the character between cells, if the text was made from a table that is not text; otherwise None.
        header: whether the first row is a header, if known.
        above: the number of rows in the file above the first row.
    """

    content: str
    encoding: str
    repairs: tuple[str, ...] = ()
    separator: str | None = None
    header: bool | None = None
    above: int = 0

    @property
    def beginning(self) -> str:
        """The whole text, or its first HEAD_CHARS characters and more, with the whole first line."""
        return self.content

    @property
    def head(self) -> str:
        """The complete lines in the first HEAD_CHARS characters, at least the first line; decides what the text is."""
        content = self.beginning
        end = len(content) if len(content) <= HEAD_CHARS else content.rfind("\n", 0, HEAD_CHARS) + 1
        return content[:end] or first_line_of(content)

    @property
    def line_ends(self) -> LineEnds:
        """The counts of its line ends."""
        return count_line_ends(self.content)

    @property
    def size(self) -> int:
        """The number of characters, or an upper bound."""
        return len(self.content)

    @cached_property
    def quoted_cells(self) -> int:
        """The number of quoted cells between tabs, by count_quoted_cells."""
        if self.separator is not None or not any('"' in piece for piece in self.pieces()):
            return 0
        return count_quoted_cells(self.content)

    def pieces(self) -> Iterator[str]:
        """Yield the text in pieces, each of which ends with a whole line; none of an empty text."""
        start = 0
        while start < len(self.content):
            end = len(self.content)
            if end - start > PIECE_CHARS:  # otherwise a small text would be copied
                end = (
                    self.content.rfind("\n", start, start + PIECE_CHARS) + 1
                    or self.content.find("\n", start) + 1
                    or end
                )
            yield self.content[start:end]
            start = end


def decode(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Text:
    """Decode a file: UTF-8, UTF-16 with a byte order mark, or an encoding that the user names.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: used unless the file begins with a byte order mark.
        limits: the limits for the file; bytes, lines and their lengths are checked here.

    Raises:
        FormatError: the bytes are not text in that encoding (the message has the offset of the first wrong byte),
            contain NUL, have CR alone as line ends, or are a zip or another kind of file that is not supported.
        LimitError: the file is too large, or has too many lines or too long ones.
        SettingsError: there is no such encoding.
    """
    mark, detected = detect_encoding(data, name, encoding, limits=limits)
    try:
        content = data[len(mark) :].decode(detected)
    except LookupError:
        raise _no_encoding(detected, name) from None
    except UnicodeError as error:
        raise FormatError(_undecodable(error, data, skipped=len(mark), name=name, encoding=detected)) from None
    nul = content.find("\0")
    if nul >= 0:
        hint = (
            "save it as plain text" if mark or encoding else "is it a binary file, or UTF-16 without a byte order mark?"
        )
        raise FormatError(
            f"{name}, line {content.count(chr(10), 0, nul) + 1}: NUL character found, text expected; {hint}"
        )
    check_lines(content, name, limits)
    return Text(content, detected, byte_order_mark_repairs(mark))


def detect_encoding(
    data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[bytes, str]:
    """Return the byte order mark of a text file, empty if none, and the encoding of what follows.

    Raises:
        FormatError: the file is a zip or another kind of file that is not supported.
        LimitError: it is too large.
        SettingsError: there is no such encoding.
    """
    limits.check("file_bytes", len(data), name)
    unsupported.check_supported(data, name)
    if unsupported.is_zip(data):
        _refuse_zip(data, name, limits)
    mark, detected = marked_encoding(data, encoding)
    check_encoding(detected, name)
    return mark, detected


def byte_order_mark_repairs(mark: bytes) -> tuple[str, ...]:
    """Return the repair of a byte order mark; empty if there is none."""
    return ("byte order mark removed",) if mark else ()


def check_encoding(encoding: str, name: str) -> None:
    """Check that an encoding exists and is a character encoding.

    Args:
        encoding: its name in Python.
        name: the file, for messages.

    Raises:
        SettingsError: there is no such encoding.
    """
    try:
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):  # a name may contain NUL or a lone surrogate
        codec = ""
    if not codec or codec in NO_TEXT_ENCODINGS:
        raise _no_encoding(encoding, name)


def marked_encoding(begin: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Return the byte order mark at the beginning of the data, empty if none, and the encoding of what follows."""
    return next(
        (mark_and_encoding for mark_and_encoding in BYTE_ORDER_MARKS if begin.startswith(mark_and_encoding[0])),
        (b"", encoding or "UTF-8"),
    )


def line_end_repairs(count: int) -> tuple[str, ...]:
    """Return the repair of Windows line ends; empty if there are none."""
    return (f"{count:,} Windows line {'end' if count == 1 else 'ends'} (CRLF) read as LF",) if count else ()


def first_line_of(content: str) -> str:
    """Return the first line of a text without splitting (and so copying) the rest."""
    return content[: content.find("\n")] if "\n" in content else content


def split_lines(text: Text, *, with_progress: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Split into segments at \n, with \r\n accepted, and nowhere else.

    str.splitlines would also split at U+2028, U+0085 and others, which occur within segments.

    Args:
        text: the text.
        with_progress: whether to report progress, of which splitting is the first half.

    Returns:
        The lines, none for an empty file, and the repairs (those of the text first).
    """
    lines: list[str] = []
    count = done = 0
    for piece in text.pieces():
        piece_lines = piece.split("\n")
        if not piece_lines[-1]:  # after the last line end
            piece_lines.pop()
        if "\r\n" in piece:
            # The last line keeps a \r that no \n follows.
            ended = piece_lines if piece.endswith("\n") else piece_lines[:-1]
            count += sum(line.endswith("\r") for line in ended)
            piece_lines[: len(ended)] = [line.removesuffix("\r") for line in ended]
        lines += piece_lines
        done += len(piece)
        if with_progress:
            report_progress(done, 2 * text.size)
    return tuple(lines), text.repairs + line_end_repairs(count)


def count_line_ends(content: str) -> LineEnds:
    """Count the line ends of a text, or of a piece that ends with a whole line."""
    returns = content.count("\r") if "\r" in content else 0
    windows = content.count("\r\n") if returns else 0
    return LineEnds(content.count("\n"), windows, returns, content.endswith("\n"))


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
        ends = count_line_ends(content)
        # Some rows of a table may end with CR alone; they count as lines, too.
        limits.check("lines", ends.lines + ends.returns - ends.windows, name)
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
    problem = f"byte 0x{data[offset]:02X} at offset {offset}" if offset < len(data) else f"the end at offset {offset}"
    return f"{name}, line {line}: {problem} is not {encoding}; save the file as UTF-8 or name its encoding"
