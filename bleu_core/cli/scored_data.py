"""The scored systems of a call, and the pairs and units of their comparison."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from bleu_core.cli.chosen_settings import reads_ratings, settings_for, settings_of
from bleu_core.cli.counts_files import (
    assessment_of_counts,
    humans_counted,
    names_counts,
    read_counts_of,
    settings_of_counts,
    warnings_about,
)
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import (
    choose_ratings,
    chosen_judges,
    rating_choices,
    raw_means_notes,
    unused_weights,
)
from bleu_core.cli.optimised import check_marks, marks_of
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus, human_note, optimised_note, plural, too_few_systems
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.formats import printable_path
from bleu_core.inference import (
    MIN_PERCENTILE_UNITS,
    MIN_UNITS,
    Blocks,
    Pair,
    baseline_pairs,
    document_blocks,
    ranked_pairs,
)
from bleu_core.scoring import (
    DEFAULT_METRIC,
    HUMAN,
    BleuEvaluation,
    CorpusScores,
    ScoredCorpus,
    evaluate,
    metric_of_scores,
)

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.agreement import MetricScores
    from bleu_core.cli.input_files import Copies
    from bleu_core.dataset import (
        AlignedData,
        AlignedRatings,
        HumanTranslation,
        Judgments,
        LineRepair,
        MissingText,
        ScoreTable,
    )
    from bleu_core.diagnostics import Assessment
    from bleu_core.scoring import Basis, Metric, NgramStats, SegmentStatistics
    from bleu_core.slicing import Slice


#: Why draws are not used.
FEW_UNITS = f"fewer than {MIN_PERCENTILE_UNITS} units are compared by the jackknife, which draws nothing"

#: Treatment of human translations among the systems.
Treatment = Literal["warned of", "noted", "excluded"]


@dataclass(frozen=True, kw_only=True)  # without slots, which exclude cached properties
class ScoredData:
    """The scored systems of a call.

    Attributes:
        evaluation: the evaluation by BLEU; of bundled counts only the scores of the corpus.
        documents: the document of each segment, if known.
        warnings: warnings about the files.
        slice: the slice of the text that was used, if any.
        repairs: repairs of lines, each with the name of its file.
        missing: the outputs that cannot be used.
        corpus: the texts; None for counts files.
        humans: human translations that are named in a note; if they are excluded, they are not among the systems.
        ratings: the ratings of the files, if they were read.
        raw_ratings: as for MetricsInUse.
    """

    evaluation: BleuEvaluation | CorpusScores
    documents: Sequence[str] | None
    warnings: Sequence[str]
    _score: Callable[[], tuple[ScoredCorpus, ...]]
    _assess: Callable[[], Assessment]
    slice: Slice | None = None
    repairs: Sequence[tuple[str, LineRepair]] = ()
    missing: Sequence[MissingText] = ()
    corpus: Corpus | None = None
    humans: Sequence[HumanTranslation] = ()
    ratings: AlignedRatings | None = None
    raw_ratings: bool = False

    @cached_property
    def metrics(self) -> tuple[ScoredCorpus, ...]:
        """The systems, scored by each metric of the call."""
        return self._score()

    @property
    def metric(self) -> ScoredCorpus:
        """The systems, scored by the first metric of the call."""
        return self.metrics[0]

    @cached_property
    def assessment(self) -> Assessment:
        """Whether the scores can be compared."""
        return self._assess()

    @property
    def units(self) -> int:
        """Number of segments or, in bundled counts, of bundles."""
        return self.evaluation.statistics.segments


def load_scored(
    options: argparse.Namespace, names: Sequence[str] | None = None, *, humans: Treatment = "warned of"
) -> ScoredData:
    """Read and score the texts of a call, or read its counts files.

    Args:
        options: options of the call.
        names: files of the systems, or their names in a workspace; those of the options if None.
        humans: whether copies of references cause warnings, or human translations are named in a note, or are named
            and excluded from the systems.

    Raises:
        BleuCoreError: the files or the settings are invalid, or all systems are excluded as human translations.
        OSError: a file cannot be read.
    """
    if names_counts(options):
        return _read_counts(options, humans)
    files = InputFiles(options) if names is None else InputFiles(options, systems=names)
    copies: Copies = "warnings" if humans == "warned of" else "note"
    if isinstance(options.metric, list):
        in_use = read_with_metrics(options, files, copies=copies)
        if not in_use.metrics:  # raises the error that segments have no scores
            whole = tuple(metric_of_scores(table, label=name) for name, table in in_use.whole.items())
            in_use = in_use._replace(metrics=whole)
        files.warnings += [f"{name}: scores of whole systems only, which cannot be tested" for name in in_use.whole]
    else:
        in_use = read_with_metric(options, files, copies=copies)
    corpus, metrics = in_use.corpus, in_use.metrics
    others = files.other_systems
    if names is not None and options.workspace is not None:
        others |= {name: text for name, text in corpus.systems.items() if name not in names}
        corpus = _of_systems(corpus, names)
    if humans == "excluded":
        corpus = ranked_corpus(corpus, files.human_translations)
    evaluation = evaluated(options, corpus)
    about_metrics = (warning for metric in metrics for warning in metric_warnings(corpus, evaluation, metric))
    return ScoredData(
        evaluation=evaluation,
        documents=corpus.documents,
        warnings=[*files.warnings, *about_metrics],
        _score=lambda: tuple(scored(corpus, evaluation, metric) for metric in metrics),
        _assess=lambda: assessed(
            options,
            corpus,
            evaluation,
            bases(metrics),
            judgments=in_use.judgments,
            humans=files.human_translations,
            others=others,
        ),
        slice=files.slice,
        repairs=files.repairs,
        missing=files.missing_systems,
        corpus=corpus,
        humans=files.human_translations,
        ratings=in_use.ratings,
        raw_ratings=in_use.raw_ratings,
    )


def _of_systems(corpus: Corpus, names: Sequence[str]) -> Corpus:
    """Return the corpus with some of its systems, in the order given.

    Raises:
        SettingsError: a system does not exist.
    """
    for name in names:
        if name not in corpus.systems:
            raise SettingsError(f"system {name!r} found, one of {', '.join(corpus.systems)} expected")
    return replace(corpus, systems={name: corpus.systems[name] for name in names})


def read_with_metric(options: argparse.Namespace, files: InputFiles, *, copies: Copies) -> MetricsInUse:
    """Read the texts of a call, and return them with the metric of the call, which may be one of its files.

    Args:
        options: options of the call.
        files: its files.
        copies: as for InputFiles.corpus.

    Raises:
        BleuCoreError: the files are invalid.
        SettingsError: there is no such metric, or files have several and the call names none.
    """
    from bleu_core.scoring import BUILT_IN_METRICS, find_metric, label_tables  # loaded when first needed

    if options.metric in BUILT_IN_METRICS and not reads_ratings(options):
        return MetricsInUse(files.corpus(copies=copies), (find_metric(options.metric),))
    data = files.dataset(copies=copies)
    if options.metric == HUMAN:
        return ratings_as_metric(options, files, data)
    uploaded = label_tables(data.scores)
    if options.metric is None and len(uploaded) > 1:
        raise SettingsError(f"argument --metric: name one of the metrics of the files ({', '.join(uploaded)})")
    name = options.metric or next(iter(uploaded), DEFAULT_METRIC)
    return MetricsInUse(data.corpus, (_metric_named(name, uploaded),))


class MetricsInUse(NamedTuple):
    """The texts of a call, and the metrics that it names.

    Attributes:
        corpus: the texts.
        metrics: the metrics with scores of segments; empty if files have scores of whole systems only.
        whole: label -> scores, of the metrics with scores of whole systems only.
        ratings: the ratings of the files, if they were read.
        judgments: the ratings that are one of the metrics, if they are.
        raw_ratings: whether these are raw though judges are confounded with systems, see choose_ratings.
    """

    corpus: Corpus
    metrics: tuple[Metric, ...] = ()
    whole: Mapping[str, ScoreTable] = MappingProxyType({})
    ratings: AlignedRatings | None = None
    judgments: Judgments | None = None
    raw_ratings: bool = False


def read_with_metrics(options: argparse.Namespace, files: InputFiles, *, copies: Copies) -> MetricsInUse:
    """Read the texts of a call, and return them with its metrics: those named, and those of its files.

    If the call names a metric of the files, their other metrics are not used.

    Args:
        options: options of the call.
        files: its files.
        copies: as for InputFiles.corpus.

    Raises:
        BleuCoreError: the files are invalid.
        SettingsError: there is no such metric.
    """
    from bleu_core.scoring import BUILT_IN_METRICS, find_metric  # loaded when first needed

    names: list[str] = list(dict.fromkeys(options.metric))
    of_texts = not options.metric_scores and not reads_ratings(options)
    if of_texts and all(name in BUILT_IN_METRICS for name in names):
        return MetricsInUse(files.corpus(copies=copies), tuple(find_metric(name) for name in names))
    return metrics_of_data(options, files, files.dataset(copies=copies))


def metrics_of_data(options: argparse.Namespace, files: InputFiles, data: AlignedData) -> MetricsInUse:
    """Return what read_with_metrics returns, of data that have been read.

    Args:
        options: options of the call.
        files: its files.
        data: their data.
    """
    from bleu_core.scoring import label_tables  # loaded when first needed

    names: list[str] = list(dict.fromkeys(options.metric))
    uploaded = label_tables(data.scores)
    if options.metric_scores and uploaded.keys().isdisjoint(names):
        names += uploaded
    names = names or [DEFAULT_METRIC]
    whole = {name: uploaded[name] for name in names if name in uploaded and uploaded[name].level == "system"}
    of_ratings = ratings_as_metric(options, files, data) if HUMAN in names else None
    metrics: list[Metric] = []
    for name in names:
        if name == HUMAN and of_ratings is not None:
            metrics += of_ratings.metrics
        elif name not in whole:
            metrics.append(_metric_named(name, uploaded))
    in_use = MetricsInUse(data.corpus) if of_ratings is None else of_ratings
    return in_use._replace(metrics=tuple(metrics), whole=whole, ratings=data.ratings)


def ratings_as_metric(options: argparse.Namespace, files: InputFiles, data: AlignedData) -> MetricsInUse:
    """Return the metric whose scores are the ratings by the judges of the call, see choose_ratings.

    Args:
        options: options of the call.
        files: its files, whose warnings get those about the ratings.
        data: the data of the files.

    Raises:
        AlignmentError: the ratings are of whole systems only, or cannot be adjusted for judges.
        SettingsError: there are no ratings, or all judges are excluded.
    """
    from bleu_core.judges import metric_of_ratings  # loaded when first needed

    if data.ratings.rated is None:
        raise SettingsError(f"argument --metric: {HUMAN} found, but there are no ratings; add a file with --human")
    given, corpus = chosen_judges(options, data.ratings.rated), data.corpus
    systems = ranked_names(tuple(corpus.systems), files.human_translations)
    humans = {human.system for human in files.human_translations} | corpus.references.keys() - corpus.systems.keys()
    judgments, policy = choose_ratings(options, given, systems, corpus.documents, humans=humans)
    _, notes = rating_choices(options, files.human_scores(), judgments)
    notes += raw_means_notes(given, judgments, systems, corpus.segments)
    notes += unused_weights(options, judgments)
    files.warnings += [*map(str, (*data.ratings.all_misplaced_rows, *judgments.unused_rows)), *notes]
    metric = metric_of_ratings(judgments, corpus.segments, untested=policy.obstacle)
    return MetricsInUse(corpus, (metric,), judgments=judgments, raw_ratings=policy.raw_though_confounded)


def _metric_named(name: str, uploaded: Mapping[str, ScoreTable]) -> Metric:
    """Return the metric of a name, of the files or registered."""
    from bleu_core.scoring import find_metric  # loaded when first needed

    if name in uploaded:
        return metric_of_scores(uploaded[name], label=name)
    try:
        return find_metric(name)
    except SettingsError as error:
        of_files = f"; the metrics of the files are {', '.join(uploaded)}" if uploaded else ""
        raise SettingsError(f"argument --metric: {error}{of_files}") from error


def ranked_corpus(corpus: Corpus, humans: Sequence[HumanTranslation]) -> Corpus:
    """Return the corpus without human translations among the systems.

    Raises:
        AlignmentError: all systems are human translations.
    """
    names = ranked_names(tuple(corpus.systems), humans)
    return replace(corpus, systems={name: corpus.systems[name] for name in names})


def ranked_names(systems: Sequence[str], humans: Sequence[HumanTranslation]) -> tuple[str, ...]:
    """Return the names of the systems without human translations.

    Raises:
        AlignmentError: all systems are human translations.
    """
    excluded = {human.system for human in humans}
    names = tuple(name for name in systems if name not in excluded)
    if not names:
        raise AlignmentError(
            f"no system to rank found ({human_note(humans)}); add the output of a system, or rank a human translation "
            "with other references by --include-human"
        )
    return names


def _read_counts(options: argparse.Namespace, treatment: Treatment) -> ScoredData:
    """Read and score the systems of counts files."""
    from bleu_core.counts import score_counts  # loaded when first needed

    counts = read_counts_of(options)
    counted = counts.counted
    check_marks(options, [text.name for text in counted.systems])
    scores = score_counts(counts, settings_of_counts(options, settings_of(options), counts))
    humans = () if treatment == "warned of" else humans_counted(options, counts)
    warnings = [*warnings_about(counts, with_copies=treatment == "warned of"), *filter(None, [human_note(humans)])]
    names = tuple(text.name for text in counted.systems)
    if treatment == "excluded":
        names = ranked_names(names, humans)
    if isinstance(scores, BleuEvaluation):
        documents = InputFiles(options).documents()
        if documents is not None and len(documents) != counted.segments:
            raise AlignmentError(
                f"{printable_path(options.documents)}: {len(documents):,} documents found, {counted.segments:,} "
                "expected, one per segment"
            )
        return ScoredData(
            evaluation=scores.select(names),
            documents=documents,
            warnings=warnings,
            _score=lambda: (ScoredCorpus.of_bleu(scores.select(names)),),
            _assess=lambda: assessment_of_counts(counts).accepting(*accepted_warnings(options)),
            humans=humans,
        )
    if getattr(options, "documents", None) or getattr(options, "units", None):
        option = "--documents" if options.documents else "--units"
        raise SettingsError(
            f"argument {option}: the segments of these counts are bundled, and bundles are resampled; remove the option"
        )
    return ScoredData(
        evaluation=scores.select(names),
        documents=None,
        warnings=warnings,
        _score=lambda: (ScoredCorpus.of_bleu(scores.select(names)),),
        _assess=lambda: assessment_of_counts(counts).accepting(*accepted_warnings(options)),
        humans=humans,
    )


def evaluated(options: argparse.Namespace, corpus: Corpus) -> BleuEvaluation:
    """Evaluate the corpus by BLEU under the settings of the call."""
    from bleu_core.counts import choose_counter  # loaded when first needed

    count = choose_counter(len(corpus.systems) * corpus.segments)
    with progress_bar() as progress:
        return evaluate(corpus, settings_for(options, corpus), count=count, progress=progress)


def assessed(
    options: argparse.Namespace,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    statements: Mapping[str, Basis],
    *,
    judgments: Judgments | None = None,
    humans: Sequence[HumanTranslation] = (),
    others: Mapping[str, Sequence[str]] = MappingProxyType({}),
    whole_texts: bool = False,
) -> Assessment:
    """Assess the texts and ratings of a call for what it states, with the warnings that it accepts.

    Args:
        options: options of the call.
        corpus: the texts.
        evaluation: of the texts.
        statements: as for `assess`.
        judgments: the ratings, if they are used.
        humans: human translations among the systems.
        others: outputs of systems of the files that the call excludes.
        whole_texts: as for DiagnosticInput.

    Raises:
        SettingsError: the call accepts a warning that does not exist or obstructs nothing.
    """
    from bleu_core.diagnostics import DiagnosticInput, assess  # loaded when first needed

    accepted = accepted_warnings(options)
    data = DiagnosticInput(corpus, evaluation, judgments, humans=tuple(humans), others=others, whole_texts=whole_texts)
    return assess(data, statements).accepting(*accepted)


def obstacle_of(assessment: Assessment, scored: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> str:
    """Return why the systems of an evaluation are not comparable by a metric; empty if they are."""
    metric = scored.metric
    return assessment.obstacle(metric.key, metric.basis, scored.statistics.systems, tuple(evaluation.references))


def sampled_assessment(
    options: argparse.Namespace,
    sample: Corpus,
    segments: int,
    *,
    counts: NgramStats | None = None,
    humans: Sequence[HumanTranslation] = (),
) -> Assessment:
    """Assess a sample of texts for scores by BLEU.

    Args:
        options: options of the call.
        sample: segments of the texts.
        segments: the number of segments of the texts.
        counts: of the sample, if they are known.
        humans: human translations among the systems.
    """
    settings = settings_for(options, sample)
    if counts is None:
        evaluation = evaluate(sample, settings)
    else:
        evaluation = BleuEvaluation(
            digest=sample.digest,
            systems=tuple(sample.systems),
            references=tuple(sample.references),
            stats=counts,
            settings=settings,
        )
    assessment = assessed(options, sample, evaluation, {DEFAULT_METRIC: "references"}, humans=humans, whole_texts=True)
    return assessment if sample.segments == segments else replace(assessment, segments=sample.segments)


def accepted_warnings(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the warnings that a call accepts.

    Raises:
        SettingsError: one does not exist or obstructs nothing.
    """
    accepted: Sequence[str] = getattr(options, "accept", ())
    if accepted:
        from bleu_core.diagnostics import OBSTRUCTS  # loaded when first needed

        for key in accepted:
            if key not in OBSTRUCTS:
                raise SettingsError(f"argument --accept: {key!r} found, one of {', '.join(OBSTRUCTS)} expected")
    return tuple(accepted)


