"""What is chosen on the pages, as a saved workspace has it for commands."""

from __future__ import annotations

from bleu_core.project import ENDING, Choices, JudgeRecord
from dashboard import session
from dashboard.analysis.chosen_judgments import is_standardised, judge_labels
from dashboard.analysis.ratings_in_use import MACHINES_ONLY
from dashboard.analysis.view import SCORE_MISSING, slice_expression

#: Controls that choose two systems, the first of which is compared with the other.
PAIR_KEYS = ("pair_system", "pair_baseline")

#: The name of the file of a workspace.
WORKSPACE_NAME = f"workspace{ENDING}"


def choices_in_use() -> Choices:
    """The settings, exclusions and slice in force."""
    workspace = session.current_workspace()
    corpus, labels = workspace.corpus, judge_labels(workspace)
    judges = (labels[name] for name in session.get("without_judges", []) if name in labels)
    return Choices(
        settings=session.current_settings(),
        without_systems=tuple(name for name in session.get("without_systems", []) if name in corpus.systems),
        without_references=tuple(name for name in session.get("without_references", []) if name in corpus.references),
        slice=slice_expression(),
        score_missing=bool(session.get(SCORE_MISSING)),
        shared_segments=bool(session.get(session.SHARED_SEGMENTS)),
        without_judges=tuple(JudgeRecord(name=judge.name, group=judge.group) for judge in judges),
        without_groups=tuple(session.get("without_groups", [])),
        standardised=is_standardised(),
        machines_only=bool(session.get(MACHINES_ONLY, False)),
        paper_preset=session.paper_settings() == "paper",
    )
