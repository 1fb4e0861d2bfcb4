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

#: Seconds to wait for the browser to draw a figure, and then to close; after a timeout it is tried again.
TIMEOUT_S, CLOSE_TIMEOUT_S = 60.0, 10.0
MAX_TRIES = 2

NO_KALEIDO = "kaleido is not installed, which draws figures"
NO_BROWSER = (
    "no browser found, which draws figures; install Chromium or Chrome (Debian: apt-get install chromium), or set "
    "BROWSER_PATH to one"
)

#: Number of bytes of a PNG before further chunks: the signature and the first chunk.
PNG_HEADER = 33

PAGE_SIZE = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
SVG_SIZE = re.compile(r'(<svg\b[^<>]*?) width="[^"]*" height="[^"]*"')


class FigureError(BleuCoreError):
    """A figure cannot be written as a file: its renderer is missing, or failed."""


def figure_file(figure: go.Figure, size: PrintSize, form: FigureFormat, note: str = "") -> bytes:
    """Return a figure of a page as a file at a size.

    Args:
        figure: as on the page.
        size: of the file's page.
        form: of the file.
        note: a line above the figure, such as the slice that was used.

    Raises:
        FigureError: kaleido or a browser is missing, or the browser failed.
    """
    drawn = printed(figure, size, note)
    layout: Any = drawn.layout
    scale = {"pdf": size.scale, "svg": 1.0, "png": size.dots}[form]
    content = _drawn(drawn, {"format": form, "width": layout.width, "height": layout.height, "scale": scale})
    height = size.millimetres * layout.height / layout.width
    if form == "pdf":
        return PAGE_SIZE.sub(lambda match: _page_size(match, size.millimetres, height), content)
    if form == "svg":
        sizes = rf'\1 width="{size.millimetres:.6g}mm" height="{height:.6g}mm"'
        return SVG_SIZE.sub(sizes, content.decode(), count=1).encode()
    return content[:PNG_HEADER] + png_resolution(size.resolution) + content[PNG_HEADER:]


def png_resolution(dots_per_inch: float) -> bytes:
    """Return the pHYs chunk of a PNG, which gives its resolution; it follows the first PNG_HEADER bytes.

    Args:
        dots_per_inch: rounded to whole dots per metre.
    """
    per_metre = round(dots_per_inch * 1000 / MILLIMETRES_PER_INCH)
    content = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)  # 1: the unit is the metre
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))


@cache
def obstacle() -> str:
    """Return the reason why this machine cannot draw figures as files, with advice; empty if it can."""
    if find_spec("kaleido") is None:
        return f"{NO_KALEIDO}; {install_extra('figures')}"
    chromium = import_module("choreographer.browsers.chromium").Chromium  # of kaleido
    path = os.environ.get("BROWSER_PATH") or chromium.find_browser(skip_local=False)
    return "" if path and os.access(path, os.X_OK) else NO_BROWSER


def _drawn(figure: go.Figure, options: dict[str, Any]) -> bytes:
    try:
        kaleido, errors = import_module("kaleido"), import_module("kaleido.errors")  # an optional extra
    except ImportError as error:
        raise FigureError(f"{NO_KALEIDO}; {install_extra('figures')}") from error
    try:
        for _ in range(MAX_TRIES):
            with suppress(TimeoutError):
                return _in_time(lambda: _calculated(kaleido, figure, options))
    except errors.ChromeNotFoundError as error:
        raise FigureError(NO_BROWSER) from error
    except Exception as error:  # a browser may fail in any way
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise FigureError(f"the browser could not draw the figure: {what}") from error
    raise FigureError(f"the browser did not answer within {TIMEOUT_S:g} seconds, {MAX_TRIES} times; try again")


async def _calculated(kaleido: Any, figure: go.Figure, options: dict[str, Any]) -> bytes:
    async with asyncio.timeout(TIMEOUT_S):
        # Without MathJax, which is loaded from the network, and would interpret user text.
        content: bytes = await kaleido.calc_fig(figure, opts=options, kopts={"mathjax": False})
        return content


def _in_time(work: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
    """Run a coroutine in a separate thread, as an event loop may run in this one; abandon it on timeout.

    Raises:
        TimeoutError: it does not end in time.
    """
    results: Queue[bytes | BaseException] = Queue()

    def run() -> None:
        try:
            results.put(asyncio.run(work()))
        except BaseException as error:  # noqa: BLE001 # raised in the calling thread
            results.put(error)

    Thread(target=run, daemon=True).start()
    try:
        result = results.get(timeout=TIMEOUT_S + CLOSE_TIMEOUT_S)
    except Empty:
        raise TimeoutError from None
    if isinstance(result, BaseException):
        raise result
    return result


def _page_size(match: re.Match[bytes], *millimetres: float) -> bytes:
    """Return the exact size of a PDF's page, which the browser rounds.

    It has as many characters as before, since the file has byte offsets.
    """
    points = (length / MILLIMETRES_PER_INCH * POINTS_PER_INCH for length in millimetres)
    exact = (f"{point:.9f}"[: len(old)].encode() for point, old in zip(points, match.groups(), strict=True))
    return b"/MediaBox [0 0 %b %b]" % tuple(exact)
