"""Marks in the text of one segment: matching tokens, clipped n-grams, and tokens that an output lacks.

One segment is counted at a time, without the hash join. The counts equal those of `bleu_core.scoring`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bleu_core.scoring import BleuSettings
from bleu_core.segments.worked_example import Mark, NgramCount, Tokens, WorkedExample, work_example

#: SentencePiece's character for a blank, at the beginning of a token.
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

#: Start and end of a token in its text, in characters; the end is exclusive.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and its tokens.

    Attributes:
        text: the original text.
        tokens: as used for counting.
        spans: of each token in the text; None if the tokeniser has changed characters, so that tokens do not occur in
            the text.
    """

    text: str
    tokens: Tokens
    spans: tuple[Span, ...] | None

    @property
    def shown(self) -> str:
        """The text, or its tokens with blanks between them if there are no spans."""
        return " ".join(self.tokens) if self.spans is None else self.text

    @property
    def shown_spans(self) -> tuple[Span, ...]:
        """The spans of the tokens in `shown`."""
        if self.spans is not None:
            return self.spans
        ends = tuple(accumulate(len(token) + 1 for token in self.tokens))
        return tuple((end - 1 - len(token), end - 1) for token, end in zip(self.tokens, ends, strict=True))


@dataclass(frozen=True, slots=True)
class MarkedReference(MarkedText):
    """A reference compared with an output.

    Attributes:
        missing: for each token, whether the output lacks it. If a token occurs more often than in the output, the last
            occurrences are missing.
    """

    missing: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedOutput(MarkedText):
    """A system's output for one segment, compared with its references.

    Attributes:
        worked: the counts and the score, as in BleuEvaluation.segment_scores.
        matched: for each token, the highest order of a matching n-gram that covers it; 0 without any.
        clipped: for each token, the highest order of an n-gram that covers it and occurs in a reference, but does not
            match because the references' occurrences are exhausted; 0 without any.
        references: the references of the segment that exist.
    """

    worked: WorkedExample
    matched: tuple[int, ...]
    clipped: tuple[int, ...]
    references: tuple[MarkedReference, ...]

    @property
    def clipped_ngrams(self) -> tuple[NgramCount, ...]:
        """The n-grams with occurrences that do not match, by order, then by first occurrence."""
        return tuple(ngram for order in self.worked.orders for ngram in order.ngrams if ngram.exhausted)


def mark_output(text: str, references: Sequence[str], settings: BleuSettings) -> MarkedOutput:
    """Mark an output of one segment and its references.

    Args:
        text: the output.
        references: R texts of the same segment.
        settings: of tokenisation and scoring.

    Raises:
        AlignmentError: there is no reference.
        SettingsError: a requirement of the tokeniser is not installed.
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
            MarkedReference(
                reference,
                reference_tokens,
                token_spans(reference, reference_tokens, lowercase=lower),
                _lacking(tokens, reference_tokens),
            )
            for reference, reference_tokens in zip(references, worked.references, strict=True)
        ),
    )


def token_spans(text: str, tokens: Sequence[str], *, lowercase: bool = False) -> tuple[Span, ...] | None:
    """Find the tokens of a text in the text.

    Args:
        text: before lower-casing and tokenisation.
        tokens: all tokens of the text, in order.
        lowercase: whether the text was lower-cased first.

    Returns:
        The span of each token; None if the tokens differ from the text by more than white space, as a tokeniser may
        remove or normalise characters.
    """
    lowered = text.lower() if lowercase else text
    if len(lowered) != len(text):  # "İ" becomes two characters
        return None
    spans = _spans(lowered, tokens, EACH_CHARACTER)
    return spans if spans is not None else _spans(lowered, tokens, CHARACTER_OR_ENTITY)


def _spans(text: str, tokens: Sequence[str], characters: re.Pattern[str]) -> tuple[Span, ...] | None:
    """Find tokens in a text whose characters are matches of a pattern."""
    written = [match for match in characters.finditer(text) if not match[0].isspace()]
    decoded = "".join(ENTITIES.get(match[0], match[0]) for match in written)
    spans: list[Span] = []
    place = 0  # in the decoded text
    for token in tokens:
        part = token if decoded.startswith(token, place) else token.replace(SENTENCEPIECE_BLANK, "")
        if not decoded.startswith(part, place):
            return None
        end_before = written[place - 1].end() if place else 0
        place += len(part)
        spans.append(
            (written[place - len(part)].start(), written[place - 1].end()) if part else (end_before, end_before)
        )
    return tuple(spans) if place == len(decoded) else None


def word_differences(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Compare the tokens of two outputs.

    Returns:
        For each token of the first and of the second output, whether it is outside their longest common subsequence.
    """
    from rapidfuzz.distance import LCSseq  # loaded when first needed; faster than difflib where texts are long

    different = [True] * len(first), [True] * len(second)
    for step in LCSseq.opcodes(first, second):
        if step.tag == "equal":
            different[0][step.src_start : step.src_end] = [False] * (step.src_end - step.src_start)
            different[1][step.dest_start : step.dest_end] = [False] * (step.dest_end - step.dest_start)
    return tuple(different[0]), tuple(different[1])


def _covering(worked: WorkedExample, mark: Mark) -> tuple[int, ...]:
    """Return, for each token, the highest order of an n-gram with a mark that covers it."""
    orders = [0] * len(worked.candidate)
    for order in range(1, len(worked.orders) + 1):
        for start, mark_of_ngram in enumerate(worked.marks(order)):
            if mark_of_ngram == mark:
                orders[start : start + order] = [order] * order
    return tuple(orders)


def _lacking(output: Tokens, reference: Tokens) -> tuple[bool, ...]:
    return tuple(_exhausted(Counter(output), reference))


def _exhausted(available: Counter[str], tokens: Tokens) -> Iterator[bool]:
    for token in tokens:
        available[token] -= 1
        yield available[token] < 0
