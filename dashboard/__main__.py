"""Starts the dashboard: `bleu-dashboard`, or `python -m dashboard`."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from dashboard.launch import BAD_INPUT, parse


def main() -> int:
    """Check that the port is free and hand over to Streamlit, which runs until it is stopped."""
    launch = parse()
    busy = _why_not(launch.address, launch.port)
    if busy:
        sys.stderr.write(f"bleu-dashboard: {busy}\n")
        return BAD_INPUT
    from streamlit.web import cli  # slow to load, and a wrong call should fail at once

    sys.argv = [
        "streamlit",
        "run",
        str(Path(__file__).with_name("app.py")),
        f"--server.port={launch.port}",
        f"--server.address={launch.address}",
        f"--server.headless={str(not launch.browser).lower()}",
        "--",
        *launch.arguments(),
    ]
    return int(cli.main() or 0)


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
