"""Rankings of systems with each reference, and the systems that each reference favours, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bleu_core.agreement import REFERENCE, Advantage, Correlation, RankingPair, ReferenceRanking, ReferenceRankings
from bleu_core.dataset import RatedSegments, plural
from bleu_core.fields import REASON, SYSTEM, Field, Table, field, inline, result, table_of
from bleu_core.inference import CONFIDENCE
from bleu_core.results.envelope import Envelope, envelope_fields, rating_notes
from bleu_core.results.scores import SCORE
from bleu_core.scoring import BleuEvaluation
from bleu_core.version import VERSION

#: Replaces the name of a reference if all are used together.
ALL_REFERENCES = "all references"

REFERENCES_IN_USE = Field("text", f"Name of the reference, or {ALL_REFERENCES}.", "reference")


@result
class RankedSystem:
    """The score and rank of a system with a reference."""

    system: str = field(SYSTEM)
    score: float = field(SCORE)
    rank: int = field("count", "Rank by score, from 1, the best; equal scores have the same rank.")


@result
class RaterAgreement:
    """Agreement of the systems' scores with judges."""

    systems: int = field("count", "Number of systems with a score and ratings.")
    pearson: Correlation = field("object", "Pearson's r of scores and mean ratings.")
    kendall: Correlation = field("object", "Kendall's tau-b of scores and mean ratings.")


@result
class RankingResult:
    """The systems with one reference, or with all together."""

    reference: str | None = field("text", "Name of the reference; null for all together.", null=True)
    signature: str = field("text", "Signature to quote with the scores.")
    systems: tuple[RankedSystem, ...] = field("object", "The systems, their scores and ranks.")
    agreement: RaterAgreement | None = field("object", "Agreement with judges, if there are ratings.", default=None)
    agreement_adjusted: RaterAgreement | None = field(
        "object",
        "Agreement with mean ratings adjusted for judges, if judges are confounded with systems and `agreement` is of "
        "raw ratings.",
        default=None,
    )


@result
class AdvantageResult:
    """The advantage of a system with a reference."""

    advantage: Advantage = inline(Advantage)
    significant: bool = field("text", "Whether the corrected p is below the significance level.")


@result
class LeftOut:
    """A system that is not ranked."""

    system: str = field(SYSTEM)
    reason: str = field("text", "Why the system is left out.")


@result
class IncompleteReference:
    """A reference that is not used alone."""

    reference: str = field(REFERENCE)
    missing: int = field("count", "Number of segments that the reference lacks.")


@result
class ReferencesReport(Envelope):
    """The JSON of `bleu-core references`."""

    states_ratings: ClassVar[bool] = True

    rankings: tuple[RankingResult, ...] = field("object", "The systems with each reference, then with all together.")
    pairs: tuple[RankingPair, ...] = field("object", "Pairs of rankings.")
    advantages: tuple[AdvantageResult, ...] = field("object", "Advantage of each system with each reference.")
    unit: str = field("text", "Unit of standard errors: segment or document.")
    tests: int = field("count", "Number of advantages that p-values are corrected for.")
    alpha: float = field("fraction", "Significance level.")
    left_out: tuple[LeftOut, ...] = field("object", "Systems that are not ranked.", default=())
    incomplete: tuple[IncompleteReference, ...] = field(
        "object", "References that lack segments; they are used only together with all references.", default=()
    )
    methods: str = field("text", "Sentences for the methods section of a paper.")


@result
class _AgreementRow:
    """Agreement with judges for a reference, as a row."""

    reference: str = field(REFERENCES_IN_USE)
    systems: int = field("count", "Number of systems with a score and ratings.")
    pearson: float = field("number", "Pearson's r of scores and mean ratings.", label="Pearson's r", best="highest")
    kendall: float = field(
        "number", "Kendall's tau-b of scores and mean ratings.", label="Kendall's tau", best="highest"
    )
    low: float = field("number", f"Lower end of the {100 * CONFIDENCE:g}% interval of tau, over systems.")
    high: float = field("number", f"Upper end of the {100 * CONFIDENCE:g}% interval of tau, over systems.")
    reason: str = field(REASON, default="")


def rated_of(rankings: ReferenceRankings) -> RatedSegments | None:
    """Return the numbers of rated segments; None without ratings."""
    return next((ranking.agreement.rated for ranking in rankings.rankings if ranking.agreement is not None), None)


def references_report(
    rankings: ReferenceRankings, evaluation: BleuEvaluation, adjusted: ReferenceRankings | None = None
) -> ReferencesReport:
    """Return the JSON report of `bleu-core references`.

    Args:
        rankings: the rankings.
        evaluation: the evaluation of the whole text with all references.
        adjusted: the same with ratings adjusted for judges, if those of the rankings are raw and judges confounded.
    """
    beside = (None,) * (len(rankings.rankings) + 1) if adjusted is None else (*adjusted.rankings, adjusted.together)
    return ReferencesReport(
        **envelope_fields(
            evaluation, rankings.together.scored, (*rankings.warnings, *rating_notes(rated_of(rankings)))
        ),
        rankings=tuple(map(_ranking, (*rankings.rankings, rankings.together), beside)),
        pairs=rankings.pairs,
        advantages=_advantages(rankings),
        unit=rankings.unit,
        tests=rankings.tests,
        alpha=rankings.alpha,
        left_out=tuple(LeftOut(system=item.system, reason=item.reason) for item in rankings.excluded),
        incomplete=tuple(
            IncompleteReference(reference=name, missing=count) for name, count in rankings.incomplete.items()
        ),
        methods=references_methods(rankings),
    )


