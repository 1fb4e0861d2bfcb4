"""The classes of the JSON of each command; docs/schemas has their schemas."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.results.agreement import SegmentLevelReport, SystemLevelReport
from bleu_core.results.blocks import BlockReport
from bleu_core.results.campaigns import (
    CampaignBackupReport,
    CampaignDesignReport,
    CampaignExportReport,
    CampaignLinksReport,
    CampaignReport,
    CampaignStateReport,
    CampaignStatusReport,
)
from bleu_core.results.check import CheckReport
from bleu_core.results.counts import CountsReport
from bleu_core.results.envelope import Envelope
from bleu_core.results.error_spans import ErrorsReport
from bleu_core.results.ngrams import NgramPairsReport, NgramSystemsReport
from bleu_core.results.paper import paper_report_type
from bleu_core.results.probes import ProbesReport
from bleu_core.results.reference_rankings import ReferencesReport
from bleu_core.results.replicates import GroupsReport, ScoresOfGroups
from bleu_core.results.review_threshold import ReviewReport
from bleu_core.results.scores import Scores
from bleu_core.results.significance import ComparisonReport, GateReport
from bleu_core.results.slices import SlicesReport
from bleu_core.results.test_sets import CollectionReport

#: Command -> the classes of its reports.
REPORTS: Mapping[str, tuple[type[Envelope | CampaignReport | CollectionReport], ...]] = MappingProxyType(
    {
        "score": (Scores, ScoresOfGroups),
        "blocks": (BlockReport,),
        "compare": (ComparisonReport, GroupsReport),
        "table": (CollectionReport,),
        "slices": (SlicesReport,),
        "references": (ReferencesReport,),
        "ngrams": (NgramPairsReport, NgramSystemsReport),
        "check": (CheckReport,),
        "gate": (GateReport,),
        "correlate": (SystemLevelReport, SegmentLevelReport),
        "review": (ReviewReport,),
        "errors": (ErrorsReport,),
        "probe": (ProbesReport,),
        "paper": (paper_report_type(),),
        "campaign": (
            CampaignDesignReport,
            CampaignLinksReport,
            CampaignStateReport,
            CampaignStatusReport,
            CampaignExportReport,
            CampaignBackupReport,
        ),
        "count": (CountsReport,),
        "merge": (CountsReport,),
    }
)
