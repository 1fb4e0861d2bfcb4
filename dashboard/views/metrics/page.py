"""Metrics: their agreement with the judges, the meaning of a difference of scores, and segments to publish unread."""

from __future__ import annotations

from dashboard import session
from dashboard.views.metrics import best_agreement, score_differences, unread_segments

PAGE = session.Page(
    title="Metrics",
    path="metrics",
    question="Which metric agrees best with the judges, how often do judges agree with a difference of scores, and "
    "which segments can be published unread?",
    parts=(
        session.Part(title="Best agreement", path="best-agreement", render=best_agreement.render, needs="judgments"),
        session.Part(title="Meaning of a difference", path="meaning-of-a-difference", render=score_differences.render),
        session.Part(title="Unread segments", path="unread-segments", render=unread_segments.render, needs="judgments"),
    ),
    group="People",
    icon=":material/leaderboard:",
)
