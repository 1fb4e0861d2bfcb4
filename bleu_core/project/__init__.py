"""Saved workspaces: their manifest, and writing and opening them."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .manifest import LAYOUT as LAYOUT
from .manifest import Choices as Choices
from .manifest import JudgeRecord as JudgeRecord
from .manifest import Manifest as Manifest
from .manifest import NoteRecord as NoteRecord
from .manifest import ReportText as ReportText
from .saving import ENDING as ENDING
from .saving import SavedWorkspace as SavedWorkspace
from .saving import is_saved_workspace as is_saved_workspace
from .saving import open_workspace as open_workspace
from .saving import pack_workspace as pack_workspace
from .saving import write_workspace as write_workspace

_refuse_texts(__name__)
