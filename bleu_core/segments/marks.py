"""What a reader of one segment sees: which tokens match, which n-grams are clipped, what an output lacks.

One segment is counted at a time, the plain way. The counts are those of `bleu_core.scoring`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bleu_core.scoring import BleuSettings
from bleu_core.segments.worked_example import Mark, NgramCount, Tokens, WorkedExample, work_example

#: What SentencePiece writes for a blank, at the beginning of a token.
SENTENCEPIECE_BLANK = "\u2581"

#: Entities that 13a decodes before it splits a text.
ENTITIES: Mapping[str, str] = {
    "&quot;": '"',
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&amp;lt;": "<",
    "&amp;gt;": ">",
}
EACH_CHARACTER = re.compile(".", re.DOTALL)
CHARACTER_OR_ENTITY = re.compile("&(?:quot|(?:amp;)?lt|(?:amp;)?gt|amp);|.", re.DOTALL)

#: Start of a token in its text, and the position behind its end, both in characters.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and its tokens.

    Attributes:
        text: as it was given.
        tokens: those that counting sees.
        spans: where each token stands in the text; None where the tokeniser has changed characters, so that tokens do
            not stand in the text.
    """

    text: str
    tokens: Tokens
    spans: tuple[Span, ...] | None

    @property
    def shown(self) -> str:
        """The text; its tokens with blanks between them where they do not stand in it."""
        return " ".join(self.tokens) if self.spans is None else self.text

    @property
    def shown_spans(self) -> tuple[Span, ...]:
        """Where each token stands in what is shown."""
        if self.spans is not None:
            return self.spans
        ends = tuple(accumulate(len(token) + 1 for token in self.tokens))
        return tuple((end - 1 - len(token), end - 1) for token, end in zip(self.tokens, ends, strict=True))


@dataclass(frozen=True, slots=True)
class MarkedReference(MarkedText):
    """A reference beside an output.

    Attributes:
        missing: of each token, whether the output lacks it. Of a token that occurs more often than in the output, the
            last occurrences are missing.
    """

    missing: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedOutput(MarkedText):
    """A system's output of one segment beside its references.

    Attributes:
        worked: the counts and the score, as in Evaluation.segment_scores.
        matched: of each token, the highest order of a matching n-gram that covers it; 0 where none does.
        clipped: of each token, the highest order of an n-gram that covers it and occurs in a reference, but does not
            match because the references' occurrences are used up; 0 where none does.
        references: those that the segment has.
    """

    worked: WorkedExample
    matched: tuple[int, ...]
    clipped: tuple[int, ...]
    references: tuple[MarkedReference, ...]

    @property
    def clipped_ngrams(self) -> tuple[NgramCount, ...]:
        """The n-grams of which not all occurrences match, by order, then by first occurrence."""
        return tuple(ngram for order in self.worked.orders for ngram in order.ngrams if ngram.exhausted)


def mark_output(text: str, references: Sequence[str], settings: BleuSettings) -> MarkedOutput:
    """Mark an output of one segment and its references.

    Args:
        text: the output.
        references: R texts of the same segment.
        settings: how texts are split and scored.

    Raises:
        AlignmentError: there is no reference.
        SettingsError: the tokeniser lacks what it needs.
    """
    worked = work_example(text, references, settings, single_segment=True)
    tokens = worked.candidate
    lower = settings.lowercase
    return MarkedOutput(
        text=text,
        tokens=tokens,
        spans=token_spans(text, tokens, lowercase=lower),
        worked=worked,
        matched=_covering(worked, "matched"),
        clipped=_covering(worked, "exhausted"),
        references=tuple(
            MarkedReference(reference, found, token_spans(reference, found, lowercase=lower), _lacking(tokens, found))
            for reference, found in zip(references, worked.references, strict=True)
        ),
    )


def token_spans(text: str, tokens: Sequence[str], *, lowercase: bool = False) -> tuple[Span, ...] | None:
    """Find tokens in the text that they were made from.

    Args:
        text: as it was before it was lower-cased and split.
        tokens: all tokens of the text, in their order.
        lowercase: whether the text was lower-cased first.

    Returns:
        A span of each token; None where they do not make up the text, white space apart. A tokeniser may have removed
        or normalised characters.
    """
    lowered = text.lower() if lowercase else text
    if len(lowered) != len(text):  # "İ" becomes two characters
        return None
    spans = _spans(lowered, tokens, EACH_CHARACTER)
    return spans if spans is not None else _spans(lowered, tokens, CHARACTER_OR_ENTITY)


def _spans(text: str, tokens: Sequence[str], characters: re.Pattern[str]) -> tuple[Span, ...] | None:
    """Find tokens in a text whose characters are written as matches of a pattern."""
    written = [found for found in characters.finditer(text) if not found[0].isspace()]
    read = "".join(ENTITIES.get(found[0], found[0]) for found in written)
    spans: list[Span] = []
    place = 0  # in what is read
    for token in tokens:
        part = token if read.startswith(token, place) else token.replace(SENTENCEPIECE_BLANK, "")
        if not read.startswith(part, place):
            return None
        behind = written[place - 1].end() if place else 0
        place += len(part)
        spans.append((written[place - len(part)].start(), written[place - 1].end()) if part else (behind, behind))
    return tuple(spans) if place == len(read) else None


def word_differences(one: Sequence[str], other: Sequence[str]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Compare the tokens of two outputs.

    Returns:
        Of each token of the one and of the other, whether it is outside of their longest common subsequence.
    """
    from rapidfuzz.distance import LCSseq  # loaded when first needed; faster than difflib where texts are long

    different = [True] * len(one), [True] * len(other)
    for step in LCSseq.opcodes(one, other):
        if step.tag == "equal":
            different[0][step.src_start : step.src_end] = [False] * (step.src_end - step.src_start)
            different[1][step.dest_start : step.dest_end] = [False] * (step.dest_end - step.dest_start)
    return tuple(different[0]), tuple(different[1])


def _covering(worked: WorkedExample, mark: Mark) -> tuple[int, ...]:
    """Of each token, the highest order of an n-gram with that mark that covers it."""
    found = [0] * len(worked.candidate)
    for order in range(1, len(worked.orders) + 1):
        for start, of_ngram in enumerate(worked.marks(order)):
            if of_ngram == mark:
                found[start : start + order] = [order] * order
    return tuple(found)


def _lacking(output: Tokens, reference: Tokens) -> tuple[bool, ...]:
    return tuple(_used_up(Counter(output), reference))


def _used_up(left: Counter[str], tokens: Tokens) -> Iterator[bool]:
    for token in tokens:
        left[token] -= 1
        yield left[token] < 0
