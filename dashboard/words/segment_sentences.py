"""Single segments of one or two systems in plain language. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bleu_core.dataset import Role, plural
from bleu_core.errors import enumeration
from bleu_core.fields import MINUS, decimal
from bleu_core.results.table import format_differences
from bleu_core.scoring import SMOOTHING_DEFAULTS, BleuSettings, Metric
from bleu_core.segments import MarkedOutput, NgramCount, Replacement, SliceShare
from dashboard.words.formatting import amount, percent, rounds_to_zero, signed

if TYPE_CHECKING:
    from dashboard.analysis import OutputNumbers, PartScores, SegmentAnalysis, SegmentList, SegmentOrder

#: Legend of the marks of outputs.
SHADE_HELP = "Darker = part of a longer match with a reference. Wavy = counted less, since it occurs too often."

RANKS_HELP = "Ranks by effect on the difference; 1 is the segment most in favour of the system."

KEYS_HELP = "J: next segment; K: previous segment; S: star; N: note."

#: Order of the list -> its label.
ORDER_LABELS: Mapping[SegmentOrder, str] = {
    "loss": "Largest loss",
    "gain": "Largest gain",
    "lowest": "Lowest score",
    "longest": "Longest",
    "disputed": "Most disputed",
    "disagreement": "Metric and judges disagree",
    "number": "Segment number",
}

ORDER_HELP = (
    "Largest loss and gain: the effect of the segment on the difference of the corpus scores, or on the only "
    "system's score. Lowest score: the system's score of the segment. Longest: the length of the first reference. Most "
    "disputed: the largest difference between two judges' ratings of an output. Metric and judges disagree: the "
    "difference in rank between the metric and the ratings."
)


def effect_of_largest(reading: SegmentAnalysis, largest: int) -> str:
    """Describe the difference of two systems, or the score of one, and what remains without a few segments."""
    if reading.systems[1:]:
        return _difference_without(reading, largest)
    (system,), (score,), metric = reading.systems, reading.corpus_scores, reading.metric
    text = f"{system} scores {amount(score, metric)}"
    if reading.remaining is None:
        return f"{text}."
    worsen = "lower" if metric.higher_is_better else "raise"
    rest = decimal(reading.remaining[0], metric.decimals)
    return f"{text}; without the {largest} segments that {worsen} its score most, it would score {rest}."


def _difference_without(reading: SegmentAnalysis, largest: int) -> str:
    system, baseline = reading.systems
    metric, delta = reading.metric, reading.corpus_scores[0] - reading.corpus_scores[1]
    if not reading.differs.any():
        count = f"all {reading.segments:,} segments" if reading.segments > 1 else "the only segment"
        return f"The outputs of {system} and {baseline} are the same in {count}."
    if rounds_to_zero(delta, metric.decimals):
        return f"{system} and {baseline} have the same score, {amount(reading.corpus_scores[0], metric)}."
    text = f"{system} scores {amount(abs(delta), metric)} {'higher' if delta > 0 else 'lower'} than {baseline}"
    if reading.remaining is None:
        return f"{text}."
    sign = 1 if metric.higher_is_better else -1
    rest = sign * (reading.remaining[0] - reading.remaining[1])
    leads = sign * delta > 0
    without = f"without {'its' if leads else 'the'} {largest} best segments{'' if leads else f' of {baseline}'}"
    if rounds_to_zero(rest, metric.decimals):
        return f"{text}; {without}, the scores would be the same."
    still = "still " if (rest > 0) == leads else ""
    rest_of = decimal(abs(rest), metric.decimals)
    return f"{text}; {without}, {system} would {still}be {rest_of} {'ahead' if rest > 0 else 'behind'}."


def difference_in_part(part: PartScores) -> str:
    """Describe the scores of one or two systems in a part of the text and outside it."""
    where = f"Where {part.expression} ({part.segments:,} of {part.of:,} segments)"
    metric, share = part.metric, part.share
    if share is None:
        (inside,), (outside,), (system,) = part.inside, part.outside, part.systems
        scores = [_score(score, metric) for score in (inside, outside)]
        return f"{where}, {system} scores {scores[0]} {metric.label}; elsewhere {scores[1]}."
    elsewhere = "undefined" if math.isnan(share.outside) else _higher(share.outside, metric) or "the same score"
    return f"{where}, {_compared(share, metric)}; elsewhere {elsewhere}. {_share(share, metric)}".strip()


def only_within(expression: str, segments: int, of: int) -> str:
    """Name the segments that an expression lists."""
    return f"Only segments where {expression} ({segments:,} of {of:,})"


def _score(score: float, metric: Metric) -> str:
    return "undefined" if math.isnan(score) else decimal(score, metric.decimals)


def _compared(share: SliceShare, metric: Metric) -> str:
    """Describe the difference of two systems inside a part."""
    pair = f"{share.system} and {share.baseline}"
    if math.isnan(share.inside):
        return f"the {metric.label} difference of {pair} is undefined"
    higher = _higher(share.inside, metric, metric.label)
    if not higher:
        return f"{pair} have the same {metric.label} score"
    return f"{share.system} scores {higher} than {share.baseline}"


def _higher(delta: float, metric: Metric, label: str = "") -> str:
    """Return how much higher or lower a score is: "0.30 BLEU higher"; empty for the same score."""
    if rounds_to_zero(delta, metric.decimals):
        return ""
    size = f"{decimal(abs(delta), metric.decimals)} {label}".strip()
    return f"{size} {'higher' if delta > 0 else 'lower'}"


def _share(share: SliceShare, metric: Metric) -> str:
    """State how much of the whole difference lies in the part; more than 100% if the other segments reduce it."""
    if math.isnan(share.share) or rounds_to_zero(share.delta, metric.decimals):
        return ""
    fraction = percent(share.share).replace("-", MINUS)
    whole, part = (signed(value, metric.decimals) for value in (share.delta, share.part))
    return f"Of the whole difference of {whole}, {part} ({fraction}) lies there."


def how_replaced(curve: Replacement, label: str) -> str:
    """Explain the curve of influence, for a metric of that label."""
    system, baseline = curve.system, curve.baseline
    return (
        f"From left to right, the outputs of {baseline} are replaced by those of {system}, beginning with the segments "
        f"most in favour of {system}. The curve shows the corpus score so far minus that of {baseline}, and ends at "
        f"the whole difference of {signed(curve.delta, curve.decimals)} {label}."
    )


def fewest_for_half(curve: Replacement) -> str:
    """State how few segments make half of the difference; empty where there is no difference."""
    if rounds_to_zero(curve.delta, curve.decimals):
        return ""
    half = curve.half
    few, makes = ("The segment", "makes") if half == 1 else (f"The {half:,} segments", "make")
    return f"{few} most in favour of {curve.leader}, of {curve.segments:,}, {makes} half of the difference."


def segments_that_differ(reading: SegmentAnalysis) -> str:
    """State in how many segments two outputs differ; empty for one system."""
    if not reading.systems[1:]:
        return ""
    count = reading.segments
    return f"The outputs differ in {int(reading.differs.sum()):,} of {count:,} {plural(count, 'segment')}."


def rows_listed(reading: SegmentAnalysis, listed: SegmentList, rows: range) -> str:
    """State which segments of the list are shown, by their positions in it, and how many there are."""
    shown = f"Segments {rows.start + 1:,} to {rows.stop:,} of {len(listed):,}"
    return f"{shown}." if len(listed) == reading.segments else f"{shown} in the list ({reading.segments:,} in all)."


def effect(value: float, decimals: int = 2) -> str:
    """Format what a segment adds to a score or a difference, with more digits for small values: "−0.15"."""
    if math.isnan(value):
        return "undefined"
    (text,) = format_differences(value, decimals=decimals)
    return f"{'' if text.startswith(MINUS) or text == '0' else '+'}{text}"


def output_numbers(outputs: OutputNumbers, k: int, place: int, metric: Metric) -> tuple[str, str]:
    """Return the score of an output, and its length with its mean rating: "38.72 BLEU" and "42 tokens, rating −15"."""
    score, length = outputs.scores[k, place].item(), outputs.lengths[k, place].item()
    rating = math.nan if outputs.ratings is None else outputs.ratings[k, place].item()
    rated = "" if math.isnan(rating) else f", rating {_rating(rating)}"
    scored = f"{metric.label} undefined" if math.isnan(score) else amount(score, metric)
    return scored, f"{tokens(length)}{rated}"


def tokens(count: int) -> str:
    """Format the length of a text: "42 tokens"."""
    return f"{count:,} {plural(count, 'token')}"


def _rating(rating: float) -> str:
    return decimal(rating, 0 if rating == round(rating) else 2)


def texts_found(places: Sequence[tuple[Role, str]]) -> str:
    """Name the texts of a segment that contain the text that is searched for; empty where none does."""
    named = {"source": "the source", "reference": "reference {}", "system": "the output of {}"}
    return f"Found in {enumeration([named[role].format(name) for role, name in places])}." if places else ""


def clipped_ngrams(output: MarkedOutput) -> str:
    """Name the n-grams of an output that occur more often than in any reference; empty if there are none."""
    if not output.clipped_ngrams:
        return ""
    return f"Clipped, because no reference has them as often: {'; '.join(map(_clipped, output.clipped_ngrams))}."


def _clipped(ngram: NgramCount) -> str:
    return f"“{' '.join(ngram.ngram)}” ({ngram.clipped} of {ngram.count} counted)"


def why_this_score(output: MarkedOutput, settings: BleuSettings) -> tuple[str, ...]:
    """Explain BLEU of a segment, one sentence per step."""
    worked = output.worked
    if not worked.candidate:
        return ("The output has no token, so BLEU is 0.",)
    if not any(order.matches for order in worked.orders):
        return ("No token of the output occurs in a reference, so BLEU is 0.",)
    penalty = worked.brevity.penalty
    mean = worked.score / penalty / 100
    steps = [
        f"BLEU = 100 × brevity penalty × mean precision = 100 × {penalty:.3f} × {mean:.3f} = {worked.score:.2f}.",
        _penalty(output, settings),
        _mean(output, settings),
        *_unmatched(output, settings),
    ]
    return tuple(steps)


def _penalty(output: MarkedOutput, settings: BleuSettings) -> str:
    lengths = output.worked.brevity
    reference_lengths = enumeration([f"{length:,}" for length in lengths.reference_lengths])
    many = len(lengths.reference_lengths) > 1
    length_in_use = ""
    if many:
        what = {"closest": "the closest length", "shortest": "the shortest length", "average": "the mean length"}
        length_in_use = f", of which {what[settings.reference_length]}, {lengths.effective:g}, counts"
    text = (
        f"Brevity penalty: the output has {lengths.hypothesis_length:,} "
        f"{plural(lengths.hypothesis_length, 'token')}, the {'references have' if many else 'reference has'} "
        f"{reference_lengths}{length_in_use}"
    )
    if lengths.penalty < 1:
        fraction = f"{lengths.effective:g}/{lengths.hypothesis_length}"
        return f"{text}. The output is shorter: exp(1 − {fraction}) = {lengths.penalty:.3f}."
    return f"{text}. The output is not shorter, so the penalty is 1."


def _mean(output: MarkedOutput, settings: BleuSettings) -> str:
    worked = output.worked
    reached = sum(order.total > 0 for order in worked.orders)
    if settings.smoothing == "add-k":  # which gives orders without an n-gram a precision, too
        reached = len(worked.orders)
    kind = "geometric mean" if settings.weights is None else "weighted geometric mean"
    text = f"Mean precision: the {kind} of the precisions as scored"
    if reached == len(worked.orders):
        return f"{text}."
    short = f"the output is too short for {_orders(range(reached + 1, len(worked.orders) + 1))}"
    if settings.effective_order is False:
        return f"{text}; {short}, so the mean is 0."
    return f"{text}; {short}, which {'is' if reached + 1 == len(worked.orders) else 'are'} left out."


def _unmatched(output: MarkedOutput, settings: BleuSettings) -> tuple[str, ...]:
    """Explain the effect of smoothing on this segment."""
    worked = output.worked
    zero = [order.order for order in worked.orders if order.total and not order.matches]
    value = settings.smoothing_value or SMOOTHING_DEFAULTS.get(settings.smoothing, 0.0)
    if settings.smoothing == "add-k":
        return (f"Smoothing add-k adds {value:g} to the matches and to the n-grams of every order above 1.",)
    if not zero:
        return ()
    have = f"{_orders(zero)} {'has' if len(zero) == 1 else 'have'} no match".capitalize()
    if settings.smoothing == "none":
        return (f"{have}, and smoothing is off, so the precision and BLEU are 0.",)
    if settings.smoothing == "floor":
        return (f"{have}; smoothing floor counts {value:g} of a match instead.",)
    counted = enumeration([f"1/{2 ** (k + 1)}" for k in range(len(zero))])
    return (f"{have}; smoothing exp counts {counted} of a match instead.",)


def _orders(orders: Sequence[int]) -> str:
    return f"{plural(len(orders), 'order')} {enumeration([str(order) for order in orders])}"


def segments_to_leave_out(reading: SegmentAnalysis) -> str:
    """Explain the effect of ticks in a list of segments."""
    return (
        "The segments with the largest influence on the lead come first. Untick or tick them: the difference between "
        f"{reading.systems[0]} and {reading.systems[1]}, its p and the tiers are computed again without those ticked."
    )
