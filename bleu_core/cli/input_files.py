"""The input files of one call of `bleu-core`, or those of its workspace, and the warnings about them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from bleu_core.cli.loading import corpus_of, dataset_of, documents_of, human_scores_of, printed_scores_of, texts_of
from bleu_core.cli.workspaces import (
    has_workspace,
    workspace_dataset,
    workspace_human_scores,
    workspace_printed_scores,
    workspace_repairs,
    workspace_texts,
)
from bleu_core.dataset import human_note, identical_texts

if TYPE_CHECKING:  # loaded when first needed; streamed files do without
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

#: How systems that are identical to a reference are reported.
Copies = Literal["warnings", "note", "none"]


class InputFiles:
    """The input files of a call; each archive is read once.

    Attributes:
        warnings: warnings about the files that have been read so far.
    """

    def __init__(self, options: argparse.Namespace, **changes: object) -> None:
        """Prepare to read; files are read when they are first needed.

        Args:
            options: options of the call, which are not changed.
            changes: options to replace.
        """
        self.warnings: list[str] = []
        # The functions below store archives and warnings in these options.
        self._options = argparse.Namespace(
            **(vars(options) | changes),
            warnings=self.warnings,
            contents=[],
            chosen_slice=None,
            missing_systems=(),
            all_systems=(),
            human_translations=(),
            other_systems={},
        )

    @property
    def slice(self) -> Slice | None:
        """The slice of the call, once the texts are read; None without one."""
        return self._options.chosen_slice

    @property
    def missing_systems(self) -> tuple[MissingText, ...]:
        """The outputs of systems that cannot be used, once the texts are read."""
        return self._options.missing_systems

    @property
    def all_systems(self) -> tuple[str, ...]:
        """The systems of the files, excluded ones, too, once the texts are read; none with a workspace."""
        return self._options.all_systems

    @property
    def human_translations(self) -> tuple[HumanTranslation, ...]:
        """The human translations that are not ranked, once the texts are read."""
        return self._options.human_translations

    @property
    def other_systems(self) -> dict[str, Sequence[str]]:
        """The outputs of excluded systems for the segments in use, once the texts are read; not human translations."""
        return dict(self._options.other_systems)

    @property
    def repairs(self) -> tuple[tuple[str, LineRepair], ...]:
        """The repairs of lines in a workspace, each with the name of its file."""
        return workspace_repairs(self._options) if self._of_workspace else ()

    @property
    def _of_workspace(self) -> bool:
        return has_workspace(self._options)

    def corpus(self, *, copies: Copies = "warnings") -> Corpus:
        """Read the texts, see corpus_of.

        Args:
            copies: how systems that are identical to a reference are reported: each in a warning that its score is not
                informative, all in one note that human translations are not ranked, or not at all.
        """
        corpus = workspace_dataset(self._options).corpus if self._of_workspace else corpus_of(self._options)
        self._warn_of_copies(corpus, copies)
        return corpus

    def documents(self) -> Sequence[str] | None:
        """Read the document of each segment without the texts; None if the call names no file of documents."""
        return documents_of(self._options)

    def texts(self) -> tuple[Column, ...]:
        """Read the texts, whatever their lengths, without documents, see texts_of."""
        return workspace_texts(self._options) if self._of_workspace else texts_of(self._options)

    def dataset(self, *, copies: Copies = "warnings") -> AlignedData:
        """Read the texts, the ratings and the scores of other metrics, see dataset_of; copies as for corpus()."""
        data = workspace_dataset(self._options) if self._of_workspace else dataset_of(self._options)
        self._warn_of_copies(data.corpus, copies)
        return data

    def printed_scores(self) -> tuple[PrintedScore, ...]:
        """Read the scores that sacreBLEU has printed, see printed_scores_of."""
        has_workspace_files = self._of_workspace
        return workspace_printed_scores(self._options) if has_workspace_files else printed_scores_of(self._options)

    def human_scores(self) -> dict[str, str]:
        """Return the human scores in use of each archive that has any, by the archive's path."""
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
    """Return the warning about a system that is identical to a reference."""
    return f"{same.sentence}; its score is not informative"
