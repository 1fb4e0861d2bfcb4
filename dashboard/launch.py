"""What the dashboard is started with: an address, and local files to open."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from bleu_core.formats.recognise import FileRole

BAD_INPUT = 2


@dataclass(frozen=True, slots=True)
class Launch:
    """The options of `bleu-dashboard`.

    Attributes:
        port, address: where the server listens.
        browser: whether a browser is opened.
        files: local files to open, with their roles; none opens the sample data.
        human_systems: names of human translators among the systems.
    """

    port: int
    address: str
    browser: bool
    files: tuple[tuple[Path, FileRole], ...]
    human_systems: tuple[str, ...] = ()

    def arguments(self) -> list[str]:
        """The files as command-line arguments, absolute, for the app's own process."""
        flags: dict[FileRole, str] = {"reference": "--ref", "judgments": "--human", "document": "--documents"}
        flags |= {"source": "--source", "scores": "--metric-scores", "archive": "--archive"}
        named = [part for path, role in self.files if role in flags for part in (flags[role], str(path.resolve()))]
        named += [part for name in self.human_systems for part in ("--human-system", name)]
        return [*named, "--", *(str(path.resolve()) for path, role in self.files if role == "system")]


def parse(arguments: Sequence[str] | None = None) -> Launch:
    """Read the command line; a wrong one ends the program with status 2 and one line on standard error."""
    parser = _Parser(prog="bleu-dashboard", description="Compare machine-translation systems in the browser.")
    parser.add_argument("systems", nargs="*", type=Path, metavar="SYSTEM", help="outputs to open, one segment a line")
    parser.add_argument("--ref", action="append", default=[], type=Path, metavar="R", help="a reference; repeatable")
    parser.add_argument("--human", action="append", default=[], type=Path, metavar="H", help="judgments; repeatable")
    parser.add_argument(
        "--metric-scores", action="append", default=[], type=Path, metavar="M", help="scores of metrics; repeatable"
    )
    parser.add_argument(
        "--archive",
        action="append",
        default=[],
        type=Path,
        metavar="ARCHIVE",
        help="a test set of mt-metrics-eval, as a zip or a folder; repeatable",
    )
    parser.add_argument("--documents", type=Path, metavar="D", help="a document id a line")
    parser.add_argument("--source", type=Path, metavar="S", help="the source text")
    parser.add_argument(
        "--human-system", action="append", default=[], metavar="NAME", help="a human translator; repeatable"
    )
    parser.add_argument("--port", type=int, default=8501, help="default: %(default)s")
    parser.add_argument("--address", default="127.0.0.1", help="default: %(default)s, this machine only")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    options = parser.parse_args(arguments)
    given: tuple[tuple[FileRole, list[Path | None]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("judgments", options.human),
        ("scores", options.metric_scores),
        ("archive", options.archive),
        ("document", [options.documents]),
        ("source", [options.source]),
    )
    roles: tuple[tuple[Path, FileRole], ...] = tuple(
        (path, role) for role, paths in given for path in paths if path is not None
    )
    for path, role in roles:
        if not (path.is_file() or (role == "archive" and path.is_dir())):
            parser.error(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    return Launch(options.port, options.address, not options.no_browser, roles, tuple(options.human_system))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")
