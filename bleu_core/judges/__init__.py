"""Judges: their severity, their agreement, and how differently they rate systems."""

from .differences import UNITS as UNITS
from .differences import PairedDifference as PairedDifference
from .differences import RaterDifference as RaterDifference
from .differences import RaterDifferences as RaterDifferences
from .differences import Unit as Unit
from .differences import directed_differences as directed_differences
from .differences import rater_differences as rater_differences
from .judge_agreement import GroupComparison as GroupComparison
from .judge_agreement import GroupPair as GroupPair
from .judge_agreement import PairwiseKendall as PairwiseKendall
from .judge_agreement import compare_groups as compare_groups
from .judge_agreement import krippendorff_alpha as krippendorff_alpha
from .judge_agreement import pairwise_kendall as pairwise_kendall
from .krippendorff import KrippendorffAlpha as KrippendorffAlpha
from .ratings import JudgeSummary as JudgeSummary
from .ratings import judge_summaries as judge_summaries
from .ratings import standardised as standardised
from .variance_components import VarianceComponents as VarianceComponents
from .variance_components import judge_variance as judge_variance
