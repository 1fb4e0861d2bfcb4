"""Named test sets, each with the files of its systems, references and ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.formats import language_of_name, languages_in, target_of
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import Progress
from bleu_core.scoring import BY_LANGUAGE, BleuSettings, default_tokenizer, tokenizer_for_language
from bleu_core.uploads import File, Workspace, assemble

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """A test set of a collection.

    Attributes:
        name: its name, unique in the collection.
        files: its files, with the user's corrections.
        languages: the language pair as SOURCE-TARGET, "en-de" for example, or the target language; empty if it is
            unknown.
        settings: its own settings: key of a field of BleuSettings -> value. The tokeniser may be BY_LANGUAGE.
    """

    __test__: ClassVar[bool] = False  # not a class of tests

    name: str
    files: tuple[File, ...]
    languages: str = ""
    settings: Mapping[str, Any] = field(default_factory=lambda: _NONE)

    @property
    def target(self) -> str:
        """The target language with its script or region, "zh_CN" for example; empty if it is unknown."""
        return target_of(self.languages)

    @property
    def target_language(self) -> str:
        """The code of the target language without a region, "de" for example; empty if it is unknown."""
        return self.target.partition("_")[0].partition("-")[0].lower()

    def read(
        self, limits: Limits = DEFAULT_LIMITS, *, shared_segments: bool = False, progress: Progress | None = None
    ) -> Workspace:
        """Read the files and combine those that fit together; the arguments are those of `assemble`."""
        return assemble(self.files, limits, shared_segments=shared_segments, progress=progress)

    def settings_for(
        self, base: BleuSettings, corpus: Corpus | None = None, *, by_language: bool = False
    ) -> BleuSettings:
        """Return the settings under which the test set is scored.

        Args:
            base: the settings of all sets; the set's own replace them.
            corpus: its texts, whose script must agree with the target language if the tokeniser follows it.
            by_language: whether the tokeniser follows the target language, unless the set has its own.

        Raises:
            SettingsError: the settings do not fit together; the message names the set.
        """
        values = ({"tokenizer": BY_LANGUAGE} if by_language else {}) | dict(self.settings)
        if values.get("tokenizer") == BY_LANGUAGE:
            language = self.target
            values["tokenizer"] = (
                tokenizer_for_language(language)
                if corpus is None
                else default_tokenizer(language, corpus.references.values())
            )
        try:
            return replace(base, **values)
        except SettingsError as error:
            raise SettingsError(f"test set {self.name}: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Several test sets, whose systems are matched by name.

    Attributes:
        sets: the test sets.
        groups: name of a system -> the systems that are its runs, for example with several seeds.
        baseline: the system that others are compared with; empty if none is given.
        settings: the settings of all sets, as in a test set; a set's own replace them.
        notes: sentences about how the files were divided into test sets.
    """

    sets: tuple[TestSet, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    baseline: str = ""
    settings: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the test sets."""
        return tuple(test_set.name for test_set in self.sets)

    def settings_for(
        self, test_set: TestSet, base: BleuSettings, corpus: Corpus | None = None, *, by_language: bool = False
    ) -> BleuSettings:
        """Return the settings under which one of the sets is scored.

        The collection's settings replace those of `base`, and the set's own settings both.

        Args:
            test_set: one of the sets.
            base: the settings where the collection and the set have none of their own.
            corpus: the texts of the set, whose script must agree with its language if the tokeniser follows it.
            by_language: whether the tokeniser follows the target language, unless the collection or the set has one.

        Raises:
            SettingsError: as TestSet.settings_for.
        """
        own = replace(test_set, settings=dict(self.settings) | dict(test_set.settings))
        return own.settings_for(base, corpus, by_language=by_language)


def set_languages(name: str, workspace: Workspace) -> str:
    """Return the language pair of a test set, as SOURCE-TARGET, or the target that is its name; empty if unknown.

    The name of the test set goes before the pair that is read of files with several, and that before names of files.
    """
    pairs = [entry.pair for entry in workspace.entries if entry.pair]
    files = [entry.file.name for entry in workspace.entries]
    pair = languages_in([name]) or languages_in(pairs) or languages_in(files) or workspace.corpus.languages
    return pair or language_of_name(name)
