"""Workspaces: files with a person's corrections, read and fitted together; saved with settings and notes, and opened.

Other packages import the names listed in `__init__.pyi`, and nothing else; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
