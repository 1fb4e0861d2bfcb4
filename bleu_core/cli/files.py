"""The files of one call of `bleu-core`, and the warnings about them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from bleu_core.cli.inputs import corpus_of, dataset_of, documents_of, human_scores_of, printed_scores_of, texts_of
from bleu_core.cli.workspaces import (
    has_workspace,
    workspace_dataset,
    workspace_human_scores,
    workspace_printed_scores,
    workspace_repairs,
    workspace_texts,
)
from bleu_core.dataset import human_note, identical_texts

if TYPE_CHECKING:  # files that are streamed are not fitted together
    from bleu_core.dataset import (
        AlignedData,
        Column,
        Corpus,
        HumanTranslation,
        Identical,
        LineRepair,
        MissingText,
        PrintedScore,
    )
    from bleu_core.slicing import Slice

#: How systems that are identical to a reference are named.
Copies = Literal["warnings", "note", "none"]


class Files:
    """The files that a call names; each archive is read once.

    Attributes:
        warnings: about what has been read so far.
    """

    def __init__(self, options: argparse.Namespace, **changes: object) -> None:
        """Read nothing yet.

        Args:
            options: of the call; they are not changed.
            changes: options with other values.
        """
        self.warnings: list[str] = []
        # The functions below keep the archives, and add warnings, in their options.
        self._options = argparse.Namespace(
            **(vars(options) | changes),
            warnings=self.warnings,
            chosen_slice=None,
            missing_systems=(),
            human_translations=(),
        )

    @property
    def slice(self) -> Slice | None:
        """The slice of the call, once the texts are read; None without one."""
        return self._options.chosen_slice

    @property
    def missing_systems(self) -> tuple[MissingText, ...]:
        """The systems whose outputs cannot be used, once the texts are read."""
        return self._options.missing_systems

    @property
    def human_translations(self) -> tuple[HumanTranslation, ...]:
        """The human translations among the systems that are not ranked, once the texts are read."""
        return self._options.human_translations

    @property
    def repairs(self) -> tuple[tuple[str, LineRepair], ...]:
        """The repairs of lines that a workspace has, each with the name of its file."""
        return workspace_repairs(self._options) if self._of_workspace else ()

    @property
    def _of_workspace(self) -> bool:
        return has_workspace(self._options)

    def corpus(self, *, copies: Copies = "warnings") -> Corpus:
        """The texts, see corpus_of.

        Args:
            copies: how systems that are identical to a reference are named: each in a warning that its score is not
                informative, all in one note that human translations are not ranked, or not at all.
        """
        corpus = workspace_dataset(self._options).corpus if self._of_workspace else corpus_of(self._options)
        self._warn_of_copies(corpus, copies)
        return corpus

    def documents(self) -> Sequence[str] | None:
        """The document of each segment, if the call names a file of them, without the texts."""
        return documents_of(self._options)

    def texts(self) -> tuple[Column, ...]:
        """The texts of whatever length, without documents, see texts_of."""
        return workspace_texts(self._options) if self._of_workspace else texts_of(self._options)

    def dataset(self, *, copies: Copies = "warnings") -> AlignedData:
        """The texts, the ratings and other metrics' scores, see dataset_of; copies as for corpus()."""
        found = workspace_dataset(self._options) if self._of_workspace else dataset_of(self._options)
        self._warn_of_copies(found.corpus, copies)
        return found

    def printed_scores(self) -> tuple[PrintedScore, ...]:
        """The scores that sacreBLEU has printed, see printed_scores_of."""
        of_workspace = self._of_workspace
        return workspace_printed_scores(self._options) if of_workspace else printed_scores_of(self._options)

    def human_scores(self) -> dict[str, str]:
        """The human scores in use of each archive that has any, by the archive's path."""
        return workspace_human_scores(self._options) if self._of_workspace else human_scores_of(self._options)

    def _warn_of_copies(self, corpus: Corpus, copies: Copies) -> None:
        if copies == "none":
            return
        for same in identical_texts(corpus):
            if same.role == "reference" and copies == "warnings":
                self.warnings.append(copy_warning(same))
            elif same.role == "source":
                self.warnings.append(same.sentence)
        if copies == "note":
            self.warnings += filter(None, [human_note(self.human_translations)])


def copy_warning(same: Identical) -> str:
    """The warning about a system that is identical to a reference."""
    return f"{same.sentence}; its score is not informative"
