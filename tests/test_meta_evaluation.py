"""Metrics against people through the command line: levels, judges, other metrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sample_data
from bleu_core.bleu import BleuSettings
from bleu_core.cli import main
from bleu_core.corpus import Corpus
from bleu_core.evaluation import Evaluation, evaluate
from bleu_core.formats.recognise import read
from bleu_core.judges import standardised
from bleu_core.judgments import Judgments

SYSTEMS = [str(path) for path in sample_data.systems()]
REFERENCE = str(sample_data.references()[0])


def lines(path: Path | str) -> tuple[str, ...]:
    return tuple(Path(path).read_text(encoding="utf-8").split("\n")[:-1])


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    systems = {Path(path).stem: lines(path) for path in SYSTEMS}
    return evaluate(Corpus(systems, {"R1": lines(REFERENCE)}), BleuSettings())


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    path = sample_data.JUDGMENTS
    found = read(path.read_bytes(), path.name, "judgments").judgments
    assert found is not None
    return found


@pytest.fixture
def correlate(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*options: str) -> Any:
        base = ["correlate", "--ref", REFERENCE, "--human", str(sample_data.JUDGMENTS), "--format", "json"]
        assert main([*base, *options, *SYSTEMS]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*options: str) -> str:
        assert main(["correlate", "--ref", REFERENCE, "--human", str(sample_data.JUDGMENTS), *options, *SYSTEMS]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        return err

    return run


def scores_file(folder: Path, name: str, scores: Any) -> str:
    """A long table of a metric's scores, (K, S)."""
    path = folder / f"{name}.csv"
    rows = [
        f"{Path(system).stem},{name},{segment},{value!r}"
        for system, of_system in zip(SYSTEMS, scores.tolist(), strict=True)
        for segment, value in enumerate(of_system, start=1)
    ]
    path.write_text("system,metric,segment,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def test_pooled_coefficients_of_segments_are_scipys(
    correlate: Any, evaluation: Evaluation, judgments: Judgments
) -> None:
    found = correlate("--level", "segment")
    human = judgments.segment_means(evaluation.systems, evaluation.segments).scores.round(9)
    bleu = evaluation.segment_scores.score.round(9)
    rated = ~np.isnan(human)
    assert found["level"] == "segment"
    for method, theirs in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        (pooled,) = [
            c for c in found["correlations"] if (c["metric"], c["method"], c["grouping"]) == ("BLEU", method, "none")
        ]
        wanted = theirs(bleu[rated], human[rated])
        assert [pooled["coefficient"], pooled["p_value"]] == pytest.approx([wanted[0], wanted[1]], rel=1e-6)
        assert pooled["entries"] == rated.sum()


def test_a_metric_that_is_people_themselves_ranks_first(
    correlate: Any, evaluation: Evaluation, judgments: Judgments, tmp_path: Path
) -> None:
    human = judgments.segment_means(evaluation.systems, evaluation.segments).scores
    file = scores_file(tmp_path, "oracle", np.nan_to_num(human, nan=0.0))
    found = correlate("--level", "segment", "--metric-scores", file)["ranking"]
    assert [(m["metric"], m["rank"]) for m in found["metrics"]] == [("oracle", 1), ("BLEU", 2)]
    assert found["p_values_adjusted"][0][1] < 0.05


def test_metrics_of_systems_are_compared_as_bleu_is(correlate: Any, evaluation: Evaluation, tmp_path: Path) -> None:
    file = scores_file(tmp_path, "twin", np.repeat(evaluation.scores.score[:, None], evaluation.segments, axis=1))
    found = correlate("--metric-scores", file)
    (twin,) = found["metrics"]
    assert twin["metric"] == "twin"
    for method in ("pearson", "spearman", "kendall"):
        assert twin[method]["coefficient"] == pytest.approx(found[method]["coefficient"], rel=1e-9)
    assert {m["rank"] for m in found["ranking"]["metrics"]} == {1}


def test_without_other_metrics_the_contract_is_what_it_was(correlate: Any) -> None:
    assert set(correlate()) == {
        *("signature", "level", "excluded", "systems", "pearson", "spearman", "kendall"),
        *("pairwise_accuracy", "regression"),
    }


def test_judges_and_groups_left_out_are_followed(correlate: Any, judgments: Judgments) -> None:
    found = {s["system"]: s["human"] for s in correlate("--exclude", "bilingual", "--exclude", "M01")["systems"]}
    kept = judgments.table[(judgments.table["group"] == "monolingual") & (judgments.table["judge"] != "M01")]
    by_segment = kept.groupby(["system", "segment"])["score"].mean()
    assert found == pytest.approx(by_segment.groupby("system").mean().to_dict(), rel=1e-12)


def test_z_scores_are_those_of_each_judge(correlate: Any, judgments: Judgments) -> None:
    found = {s["system"]: s["human"] for s in correlate("--zscore")["systems"]}
    assert found == pytest.approx(dict(standardised(judgments).system_means()), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--exclude", "nobody"], "'nobody'"),
        (["--exclude", "monolingual", "--exclude", "bilingual"], "all judges are left out"),
        (["--metric-scores", "gone.csv"], "gone.csv"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(refused: Any, options: list[str], said: str) -> None:
    assert said in refused(*options)


def test_scores_of_other_systems_are_refused_with_the_names_found_and_expected(refused: Any, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("system,metric,segment,score\nX,other,1,0.5\nY,other,1,0.6\nZ,other,1,0.7\n", encoding="utf-8")
    said = refused("--metric-scores", str(path))
    assert "other.csv" in said
    assert "X, Y, Z found" in said
    assert "S1, S2, S3" in said


def test_two_metrics_of_one_name_are_refused(refused: Any, tmp_path: Path) -> None:
    file = scores_file(tmp_path, "twin", np.zeros((5, 500)))
    assert "two metrics are called twin" in refused("--metric-scores", file, "--metric-scores", file)
