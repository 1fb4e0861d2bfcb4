"""Results as tables and as JSON, the same for the command line and the page.

A table knows of each column what kind of value it holds, and so how people and programs should see it.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from bleu_core.blocks import BlockScores
from bleu_core.correlation import Agreement, Correlation, normalised_by_range
from bleu_core.decay import Decay
from bleu_core.evaluation import CorpusScores, Evaluation

Cell = str | int | float
Kind = Literal["text", "count", "points", "difference", "fraction", "number", "p"]
Json = dict[str, object]

SMALLEST_P = 0.001

#: A row that begins with [ or * would be an argument of the command before it.
LATEX_ARGUMENT = re.compile(r"((?:\\\\|\\midrule|\\toprule)\s*)([*\[])")


def format_p(p_value: float) -> str:
    """Two significant digits; never 0."""
    if math.isnan(p_value):
        return "undefined"
    if p_value < SMALLEST_P:
        return f"< {SMALLEST_P}"
    return f"{p_value:#.2g}"


FORMATS: Mapping[Kind, Callable[[float], str]] = {
    "count": lambda value: f"{value:g}" if value % 1 else f"{value:.0f}",
    "points": lambda value: f"{value:.2f}",
    "difference": lambda value: f"{value:+.2f}",
    "fraction": lambda value: f"{value:.3f}",
    "number": lambda value: f"{value:.3f}",
    "p": format_p,
}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of results.

    Attributes:
        kinds: column -> kind of its values, in the order of the columns.
        rows: one cell a column; NaN where there is no value.
    """

    kinds: Mapping[str, Kind]
    rows: tuple[tuple[Cell, ...], ...]

    def formatted(self) -> list[list[str]]:
        """The cells as people read them."""
        return [
            [format_cell(cell, kind) for cell, kind in zip(row, self.kinds.values(), strict=True)] for row in self.rows
        ]

    def for_people(self) -> Table:
        """The table without a column of notes where there is no note."""
        notes = list(self.kinds).index("note") if "note" in self.kinds else -1
        if notes < 0 or any(row[notes] for row in self.rows):
            return self
        kinds: dict[str, Kind] = {name: kind for name, kind in self.kinds.items() if name != "note"}
        return Table(kinds, tuple(row[:notes] + row[notes + 1 :] for row in self.rows))


def format_cell(cell: Cell, kind: Kind) -> str:
    """A cell as people read it; empty where there is no value."""
    if kind == "text" or isinstance(cell, str):
        return str(cell)
    if math.isnan(cell):
        return ""
    return FORMATS[kind](cell)


def to_text(table: Table) -> str:
    """A table for a terminal."""
    from tabulate import tabulate  # loaded when first needed: JSON does without

    table = table.for_people()
    return tabulate(table.formatted(), _labels(table), "simple", disable_numparse=True, colalign=_alignment(table))


def to_latex(table: Table) -> str:
    """A table for a paper, with booktabs; names are escaped."""
    from tabulate import tabulate

    table = table.for_people()
    rows = table.formatted()
    text = tabulate(rows, _labels(table), "latex_booktabs", disable_numparse=True, colalign=_alignment(table))
    return LATEX_ARGUMENT.sub(r"\1{}\2", text)


def to_tsv(table: Table) -> str:
    """All digits, tab-separated; an empty cell is no value."""
    out = io.StringIO()
    writer = csv.writer(out, dialect="excel-tab", lineterminator="\n")
    writer.writerow(table.kinds)
    writer.writerows([["" if _is_nan(cell) else cell for cell in row] for row in table.rows])
    return out.getvalue()


def score_table(evaluation: Evaluation | CorpusScores) -> Table:
    """BLEU and what it is made of, a system a row, in the corpus's order."""
    scores = evaluation.scores
    orders = range(evaluation.settings.max_order)
    kinds: dict[str, Kind] = {"system": "text", "bleu": "points"}
    kinds |= {f"precision_{n + 1}": "fraction" for n in orders}
    kinds |= {
        "brevity_penalty": "fraction",
        "hypothesis_length": "count",
        "reference_length": "count",
        "length_ratio": "fraction",
    }
    rows = tuple(
        (
            name,
            float(scores.score[k]),
            *(float(scores.precisions[k, n]) for n in orders),
            float(scores.brevity_penalty[k]),
            int(scores.hypothesis_length[k]),
            _length(scores.reference_length[k]),
            float(scores.hypothesis_length[k] / scores.reference_length[k]) if scores.reference_length[k] else math.nan,
        )
        for k, name in enumerate(evaluation.systems)
    )
    return Table(kinds, rows)


