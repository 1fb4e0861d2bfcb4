"""Comparisons on whole test sets: sacreBLEU's p-values, SciPy's t, and texts that occur twice."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from nightly import nightly
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

from bleu_core.dataset import Corpus
from bleu_core.inference import (
    MIN_UNITS,
    Comparisons,
    Test,
    all_pairs,
    baseline_pairs,
    compare,
    document_blocks,
    gate,
    text_needed,
    tiers,
)
from bleu_core.scoring import SegmentStatistics, evaluate

TED, WMT23, RUEN = "ted-zhen", "wmt23-ende-3raters", "newstest2020-ruen-2sys"
TWINS = ("GPT4-5shot_with_ONLINE-W", "GPT4-5shot_with_refA")
#: A set, its references, the systems, of which the first is the baseline, and a seed.
CASES = (
    (RUEN, "ref.A", ("Online-A", "Online-B"), 12345),
    (RUEN, "ref.A", ("Online-B", "Online-A"), 1),
    (TED, "ref.A+ref.B", ("DIDI-NLP", "metricsystem2", "IIE-MT"), 12345),
    (WMT23, "ref.A", ("ONLINE-Y", "ONLINE-A", "ONLINE-W", "ONLINE-M"), 2023),
)
# Expected statistics have 12 significant digits.
STATISTICS = 1e-9


@dataclass(frozen=True, slots=True)
class Set:
    """Some systems of a test set, and what compares them."""

    corpus: Corpus
    table: SegmentStatistics
    documents: tuple[str, ...]

    def compare(self, system: str, baseline: str, **options: Any) -> Comparisons:
        """One pair."""
        systems = self.table.systems
        return compare(self.table, [(systems.index(system), systems.index(baseline))], **options)


Loader = Callable[..., Set]


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


@functools.cache
def _load(data: Path, references: str, systems: tuple[str, ...]) -> Set:
    corpus = Corpus(
        {name: lines(data / "systems" / f"{name}.txt") for name in systems},
        {name: lines(data / "refs" / f"{name}.txt") for name in references.split("+")},
    )
    documents = data / "docs.txt"
    return Set(corpus, evaluate(corpus).statistics, lines(documents) if documents.exists() else ())


@pytest.fixture(scope="session")
def load(folder: Path) -> Loader:
    """`load(set, references, systems)`; equal calls are made once."""
    return lambda name, references, systems: _load(folder / "data" / name, references, tuple(systems))


def sacrebleu_p_values(corpus: Corpus, kind: Literal["bs", "ar"], samples: int) -> Mapping[str, float]:
    """What sacreBLEU's paired test finds for each system but the first, which is the baseline."""
    references: Any = [list(texts) for texts in corpus.references.values()]
    named: Any = [(name, list(texts)) for name, texts in corpus.systems.items()]
    metrics: Any = {"BLEU": BLEU(references=references)}
    _, results = PairedTest(named, metrics, references=None, test_type=kind, n_samples=samples)()
    found: Any = results["BLEU"]
    return {name: result.p_value for (name, _), result in zip(named[1:], found[1:], strict=True)}


