"""The commands of `bleu-core`, and running one of them.

Bad input ends a command with status 2 and one line on standard error.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import cast

from bleu_core.cli.arguments import BAD_INPUT, Command, parse
from bleu_core.cli.terminal import write_message, write_output
from bleu_core.cli.workspaces import with_workspace
from bleu_core.errors import BleuCoreError
from bleu_core.formats import printable_path

#: The commands, in the order of the help; each is a module of this package.
COMMANDS = (
    "score",
    "blocks",
    "compare",
    "slices",
    "ngrams",
    "check",
    "gate",
    "correlate",
    "paper",
)

#: The exit status after Ctrl-C: 128 and the number of its signal, as of programs that it kills.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    try:
        return _run(parse(COMMANDS, load, arguments))
    except KeyboardInterrupt:
        return INTERRUPTED


def load(name: str) -> Command:
    """One of COMMANDS; a command's module is imported when it is first needed."""
    return cast("Command", import_module(f"bleu_core.cli.{name}"))


def _run(options: argparse.Namespace) -> int:
    command: str = options.command
    try:
        result = load(command).run(with_workspace(options))
        output = result.formatted(options.format)
        for warning in result.warnings:  # not before: an error stands alone
            write_message(f"bleu-core {command}: warning: {warning}")
        failure = write_output(output)
        return result.status if failure is None else _fail(command, f"standard output: {failure}")
    except BleuCoreError as error:
        return _fail(command, str(error))
    except OSError as error:
        place = f"{printable_path(error.filename)}: " if error.filename else ""
        return _fail(command, f"{place}{(error.strerror or str(error)).lower()}")
    except Exception as error:  # noqa: BLE001 # whatever is wrong here, the user gets a sentence
        if options.debug and sys.stderr is not None:
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        how = "" if options.debug else "run with --debug for the traceback, and "
        return _fail(command, f"unexpected error: {what}; {how}please report it")


def _fail(command: str, message: str) -> int:
    write_message(f"bleu-core {command}: {message}")
    return BAD_INPUT