def bases(metrics: Iterable[Metric | MetricScores], judgments: Judgments | None = None) -> dict[str, Basis]:
    """Return what scores by metrics, and the ratings if there are any, rest on."""
    of_metrics: dict[str, Basis] = {metric.key: metric.basis for metric in metrics}
    if judgments is None:
        return of_metrics
    return {**of_metrics, "ratings": "adjusted ratings" if judgments.adjusted_means else "raw ratings"}


def scored(corpus: Corpus, evaluation: BleuEvaluation, metric: Metric | str) -> ScoredCorpus:
    """Score the systems by a metric, or by the registered one with this key."""
    from bleu_core.scoring import score_metric  # loaded when first needed

    with progress_bar() as progress:
        return score_metric(corpus, evaluation, metric, progress=progress)


def metric_warnings(corpus: Corpus, evaluation: BleuEvaluation | CorpusScores, metric: Metric) -> list[str]:
    """Return a warning if the metric takes whole clauses for words, as the text has no blanks between words.

    Alarms are not among these, as they belong to the assessment.
    """
    from bleu_core.diagnostics import find_unsplit_words  # loaded when first needed

    unsplit = find_unsplit_words(corpus, evaluation.settings, metric, evaluation.references)
    return [f"{finding.message} {finding.advice}" for finding in unsplit if finding.strength != "alarm"]


