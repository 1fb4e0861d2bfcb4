"""BLEU: its settings, those of TER, and the formula over sums of counts.

Source: Papineni et al. (2002), section 2.3; smoothing as in Chen and Cherry (2014), W14-3346, under sacreBLEU's
names and with its arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers
from bleu_core.scoring.bleu_factors import Bleu
from bleu_core.scoring.ngrams import ABSENT, NgramStats
from bleu_core.scoring.segment_statistics import SegmentStatistics
from bleu_core.scoring.settings import SETTING, Counting, Setting, declared_settings

Smoothing = Literal["exp", "none", "floor", "add-k"]
ReferenceLength = Literal["closest", "shortest", "average"]

SMOOTHINGS: tuple[Smoothing, ...] = get_args(Smoothing)
REFERENCE_LENGTHS: tuple[ReferenceLength, ...] = get_args(ReferenceLength)
MAX_ORDER = 9

#: sacreBLEU's values for the smoothings that take one.
SMOOTHING_DEFAULTS: Mapping[str, float] = MappingProxyType({"floor": 0.1, "add-k": 1.0})

#: name -> label of the preset. The settings declare what a preset changes.
PRESET_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "sacrebleu": "sacreBLEU (the default)",
        "paper": "Papineni et al. (2002)",
        "shortest-reference": "shortest reference",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuSettings(Counting):
    """The settings of BLEU and TER; the defaults are sacreBLEU's.

    Attributes:
        max_order: N, 1 to 9.
        weights: N positive numbers that sum to one; None is uniform.
        smoothing: of orders without a match.
        smoothing_value: of "floor" and "add-k"; None is sacreBLEU's.
        reference_length: "closest" (ties to the shorter; the paper's best match length), "shortest" or "average".
        ter_normalized: whether TER separates punctuation as Tercom does.
        ter_no_punct: whether TER leaves punctuation out.
        ter_asian_support: whether TER treats each Chinese character as a word; this includes normalisation.
        effective_order: whether orders that a text is too short for are left out; None means no for corpora, blocks
            and resamples, and yes for single segments.

    Raises:
        SettingsError: a setting is out of its range.
    """

    max_order: int = field(
        default=4,
        metadata={
            SETTING: Setting(
                kind="whole number",
                label="Maximum order",
                help="Length of the longest n-grams that are counted; usually 4.",
                bounds=(1, MAX_ORDER),
                option_help=f"highest n-gram order, 1 to {MAX_ORDER}",
                signature="order",
            )
        },
    )
    weights: tuple[float, ...] | None = field(
        default=None,
        metadata={
            SETTING: Setting(
                kind="weights",
                label="Weights",
                help=(
                    "One number per n-gram order, separated by spaces; they must sum to 1. Leave empty for "
                    "uniform weights."
                ),
                option_help="one weight per n-gram order; they must sum to 1",
                empty="uniform",
                one_per="max_order",
                signature="weights",
            )
        },
    )
    smoothing: Smoothing = field(
        default="exp",
        metadata={
            SETTING: Setting(
                kind="choice",
                label="Smoothing",
                help="How n-gram orders without any match are handled.",
                choices={
                    "exp": "counts 1/2 match for the first such order, 1/4 for the next, and so on (sacreBLEU)",
                    "none": "no smoothing, the score is 0 (as in the 2002 paper)",
                    "floor": "counts a small number of matches",
                    "add-k": "adds k to matches and totals at all orders above the first",
                },
                presets={"paper": "none"},
                signature="",
            )
        },
    )
    smoothing_value: float | None = field(
        default=None,
        metadata={
            SETTING: Setting(
                kind="positive number",
                label="Smoothing value",
                help="Number of matches that floor counts or add-k adds.",
                option_help="number of matches that floor counts or add-k adds",
                empty="sacreBLEU's",
                parent="smoothing",
                defaults_by_choice=SMOOTHING_DEFAULTS,
                signature="",
            )
        },
    )
    reference_length: ReferenceLength = field(
        default="closest",
        metadata={
            SETTING: Setting(
                kind="choice",
                label="Reference length",
                help="Reference length that the hypothesis length is compared with.",
                choices={
                    "closest": "the one closest to the hypothesis; of two equally close, the shorter",
                    "shortest": "the shortest reference",
                    "average": "the mean of all references",
                },
                presets={"shortest-reference": "shortest"},
                signature="length",
            )
        },
    )
    ter_normalized: bool = field(
        default=False,
        metadata={
            SETTING: Setting(
                kind="flag",
                label="TER: normalise",
                help="Separate punctuation and decode XML entities before edits are counted, as Tercom does.",
                option_help="separate punctuation before TER counts edits, as Tercom does",
                signature="",
                metric="ter",
            )
        },
    )
    ter_no_punct: bool = field(
        default=False,
        metadata={
            SETTING: Setting(
                kind="flag",
                label="TER: no punctuation",
                help="Leave punctuation out before TER counts edits.",
                option_help="leave punctuation out before TER counts edits",
                signature="",
                metric="ter",
            )
        },
    )
    ter_asian_support: bool = field(
        default=False,
        metadata={
            SETTING: Setting(
                kind="flag",
                label="TER: Asian support",
                help="Treat each Chinese character as a word, also in Japanese text. Includes normalisation.",
                option_help="treat each Chinese character as a word of TER, and separate punctuation",
                signature="",
                metric="ter",
            )
        },
    )
    effective_order: bool | None = None  # not declared: not a setting for users

    @property
    def order_weights(self) -> npt.NDArray[np.float64]:
        """The N weights of the orders."""
        return np.full(self.max_order, 1 / self.max_order) if self.weights is None else np.array(self.weights)

    def counting_up_to(self, max_order: int) -> BleuSettings:
        """Return the same counting settings with a max_order, and defaults otherwise: the cache key of the counts."""
        return BleuSettings(**asdict(self.counting), max_order=max_order)


@cache
def with_tokenizer(settings: BleuSettings, name: str) -> BleuSettings:
    """Return settings with another tokeniser; made once, as settings are checked whenever they are made."""
    return replace(settings, tokenizer=name)


#: key -> setting, in the order of options and the sidebar.
SETTINGS: Mapping[str, Setting] = declared_settings(BleuSettings)

PRESETS: Mapping[str, BleuSettings] = MappingProxyType(
    {
        name: BleuSettings(
            **{key: setting.presets[name] for key, setting in SETTINGS.items() if name in setting.presets}
        )
        for name in PRESET_LABELS
    }
)


def bleu(sums: Numbers, settings: BleuSettings, *, single_segments: bool = False) -> Bleu:
    """Compute BLEU of summed counts.

    Args:
        sums: (..., 2 + 2N) hypothesis length, reference length, matches of order 1 to N, totals of order 1 to N.
        settings: of BLEU; max_order is N.
        single_segments: whether each sum is of one segment, which determines effective_order if it is None.

    Raises:
        ValueError: the last axis does not fit max_order.
    """
    order = settings.max_order
    if sums.shape[-1] != 2 + 2 * order:
        raise ValueError(f"sums with {sums.shape[-1]} columns found, {2 + 2 * order} expected for order {order}")
    hypothesis_length, reference_length = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2 : 2 + order], sums[..., 2 + order :]
    precisions, reached = _smoothed_precisions(matches, totals, settings)
    effective = single_segments if settings.effective_order is None else settings.effective_order
    penalty = brevity_penalty(hypothesis_length, reference_length)
    return Bleu(
        score=100 * penalty * _weighted_mean(precisions, reached, settings.order_weights, effective=effective),
        precisions=precisions,
        brevity_penalty=penalty,
        hypothesis_length=hypothesis_length,
        reference_length=reference_length,
        matches=matches,
        totals=totals,
    )


def brevity_penalty(hypothesis_length: Numbers, reference_length: Numbers) -> npt.NDArray[np.float64]:
    """Return exp(1 - r/c) if the hypothesis is shorter than the reference, else 1 (Papineni et al. 2002, 2.3).

    The penalty of an empty hypothesis is 0, the limit, unless the reference is empty too.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty = np.exp(1 - reference_length / hypothesis_length)
    return np.where(hypothesis_length < reference_length, penalty, 1.0)


def bleu_statistics(stats: NgramStats, settings: BleuSettings) -> SegmentStatistics:
    """Return the statistics (K, S, 2 + 2N) of n-gram counts, whose score is BLEU.

    Raises:
        ValueError: max_order exceeds the orders counted.
    """
    order = settings.max_order
    if order > stats.max_order:
        raise ValueError(f"n-grams are counted up to order {stats.max_order}, but order {order} is needed")
    lengths = effective_reference_lengths(stats, settings.reference_length)
    columns = np.concatenate(
        [
            stats.hypothesis_lengths[..., None],
            lengths[..., None],
            stats.matches[..., :order],
            stats.totals[..., :order],
        ],
        axis=-1,
    )
    return bleu_statistics_of_sums(stats.systems, columns, settings)


def bleu_statistics_of_sums(
    systems: Sequence[str], sums: Numbers, settings: BleuSettings, *, bundled: int | None = None
) -> SegmentStatistics:
    """Return statistics whose score is BLEU.

    Args:
        systems: K names.
        sums: (K, S, 2 + 2N) of segments, or of bundles of segments.
        settings: of BLEU.
        bundled: the number of segments, if they are bundled.
    """
    return SegmentStatistics(
        tuple(systems),
        sums,
        partial(_score, settings=settings),
        bundled=bundled,
        score_of_one=partial(_score, settings=settings, single_segments=True),
        factors=partial(bleu, settings=settings),
    )


def effective_reference_lengths(stats: NgramStats, choice: ReferenceLength) -> Numbers:
    """Return the reference length of each segment, for each system: (K, S); 0 for a segment without references.

    "closest" depends on the system; of two equally close references the shorter counts, as in sacreBLEU.
    """
    lengths = stats.reference_lengths
    absent = lengths == ABSENT
    shape = stats.hypothesis_lengths.shape
    if choice == "average":
        present = (~absent).sum(axis=0)
        return np.broadcast_to(np.where(absent, 0, lengths).sum(axis=0) / np.maximum(present, 1), shape)
    max_length = np.iinfo(np.int64).max
    if choice == "shortest":
        min_length = np.where(absent, max_length, lengths).min(axis=0)
        return np.broadcast_to(np.where(absent.all(axis=0), 0, min_length), shape)
    ordered = np.sort(np.where(absent, max_length, lengths), axis=0)  # argmin takes the first: the shorter of a tie
    distance = np.abs(ordered[None] - stats.hypothesis_lengths[:, None])
    distance[:, ordered == max_length] = max_length
    nearest = np.take_along_axis(ordered[None], distance.argmin(axis=1)[:, None], axis=1)[:, 0]
    return np.where(absent.all(axis=0), 0, nearest)


def _score(sums: Numbers, settings: BleuSettings, *, single_segments: bool = False) -> npt.NDArray[np.float64]:
    return bleu(sums, settings, single_segments=single_segments).score


def _smoothed_precisions(
    matches: Numbers, totals: Numbers, settings: BleuSettings
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return the smoothed precisions, and the orders before the first one without n-grams."""
    value = settings.smoothing_value
    if value is None:
        value = SMOOTHING_DEFAULTS.get(settings.smoothing, 0.0)
    any_match = matches.any(axis=-1, keepdims=True)  # without any, the score is 0 and nothing is smoothed
    if settings.smoothing == "add-k":
        added = np.where(np.arange(settings.max_order) > 0, value, 0.0)  # unigrams are not smoothed
        matches, totals = matches + added, totals + added
    reached = np.logical_and.accumulate(totals > 0, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(reached, matches / totals, 0.0)
        zero = reached & (matches == 0)
        if settings.smoothing == "exp":  # halved for each order without a match
            precisions = np.where(zero, 1 / (2.0 ** np.cumsum(zero, axis=-1) * totals), precisions)
        elif settings.smoothing == "floor":
            precisions = np.where(zero, value / totals, precisions)
    return np.where(any_match, precisions, 0.0), reached


def _weighted_mean(
    precisions: npt.NDArray[np.float64],
    reached: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
    *,
    effective: bool,
) -> npt.NDArray[np.float64]:
    """Return the weighted geometric mean over all orders, or over those with n-grams."""
    with np.errstate(divide="ignore"):
        logs = np.log(precisions)
    if not effective:
        return np.exp((logs * weights).sum(axis=-1))
    used = np.where(reached, weights, 0.0)
    sums = np.where(reached, logs, 0.0) @ weights
    share = used.sum(axis=-1)
    return np.where(share > 0, np.exp(sums / np.where(share > 0, share, 1.0)), 0.0)
