"""Commands and Python code that reproduce the numbers of systems over test sets, from a saved workspace."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from bleu_core.collection import LEVELS, Level
from bleu_core.inference import ALPHA, SEED, Correction
from bleu_core.scoring import DEFAULT_TOKENIZER, BleuSettings
from bleu_core.uploads import UNNAMED_SET
from dashboard.analysis import WORKSPACE_NAME, OverSets, SetsInUse, View, metrics_over_sets, ratings_or_none
from dashboard.export.data_in_use import changed_settings, settings_options
from dashboard.export.page_code import SAVE_FIRST, PageCode
from dashboard.export.script import Script


def over_sets_code(
    over: OverSets,
    *,
    differences: bool = False,
    intervals: bool = False,
    pair: Sequence[str] = (),
    groups: Sequence[str] = (),
) -> PageCode:
    """Return the code of systems over test sets.

    There is no command without some references or judges, without segments that a file lacks, with human translations
    among the compared systems, or with tokenisers by language, as a command does not know the languages of a workspace.

    Args:
        over: the results.
        differences: whether the table has differences from the baseline.
        intervals: whether its cells have intervals.
        pair: the system and the other one whose difference is pooled; empty for the table.
        groups: NAME=PATTERN of each group of runs that are compared.
    """
    commands = (_command(over, groups, intervals=intervals),) if _is_plain(over) else ()
    script = _results(over)
    if groups:
        script.use("bleu_core.collection", "groups_of", "groups_over_sets")
        script.use("bleu_core.results.test_sets", "groups_by_set_table")
        script.call("groups", "groups_of", repr([*groups]), repr([*over.compared]))
        script.call("compared", "groups_over_sets", "results.sets", "groups", alpha=over.options.alpha)
        script.call("table", "groups_by_set_table", "compared", "results.scored.metric")
    elif pair:
        script.use("bleu_core.results.test_sets", "next_set", "set_differences_table")
        script.call("pooled", "next_set", "results", *map(repr, pair))
        script.call("table", "set_differences_table", "pooled", repr(over.metric.decimals))
    else:
        name = "differences_over_sets_table" if differences else "over_sets_table"
        script.use("bleu_core.results.test_sets", name)
        script.call("table", name, "results", *(["intervals=True"] if intervals else []))
        view = next(iter(over.sets.views.values()))
        if view.descriptive:  # nothing is tested
            marks = [f"mark_{each.name}" for each in over.used]
            script.call("table", "table.without", *map(repr, ["tier", *marks]))
    script.add("print(bc.to_text(table))")
    return PageCode(commands, script.text, SAVE_FIRST)


def _is_plain(over: OverSets) -> bool:
    """Return whether all choices in force have options of the command."""
    return all(map(_has_options, over.sets.views.values()))


def agreement_over_sets_code(
    sets: SetsInUse, metrics: Sequence[str], *, levels: Sequence[Level], correction: Correction, alpha: float
) -> PageCode | None:
    """Return the code of the agreement of metrics with judges; None where the library has no keys of the metrics.

    Args:
        sets: the test sets.
        metrics: labels of the metrics.
        levels: of the tasks of each test set.
        correction: of p-values for the number of pairs.
        alpha: the level of significance.
    """
    known = metrics_over_sets(sets)
    if (
        not all(label in known for label in metrics)
        or _excluded(sets)
        or not all(map(_has_options, sets.views.values()))
    ):
        return None
    keys = [known[label].key for label in metrics]
    script = _evaluated(sets, keys, [*sets.views] if sets.left_out else [])
    script.use("bleu_core.collection", "agreement_over_sets", "rated_set")
    script.use("bleu_core.results.agreement_over_sets", "agreement_over_sets_table")
    keywords = [f"levels={tuple(levels)!r}", f"correction={correction!r}", f"alpha={alpha}"]
    script.call("agreement", "agreement_over_sets", "[rated_set(each) for each in sets]", *keywords)
    script.call("table", "agreement_over_sets_table", "agreement")
    script.add("print(bc.to_text(table))")
    call = ["bleu-core", "table", WORKSPACE_NAME, "--agreement"]
    call += [part for name in (sets.views if sets.left_out else ()) for part in ("--set", name)]
    call += [part for key in keys for part in ("--metric", key)]
    view = next(iter(sets.views.values()))
    call += ["--slice", view.selection.expression] if view.selection.expression else []
    call += ["--alpha", f"{alpha:g}"] if alpha != ALPHA else []
    call += _settings(view)
    as_in_command = (tuple(levels), correction) == (LEVELS, "holm")
    return PageCode((shlex.join(call),) if as_in_command else (), script.text, SAVE_FIRST)


def _has_options(view: View) -> bool:
    whole, selection = view.whole or view, view.selection
    loaded = whole.workspace.corpus
    ratings = None if view.workspace.judgments is None else ratings_or_none(view)
    by_choice = ratings is not None and ratings.adjusted != ratings.policy.confounded
    changed = selection.without_judges or selection.without_groups or selection.standardised or by_choice
    return not (
        set(view.evaluation.references) != set(loaded.references)
        or view.ranked_humans
        or whole.workspace.unshared
        or (whole.workspace.absent and not selection.score_missing)
        or (changed and whole.workspace.judgments is not None)
    )


def _excluded(sets: SetsInUse) -> list[str]:
    """Return the loaded systems that are excluded."""
    views = list(sets.views.values())
    loaded = dict.fromkeys(name for view in views for name in (view.whole or view).workspace.corpus.systems)
    return [name for name in loaded if name in views[0].selection.without_systems]


def _command(over: OverSets, groups: Sequence[str], *, intervals: bool) -> str:
    options, view = over.options, next(iter(over.sets.views.values()))
    call = ["bleu-core", "table", WORKSPACE_NAME]
    if over.left_out:
        call += [part for each in over.used for part in ("--set", each.name)]
    call += ["--metric", over.metric.key]
    call += [part for name in _excluded(over.sets) for part in ("--exclude-system", name)]
    if options.baseline:
        call += ["--baseline", options.baseline]
        call += ["--correct-over", options.corrected_over] if options.corrected_over != "column" else []
    call += ["--intervals"] if intervals else []
    call += [part for pattern in groups for part in ("--group", pattern)]
    call += ["--slice", view.selection.expression] if view.selection.expression else []
    call += [part for mark in view.selection.optimised for part in ("--optimised", mark.text)]
    call += ["--resamples", str(options.resamples)] if options.resamples is not None else []
    call += ["--seed", str(options.seed)] if options.seed != SEED else []
    call += ["--alpha", f"{options.alpha:g}"] if options.alpha != ALPHA else []
    return shlex.join([*call, *_settings(view)])


def _settings(view: View) -> list[str]:
    """Return the options of the settings of all test sets, without a tokeniser that follows the language of each."""
    by_language = view.selection.by_language
    return settings_options(_common_settings(view), "sacrebleu", by_language=by_language)


def _common_settings(view: View) -> BleuSettings:
    settings = view.evaluation.settings
    return replace(settings, tokenizer=DEFAULT_TOKENIZER) if view.selection.by_language else settings


def _results(over: OverSets) -> Script:
    """Return the code that computes `results`."""
    options = over.options
    script = _evaluated(over.sets, [over.metric.key], [each.name for each in over.used] if over.left_out else [])
    script.use("bleu_core.collection", "by_metric", "corrected", "score_over_sets")
    keywords = [f"baseline={options.baseline!r}"] if options.baseline else []
    keywords += [f"systems={[*over.compared]!r}"] if _excluded(over.sets) else []
    keywords += [f"resamples={options.resamples}"] if options.resamples is not None else []
    keywords += [f"seed={options.seed}"] if options.seed != SEED else []
    keywords += [f"alpha={options.alpha}"] if options.alpha != ALPHA else []
    script.call("results", "score_over_sets", f"by_metric(sets)[{over.metric.key!r}]", *keywords)
    script.add(f"(results,) = corrected([results], {options.corrected_over!r})")
    return script


def _evaluated(in_use: SetsInUse, metrics: Sequence[str], names: Sequence[str]) -> Script:
    """Return the code that computes `sets`, the evaluated test sets.

    Args:
        in_use: the test sets.
        metrics: keys of the metrics.
        names: of the test sets that are used; all if empty.
    """
    view = next(iter(in_use.views.values()))
    script = Script()
    script.use("pathlib", "Path")
    script.use("bleu_core.collection", "TestSet", "evaluate_set")
    script.use("bleu_core.project", "open_workspace")
    script.use("bleu_core.uploads", "by_test_set")
    script.call("path", "Path", repr(WORKSPACE_NAME))
    script.add("files = by_test_set(open_workspace(path.read_bytes(), path.name).files)")
    script.call("settings", "bc.BleuSettings", **changed_settings(_common_settings(view)))
    languages = {name: found for name, found in in_use.languages.items() if found}
    if languages:
        script.add(f"languages = {languages!r}")
    script.add("sets = []", "for name, own in files.items():")
    if names:
        script.add(f"    if (name or {UNNAMED_SET!r}) not in {[*names]!r}:", "        continue")
    known = ", languages=languages.get(name, '')" if languages else ""
    script.add(f"    test_set = TestSet(name=name or {UNNAMED_SET!r}, files=own{known})")
    own, read = "settings", "test_set.read()"
    if any(view.evaluation.settings != _common_settings(view) for view in in_use.views.values()):
        own, read = "own_settings", "own_data"
        script.add("    own_data = test_set.read()")
        script.add("    own_settings = test_set.settings_for(settings, own_data.corpus, by_language=True)")
    chosen = [f"expression={view.selection.expression!r}"] if view.selection.expression else []
    arguments = ["test_set", read, own, repr([*metrics]), *chosen]
    script.add(f"    sets.append(evaluate_set({', '.join(arguments)}))")
    return script