def undefined_notes(scored: ScoredCorpus) -> list[str]:
    """Return a note on systems whose score is undefined, if any."""
    names = [name for name, score in zip(scored.statistics.systems, scored.scores, strict=True) if math.isnan(score)]
    return [f"{scored.label} of {listed(names)} is undefined: {scored.metric.undefined}"] if names else []


def chosen_pairs(
    options: argparse.Namespace,
    table: SegmentStatistics,
    missing: Sequence[MissingText] = (),
    *,
    humans: Sequence[HumanTranslation] = (),
) -> tuple[Pair, ...]:
    """Return the pairs to compare, as indices: all, the better system first, or each other system and the baseline.

    Args:
        options: options of the call.
        table: the scores of the systems.
        missing: outputs that cannot be used, for the message.
        humans: human translations that are not among the systems, for the message.

    Raises:
        AlignmentError: there is only one system.
        SettingsError: the baseline is not one of the systems.
    """
    systems = table.systems
    not_ranked = next((human for human in humans if human.system == options.baseline), None)
    if not_ranked is not None:
        raise SettingsError(
            f"argument --baseline: {not_ranked.system} is not ranked ({not_ranked.reason}); --include-human "
            f"{not_ranked.system} ranks it with other references"
        )
    if len(systems) == 1:
        marked = [mark for mark in marks_of(options) if mark.system not in systems]
        notes = "".join(f" ({note})" for note in (human_note(humans), optimised_note(marked)) if note)
        raise AlignmentError(f"{too_few_systems(1, missing)}{notes}")
    pairs = baseline_pairs(systems, systems[0] if options.baseline is None else options.baseline)
    return ranked_pairs(table) if options.all_pairs else pairs


