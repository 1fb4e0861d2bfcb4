"""Commands and Python code that reproduce the numbers of counts files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from dashboard.analysis import ComparisonOptions, CountsScores
from dashboard.export.data_in_use import changed_settings, settings_options
from dashboard.export.page_code import WHERE_TO_RUN, PageCode, comparison_call
from dashboard.export.script import Script
from dashboard.launch import argument_of


def counts_code(scores: CountsScores, files: Sequence[str], options: ComparisonOptions | None) -> PageCode:
    """Return the code of scores and comparisons of counts files.

    Args:
        scores: of the systems.
        files: their names.
        options: of the comparison; None without one.
    """
    settings = scores.evaluation.settings
    paths = [argument_of(name) for name in files]
    script = Script()
    script.use("bleu_core.counts", "read_counts", "score_counts", "combine_systems")
    script.add(f"files = {paths!r}", "counts = combine_systems([(file, read_counts(file)) for file in files])")
    script.call("settings", "bc.BleuSettings", **changed_settings(settings))
    script.add("scored = score_counts(counts, settings)")
    ordered = scores.ordered_systems()
    bounds = []
    if scores.intervals is not None:
        script.call("intervals", "bc.score_intervals", "scored")
        bounds = ["intervals"]
    script.call("table", "bc.score_table", f"scored.select({ordered!r})", *bounds)
    script.add("print(bc.to_text(table))")
    chosen = settings_options(settings, "sacrebleu")
    intervals = ["--intervals"] if bounds else []
    commands = [shlex.join(["bleu-core", "score", *chosen, *intervals, *paths])]
    if options is not None and not scores.not_ranked:  # commands also compare copies of references
        how = comparison_call(options, scores.units)
        commands.append(shlex.join(["bleu-core", "compare", *chosen, *how, *paths]))
    return PageCode(tuple(commands), script.text, WHERE_TO_RUN)
