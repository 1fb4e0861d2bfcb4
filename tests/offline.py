"""A process that is cut off from the network, notes what it asked for, and has no room for temporary files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: Python runs this at the start of every process whose PYTHONPATH holds it. The options of Streamlit are written down
#: when its server takes its port, so after all files and variables have been read.
GUARD = """
import errno, json, os, sys
from pathlib import Path

FOLDER = Path(__file__).parent
TMPFILE = getattr(os, "O_TMPFILE", -1)
LOCAL = {None, "", "localhost", "127.0.0.1", "0.0.0.0", "::1", "::"}

def guard(event, arguments):
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        host = arguments[0]
    elif event == "socket.bind" and "streamlit.config" in sys.modules:
        config = sys.modules["streamlit.config"]
        found = {name: config.get_option(name) for name in config.get_config_options()}
        (FOLDER / "options.json").write_text(json.dumps(found, default=str))
        return
    elif event == "tempfile.mkstemp" or (event == "open" and arguments[2] & TMPFILE == TMPFILE):
        raise OSError(errno.ENOSPC, "no space left on device")
    else:
        return
    if host not in LOCAL:
        with (FOLDER / "asked").open("a") as log:
            log.write(f"{event} {host}\\n")
        raise OSError(errno.ENETUNREACH, "network is unreachable")

sys.addaudithook(guard)
"""


class Offline:
    """Starts processes offline, and knows what they did.

    Args:
        folder: an empty one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
        self.environment = {"PYTHONPATH": str(folder)}

    @property
    def asked(self) -> list[str]:
        """What the process asked other hosts for, in vain."""
        log = self._folder / "asked"
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    @property
    def options(self) -> dict[str, Any]:
        """Streamlit's options in the process that serves."""
        return json.loads((self._folder / "options.json").read_text(encoding="utf-8"))
