"""Classes of segments: with numbers, names, negation, quotation or a question, short, long.

Classes are determined from the first reference in use that has the segment, like the fields of slices, so that they do
not depend on system outputs. Sources are known for fewer data sets than references, and metrics use the references.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus, plural
from bleu_core.errors import AlignmentError
from bleu_core.fields import field, result
from bleu_core.scoring import BleuSettings, token_counts
from bleu_core.slicing.groupings import LENGTH_GROUPS, group_by_length
from bleu_core.slicing.negations import NEGATION_LANGUAGES, negation_counter
from bleu_core.slicing.text_counts import capitalised_words, numbers, quotation_marks

if TYPE_CHECKING:  # loaded when first needed
    from regex import Pattern

Members = npt.NDArray[np.bool_]

#: Languages with capitalised common nouns, in which a capital letter does not indicate a name.
CAPITALISED_NOUNS = ("de", "lb")

#: Language whose question mark is mostly written as a semicolon: Greek.
GREEK = "el"

#: Question marks of all scripts: punctuation with QUESTION in its Unicode name, without the inverted mark of Spanish,
#: which is followed by another one, and the interrobang.
QUESTION_MARKS = (
    "?\u037e\u055e\u061f\u1367\u1945\u203d\u2047\u2048\u2049\u2cfa\u2cfb\u2e2e\u2e54\ua60f\ua6f7\ufe16\ufe56\uff1f"
    "\U00011143\U0001e95f"
)


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceTexts:
    """The reference texts from which classes are determined.

    Attributes:
        texts: S, the first reference in use of each segment; empty if none has it.
        lengths: (S,) in tokens.
        language: ISO 639-1; empty if it is not known.
    """

    texts: Sequence[str]
    lengths: npt.NDArray[np.int64]
    language: str


@result
class SegmentClass:
    """A class of segments.

    Attributes:
        title: for people; it follows "segments", as in "segments with numbers".
        members: returns whether each segment is in it, (S,).
        missing: returns why the class cannot be determined for these texts; empty if it can.
    """

    key: str = field("text", "Key of the class.", only="json")
    title: str = field("text", "Segments in the class.", label="segments")
    help: str = field("text", "What is counted in a segment to determine the class.", only="json", key="counts")
    source: str = field("text", "Source of the list of words or characters.", only="json")
    members: Callable[[ReferenceTexts], Members]
    missing: Callable[[ReferenceTexts], str] = lambda _: ""


@dataclass(frozen=True, slots=True, eq=False)
class ClassMembers:
    """The segments of a class.

    Attributes:
        segment_class: the class.
        members: (S,) whether each segment is in it; none if there is a reason.
        reason: why the class cannot be determined, else empty.
    """

    segment_class: SegmentClass
    members: Members
    reason: str = ""


def classify_segments(
    corpus: Corpus, *, references: Sequence[str], settings: BleuSettings, language: str
) -> tuple[ClassMembers, ...]:
    """Find the segments of each class.

    Args:
        corpus: the texts.
        references: names of those in use.
        settings: of tokenisation, for lengths.
        language: of the references, ISO 639-1; empty if it is not known or has no list of words.

    Raises:
        AlignmentError: no reference is in use.
    """
    if not references:
        raise AlignmentError("classes of segments: no reference is in use, at least 1 expected")
    columns = zip(*(corpus.references[name] for name in references), strict=True)
    texts = tuple(next((text for text in texts_of_segment if text is not None), "") for texts_of_segment in columns)
    references_in_use = ReferenceTexts(texts, token_counts(texts, settings.counting).astype(np.int64), language)
    classes: list[ClassMembers] = []
    for segment_class in SEGMENT_CLASSES:
        reason = segment_class.missing(references_in_use)
        members = np.zeros(len(texts), np.bool_) if reason else segment_class.members(references_in_use)
        classes.append(ClassMembers(segment_class, members, reason))
    return tuple(classes)


def _with(count: Callable[[str], int]) -> Callable[[ReferenceTexts], Members]:
    """Return a function that selects the texts with a count of at least 1."""
    return lambda references: _counted(references, count)


def _counted(references: ReferenceTexts, count: Callable[[str], int]) -> Members:
    return np.array([count(text) > 0 for text in references.texts], np.bool_)


def _negated(references: ReferenceTexts) -> Members:
    return _counted(references, negation_counter(references.language))


def _without_list(references: ReferenceTexts) -> str:
    if references.language in NEGATION_LANGUAGES:
        return ""
    known = ", ".join(NEGATION_LANGUAGES)
    if not references.language:
        return f"language of the references not known, one of {known} expected"
    return f"no list of negation words for language {references.language}, only for {known}"


def _without_names(references: ReferenceTexts) -> str:
    if references.language in CAPITALISED_NOUNS:
        return f"all nouns of language {references.language} are capitalised, so names are not recognised"
    if not any(text != text.lower() for text in references.texts):
        return "no capital letter in the references (a script without case, or lower-cased texts)"
    return ""


def _question(references: ReferenceTexts) -> Members:
    marks = _marks(QUESTION_MARKS + (";" if references.language == GREEK else ""))
    return _counted(references, lambda text: len(marks.findall(text)))


def _quarter(references: ReferenceTexts, *, longest: bool) -> Members:
    grouping = group_by_length(references.lengths)
    wanted = grouping.order[-1 if longest else 0]
    return np.array([label == wanted for label in grouping.labels], np.bool_)


def _of_few_lengths(references: ReferenceTexts) -> str:
    groups = len(group_by_length(references.lengths).order) if len(references.lengths) else 0
    return (
        ""
        if groups == LENGTH_GROUPS
        else f"{groups} {plural(groups, 'group')} by length found, {LENGTH_GROUPS} expected"
    )


@cache
def _marks(characters: str) -> Pattern[str]:
    import regex

    return regex.compile("[" + regex.escape(characters, special_only=False) + "]", regex.VERSION1)


_UNICODE = "Unicode Character Database"

#: All classes, in the order of tables.
SEGMENT_CLASSES = (
    SegmentClass(
        key="numbers",
        title="with numbers",
        help="Digits of any script.",
        source=f"{_UNICODE}: decimal digits (Nd)",
        members=_with(numbers),
    ),
    SegmentClass(
        key="names",
        title="with names",
        help="Words with a capital letter inside a sentence: names, in some languages also days, months and "
        "nationalities. Not for German, which capitalises all nouns, and not for scripts without case.",
        source=f"{_UNICODE}: capital letters (Lu, Lt)",
        members=_with(capitalised_words),
        missing=_without_names,
    ),
    SegmentClass(
        key="negation",
        title="with negation",
        help=f"Negation words of the language, by lists for {len(NEGATION_LANGUAGES)} languages.",
        source="the lists of the field negations of slices",
        members=_negated,
        missing=_without_list,
    ),
    SegmentClass(
        key="quotation",
        title="with quotation",
        help="Quotation marks of all scripts; apostrophes do not count.",
        source=f"{_UNICODE}: property Quotation_Mark",
        members=_with(quotation_marks),
    ),
    SegmentClass(
        key="question",
        title="with a question",
        help="Question marks of all scripts, and semicolons of Greek.",
        source=f"{_UNICODE}: names with QUESTION MARK",
        members=_question,
    ),
    SegmentClass(
        key="short",
        title="of the shortest quarter",
        help="The quarter with the fewest tokens; segments of one length are together.",
        source="quartiles of the data",
        members=lambda references: _quarter(references, longest=False),
        missing=_of_few_lengths,
    ),
    SegmentClass(
        key="long",
        title="of the longest quarter",
        help="The quarter with the most tokens; segments of one length are together.",
        source="quartiles of the data",
        members=lambda references: _quarter(references, longest=True),
        missing=_of_few_lengths,
    ),
)
