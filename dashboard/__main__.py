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

from bleu_core.cli import BAD_INPUT
from bleu_core.errors import BleuCoreError
from dashboard.launch import Launch, parse
from dashboard.memory_limits import memory_limits, with_limits

#: Kinds of settings, bool before int, as it is one for Python -> what a message calls them.
KINDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text in quotation marks",
}


def main() -> int:
    """Check that the port is free and what is read at the start, and serve the dashboard until it is stopped."""
    launch = parse()
    problem = _unreadable(launch) or _why_not(launch.address, launch.port) or _broken_settings()
    if problem:
        sys.stderr.write(f"bleu-dashboard: {problem}\n")
        return BAD_INPUT
    gc.disable()  # loading packages makes little garbage; the server enables it when they are loaded
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service manager stops it as Ctrl-C does
    try:
        from dashboard import server  # slow to load, and a wrong call should fail at once

        with suppress(KeyboardInterrupt):
            server.run(launch)
    except (ImportError, MemoryError, OSError, RuntimeError) as error:  # no memory, no threads; a missing certificate
        if isinstance(error, ImportError) and not memory_limits():
            raise  # an installation that is broken
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        problem = f"the server ended: {place}{str(error) or 'no memory left'}"
        sys.stderr.write(f"bleu-dashboard: {with_limits(problem)}\n")
        return BAD_INPUT
    return 0


def _unreadable(launch: Launch) -> str:
    """Why the workspace or the campaign cannot be opened; empty when it can, and without one."""
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


def _broken_settings() -> str:
    """Why Streamlit could not read one of its files of settings, which it would report by a traceback; else empty."""
    folders = [Path()]
    with suppress(RuntimeError):  # no home
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
                    found = f"{option} = {value!r} found in [{name}], {expected} expected"
                    return f"{file}: {found}; correct or remove the line"
    return ""


def _expected(option: str, value: object) -> str:
    """What a setting of Streamlit has to be that is of another kind, which may keep the server from starting; or empty.

    Settings without a default are not checked, nor those that Streamlit does not know, which it reports itself.
    """
    from streamlit import config  # slow to load, and needed only where there is a file of settings

    known = config._config_options_template.get(option)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if known is None or known.multiple or known.default_val == "auto":  # which may be true or false, too
        return ""
    for kind, name in KINDS.items():
        if isinstance(known.default_val, kind):
            right = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
            return "" if right else name
    return ""


def _why_not(address: str, port: int) -> str:
    """Why the server could not listen there; empty when it can."""
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
