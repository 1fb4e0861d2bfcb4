"""The loaded data under the settings in force, on which every page works.

Nothing is computed twice: results are kept, numbers for all sessions and what has names for those with the same files.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from bleu_core.arrays import best_first
from bleu_core.dataset import Corpus, HumanTranslation, Judgments, MissingText, human_note, plural
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError, listed
from bleu_core.inference import MIN_UNITS, ScoreIntervals
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.progress import Progress
from bleu_core.results.envelope import Envelope, not_ranked, repair_reports, slice_report
from bleu_core.results.headlines import SliceChosen
from bleu_core.scoring import PRESETS, BleuSettings, Counting, Evaluation, ScoredCorpus, signature
from bleu_core.slicing import FIELDS_OF_RATINGS, Slice, fields_in, parse, slice_corpus
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.shared import Sums, evaluate_texts, intervals_of_scores
from dashboard.session import Selection

#: Outputs of which a message says why they cannot be used; further ones are counted.
MAX_REASONS = 3

NO_RATING = "slice: no rating is in use; use “Reset all” above, or another slice"


class MissingDataError(BleuCoreError):
    """The loaded files lack something that a page needs; the message says what to add.

    Args:
        message: of the error.
        ratings: whether ratings are missing, which a campaign can collect.
    """

    def __init__(self, message: str, *, ratings: bool = False) -> None:
        super().__init__(message)
        self.ratings = ratings


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class View:
    """What a page works on: the loaded data under the settings in force.

    Attributes:
        workspace: the loaded data, or those of the slice.
        evaluation: the chosen systems against the chosen references.
        slice: the part of the text that is looked at, if it is not the whole.
        whole: the same with all segments, if there is a slice.
        selection: the choices in force.
        humans: human translations among the systems, which are not ranked: those with the text of a loaded reference,
            in use or not, and those marked.
        ranked_humans: human translations that are ranked, against references other than their own.
    """

    workspace: Workspace
    evaluation: Evaluation
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
    def has_humans_only(self) -> bool:
        """Whether all chosen systems are human translations, which are then ranked if they can be."""
        return len(self.humans) + len(self.ranked_humans) == len(self.evaluation.systems)

    @property
    def can_rank_humans(self) -> bool:
        """Whether a reference in use is left to rank human translations against."""
        return self.selection.humans_in((self.whole or self).workspace).can_be_ranked

    @property
    def not_ranked(self) -> tuple[str, ...]:
        """The names of the human translations that are not ranked."""
        return tuple(each.system for each in self.humans)

    @cached_property
    def compared(self) -> Evaluation:
        """The chosen systems without the human translations, unless nothing else is left."""
        others = [name for name in self.evaluation.systems if name not in self.not_ranked]
        return self.evaluation.select(others) if others else self.evaluation

    @property
    def best_systems(self) -> tuple[str, ...]:
        """The compared systems, the best by BLEU first; those without a score come last."""
        systems = self.compared.systems
        return tuple(systems[k] for k in best_first(systems, self.compared.scores.score))

    @property
    def scope(self) -> Hashable:
        """Of the data."""
        return self.workspace.scope

    @cached_property
    def sums(self) -> Sums:
        """All chosen systems under BLEU."""
        documents, scored = self.workspace.corpus.documents, ScoredCorpus.of_bleu(self.evaluation)
        return Sums(scored=scored, evaluation=self.evaluation, documents=documents, scope=self.scope)

    @property
    def with_intervals(self) -> bool:
        """Whether scores have intervals: not if the switch is off, nor for a few segments."""
        return self.selection.intervals and self.evaluation.segments >= MIN_UNITS

    @property
    def descriptive(self) -> bool:
        """Whether intervals and p-values only describe the slice, which may have been chosen for its results."""
        return self.selection.descriptive

    @property
    def slice_chosen(self) -> SliceChosen | None:
        """When the slice was chosen: before or after its results were seen; None where the whole text is in use."""
        if not self.selection.expression:
            return None
        return "after" if self.descriptive else "before"

    @cached_property
    def intervals(self) -> ScoreIntervals | None:
        """Intervals of all chosen systems' BLEU and precisions, if scores have them."""
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
    """The data under the settings, without what is excluded, in the slice that is chosen; made once in a run.

    Args:
        workspace: the data.
        selection: the settings, slice and choices in force.
        systems: the least number of systems that the page needs.
        judgments: whether it needs ratings.
        as_in_paper: whether to take the paper's settings, and as many references as its tables have, not those of the
            selection; systems, judges and groups that are excluded are out in both cases.
        of_paper: whether it is the page of the 2002 paper, which compares systems that are marked as human translations
            like the others, uses all references, and does not adjust ratings for judges.

    Raises:
        MissingDataError: systems, references or ratings are not loaded.
        BleuCoreError: the settings cannot be used with the data, or leave too few systems.
    """
    _check_loaded(workspace, systems, judgments=judgments)
    left = [name for name in workspace.corpus.systems if name not in selection.without_systems]
    if len(left) < systems:
        raise SettingsError(
            f"{len(left)} of {len(workspace.corpus.systems)} systems are selected, at least {systems} needed; select "
            "more under “Systems” in the sidebar"
        )
    views = session.results_of_run()
    key = workspace.scope, workspace.fingerprint, selection, as_in_paper, of_paper
    view: View | None = views.get(key)
    if view is None:
        if of_paper:
            selection = replace(selection, rank_humans=False, adjusted=False)
        if as_in_paper:
            selection = replace(selection, settings=PRESETS["paper"])
        found, loaded = selection.humans_in(workspace), workspace
        humans = () if found.ranked else found.present
        if of_paper:
            humans = tuple(each for each in humans if each.reference)
        workspace = ranking_data(loaded, selection)
        corpus = workspace.corpus
        references = tuple(corpus.references)[:TABLE_REFERENCES] if as_in_paper else selection.references_in(corpus)
        evaluation = evaluate_texts(workspace.scope, corpus, references, selection.settings)
        view = View(workspace, evaluation.select(left), selection=selection, humans=humans, ranked_humans=found.ranked)
        chosen = slice_in_use(loaded, selection, evaluation.references)
        views[key] = view = view if chosen is None else _taken(view, chosen)
    if judgments and view.workspace.judgments is None:
        raise MissingDataError("No rating is of a segment in the slice. Choose another slice, or use all segments.")
    return view


