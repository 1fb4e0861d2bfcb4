"""Segment analysis: influence, sets that reverse a lead, n-gram differences, marked text and marked errors."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .error_marks import AnnotatedItem as AnnotatedItem
from .error_marks import ErrorIndex as ErrorIndex
from .error_marks import ErrorMarks as ErrorMarks
from .error_marks import ErrorRun as ErrorRun
from .error_marks import SegmentError as SegmentError
from .error_marks import annotator_names as annotator_names
from .error_marks import error_list as error_list
from .error_marks import mark_errors as mark_errors
from .influence import Influence as Influence
from .influence import Influences as Influences
from .influence import Replacement as Replacement
from .influence import SliceShare as SliceShare
from .influence import influences as influences
from .influence import replace_outputs as replace_outputs
from .influence import scores_without_each as scores_without_each
from .influence import slice_share as slice_share
from .marks import MarkedOutput as MarkedOutput
from .marks import MarkedReference as MarkedReference
from .marks import MarkedText as MarkedText
from .marks import mark_output as mark_output
from .marks import token_spans as token_spans
from .marks import word_differences as word_differences
from .ngram_differences import DEFAULT_NGRAMS as DEFAULT_NGRAMS
from .ngram_differences import NGRAM_KINDS as NGRAM_KINDS
from .ngram_differences import NgramDifference as NgramDifference
from .ngram_differences import NgramDifferences as NgramDifferences
from .ngram_differences import NgramDivision as NgramDivision
from .ngram_differences import NgramKind as NgramKind
from .ngram_differences import NgramSums as NgramSums
from .ngram_differences import PairCounts as PairCounts
from .ngram_differences import PairNgram as PairNgram
from .ngram_differences import Side as Side
from .ngram_differences import SystemCounts as SystemCounts
from .ngram_differences import SystemNgram as SystemNgram
from .ngram_differences import check_selection as check_selection
from .ngram_differences import compare_ngrams as compare_ngrams
from .reversal import MAX_PERCENT as MAX_PERCENT
from .reversal import NO_SMALL_SET as NO_SMALL_SET
from .reversal import Reversal as Reversal
from .reversal import expected_share as expected_share
from .reversal import reversals as reversals
from .worked_example import Mark as Mark
from .worked_example import NgramCount as NgramCount
from .worked_example import OrderCounts as OrderCounts
from .worked_example import WorkedExample as WorkedExample
from .worked_example import work_example as work_example

_refuse_texts(__name__)
