"""Several test sets: the files of each, scores over all of them, replicates, and meta-analysis."""

from .agreement import LEVELS as LEVELS
from .agreement import AgreementOverSets as AgreementOverSets
from .agreement import AveragedMetric as AveragedMetric
from .agreement import AveragePair as AveragePair
from .agreement import ComparedSet as ComparedSet
from .agreement import LeftOutSet as LeftOutSet
from .agreement import Level as Level
from .agreement import NotAveragedMetric as NotAveragedMetric
from .agreement import RatedTestSet as RatedTestSet
from .agreement import SetAgreement as SetAgreement
from .agreement import agreement_over_sets as agreement_over_sets
from .test_sets import Collection as Collection
from .test_sets import TestSet as TestSet
