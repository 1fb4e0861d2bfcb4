"""The register of probes; a probe's module is imported when the probe is first needed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.errors import SettingsError

if TYPE_CHECKING:  # which the options of a command do not need
    from bleu_core.diagnostics.probes.declaration import Probe

#: key -> module of this package, in the order of lists.
PROBES: Mapping[str, str] = MappingProxyType(
    {
        "reorder": "reorder",
        "negation": "negation",
        "number": "number",
        "name": "name",
        "cut": "cut",
        "reference": "reference",
    }
)

#: Number of examples of each change that are shown initially.
EXAMPLES = 3


def find_probe(key: str) -> Probe:
    """Return a probe by its key.

    Raises:
        SettingsError: there is no such probe.
    """
    if key not in PROBES:
        raise SettingsError(f"probe {key!r} found, one of {', '.join(PROBES)} expected")
    return import_module(f"{__package__}.{PROBES[key]}").PROBE


def all_probes() -> tuple[Probe, ...]:
    """Return all probes, in the order of lists."""
    return tuple(find_probe(key) for key in PROBES)
