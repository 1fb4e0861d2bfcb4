"""Names that pages and their code share."""

from __future__ import annotations

from bleu_core.project import ENDING

#: Controls that select two systems, the first of which is compared with the other.
PAIR_KEYS = ("pair_system", "pair_baseline")

#: Name of the file of a workspace.
WORKSPACE_NAME = f"workspace{ENDING}"
