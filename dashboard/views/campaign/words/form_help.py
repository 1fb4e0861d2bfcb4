"""What the form of a campaign says about itself."""

from __future__ import annotations

from collections.abc import Mapping

#: Characters that the boxes of the form hold.
MAX_LINE_LENGTH, MAX_INSTRUCTIONS_LENGTH = 2000, 20_000

CAMPAIGN_INTRODUCTION = (
    "A campaign asks people, the judges, to rate translations on a web page. Fill in the form, read on this page "
    "what the design can show, and create a file. A server is then started with that file, and every judge gets a link."
)
DRAWN_FROM_ALL = "Segments are drawn from the whole text, not from the slice that is chosen."
PAPER_CAMPAIGN_HELP = (
    "Fills in the campaign of Papineni et al. (2002): 50 segments of 5 systems, rated from 1 to 5 by 10 monolingual "
    "judges, who do not see the source, and 10 bilingual ones, who do. All judges rate everything in the same order."
)
PLAN_HELP = "A plan that was downloaded here, or written by hand; docs/campaigns.md lists its keys."
TITLE_HELP = "Judges read it above the instructions."
RATED_SYSTEMS_HELP = (
    "Judges never see the names of systems. Systems with the text of a reference are left out at first; choose them to "
    "have them rated, too."
)
UNIT_HELP = (
    "Single segments say most about systems for the same number of ratings. Whole documents let judges see the context."
)
STRATA_HELP = (
    "The values of this label, such as news and chat, have the same shares among the segments that are drawn as in the "
    "whole text."
)
CAMPAIGN_SEED_HELP = "The number from which all draws follow. The same plan, texts and seed give the same campaign."
NAMES_HELP = "What a number means, such as “1 = very bad”. Some or all numbers can have a name."
INSTRUCTIONS_HELP = "Judges read them before they begin. Plain text; an empty line begins a new paragraph."
PRESENTATION_HELP = (
    "One at a time, as in the paper, each translation is rated for itself. Side by side, judges compare the systems "
    "and read the source only once, which is faster."
)
MODE_HELP = (
    "Lists of their own: each judge has other segments in another order, so that no system gains by its place. One "
    "list for all: every judge rates everything in the same random order, as in the paper."
)
NO_SOURCE = "The data have no source text, so judges cannot see one. Add it on the Data page."
RATINGS_HELP = (
    "How many judges of a group rate each translation. With 2 or more, the page can tell how well judges agree."
)
REPEATS_HELP = (
    "This share of a judge's translations comes a second time, later in the list. It shows whether a judge is "
    "consistent. The second rating counts for nothing else."
)
DEGRADED_HELP = (
    "Copies of translations in which a phrase is missing or in the wrong place, as a share of a judge's translations. "
    "Attentive judges rate them lower than the originals."
)
TRAINING_HELP = (
    "Translations that judges rate before they begin, and are then told about. They show how the scale is meant. "
    "Nothing of them is stored."
)
RULE_HELP = "The rule is fixed now, before the first rating, and cannot be changed later."
LOOKS_HELP = (
    "How many times the interval is looked at, at equal distances. Every look has its share of the risk of an error, "
    "so more looks need slightly more ratings."
)

SERVING_EXPLAINED = (
    "The address 0.0.0.0 lets other computers reach the server, which judges need. With 127.0.0.1 only this computer "
    "can, which is enough to try the campaign yourself."
)

#: What is assumed of the differences of two systems -> label, and what it is; standard deviations in points.
SPREAD_LABELS: Mapping[str, str] = {"segment": "Segments", "judge": "Judges", "residual": "The rest"}
SPREAD_HELP: Mapping[str, str] = {
    "segment": (
        "How much the difference of two systems varies from segment to segment: a standard deviation in points of the "
        "scale."
    ),
    "judge": "How much the difference varies from judge to judge, as judges like different things: the same unit.",
    "residual": "How much one judge's difference on one segment varies beyond that, as by chance: the same unit.",
}

#: Rule -> what the form calls it.
RULE_NAMES: Mapping[str, str] = {
    "all ratings": "when every judge has finished",
    "number of ratings": "after a number of ratings",
    "width of the interval": "when an interval is narrow enough",
}

#: Rule -> what it means.
RULE_EXPLAINED: Mapping[str, str] = {
    "all ratings": "All judges rate their whole lists. This is the simplest rule.",
    "number of ratings": "The results are those of the first ratings, up to this number.",
    "width of the interval": (
        "The two systems with the smallest difference are compared. The campaign ends when the 95% interval of their "
        "difference is narrower than a width in points of the scale. The interval is looked at a few times only, "
        "which are announced now: who looks after every rating and stops when the result is welcome finds differences "
        "that do not exist."
    ),
}
