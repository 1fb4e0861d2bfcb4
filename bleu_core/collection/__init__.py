"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .loading import load_collection as load_collection
from .manifest import MANIFEST as MANIFEST
from .manifest import read_manifest as read_manifest
from .scores import CORRECTED_OVER as CORRECTED_OVER
from .scores import MAX_CELLS as MAX_CELLS
from .scores import RESAMPLES_OF_MANY as RESAMPLES_OF_MANY
from .scores import Cell as Cell
from .scores import CorrectedOver as CorrectedOver
from .scores import DifferencesOverSets as DifferencesOverSets
from .scores import ScoredSet as ScoredSet
from .scores import ScoresOverSets as ScoresOverSets
from .scores import SystemOverSets as SystemOverSets
from .scores import corrected as corrected
from .scores import differences_over_sets as differences_over_sets
from .scores import score_over_sets as score_over_sets
from .scoring import EvaluatedSet as EvaluatedSet
from .scoring import by_metric as by_metric
from .scoring import evaluate_set as evaluate_set
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
