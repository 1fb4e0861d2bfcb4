"""Significance: which differences between systems are significant, and how much text would show the others."""

from __future__ import annotations

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.reports import (
    TEST_NAMES,
    block_sizes_table,
    caption,
    comparison_report,
    comparison_table,
    deltas_table,
    grid_table,
    methods,
    pair_blocks_table,
    tests_table,
    text_needed_table,
    tier_table,
)
from dashboard import analysis, figures, session, words
from dashboard.widgets import (
    answer,
    chart,
    downloads,
    literal,
    metric_choice,
    note_left_out,
    system_styles,
    table,
    view_or_stop,
)

#: Pixels: where the table of pairs begins to scroll.
PAIRS_HIGH = 460

PAIR_KEYS = ("pair_system", "pair_baseline")

#: Systems whose grid has room beside the tiers.
MOST_BESIDE = 8

EACH_PAIR = "each other"
SEGMENTS, DOCUMENTS = "segments", "documents"
CORRECTION_LABELS: dict[str, analysis.Correction] = {
    "Holm": "holm",
    "Benjamini-Hochberg": "benjamini-hochberg",
    "none": "none",
}

SACREBLEU_RULE = (
    "sacreBLEU's rule takes absolute differences, centres them and counts how many exceed the one observed. Near the "
    "threshold that looks at one tail only, so that its p is about half of a two-sided one: some 11 % of pairs that "
    "differ by chance alone come out below 0.05, twice as many as should. It is here to be compared with published "
    "tables; the paired bootstrap centres the signed differences and keeps to 5 %."
)


def render() -> None:
    """Compare all systems, then two of them under three tests, and show how much text it takes."""
    st.title(PAGE.title)
    view = view_or_stop(systems=2)
    if len(view.compared.systems) == 1:
        note_left_out(view)
        st.info("One system is left, so there is nothing to compare it with.")
        return
    options = _options(view)
    metric = analysis.score_under(view, options.metric)
    undefined = words.undefined_scores(metric)
    if undefined:
        st.info(literal(undefined))
        return
    comparisons = analysis.compare_systems(view, options)
    if options.baseline is None:
        answer(words.tiers_verdict(comparisons, analysis.system_tiers(comparisons)))
    else:
        answer(words.baseline_verdict(comparisons, options.baseline))
    st.caption(literal(words.comparison_method(comparisons)))
    note_left_out(view)
    for warning in comparisons.warnings:
        st.warning(literal(warning))
    if comparisons.test == "sacrebleu-bootstrap":
        st.info(literal(SACREBLEU_RULE))
    _all_systems(view, options, comparisons, metric)
    data = comparison_table(comparisons)
    table(data, key="comparisons", alt="Each pair: difference, interval and p", highest=PAIRS_HIGH)
    downloads(data, key="comparisons", content=comparison_report(comparisons, metric, view.compared))
    _pair(view, options, comparisons, metric)
    st.subheader("To quote", anchor=False)
    st.caption("A sentence for the methods section, and a caption.")
    st.code(methods(comparisons, metric, view.compared), language=None, wrap_lines=True)
    st.code(caption(comparisons, metric, view.compared), language=None, wrap_lines=True)


def _options(view: analysis.View) -> analysis.ComparisonOptions:
    """The boxes that choose what is compared, and how."""
    systems = list(view.compared.systems)
    documents = view.workspace.corpus.documents is not None
    each = EACH_PAIR
    while each in systems:  # a system may be called so
        each += " pair"
    session.restore_choice("compare_with", [each, *systems])
    with st.container(horizontal=True, vertical_alignment="bottom", key="significance-controls"):
        baseline = _choose("Compare systems with", [each, *systems], "compare_with")
        metric = metric_choice(view)
        test = _choose(
            "Test",
            [TEST_NAMES[test] for test in analysis.TESTS],
            "test",
            width=300,
            help="What p is: see the tests side by side below.",
        )
        units = SEGMENTS
        if documents:
            units = _choose(
                "Units",
                [SEGMENTS, DOCUMENTS],
                "units",
                width=150,
                help="What is drawn or swapped as a whole. Segments of a document are not independent: with enough "
                "documents, say 30, drawing these is the more honest choice.",
            )
        correction = _choose(
            "Correction",
            list(CORRECTION_LABELS),
            "correction",
            help="For the number of pairs. Holm: any false claim at all is as rare as the level says. "
            "Benjamini-Hochberg: among the claims made, that share is expected to be false.",
        )
        level = _choose("Level", ["0.05", "0.01", "0.1"], "level", width=110)
        with st.popover("Draws", key="draws-popover"):
            draws = st.number_input(
                "Resamples or trials",
                min_value=1,
                max_value=1_000_000,
                value=None,
                key="draws",
                bind="query-params",
                persist_state="session",
                placeholder="as many as it takes",
            )
            seed = st.number_input(
                "Seed", 0, 2**31 - 1, analysis.SEED, key="seed", bind="query-params", persist_state="session"
            )
            most = view.evaluation.segments
            usual = min(analysis.BLOCKS, most)
            blocks = st.number_input(
                "Blocks of the paired t", 1, most, usual, key="t_blocks", bind="query-params", persist_state="session"
            )
    return analysis.ComparisonOptions(
        metric=metric.key,
        test=next(name for name, of_name in TEST_NAMES.items() if of_name == test),
        by_documents=units == DOCUMENTS,
        correction=CORRECTION_LABELS[correction],
        alpha=float(level),
        baseline=None if baseline == each else baseline,
        draws=draws,
        blocks=int(blocks),
        seed=int(seed),
    )


