"""The command that the page Report shows beside a figure draws this figure, whatever is selected."""

from __future__ import annotations

import argparse
import random
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Downloads, Holder, Runner
from nightly import nightly
from pages import said, visit
from sparse_data import SEGMENTS, sparse

from bleu_core.errors import BleuCoreError
from bleu_core.results.table import to_tsv
from bleu_core.uploads import File
from dashboard.commands.gathering import gather
from dashboard.exhibits import EXHIBITS, Data
from dashboard.export import DataInUse, figure_commands

SYSTEMS = "ABCDE"


def _files() -> tuple[File, ...]:
    """Five systems, one of them a human translation, with all that an exhibit may need but marked errors."""
    generator = random.Random(1)
    scores = "system,segment,metric,score\n" + "".join(
        f"{name},{n + 1},COMET,{0.7 + 0.02 * k + generator.gauss(0, 0.1):.4f}\n"
        for k, name in enumerate(SYSTEMS)
        for n in range(SEGMENTS)
    )
    labels = "segment\ttopic\n" + "".join(f"{n + 1}\t{('news', 'talk')[n % 2]}\n" for n in range(SEGMENTS))
    files = sparse(SYSTEMS, SYSTEMS, documents=4).files
    marked = (replace(file, human=True) if file.name == "E.txt" else file for file in files)
    return (*marked, File("scores.csv", scores.encode(), "scores"), File("labels.tsv", labels.encode(), "labels"))


def _with_errors() -> tuple[File, ...]:
    """Two systems with errors that two judges marked."""
    texts = sparse("AB").files
    lines = {file.name[0]: file.data.decode().split("\n") for file in texts if file.role == "system"}
    rows = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for k, (name, outputs) in enumerate(lines.items()):
        for n, text in enumerate(outputs[:SEGMENTS]):
            for judge in ("J1", "J2"):
                first, _, rest = text.partition(" ")
                marked = (n + k) % 3 == 0
                target = f"<v>{first}</v> {rest}" if marked else text
                kind = "Fluency/Grammar\tMinor" if marked else "No-error\tNo-error"
                rows.append(f"{name}\td{n // 4}\t{n + 1}\t{judge}\t-\t{target}\t{kind}")
    return (*texts, File("mqm.tsv", ("\n".join(rows) + "\n").encode(), "judgments"))


FILES = _files()

#: Name -> parameters of the address. Each names other values than the default of every control that it can.
CHOSEN: Mapping[str, dict[str, str | list[str]]] = {
    "the defaults": {},
    "other values": {
        "metric": "chrF2",
        "pair_system": "C",
        "pair_baseline": "B",
        "compare_with": "D",
        "slice": "segment <= 32 and document != d2",
        "without_systems": "A",
        "without_references": "ref2",
        "without_judges": "yy",
        "zscore": "true",
        "adjust_judges": "adjusted",
        "tokenizer": "char",
        "lowercase": "true",
        "max_order": "3",
        "weights": "0.5 0.25 0.25",
        "smoothing": "add-k",
        "smoothing_value": "2",
        "reference_length": "shortest",
        "test": "approximate randomisation",
        "units": "documents",
        "correction": "none",
        "level": "0.1",
        "draws": "150",
        "seed": "7",
        "divide_into": "size",
        "blocks_size": "6",
        "slices_by": "topic",
    },
    "a metric of a file": {
        "metric": "COMET",
        "pair_system": "B",
        "pair_baseline": "D",
        "test": "paired t",
        "t_blocks": "8",
        "divide_into": "documents",
        "slices_by": "half",
        "half": "test",
        "rank_humans": "true",
        "optimised": ["A=COMET", "B=BLEU"],
        "correction": "Benjamini-Hochberg",
    },
    "a saved workspace": {
        "metric": "TER",
        "pair_system": "D",
        "pair_baseline": "B",
        "slice": 'score "A" < 90',
        "units": "documents",
        "correction": "none",
        "t_blocks": "9",
        "divide_into": "documents",
        "blocks_size": "9",
        "without_systems": "C",
    },
}

