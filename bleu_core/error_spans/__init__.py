"""Error spans: profiles of errors of systems, their differences, and the agreement of annotators' spans."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .agreement import SpanAgreement as SpanAgreement
from .agreement import SpanPair as SpanPair
from .agreement import SpanScores as SpanScores
from .agreement import span_agreement as span_agreement
from .annotators import metric_names as metric_names
from .annotators import of_judges as of_judges
from .annotators import of_metric as of_metric
from .annotators import without_judges as without_judges
from .confounded_judges import AdjustedErrorDifference as AdjustedErrorDifference
from .confounded_judges import AdjustedErrors as AdjustedErrors
from .differences import ErrorDifference as ErrorDifference
from .differences import ErrorDifferences as ErrorDifferences
from .differences import error_differences as error_differences
from .kinds import ALL_ERRORS as ALL_ERRORS
from .kinds import BREAKDOWNS as BREAKDOWNS
from .kinds import LEVEL_SEPARATOR as LEVEL_SEPARATOR
from .kinds import NONE_GIVEN as NONE_GIVEN
from .kinds import Breakdown as Breakdown
from .matching import OTHER_SEVERITY_CREDIT as OTHER_SEVERITY_CREDIT
from .matching import Credits as Credits
from .matching import PlacedSpan as PlacedSpan
from .matching import match_spans as match_spans
from .profile import TOKENS_PER_RATE as TOKENS_PER_RATE
from .profile import ErrorProfile as ErrorProfile
from .profile import ErrorRate as ErrorRate
from .profile import ProfiledSystem as ProfiledSystem
from .profile import output_tokens as output_tokens
from .profile import profile_errors as profile_errors

_refuse_texts(__name__)
