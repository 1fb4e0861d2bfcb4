"""The program `bleu-core`, also called by `python -m bleu_core`."""

import gc
import sys

from bleu_core.processes import own_process


def main() -> int:
    """Run the command that the arguments of the program name, and return its exit status."""
    own_process()
    gc.disable()  # loading makes little garbage: looking for it takes a tenth of a short run
    from bleu_core.cli import main as run_command  # loads NumPy

    gc.freeze()  # the process ends with the command, so that what was loaded is never garbage
    gc.enable()
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
