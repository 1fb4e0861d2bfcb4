"""The register of warnings; a warning's module is imported when the warning is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from bleu_core.diagnostics.declaration import STRENGTHS, Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import BySegment, DiagnosticInput, TextTables
from bleu_core.scoring import Basis

#: key -> module of the package `warnings`, in the order of lists.
WARNINGS: Mapping[str, str] = MappingProxyType(
    {
        "tokenization": "tokenization",
        "additions": "additions",
        "damaged-characters": "damaged_characters",
        "escape-sequences": "escape_sequences",
        "script": "script",
        "words-at-blanks": "words_at_blanks",
        "length": "length",
        "empty": "empty",
        "copied-source": "copied_source",
        "wrong-language": "wrong_language",
        "misplaced": "misplaced",
        "repeated": "repeated",
        "truncated": "truncated",
        "identical-systems": "identical_systems",
        "one-reference": "one_reference",
        "unrelated-references": "unrelated_references",
        "references-disagree": "references_disagree",
        "reference-rated-low": "reference_rated_low",
        "confounded-judges": "confounded_judges",
        "close-reference": "close_reference",
        "memorised": "memorised",
        "too-little-text": "too_little_text",
        "too-few-systems": "too_few_systems",
        "few-documents-decide": "few_documents_decide",
    }
)

#: key of a warning -> what its alarms make not comparable: all that rests on scores of metrics that use references, on
#: other scores, on raw ratings or on adjusted ones, such as differences and correlations. Others obstruct nothing.
OBSTRUCTS: Mapping[str, tuple[Basis, ...]] = MappingProxyType(
    {
        "additions": ("references",),
        "escape-sequences": ("references",),
        "script": ("references",),
        "words-at-blanks": ("references",),
        "wrong-language": ("references",),
        "misplaced": ("references",),
        "unrelated-references": ("references",),
        "close-reference": ("references",),
        "memorised": ("references",),
        "confounded-judges": ("raw ratings",),
    }
)


def find_warning(key: str) -> TrustWarning:
    """Return a warning by its key; it ignores systems that are human translations.

    Raises:
        KeyError: there is no such warning.
    """
    warning: TrustWarning = import_module(f"{__package__}.warnings.{WARNINGS[key]}").WARNING

    def find(data: DiagnosticInput) -> Sequence[Finding]:
        return warning.find(data.without_humans)

    return replace(warning, find=find, obstructs=OBSTRUCTS.get(key, ()))


def all_warnings() -> tuple[TrustWarning, ...]:
    """Return all warnings, in the order of lists."""
    return tuple(find_warning(key) for key in WARNINGS)


def obstructing(*bases: Basis) -> tuple[str, ...]:
    """Return the keys of the warnings whose alarms obstruct statements that rest on one of these.

    Without arguments, return those of the warnings that obstruct nothing.
    """
    obstructed = {key: set(OBSTRUCTS.get(key, ())) for key in WARNINGS}
    return tuple(key for key, of in obstructed.items() if (of & set(bases) if bases else not of))


def count_texts(data: DiagnosticInput) -> TextTables:
    """Count what warnings need and no setting influences, for DiagnosticInput.tables.

    Returns:
        (texts, segments, ...) arrays of integers, in the smallest types that hold them.
    """
    from bleu_core.diagnostics.characters import (  # loaded when first needed, like warnings
        count_characters,
        count_scripts,
    )
    from bleu_core.diagnostics.function_words import count_function_words
    from bleu_core.diagnostics.warnings.repeated import count_repeated
    from bleu_core.diagnostics.written_alike import number_texts

    tables: dict[Callable[..., Any], BySegment] = {}
    for compute in (count_characters, count_scripts, count_function_words, count_repeated, number_texts):
        counts = data.without_humans.segment_values(compute)
        tables[compute] = counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
    return tables


def findings(data: DiagnosticInput, keys: Iterable[str] = tuple(WARNINGS)) -> tuple[Finding, ...]:
    """Return the findings of warnings, the most severe first, else in the order of the register.

    Args:
        data: the input.
        keys: of the warnings; all by default.
    """
    unsorted = [finding for key in keys for finding in find_warning(key).find(data)]
    return tuple(sorted(unsorted, key=lambda finding: -STRENGTHS.index(finding.strength)))
