"""Corpora: some that Hypothesis makes up of few words, so that n-grams match, clip and repeat, and one by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from bleu_core.dataset import Corpus


@dataclass(frozen=True, slots=True)
class Texts:
    """Systems and references by name; every segment is words joined by blanks."""

    systems: Mapping[str, list[str]]
    references: Mapping[str, list[str]]

    @property
    def segments(self) -> int:
        """S."""
        return len(next(iter(self.references.values())))

    @property
    def corpus(self) -> Corpus:
        """The same as the library's own type."""
        return Corpus(
            {name: tuple(texts) for name, texts in self.systems.items()},
            {name: tuple(texts) for name, texts in self.references.items()},
        )

    def tokens(self, system: str) -> list[list[str]]:
        """A system's words, a list a segment."""
        return [text.split() for text in self.systems[system]]

    def reference_tokens(self) -> list[list[list[str]]]:
        """All references' words: by segment, then by reference."""
        return [[text.split() for text in texts] for texts in zip(*self.references.values(), strict=True)]


WORDS = st.sampled_from(["a", "b", "c", "the", "cat"])
SEGMENTS = st.lists(WORDS, max_size=9).map(" ".join)


@st.composite
def corpora(
    draw: st.DrawFn, *, systems: int = 3, references: int = 3, segments: int = 6, fewest_systems: int = 1
) -> Texts:
    """A corpus of up to that many systems, references and segments."""
    size = draw(st.integers(1, segments))
    column = st.lists(SEGMENTS, min_size=size, max_size=size)
    return Texts(
        {f"s{k}": draw(column) for k in range(draw(st.integers(fewest_systems, systems)))},
        {f"r{k}": draw(column) for k in range(draw(st.integers(1, references)))},
    )


#: What tokenisers treat in a way of their own, one kind in each row.
ATOMS: tuple[str, ...] = (
    *("a", "b", "the", "The", "cat", "é", "É", "İ", "Σ", "ß", "ÿ", "ﬁ", "ǅ"),
    *("12", "3.4", "1...2", "1,000", "5-6", "0", "٣", "½", "²", "Ⅷ", "１", "𝟘", "१"),
    *("--", "...", *"-.,(/@`'’¿«$€^~%_{|𐄀𝄞"),
    *("&amp;lt;", "&amp;quot;", "&quot;", "&lt;", "&gt", "&amp;", "&amp;amp;gt;", "&", "&am", "p;", "lt;", "&#39;"),
    *("<skipped>", "<SKIPPED>", "<ski<skipped>pped>", "<ski", "pped>", "&lt;skipped&gt;", "<ski-\npped>"),
    *("-\n", "\n", "\r", "\r\n", "-\r\n", "\n\n", "a-\nb", "--\n\n", "\n-", "-"),
    *("\t", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2001", "\u2028", "\u2029", "\u202f", "\u3000"),
    *("\x00", "\x0f", "\x7f", "\xad", "\u180e", "\u200b", "\u200d", "\u200e", "\u2060", "\ufeff", "\ufffd", "\uffff"),
    *("\u0301", "e\u0301", "\u0345", "\u0903", "\u20dd", "क्ष", "ไทย", "\ufe0f"),
    *("中", "文", "ａ", "，", "。", "！", "𠀀", "\u2a6d", "ｱ", "한"),
    *("😀", "👩‍👩", "\ud800", "\udfff", "\U0010ffff"),
    *("x" * 7, "x" * 8, "x" * 9, "y" * 40, "y" * 39 + "x", "z" * 255, "z" * 300, "w" * 1000, "é" * 4, "é" * 4 + "x"),
)


# Every line is one that some tool splits, lower-cases or cleans differently.
LINES = (
    "The committee met on 12-13 May; 1,000.5 people (or so) came.",
    'Don\'t -- said she -- "do that"!',
    "&amp;lt;b&amp;gt; &quot;x&quot; a &amp; b <skipped> end",
    "1...2 .5 5. a.b 3.14 -1 a-1 1-a",
    "\u0130stanbul \u03a3\u03a3 STRASSE stra\u00dfe \u01c5",
    "\u4f60\u597d\uff0c\u4e16\u754cworld\u3002 \u3053\u3093\u306b\u3061\u306f",
    "\u00ab Bonjour\u00a0! \u00bb dit-il\u2026 \u20ac5",
    "a\u2028b\u0085c\x0cd\u3000e\u200bf\ufeffg",
    "\U0001f600\U0001f600 emoji \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "trailing blanks   \t ",
    "   leading blanks",
    "",
    " ",
    "the the the the",
    "end of line hyphen-\nation",
    "a <ski<skipped>pped> marker in a marker",
    "100% $5 @home #1 a_b ~x ^y {z} [w] |v \\u",
)
HYPOTHESES = LINES
REFERENCE = (*LINES[1:], LINES[0])
SECOND = tuple(line.replace("e", "a").upper() for line in LINES)
THIRD: tuple[str | None, ...] = tuple(None if i % 3 == 0 else line[::-1] for i, line in enumerate(LINES))
FOURTH = tuple(line.title() for line in REFERENCE)
