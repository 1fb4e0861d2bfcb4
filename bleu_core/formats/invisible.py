"""Characters in texts that are not seen, and that keep words from matching words without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.dataset import plural
from bleu_core.errors import listed

#: Character -> its name for users. The zero-width joiner and non-joiner (U+200D and U+200C) are not among them, since
#: Persian, Hindi, emoji and others need them.
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
#: In the order of messages; each once.
NAMES = tuple(dict.fromkeys(INVISIBLE.values()))
SENTENCE_START = "invisible characters in the texts, which may keep words from matching"


class InvisibleCharacters:
    """Counts invisible characters in texts, piece by piece.

    Attributes:
        found: how many there are so far, by name.
    """

    def __init__(self, found: Mapping[str, int] = MappingProxyType({})) -> None:
        self.found: Counter[str] = Counter(found)

    def add(self, text: str) -> None:
        """Count those of a text."""
        if not text.isascii():
            for character, name in INVISIBLE.items():
                if character in text:  # much faster than counting
                    self.found[name] += text.count(character)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence about them; none if there are none."""
        counts = listed(
            f"{self.found[name]:,} {plural(self.found[name], name)}" for name in NAMES if name in self.found
        )
        return (f"{SENTENCE_START}: {counts}",) if counts else ()
