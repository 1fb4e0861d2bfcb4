"""The keys of all controls, which are the parameters of URLs. No Streamlit.

A URL may have other parameters, such as those that newsletters add to links; they are dropped.
"""

from __future__ import annotations

from bleu_core.diagnostics import WARNINGS
from bleu_core.scoring import SETTINGS

#: Controls of the data, of the slice, and of several pages.
SHARED = (
    "without_systems without_references without_groups without_judges zscore adjust_judges intervals rank_humans "
    "score_missing shared_segments optimised dismissed slice half slice_planned metric "
    "compare_with test units correction level draws seed t_blocks counts_with counts_blocks pair_system pair_baseline "
    "errors_by errors_of score segment_metric read_system read_segment metric_correction"
)

#: Controls of single pages, and of the parts of pages.
OF_PAGES = (
    "test_sets_part ranking_part two_systems_part agreement_part metrics_part judges_part campaign_part report_part "
    "sets_baseline sets_cells sets_corrected sets_intervals sets_metrics sets_levels sets_system sets_other replicates "
    "order metrics_shown metric_tiers metric_intervals order_by_metric counts_divided "
    "slices_by ngrams_with ngrams_order ngrams_kind ngrams_most "
    "one_system segments_within segments_order segments_search segments_regular segments_differing segments_noted "
    "segments_from segments_to segments_all_systems word_differences segment_details without_errors_of "
    "precision_as logarithmic fits divide_into blocks_number blocks_size violin "
    "one_out without_outliers interval_kind class language class_method "
    "metrics level_of method_systems method_segments grouping metric_test difference "
    "review_metric acceptable max_unacceptable review_seed review_among "
    "rated_unit rated_pairs rated_system rated_against rated_by "
    "paper_settings paper_intervals example probed_system probe_metrics probe_seed probe probe_position "
    "report_form report_parts report_figure"
)

CONTROL_KEYS = dict.fromkeys(
    (*SHARED.split(), *SETTINGS, *OF_PAGES.split(), *(f"dismissed_{key}" for key in WARNINGS)),
).keys()
