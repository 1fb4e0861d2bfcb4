"""Judges: their severity and agreement; mean ratings of systems adjusted for them, and rankings by them."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .differences import UNITS as UNITS
from .differences import PairedDifference as PairedDifference
from .differences import RatingDifference as RatingDifference
from .differences import RatingDifferences as RatingDifferences
from .differences import Unit as Unit
from .differences import compare_ratings as compare_ratings
from .differences import directed_differences as directed_differences
from .judge_agreement import GroupComparison as GroupComparison
from .judge_agreement import GroupPair as GroupPair
from .judge_agreement import GroupSummary as GroupSummary
from .judge_agreement import JudgePair as JudgePair
from .judge_agreement import PairwiseKendall as PairwiseKendall
from .judge_agreement import compare_groups as compare_groups
from .judge_agreement import krippendorff_alpha as krippendorff_alpha
from .judge_agreement import pairwise_kendall as pairwise_kendall
from .judge_comparison import MAX_COMPARED_JUDGES as MAX_COMPARED_JUDGES
from .judge_comparison import MIN_COMPARED_SYSTEMS as MIN_COMPARED_SYSTEMS
from .judge_comparison import MIN_JUDGED_ITEMS as MIN_JUDGED_ITEMS
from .judge_comparison import JudgeAgainstOthers as JudgeAgainstOthers
from .judge_comparison import JudgeAsMetric as JudgeAsMetric
from .judge_comparison import judge_as_metric as judge_as_metric
from .krippendorff import KrippendorffAlpha as KrippendorffAlpha
from .krippendorff import undefined_alpha as undefined_alpha
from .ranked_systems import Adjustment as Adjustment
from .ranked_systems import HumanPair as HumanPair
from .ranked_systems import HumanRank as HumanRank
from .ranked_systems import HumanRanking as HumanRanking
from .ranked_systems import human_ranking as human_ranking
from .rating_metric import metric_of_ratings as metric_of_ratings
from .rating_metric import why_untested as why_untested
from .ratings import Consistency as Consistency
from .ratings import JudgeSummary as JudgeSummary
from .ratings import by_mean as by_mean
from .ratings import judge_summaries as judge_summaries
from .ratings import standardised as standardised
from .roster_balance import CONFOUNDING_ALPHA as CONFOUNDING_ALPHA
from .roster_balance import MAX_RANDOM_ROSTERS as MAX_RANDOM_ROSTERS
from .roster_balance import Confounding as Confounding
from .roster_balance import Imbalance as Imbalance
from .roster_balance import JudgeEffect as JudgeEffect
from .roster_balance import confounding as confounding
from .roster_balance import is_confounded as is_confounded
from .roster_balance import is_unbalanced as is_unbalanced
from .system_means import MIN_DOCUMENTS as MIN_DOCUMENTS
from .system_means import MIN_JUDGES as MIN_JUDGES
from .system_means import AdjustedMeans as AdjustedMeans
from .system_means import PairVariances as PairVariances
from .system_means import adjusted_for_judges as adjusted_for_judges
from .system_means import adjusted_means as adjusted_means
from .variance_components import VarianceComponent as VarianceComponent
from .variance_components import VarianceComponents as VarianceComponents
from .variance_components import judge_variance as judge_variance

_refuse_texts(__name__)
