# The names for notebooks. Files:
# Agreement with people:
from .agreement import Agreement as Agreement
from .agreement import Correlation as Correlation
from .agreement import correlate as correlate
from .agreement import segment_level as segment_level
from .agreement import system_level as system_level

# Several test sets:
from .collection import evaluate_set as evaluate_set
from .collection import load_collection as load_collection
from .collection import score_over_sets as score_over_sets
from .dataset import AlignedData as AlignedData
from .dataset import Column as Column
from .dataset import Corpus as Corpus
from .dataset import Judgments as Judgments
from .dataset import ScoreTable as ScoreTable

# Errors:
from .errors import AlignmentError as AlignmentError
from .errors import BleuCoreError as BleuCoreError
from .errors import FormatError as FormatError
from .errors import SettingsError as SettingsError

# Results as tables:
from .fields import Table as Table

# Differences between systems:
from .inference import Comparison as Comparison
from .inference import Comparisons as Comparisons
from .inference import Interval as Interval
from .inference import all_pairs as all_pairs
from .inference import baseline_pairs as baseline_pairs
from .inference import block_scores as block_scores
from .inference import compare as compare
from .inference import document_blocks as document_blocks
from .inference import equal_blocks as equal_blocks
from .inference import ranked_pairs as ranked_pairs
from .inference import score_intervals as score_intervals
from .inference import tiers as tiers
from .judges import krippendorff_alpha as krippendorff_alpha
from .limits import LimitError as LimitError
from .results.headlines import Headline as Headline
from .results.headlines import headline as headline
from .results.latex import to_latex as to_latex
from .results.scores import score_table as score_table
from .results.significance import comparison_table as comparison_table
from .results.table import to_frame as to_frame
from .results.table import to_text as to_text
from .results.table import to_tsv as to_tsv

# Scores:
from .scoring import PRESETS as PRESETS
from .scoring import Bleu as Bleu
from .scoring import BleuEvaluation as BleuEvaluation
from .scoring import BleuSettings as BleuSettings
from .scoring import Metric as Metric
from .scoring import NgramStats as NgramStats
from .scoring import ScoredCorpus as ScoredCorpus
from .scoring import SegmentStatistics as SegmentStatistics
from .scoring import all_metrics as all_metrics
from .scoring import bleu as bleu
from .scoring import count_ngrams as count_ngrams
from .scoring import evaluate as evaluate
from .scoring import score_metric as score_metric
from .segments import influences as influences

# Segments:
from .slicing import compare_slices as compare_slices
from .uploads import load as load
