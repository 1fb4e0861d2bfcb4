"""Cases of a test that only the nightly run tries: variations of what every run checks with the other cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def nightly(cases: Iterable[Any]) -> list[Any]:
    """Return cases of a parametrised test for the nightly run; a tuple has the values of several parameters."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)  # pyright: ignore[reportUnknownArgumentType]
        for case in cases
    ]
