"""Text search in the segments of a corpus."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus, Role
from bleu_core.errors import SettingsError
from bleu_core.progress import Progress

if TYPE_CHECKING:
    import regex

#: Maximum time of a search by a regular expression, in seconds.
MAX_SECONDS = 10.0

#: Maximum number of marked places per text.
MAX_HITS = 1000

#: Number of texts between two progress reports.
TEXTS_BETWEEN_REPORTS = 10_000

#: Maximum characters of a regular expression, and maximum repetitions of a part, which are expanded in memory.
MAX_PATTERN_LENGTH, MAX_REPETITIONS = 1000, 10_000

#: Forbidden forms of regular expressions -> their names. Recursion may exhaust the memory before it is stopped, and the
#: numbers of repetitions in verbose expressions cannot be checked here.
REFUSED = {
    re.compile(r"\(\?(?:[R0-9+&]|-[0-9]|P[>&])"): "recursion",
    re.compile(r"\(\?[\w-]*x"): "the flag x (verbose)",
}
REPETITION = re.compile(r"\{\s*+(\d*+)\s*+,?\s*+(\d*+)\s*+\}")


class SearchStoppedError(SettingsError):
    """A regular expression took too long; the message says what to do."""


@dataclass(frozen=True, slots=True)
class TextSearch:
    """A search for text.

    Attributes:
        wanted: the text or the regular expression.
        regular: whether it is a regular expression, which is case-sensitive; other searches ignore case.
    """

    wanted: str
    regular: bool = False


def find_text(
    corpus: Corpus,
    search: TextSearch,
    *,
    systems: Sequence[str] | None = None,
    seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> npt.NDArray[np.bool_]:
    """Find the segments whose source, references or outputs contain a text.

    Args:
        corpus: the texts.
        search: the text, anywhere in a segment.
        systems: those whose outputs are searched; all if None.
        seconds: maximum time for a regular expression.
        progress: called repeatedly with the texts done and their total; may raise, which cancels the search.

    Returns:
        (S,) whether each segment contains it.

    Raises:
        SettingsError: the regular expression is invalid, or has a forbidden form.
        SearchStoppedError: it took too long.
    """
    contains = matcher(search.wanted, seconds) if search.regular else _container(search.wanted)
    has_match = np.zeros(corpus.segments, np.bool_)
    columns = [column for _, column in _columns(corpus, systems)]
    for done, column in enumerate(columns):
        for count, segment in enumerate(np.flatnonzero(~has_match).tolist()):
            text = column[segment]
            if text is not None and contains(text):
                has_match[segment] = True
            if progress and count % TEXTS_BETWEEN_REPORTS == 0:
                progress(done * len(has_match) + segment, len(columns) * len(has_match))
    return has_match


def texts_with(
    corpus: Corpus,
    search: TextSearch,
    segment: int,
    *,
    systems: Sequence[str] | None = None,
    seconds: float = MAX_SECONDS,
) -> tuple[tuple[Role, str], ...]:
    """Return the (role, name) of the texts of one segment (from 0) with a match; arguments are as in find_text."""
    contains = matcher(search.wanted, seconds) if search.regular else _container(search.wanted)
    texts = ((role_and_name, column[segment]) for role_and_name, column in _columns(corpus, systems))
    return tuple(role_and_name for role_and_name, text in texts if text is not None and contains(text))


def find_hits(
    texts: Sequence[str], search: TextSearch, *, seconds: float = MAX_SECONDS
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Find the matches in each of a few texts, for marks.

    Args:
        texts: to be searched.
        search: the text.
        seconds: maximum time for a regular expression, for all texts together.

    Returns:
        For each text the first MAX_HITS matches: starts and exclusive ends, in characters. They do not overlap; empty
        matches are left out.

    Raises:
        SettingsError: the regular expression is invalid, or has a forbidden form.
        SearchStoppedError: it took too long.
    """
    find = _hits_of_expression(search.wanted, seconds) if search.regular else partial(_hits_of_text, search.wanted)
    return tuple(tuple(islice((hit for hit in find(text) if hit[0] < hit[1]), MAX_HITS)) for text in texts)


