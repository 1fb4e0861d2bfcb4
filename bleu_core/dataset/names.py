"""Names and ids, which are compared in one form: Unicode NFC without surrounding white space."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

#: An ending of files of outputs, by which other programs name systems, and the most endings of one name.
FILE_ENDING = re.compile(r"\.(?:txt|hyp|out|mt|tsv|csv|jsonl?|xml|sgml?|gz|xz|bz2|zst)\Z", re.IGNORECASE)
MAX_ENDINGS = 3


def normal_name(name: str) -> str:
    """Return a name or an id in Unicode NFC and without white space around it.

    >>> normal_name(" Mu\u0308ller ") == "M\u00fcller"
    True
    """
    return name.strip() if name.isascii() else unicodedata.normalize("NFC", name).strip()


def normal_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names in the form of normal_name; equal names are converted only once."""
    if all(map(str.isascii, names)):
        return tuple(map(str.strip, names))
    forms = {name: normal_name(name) for name in dict.fromkeys(names)}
    if all(name == form for name, form in forms.items()):
        return tuple(names)
    return tuple(map(forms.__getitem__, names))


def loaded_names(names: Iterable[str], files: Mapping[str, str]) -> dict[str, str]:
    """Return the systems that are named by the files of their outputs, and the names with which they are loaded.

    >>> loaded_names(["out/A.txt", "B", "C.txt"], {"A": "A.txt", "B": "B.txt"})
    {'out/A.txt': 'A'}

    Args:
        names: the systems of a file of ratings or scores.
        files: loaded system -> its file.
    """
    names = list(names)
    renamed = {name: _loaded_name(name, files) for name in names if name not in files}
    new = [name for name in renamed.values() if name is not None]
    return {
        name: loaded
        for name, loaded in renamed.items()
        if loaded is not None and new.count(loaded) == 1 and loaded not in names
    }


def _loaded_name(name: str, files: Mapping[str, str]) -> str | None:
    """Return the loaded system whose file has a name, or that is its name without an ending; None if none is."""
    base = PurePath(name.replace("\\", "/")).name
    same_files = [system for system, file in files.items() if file and PurePath(file).name == base]
    stem = base
    for _ in range(MAX_ENDINGS):
        stem = FILE_ENDING.sub("", stem)
    return same_files[0] if len(same_files) == 1 else next((system for system in (base, stem) if system in files), None)
