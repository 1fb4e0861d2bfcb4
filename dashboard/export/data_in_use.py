"""The data of a page in commands of `bleu-core` and in Python code.

Files that are used without corrections are named individually. If the user has corrected how one of them is read, the
code uses a saved workspace, which has the corrections.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import pairwise

from bleu_core.project import Choices
from bleu_core.scoring import DEFAULT_METRIC, DEFAULT_TOKENIZER, PRESETS, SETTINGS, BleuSettings
from bleu_core.slicing import FIELDS_OF_ERRORS, FIELDS_OF_RATINGS, fields_in, parse
from bleu_core.uploads import Entry, File
from dashboard.analysis import WORKSPACE_NAME, View, choose_ratings, ratings_or_none
from dashboard.export.script import Script
from dashboard.launch import OPTIONS, ROLES_OF_RATINGS, argument_of

#: Role of a file -> the argument of bleu_core.load.
ARGUMENTS: Mapping[str, str] = {
    "archive": "archives",
    "source": "source",
    "reference": "references",
    "system": "systems",
    "document": "documents",
    "labels": "labels",
    "judgments": "judgments",
    "scores": "scores",
}

#: Roles with a single file.
SINGLE = ("source", "document")

#: Attributes of a file that do not affect texts or ratings; only the files of the test set that is shown are named.
MARKS = ("human", "human_names", "test_set")

#: Commands that use only the metrics that a call names, or the default one.
OF_NAMED_METRICS = ("score", "compare", "blocks", "slices", "references")

#: Fields of slices that may name systems, which a command may exclude.
FIELDS_OF_SYSTEMS = ("score", "equal", "system")


@dataclass(frozen=True, slots=True)
class DataInUse:
    """The files in use, and the part of them that a page uses.

    Attributes:
        view: the data and settings of the page.
        choices: the user's selection.
        paths: name of a file -> its path, if known.
        saved: whether the code needs a saved workspace.
    """

    view: View
    choices: Choices
    paths: Mapping[str, str] = field(default_factory=dict[str, str])
    saved: bool = False

    @property
    def whole(self) -> View:
        """The view of all segments."""
        return self.view.whole or self.view

    @property
    def is_sliced(self) -> bool:
        """Return whether some segments are not used."""
        return self.view.slice is not None

    @property
    def expression(self) -> str:
        """The slice that was chosen; empty for all segments that no file lacks."""
        return "" if self.view.slice is None else self.view.slice.expression

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The files in use."""
        return tuple(entry for entry in self.whole.workspace.entries if not entry.problem)

    @property
    def has_named_files(self) -> bool:
        """Return whether the files can be named individually, as none has been corrected."""
        if self.saved or not all(_is_as_read(entry) for entry in self.entries) or not self._names_judges:
            return False
        if self.whole.workspace.unshared:  # other systems would have other shared segments
            return False
        fields_used = fields_in(parse(self.expression)) if self.expression else frozenset[str]()
        return fields_used.isdisjoint((*FIELDS_OF_RATINGS, *FIELDS_OF_SYSTEMS))

    @property
    def _needs_of_slice(self) -> tuple[bool, bool]:
        """Return whether the slice needs ratings, and whether it needs the scores of metrics for marked errors."""
        fields_used = fields_in(parse(self.expression)) if self.expression else frozenset[str]()
        workspace = self.whole.workspace
        ratings = workspace.judgments is not None and not fields_used.isdisjoint(FIELDS_OF_RATINGS)
        marking = any(table.errors is not None for table in workspace.scores)
        return ratings, marking and not fields_used.isdisjoint(FIELDS_OF_ERRORS)

    @property
    def humans(self) -> tuple[str, ...]:
        """The systems in use that are marked as human translations."""
        return tuple(name for name in self.view.workspace.human_systems if name in self.view.evaluation.systems)

    @property
    def ranked_humans(self) -> tuple[str, ...]:
        """The human translations among the systems in use that are ranked."""
        return tuple(human.system for human in self.view.ranked_humans)

    @property
    def _names_judges(self) -> bool:
        """Return whether a name identifies each excluded judge."""
        judgments, excluded = self.whole.workspace.judgments, [judge.name for judge in self.choices.without_judges]
        if judgments is None or not excluded:
            return True
        names = [judge.name for judge in judgments.judges]
        return all(names.count(name) == 1 and name not in judgments.groups for name in excluded)

    def command(
        self,
        name: str,
        *options: str,
        systems: Sequence[str] | None = None,
        references: Sequence[str] | None = None,
        ratings: bool = False,
        scores: bool | None = None,
        ranks: bool = True,
    ) -> str:
        """Return a call of `bleu-core`, quoted for a shell.

        Args:
            name: of the command.
            options: of the command.
            systems: the systems to use; those of the page if None.
            references: the references to use; those of the page if None.
            ratings: whether the command reads ratings.
            scores: whether it reads scores of metrics; if None, it does if it reads ratings.
            ranks: whether it ranks systems: it then names the human translations, and ranks them if the page does.
        """
        evaluation = self.view.evaluation
        used = evaluation.systems if systems is None else systems
        if ranks and set(used) == set(self.view.compared.systems):  # it excludes the human translations itself
            used = evaluation.systems
        loaded = self.whole.workspace.corpus
        without = [part for system in loaded.systems if system not in used for part in ("--exclude-system", system)]
        if not self.has_named_files:
            selected = [system for system in loaded.systems if system not in self.choices.without_systems]
            more = without if set(used) != set(selected) else []
            if ratings and self.adjusted and not self.choices.adjusted_for_judges:  # which the workspace does not store
                more = [*more, "--adjust-judges"]
            return shlex.join(["bleu-core", name, "--workspace", WORKSPACE_NAME, *options, *more])
        kept = evaluation.references if references is None else references
        dropped = [name for name in loaded.references if name not in kept]
        without += [part for name in dropped for part in ("--exclude-reference", name)]
        preset = "paper" if name == "paper" else "sacrebleu"
        settings = settings_options(evaluation.settings, preset, by_language=self.view.selection.by_language)
        text_slice = ["--slice", self.expression] if self.expression else []
        judges = self._judges() if ratings else []
        return shlex.join(
            [
                "bleu-core",
                name,
                *options,
                *settings,
                *without,
                *text_slice,
                *judges,
                *([*self._humans(used), *self._optimised(name, options, used)] if ranks else []),
                *self._files(ratings=ratings, scores=ratings if scores is None else scores),
            ]
        )

    def script(
        self, systems: Sequence[str] | None = None, *, ratings: bool = False, scores: bool = False, counted: bool = True
    ) -> Script:
        """Return the code that loads `corpus`, `settings` and `evaluation`; `judgments` and `chosen`, if any.

        Args:
            systems: the systems to evaluate, in their order; those of the page if None.
            ratings: whether ratings are needed.
            scores: whether the scores of other metrics are needed.
            counted: whether systems are evaluated.
        """
        script, evaluation, loaded = Script(), self.view.evaluation, self.whole.workspace.corpus
        own = [human.system for human in self.view.ranked_humans if human.reference]
        slice_needs_ratings, slice_needs_scores = self._needs_of_slice
        self._load(script, ratings=ratings or slice_needs_ratings, scores=scores or slice_needs_scores)
        if own:
            script.use("dataclasses", "replace")
            script.use("bleu_core.dataset", "without_references_of")
            script.call("data", "replace", "data", f"corpus=without_references_of(data.corpus, {own!r})")
        script.call("settings", "bc.BleuSettings", **changed_settings(evaluation.settings))
        some = list(evaluation.references) != list(loaded.references)
        if some:
            script.add(f"references = {list(evaluation.references)!r}")
        named = ["references=references"] if some else []
        text_slice = self.view.slice
        if self.expression:
            script.use("bleu_core.slicing", "slice_corpus")
            rated = ["judgments=judgments"] * slice_needs_ratings + ["scores=data.scores"] * slice_needs_scores
            if slice_needs_ratings:
                self._choose_judges(script)
            arguments = [repr(self.expression), "data.corpus", *named, "settings=settings", *rated]
            script.call("chosen", "slice_corpus", *arguments)
        elif text_slice is not None:
            script.use("bleu_core.slicing", "Slice")
            script.call("chosen", "Slice.whole", "data.corpus.segments")
        if text_slice is not None:
            if text_slice.excluded:
                script.call("chosen", "chosen.without", "data.absent")
            script.call("data", "data.subset", "chosen.rows")
        script.add("corpus = data.corpus")
        if ratings:
            self._choose_judges(script)
            self._adjust_judges(script)
        if counted:
            used = list(evaluation.systems if systems is None else systems)
            select = f".select({used!r})" if used != list(loaded.systems) else ""
            script.add(f"evaluation = bc.evaluate({', '.join(['corpus', 'settings', *named])}){select}")
        return script

    def _files(self, *, ratings: bool, scores: bool) -> list[str]:
        """Return the files with their options, systems last; those of ratings and of scores only on request."""
        named: list[str] = []
        wanted = {"scores": scores} | {role: ratings for role in ROLES_OF_RATINGS if role != "scores"}
        for role, option in OPTIONS.items():
            if not wanted.get(role, True):
                continue
            for path in self._paths(role):
                named += [option, path] if option else [path]
        return named

    def _paths(self, role: str) -> list[str]:
        """Return the paths of all files of a role, as arguments."""
        names = [entry.file.name for entry in self.entries if entry.file.role == role]
        return [argument_of(self.paths.get(name, name)) for name in names]

    def _load(self, script: Script, *, ratings: bool, scores: bool) -> None:
        if not self.has_named_files:
            script.use("pathlib", "Path")
            script.use("bleu_core.project", "open_workspace")
            script.use("bleu_core.uploads", "assemble")
            script.call("path", "Path", repr(WORKSPACE_NAME))
            shared = ", shared_segments=True" if self.whole.workspace.unshared else ""
            script.add(f"data = assemble(open_workspace(path.read_bytes(), path.name).files_in_use{shared})")
            return
        wanted = {"judgments": ratings, "scores": scores}
        arguments: dict[str, object] = {}
        for role, argument in ARGUMENTS.items():
            paths = self._paths(role)
            if paths and wanted.get(role, True):
                arguments[argument] = paths[0] if role in SINGLE and len(paths) == 1 else paths
        script.load(arguments)

    @property
    def adjusted(self) -> bool:
        """Whether ratings are adjusted for judges: by choice, or as judges are confounded with systems."""
        ratings = None if self.view.workspace.judgments is None else ratings_or_none(self.view)
        return self.choices.adjusted_for_judges or (ratings is not None and ratings.adjusted)

    def _judges(self) -> list[str]:
        """Return the options that select ratings."""
        choices = self.choices
        excluded = [*(judge.name for judge in choices.without_judges), *choices.without_groups]
        options = [part for name in excluded for part in ("--exclude-judge", name)]
        options += ["--standardise"] if choices.standardised else []
        return [*options, *(["--adjust-judges"] if self.adjusted else [])]

    def _humans(self, used: Sequence[str]) -> list[str]:
        """Return the options that name human translations among the systems in use: those marked, or all if ranked."""
        ranked = self.ranked_humans
        option, names = ("--include-human", ranked) if ranked else ("--human-system", self.humans)
        return [part for name in names if name in used for part in (option, name)]

    def _optimised(self, name: str, options: Sequence[str], used: Sequence[str]) -> list[str]:
        """Return the options that mark the systems in use that were optimised for a metric of a command."""
        marks = [mark for mark in self.view.optimised if mark.system in used]
        if name in OF_NAMED_METRICS:
            named = [value for option, value in pairwise(options) if option == "--metric"] or [DEFAULT_METRIC]
            marks = [mark for mark in marks if mark.concerns(*named)]
        return [part for mark in marks for part in ("--optimised", mark.text)]

    def _choose_judges(self, script: Script) -> None:
        choices = self.choices
        script.add("judgments = data.judgments")
        if choices.without_judges or choices.without_groups:
            script.use("bleu_core.dataset", *(["Judge"] if choices.without_judges else []))
            judges = [f"Judge({judge.group!r}, {judge.name!r})" for judge in choices.without_judges]
            arguments = f"judges=[{', '.join(judges)}], groups={list(choices.without_groups)!r}"
            script.call("judgments", "judgments.without", arguments)
        if choices.standardised:
            script.use("bleu_core.judges", "standardised")
            script.call("judgments", "standardised", "judgments")

    def _adjust_judges(self, script: Script) -> None:
        """Adjust the ratings for judges, by those of the compared systems, as pages do."""
        if self.adjusted:
            systems = repr(list(choose_ratings(self.view).systems))
            script.use("bleu_core.judges", "adjusted_for_judges")
            script.call("judgments", "adjusted_for_judges", "judgments", systems, "corpus.documents")


