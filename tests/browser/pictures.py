"""Pictures of every page, light and dark, in four sizes of the window.

    uv run --extra test python tests/browser/pictures.py FOLDER [--page segments ...] [--size wide ...] [-- FILE ...]

What follows `--` is given to the dashboard: files, and options such as --human; the sample data are shown without.
Pictures are called PAGE-PART-SIZE-THEME.png. Tall sizes have the whole page, the others what is seen at first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.append(str(Path(__file__).parents[1]))  # of the modules that tests share

from pages import part_key
from places import PLACES
from visitor import CHROMIUM, FLAGS, Visitor, serve


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


def main() -> None:
    """Write the pictures."""
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description="Take pictures of every page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", nargs="+", default=list(PLACES), metavar="PATH")
    parser.add_argument("--size", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--theme", nargs="+", choices=("light", "dark"), default=["light", "dark"])
    chosen = parser.parse_args(arguments[:cut])
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        serve(Path(home), [str(Path(a).resolve()) if Path(a).exists() else a for a in arguments[cut + 1 :]]) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for theme in chosen.theme:
            for size in chosen.size:
                _take(browser, address, chosen.folder, chosen.page, name=size, theme=theme)
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
