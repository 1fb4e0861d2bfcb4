"""Steps that several commands have in common."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from bleu_core.cli.counts_files import humans_counted, names_counts, read_counts_of, settings_of_counts, warnings_about
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import settings_of
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import chosen_systems
from bleu_core.dataset import Corpus, human_note, plural, too_few_systems
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.formats import printable_path
from bleu_core.inference import MIN_UNITS, Blocks, Pair, baseline_pairs, document_blocks, ranked_pairs
from bleu_core.scoring import BleuEvaluation, CorpusScores, evaluate

if TYPE_CHECKING:  # loaded where a metric beside BLEU is wanted
    from bleu_core.dataset import HumanTranslation, LineRepair, MissingText
    from bleu_core.scoring import ScoredCorpus, SegmentStatistics
    from bleu_core.slicing import Slice


#: What is done with human translations among the systems.
Treatment = Literal["warned of", "noted", "excluded"]


@dataclass(frozen=True, kw_only=True)  # without slots, which leave no place for what is computed once
class Scored:
    """The systems of a call, whose texts or counts have been read.

    Attributes:
        evaluation: by BLEU; of bundled counts what remains of one.
        documents: of the segments, where they are known.
        warnings: about the files.
        slice: the slice of the text that was used, if any.
        repairs: of lines that were made before, each with the name of its file.
        missing: the outputs that cannot be used.
        corpus: the texts; None of counts files.
        humans: human translations, where they are named in a note; they are not among the systems if they are excluded.
    """

    evaluation: BleuEvaluation | CorpusScores
    documents: Sequence[str] | None
    warnings: Sequence[str]
    _score: Callable[[], ScoredCorpus]
    slice: Slice | None = None
    repairs: Sequence[tuple[str, LineRepair]] = ()
    missing: Sequence[MissingText] = ()
    corpus: Corpus | None = None
    humans: Sequence[HumanTranslation] = ()

    @cached_property
    def metric(self) -> ScoredCorpus:
        """The systems under the metric of the call."""
        return self._score()

    @property
    def units(self) -> int:
        """How many segments there are, or bundles of them."""
        evaluation = self.evaluation
        return evaluation.segments if isinstance(evaluation, BleuEvaluation) else self.metric.statistics.segments


def read_scored(
    options: argparse.Namespace, names: Sequence[str] | None = None, *, humans: Treatment = "warned of"
) -> Scored:
    """Read and count the texts of a call, or read its counts files.

    Args:
        options: of the call.
        names: files of the systems, or their names in a workspace, where they are not those of the options.
        humans: whether a copy of a reference is warned of, or human translations are named in a note, or excluded
            from the systems, too.

    Raises:
        BleuCoreError: the files, or the settings, are wrong; or all systems are human translations and excluded.
        OSError: a file cannot be read.
    """
    if names_counts(options):
        return _read_counts(options, humans)
    files = Files(options) if names is None else Files(options, systems=names)
    corpus = files.corpus(copies="warnings" if humans == "warned of" else "note")
    if names is not None and options.workspace is not None:
        corpus = chosen_systems(corpus, names)
    if humans == "excluded":
        corpus = ranked_corpus(corpus, files.human_translations)
    evaluation = evaluated(options, corpus)
    score = partial(scored, corpus, evaluation, options.metric)
    warnings = [*files.warnings, *metric_warnings(corpus, evaluation, options.metric)]
    return Scored(
        evaluation=evaluation,
        documents=corpus.documents,
        warnings=warnings,
        _score=score,
        slice=files.slice,
        repairs=files.repairs,
        missing=files.missing_systems,
        corpus=corpus,
        humans=files.human_translations,
    )


def ranked_corpus(corpus: Corpus, humans: Sequence[HumanTranslation]) -> Corpus:
    """The corpus with the systems that are ranked.

    Raises:
        AlignmentError: all systems are human translations.
    """
    names = ranked_names(tuple(corpus.systems), humans)
    return replace(corpus, systems={name: corpus.systems[name] for name in names})


def ranked_names(systems: Sequence[str], humans: Sequence[HumanTranslation]) -> tuple[str, ...]:
    """The systems without human translations.

    Raises:
        AlignmentError: all systems are human translations.
    """
    excluded = {each.system for each in humans}
    found = tuple(name for name in systems if name not in excluded)
    if not found:
        raise AlignmentError(
            f"no system to rank found ({human_note(humans)}); add the output of a system, or rank a human translation "
            "against other references with --include-human"
        )
    return found


def _read_counts(options: argparse.Namespace, treatment: Treatment) -> Scored:
    """The systems of counts files."""
    from bleu_core.counts import score_counts  # loaded when first needed

    counts = read_counts_of(options)
    counted = counts.counted
    found = score_counts(counts, settings_of_counts(options, settings_of(options), counts))
    humans = () if treatment == "warned of" else humans_counted(options, counts)
    warnings = [*warnings_about(counts, of_copies=treatment == "warned of"), *filter(None, [human_note(humans)])]
    names = tuple(text.name for text in counted.systems)
    if treatment == "excluded":
        names = ranked_names(names, humans)
    if found.by_segment is not None:
        documents = Files(options).documents()
        if documents is not None and len(documents) != counted.segments:
            raise AlignmentError(
                f"{printable_path(options.documents)}: {len(documents):,} documents found, {counted.segments:,} "
                "expected, one per segment"
            )
        return Scored(
            evaluation=found.by_segment.select(names),
            documents=documents,
            warnings=warnings,
            _score=lambda: found.metric.select(names),
            humans=humans,
        )
    if getattr(options, "documents", None) or getattr(options, "units", None):
        option = "--documents" if options.documents else "--units"
        raise SettingsError(
            f"argument {option}: the segments of these counts are bundled; bundles are resampled, remove it"
        )
    return Scored(
        evaluation=found.scores_of(names),
        documents=None,
        warnings=warnings,
        _score=lambda: found.metric.select(names),
        humans=humans,
    )


def evaluated(options: argparse.Namespace, corpus: Corpus) -> BleuEvaluation:
    """The corpus, counted under the settings of the call."""
    from bleu_core.counts import counter_for  # loaded when first needed

    count = counter_for(len(corpus.systems) * corpus.segments)
    with progress_bar() as progress:
        return evaluate(corpus, settings_of(options), count=count, progress=progress)


def scored(corpus: Corpus, evaluation: BleuEvaluation, name: str) -> ScoredCorpus:
    """The systems, scored by the metric of that key."""
    from bleu_core.scoring import score_metric  # loaded when first needed

    with progress_bar() as progress:
        return score_metric(corpus, evaluation, name, progress=progress)


def metric_warnings(corpus: Corpus, evaluation: BleuEvaluation, name: str) -> list[str]:
    """A warning where the metric of that key takes whole sentences for words, as they have no blanks."""
    if name == "bleu":  # so that nothing more is loaded
        return []
    from bleu_core.scoring import LANGUAGES_WITHOUT_BLANKS, find_metric

    found = find_metric(name)
    if not any(found.words_at_blanks(evaluation.settings, language) for language in LANGUAGES_WITHOUT_BLANKS):
        return []
    from bleu_core.diagnostics import DiagnosticInput, about_words  # loaded when first needed

    return list(filter(None, [about_words(DiagnosticInput(corpus, evaluation), found)]))


def undefined_notes(scored: ScoredCorpus) -> list[str]:
    """A note on systems whose score is undefined, if there are any."""
    names = [name for name, score in zip(scored.statistics.systems, scored.scores, strict=True) if math.isnan(score)]
    return [f"{scored.label} of {listed(names)} is undefined: {scored.metric.undefined}"] if names else []


def chosen_pairs(
    options: argparse.Namespace,
    table: SegmentStatistics,
    missing: Sequence[MissingText] = (),
    *,
    humans: Sequence[HumanTranslation] = (),
) -> tuple[Pair, ...]:
    """The pairs to compare, as indices: all, the better system first, or each other system against the baseline.

    Args:
        options: of the call.
        table: of the systems.
        missing: the outputs that cannot be used, for the message.
        humans: human translations, which are not among the systems, for the message.

    Raises:
        AlignmentError: there is only one system.
        SettingsError: the baseline is none of the systems.
    """
    systems = table.systems
    not_ranked = next((each for each in humans if each.system == options.baseline), None)
    if not_ranked is not None:
        raise SettingsError(
            f"argument --baseline: {not_ranked.system} is not ranked ({not_ranked.reason}); --include-human "
            f"{not_ranked.system} ranks it against other references"
        )
    if len(systems) == 1:
        note = f" ({human_note(humans)})" if humans else ""
        raise AlignmentError(f"{too_few_systems(1, missing)}{note}")
    pairs = baseline_pairs(systems, systems[0] if options.baseline is None else options.baseline)
    return ranked_pairs(table) if options.all_pairs else pairs


def named_documents(options: argparse.Namespace, corpus: Corpus | Scored) -> Blocks | None:
    """The documents, if the call names a file of them; those in a table of texts do not count."""
    return document_blocks(corpus.documents) if options.documents and corpus.documents is not None else None


def resampled_documents(options: argparse.Namespace, corpus: Corpus | Scored) -> tuple[Blocks | None, tuple[str, ...]]:
    """The documents, if they are resampled as a whole, and notes on what is resampled.

    Documents that a file names are resampled unless --units differs; fewer than 6 only if --units asks for them, since
    nothing can be concluded from so few.

    Raises:
        SettingsError: documents are to be resampled, and not known.
    """
    if options.units is None:
        named = named_documents(options, corpus)
        if named is None or len(named.names) >= MIN_UNITS:
            return named, ()
        found = f"{len(named.names)} {plural(len(named.names), 'document')} found"
        return None, (f"{found}, at least {MIN_UNITS} needed to resample documents: segments are resampled instead",)
    if options.units == "segments":
        return None, ()
    if corpus.documents is None:
        raise SettingsError(
            "argument --units: documents found, but the documents of the segments are not known; add --documents"
        )
    return document_blocks(corpus.documents), ()


def human_scores_notes(human_scores: Mapping[str, str]) -> list[str]:
    """A note for each archive: which of its human scores are in use."""
    return [f"human scores of {path}: {name}" for path, name in human_scores.items()]