def _check_loaded(workspace: Workspace, systems: int, *, judgments: bool) -> None:
    """Check that what a page needs is loaded.

    Raises:
        MissingDataError: systems, references or ratings are not.
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
    """The data in which systems are ranked: without the references of human translations that are ranked, too."""
    names = tuple(each.system for each in selection.humans_in(workspace).ranked if each.reference)
    return _without_references_of(workspace.scope, workspace, names) if names else workspace


@session.cached("Ranking human translations", "references")
def _without_references_of(_: Progress, workspace: Workspace, systems: tuple[str, ...]) -> Workspace:
    return workspace.without_references_of(systems)


def too_few_outputs(workspace: Workspace, systems: int) -> MissingDataError:
    """The error that too few of the outputs that were added can be used, with the reasons.

    Args:
        workspace: the data, of which outputs are missing.
        systems: the least number that is needed.
    """
    count, missing = len(workspace.corpus.systems), workspace.missing
    reasons = listed((f"{text.name}: {text.reason}" for text in missing), most=MAX_REASONS)
    advice = "Correct or replace these files."
    if any(text.incomplete for text in missing):
        advice = "Switch on “Shared segments only” on the Data page, or correct these files."
    return MissingDataError(
        f"{count} of {count + len(missing)} system outputs can be used, at least {systems} needed ({reasons}). {advice}"
    )


def slice_in_use(workspace: Workspace, selection: Selection, references: tuple[str, ...] | None = None) -> Slice | None:
    """The slice that is chosen, without segments that a file lacks; None for the whole text.

    A segment that a file lacks is excluded for all systems, unless such segments are scored as if they were empty.

    Args:
        workspace: the data.
        selection: the slice, settings and choices in force.
        references: in use; those of the selection if None.

    Raises:
        BleuCoreError: the slice cannot be found, or has no segment.
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
    """A report with what was chosen and repaired before scoring: the slice, repairs of lines, and what is not ranked.

    Args:
        report: on the data under the choices.
        workspace: the data.
        selection: the choices in force.
        ranks: whether the report ranks systems, so that it names the human translations that are not ranked.
    """
    chosen = slice_in_use(workspace, selection)
    report = replace(report, slice=slice_report(chosen), repairs=repair_reports(workspace.repairs))
    humans = selection.humans_in(workspace)
    if not ranks or humans.ranked or not humans.present:
        return report
    warnings = human_note(humans.present), *report.warnings
    return replace(report, warnings=warnings, not_ranked=not_ranked(humans.present))