def _choose(label: str, options: list[str], key: str, *, width: int = 190, help: str | None = None) -> str:  # noqa: A002
    return st.selectbox(label, options, key=key, bind="query-params", persist_state="session", width=width, help=help)


def _all_systems(
    view: analysis.View,
    options: analysis.ComparisonOptions,
    comparisons: analysis.Comparisons,
    metric: analysis.ScoredCorpus,
) -> None:
    bounds = analysis.intervals_by_system(view, options)
    if options.baseline is not None:
        figure = figures.against_baseline(comparisons, system_styles(view), metric.label, metric.metric.unit)
        shown = f"Difference of each system to {options.baseline}, with its interval."
        st.caption(literal(f"{shown} Hollow: not shown to be better or worse."))
        chart(figure, comparison_table(comparisons), key="against", alt=shown)
        return
    tiers = analysis.system_tiers(comparisons)
    # Many columns need the whole width for the numbers in them.
    left, right = (
        (st.container(), st.container()) if len(comparisons.systems) > MOST_BESIDE else st.columns([3, 2], gap="large")
    )
    with left:
        st.subheader("Each against each", anchor=False)
        shown = f"Above the diagonal: {metric.label} of the row minus that of the column. Below: corrected p."
        st.caption(literal(shown))
        chart(figures.comparison_grid(comparisons, metric.label), grid_table(comparisons), key="grid", alt=shown)
    with right:
        st.subheader("Tiers", anchor=False)
        st.caption("Everyone above a line is significantly better than everyone below it, as in WMT's tables.")
        figure = figures.tier_lines(
            comparisons, tiers, bounds, system_styles(view), metric.label, unit=metric.metric.unit
        )
        chart(figure, tier_table(comparisons, bounds), key="tiers", alt=words.tiers_verdict(comparisons, tiers))


def _pair(
    view: analysis.View,
    options: analysis.ComparisonOptions,
    comparisons: analysis.Comparisons,
    metric: analysis.ScoredCorpus,
) -> None:
    """Two systems: three tests, what they drew, the blocks, and how much text it takes."""
    st.subheader("Two systems side by side", anchor=False)
    order = list(comparisons.ranked)
    for key, usual in zip(PAIR_KEYS, order, strict=False):
        session.restore_choice(key, order, usual)
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair-controls"):
        system, baseline = (
            st.selectbox(label, order, key=key, persist_state="session", width=190)
            for label, key in zip(("System", "against"), PAIR_KEYS, strict=True)
        )
    # By hand: boxes below others that come and go lose their place in the address when it is left to Streamlit.
    session.write_query_params(**dict(zip(PAIR_KEYS, (system, baseline), strict=True)))
    if system == baseline:
        st.info("Choose two different systems.")
        return
    pair = comparisons.between(system, baseline)
    if pair is None:  # neither is the baseline
        comparisons = analysis.compare_pair(view, options, system, baseline)
        pair = comparisons.pairs[0]
    tested = analysis.run_three_tests(view, options, system, baseline)
    first = tested.tests[0]
    answer(words.pair_verdict(comparisons, pair, metric.label))
    st.caption(literal(words.three_tests_verdict(tested.tests)))
    data = tests_table(list(tested.tests))
    table(data.without("resampled", "null_hypothesis"), key="tests", alt="Three tests of the two systems")
    st.text(words.meaning_of_tests(tested.tests))
    downloads(data, key="tests")
    if tested.undefined:
        st.info(literal(f"The {metric.label} of some resamples or blocks is undefined: {metric.metric.undefined}."))
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**What was drawn**")
        st.caption("Bootstrap: the difference on other texts. Randomisation: what it would be if outputs were mixed.")
        shown = f"Distribution of resampled differences between {system} and {baseline}."
        figure = figures.drawn_deltas(tested.deltas, first.pairs[0].delta, metric.label, metric.metric.unit)
        chart(figure, deltas_table(tested.deltas), key="deltas", alt=shown)
    with right:
        blocks, scores = tested.blocks, tested.block_scores
        st.markdown(f"**Difference on each {blocks.unit}**")
        count = len(blocks.names)
        st.caption(f"What the paired t averages: {count} {plural(count, blocks.unit)} of text.")
        figure = figures.block_differences(
            scores,
            blocks,
            (baseline, system),
            system_styles(view),
            unit=metric.metric.unit,
            higher_is_better=metric.metric.higher_is_better,
        )
        shown = f"Difference between {system} and {baseline} on each {blocks.unit}."
        data = pair_blocks_table((baseline, system), blocks, scores)
        chart(figure, data, key="block-differences", alt=shown)
    _text(view, options, system, baseline, metric)


def _text(
    view: analysis.View, options: analysis.ComparisonOptions, system: str, baseline: str, metric: analysis.ScoredCorpus
) -> None:
    st.subheader("How much text is enough", anchor=False)
    needed, sizes = analysis.estimate_text_needed(view, options, system, baseline)
    sentence = words.enough_text(needed, metric.label)
    answer(sentence)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Width of the interval**")
        st.caption("It narrows with the square root of the number of segments; the dashed part is extrapolated.")
        figure = figures.interval_widths(needed, metric.label, metric.metric.unit)
        chart(figure, text_needed_table(needed), key="widths", alt=f"Interval width by number of segments. {sentence}")
    with right:
        st.markdown("**Paired t by size of block**")
        st.caption("20 blocks are one choice among many: large blocks leave few numbers, small ones noisy scores.")
        chart(
            figures.t_over_block_size(sizes),
            block_sizes_table(sizes),
            key="block-sizes",
            alt="The paired t for blocks of many sizes, with the t that is significant.",
        )


PAGE = session.Page(
    "Significance",
    "significance",
    "Which differences are real, and how much text would show the others?",
    render,
)
