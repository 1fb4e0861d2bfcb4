"""User text made harmless in Streamlit's Markdown.

Nearly every string that Streamlit shows is Markdown, with LaTeX, icons, colours, links and images in it. File
names, system names and messages that quote them must be shown as they are.
"""

from __future__ import annotations

import re

CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
#: Text direction overrides, which could make a name read as another.
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&^=:@/])")
#: Places where Streamlit looks past a backslash: ":material/", "->", "<-", "www.", "a@b", ">=", "~=".
BEHIND_BACKSLASH = re.compile(r"(?<=:)(?=\w|\\)|(?<=-)(?=\\?[->])|(?<=<)(?=\\?-)|(?<=@)|(?<=www)|(?<=[<>~])(?=\\?=)")
WORD_JOINER = "\u2060"


def literal(text: str) -> str:
    """Escape text so that Streamlit's Markdown shows it letter by letter."""
    text = DIRECTIONS.sub("", CONTROLS.sub(" ", text))
    return BEHIND_BACKSLASH.sub(WORD_JOINER, SPECIAL.sub(r"\\\1", text))
