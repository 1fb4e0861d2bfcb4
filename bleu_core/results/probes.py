"""What BLEU cannot see: outputs before and after changes, and their scores, as tables, as JSON and in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import Corpus, plural
from bleu_core.diagnostics import EXAMPLES, Probed, find_probe
from bleu_core.fields import REASON, SYSTEM, Cell, Field, Table, field, result, table_of
from bleu_core.results.envelope import Envelope, about
from bleu_core.scoring import BleuEvaluation

#: Digits of a number of orders that is written out; longer ones are written as a power of ten.
DIGITS = 15

#: Digits of a number of orders in JSON, at most.
MAX_DIGITS = 1000

TOKENIZED_NOTE = (
    "The probe reorder scores tokens with blanks between them, without a tokeniser: BLEU before the change is that of "
    "the output, other metrics may differ from it slightly."
)

BOUND = "some numbers of orders are lower bounds, because the chunks can be read in too many ways"


@result
class MetricChange:
    """A metric's scores before and after a change."""

    metric: str = field("text", "Key of the metric.")
    before: float = field("points", "Corpus score of the output.")
    after: float = field("points", "Corpus score after the change.")
    delta: float = field("difference", "After minus before.", label="difference")
    before_changed: float = field(
        "points", "Score of the output on the changed segments alone.", label="changed segments before"
    )
    after_changed: float = field(
        "points", "Score on the changed segments alone, after the change.", label="changed segments after"
    )
    delta_changed: float = field(
        "difference", "After minus before, on the changed segments alone.", label="changed segments difference"
    )
    reason: str = field(REASON, only="json", default="")


@result
class ProbeExample:
    """A changed segment."""

    segment: int = field("count", "Number of the segment, from 1.")
    before: str = field("text", "The output.")
    after: str = field("text", "The output after the change.")
    reference: str = field("text", "The first reference of the segment that both are scored against.")
    orders: str | None = field(
        "text",
        "In how many orders its chunks can stand, in digits; left out where there are more than "
        f"{MAX_DIGITS:,} digits or the number is a lower bound.",
        default=None,
    )


@result
class ChunkOrders:
    """In how many orders the chunks of a system's segments can stand."""

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
    """What a probe has changed of a system's output."""

    probe: str = field("text", "Key of the probe.")
    system: str = field(SYSTEM)
    reference: str | None = field(
        "text", "The reference that takes the place of the output, if one does.", default=None
    )
    changed: int = field("count", "Number of changed segments.", label="changed segments")
    share: float = field("fraction", "Share of the segments that are changed.")
    tokens_before: int = field("count", "Tokens of the changed segments, before the change.")
    tokens_after: int = field("count", "Tokens of the changed segments, after the change.")
    orders: ChunkOrders | None = field("object", "In how many orders the chunks can stand.", default=None)
    scores: tuple[MetricChange, ...] = field("object", "Scores before and after the change, by each metric.")
    examples: tuple[ProbeExample, ...] = field("object", "Some of the changed segments.")
    reason: str = field("text", "Why nothing is changed.", default="")


@result
class ProbesReport(Envelope):
    """The JSON of `bleu-core probe`."""

    seed: int = field("count", "Seed of the draws.")
    language: str | None = field(
        "text", "Language of the references, as given or as guessed; null if unknown.", null=True, default=None
    )
    probes: tuple[ProbeResult, ...] = field("object", "What each probe has changed of each system's output.")


@result
class _Of:
    """The beginning of a row about a result."""

    probe: str = field("text", "Key of the probe.")
    system: str = field(SYSTEM)
    reference: str | None = field("text", "The reference that takes the place of the output, if one does.")


