"""The design of a campaign's plan: its size, shortfalls of the size, and its file."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bleu_core.arrays import Floats
from bleu_core.campaigns import CampaignPlan, Design, create_store, design_campaign
from bleu_core.dataset import Corpus
from bleu_core.invocation import invocation
from bleu_core.progress import Progress
from bleu_core.scoring import BleuSettings
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis import evaluate_texts
from dashboard.launch import OPTIONS, ROLES_OF_RATINGS, argument_of

#: Assumed seconds of a judge per translation.
SECONDS_PER_ITEM = 25

#: Name of the downloaded file.
CAMPAIGN_FILE = "campaign.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSize:
    """The numbers of a design.

    Attributes:
        segments: number of drawn segments.
        items: number of rated translations, without degraded copies.
        judges: number of judges.
        min_ratings, max_ratings: minimum and maximum number of ratings of a judge, including checks.
        ratings: number of ratings of all judges, without checks.
        checks: number of repeats and degraded copies of all judges, by positions in lists.
        minutes: for the longest list, at SECONDS_PER_ITEM.
        max_checks: maximum number of repeats and degraded copies of a judge.
    """

    segments: int
    items: int
    judges: int
    min_ratings: int
    max_ratings: int
    ratings: int
    checks: int
    minutes: float
    max_checks: int = 0


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """The file of a campaign, created when it is called; each has different completion codes.

    Attributes:
        design: of the campaign.
        corpus: from which the design was made.
    """

    design: Design
    corpus: Corpus

    def __call__(self) -> bytes:
        """Return the bytes of the file.

        Raises:
            BleuCoreError: a text cannot be written.
            OSError: the temporary folder cannot be written.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / CAMPAIGN_FILE
            create_store(path, self.design, self.corpus)
            return path.read_bytes()


def design_of(plan: CampaignPlan, corpus: Corpus) -> Design:
    """Return the design of a campaign; the same plan and texts give the same design.

    Raises:
        SettingsError: the texts lack the segments, documents, labels or source of the plan.
    """
    return _design(session.scope(), plan, corpus)


@session.cached("Designing the campaign", "", can_stop=False, typed=True)
def _design(_: Progress, plan: CampaignPlan, corpus: Corpus) -> Design:
    return design_campaign(plan, corpus, _scores(plan, corpus))


def _scores(plan: CampaignPlan, corpus: Corpus) -> Floats | None:
    """Return segment BLEU, by which the translations to degrade are selected, as in `bleu-core campaign create`."""
    if not plan.degraded or not corpus.references or not set(plan.systems) <= set(corpus.systems):
        return None
    evaluation = evaluate_texts(session.scope(), corpus, tuple(corpus.references), BleuSettings())
    return evaluation.segment_scores.score[[evaluation.systems.index(name) for name in plan.systems]]


def size_of_design(design: Design) -> CampaignSize:
    """Return the size of a design."""
    per_judge = [sum(len(slot.items) for slot in judge.slots) for judge in design.judges]
    checks = [sum(slot.kind != "first" for slot in judge.slots) for judge in design.judges]
    first = sum(len(slot.items) for judge in design.judges for slot in judge.slots if slot.kind == "first")
    return CampaignSize(
        segments=len(design.sample.segments),
        items=sum(item.kind == "translation" for item in design.items),
        judges=len(design.judges),
        min_ratings=min(per_judge, default=0),
        max_ratings=max(per_judge, default=0),
        ratings=first,
        checks=sum(checks),
        minutes=max(per_judge, default=0) * SECONDS_PER_ITEM / 60,
        max_checks=max(checks, default=0),
    )


def serving_command(workspace: Workspace, *, sample: bool) -> str:
    """Return the command that serves a campaign file with the session's data, for judges in the same network.

    Args:
        workspace: the data.
        sample: whether they are the sample data, which the dashboard shows by itself.
    """
    files: list[str] = []
    for role, option in OPTIONS.items() if not sample else ():
        for entry in workspace.entries:
            # Other ratings would be combined with those of the campaign.
            if entry.file.role == role and role not in ROLES_OF_RATINGS and not entry.problem:
                name = argument_of(entry.file.name)
                files += [option, name] if option else [name]
    serve = shlex.join(["--campaign", CAMPAIGN_FILE, "--address", "0.0.0.0", *files])  # noqa: S104
    return f"{invocation('bleu-dashboard')} {serve}"
