"""Help texts of the campaign form."""

from __future__ import annotations

from collections.abc import Mapping

#: Maximum number of characters of the form's boxes.
MAX_LINE_LENGTH, MAX_INSTRUCTIONS_LENGTH = 2000, 20_000

CAMPAIGN_INTRODUCTION = (
    "In a campaign, people, the judges, rate translations on a web page. Fill in the form, check on this page what the "
    "design can show, and create a file. Then start a server with that file, and send every judge a link."
)
DRAWN_FROM_ALL = "Segments are drawn from the whole text, not from the selected slice."
PAPER_CAMPAIGN_HELP = (
    "Fills in the campaign of Papineni et al. (2002): 50 segments of 5 systems, rated from 1 to 5 by 10 monolingual "
    "judges, who do not see the source, and 10 bilingual ones, who do. All judges rate everything in the same order."
)
PLAN_HELP = "A plan that was downloaded here, or written by hand; docs/campaigns.md lists its keys."
TITLE_HELP = "Judges read it above the instructions."
RATED_SYSTEMS_HELP = (
    "Judges never see the names of systems. By default, systems with the text of a reference are left out; select them "
    "to have them rated, too."
)
UNIT_HELP = (
    "Single segments say most about systems for the same number of ratings. Whole documents let judges see the context."
)
STRATA_HELP = (
    "The values of this label, such as news and chat, have the same shares among the drawn segments as in the whole "
    "text."
)
CAMPAIGN_SEED_HELP = "Seed of all random draws. The same plan, texts and seed give the same campaign."
NAMES_HELP = "What a number means, such as “1 = very bad”. Some or all numbers can have a name."
INSTRUCTIONS_HELP = "Judges read them before they start. Plain text; an empty line starts a new paragraph."
PRESENTATION_HELP = (
    "One at a time, as in the paper, each translation is rated on its own. Side by side, judges compare the systems "
    "and read the source only once, which is faster."
)
MODE_HELP = (
    "Separate lists: each judge has other segments in another order, so that no system gains by its position. One list "
    "for all: every judge rates everything in the same random order, as in the paper."
)
NO_SOURCE = "The data have no source text, so judges cannot see one. Add it on the Data page."
RATINGS_HELP = (
    "How many judges of a group rate each translation. With 2 or more, the page can tell how well judges agree."
)
REPEATS_HELP = (
    "This share of a judge's translations is repeated later in the list, to check whether the judge is consistent. The "
    "second rating is used for nothing else."
)
DEGRADED_HELP = (
    "Copies of translations in which a phrase is missing or in the wrong place, as a share of a judge's translations. "
    "Attentive judges rate them lower than the originals."
)
TRAINING_HELP = (
    "Training examples with feedback, which judges rate before they start. They explain the scale and are not stored."
)
RULE_HELP = "The rule is fixed now, before the first rating, and cannot be changed later."
ANALYSES_HELP = (
    "Number of interim analyses, equally spaced. Each has a share of the error probability, so more analyses need "
    "slightly more ratings."
)

SERVING_EXPLAINED = (
    "The address 0.0.0.0 lets other computers reach the server, which judges need. With 127.0.0.1 only this computer "
    "can, which is enough to try the campaign yourself."
)

#: Component of the variation of the difference of two systems -> label and help; standard deviations in points.
SPREAD_LABELS: Mapping[str, str] = {"segment": "Segments", "judge": "Judges", "residual": "Residual"}
SPREAD_HELP: Mapping[str, str] = {
    "segment": ("Standard deviation of the difference of two systems between segments, in points of the scale."),
    "judge": (
        "Standard deviation of the difference between judges, who have different preferences, in points of the scale."
    ),
    "residual": "Residual standard deviation of one judge's difference on one segment, in points of the scale.",
}

#: Rule -> its label.
RULE_NAMES: Mapping[str, str] = {
    "all ratings": "when every judge has finished",
    "number of ratings": "after a number of ratings",
    "width of the interval": "when an interval is narrow enough",
}

#: Rule -> its explanation.
RULE_EXPLAINED: Mapping[str, str] = {
    "all ratings": "All judges rate their whole lists. This is the simplest rule.",
    "number of ratings": "The results are those of the first ratings, up to this number.",
    "width of the interval": (
        "The two systems with the smallest difference are compared. The campaign ends when the 95% interval of their "
        "difference is narrower than a width in points of the scale. The interval is checked only in a few interim "
        "analyses, which are fixed now: checking after every rating and stopping at a good moment produces false "
        "positives."
    ),
}
