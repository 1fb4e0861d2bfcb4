"""Links of judges and of the lead. The token is in the fragment, which browsers send nowhere: it is in no log.

Browsers keep links in their history, with the token. A judge's link is valid until it is replaced or the campaign
ends; the lead's is exchanged for a session, and expires.
"""

from __future__ import annotations

#: Hours for which the lead's link can be opened, and how many sessions it begins at most.
LEAD_LINK_HOURS, MAX_LEAD_SESSIONS = 24, 3


def judge_link(url: str, token: str) -> str:
    """The link to a judge's rating page.

    Args:
        url: at which the dashboard is served, with the path prefix, if any.
        token: of the judge.
    """
    return f"{url.rstrip('/')}/rate#{token}"


def lead_link(url: str, token: str) -> str:
    """The link to the lead's pages; arguments as `judge_link`."""
    return f"{url.rstrip('/')}/lead#{token}"
