"""The experiment of Papineni et al. (2002), repeated with any systems, references and judgments."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
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
    ReferenceAgreement,
    group_agreements,
    group_differences,
    normalised,
)
from bleu_core.paper.precision_orders import PrecisionOrders, figure_1, sum_precisions
from bleu_core.paper.printed import BLOCKS, FIGURE_1_SEGMENTS, TABLE_REFERENCES
from bleu_core.paper.reference_number import (
    DRAWS,
    ReferenceNumber,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The results that use judges' ratings.

    Attributes:
        combination_agreements: correlation of each combination of precisions with each group.
        differences: Figures 3 and 4, by group, all judges first.
        agreements: Figures 5 and 6, by group, all judges first.
        normalised: Figure 7.
        by_reference: against each single reference that has all segments, then against those of the tables.
    """

    combination_agreements: tuple[CombinationAgreement, ...]
    differences: tuple[GroupDifferences, ...]
    agreements: tuple[GroupAgreement, ...]
    normalised: Normalised
    by_reference: tuple[ReferenceAgreement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperResults:
    """The results of the paper's tables and figures for K systems, S segments and R references.

    Attributes:
        humans: human translators among the systems.
        left_out: systems whose text equals a reference of the tables; only their ratings are compared.
        full: systems against all references, without those whose text equals a reference.
        evaluation: systems against the references of the tables, the first few, as the paper uses two of four.
        figure_1: a machine and a human against all references, on the first segments.
        figure_2: all systems.
        combinations: other means, orders and weights.
        table_2: blocks; Table 1 is its corpus BLEU.
        block_sizes: t of K - 1 pairs of neighbours by block size.
        references_by_number: BLEU by number of references.
        single_reference: one random reference per document.
        definitions: the paper's definition of reference length, and the other one.
        penalties: mean segment-level brevity penalties.
        ratings: results that use ratings; None without judgments.
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
    references_by_number: tuple[ReferenceNumber, ...]
    single_reference: SingleReference
    definitions: tuple[Definition, ...]
    penalties: SentencePenalties
    ratings: Ratings | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperOptions:
    """The choices of the experiment.

    Attributes:
        humans: human translators among the systems, which are compared like the machines.
        references: names of the references of the tables and of all figures except Figure 1; None: see
            table_references.
        table_references: number of the first references that are used for the tables and for all figures except
            Figure 1; limited to the available ones, and increased if a segment would have no reference.
        figure_1_segments: number of the first segments that are used for Figure 1.
        blocks: number of blocks of Table 2, limited to the number of segments.
        draws: number of draws of single references.
        seed: of all draws.
    """

    humans: Collection[str] = ()
    references: Collection[str] | None = None
    table_references: int = TABLE_REFERENCES
    figure_1_segments: int = FIGURE_1_SEGMENTS
    blocks: int = BLOCKS
    draws: int = DRAWS
    seed: int = SEED

    def check(self, corpus: Corpus) -> None:
        """Raise a SettingsError if a number is out of its range, or a human is not among the systems."""
        unknown = [name for name in self.humans if name not in corpus.systems]
        if unknown:
            raise SettingsError(f"human system {unknown[0]!r} found, one of {', '.join(corpus.systems)} expected")
        check_draws(self.seed, draws=self.draws)
        if self.table_references < 1:
            raise SettingsError(f"{self.table_references} references for the tables found, at least 1 expected")

    def references_of_tables(self, corpus: Corpus) -> tuple[str, ...]:
        """Return the names of the references of the tables."""
        if self.references is None:
            return _first_references(corpus, self.table_references)
        return tuple(name for name in corpus.references if name in self.references)


def repeat_experiment(
    corpus: Corpus,
    settings: BleuSettings,
    judgments: Judgments | None = None,
    *,
    options: PaperOptions = PaperOptions(),  # frozen
    progress: Progress | None = None,
) -> PaperResults:
    """Repeat the experiment of the paper.

    Args:
        corpus: the texts, with documents if these are known.
        settings: of BLEU; the paper's are PRESETS["paper"].
        judgments: the ratings, aligned with the texts.
        options: the choices of the experiment.
        progress: called with how much of the counting and drawing is done: segments of all sets of references, then
            draws.

    Raises:
        AlignmentError: a text or its reference is missing, or no system has text and ratings.
        SettingsError: a number is out of its range, a human is not among the systems, or the tokeniser is not
            available.
    """
    options.check(corpus)
    names, table_names = tuple(corpus.references), options.references_of_tables(corpus)
    left_out = _copies(corpus, table_names)
    used, distinct = _without(corpus, left_out), _without(corpus, _copies(corpus, names))
    if corpus.systems and not distinct.systems:
        first = _copies(corpus, names)[0]
        raise AlignmentError(
            f"every system is identical to a reference ({first.system}: {first.reason}); add the output of "
            "another system"
        )
    draws, seed = options.draws, options.seed
    subsets = reference_subsets(distinct, seed=seed)
    counts = len({names, table_names, *((name,) for name in names), *chain(*subsets.values())})
    counted = counts * corpus.segments
    evaluations = ReferenceSets(corpus, settings, counts=counts, progress=offset_progress(progress, 0, counted + draws))
    full = evaluations.against(names, counted_order=MAX_ORDER).select(tuple(distinct.systems))
    evaluation = evaluations.against(table_names, counted_order=MAX_ORDER).select(tuple(used.systems))
    by_number = scores_by_number(distinct, evaluations, subsets)
    drawing = offset_progress(progress, counted, counted + draws)
    single = single_reference(distinct, evaluations, draws=draws, seed=seed, drawing=drawing)
    combined = combinations(evaluation, [settings.weights] if settings.weights else [])
    table_2 = block_scores(evaluation, equal_blocks(corpus.segments, min(options.blocks, corpus.segments)))
    ratings = None
    if judgments is not None:
        agree = partial(group_agreements, corpus, judgments=judgments, humans=options.humans)
        agreements = tuple(_explained(agreement, left_out) for agreement in agree(evaluation))
        # Systems that are excluded from the agreement have no ratings here either.
        means = {agreement.group: agreement.mean_ratings for agreement in agreements}
        ratings = Ratings(
            combination_agreements=correlate_combinations(combined, means),
            differences=group_differences(judgments, corpus.systems),
            agreements=agreements,
            normalised=normalised(agreements),
            by_reference=_by_reference(corpus, evaluation, evaluations, agree),
        )
    return PaperResults(
        humans=tuple(name for name in corpus.systems if name in options.humans),
        left_out=left_out,
        full=full,
        evaluation=evaluation,
        figure_1=figure_1(full, options.humans, segments=options.figure_1_segments),
        figure_2=sum_precisions(evaluation),
        combinations=combined,
        table_2=table_2,
        block_sizes=tuple(t_by_block_size(evaluation.statistics, pair.system, pair.baseline) for pair in table_2.pairs),
        references_by_number=by_number,
        single_reference=single,
        definitions=definitions(evaluation),
        penalties=sentence_penalties(evaluation),
        ratings=ratings,
    )


def _explained(agreement: GroupAgreement, left_out: Collection[Exclusion]) -> GroupAgreement:
    """Return the agreement with the reasons why systems have no BLEU."""
    reasons = {exclusion.system: exclusion for exclusion in left_out}

    def explained(part: Agreement) -> Agreement:
        return replace(part, excluded=tuple(reasons.get(e.system, e) for e in part.excluded))

    machines = agreement.machines and explained(agreement.machines)
    return replace(agreement, everyone=explained(agreement.everyone), machines=machines)


def _by_reference(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    evaluations: ReferenceSets,
    agree: Callable[[BleuEvaluation], tuple[GroupAgreement, ...]],
) -> tuple[ReferenceAgreement, ...]:
    """Return the agreement against each single reference that has all segments, then against those of the tables."""
    agreements: list[ReferenceAgreement] = []
    single = [(name,) for name, texts in corpus.references.items() if None not in texts]
    for names in dict.fromkeys((*single, evaluation.references)):
        scored = evaluation if names == evaluation.references else evaluations.against(names)
        try:
            all_judges = agree(scored)[0]
        except AlignmentError:  # all systems are copies of this reference
            continue
        agreements.append(
            ReferenceAgreement(references=names, everyone=all_judges.everyone, machines=all_judges.machines)
        )
    return tuple(agreements)


def _first_references(corpus: Corpus, number: int) -> tuple[str, ...]:
    """Return the names of the first references: as many as asked for, or more until every segment has one."""
    names = tuple(corpus.references)
    enough = (
        n for n in range(number, len(names)) if not first_without_reference([corpus.references[r] for r in names[:n]])
    )
    return names[: next(enough, len(names))]


def _copies(corpus: Corpus, references: Collection[str]) -> tuple[Exclusion, ...]:
    """Return the systems that are identical to a reference, whose scores are not informative."""
    exclusions: dict[str, Exclusion] = {}
    for copy in identical_texts(corpus):
        if copy.role == "reference" and copy.name in references:
            exclusions.setdefault(copy.system, Exclusion(copy.system, f"identical to the reference {copy.name}"))
    return tuple(exclusions.values())


def _without(corpus: Corpus, left_out: Collection[Exclusion]) -> Corpus:
    """Return the corpus without the excluded systems."""
    names = {e.system for e in left_out}
    return replace(corpus, systems={name: text for name, text in corpus.systems.items() if name not in names})
