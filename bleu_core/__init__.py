"""Score MT systems, test their differences, and correlate metrics with human ratings. Has no user interface.

>>> import bleu_core
>>> corpus = bleu_core.Corpus(systems={"A": ["the cat sat on a mat"]}, references={"R": ["the cat sat on the mat"]})
>>> round(float(bleu_core.evaluate(corpus).scores.score[0]), 1)
53.7

`bleu_core.load` reads files. The names in `__init__.pyi` are loaded when they are first used. Packages such as
`bleu_core.inference` export further names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
