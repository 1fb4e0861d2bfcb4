"""How a translator puts a meaning into words.

A translator has a style: how often it takes the most common way to say something (the main knob of quality,
because that is where translators agree), and its habits in names, numbers, dates, contractions and spelling.
Machines are given a style here, too; what they get wrong comes afterwards, in `mistakes.py`.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sample_data.markup import Choice, Markup, Slot, lexicon
from sample_data.meanings import NUMBER, Meaning, Person
from sample_data.numerals import in_words, ordinal
from sample_data.vocabulary import DAYS, MONTHS, NAMES, SPELLINGS

AMERICAN = {
    "per cent": "percent", "harbour": "harbor", "theatre": "theater", "centre": "center", "metres": "meters",
    "kilometres": "kilometers", "neighbour": "neighbor", "organisers": "organizers", "woollen": "woolen",
    "moustaches": "mustaches", "defence": "defense", "programme": "program", "tonnes": "tons",
    "millimetres": "millimeters", "sceptical": "skeptical", "recognises": "recognizes", "colour": "color",
    "honour": "honor", "travelled": "traveled", "criticise": "criticize", "autumn": "fall",
}  # fmt: skip
CONTRACTIONS = {
    "could not": "couldn't", "did not": "didn't", "does not": "doesn't", "do not": "don't", "is not": "isn't",
    "was not": "wasn't", "has not": "hasn't", "had not": "hadn't", "have not": "haven't", "are not": "aren't",
    "would not": "wouldn't", "cannot": "can't", "will not": "won't", "there is": "there's",
    "were not": "weren't",
}  # fmt: skip
OPENERS = ("Meanwhile,", "In addition,", "At the same time,", "As it happens,", "Moreover,", "In other news,")
DESCRIPTIONS = {
    "city": "the city", "town": "the town", "country": "the country", "region": "the region",
    "firm": "the firm", "paper": "the paper", "university": "the university",
}  # fmt: skip
PRONOUNS = {".he": ("he", "she"), ".him": ("him", "her"), ".his": ("his", "her"), "'s": ()}
CALENDAR = frozenset({"day", "day2", "month", "date"})
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The habits of one translator; rates are per thousand.

    Attributes:
        number: tells translators apart in the seeds of their random numbers.
        common: how often the most common way to say something is taken.
        patterns: weights of the patterns of a frame: close to the source, recast, free.
        habit: how often a favourite word is used, where the lexicon has several.
        later_names: weights of "Tarrow", "Mr Tarrow", "Oskar Tarrow", "the mayor", once a person is known.
        spelled_up_to: the largest number written out in words.
        percent: "per cent", "percent" or "%".
        on_days: writes "on Tuesday" rather than "Tuesday".
        month_first: writes "March 3" rather than "3 March".
        contracted: how often "did not" becomes "didn't".
        american: uses American spelling.
        descriptions: how often a place or a firm is "the city" or "the firm", once it is known.
        opener: how often a sentence that does not begin a document gets a word such as "Meanwhile".
    """

    number: int
    common: int
    patterns: tuple[int, int, int]
    habit: int = 300
    later_names: tuple[int, int, int, int] = (1, 1, 1, 0)
    spelled_up_to: int = 10
    percent: str = "per cent"
    on_days: bool = True
    month_first: bool = False
    contracted: int = 0
    american: bool = False
    descriptions: int = 0
    opener: int = 0


