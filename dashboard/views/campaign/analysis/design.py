"""What a plan of a campaign comes to: its size, what the size does not allow, and its file."""

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

#: What a judge is taken to need for a translation.
SECONDS_PER_ITEM = 25

#: The name under which the file is downloaded.
CAMPAIGN_FILE = "campaign.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSize:
    """The numbers of a design.

    Attributes:
        segments: that are drawn.
        items: translations that are rated, without degraded copies.
        judges: all of them.
        fewest, most: ratings that one judge gives, checks among them.
        ratings: of all judges, without checks.
        checks: repeats and degraded copies of all judges, each of them a place in a list.
        minutes: for the longest list, at SECONDS_PER_ITEM.
        most_checks: repeats and degraded copies of the judge who has most.
    """

    segments: int
    items: int
    judges: int
    fewest: int
    most: int
    ratings: int
    checks: int
    minutes: float
    most_checks: int = 0


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """The file of a campaign, made when it is called; each has completion codes of its own.

    Attributes:
        design: of the campaign.
        corpus: from which the design was made.
    """

    design: Design
    corpus: Corpus

    def __call__(self) -> bytes:
        """The bytes of the file.

        Raises:
            BleuCoreError: a text cannot be written.
            OSError: the temporary folder cannot be written.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / CAMPAIGN_FILE
            create_store(path, self.design, self.corpus)
            return path.read_bytes()


def design_of(plan: CampaignPlan, corpus: Corpus) -> Design:
    """The design of a campaign; the same plan and texts give the same.

    Raises:
        SettingsError: the texts have not the segments, documents, labels or source of the plan.
    """
    return _design(session.scope(), plan, corpus)


@session.cached("Designing the campaign", "", can_stop=False, typed=True)
def _design(_: Progress, plan: CampaignPlan, corpus: Corpus) -> Design:
    return design_campaign(plan, corpus, _scores(plan, corpus))


def _scores(plan: CampaignPlan, corpus: Corpus) -> Floats | None:
    """Segment BLEU, by which the translations that are degraded are chosen, as `bleu-core campaign create` does."""
    if not plan.degraded or not corpus.references or not set(plan.systems) <= set(corpus.systems):
        return None
    evaluation = evaluate_texts(session.scope(), corpus, tuple(corpus.references), BleuSettings())
    return evaluation.segment_scores.score[[evaluation.systems.index(name) for name in plan.systems]]


def size_of_design(design: Design) -> CampaignSize:
    """The numbers of a design."""
    of_judges = [sum(len(slot.items) for slot in judge.slots) for judge in design.judges]
    checks = [sum(slot.kind != "first" for slot in judge.slots) for judge in design.judges]
    first = sum(len(slot.items) for judge in design.judges for slot in judge.slots if slot.kind == "first")
    return CampaignSize(
        segments=len(design.sample.segments),
        items=sum(item.kind == "translation" for item in design.items),
        judges=len(design.judges),
        fewest=min(of_judges, default=0),
        most=max(of_judges, default=0),
        ratings=first,
        checks=sum(checks),
        minutes=max(of_judges, default=0) * SECONDS_PER_ITEM / 60,
        most_checks=max(checks, default=0),
    )


def serving_command(workspace: Workspace, *, sample: bool) -> str:
    """The command that serves a campaign file with the data of the session, for judges in the same network.

    Args:
        workspace: the data.
        sample: whether they are the sample data, which the dashboard shows by itself.
    """
    files: list[str] = []
    for role, option in OPTIONS.items() if not sample else ():
        for entry in workspace.entries:
            # Other ratings would be taken together with those of the campaign.
            if entry.file.role == role and role not in ROLES_OF_RATINGS and not entry.problem:
                name = argument_of(entry.file.name)
                files += [option, name] if option else [name]
    serve = shlex.join(["--campaign", CAMPAIGN_FILE, "--address", "0.0.0.0", *files])  # noqa: S104
    return f"{invocation('bleu-dashboard')} {serve}"
