"""The order of systems with each reference, and which systems each favours, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bleu_core.agreement import Coefficient, RankingPair, ReferenceRanking, ReferenceRankings
from bleu_core.dataset import RatedSegments, plural
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, SYSTEM, Cell, Field, Table, field, result, table_of
from bleu_core.inference import CONFIDENCE
from bleu_core.results.envelope import Envelope, about, rating_notes
from bleu_core.results.scores import SCORE
from bleu_core.scoring import BleuEvaluation
from bleu_core.version import VERSION

#: What stands in place of a reference's name where all are used together.
ALL_REFERENCES = "all references"

REFERENCE = Field("text", "Name of the reference.")
REFERENCES_IN_USE = Field("text", f"Name of the reference, or {ALL_REFERENCES}.", "reference")

_BOUND = f"{100 * CONFIDENCE:g}% interval of the advantage"


@result
class RankedSystem:
    """A system with a reference."""

    system: str = field(SYSTEM)
    score: float = field(SCORE)
    rank: int = field("count", "Rank by score, from 1, the best; equal scores have the same rank.")


@result
class RaterAgreement:
    """How well scores agree with judges on the systems."""

    systems: int = field("count", "Number of systems with a score and ratings.")
    pearson: Coefficient = field("object", "Pearson's r of scores and mean ratings.")
    kendall: Coefficient = field("object", "Kendall's tau-b of scores and mean ratings.")


@result
class RankingResult:
    """The systems with one reference, or with all together."""

    reference: str | None = field("text", "Name of the reference; null for all together.", null=True)
    signature: str = field("text", "Signature to quote with the scores.")
    systems: tuple[RankedSystem, ...] = field("object", "The systems, their scores and ranks.")
    agreement: RaterAgreement | None = field("object", "Agreement with judges, where there are ratings.", default=None)


@result
class RankingPairResult:
    """Two rankings of the same systems."""

    reference: str = field(REFERENCE)
    other: str | None = field("text", "Name of the other reference; null for all together.", null=True)
    tau: float = field("number", "Kendall's tau-b of the systems' scores.")
    reversed_pairs: int = field("count", "Pairs of systems whose order differs.")
    pairs: int = field("count", "Pairs of systems.")
    reason: str = field(REASON, default="")


@result
class AdvantageResult:
    """By how much a reference favours a system."""

    system: str = field(SYSTEM)
    reference: str = field(REFERENCE)
    advantage: float = field(
        "difference",
        "Score, less the system's mean over references and the reference's mean over systems, plus the mean of all; "
        "above 0 where the reference favours the system, by metrics where lower is better too.",
    )
    error: float = field("points", "Standard error of the advantage.")
    low: float = field("difference", f"Lower end of the {_BOUND}.")
    high: float = field("difference", f"Upper end of the {_BOUND}.")
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for the number of advantages.")
    significant: bool = field("text", "Whether the corrected p is below the significance level.")
    reason: str = field(REASON, default="")


@result
class LeftOut:
    """A system that is not ranked."""

    system: str = field(SYSTEM)
    reason: str = field("text", "Why it is left out.")


@result
class IncompleteReference:
    """A reference that is not used alone."""

    reference: str = field(REFERENCE)
    missing: int = field("count", "Number of segments that it lacks.")


@result
class ReferencesReport(Envelope):
    """The JSON of `bleu-core references`."""

    rankings: tuple[RankingResult, ...] = field("object", "The systems with each reference, then with all together.")
    pairs: tuple[RankingPairResult, ...] = field("object", "Pairs of rankings.")
    advantages: tuple[AdvantageResult, ...] = field("object", "By how much each reference favours each system.")
    unit: str = field("text", "Unit that standard errors are taken over: segment or document.")
    tests: int = field("count", "Number of advantages that p-values are corrected for.")
    alpha: float = field("fraction", "Significance level.")
    left_out: tuple[LeftOut, ...] = field("object", "Systems that are not ranked.", default=())
    incomplete: tuple[IncompleteReference, ...] = field(
        "object", "References that lack segments; they count only where all references are used together.", default=()
    )
    methods: str = field("text", "Sentences for the methods section of a paper.")


@result
class _AgreementRow:
    """Agreement with judges with a reference, as a row."""

    reference: str = field(REFERENCES_IN_USE)
    systems: int = field("count", "Number of systems with a score and ratings.")
    pearson: float = field("number", "Pearson's r of scores and mean ratings.", label="Pearson's r", best="highest")
    kendall: float = field(
        "number", "Kendall's tau-b of scores and mean ratings.", label="Kendall's tau", best="highest"
    )
    low: float = field("number", f"Lower end of the {100 * CONFIDENCE:g}% interval of tau, over systems.")
    high: float = field("number", f"Upper end of the {100 * CONFIDENCE:g}% interval of tau, over systems.")
    reason: str = field(REASON, default="")


def rated_of(found: ReferenceRankings) -> RatedSegments | None:
    """How many segments of the systems are rated; None without ratings."""
    return next((one.agreement.rated for one in found.rankings if one.agreement is not None), None)


def references_report(found: ReferenceRankings, evaluation: BleuEvaluation) -> ReferencesReport:
    """The contract of `bleu-core references --format json`.

    Args:
        found: the rankings.
        evaluation: of the whole text with all references.
    """
    return ReferencesReport(
        **about(evaluation, found.together.scored, (*found.warnings, *rating_notes(rated_of(found)))),
        rankings=tuple(_ranking(one) for one in (*found.rankings, found.together)),
        pairs=tuple(_pair(one) for one in found.pairs),
        advantages=_advantages(found),
        unit=found.unit,
        tests=found.tests,
        alpha=found.alpha,
        left_out=tuple(LeftOut(system=one.system, reason=one.reason) for one in found.excluded),
        incomplete=tuple(
            IncompleteReference(reference=name, missing=count) for name, count in found.incomplete.items()
        ),
        methods=references_methods(found),
    )


def reference_scores_table(found: ReferenceRankings) -> Table:
    """The systems, the best with all references first: score and rank with each reference and with all."""
    columns: dict[str, Field] = {"system": SYSTEM}
    rankings = (found.together, *found.rankings)
    for one in rankings:
        name = reference_title(one.reference)
        columns[f"score with {name}"] = Field("points", "Corpus score.", label=f"score with {name}")
        columns[f"rank with {name}"] = Field("count", "Rank by score, from 1.", label=f"rank with {name}")
    rows: list[tuple[Cell, ...]] = []
    for k in found.together.order:
        cells = [cell for one in rankings for cell in (float(one.scores[k]), one.ranks[k])]
        rows.append((found.systems[k], *cells))
    return Table(columns, tuple(rows))


def rankings_agreement_table(found: ReferenceRankings) -> Table:
    """Agreement with judges with each reference and with all; without a row where nothing is rated."""
    rows = [
        _AgreementRow(
            reference=reference_title(one.reference),
            systems=len(one.agreement.systems),
            pearson=one.agreement.pearson.coefficient,
            kendall=one.agreement.kendall.coefficient,
            low=one.agreement.kendall.interval.low,
            high=one.agreement.kendall.interval.high,
            reason=one.agreement.kendall.note,
        )
        for one in (*found.rankings, found.together)
        if one.agreement is not None
    ]
    return table_of(rows, _AgreementRow)


def ranking_pairs_table(found: ReferenceRankings) -> Table:
    """Kendall's tau of all pairs of rankings."""
    other = Field("text", f"Name of the other reference, or {ALL_REFERENCES}.")
    pairs = table_of([_pair(one) for one in found.pairs], RankingPairResult)
    place = list(pairs.columns).index("other")
    rows = tuple(
        tuple(ALL_REFERENCES if n == place and one.other is None else cell for n, cell in enumerate(row))
        for one, row in zip(found.pairs, pairs.rows, strict=True)
    )
    return Table(pairs.columns, rows).redeclared({"other": other})


