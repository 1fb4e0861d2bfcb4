"""Names and ids, which are compared in one form: Unicode NFC without surrounding white space."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


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
