"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .meta_analysis import MAX_ERROR_RATIO as MAX_ERROR_RATIO
from .meta_analysis import MIN_PREDICTION_SETS as MIN_PREDICTION_SETS
from .meta_analysis import PREDICTION_COVERAGE as PREDICTION_COVERAGE
from .meta_analysis import TRUE_PREDICTION_COVERAGE as TRUE_PREDICTION_COVERAGE
from .meta_analysis import PooledDifference as PooledDifference
from .meta_analysis import Prediction as Prediction
from .meta_analysis import SetDifference as SetDifference
from .meta_analysis import pool as pool
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
