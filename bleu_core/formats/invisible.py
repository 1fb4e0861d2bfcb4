"""Invisible characters in texts, which keep words from matching words without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.dataset import plural
from bleu_core.errors import listed

#: Character -> its name. The zero-width joiner and non-joiner (U+200D and U+200C) are not included, since Persian,
#: Hindi, emoji and others need them.
INVISIBLE: Mapping[str, str] = MappingProxyType(
    {
        "\u200e": "left-to-right mark",
        "\u200f": "right-to-left mark",
        "\u00ad": "soft hyphen",
        "\u200b": "zero-width space",
        "\u2060": "word joiner",
        "\ufeff": "zero-width no-break space",
    }
)
#: The names in the order of messages, without duplicates.
NAMES = tuple(dict.fromkeys(INVISIBLE.values()))
SENTENCE_START = "invisible characters in the texts, which may keep words from matching"


class InvisibleCharacters:
    """Counts invisible characters in texts, piece by piece.

    Attributes:
        counts: the number of each kind so far, by name.
    """

    def __init__(self, counts: Mapping[str, int] = MappingProxyType({})) -> None:
        self.counts: Counter[str] = Counter(counts)

    def add(self, text: str) -> None:
        """Count the invisible characters of a text."""
        if not text.isascii():
            for character, name in INVISIBLE.items():
                if character in text:  # much faster than counting
                    self.counts[name] += text.count(character)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence with the counts; empty if there are no such characters."""
        counts = listed(
            f"{self.counts[name]:,} {plural(self.counts[name], name)}" for name in NAMES if name in self.counts
        )
        return (f"{SENTENCE_START}: {counts}",) if counts else ()
