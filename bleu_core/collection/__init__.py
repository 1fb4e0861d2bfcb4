"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .replicates import GroupComparison as GroupComparison
from .replicates import GroupComparisons as GroupComparisons
from .replicates import GroupScores as GroupScores
from .replicates import RunScore as RunScore
from .replicates import compare_groups as compare_groups
from .replicates import group_scores as group_scores
from .replicates import groups_of as groups_of
from .replicates import ranked_group_pairs as ranked_group_pairs
from .replicates import seeds_of as seeds_of
from .replicates import with_single_systems as with_single_systems
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
