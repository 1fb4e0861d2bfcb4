"""Probes of metrics: outputs and scores before and after changes, as tables, as JSON and in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import Corpus, plural
from bleu_core.diagnostics import EXAMPLES, Probed, ScoreChange, find_probe
from bleu_core.fields import REASON, SYSTEM, Table, field, result, table_of
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation

#: Maximum number of digits of a number of orders that is written out; longer ones are written as a power of ten.
MAX_WRITTEN_DIGITS = 15

#: Maximum number of digits of a number of orders in JSON.
MAX_JSON_DIGITS = 1000

TOKENIZED_NOTE = (
    "The probe reorder scores tokens separated by spaces, without a tokeniser: BLEU before the change is that of the "
    "output; scores by other metrics may differ slightly from those of the output."
)

BOUND = "some numbers of orders are lower bounds, because there are too many ways to divide the text into chunks"


@result
class ProbeExample:
    """A changed segment."""

    segment: int = field("count", "Number of the segment, from 1.")
    before: str = field("text", "The output.")
    after: str = field("text", "The output after the change.")
    reference: str = field("text", "The first reference of the segment that both are scored against.")
    orders: str | None = field(
        "text",
        "Number of possible orders of its chunks, in digits; absent if there are more than "
        f"{MAX_JSON_DIGITS:,} digits or the number is a lower bound.",
        default=None,
    )


@result
class ChunkOrders:
    """The number of possible orders of the chunks of a system's segments."""

    segments: int = field("count", "Number of segments with more than one order.", only="json")
    power_of_ten: float = field(
        "decimal",
        "Orders of the whole output, as a power of ten: the sum of the logarithms.",
        label="orders: 10 to the",
    )
    mean_power_of_ten: float = field(
        "decimal",
        "Geometric mean of the orders of a segment, as a power of ten.",
        label="orders per segment: 10 to the",
    )
    bounds: int = field("count", "Number of segments for which only a lower bound is known.", only="json")
    reason: str = field(REASON, only="json", default="")


@result
class ProbeResult:
    """The changes of a probe in a system's output, with scores."""

    probe: str = field("text", "Key of the probe.")
    system: str = field(SYSTEM)
    reference: str | None = field("text", "The reference that replaces the output, if any.", default=None)
    changed: int = field("count", "Number of changed segments.", label="changed segments")
    share: float = field("fraction", "Share of the segments that are changed.")
    tokens_before: int = field("count", "Tokens of the changed segments, before the change.")
    tokens_after: int = field("count", "Tokens of the changed segments, after the change.")
    orders: ChunkOrders | None = field("object", "Number of possible orders of the chunks.", default=None)
    scores: tuple[ScoreChange, ...] = field("object", "Scores before and after the change, by each metric.")
    examples: tuple[ProbeExample, ...] = field("object", "Some of the changed segments.")
    reason: str = field("text", "Why nothing is changed.", default="")


@result
class ProbesReport(Envelope):
    """The JSON of `bleu-core probe`."""

    seed: int = field("count", "Seed of the draws.")
    language: str | None = field(
        "text", "Language of the references, as given or as guessed; null if unknown.", null=True, default=None
    )
    probes: tuple[ProbeResult, ...] = field("object", "Changes of each probe in each system's output.")


@result
class _Of:
    """The beginning of a row about a result."""

    probe: str = field("text", "Key of the probe.")
    system: str = field(SYSTEM)
    reference: str | None = field("text", "The reference that replaces the output, if any.")


@result
class _Labelled:
    """A metric by its label, in place of its key."""

    metric: str = field("text", "Key of the metric.")


