"""The commands of `bleu-core`, built in or supplied by installed packages, and `main`, which runs one of them.

Entry points are read only for commands that are not built in and for the help. Bad input ends a command with status 2
and one line on standard error.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from bleu_core.cli.arguments import BAD_INPUT, Command, check_effects, parse
from bleu_core.cli.terminal import write_message, write_output
from bleu_core.cli.workspaces import with_workspace
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError
from bleu_core.formats import printable_path
from bleu_core.processes import use_workers

if TYPE_CHECKING:  # loaded when first needed
    from importlib.metadata import EntryPoint

    from bleu_core.cli.command_result import CommandResult

#: The commands, in the order of the help; each is a module of this package.
COMMANDS = (
    "score",
    "blocks",
    "compare",
    "table",
    "slices",
    "references",
    "ngrams",
    "check",
    "gate",
    "correlate",
    "review",
    "errors",
    "probe",
    "paper",
    "campaign",
    "count",
    "merge",
)

#: The entry point group of commands of other packages: the name is that of the command, the object a module, see
#: Command.
GROUP = "bleu_core.commands"

#: The exit status after Ctrl-C: 128 plus the number of the signal, as in shells.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status.

    Args:
        arguments: of the command line; those of the program if None.
    """
    try:
        return _run(parse(COMMANDS, load, arguments, supplied=supplied_commands))
    except KeyboardInterrupt:
        return INTERRUPTED


def supplied_commands() -> tuple[str, ...]:
    """Return the names of commands of installed packages, except those of built-in commands."""
    return tuple(name for name in _entry_points() if name not in COMMANDS)


def load(name: str) -> Command:
    """Load a command by its name.

    Raises:
        SettingsError: the package that supplies it is broken.
    """
    if name in COMMANDS:
        return cast("Command", import_module(f"bleu_core.cli.{name}"))
    entry = _entry_points()[name]
    package = entry.dist.name if entry.dist is not None else entry.value
    try:
        command = entry.load()
    except Exception as error:  # any error in another package
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise SettingsError(
            f"command {name!r} of package {package} cannot be loaded: {what}; repair or remove that package"
        ) from error
    missing = [part for part in ("HELP", "add_options", "run") if not hasattr(command, part)]
    if missing:
        raise SettingsError(f"command {name!r} of package {package} has no {missing[0]}; repair or remove that package")
    return cast("Command", command)


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points  # loading takes a seventh of a short run

    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def _run(options: argparse.Namespace) -> int:
    command: str = options.command
    try:
        with use_workers(getattr(options, "workers", None)):
            options = with_workspace(options)
            notes = check_effects(options)
            result = with_adjusted(load(command), options)
        result = replace(result, warnings=tuple(dict.fromkeys((*notes, *result.warnings))))
        output = result.formatted(options.format, command)
        for warning in result.all_warnings:  # after formatting, so that an error is the only message
            write_message(f"bleu-core {command}: warning: {warning}")
        for line in result.stderr_notes(options.format):
            write_message(f"bleu-core {command}: {line}")
        failure = write_output(output)
        return result.status if failure is None else _fail(command, f"standard output: {failure}")
    except BleuCoreError as error:
        return _fail(command, str(error))
    except OSError as error:
        place = f"{printable_path(error.filename)}: " if error.filename else ""
        return _fail(command, f"{place}{(error.strerror or str(error)).lower()}")
    except Exception as error:  # noqa: BLE001 # every error becomes one line
        if options.debug and sys.stderr is not None:
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        how = "" if options.debug else "run with --debug for the traceback, and "
        return _fail(command, f"unexpected error: {what}; {how}please report it")


def with_adjusted(command: Command, options: argparse.Namespace) -> CommandResult:
    """Run a command, and again by adjusted ratings if its results rest on raw ratings of confounded judges."""
    result = command.run(options)
    if not result.raw_ratings:
        return result
    try:
        return replace(result, adjusted=command.run(argparse.Namespace(**{**vars(options), "adjust_judges": True})))
    except AlignmentError:  # they cannot be adjusted
        return result


def _fail(command: str, message: str) -> int:
    write_message(f"bleu-core {command}: {message}")
    return BAD_INPUT