def _hits_of_text(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    lowered, needle = text.lower(), wanted.lower()
    places = range(len(text) + 1)
    if len(lowered) != len(text):  # "İ" becomes two characters
        lowered = "".join(map(str.lower, text))
        places = [place for place, character in enumerate(text) for _ in character.lower()] + [len(text)]
    start = lowered.find(needle)
    while needle and start >= 0:
        end = start + len(needle)
        yield places[start], places[end - 1] + 1
        start = lowered.find(needle, end)


def _hits_of_expression(pattern: str, seconds: float) -> Callable[[str], Iterator[tuple[int, int]]]:
    compiled, seconds_left = _limited(pattern, seconds)

    def find(text: str) -> Iterator[tuple[int, int]]:
        try:
            for match in compiled.finditer(text, timeout=seconds_left(), concurrent=True):
                yield match.span()
                seconds_left()
        except TimeoutError:
            raise _stopped(seconds) from None

    return find


def _columns(corpus: Corpus, systems: Sequence[str] | None) -> Iterator[tuple[tuple[Role, str], Sequence[str | None]]]:
    """Yield role and name, and the segments, of all searched texts."""
    if corpus.source is not None:
        yield ("source", ""), corpus.source
    for name, texts in corpus.references.items():
        yield ("reference", name), texts
    for name in corpus.systems if systems is None else systems:
        yield ("system", name), corpus.systems[name]


def _container(wanted: str) -> Callable[[str], bool]:
    lowered = wanted.lower()
    return lambda text: lowered in text.lower()


def matcher(pattern: str, seconds: float = MAX_SECONDS) -> Callable[[str], bool]:
    """Return a function that returns whether a text contains a match of a regular expression.

    Args:
        pattern: the regular expression, which is case-sensitive.
        seconds: maximum time of the search, for all texts together.

    Raises:
        SettingsError: the regular expression is invalid, or has a forbidden form.
        SearchStoppedError: raised by the function if it takes too long.
    """
    compiled, seconds_left = _limited(pattern, seconds)

    def matches(text: str) -> bool:
        try:  # without blocking other threads
            return compiled.search(text, timeout=seconds_left(), concurrent=True) is not None
        except TimeoutError:
            raise _stopped(seconds) from None

    return matches


def _limited(pattern: str, seconds: float) -> tuple[regex.Pattern[str], Callable[[], float]]:
    """Compile a regular expression, and return a function for the remaining seconds, which raises if none remain.

    Raises:
        SettingsError: the regular expression is invalid, or has a forbidden form.
    """
    import regex  # loaded when first needed

    _check(pattern)
    try:
        compiled = regex.compile(pattern, cache_pattern=False)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise SettingsError(f"regular expression {pattern!r} is not valid: {error}") from error
    end = time.monotonic() + seconds

    def seconds_left() -> float:
        remaining = end - time.monotonic()
        if remaining <= 0:
            raise _stopped(seconds)
        return remaining

    return compiled, seconds_left


def _stopped(seconds: float) -> SearchStoppedError:
    return SearchStoppedError(
        f"the regular expression took longer than {seconds:g} seconds and was stopped; use a simpler one, for example "
        "without a repetition inside a repetition"
    )


def _check(pattern: str) -> None:
    """Check that a pattern cannot take much memory.

    Raises:
        SettingsError: the pattern is too long, or has a forbidden form.
    """
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise SettingsError(
            f"regular expression of {len(pattern):,} characters found, at most {MAX_PATTERN_LENGTH:,} expected"
        )
    for form, name in REFUSED.items():
        if form.search(pattern):
            raise SettingsError(f"regular expression with {name} found, one without expected")
    numbers = [max((int(n) for n in limits if n), default=1) for limits in REPETITION.findall(pattern)]
    repetitions = math.prod(max(1, number) for number in numbers)
    if repetitions > MAX_REPETITIONS:
        raise SettingsError(
            f"regular expression with {repetitions:,} repetitions found, at most {MAX_REPETITIONS:,} expected"
        )
