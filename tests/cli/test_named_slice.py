"""Tables of a slice name it: in the captions and notes of all commands, and in their JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Runner, Writer

from bleu_core.results.latex import caption_latex
from bleu_core.results.markdown import markdown_text

WORDS = ("the cat sat", "on a mat", "in the old park", "with two dogs", "all day long")
SEGMENTS = 30
SLICE = 'segment <= 24 or reference ~ "<b>_[#&%$^|*~]x{2}"'
DESCRIBED = f"24 of {SEGMENTS} segments ({SLICE})"

#: Commands with tables -> options. Those of several test sets name the expression alone.
COMMANDS = {
    "score": [],
    "compare": [],
    "blocks": ["--blocks", "4"],
    "ngrams": ["--baseline", "B"],
    "slices": ["--by", "half", "--baseline", "B"],
    "references": [],
    "gate": ["--margin", "50"],
    "correlate": ["--human", "ratings.csv"],
    "review": ["--metric", "bleu", "--human", "ratings.csv"],
    "paper": ["--human", "ratings.csv"],
}


@pytest.fixture
def texts(write: Writer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Three systems with ratings, and a reference."""
    lines = [" ".join(WORDS[(n * k) % 5] for k in (1, 2, 3)) for n in range(1, SEGMENTS + 1)]
    write("ref.txt", "".join(f"{line}\n" for line in lines))
    write("ref2.txt", "".join(f"{line} too\n" for line in lines))
    for k, name in enumerate("ABC", start=2):
        write(f"{name}.txt", "".join(f"{line[: -k * (n % 4) or None]}\n" for n, line in enumerate(lines)))
    rows = [
        f"{n + 1},{name},{j},{(n * k + len(j)) % 5}"
        for n in range(SEGMENTS)
        for k, name in enumerate("ABC", 2)
        for j in ("x", "yy")
    ]
    write("ratings.csv", "\n".join(["segment,system,judge,score", *rows, ""]))
    monkeypatch.chdir(tmp_path)
    return ["--ref", "ref.txt", "--ref", "ref2.txt", "A.txt", "B.txt", "C.txt"]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_format_names_the_slice(command: str, texts: list[str], run: Runner) -> None:
    given = texts if command != "gate" else texts[:-1]
    call = [command, *COMMANDS[command], "--slice", SLICE, *given]
    latex = run(*call, "--format", "latex")
    assert latex.status in (0, 1), latex.err
    captions = [line for line in latex.out.split("\n") if line.startswith(r"\caption{")]
    assert captions
    assert all(caption_latex(DESCRIBED) in caption for caption in captions), captions
    assert markdown_text(DESCRIBED) in run(*call, "--format", "markdown").out
    assert DESCRIBED in run(*call).out
    found = run(*call, "--format", "json")
    if found.status == 0:
        report = found.json["slice"]
        assert (report["expression"], report["segments"], report["of"]) == (SLICE, 24, SEGMENTS)


def test_tables_over_test_sets_name_the_slice_of_each(texts: list[str], run: Runner) -> None:
    assert texts
    for name in ("one", "two"):
        for role, files in (("systems", "ABC"), ("references", ["ref"])):
            folder = Path("sets", name, role)
            folder.mkdir(parents=True)
            for file in files:
                (folder / f"{file}.txt").write_bytes(Path(f"{file}.txt").read_bytes())
    described = f"the segments of each test set in a slice ({SLICE})"
    for form, shown in (("latex", caption_latex(described)), ("markdown", markdown_text(described))):
        result = run("table", "sets", "--slice", SLICE, "--format", form)
        assert result.status == 0, result.err
        assert shown in result.out
