"""Names and bounds that pages, their code, and commands share."""

from __future__ import annotations

from collections.abc import Iterable

from bleu_core.project import ENDING

#: Controls that select two systems, the first of which is compared with the other.
PAIR_KEYS = ("pair_system", "pair_baseline")

#: Significance levels that pages offer.
LEVELS = ("0.05", "0.01", "0.1")

#: The greatest number of resamples or trials, and the greatest seed, of pages.
MAX_DRAWS, MAX_SEED = 1_000_000, 2**31 - 1

#: Name of the file of a workspace.
WORKSPACE_NAME = f"workspace{ENDING}"


def different_pair(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the names of a system and a baseline; None unless these are two different names."""
    match list(names):
        case [system, baseline] if system != baseline:
            return system, baseline
        case _:
            return None
