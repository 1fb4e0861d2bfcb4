"""What pages offer to choose from and print in their help: the core's names, labels, bounds and numbers of draws."""

from __future__ import annotations

from bleu_core.agreement import BLEU, STABILITY_RESAMPLES, Grouping, MetricTest, TestedMethod
from bleu_core.agreement import TRIALS as METRIC_TRIALS
from bleu_core.formats import FORMATS, LARGEST_WEIGHT, FileRole, Format, MqmWeights, formats_of
from bleu_core.formats import PUBLISHED as PUBLISHED_WEIGHTS
from bleu_core.formats import TITLES as WEIGHT_TITLES
from bleu_core.inference import ALPHA, BLOCKS, RESAMPLES, SEED, TESTS, Correction
from bleu_core.judges import UNITS, Unit
from bleu_core.paper import EXAMPLES as PAPER_EXAMPLES
from bleu_core.scoring import HIGHEST_ORDER, PRESET_LABELS, PRESETS, SETTINGS, BleuSettings, Setting, is_installed
from dashboard.session import Entry

__all__ = [
    "ALPHA",
    "BLEU",
    "BLOCKS",
    "FORMATS",
    "HIGHEST_ORDER",
    "LARGEST_WEIGHT",
    "METRIC_TRIALS",
    "PAPER_EXAMPLES",
    "PRESETS",
    "PRESET_LABELS",
    "PUBLISHED_WEIGHTS",
    "RESAMPLES",
    "SEED",
    "SETTINGS",
    "STABILITY_RESAMPLES",
    "TESTS",
    "UNITS",
    "WEIGHT_TITLES",
    "BleuSettings",
    "Correction",
    "FileRole",
    "Format",
    "Grouping",
    "MetricTest",
    "MqmWeights",
    "Setting",
    "TestedMethod",
    "Unit",
    "formats_for",
    "is_installed",
]


def formats_for(entry: Entry) -> tuple[str, ...]:
    """The keys of the formats that a file may be read in, in its role: of one that is text, those that are text."""
    found = formats_of(entry.file.role)
    if entry.report is None:
        return found
    read = FORMATS[entry.report.format_key]
    return tuple(
        key for key in found if key in (read.key, entry.file.format) or not (read.binary or FORMATS[key].binary)
    )
