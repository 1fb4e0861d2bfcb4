"""Negation words are found in the languages that have a list."""

from __future__ import annotations

import pytest

from bleu_core.errors import SettingsError
from bleu_core.slicing.negations import NEGATION_LANGUAGES, NEGATION_PATTERNS, NEGATION_WORDS, negation_counter

#: Two sentences per language: one that negates, with the number of its negation words, and the same without.
EXAMPLES = {
    "ar": ("لا أعرف ذلك ولم يكن هنا", 2, "أعرف ذلك وكان هنا"),
    "cs": ("Není to žádný problém.", 2, "Je to velký problém, nebo ne\u0161t\u011bst\u00ed."),
    "de": ("Das ist kein Problem, ich komme NICHT.", 2, "Das ist ein Problem, nichtig und einig."),
    "en": ("I don't know, and I can\u2019t do nothing.", 3, "I note the noon and the nobility of it's want."),
    "es": ("No sé nada.", 2, "Sé todo y nadando."),
    "fr": ("Il n'est pas là, je n\u2019ai rien.", 4, "Il est là, le passant a un pays neuf."),
    "it": ("Non c'è nessun'altra via.", 2, "C'è un'altra via, nota."),
    "ja": ("彼は行きません。知らない。", 2, "彼は行きます。少なく、まもなく、危ない。"),
    "nl": ("Ik heb geen idee, niet nu.", 2, "Ik heb een idee, iets nu."),
    "pl": ("Nie mam żadnych pytań.", 2, "Mam pytania i niebo."),
    "pt": ("Não sei nada.", 2, "Sei tudo, nado."),
    "ru": ("Никто не знает.", 2, "Все знают нетто."),
    "sv": ("Jag vet inte, ingen vet.", 2, "Jag vet, alla vet."),
    "uk": ("Ніхто не знає жодного.", 3, "Усі знають небо."),
    "zh": ("我不知道，他没有去。", 2, "我知道，不过他未来去。"),
}


@pytest.mark.parametrize("language", NEGATION_LANGUAGES)
def test_negation_words_are_counted_as_whole_words(language: str) -> None:
    text, count, without = EXAMPLES[language]
    assert negation_counter(language)(text) == count
    assert negation_counter(language)(without) == 0


@pytest.mark.parametrize("language", NEGATION_WORDS)
def test_every_word_of_a_list_is_found_once_alone_and_in_capitals(language: str) -> None:
    count = negation_counter(language)
    for entry in NEGATION_WORDS[language].split():
        word = entry.strip("*")
        text = f"x{word}" if entry.startswith("*") else f"{word}x" if entry.endswith(("*", "'")) else word
        assert count(text) == count(f"({text.upper()})") == 1, entry
    assert len(NEGATION_WORDS[language].split()) == len(set(NEGATION_WORDS[language].split()))


def test_other_languages_are_refused_with_a_list() -> None:
    with pytest.raises(SettingsError) as error:
        negation_counter("EN")
    assert str(error.value) == (
        "slice: language 'EN' of negation words found, one of ar, cs, de, en, es, fr, it, ja, nl, pl, pt, ru, sv, uk, "
        "zh expected"
    )
    assert set(NEGATION_LANGUAGES) == set(NEGATION_WORDS) | set(NEGATION_PATTERNS)
