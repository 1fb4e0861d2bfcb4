"""Contents of counts files, and their consequences for the page that shows them. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleu_core.counts import Counts, describe_counts
from bleu_core.dataset import plural

if TYPE_CHECKING:
    from dashboard.analysis import CountsScores


def counts_of_systems(counts: Counts) -> str:
    """State how many systems the counts files have, and of how much text."""
    systems = len(counts.counted.systems)
    return f"counts of {systems:,} {plural(systems, 'system')} ({describe_counts(counts)})"


def how_counted(scores: CountsScores, *, differs: bool) -> str:
    """Describe how n-grams were counted, and which settings are fixed by that.

    Args:
        scores: of the counts.
        differs: whether tokeniser or case differ from those in the sidebar.
    """
    counting = scores.evaluation.settings.counting
    case = "lower case" if counting.lowercase else "mixed case"
    text = f"{scores.description}; tokeniser {counting.tokenizer}, {case}."
    if differs:
        text += " Tokeniser and case are those of the counts, whatever the sidebar says."
    if not scores.has_segments:
        text += " Segments are bundled: intervals and tests resample bundles, and there are no blocks of text."
    return text
