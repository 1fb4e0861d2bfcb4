"""All that pages show and commands print, as files to compare before and after a change.

    uv run --extra test python -m tests.golden FOLDER [FILE or option of bleu-dashboard ...]

Without files the sample data are shown. `diff -r` then compares two folders:

    pages/PATH.txt      the elements of each page in order: sentences, labels, values, tables, figures (JSON)
    figures/NAME.json   Plotly's JSON of each figure of `bleu-core figure`
    figures/NAME.tsv    the numbers behind it
    commands/NAME.json  what each command of `bleu-core` prints, and NAME.tsv
    report.html         what `bleu-core report` writes
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

import sample_data
from bleu_core.cli import main as core
from bleu_core.cli.arguments import parse
from bleu_core.cli.commands import COMMANDS as COMMANDS_OF_CORE
from bleu_core.cli.commands import load, supplied_commands
from bleu_core.errors import BleuCoreError
from bleu_core.results.table import to_tsv
from dashboard.commands.gathering import gather
from dashboard.exhibits import EXHIBITS

sys.path.append(str(Path(__file__).parent))

from pages import APP, visit  # modules of tests
from places import PLACES

#: What an element may have that people see.
SHOWN = ("label", "value", "options", "help", "placeholder", "caption", "body")
#: The commands whose results depend on texts, settings and ratings only.
COMMANDS = ("score", "blocks", "compare", "slices", "references", "ngrams", "check", "correlate", "review", "paper")
#: Options that some of them do not have, and what some of them need.
WITHOUT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("score", "blocks", "compare", "slices", "gate"), ("--human",)),
    "ngrams": ("--human", "--documents"),
}
NEEDED = {"slices": ("--by", "length")}
#: Seconds for a page.
PATIENCE = 600


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    given, arguments = parser.parse_known_args()
    folder: Path = given.folder
    write_pages(folder / "pages", arguments)
    write_figures(folder / "figures", arguments or _sample())
    write_commands(folder / "commands", arguments or _sample())
    write_report(folder / "report.html", arguments or _sample())


def _sample() -> list[str]:
    references = [option for path in sample_data.references() for option in ("--ref", str(path))]
    others = ["--human", str(sample_data.JUDGMENTS), "--documents", str(sample_data.DOCUMENTS)]
    return [*references, *others, *map(str, sample_data.systems())]


def write_pages(folder: Path, arguments: Sequence[str]) -> None:
    """Write what each page shows at first."""
    folder.mkdir(parents=True, exist_ok=True)
    sys.argv = [str(APP), *arguments]
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE).run()
    for path in PLACES:
        visit(app, path)
        lines = [line for part in (app.main, app.sidebar) for line in _lines(part)]
        (folder / f"{path.replace('/', '-') or 'overview'}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")


def _lines(node: Block | Element) -> Iterator[str]:
    if isinstance(node, Block):
        for _, child in sorted(node.children.items()):
            yield from _lines(child)
        return
    if node.type != "empty":  # where progress was shown, which depends on the time that work took
        yield f"[{node.type}] {_shown(node)}"


def _shown(element: Element) -> str:
    """What people see of an element, or of the JSON of a chart."""
    spec = getattr(getattr(element, "proto", None), "spec", None)
    if isinstance(spec, str) and spec:
        return json.dumps(json.loads(spec), sort_keys=True, indent=1)
    found = {name: _text(getattr(element, name)) for name in SHOWN if hasattr(element, name)}
    return "  ".join(f"{name}={text}" for name, text in found.items() if text)


def _text(value: Any) -> str:
    if isinstance(value, pd.DataFrame):
        return "\n" + value.to_csv(sep="\t", index=False)
    return "" if value is None else str(value)


def write_figures(folder: Path, arguments: Sequence[str]) -> None:
    """Write the figures that can be printed, and the tables behind them."""
    folder.mkdir(parents=True, exist_ok=True)
    call = ["figure", next(iter(EXHIBITS)), "--out", str(folder / "none.svg"), *arguments]
    found = gather(parse(COMMANDS_OF_CORE, load, call, supplied=supplied_commands), as_pages=True)
    for name, figure in EXHIBITS.items():
        try:
            drawn = json.loads(str(figure.draw(found.data).to_json()))
            table = to_tsv(figure.numbers(found.data))
        except BleuCoreError as error:  # the data have no ratings, labels or second reference
            drawn, table = str(error), ""
        (folder / f"{name}.json").write_text(json.dumps(drawn, sort_keys=True, indent=1) + "\n", encoding="utf-8")
        (folder / f"{name}.tsv").write_text(table, encoding="utf-8")


def write_commands(folder: Path, arguments: Sequence[str]) -> None:
    """Write what the commands that compare systems print."""
    folder.mkdir(parents=True, exist_ok=True)
    for command in COMMANDS:
        for form in ("json", "tsv"):
            printed = io.StringIO()
            with redirect_stdout(printed), redirect_stderr(printed):
                try:
                    core([command, *_arguments_of(command, arguments), "--format", form])
                except SystemExit as error:  # an option of another command
                    printed.write(f"status {error.code}\n")
            (folder / f"{command}.{form}").write_text(printed.getvalue(), encoding="utf-8")


def _arguments_of(command: str, arguments: Sequence[str]) -> list[str]:
    """The arguments without the options, each with a value, that the command does not have, and with those it needs."""
    excluded = WITHOUT.get(command, ())
    values = {place + 1 for place, part in enumerate(arguments) if part in excluded}
    kept = [part for place, part in enumerate(arguments) if part not in excluded and place not in values]
    return [*kept, *NEEDED.get(command, ())]


def write_report(path: Path, arguments: Sequence[str]) -> None:
    """Write the report, without its date."""
    core(["report", *arguments, "--out", str(path), "--force"])
    path.write_text(re.sub(r"\d{4}-\d\d-\d\d", "DATE", path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
