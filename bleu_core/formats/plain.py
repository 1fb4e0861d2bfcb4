"""Plain text: one segment a line."""

from __future__ import annotations

from bleu_core.dataset import Column, Role
from bleu_core.formats.text import Text, split_lines


def read_plain(text: Text, role: Role, name: str, origin: str) -> tuple[Column, tuple[str, ...]]:
    """Read a file of one segment a line.

    Returns:
        The column, and what was repaired while reading.

    Raises:
        FormatError: the file is empty.
    """
    segments, repairs = split_lines(text)
    return Column(role, name, segments, origin), repairs