def probe_result(
    probed: Probed, corpus: Corpus, *, examples: int = EXAMPLES, numbers: Sequence[int] | None = None
) -> ProbeResult:
    """Return the JSON of the changes of a probe in a system's output.

    Args:
        probed: the result of the probe.
        corpus: the probed corpus.
        examples: number of changed segments to show, the first ones.
        numbers: numbers of the segments in the whole text, from 1; from 1 on if None.
    """
    change = probed.change
    return ProbeResult(
        probe=probed.probe.key,
        system=probed.system,
        reference=change.replacement or None,
        changed=len(probed.rows),
        share=len(probed.rows) / len(change.before),
        tokens_before=probed.tokens_before,
        tokens_after=probed.tokens_after,
        orders=_orders(probed),
        scores=probed.scores,
        examples=tuple(probe_example(probed, corpus, row, numbers) for row in probed.rows[:examples]),
        reason=change.reason,
    )


def probe_example(probed: Probed, corpus: Corpus, row: int, numbers: Sequence[int] | None = None) -> ProbeExample:
    """Return a changed segment, by its position from 0."""
    change = probed.change
    references = (corpus.references[name][row] for name in change.references)
    orders = change.orders[row] if change.orders else None
    return ProbeExample(
        segment=row + 1 if numbers is None else numbers[row],
        before=change.before[row],
        after=change.after[row],
        reference=next((text for text in references if text is not None), ""),
        orders=str(orders.number) if orders and orders.exact and orders.number < 10**MAX_JSON_DIGITS else None,
    )


def probes_report(
    results: Sequence[ProbeResult], evaluation: BleuEvaluation, *, seed: int, language: str
) -> ProbesReport:
    """Return the JSON report of `bleu-core probe`.

    Args:
        results: results of all probes and systems.
        evaluation: the evaluation of the systems.
        seed: the seed of the draws.
        language: the language of the references; empty if unknown.
    """
    return ProbesReport(**envelope_fields(evaluation), seed=seed, language=language or None, probes=tuple(results))


def probe_scores(results: Sequence[ProbeResult], labels: Mapping[str, str]) -> Table:
    """Return all scores of one system, with the titles of probes and the labels of metrics.

    Args:
        results: results of one system.
        labels: key of a metric -> its label.
    """
    rows = [
        (replace(_of(probed), probe=find_probe(probed.probe).title), _Labelled(metric=labels[score.metric.key]), score)
        for probed in results
        for score in probed.scores
    ]
    return table_of(rows, _Of, _Labelled, ScoreChange).without("system")


def probe_tables(results: Sequence[ProbeResult], *, in_full: bool = False) -> list[Table]:
    """Return tables of the changes and the scores and, if requested, of the examples.

    Args:
        results: results of all probes and systems.
        in_full: whether to include the table of examples, whose texts are long.
    """
    tables = [table_of([(probed, probed.orders) for probed in results], ProbeResult, ChunkOrders).for_people()]
    scores = [(_of(probed), score) for probed in results for score in probed.scores]
    if scores:
        tables.append(table_of(scores, _Of, ScoreChange))
    examples = [(_of(probed), example) for probed in results for example in probed.examples]
    if in_full and examples:
        tables.append(table_of(examples, _Of, ProbeExample))
    return tables


@result
class _Overview:
    """The effect of a probe on each metric."""

    probe: str = field("text", "Title of the probe.")
    changed: int = field("count", "Number of changed segments.", label="changed segments")
    deltas: Mapping[tuple[str, str], float] = field(
        "difference", "{1} after minus before, in points.", columns="{0}", label="{1}"
    )
    reason: str = field("text", "Why nothing is changed.")


def probe_overview(results: Sequence[ProbeResult], labels: Mapping[str, str]) -> Table:
    """Return the effect of each probe on each metric, a row per probe.

    Args:
        results: results of one system.
        labels: key of a metric -> its label.
    """
    rows: list[_Overview] = []
    for probed in results:
        by_metric = {score.metric.key: score.delta for score in probed.scores}
        deltas = {(key, label): by_metric.get(key, math.nan) for key, label in labels.items()}
        rows.append(_Overview(probe=probe_title(probed), changed=probed.changed, deltas=deltas, reason=probed.reason))
    return table_of(rows, _Overview).for_people()


def probe_title(probed: ProbeResult) -> str:
    """Return the title of a probe, with the reference that replaces the output, if any."""
    title = find_probe(probed.probe).title
    return f"{title}: {probed.reference}" if probed.reference else title


