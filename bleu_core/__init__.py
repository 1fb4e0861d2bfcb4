"""BLEU and what surrounds it: counting, blocks, agreement with people. Knows no screen.

from bleu_core import BleuSettings, Corpus, evaluate

corpus = Corpus(systems={"A": ["the cat sat"]}, references={"R": ["the cat sat down"]})
evaluate(corpus, BleuSettings()).scores.score
"""

import os
import sys
from pathlib import PurePath

if "bleu-core" in {PurePath(name).stem for name in sys.argv[:1]}:
    # The command, not the library. BLAS, which counting has no use for, would start a thread a core as NumPy loads,
    # and that takes longer than to score thousands of segments.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bleu_core.bleu import PRESETS, Bleu, BleuSettings, bleu
from bleu_core.corpus import Column, Corpus
from bleu_core.errors import AlignmentError, BleuCoreError, FormatError, SettingsError
from bleu_core.evaluation import Evaluation, evaluate
from bleu_core.judgments import Judgments
from bleu_core.ngrams import NgramStats, count_ngrams
from bleu_core.sums import SumTable

__all__ = [
    "PRESETS",
    "AlignmentError",
    "Bleu",
    "BleuCoreError",
    "BleuSettings",
    "Column",
    "Corpus",
    "Evaluation",
    "FormatError",
    "Judgments",
    "NgramStats",
    "SettingsError",
    "SumTable",
    "bleu",
    "count_ngrams",
    "evaluate",
]
