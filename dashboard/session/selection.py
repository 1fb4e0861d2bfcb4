"""The user's selection: one immutable value per run, made from the session's controls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bleu_core.collection import set_languages
from bleu_core.dataset import Corpus, HumanTranslation, Judge, Judgments, OptimisedSystem
from bleu_core.diagnostics import WARNINGS
from bleu_core.errors import SettingsError
from bleu_core.judges import Adjustment
from bleu_core.progress import Progress
from bleu_core.project import Choices, JudgeRecord
from bleu_core.results.judges import judge_names
from bleu_core.scoring import (
    DEFAULT_TOKENIZER,
    SETTINGS,
    BleuSettings,
    Setting,
    all_metrics,
    default_tokenizer,
    label_tables,
    unavailable_tokenizer,
    with_tokenizer,
)
from bleu_core.slicing import HALVES, combine_expressions, may_follow_results, parse
from bleu_core.uploads import Workspace
from dashboard.session import work
from dashboard.session.address import (
    DISMISSED,
    SLICE,
    has_value,
    is_chosen,
    names_of_other_sets,
    paper_settings,
    restore_choice,
    restore_choices,
    restore_names,
    restore_number,
    restore_text,
    restore_toggle,
    unmatched_link,
)
from dashboard.session.files import SHARED_SEGMENTS, chosen_set, current_workspace, test_sets
from dashboard.session.settings import control_value, set_controls, settings_and_problem
from dashboard.session.url import RANK_HUMANS, TOKENIZER

#: The whole text, or one of its halves.
HALF_CHOICES = ("all", *HALVES)

#: Keys of controls: the half of the text, and whether the slice was chosen before the results were seen.
HALF, PLANNED = "half", "slice_planned"

#: Key of the switch that scores segments that a file lacks as if they were empty.
SCORE_MISSING = "score_missing"

#: Key of the list of systems that were optimised for a metric, as SYSTEM=METRIC.
OPTIMISED = "optimised"


#: Key of the switch of how ratings are adjusted for judges, and its positions.
ADJUST_JUDGES = "adjust_judges"
AUTOMATIC, RAW, ADJUSTED = "automatic", "raw", "adjusted"
ADJUSTMENTS: Mapping[str, Adjustment] = MappingProxyType({AUTOMATIC: "auto", RAW: "raw", ADJUSTED: "adjusted"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Humans:
    """The human translations among the systems that are not excluded.

    Attributes:
        present: all of them, whichever references are in use.
        can_be_ranked: whether a reference in use remains whose text differs from theirs.
        ranked: the translations that are ranked among the systems; all where there are no other systems.
    """

    present: tuple[HumanTranslation, ...]
    can_be_ranked: bool
    ranked: tuple[HumanTranslation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The settings, slice and choices in force; names that the data do not have have no effect.

    Attributes:
        settings: of BLEU.
        without_systems: systems that are excluded.
        without_references: references that are excluded.
        without_judges: labels of judges who are excluded, as in judge_labels.
        without_groups: groups of judges that are excluded.
        slice: the expression as it was typed; empty for the whole text.
        half: the half of the text, of HALF_CHOICES.
        slice_planned: whether the slice was chosen before its results were seen.
        score_missing: whether segments that a file lacks are scored as empty.
        shared_segments: whether only segments that all systems have are compared.
        intervals: whether scores have intervals.
        standardised: whether the ratings of each judge are standardised.
        adjustment: whether ratings are adjusted for judges: where these are confounded with systems, never or always.
        rank_humans: whether human translations among the systems are ranked, where another reference is left.
        optimised: systems that were optimised for a metric, and so are not ranked by it.
        by_language: whether no tokeniser was chosen: that of the settings is the default for the target language of the
            test set, and others have their own.
        unavailable: why the tokeniser of the target language cannot be used, with what to install; empty if it can, or
            another one was chosen.
        dismissed: key of a dismissed warning -> the reason.
    """

    settings: BleuSettings = field(default_factory=BleuSettings)
    without_systems: tuple[str, ...] = ()
    without_references: tuple[str, ...] = ()
    without_judges: tuple[str, ...] = ()
    without_groups: tuple[str, ...] = ()
    slice: str = ""
    half: str = HALF_CHOICES[0]
    slice_planned: bool = False
    score_missing: bool = False
    shared_segments: bool = False
    intervals: bool = True
    standardised: bool = False
    adjustment: Adjustment = "auto"
    rank_humans: bool = False
    optimised: tuple[OptimisedSystem, ...] = ()
    by_language: bool = False
    unavailable: str = ""
    dismissed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType[str, str]({}), hash=False)

    @property
    def expression(self) -> str:
        """The slice and the half of the text; empty for the whole text."""
        return combine_expressions(self.slice, "and", "" if self.half == HALF_CHOICES[0] else f"half = {self.half}")

    @property
    def descriptive(self) -> bool:
        """Return whether intervals and p-values are descriptive: the slice may follow the results.

        In the half for tests, the slice is assumed to have been chosen in the other half.
        """
        if not self.slice or self.slice_planned:
            return False
        try:
            expression = parse(self.expression)
        except SettingsError:
            return False  # nothing is shown
        return may_follow_results(expression)

    def references_in(self, corpus: Corpus) -> tuple[str, ...]:
        """Return the references of a corpus that are not excluded."""
        return tuple(name for name in corpus.references if name not in self.without_references)

    def humans_in(self, workspace: Workspace) -> Humans:
        """Return the human translations among the systems of data, and those that are ranked."""
        present = tuple(t for t in workspace.human_translations if t.system not in self.without_systems)
        others = workspace.references_besides([t.system for t in present])
        can_be_ranked = not set(others) <= set(self.without_references)
        alone = len(present) == len(set(workspace.corpus.systems).difference(self.without_systems))
        ranked = present if (self.rank_humans or alone) and can_be_ranked else ()
        return Humans(present=present, can_be_ranked=can_be_ranked, ranked=ranked)

    def choices(self, workspace: Workspace, *, paper_preset: bool, test_set: str = "") -> Choices:
        """Return the part of the selection that is stored in a saved workspace, for commands.

        Args:
            workspace: the data.
            paper_preset: whether the 2002 paper is computed under its preset.
            test_set: name of the test set that the data are.
        """
        corpus, labels = workspace.corpus, judge_labels(workspace)
        judges = (labels[name] for name in self.without_judges if name in labels)
        settings = with_tokenizer(self.settings, DEFAULT_TOKENIZER) if self.by_language else self.settings
        return Choices(
            settings=settings,
            without_systems=tuple(name for name in self.without_systems if name in corpus.systems),
            without_references=tuple(name for name in self.without_references if name in corpus.references),
            slice=self.expression,
            score_missing=self.score_missing,
            shared_segments=self.shared_segments,
            without_judges=tuple(JudgeRecord(name=judge.name, group=judge.group) for judge in judges),
            without_groups=self.without_groups,
            standardised=self.standardised,
            adjusted_for_judges=self.adjustment == "adjusted",
            rank_humans=bool(self.humans_in(workspace).ranked),
            optimised=tuple(mark for mark in self.optimised if mark.system in corpus.systems),
            paper_preset=paper_preset,
            test_set=test_set,
        )


