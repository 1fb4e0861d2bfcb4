"""BLEU and what surrounds it: counting, significance, agreement with people. Knows no screen.

from bleu_core import BleuSettings, Corpus, evaluate

corpus = Corpus(systems={"A": ["the cat sat"]}, references={"R": ["the cat sat down"]})
evaluate(corpus, BleuSettings()).scores.score
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
