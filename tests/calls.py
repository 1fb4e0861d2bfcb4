"""Calls of `bleu-core` that several test modules make: small texts and a part of the sample data."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Run

import sample_data

REFERENCE = "the cat sat on the mat\na dog ran in the park\nit is late now\n"
SECOND = "the cat was on a mat\na dog runs in the park\nit is very late\n"
BETTER = "the cat sat on the mat\na dog ran in a park\nit is very late now\n"
WORSE = "a cat sat on a mat\none dog walks in the park\nlate it is\n"
THIRD = "the cat on the mat\nthe dog ran in the park today\nit is late\n"
HUMAN = "segment,system,judge,score\n" + "".join(
    f"{segment},{system},x,{score}\n"
    for system, scores in (("better", (5, 4, 4)), ("worse", (2, 3, 1)), ("third", (3, 4, 3)))
    for segment, score in enumerate(scores, start=1)
)

#: Errors that a judge marked in these systems; the last segment of each has none.
MQM = "system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\n" + "".join(
    f"{system}\td\t{segment}\tx\t-\t{marked}\t{category}\t{severity}\n"
    for system, lines in (("better", BETTER), ("worse", WORSE), ("third", THIRD))
    for segment, line in enumerate(lines.splitlines(), start=1)
    for marked, category, severity in (
        [(line, "No-error", "No-error")]
        if segment == 3  # the last one
        else [(f"<v>{line.replace(' ', '</v> ', 1)}", "Accuracy/Mistranslation", "Major" if segment == 1 else "Minor")]
    )
)

#: The keys that the JSON of every command has.
ENVELOPE = {"tool", "version", "signature", "metric", "settings", "references", "segments", "warnings", "assessment"}

FORMATS = ("table", "json", "tsv", "latex", "markdown")
COMMANDS = ("score", "blocks", "ngrams", "correlate", "review", "probe", "paper")
COMPARING = ("compare", "slices", "references", "errors", "gate")


def arguments(command: str, corpus: Mapping[str, Path]) -> list[object]:
    """A call of a command that works, on three systems."""
    extra: dict[str, list[object]] = {
        "score": [],
        "blocks": ["--blocks", 3],
        "slices": ["--by", "kind", "--labels", corpus["labels"], "--resamples", 20, "--trials", 9],
        "references": ["--ref", corpus["ref2"]],
        "ngrams": [],
        "check": [],
        "correlate": ["--human", corpus["human"]],
        "review": ["--human", corpus["human"]],
        "errors": ["--human", corpus["mqm"], "--trials", 20, "--resamples", 20],
        "probe": ["--metric", "bleu"],
        "compare": ["--resamples", 20],
        "gate": ["--resamples", 20],
        "paper": ["--human", corpus["human"], "--draws", 20, "--preset", "sacrebleu"],
    }
    systems = [corpus[name] for name in ("better", "worse", "third")][: 2 if command == "gate" else 3]
    return [command, "--ref", corpus["ref"], *extra[command], *systems]


def assert_refused(result: Run, *fragments: str) -> None:
    """Status 2, nothing printed, one line on standard error that holds all of the fragments."""
    assert result.status == 2
    assert result.out == ""
    assert result.err.endswith("\n")
    assert result.err.count("\n") == 1, result.err
    assert result.err.startswith("bleu-core")
    assert "Traceback" not in result.err
    for fragment in fragments:
        assert fragment in result.err


#: Names that mean something to Markdown, HTML, LaTeX, a spreadsheet or pandas.
HOSTILE = (
    "=1+1",
    "+cmd",
    "@sum",
    "**bold** _it_ `co`",
    "[L](javascript:alert(3))",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; x",
    "cost $5 and 10% of #1 {x} a_b ~ ^",
    "\\input{x} \\\\",
    ":red[RED]",
    "# heading",
    "a|b|c",
    'say "hi"',
    '"',
    "tab\there",
    "two\nlines",
    "comma, semi;",
    "1e5",
    "\u65e5\u672c \U0001f600 \u00e9",
    "nan",
    "None",
)

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="such file names are not possible")

#: Some of them, and others, as they are written in LaTeX.
LATEX = {
    "=1+1": "=1+1",
    "cost $5 and 10% of #1 {x} a_b ~ ^": r"cost \$5 and 10\% of \#1 \{x\} a\_b \textasciitilde{} \^{}",
    "\\input{x} \\\\": r"\textbackslash{}input\{x\} \textbackslash{}\textbackslash{}",
    "<img src=x onerror=alert(1)>": r"\ensuremath{<}img src=x onerror=alert(1)\ensuremath{>}",
    "a|b|c": "a|b|c",
    "&lt;b&gt; &amp; x": r"\&lt;b\&gt; \&amp; x",
}

#: Texts that are refused instead of three segments, and what the message says.
BAD_FILES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "too short": (b"a\nb\n", ("has 2 lines, 1 fewer than", "(3). A line was probably lost or joined.")),
    "too long": (b"a\nb\nc\nd\n", ("has 4 lines, 1 more than", "(3). A line was probably added or split.")),
    "empty": (b"", ("the file is empty", "0 segments", "1 expected")),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ("line 1", "0x89", "offset 0")),
    "NUL": (b"one\ntwo\x00\nthree\n", ("line 2", "NUL")),
    "Latin-1": (b"one\ntwo\ncaf\xe9 noir\n", ("line 3", "0xE9", "offset 11", "UTF-8")),
    "UTF-16 without a mark": ("one\ntwo\nthree\n".encode("utf-16-le"), ("line 1", "NUL", "UTF-16")),
    "truncated UTF-16": (b"\xff\xfeo\x00n", ("UTF-16-LE", "offset 4")),
    "only a mark": (b"\xef\xbb\xbf", ("the file is empty",)),
    "UTF-32": ("one\ntwo\n".encode("utf-32"), ("NUL",)),
}

#: The beginning of the sample data: systems, and a reference.
SEGMENTS = 60
SAMPLE = {path.stem: path.read_text(encoding="utf-8").split("\n")[:SEGMENTS] for path in sample_data.systems()}
#: The whole sample data, whose 500 segments are enough for the bootstrap.
WHOLE = {path.stem: path for path in sample_data.systems()} | {"ref": sample_data.references()[0]}
TRUTH = sample_data.references()[0].read_text(encoding="utf-8").split("\n")[:SEGMENTS]