def advantages_table(found: ReferenceRankings) -> Table:
    """By how much each reference favours each system, the largest advantage first."""
    rows = sorted(_advantages(found), key=lambda one: -one.advantage)
    return table_of(rows, AdvantageResult)


def left_out_notes(found: ReferenceRankings, named: Collection[str] = ()) -> list[str]:
    """Sentences on systems that are not ranked, and on references that are not used alone.

    Args:
        found: the rankings.
        named: systems that another note names.
    """
    said = [f"{one.system} is left out: {one.reason}." for one in found.excluded if one.system not in named]
    for name, count in found.incomplete.items():
        said.append(
            f"{name} lacks {count:,} {plural(count, 'segment')} and is not used alone; it counts where all references "
            "are used together."
        )
    return said


def references_methods(found: ReferenceRankings) -> str:
    """Sentences for a paper's methods section."""
    scored = found.together.scored
    return (
        f"Systems were ranked by {scored.label} ({scored.signature}) with each of {len(found.references)} references "
        "alone and with all together. The rankings were compared by Kendall's tau-b. The advantage of a system with a "
        "reference is its score less the system's mean over the references and the reference's mean over the systems, "
        "plus the mean of all (the interaction in a two-way table). Its standard error was computed by the "
        f"infinitesimal jackknife over {found.unit}s (Efron, 1982), and two-sided p-values of the normal "
        f"approximation were corrected for {found.tests:,} {plural(found.tests, 'advantage')} by Holm's method, at a "
        f"significance level of {found.alpha:g} (bleu-dashboard {VERSION})."
    )


def reference_title(reference: str | None) -> str:
    """The name of a reference, or of all together."""
    return ALL_REFERENCES if reference is None else reference


def _ranking(one: ReferenceRanking) -> RankingResult:
    systems = one.scored.statistics.systems
    agreement = None
    if one.agreement is not None:
        agreement = RaterAgreement(
            systems=len(one.agreement.systems),
            pearson=Coefficient.of(one.agreement.pearson),
            kendall=Coefficient.of(one.agreement.kendall),
        )
    ranked: Sequence[tuple[str, float, int]] = list(zip(systems, one.scores.tolist(), one.ranks, strict=True))
    return RankingResult(
        reference=one.reference,
        signature=one.scored.signature,
        systems=tuple(RankedSystem(system=name, score=score, rank=rank) for name, score, rank in ranked),
        agreement=agreement,
    )


def _pair(one: RankingPair) -> RankingPairResult:
    return RankingPairResult(
        reference=reference_title(one.reference),
        other=one.other,
        tau=one.kendall.coefficient,
        reversed_pairs=one.reversed_pairs,
        pairs=one.pairs,
        reason=one.kendall.reason,
    )


def _advantages(found: ReferenceRankings) -> tuple[AdvantageResult, ...]:
    return tuple(
        AdvantageResult(
            system=one.system,
            reference=one.reference,
            advantage=one.points,
            error=one.error,
            low=one.interval.low,
            high=one.interval.high,
            p_value=one.p_value,
            p_value_adjusted=one.p_value_adjusted,
            significant=found.is_significant(one),
            reason=one.reason,
        )
        for one in found.advantages
    )
