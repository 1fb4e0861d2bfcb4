"""What the segments say, before anybody has translated them.

A document tells one story: it draws a cast (people, places, a firm) and a topic, and each of its segments is
one frame of that topic (or one that fits every topic) with its slots filled in. The frames are kept in
`stories/`: sections `@slot` list what a slot may hold, sections `= name` list the patterns of a frame. A word
after the name restricts the section to documents of that kind ("growth" or "cuts" in the economy).
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sample_data import vocabulary
from sample_data.markup import Markup, parse, slots

SEED = 2002
DOCUMENTS = 40
SEGMENTS = 500
MIN_DOCUMENT_LENGTH, MAX_DOCUMENT_LENGTH = 7, 18  # segments in a document
OF_TOPIC = 620  # per thousand segments of a document; the rest tells what could happen in any story
STORIES = Path(__file__).parent / "stories"
TOPICS = ("economy", "weather", "elections", "courts", "transport", "science", "sport", "culture")
PEOPLE = ("chief", "critic", "expert", "local")
NUMBER = re.compile(r"(?:(?P<unit>%|m|k|y|th) )?(?P<low>\d+)-(?P<high>\d+)")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a story."""

    first: str
    last: str
    female: bool
    role: str

    @property
    def full(self) -> str:
        """First name and surname."""
        return f"{self.first} {self.last}"


Value = Person | Markup | int


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one segment says: ways to build the sentence, and what fills their slots."""

    document: int
    patterns: tuple[Markup, ...]
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a story file."""

    name: str
    kind: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class Deck:
    """Deals its cards in random order and shuffles them again when all are dealt."""

    cards: tuple[str, ...]
    left: list[str] = field(default_factory=list[str])

    def deal(self, rng: random.Random) -> str:
        """Return the next card."""
        if not self.left:
            self.left = list(self.cards)
            rng.shuffle(self.left)
        return self.left.pop()


def document_names() -> tuple[str, ...]:
    """Return the id of every document, in order."""
    return tuple(f"story-{number:02d}" for number in range(1, DOCUMENTS + 1))


def meanings() -> tuple[Meaning, ...]:
    """Return what the 500 segments say, document by document."""
    rng = random.Random(SEED)
    teller = _Teller(rng)
    topics = [TOPICS[number % len(TOPICS)] for number in range(DOCUMENTS)]
    told: list[Meaning] = []
    for document, length in enumerate(_lengths(rng)):
        told.extend(teller.story(document, topics[document], length))
    return tuple(told)


def _lengths(rng: random.Random) -> list[int]:
    """Draw the lengths of the documents, which add up to the number of segments."""
    lengths = [rng.randrange(MIN_DOCUMENT_LENGTH, MAX_DOCUMENT_LENGTH + 1) for _ in range(DOCUMENTS)]
    while sum(lengths) != SEGMENTS:
        chosen = rng.randrange(DOCUMENTS)
        step = 1 if sum(lengths) < SEGMENTS else -1
        if MIN_DOCUMENT_LENGTH <= lengths[chosen] + step <= MAX_DOCUMENT_LENGTH:
            lengths[chosen] += step
    return lengths


