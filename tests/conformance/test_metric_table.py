"""One table with several metrics and people's means of a real test set, against sacreBLEU and mt-metrics-eval."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Runner
from sacrebleu.metrics.chrf import CHRF

import bleu_core as bc
from bleu_core.results.metric_scores import MetricColumn, metric_scores_table
from bleu_core.scoring import score_metric

METRICS = {"bleu": "bleu", "chrf2": "chrf", "ter": "ter"}


def test_the_table_has_sacrebleus_scores_and_the_means_of_an_uploaded_metric(
    folder: Path, run: Runner, tmp_path: Path
) -> None:
    data = folder / "data" / "ted-zhen"
    expected = json.loads((folder / "expected" / "ted-zhen.json").read_text(encoding="utf-8"))
    reference = data / "refs" / "ref.B.txt"
    systems = [path for path in sorted((data / "systems").glob("*.txt")) if not path.name.startswith("ref")][:3]
    lines = {path: path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for path in (reference, *systems)}
    chrf = CHRF()
    scores = {
        path.stem: [
            chrf.sentence_score(hypothesis, [text]).score / 100
            for hypothesis, text in zip(lines[path], lines[reference], strict=True)
        ]
        for path in systems
    }
    rows = [f"{name},{s},COMET,{score!r}" for name, values in scores.items() for s, score in enumerate(values, 1)]
    uploaded = tmp_path / "comet.csv"
    uploaded.write_text("\n".join(["system,segment,metric,score", *rows]) + "\n", encoding="utf-8")
    named = [part for key in METRICS for part in ("--metric", key)]
    call = ["score", *named, "--metric-scores", uploaded, "--ref", reference, *systems, "--format", "json"]
    report = run(*call).json
    assert [metric["metric"] for metric in report["metrics"]] == [*METRICS, "COMET"]
    of_bleu = expected["bleu"]["ref.B|tok=13a|lc=false"]
    for row in report["systems"]:
        name = row["system"]
        for key, theirs in METRICS.items():
            wanted = of_bleu[name]["score"] if key == "bleu" else expected[theirs][name]
            assert row["scores"][key] == pytest.approx(wanted, abs=1e-9)
        assert row["scores"]["COMET"] == pytest.approx(np.mean(scores[name]), rel=1e-12)
    loaded = bc.load(systems, [reference], judgments=[data / "human.csv"], documents=data / "docs.txt")
    judgments = loaded.judgments
    assert judgments is not None
    evaluation = bc.evaluate(loaded.corpus)
    columns = [MetricColumn(scored=score_metric(loaded.corpus, evaluation, key)) for key in ("bleu", "chrf2")]
    table = metric_scores_table(columns, human=judgments.system_means())
    assert list(table.columns) == ["system", "score_BLEU", "score_chrF2", "human"]
    for system, bleu, character, human in table.rows:
        assert bleu == pytest.approx(of_bleu[system]["score"], abs=1e-9)
        assert character == pytest.approx(expected["chrf"][system], abs=1e-9)
        assert human == pytest.approx(expected["human"]["system_means"][system], abs=1e-9)