def named_documents(options: argparse.Namespace, corpus: Corpus | ScoredData) -> Blocks | None:
    """Return the documents as blocks if the call names a file of them; documents in tables of texts are ignored."""
    return document_blocks(corpus.documents) if options.documents and corpus.documents is not None else None


def resampled_documents(
    options: argparse.Namespace, corpus: Corpus | ScoredData
) -> tuple[Blocks | None, tuple[str, ...]]:
    """Return the documents if whole documents are resampled, and notes on the unit of resampling.

    Documents of --documents are resampled unless --units differs; fewer than MIN_UNITS only if --units asks for it, as
    they allow no conclusion.

    Raises:
        SettingsError: documents are to be resampled, and are not known.
    """
    if options.units is None:
        named = named_documents(options, corpus)
        if named is None or len(named.names) >= MIN_UNITS:
            return named, ()
        count = f"{len(named.names)} {plural(len(named.names), 'document')} found"
        return None, (f"{count}, at least {MIN_UNITS} needed to resample documents: segments are resampled instead",)
    if options.units == "segments":
        return None, ()
    if corpus.documents is None:
        raise SettingsError(
            "argument --units: the documents of the segments are not known; add --documents, or a document in every "
            "row of the table"
        )
    return document_blocks(corpus.documents), ()
