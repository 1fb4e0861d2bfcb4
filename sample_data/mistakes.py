"""What machines, and a translator who is not a native speaker, get wrong.

Each kind of mistake has a rate per thousand of the places where it could happen. The words it needs are
kept in `mistakes.txt`.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sample_data.translators import without_capital

WORDS_FILE = Path(__file__).parent / "mistakes.txt"
ARTICLES = frozenset({"the", "a", "an"})
REPEATABLE = frozenset({"of", "the", "in", "to", "by", "has", "was", "is", "that", "and"})
DROPPABLE = frozenset({"that", "of", "to", "was", "were", "is", "has", "had", "been", "be", "it"})
ENDINGS = ',.;:"'
TOKEN = re.compile(r"(?P<lead>\W*)(?P<core>.*?)(?P<trail>[^\w%]*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How often each mistake is made, per thousand places where it could be.

    Attributes:
        word: the wrong meaning of a word ("court" as "yard").
        foreign: a word left in the source language.
        verb: tense or agreement of a verb.
        article: an article dropped, or "the" and "a" exchanged.
        extra_article: "the" before a name or a plural.
        preposition: the wrong preposition.
        dropped: a function word dropped.
        repeated: a function word said twice.
        genitive: "B A" for "A of B".
        adjective: the adjective after its noun.
        order: phrases in the order of the source language, per sentence.
        calque: a turn of phrase of the source language.
    """

    word: int = 0
    foreign: int = 0
    verb: int = 0
    article: int = 0
    extra_article: int = 0
    preposition: int = 0
    dropped: int = 0
    repeated: int = 0
    genitive: int = 0
    adjective: int = 0
    order: int = 0
    calque: int = 0


@cache
def words(section: str) -> dict[str, tuple[str, ...]]:
    """Return one section of the words file: what may replace each word."""
    chosen: dict[str, tuple[str, ...]] = {}
    current = ""
    for line in WORDS_FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("= "):
            current = line.removeprefix("= ")
        elif line and current == section:
            word, _, others = line.partition(":")
            chosen[word] = tuple(other.strip() for other in others.split(","))
    return chosen


def spoil(phrases: Sequence[str], rates: Rates, rng: random.Random) -> tuple[tuple[str, ...], int]:
    """Make mistakes in a sentence.

    Args:
        phrases: the phrases of a good sentence, with its full stop.
        rates: how often to make which mistake.
        rng: where chance comes from.

    Returns:
        The phrases with mistakes, and how many mistakes there are.
    """
    spoiled, errors = _reordered(phrases, rates, rng)
    result: list[str] = []
    for phrase in spoiled:
        tokens, more = _spoil_words(phrase.split(" "), rates, rng)
        text, calques = _calqued(" ".join(tokens), rates, rng)
        errors += more + calques
        result.append(text)
    return tuple(result), errors


def _reordered(phrases: Sequence[str], rates: Rates, rng: random.Random) -> tuple[list[str], int]:
    """Move a later phrase to the front, or before the phrase that it should follow."""
    order = list(phrases)
    if len(order) == 1 or rng.randrange(1000) >= rates.order:
        return order, 0
    stop = re.search(r'[.;:,]*"?$', order[-1])
    ending = stop[0] if stop else ""
    order[-1] = order[-1].removesuffix(ending)
    order[0] = without_capital(order[0])
    moved = order.pop(rng.randrange(1, len(order)))
    order.insert(0 if rng.randrange(2) else rng.randrange(len(order)), moved)
    order[-1] = order[-1].rstrip(",;:") + ending
    return order, 2


def _calqued(text: str, rates: Rates, rng: random.Random) -> tuple[str, int]:
    errors = 0
    for plain, calques in words("calques").items():
        if re.search(rf"\b{plain}\b", text) and rng.randrange(1000) < rates.calque:
            text = re.sub(rf"\b{plain}\b", rng.choice(calques), text, count=1)
            errors += 1
    return text, errors


def _spoil_words(tokens: Sequence[str], rates: Rates, rng: random.Random) -> tuple[list[str], int]:
    """Make the mistakes that concern a word or two neighbours."""
    result: list[str] = []
    errors = 0
    waiting = [token for token in tokens if token]
    while waiting:
        if _swapped(result, waiting, rates, rng):
            errors += 1
            continue
        token = waiting.pop(0)
        spoiled = _spoiled(token, result, rates, rng)
        errors += spoiled != [token]
        result.extend(spoiled)
    return result, errors


def _swapped(result: list[str], waiting: list[str], rates: Rates, rng: random.Random) -> bool:
    """Turn "A of B" into "B A", or an adjective and its noun around, if chance wants it."""
    word = waiting[0].lower()
    if word == "of" and result and len(waiting) > 1 and rng.randrange(1000) < rates.genitive:
        waiting.pop(0)
        if waiting[0] in ARTICLES and len(waiting) > 1:
            waiting.pop(0)
        owner = waiting.pop(0)
        bare = owner.rstrip(ENDINGS)
        result[-1:] = [bare, result[-1] + owner[len(bare) :]]
        return True
    if word in words("adjectives") and len(waiting) > 1 and rng.randrange(1000) < rates.adjective:
        adjective, noun = waiting.pop(0), waiting.pop(0)
        bare = noun.rstrip(ENDINGS)
        result.extend((bare, adjective + noun[len(bare) :]))
        return True
    return False


def _spoiled(token: str, before: Sequence[str], rates: Rates, rng: random.Random) -> list[str]:
    """Return what becomes of one word: itself, another one, the word twice, or nothing."""
    match = TOKEN.fullmatch(token)
    lead, core, trail = (match["lead"], match["core"], match["trail"]) if match else ("", token, "")
    word = core.lower()
    if word in ARTICLES and rng.randrange(1000) < rates.article:
        exchanged = {"the": "a"}.get(word, "the")
        return [lead + capital_like(core, exchanged) + trail] if rng.randrange(3) == 0 else []
    if word in DROPPABLE and not trail and rng.randrange(1000) < rates.dropped:
        return []
    replaced = _replaced(word, rates, rng)
    if replaced is not None:
        core = capital_like(core, replaced)
    elif _takes_no_article(core, before) and rng.randrange(1000) < rates.extra_article:
        core = f"the {core}"
    if word in REPEATABLE and not trail and rng.randrange(1000) < rates.repeated:
        return [lead + core, word]
    return [lead + core + trail]


def _replaced(word: str, rates: Rates, rng: random.Random) -> str | None:
    """Choose the word that stands in for another one, if any."""
    for section, rate in (
        ("senses", rates.word),
        ("foreign", rates.foreign),
        ("verbs", rates.verb),
        ("prepositions", rates.preposition),
    ):
        if word in words(section) and rng.randrange(1000) < rate:
            return rng.choice(words(section)[word])
    return None


def _takes_no_article(core: str, before: Sequence[str]) -> bool:
    """Tell whether a word is a plural or a name that stands without an article."""
    plural = core.endswith("s") and not core.endswith(("ss", "us", "is", "as")) and core.islower()
    return (plural or core[:1].isupper()) and bool(before) and before[-1].lower() not in ARTICLES


def capital_like(model: str, word: str) -> str:
    """Give a word a capital where its model has one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
