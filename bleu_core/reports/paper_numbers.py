"""The contract of `bleu-core paper --format json`: BLEU in points, printed values apart from computed ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bleu_core import paper
from bleu_core.agreement import Agreement, Correlation
from bleu_core.inference import PairedT
from bleu_core.judges import PairedDifference
from bleu_core.paper import (
    Claim,
    Combination,
    CombinationAgreement,
    Experiment,
    GroupDifferences,
    OrderCounts,
    PrecisionOrders,
    Ratings,
    SingleReference,
    WorkedExample,
)
from bleu_core.reports.encoding import Json
from bleu_core.scoring import Definition, brevity

NO_JUDGMENTS = "no judgments"


def paper_json(
    found: Experiment,
    examples: Sequence[Sequence[WorkedExample]],
    tested: Sequence[Claim],
    left_out: Sequence[str] = (),
) -> Json:
    """All of the experiment.

    Args:
        found: the experiment.
        examples: the paper's, worked; a list of candidates each.
        tested: its claims.
        left_out: what was left out of the judgments, in words.
    """
    evaluation, single = found.evaluation, found.single_reference
    ratings = found.ratings
    return {
        "signature": evaluation.signature,
        "settings": asdict(evaluation.settings),
        "segments": evaluation.segments,
        "references": list(found.full.references),
        "table_references": list(evaluation.references),
        "human_systems": list(found.humans),
        "left_out": [asdict(e) for e in found.left_out],
        "ratings_left_out": list(left_out),
        "published_corresponds": paper.corresponds(evaluation.systems),
        "examples": {
            "computed": [
                {"example": example.number, "candidate": number} | _example(one)
                for example, worked in zip(paper.EXAMPLES, examples, strict=True)
                for number, one in enumerate(worked, start=1)
            ],
            "published": [
                {"example": example.number, "candidate": number} | asdict(printed)
                for example in paper.EXAMPLES
                for number, candidate in enumerate(example.candidates, start=1)
                for printed in candidate.printed
            ],
        },
        "length": {
            "computed": asdict(brevity(paper.CANDIDATE_LENGTH, paper.REFERENCE_LENGTHS)),
            "published": {"penalty": paper.WANTED_PENALTY},
        },
        "penalties": {"computed": _penalties(found)},
        "figure_1": {"computed": _orders(found.figure_1)},
        "figure_2": {"computed": _orders(found.figure_2)},
        "combining": {"computed": _combining(found.combinations, ratings)},
        "table_1": {
            "computed": _by_system(found.table_2.systems, bleu=found.table_2.corpus_scores),
            "published": [{"system": name, "bleu": value} for name, value in paper.TABLE_1.items()],
        },
        "table_2": _table_2(found),
        "block_sizes": {
            "computed": [
                {
                    "system": sizes.system,
                    "baseline": sizes.baseline,
                    "tests": [
                        {"blocks": int(blocks), "segments": float(size)} | _t(test)
                        for blocks, size, test in zip(sizes.blocks, sizes.sizes, sizes.tests, strict=True)
                    ],
                }
                for sizes in found.block_sizes
            ]
        },
        "references_by_number": {
            "computed": [
                {
                    "references": number.number,
                    "sets": [list(names) for names in number.subsets],
                    "possible_sets": number.possible,
                    "systems": _by_system(
                        found.references_by_number.systems, mean=number.means, low=number.lows, high=number.highs
                    ),
                }
                for number in found.references_by_number.numbers
            ],
            "published": [
                {"system": "H2", "references": number, "bleu": value}
                for number, value in sorted(paper.H2_BY_REFERENCES.items())
            ],
        },
        "single_reference": {"computed": _single(single), "published": {"order_kept": True}},
        "figures_3_4": {
            "published": [
                {"group": paper.MONOLINGUAL, "system": better, "baseline": worse, "mean_difference": value}
                for (better, worse), value in paper.MONOLINGUAL_DIFFERENCES.items()
            ]
        }
        | _rated(ratings, lambda r: [_differences(group) for group in r.differences]),
        "figures_5_6": {"published": [{"group": group, "r": value} for group, value in paper.CORRELATIONS.items()]}
        | _rated(
            ratings,
            lambda r: [
                {
                    "group": a.group,
                    "all_systems": _agreement(a.everyone),
                    "machines_only": None if a.machines is None else _agreement(a.machines),
                }
                for a in r.agreements
            ],
        ),
        "figure_7": _rated(ratings, _normalised),
        "agreement_by_reference": _rated(
            ratings,
            lambda r: [
                {
                    "references": list(one.references),
                    "all_systems": _agreement(one.everyone),
                    "machines_only": None if one.machines is None else _agreement(one.machines),
                }
                for one in r.by_reference
            ],
        ),
        "definitions": {"computed": [_definition(d) for d in found.definitions]},
        "claims": [asdict(claim) for claim in tested],
    }


def _example(one: WorkedExample) -> Json:
    lengths = one.brevity
    return {
        "tokens": list(one.candidate),
        "references": [list(tokens) for tokens in one.references],
        "orders": [_order(o) for o in one.orders],
        "recall": {"recalled": list(one.recall.recalled), "missed": list(one.recall.missed)}
        | _known({"value": one.recall.value}, "the references have no word"),
        "hypothesis_length": lengths.hypothesis_length,
        "reference_lengths": list(lengths.reference_lengths),
        "reference_length": lengths.effective,
        "brevity_penalty": lengths.penalty,
        "bleu": one.score,
    }


def _order(counts: OrderCounts) -> Json:
    return {
        "order": counts.order,
        "matches": counts.matches,
        "standard_matches": counts.standard_matches,
        "total": counts.total,
        "ngrams": [
            {
                "ngram": list(n.ngram),
                "count": n.count,
                "in_references": list(n.in_references),
                "most": n.most,
                "clipped": n.clipped,
                "exhausted": n.exhausted,
            }
            for n in counts.ngrams
        ],
    } | _known(
        {"modified_precision": counts.modified_precision, "standard_precision": counts.standard_precision},
        "no n-gram of this order",
    )


def _penalties(found: Experiment) -> Json:
    penalties = found.penalties
    return {
        "systems": _by_system(penalties.systems, corpus=penalties.corpus, mean_of_segments=penalties.means),
        "bands": [
            {
                "segments": band.segments,
                "shortest": band.shortest,
                "longest": band.longest,
                "penalties": band.penalties.tolist(),
            }
            for band in penalties.bands
        ],
    }


def _orders(figure: PrecisionOrders) -> Json:
    return {
        "segments": figure.segments,
        "references": list(figure.references),
        "systems": [
            {
                "system": name,
                "matches": [int(n) for n in figure.matches[k]],
                "totals": [int(n) for n in figure.totals[k]],
            }
            | _known({"precisions": figure.precisions[k].tolist()}, "no n-gram of an order")
            for k, name in enumerate(figure.systems)
        ],
        "rankings": [list(names) for names in figure.rankings],
    }


def _combining(combinations: Sequence[Combination], ratings: Ratings | None) -> list[Json]:
    found: list[Json] = []
    for one in combinations:
        content: Json = {"mean": one.mean, "max_order": one.max_order, "weights": one.weights and list(one.weights)}
        content["systems"] = _by_system(one.systems, bleu=one.scores)
        if ratings:
            content["correlations"] = [_follows(f) for f in ratings.combination_agreements if f.combination is one]
        else:
            content |= {"correlations": None, "reason": NO_JUDGMENTS}
        found.append(content)
    return found


def _follows(found: CombinationAgreement) -> Json:
    return {
        "group": found.group,
        "pearson": _correlation(found.pearson),
        "spearman": _correlation(found.spearman),
    }


def _table_2(found: Experiment) -> Json:
    table = found.table_2
    return {
        "computed": {
            "block_sizes": list(table.blocks.sizes),
            "systems": [
                {"system": name, "mean": float(table.means[k]), "zero_blocks": int(table.zero_blocks[k])}
                | _known({"standard_deviation": float(table.standard_deviations[k])}, "one block only")
                for k, name in enumerate(table.systems)
            ],
            "pairs": [
                {"system": pair.system, "baseline": pair.baseline, "delta": pair.delta} | _t(pair.test)
                for pair in table.pairs
            ],
        }
        | _known({"critical_t": table.critical_t}, "one block only"),
        "published": {
            "blocks": paper.BLOCKS,
            "block_size": paper.BLOCK_SIZE,
            "systems": [
                {"system": name, "mean": mean, "standard_deviation": paper.TABLE_2_DEVIATIONS[name]}
                for name, mean in paper.TABLE_2_MEANS.items()
            ],
            "pairs": [
                {"system": name, "baseline": baseline, "t": paper.TABLE_2_T[name]}
                for baseline, name in pairwise(paper.SYSTEMS)
            ],
            "critical_t": paper.CRITICAL_T,
        },
    }


def _t(test: PairedT) -> Json:
    known: Json = {"mean_difference": test.mean_difference, "degrees_of_freedom": test.degrees_of_freedom}
    return known | _known({"t": test.t, "p_value": test.p_value}, test.reason)


def _single(single: SingleReference) -> Json:
    content: Json = {
        "unit": single.unit,
        "units": single.units,
        "draws": len(single.scores),
        "seed": single.seed,
        "systems": [
            {
                "system": name,
                "all_references": float(single.all_references[k]),
                "mean": float(single.scores[:, k].mean()),
                "low": float(single.scores[:, k].min()),
                "high": float(single.scores[:, k].max()),
            }
            | _known({"alone": single.alone[:, k].tolist()}, "a reference lacks segments")
            for k, name in enumerate(single.systems)
        ],
        "neighbours_kept": single.neighbours_kept.tolist(),
    }
    if single.reason:
        content["why_unit"] = single.reason
    return content | _known({"order_kept": single.order_kept}, "1 system, at least 2 needed")


def _differences(group: GroupDifferences) -> Json:
    return {
        "group": group.group,
        "judges": group.judges,
        "systems": list(group.systems),
        "pairs": [
            {
                "system": pair.better,
                "baseline": pair.worse,
                "by_judge_and_segment": _difference(pair.by_judge_and_segment),
                "by_segment": _difference(pair.by_segment),
                "by_judge": _difference(pair.by_judge),
            }
            for pair in group.pairs
        ],
    }


def _difference(found: PairedDifference) -> Json:
    values = {
        "mean_difference": found.mean,
        "standard_deviation": found.standard_deviation,
        "low": found.interval.low,
        "high": found.interval.high,
        "t": found.t,
        "p_value": found.p_value,
    }
    return {"n": found.n, "degrees_of_freedom": found.degrees_of_freedom} | _known(values, found.reason)


def _agreement(found: Agreement) -> Json:
    line = found.regression
    return {
        "systems": _by_system(found.systems, bleu=found.oriented_scores, human=found.human),
        "excluded": [asdict(e) for e in found.excluded],
        "pearson": _correlation(found.pearson),
        "spearman": _correlation(found.spearman),
        "regression": _known({"slope": line.slope, "intercept": line.intercept}, line.reason),
    }


def _correlation(found: Correlation) -> Json:
    values = {
        "coefficient": found.coefficient,
        "low": found.interval.low,
        "high": found.interval.high,
        "p_value": found.p_value,
    }
    return {"systems": found.pairs} | _known(values, found.note)


def _normalised(ratings: Ratings) -> Json:
    found = ratings.normalised
    reason = "all values are the same"
    return {
        "systems": list(found.systems),
        "bleu": _known({"values": found.bleu.tolist()}, reason),
        "groups": [{"group": g} | _known({"values": v.tolist()}, reason) for g, v in found.groups.items()],
    }


def _definition(found: Definition) -> Json:
    return {
        "reference_length": found.choice,
        "signature": found.signature,
        "ranking": list(found.ranking),
        "systems": [
            {
                "system": name,
                "bleu": float(found.scores[k]),
                "brevity_penalty": float(found.penalties[k]),
                "hypothesis_length": float(found.hypothesis_lengths[k]),
                "reference_length": float(found.reference_lengths[k]),
            }
            | _known(
                {
                    "log_brevity_penalty": float(found.log_penalties[k]),
                    "log_precisions": float(found.log_precisions[k]),
                    "log_bleu": float(found.log_bleu[k]),
                },
                "the logarithm of 0",
            )
            for k, name in enumerate(found.systems)
        ],
    }


def _rated(ratings: Ratings | None, content: Callable[[Ratings], object]) -> Json:
    """What judges say, or why nothing is said."""
    return {"computed": None, "reason": NO_JUDGMENTS} if ratings is None else {"computed": content(ratings)}


def _by_system(systems: Sequence[str], **values: NDArray[np.float64]) -> list[Json]:
    found: list[Json] = []
    for k, name in enumerate(systems):
        content: Json = {"system": name}
        found.append(content | {key: float(of_systems[k]) for key, of_systems in values.items()})
    return found


def _known(values: Mapping[str, float | list[float]], reason: str) -> Json:
    """Numbers, null where there is none, with the reason then."""
    content: Json = {}
    missing = False
    for key, value in values.items():
        several = value if isinstance(value, list) else [value]
        numbers = [v if math.isfinite(v) else None for v in several]
        missing |= None in numbers
        content[key] = numbers if isinstance(value, list) else numbers[0]
    return content | {"reason": reason} if missing else content
