"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
