"""Warnings about misleading scores, and probes: changes of the text that a metric should detect."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .assessment import OF_METRICS as OF_METRICS
from .assessment import Assessment as Assessment
from .assessment import assess as assess
from .assessment import decoded as decoded
from .assessment import find_unsplit as find_unsplit
from .assessment import obstruction as obstruction
from .correspondence import TextProfile as TextProfile
from .correspondence import are_foreign as are_foreign
from .correspondence import likeness_of as likeness_of
from .correspondence import profile_of as profile_of
from .declaration import MAX_RATE as MAX_RATE
from .declaration import STRENGTHS as STRENGTHS
from .declaration import Finding as Finding
from .declaration import Strength as Strength
from .declaration import TrustWarning as TrustWarning
from .diagnostic_input import DiagnosticInput as DiagnosticInput
from .diagnostic_input import TextTables as TextTables
from .language import guessed_language as guessed_language
from .language import known_languages as known_languages
from .probes.chunk_orders import Orders as Orders
from .probes.chunk_orders import count_orders as count_orders
from .probes.chunk_orders import split_chunks as split_chunks
from .probes.declaration import Change as Change
from .probes.declaration import Probe as Probe
from .probes.probing import Probed as Probed
from .probes.probing import ScoreChange as ScoreChange
from .probes.probing import check_language as check_language
from .probes.probing import probe_system as probe_system
from .probes.register import EXAMPLES as EXAMPLES
from .probes.register import PROBES as PROBES
from .probes.register import all_probes as all_probes
from .probes.register import find_probe as find_probe
from .register import OBSTRUCTS as OBSTRUCTS
from .register import WARNINGS as WARNINGS
from .register import all_warnings as all_warnings
from .register import count_texts as count_texts
from .register import find_warning as find_warning
from .register import findings as findings
from .register import obstructing as obstructing
from .warnings.words_at_blanks import find_unsplit_words as find_unsplit_words

_refuse_texts(__name__)
