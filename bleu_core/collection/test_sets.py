"""Named test sets, each with the files of its systems, references and ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import Progress
from bleu_core.uploads import File, Workspace, assemble


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """A test set of a collection.

    Attributes:
        name: its name, unique in the collection.
        files: its files, with the user's corrections.
        languages: the language pair as SOURCE-TARGET, "en-de" for example; empty if it is unknown.
    """

    __test__: ClassVar[bool] = False  # not a class of tests

    name: str
    files: tuple[File, ...]
    languages: str = ""

    @property
    def target_language(self) -> str:
        """The code of the target language without a region, "de" for example; empty if it is unknown."""
        return self.languages.partition("-")[2].partition("_")[0].partition("-")[0].lower()

    def read(
        self, limits: Limits = DEFAULT_LIMITS, *, shared_segments: bool = False, progress: Progress | None = None
    ) -> Workspace:
        """Read the files and combine those that fit together; the arguments are those of `assemble`."""
        return assemble(self.files, limits, shared_segments=shared_segments, progress=progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Several test sets, whose systems are matched by name.

    Attributes:
        sets: the test sets.
        groups: name of a system -> the systems that are its runs, for example with several seeds.
        baseline: the system that others are compared with; empty if none is given.
        notes: sentences about how the files were divided into test sets.
    """

    sets: tuple[TestSet, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    baseline: str = ""
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the test sets."""
        return tuple(test_set.name for test_set in self.sets)
