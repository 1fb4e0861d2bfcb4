"""Commands and Python code that reproduce the numbers of each page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from bleu_core.agreement import SENTINELS, SOURCE_LENGTH
from bleu_core.dataset import ScoreTable
from bleu_core.inference import MIN_PERCENTILE_UNITS, SEED, Comparisons, Test
from bleu_core.judges import Unit
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.scoring import DEFAULT_METRIC, HUMAN, PRESETS, Metric
from dashboard import analysis
from dashboard.analysis import (
    WORKSPACE_NAME,
    ComparisonOptions,
    Division,
    ErrorOptions,
    MetricChoice,
    RankingOptions,
    RatingsInUse,
    ReviewOptions,
    ScoresByMetric,
)
from dashboard.exhibits import AnyExhibit, Data, Option
from dashboard.export.data_in_use import DataInUse
from dashboard.export.script import Script

SAVE_FIRST = f"Save the workspace first (in the sidebar), and run the code in the folder of {WORKSPACE_NAME}."
#: Python code of the statistics that are resampled.
TABLE = "scored.statistics"

WHERE_TO_RUN = "Run the code in the folder of your files."


@dataclass(frozen=True, slots=True)
class PageCode:
    """The code that reproduces the numbers of a page.

    Attributes:
        commands: calls of `bleu-core`; empty if no command prints these numbers.
        python: code that uses the library.
        note: what to do first.
    """

    commands: tuple[str, ...]
    python: str
    note: str


def overview_code(data: DataInUse, metric: str, *, intervals: bool, compared: ComparisonOptions | None) -> PageCode:
    """Return the code of the scores and, unless there is nothing to compare, of all pairs of systems."""
    view = data.view
    code = scores_code(data, metric, view.compared.systems, intervals=intervals)
    if compared is None:
        return code
    options = replace(compared, metric=metric, baseline=None)
    return replace(code, commands=(*code.commands, _comparison(data, options)))


def scores_code(data: DataInUse, metric: str, systems: Sequence[str], *, intervals: bool) -> PageCode:
    """Return the code of the scores of systems, in their order."""
    script = _scored_script(data, metric, systems)
    if intervals:
        script.call("intervals", "bc.score_intervals", "scored")
    script.call("table", "bc.score_table", "scored", *(["intervals"] if intervals else []))
    options = [*_metric(metric), *(["--intervals"] if intervals else [])]
    return _code(data, script, data.command("score", *options, systems=systems, **_inputs(data, [metric])))


def metric_scores_code(
    data: DataInUse,
    result: ScoresByMetric,
    systems: Sequence[str],
    options: ComparisonOptions,
    *,
    intervals: bool,
) -> PageCode:
    """Return the code of the systems by several metrics.

    Args:
        data: the data of the page.
        result: the scores of the page.
        systems: in the order of the rows.
        options: of the comparisons, if there are any.
        intervals: whether scores have intervals.
    """
    metrics = [column.scored.name for column in result.columns]
    inputs = _inputs(data, metrics)
    scored = data.view.evaluation.systems
    script = data.script(
        scored,
        scores=inputs["scores"] or bool(result.whole),
        ratings=inputs["ratings"] or result.human is not None,
    )
    script.use("bleu_core.results.metric_scores", "MetricColumn", "metric_scores_table")
    keywords: dict[str, object] = {"test": options.test, **_draws(options), "seed": options.seed}
    keywords |= {"correction": options.correction, "alpha": options.alpha}
    tests = ""
    if result.comparisons:
        groups = _groups(script, data, options, options.test)
        tests = f"bc.compare({', '.join(['ranked', 'bc.ranked_pairs(ranked)', *groups, *_keywords(keywords)])})"
    script.add("columns = []")
    for column in result.columns:
        script.call("scored", "bc.score_metric", "corpus", "evaluation", _metric_code(script, data, column.scored.name))
        if column.comparisons is not None:
            script.add(f"ranked = {TABLE}.select({list(data.view.compared.systems)!r})")
        parts = ["scored=scored", *(["intervals=bc.score_intervals(scored)"] if intervals else [])]
        parts += [f"comparisons={tests}"] if column.comparisons is not None else []
        script.add(f"columns.append(MetricColumn({', '.join(parts)}))")
    shown = [f"systems={list(systems)!r}"]
    if result.whole:
        names = {analysis.uploaded_tables(data.view.workspace)[label].name for label in result.whole}
        script.add(f"whole = {{table.name: table for table in data.scores if table.name in {sorted(names)!r}}}")
        shown.append("whole=whole")
    shown += ["human=judgments.system_means()"] if result.human is not None else []
    shown += ["human_raw=judgments.raw_means"] if result.human_raw is not None else []
    script.call("table", "metric_scores_table", "columns", *shown)
    call = [part for metric in metrics for part in ("--metric", metric)]
    call += ["--intervals"] if intervals else []
    command = data.command("score", *call, systems=scored, **inputs)
    return _code(data, script, *([command] if metrics else []))


def significance_code(data: DataInUse, options: ComparisonOptions, comparisons: Comparisons) -> PageCode:
    """Return the code of all pairs of systems compared, or of all systems with a baseline."""
    view = data.view
    systems = comparisons.ranked if options.baseline is None else analysis.compared_by(view, options.metric)
    script = _scored_script(data, options.metric, systems)
    if options.baseline is None:
        script.call("pairs", "bc.ranked_pairs", TABLE)
    else:
        script.call("pairs", "bc.baseline_pairs", "evaluation.systems", repr(options.baseline))
    draws: dict[str, object] = {"test": options.test, **_draws(options)}
    groups = _groups(script, data, options, options.test)
    keywords = _keywords({**draws, "seed": options.seed, "correction": options.correction, "alpha": options.alpha})
    script.call("compared", "bc.compare", TABLE, "pairs", *groups, *keywords)
    if comparisons.obstacle:
        script.use("dataclasses", "replace")
        script.call("compared", "replace", "compared", f"obstacle={comparisons.obstacle!r}")
    script.call("table", "bc.comparison_table", "compared")
    return _code(data, script, _comparison(data, options))


def two_systems_code(data: DataInUse, options: ComparisonOptions, system: str, baseline: str) -> PageCode:
    """Return the code of two systems under three tests."""
    options = replace(options, baseline=baseline, correction="none")
    script = _scored_script(data, options.metric, [baseline, system])
    script.add("tests = []")
    commands: list[str] = []
    for test in analysis.THREE_TESTS:
        test_options = replace(options, test=test)
        groups = _groups(script, data, test_options, test)
        keywords: dict[str, object] = {"test": test, **_draws(test_options), "seed": options.seed}
        keywords |= {"correction": "none", "alpha": options.alpha}
        script.add(f"tests.append(bc.compare({', '.join([TABLE, '[(1, 0)]', *groups, *_keywords(keywords)])}))")
        commands.append(_comparison(data, test_options, systems=(baseline, system)))
    script.use("bleu_core.results.significance", "tests_table")
    script.call("table", "tests_table", "tests")
    return _code(data, script, *commands)


def slices_code(data: DataInUse, by: str, options: ComparisonOptions, system: str) -> PageCode:
    """Return the code of the systems compared with a baseline on every slice of a division."""
    view, systems = data.view, analysis.compared_by(data.view, options.metric)
    baseline = options.baseline or systems[0]
    script = _scored_script(data, options.metric, systems)
    script.use("bleu_core.slicing", "SliceTests", "group_segments")
    some = list(view.evaluation.references) != list(data.whole.workspace.corpus.references)
    named = [*(["references=references"] if some else []), "settings=settings"]
    numbers = ["numbers=chosen.numbers"] if data.is_sliced else []
    script.call("grouping", "group_segments", "corpus", repr(by), *named, *numbers)
    script.call("pairs", "bc.baseline_pairs", "evaluation.systems", repr(baseline))
    keywords: dict[str, object] = {"whole_documents": options.by_documents}
    keywords |= {} if options.draws is None else {"resamples": options.draws}
    keywords |= {"seed": options.seed, "alpha": options.alpha}
    places = ["order=grouping.order", "documents=corpus.documents"]
    tests = f"tests=SliceTests({', '.join(_keywords(keywords))})"
    script.call("compared", "bc.compare_slices", TABLE, "grouping.labels", "pairs", *places, tests)
    script.use("bleu_core.results.slices", "slice_pair_table")
    script.call("table", "slice_pair_table", "compared", repr(by), repr(system))
    resamples = [] if options.draws is None else ["--resamples", f"{options.draws}"]
    call = ["--by", by, "--baseline", baseline, *_metric(options.metric), *_units(data, options), *resamples]
    inputs = _inputs(data, [options.metric])
    command = data.command("slices", *call, *_level(options), systems=systems, **inputs)
    return _code(data, script, command)


def errors_code(data: DataInUse, options: ErrorOptions, system: str, baseline: str) -> PageCode:
    """Return the code of the marked errors of two systems."""
    script = data.script(data.view.evaluation.systems, ratings=True, scores=True)
    script.use("bleu_core.dataset", "annotated_errors")
    script.use("bleu_core.error_spans", "error_differences", "of_judges", "of_metric", "output_tokens")
    script.use("bleu_core.results.error_spans", "error_differences_table")
    chosen = "of_judges(marked)" if options.metric is None else f"of_metric(marked, {options.metric!r})"
    script.call("marked", "annotated_errors", "corpus", "judgments", "data.scores", "systems=evaluation.systems")
    values = [chosen, "output_tokens(evaluation)", repr(system), repr(baseline)]
    script.call("differences", "error_differences", *values, f"by={options.by!r}", "documents=corpus.documents")
    script.call("table", "error_differences_table", "differences")
    if data.choices.standardised or data.adjusted:  # which the command, without ratings, lacks
        return _code(data, script)
    metric = [] if options.metric is None else ["--annotations", options.metric]
    call = ["--by", options.by, "--baseline", baseline, "--system", system, *metric]
    return _code(data, script, data.command("errors", *call, ratings=True, ranks=False))


def references_code(data: DataInUse, ratings: RatingsInUse | None, options: ComparisonOptions) -> PageCode:
    """Return the code of the systems ranked with each reference."""
    rated = ratings is not None
    compared, marks = analysis.compared_by(data.view, options.metric), data.view.optimised
    marked = {name for name in data.view.compared.systems if name not in compared}
    systems = [name for name in data.view.evaluation.systems if name not in marked] if marks else None
    script = data.script(systems, ratings=rated)
    script.use("bleu_core.agreement", "rank_by_reference")
    script.use("bleu_core.results.reference_rankings", "reference_scores_table")
    arguments = [f"name={options.metric!r}", *_humans(data)]
    if options.by_documents:
        script.call("documents", "bc.document_blocks", "corpus.documents")
        arguments.append("documents=documents")
    data_used = ["corpus", "evaluation", *(["judgments"] if rated else [])]
    script.call("rankings", "rank_by_reference", *data_used, *arguments, f"alpha={options.alpha}")
    script.call("table", "reference_scores_table", "rankings")
    call = [*_metric(options.metric), *_units(data, options), "--alpha", f"{options.alpha}"]
    return _code(data, script, data.command("references", *call, systems=systems, ratings=rated, scores=False))


def precision_code(data: DataInUse, *, intervals: bool) -> PageCode:
    """Return the code of the precisions of each order, and of their decay."""
    systems = analysis.compared_by_bleu(data.view).systems
    script = data.script(systems)
    if intervals:
        script.call("intervals", "bc.score_intervals", "evaluation")
    script.use("bleu_core.scoring", "fit_decay")
    script.use("bleu_core.results.precisions", "decay_table", "precision_table")
    script.call("table", "precision_table", "evaluation", *(["intervals"] if intervals else []))
    script.call("decay", "decay_table", "evaluation.systems", "fit_decay(evaluation.scores)")
    script.add("print(bc.to_text(decay))")
    options = ["--intervals"] if intervals else []
    return _code(data, script, data.command("score", *options, systems=systems))


def blocks_code(data: DataInUse, metric: str, division: Division, number: int, *, intervals: bool) -> PageCode:
    """Return the code of the scores on blocks of text.

    Args:
        data: the data of the page.
        metric: key of the metric.
        division: into a number of blocks, blocks of a size, or documents.
        number: of blocks, or of segments per block.
        intervals: whether the table has intervals of the scores.
    """
    systems = analysis.compared_by(data.view, metric)
    script = _scored_script(data, metric, systems)
    options: list[str] = []
    if division == "documents":
        script.call("blocks", "bc.document_blocks", "corpus.documents")
    elif division == "size":
        script.use("bleu_core.inference", "blocks_of_size")
        script.call("blocks", "blocks_of_size", "corpus.segments", f"{number}")
        options = ["--block-size", f"{number}"]
    else:
        script.call("blocks", "bc.equal_blocks", "corpus.segments", f"{number}")
        options = ["--blocks", f"{number}"]
    if intervals:
        script.call("intervals", "bc.score_intervals", "scored")
    script.use("bleu_core.results.blocks", "block_table")
    script.call("table", "block_table", "bc.block_scores(scored, blocks)", *(["intervals"] if intervals else []))
    named = division != "documents" or data.has_named_files  # commands have no option for documents
    call = [*_metric(metric), *options]
    inputs = _inputs(data, [metric])
    commands = [data.command("blocks", *call, systems=systems, **inputs)] if named else []
    return _code(data, script, *commands)


def segments_code(data: DataInUse, metric: str, systems: Sequence[str]) -> PageCode:
    """Return the code of what each segment adds to the score of a system, or to the difference of two."""
    script = _scored_script(data, metric, systems)
    script.use("pandas", "DataFrame")
    if systems[1:]:
        script.add(f"influence = bc.influences(scored.statistics).between({systems[0]!r}, {systems[1]!r}).values")
    else:
        script.add("influences = bc.influences(scored.statistics)")
        sign = "" if analysis.metric_of(data.view, metric).higher_is_better else "-"
        script.add(f"influence = {sign}(influences.scores[0] - influences.without[0])")
    script.add("scores = scored.statistics.segment_scores")
    numbers = "chosen.numbers" if data.is_sliced else "range(1, corpus.segments + 1)"
    columns = [f"'segment': {numbers}", "'influence': influence"]
    columns += [f"{f'score_{name}'!r}: scores[{k}]" for k, name in enumerate(systems)]
    script.add(f"frame = DataFrame({{{', '.join(columns)}}})")
    script.add("print(frame.sort_values('influence', kind='stable').head(10))")
    return PageCode((), script.text, _note(data))


def ngrams_code(
    data: DataInUse, system: str, baseline: str, *, max_ngrams: int, order: int | None, kind: str | None
) -> PageCode:
    """Return the code of the n-grams by which a system differs from a baseline or, without one, from the references."""
    systems = [name for name in data.view.compared.systems if name in (system, baseline)]
    script = data.script(data.view.compared.systems)
    script.use("bleu_core.segments", "compare_ngrams")
    script.use("bleu_core.results.ngrams", "ngram_lists", "ngram_tables")
    script.call("differences", "compare_ngrams", "corpus", "evaluation", repr(system), repr(baseline))
    numbers = ["numbers=chosen.numbers"] if data.is_sliced else []
    keywords = _keywords({"max_ngrams": max_ngrams, "order": order, "kind": kind})
    script.call("ngrams", "ngram_lists", "differences", *keywords, *numbers)
    script.add("counts, table, groups = ngram_tables([ngrams])")
    options = [*(["--baseline", baseline] if baseline else []), "--top", f"{max_ngrams}"]
    options += [] if order is None else ["--order", f"{order}"]
    options += [] if kind is None else ["--kind", kind]
    return _code(data, script, data.command("ngrams", *options, systems=systems, ranks=False))


def system_agreement_code(
    data: DataInUse, ratings: RatingsInUse, label: str, *, bootstrap: bool, without: Sequence[str]
) -> PageCode:
    """Return the code of the agreement of a metric with the judges on systems.

    Args:
        data: the data of the page.
        ratings: the ratings in use.
        label: of the metric.
        bootstrap: whether the intervals are those of a bootstrap of systems.
        without: systems without which the agreement is also computed.
    """
    choices = analysis.metric_choices(ratings)
    script = _rated_script(data, choices[label])
    script.use("bleu_core.agreement", "robustness", "segment_ratings")
    script.use("bleu_core.results.agreement", "coefficients_table")
    _add_agreement(script, data, label, choices)
    script.call("metric", "metric.select", "agreement.systems")
    script.call("segment_means", "segment_ratings", "judgments", "agreement.systems", "corpus.segments")
    script.call("robust", "robustness", "metric", "agreement.human", "segment_means")
    rest: list[str] = []
    if without:
        script.use("bleu_core.agreement", "without_systems")
        script.call("rest", "without_systems", "agreement", repr(list(without)))
        rest = ["rest=rest"]
    script.call("table", "coefficients_table", "agreement", "robust", f"bootstrap={bootstrap}", *rest)
    also = _also(label, choices)
    options = [*also, *(["--interval", "bootstrap"] if bootstrap and label == next(iter(choices)) else [])]
    return _code(data, script, data.command("correlate", *options, ratings=True))


def score_differences_code(data: DataInUse, ratings: RatingsInUse | None, label: str) -> PageCode:
    """Return the code of the agreement of judges by score difference; of the published curve without ratings."""
    if ratings is None:
        script = data.script()
        script.use("bleu_core.agreement", "PUBLISHED")
        script.use("bleu_core.results.score_differences", "differences_needed_table")
        script.call("table", "differences_needed_table", "None", f"PUBLISHED[{label!r}]")
        return _code(data, script)
    choices = analysis.metric_choices(ratings)
    script = _rated_script(data, choices[label])
    script.use("bleu_core.agreement", "difference_curve")
    script.use("bleu_core.results.score_differences", "score_differences_table")
    _add_agreement(script, data, label, choices)
    script.call("table", "score_differences_table", "difference_curve(agreement)")
    return _code(data, script)


def review_code(data: DataInUse, ratings: RatingsInUse, options: ReviewOptions) -> PageCode:
    """Return the code of the score of a metric from which segments can skip review."""
    choices, label = analysis.metric_choices(ratings), options.metric
    choice = choices[label]
    script = _rated_script(data, choice)
    names = ("MetricScores", "review_threshold", "segment_ratings")
    script.use("bleu_core.agreement", *names, *(["default_acceptable"] if options.acceptable is None else []))
    script.use("bleu_core.results.review_threshold", "thresholds_table")
    acceptable = f"{options.acceptable!r}"
    if options.acceptable is None:
        acceptable = "default_acceptable(judgments.rated['score'].to_numpy())"
        if ratings.given is not None:
            acceptable = f"{analysis.rating_scale(ratings).default!r}"
    script.call("systems", "bc.correlate", "corpus", "evaluation", "judgments", *_humans(data))
    script.add(
        f"metric = {_metric_scores(script, label, choices)}{_excluding(data, label, choices)}.select(systems.systems)"
    )
    script.call("ratings", "segment_ratings", "judgments", "systems.systems", "corpus.segments")
    among = analysis.metrics_to_choose_from(ratings, label) if options.among is None else options.among
    keywords = _keywords({"max_unacceptable": options.max_unacceptable, "seed": options.seed, "among": among})
    values = ["metric", "ratings", "corpus.documents", f"acceptable={acceptable}", *keywords]
    script.call("review", "review_threshold", *values)
    script.call("table", "thresholds_table", "review")
    call = [] if options.acceptable is None else ["--acceptable", f"{options.acceptable}"]
    call += ["--max-unacceptable", f"{options.max_unacceptable}", "--seed", f"{options.seed}", "--among", f"{among}"]
    name = choice.key if isinstance(choice, Metric) else label
    uploaded = isinstance(choice, ScoreTable)
    return _code(data, script, data.command("review", "--metric", name, *call, ratings=True, scores=uploaded))


def segment_agreement_code(data: DataInUse, ratings: RatingsInUse, label: str) -> PageCode:
    """Return the code of the agreement of a metric with the judges on segments."""
    choices = analysis.metric_choices(ratings)
    script = _rated_script(data, choices[label])
    script.use("bleu_core.results.agreement", "segment_table")
    metrics: list[str] = []
    if label != next(iter(choices)):  # the first is always compared
        script.use("bleu_core.agreement", "MetricScores")
        code = f"{_metric_scores(script, label, choices)}{_excluding(data, label, choices)}"
        metrics = [f"[MetricScores.of_bleu(evaluation), {code}]"]
    script.call("level", "bc.segment_level", "corpus", "evaluation", "judgments", *metrics, *_humans(data))
    script.call("table", "segment_table", "level")
    call = ["--level", "segment", *_also(label, choices)]
    return _code(data, script, data.command("correlate", *call, ratings=True))


def class_agreement_code(data: DataInUse, ratings: RatingsInUse, label: str, language: str, method: str) -> PageCode:
    """Return the code of the agreement inside and outside classes of segments."""
    choices = analysis.metric_choices(ratings)
    script = _rated_script(data, choices[label])
    script.use("bleu_core.agreement", "MetricScores", "segment_ratings")
    script.use("bleu_core.slicing", "classify_segments")
    script.use("bleu_core.agreement", "agreement_by_class")
    script.use("bleu_core.results.agreement_by_class", "classes_table")
    script.call("agreement", "bc.correlate", "corpus", "evaluation", "judgments", *_humans(data))
    script.add(
        f"metric = {_metric_scores(script, label, choices)}{_excluding(data, label, choices)}.select(agreement.systems)"
    )
    script.call("segment_means", "segment_ratings", "judgments", "agreement.systems", "corpus.segments")
    settings = ("references=evaluation.references", "settings=evaluation.settings", f"language={language!r}")
    script.call("classes", "classify_segments", "corpus", *settings)
    arguments = ("metric.segment_scores", "segment_means", "classes", "corpus.documents", f"method={method!r}")
    script.call("by_class", "agreement_by_class", *arguments)
    script.call("table", "classes_table", "by_class")
    if not language:  # a command would guess it
        return _code(data, script)
    call = ["--level", "segment", "--classes", "--language", language, "--method", method, *_also(label, choices)]
    return _code(data, script, data.command("correlate", *call, ratings=True))


def metrics_code(data: DataInUse, ratings: RatingsInUse, options: RankingOptions, *, by_segments: bool) -> PageCode:
    """Return the code of BLEU and other metrics ranked by their agreement with the judges."""
    choices = analysis.rankable_metrics(ratings)
    script = _rated_script(data, *(choices[label] for label in options.metrics))
    script.use("bleu_core.agreement", "MetricScores")
    names = (next(iter(choices)), *options.metrics)
    codes = [f"{_metric_scores(script, name, choices)}{_excluding(data, name, choices)}" for name in names]
    script.add("metrics = [", *(f"    {code}," for code in codes), "]")
    level = "segment" if by_segments else "system"
    keywords: dict[str, object] = {"method": options.method, "correction": options.correction}
    keywords |= {"grouping": options.grouping} if by_segments else {"test": options.test}
    script.use("bleu_core.agreement", "RankingTest")
    script.call("ranking", "RankingTest", *_keywords(keywords))
    arguments = ["corpus", "evaluation", "judgments", "metrics", "ranking=ranking", *_humans(data)]
    script.call("ranked", f"bc.{level}_level", *arguments)
    script.use("bleu_core.results.agreement", f"ranked_{level}_table")
    script.call("table", f"ranked_{level}_table", "ranked")
    uploaded = {name for name, choice in choices.items() if isinstance(choice, ScoreTable)}
    if uploaded and uploaded.isdisjoint(options.metrics):  # a command then ranks all metrics of the files, too
        return _code(data, script)
    named = _named(*(SOURCE_LENGTH if name in SENTINELS else name for name in options.metrics))
    call = ["--level", level, *named, "--method", options.method, "--correction", options.correction]
    call += ["--grouping", options.grouping] if by_segments else ["--test", options.test]
    return _code(data, script, data.command("correlate", *call, ratings=True))


def judges_code(data: DataInUse, ratings: RatingsInUse) -> PageCode:
    """Return the code of the judges, and of their agreement."""
    script = _of_rated_systems(data, ratings)
    script.use("bleu_core.judges", "by_mean", "judge_summaries")
    script.use("bleu_core.results.judges", "judges_table")
    script.call("alpha", "bc.krippendorff_alpha", "rated")
    script.call("table", "judges_table", "by_mean(judge_summaries(rated))")
    return _code(data, script, *_of_judges(data, "--judges"))


def rater_differences_code(
    data: DataInUse, ratings: RatingsInUse, pairs: analysis.Pairs, units: Sequence[Unit], *, by_group: bool
) -> PageCode:
    """Return the code of the rating differences of pairs of systems."""
    script = _of_rated_systems(data, ratings)
    script.use("bleu_core.judges", "compare_ratings")
    script.use("bleu_core.results.judges", "differences_table")
    script.call("differences", "compare_ratings", "rated.table", f"pairs={pairs!r}")
    if by_group:
        script.use("bleu_core.judges", "directed_differences")
        script.add("pairs = [(pair.better, pair.worse) for pair in differences.pairs]")
        group_call = "directed_differences(rated.of_group(name).table, pairs)"
        script.add(f"results = {{name: {group_call} for name in sorted(judgments.groups)}}")
    else:
        script.add("results = {'': differences}")
    script.call("table", "differences_table", "results", repr(list(units)))
    if by_group or not isinstance(pairs, str):
        return _code(data, script)
    return _code(data, script, *_of_judges(data, "--differences", pairs))


def paper_code(data: DataInUse, ratings: RatingsInUse | None) -> PageCode:
    """Return the code of the experiments of the 2002 paper."""
    choices = replace(data.choices, adjusted_for_judges=False)  # it does not apply to this page
    data = replace(data, choices=choices)
    if choices.without_judges or choices.without_groups or choices.standardised:  # commands have no options for these
        data = replace(data, saved=True)
    evaluation, loaded = data.view.evaluation, data.whole.workspace.corpus
    script = data.script(ratings=ratings is not None, counted=False)
    script.use("bleu_core.paper", "PaperInput", "PaperOptions", "all_steps", "compute_steps", "repeat_experiment")
    script.use("bleu_core.results.paper", "paper_report")
    script.use("bleu_core.results.encoding", "to_json")
    script.use("json", "dumps")
    if list(evaluation.systems) != list(loaded.systems):
        script.use("dataclasses", "replace")
        systems = f"{{name: corpus.systems[name] for name in {list(evaluation.systems)!r}}}"
        script.call("corpus", "replace", "corpus", f"systems={systems}")
    judgments = "None" if ratings is None else "judgments"
    keywords = _keywords({"humans": list(data.humans), "references": list(evaluation.references)})
    options = f"options=PaperOptions({', '.join(keywords)})"
    script.call("results", "repeat_experiment", "corpus", "settings", judgments, options)
    script.call("paper", "PaperInput", "corpus", judgments, "results")
    left_out: list[str] = []
    if ratings is not None:
        script.add("left_out = [str(rows) for rows in data.ratings_for(corpus).all_unused_rows]")
        left_out = ["left_out"]
    script.call("report", "paper_report", "paper", "compute_steps(paper, all_steps())", *left_out)
    script.add("print(dumps(to_json(report), indent=1))")
    return PageCode(_paper_commands(data), script.text, _note(data))


def _paper_commands(data: DataInUse) -> tuple[str, ...]:
    evaluation, choices, loaded = data.view.evaluation, data.choices, data.whole.workspace.corpus
    used, every = list(evaluation.references), list(loaded.references)
    options: list[str] = []
    if data.has_named_files:
        if used != every[: len(used)]:
            return ()
        options = [part for name in data.humans for part in ("--human-system", name)]
        is_default = len(used) == min(TABLE_REFERENCES, len(every))
        options += [] if is_default else ["--table-references", f"{len(used)}"]
    elif choices.paper_preset != (evaluation.settings == PRESETS["paper"]):
        return ()
    return (data.command("paper", *options, references=every, ratings=True, ranks=False),)


def report_commands(files: DataInUse, data: Data) -> tuple[str, ...]:
    """Return calls that reproduce the numbers of a report."""
    options, intervals = data.comparison, files.view.with_intervals
    compared = options if len(files.view.compared.systems) > 1 else None
    codes = [overview_code(files, options.metric, intervals=intervals, compared=compared)]
    number = data.block_size if data.division == "size" else data.blocks
    codes.append(blocks_code(files, options.metric, data.division, number, intervals=intervals))
    if data.ratings is not None and data.has_agreement:
        codes.append(system_agreement_code(files, data.ratings, data.agreement.metric, bootstrap=False, without=()))
    note = _note(files)
    return (*((f"# {note}",) if note else ()), *(command for code in codes for command in code.commands))


def figure_commands(files: DataInUse, exhibit: AnyExhibit, data: Data) -> tuple[str, ...]:
    """Return the call that draws a figure of data into a file, after a note on what to do first, if any."""
    selection, metric = files.view.selection, data.comparison.metric
    if not selection.intervals or (selection.slice and selection.slice_planned):  # for which there are no options
        files = replace(files, saved=True)
    options = [part for option in exhibit.options for part in FIGURE_OPTIONS[option](files, data)]
    inputs = _inputs(files, [metric] if "metric" in exhibit.options else [])
    rated = "judgments" in exhibit.needs or ("ratings" in exhibit.options and data.ratings is not None)
    ratings = rated or inputs["ratings"]
    call = files.command(
        "figure",
        exhibit.name,
        *options,
        "--out",
        f"{exhibit.name}.pdf",
        ratings=ratings,
        scores=ratings or inputs["scores"],
    )
    note = _note(files)
    return (*((f"# {note}",) if note else ()), call)


def _pair(_: DataInUse, data: Data) -> list[str]:
    compared = analysis.compared_by(data.view, data.comparison.metric)
    return ["--system", data.names[0], "--baseline", data.names[1]] if len(compared) > 1 else []


def _tests(files: DataInUse, data: Data) -> list[str]:
    options = data.comparison
    draws = [] if options.draws is None else ["--resamples", f"{options.draws}"]
    test = ["--test", options.test, "--blocks", f"{options.blocks}", *_units(files, options), *draws]
    return [*test, "--correction", options.correction, *_level(options)]


def _blocks(_: DataInUse, data: Data) -> list[str]:
    sizes = {"blocks": ["--blocks", f"{data.blocks}"], "size": ["--block-size", f"{data.block_size}"]}
    return sizes.get(data.division, ["--document-blocks"])


#: What an exhibit depends on -> the options of the command `figure`.
FIGURE_OPTIONS: Mapping[Option, Callable[[DataInUse, Data], list[str]]] = {
    "metric": lambda _, data: _metric(data.comparison.metric),
    "pair": _pair,
    "baseline": lambda _, data: ["--baseline", data.comparison.baseline or data.names[1]],
    "tests": _tests,
    "slices": lambda _, data: ["--by", data.by or analysis.divisions(data.view)[0]],
    "blocks": _blocks,
    "metrics": lambda _, data: ["--correction", data.ranking_options.correction],
    "ratings": lambda *_: [],  # which are a file
}


def _code(data: DataInUse, script: Script, *commands: str) -> PageCode:
    """Return the code of a page whose script has made a table."""
    script.add("print(bc.to_text(table))")
    return PageCode(commands, script.text, _note(data))


def _note(data: DataInUse) -> str:
    if not data.has_named_files:
        return SAVE_FIRST
    return "" if data.paths else WHERE_TO_RUN


def _keywords(arguments: Mapping[str, object]) -> list[str]:
    return [f"{name}={value!r}" for name, value in arguments.items()]


def _metric(metric: str) -> list[str]:
    return [] if metric == DEFAULT_METRIC else ["--metric", metric]


def _level(options: ComparisonOptions) -> list[str]:
    return ["--seed", f"{options.seed}", "--alpha", f"{options.alpha}"]


def _units(data: DataInUse, options: ComparisonOptions) -> list[str]:
    known = data.view.workspace.corpus.documents is not None
    return ["--units", "documents" if options.by_documents else "segments"] if known else []


def _draws(options: ComparisonOptions) -> dict[str, int]:
    """Return the number of draws of a test, by its name."""
    if options.test == "t":
        return {}
    name = "resamples" if options.test.endswith("bootstrap") else "trials"
    return {name: analysis.draws_in_use(options)}


def comparison_call(options: ComparisonOptions, number: int, units: Sequence[str] = ()) -> list[str]:
    """Return the options of the command that compares systems.

    Args:
        options: of the comparison.
        number: of segments, bundles or documents, of which few are compared by the jackknife in place of the bootstrap.
        units: options that name the unit of resampling.
    """
    call = ["--all-pairs"] if options.baseline is None else ["--baseline", options.baseline]
    call += [*_metric(options.metric), "--test", options.test, *units]
    if options.test == "t" and not options.by_documents:
        call += ["--blocks", f"{min(options.blocks, number)}"]
    if options.test == "t" or (options.test == "bootstrap" and number < MIN_PERCENTILE_UNITS):  # nothing is drawn
        seed = [] if options.test == "t" or options.seed == SEED else ["--seed", f"{options.seed}"]  # results name it
        return [*call, "--correction", options.correction, *seed, "--alpha", f"{options.alpha}"]
    for name, draws in _draws(options).items():
        call += [f"--{name}", f"{draws}"]
    return [*call, "--correction", options.correction, *_level(options)]


def _comparison(data: DataInUse, options: ComparisonOptions, systems: Sequence[str] | None = None) -> str:
    """Return the command that compares systems, by default the compared ones of the page."""
    compared = analysis.compared_by(data.view, options.metric)
    documents = data.view.workspace.corpus.documents if options.by_documents else None
    number = data.view.evaluation.segments if documents is None else len(set(documents))
    call = comparison_call(options, number, _units(data, options))
    call += ["--slice-seen"] if data.view.descriptive and data.has_named_files else []  # a workspace has this itself
    inputs = _inputs(data, [options.metric])
    return data.command("compare", *call, systems=compared if systems is None else systems, **inputs)


class _Inputs(TypedDict):
    """What metrics need besides texts: scores of files, and ratings."""

    scores: bool
    ratings: bool


def _inputs(data: DataInUse, metrics: Sequence[str]) -> _Inputs:
    """Return what the metrics of those keys need besides texts."""
    uploaded = any(_is_uploaded(data, metric) for metric in metrics)
    return _Inputs(scores=uploaded, ratings=HUMAN in metrics)


def _is_uploaded(data: DataInUse, metric: str) -> bool:
    return metric != HUMAN and bool(analysis.metric_of(data.view, metric).digest)


def _scored_script(data: DataInUse, metric: str, systems: Sequence[str]) -> Script:
    """Return the code that loads the data and scores systems by the metric of that key, as `scored`."""
    script = data.script(systems, **_inputs(data, [metric]))
    script.call("scored", "bc.score_metric", "corpus", "evaluation", _metric_code(script, data, metric))
    return script


def _metric_code(script: Script, data: DataInUse, metric: str) -> str:
    """Return Python code of the metric of that key, for `bc.score_metric`."""
    if metric == HUMAN:
        script.use("bleu_core.judges", "metric_of_ratings")
        ratings = analysis.ratings_or_none(data.view)
        untested = f", untested={ratings.policy.obstacle!r}" if ratings is not None and ratings.policy.obstacle else ""
        return f"metric_of_ratings(judgments, corpus.segments{untested})"
    if not _is_uploaded(data, metric):
        return repr(metric)
    script.use("bleu_core.scoring", "metric_of_scores")
    name = analysis.uploaded_tables(data.view.workspace)[metric].name
    return f"metric_of_scores({_uploaded_table(name)}, label={metric!r})"


def _uploaded_table(name: str) -> str:
    """Return Python code of the scores of a metric of that name in a file."""
    return f"next(table for table in data.scores if table.name == {name!r})"


def _groups(script: Script, data: DataInUse, options: ComparisonOptions, test: Test) -> list[str]:
    """Return the units that a test draws, swaps or averages over, unless these are segments."""
    if options.by_documents:
        script.call("groups", "bc.document_blocks", "corpus.documents")
    elif test == "t":
        number = min(options.blocks, data.view.evaluation.segments)
        script.call("groups", "bc.equal_blocks", "corpus.segments", f"{number}")
    else:
        return []
    return ["groups=groups"]


def _rated_script(data: DataInUse, *metrics: MetricChoice) -> Script:
    """Return a script that loads texts and ratings, and uploaded scores if one of the metrics is uploaded."""
    return data.script(ratings=True, scores=any(isinstance(metric, ScoreTable) for metric in metrics))


def _humans(data: DataInUse) -> list[str]:
    """Return human translations that are not ranked; those with the text of a reference are recognised by it."""
    marked = [human.system for human in data.view.humans if not human.reference]
    return [f"without={marked!r}"] if marked else []


def _of_rated_systems(data: DataInUse, ratings: RatingsInUse) -> Script:
    script = data.script(ratings=True, counted=False)
    script.call("rated", "judgments.of_systems", repr(list(analysis.rated_systems(ratings))))
    return script


def _of_judges(data: DataInUse, *options: str) -> tuple[str, ...]:
    """Return the command about judges."""
    return (data.command("correlate", *options, ratings=True),)


def _add_agreement(script: Script, data: DataInUse, label: str, choices: Mapping[str, MetricChoice]) -> None:
    """Add the agreement of a metric with the judges on systems."""
    script.use("bleu_core.agreement", "MetricScores", "metric_agreement")
    script.call("agreement", "bc.correlate", "corpus", "evaluation", "judgments", *_humans(data))
    script.call("evaluation", "evaluation.select", "agreement.systems")
    script.add(f"metric = {_metric_scores(script, label, choices)}{_excluding(data, label, choices)}")
    script.call("agreement", "metric_agreement", "metric", "agreement")


def _also(label: str, choices: Mapping[str, MetricChoice]) -> list[str]:
    """Return the option that adds a metric to a command; commands compare the first and uploaded ones without it."""
    return [] if label == next(iter(choices)) or isinstance(choices[label], ScoreTable) else _named(label)


def _named(*labels: str) -> list[str]:
    """Return the options that name BLEU and other metrics."""
    return [part for name in (DEFAULT_METRIC, *labels) for part in ("--metric", name)]


def _excluding(data: DataInUse, label: str, choices: Mapping[str, MetricChoice]) -> str:
    """Return Python code that excludes the systems that were optimised for a metric; empty without any."""
    marked = analysis.marked_as_optimised(data.view, label, choices[label])
    return f".excluding({marked!r})" if marked else ""


def _metric_scores(script: Script, label: str, choices: Mapping[str, MetricChoice]) -> str:
    """Return Python code of the scores of a metric for all systems of the evaluation."""
    choice = choices[label]
    if label in SENTINELS:
        script.use("bleu_core.agreement", "sentinel_scores")
        return "sentinel_scores(corpus, evaluation)"
    if isinstance(choice, Metric):
        return f"MetricScores.of_metric(bc.score_metric(corpus, evaluation, {choice.key!r}))"
    if isinstance(choice, ScoreTable):
        table = _uploaded_table(choice.name)
        if label != choice.name:
            script.use("dataclasses", "replace")
            table = f"replace({table}, name={label!r})"
        return f"MetricScores.of_table({table}, corpus)"
    script.use("bleu_core.agreement", "bleu_variants")
    systems = "select(evaluation.systems)"
    references = "references=evaluation.references"
    variant = f"bc.evaluate(corpus, bleu_variants(settings)[{label!r}], {references}).{systems}"
    return f"MetricScores.of_bleu({variant}, {label!r})"
