"""Test sets: the systems over all test sets, overall, and what to expect on the next one."""

from __future__ import annotations

from dashboard import session
from dashboard.views.test_sets import agreement, next_set, overall, replicates, scores

PAGE = session.Page(
    title="Test sets",
    path="test-sets",
    question="Which system is better over all test sets, where is it not, and what is to be expected on the next one?",
    parts=(
        session.Part(title="By test set", path="scores", render=scores.render, needs="test sets", rests_on=()),
        session.Part(title="Overall", path="overall", render=overall.render, needs="test sets", rests_on=()),
        session.Part(title="Next test set", path="next", render=next_set.render, needs="test sets", rests_on=()),
        session.Part(
            title="Agreement over test sets", path="agreement", render=agreement.render, needs="test sets", rests_on=()
        ),
        session.Part(title="Replicates", path="replicates", render=replicates.render, needs="two systems", rests_on=()),
    ),
    icon=":material/stacks:",
)
