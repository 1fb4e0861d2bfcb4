"""Two systems: their difference, by slice and by n-gram, and the amount of text needed to show it."""

from __future__ import annotations

from dashboard import session
from dashboard.views.two_systems import difference, enough_text, errors, ngrams, slices

PAGE = session.Page(
    title="Two systems",
    path="two-systems",
    question="Is one system better than the other, by how much, where in the text, and how much text would show it?",
    parts=(
        session.Part(title="Difference", path="difference", render=difference.render, needs="two systems", rests_on=()),
        session.Part(title="Slices", path="slices", render=slices.render, needs="two systems"),
        session.Part(title="N-grams", path="ngrams", render=ngrams.render, needs="systems"),
        session.Part(title="Errors", path="errors", render=errors.render, needs="marked errors", hidden=True),
        session.Part(title="How much text", path="how-much-text", render=enough_text.render, needs="two systems"),
    ),
    group="Compare",
    icon=":material/compare_arrows:",
)
