"""Finding text in the segments of a corpus."""

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

#: Seconds after which a search by a regular expression is stopped.
MAX_SECONDS = 10.0

#: Places of one text that are marked.
MAX_HITS = 1000

#: Progress is reported after every so many texts.
TEXTS_BETWEEN_REPORTS = 10_000

#: Characters of a regular expression, and how often it may repeat a part: repetitions are written out in memory.
MAX_PATTERN_LENGTH, MAX_REPETITIONS = 1000, 10_000

#: Forms that a regular expression cannot have -> what they are. Recursion may fill the memory before it is stopped, and
#: in verbose expressions the numbers of repetitions cannot be read here.
REFUSED = {
    re.compile(r"\(\?(?:[R0-9+&]|-[0-9]|P[>&])"): "recursion",
    re.compile(r"\(\?[\w-]*x"): "the flag x (verbose)",
}
REPETITION = re.compile(r"\{\s*(\d*)\s*,?\s*(\d*)\s*\}")


class SearchStoppedError(SettingsError):
    """A regular expression took too long; the message says what to do."""


@dataclass(frozen=True, slots=True)
class TextSearch:
    """What is searched for.

    Attributes:
        wanted: the text or the regular expression.
        regular: whether it is a regular expression, which is case-sensitive; else upper and lower case are the same.
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
        search: what is searched for, anywhere in a text.
        systems: those whose outputs are searched; all if None.
        seconds: after which a regular expression is stopped.
        progress: told, now and then, how many texts of how many are done; may raise, which ends the search.

    Returns:
        (S,) whether each segment has it.

    Raises:
        SettingsError: the regular expression is not valid, or has a form that is refused.
        SearchStoppedError: it took too long.
    """
    has = matcher(search.wanted, seconds) if search.regular else _container(search.wanted)
    found = np.zeros(corpus.segments, np.bool_)
    columns = [column for _, column in _columns(corpus, systems)]
    for done, column in enumerate(columns):
        for count, segment in enumerate(np.flatnonzero(~found).tolist()):
            text = column[segment]
            if text is not None and has(text):
                found[segment] = True
            if progress and count % TEXTS_BETWEEN_REPORTS == 0:
                progress(done * len(found) + segment, len(columns) * len(found))
    return found


def texts_with(
    corpus: Corpus,
    search: TextSearch,
    segment: int,
    *,
    systems: Sequence[str] | None = None,
    seconds: float = MAX_SECONDS,
) -> tuple[tuple[Role, str], ...]:
    """The texts of one segment (from 0) that contain a text, as (role, name) pairs; arguments are as in find_text."""
    has = matcher(search.wanted, seconds) if search.regular else _container(search.wanted)
    texts = ((of, column[segment]) for of, column in _columns(corpus, systems))
    return tuple(of for of, text in texts if text is not None and has(text))


def find_hits(
    texts: Sequence[str], search: TextSearch, *, seconds: float = MAX_SECONDS
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Where a text is found in each of a few texts, for marks.

    Args:
        texts: in which it is searched for.
        search: what is searched for.
        seconds: after which a regular expression is stopped, for all texts together.

    Returns:
        Of each text the first MAX_HITS places: starts, and positions behind ends, in characters. They do not overlap;
        places of no character are left out.

    Raises:
        SettingsError: the regular expression is not valid, or has a form that is refused.
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
    compiled, left = _limited(pattern, seconds)

    def find(text: str) -> Iterator[tuple[int, int]]:
        try:
            for found in compiled.finditer(text, timeout=left(), concurrent=True):
                yield found.span()
                left()
        except TimeoutError:
            raise _stopped(seconds) from None

    return find


def _columns(corpus: Corpus, systems: Sequence[str] | None) -> Iterator[tuple[tuple[Role, str], Sequence[str | None]]]:
    """Role and name, and the segments, of all texts that are searched."""
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
    """Return whether a text contains what a regular expression matches, as a function.

    Args:
        pattern: the regular expression, which is case-sensitive.
        seconds: after which the search in all texts together is stopped.

    Raises:
        SettingsError: the regular expression is not valid, or has a form that is refused.
        SearchStoppedError: raised by the function, when it takes too long.
    """
    compiled, left = _limited(pattern, seconds)

    def matches(text: str) -> bool:
        try:  # other threads go on meanwhile
            return compiled.search(text, timeout=left(), concurrent=True) is not None
        except TimeoutError:
            raise _stopped(seconds) from None

    return matches


def _limited(pattern: str, seconds: float) -> tuple[regex.Pattern[str], Callable[[], float]]:
    """A compiled regular expression, and a function that gives the seconds that are left, or raises if none are.

    Raises:
        SettingsError: the regular expression is not valid, or has a form that is refused.
    """
    import regex  # loaded when first needed

    _check(pattern)
    try:
        compiled = regex.compile(pattern, cache_pattern=False)
    except (regex.error, OverflowError, RecursionError, ValueError) as error:
        raise SettingsError(f"regular expression {pattern!r} is not valid: {error}") from error
    end = time.monotonic() + seconds

    def left() -> float:
        found = end - time.monotonic()
        if found <= 0:
            raise _stopped(seconds)
        return found

    return compiled, left


def _stopped(seconds: float) -> SearchStoppedError:
    return SearchStoppedError(
        f"the regular expression took longer than {seconds:g} seconds and was stopped; use a simpler one, for example "
        "without a repetition inside a repetition"
    )


def _check(pattern: str) -> None:
    """Refuse what could take much memory.

    Raises:
        SettingsError: the pattern is too long, or has a form that is refused.
    """
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise SettingsError(
            f"regular expression of {len(pattern):,} characters found, at most {MAX_PATTERN_LENGTH:,} expected"
        )
    for form, name in REFUSED.items():
        if form.search(pattern):
            raise SettingsError(f"regular expression with {name} found, one without expected")
    numbers = [max((int(n) for n in found if n), default=1) for found in REPETITION.findall(pattern)]
    repetitions = math.prod(max(1, number) for number in numbers)
    if repetitions > MAX_REPETITIONS:
        raise SettingsError(
            f"regular expression with {repetitions:,} repetitions found, at most {MAX_REPETITIONS:,} expected"
        )
