"""What BLEU cannot see: a system's output before and after changes that readers notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bleu_core.dataset import Corpus
from bleu_core.diagnostics import DiagnosticInput, Probed, probe_system
from bleu_core.inference import SEED
from bleu_core.progress import Progress
from bleu_core.results.probes import ProbeResult, probe_result
from bleu_core.scoring import BleuEvaluation, Metric, tokens_of
from bleu_core.segments import MarkedOutput, mark_output, word_differences
from dashboard import session
from dashboard.analysis.scores import metrics_on_offer
from dashboard.analysis.view import View


@dataclass(frozen=True, slots=True)
class ProbeChoice:
    """What is probed.

    Attributes:
        system: whose output is changed.
        metrics: labels of the metrics beside BLEU.
        seed: of the draws.
    """

    system: str
    metrics: tuple[str, ...] = ()
    seed: int = SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbesRead:
    """What the probes have changed of a system's output.

    Attributes:
        view: the data and settings.
        labels: key of each metric -> its name for people, BLEU first.
        found: each change, with all texts.
        results: the same with scores and some examples, in that order.
        of_systems: every compared system beside the references, by BLEU.
    """

    view: View
    labels: Mapping[str, str]
    found: tuple[Probed, ...]
    results: tuple[ProbeResult, ...]
    of_systems: tuple[ProbeResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentChange:
    """A changed segment, for reading.

    Attributes:
        number: of the segment in the whole text, from 1.
        references: name -> text, of those that both texts are scored against.
        before: the output, with its score.
        after: the output after the change, with its score.
        different: of the tokens of both, whether the other one lacks them there.
        orders: in how many orders the chunks can stand; 0 where that is not asked.
        exact: whether there are no more.
    """

    number: int
    references: Mapping[str, str]
    before: MarkedOutput
    after: MarkedOutput
    different: tuple[tuple[bool, ...], tuple[bool, ...]]
    orders: int
    exact: bool


def probe_metrics(view: View) -> Mapping[str, Metric]:
    """Label -> metric beside BLEU that outputs can be scored by."""
    return {label: metric for label, metric in metrics_on_offer(view).items() if metric.key != "bleu"}


def read_probes(view: View, chosen: ProbeChoice) -> ProbesRead:
    """Change a system's output by every probe, and score it."""
    offered = metrics_on_offer(view)
    metrics = [one for one in offered.values() if one.key == "bleu" or one.label in chosen.metrics]
    keys = tuple(one.key for one in metrics)
    corpus = view.workspace.corpus
    found, others = _probed(view.scope, corpus, view.evaluation, chosen, compared=view.compared.systems, metrics=keys)
    return ProbesRead(
        view=view,
        labels={one.key: one.label for one in metrics},
        found=found,
        results=tuple(probe_result(one, corpus, numbers=view.numbers) for one in found),
        of_systems=tuple(probe_result(one, corpus, examples=0) for one in others),
    )


@session.cached("Changing and scoring outputs", "scores")
def _probed(
    progress: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    chosen: ProbeChoice,
    *,
    compared: tuple[str, ...],
    metrics: tuple[str, ...],
) -> tuple[tuple[Probed, ...], tuple[Probed, ...]]:
    """The changes of the chosen system's output, and the compared systems beside the references."""
    material = DiagnosticInput(corpus, evaluation)
    found = probe_system(material, chosen.system, metrics=metrics, seed=chosen.seed, progress=progress)
    return found, tuple(one for name in compared for one in probe_system(material, name, keys=["reference"]))


def changed_segment(read: ProbesRead, change: int, position: int) -> SegmentChange:
    """A changed segment.

    Args:
        read: all changes.
        change: which of them, from 0.
        position: of the segment among the changed ones, from 0.
    """
    found = read.found[change]
    row, texts = found.rows[position], found.change
    settings = read.view.evaluation.settings
    corpus = read.view.workspace.corpus
    present = ((name, corpus.references[name][row]) for name in texts.references)
    references = {name: text for name, text in present if text is not None}
    scored = list(references.values())
    if texts.tokenized:
        scored = [" ".join(tokens_of(text, settings.counting)) for text in scored]
        settings = replace(settings, tokenizer="none")
    before, after = (mark_output(text[row], scored, settings) for text in (texts.before, texts.after))
    orders = texts.orders[row] if texts.orders else None
    return SegmentChange(
        number=read.view.numbers[row],
        references=references,
        before=before,
        after=after,
        different=word_differences(before.tokens, after.tokens),
        orders=orders.number if orders else 0,
        exact=orders is None or orders.exact,
    )
