"""The paper's tables and figures as tables, printed values in columns of their own beside the computed ones.

BLEU is shown from 0 to 1, as Papineni et al. (2002) do. Their values stand beside computed ones where the systems are
those of the paper, by name; otherwise they are a table of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from bleu_core.fields import Cell, Field, Kind, Table
from bleu_core.inference import BlockSizes
from bleu_core.judges import UNITS
from bleu_core.paper import (
    CORRELATIONS,
    EXAMPLES,
    H2_BY_REFERENCES,
    MONOLINGUAL,
    MONOLINGUAL_DIFFERENCES,
    PUBLISHED,
    SYSTEMS,
    TABLE_1,
    TABLE_2_DEVIATIONS,
    TABLE_2_MEANS,
    TABLE_2_T,
    Candidate,
    Claim,
    Combination,
    CombinationAgreement,
    Experiment,
    GroupAgreement,
    GroupDifferences,
    Normalised,
    PrecisionOrders,
    PrintedPrecision,
    ReferenceAgreement,
    ReferenceNumbers,
    SingleReference,
    WorkedExample,
)
from bleu_core.scoring import Definition, SentencePenalties

#: What BLEU from 0 to 1 is of points.
UNIT = 100

ALL_JUDGES = "all judges"
VERDICTS: Mapping[bool | None, str] = {True: "yes", False: "no", None: "cannot be told"}


def example_table(examples: Sequence[Sequence[WorkedExample]]) -> Table:
    """Precisions of the paper's candidates, an order a row, with the fraction that the paper prints."""
    kinds: dict[str, Kind] = {
        "example": "count",
        "candidate": "count",
        "order": "count",
        "standard": "text",
        "published_standard": "text",
        "modified": "text",
        "published_modified": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for example, worked in zip(EXAMPLES, examples, strict=True):
        for number, (candidate, one) in enumerate(zip(example.candidates, worked, strict=True), start=1):
            rows += [
                (
                    example.number,
                    number,
                    o.order,
                    f"{o.standard_matches}/{o.total}",
                    _printed(candidate, o.order, modified=False),
                    f"{o.matches}/{o.total}",
                    _printed(candidate, o.order, modified=True),
                )
                for o in one.orders
            ]
    return Table(_fields(kinds), tuple(rows))


def length_table(examples: Sequence[Sequence[WorkedExample]]) -> Table:
    """Naive recall, lengths and brevity penalty of the paper's candidates."""
    kinds: dict[str, Kind] = {
        "example": "count",
        "candidate": "count",
        "naive_recall": "fraction",
        "words": "count",
        "reference_words": "text",
        "reference_length": "count",
        "brevity_penalty": "fraction",
        "bleu": "bleu",
    }
    rows = tuple(
        (
            example.number,
            number,
            one.recall.value,
            one.brevity.hypothesis_length,
            ", ".join(map(str, one.brevity.reference_lengths)),
            one.brevity.effective,
            one.brevity.penalty,
            one.score / UNIT,
        )
        for example, worked in zip(EXAMPLES, examples, strict=True)
        for number, one in enumerate(worked, start=1)
    )
    return Table(_fields(kinds), rows)


def ngram_table(worked: WorkedExample) -> Table:
    """Every n-gram of a candidate: how often it occurs, is matched and is exhausted."""
    kinds: dict[str, Kind] = {"order": "count", "ngram": "text", "count": "count"}
    kinds |= {f"reference_{r}": "count" for r in range(1, len(worked.references) + 1)}
    kinds |= {"most": "count", "clipped": "count", "exhausted": "count"}
    rows = tuple(
        (o.order, " ".join(n.ngram), n.count, *n.in_references, n.most, n.clipped, n.exhausted)
        for o in worked.orders
        for n in o.ngrams
    )
    return Table(_fields(kinds), rows)


def penalty_table(penalties: SentencePenalties) -> Table:
    """The corpus's penalty, the mean of the segments' own, and that mean by length."""
    kinds: dict[str, Kind] = {"system": "text", "corpus": "fraction", "mean_of_segments": "fraction"}
    for number, band in enumerate(penalties.bands, start=1):
        kinds[f"{number}: {band.shortest:.3g} to {band.longest:.3g} words"] = "fraction"
    rows = tuple(
        (name, float(penalties.corpus[k]), float(penalties.means[k]), *(float(b.penalties[k]) for b in penalties.bands))
        for k, name in enumerate(penalties.systems)
    )
    return Table(_fields(kinds), rows)


def order_table(figure: PrecisionOrders) -> Table:
    """Precisions, a system a row; how many times the first system's the last one's are, if there are two."""
    orders = range(figure.matches.shape[1])
    kinds: dict[str, Kind] = {"system": "text"}
    kinds |= {f"precision_{n + 1}": "fraction" for n in orders}
    precisions = figure.precisions
    rows: list[tuple[Cell, ...]] = [(name, *precisions[k].tolist()) for k, name in enumerate(figure.systems)]
    if len(rows) == 2:  # noqa: PLR2004 # Figure 1
        rows.append((f"{figure.systems[1]} / {figure.systems[0]}", *figure.ratios.tolist()))
    return Table(_fields(kinds), tuple(rows))


def combination_table(combinations: Sequence[Combination], results: Sequence[CombinationAgreement] = ()) -> Table:
    """BLEU by each combination, a row each; with its Pearson and Spearman correlation with each group."""
    groups = tuple(dict.fromkeys(r.group for r in results))
    kinds: dict[str, Kind] = {"mean": "text", "N": "count", "weights": "text"}
    kinds |= dict.fromkeys((f"BLEU of {name}" for name in combinations[0].systems), "bleu")
    for group in groups:
        kinds |= {f"r with {_column(group)}": "number", f"rank r with {_column(group)}": "number"}
    of = {(id(r.combination), r.group): r for r in results}
    rows: list[tuple[Cell, ...]] = []
    for one in combinations:
        row: list[Cell] = [one.mean, one.max_order, _weights(one.weights), *(one.scores / UNIT).tolist()]
        for group in groups:
            r = of[id(one), group]
            row += [r.pearson.coefficient, r.spearman.coefficient]
        rows.append(tuple(row))
    return Table(_fields(kinds), tuple(rows))


def bleu_table(found: Experiment, *, published: bool) -> Table:
    """Table 1, systems from worst to best."""
    table = found.table_2
    kinds: dict[str, Kind] = {"system": "text", "bleu": "bleu"}
    rows: list[tuple[Cell, ...]] = [
        (n, float(b) / UNIT) for n, b in zip(table.systems, table.corpus_scores, strict=True)
    ]
    return _beside(Table(_fields(kinds), tuple(rows)), {"published_bleu": _units(TABLE_1)} if published else {})


def block_table(found: Experiment, *, published: bool) -> Table:
    """Table 2: mean and deviation over blocks, and t against the row above."""
    table = found.table_2
    kinds: dict[str, Kind] = {
        "system": "text",
        "mean": "bleu",
        "standard_deviation": "bleu",
        "zero_blocks": "count",
        "t": "points",
        "degrees_of_freedom": "count",
        "p_value": "p",
        "reason": "text",
    }
    tests = [None, *(pair.test for pair in table.pairs)]
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            float(table.means[k]) / UNIT,
            float(table.standard_deviations[k]) / UNIT,
            int(table.zero_blocks[k]),
            *((test.t, test.degrees_of_freedom, test.p_value, test.reason) if test else (*[math.nan] * 3, "")),
        )
        for k, (name, test) in enumerate(zip(table.systems, tests, strict=True))
    ]
    extra: dict[str, Mapping[str, float]] = {}
    if published:
        extra = {
            "published_mean": _units(TABLE_2_MEANS),
            "published_deviation": _units(TABLE_2_DEVIATIONS),
            "published_t": {pair.system: published_t(pair.system, pair.baseline) for pair in table.pairs},
        }
    return _beside(Table(_fields(kinds), tuple(rows)), extra)


