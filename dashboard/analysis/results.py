"""What pages show: the loaded data under the settings in force, and all that follows from them.

Nothing is computed twice: long work is kept under a key of digests, settings and names.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, NoReturn

import streamlit as st

from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.inference import (
    ALPHA,
    BLOCKS,
    RESAMPLES,
    SEED,
    TRIALS,
    Blocks,
    BlockScores,
    BlockSizes,
    Comparisons,
    Correction,
    Interval,
    ScoreIntervals,
    Test,
    TextNeeded,
    against,
    best_first,
    block_scores,
    blocks_of_size,
    compare,
    document_blocks,
    enough_draws,
    equal_blocks,
    metric_intervals,
    score_intervals,
    t_by_block_size,
    text_needed,
)
from bleu_core.progress import Progress, part_of
from bleu_core.scoring import (
    METRICS,
    BleuSettings,
    Decay,
    Evaluation,
    Metric,
    MetricName,
    SumTable,
    evaluate,
    fit_decay,
    metric,
)
from dashboard import session
from dashboard.figures import Style, styles
from dashboard.literal import literal
from dashboard.session import Workspace

Division = Literal["blocks", "size", "documents"]

#: Counted at once, so that a smaller maximum order needs no new count.
USUAL_ORDER, HIGHEST_ORDER = 4, 9

THREE_TESTS: tuple[Test, ...] = ("bootstrap", "randomization", "t")

USUAL_DRAWS: Mapping[Test, int] = {"bootstrap": RESAMPLES, "randomization": TRIALS}

#: What the differences of resampled, and of shuffled, systems are called.
DRAWN = ("other texts (bootstrap)", "swapped outputs (randomisation)")


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class View:
    """What a page works on: the loaded data under the settings in force.

    Attributes:
        workspace: the loaded data.
        evaluation: the chosen systems against the chosen references.
        styles: how each loaded system is drawn.
    """

    workspace: Workspace
    evaluation: Evaluation
    styles: Mapping[str, Style]

    @cached_property
    def copies(self) -> tuple[str, ...]:
        """Chosen systems whose text equals a reference in use: their BLEU says nothing."""
        copies = self.workspace.copies_of(self.evaluation.references)
        return tuple(name for name in self.evaluation.systems if name in copies)

    @cached_property
    def compared(self) -> Evaluation:
        """The chosen systems without the copies, unless nothing else is left."""
        others = [name for name in self.evaluation.systems if name not in self.copies]
        return self.evaluation.select(others) if others else self.evaluation

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """What the numbers of the compared systems depend on."""
        compared = self.compared
        return (compared.digest, compared.references, compared.settings, compared.systems)

    @property
    def with_intervals(self) -> bool:
        """Whether scores have intervals: not where the switch is off, nor of one segment, which has no spread."""
        return session.get("intervals", True) and self.evaluation.segments > 1

    @cached_property
    def intervals(self) -> ScoreIntervals | None:
        """Intervals of all chosen systems' scores, where scores have them."""
        evaluation = self.evaluation
        if not self.with_intervals:
            return None
        key = (evaluation.digest, evaluation.references, evaluation.settings, evaluation.systems)
        return session.remember(
            "intervals",
            key,
            lambda progress: score_intervals(evaluation, progress=progress),
            doing="Resampling the text",
            what="resamples",
        )


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How systems are compared.

    Attributes:
        metric: which.
        test: which.
        by_documents: whether documents are drawn, swapped or averaged over as a whole.
        correction: for the number of pairs.
        alpha: level of significance.
        baseline: whom the others are compared with; each two systems if None.
        draws: resamples or trials; what the correction takes if None.
        blocks: for the paired t.
        seed: of the draws.
    """

    metric: MetricName = "bleu"
    test: Test = "bootstrap"
    by_documents: bool = False
    correction: Correction = "holm"
    alpha: float = ALPHA
    baseline: str | None = None
    draws: int | None = None
    blocks: int = BLOCKS
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class PairTests:
    """Two systems under three tests.

    Attributes:
        tests: bootstrap, randomisation and paired t of the one pair.
        deltas: how they were drawn -> the differences of resampled, and of shuffled, systems, points.
        blocks: their scores on the blocks of the paired t; the baseline first.
        divided: those blocks.
    """

    tests: tuple[Comparisons, ...]
    deltas: Mapping[str, Sequence[float]]
    blocks: Sequence[Sequence[float]]
    divided: Blocks


def view_or_stop(*, systems: int = 1, judgments: bool = False) -> View:
    """The data and settings a page needs; where something is missing, say what to do and stop the page.

    Args:
        systems: how many systems the page needs at least.
        judgments: whether it needs ratings.
    """
    link = session.unmatched_link()
    if link is not None:
        _stop_at_link(link)
    current = session.current_workspace()
    loaded = current.corpus
    if len(loaded.systems) < systems:
        noun = "system output" if systems == 1 else "system outputs"
        _stop_with_hint(f"{len(loaded.systems)} of at least {systems} {noun} loaded. Add files, one segment a line.")
    if not loaded.references:
        _stop_with_hint("No reference translation is loaded, at least 1 is needed. Add a file, one segment a line.")
    if judgments and current.judgments is None:
        _stop_with_hint(
            "No human judgments are loaded. Add a CSV or TSV file whose header names system and score, and segment, "
            "judge and group where they are known."
        )
    try:
        found = counted(current, session.settings())
    except BleuCoreError as error:
        _stop_with_error(str(error))
    left = [name for name in loaded.systems if name not in session.get("without_systems", [])]
    if len(left) < systems:
        _stop_with_error(
            f"{len(left)} of {len(loaded.systems)} systems are left, at least {systems} needed; "
            "take some out of 'Leave out systems' in the sidebar"
        )
    return View(current, found.select(left), styles(tuple(loaded.systems)))


def fitted_decays(view: View) -> tuple[Decay, ...]:
    """The fitted decay of each system that is compared."""
    return fit_decay(view.compared.scores)


def scores_of_blocks(view: View, division: Division, number: int, size: int) -> BlockScores:
    """BLEU on blocks, divided as chosen."""
    corpus = view.workspace.corpus
    divided: Blocks
    if division == "documents" and corpus.documents is not None:
        divided = document_blocks(corpus.documents)
    elif division == "size":
        divided = blocks_of_size(corpus.segments, min(size, corpus.segments))
    else:
        divided = equal_blocks(corpus.segments, min(number, corpus.segments))
    return block_scores(view.compared, divided)


def metric_scores(view: View, name: MetricName) -> Metric:
    """The compared systems under a metric."""
    corpus, compared = view.workspace.corpus, view.compared
    if name == "bleu":
        return metric(corpus, compared, name)
    return session.remember(
        "metric",
        (name, compared.digest, compared.references, compared.settings.lowercase, compared.systems),
        lambda progress: metric(corpus, compared, name, progress=progress),
        doing=f"Computing {METRICS[name]}",
        what="hypotheses",
    )


def compare_systems(view: View, asked: ComparisonOptions) -> Comparisons:
    """The systems compared as asked: each two of them, or all with a baseline."""
    table = metric_scores(view, asked.metric).table
    if asked.baseline is not None:
        return _compared(view, asked, against(table.systems, asked.baseline))
    order = best_first(table.systems, table.score(table.sums()), higher_is_better=table.higher_is_better)
    return _compared(view, asked, tuple(combinations(order, 2)))  # the better one of each two first


def two_best(view: View, first: str, second: str) -> Comparisons:
    """The two best systems compared, by the bootstrap."""
    only = replace(view, evaluation=view.evaluation.select([first, second]))
    return _compared(only, ComparisonOptions(), [(0, 1)])


def score_intervals_of(view: View, asked: ComparisonOptions) -> Mapping[str, Interval]:
    """Intervals of the compared systems' scores; empty where scores have none."""
    if not view.with_intervals:
        return {}
    table, groups = metric_scores(view, asked.metric).table, _groups(view, asked)
    return session.remember(
        "intervals",
        (view.key, asked.metric, groups is not None, asked.seed),
        lambda progress: metric_intervals(table, groups=groups, seed=asked.seed, progress=progress),
        doing="Resampling the text",
        what="resamples",
    )


