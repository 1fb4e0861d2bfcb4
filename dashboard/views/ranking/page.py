"""Ranking: the systems by their scores, in pairs, with each reference, and those of counts files."""

from __future__ import annotations

from dashboard import session
from dashboard.views.ranking import by_metric, counts, pairs, references, scores

PAGE = session.Page(
    title="Ranking",
    path="ranking",
    question="What does each system score, which differences are significant, and does the reference change the order?",
    parts=(
        session.Part(title="Scores", path="scores", render=scores.render, needs="systems", rests_on=()),
        session.Part(title="By metric", path="by-metric", render=by_metric.render, needs="systems"),
        session.Part(title="Pairs of systems", path="pairs", render=pairs.render, needs="two systems", rests_on=()),
        session.Part(title="By reference", path="by-reference", render=references.render, needs="two systems"),
        session.Part(
            title="Counts files", path="counts-files", render=counts.render, needs="counts", hidden=True, rests_on=()
        ),
    ),
    group="Compare",
    icon=":material/format_list_numbered:",
)
