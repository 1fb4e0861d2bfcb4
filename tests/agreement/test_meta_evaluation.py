"""Metrics against people through the command line: levels, judges, other metrics."""

from __future__ import annotations

import contextlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sample_data
from bleu_core.agreement import MetricScores, segment_level, system_level
from bleu_core.agreement.system_agreement import (
    bootstrap_systems,
    permutation_p_values,
    permutation_p_values_of_sums,
    soft_pairwise_accuracy,
    stability,
)
from bleu_core.cli.commands import main
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import SettingsError
from bleu_core.formats import read
from bleu_core.judges import compare_ratings, judge_summaries, krippendorff_alpha, pairwise_kendall, standardised
from bleu_core.scoring import BleuEvaluation, BleuSettings, all_metrics, evaluate

SYSTEMS = [str(path) for path in sample_data.systems()]
REFERENCE = str(sample_data.references()[0])


def lines(path: Path | str) -> tuple[str, ...]:
    return tuple(Path(path).read_text(encoding="utf-8").split("\n")[:-1])


@pytest.fixture(scope="module")
def evaluation() -> BleuEvaluation:
    systems = {Path(path).stem: lines(path) for path in SYSTEMS}
    return evaluate(Corpus(systems, {"R1": lines(REFERENCE)}), BleuSettings())


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    path = sample_data.JUDGMENTS
    found = read(path.read_bytes(), path.name, "judgments").judgments
    assert found is not None
    return found


@cache  # several tests make the same call
def printed(*options: str) -> str:
    base = ["correlate", "--ref", REFERENCE, "--human", str(sample_data.JUDGMENTS), "--format", "json"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*base, *options, *SYSTEMS]) == 0
    return out.getvalue()


@pytest.fixture
def correlate() -> Any:
    return lambda *options: json.loads(printed(*options))


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
    correlate: Any, evaluation: BleuEvaluation, judgments: Judgments
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
    correlate: Any, evaluation: BleuEvaluation, judgments: Judgments, tmp_path: Path
) -> None:
    human = judgments.segment_means(evaluation.systems, evaluation.segments).scores
    file = scores_file(tmp_path, "oracle", np.nan_to_num(human, nan=0.0))
    found = correlate("--level", "segment", "--metric-scores", file)["ranking"]
    assert [(m["metric"], m["rank"]) for m in found["metrics"]] == [("oracle", 1), ("BLEU", 2)]
    assert found["p_values_adjusted"][0][1] < 0.05


def test_metrics_of_systems_are_compared_as_bleu_is(correlate: Any, evaluation: BleuEvaluation, tmp_path: Path) -> None:
    file = scores_file(tmp_path, "twin", np.repeat(evaluation.scores.score[:, None], evaluation.segments, axis=1))
    found = correlate("--metric-scores", file)
    (twin,) = found["metrics"]
    assert twin["metric"] == "twin"
    for method in ("pearson", "spearman", "kendall"):
        assert twin[method]["coefficient"] == pytest.approx(found[method]["coefficient"], rel=1e-9)
    assert {m["rank"] for m in found["ranking"]["metrics"]} == {1}


def test_without_other_metrics_there_is_no_ranking(correlate: Any) -> None:
    assert not {"metrics", "ranking"} & set(correlate())


def test_what_agreement_rests_on_is_that_of_each_question(
    correlate: Any, evaluation: BleuEvaluation, judgments: Judgments
) -> None:
    found = correlate()
    bleu = np.array([s["bleu"] for s in found["systems"]])
    human = np.array([s["human"] for s in found["systems"]])
    assert found["over_systems"]["pearson"]["low"] == bootstrap_systems(bleu, human, "pearson").interval.low
    ratings = judgments.segment_means(evaluation.systems, evaluation.segments).scores
    of_segments = stability(evaluation.statistics, ratings, "spearman")
    assert found["over_segments"]["spearman"]["median"] == pytest.approx(of_segments.median, abs=1e-9)
    p_of_bleu = permutation_p_values_of_sums(evaluation.statistics, np.isfinite(ratings))
    p_of_people = permutation_p_values(ratings)
    soft = soft_pairwise_accuracy(p_of_bleu, p_of_people)
    assert found["soft_pairwise_accuracy"]["value"] == pytest.approx(soft.value, abs=1e-9)
    for k, one in enumerate(found["leave_one_out"]):
        rest = np.delete(bleu, k), np.delete(human, k)
        assert one["pearson"] == pytest.approx(stats.pearsonr(*rest).statistic, abs=1e-9)
        assert one["kendall"] == pytest.approx(stats.kendalltau(*rest).statistic, abs=1e-9)
    assert found["outliers"] == []