def score_json(evaluation: Evaluation | CorpusScores) -> Json:
    """The contract of `bleu-core score --format json`."""
    scores = evaluation.scores
    return {
        "signature": evaluation.signature,
        "settings": asdict(evaluation.settings),
        "references": list(evaluation.references),
        "segments": evaluation.segments,
        "systems": [
            {
                "system": name,
                "bleu": float(scores.score[k]),
                "precisions": scores.precisions[k].tolist(),
                "brevity_penalty": float(scores.brevity_penalty[k]),
                "hypothesis_length": int(scores.hypothesis_length[k]),
                "reference_length": _length(scores.reference_length[k]),
                "matches": [int(m) for m in scores.matches[k]],
                "totals": [int(t) for t in scores.totals[k]],
            }
            for k, name in enumerate(evaluation.systems)
        ],
    }


def precision_table(evaluation: Evaluation) -> Table:
    """Precisions by system and order, with the counts behind them."""
    scores = evaluation.scores
    kinds: dict[str, Kind] = {
        "system": "text",
        "order": "count",
        "precision": "fraction",
        "matches": "count",
        "totals": "count",
    }
    rows = tuple(
        (name, n + 1, float(scores.precisions[k, n]), int(scores.matches[k, n]), int(scores.totals[k, n]))
        for k, name in enumerate(evaluation.systems)
        for n in range(evaluation.settings.max_order)
    )
    return Table(kinds, rows)


def decay_table(systems: Sequence[str], decays: Sequence[Decay]) -> Table:
    """The fitted rate of decay, a system a row."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "rate": "number",
        "retention": "fraction",
        "r_squared": "fraction",
        "orders": "text",
    }
    rows = tuple(
        (name, d.rate, d.retention, d.r_squared, d.reason or ", ".join(map(str, d.orders)))
        for name, d in zip(systems, decays, strict=True)
    )
    return Table(kinds, rows)


def block_table(result: BlockScores) -> Table:
    """Table 2: a system a row, each against the row above."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "bleu": "points",
        "mean": "points",
        "standard_deviation": "points",
        "zero_blocks": "count",
        "baseline": "text",
        "mean_difference": "difference",
        "t": "points",
        "degrees_of_freedom": "count",
        "p_value": "p",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for k, name in enumerate(result.systems):
        of_system = (
            name,
            float(result.bleu[k]),
            float(result.means[k]),
            float(result.standard_deviations[k]),
            int(result.zero_blocks[k]),
        )
        if k == 0:
            rows.append((*of_system, "", *[math.nan] * 4, ""))
            continue
        pair = result.pairs[k - 1]
        tested = (pair.mean_difference, pair.t, pair.degrees_of_freedom, pair.p_value, pair.reason)
        rows.append((*of_system, pair.baseline, *tested))
    return Table(kinds, tuple(rows))


def block_score_table(result: BlockScores) -> Table:
    """BLEU of every system on every block, a row each."""
    kinds: dict[str, Kind] = {"system": "text", "block": "text", "segments": "count", "bleu": "points"}
    blocks = list(zip(result.blocks.names, result.blocks.sizes, strict=True))
    rows = tuple(
        (system, block, size, float(result.scores[k, b]))
        for k, system in enumerate(result.systems)
        for b, (block, size) in enumerate(blocks)
    )
    return Table(kinds, rows)


