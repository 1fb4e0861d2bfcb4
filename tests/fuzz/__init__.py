"""Random inputs for as long as you like: `python -m tests.fuzz SUBJECT`. The tests themselves run only a few."""

import sys
from pathlib import Path

# The fuzzers import what the tests share by the names that pytest gives it (pythonpath in pyproject.toml).
TESTS = str(Path(__file__).parents[1])
if TESTS not in sys.path:
    sys.path.append(TESTS)
