"""Counting beyond one core and one sitting: counts of ranges of lines, which add up to those of the whole.

A range is counted by a pure task, on this machine or another; counts files keep the result, and merging adds. Other
packages import the names listed in `__init__.pyi`, and nothing else; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
