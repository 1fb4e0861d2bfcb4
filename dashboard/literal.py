"""Escaping of user text for Streamlit's Markdown.

Nearly every string that Streamlit shows is Markdown, with LaTeX, icons, colours, links and images in it. File
names, system names and messages that quote them must be shown as they are.
"""

from __future__ import annotations

import re
import unicodedata

CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
#: Bidirectional control characters (spoofing).
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&^=:@/])")
#: Places where Streamlit ignores a backslash: ":material/", "->", "<-", "www.", "a@b", ">=", "~=".
BEHIND_BACKSLASH = re.compile(r"(?<=:)(?=\w|\\)|(?<=-)(?=\\?[->])|(?<=<)(?=\\?-)|(?<=@)|(?<=www)|(?<=[<>~])(?=\\?=)")
WORD_JOINER = "\u2060"


def literal(text: str) -> str:
    """Escape text so that Streamlit's Markdown shows it literally."""
    text = DIRECTIONS.sub("", CONTROLS.sub(" ", text))
    return BEHIND_BACKSLASH.sub(WORD_JOINER, SPECIAL.sub(r"\\\1", text))


def in_its_direction(text: str) -> str:
    """Return text with a mark if it begins in a right-to-left script, so that it is laid out that way."""
    strong = next((kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")), "L")
    return text if strong == "L" else f"\u2067{text}\u2069"
