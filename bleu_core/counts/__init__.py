"""N-gram counts of ranges of lines, and their sums: counts files, parallel, distributed and resumable counting."""

from bleu_core.argument_types import refuse_texts as _refuse_texts

from .bundles import BUNDLES as BUNDLES
from .bundles import Bundling as Bundling
from .checkpoint import Checkpoint as Checkpoint
from .checkpoint import CheckpointError as CheckpointError
from .cluster import ClusterError as ClusterError
from .cluster import ClusterRun as ClusterRun
from .cluster import open_cluster as open_cluster
from .cluster import run_on_cluster as run_on_cluster
from .counting import RangeTask as RangeTask
from .counting import Run as Run
from .counting import Texts as Texts
from .counting import combine_ranges as combine_ranges
from .counting import count_range as count_range
from .counting import count_texts as count_texts
from .counting import read_lines as read_lines
from .counting import run_serially as run_serially
from .counting import scan_files as scan_files
from .counts import BundleCounts as BundleCounts
from .counts import Counted as Counted
from .counts import CountedText as CountedText
from .counts import Counts as Counts
from .counts import SegmentCounts as SegmentCounts
from .counts import check_combinable as check_combinable
from .counts import combine_systems as combine_systems
from .counts import copies as copies
from .counts import describe_counts as describe_counts
from .counts import merge as merge
from .counts_file import decode_counts as decode_counts
from .counts_file import encode_counts as encode_counts
from .counts_file import is_counts as is_counts
from .counts_file import read_counts as read_counts
from .counts_file import write_counts as write_counts
from .lines import FileLines as FileLines
from .lines import first_lines as first_lines
from .parallel import choose_counter as choose_counter
from .parallel import count_in_processes as count_in_processes
from .parallel import processes_for as processes_for
from .parallel import processes_for_files as processes_for_files
from .ranges import LineRange as LineRange
from .ranges import Part as Part
from .ranges import parse_part as parse_part
from .scored_counts import oddities_of as oddities_of
from .scored_counts import score_counts as score_counts
from .scored_counts import settings_of_counted as settings_of_counted
from .sources import OFFSET_LINES as OFFSET_LINES
from .sources import IrregularError as IrregularError
from .sources import ScannedText as ScannedText
from .sources import Source as Source
from .sources import is_not_plain_text as is_not_plain_text
from .sources import text_of as text_of

_refuse_texts(__name__)
