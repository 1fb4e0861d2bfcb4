"""Figures as files, drawn by a browser that kaleido starts: PDF, SVG and PNG at a width in millimetres."""

from __future__ import annotations

import asyncio
import os
import re
import struct
import zlib
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from queue import Empty, Queue
from threading import Thread
from typing import Any, Literal

import plotly.graph_objects as go

from bleu_core.errors import BleuCoreError
from bleu_core.invocation import install_extra
from dashboard.plots.on_paper import PrintSize, printed

FigureFormat = Literal["pdf", "svg", "png"]

POINTS_PER_INCH, MILLIMETRES_PER_INCH = 72, 25.4

#: Seconds that a browser may take for a figure, and then to close; one that hangs is tried again.
PATIENCE, CLOSING = 60.0, 10.0
TRIES = 2

NO_KALEIDO = "kaleido is not installed, which draws figures"
NO_BROWSER = (
    "no browser found, which draws figures; install Chromium or Chrome (Debian: apt-get install chromium), or set "
    "BROWSER_PATH to one"
)

#: Bytes of a PNG before what else can be said of it: the signature and the first chunk.
PNG_HEADER = 33

PAGE_SIZE = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
SVG_SIZE = re.compile(r'(<svg\b[^>]*?) width="[^"]*" height="[^"]*"')


class FigureError(BleuCoreError):
    """A figure cannot be written as a file: what draws it is missing, or failed."""


def figure_file(figure: go.Figure, size: PrintSize, form: FigureFormat) -> bytes:
    """A figure of a page as a file at a size.

    Args:
        figure: as on the page.
        size: of the file's page.
        form: of the file.

    Raises:
        FigureError: kaleido or a browser is missing, or the browser failed.
    """
    drawn = printed(figure, size)
    layout: Any = drawn.layout
    scale = {"pdf": size.scale, "svg": 1.0, "png": size.dots}[form]
    content = _drawn(drawn, {"format": form, "width": layout.width, "height": layout.height, "scale": scale})
    height = size.millimetres * layout.height / layout.width
    if form == "pdf":
        return PAGE_SIZE.sub(lambda found: _page_size(found, size.millimetres, height), content)
    if form == "svg":
        sizes = rf'\1 width="{size.millimetres:.6g}mm" height="{height:.6g}mm"'
        return SVG_SIZE.sub(sizes, content.decode(), count=1).encode()
    return content[:PNG_HEADER] + png_resolution(size.resolution) + content[PNG_HEADER:]


def png_resolution(dots_per_inch: float) -> bytes:
    """The chunk pHYs of a PNG, which says how large the picture is; it stands behind the first PNG_HEADER bytes.

    Args:
        dots_per_inch: rounded to whole dots per metre.
    """
    per_metre = round(dots_per_inch * 1000 / MILLIMETRES_PER_INCH)
    content = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)  # 1: the unit is the metre
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))


@cache
def obstacle() -> str:
    """Why this machine cannot draw figures as files, with what to install; empty if it can."""
    if find_spec("kaleido") is None:
        return f"{NO_KALEIDO}; {install_extra('figures')}"
    chromium = import_module("choreographer.browsers.chromium").Chromium  # of kaleido
    path = os.environ.get("BROWSER_PATH") or chromium.find_browser(skip_local=False)
    return "" if path and os.access(path, os.X_OK) else NO_BROWSER


def _drawn(figure: go.Figure, options: dict[str, Any]) -> bytes:
    try:
        kaleido, errors = import_module("kaleido"), import_module("kaleido.errors")  # an extra
    except ImportError as error:
        raise FigureError(f"{NO_KALEIDO}; {install_extra('figures')}") from error
    try:
        for _ in range(TRIES):
            with suppress(TimeoutError):
                return _in_time(lambda: _calculated(kaleido, figure, options))
    except errors.ChromeNotFoundError as error:
        raise FigureError(NO_BROWSER) from error
    except Exception as error:  # whatever a browser can do
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise FigureError(f"the browser could not draw the figure: {what}") from error
    raise FigureError(f"the browser did not answer within {PATIENCE:g} seconds, {TRIES} times; try again")


async def _calculated(kaleido: Any, figure: go.Figure, options: dict[str, Any]) -> bytes:
    async with asyncio.timeout(PATIENCE):
        # Without MathJax, which is fetched from elsewhere, and which user text is not for.
        found: bytes = await kaleido.calc_fig(figure, opts=options, kopts={"mathjax": False})
        return found


def _in_time(work: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
    """Run a coroutine in a thread of its own, as an event loop may run in this one; leave one that does not end.

    Raises:
        TimeoutError: it does not end in time.
    """
    found: Queue[bytes | BaseException] = Queue()

    def run() -> None:
        try:
            found.put(asyncio.run(work()))
        except BaseException as error:  # noqa: BLE001 # it is raised in the other thread
            found.put(error)

    Thread(target=run, daemon=True).start()
    try:
        result = found.get(timeout=PATIENCE + CLOSING)
    except Empty:
        raise TimeoutError from None
    if isinstance(result, BaseException):
        raise result
    return result


def _page_size(found: re.Match[bytes], *millimetres: float) -> bytes:
    """The size of a PDF's page to the hundredth of a point, which the browser rounds to its own grid.

    It has as many characters as before, since places in the file are counted.
    """
    points = (each / MILLIMETRES_PER_INCH * POINTS_PER_INCH for each in millimetres)
    exact = (f"{each:.9f}"[: len(was)].encode() for each, was in zip(points, found.groups(), strict=True))
    return b"/MediaBox [0 0 %b %b]" % tuple(exact)