def judge_labels(workspace: Workspace) -> Mapping[str, Judge]:
    """Return label -> judge; the label includes the group if judges of two groups have the same name."""
    return {} if workspace.judgments is None else _labels(workspace.scope, workspace.judgments)


@work.cached("Listing the judges", "judges")
def _labels(_: Progress, judgments: Judgments) -> Mapping[str, Judge]:
    judges = sorted(judgments.judges, key=lambda judge: (judge.group or "", judge.name))
    return dict(zip(judge_names(judges), judges, strict=True))


def select() -> None:
    """Make the selection of this run; controls that have not been shown yet take their values from the URL."""
    if unmatched_link() is None:  # the settings of a link wait for its data
        _restore(current_workspace())
    settings, problem = settings_and_problem()
    by_language = not is_chosen(TOKENIZER)
    set_controls(
        settings_problem=problem,
        selection=Selection(
            settings=settings,
            by_language=by_language,
            unavailable=_default_tokenizer(chosen_set(), current_workspace())[1] if by_language else "",
            without_systems=tuple(control_value("without_systems", ())),
            without_references=tuple(control_value("without_references", ())),
            without_judges=tuple(control_value("without_judges", ())),
            without_groups=tuple(control_value("without_groups", ())),
            slice=typed_slice(),
            half=control_value(HALF, HALF_CHOICES[0]),
            slice_planned=bool(control_value(PLANNED)),
            score_missing=bool(control_value(SCORE_MISSING)),
            shared_segments=bool(control_value(SHARED_SEGMENTS)),
            intervals=bool(control_value("intervals", default=True)),
            standardised=bool(control_value("zscore")),
            adjustment=ADJUSTMENTS.get(control_value(ADJUST_JUDGES), "auto"),
            rank_humans=bool(control_value(RANK_HUMANS)),
            optimised=optimised_systems(),
            dismissed={
                key: control_value(reason_key(key)) or "" for key in control_value(DISMISSED) or () if key in WARNINGS
            },
        ),
    )


def selection() -> Selection:
    """Return the selection of this run."""
    current: Selection | None = control_value("selection")
    return Selection() if current is None else current


