"""Probes on whole test sets: orders are those of brute force, scores those of sacreBLEU, no new order lowers BLEU."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from bleu_core.dataset import Corpus
from bleu_core.diagnostics import DiagnosticInput, probe_system, split_chunks
from bleu_core.scoring import evaluate

SETS = (pytest.param("ted-zhen", marks=pytest.mark.slow), "newstest2020-ruen-2sys")

#: Orders are written out for segments with so many chunks at most.
MAX_CHUNKS = 7


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def material(data: Path) -> DiagnosticInput:
    systems = {path.stem: lines(path) for path in sorted((data / "systems").iterdir())}
    corpus = Corpus(systems, {path.stem: lines(path) for path in sorted((data / "refs").iterdir())})
    return DiagnosticInput(corpus, evaluate(corpus))


@pytest.mark.parametrize("name", SETS)
def test_the_orders_of_each_segment_are_counted_exactly(folder: Path, name: str) -> None:
    of = material(folder / "data" / name)
    split = BLEU().tokenizer
    references = [[split(str(text)).split() for text in texts] for texts in of.corpus.references.values()]
    written_out = 0
    for system in of.systems:
        (found,) = probe_system(of, system, keys=["reorder"], metrics=[])
        for row, orders in enumerate(found.change.orders):
            assert orders.exact
            tokens = split(of.corpus.systems[system][row]).split()
            chunks = split_chunks(tokens, [text[row] for text in references])
            assert orders.number <= math.factorial(len(chunks))
            if len(chunks) <= MAX_CHUNKS:
                written_out += 1
                assert orders.number == len({tuple(itertools.chain(*p)) for p in itertools.permutations(chunks)})
    assert written_out > 100


@pytest.mark.parametrize("name", SETS)
def test_scores_before_and_after_are_those_of_sacrebleu(folder: Path, name: str) -> None:
    of = material(folder / "data" / name)
    split = BLEU().tokenizer
    system = of.systems[0]
    for one in probe_system(of, system, metrics=("bleu", "chrf2")):
        change = one.change
        if change.reason:
            assert len(of.references) == 1
            continue
        texts = [[str(text) for text in of.corpus.references[name]] for name in change.references]
        references = [[split(line) for line in text] for text in texts] if change.tokenized else texts
        metrics = (BLEU(tokenize="none" if change.tokenized else "13a", force=True), CHRF())
        for metric, score in zip(metrics, one.scores, strict=True):
            before, after = (metric.corpus_score(text, references).score for text in (change.before, change.after))
            assert (score.before, score.after) == pytest.approx((before, after), rel=1e-11)
        if change.tokenized:
            usual = BLEU().corpus_score(of.corpus.systems[system], texts).score
            assert one.scores[0].before == pytest.approx(usual, rel=1e-11)


@pytest.mark.parametrize("name", SETS)
def test_no_new_order_lowers_bleu_and_all_have_the_same_tokens(folder: Path, name: str) -> None:
    of = material(folder / "data" / name)
    for system in of.systems:
        (found,) = probe_system(of, system, keys=["reorder"])
        assert not found.rows or found.scores[0].after >= found.scores[0].before
        for before, after in zip(found.change.before, found.change.after, strict=True):
            assert Counter(before.split()) == Counter(after.split())


@pytest.mark.slow
def test_machines_score_higher_than_human_translations(folder: Path) -> None:
    of = material(folder / "data" / "ted-zhen")
    machines = [name for name in of.systems if not name.startswith("ref")]
    humans = {name: [str(line) for line in of.corpus.references[name]] for name in of.references}
    for name, text in humans.items():
        (other,) = (one for one in humans if one != name)
        scores = {
            system: BLEU().corpus_score([str(line) for line in translation], [humans[other]]).score
            for system, translation in [*((m, of.corpus.systems[m]) for m in machines), (name, text)]
        }
        for system in machines:
            found = next(one for one in probe_system(of, system, keys=["reference"]) if one.change.replacement == name)
            assert (found.scores[0].before, found.scores[0].after) == pytest.approx(
                (scores[system], scores[name]), rel=1e-11
            )
        assert sum(scores[system] > scores[name] for system in machines) >= 5
