"""Starts the dashboard: `bleu-dashboard`, or `python -m dashboard`."""

from __future__ import annotations

import gc
import signal
import socket
import sys
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.errors import BleuCoreError
from bleu_core.processes import own_process

if TYPE_CHECKING:  # loads NumPy
    from dashboard.launch import Launch

#: Types of settings, bool before its base int -> their names in messages.
KINDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotation marks",
}


def main() -> int:
    """Check the port and the files that are read at the start, and serve the dashboard until it is stopped."""
    own_process()
    from bleu_core.cli import BAD_INPUT  # loads NumPy
    from dashboard.launch import parse
    from dashboard.memory_limits import check_memory, end_server, memory_limits

    launch = parse()
    problem = _file_problem(launch) or _listen_problem(launch.address, launch.port) or _settings_problem()
    if problem:
        sys.stderr.write(f"bleu-dashboard: {problem}\n")
        return BAD_INPUT
    check_memory()
    gc.disable()  # loading packages makes little garbage; the server enables it when they are loaded
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service manager stops it as Ctrl-C does
    try:
        from dashboard import server  # slow to load, and an invalid call should fail immediately

        with suppress(KeyboardInterrupt):
            server.run(launch)
    except (ImportError, MemoryError, OSError, RuntimeError) as error:  # no memory, no threads; a missing certificate
        if isinstance(error, ImportError) and not memory_limits():
            raise  # a broken installation
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        end_server(f"{place}{str(error) or 'no memory left'}")
    return 0


def _file_problem(launch: Launch) -> str:
    """Return why the workspace or the campaign cannot be opened; empty if there is no problem."""
    try:
        if launch.workspace is not None:
            from bleu_core.project import open_workspace  # loaded when first needed

            open_workspace(launch.workspace.read_bytes(), str(launch.workspace), limits=launch.limits)
        if launch.campaign is not None:
            from bleu_core.campaigns import CampaignStore

            CampaignStore(launch.campaign).close()
    except (OSError, BleuCoreError) as error:
        return str(error)
    return ""


def _settings_problem() -> str:
    """Return why Streamlit cannot read one of its configuration files; empty if it can."""
    folders = [Path()]
    with suppress(RuntimeError):  # no home directory
        folders.insert(0, Path.home())
    for file in (folder / ".streamlit" / "config.toml" for folder in folders):
        try:
            sections = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        except (OSError, ValueError) as error:
            return f"{file}: settings of Streamlit in TOML expected: {error}; correct or remove the file"
        for name, section in sections.items():
            if not isinstance(section, dict):
                return f"{file}: {name} = {section!r} found, a section [{name}] expected; correct or remove the file"
            for option, value in section.items():
                expected = _expected(f"{name}.{option}", value)
                if expected:
                    mismatch = f"{option} = {value!r} found in [{name}], {expected} expected"
                    return f"{file}: {mismatch}; correct or remove the line"
    return ""


def _expected(option: str, value: object) -> str:
    """Return the expected type of a setting of Streamlit that has another type, which may prevent the start; or empty.

    Settings without a default are not checked, nor unknown settings, which Streamlit reports itself.
    """
    from streamlit import config  # slow to load, and needed only if there is a configuration file

    known = config._config_options_template.get(option)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if known is None or known.multiple or known.default_val == "auto":  # it may also be true or false
        return ""
    for kind, name in KINDS.items():
        if isinstance(known.default_val, kind):
            right = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
            return "" if right else name
    return ""


def _listen_problem(address: str, port: int) -> str:
    """Return why the server cannot listen there; empty if it can."""
    try:
        family = socket.getaddrinfo(address, port)[0][0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except (OSError, OverflowError) as error:
        return f"cannot listen on {address} port {port}: {error}; name another with --port or --address"
    return ""


if __name__ == "__main__":
    sys.exit(main())
