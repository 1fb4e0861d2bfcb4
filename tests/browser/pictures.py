"""Pictures of every page, light and dark, in four sizes of the window.

    uv run --extra test python tests/browser/pictures.py FOLDER [--page segments ...] [--size wide ...] [-- FILE ...]
    uv run --extra test python tests/browser/pictures.py FOLDER --data sample 16-systems ted-zhen

What follows `--` is given to the dashboard: files, and options such as --human. Without it, the data sets named after
`--data` are shown one after the other, each in a folder of its own (`ted-zhen` needs BLEU_CONFORMANCE_DATA, see
tests/conformance/README.md); by default the sample only. Pictures are called PAGE-PART-SIZE-THEME.png. Sizes marked
`whole` show the whole page, the others the first screen.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.append(str(Path(__file__).parents[1]))  # of the modules that tests share

sys.path.append(str(Path(__file__).parents[2]))  # of the benchmarks

from pages import part_key
from places import PLACES
from visitor import CHROMIUM, FLAGS, Visitor, serve

import sample_data
from bleu_core.cli import main as main_of_core
from tests.benchmarks.inputs import as_file, outputs


@dataclass(frozen=True, slots=True)
class Size:
    """A window: pixels, magnification, and whether it is made as high as the page."""

    width: int
    height: int
    zoom: float = 1.0
    whole: bool = True


SIZES = {
    "wide": Size(1440, 900),
    "laptop": Size(1366, 768, whole=False),
    "narrow": Size(390, 844),
    "zoomed": Size(683, 384, zoom=2.0, whole=False),
}

#: Pixels; no picture is higher.
MAX_HEIGHT = 24_000

#: The height of a page, whose main part scrolls.
HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


def _sample(_folder: Path) -> list[str]:
    return []


def _without_ratings(_folder: Path) -> list[str]:
    references = [argument for path in sample_data.references() for argument in ("--ref", str(path))]
    return [*references, *map(str, sample_data.systems())]


def _sixteen_systems(folder: Path) -> list[str]:
    systems, reference = outputs(systems=16, segments=1000)
    for name, lines in {**systems, "reference": reference}.items():
        (folder / f"{name}.txt").write_bytes(as_file(lines))
    return ["--ref", str(folder / "reference.txt"), *(str(folder / f"{name}.txt") for name in systems)]


def _counts_only(folder: Path) -> list[str]:
    counts = str(folder / "sample.counts")
    assert main_of_core(["count", "--out", counts, *_without_ratings(folder)]) == 0
    return [counts]


def _ted_zhen(_folder: Path) -> list[str]:
    data = Path(os.environ["BLEU_CONFORMANCE_DATA"]) / "data/ted-zhen"
    references = [argument for path in sorted((data / "refs").iterdir()) for argument in ("--ref", str(path))]
    systems = map(str, sorted((data / "systems").iterdir()))
    return [
        *references,
        "--source",
        str(data / "source.txt"),
        "--documents",
        str(data / "docs.txt"),
        "--human",
        str(data / "human.csv"),
        *systems,
    ]


#: Name -> writes the files of the data set to a folder where needed; returns what the dashboard is given.
DATA: dict[str, Callable[[Path], list[str]]] = {
    "sample": _sample,
    "no-ratings": _without_ratings,
    "16-systems": _sixteen_systems,
    "counts-only": _counts_only,
    "ted-zhen": _ted_zhen,
}


def main() -> None:
    """Write the pictures."""
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description="Take pictures of every page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", nargs="+", default=list(PLACES), metavar="PATH")
    parser.add_argument("--size", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--theme", nargs="+", choices=("light", "dark"), default=["light", "dark"])
    parser.add_argument("--data", nargs="+", choices=DATA, default=["sample"])
    chosen = parser.parse_args(arguments[:cut])
    given = arguments[cut + 1 :]
    if given:
        paths = [str(Path(a).resolve()) if Path(a).exists() else a for a in given]
        _visit(chosen, chosen.folder, lambda _: paths)
        return
    for name in chosen.data:
        _visit(chosen, chosen.folder / name if len(chosen.data) > 1 else chosen.folder, DATA[name])


def _visit(chosen: argparse.Namespace, folder: Path, options: Callable[[Path], list[str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        serve(Path(home), options(Path(home))) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for theme in chosen.theme:
            for size in chosen.size:
                _take(browser, address, folder, chosen.page, name=size, theme=theme)
        browser.close()


def _take(browser: Browser, address: str, folder: Path, pages: list[str], *, name: str, theme: str) -> None:
    size = SIZES[name]
    someone = Visitor(browser, address, dark=theme == "dark", width=size.width, height=size.height, zoom=size.zoom)
    for path in pages:
        someone.page.set_viewport_size({"width": size.width, "height": size.height})
        place, _, part = path.partition("/")
        someone.goto(f"/{place}?{part_key(place)}={part}" if part else f"/{place}")
        if size.whole:
            for _ in range(2):  # what comes into view may make the page higher
                height = min(someone.page.evaluate(HEIGHT), MAX_HEIGHT)
                someone.page.set_viewport_size({"width": size.width, "height": height})
                someone.idle()
        someone.page.wait_for_timeout(600)  # charts and tables are drawn after the page
        picture = folder / f"{path.replace('/', '-') or 'overview'}-{name}-{theme}.png"
        someone.page.screenshot(path=picture)
        sys.stdout.write(f"{picture}\n")
    for fault in someone.faults:
        sys.stdout.write(f"fault: {fault}\n")
    someone.close()


if __name__ == "__main__":
    main()