def probe_result(
    found: Probed, corpus: Corpus, *, examples: int = EXAMPLES, numbers: Sequence[int] | None = None
) -> ProbeResult:
    """What a probe has changed of a system's output, as JSON has it.

    Args:
        found: by the probe.
        corpus: that was probed.
        examples: how many of the changed segments are shown, the first ones.
        numbers: of the segments in the whole text, from 1; from 1 on if None.
    """
    change = found.change
    return ProbeResult(
        probe=found.probe.key,
        system=found.system,
        reference=change.replacement or None,
        changed=len(found.rows),
        share=len(found.rows) / len(change.before),
        tokens_before=found.tokens_before,
        tokens_after=found.tokens_after,
        orders=_orders(found),
        scores=tuple(
            MetricChange(
                metric=score.metric.key,
                before=score.before,
                after=score.after,
                delta=score.delta,
                before_changed=score.before_changed,
                after_changed=score.after_changed,
                delta_changed=score.delta_changed,
                reason=score.metric.undefined if math.isnan(score.delta) or math.isnan(score.delta_changed) else "",
            )
            for score in found.scores
        ),
        examples=tuple(probe_example(found, corpus, row, numbers) for row in found.rows[:examples]),
        reason=change.reason,
    )


def probe_example(found: Probed, corpus: Corpus, row: int, numbers: Sequence[int] | None = None) -> ProbeExample:
    """A changed segment, by its position from 0."""
    change = found.change
    references = (corpus.references[name][row] for name in change.references)
    orders = change.orders[row] if change.orders else None
    return ProbeExample(
        segment=row + 1 if numbers is None else numbers[row],
        before=change.before[row],
        after=change.after[row],
        reference=next((text for text in references if text is not None), ""),
        orders=str(orders.number) if orders and orders.exact and orders.number < 10**MAX_DIGITS else None,
    )


def probes_report(
    results: Sequence[ProbeResult], evaluation: BleuEvaluation, *, seed: int, language: str
) -> ProbesReport:
    """The contract of `bleu-core probe --format json`.

    Args:
        results: of all probes and systems.
        evaluation: of the systems.
        seed: of the draws.
        language: of the references; empty if unknown.
    """
    return ProbesReport(**about(evaluation), seed=seed, language=language or None, probes=tuple(results))


def probe_scores(results: Sequence[ProbeResult], labels: Mapping[str, str]) -> Table:
    """All scores of one system, with the names of probes and metrics for people.

    Args:
        results: of one system.
        labels: key of a metric -> its name for people.
    """
    rows = [
        (replace(_of(one), probe=find_probe(one.probe).title), replace(score, metric=labels[score.metric]))
        for one in results
        for score in one.scores
    ]
    return table_of(rows, _Of, MetricChange).without("system")


def probe_tables(results: Sequence[ProbeResult], *, whole: bool = False) -> list[Table]:
    """What was changed, the scores, and the examples.

    Args:
        results: of all probes and systems.
        whole: whether there is a table of the examples, whose texts are long.
    """
    tables = [table_of([(one, one.orders) for one in results], ProbeResult, ChunkOrders).for_people()]
    scores = [(_of(one), score) for one in results for score in one.scores]
    if scores:
        tables.append(table_of(scores, _Of, MetricChange))
    examples = [(_of(one), example) for one in results for example in one.examples]
    if whole and examples:
        tables.append(table_of(examples, _Of, ProbeExample))
    return tables


def probe_overview(results: Sequence[ProbeResult], labels: Mapping[str, str]) -> Table:
    """What each probe does to each metric, a row per probe.

    Args:
        results: of one system.
        labels: key of a metric -> its name for people.
    """
    columns = {
        "probe": Field("text", "What is changed."),
        "changed": Field("count", "Number of changed segments.", "changed segments"),
        **{key: Field("difference", f"{label} after minus before, in points.", label) for key, label in labels.items()},
        "reason": Field("text", "Why nothing is changed."),
    }
    rows: list[tuple[Cell, ...]] = []
    for one in results:
        deltas = {score.metric: score.delta for score in one.scores}
        rows.append((probe_title(one), one.changed, *(deltas.get(key, math.nan) for key in labels), one.reason))
    return Table(columns, tuple(rows)).for_people()


