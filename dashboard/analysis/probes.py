"""Changes of an output that readers notice, and their effect on BLEU."""

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
from dashboard.analysis.scores import registered_metrics
from dashboard.analysis.view import View


@dataclass(frozen=True, slots=True)
class ProbeChoice:
    """The options of the probes.

    Attributes:
        system: the system whose output is changed.
        metrics: labels of further metrics besides BLEU.
        seed: of the draws.
    """

    system: str
    metrics: tuple[str, ...] = ()
    seed: int = SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnalysis:
    """The changes of a system's output by the probes.

    Attributes:
        view: the data and settings.
        labels: key of each metric -> its label, BLEU first.
        changes: each change, with all texts.
        results: the same with scores and some examples, in that order.
        of_systems: every compared system compared with the references, by BLEU.
    """

    view: View
    labels: Mapping[str, str]
    changes: tuple[Probed, ...]
    results: tuple[ProbeResult, ...]
    of_systems: tuple[ProbeResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentChange:
    """A changed segment.

    Attributes:
        number: of the segment in the whole text, from 1.
        references: name -> text, of the references that both texts are scored against.
        before: the output, with its score.
        after: the output after the change, with its score.
        different: per token of both texts, whether the other one lacks it there.
        orders: number of orders of the chunks; 0 where it was not counted.
        exact: whether the number is exact, not a lower bound.
    """

    number: int
    references: Mapping[str, str]
    before: MarkedOutput
    after: MarkedOutput
    different: tuple[tuple[bool, ...], tuple[bool, ...]]
    orders: int
    exact: bool


def probe_metrics(view: View) -> Mapping[str, Metric]:
    """Return label -> metric, of the metrics besides BLEU by which outputs can be scored."""
    return dict(list(registered_metrics(view).items())[1:])


def run_probes(view: View, chosen: ProbeChoice) -> ProbeAnalysis:
    """Change a system's output by every probe, and score it."""
    offered = registered_metrics(view)
    first, *others = offered.values()
    metrics = [first, *(metric for metric in others if metric.label in chosen.metrics)]
    keys = tuple(metric.key for metric in metrics)
    corpus = view.workspace.corpus
    changes, others = _probed(view.scope, corpus, view.evaluation, chosen, compared=view.compared.systems, metrics=keys)
    return ProbeAnalysis(
        view=view,
        labels={metric.key: metric.label for metric in metrics},
        changes=changes,
        results=tuple(probe_result(change, corpus, numbers=view.numbers) for change in changes),
        of_systems=tuple(probe_result(change, corpus, examples=0) for change in others),
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
    """Return the changes of the system's output, and the compared systems with the references as alternatives."""
    material = DiagnosticInput(corpus, evaluation)
    changes = probe_system(material, chosen.system, metrics=metrics, seed=chosen.seed, progress=progress)
    others = (change for name in compared for change in probe_system(material, name, keys=["reference"]))
    return changes, tuple(others)


def changed_segment(analysis: ProbeAnalysis, change: int, position: int) -> SegmentChange:
    """Return a changed segment.

    Args:
        analysis: all changes.
        change: index of the change, from 0.
        position: of the segment among the changed ones, from 0.
    """
    probed = analysis.changes[change]
    row, texts = probed.rows[position], probed.change
    settings = analysis.view.evaluation.settings
    corpus = analysis.view.workspace.corpus
    present = ((name, corpus.references[name][row]) for name in texts.references)
    references = {name: text for name, text in present if text is not None}
    scored = list(references.values())
    if texts.tokenized:
        scored = [" ".join(tokens_of(text, settings.counting)) for text in scored]
        settings = replace(settings, tokenizer="none")
    before, after = (mark_output(text[row], scored, settings) for text in (texts.before, texts.after))
    orders = texts.orders[row] if texts.orders else None
    return SegmentChange(
        number=analysis.view.numbers[row],
        references=references,
        before=before,
        after=after,
        different=word_differences(before.tokens, after.tokens),
        orders=orders.number if orders else 0,
        exact=orders is None or orders.exact,
    )
