"""Fuzz one subject until the time is over or something is wrong; the status is then 1.

    uv run --extra test python -m tests.fuzz counting [--minutes M | --lines N] [--seed S] [--jobs J]

Each subject is a module of this package. Its docstring is the help, `add_options` declares its options, and `run`
returns the status.
"""

from __future__ import annotations

import argparse
import sys

from . import counting, files

SUBJECTS = {"counting": counting, "files": files}


def main() -> int:
    """Run the subject named first and return its status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz one subject.")
    subjects = parser.add_subparsers(required=True, metavar="SUBJECT")
    for name, module in SUBJECTS.items():
        documentation = (module.__doc__ or "").strip()
        of_subject = subjects.add_parser(name, help=documentation.splitlines()[0], description=documentation)
        module.add_options(of_subject)
        of_subject.set_defaults(run=module.run)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
