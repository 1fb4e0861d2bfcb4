"""Function words, by which languages of one script are distinguished: lists for single languages, counted by segment.

The lists are this project's own: articles, prepositions, conjunctions, pronouns and forms of to be and to have, which
grammars list as closed classes, of at most eight bytes in UTF-8. A word may be in the lists of several languages.
"""

# ruff: noqa: RUF001 # the Cyrillic letters are meant
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.scoring import Counting, chunks, hash_tokens, line_tokenizer

#: Language (ISO 639-1) -> its function words in lower case.
FUNCTION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "bg": "и на да не се от за по до със при или като че към без под над още има бе са ще",
        "cs": "a se na je že to si do jako ale pro tak jsem byl by být jen když však nebo jsou při ve ze ke už také",
        "da": "og at det er en den til på som med af for ikke der jeg de et har han var fra men vi blev efter hvis",
        "de": """der die das und ist nicht ein eine einen einem einer den dem des zu mit auf für von im sich auch es an
            werden wird aus er sie ich wir haben hat als wie bei oder nach um am war noch wenn über dass nur zum zur""",
        "en": """the of and a in i to is that it was for on are with as his they be at this have from or had by not
            but what no an he she me my so we were when your can there which their said if do will how them
            would these has him been who its our""",
        "es": """de la que el en los se del las un por con no una su para es al lo como más pero sus le ha este sí
            porque esta entre cuando muy sin sobre también hasta hay donde quien desde todo nos""",
        "fi": "ja on ei se että oli en hän mutta ovat kun niin myös ole jos mitä tai joka sen vain kuin sitä ollut",
        "fr": """de la le et les des en un du une que est pour qui dans au sur par pas plus ne ce il sont avec se aux
            ou son mais comme nous vous elle cette ses été était sa leur je être ont""",
        "hu": "a az és hogy nem is egy ez volt meg csak de van már el még mint ha vagy azt ami így kell lesz után",
        "id": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada kami mereka oleh",
        "it": """di che la il un per non una in sono del si le con i da come ho ha lo ma è al dei più nel della gli alla
            anche questo era ed se mi ci degli delle""",
        "nl": """de het een van en in is dat op te zijn met die voor niet aan er om ook als dan maar bij nog uit naar
            heeft hij zij deze werd door wordt worden meer""",
        "no": "og i det er på som en til av for at med de har ikke den han var et om jeg fra vi men ble eller etter",
        "pl": "w i na z do się nie to że jest o jak za po co ale od czy tym przez tak są dla był tylko oraz może jego",
        "pt": """de que o a e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou
            quando muito nos já eu também pelo pela até isso ela entre são você""",
        "ro": "de și în a la nu o cu pe un că mai din este să care se au fi ce pentru sunt dar sau prin fost după",
        "ru": """и в не на что я он с как а то это по но они мы она из у за от для так его же все был или бы да о к ещё
            уже при их""",
        "sv": "och att det i en som är av för på med den till inte har de ett om han var jag men sig från vi så kan",
        "tr": "bir ve bu için da de ile çok olarak daha gibi o ne kadar ama var en sonra olan ki değil ben her",
        "uk": "і в не на що я він з як а це та до але вони ми вона із у за від для так його же все був або би ще вже",
    }
)

LANGUAGES = tuple(FUNCTION_WORDS)

#: Tokenisation of words: separated from punctuation, in lower case.
WORDS = Counting(tokenizer="13a", lowercase=True)


#: Maximum number of segments from which the language of the references is recognised.
MAX_SEGMENTS = 1000

#: Minimum share of function words of the language among the references' tokens.
LANGUAGE_SHARE = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class FunctionWords:
    """The function words of all texts.

    Attributes:
        language: the position in LANGUAGES of the references' language; None if it has no list.
        counts: (T, S, languages) number of distinct words of each language; for languages other than that of the
            references, words that are also in its list do not count.
    """

    language: int | None
    counts: Integers


def function_words(data: DiagnosticInput) -> FunctionWords:
    """Return the language of the references, and the function words of all texts."""
    counts = data.segment_values(count_function_words)
    return FunctionWords(data.whole.computed_once(language_by_words), counts)


def count_function_words(data: DiagnosticInput) -> npt.NDArray[Any]:
    """Count function words, (T, S, languages), as in FunctionWords."""
    member = _lists()[1].copy()
    reference_language = data.computed_once(language_by_words)
    if reference_language is not None:
        own = member[:, reference_language].copy()
        member[own] = False
        member[:, reference_language] = own
    all_counts = np.zeros((len(data.texts), data.segments, len(LANGUAGES)), np.int64)
    for counts, text in zip(all_counts, data.texts.values(), strict=True):
        for first, rows, words, _ in _words_of(text):
            present = np.zeros((int(rows.max(initial=-1)) + 1, len(member)), np.bool_)
            present[rows, words] = True
            lines, numbers = np.nonzero(present)
            starts = np.flatnonzero(np.diff(lines, prepend=-1))
            if len(starts):
                counts[first + lines[starts]] = np.add.reduceat(member[numbers], starts, axis=0, dtype=np.int64)
    return all_counts


def language_by_words(data: DiagnosticInput) -> int | None:
    """Return the language of the references, by their function words in a sample of segments."""
    data = data.sample(MAX_SEGMENTS)
    sums, tokens = np.zeros(len(LANGUAGES)), 0
    for name in data.references:
        words, _, size = sum_function_words(data.corpus.references[name])
        sums += words
        tokens += size
    best = int(sums.argmax())
    return best if sums[best] >= LANGUAGE_SHARE * max(tokens, 1) else None


def sum_function_words(text: Sequence[str | None]) -> tuple[Floats, Floats, int]:
    """Return the number of function words of each language in a text, of different ones, and of all its tokens."""
    every, member = _lists()
    counts, tokens = np.zeros(len(every), np.int64), 0
    for _, _, words, size in _words_of(text):
        counts += np.bincount(words, minlength=len(every))
        tokens += size
    return (counts @ member).astype(np.float64), ((counts > 0) @ member.astype(np.float64)), tokens


def _words_of(text: Sequence[str | None]) -> Iterator[tuple[int, Integers, Integers, int]]:
    """Yield for each chunk its first line, the lines and numbers of its function words, and its number of tokens."""
    every, tokenize = _lists()[0], line_tokenizer(WORDS)
    for chunk in chunks(text):
        tokens = hash_tokens(tokenize([line or "" for line in text[chunk]]))
        rows = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths + 1)
        openings = tokens.openings[1:]
        place = np.minimum(np.searchsorted(every, openings), len(every) - 1)
        known = every[place] == openings
        yield chunk.start, rows[known], place[known], int(tokens.lengths.sum())


@cache
def _lists() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Return the openings of all words, as in token keys, and the languages of each word."""
    tokenize = line_tokenizer(WORDS)
    words = [hash_tokens(tokenize([word_list])).openings[1:-1] for word_list in FUNCTION_WORDS.values()]
    every = np.array(sorted(set(np.concatenate(words).tolist())), np.uint64)
    member = np.zeros((len(every), len(words)), np.bool_)
    for language, language_words in enumerate(words):
        member[np.searchsorted(every, language_words), language] = True
    return every, member
