"""Files as mt-metrics-eval keeps them, against the scores published with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_core.correlation import kendall, pearson, regression, spearman

NAME = "formats-mtme-wmt23-ende"


@pytest.mark.parametrize("reference", ["refA", "synthetic_ref"])
def test_mt_metrics_eval_outputs_score_as_published(
    folder: Path, command: Callable[..., Any], expected: Callable[[str], Any], reference: str
) -> None:
    data = folder / "data" / "formats" / "mt-metrics-eval" / "wmt23"
    wanted = expected(NAME)["en-de"][reference]
    found = command(
        "score",
        "--ref",
        data / "references" / f"en-de.{reference}.txt",
        *(data / "system-outputs" / "en-de" / f"{system}.txt" for system in wanted),
    )
    for system, values in zip(found["systems"], wanted.values(), strict=True):
        assert found["segments"] == values["seg_n"]
        assert system["bleu"] == pytest.approx(values["sacrebleu_13a"], rel=1e-12)
        assert system["bleu"] == pytest.approx(values["published_sys"], rel=1e-12)
        assert [100 * p for p in system["precisions"]] == pytest.approx(values["precisions"], rel=1e-12)
        assert system["brevity_penalty"] == pytest.approx(values["bp"], rel=1e-12)
        assert (system["hypothesis_length"], system["reference_length"]) == (values["sys_len"], values["ref_len"])


@pytest.mark.parametrize("reference", ["refA", "synthetic_ref"])
@pytest.mark.parametrize("human", ["mqm", "da-sqm"])
def test_agreement_with_published_human_scores_equals_scipy(
    expected: Callable[[str], Any], reference: str, human: str
) -> None:
    values = expected(NAME)["en-de"]
    wanted = values["correlations"][f"{human}|BLEU-{reference}"]
    bleu = np.array([values[reference][system]["sacrebleu_13a"] for system in wanted["systems"]])
    means = np.array([values["human_sys"][human][system] for system in wanted["systems"]])
    for estimate, name in ((pearson, "pearson"), (spearman, "spearman"), (kendall, "kendall_b")):
        found = estimate(bleu, means)
        assert [found.coefficient, found.p_value] == pytest.approx(wanted[name], rel=1e-6)
    line = regression(bleu, means)
    assert [line.slope, line.intercept] == pytest.approx([wanted["slope"], wanted["intercept"]], rel=1e-6)