def slice_of(workspace: Workspace, selection: Selection, expression: str, references: tuple[str, ...]) -> Slice:
    """The segments for which an expression holds, with the settings and ratings in use; found once.

    Raises:
        BleuCoreError: they cannot be found.
    """
    corpus, fields, settings = workspace.corpus, _fields(expression), selection.settings
    judgments = None
    if workspace.judgments is not None and not fields.isdisjoint(FIELDS_OF_RATINGS):
        try:
            judgments = chosen_judgments(workspace, selection)
        except AlignmentError as error:  # whose controls are on pages that this one may not be
            raise SettingsError(NO_RATING) from error
    how = settings if "score" in fields else settings.counting  # a change of what it does not read needs no new search
    found = _segments(workspace.scope, expression, corpus, references, settings=how, judgments=judgments)
    if isinstance(found, str):
        raise SettingsError(found)
    return found


@session.cached("Finding the segments", "segments", typed=True)
def _segments(
    _: Progress,
    expression: str,
    corpus: Corpus,
    references: tuple[str, ...],
    *,
    settings: BleuSettings | Counting,
    judgments: Judgments | None,
) -> Slice | str:
    """The segments for which an expression holds, or why they cannot be found."""
    if not isinstance(settings, BleuSettings):
        settings = BleuSettings(**asdict(settings))
    try:
        return slice_corpus(expression, corpus, references=references, settings=settings, judgments=judgments)
    except BleuCoreError as error:
        return str(error)  # which is kept, too: a search would take as long again


def _fields(expression: str) -> frozenset[str]:
    """The fields in an expression; none if it is not in the language."""
    try:
        return fields_in(parse(expression))
    except SettingsError:
        return frozenset()


def _taken(view: View, chosen: Slice) -> View:
    """The view of a slice; n-grams are not counted again."""
    workspace = _data_of_slice(view.scope, view.workspace, chosen)
    sliced = view.evaluation.take(chosen.rows, workspace.corpus.digest)
    return replace(view, workspace=workspace, evaluation=sliced, slice=chosen, whole=view)


@session.cached("Taking the segments", "segments")
def _data_of_slice(_: Progress, workspace: Workspace, chosen: Slice) -> Workspace:
    return workspace.subset(chosen.rows)


def without_segments(view: View, numbers: Collection[int]) -> View:
    """The view without some of its segments.

    Args:
        view: the data and settings.
        numbers: of the segments, in the whole text, from 1; at least one segment is left.
    """
    whole = view.whole or view
    return _taken(whole, (view.slice or Slice.whole(whole.evaluation.segments)).without(numbers))


def evaluation_under(view: View, settings: BleuSettings) -> Evaluation:
    """All systems on the segments of a view under other settings; a slice is taken from the counts of the whole.

    Raises:
        BleuCoreError: the settings cannot be used with these data.
    """
    corpus = (view.whole or view).workspace.corpus
    found = evaluate_texts(view.scope, corpus, view.selection.references_in(corpus), settings)
    return found if view.slice is None else found.take(view.slice.rows, view.evaluation.digest)


def signature_in_use(workspace: Workspace, selection: Selection) -> str:
    """The signature of the settings in force and the references in use."""
    corpus = ranking_data(workspace, selection).corpus
    number = _references_per_segment(workspace.scope, corpus, selection.references_in(corpus))
    return signature(selection.settings, number)


@session.cached("Counting references", "references")
def _references_per_segment(_: Progress, corpus: Corpus, references: tuple[str, ...]) -> int | None:
    """How many of the references each segment has; None where the number varies."""
    columns = zip(*(corpus.references[name] for name in references), strict=True)
    numbers = {sum(text is not None for text in texts) for texts in columns}
    return numbers.pop() if len(numbers) == 1 else None
