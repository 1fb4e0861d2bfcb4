"""What the server of a campaign lets whom reach: judges the rating page and its API, and the lead all else.

Other packages import the names listed in `__init__.pyi`, and nothing else.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
