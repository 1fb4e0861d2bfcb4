"""Which role each file has, its corrections, and the dataset that the files make together."""

from .files import Entry as Entry
from .files import File as File
from .files import HeldRole as HeldRole
from .files import Workspace as Workspace
from .files import assemble as assemble
from .files import folders_in as folders_in
from .files import problem_with as problem_with
from .files import readable_parts as readable_parts
from .files import sorted_in as sorted_in
from .files import unpacked_files as unpacked_files
