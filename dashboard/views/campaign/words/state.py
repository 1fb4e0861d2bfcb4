"""Sentences about a served campaign: state, links, and its ratings on other pages. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from bleu_core.campaigns import CampaignStatus
from bleu_core.dataset import plural
from bleu_core.errors import listed
from dashboard.words import INTERVAL, coefficient, percent

#: State -> its meaning for the judges.
STATES: Mapping[str, str] = {
    "new": "The campaign is not open yet. Judges who follow their links are asked to wait.",
    "open": "The campaign is open: judges can rate.",
    "paused": (
        "The campaign is paused. Judges cannot rate now; ratings that have not arrived yet wait on their devices until "
        "you resume."
    ),
    "closed": "The campaign is closed. Judges can no longer rate. It can be reopened.",
    "stopped": "The campaign has ended by its rule. It cannot be reopened.",
}

#: Event -> label of its button; "reopened" depends on the previous state.
BUTTONS: Mapping[str, str] = {
    "opened": "Open",
    "paused": "Pause",
    "reopened": "Resume",
    "closed": "Close",
    "stopped": "End by the rule",
}

#: Maximum number of judges that a sentence names.
MAX_NAMED = 20

CLOSE_QUESTION = "Close the campaign? Judges who have not finished can no longer rate."
STOP_QUESTION = "End the campaign for good? It cannot be reopened."

LINKS_EXPLAINED = (
    "Each judge has a personal link. Anyone with the link can rate in that judge's name. A link is shown only once, "
    "when it is made, as this server keeps no copy. A new link makes the judge's older one void; ratings are kept."
)
LINKS_SHOWN_ONCE = "Copy or download these links now. They cannot be shown again. Older links of these judges are void."
ADDRESS_HELP = (
    "The first part of every link: the address at which judges reach this server. If it is localhost or 127.0.0.1, "
    "only this computer can reach it: enter the computer's name or address in the network."
)
JUDGES_TO_LINK_HELP = "By default, those who have no link yet. The page asks before it replaces a link."
CODES_EXPLAINED = (
    "A judge who has answered everything is shown this code. Services that pay judges often ask for one: compare it "
    "with this list."
)
EXCLUSION_EXPLAINED = (
    "Ratings of an excluded judge stay in the file, but are not used. Judges are never excluded automatically. Your "
    "reason is stored with the campaign, and papers should report it."
)
FILES_EXPLAINED = (
    "`{program} campaign backup FILE COPY` makes a complete copy of the campaign, also while it is served. "
    "One ZIP has these files:"
)
FLOW_EXPLAINED = (
    "The pages under People, and all others, have the ratings of this campaign in the file “{name}”. Ratings of "
    "repeats and degraded copies are not in it."
)
LIVE_EXPLAINED = "New ratings are loaded whenever a page is updated."
REMOVED = "The ratings were removed from the files on the Data page."
EARLY_RESULTS = (
    "Checking results repeatedly and ending the campaign at a good moment produces false positives: 95% intervals then "
    "cover the true difference less often than 95% of the time. Look earlier only if nothing depends on it, and report "
    "it in your paper."
)
EARLY_RESULTS_ELSEWHERE = (
    "The other pages show results between the interim analyses of the rule. To see none before the next one, freeze "
    "the ratings."
)
NO_MEANS = "There are no ratings yet."
SYSTEMS_MISSING_HINT = "Start the server with their files, or add them on the Data page."


def campaign_headline(status: CampaignStatus) -> str:
    """State the title of the campaign and its progress."""
    return f"{status.title or 'The campaign'}: {percent(status.share)} of the judges' lists is answered."


def answered_so_far(status: CampaignStatus) -> str:
    """State how many translations are rated and skipped."""
    return f"{status.answered:,} of {status.expected:,} translations answered, {status.skipped:,} of them skipped"


def agreement_so_far(status: CampaignStatus) -> str:
    """Describe the agreement of the judges."""
    alpha = status.alpha.krippendorff
    if alpha.reason:
        return f"Agreement of the judges is undefined: {alpha.reason}."
    low, high = coefficient(alpha.interval.low), coefficient(alpha.interval.high)
    return (
        f"Krippendorff's alpha of the judges is {coefficient(alpha.coefficient)} ({INTERVAL} {low} to {high}), over "
        f"{alpha.items:,} {plural(alpha.items, 'translation')} that several judges have rated. 1 is "
        "perfect agreement, and 0 is what chance gives."
    )


def hidden_means(*, looks: bool) -> str:
    """Explain until when means are hidden, and why.

    Args:
        looks: whether the rule has interim analyses.
    """
    return (
        f"Means are hidden until {'the first interim analysis' if looks else 'the campaign has ended'}. {EARLY_RESULTS}"
    )


def basis_of_means(status: CampaignStatus) -> str:
    """State which ratings the means are based on."""
    return (
        f"Means and differences in points of the scale, with {INTERVAL}s, over the first {status.ratings_in_means:,} "
        f"{plural(status.ratings_in_means, 'rating')}. Excluded judges are not used."
    )


def proposed_exclusion(judge: str, why: str) -> str:
    """Explain why excluding a judge is proposed."""
    return f"{judge}'s ratings may be unreliable. {why}"


def replace_links_question(judges: Sequence[str]) -> str:
    """Ask whether to replace links, and explain the consequence for these judges."""
    links = "this link" if len(judges) == 1 else f"{len(judges):,} links"
    return f"Replace {links}? Judges lose access until you send the new ones: {listed(judges, max_items=MAX_NAMED)}."


def frozen_since(time: str, *, newer: bool) -> str:
    """State since when no new ratings are loaded, and whether there are some."""
    now = "New ratings or exclusions have come since." if newer else "Nothing has changed since."
    return f"Frozen at {time}. {now}"


def systems_not_loaded(names: list[str]) -> str:
    """Name the systems whose texts are missing on the other pages."""
    count = len(names)
    are = "is" if count == 1 else "are"
    return (
        f"{count:,} {plural(count, 'system')} of the campaign {are} not loaded: {listed(names)}. {SYSTEMS_MISSING_HINT}"
    )


def only_this_computer(url: str) -> str:
    """Warn that an address leads judges to their own computers; empty otherwise."""
    host = urlsplit(url).hostname
    if host in {"localhost", "127.0.0.1", "::1", "0.0.0.0"}:  # noqa: S104 # the user may have typed it
        return f"{host} is this computer only. These links do not work on other computers."
    return ""
