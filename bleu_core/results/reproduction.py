"""Comparison of scores that sacreBLEU has printed with those computed here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from bleu_core.errors import listed
from bleu_core.fields import SYSTEM, Table, field, result, table_of

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import PrintedScore
    from bleu_core.scoring import BleuEvaluation, ScoredCorpus

Verdict = Literal["equal", "different", "not compared"]

#: Keys of signatures that do not affect scores: resampling, and the names of the test set and its languages.
WITHOUT_EFFECT = frozenset({"bs", "ar", "seed", "test", "lang"})
VERSION = "version"
#: Maximum number of files that a sentence names; further ones are counted.
MAX_FILES = 5


@result
class ReproducedScore:
    """A score that sacreBLEU has printed, and the one computed here."""

    file: str = field("text", "File with the score.")
    system: str = field(SYSTEM)
    metric: str = field("text", "Name of the metric, as sacreBLEU prints it.")
    printed: float = field("points", "Score in the file.", label="in the file")
    computed: float | None = field(
        "points", "Score computed here, under the settings in use.", label="here", default=None
    )
    verdict: Verdict = field("text", "Whether both scores are equal in all printed digits.")
    explanation: str = field("text", "Why they differ, or why they were not compared.", default="")


def reproduced_scores(
    printed: Sequence[PrintedScore], evaluation: BleuEvaluation, scored: Callable[[str], ScoredCorpus]
) -> tuple[ReproducedScore, ...]:
    """Compare each printed score with the one computed here.

    Args:
        printed: the scores, in any order.
        evaluation: the systems under the settings in use.
        scored: returns the scores of these systems by the metric with a key.
    """
    from bleu_core.scoring import key_of_label  # loaded when first needed

    keys = {label: key_of_label(label) for label in dict.fromkeys(score.metric for score in printed)}
    scores_by_label = {label: scored(key) for label, key in keys.items() if key is not None}
    return tuple(_compared(score, evaluation, scores_by_label.get(score.metric)) for score in printed)


def reproduction_table(scores: Sequence[ReproducedScore]) -> Table:
    """Return the scores in order; without the column of explanations if there are none."""
    table = table_of(scores, ReproducedScore)
    return table if any(score.explanation for score in scores) else table.without("explanation")


def reproduction_sentence(scores: Sequence[ReproducedScore]) -> str:
    """Return a sentence on the number of equal scores."""
    equal = sum(score.verdict == "equal" for score in scores)
    files = listed(dict.fromkeys(score.file for score in scores), max_items=MAX_FILES)
    verb = "equals the one" if equal == 1 else "equal those"
    return f"{equal:,} of {len(scores):,} scores in {files} {verb} computed here in all printed digits."


def _compared(printed: PrintedScore, evaluation: BleuEvaluation, scored: ScoredCorpus | None) -> ReproducedScore:
    verdict: Verdict = "not compared"
    computed = None
    if scored is None:
        why = f"{printed.metric} is not computed here"
    elif printed.system not in evaluation.systems:
        why = f"no output of {printed.system} is in use; choose the system of this file among the options of its format"
    else:
        computed = float(scored.scores[evaluation.systems.index(printed.system)])
        same = not math.isnan(computed) and _rounded(computed, printed.decimals) == _rounded(
            printed.score, printed.decimals
        )
        verdict = "equal" if same else "different"
        why = "" if same else "; ".join(_reasons(printed, evaluation, scored))
    return ReproducedScore(
        file=printed.origin,
        system=printed.system,
        metric=printed.metric,
        printed=printed.score,
        computed=math.nan if computed is None else computed,
        verdict=verdict,
        explanation=why,
    )


def _rounded(score: float, decimals: int) -> str:
    """Return the score as sacreBLEU prints it, without the sign of a zero."""
    return f"{score:z.{decimals}f}"


def _reasons(printed: PrintedScore, evaluation: BleuEvaluation, scored: ScoredCorpus) -> Iterator[str]:
    """Yield reasons why two scores of a system differ, if known."""
    if not printed.signature:
        yield "sacreBLEU prints no signature for several systems at once, so the settings may differ"
        return
    in_file, here = _values(printed.signature), _values(scored.signature)
    names = [name for name in {**here, **in_file} if in_file.get(name) != here.get(name) and name not in WITHOUT_EFFECT]
    settings = [name for name in names if name != VERSION]
    if settings:
        yield f"the file has {_formatted(in_file, settings)}; the score here has {_formatted(here, settings)}"
        return
    yield from _other_texts(printed, evaluation)
    if VERSION in names:
        yield f"the file is of another version of sacreBLEU ({in_file.get(VERSION)}; here {here.get(VERSION)})"
    elif not names:
        yield "the signatures are the same, so the texts must differ"


def _other_texts(printed: PrintedScore, evaluation: BleuEvaluation) -> Iterator[str]:
    """Yield sentences on texts of another length than in the file, if the file gives lengths."""
    place = evaluation.systems.index(printed.system)
    lengths = (
        ("system", printed.hypothesis_length, evaluation.scores.hypothesis_length[place]),
        ("reference", printed.reference_length, evaluation.scores.reference_length[place]),
    )
    for what, in_file, here in lengths:
        if in_file is not None and in_file != here:
            yield f"the text of the {what} had {in_file:,} tokens, here it has {here:,.0f}"


def _values(signature: str) -> Mapping[str, str]:
    """Return the values of a signature by key."""
    return {key: value for key, _, value in (part.partition(":") for part in signature.split("|"))}


def _formatted(keys: Mapping[str, str], names: Sequence[str]) -> str:
    return listed(f"{name}:{keys[name]}" if name in keys else f"no {name}" for name in names)