def three_tests(view: View, asked: ComparisonOptions, system: str, baseline: str) -> PairTests:
    """Three tests of two systems side by side, each by itself, with as many draws as all pairs had."""
    pairs = len(compare_systems(view, asked).pairs)
    draws = {test: asked.draws or max(usual, enough_draws(pairs, asked.alpha)) for test, usual in USUAL_DRAWS.items()}
    table = metric_scores(view, asked.metric).table.select([baseline, system])
    groups = _groups(view, asked)
    divided = groups or _equal(table, asked)
    one = replace(asked, correction="none")

    def compute(progress: Progress) -> PairTests:
        total = sum(draws.values()) + RESAMPLES  # of which the last are for the interval beside the randomisation
        before = 0
        tests: list[Comparisons] = []
        for test in THREE_TESTS:
            of_test = replace(one, test=test, draws=draws.get(test))
            told = part_of(progress, before, total)
            tests.append(_compare(table, of_test, [(1, 0)], groups, told, keep_deltas=True))
            before += draws.get(test, 0)
        drawn = [found.deltas for found in tests if found.deltas is not None]
        deltas = {name: values[0].tolist() for name, values in zip(DRAWN, drawn, strict=True)}
        scores = table.score(table.by(divided.labels)).tolist()
        return PairTests(tuple(tests), deltas, scores, divided)

    return session.remember(
        "pair",
        (view.key, one, tuple(draws.values()), system, baseline),
        compute,
        doing="Resampling the text",
        what="draws",
    )


