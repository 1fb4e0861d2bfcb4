"""The whole experiment of Papineni et al. (2002), repeated on any systems, references and judgments."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import chain

from bleu_core.agreement import Agreement, Exclusion
from bleu_core.dataset import Corpus, Judgments, first_without_reference, identical_texts
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import SEED, BlockScores, BlockSizes, block_scores, check_draws, equal_blocks, t_by_block_size
from bleu_core.paper.combining import Combination, CombinationAgreement, combinations, correlate_combinations
from bleu_core.paper.judge_groups import (
    GroupAgreement,
    GroupDifferences,
    Normalised,
    group_agreements,
    group_differences,
    normalised,
)
from bleu_core.paper.precision_orders import PrecisionOrders, figure_1, precision_orders
from bleu_core.paper.printed import BLOCKS, FIGURE_1_SEGMENTS, TABLE_REFERENCES
from bleu_core.paper.reference_number import (
    DRAWS,
    ReferenceNumbers,
    ReferenceSets,
    SingleReference,
    reference_subsets,
    scores_by_number,
    single_reference,
)
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import (
    MAX_ORDER,
    BleuEvaluation,
    BleuSettings,
    Definition,
    SentencePenalties,
    definitions,
    sentence_penalties,
)


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """BLEU against some references beside all judges' mean ratings.

    Attributes:
        references: names of those scored against.
        everyone: over all systems that have both.
        machines: without the human translators; None where none is named, or nothing is left without them.
    """

    references: tuple[str, ...]
    everyone: Agreement
    machines: Agreement | None

    @property
    def label(self) -> str:
        """The references, for people."""
        return " + ".join(self.references)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """BLEU and the judges' ratings.

    Attributes:
        combination_agreements: how well each combination of precisions follows each group.
        differences: Figures 3 and 4, a group each, all judges first.
        agreements: Figures 5 and 6, a group each, all judges first.
        normalised: Figure 7.
        by_reference: against each reference alone that has all segments, then against those of the tables.
    """

    combination_agreements: tuple[CombinationAgreement, ...]
    differences: tuple[GroupDifferences, ...]
    agreements: tuple[GroupAgreement, ...]
    normalised: Normalised
    by_reference: tuple[ReferenceAgreement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """The paper's tables and figures of K systems, S segments and R references.

    Attributes:
        humans: the human translators among the systems.
        left_out: systems whose text equals a reference of the tables; only their ratings are compared.
        full: the systems against all references, without those whose text equals one of them.
        evaluation: against those of the tables, the first few, as the paper's were scored against two of four.
        figure_1: a machine and a human, against all references, on the first segments.
        figure_2: all systems.
        combinations: BLEU by other means, orders and weights.
        table_2: blocks; Table 1 is its corpus BLEU.
        block_sizes: K - 1 neighbours' t by size of block.
        references_by_number: BLEU by number of references.
        single_reference: one reference a document, drawn.
        definitions: the paper's reference length, and the other.
        penalties: segments' own, averaged.
        ratings: None without judgments.
    """

    humans: tuple[str, ...]
    left_out: tuple[Exclusion, ...]
    full: BleuEvaluation
    evaluation: BleuEvaluation
    figure_1: PrecisionOrders
    figure_2: PrecisionOrders
    combinations: tuple[Combination, ...]
    table_2: BlockScores
    block_sizes: tuple[BlockSizes, ...]
    references_by_number: ReferenceNumbers
    single_reference: SingleReference
    definitions: tuple[Definition, ...]
    penalties: SentencePenalties
    ratings: Ratings | None


def experiment(
    corpus: Corpus,
    settings: BleuSettings,
    judgments: Judgments | None = None,
    *,
    humans: Collection[str] = (),
    references: Collection[str] | None = None,
    table_references: int = TABLE_REFERENCES,
    figure_1_segments: int = FIGURE_1_SEGMENTS,
    blocks: int = BLOCKS,
    draws: int = DRAWS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Experiment:
    """Do all of it.

    Args:
        corpus: the texts; documents where they are known.
        settings: what is chosen; the paper's are PRESETS["paper"].
        judgments: the ratings, placed on the texts.
        humans: human translators among the systems. They are compared as the machines are.
        references: names of those that serve the tables and all figures but the first; table_references says if None.
        table_references: how many of the references, the first ones, serve the tables and all figures but the first;
            no more than there are, and more where a segment would have none.
        figure_1_segments: how many segments, the first ones, serve Figure 1.
        blocks: of Table 2; no more than there are segments.
        draws: of single references.
        seed: of all draws.
        progress: told, now and then, how much of the counting and of the drawing is done: segments of all sets of
            references, and then draws.

    Raises:
        AlignmentError: a text or its reference is missing, or no system has text and ratings.
        SettingsError: a number is out of its range, a human is not among the systems, or the tokeniser lacks what
            it needs.
    """
    unknown = [name for name in humans if name not in corpus.systems]
    if unknown:
        raise SettingsError(f"human system {unknown[0]!r} found, one of {', '.join(corpus.systems)} expected")
    check_draws(seed, draws=draws)
    if table_references < 1:
        raise SettingsError(f"{table_references} references for the tables found, at least 1 expected")
    names = tuple(corpus.references)
    chosen = _first_references(corpus, table_references)
    if references is not None:
        chosen = tuple(name for name in names if name in references)
    whole, left_out = corpus, _copies(corpus, chosen)
    used = _without(corpus, left_out)
    corpus = _without(corpus, _copies(corpus, names))
    if whole.systems and not corpus.systems:
        first = _copies(whole, names)[0]
        raise AlignmentError(
            f"every system is identical to a reference ({first.system}: {first.reason}); add the output of "
            "another system"
        )
    asked = {names, chosen, *((name,) for name in names), *chain(*reference_subsets(corpus, seed=seed).values())}
    counted = len(asked) * whole.segments
    evaluations = ReferenceSets(
        whole, settings, counts=len(asked), progress=offset_progress(progress, 0, counted + draws)
    )
    full = evaluations.against(names, counted_order=MAX_ORDER).select(tuple(corpus.systems))
    evaluation = evaluations.against(chosen, counted_order=MAX_ORDER).select(tuple(used.systems))
    by_number = scores_by_number(corpus, settings, seed=seed, evaluations=evaluations)
    single = single_reference(
        corpus,
        settings,
        draws=draws,
        seed=seed,
        drawing=offset_progress(progress, counted, counted + draws),
        evaluations=evaluations,
    )
    combined = combinations(evaluation, [settings.weights] if settings.weights else [])
    table_2 = block_scores(evaluation, equal_blocks(corpus.segments, min(blocks, corpus.segments)))
    return Experiment(
        humans=tuple(name for name in whole.systems if name in humans),
        left_out=left_out,
        full=full,
        evaluation=evaluation,
        figure_1=figure_1(full, humans, segments=figure_1_segments),
        figure_2=precision_orders(evaluation),
        combinations=combined,
        table_2=table_2,
        block_sizes=tuple(t_by_block_size(evaluation.statistics, pair.system, pair.baseline) for pair in table_2.pairs),
        references_by_number=by_number,
        single_reference=single,
        definitions=definitions(evaluation),
        penalties=sentence_penalties(evaluation),
        ratings=None
        if judgments is None
        else _ratings(
            whole,
            evaluation,
            evaluations=evaluations,
            judgments=judgments,
            combined=combined,
            humans=humans,
            left_out=left_out,
        ),
    )


def _ratings(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    evaluations: ReferenceSets,
    judgments: Judgments,
    combined: tuple[Combination, ...],
    *,
    humans: Collection[str],
    left_out: tuple[Exclusion, ...],
) -> Ratings:
    reasons = {e.system: e for e in left_out}

    def explained(found: Agreement) -> Agreement:
        return replace(found, excluded=tuple(reasons.get(e.system, e) for e in found.excluded))

    agreements = tuple(
        replace(a, everyone=explained(a.everyone), machines=a.machines and explained(a.machines))
        for a in group_agreements(corpus, evaluation, judgments, humans=humans)
    )
    # What agreement leaves out follows nobody here either.
    means = {a.group: dict(zip(a.everyone.systems, a.everyone.human.tolist(), strict=True)) for a in agreements}
    return Ratings(
        combination_agreements=correlate_combinations(combined, means),
        differences=group_differences(judgments, corpus.systems),
        agreements=agreements,
        normalised=normalised(agreements),
        by_reference=_by_reference(corpus, evaluation, evaluations=evaluations, judgments=judgments, humans=humans),
    )


def _by_reference(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    evaluations: ReferenceSets,
    judgments: Judgments,
    humans: Collection[str],
) -> tuple[ReferenceAgreement, ...]:
    found: list[ReferenceAgreement] = []
    alone = [(name,) for name, texts in corpus.references.items() if None not in texts]
    for names in dict.fromkeys((*alone, evaluation.references)):
        scored = evaluation if names == evaluation.references else evaluations.against(names)
        try:
            of_all = group_agreements(corpus, scored, judgments, humans=humans)[0]
        except AlignmentError:  # all systems are copies of this reference
            continue
        found.append(ReferenceAgreement(names, of_all.everyone, of_all.machines))
    return tuple(found)


def _first_references(corpus: Corpus, number: int) -> tuple[str, ...]:
    """The names of the first references: the number asked for, or enough for every segment to have one."""
    names = tuple(corpus.references)
    enough = (
        n for n in range(number, len(names)) if not first_without_reference([corpus.references[r] for r in names[:n]])
    )
    return names[: next(enough, len(names))]


def _copies(corpus: Corpus, references: Collection[str]) -> tuple[Exclusion, ...]:
    """Systems that are identical to a reference, with the first such reference; their scores are not informative."""
    found: dict[str, Exclusion] = {}
    for same in identical_texts(corpus):
        if same.role == "reference" and same.name in references:
            found.setdefault(same.system, Exclusion(same.system, f"identical to the reference {same.name}"))
    return tuple(found.values())


def _without(corpus: Corpus, left_out: Collection[Exclusion]) -> Corpus:
    """The texts without those systems."""
    gone = {e.system for e in left_out}
    return replace(corpus, systems={name: text for name, text in corpus.systems.items() if name not in gone})
