"""Options and backends for counting large texts: processes or a cluster, and checkpoints."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from bleu_core.cli.arguments import Parser
from bleu_core.counts import Checkpoint, Run, Source, decode_counts, encode_counts, open_cluster
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import printable_path
from bleu_core.processes import Processes


@dataclass(frozen=True, slots=True)
class Backend:
    """The processes or the cluster that count texts.

    Attributes:
        scan: runs tasks whose results are not stored in a checkpoint.
        count: runs tasks whose results are stored in a checkpoint, if the call names one.
        workers: number of tasks that run at once.
    """

    scan: Run
    count: Run
    workers: int


def add_execution_options(parser: Parser) -> None:
    """Add the options for large texts."""
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="count with Dask: local, local:N (N workers), the address of a scheduler as in tcp://HOST:8786, or a "
        "scheduler file",
    )
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help="checkpoint file for the counts of finished ranges; after an interruption the same call resumes from it",
    )
    parser.checks.append(_check)


@contextmanager
def counting_backend(options: argparse.Namespace, processes: Processes) -> Generator[Backend]:
    """Open the backend of a call: the named cluster, else these processes.

    Raises:
        ClusterError: the cluster cannot be used.
        CheckpointError: the checkpoint file cannot be used.
    """
    if options.cluster is None:
        with processes:
            yield Backend(processes, _with_checkpoint(options, processes), processes.workers)
        return
    with open_cluster(options.cluster) as run:
        yield Backend(run, _with_checkpoint(options, run), run.workers)


def refuse_urls(locations: Iterable[str]) -> None:
    """Refuse texts at URLs that cannot be counted as plain text; local files are read again to report the error.

    Raises:
        FormatError: a location is a URL.
    """
    for location in locations:
        if Source(location).remote:
            raise FormatError(
                f"{printable_path(location)}: texts at URLs must be plain text in UTF-8, compressed or not, with one "
                "segment per line, the same number of lines and different names; count local copies to see what is "
                "wrong"
            )


def _with_checkpoint(options: argparse.Namespace, run: Run) -> Run:
    if options.keep is None:
        return run
    decode = partial(decode_counts, origin=printable_path(options.keep), limits=options.limits)
    checkpoint: Checkpoint[Any, Any] = Checkpoint(options.keep, encode=encode_counts, decode=decode)
    return partial(checkpoint.run, run)


def _check(options: argparse.Namespace) -> None:
    """Check that the call does not name both a cluster and a number of processes.

    Raises:
        SettingsError: it names both.
    """
    if options.cluster is not None and options.workers is not None:
        raise SettingsError("argument --workers: not allowed with --cluster; write --cluster local:N for N workers")
