"""Reading and checking the command line of `bleu-core`; each command adds its own options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol, cast

from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.counts_files import names_counts
from bleu_core.dataset import normal_name
from bleu_core.errors import SettingsError, one_line
from bleu_core.invocation import invocation
from bleu_core.limits import with_changes

#: Options that were added later; they do not make abbreviations of older options ambiguous.
ADDED_LATER = (
    *("--debug", "--limit", "--format-of", "--slice", "--labels", "--source", "--columns", "--workspace", "--set"),
    *("--shared-segments", "--no-shared-segments", "--paired-runs"),
)

#: Former names of options -> the names that replace them. Former names work until version 0.4.
RENAMED_OPTIONS = {
    "--accept-shortfalls": "--force",
    "--exclude": "--exclude-judge",
    "--most": "--top",
    "--peek": "--show-interim",
    "--without-reference": "--exclude-reference",
    "--without-system": "--exclude-system",
    "--zscore": "--standardise",
}

#: Data that --columns can find in tables: the attribute of the options -> the role of a column.
TABLE_ROLES = {"ref": "reference", "human": "rating"}

#: Placeholders in the help for names of systems, references, metrics and judges.
NAME_PLACEHOLDERS = frozenset({"NAME", "JUDGE"})

#: The exit status after a wrong call or bad input.
BAD_INPUT = 2


class Effect(NamedTuple):
    """When an option has an effect.

    Attributes:
        key: the attribute of the options.
        applies: returns, for the options of a call, whether this one has an effect.
        reason: why it has none otherwise, and what to do; completes a message.
        refused: whether a call is refused that gives the option although it has no effect; otherwise the result has a
            note, as scripts pass a common list of files and settings.
    """

    key: str
    applies: Callable[[argparse.Namespace], bool]
    reason: str
    refused: bool


class Parser(argparse.ArgumentParser):
    """A parser that reports a wrong call in one line, like all other bad input.

    Attributes:
        needed: arguments that a call must have unless it names an archive or a workspace: the attribute of the options
            -> the name in messages.
        given: attributes of the options that the call has had so far.
        checks: functions of the options of a call, called in this order; they raise SettingsError.
        effects: when options have an effect; one that is not listed always has one.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.given: set[str] = set()
        self.needed: dict[str, str] = {}
        self.checks: list[Callable[[argparse.Namespace], None]] = []
        self.effects: list[Effect] = []

    def only(
        self, key: str, applies: Callable[[argparse.Namespace], bool], reason: str, *, refused: bool = True
    ) -> None:
        """Declare when an option has an effect, see Effect."""
        self.effects.append(Effect(key, applies, reason, refused))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] # not typed there
        """Return the values of an argument; an option of one value that is given twice is an error."""
        values: Any = super()._get_values(action, arg_strings)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] # not typed there
        if action.option_strings:
            once = action.nargs != 0 and not isinstance(action, argparse._AppendAction)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # has no public name
            if once and action.dest in self.given:
                raise argparse.ArgumentError(action, "given twice, 1 value expected; keep one")
            self.given.add(action.dest)
        return values

    def error(self, message: str) -> NoReturn:
        """End the program with status BAD_INPUT and one line on standard error."""
        program, space, command = self.prog.partition(" ")
        called = f"{invocation(program)}{space}{command}"
        self.exit(BAD_INPUT, one_line(f"{self.prog}: {message}; see {called} --help") + "\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride] # overloaded there
        """Parse arguments; a former name of an option is replaced, with a note on standard error."""
        given: list[str] = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args([self._current_name(argument) for argument in given], namespace)

    def _current_name(self, argument: str) -> str:
        name, equals, value = argument.partition("=")
        current = RENAMED_OPTIONS.get(name)
        if current not in self._option_string_actions or name in self._option_string_actions:
            return argument
        sys.stderr.write(
            f"{self.prog}: note: {name} is now called {current}; the former name works until version 0.4\n"
        )
        return f"{current}{equals}{value}"

    def _get_option_tuples(self, option_string: str) -> Any:
        """Return the options that an abbreviation may mean; options in ADDED_LATER only if there are no others."""
        matches: list[Any] = super()._get_option_tuples(option_string)
        return [match for match in matches if match[1] not in ADDED_LATER] or matches


def without_effect(options: argparse.Namespace, keys: Iterable[str], reason: str) -> list[str]:
    """Return notes that options have no effect, for those that the call gives.

    Args:
        options: options of the call.
        keys: the attributes of the options.
        reason: completes the sentences.
    """
    return [f"--{key.replace('_', '-')} has no effect: {reason}" for key in keys if key in options.given]


def check_effects(options: argparse.Namespace) -> list[str]:
    """Check that the options that a call gives have an effect; return notes on those that have none.

    Raises:
        SettingsError: an option that has none is refused.
    """
    notes: list[str] = []
    for effect in options.parser.effects:
        if effect.key in options.given and not effect.applies(options):
            if effect.refused:
                raise SettingsError(f"argument --{effect.key.replace('_', '-')}: {effect.reason}")
            notes += without_effect(options, [effect.key], effect.reason)
    return notes


class Command(Protocol):
    """A command: a module with these names.

    Attributes:
        HELP: description of the command in the help of the program.
    """

    HELP: str

    def add_options(self, parser: Parser) -> None:
        """Add the command's options to its parser."""
        ...

    def run(self, options: argparse.Namespace) -> CommandResult:
        """Run the command with these options, without changing them.

        Raises:
            BleuCoreError: the files or the options are wrong.
            OSError: a file cannot be read or written.
        """
        ...


def parse(
    names: Sequence[str],
    load: Callable[[str], Command],
    arguments: Sequence[str] | None = None,
    *,
    supplied: Callable[[], Sequence[str]] = tuple,
) -> argparse.Namespace:
    """Read a command line.

    A wrong call ends the program with status BAD_INPUT and one line on standard error.

    Args:
        names: names of the built-in commands.
        load: name -> command. A call loads its own command only; help and an unknown command load all. It raises
            SettingsError for a broken command of another package, which the help omits.
        arguments: the arguments without the program's name; those of the process by default.
        supplied: returns the names of commands of other packages; called for the help and for commands that are not
            built in.

    Returns:
        The options of the command, and `command`, its name, `limits`, the limits on files, `streams`, the bytes of
        pipes and of standard input that have been read, by path, and `given`, the attributes of the options that the
        call gives.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if not given or given[0] not in names:
        names = (*names, *supplied())
    chosen_name = given[0] if given and given[0] in names else None
    parser = build_parser(_loaded(names, load, chosen_name))
    _check_command(parser, names, given)
    options, others = parser.parse_known_args(given)
    options.streams = {}
    command_parser: Parser = options.parser
    options.given = frozenset(command_parser.given)
    _normalise_names(command_parser, options)
    try:
        _check_others(command_parser, options, others)
        options.limits = with_changes(options.limit)
        _check_needed(command_parser, options)
        for check in command_parser.checks:
            check(options)
    except SettingsError as error:
        command_parser.error(str(error))
    return options


def _normalise_names(parser: Parser, options: argparse.Namespace) -> None:
    """Normalise the names of systems, references, metrics and judges, as names in files are normalised."""
    keys = [action.dest for action in parser._actions if action.metavar in NAME_PLACEHOLDERS]  # noqa: SLF001 # argparse has no public list of options
    for key in keys:
        value: object = getattr(options, key)
        if isinstance(value, str):
            setattr(options, key, normal_name(value))
        elif isinstance(value, list):
            setattr(options, key, list(map(normal_name, cast("list[str]", value))))


def _loaded(names: Sequence[str], load: Callable[[str], Command], command_name: str | None) -> dict[str, Command]:
    """Load the named command; without a name, all that are not broken."""
    commands: dict[str, Command] = {}
    for name in names if command_name is None else (command_name,):
        try:
            commands[name] = load(name)
        except SettingsError as error:
            if command_name is not None:
                Parser(prog="bleu-core").error(str(error))
    return commands


def build_parser(commands: Mapping[str, Command]) -> Parser:
    """Return the parser of the program with these commands."""
    parser = Parser(prog="bleu-core", description="Score machine-translation systems with BLEU.")
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in commands.items():
        added = parsers.add_parser(name, help=command.HELP)
        added.set_defaults(parser=added)
        command.add_options(added)
    return parser


def _check_command(parser: Parser, names: Sequence[str], given: Sequence[str]) -> None:
    """Check that a command is named first, unless help is requested."""
    first = given[0] if given else ""
    known = ", ".join(names)
    if first.startswith("-") and not first.startswith("-h") and not "--help".startswith(first):
        parser.error(f"option {_name(first)} found, a command expected first ({known})")
    if first and not first.startswith("-") and first not in names:
        parser.error(f"unknown command {first!r}{_closest(first, names)}, one of {known} expected")


def _check_others(parser: Parser, options: argparse.Namespace, others: Sequence[str]) -> None:
    """Check that there is no unknown option; argparse does not parse files that follow options after other files."""
    unknown = next((_name(other) for other in others if other.startswith("-") and other != "-"), None)
    if unknown is not None:
        guess = _closest(unknown, re.findall(r"--[\w-]+", parser.format_usage()))
        raise SettingsError(f"unknown option {unknown}{guess}")
    if others and "systems" not in options:
        raise SettingsError(f"unexpected argument {others[0]!r}")
    if others:
        options.systems += others


def _check_needed(parser: Parser, options: argparse.Namespace) -> None:
    """Check that the call has the required arguments, such as systems and references."""
    mapped = {column.role for column in getattr(options, "columns", ())}
    missing = [
        name for key, name in parser.needed.items() if not getattr(options, key) and TABLE_ROLES.get(key) not in mapped
    ]
    takes_archives = "archive" in options
    if names_counts(options):  # counts include references
        missing = [name for name in missing if name != parser.needed["ref"]]
    if missing and not (takes_archives and options.archive) and options.workspace is None:
        or_archive = " (or --archive, or --workspace)" if takes_archives else " (or --workspace)"
        raise SettingsError(f"the following arguments are required: {', '.join(missing)}{or_archive}")


def _name(option: str) -> str:
    """Return an option without its value."""
    return option.partition("=")[0]


def _closest(word: str, known: Iterable[str]) -> str:
    """Return a question with the known word that was probably meant; empty if there is none."""
    from difflib import get_close_matches  # loaded when first needed

    matches = get_close_matches(word, list(known), n=1)
    return f" (did you mean {matches[0]}?)" if matches else ""
