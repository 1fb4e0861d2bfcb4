"""Formats that the user chooses for files with --format-of, instead of the recognised ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bleu_core.errors import SettingsError, listed
from bleu_core.formats.register import FORMATS


class FormatChoice(NamedTuple):
    """A chosen format, with values for its own options.

    Attributes:
        format: a key of FORMATS.
        own: the values of the format's own options, by name.
    """

    format: str
    own: Mapping[str, str]

    def __str__(self) -> str:
        """Return the value as --format-of takes it after FILE=."""
        options = ",".join(f"{name}={value}" for name, value in self.own.items())
        return f"{self.format}:{options}" if options else self.format


def format_choices(values: Sequence[str], files: Collection[str]) -> dict[str, FormatChoice]:
    """Parse the values of --format-of, each FILE=FORMAT or FILE=FORMAT:OPTION=VALUE,...

    Args:
        values: as given.
        files: the names of all files of the call; a file in a zip or folder is called ARCHIVE/PATH.

    Returns:
        File -> choice.

    Raises:
        SettingsError: a value has another form, or names no file of the call, a file a second time, or a format or
            option that does not exist.
    """
    choices: dict[str, FormatChoice] = {}
    for value in values:
        if "=" not in value:
            raise SettingsError(f"--format-of: {value!r} found, FILE=FORMAT expected")
        name = value.partition("=")[0]
        members = [name] if any(name.startswith(f"{file}/") for file in files) else []
        file = max((name for name in (*files, *members) if value.startswith(f"{name}=")), key=len, default=None)
        if file is None:
            expected = f"one of {listed(files)}" if files else "a file of this call"
            raise SettingsError(f"--format-of: file {value.partition('=')[0]!r} found, {expected} expected")
        if file in choices:
            raise SettingsError(f"--format-of: two formats of {file} found, 1 expected")
        key, _, options = value.removeprefix(f"{file}=").partition(":")
        if key not in FORMATS:
            raise SettingsError(f"--format-of: format {key!r} found, one of {', '.join(FORMATS)} expected")
        choices[file] = FormatChoice(key, _own(options, key))
    return choices


def _own(text: str, key: str) -> dict[str, str]:
    """Parse the options of a format from OPTION=VALUE,..."""
    known = FORMATS[key].own
    values: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, mark, value = part.partition("=")
        if not mark or name not in known:
            expected = f"one of {', '.join(f'{name}=VALUE' for name in known)}" if known else "none"
            raise SettingsError(f"--format-of: option {part!r} of format {key} found, {expected} expected")
        values[name] = value
    return values
