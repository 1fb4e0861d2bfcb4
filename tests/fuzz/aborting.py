"""A fuzzer's process that aborts, which a test imports by this module's name."""

from __future__ import annotations

import os
from pathlib import Path

#: What a process writes about a mutant that was read or refused.
LINE = '{"mutants": 1, "seconds": 0, "slowest": 0, "outcomes": {"read": 1}, "failures": []}\n'


def at_the_third(numbers: range, _how: None, _folder: Path, report: Path) -> None:
    """Abort at the third mutant, as a reader in this process may."""
    with report.open("w", encoding="utf-8") as lines:
        for number in numbers:
            if number == 2:
                lines.flush()
                os.abort()
            lines.write(LINE)