def _sections(topic: str) -> tuple[Section, ...]:
    """Read a story file."""
    sections: list[Section] = []
    for line in (STORIES / f"{topic}.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith(("@", "= ")):
            name, _, kind = line.removeprefix("= ").partition(" ")
            sections.append(Section(name, kind, ()))
        elif line:
            last = sections.pop()
            sections.append(Section(last.name, last.kind, (*last.lines, line.removeprefix("- "))))
    return tuple(sections)


class _Teller:
    """Draws stories; remembers what it has used, so that it comes back as late as possible."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._sections = {topic: _sections(topic) for topic in (*TOPICS, "shared")}
        self._decks: dict[tuple[str, ...], Deck] = {}

    def story(self, document: int, topic: str, length: int) -> list[Meaning]:
        """Tell one document of the given number of segments."""
        sections = self._sections[topic]
        frames = [section for section in sections if not section.name.startswith("@")]
        leads = {section.kind: section for section in frames if section.name == "lead"}
        kind = self._deal((topic, "kind"), tuple(leads))
        cast = self._cast(sections, topic, kind)

        fitting = [frame for frame in frames if frame.kind in {"", kind} and frame.name != "lead"]
        of_topic = min(len(fitting), (length - 1) * OF_TOPIC // 1000)
        self._rng.shuffle(fitting)
        order = [True] * of_topic + [False] * (length - 1 - of_topic)
        self._rng.shuffle(order)
        shared = {frame.name + frame.kind: frame for frame in self._sections["shared"] if frame.name[0] != "@"}
        chosen = [leads[kind]]
        for topical in order:
            if topical:
                chosen.append(fitting.pop())
                continue
            frame = shared[self._deal(("shared",), tuple(shared))]
            while frame in chosen:
                frame = shared[self._deal(("shared",), tuple(shared))]
            chosen.append(frame)
        return [self._meaning(document, topic, frame, cast) for frame in chosen]

    def _deal(self, deck: tuple[str, ...], cards: Sequence[str]) -> str:
        return self._decks.setdefault(deck, Deck(tuple(cards))).deal(self._rng)

    def _cast(self, sections: Sequence[Section], topic: str, kind: str) -> dict[str, Value]:
        """Draw what stays the same throughout a document."""
        people = [self._person() for _ in range(6)]
        day = self._rng.randrange(7)
        cast: dict[str, Value] = {
            "city": parse(self._deal(("city",), vocabulary.CITIES)),
            "town": parse(self._deal(("town",), vocabulary.TOWNS)),
            "country": parse(self._deal(("country",), vocabulary.COUNTRIES)),
            "region": parse(self._deal(("region",), vocabulary.REGIONS)),
            "river": parse(self._deal(("river",), vocabulary.RIVERS)),
            "university": parse(self._deal(("university",), vocabulary.UNIVERSITIES)),
            "firm": parse(self._deal(("firm",), vocabulary.FIRMS)),
            "paper": parse(self._deal(("paper",), vocabulary.PAPERS)),
            "winner": parse(people[4].full),
            "rider2": parse(people[5].full),
            "day": day,
            "day2": (day + self._rng.randrange(1, 5)) % 7,
        }
        for key, person in zip(PEOPLE, people[:4], strict=True):
            roles = next(section.lines for section in sections if section.name == f"@{key}")
            role = self._deal((topic, key), roles)
            cast[key] = Person(person.first, person.last, person.female, role)
        for section in sections:
            key = section.name.removeprefix("@")
            if section.name.startswith("@") and key not in PEOPLE and section.kind in {"", kind}:
                cast[key] = parse(self._deal((topic, section.name, section.kind), section.lines))
        return cast

    def _person(self) -> Person:
        female = self._rng.randrange(2) == 0
        first = self._deal(("women",), vocabulary.WOMEN) if female else self._deal(("men",), vocabulary.MEN)
        return Person(first, self._deal(("surname",), vocabulary.SURNAMES), female, "")

    def _meaning(self, document: int, topic: str, frame: Section, cast: Mapping[str, Value]) -> Meaning:
        """Fill in every slot that a frame's patterns, or what fills their slots, ask for."""
        patterns = tuple(parse(line) for line in frame.lines)
        values = dict(cast)
        values["month"] = self._rng.randrange(12)
        values["date"] = 100 * self._rng.randrange(12) + self._rng.randrange(1, 29)
        waiting = [key for pattern in patterns for key in slots(pattern)]
        while waiting:
            key = waiting.pop(0).removesuffix("!")
            if key not in values and (value := self._value(key, topic, cast)) is not None:
                values[key] = value
            filled = values.get(key)
            if isinstance(filled, tuple):
                waiting.extend(inner for inner in slots(filled) if inner not in values)
        return Meaning(document, patterns, values)

    def _value(self, key: str, topic: str, cast: Mapping[str, Value]) -> Value | None:
        """Draw what belongs to one segment only; None for the slots that a translator can fill alone."""
        if number := NUMBER.fullmatch(key):
            drawn = self._rng.randrange(int(number["low"]), int(number["high"]) + 1)
            return drawn - drawn % 10 if drawn >= 100 and number["unit"] is None else drawn
        if "|" in key:
            return parse(self._rng.choice(key.split("|")))
        if key.startswith("+"):
            name = key.removeprefix("+").partition(":")[0]
            for source in (topic, "shared"):
                for section in self._sections[source]:
                    if section.name == f"@{name}":
                        return parse(self._deal((source, section.name), section.lines))
        if key == "nickname":
            return parse(self._deal(("nickname",), vocabulary.NICKNAMES))
        if key == "abroad":
            countries = [country for country in vocabulary.COUNTRIES if parse(country) != cast["country"]]
            return parse(self._rng.choice(countries))
        return None
