"""Which segments can be published unread, in plain language. Pure functions."""

from __future__ import annotations

from bleu_core.agreement import ReviewThreshold, bound_confidence
from bleu_core.results.review_threshold import MEASURED, review_method, review_sentence

#: What users should know before they publish segments unread.
REVIEW_CAVEATS = (
    "The threshold holds for texts like these: the same language pair and domain, similar systems, and readers who "
    "judge as these judges do. A metric that was trained on ratings of these texts agrees with them better than with "
    "ratings of new texts. Set the acceptable rating and the limit before you look at the result."
)


def unread_segments(review: ReviewThreshold) -> str:
    """State which segments can be published unread, or why no threshold can be recommended."""
    return review_sentence(review)


def basis_of_review(review: ReviewThreshold) -> str:
    """Describe the data, the parts and the rule, and what the parts are of."""
    return " ".join(filter(None, (review_method(review), review.note, MEASURED)))


def lines_of_review(review: ReviewThreshold) -> str:
    """Describe the lines of the figure."""
    chosen = "" if review.reason else " The vertical line is the threshold that is recommended."
    return (
        "Dotted horizontal line: the limit. The thin dotted line is the upper bound "
        f"({bound_confidence(review.among)}) in the part for the test, which must not exceed it.{chosen}"
    )
