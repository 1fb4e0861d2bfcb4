"""The campaign files that this process has open: each once, for the judges and for all sessions of the lead."""

from __future__ import annotations

import threading
from pathlib import Path

from bleu_core.campaigns import CampaignStore

_LOCK = threading.Lock()
_STORES: dict[Path, CampaignStore] = {}


def open_campaign(path: Path) -> CampaignStore:
    """The campaign of a file, which is opened the first time that somebody asks for it.

    Raises:
        StoreError: the file cannot be read.
    """
    key = path.resolve()
    with _LOCK:
        if key not in _STORES:
            _STORES[key] = CampaignStore(path)
        return _STORES[key]


def close_campaigns() -> None:
    """Close all files, of which each then holds everything."""
    with _LOCK:
        while _STORES:
            _STORES.popitem()[1].close()
