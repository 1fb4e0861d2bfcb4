"""Replacement of a name by another name of the same output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import regex

from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.diagnostics.probes.sentences import sentence_starts

#: Words, hyphens and apostrophes inside them included.
WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[-'\u2019][\p{L}\p{M}\p{N}]+)*")

#: A word in the form of a name: a capital and at least another letter.
NAME = regex.compile(r"\p{Lu}[\p{L}\p{M}'\u2019-]+")

#: Letters of scripts without capitals.
UNCASED = regex.compile(r"\p{Lo}")

#: Maximum share of capitalised words after the first one; segments with more are titles.
MAX_CAPITALISED_SHARE = 0.5

#: Languages that capitalise all nouns.
CAPITALISED_NOUNS = ("de",)

#: A name, with its start and its exclusive end, in characters.
NamePlace = tuple[str, int, int]


def _change(task: Task) -> Sequence[Change]:
    if task.language in CAPITALISED_NOUNS:
        return [task.unchanged("German capitalises all nouns, so that names cannot be distinguished from other words")]
    words = [list(WORD.finditer(text)) for text in task.output]
    common = {word[0] for entries in words for word in entries if word[0].islower()}
    names = [_names(text, entries, common) for text, entries in zip(task.output, words, strict=True)]
    known = sorted(Counter(name for entries in names for name, _, _ in entries))
    if len(known) <= 1:
        return [task.unchanged(_why_none(task.output))]
    generator = task.generator()
    after: list[str] = []
    for text, entries in zip(task.output, names, strict=True):
        if not entries:
            after.append(text)
            continue
        name, start, end = entries[int(generator.integers(len(entries)))]
        others = [other for other in known if other != name]
        after.append(text[:start] + others[int(generator.integers(len(others)))] + text[end:])
    return [task.changed(after, _why_none(task.output))]


def _names(text: str, words: Sequence[regex.Match[str]], common: set[str]) -> list[NamePlace]:
    """Return the names in a text: capitalised words inside of sentences; adjacent ones form one name."""
    capitalised = [bool(NAME.fullmatch(word[0])) for word in words]
    if sum(capitalised[1:]) > MAX_CAPITALISED_SHARE * len(words[1:]):
        return []
    starts = [0, *sentence_starts(text)]
    begins = {next((word.start() for word in words if word.start() >= start), -1) for start in starts}
    names: list[NamePlace] = []
    for word, is_capitalised in zip(words, capitalised, strict=True):
        if not is_capitalised or word.start() in begins or word[0].lower() in common:
            continue
        if names and text[names[-1][2] : word.start()] == " ":
            start = names.pop()[1]
            names.append((text[start : word.end()], start, word.end()))
        else:
            names.append((word[0], *word.span()))
    return names


def _why_none(texts: Sequence[str]) -> str:
    letters = "".join(texts)
    uncased = len(UNCASED.findall(letters))
    if uncased > sum(map(str.isalpha, letters)) / 2:
        return "the script of the output has no capitals, by which names are found"
    return "the output has no two names: capitalised words inside of sentences"


PROBE = Probe(
    key="name",
    title="A name exchanged",
    doing="Exchanging a name",
    changed="In each segment with names, one gives way to another name of the same output. Names are capitalised words "
    "inside of sentences that the output never has in lower case.",
    noticed="The sentence is about somebody or something else.",
    source="Karpinska et al. (2022), DEMETR: Diagnosing Evaluation Metrics for Translation",
    change=_change,
)
