"""The loaded data under the settings in force, on which every page works.

Results are cached: numbers for all sessions, and results with names for sessions with the same files.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from bleu_core.arrays import best_first
from bleu_core.dataset import (
    Corpus,
    HumanTranslation,
    Judgments,
    MissingText,
    OptimisedSystem,
    ScoreTable,
    human_note,
    optimised_for,
    optimised_note,
    plural,
)
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError, listed
from bleu_core.inference import MIN_UNITS, ScoreIntervals
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.progress import Progress
from bleu_core.results.envelope import Envelope, ReportedMetric, not_ranked, repair_reports, slice_report
from bleu_core.results.headlines import SliceChosen
from bleu_core.scoring import PRESETS, BleuEvaluation, BleuSettings, Counting, ScoredCorpus, signature
from bleu_core.slicing import FIELDS_OF_ERRORS, FIELDS_OF_RATINGS, Slice, fields_in, parse, slice_corpus
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.shared import Fingerprinted, Sums, evaluate_texts, intervals_of_scores
from dashboard.session import Selection

#: Maximum number of unusable outputs of which a message gives the reason; further ones are counted.
MAX_REASONS = 3

NO_RATING = "slice: no rating is in use; use “Reset all” above, or another slice"


class MissingDataError(BleuCoreError):
    """The loaded files lack data that a page needs; the message says what to add.

    Args:
        message: of the error.
        ratings: whether ratings are missing, which a campaign can collect.
    """

    def __init__(self, message: str, *, ratings: bool = False) -> None:
        super().__init__(message)
        self.ratings = ratings


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class View:
    """The loaded data under the settings in force, on which a page works.

    Attributes:
        workspace: the loaded data, or those of the slice.
        evaluation: the selected systems against the selected references.
        slice: the part of the text in use; None for the whole text.
        whole: the same with all segments, if there is a slice.
        selection: the choices in force.
        humans: human translations among the systems, which are not ranked: those with the text of a loaded reference,
            in use or not, and those marked.
        ranked_humans: human translations that are ranked, against references with other texts.
    """

    workspace: Workspace
    evaluation: BleuEvaluation
    slice: Slice | None = None
    whole: View | None = None
    selection: Selection = field(default_factory=Selection)
    humans: tuple[HumanTranslation, ...] = ()
    ranked_humans: tuple[HumanTranslation, ...] = ()

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """(S,) the number of each segment in the whole text, from 1."""
        return tuple(range(1, self.evaluation.segments + 1)) if self.slice is None else self.slice.numbers

    @property
    def missing(self) -> tuple[MissingText, ...]:
        """The systems that have no score, as their outputs cannot be used."""
        return (self.whole or self).workspace.missing

    @property
    def optimised(self) -> tuple[OptimisedSystem, ...]:
        """The marks of selected systems that were optimised for a metric, which are not ranked by that metric."""
        return tuple(mark for mark in self.selection.optimised if mark.system in self.evaluation.systems)

    @property
    def human_systems(self) -> tuple[str, ...]:
        """The human translations among the selected systems, ranked or not."""
        names = {*self.workspace.human_systems, *(human.system for human in (*self.humans, *self.ranked_humans))}
        return tuple(name for name in self.evaluation.systems if name in names)

    @property
    def has_humans_only(self) -> bool:
        """Return whether all selected systems are human translations, which are then ranked if possible."""
        return len(self.humans) + len(self.ranked_humans) == len(self.evaluation.systems)

    @property
    def can_rank_humans(self) -> bool:
        """Return whether a reference in use remains against which human translations can be ranked."""
        return self.selection.humans_in((self.whole or self).workspace).can_be_ranked

    @property
    def not_ranked(self) -> tuple[str, ...]:
        """The names of the human translations that are not ranked."""
        return tuple(human.system for human in self.humans)

    @cached_property
    def compared(self) -> BleuEvaluation:
        """The selected systems without the human translations, unless there are no others."""
        others = [name for name in self.evaluation.systems if name not in self.not_ranked]
        return self.evaluation.select(others) if others else self.evaluation

    @property
    def best_systems(self) -> tuple[str, ...]:
        """The compared systems, the best by BLEU first; those without a score come last."""
        systems = self.compared.systems
        return tuple(systems[k] for k in best_first(systems, self.compared.scores.score))

    @property
    def scope(self) -> Hashable:
        """The scope of the data."""
        return self.workspace.scope

    @cached_property
    def sums(self) -> Sums:
        """All selected systems under BLEU."""
        documents, scored = self.workspace.corpus.documents, ScoredCorpus.of_bleu(self.evaluation)
        return Sums(scored=scored, evaluation=self.evaluation, documents=documents, scope=self.scope)

    @property
    def with_intervals(self) -> bool:
        """Return whether scores have intervals: not if the switch is off, nor for a few segments."""
        return self.selection.intervals and self.evaluation.segments >= MIN_UNITS

    @property
    def descriptive(self) -> bool:
        """Return whether intervals and p-values are only descriptive: the slice may follow the results."""
        return self.selection.descriptive

    @property
    def slice_chosen(self) -> SliceChosen | None:
        """Return whether the slice was chosen before or after its results were seen; None without a slice."""
        if not self.selection.expression:
            return None
        return "after" if self.descriptive else "before"

    @cached_property
    def intervals(self) -> ScoreIntervals | None:
        """Intervals of all selected systems' BLEU and precisions, if scores have them."""
        return intervals_of_scores(self.scope, self.sums) if self.with_intervals else None