def test_ratings_of_systems_only_have_no_stability_and_say_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ratings.csv"
    names = [Path(system).stem for system in SYSTEMS]
    path.write_text("system,score\n" + "".join(f"{name},{k}\n" for k, name in enumerate(names)), encoding="utf-8")
    base = ["correlate", "--ref", REFERENCE, "--human", str(path), "--format", "json"]
    assert main([*base, *SYSTEMS]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["soft_pairwise_accuracy"]["value"] is None
    assert found["over_segments"]["pearson"]["median"] is None
    assert found["over_segments"]["pearson"]["reason"]
    assert main([*base, "--level", "segment", *SYSTEMS]) == 0
    of_segments = json.loads(capsys.readouterr().out)
    assert all(c["coefficient"] is None and c["reason"] for c in of_segments["correlations"])


def test_judges_and_groups_left_out_are_followed(correlate: Any, judgments: Judgments) -> None:
    found = {
        s["system"]: s["human"] for s in correlate("--exclude-judge", "bilingual", "--exclude-judge", "M01")["systems"]
    }
    kept = judgments.table[(judgments.table["group"] == "monolingual") & (judgments.table["judge"] != "M01")]
    by_segment = kept.groupby(["system", "segment"])["score"].mean()
    assert found == pytest.approx(by_segment.groupby("system").mean().to_dict(), rel=1e-12)


def test_z_scores_are_those_of_each_judge(correlate: Any, judgments: Judgments) -> None:
    found = {s["system"]: s["human"] for s in correlate("--standardise")["systems"]}
    assert found == pytest.approx(dict(standardised(judgments).system_means()), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--exclude-judge", "nobody"], "'nobody'"),
        (["--exclude-judge", "monolingual", "--exclude-judge", "bilingual"], "all judges are left out"),
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
    assert "for X, Y, Z" in said
    assert "S1, S2, S3" in said


def test_two_metrics_of_one_name_are_refused(refused: Any, tmp_path: Path) -> None:
    file = scores_file(tmp_path, "twin", np.zeros((5, 500)))
    assert "twin.csv already holds scores of twin; rename or remove one" in refused(
        "--metric-scores", file, "--metric-scores", file
    )


def test_judges_and_differences_are_there_when_asked_for(correlate: Any, judgments: Judgments) -> None:
    found = correlate("--judges", "--differences", "neighbours")
    assert not {"judges", "rater_differences"} & set(correlate())
    assert [row["judge"] for row in found["judges"]] == [s.judge.name for s in judge_summaries(judgments)]
    assert found["judges"][0]["mean"] == pytest.approx(judge_summaries(judgments)[0].mean, abs=1e-8)
    assert found["krippendorff"][0]["alpha"] == pytest.approx(krippendorff_alpha(judgments).coefficient, rel=1e-12)
    assert found["pairwise_kendall"]["mean"] == pytest.approx(pairwise_kendall(judgments).mean, rel=1e-12)
    assert len(found["judge_pairs"]) == 20 * 19 / 2
    assert sum(row["share"] for row in found["variance"]) == pytest.approx(1)
    assert [row["group"] for row in found["groups"]] == ["bilingual", "monolingual"]
    wanted = compare_ratings(judgments.table).pairs
    by_segment = [row for row in found["rater_differences"] if row["unit"] == "segment"]
    assert [(row["system"], row["baseline"]) for row in by_segment] == [(p.better, p.worse) for p in wanted]
    assert [row["mean_difference"] for row in by_segment] == pytest.approx([p.by_segment.mean for p in wanted])


def test_judges_of_systems_left_out_do_not_count(correlate: Any) -> None:
    everyone = correlate("--judges")["judges"]
    machines = correlate("--judges", "--human-system", "H1", "--human-system", "H2")["judges"]
    assert {row["systems"] for row in everyone} == {5}
    assert {row["systems"] for row in machines} == {3}


def test_no_metric_stands_in_for_bleu(evaluation: BleuEvaluation, judgments: Judgments) -> None:
    corpus = Corpus({Path(path).stem: lines(path) for path in SYSTEMS}, {"R1": lines(REFERENCE)})
    other = MetricScores(
        name="BLEU",
        systems=evaluation.systems,
        system_scores=-evaluation.scores.score,
        segment_scores=np.empty((len(SYSTEMS), 0)),
    )
    for level in (system_level, segment_level):
        with pytest.raises(SettingsError, match="two metrics are called BLEU"):
            level(corpus, evaluation, judgments, [MetricScores.of_bleu(evaluation), other])


def test_metrics_computed_here_are_compared_as_uploaded_ones(correlate: Any, evaluation: BleuEvaluation) -> None:
    found = correlate("--metric", "bleu", "--metric", "BLEU-2", "--metric", "BLEU, lower-case", "--metric", "chrF2")
    others = {m["metric"]: m for m in found["metrics"]}
    assert list(others) == ["BLEU-2", "BLEU, lower-case", "chrF2"]
    expected = evaluation.with_settings(BleuSettings(max_order=2)).scores.score
    assert [s["bleu"] for s in others["BLEU-2"]["systems"]] == pytest.approx(expected.tolist(), rel=1e-12)
    assert "case:lc" in others["BLEU, lower-case"]["signature"]
    assert others["chrF2"]["signature"].startswith("nrefs:1|case:mixed|eff:yes|nc:6")
    assert {m["metric"] for m in found["ranking"]["metrics"]} == {"BLEU", *others}


def test_a_metric_nobody_computes_is_refused(refused: Any) -> None:
    labels = ", ".join(metric.label for metric in all_metrics().values() if metric.key != "bleu")
    assert f"metric 'COMET' found, expected one of {labels}, BLEU-1" in refused("--metric", "COMET")


def test_a_metric_named_twice_is_compared_once(correlate: Any) -> None:
    found = correlate("--metric", "bleu", "--metric", "chrF2", "--metric", "chrf2")
    assert [m["metric"] for m in found["metrics"]] == ["chrF2"]
