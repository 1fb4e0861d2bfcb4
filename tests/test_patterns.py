"""Every regular expression takes time in proportion to the length of a text, since uploaded files choose the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import translate

import pytest
from nightly import nightly
from patterns import Used, patterns, takes_more_than_linear_time

#: Functions that build a pattern from their arguments -> what tests its time, or why no uploaded text reaches it.
BUILT: Mapping[str, str] = {
    "bleu_core.collection.replicates.seeds_of": "wildcards of an option, which match names of systems",
    "bleu_core.formats.delimited._long_rows": "a class of characters, possessive",
    "bleu_core.formats.delimited._without_quoted": "tests/formats/test_pathological.py",
    "bleu_core.formats.unsupported.": "the patterns of first bytes, at the level of the module",
    "bleu_core.formats.xml_elements.root_pattern": "tests/formats/test_pathological.py",
    "bleu_core.scoring.bytetokens.character_classes": "all characters, once",
    "bleu_core.slicing.negations._pattern": "words between boundaries",
    "bleu_core.slicing.search._limited": "searches of users, which have a limit on time",
    "bleu_core.slicing.segment_classes._marks": "a class of characters",
    "bleu_core.slicing.text_counts._pattern": "classes of characters",
    "bleu_core.uploads.files.has_unnamed_columns": "the name of a file, and digits",
}
#: Patterns that see no text of users -> what they see.
TRUSTED: Mapping[str, str] = {"dashboard.server.content_security_policy": "Streamlit's own page"}
#: Characters of a text that every run tries, and what the nightly run tries after it.
LENGTH, LENGTHS = 1500, (20_000, 100_000)


def test_patterns_that_functions_build_are_known() -> None:
    assert set(patterns()[1]) == set(BUILT)


def test_patterns_are_found_with_their_operations() -> None:
    operations = {place: used.operations for used in patterns()[0] for place in used.places}
    assert operations["bleu_core.formats.column_kinds.CODE"] == {"fullmatch"}
    assert operations["bleu_core.dataset.paragraphs.LINE_BREAK"] == {"finditer"}
    assert operations["bleu_core.formats.toml_files._check_size"] == {"finditer"}
    assert len(patterns()[0]) > 150


@pytest.mark.parametrize(
    ("pattern", "operation"),
    [
        (r"(?=\S*[\d_/#:|=-])\S*\w\S*|[A-Z]{1,5}", "fullmatch"),
        (r"\s*[:|]\s*", "finditer"),
        (r"<p>.*?</p>", "finditer"),
        (r"\s+\Z", "finditer"),
    ],
)
def test_a_pattern_that_takes_quadratic_time_is_found(pattern: str, operation: str) -> None:
    assert takes_more_than_linear_time(Used(re.compile(pattern), ("x",), frozenset({operation})), 3000)


@pytest.mark.parametrize(
    ("length", "all_pairs"), [(LENGTH, False), *nightly([(LENGTH, True), *((n, False) for n in LENGTHS)])]
)
def test_every_pattern_takes_linear_time(length: int, *, all_pairs: bool) -> None:
    found = {
        used.places[0]: texts
        for used in patterns()[0]
        if not TRUSTED.keys() >= set(used.places)
        if (texts := takes_more_than_linear_time(used, length, all_pairs=all_pairs))
    }
    assert not found


@pytest.mark.parametrize("wildcards", ["*a*a*a*a*a*b", "?*?*?*[ab]*x", "*[!a]*[!b]*c"])
def test_wildcards_take_linear_time(wildcards: str) -> None:
    pattern = re.compile(translate(wildcards))
    assert not takes_more_than_linear_time(Used(pattern, (wildcards,), frozenset({"match"})), LENGTH)
