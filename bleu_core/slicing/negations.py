"""Negation words in a text, from lists by language.

The lists have particles, pronouns, adverbs, conjunctions and prepositions that negate, and no words with a negating
prefix, such as the English impossible. Czech, whose verbs have such a prefix, is the exception: its list has the most
frequent negated verbs. The words identify segments that probably contain a negation; some have other meanings, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.errors import SettingsError, listed

if TYPE_CHECKING:
    import regex

#: Language (ISO 639-1) -> its negation words in lower case. A final * means any letters, an initial * a preceding
#: joined word, and a final apostrophe a following joined word.
NEGATION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "ar": """لا ولا فلا ألا بلا وبلا لم ولم فلم ألم لن ولن فلن ليس* وليس* فليس* أليس* لست لستم لسنا غير وغير بغير
            دون ودون بدون وبدون عدم وعدم بعدم لعدم""",
        "cs": """ne není nejsem nejsi nejsme nejste nejsou nebyl* nebud* nebýt nemá nemám nemáš nemáme nemáte nemají
            neměl* nemít nemohu nemůžu nemůže* nemohou nemůžou nemohl* nechci nechce* nechtějí nechtěl* nemus* nesmí
            nesmím nesmíš nesmíme nesmíte nesmějí nesměl nesměla nesmělo nesměli nesměly neví nevím nevíš nevíme
            nevíte nevědí nevěděl* nikdo nikoho nikomu nikým nic ničeho ničemu ničím nikdy nikde nikam odnikud nijak
            nikoli nikoliv žádn* ani bez beze""",
        "de": """nicht nichts kein keine keinen keinem keiner keines keins keinerlei keineswegs keinesfalls nie niemals
            niemand niemanden niemandem niemandes nirgends nirgendwo nirgendwohin weder ohne nein""",
        "en": "not no never none nothing nobody nowhere neither nor without cannot *n't",
        "es": "no ni nunca jamás nada nadie ningún ninguno ninguna ningunos ningunas tampoco sin",
        "fr": """ne n' pas jamais rien personne aucun aucune aucuns aucunes nul nulle nuls nulles nullement guère ni
            sans non""",
        "it": "non no né nessun nessuno nessuna nulla niente mai nemmeno neanche neppure senza",
        "nl": "niet niets niks geen nooit niemand nergens noch zonder nee",
        "pl": "nie nic niczego niczemu niczym nikt nikogo nikomu nikim nigdy nigdzie żaden żadn* ani bez",
        "pt": "não nem nunca jamais nada ninguém nenhum nenhuma nenhuns nenhumas tampouco sem",
        "ru": """не нет ни никто никого никому никем ничто ничего ничему ничем никогда нигде никуда ниоткуда никак
            никако* никаки* ничуть нельзя без""",
        "sv": "inte icke ej ingen inget inga ingenting aldrig ingenstans varken utan nej",
        "uk": """не ні немає нема ніхто нікого нікому ніким ніщо нічого нічому нічим ніколи ніде нікуди нізвідки ніяк
            ніяк* жоден жодн* без""",
    }
)

#: Language without blanks between words -> regular expression of negations. Frequent words that contain them by chance,
#: or do not negate, are excluded: few, dangerous, soon (Japanese); future, but, not only, constantly (Chinese).
NEGATION_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "ja": r"(?<!少|危|幼)ない|なかった|(?<!少|まも|間も)なく|なければ|なきゃ|ません|ずに|無い|無く|無かった",
        "zh": r"不(?![过過仅僅但断斷])|没|沒|无|無|未(?![来來])|勿|毋|并非|並非|绝非|絕非|而非",
    }
)

#: All languages that have a list.
NEGATION_LANGUAGES = tuple(sorted((*NEGATION_WORDS, *NEGATION_PATTERNS)))


def negation_counter(language: str) -> Callable[[str], int]:
    """Return a function that counts the negation words of a language in a text.

    Args:
        language: one of NEGATION_LANGUAGES.

    Raises:
        SettingsError: there is no list for that language.

    >>> negation_counter("en")("I don't know nothing, and I cannot say No.")
    4
    """
    pattern = _pattern(language)
    return lambda text: len(pattern.findall(_folded(text)))


def negation_spans(language: str) -> Callable[[str], list[tuple[int, int]]]:
    """Return a function that finds the negation words of a language in a text.

    Args:
        language: one of NEGATION_LANGUAGES.

    Returns:
        A function that returns starts and exclusive ends, in characters; of joined words the negating part alone. It
        returns nothing for texts whose length differs in lower case.

    Raises:
        SettingsError: there is no list for that language.

    >>> negation_spans("en")("I don't say No.")
    [(4, 7), (12, 14)]
    """
    pattern = _pattern(language)

    def places(text: str) -> list[tuple[int, int]]:
        folded = _folded(text)
        return [match.span() for match in pattern.finditer(folded)] if len(folded) == len(text) else []

    return places


def _folded(text: str) -> str:
    """Return a text in the spelling of the lists."""
    return text.lower().replace("\u2019", "'")  # the typeset apostrophe


def _pattern(language: str) -> regex.Pattern[str]:
    import regex  # loaded when first needed

    if language not in NEGATION_LANGUAGES:
        known = listed(NEGATION_LANGUAGES, max_items=30)
        raise SettingsError(f"slice: language {language!r} of negation words found, one of {known} expected")
    return regex.compile(
        NEGATION_PATTERNS.get(language) or _expression(NEGATION_WORDS[language].split()), regex.VERSION1
    )


def _expression(words: list[str]) -> str:
    """Return a regular expression of whole words, and of words that are joined to others."""
    word_character = r"[\p{L}\p{M}\p{N}]"
    begins, ends = rf"(?<!{word_character})", rf"(?!{word_character})"
    suffixes = [word.strip("*") for word in words if word.startswith("*")]
    stems = [word.strip("*") for word in words if word.endswith("*")]
    prefixes = [word for word in words if word.endswith("'")]
    whole_words = [word for word in words if word.strip("*") not in (*suffixes, *stems, *prefixes)]
    forms = [
        (begins, whole_words, ends),
        (begins, stems, f"{word_character}*"),
        (begins, prefixes, ""),
        ("", suffixes, ends),
    ]
    return "|".join(
        rf"{before}(?:{'|'.join(alternatives)}){after}" for before, alternatives, after in forms if alternatives
    )
