"""Resampled documents: their ids, and the interval as NumPy and sacreBLEU give it."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import Runner, Writer
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from scipy import stats

import sample_data

DOCUMENTS, LINES = 8, 20
SYSTEMS = ("S1", "S2")


def lines_of(name: str) -> list[str]:
    path = next(p for p in (*sample_data.systems(), *sample_data.references()) if p.stem == name)
    return path.read_text(encoding="utf-8").splitlines()[: DOCUMENTS * LINES]


def statistics(name: str) -> NDArray[np.float64]:
    """Lengths, matches and totals of each document, by sacreBLEU."""
    of_lines = [BLEU().corpus_score([a], [[b]]) for a, b in zip(lines_of(name), lines_of("R1"), strict=True)]
    rows = np.array([(one.sys_len, one.ref_len, *one.counts, *one.totals) for one in of_lines], np.float64)
    return rows.reshape(DOCUMENTS, LINES, -1).sum(axis=1)


def bleu(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    length, reference, matches, totals = sums[:, 0], sums[:, 1], sums[:, 2:6], sums[:, 6:]
    return 100 * np.exp(np.minimum(1 - reference / length, 0) + np.log(matches / totals).mean(axis=1))


@pytest.mark.parametrize("blank", ["", " "])
def test_the_interval_of_few_documents_is_the_jackknifes_whatever_blanks_follow_their_ids(
    blank: str, write: Writer, run: Runner
) -> None:
    files = {name: write(f"{name}.txt", "\n".join(lines_of(name)) + "\n") for name in (*SYSTEMS, "R1")}
    ids = [f"d{n // LINES}{blank if n % 2 else ''}\n" for n in range(DOCUMENTS * LINES)]
    documents = write("documents.txt", "".join(ids))
    found = run(
        "compare", "--format", "json", "--documents", documents, "--ref", files["R1"], *(files[s] for s in SYSTEMS)
    ).json
    assert (found["unit"], found["units"]) == ("document", DOCUMENTS)
    of_documents = [statistics(name) for name in ("S2", "S1")]
    left_out = np.ones((DOCUMENTS, DOCUMENTS)) - np.eye(DOCUMENTS)
    ahead, behind = (bleu(left_out @ sums) for sums in of_documents)
    # Tukey (1958): the variance of the pseudovalues, over their number.
    deltas = ahead - behind
    error = np.sqrt((DOCUMENTS - 1) / DOCUMENTS * np.square(deltas - deltas.mean()).sum())
    reach = stats.t.ppf(0.975, DOCUMENTS - 1) * error
    (pair,) = found["pairs"]
    assert [pair["low"], pair["high"]] == pytest.approx([pair["delta"] - reach, pair["delta"] + reach], abs=1e-9)
    assert pair["p_value"] == pytest.approx(2 * stats.t.sf(abs(pair["delta"]) / error, DOCUMENTS - 1))
    assert found["interval_method"] == "jackknife with Student's t"
