"""Planted causes: a test set in which one thing has been made wrong, as it goes wrong in practice."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset import Corpus

#: Of light edits, one for so many words.
WORDS_PER_EDIT = 10

#: The name of a reference that is added.
ADDED = "added"

#: Vowels are exchanged among themselves, and so are consonants.
OTHER_LETTERS = str.maketrans("aeioubcdfghklmnprstvwz", "ouaiecdfghklmnprstvwzb")


@dataclass(frozen=True)
class Planted:
    """A test set with a cause.

    Attributes:
        corpus: the texts.
        system: the system it is in; empty where it is in a reference.
        reference: the reference it is in or about; empty where it is in a system only.
    """

    corpus: Corpus
    system: str = ""
    reference: str = ""


@dataclass(frozen=True)
class Cause:
    """Something that goes wrong.

    Attributes:
        key: of the warning that is to find it.
        title: for people.
        shares: of the segments that are changed.
        plant: changes a corpus: a system, a reference, the share of the segments, and the source of chance.
        systems: how many systems the warning needs.
    """

    key: str
    title: str
    shares: tuple[float, ...]
    plant: Callable[[Corpus, str, str, float, random.Random], Planted]
    systems: int = 1


def with_system(corpus: Corpus, name: str, text: Sequence[str]) -> Corpus:
    """The corpus with another text of a system."""
    return replace(corpus, systems=dict(corpus.systems) | {name: tuple(text)})


def with_reference(corpus: Corpus, name: str, text: Sequence[str | None]) -> Corpus:
    """The corpus with another text of a reference; a system with the text of the old one has the new one, too."""
    before = corpus.references.get(name)
    systems = {system: text if old == before else old for system, old in corpus.systems.items()}
    kept = {system: tuple(line or "" for line in lines) for system, lines in systems.items()}
    return replace(corpus, systems=kept, references=dict(corpus.references) | {name: tuple(text)})


def tokenised(line: str) -> str:
    """The line as a tokeniser writes it, without escapes."""
    return " ".join(re.sub(r"([.,!?;:()\"\u201c\u201d\u201e])", r" \1 ", line.replace("'s", " 's")).split())


def edited(line: str, words: Sequence[str], generator: random.Random) -> str:
    """The line with words removed, replaced or added, one edit for ten words and one at least."""
    found = line.split(" ")
    for _ in range(max(1, round(len(found) / WORDS_PER_EDIT))):
        place = generator.randrange(len(found))
        how = generator.randrange(3)
        if how == 0 and len(found) > 1:
            del found[place]
        elif how == 1:
            found[place] = generator.choice(words)
        else:
            found.insert(place, generator.choice(words))
    return " ".join(found)


def reordered(line: str, generator: random.Random) -> str:
    """The line with some neighbouring words exchanged, as translations of different people have them."""
    words = line.split(" ")
    for i in range(len(words) - 1):
        if generator.random() < 0.2:
            words[i : i + 2] = words[i + 1], words[i]
    return " ".join(words)


def chosen(corpus: Corpus, share: float, generator: random.Random) -> set[int]:
    """Positions of so many of the segments."""
    return set(generator.sample(range(corpus.segments), round(share * corpus.segments)))


def system_tokenised(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose output was not detokenised."""
    rows = chosen(corpus, share, generator)
    text = [tokenised(line) if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def reference_tokenised(corpus: Corpus, _: str, reference: str, share: float, generator: random.Random) -> Planted:
    """A reference that was not detokenised."""
    rows = chosen(corpus, share, generator)
    text = [tokenised(line or "") if i in rows else line for i, line in enumerate(corpus.references[reference])]
    return Planted(with_reference(corpus, reference, text), reference=reference)


def post_edited(corpus: Corpus, system: str, reference: str, share: float, generator: random.Random) -> Planted:
    """A reference that was partly made by light edits of a system's output."""
    words = " ".join(filter(None, corpus.references[reference])).split(" ")
    text = list(corpus.references[reference])
    for i in chosen(corpus, share, generator):
        text[i] = edited(corpus.systems[system][i], words, generator)
    return Planted(with_reference(corpus, reference, text), system, reference)


def made_from(
    corpus: Corpus, system: str, reference: str, share: float, generator: random.Random, *, typography: bool = False
) -> Planted:
    """A reference that was post-edited from a system's output, of which a share of the segments is unchanged.

    Args:
        corpus: the texts.
        system: whose output it was made from.
        reference: its name.
        share: of the segments that are unchanged; the others have light edits.
        generator: the source of chance.
        typography: whether the reference has other quotation marks, apostrophes, dashes and final punctuation.
    """
    words = " ".join(filter(None, corpus.references[reference])).split(" ")
    unchanged = chosen(corpus, share, generator)
    output = corpus.systems[system]
    text = [line if i in unchanged else edited(line, words, generator) for i, line in enumerate(output)]
    text = [typeset(line) for line in text] if typography else text
    return Planted(with_reference(corpus, reference, text), system, reference)


def typeset(line: str) -> str:
    """The line with typographic marks in place of those of a typewriter, and without its full stop."""
    for typed, printed in ((" - ", " \u2013 "), ("'", "\u2019"), (' "', " \u201c"), ('"', "\u201d"), (", ", ",\u00a0")):
        line = line.replace(typed, printed)
    return line.removesuffix(".").rstrip()


def learned(corpus: Corpus, system: str, reference: str, share: float, generator: random.Random) -> Planted:
    """A system that has learned a part of the reference."""
    text = list(corpus.systems[system])
    for i in chosen(corpus, share, generator):
        text[i] = corpus.references[reference][i] or ""
    return Planted(with_system(corpus, system, text), system, reference)


def untranslated(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system that leaves segments in the language of the source."""
    assert corpus.source is not None
    rows = chosen(corpus, share, generator)
    text = [corpus.source[i] if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def in_language(foreign: Sequence[str]) -> Callable[[Corpus, str, str, float, random.Random], Planted]:
    """A system that translates segments into another language of the same script.

    Args:
        foreign: texts of that language.
    """

    def plant(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
        rows = chosen(corpus, share, generator)
        text = [generator.choice(foreign) if i in rows else line for i, line in enumerate(corpus.systems[system])]
        return Planted(with_system(corpus, system, text), system)

    return plant


def truncated(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose outputs end after half of their words."""
    rows = chosen(corpus, share, generator)
    text = [_half(line) if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def _half(line: str) -> str:
    words = line.split(" ")
    return " ".join(words[: len(words) // 2]).rstrip(".,;:!?") if len(words) > 1 else line


def shuffled(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose lines are in another order."""
    text = list(corpus.systems[system])
    rows = sorted(chosen(corpus, share, generator))
    for i, other in zip(rows, generator.sample(rows, len(rows)), strict=True):
        text[i] = corpus.systems[system][other]
    return Planted(with_system(corpus, system, text), system)


def numbered(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose lines begin with their numbers."""
    rows = chosen(corpus, share, generator)
    text = [f"{i}\t{line}" if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def in_quotes(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose lines are in quotation marks."""
    rows = chosen(corpus, share, generator)
    text = [f'"{line}"' if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def of_another_text(corpus: Corpus, system: str, _: str, __: float, ___: random.Random) -> Planted:
    """A system whose file is of another text: the first half of a set with its outputs for the second half."""
    half = corpus.segments // 2
    text = corpus.systems[system][half : 2 * half]
    return Planted(with_system(corpus.subset(range(half)), system, text), system)


def reference_of_another_text(corpus: Corpus, _: str, reference: str, __: float, ___: random.Random) -> Planted:
    """A further reference that is of another text: the first half of a set with the second half of a reference."""
    half = corpus.segments // 2
    text = corpus.references[reference][half : 2 * half]
    return Planted(with_reference(corpus.subset(range(half)), ADDED, text), reference=ADDED)


def reference_in_language(foreign: Sequence[str]) -> Callable[[Corpus, str, str, float, random.Random], Planted]:
    """A further reference in another language of the same script.

    Args:
        foreign: texts of that language.
    """

    def plant(corpus: Corpus, _: str, __: str, ___: float, generator: random.Random) -> Planted:
        text = [generator.choice(foreign) for _ in range(corpus.segments)]
        return Planted(with_reference(corpus, ADDED, text), reference=ADDED)

    return plant


def in_no_known_language(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system whose segments are in a language of which no word is known: other letters in place of those it has."""
    rows = chosen(corpus, share, generator)
    text = [line.translate(OTHER_LETTERS) if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def escaped(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    r"""A system that writes \n in place of a blank in each of the segments."""
    rows = chosen(corpus, share, generator)
    text = [line.replace(" ", "\\n", 1) if i in rows else line for i, line in enumerate(corpus.systems[system])]
    return Planted(with_system(corpus, system, text), system)


def misread(corpus: Corpus, system: str, _: str, share: float, generator: random.Random) -> Planted:
    """A system that writes accents on some letters, in lines that were read as Windows-1252."""
    rows = chosen(corpus, share, generator)
    text = [
        line.replace("e", "\u00e9", 1).encode().decode("cp1252", "replace") if i in rows else line
        for i, line in enumerate(corpus.systems[system])
    ]
    return Planted(with_system(corpus, system, text), system)


def causes(foreign: Sequence[str]) -> Mapping[str, Cause]:
    """Name -> cause.

    Args:
        foreign: texts of another language in the script of the references.
    """
    few = (0.005, 0.02, 0.1)
    return {
        "a system tokenised": Cause("tokenization", "a system tokenised", (1.0,), system_tokenised),
        "a reference tokenised": Cause("tokenization", "a reference tokenised", (1.0,), reference_tokenised),
        "numbered": Cause("additions", "lines numbered", (0.5, 0.9, 1.0), numbered),
        "in quotes": Cause("additions", "lines in quotation marks", (0.5, 0.9, 1.0), in_quotes),
        "misread": Cause("damaged-characters", "UTF-8 read as Windows-1252", few, misread),
        "a reference post-edited": Cause(
            key="close-reference", title="a reference post-edited", shares=(0.1, 0.2, 0.4), plant=post_edited, systems=5
        ),
        "a reference learned": Cause(
            key="memorised", title="a reference learned", shares=(0.05, 0.1, 0.2), plant=learned, systems=5
        ),
        "untranslated": Cause("wrong-language", "untranslated", few, untranslated),
        "another language": Cause(
            "wrong-language", "another language of the script", (*few, 1.0), in_language(foreign)
        ),
        "truncated": Cause("truncated", "truncated", few, truncated),
        "shuffled": Cause("misplaced", "lines shuffled", (0.02, 0.1, 0.5, 1.0), shuffled),
        "of another text": Cause("misplaced", "the output of another text", (1.0,), of_another_text),
        "an unknown language": Cause("wrong-language", "a language without a list", (0.5, 1.0), in_no_known_language),
        "a reference of another text": Cause(
            "unrelated-references", "a reference of another text", (1.0,), reference_of_another_text
        ),
        "a reference in another language": Cause(
            "unrelated-references", "a reference in another language", (1.0,), reference_in_language(foreign)
        ),
        "escaped": Cause("escape-sequences", "line breaks escaped", (0.005, 0.1, 0.5), escaped),
        "a copy of the reference": Cause("close-reference", "a copy of the reference", (0.97,), learned),
    }
