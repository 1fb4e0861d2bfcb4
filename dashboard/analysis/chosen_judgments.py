"""The ratings of the judges in use, as pages about people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.dataset import Judge, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.judges import standardised
from bleu_core.results.judges import judge_names
from dashboard import session
from dashboard.session import Workspace

NOTHING_TO_STANDARDISE = (
    "no judge gave two or more ratings, so ratings cannot be standardised; switch off “Standardise judges”"
)
NO_JUDGE_LEFT = "no judge is selected; select one under “Judges” or “Groups” on this page"


def judge_labels(workspace: Workspace) -> Mapping[str, Judge]:
    """Label -> judge; the label includes the group if judges of two groups have the same name."""
    judgments = workspace.judgments
    if judgments is None:
        return {}

    def compute(_: object) -> Mapping[str, Judge]:
        judges = sorted(judgments.judges, key=lambda judge: (judge.group or "", judge.name))
        return dict(zip(judge_names(judges), judges, strict=True))

    return session.remember("judges", workspace.digest, compute, doing="Listing the judges", what="judges")


def chosen_judgments(workspace: Workspace) -> Judgments:
    """The ratings without the judges left out; standardised if that is switched on.

    Raises:
        AlignmentError: there are no ratings, or all judges are left out.
    """
    judgments = workspace.judgments
    if judgments is None:
        raise AlignmentError("no judgments are loaded")
    labels = judge_labels(workspace)
    judges = tuple(labels[name] for name in session.get("without_judges", []) if name in labels)
    groups = tuple(name for name in session.get("without_groups", []) if name in judgments.groups)
    zscore = is_standardised()

    def compute(_: object) -> Judgments:
        chosen = judgments.without(judges=judges, groups=groups) if judges or groups else judgments
        return standardised(chosen) if zscore else chosen

    key = (workspace.digest, judges, groups, zscore)
    chosen: Judgments = session.remember("judgments", key, compute, doing="Choosing ratings", what="ratings")
    if not len(chosen.rated):
        left = len(judgments.without(judges=judges, groups=groups).rated)
        raise AlignmentError(NOTHING_TO_STANDARDISE if left else NO_JUDGE_LEFT)
    return chosen


def is_standardised() -> bool:
    """Whether the ratings of each judge are standardised."""
    return bool(session.get("zscore", False))
