"""Introduction for new users of the overview, one line per topic. Pure functions."""

from __future__ import annotations

from bleu_core.scoring import Metric
from dashboard.words.formatting import INTERVAL

PURPOSE = (
    "Compares machine-translation systems on the same text: which one scores best, whether the difference is "
    "significant, and how well the scores agree with human judgments."
)


def meaning_of_metric(metric: Metric, max_order: int) -> str:
    """Explain what a metric measures.

    Args:
        metric: the metric.
        max_order: the highest order of n-grams in use.
    """
    if not metric.from_ngram_counts:
        return f"{metric.label}: {metric.help}."
    orders = f"sequences of 1 to {max_order} words" if max_order > 1 else "words"
    name = metric.label
    return (
        f"{name} (0 to 100, higher is better) is the share of a translation's {orders} that also occur in the "
        f"references, with a penalty for translations that are too short. Compare {name} scores only on the same text, "
        "with the same references and settings."
    )


def meaning_of_error_bars(resamples: int) -> str:
    """Explain the error bars.

    Args:
        resamples: of the bootstrap.
    """
    return (
        f"Error bars are {INTERVAL}s: how much a score would vary on other texts of this kind, estimated from "
        f"{resamples:,} bootstrap resamples of the segments."
    )


#: Explanation of the figure of precisions on a page with other figures.
MEANING_OF_DECAY = (
    "Modified precision: the share of n-grams of each order that also occur in a reference. Longer n-grams match less "
    "often; on this logarithmic axis a straight line loses the same share with each order."
)
