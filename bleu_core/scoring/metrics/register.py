"""The register of metrics: built-in metrics, and those of installed packages.

A metric's module is imported when the metric is first needed. Entry points are read only for keys that are not built
in, and for a list of all metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.errors import SettingsError

if TYPE_CHECKING:  # which a command that scores by BLEU does not need
    from importlib.metadata import EntryPoint

    from bleu_core.scoring.metrics.declaration import Metric

#: key -> module of this package, in the order of lists.
BUILT_IN_METRICS: Mapping[str, str] = MappingProxyType(
    {
        "bleu": "bleu",
        "chrf2": "chrf2",
        "chrf2++": "chrf2_with_words",
        "ter": "ter",
        "wer": "wer",
    }
)

#: The key of the metric that is used unless another one is chosen.
DEFAULT_METRIC = "bleu"

#: The entry point group of metrics of other packages: the name is the key, the object is a Metric.
GROUP = "bleu_core.metrics"


def find_metric(key: str) -> Metric:
    """Return a metric by its key.

    Raises:
        SettingsError: there is no such metric, or the package that adds it is broken.
    """
    if key in BUILT_IN_METRICS:
        return _built_in(key)
    added = {entry.name: entry for entry in reversed(_entry_points())}
    if key not in added:
        raise SettingsError(f"metric {key!r} found, one of {', '.join((*BUILT_IN_METRICS, *sorted(added)))} expected")
    return _load(added[key])


def key_of_label(label: str) -> str | None:
    """Return the key of the metric with a label; None if no metric has it."""
    for key in BUILT_IN_METRICS:
        if _built_in(key).label == label:
            return key
    return next((key for key, metric in all_metrics().items() if metric.label == label), None)


def all_metrics() -> Mapping[str, Metric]:
    """Return all metrics by key, built-in ones first, without those of broken packages."""
    return _all()[0]


def broken_metrics() -> tuple[str, ...]:
    """Return a sentence about each metric of another package that all_metrics leaves out."""
    return _all()[1]


def _built_in(key: str) -> Metric:
    return import_module(f"{__package__}.{BUILT_IN_METRICS[key]}").METRIC


@cache
def _entry_points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # takes a seventh of a short run

    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))))


@cache
def _all() -> tuple[Mapping[str, Metric], tuple[str, ...]]:
    metrics = {key: _built_in(key) for key in BUILT_IN_METRICS}
    problems: list[str] = []
    for entry in _entry_points():
        try:
            metric = _load(entry)
            _check_new(entry, metric, metrics)
        except SettingsError as error:
            problems.append(str(error))
        else:
            metrics[metric.key] = metric
    return MappingProxyType(metrics), tuple(problems)


def _load(entry: EntryPoint) -> Metric:
    """Load the metric of another package.

    Raises:
        SettingsError: it cannot be imported, or does not match its entry point.
    """
    from bleu_core.scoring.metrics.declaration import Metric

    try:
        metric = entry.load()
    except Exception as error:  # the package may fail in any way
        problem = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise SettingsError(f"{_place(entry)} cannot be loaded: {problem}; repair or remove that package") from error
    if not isinstance(metric, Metric):
        raise SettingsError(
            f"{_place(entry)}: {type(metric).__name__} found, Metric expected; repair or remove that package"
        )
    if metric.key != entry.name:
        raise SettingsError(
            f"{_place(entry)}: key {metric.key!r} found, {entry.name!r} expected; repair or remove that package"
        )
    return metric


def _check_new(entry: EntryPoint, metric: Metric, others: Mapping[str, Metric]) -> None:
    """Check that a metric's key and label are new.

    Raises:
        SettingsError: another metric has the same key or label.
    """
    for other in others.values():
        shared = "key" if other.key == metric.key else "label" if other.label == metric.label else ""
        if shared:
            raise SettingsError(
                f"{_place(entry)} has the same {shared} as another metric ({getattr(metric, shared)!r}); remove "
                "one of the two"
            )


def _place(entry: EntryPoint) -> str:
    return f"metric {entry.name!r} of package {_package(entry)}"


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
