"""Metrics: their agreement with the judges, and the meaning of a difference of scores to judges."""

from __future__ import annotations

from dashboard import session
from dashboard.views.metrics import best_agreement, score_differences

PAGE = session.Page(
    title="Metrics",
    path="metrics",
    question="Which metric agrees best with the judges, and how often do judges agree with a difference of scores?",
    parts=(
        session.Part(title="Best agreement", path="best-agreement", render=best_agreement.render, needs="judgments"),
        session.Part(title="Meaning of a difference", path="meaning-of-a-difference", render=score_differences.render),
    ),
    group="People",
    icon=":material/leaderboard:",
)