def published_t(system: str, baseline: str) -> float:
    """The t that Table 2 prints for a pair; NaN where it prints none."""
    neighbours = {(right, left) for left, right in pairwise(SYSTEMS)}
    return TABLE_2_T[system] if (system, baseline) in neighbours else math.nan


def block_size_table(found: Sequence[BlockSizes]) -> Table:
    """The paired t of each two neighbours by size of block, a size a row."""
    kinds: dict[str, Kind] = {"blocks": "count", "segments": "points"}
    kinds |= dict.fromkeys((f"t of {b.system} and {b.baseline}" for b in found), "points")
    if not found:
        return Table(_fields(kinds), ())
    rows = tuple(
        (int(found[0].blocks[i]), float(found[0].sizes[i]), *(b.tests[i].t for b in found))
        for i in range(len(found[0].blocks))
    )
    return Table(_fields(kinds), rows)


def reference_table(numbers: ReferenceNumbers, *, published: bool) -> Table:
    """BLEU by number of references, mean and range over the sets of references."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "references": "count",
        "sets": "count",
        "mean": "bleu",
        "low": "bleu",
        "high": "bleu",
    }
    rows: list[tuple[Cell, ...]] = []
    for k, name in enumerate(numbers.systems):
        for number in numbers.numbers:
            values = (float(side[k]) / UNIT for side in (number.means, number.lows, number.highs))
            row: tuple[Cell, ...] = (name, number.number, len(number.subsets), *values)
            if published:
                printed = H2_BY_REFERENCES.get(number.number) if name == "H2" else None
                row = (*row, math.nan if printed is None else printed / UNIT)
            rows.append(row)
    if published:
        kinds["published_bleu"] = "bleu"
    return Table(_fields(kinds), tuple(rows))


def single_reference_table(single: SingleReference) -> Table:
    """A system a row: BLEU with each reference alone, over the draws, and how often it keeps its place."""
    kinds: dict[str, Kind] = {"system": "text", "all_references": "bleu"}
    kinds |= dict.fromkeys((f"{name} alone" for name in single.references), "bleu")
    kinds |= {"mean": "bleu", "low": "bleu", "high": "bleu", "stays_above_the_row_before": "fraction"}
    kept = [math.nan, *single.neighbours_kept.tolist()]
    rows = tuple(
        (
            name,
            float(single.all_references[k]) / UNIT,
            *(single.alone[:, k] / UNIT).tolist(),
            *(float(take(single.scores[:, k])) / UNIT for take in (np.mean, np.min, np.max)),
            kept[k],
        )
        for k, name in enumerate(single.systems)
    )
    return Table(_fields(kinds), rows)


def difference_table(groups: Sequence[GroupDifferences], *, published: bool) -> Table:
    """Figures 3 and 4 and more: a pair and unit a row."""
    kinds: dict[str, Kind] = {
        "group": "text",
        "system": "text",
        "baseline": "text",
        "over": "text",
        "N": "count",
        "mean_difference": "number",
        "low": "number",
        "high": "number",
        "t": "points",
        "p_value": "p",
    }
    kinds |= {"published_difference": "number"} if published else {}
    kinds |= {"reason": "text"}
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        for pair in group.pairs:
            printed = MONOLINGUAL_DIFFERENCES.get((pair.better, pair.worse), math.nan)
            for unit in UNITS:
                d = pair.by(unit)
                row: tuple[Cell, ...] = (_label(group.group), pair.better, pair.worse, unit, d.n)
                row = (*row, d.mean, d.interval.low, d.interval.high, d.t, d.p_value)
                if published:
                    row = (*row, printed if group.group == MONOLINGUAL and unit == UNITS[0] else math.nan)
                rows.append((*row, d.reason))
    return Table(_fields(kinds), tuple(rows))


def regression_table(agreements: Sequence[GroupAgreement], *, published: bool) -> Table:
    """Figures 5 and 6: r and the line, a group a row; the slope is the rating that BLEU from 0 to 1 adds."""
    kinds: dict[str, Kind] = {
        "group": "text",
        "systems": "count",
        "r": "number",
        "low": "number",
        "high": "number",
        "p_value": "p",
        "slope": "number",
        "intercept": "number",
    }
    kinds |= {"published_r": "number"} if published else {}
    kinds |= {"reason": "text"}
    rows: list[tuple[Cell, ...]] = []
    for group in agreements:
        kept = [(_label(group.group), group.everyone)]
        kept += [(f"{_label(group.group)}, machines only", group.machines)] if group.machines else []
        for name, one in kept:
            r, line = one.pearson, one.regression
            row: tuple[Cell, ...] = (name, r.pairs, r.coefficient, r.interval.low, r.interval.high, r.p_value)
            row = (*row, line.slope * UNIT, line.intercept)
            if published:
                row = (*row, CORRELATIONS.get(name, math.nan))
            rows.append((*row, r.reason))
    return Table(_fields(kinds), tuple(rows))


def by_reference_table(found: Sequence[ReferenceAgreement]) -> Table:
    """Pearson's r with all judges by the references scored against, with and without the human translators."""
    kinds: dict[str, Kind] = {
        "references": "text",
        "who": "text",
        "systems": "count",
        "r": "number",
        "low": "number",
        "high": "number",
        "p_value": "p",
        "reason": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for who, of in (("all systems", one.everyone), ("machine systems only", one.machines)):
            if of is not None:
                r = of.pearson
                bounds = r.interval.low, r.interval.high
                rows.append((one.label, who, r.pairs, r.coefficient, *bounds, r.p_value, r.note))
    return Table(_fields(kinds), tuple(rows))


def normalised_table(found: Normalised) -> Table:
    """Figure 7: BLEU and mean ratings as fractions of their ranges."""
    kinds: dict[str, Kind] = {"system": "text", "BLEU": "fraction"}
    kinds |= dict.fromkeys((_column(group) for group in found.groups), "fraction")
    rows = tuple(
        (name, float(found.bleu[k]), *(float(values[k]) for values in found.groups.values()))
        for k, name in enumerate(found.systems)
    )
    return Table(_fields(kinds), rows)


def definition_table(definitions: Sequence[Definition]) -> Table:
    """A system a row: the reference length, the penalty and BLEU under each definition, and log BLEU."""
    kinds: dict[str, Kind] = {"system": "text", "hypothesis_length": "count"}
    for d in definitions:
        kinds |= {
            f"{d.choice} length": "count",
            f"penalty by {d.choice}": "fraction",
            f"BLEU by {d.choice}": "bleu",
            f"log BLEU by {d.choice}": "number",
        }
    rows = tuple(
        (
            name,
            float(definitions[0].hypothesis_lengths[k]),
            *(
                float(value)
                for d in definitions
                for value in (d.reference_lengths[k], d.penalties[k], d.scores[k] / UNIT, _finite(d.log_bleu[k]))
            ),
        )
        for k, name in enumerate(definitions[0].systems)
    )
    return Table(_fields(kinds), rows)


def claim_table(tested: Sequence[Claim]) -> Table:
    """A claim a row: whether it holds here, and what was seen."""
    kinds: dict[str, Kind] = {"place": "text", "claim": "text", "criterion": "text", "holds": "text", "found": "text"}
    return Table(
        _fields(kinds), tuple((c.place, c.said, c.criterion, VERDICTS[c.holds], c.found or c.reason) for c in tested)
    )


def published_table() -> Table:
    """All that the paper prints of its own data."""
    kinds: dict[str, Kind] = {"place": "text", "what": "text", "value": "text"}
    return Table(
        _fields(kinds),
        tuple((p.place, p.what, f"{p.value / UNIT if p.unit == 'points' else p.value:.6g}") for p in PUBLISHED),
    )


def _printed(candidate: Candidate, order: int, *, modified: bool) -> str:
    matching = (p for p in candidate.printed if p.order == order and p.modified == modified)
    return next(map(_fraction, matching), "")


def _fraction(printed: PrintedPrecision) -> str:
    return str(printed.matches) if printed.total is None else f"{printed.matches}/{printed.total}"


def _beside(table: Table, columns: Mapping[str, Mapping[str, float]]) -> Table:
    """The table with printed values behind its own columns, before a note, a system's in its row."""
    kinds: dict[str, Kind] = dict(table.kinds)
    note = kinds.pop("reason", None)
    for name in columns:
        kinds[name] = "points" if name == "published_t" else "bleu"
    own = len(table.kinds) - (note is not None)
    rows = tuple(
        (*row[:own], *(values.get(str(row[0]), math.nan) for values in columns.values()), *row[own:])
        for row in table.rows
    )
    if note is not None:
        kinds["reason"] = note
    return Table(_fields(kinds), rows)


def _units(points: Mapping[str, float]) -> dict[str, float]:
    return {name: value / UNIT for name, value in points.items()}


def _weights(weights: Iterable[float] | None) -> str:
    return "uniform" if weights is None else "/".join(f"{w:g}" for w in weights)


def _label(group: str | None) -> str:
    return ALL_JUDGES if group is None else group


def _column(group: str | None) -> str:
    """A group in a column's name, unlike that of any other column."""
    return ALL_JUDGES if group is None else f"group {group}"


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan


def _fields(kinds: Mapping[str, Kind]) -> Mapping[str, Field]:
    return {name: Field(kind) for name, kind in kinds.items()}