MORE: Mapping[str, dict[str, str | list[str]]] = {
    "ratings as the metric": {"metric": "Human ratings", "pair_system": "A", "pair_baseline": "B"},
    "a slice chosen beforehand": {"slice": "length > 6", "slice_planned": "true"},
    "a slice that may follow the results": {"slice": "length > 6", "blocks_number": "5"},
    "no intervals": {"intervals": "false", "metric": "TER"},
    "one reference": {"without_references": "ref1", "smoothing": "floor", "smoothing_value": "0.2"},
    "two systems": {"without_systems": ["A", "C", "E"], "pair_system": "D"},
    "one system": {"without_systems": ["A", "C", "D", "E"]},
    "sacreBLEU's bootstrap": {"test": "paired bootstrap, sacreBLEU's rule", "compare_with": "C", "seed": "0"},
    "a pair of one system": {"pair_system": "B", "pair_baseline": "B"},
    "half of the text": {"half": "explore", "reference_length": "average", "smoothing": "none"},
}

#: All cases: name -> files, parameters, and the minimum number of figures that can be drawn.
CASES: Mapping[str, tuple[tuple[File, ...], dict[str, str | list[str]], int]] = {
    **{name: (FILES, parameters, 28) for name, parameters in CHOSEN.items()},
    **{name: (FILES, parameters, 10) for name, parameters in MORE.items()},
    "marked errors": (_with_errors(), {"metric": "chrF2", "pair_system": "A", "pair_baseline": "B"}, 20),
}


def _drawn(data: Data, name: str) -> tuple[str, str] | None:
    """The figure and the table of an exhibit; None if the data do not allow it."""
    exhibit = EXHIBITS[name]
    try:
        return str(exhibit.draw(data).to_json()), to_tsv(exhibit.numbers(data))
    except BleuCoreError:
        return None


@pytest.mark.parametrize("case", [*CHOSEN, "marked errors", *nightly(MORE)])
def test_the_printed_command_draws_the_figure_of_the_page(
    case: str, holding: Holder, run: Runner, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, parameters, min_drawn = CASES[case]
    on_page: dict[str, Any] = {}

    def commands(files_in_use: DataInUse, exhibit: Any, data: Data) -> tuple[str, ...]:
        on_page.update(files=files_in_use, data=data)
        return figure_commands(files_in_use, exhibit, data)

    monkeypatch.setattr("dashboard.views.report.figures.figure_commands", commands)
    app = visit(holding(files, **parameters, report_figure="Scores"), "report/figures")
    assert not app.exception
    assert "Ignored unknown values" not in said(app)
    for file in files:
        Path(file.name).write_bytes(file.data)
    Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    gathered: dict[str, Any] = {}  # calls that differ only in the figure have the same data
    drawn: list[Any] = []

    def gather_once(options: argparse.Namespace, **named: Any) -> Any:
        key = repr({name: value for name, value in vars(options).items() if name not in ("figure", "out")})
        if key not in gathered:
            gathered[key] = gather(options, **named)
        return gathered[key]

    monkeypatch.setattr("dashboard.commands.figure.gather", gather_once)
    monkeypatch.setattr("dashboard.export.figure_file", lambda *given: drawn.append(given) or b"")
    text_slice = on_page["data"].view.slice
    names: list[str] = []
    for name, exhibit in EXHIBITS.items():
        shown = _drawn(on_page["data"], name)
        if shown is None:
            continue
        names.append(name)
        *_, command = figure_commands(on_page["files"], exhibit, on_page["data"])
        result = run(*shlex.split(command)[1:], "--format", "tsv")
        assert result.status == 0, f"{command}: {result.err}"
        assert result.out.removesuffix("\n") == shown[1].removesuffix("\n"), command
        figure, *_, note = drawn.pop()
        assert str(figure.to_json()) == shown[0], command
        assert note == (
            "" if text_slice is None else f"{text_slice.segments} of {SEGMENTS} segments ({text_slice.expression})"
        )
        Path(f"{name}.pdf").unlink()
    assert len(names) >= min_drawn, names