def view_of(
    workspace: Workspace,
    selection: Selection,
    *,
    systems: int = 1,
    judgments: bool = False,
    as_in_paper: bool = False,
    of_paper: bool = False,
) -> View:
    """Return the data under the settings, without excluded parts, in the selected slice; made once per run.

    Args:
        workspace: the data.
        selection: the settings, slice and choices in force.
        systems: the minimum number of systems that the page needs.
        judgments: whether it needs ratings.
        as_in_paper: whether to use the paper's settings, and as many references as its tables have, not those of the
            selection; systems, judges and groups are excluded in both cases.
        of_paper: whether it is the page of the 2002 paper, which compares systems that are marked as human translations
            like the others, uses all references, and does not adjust ratings for judges.

    Raises:
        MissingDataError: systems, references or ratings are not loaded.
        BleuCoreError: the settings cannot be used with the data, or leave too few systems.
    """
    _check_loaded(workspace, systems, judgments=judgments)
    selected = [name for name in workspace.corpus.systems if name not in selection.without_systems]
    if len(selected) < systems:
        count, loaded_count = len(selected), len(workspace.corpus.systems)
        raise SettingsError(
            f"{count} of {loaded_count} systems are selected, at least {systems} needed; select more under “Systems” "
            "in the sidebar"
        )
    views = session.results_of_run()
    key = workspace.scope, workspace.fingerprint, selection, as_in_paper, of_paper
    view: View | None = views.get(key)
    if view is None:
        if of_paper:
            selection = replace(selection, rank_humans=False, adjustment="raw")
        if as_in_paper:
            selection = replace(selection, settings=PRESETS["paper"])
        present, loaded = selection.humans_in(workspace), workspace
        humans = () if present.ranked else present.present
        if of_paper:
            humans = tuple(human for human in humans if human.reference)
        workspace = ranking_data(loaded, selection)
        corpus = workspace.corpus
        references = tuple(corpus.references)[:TABLE_REFERENCES] if as_in_paper else selection.references_in(corpus)
        evaluation = evaluate_texts(workspace.scope, corpus, references, selection.settings)
        view = View(
            workspace, evaluation.select(selected), selection=selection, humans=humans, ranked_humans=present.ranked
        )
        text_slice = slice_in_use(loaded, selection, evaluation.references)
        views[key] = view = view if text_slice is None else _sliced(view, text_slice)
    if judgments and view.workspace.judgments is None:
        raise MissingDataError("No rating is of a segment in the slice. Choose another slice, or use all segments.")
    return view


