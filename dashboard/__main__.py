"""Starts the dashboard: `bleu-dashboard`, or `python -m dashboard`."""

from __future__ import annotations

import gc
import signal
import socket
import sys
from contextlib import suppress

from bleu_core.errors import BleuCoreError
from dashboard.launch import BAD_INPUT, Launch, parse


def main() -> int:
    """Check that the port is free, and serve the dashboard until it is stopped."""
    launch = parse()
    problem = _unreadable(launch) or _why_not(launch.address, launch.port)
    if problem:
        sys.stderr.write(f"bleu-dashboard: {problem}\n")
        return BAD_INPUT
    gc.disable()  # loading packages makes little garbage; the server enables it when they are loaded
    from dashboard import server  # slow to load, and a wrong call should fail at once

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service manager stops it as Ctrl-C does
    with suppress(KeyboardInterrupt):
        server.run(launch)
    return 0


def _unreadable(launch: Launch) -> str:
    """Why the workspace or the campaign cannot be opened; empty when it can, and without one."""
    try:
        if launch.workspace is not None:
            from bleu_core.workspace import open_workspace  # loaded when first needed

            open_workspace(launch.workspace.read_bytes(), str(launch.workspace), limits=launch.limits)
        if launch.campaign is not None:
            from bleu_core.campaigns import CampaignStore

            CampaignStore(launch.campaign).close()
    except (OSError, BleuCoreError) as error:
        return str(error)
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
