"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .loading import load_collection as load_collection
from .manifest import MANIFEST as MANIFEST
from .manifest import read_manifest as read_manifest
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
