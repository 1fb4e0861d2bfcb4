"""The register of formats; a format's module is imported when the format is first needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from bleu_core.formats.contents import FileRole
from bleu_core.formats.declaration import Format

#: Key -> module of this package, in the order of lists. A file that no format of its role recognises is read in the
#: first format of the role.
MODULES: Mapping[str, str] = MappingProxyType(
    {
        "text": "plain",
        "table": "columns",
        "xliff": "xliff",
        "tmx": "tmx",
        "po": "po",
        "subtitles": "subtitles",
        "ratings": "ratings",
        "mqm": "mqm",
        "mqm-averages": "mqm_averages",
        "appraise": "appraise",
        "crowd": "wmt_direct_assessment",
        "esa": "esa",
        "pearmut": "pearmut",
        "eval-ratings": "eval_ratings",
        "scores": "scores",
        "eval-scores": "eval_scores",
        "score-lines": "score_lines",
        "sacrebleu": "sacrebleu",
        "comet": "comet",
        "scored-texts": "scored_texts",
        "wmt-scores": "wmt_scores",
        "wmt-error-spans": "wmt_error_spans",
        "labels": "labels",
        "spreadsheet": "spreadsheet",
        "titled-table": "preamble",
        "json-lines": "json_lines",
        "parquet": "parquet",
        "archive": "mt_metrics_eval",
        "wmt-documents": "wmt_documents",
        "wmt-xml": "wmt_xml",
        "sgml": "sgml",
    }
)


class _Formats(Mapping[str, Format]):
    """The formats by key; listing the keys imports no module."""

    def __getitem__(self, key: str) -> Format:
        return _load(MODULES[key])

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)

    def __contains__(self, key: object) -> bool:
        return key in MODULES


@cache
def _load(module: str) -> Format:
    return import_module(f"{__package__}.{module}").FORMAT


#: Key -> format, in the order of lists.
FORMATS: Mapping[str, Format] = _Formats()


def formats_of(role: FileRole) -> tuple[str, ...]:
    """Return the keys of the formats for files of that role."""
    return tuple(key for key, file_format in FORMATS.items() if role in file_format.roles)
