"""The command line `bleu-core`, and the functions that commands of other packages use."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .arguments import BAD_INPUT as BAD_INPUT
from .arguments import Parser as Parser
from .chosen_settings import chooses_tokenizer as chooses_tokenizer
from .chosen_settings import expression_of as expression_of
from .chosen_settings import settings_for as settings_for
from .chosen_settings import settings_of as settings_of
from .command_result import CommandResult as CommandResult
from .commands import main as main
from .input_files import InputFiles as InputFiles
from .judge_choices import chosen_judges as chosen_judges
from .judge_choices import human_scores_notes as human_scores_notes
from .optimised import add_optimised as add_optimised
from .optimised import with_marks as with_marks
from .options import UNITS as UNITS
from .options import add_common as add_common
from .options import add_correction as add_correction
from .options import add_human_translations as add_human_translations
from .options import add_judgments as add_judgments
from .options import add_metric as add_metric
from .options import add_repeatable as add_repeatable
from .options import add_resampling as add_resampling
from .ratings import add_rated_data as add_rated_data
from .scored_data import evaluated as evaluated
from .scored_data import resampled_documents as resampled_documents
from .terminal import progress_bar as progress_bar

_refuse_texts(__name__)
