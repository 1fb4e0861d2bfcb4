"""Parts that pages are made of: the sidebar, controls, charts and tables with their downloads, the upload form."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