class Translator:
    """Puts meanings into words, in one style, document after document."""

    def __init__(self, style: Style, seed: int) -> None:
        self.style = style
        self._seed = seed
        self._known: set[str] = set()
        self._document = -1
        rng = self._random(0)
        self._favourites = {word: rng.randrange(len(options)) for word, options in lexicon().items()}
        self._spellings = {name: rng.choice((name, *others)) for name, others in SPELLINGS.items()}

    def phrases(self, segment: int, meaning: Meaning) -> tuple[str, ...]:
        """Return the phrases of one sentence, in order and without the full polish of `finish`.

        Args:
            segment: its number, from 1.
            meaning: what to say.
        """
        starts = meaning.document != self._document
        if starts:
            self._document = meaning.document
            self._known.clear()
        rng = self._random(segment)
        opened = not starts and rng.randrange(1000) < self.style.opener
        opener = f"{rng.choice(OPENERS)} " if opened else ""
        pattern = rng.choice(repeated(meaning.patterns, self.style.patterns))
        text = self._words(pattern, meaning, rng, opener)
        if opened:
            text = without_capital(text)
        return tuple((opener + text).split(" / "))

    def finish(self, segment: int, phrases: Sequence[str]) -> str:
        """Join phrases into a sentence: punctuation, "a" or "an", capital, contractions, spelling."""
        text = tidy(" ".join(phrases))
        rng = self._random(-segment)
        for plain, contracted in CONTRACTIONS.items():
            if rng.randrange(1000) < self.style.contracted:
                text = re.sub(rf"\b{plain}\b", contracted, text)
        if self.style.american:
            for british, american in AMERICAN.items():
                text = re.sub(rf"\b{british}\b", american, text)
        text = re.sub(r"\w+", lambda name: self._spellings.get(name[0], name[0]), text)
        return capitalised(text)

    def _random(self, segment: int) -> random.Random:
        return random.Random((self._seed * 100 + self.style.number) * 10_000 + segment + 5000)

    def _pick(self, rng: random.Random, options: int, common: int) -> int:
        """Choose among options of which the first is the most common."""
        if options == 1 or rng.randrange(1000) < common:
            return 0
        return rng.randrange(1, options)

    def _words(self, markup: Markup, meaning: Meaning, rng: random.Random, before: str, *, nested: bool = False) -> str:
        """Put markup into words; before is what the sentence says already, nested that it fills a slot."""
        said = before
        for node in markup:
            if isinstance(node, str):
                said += node
            elif isinstance(node, Slot):
                said += self._slot(node.key, meaning, rng, said, nested=nested)
            else:
                said += self._words(self._option(node, rng), meaning, rng, said, nested=nested)
        return said[len(before) :]

    def _option(self, choice: Choice, rng: random.Random) -> Markup:
        if choice.word is not None and rng.randrange(1000) < self.style.habit:
            return choice.options[self._favourites[choice.word]]
        return choice.options[self._pick(rng, len(choice.options), self.style.common)]

    def _slot(self, key: str, meaning: Meaning, rng: random.Random, before: str, *, nested: bool = False) -> str:
        """Put what fills a slot into words."""
        if key == "around":
            options = lexicon()[key]
            return options[self._pick(rng, len(options), self.style.common)]
        if key.startswith("on "):
            day = self._slot(key.removeprefix("on "), meaning, rng, before)
            return f"on {day}" if self.style.on_days else day
        if (pronoun := _pronoun(key, meaning)) is not None:
            return pronoun
        value = meaning.values[key.removesuffix("!")]
        if isinstance(value, Person):
            return self._person(key, value, rng)
        if isinstance(value, int):
            return self._date(key, value) if key in CALENDAR else self._number(key, value, started=bool(before))
        described = self._is_described(key, rng, nested=nested)
        words = DESCRIPTIONS[key] if described else self._words(value, meaning, rng, before or " ", nested=True)
        return re.sub(r',"$', '."', words) if key.endswith("!") else words

    def _is_described(self, key: str, rng: random.Random, *, nested: bool) -> bool:
        """Tell whether to say "the city" for a city that the document has named already."""
        known = key in self._known
        if key in DESCRIPTIONS:
            self._known.add(key)
        return known and not nested and key in DESCRIPTIONS and rng.randrange(1000) < self.style.descriptions

    def _person(self, key: str, person: Person, rng: random.Random) -> str:
        if key not in self._known:
            self._known.add(key)
            article = "the" if key in {"chief", "critic"} else "a"
            introductions = (
                f"{article} {person.role}, {person.full},",
                f"{person.full}, {article} {person.role},",
                f"{person.role} {person.full}",
            )
            return introductions[self._pick(rng, len(introductions), self.style.common)]
        title = "Ms" if person.female else "Mr"
        names = (person.last, f"{title} {person.last}", person.full, f"the {person.role}")
        return rng.choice(repeated(names, self.style.later_names))

    def _date(self, key: str, value: int) -> str:
        """Write a day of the week, a month, or a date (100 times the month, plus the day)."""
        if key == "month":
            return MONTHS[value]
        if key == "date":
            month, day = MONTHS[value // 100], value % 100
            return f"{month} {day}" if self.style.month_first else f"{day} {month}"
        return DAYS[value]

    def _number(self, key: str, value: int, *, started: bool) -> str:
        """Write a number; one that starts a sentence is written out."""
        style = self.style
        kind = NUMBER.fullmatch(key)
        unit = kind["unit"] if kind else None
        if unit == "y":
            return str(value)
        words = not started or value <= style.spelled_up_to
        if unit == "th":
            return ordinal(value, words=words)
        if unit == "k":
            return in_words(1000 * value) if words else f"{value},000"
        plain = in_words(value) if words else str(value)
        if unit == "%" and style.percent == "%":
            return f"{plain} per cent" if words else f"{plain}%"
        return plain + {"%": f" {style.percent}", "m": " million crowns"}.get(unit or "", "")


def _pronoun(key: str, meaning: Meaning) -> str | None:
    """Fill slots such as `{chief.his}` and `{chief's}`; None for the others."""
    for ending, pronouns in PRONOUNS.items():
        person = meaning.values.get(key.removesuffix(ending))
        if key.endswith(ending) and isinstance(person, Person):
            return pronouns[person.female] if pronouns else f"{person.full}'s"
    return None


def repeated(things: Sequence[Thing], times: Sequence[int]) -> list[Thing]:
    """Repeat each thing so many times, to choose among them with weights."""
    return [thing for thing, count in zip(things, times, strict=True) for _ in range(count)]


def tidy(text: str) -> str:
    """Remove doubled spaces and punctuation, and choose between "a" and "an"."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;:])", r"\1", text)
    text = re.sub(r",([,.;:])", r"\1", text)
    text = re.sub(r',"\.$', '."', text)
    return re.sub(r"\b([Aa]) (?=[aeio]|un|8|11\b|18\b)(?!one\b|one-)", r"\1n ", text)


def without_capital(text: str) -> str:
    """Begin a text with a small letter, unless a name begins it."""
    return text if re.split(r"\W", text)[0] in NAMES else text[:1].lower() + text[1:]


def capitalised(text: str) -> str:
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]
