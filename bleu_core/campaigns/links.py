"""Links for judges and for the lead. The token is in the URL's fragment, which browsers never send: no log has it.

The browser history keeps the whole link. A judge's link is valid until it is replaced or the campaign ends; the lead's
link is exchanged for a session and expires.
"""

from __future__ import annotations

#: Hours for which the lead's link is valid, and the maximum number of sessions that it starts.
LEAD_LINK_HOURS, MAX_LEAD_SESSIONS = 24, 3


def judge_link(url: str, token: str) -> str:
    """Return the link to a judge's rating page.

    Args:
        url: address of the dashboard, with the path prefix, if any.
        token: of the judge.
    """
    return f"{url.rstrip('/')}/rate#{token}"


def lead_link(url: str, token: str) -> str:
    """Return the link to the lead's pages; arguments as `judge_link`."""
    return f"{url.rstrip('/')}/lead#{token}"
