"""The assessment of data: whether what is stated about them may be misleading."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast, get_args

import numpy as np

from bleu_core.dataset import Corpus
from bleu_core.diagnostics.declaration import Finding
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.register import OBSTRUCTS, findings, obstructing
from bleu_core.diagnostics.warnings.words_at_blanks import find_unsplit_words
from bleu_core.scoring import BUILT_IN_METRICS, Basis, BleuEvaluation, find_metric

#: Maximum number of outputs that are assessed if these are more than so many segments; of more, evenly spaced segments.
MAX_TEXTS, MIN_SEGMENTS = 3000, 500

#: Warnings about single metrics, which are raised for those whose scores are stated.
OF_METRICS = ("script", "words-at-blanks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Alarms that obstruct statements about the data in use: scores, ratings, and what rests on them.

    Attributes:
        assessed: what was assessed; empty for data whose texts are not known.
        findings: the alarms of the warnings that obstruct these.
        accepted: keys of the warnings that the user has accepted, which obstruct nothing.
        segments: number of segments that were assessed if they are a sample of the texts.
    """

    assessed: tuple[Basis, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[str, ...] = ()
    segments: int | None = None

    @classmethod
    def of_findings(cls, findings: Iterable[Finding]) -> Assessment:
        """Return the assessment of data for all statements by the findings of all warnings."""
        obstructing_keys = obstructing(*get_args(Basis))
        alarms = tuple(each for each in findings if each.strength == "alarm" and each.key in obstructing_keys)
        return cls(assessed=get_args(Basis), findings=alarms)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The alarms of warnings that are not accepted."""
        return tuple(finding for finding in self.findings if finding.key not in self.accepted)

    def obstacle(self, metric: str, basis: Basis, systems: Sequence[str], references: Sequence[str]) -> str:
        """Return why systems are not comparable by a metric, a sentence; empty if they are.

        Args:
            metric: its key.
            basis: what its scores rest on.
            systems: the compared systems.
            references: the references in use.
        """
        alarm = obstruction(self.open, basis, systems, references, metric=metric)
        return "" if alarm is None else alarm.not_comparable

    @property
    def encoded(self) -> str:
        """The assessment as JSON, without accepted warnings and the numbers of segments."""
        records = [{**_fields(finding), "segments": ()} for finding in self.findings]
        return json.dumps({"assessed": self.assessed, "findings": records, "segments": self.segments})

    def accepting(self, *keys: str) -> Assessment:
        """Return the assessment with further accepted warnings."""
        return replace(self, accepted=tuple(dict.fromkeys((*self.accepted, *keys))))


def decoded(texts: Iterable[str]) -> Assessment:
    """Return the assessment of data that were assessed in several parts; not assessed if one of them was not.

    Args:
        texts: as Assessment.encoded has them; empty for a part that was not assessed.

    Raises:
        ValueError: a text is damaged.
    """
    alarms: dict[Finding, None] = {}
    assessed: tuple[Basis, ...] = ()
    segments: int | None = None
    for text in texts:
        if not text:
            return Assessment()
        try:
            record: Any = json.loads(text)
            bases = tuple(basis for basis in get_args(Basis) if basis in record["assessed"])
            alarms |= dict.fromkeys(_finding(finding) for finding in record["findings"])
            segments = segments if record["segments"] is None else int(record["segments"])
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"the assessment is damaged ({error})") from None
        assessed = bases if not assessed else tuple(basis for basis in assessed if basis in bases)
    return Assessment(assessed=assessed, findings=tuple(alarms), segments=segments)


def _fields(finding: Finding) -> dict[str, Any]:
    return {field.name: getattr(finding, field.name) for field in fields(finding)}


def _finding(record: Any) -> Finding:
    """Return a finding of a record, whose values are texts or lists of texts."""
    values = {
        field.name: tuple(map(str, record[field.name])) if field.default == () else str(record[field.name])
        for field in fields(Finding)
        if field.name != "segments"
    }
    return Finding(**cast("Any", values))


def assess(data: DiagnosticInput, statements: Mapping[str, Basis]) -> Assessment:
    """Assess what statements rest on.

    Args:
        data: the texts and the ratings.
        statements: what is stated, such as the key of a metric or "ratings" -> what it rests on.
    """
    assessed = tuple(dict.fromkeys(statements.values()))
    of_ratings = obstructing("raw ratings", "adjusted ratings")
    keys = obstructing(*assessed) if assessed else ()
    step = -(-data.segments // max(MIN_SEGMENTS, MAX_TEXTS // len(data.systems)))
    rows = np.arange(0, data.segments, step)
    data = replace(data, alarms_only=True)
    sample = data if step == 1 else data.subset(rows.tolist())
    in_texts = [
        replace(finding, segments=tuple((rows[np.array(finding.segments, np.int64) - 1] + 1).tolist()))
        for finding in findings(sample, [key for key in keys if key not in (*of_ratings, *OF_METRICS)])
    ]
    unsplit = find_unsplit(data.corpus, data.evaluation, statements)
    in_ratings = findings(data, [key for key in keys if key in of_ratings])
    alarms = tuple(
        finding
        for finding in (*unsplit, *in_texts, *in_ratings)
        if finding.strength == "alarm" and not (finding.metrics and statements.keys().isdisjoint(finding.metrics))
    )
    return Assessment(assessed=assessed, findings=alarms, segments=None if step == 1 else len(rows))


def find_unsplit(corpus: Corpus, evaluation: BleuEvaluation, names: Iterable[str]) -> list[Finding]:
    """Return the findings of the warnings about single metrics.

    Args:
        corpus: the texts.
        evaluation: has the settings and the references in use.
        names: keys of the metrics; those that are not built in are ignored.
    """
    return [
        finding
        for name in names
        if name in BUILT_IN_METRICS
        for finding in find_unsplit_words(corpus, evaluation.settings, find_metric(name), evaluation.references)
    ]


def obstruction(
    alarms: Sequence[Finding],
    basis: Basis,
    systems: Sequence[str],
    references: Sequence[str] | None = None,
    *,
    metric: str = "",
) -> Finding | None:
    """Return the first alarm that obstructs a statement; None if there is none.

    An alarm counts only if it concerns one of the compared systems or no single system, and a reference in use or no
    single reference.

    Args:
        alarms: findings of warnings; others than alarms do not count.
        basis: what the statement rests on.
        systems: the compared systems.
        references: the references in use; None if all count.
        metric: the key of the metric; empty if alarms about any metric count.
    """

    def concerns(named: Sequence[str], used: Sequence[str] | None) -> bool:
        return not named or used is None or not set(named).isdisjoint(used)

    for finding in alarms:
        if finding.strength != "alarm" or basis not in OBSTRUCTS.get(finding.key, ()):
            continue
        of_metric = concerns(finding.metrics, (metric,) if metric else None)
        if of_metric and concerns(finding.systems, systems) and concerns(finding.references, references):
            return finding
    return None
