"""Profiles of marked errors, their differences between two systems, and the agreement of spans; results are cached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.dataset import ErrorAnnotations
from bleu_core.digests import digest_of
from bleu_core.error_spans import (
    NONE_GIVEN,
    AdjustedErrors,
    Breakdown,
    ErrorDifferences,
    ErrorProfile,
    SpanAgreement,
    error_differences,
    metric_names,
    of_judges,
    of_metric,
    output_tokens,
    profile_errors,
    span_agreement,
)
from bleu_core.progress import Progress
from bleu_core.slicing import quoted
from dashboard import session
from dashboard.analysis.error_annotations import errors_in_use
from dashboard.analysis.ratings_in_use import ratings_or_none
from dashboard.analysis.shared import Fingerprinted
from dashboard.analysis.view import MissingDataError, View

#: The choice of the errors that judges marked, among those of metrics.
ALL_JUDGES = "judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOptions:
    """Options of a profile of errors.

    Attributes:
        by: what errors are divided by.
        metric: the metric whose errors are profiled; None for those of judges.
    """

    by: Breakdown = "severity"
    metric: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPair:
    """The errors of two systems.

    Attributes:
        profile: of all systems.
        differences: of the two.
        options: in force.
    """

    profile: ErrorProfile
    differences: ErrorDifferences
    options: ErrorOptions

    @property
    def metric(self) -> str | None:
        """The metric whose errors are profiled; None for those of judges."""
        return self.options.metric

    def expression(self, row: int) -> str:
        """Return the slice of the segments with errors of a row of the differences, in either system.

        By place, which slices do not know, it has all errors.

        Args:
            row: position from 0.
        """
        kind, field = self.differences.rows[row], self.options.by
        by = "" if self.metric is None else f" by {quoted(self.metric)}"
        systems = [quoted(name) for name in (self.differences.system, self.differences.baseline)]
        if kind.part == "all" or field == "place":
            return " or ".join(f"errors of {name}{by} > 0" for name in systems)
        value = "" if kind.name == NONE_GIVEN else kind.name
        return " or ".join(f"{field} of {name}{by} = {quoted(value)}" for name in systems)


def error_sources(view: View) -> tuple[str, ...]:
    """Return whose errors can be profiled: the judges', if they marked any, and those of each metric.

    Raises:
        MissingDataError: nobody marked errors.
    """
    annotations = marked_errors(view)
    people = any(not annotator.is_metric for annotator in annotations.annotators)
    return (*([ALL_JUDGES] if people else []), *metric_names(annotations))


def marked_errors(view: View) -> ErrorAnnotations:
    """Return the errors that judges and metrics marked in the selected systems.

    Raises:
        MissingDataError: nobody marked errors.
    """
    annotations = errors_in_use(view)
    if annotations is None:
        raise MissingDataError("no marked errors found; add a file of judgments with marked errors, such as MQM")
    return annotations


def default_error_options(view: View) -> ErrorOptions:
    """Return the options of the judges' errors, or of those of the first metric.

    Raises:
        MissingDataError: nobody marked errors.
    """
    source = error_sources(view)[0]
    return ErrorOptions(metric=None if source == ALL_JUDGES else source)


def profile_of_errors(view: View, options: ErrorOptions) -> ErrorProfile:
    """Return errors per 1,000 tokens of the selected systems.

    Raises:
        MissingDataError: nobody marked errors.
    """
    return _profile(view.scope, _errors(view), options)


def errors_of_pair(view: View, options: ErrorOptions, system: str, baseline: str) -> ErrorPair:
    """Return the errors of two systems, with tests of their differences.

    Raises:
        MissingDataError: nobody marked errors.
    """
    errors = _errors(view)
    others = _confounded_errors(view) if options.metric is None else None
    return ErrorPair(
        profile=_profile(view.scope, errors, options),
        differences=_differences(view.scope, errors, options, others, system=system, baseline=baseline),
        options=options,
    )


def agreement_of_spans(view: View) -> SpanAgreement:
    """Return the agreement of the spans of judges with each other, and of metrics with judges.

    Raises:
        MissingDataError: nobody marked errors.
    """
    return _agreement(view.scope, _errors(view))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Errors:
    """The marked errors, the tokens of the systems and the documents of the segments."""

    annotations: ErrorAnnotations
    tokens: Integers
    documents: tuple[str, ...] | None


def _errors(view: View) -> Fingerprinted[_Errors]:
    documents = view.workspace.corpus.documents
    errors = _Errors(
        annotations=marked_errors(view),
        tokens=output_tokens(view.evaluation),
        documents=None if documents is None else tuple(documents),
    )
    return Fingerprinted(value=errors, fingerprint=digest_of(errors))


def _confounded_errors(view: View) -> Fingerprinted[_Errors] | None:
    """Return the errors in all rated systems of the data if judges are confounded with these; otherwise None."""
    ratings = None if view.workspace.judgments is None else ratings_or_none(view)
    if ratings is None or not ratings.policy.confounded:
        return None
    annotations = errors_in_use(view, ratings.judgments.systems)
    if annotations is None:
        return None
    documents = view.workspace.corpus.documents
    errors = _Errors(
        annotations=annotations,
        tokens=np.empty((0, 0), np.int64),
        documents=None if documents is None else tuple(documents),
    )
    return Fingerprinted(value=errors, fingerprint=digest_of(errors))


def _chosen(errors: _Errors, options: ErrorOptions) -> ErrorAnnotations:
    return of_judges(errors.annotations) if options.metric is None else of_metric(errors.annotations, options.metric)


@session.cached("Counting errors", "errors")
def _profile(_: Progress, errors: Fingerprinted[_Errors], options: ErrorOptions) -> ErrorProfile:
    return profile_errors(_chosen(errors.value, options), errors.value.tokens, options.by)


@session.cached("Comparing errors", "trials")
def _differences(
    progress: Progress,
    errors: Fingerprinted[_Errors],
    options: ErrorOptions,
    confounded: Fingerprinted[_Errors] | None,
    *,
    system: str,
    baseline: str,
) -> ErrorDifferences:
    adjusted = None
    if confounded is not None:
        adjusted = AdjustedErrors(_chosen(confounded.value, options), confounded.value.documents)
    return error_differences(
        _chosen(errors.value, options),
        errors.value.tokens,
        system,
        baseline,
        by=options.by,
        documents=errors.value.documents,
        adjusted=adjusted,
        progress=progress,
    )


@session.cached("Comparing error spans", "pairs of judges")
def _agreement(progress: Progress, errors: Fingerprinted[_Errors]) -> SpanAgreement:
    return span_agreement(errors.value.annotations, errors.value.documents, progress=progress)
