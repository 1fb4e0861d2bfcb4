"""Negation words of a text, by lists of them for single languages.

The lists have particles, pronouns, adverbs, conjunctions and prepositions that negate, and no words with a negating
prefix, such as the English impossible. Czech, whose verbs have such a prefix, is the exception: its list has the most
frequent negated verbs. The words find segments that probably hold a negation; some have other meanings, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.errors import SettingsError, listed

if TYPE_CHECKING:
    import regex

#: Language (ISO 639-1) -> its negation words in lower case; * at the end stands for any letters, and at the
#: beginning for a word that the rest is joined to; so does an apostrophe at the end for a word that follows.
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

#: Language without blanks between words -> a regular expression of what negates. Frequent words that hold it by chance,
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
    """How many negation words of a language a text has, as a function of the text.

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
    """Where negation words of a language stand in a text, as a function of the text.

    Args:
        language: one of NEGATION_LANGUAGES.

    Returns:
        A function that gives starts, and positions behind ends, in characters; of a word that is joined to another,
        that word alone. It finds nothing in a text that has another length in lower case.

    Raises:
        SettingsError: there is no list for that language.

    >>> negation_places("en")("I don't say No.")
    [(4, 7), (12, 14)]
    """
    pattern = _pattern(language)

    def places(text: str) -> list[tuple[int, int]]:
        folded = _folded(text)
        return [found.span() for found in pattern.finditer(folded)] if len(folded) == len(text) else []

    return places


def _folded(text: str) -> str:
    """A text as the lists write it."""
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
    """A regular expression of whole words, and of those that are joined to another."""
    of_word = r"[\p{L}\p{M}\p{N}]"
    begins, ends = rf"(?<!{of_word})", rf"(?!{of_word})"
    joined_before = [word.strip("*") for word in words if word.startswith("*")]
    beginnings = [word.strip("*") for word in words if word.endswith("*")]
    joined_after = [word for word in words if word.endswith("'")]
    whole = [word for word in words if word.strip("*") not in (*joined_before, *beginnings, *joined_after)]
    forms = [
        (begins, whole, ends),
        (begins, beginnings, f"{of_word}*"),
        (begins, joined_after, ""),
        ("", joined_before, ends),
    ]
    return "|".join(rf"{before}(?:{'|'.join(some)}){after}" for before, some, after in forms if some)