def _check_loaded(workspace: Workspace, systems: int, *, judgments: bool) -> None:
    """Check that the data that a page needs are loaded.

    Raises:
        MissingDataError: systems, references or ratings are missing.
    """
    loaded = workspace.corpus
    if len(loaded.systems) < systems and workspace.missing:
        raise too_few_outputs(workspace, systems)
    if len(loaded.systems) < systems:
        count = len(loaded.systems)
        raise MissingDataError(
            f"{count} {plural(count, 'system output')} loaded, at least {systems} needed. Add text files "
            "with one segment per line."
        )
    if not loaded.references:
        raise MissingDataError(
            "No reference translation is loaded, at least 1 is needed. Add a text file with one segment per line; if "
            "one of your files is the reference, change its type on the Data page."
        )
    if judgments and workspace.judgments is None:
        raise MissingDataError(
            "No human judgments are loaded. Add a CSV or TSV file with the columns system and score, and "
            "optionally segment, judge and group.",
            ratings=True,
        )


def ranking_data(workspace: Workspace, selection: Selection) -> Workspace:
    """Return the data for rankings, without the references of human translations that are ranked, too."""
    names = tuple(human.system for human in selection.humans_in(workspace).ranked if human.reference)
    return _without_references_of(workspace.scope, workspace, names) if names else workspace


@session.cached("Ranking human translations", "references")
def _without_references_of(_: Progress, workspace: Workspace, systems: tuple[str, ...]) -> Workspace:
    return workspace.without_references_of(systems)


def too_few_outputs(workspace: Workspace, systems: int) -> MissingDataError:
    """Return the error that too few of the added outputs can be used, with the reasons.

    Args:
        workspace: the data, with missing outputs.
        systems: the minimum number that is needed.
    """
    count, missing = len(workspace.corpus.systems), workspace.missing
    reasons = listed((f"{text.name}: {text.reason}" for text in missing), max_items=MAX_REASONS)
    advice = "Correct or replace these files."
    if any(text.incomplete for text in missing):
        advice = "Switch on “Shared segments only” on the Data page, or correct these files."
    return MissingDataError(
        f"{count} of {count + len(missing)} system outputs can be used, at least {systems} needed ({reasons}). {advice}"
    )


def slice_in_use(workspace: Workspace, selection: Selection, references: tuple[str, ...] | None = None) -> Slice | None:
    """Return the selected slice, without segments that a file lacks; None for the whole text.

    A segment that a file lacks is excluded for all systems, unless such segments are scored as if they were empty.

    Args:
        workspace: the data.
        selection: the slice, settings and choices in force.
        references: in use; those of the selection if None.

    Raises:
        BleuCoreError: the slice is invalid or has no segment.
    """
    workspace, expression = ranking_data(workspace, selection), selection.expression
    absent = () if selection.score_missing else workspace.absent
    if not expression and not absent:
        return None
    if not expression:
        return Slice.whole(workspace.corpus.segments).without(absent, workspace.lacking)
    in_use = selection.references_in(workspace.corpus) if references is None else references
    return slice_of(workspace, selection, expression, in_use).without(absent, workspace.lacking)


def with_choices(report: Envelope, workspace: Workspace, selection: Selection, *, ranks: bool = True) -> Envelope:
    """Return a report with the selections and repairs made before scoring: slice, repairs of lines, unranked systems.

    Args:
        report: on the data under the selection.
        workspace: the data.
        selection: the choices in force.
        ranks: whether the report ranks systems, so that it names the human translations that are not ranked.
    """
    text_slice = slice_in_use(workspace, selection)
    report = replace(report, slice=slice_report(text_slice), repairs=repair_reports(workspace.repairs))
    if not ranks:
        return report
    humans = selection.humans_in(workspace)
    unranked = () if humans.ranked else humans.present
    selected = [mark for mark in selection.optimised if mark.system not in selection.without_systems]
    reported: Sequence[object] = getattr(report, "metrics", None) or ()
    metrics = dict.fromkeys((report.metric, *(m.metric for m in reported if isinstance(m, ReportedMetric))))
    optimised = tuple(mark for metric in metrics for mark in optimised_for(selected, metric))
    notes = filter(None, [human_note(unranked), optimised_note(optimised)])
    return replace(report, warnings=(*notes, *report.warnings), not_ranked=not_ranked(unranked, optimised))


