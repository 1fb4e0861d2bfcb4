"""Where texts are counted, in processes or on a cluster, and whether finished ranges are kept."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from bleu_core.cli.arguments import Parser
from bleu_core.counts import KeptResults, Run, Source, on_cluster, open_counts, packed_counts
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import printable_path
from bleu_core.processes import Processes


@dataclass(frozen=True, slots=True)
class Where:
    """Where texts are counted.

    Attributes:
        scan: runs what is not kept.
        count: runs what may be kept.
        workers: how many tasks run at once.
    """

    scan: Run
    count: Run
    workers: int


def add_elsewhere(parser: Parser) -> None:
    """The options for large texts."""
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="count with Dask: local, local:N (N workers), the address of a scheduler as in tcp://HOST:8786, or a "
        "scheduler file",
    )
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help="keep the counts of finished ranges in this file, so that the same call counts only the rest if it was "
        "interrupted",
    )
    parser.checks.append(_check)


@contextmanager
def counted_where(options: argparse.Namespace, processes: Processes) -> Generator[Where]:
    """Where the command counts: on the cluster that is named, else in these processes.

    Raises:
        ClusterError: the cluster cannot be used.
        KeptError: the file of kept results cannot be used.
    """
    if options.cluster is None:
        with processes:
            yield Where(processes, _keeping(options, processes), processes.workers)
        return
    with on_cluster(options.cluster) as run:
        yield Where(run, _keeping(options, run), run.workers)


def refuse_urls(locations: Iterable[str]) -> None:
    """Refuse texts at URLs that are not plain; of those on this machine, reading them shows what is wrong.

    Raises:
        FormatError: there is a URL.
    """
    for location in locations:
        if Source(location).remote:
            raise FormatError(
                f"{printable_path(location)}: texts at URLs are plain texts in UTF-8, compressed or not, with one "
                "segment per line, as many lines in all of them, and different names; count copies on this machine "
                "to see what is wrong"
            )


def _keeping(options: argparse.Namespace, run: Run) -> Run:
    if options.keep is None:
        return run
    decode = partial(open_counts, origin=printable_path(options.keep), limits=options.limits)
    kept: KeptResults[Any, Any] = KeptResults(options.keep, encode=packed_counts, decode=decode)
    return partial(kept.run, run)


def _check(options: argparse.Namespace) -> None:
    """Check that one place to count at is named.

    Raises:
        SettingsError: there are two.
    """
    if options.cluster is not None and options.workers is not None:
        raise SettingsError("argument --workers: not allowed with --cluster; write --cluster local:N for N workers")
