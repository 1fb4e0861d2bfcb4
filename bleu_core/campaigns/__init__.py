"""Campaigns: judgments collected from people, from the plan and the order of the items to the file with their ratings.

Other packages import the names listed in `__init__.pyi`, and nothing else; each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