def blocks_json(result: BlockScores) -> Json:
    """The contract of `bleu-core blocks --format json`."""
    return {
        "signature": result.signature,
        "block_sizes": list(result.blocks.sizes),
        "systems": [
            {
                "system": name,
                "bleu": float(result.bleu[k]),
                "mean": float(result.means[k]),
                "standard_deviation": none_if_nan(float(result.standard_deviations[k])),
                "zero_blocks": int(result.zero_blocks[k]),
                "scores": result.scores[k].tolist(),
            }
            for k, name in enumerate(result.systems)
        ],
        "pairs": [
            {
                "system": pair.system,
                "baseline": pair.baseline,
                "delta": pair.delta,
                "mean_difference": pair.mean_difference,
                "t": none_if_nan(pair.t),
                "degrees_of_freedom": pair.degrees_of_freedom,
                "p_value": none_if_nan(pair.p_value),
            }
            | ({"reason": pair.reason} if pair.reason else {})
            for pair in result.pairs
        ],
    }


def agreement_table(result: Agreement) -> Table:
    """BLEU and mean rating, a system a row, and both scaled to their range as in Figure 7."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "bleu": "points",
        "human": "number",
        "bleu_normalised": "fraction",
        "human_normalised": "fraction",
    }
    columns = (result.bleu, result.human, normalised_by_range(result.bleu), normalised_by_range(result.human))
    rows = tuple(
        (name, *(float(value) for value in values)) for name, *values in zip(result.systems, *columns, strict=True)
    )
    return Table(kinds, rows)


def correlation_table(result: Agreement) -> Table:
    """The coefficients, one a row."""
    kinds: dict[str, Kind] = {
        "coefficient": "text",
        "value": "number",
        "low": "number",
        "high": "number",
        "p_value": "p",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = [
        (c.method, c.coefficient, c.interval.low, c.interval.high, c.p_value, c.note) for c in result.correlations
    ]
    accuracy = result.pairwise_accuracy
    note = f"{accuracy.agreeing} of {accuracy.pairs} pairs"
    rows.append(("pairwise accuracy", accuracy.value, math.nan, math.nan, math.nan, note))
    return Table(kinds, tuple(rows))


def correlate_json(result: Agreement) -> Json:
    """The contract of `bleu-core correlate --format json`."""
    accuracy, line = result.pairwise_accuracy, result.regression
    return {
        "signature": result.signature,
        "level": "system",
        "excluded": [asdict(e) for e in result.excluded],
        "systems": [
            {"system": name, "bleu": float(b), "human": float(h)}
            for name, b, h in zip(result.systems, result.bleu, result.human, strict=True)
        ],
        **{c.method: _correlation_json(c) for c in result.correlations},
        "pairwise_accuracy": {
            "value": none_if_nan(accuracy.value),
            "agreeing": accuracy.agreeing,
            "pairs": accuracy.pairs,
        },
        "regression": {"slope": none_if_nan(line.slope), "intercept": none_if_nan(line.intercept)}
        | ({"reason": line.reason} if line.reason else {}),
    }


def none_if_nan(value: float) -> float | None:
    """JSON has no NaN: what is undefined is null."""
    return None if math.isnan(value) else value


def _correlation_json(c: Correlation) -> Json:
    found: Json = {
        "coefficient": none_if_nan(c.coefficient),
        "low": none_if_nan(c.interval.low),
        "high": none_if_nan(c.interval.high),
        "p_value": none_if_nan(c.p_value),
    }
    return found | ({"reason": c.note} if c.note else {})


def _labels(table: Table) -> list[str]:
    return [name if kind == "text" and name not in LABELS else label(name) for name, kind in table.kinds.items()]


#: Column names as people read them, where it is more than a blank for an underscore.
LABELS: Mapping[str, str] = {"bleu": "BLEU", "p_value": "p", "t": "t", "degrees_of_freedom": "df"}


def label(name: str) -> str:
    """A column's name as people read it."""
    if name in LABELS:
        return LABELS[name]
    if name.startswith("precision_"):
        return "p" + name.removeprefix("precision_")
    return name.replace("_", " ")


def _alignment(table: Table) -> tuple[str, ...]:
    return tuple("left" if kind == "text" else "right" for kind in table.kinds.values())


def _length(value: float) -> int | float:
    """Lengths are whole but for the average over references."""
    return int(value) if float(value).is_integer() else float(value)


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)
