"""Judges: how well they agree, how severe each is, and which systems they rate higher."""

from __future__ import annotations

from dashboard import session
from dashboard.views.judges import error_spans, human_ranking, judge_agreement

PAGE = session.Page(
    title="Judges",
    path="judges",
    question="How well do judges agree, how severe is each, and which systems do they rate higher?",
    parts=(
        session.Part(
            title="Agreement and severity",
            path="agreement",
            render=judge_agreement.render,
            needs="judgments",
            rests_on=(),
        ),
        session.Part(
            title="Human ranking", path="human-ranking", render=human_ranking.render, needs="judgments", rests_on=()
        ),
        session.Part(
            title="Error spans",
            path="error-spans",
            render=error_spans.render,
            needs="marked errors",
            hidden=True,
            rests_on=(),
        ),
    ),
    group="People",
    icon=":material/groups:",
)
