"""Characters in texts that are not seen, and that keep words from matching words without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.dataset import plural
from bleu_core.errors import listed

#: Character -> its name for people. The zero-width joiner and non-joiner (U+200D and U+200C) are not among them, since
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
FOUND = "invisible characters in the texts, which may keep words from matching"


class InvisibleCharacters:
    """Counts invisible characters in texts, piece by piece."""

    def __init__(self) -> None:
        self._found: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Count those of a text."""
        if not text.isascii():
            for character, name in INVISIBLE.items():
                if character in text:  # much faster than counting
                    self._found[name] += text.count(character)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence about them; none where there are none."""
        counts = listed(f"{count:,} {plural(count, name)}" for name, count in self._found.items())
        return (f"{FOUND}: {counts}",) if counts else ()
