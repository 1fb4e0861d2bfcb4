"""Files with their roles and corrections, and the data set that they form together."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .files import UNNAMED_SET as UNNAMED_SET
from .files import Entry as Entry
from .files import File as File
from .files import HeldRole as HeldRole
from .files import Workspace as Workspace
from .files import assemble as assemble
from .files import by_test_set as by_test_set
from .files import create_file as create_file
from .files import create_loose as create_loose
from .files import describe_problem as describe_problem
from .files import name_by_folders as name_by_folders
from .files import parts_of as parts_of
from .files import set_label as set_label
from .loading import ArchiveFiles as ArchiveFiles
from .loading import file_at as file_at
from .loading import files_at as files_at
from .loading import load as load
from .loading import with_columns as with_columns

_refuse_texts(__name__)
