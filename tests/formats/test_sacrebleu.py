"""sacreBLEU's own JSON, made by sacreBLEU."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.utils import print_results_table, print_single_results

import sample_data
from bleu_core import load
from bleu_core.dataset import PrintedScore
from bleu_core.errors import FormatError
from bleu_core.formats import inspect, read

SYSTEMS = sample_data.systems()[:2]


def sacrebleu(*metrics: Metric, width: int = 1, systems: Sequence[Path] = SYSTEMS[:1]) -> bytes:
    """What the program prints about systems of the sample with --format json, by the functions that print it."""
    reference = [read_lines(sample_data.references()[0])]
    found = [[metric.corpus_score(read_lines(path), reference) for metric in metrics] for path in systems]
    options = Namespace(format="json", width=width)
    stream = io.StringIO()
    with redirect_stdout(stream):
        if len(systems) == 1:
            pairs = zip(found[0], metrics, strict=True)
            texts = [score.format(width, False, str(each.get_signature()), True) for score, each in pairs]  # noqa: FBT003
            print_single_results(texts, options)
        else:
            columns = {found[0][k].name: [row[k].format(width, True) for row in found] for k in range(len(metrics))}  # noqa: FBT003
            print_results_table({"System": list(map(str, systems)), **columns}, {}, options)
    return stream.getvalue().encode()


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:20]  # TER is slow


def printed(data: bytes | str, name: str = "S.json", **options: Any) -> tuple[PrintedScore, ...]:
    content = data if isinstance(data, bytes) else data.encode()
    return read(content, name, "scores", **options).printed


def test_scores_of_one_system_have_its_files_name_and_their_signatures() -> None:
    data = sacrebleu(BLEU(), CHRF(), width=2)
    found = inspect(data, "S1.json")
    assert (found.role, found.format) == ("scores", "sacrebleu")
    contents = read(data, "S1.json", "scores")
    bleu, chrf = contents.printed
    assert (bleu.system, bleu.metric, chrf.metric, bleu.decimals) == ("S1", "BLEU", "chrF2", 2)
    assert bleu.score == contents.scores[0].system_scores[0] == json.loads(data)[0]["score"]
    assert "tok:13a" in bleu.signature
    assert f"hyp_len = {bleu.hypothesis_length} ref_len = {bleu.reference_length}" in data.decode()
    assert chrf.hypothesis_length is None
    assert [table.systems for table in contents.scores] == [("S1",), ("S1",)]


def test_a_single_score_is_an_object_and_its_system_can_be_chosen() -> None:
    (score,) = printed(sacrebleu(BLEU()), own={"system": "other"})
    assert (score.system, score.decimals) == ("other", 1)


def test_several_systems_are_named_after_their_files_and_have_no_signature() -> None:
    data = sacrebleu(BLEU(), TER(), width=3, systems=SYSTEMS)
    assert inspect(data, "a.json").format == "sacrebleu"
    found = read(data, "a.json", "scores")
    assert [(each.system, each.metric, each.signature) for each in found.printed] == [
        (path.stem, metric, "") for path in SYSTEMS for metric in ("BLEU", "TER")
    ]
    assert [score.decimals for score in found.printed] == [3] * 4
    assert [table.higher_is_better for table in found.scores] == [True, False]


def test_scores_beside_a_test_are_read_and_the_baseline_is_a_system() -> None:
    tested = [
        {"system": "Baseline: out/A.txt", "BLEU": {"score": 20.781234567, "p_value": None, "mean": 20.8, "ci": 0.6}},
        {"system": "out\\B.txt", "BLEU": {"score": 21, "p_value": 0.01, "mean": 21.0, "ci": 0.5}},
    ]
    data = json.dumps(tested)
    assert inspect(data.encode(), "a.json").format == "sacrebleu"
    assert [(each.system, each.score, each.decimals) for each in printed(data)] == [
        ("A", 20.781234567, 6),
        ("B", 21.0, 0),
    ]


SCORE = {"name": "BLEU", "score": 1.5, "signature": "nrefs:1"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"name": "BLEU",\n "score": 1.5, "signature": "nrefs:1"', 'S.json, line 2: \' "score": 1.5'),
        (json.dumps([SCORE, SCORE]), "S.json: second score by BLEU found"),
        (json.dumps(SCORE | {"score": "x"}), "S.json, BLEU of S: score 'x' found, a number expected"),
        (json.dumps(SCORE | {"score": None}), "S.json, BLEU of S: score '' found"),
        (json.dumps(SCORE | {"score": True}), "S.json, BLEU of S: score 'True' found"),
        (json.dumps(SCORE | {"name": 3}), "S.json: '3' found as name of a metric"),
        (json.dumps([SCORE, {"name": "TER"}]), "S.json: an object without name, score and signature"),
        ('[{"system": "a/S", "BLEU": "1"}, {"system": "b/S", "BLEU": "1"}]', "both 'a/S' and 'b/S' are scores of S"),
        ('[{"system": "a/", "BLEU": "1"}]', None),
        ('[{"system": " ", "BLEU": "1"}]', "the name of its file expected"),
        ('[{"system": "\\udfff", "BLEU": "1"}]', "has half of a surrogate pair"),
        ("[1]", "S.json: a list without objects found"),
    ],
)
def test_what_is_wrong_is_named(data: str, message: str | None) -> None:
    if message is None:
        assert printed(data, format="sacrebleu")[0].system == "a"
        return
    with pytest.raises(FormatError) as caught:
        printed(data, format="sacrebleu")
    assert message in str(caught.value)


def test_files_of_several_systems_by_one_metric_go_together(tmp_path: Path) -> None:
    for path in SYSTEMS:
        (tmp_path / f"{path.stem}.json").write_bytes(sacrebleu(BLEU(), systems=[path]))
    data = load(SYSTEMS, sample_data.references()[:1], scores=sorted(tmp_path.glob("*.json")))
    (table,) = data.scores
    assert table.systems == tuple(path.stem for path in SYSTEMS)
    assert (table.system_scores > 1).all()