def probe_title(one: ProbeResult) -> str:
    """The name of a probe for people, with the reference that takes the place of the output."""
    title = find_probe(one.probe).title
    return f"{title}: {one.reference}" if one.reference else title


def probe_sentences(results: Sequence[ProbeResult], segments: int, labels: Mapping[str, str]) -> list[str]:
    """What the probes show, in sentences.

    Args:
        results: of all probes and systems.
        segments: S.
        labels: key of a metric -> its name for people.
    """
    sentences = [f"{one.probe}, {one.system}: {probe_sentence(one, segments, labels)}" for one in results]
    return [*sentences, *human_sentences(results, labels)]


def probe_sentence(one: ProbeResult, segments: int, labels: Mapping[str, str]) -> str:
    """What a probe shows of a system, by the first of its metrics.

    Args:
        one: what was changed.
        segments: S.
        labels: key of a metric -> its name for people.
    """
    probe = find_probe(one.probe)
    if one.reason:
        return f"Nothing is changed: {one.reason}."
    sentences: list[str] = []
    if one.orders is not None:
        least = "at least " if one.orders.bounds else ""
        sentences.append(
            f"The chunks of {one.orders.segments:,} of {segments:,} {plural(segments, 'segment')} can stand in other "
            f"orders, {least}10^{one.orders.mean_power_of_ten:.1f} in a segment (geometric mean), and none of them "
            "lowers BLEU."
        )
    doing = probe.doing.format(one.reference)
    for score in one.scores[:1]:
        where = f" in {one.changed:,} of {segments:,} {plural(segments, 'segment')}"
        alone = f"; on these alone it {_effect(score.delta_changed)}" if one.changed < segments else ""
        sentences.append(f"{doing}{where} {_effect(score.delta, labels[score.metric])}{alone}.")
    return " ".join(sentences)


def _effect(delta: float, what: str = "") -> str:
    """What a difference does to a score: "lowers BLEU by 0.12 points"; without a name, "falls by 0.12 points"."""
    if math.isnan(delta):
        return f"leaves {what} undefined" if what else "is undefined"
    size = f"{abs(delta):.2f}"
    if float(size) == 0:
        return f"leaves {what} as it is" if what else "stays as it is"
    lowers, falls = ("lowers", "falls") if delta < 0 else ("raises", "rises")
    return f"{f'{lowers} {what}' if what else falls} by {size} points"


def human_sentences(results: Iterable[ProbeResult], labels: Mapping[str, str]) -> list[str]:
    """Where each reference stands beside the systems, all of them scored against the other references."""
    by_reference: dict[str, list[MetricChange]] = {}
    for one in results:
        if one.reference is not None and one.scores:
            by_reference.setdefault(one.reference, []).append(one.scores[0])
    return [
        f"Scored against the other references, the human translation {name} has {scores[0].after:.2f} "
        f"{labels[scores[0].metric]}; {sum(score.before > score.after for score in scores):,} of {len(scores):,} "
        f"{plural(len(scores), 'system')} {'score' if scores[1:] else 'scores'} higher."
        for name, scores in by_reference.items()
    ]


def orders_in_words(number: int) -> str:
    """A number of orders, in digits or as a power of ten.

    >>> orders_in_words(12345), orders_in_words(3 * 10**40)
    ('12,345', '3.0 × 10^40')
    """
    if number < 10**DIGITS:
        return f"{number:,}"
    power = math.floor(math.log10(number))
    return f"{10 ** (math.log10(number) - power):.1f} × 10^{power}"


def _orders(found: Probed) -> ChunkOrders | None:
    orders = found.change.orders
    if not orders:
        return None
    total = math.fsum(math.log10(one.number) for one in orders)
    bounds = sum(not one.exact for one in orders)
    return ChunkOrders(
        segments=sum(one.number > 1 for one in orders),
        power_of_ten=total,
        mean_power_of_ten=total / len(orders),
        bounds=bounds,
        reason=BOUND if bounds else "",
    )


def _of(one: ProbeResult) -> _Of:
    return _Of(probe=one.probe, system=one.system, reference=one.reference)
