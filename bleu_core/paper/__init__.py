"""Papineni et al. (2002): what the paper prints, its experiment on other data, and its claims tested.

Other packages import the names listed in `__init__.pyi`, and nothing else; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