@pytest.mark.parametrize(
    ("name", "references", "systems", "seed"), [CASES[0], CASES[2], *nightly([CASES[1], CASES[3]])]
)
@pytest.mark.parametrize(
    ("test", "kind", "samples"), [("sacrebleu-bootstrap", "bs", 1000), ("randomization", "ar", 2000)]
)
def test_p_values_equal_sacrebleus(
    load: Loader,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    references: str,
    systems: tuple[str, ...],
    seed: int,
    test: Test,
    kind: Literal["bs", "ar"],
    samples: int,
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    found_in = load(name, references, systems)
    pairs = baseline_pairs(systems, systems[0])
    found = compare(found_in.table, pairs, test=test, resamples=1000, trials=samples, seed=seed)
    theirs = sacrebleu_p_values(found_in.corpus, kind, samples)
    for pair in found.pairs:
        if pair.extrapolated:  # fewer than ten draws are as extreme: theirs is one more than these, and one more draw
            assert theirs[pair.system] < 11 / (samples + 1)
            assert pair.p_value <= 11 / (samples + 1)
        else:
            assert pair.p_value == theirs[pair.system]


def test_the_known_pair_over_20_blocks(load: Loader) -> None:
    found = load(RUEN, "ref.A", ("Online-A", "Online-B")).compare("Online-B", "Online-A", test="t")
    assert found.scores.tolist() == pytest.approx([36.387, 38.112], abs=5e-4)
    (pair,) = found.pairs
    assert pair.paired_t
    assert pair.paired_t.t == pytest.approx(2.292, abs=5e-4)
    assert pair.p_value == pytest.approx(0.0335, abs=5e-5)
    assert found.verdict(pair) == 1
    assert not pair.spans_zero


@pytest.mark.parametrize(
    ("name", "references"),
    [
        *((TED, references) for references in ("ref.A", "ref.B", "ref.A+ref.B")),
        *((WMT23, references) for references in ("ref.A", "synthetic_ref", "ref.A+synthetic_ref")),
        (RUEN, "ref.A"),
    ],
)
def test_the_t_and_its_interval_equal_scipys(
    load: Loader, expected: Callable[[str], Any], name: str, references: str
) -> None:
    wanted = expected(name)["blocks"][f"{references}|array_split"]
    of_set = load(name, references, sorted(wanted["order"]))
    undefined = 0
    for of_pair in wanted["adjacent"]:
        (pair,) = of_set.compare(of_pair["higher"], of_pair["lower"], test="t").pairs
        t = pair.paired_t
        assert t
        assert t.mean_difference == pytest.approx(of_pair["mean_diff"], rel=STATISTICS, abs=1e-12)
        assert t.degrees_of_freedom == of_pair["df"]
        if of_pair["t"] is None:
            assert math.isnan(pair.p_value)
            assert pair.reason == "no variance"
            undefined += 1
            continue
        assert t.t == pytest.approx(of_pair["t"], rel=STATISTICS)
        assert pair.p_value == pytest.approx(of_pair["p_two_sided"], rel=STATISTICS)
        assert [pair.interval.low, pair.interval.high] == pytest.approx(of_pair["ci95"], rel=STATISTICS)
    assert undefined == (name == WMT23)  # the twins


@pytest.mark.parametrize(("name", "references", "documents"), [(TED, "ref.B", 5), (WMT23, "ref.A", 30)])
def test_the_t_over_documents_is_scipys_over_sacrebleus_scores(
    load: Loader, name: str, references: str, documents: int
) -> None:
    systems = {TED: ("Facebook-AI", "metricsystem2"), WMT23: ("ONLINE-G", "ONLINE-W")}[name]
    of_set = load(name, references, systems)
    groups = document_blocks(of_set.documents)
    assert len(groups.names) == documents
    (references_of,) = ([str(text) for text in texts] for texts in of_set.corpus.references.values())

    def bleu(system: str, document: str) -> float:
        where = [i for i, d in enumerate(of_set.documents) if d == document]
        hypotheses = [of_set.corpus.systems[system][i] for i in where]
        return BLEU(force=True).corpus_score(hypotheses, [[references_of[i] for i in where]]).score

    scores = {system: [bleu(system, document) for document in groups.names] for system in systems}
    theirs = stats.ttest_rel(scores[systems[1]], scores[systems[0]])
    bounds = theirs.confidence_interval(0.95)
    found = of_set.compare(systems[1], systems[0], test="t", groups=groups)
    (pair,) = found.pairs
    assert (found.unit, found.units) == ("document", documents)
    if documents < MIN_UNITS:
        assert math.isnan(pair.p_value)
        return
    assert pair.p_value == pytest.approx(theirs.pvalue, rel=1e-8)
    assert [pair.interval.low, pair.interval.high] == pytest.approx([bounds.low, bounds.high], rel=1e-8)


@pytest.mark.parametrize(("name", "warned"), [(TED, True), (WMT23, False)])
def test_five_talks_are_few_documents_and_thirty_texts_are_not(load: Loader, name: str, *, warned: bool) -> None:
    systems = {TED: ("Facebook-AI", "metricsystem2"), WMT23: ("ONLINE-G", "ONLINE-W")}[name]
    of_set = load(name, {TED: "ref.B", WMT23: "ref.A"}[name], systems)
    found = of_set.compare(systems[1], systems[0], groups=document_blocks(of_set.documents))
    assert bool(found.warnings) == warned


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("references", ["ref.A", "ref.A+synthetic_ref"])
@pytest.mark.parametrize("by_document", [False, True])
def test_identical_texts_do_not_differ(load: Loader, test: Test, references: str, *, by_document: bool) -> None:
    of_set = load(WMT23, references, TWINS)
    groups = document_blocks(of_set.documents) if by_document else None
    found = of_set.compare(*TWINS, test=test, groups=groups)
    (pair,) = found.pairs
    assert (pair.delta, pair.interval.low, pair.interval.high) == (0, 0, 0)
    assert pair.p_value == pair.p_value_adjusted == 1
    assert tiers(found) == (tuple(sorted(TWINS)),)


def test_identical_texts_have_no_t_pass_the_gate_and_can_never_be_told_apart(load: Loader) -> None:
    of_set = load(WMT23, "ref.A", TWINS)
    (pair,) = of_set.compare(*TWINS, test="t").pairs
    assert math.isnan(pair.p_value)
    assert pair.reason == "no variance"
    assert gate(of_set.table, margin=0).passed
    assert text_needed(of_set.table, *TWINS).segments_needed() == math.inf


def test_twins_do_not_weaken_the_correction_of_t(load: Loader) -> None:
    systems = (*TWINS, "ONLINE-W")
    found = compare(load(WMT23, "ref.A", systems).table, all_pairs(systems), test="t")
    defined = sorted(pair.p_value for pair in found.pairs if not math.isnan(pair.p_value))
    assert len(defined) == 2
    assert min(pair.p_value_adjusted for pair in found.pairs if not pair.reason) == pytest.approx(2 * defined[0])


def test_three_segments_of_400_show_nothing(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    # Three segments that all got better: of 2**3 swaps two are as extreme, p = 1/4. sacreBLEU takes no tie for one.
    of_set = load(RUEN, "ref.A", ("Online-A", "Online-B"))
    (reference,) = of_set.corpus.references.values()
    texts = of_set.corpus.systems["Online-A"]
    better = (*(str(line) for line in reference[:3]), *texts[3:])
    assert sum(one != other for one, other in zip(texts, better, strict=True)) == 3
    corpus = Corpus({"A": texts, "B": better}, of_set.corpus.references)
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    (pair,) = compare(evaluate(corpus).statistics, [(1, 0)], test="randomization", trials=2000).pairs
    assert pair.p_value == pytest.approx(0.25, abs=4 * math.sqrt(0.25 * 0.75 / 2000))
    assert sacrebleu_p_values(corpus, "ar", 2000)["B"] == pytest.approx(0.0005, abs=1e-6)


def test_all_machine_translations_of_a_set_fall_into_tiers(load: Loader, expected: Callable[[str], Any]) -> None:
    values = expected(WMT23)
    bleu = {name: of_system["score"] for name, of_system in values["bleu"]["ref.A|tok=13a|lc=false"].items()}
    systems = [name for name in values["systems"] if name not in values["human_systems"]]
    found = compare(load(WMT23, "ref.A", systems).table, all_pairs(systems))
    parted = tiers(found)
    assert len(found.pairs) == 36
    assert (found.resamples, found.warnings) == (10_000, ())
    assert [name for tier in parted for name in tier] == sorted(systems, key=lambda name: (-bleu[name], name))
    assert parted[1:] == (("Lan-BridgeMT",), ("NLLB_MBR_BLEU",))
    for above, below in itertools.pairwise(parted):
        for better, worse in itertools.product(above, below):
            pair = found.between(better, worse)
            assert pair
            assert pair.delta == pytest.approx(bleu[better] - bleu[worse], abs=1e-8)
            assert pair.p_value_adjusted < 0.05
            assert pair.interval.low > 0
