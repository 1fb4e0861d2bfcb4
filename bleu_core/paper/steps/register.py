"""The register of steps."""

from __future__ import annotations

from importlib import import_module

from bleu_core.paper.step import Step

#: Modules of this package, each of which exports a STEP, in the order of the paper.
MODULES: tuple[str, ...] = (
    "examples",
    "length",
    "penalties",
    "figure_1",
    "figure_2",
    "combining",
    "table_1",
    "table_2",
    "block_sizes",
    "references_by_number",
    "single_reference",
    "figures_3_4",
    "figures_5_6",
    "figure_7",
    "agreement_by_reference",
    "definitions",
    "claims",
    "published",
)


def all_steps() -> tuple[Step, ...]:
    """Return all steps, in the order of the paper."""
    return tuple(import_module(f"{__package__}.{name}").STEP for name in MODULES)
