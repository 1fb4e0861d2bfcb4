"""Guessing of a text file's role by its name and content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from bleu_core.dataset import Labels, Role
from bleu_core.formats.contents import FileRole
from bleu_core.formats.source import Source

#: Roles that texts may have.
TEXT_ROLES: tuple[Role, ...] = ("system", "reference", "source", "document")
NAME_HINTS: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("reference", re.compile(r"(^|[\s._-])(refs?|references?)([\s._-]|\d|$)|^ref[A-Z]\b|_ref$")),
    ("source", re.compile(r"(^|[\s._-])(src|sources?)([\s._-]|$)")),
    ("document", re.compile(r"(^|[\s._-])(docs?|documents?|docids?)([\s._-]|$)")),
)
#: The role of the files in a folder of that name, in a folder or zip that is not a test set.
ROLE_OF_FOLDER: Mapping[str, FileRole] = MappingProxyType(
    {
        "references": "reference",
        "reference": "reference",
        "refs": "reference",
        "ref": "reference",
        "sources": "source",
        "source": "source",
        "src": "source",
        "systems": "system",
        "system-outputs": "system",
        "hypotheses": "system",
    }
)
#: The fewest lines of a file that is recognised as a list of documents.
MIN_LINES = 4


def guess_text_role(source: Source) -> Role:
    """Guess the role of a text file by its name, or else by its content."""
    named = role_in_name(source)
    return named or ("document" if _looks_like_documents(source) else "system")


def role_in_name(source: Source) -> Role | None:
    """Return the role that a file's name suggests; None if it suggests none."""
    return role_in_stem(source.stem)


def text_role(source: Source, default: FileRole) -> FileRole:
    """Return the role of a text that a file's name suggests, for files that are no lists of documents."""
    named = role_in_name(source)
    return default if named is None or named == "document" else named


def role_in_stem(stem: str) -> Role | None:
    """Return the role that the stem of a file's name suggests; None if it suggests none."""
    for role, hint in NAME_HINTS:
        if hint.search(stem) or hint.search(stem.lower()):
            return role
    return None


def split_domains(lines: Sequence[str], origin: str) -> tuple[tuple[str, ...], Labels | None]:
    """Return the documents of segments, and their domains if each line is DOMAIN<TAB>DOCUMENT.

    This is the form in mt-metrics-eval.

    Args:
        lines: one line per segment.
        origin: the file, for messages.
    """
    cells = [line.split("\t") for line in lines]
    if not all(len(row_cells) == 2 for row_cells in cells):  # noqa: PLR2004 # a domain and a document
        return tuple(lines), None
    numbers = range(1, len(lines) + 1)
    segment_domains = tuple(domain.strip() for domain, _ in cells)
    labels = Labels(
        unit="segment", keys=tuple(numbers), columns={"domain": segment_domains}, lines=tuple(numbers), origin=origin
    )
    return tuple(document.strip() for _, document in cells), labels


def _looks_like_documents(source: Source) -> bool:
    """Return whether each line is a document id: few distinct words, with equal lines adjacent."""
    if not _are_single_words(source.first_lines.removesuffix("\n").split("\n")):  # as in nearly all texts
        return False
    count = runs = 0
    last = ""
    different: set[str] = set()
    for piece in source.text.pieces():
        lines = piece.removesuffix("\n").split("\n")
        if not _are_single_words(lines):
            return False
        runs += sum(a != b for a, b in pairwise((last, *lines)))
        different.update(lines)
        count += len(lines)
        last = lines[-1]
    return count >= MIN_LINES and runs == len(different) <= count // 2


def _are_single_words(lines: Sequence[str]) -> bool:
    return all(len(line.split()) == 1 for line in lines)
