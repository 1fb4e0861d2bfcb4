"""Links of judges and of the lead. The token is in the fragment, which browsers send nowhere: it is in no log."""

from __future__ import annotations


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
