"""Agreement: how well scores agree with judges, by system, by segment and by class of segments."""

from __future__ import annotations

from dashboard import session
from dashboard.views.agreement import by_class, by_segment, by_system

PAGE = session.Page(
    title="Agreement",
    path="agreement",
    question="How well do scores agree with the judges on systems and on single segments, and where do they not?",
    parts=(
        session.Part(title="By system", path="by-system", render=by_system.render, needs="judgments"),
        session.Part(title="By segment", path="by-segment", render=by_segment.render, needs="judgments"),
        session.Part(title="By class", path="by-class", render=by_class.render, needs="judgments"),
    ),
    group="People",
    icon=":material/handshake:",
)
