"""The slice language, slices of the text, and tests of variation between slices."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .combined import combine_expressions as combine_expressions
from .combined import segments_among as segments_among
from .disputes import rating_ranges as rating_ranges
from .expression import FIELDS_OF_ERRORS as FIELDS_OF_ERRORS
from .expression import FIELDS_OF_RATINGS as FIELDS_OF_RATINGS
from .expression import Joined as Joined
from .expression import fields_in as fields_in
from .expression import parse as parse
from .expression import quoted as quoted
from .groupings import DOCUMENT as DOCUMENT
from .groupings import HALF as HALF
from .groupings import LENGTH as LENGTH
from .groupings import Grouping as Grouping
from .groupings import group_by_length as group_by_length
from .groupings import group_segments as group_segments
from .groupings import grouping_names as grouping_names
from .half import HALVES as HALVES
from .half import halves as halves
from .half import is_in_test_half as is_in_test_half
from .half import may_follow_results as may_follow_results
from .heterogeneity import TRIALS as TRIALS
from .heterogeneity import Variation as Variation
from .negations import NEGATION_LANGUAGES as NEGATION_LANGUAGES
from .negations import negation_spans as negation_spans
from .search import SearchStoppedError as SearchStoppedError
from .search import TextSearch as TextSearch
from .search import find_hits as find_hits
from .search import find_text as find_text
from .search import texts_with as texts_with
from .segment_classes import SEGMENT_CLASSES as SEGMENT_CLASSES
from .segment_classes import ClassMembers as ClassMembers
from .segment_classes import SegmentClass as SegmentClass
from .segment_classes import classify_segments as classify_segments
from .slices import Slice as Slice
from .slices import slice_corpus as slice_corpus
from .variation import MIN_PERMUTED_UNITS as MIN_PERMUTED_UNITS
from .variation import LabelSlice as LabelSlice
from .variation import SlicesCompared as SlicesCompared
from .variation import SliceTests as SliceTests
from .variation import compare_slices as compare_slices

_refuse_texts(__name__)
