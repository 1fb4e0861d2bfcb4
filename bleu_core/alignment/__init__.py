"""Detection of misaligned lines of a text."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .line_alignment import MisalignedText as MisalignedText
from .line_alignment import Place as Place
from .line_alignment import PlaceKind as PlaceKind
from .line_alignment import check_lines as check_lines
from .line_likeness import count_tokens as count_tokens
from .line_likeness import rarity as rarity

_refuse_texts(__name__)