def compare_pair(view: View, asked: ComparisonOptions, system: str, baseline: str) -> Comparisons:
    """Two systems by the test chosen, by themselves."""
    systems = metric_scores(view, asked.metric).table.systems
    return _compared(view, replace(asked, correction="none"), [(systems.index(system), systems.index(baseline))])


def text_needed_for(view: View, asked: ComparisonOptions, system: str, baseline: str) -> tuple[TextNeeded, BlockSizes]:
    """How much text it takes to tell two systems apart, and t by size of block."""
    table = metric_scores(view, asked.metric).table

    def compute(progress: Progress) -> tuple[TextNeeded, BlockSizes]:
        needed = text_needed(table, system, baseline, seed=asked.seed, progress=progress)
        return needed, t_by_block_size(table, system, baseline)

    key = (view.key, asked.metric, asked.seed, system, baseline)
    return session.remember("text", key, compute, doing="Resampling the text", what="resamples")


def _compared(view: View, asked: ComparisonOptions, pairs: Sequence[tuple[int, int]]) -> Comparisons:
    table, groups = metric_scores(view, asked.metric).table, _groups(view, asked)
    return session.remember(
        "comparisons",
        (view.key, asked, tuple(pairs)),
        lambda progress: _compare(table, asked, pairs, groups, progress),
        doing="Resampling the text",
        what="draws",
    )


def _compare(
    table: SumTable,
    asked: ComparisonOptions,
    pairs: Sequence[tuple[int, int]],
    groups: Blocks | None,
    progress: Progress | None,
    *,
    keep_deltas: bool = False,
) -> Comparisons:
    if asked.test == "t":
        groups = groups or _equal(table, asked)
    return compare(
        table,
        pairs,
        test=asked.test,
        groups=groups,
        resamples=None if asked.test == "randomization" else asked.draws,
        trials=asked.draws,
        seed=asked.seed,
        correction=asked.correction,
        alpha=asked.alpha,
        keep_deltas=keep_deltas,
        progress=progress,
    )


def _equal(table: SumTable, asked: ComparisonOptions) -> Blocks:
    return equal_blocks(table.segments, min(asked.blocks, table.segments))


def _groups(view: View, asked: ComparisonOptions) -> Blocks | None:
    documents = view.workspace.corpus.documents
    return document_blocks(documents) if asked.by_documents and documents is not None else None


def counted(current: Workspace, chosen: BleuSettings) -> Evaluation:
    """All systems against the references in use, under any settings; n-grams are counted once.

    Raises:
        BleuCoreError: the settings cannot be used with these data.
    """
    references = tuple(name for name in current.corpus.references if name not in session.get("without_references", []))
    if not references:
        raise SettingsError("all references are left out; take one out of 'Leave out references' in the sidebar")
    order = USUAL_ORDER if chosen.max_order <= USUAL_ORDER else HIGHEST_ORDER
    settings = BleuSettings(tokenizer=chosen.tokenizer, lowercase=chosen.lowercase, max_order=order)
    key = (current.corpus.digest, references, settings)
    found: Evaluation = session.remember(
        "counts",
        key,
        lambda progress: evaluate(current.corpus, settings, references=references, progress=progress),
        doing="Counting n-grams",
        what="segments",
    )
    return found.under(chosen)


def _stop_at_link(link: session.Link) -> NoReturn:
    session.explain_link(link)
    whose = "same" if link.lost else "link's"
    session.page_link("Data", f"Add those files on the Data page; the {whose} settings then apply")
    st.stop()


def _stop_with_hint(message: str) -> NoReturn:
    st.info(literal(message))
    session.page_link("Data", "Go to the Data page")
    st.stop()


def _stop_with_error(message: str) -> NoReturn:
    st.error(literal(message))
    st.stop()
