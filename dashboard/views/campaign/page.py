"""Campaign: design, run and analyse a human evaluation."""

from __future__ import annotations

from dashboard import session
from dashboard.views.campaign import design, run

PAGE = session.Page(
    title="Campaign",
    path=run.PATH,
    question="How do people rate these translations?",
    parts=(
        session.Part(title="Run", path="run", render=run.render, needs="campaign", hidden=True, rests_on=()),
        session.Part(title="Design", path="design", render=design.render, needs="systems", rests_on=()),
    ),
    group="People",
    icon=":material/rate_review:",
)
