"""Command lines that start the project's programs, and their options for files, for messages that name them."""

from __future__ import annotations

import os
import shlex
import shutil
import sysconfig
from collections.abc import Iterable
from pathlib import Path

#: Environment variable that `uv run` sets for the programs that it starts.
STARTED_BY_UV = "UV_RUN_RECURSION_DEPTH"


def invocation(program: str) -> str:
    """Return the words that start a program of the project in the shell from which this one was started.

    `uv run` changes the search path of the program that it starts only, so a later command needs it again. In a virtual
    environment that is not activated, programs are called by their path. The path is returned if it is inside the
    working folder; absolute paths are not returned, since pages may show them to others.

    Args:
        program: "bleu-core" or "bleu-dashboard".

    Returns:
        "uv run bleu-core", "bleu-core" or ".venv/bin/bleu-core", for example.
    """
    scripts = Path(sysconfig.get_path("scripts"))
    in_project = scripts.parent.parent in (Path.cwd(), *Path.cwd().parents)
    if os.environ.get(STARTED_BY_UV) and in_project and shutil.which("uv"):
        return f"uv run {program}"
    search_path = os.environ.get("PATH", os.defpath)
    if os.environ.get(STARTED_BY_UV):  # which has added this folder, for this process only
        search_path = os.pathsep.join(folder for folder in search_path.split(os.pathsep) if Path(folder) != scripts)
    if shutil.which(program, path=search_path):
        return program
    script = shutil.which(program, path=str(scripts))
    if script and Path(script).is_relative_to(Path.cwd()):
        return shlex.quote(str(Path(script).relative_to(Path.cwd())))
    return program


def install_extra(extra: str, *packages: str) -> str:
    """Return the instruction for installing an extra of the project, as the end of a sentence.

    Args:
        extra: its name in pyproject.toml.
        packages: further packages to install.
    """
    if invocation("bleu-core").startswith("uv run "):
        further = "".join(f" --with {package}" for package in packages)
        return f"start the program with uv run --extra {extra}{further}"
    return " ".join(("install it with pip install", f'"bleu-dashboard[{extra}]"', *packages))


def format_option(file: str, key: str, **own: str) -> str:
    """Return the option that reads a file in a format, as it is typed.

    Args:
        file: the file.
        key: the key of the format.
        own: values of the format's own options.

    >>> format_option("a.csv", "table"), format_option("my file.csv", "ratings", score="judge 1")
    ('--format-of a.csv=table', "--format-of 'my file.csv=ratings:score=judge 1'")
    """
    value = ":".join(filter(None, (f"{file}={key}", ",".join(f"{name}={chosen}" for name, chosen in own.items()))))
    return f"--format-of {shlex.quote(value)}"


def columns_option(columns: Iterable[str]) -> str:
    """Return the option that gives columns their roles, as it is typed; each column is written by column_with_role."""
    return f"--columns {shlex.quote(','.join(columns))}"


def column_with_role(header: str, role: str, *names: str, file: str = "") -> str:
    """Return a column for columns_option: [FILE:]COLUMN=ROLE[:NAME[:NAME]], with quotation marks where necessary.

    >>> column_with_role("a, b", "system", "B:2"), column_with_role("ref", "reference", file="t.csv")
    ('"a, b"=system:"B:2"', 't.csv:ref=reference')
    """
    column = _quoted(f"{file}:{header}" if file else header, "=")
    return ":".join((f"{column}={role}", *(_quoted(name, ":") for name in names)))


def _quoted(part: str, special: str) -> str:
    if part and part == part.strip() and not any(mark in part for mark in ('"', ",", special)):
        return part
    return '"' + part.replace('"', '""') + '"'