def selection_for_set(name: str, workspace: Workspace) -> Selection:
    """Return the selection for one of all test sets, with the choices made in others that the shown one lacks.

    Args:
        name: of the test set.
        workspace: its data.
    """
    current = selection()
    settings, unavailable = current.settings, ""
    if current.by_language:
        tokenizer, unavailable = _default_tokenizer(name, workspace)
        settings = replace(settings, tokenizer=tokenizer)
    return replace(
        current,
        settings=settings,
        unavailable=unavailable,
        without_systems=(*current.without_systems, *names_of_other_sets("without_systems")),
        without_references=(*current.without_references, *names_of_other_sets("without_references")),
        without_judges=(*current.without_judges, *names_of_other_sets("without_judges")),
        without_groups=(*current.without_groups, *names_of_other_sets("without_groups")),
    )


def _default_tokenizer(name: str, workspace: Workspace) -> tuple[str, str]:
    """Return the default tokeniser of a test set, and why that of its language cannot be used; empty if it can."""
    target = set_languages(name, workspace).rpartition("-")[2]
    tokenizer = default_tokenizer(target, workspace.corpus.references.values())
    why = unavailable_tokenizer(tokenizer)
    return (DEFAULT_TOKENIZER, why) if why else (tokenizer, "")


def tokenizer_of_data() -> str:
    """Return the tokeniser of the test set that is shown if none is chosen."""
    return _default_tokenizer(chosen_set(), current_workspace())[0]


def typed_slice() -> str:
    """Return the expression that is typed now, for callbacks, which run before the selection of their run is made."""
    return str(control_value(SLICE, "")).strip()


def metric_names(workspace: Workspace) -> tuple[str, ...]:
    """Return the labels of all metrics that a system can have been optimised for, registered and uploaded."""
    return (*(metric.label for metric in all_metrics().values()), *label_tables(workspace.scores))


def optimised_systems() -> tuple[OptimisedSystem, ...]:
    """Return the systems that are marked as optimised for a metric."""
    marks = control_value(OPTIMISED)
    if not marks:
        return ()
    possible = _possible_marks(current_workspace())
    return tuple(possible[text] for text in marks if text in possible)


def mark_optimised(marks: Iterable[OptimisedSystem]) -> None:
    """Replace the marks of systems that were optimised for a metric; for callbacks."""
    set_controls(**{OPTIMISED: [mark.text for mark in marks]})


def _possible_marks(workspace: Workspace) -> Mapping[str, OptimisedSystem]:
    """Return text -> mark, of each system and metric."""
    metrics = metric_names(workspace)
    marks = (OptimisedSystem(system=name, metric=metric) for name in workspace.corpus.systems for metric in metrics)
    return {mark.text: mark for mark in marks}


def choices_in_use() -> Choices:
    """Return the part of this run's selection that is stored in a saved workspace."""
    return selection().choices(current_workspace(), paper_preset=paper_settings() == "paper", test_set=chosen_set())


def reason_key(warning: str) -> str:
    """Return the key of the reason for dismissing a warning."""
    return f"dismissed_{warning}"


def _restore(workspace: Workspace) -> None:
    corpus, judgments, several = workspace.corpus, workspace.judgments, len(test_sets()) > 1
    if corpus.systems and len(corpus.systems) + len(workspace.missing) > 1:
        restore_names("without_systems", list(corpus.systems))
    elif several:
        restore_names("without_systems", [])
    if len(corpus.references) > 1:
        restore_names("without_references", list(corpus.references))
    elif several:
        restore_names("without_references", [])
    tokenizer = tokenizer_of_data()
    for setting in SETTINGS.values():
        restore_setting(setting, tokenizer if setting.key == TOKENIZER else None)
    restore_toggle(SCORE_MISSING)
    restore_toggle("intervals", default=True)
    restore_toggle(RANK_HUMANS)
    restore_names(OPTIMISED, list(_possible_marks(workspace)) if has_value(OPTIMISED) else [])
    if judgments is not None:
        restore_names("without_groups", judgments.groups)
        restore_names("without_judges", list(judge_labels(workspace)))
        restore_toggle("zscore")
        restore_choice(ADJUST_JUDGES, list(ADJUSTMENTS), former={"true": ADJUSTED, "false": AUTOMATIC})
    elif several:
        restore_names("without_groups", [])
        restore_names("without_judges", [])
    restore_choices(DISMISSED, list(WARNINGS))
    for key in WARNINGS:
        restore_text(reason_key(key))
    restore_text(SLICE)
    restore_choice(HALF, HALF_CHOICES)
    if corpus.references:  # without references there is no slice filter
        restore_toggle(PLANNED)


def restore_setting(setting: Setting, default: str | None = None) -> None:
    """Restore a setting of the sidebar; a default of a choice that depends on the data replaces the declared one."""
    if setting.kind == "choice":
        restore_choice(setting.key, list(setting.choices), setting.default if default is None else default)
    elif setting.kind == "flag":
        restore_toggle(setting.key, default=setting.default)
    elif setting.kind == "whole number":
        restore_number(setting.key, *setting.bounds, setting.default)
    elif setting.kind == "weights":
        restore_text(setting.key)
    else:
        restore_number(setting.key, 0.0, float("inf"), None)