@result
class _ScoreAndRank:
    """Score and rank of a system with a reference."""

    score: float = field("points", "Corpus score.", columns="score_{0}", label="score with {1}")
    rank: int = field("count", "Rank by score, from 1.", columns="rank_{0}", label="rank with {1}")


@result
class _ReferenceScores:
    """Scores and ranks of a system."""

    system: str = field(SYSTEM)
    by_reference: Mapping[tuple[str, str], _ScoreAndRank] = field("object", columns="{0}")


def reference_scores_table(results: ReferenceRankings) -> Table:
    """Return score and rank of the systems with each reference and with all; the best with all references first."""
    rows = [
        _ReferenceScores(
            system=results.systems[k],
            by_reference={
                (ranking.reference or "all_references", reference_title(ranking.reference)): _ScoreAndRank(
                    score=float(ranking.scores[k]), rank=ranking.ranks[k]
                )
                for ranking in (results.together, *results.rankings)
            },
        )
        for k in results.together.order
    ]
    return table_of(rows, _ReferenceScores).with_decimals(results.together.scored.metric.decimals)


def rankings_agreement_table(rankings: ReferenceRankings) -> Table:
    """Return agreement with judges for each reference and for all; without rows if nothing is rated."""
    rows = [
        _AgreementRow(
            reference=reference_title(ranking.reference),
            systems=len(ranking.agreement.systems),
            pearson=ranking.agreement.pearson.coefficient,
            kendall=ranking.agreement.kendall.coefficient,
            low=ranking.agreement.kendall.interval.low,
            high=ranking.agreement.kendall.interval.high,
            reason=ranking.agreement.kendall.note,
        )
        for ranking in (*rankings.rankings, rankings.together)
        if ranking.agreement is not None
    ]
    return table_of(rows, _AgreementRow)


def ranking_pairs_table(rankings: ReferenceRankings) -> Table:
    """Return Kendall's tau of all pairs of rankings."""
    other = Field("text", f"Name of the other reference, or {ALL_REFERENCES}.")
    pairs = [replace(pair, other=ALL_REFERENCES if pair.other is None else pair.other) for pair in rankings.pairs]
    return table_of(pairs, RankingPair).redeclared({"other": other})


def advantages_table(rankings: ReferenceRankings) -> Table:
    """Return the advantage of each system with each reference, the largest first."""
    rows = sorted(_advantages(rankings), key=lambda result: -result.advantage.points)
    return table_of(rows, AdvantageResult).with_decimals(rankings.together.scored.metric.decimals)


def left_out_notes(rankings: ReferenceRankings, named: Collection[str] = ()) -> list[str]:
    """Return sentences on systems that are not ranked, and on references that are not used alone.

    Args:
        rankings: the rankings.
        named: systems that another note names.
    """
    sentences = [
        f"{system.system} is left out: {system.reason}." for system in rankings.excluded if system.system not in named
    ]
    for name, count in rankings.incomplete.items():
        sentences.append(
            f"{name} lacks {count:,} {plural(count, 'segment')} and is not used alone, but only together with all "
            "references."
        )
    return sentences


def references_methods(rankings: ReferenceRankings) -> str:
    """Return sentences for the methods section of a paper."""
    scored = rankings.together.scored
    return (
        f"Systems were ranked by {scored.label} ({scored.signature}) with each of {len(rankings.references)} "
        "references alone and with all together. The rankings were compared by Kendall's tau-b. The advantage of a "
        "system with a reference is its score less the system's mean over the references and the reference's mean "
        "over the systems, plus the mean of all (the interaction in a two-way table). Its standard error was computed "
        f"by the infinitesimal jackknife over {rankings.unit}s (Efron, 1982), and two-sided p-values of the normal "
        f"approximation were corrected for {rankings.tests:,} {plural(rankings.tests, 'advantage')} by Holm's method, "
        f"at a significance level of {rankings.alpha:g} (bleu-dashboard {VERSION})."
    )


def reference_title(reference: str | None) -> str:
    """Return the name of a reference, or of all together."""
    return ALL_REFERENCES if reference is None else reference


def _agreement(ranking: ReferenceRanking | None) -> RaterAgreement | None:
    agreement = None if ranking is None else ranking.agreement
    if agreement is None:
        return None
    return RaterAgreement(systems=len(agreement.systems), pearson=agreement.pearson, kendall=agreement.kendall)


def _ranking(ranking: ReferenceRanking, adjusted: ReferenceRanking | None) -> RankingResult:
    systems = ranking.scored.statistics.systems
    ranked: Sequence[tuple[str, float, int]] = list(zip(systems, ranking.scores.tolist(), ranking.ranks, strict=True))
    return RankingResult(
        reference=ranking.reference,
        signature=ranking.scored.signature,
        systems=tuple(RankedSystem(system=name, score=score, rank=rank) for name, score, rank in ranked),
        agreement=_agreement(ranking),
        agreement_adjusted=_agreement(adjusted),
    )


def _advantages(rankings: ReferenceRankings) -> tuple[AdvantageResult, ...]:
    return tuple(
        AdvantageResult(advantage=advantage, significant=rankings.is_significant(advantage))
        for advantage in rankings.advantages
    )
