"""What a session holds: its files, its address, its settings, and work that is done once."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