def slice_of(workspace: Workspace, selection: Selection, expression: str, references: tuple[str, ...]) -> Slice:
    """Return the segments for which an expression holds, with the settings and ratings in use; cached.

    Raises:
        BleuCoreError: the expression cannot be evaluated.
    """
    corpus, fields, settings = workspace.corpus, _fields(expression), selection.settings
    judgments = None
    if workspace.judgments is not None and not fields.isdisjoint(FIELDS_OF_RATINGS):
        try:
            judgments = chosen_judgments(workspace, selection)
        except AlignmentError as error:  # its advice names controls of other pages
            raise SettingsError(NO_RATING) from error
    relevant_settings = (
        settings if "score" in fields else settings.counting
    )  # settings that it does not read need no new search
    result = _segments(
        workspace.scope,
        expression,
        corpus,
        references,
        settings=relevant_settings,
        judgments=judgments,
        marked=marked_by_metrics(() if fields.isdisjoint(FIELDS_OF_ERRORS) else workspace.scores),
    )
    if isinstance(result, str):
        raise SettingsError(result)
    return result


def marked_by_metrics(tables: Iterable[ScoreTable]) -> Fingerprinted[tuple[ScoreTable, ...]]:
    """Return the scores of the metrics that marked errors, with the fingerprint of the errors."""
    marking = tuple(table for table in tables if table.errors is not None)
    fingerprint = tuple((table.name, table.systems, table.errors_hash) for table in marking)
    return Fingerprinted(value=marking, fingerprint=fingerprint)


@session.cached("Finding the segments", "segments", typed=True)
def _segments(
    _: Progress,
    expression: str,
    corpus: Corpus,
    references: tuple[str, ...],
    *,
    settings: BleuSettings | Counting,
    judgments: Judgments | None,
    marked: Fingerprinted[tuple[ScoreTable, ...]],
) -> Slice | str:
    """Return the segments for which an expression holds, or the reason why they cannot be found."""
    if not isinstance(settings, BleuSettings):
        settings = BleuSettings(**asdict(settings))
    try:
        return slice_corpus(
            expression, corpus, references=references, settings=settings, judgments=judgments, scores=marked.value
        )
    except BleuCoreError as error:
        return str(error)  # cached, too: a search would take as long again


def _fields(expression: str) -> frozenset[str]:
    """Return the fields in an expression; none if it is invalid."""
    try:
        return fields_in(parse(expression))
    except SettingsError:
        return frozenset()


def _sliced(view: View, text_slice: Slice) -> View:
    """Return the view of a slice; n-grams are not counted again."""
    workspace = _data_of_slice(view.scope, view.workspace, text_slice)
    sliced = view.evaluation.subset(text_slice.rows, workspace.corpus.digest)
    return replace(view, workspace=workspace, evaluation=sliced, slice=text_slice, whole=view)


@session.cached("Selecting the segments", "segments")
def _data_of_slice(_: Progress, workspace: Workspace, text_slice: Slice) -> Workspace:
    return workspace.subset(text_slice.rows)


def without_segments(view: View, numbers: Collection[int]) -> View:
    """Return the view without some of its segments.

    Args:
        view: the data and settings.
        numbers: of the segments, in the whole text, from 1; at least one segment remains.
    """
    whole = view.whole or view
    return _sliced(whole, (view.slice or Slice.whole(whole.evaluation.segments)).without(numbers))


def evaluation_under(view: View, settings: BleuSettings) -> BleuEvaluation:
    """Return all systems on the segments of a view under other settings; a slice reuses the counts of the whole text.

    Raises:
        BleuCoreError: the settings cannot be used with these data.
    """
    corpus = (view.whole or view).workspace.corpus
    evaluation = evaluate_texts(view.scope, corpus, view.selection.references_in(corpus), settings)
    return evaluation if view.slice is None else evaluation.subset(view.slice.rows, view.evaluation.digest)


def signature_in_use(workspace: Workspace, selection: Selection) -> str:
    """Return the signature of the settings in force and the references in use."""
    corpus = ranking_data(workspace, selection).corpus
    number = _references_per_segment(workspace.scope, corpus, selection.references_in(corpus))
    return signature(selection.settings, number)


@session.cached("Counting references", "references")
def _references_per_segment(_: Progress, corpus: Corpus, references: tuple[str, ...]) -> int | None:
    """Return how many of the references each segment has; None where the number varies."""
    columns = zip(*(corpus.references[name] for name in references), strict=True)
    numbers = {sum(text is not None for text in texts) for texts in columns}
    return numbers.pop() if len(numbers) == 1 else None
