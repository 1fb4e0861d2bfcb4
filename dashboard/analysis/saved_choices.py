"""Names that pages and the code that they show have in common."""

from __future__ import annotations

from bleu_core.project import ENDING

#: Controls that choose two systems, the first of which is compared with the other.
PAIR_KEYS = ("pair_system", "pair_baseline")

#: The name of the file of a workspace.
WORKSPACE_NAME = f"workspace{ENDING}"