def probe_sentences(results: Sequence[ProbeResult], segments: int, labels: Mapping[str, str]) -> list[str]:
    """Return sentences on the results of probes.

    Args:
        results: results of all probes and systems.
        segments: S.
        labels: key of a metric -> its label.
    """
    sentences = [f"{probed.probe}, {probed.system}: {probe_sentence(probed, segments, labels)}" for probed in results]
    return [*sentences, *human_sentences(results, labels)]


def probe_sentence(probed: ProbeResult, segments: int, labels: Mapping[str, str]) -> str:
    """Return a sentence on the result of a probe of a system, by the first of its metrics.

    Args:
        probed: the result.
        segments: S.
        labels: key of a metric -> its label.
    """
    probe = find_probe(probed.probe)
    if probed.reason:
        return f"Nothing is changed: {probed.reason}."
    sentences: list[str] = []
    if probed.orders is not None:
        at_least = "at least " if probed.orders.bounds else ""
        sentences.append(
            f"The chunks of {probed.orders.segments:,} of {segments:,} {plural(segments, 'segment')} can be in other "
            f"orders, {at_least}10^{probed.orders.mean_power_of_ten:.1f} per segment (geometric mean), and none of "
            "these orders lowers BLEU."
        )
    doing = probe.doing.format(probed.reference)
    for score in probed.scores[:1]:
        where = f" in {probed.changed:,} of {segments:,} {plural(segments, 'segment')}"
        changed_only = f"; on these alone it {_effect(score.delta_changed)}" if probed.changed < segments else ""
        sentences.append(f"{doing}{where} {_effect(score.delta, labels[score.metric.key])}{changed_only}.")
    return " ".join(sentences)


def _effect(delta: float, what: str = "") -> str:
    """Return the effect on a score: "lowers BLEU by 0.12 points" or, without a name, "falls by 0.12 points"."""
    if math.isnan(delta):
        return f"leaves {what} undefined" if what else "is undefined"
    size = f"{abs(delta):.2f}"
    if float(size) == 0:
        return f"does not change {what}" if what else "does not change"
    lowers, falls = ("lowers", "falls") if delta < 0 else ("raises", "rises")
    return f"{f'{lowers} {what}' if what else falls} by {size} points"


def human_sentences(results: Iterable[ProbeResult], labels: Mapping[str, str]) -> list[str]:
    """Return sentences that compare each reference with the systems, all scored against the other references."""
    by_reference: dict[str, list[ScoreChange]] = {}
    for probed in results:
        if probed.reference is not None and probed.scores:
            by_reference.setdefault(probed.reference, []).append(probed.scores[0])
    return [
        f"Scored against the other references, the human translation {name} has {scores[0].after:.2f} "
        f"{labels[scores[0].metric.key]}; {sum(score.before > score.after for score in scores):,} of {len(scores):,} "
        f"{plural(len(scores), 'system')} {'score' if scores[1:] else 'scores'} higher."
        for name, scores in by_reference.items()
    ]


def orders_in_words(number: int) -> str:
    """Return a number of orders, in digits or as a power of ten.

    >>> orders_in_words(12345), orders_in_words(3 * 10**40)
    ('12,345', '3.0 × 10^40')
    """
    if number < 10**MAX_WRITTEN_DIGITS:
        return f"{number:,}"
    power = math.floor(math.log10(number))
    return f"{10 ** (math.log10(number) - power):.1f} × 10^{power}"


def _orders(probed: Probed) -> ChunkOrders | None:
    orders = probed.change.orders
    if not orders:
        return None
    total = math.fsum(math.log10(count.number) for count in orders)
    bounds = sum(not count.exact for count in orders)
    return ChunkOrders(
        segments=sum(count.number > 1 for count in orders),
        power_of_ten=total,
        mean_power_of_ten=total / len(orders),
        bounds=bounds,
        reason=BOUND if bounds else "",
    )


def _of(probed: ProbeResult) -> _Of:
    return _Of(probe=probed.probe, system=probed.system, reference=probed.reference)