def _is_as_read(entry: Entry) -> bool:
    """Return whether a file is used without corrections, and as a whole."""
    if any(warning.startswith("not used") for warning in entry.warnings):
        return False
    corrections = (f for f in fields(File) if f.init and f.default is not MISSING and f.name not in MARKS)
    return all(getattr(entry.file, f.name) == f.default for f in corrections if f.compare)


def changed_settings(settings: BleuSettings) -> dict[str, object]:
    """Return the settings that differ from sacreBLEU's defaults."""
    return {key: value for key, setting in SETTINGS.items() if (value := getattr(settings, key)) != setting.default}


def settings_options(settings: BleuSettings, preset: str, *, by_language: bool = True) -> list[str]:
    """Return the options that turn a preset into these settings.

    Args:
        settings: the settings.
        preset: the preset.
        by_language: whether the tokeniser is the default one, which may depend on the language; else it was chosen.
    """
    if not by_language and settings.tokenizer == DEFAULT_TOKENIZER:
        others = settings_options(settings, preset)
        option = SETTINGS["tokenizer"].option
        return others if option in others else [*others, option, DEFAULT_TOKENIZER]
    if settings == PRESETS[preset]:
        return []
    options = [] if PRESETS[preset] == BleuSettings() else ["--preset", "sacrebleu"]
    for key, value in changed_settings(settings).items():
        option = SETTINGS[key].option
        if isinstance(value, bool):
            options.append(option if value else f"--no-{option.removeprefix('--')}")
        else:
            options += [option, ",".join(map(repr, value)) if isinstance(value, tuple) else f"{value}"]
    return options
