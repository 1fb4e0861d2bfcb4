"""Judges who rated some systems more than others, so that raw mean ratings depend on who rated which system."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bleu_core.agreement import pearson
from bleu_core.dataset import identical_texts, rated_segments
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent
from bleu_core.fields import decimal
from bleu_core.judges import CONFOUNDING_ALPHA, Confounding, confounding, is_unbalanced, why_not_connected

KEY = "confounded-judges"
ADVICE = (
    "Compare systems, and metrics with judges, by mean ratings adjusted for judges: --adjust-judges, or “Adjust for "
    "judges” on the pages."
)
CONNECT = "Collect ratings of systems of different groups by the same judges on the same segments."
#: Minimum weight of further judges that are named, as a fraction of the largest: severity times range of shares.
MIN_RELATIVE_WEIGHT = 0.25
#: Minimum number of systems for a correlation.
MIN_SYSTEMS = 3


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    judgments = data.judgments
    if judgments is None or judgments.adjusted_means:
        return ()
    human = {copy.system for copy in identical_texts(data.corpus) if copy.role == "reference"}
    human |= {translation.system for translation in data.humans} | set(data.corpus.references)
    compared = data.distinct_systems
    # as of the policy for ratings: of all rated systems, as two alone may have too few ratings to show it
    rated = [name for name in judgments.systems if name not in human and (name in compared or name not in data.systems)]
    if len(rated) < 2 or rated_segments(judgments, rated).too_few:  # noqa: PLR2004 # systems that are compared
        return ()
    unconnected = why_not_connected(judgments, rated)
    if unconnected:
        return (
            Finding(
                key=KEY,
                systems=tuple(rated),
                message=f"Mean ratings of systems cannot be told from the severity of their judges: {unconnected}.",
                strength="alarm",
                advice=CONNECT,
                obstacle=f"mean ratings cannot be told from the severity of judges: {unconnected}",
            ),
        )
    if not is_unbalanced(judgments, rated):  # takes a fraction of the time of the full check
        return ()
    confounded = confounding(judgments, rated, data.corpus.documents)
    if not confounded.confounded:
        return ()
    misleading = confounded.misleading
    differences = (
        f"{len(misleading):,} of {len(confounded.effects):,} differences between systems are significant in raw mean "
        "ratings, and in adjusted ones not significant or reversed"
    )
    involved = {name for pair in misleading for name in (pair.system, pair.baseline)}
    about_judges = _about_judges(confounded)
    return (
        Finding(
            key=KEY,
            systems=tuple(name for name in data.systems if name in involved),
            message=f"{_correlations(data, confounded)}{about_judges} {differences}.",
            strength="alarm",
            advice=ADVICE,
            obstacle=f"raw mean ratings depend on who rated which system; {differences}",
            cause=about_judges,
        ),
    )


def _correlations(data: DiagnosticInput, result: Confounding) -> str:
    """Return the correlations of BLEU with adjusted and raw means, a sentence and a blank; empty if undefined."""
    score = dict(zip(data.systems, data.evaluation.scores.score.tolist(), strict=True))
    means = result.means
    known = [name in score for name in means.systems]
    if sum(known) < MIN_SYSTEMS:
        return ""
    scores = np.array([score[name] for name in means.systems if name in score])
    adjusted, raw = (pearson(scores, values[known]).coefficient for values in (means.adjusted, means.raw))
    if math.isnan(adjusted) or math.isnan(raw):
        return ""
    return (
        f"Over {len(scores):,} systems, BLEU and judges correlate at r = {decimal(adjusted)} if mean ratings are "
        f"adjusted for judges, and at r = {decimal(raw)} by raw mean ratings. "
    )


def _about_judges(result: Confounding) -> str:
    """Describe the judge with the largest effect, and the systems with the most and the least severe judges."""
    means = result.means
    weight = np.abs(means.severities) * np.ptp(means.shares, axis=0)
    judge = int(np.argmax(weight))
    shares = means.shares[:, judge]
    low, high = int(np.argmin(shares)), int(np.argmax(shares))
    severity = float(means.severities[judge])
    direction = "below" if severity < 0 else "above"
    order = np.argsort(means.roster_severity)
    severe, lenient = (means.systems[int(k)] for k in (order[0], order[-1]))
    large = [int(j) for j in np.argsort(-weight) if weight[j] > weight[judge] * MIN_RELATIVE_WEIGHT]
    others = [means.judges[j].name for j in large if j != judge]
    also = f" (next: {names(others)})" if others else ""
    first = means.judges[judge].name
    return (
        f"{first}, whose ratings lie {decimal(abs(severity))} {direction} those of the average judge, gave "
        f"{percent(float(shares[low]))} of the ratings of {means.systems[low]} and {percent(float(shares[high]))} of "
        f"those of {means.systems[high]}{also}; {severe} had the most severe judges, and {lenient} the most lenient."
    )


WARNING = TrustWarning(
    key=KEY,
    title="Judges confounded with systems",
    checked="Where segments have several judges, the severity of each is estimated by least squares with systems and "
    "segments. The mean severity of the judges of each system varies more over systems than it would if judges rated "
    f"them at random within segments (permutation test, p < {CONFOUNDING_ALPHA:g}), judges differ in severity "
    f"(F test, p < {CONFOUNDING_ALPHA:g}), and differences that are significant in raw means are not so, or reversed, "
    "in means adjusted for judges (Holm). Systems that no judges and segments connect cannot be compared at all.",
    misleads="A system that severe judges rated has a low mean rating, whatever it is worth, so BLEU seems to "
    "contradict judges, or to agree with them.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.006,  # of rosters that are random within segments, see docs/human-ranking.md
    find=_find,
)
