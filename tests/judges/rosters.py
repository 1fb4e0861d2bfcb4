"""Ratings of simulated rosters, and least squares with a column per system, segment and judge by statsmodels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments


def judgments_of(rows: Sequence[tuple[int, str, str, float]], documents: Sequence[str] | None = None) -> Judgments:
    """Judgments of rows (segment, system, judge, score), perhaps with a document each."""
    segments, systems, judges, scores = zip(*rows, strict=True)
    return Judgments.from_ratings(
        systems,
        np.array(scores, np.float64),
        range(2, len(rows) + 2),
        "h.csv",
        segments=segments,
        judges=judges,
        documents=documents,
    )


def random_rows(
    seed: int, *, systems: int = 5, segments: int = 30, judges: int = 4, share: float = 0.8
) -> list[tuple[int, str, str, float]]:
    """Ratings of some of all items, each by one or two judges of different severity."""
    generator = np.random.default_rng(seed)
    severity = generator.normal(size=judges)
    rows: list[tuple[int, str, str, float]] = []
    for segment in range(1, segments + 1):
        for system in range(systems):
            if generator.random() > share:
                continue
            for judge in generator.choice(judges, size=generator.integers(1, 3), replace=False).tolist():
                score = 0.3 * system + severity[judge] + generator.normal()
                rows.append((segment, f"S{system}", f"J{judge}", round(float(score), 6)))
    return rows


def of_statsmodels(rows: Sequence[tuple[int, str, str, float]], systems: Sequence[str]) -> Floats:
    """(K,) effects of systems, the first one's 0, of ordinary least squares with dummies."""
    from statsmodels.regression.linear_model import OLS

    table = pd.DataFrame(rows, columns=["segment", "system", "judge", "score"])
    dummies = [pd.get_dummies(table[name].astype(str), prefix=name).iloc[:, 1:] for name in ("segment", "judge")]
    own = [(table["system"] == name).astype(float).rename(f"system_{name}") for name in systems[1:]]
    design = pd.concat([*own, *dummies], axis=1).astype(float)
    design.insert(0, "constant", 1.0)
    fitted: Any = OLS(table["score"], design).fit()
    return np.array([0.0, *(fitted.params[f"system_{name}"] for name in systems[1:])])


#: Effects of four judges on their ratings.
SEVERITIES = (0.0, -0.5, -1.0, -6.0)


def confounded_rows(
    systems: Sequence[str], *, segments: int = 200, confounded: bool = True, better: float = 0.0, seed: int = 0
) -> list[tuple[int, str, str, float]]:
    """Ratings of up to four systems, of which the last is better by so much; the severe judge rates the first often."""
    generator = np.random.default_rng(seed)
    severe = len(SEVERITIES) - 1
    rows: list[tuple[int, str, str, float]] = []
    for segment in range(1, segments + 1):
        judges = generator.permutation(len(SEVERITIES))
        if confounded and judges[0] != severe and generator.random() < 0.7:
            place = int(np.flatnonzero(judges == severe)[0])
            judges[[0, place]] = judges[[place, 0]]
        for name, judge in zip(systems, judges.tolist(), strict=False):
            score = better * (name == systems[-1]) + SEVERITIES[judge] + generator.normal()
            rows.append((segment, name, f"J{judge}", float(score)))
    return rows
