"""The translation edit rate (Snover et al. 2006, A Study of Translation Edit Rate), equal to sacreBLEU's.

Case is always folded. With several references a segment has the fewest edits, over the mean reference length. Absent
references are ignored; an empty one has length 0, which lowers the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers
from bleu_core.dataset import Corpus
from bleu_core.errors import listed
from bleu_core.progress import Progress
from bleu_core.scoring.bleu_score import SETTINGS, BleuSettings
from bleu_core.scoring.edit_alignment import NumberedReference
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.metrics.by_segment import count_by_segment
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.metrics.sacrebleu_signature import sacrebleu_signature
from bleu_core.scoring.segment_statistics import SegmentStatistics, ratio
from bleu_core.scoring.shifted_edits import fewest_edits

#: Number of hypotheses, some seconds of work, from which on several processes share the work.
MIN_SHARED_HYPOTHESES = 50_000

#: The most words of a text. The time of shifts grows faster than the square of the words: with 5,000 words, a text may
#: take seconds.
MAX_WORDS = 5000

#: The languages whose characters sacreBLEU's Asian support treats as words.
SPLIT_BY_ASIAN_SUPPORT = ("Chinese", "Japanese")

#: Function that splits a text into words.
WordsOf = Callable[[str], Sequence[str]]


def ter(sums: Numbers) -> npt.NDArray[np.float64]:
    """Compute TER of summed edits.

    Args:
        sums: (..., 2) edits, and reference length in words, a mean over the references.

    Returns:
        Points, (...), at least 0, above 100 for more edits than words; against empty references 100 if there is any
        edit, else 0. NaN where a text has more words than MAX_WORDS.
    """
    edits, length = sums[..., 0], sums[..., 1]
    scores = np.where(length > 0, ratio(edits, length, length > 0), edits > 0)
    return np.where(np.isnan(edits), np.nan, 100 * scores)


def _statistics(corpus: Corpus, evaluation: BleuEvaluation, progress: Progress | None) -> SegmentStatistics:
    count = partial(_count, words_of=_words_under(evaluation.settings))
    counts = count_by_segment(corpus, evaluation, count, progress, shared_from=MIN_SHARED_HYPOTHESES)
    return SegmentStatistics(evaluation.systems, counts, ter)


def _count(texts: set[str], references: Sequence[str], *, words_of: WordsOf) -> Mapping[str, tuple[float, float]]:
    """Return, for each hypothesis, its edits and the mean length of the references."""
    # sacreBLEU normalises references twice, which splits a possessive before punctuation, for example.
    words = [words_of(" ".join(words_of(reference))) for reference in references]
    numbered = [NumberedReference(reference) for reference in words]
    length = sum(map(len, words)) / len(words)
    max_words = max(map(len, words))
    return {text: (_edits(words_of(text), numbered, max_words), length) for text in texts}


def _edits(words: Sequence[str], references: Sequence[NumberedReference], max_words: int) -> float:
    """Return the edits of a hypothesis; NaN if it or a reference, with at most so many words, is too long."""
    return fewest_edits(words, references) if max(max_words, len(words)) <= MAX_WORDS else math.nan


def _explain(corpus: Corpus, evaluation: BleuEvaluation, statistics: SegmentStatistics) -> str:
    """Return which texts have too many words: the first line of each system and reference."""
    words_of = _words_under(evaluation.settings)
    texts = [*((name, corpus.references[name]) for name in evaluation.references)]
    texts += [(name, corpus.systems[name]) for name in evaluation.systems]
    found: dict[str, str] = {}
    for segment in np.flatnonzero(np.isnan(statistics.values).any(axis=(0, 2))).tolist():
        for name, lines in texts:
            words = len(words_of(lines[segment] or ""))
            if words > MAX_WORDS and name not in found:
                found[name] = f"line {segment + 1:,} of {name} has {words:,} words"
    reason = f"with more than {MAX_WORDS:,} words, TER takes too long; divide such lines into segments"
    return f"{listed(found.values(), 3)}; {reason}"


def _words_under(settings: BleuSettings) -> WordsOf:
    """Return the function that splits a text into words under the settings."""
    options = _sacrebleu_options(settings)
    if not any(options.values()):
        return _words
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer  # loaded when first needed

    return partial(_normalised_words, tokenizer=TercomTokenizer(**options))


def _words(text: str) -> Sequence[str]:
    return text.lower().split()


def _normalised_words(text: str, *, tokenizer: Callable[[str], str]) -> Sequence[str]:
    return tokenizer(text.rstrip()).split()


def _sacrebleu_options(settings: BleuSettings) -> dict[str, bool]:
    """Return sacreBLEU's options; its Asian support has no effect without normalisation."""
    return {
        "normalized": settings.ter_normalized or settings.ter_asian_support,
        "no_punct": settings.ter_no_punct,
        "asian_support": settings.ter_asian_support,
    }


def _at_blanks(settings: BleuSettings, language: str) -> bool:
    return not settings.ter_asian_support or language not in SPLIT_BY_ASIAN_SUPPORT


def _signature(evaluation: BleuEvaluation) -> str:
    from sacrebleu.metrics.ter import TER  # loaded when first needed

    return sacrebleu_signature(partial(TER, **_sacrebleu_options(evaluation.settings)), evaluation)


METRIC = Metric(
    key="ter",
    label="TER",
    help="word edits and shifts per reference word (sacreBLEU)",
    statistics=_statistics,
    signature=_signature,
    higher_is_better=False,
    undefined=f"a line has more than {MAX_WORDS:,} words, for which TER takes too long; divide it into segments",
    explain=_explain,
    settings=tuple(key for key, setting in SETTINGS.items() if setting.metric == "ter"),
    words_at_blanks=_at_blanks,
)
