"""Error annotations of some of the annotators: people, whose profiles are averaged, or one metric."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import ErrorAnnotations
from bleu_core.errors import SettingsError


def of_annotators(annotations: ErrorAnnotations, chosen: npt.NDArray[np.bool_]) -> ErrorAnnotations:
    """Return the items and the errors of some of the annotators.

    Args:
        annotations: of A annotators.
        chosen: (A,), whether each annotator is among them.
    """
    kept = annotations.of_items(chosen[annotations.item_annotator])
    return replace(
        kept,
        annotators=tuple(a for a, is_kept in zip(annotations.annotators, chosen.tolist(), strict=True) if is_kept),
        item_annotator=(np.cumsum(chosen) - 1)[kept.item_annotator],
    )


def metric_names(annotations: ErrorAnnotations) -> tuple[str, ...]:
    """Return the names of the metrics that marked errors."""
    return tuple(dict.fromkeys(a.name for a in annotations.annotators if a.is_metric))


def of_judges(
    annotations: ErrorAnnotations, judges: Collection[str] = (), groups: Collection[str] = ()
) -> ErrorAnnotations:
    """Return the annotations of people.

    Args:
        annotations: of people and metrics.
        judges: names of those to select; all if empty.
        groups: names of groups to select; all if empty.

    Raises:
        SettingsError: a judge or a group does not exist, or no judge remains.
    """
    people = [a for a in annotations.annotators if not a.is_metric]
    _check("judge", judges, {a.name for a in people})
    _check("group of judges", groups, {a.group for a in people if a.group is not None})
    chosen = np.array(
        [
            not a.is_metric and (not judges or a.name in judges) and (not groups or a.group in groups)
            for a in annotations.annotators
        ],
        np.bool_,
    )
    if people and not chosen.any():
        raise SettingsError("no judge of these names is in these groups, at least 1 expected")
    return of_annotators(annotations, chosen)


def without_judges(annotations: ErrorAnnotations, names: Collection[str]) -> ErrorAnnotations:
    """Return the annotations of metrics, and of people whose names and groups are not among those.

    Raises:
        SettingsError: there is no such judge or group, or nobody remains.
    """
    people = [a for a in annotations.annotators if not a.is_metric]
    _check("judge", names, {name for a in people for name in (a.name, a.group) if name is not None})
    chosen = np.array([a.is_metric or not {a.name, a.group} & set(names) for a in annotations.annotators], np.bool_)
    if not chosen.any():
        raise SettingsError("all judges are left out, at least 1 expected")
    return of_annotators(annotations, chosen)


def of_metric(annotations: ErrorAnnotations, name: str) -> ErrorAnnotations:
    """Return the annotations of one metric.

    Raises:
        SettingsError: no metric of this name marked errors.
    """
    _check("metric", [name], set(metric_names(annotations)))
    chosen = np.array([a.is_metric and a.name == name for a in annotations.annotators], np.bool_)
    return of_annotators(annotations, chosen)


def _check(noun: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise SettingsError(
                f"{noun} {name!r} found, one of {', '.join(sorted(known)) or 'none'} expected: these have marked errors"
            )
