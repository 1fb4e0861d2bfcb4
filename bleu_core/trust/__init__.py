"""Warnings where BLEU misleads: what is checked, what was found, how it could mislead, and what to do.

Other packages import the names listed in `__init__.pyi`, and nothing else; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
