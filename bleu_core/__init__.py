"""Scores of machine translation, which differences are real, and how well scores agree with people. Knows no screen.

>>> import bleu_core
>>> corpus = bleu_core.Corpus(systems={"A": ["the cat sat on a mat"]}, references={"R": ["the cat sat on the mat"]})
>>> round(float(bleu_core.evaluate(corpus).scores.score[0]), 1)
53.7

`bleu_core.load` reads files. The names in `__init__.pyi` are loaded when they are first used; what else the packages
offer is in their own `__init__.py`, such as `bleu_core.inference`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
