"""`bleu-core table`: systems over several test sets."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import chooses_tokenizer, settings_of
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import check_taken
from bleu_core.cli.judge_choices import add_adjust_judges, adjusted_note, adjustment_of
from bleu_core.cli.optimised import add_optimised
from bleu_core.cli.options import (
    add_accept,
    add_columns,
    add_output,
    add_rating_reading,
    add_repeatable,
    add_seed,
    add_settings,
    add_text_reading,
    add_workers,
)
from bleu_core.cli.replicates import add_groups, groups_in
from bleu_core.cli.scored_data import accepted_warnings
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import as_given
from bleu_core.collection import MAX_CELLS, RESAMPLES_OF_MANY
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.formats import FileRole, MappedColumn, UnclearColumnsError, checked_languages
from bleu_core.inference import ALPHA, PAIR_RESAMPLES, check_draws
from bleu_core.limits import Limits
from bleu_core.progress import scaled_progress
from bleu_core.scoring import BUILT_IN_METRICS, DEFAULT_METRIC, HUMAN, SETTINGS, tokenizer

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.collection import (
        AgreementOverSets,
        Collection,
        EvaluatedSet,
        GroupsOverSets,
        ScoredSet,
        ScoresOverSets,
        TestSet,
    )
    from bleu_core.results.paper import Section
    from bleu_core.scoring import ScoredCorpus
    from bleu_core.uploads import Entry, Workspace

HELP = "compare systems over several test sets, in one table"

#: Steps of the progress bar for each test set.
STEPS = 1000

#: Maximum number of sentences about pairs of systems below a table.
MAX_SENTENCES = 5


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.needed["collection"] = "COLLECTION"
    parser.add_argument(
        "collection",
        nargs="?",
        metavar="COLLECTION",
        help="a manifest (bleu.toml), a folder or zip with several test sets, or a workspace saved by the dashboard",
    )
    add_repeatable(parser, "--set", "NAME", "a test set to use; repeatable (default: all)")
    add_repeatable(
        parser,
        "--metric",
        "METRIC",
        f"{', '.join(BUILT_IN_METRICS)}, a metric added by an installed package or with scores in files, or {HUMAN} "
        f"for ratings; repeatable (default: {DEFAULT_METRIC}, and all with scores in files)",
    )
    add_repeatable(parser, "--system", "NAME", "a system to compare; repeatable (default: all)")
    add_repeatable(parser, "--exclude-system", "NAME", "a system to exclude; repeatable")
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        help="system that the others are compared with on each test set (default: that of the manifest)",
    )
    parser.add_argument(
        "--correct-over",
        choices=("column", "table"),
        default="column",
        help="differences from the baseline that p-values are corrected for together: those of one test set and "
        "metric, or all (default: %(default)s)",
    )
    parser.add_argument("--intervals", action="store_true", help="add 95%% intervals of scores on single test sets")
    parser.add_argument("--all-pairs", action="store_true", help="show all pairs of systems, however many there are")
    parser.add_argument(
        "--agreement",
        action="store_true",
        help="rank the metrics by their agreement with judges, averaged over the test sets that have ratings",
    )
    parser.add_argument(
        "--slice", metavar="EXPRESSION", help="use only the segments of each test set that match (see docs/slices.md)"
    )
    parser.add_argument(
        "--tokenizer-by-language",
        action="store_true",
        help="no longer needed: the default is the tokeniser of the target language of each test set, where the script "
        "of its references agrees",
    )
    add_optimised(parser)
    add_groups(parser, "groups are compared by their mean scores (default: the groups of the manifest)")
    parser.add_argument(
        "--resamples",
        type=int,
        metavar="N",
        help=f"number of bootstrap resamples (default: {PAIR_RESAMPLES}, or {RESAMPLES_OF_MANY} for more than "
        f"{MAX_CELLS} scores)",
    )
    add_seed(parser)
    parser.add_argument("--alpha", type=float, default=ALPHA, help="significance level (default: %(default)s)")
    add_output(parser)
    add_workers(parser)
    add_settings(parser)
    add_columns(parser)
    add_text_reading(parser)
    add_rating_reading(parser)
    add_accept(parser)
    add_adjust_judges(parser)
    parser.only("adjust_judges", _uses_ratings, f"add --agreement or --metric {HUMAN}, or remove the option")
    parser.set_defaults(workspace=None, metrics_of_texts=True)
    parser.checks.append(_check)
    parser.only("tokenizer_by_language", lambda _: False, "it is the default", refused=False)


def run(options: argparse.Namespace) -> CommandResult:
    """Compare systems over test sets."""
    from bleu_core.collection import by_metric, corrected, groups_over_sets, score_over_sets
    from bleu_core.results.test_sets import (  # loaded when first needed
        collection_report,
        headline_over_sets,
        obstructed_over,
        obstructions_over,
    )

    collection = _selected(options, _opened(options))
    sets = _evaluated(options, collection)
    metrics = by_metric(sets)
    _check_metrics(options, sets)
    baseline = options.baseline or collection.baseline
    if "correct_over" in options.given and not baseline:
        raise SettingsError(
            "argument --correct-over: there is no baseline; name one by --baseline, or remove the option"
        )
    scored = [of_set.scored for each in sets for of_set in each.scored.values()]
    names = {name for metric in scored for name in (metric.metric.key, metric.label)}
    unused = [mark.text for mark in options.optimised if not mark.concerns(*names)]
    systems = _systems(options, sets)
    groups = groups_in(options, systems) if options.group else collection.groups
    of_groups = [
        (
            of_metric[0].scored,
            groups_over_sets(_with(of_metric, systems), groups, baseline=baseline, alpha=options.alpha),
        )
        for of_metric in (metrics.values() if groups else ())
    ]
    with progress_bar() as progress:
        results = [
            score_over_sets(
                of_metric,
                baseline="" if baseline in groups and baseline not in systems else baseline,
                systems=systems,
                resamples=options.resamples,
                seed=options.seed,
                alpha=options.alpha,
                progress=scaled_progress(progress, number * STEPS, STEPS, len(metrics) * STEPS),
            )
            for number, of_metric in enumerate(metrics.values())
        ]
    results = [
        obstructed_over(of_metric, obstructions_over(of_metric, sets))
        for of_metric in corrected(results, options.correct_over)
    ]
    sections = [section for of_metric in results for section in _sections(options, of_metric)]
    sections += [section for scored, of_metric in of_groups for section in _of_groups(scored, of_metric)]
    agreement = _agreement(options, sets) if options.agreement else None
    if agreement is not None:
        sections.append(_of_agreement(agreement))
    headline = [" ".join(headline_over_sets(of_metric, obstructions_over(of_metric, sets))) for of_metric in results]
    if len(results) > 1:
        headline = [f"{r.scored.label}: {sentence}" for r, sentence in zip(results, headline, strict=True)]
    return CommandResult(
        collection_report(
            sets, results, seed=options.seed, expression=options.slice or "", agreement=agreement, groups=of_groups
        ),
        sections=[*sections, _of_sets(sets)],
        headline=headline,
        warnings=[
            *(f"--optimised {text} has no effect: not a metric of this call" for text in unused),
            *collection.notes,
            *(f"{s.name}: {text}" for s in sets for text in s.warnings),
            *_lacking(sets),
            *(f"{each.name}: {alarm.reason}" for each in sets for alarm in each.assessment.open),
            *_about_ratings(options, sets),
        ],
        raw_ratings=_uses_ratings(options) and any(each.ratings[1].raw_though_confounded for each in sets),
    )


def _uses_ratings(options: argparse.Namespace) -> bool:
    return options.agreement or HUMAN in options.metric


def _about_ratings(options: argparse.Namespace, sets: Sequence[EvaluatedSet]) -> list[str]:
    """Return for each test set whether ratings are adjusted for judges, and why mean ratings may not be compared."""
    if not _uses_ratings(options):
        return []
    notes: list[str] = []
    for each in sets:
        policy = each.ratings[1]
        if policy.adjusted:
            notes.append(f"{each.name}: {adjusted_note(options)}")
        elif policy.obstacle and not each.assessment.open:
            notes.append(f"{each.name}: Not comparable: {policy.obstacle}")
    return notes


def _opened(options: argparse.Namespace) -> Collection:
    """Open a manifest, a folder, a zip, or a saved workspace."""
    from pathlib import Path

    from bleu_core.collection import Collection, TestSet, load_collection
    from bleu_core.formats import printable_path, read_bytes
    from bleu_core.project import is_saved_workspace, open_workspace
    from bleu_core.uploads import set_label

    path = Path(options.collection)
    if path.is_file():
        data = read_bytes(options.collection, options.limits)
        if is_saved_workspace(data):
            if options.columns:
                raise SettingsError("columns: a saved workspace found, a folder or zip of files expected")
            saved = open_workspace(data, printable_path(options.collection), limits=options.limits)
            named = {set_label(name): files for name, files in saved.test_sets.items()}
            return Collection(sets=tuple(TestSet(name=name, files=files) for name, files in named.items()))
    return load_collection(path, columns=options.columns, limits=options.limits)


def _selected(options: argparse.Namespace, collection: Collection) -> Collection:
    """Return the collection with the test sets of the call."""
    unknown = next((name for name in options.set if name not in collection.names), None)
    if unknown is not None:
        raise SettingsError(f"argument --set: {unknown!r} found, one of {', '.join(collection.names)} expected")
    if not options.set:
        return collection
    return replace(collection, sets=tuple(each for each in collection.sets if each.name in options.set))


def _as_given(options: argparse.Namespace, test_set: TestSet) -> TestSet:
    """Return a test set with the options of the call for reading its files; the language pairs of its files remain."""
    files = tuple(replace(as_given(file, options), pair=file.pair or options.language_pair) for file in test_set.files)
    return replace(
        test_set, files=files, languages=test_set.languages or checked_languages(options.language_pair or "")
    )


def _evaluated(options: argparse.Namespace, collection: Collection) -> list[EvaluatedSet]:
    """Read and score all test sets."""
    from bleu_core.collection import evaluate_set, set_languages
    from bleu_core.counts import choose_counter  # loaded when first needed

    base = settings_of(options)
    tokenizer(base.tokenizer)  # raises if it is not installed
    given = {key for key in SETTINGS if getattr(options, key) is not None}
    collection = replace(collection, settings={k: v for k, v in collection.settings.items() if k not in given})
    sets: list[EvaluatedSet] = []
    entries: list[Entry] = []
    with progress_bar() as progress:
        for number, test_set in enumerate(collection.sets):
            place = number * STEPS, STEPS, len(collection.sets) * STEPS
            test_set = _as_given(options, test_set)  # noqa: PLW2901 # the same set
            workspace = test_set.read(options.limits, shared_segments=bool(options.shared_segments))
            entries += workspace.entries
            corpus = workspace.corpus
            languages = test_set.languages or set_languages(test_set.name, workspace)
            test_set = replace(test_set, languages=languages)  # noqa: PLW2901 # completed by what its files say
            try:
                evaluated = evaluate_set(
                    test_set,
                    workspace,
                    collection.settings_for(test_set, base, corpus, by_language=not chooses_tokenizer(options)),
                    options.metric,
                    expression=options.slice or "",
                    optimised=options.optimised,
                    accepted=accepted_warnings(options),
                    adjustment=adjustment_of(options),
                    count=choose_counter(len(corpus.systems) * corpus.segments),
                    progress=scaled_progress(progress, *place),
                )
            except AlignmentError as error:
                problems = listed((entry.problem for entry in workspace.entries if entry.problem), max_items=3)
                problem = f"{error} ({problems})" if problems else str(error)
                columns = () if options.columns or corpus.references else _probable_columns(workspace, options.limits)
                others = [f"--set {quote(own.name)}" for own in collection.sets if own.name != test_set.name]
                if others and not columns:
                    problem += f"; use only the other test sets with {' '.join(others)}"
                raise (UnclearColumnsError(problem, {"": columns}) if columns else AlignmentError(problem)) from error
            sets.append(evaluated)
    check_taken(options, ((entry.report, entry.takes) for entry in entries if entry.report is not None))
    return sets


def _probable_columns(workspace: Workspace, limits: Limits) -> tuple[MappedColumn, ...]:
    """Return the columns of the first table that may have references, as they probably are; empty if none has."""
    roles: tuple[FileRole, ...] = ("system", "reference")
    for entry in workspace.entries:
        for role in roles:
            preview = entry.file.preview(role, limits)
            columns = [replace(column, name="") for column in preview.proposed if column] if preview else []
            if any(column.role == "reference" for column in columns):
                return tuple(columns)
    return ()


def _systems(options: argparse.Namespace, sets: Sequence[EvaluatedSet]) -> tuple[str, ...]:
    """Return the systems to compare.

    Raises:
        SettingsError: one that the call names is in no test set, or none remains.
    """
    known = tuple(dict.fromkeys(name for each in sets for name in each.evaluation.systems))
    for option in ("system", "exclude_system"):
        for name in getattr(options, option):
            if name not in known:
                title = option.replace("_", "-")
                raise SettingsError(f"argument --{title}: {name!r} found, one of {', '.join(known)} expected")
    chosen = [name for name in options.system or known if name not in options.exclude_system]
    if not chosen:
        raise SettingsError("all systems are excluded, at least 1 expected")
    return tuple(chosen)


def _check_metrics(options: argparse.Namespace, sets: Sequence[EvaluatedSet]) -> None:
    """Check that a metric has scores on some test set, and each of the call unless its tokeniser is not available."""
    for name in options.metric:
        if not any(name in each.scored or name in each.unavailable for each in sets):
            reasons = dict.fromkeys(each.reasons[name] for each in sets if name in each.reasons)
            raise SettingsError(f"argument --metric: {name!r} has no scores on any test set ({listed(reasons)})")
    if not any(each.scored for each in sets):
        raise SettingsError(f"no metric has scores on any test set: {'; '.join(_lacking(sets))}")


def _lacking(sets: Sequence[EvaluatedSet]) -> list[str]:
    """Return sentences on metrics without scores on a test set."""
    return [f"{each.name}: {name}: {reason}" for each in sets for name, reason in each.reasons.items()]


def _sections(options: argparse.Namespace, results: ScoresOverSets) -> list[Section]:
    """Return the sections of the results by a metric."""
    from bleu_core.results.paper import Section
    from bleu_core.results.test_sets import (
        dagger_note,
        differences_table,
        mean_pairs_table,
        methods_over_sets,
        missing_cells_notes,
        next_set_sentence,
        next_sets,
        next_sets_table,
        over_sets_table,
        set_differences_table,
    )

    metric, methods = results.scored, methods_over_sets(results)
    notes = list(missing_cells_notes(results))
    if results.pooled_reason and not results.mean_reason:
        notes.append(f"no score of all segments together: {results.pooled_reason}")
    caption = ". ".join(filter(None, [f"{metric.label} over test sets", dagger_note(results), methods]))
    sections = [
        Section(
            key=f"table {metric.name}",
            heading=f"Systems by {metric.label}",
            tables=[over_sets_table(results, intervals=options.intervals)],
            notes=[*notes, *filter(None, [dagger_note(results)])],
            caption=caption,
        )
    ]
    if results.baseline:
        sections.append(
            Section(
                key=f"table differences {metric.name}",
                heading=f"Differences from {results.baseline} by {metric.label}",
                tables=[differences_table(results)],
            )
        )
    pairs = mean_pairs_table(results, all_pairs=options.all_pairs)
    if pairs is not None:
        sections.append(
            Section(
                key=f"table means {metric.name}",
                heading=f"Differences of mean {metric.label}",
                tables=[pairs],
                notes=[methods],
                caption=methods,
            )
        )
    rows = next_sets(results)
    if rows:
        decimals = metric.metric.decimals
        tables = [next_sets_table(rows, decimals)]
        if len(rows) == 1:
            tables.append(set_differences_table(rows[0], decimals))
        sections.append(
            Section(
                key=f"table next {metric.name}",
                heading=f"Differences pooled over test sets, and on a new test set, by {metric.label}",
                tables=tables,
                notes=[next_set_sentence(row, metric.metric) for row in rows[:MAX_SENTENCES]],
            )
        )
    return sections


def _with(sets: Sequence[ScoredSet], systems: Sequence[str]) -> list[ScoredSet]:
    """Return test sets with some of their systems; sets without any are left out."""
    chosen = [(each, [name for name in each.scored.systems if name in systems]) for each in sets]
    return [replace(each, scored=each.scored.select(names), draws=None) for each, names in chosen if names]


def _of_groups(scored: ScoredCorpus, groups: GroupsOverSets) -> list[Section]:
    """Return the sections of groups of runs by a metric."""
    from bleu_core.results.paper import Section
    from bleu_core.results.replicates import group_comparison_table, group_sentences, group_table
    from bleu_core.results.test_sets import groups_by_set_table, groups_methods

    methods = groups_methods(groups, scored.label)
    sections = [
        Section(
            key=f"table groups by set {scored.name}",
            heading=f"Groups of runs on each test set by {scored.label}",
            tables=[groups_by_set_table(groups, scored.metric)],
            notes=[methods] if groups.comparisons is None else [],
        )
    ]
    if groups.comparisons is not None:
        sections.append(
            Section(
                key=f"table groups {scored.name}",
                heading=f"Groups of runs by mean {scored.label}",
                tables=[group_comparison_table(groups.comparisons), group_table(groups.comparisons.groups, scored)],
                notes=[*group_sentences(groups.comparisons, scored), methods],
                caption=methods,
            )
        )
    return sections


def _agreement(options: argparse.Namespace, sets: Sequence[EvaluatedSet]) -> AgreementOverSets:
    """Rank the metrics by their agreement with judges over the test sets.

    Raises:
        AlignmentError: no test set has ratings by which metrics can be compared.
    """
    from bleu_core.collection import agreement_over_sets, rated_set

    with progress_bar() as progress:
        return agreement_over_sets(
            [rated_set(each) for each in sets], alpha=options.alpha, seed=options.seed, progress=progress
        )


def _of_agreement(agreement: AgreementOverSets) -> Section:
    """Return the section of the agreement of metrics with judges."""
    from bleu_core.results.agreement_over_sets import (
        agreement_over_sets_methods,
        agreement_over_sets_notes,
        agreement_over_sets_table,
        average_pairs_table,
    )
    from bleu_core.results.paper import Section

    tables = [agreement_over_sets_table(agreement)]
    if agreement.pairs:
        tables.append(average_pairs_table(agreement))
    methods = agreement_over_sets_methods(agreement)
    return Section(
        key="table agreement",
        heading="Agreement of metrics with judges over test sets",
        tables=tables,
        notes=[*agreement_over_sets_notes(agreement), methods],
        caption=methods,
    )


def _of_sets(sets: Sequence[EvaluatedSet]) -> Section:
    """Return the section of the test sets with their signatures."""
    from bleu_core.results.paper import Section
    from bleu_core.results.test_sets import sets_table

    notes = [f"{each.name}: {s.scored.label}: {s.scored.signature}" for each in sets for s in each.scored.values()]
    return Section(key="table sets", heading="Test sets", tables=[sets_table(sets)], notes=[*notes, *_lacking(sets)])


def _check(options: argparse.Namespace) -> None:
    """Check numbers before any file is read."""
    check_draws(options.seed, resamples=options.resamples)
    if not 0 < options.alpha < 1:
        raise SettingsError(f"alpha {options.alpha:g} found, a number between 0 and 1 expected")
