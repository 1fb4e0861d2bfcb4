"""Papineni et al. (2002): printed values, the experiment on other data, and tests of the claims."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .combining import Combination as Combination
from .combining import CombinationAgreement as CombinationAgreement
from .combining import combinations as combinations
from .combining import correlate_combinations as correlate_combinations
from .judge_groups import GroupAgreement as GroupAgreement
from .judge_groups import GroupDifferences as GroupDifferences
from .judge_groups import Normalised as Normalised
from .judge_groups import ReferenceAgreement as ReferenceAgreement
from .judge_groups import agreement_from_0_to_1 as agreement_from_0_to_1
from .precision_orders import PrecisionOrders as PrecisionOrders
from .precision_orders import sum_precisions as sum_precisions
from .printed import BLOCK_SIZE as BLOCK_SIZE
from .printed import BLOCKS as BLOCKS
from .printed import CORRELATIONS as CORRELATIONS
from .printed import CRITICAL_T as CRITICAL_T
from .printed import EXAMPLES as EXAMPLES
from .printed import H2_BY_REFERENCES as H2_BY_REFERENCES
from .printed import MONOLINGUAL as MONOLINGUAL
from .printed import MONOLINGUAL_DIFFERENCES as MONOLINGUAL_DIFFERENCES
from .printed import PRECISIONS as PRECISIONS
from .printed import PRINTED_SYSTEM as PRINTED_SYSTEM
from .printed import PUBLISHED as PUBLISHED
from .printed import SYSTEMS as SYSTEMS
from .printed import TABLE_1 as TABLE_1
from .printed import TABLE_2_DEVIATIONS as TABLE_2_DEVIATIONS
from .printed import TABLE_2_MEANS as TABLE_2_MEANS
from .printed import TABLE_2_T as TABLE_2_T
from .printed import TABLE_REFERENCES as TABLE_REFERENCES
from .printed import corresponds as corresponds
from .printed import published_of as published_of
from .reference_number import ReferenceNumber as ReferenceNumber
from .reference_number import SingleReference as SingleReference
from .repetition import PaperOptions as PaperOptions
from .repetition import PaperResults as PaperResults
from .repetition import Ratings as Ratings
from .repetition import repeat_experiment as repeat_experiment
from .shared import POINTS as POINTS
from .shared import group_name as group_name
from .step import PaperInput as PaperInput
from .step import Step as Step
from .step import StepOutput as StepOutput
from .step import StepResult as StepResult
from .step import compute_steps as compute_steps
from .step import content_type as content_type
from .steps.claims import Claim as Claim
from .steps.claims import claims as claims
from .steps.combining import combination_table as combination_table
from .steps.examples import ngram_table as ngram_table
from .steps.examples import paper_examples as paper_examples
from .steps.register import all_steps as all_steps

_refuse_texts(__name__)
