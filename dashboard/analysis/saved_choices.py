"""Names that pages and their code share."""

from __future__ import annotations

from collections.abc import Iterable

from bleu_core.project import ENDING

#: Controls that select two systems, the first of which is compared with the other.
PAIR_KEYS = ("pair_system", "pair_baseline")

#: Name of the file of a workspace.
WORKSPACE_NAME = f"workspace{ENDING}"


def different_pair(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the names of a system and a baseline; None unless these are two different names."""
    match list(names):
        case [system, baseline] if system != baseline:
            return system, baseline
        case _:
            return None
