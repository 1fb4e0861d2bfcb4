"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .loading import load_collection as load_collection
from .manifest import MANIFEST as MANIFEST
from .manifest import read_manifest as read_manifest
from .sources import Division as Division
from .sources import LocatedFile as LocatedFile
from .sources import divide as divide
from .sources import locate_files as locate_files
from .sources import open_uploads as open_uploads
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
