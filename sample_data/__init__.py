"""A complete data set of our own: five systems, four references, documents, and human judgments.

Nothing here is real: `generate.py` wrote every file from a seed. `README.md` says what each file is.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
DOCUMENTS = FOLDER / "documents.txt"
JUDGMENTS = FOLDER / "judgments.csv"


def systems() -> tuple[Path, ...]:
    """Return the outputs of the five systems: three machines, then two human translators."""
    return tuple(FOLDER / "systems" / f"{name}.txt" for name in ("S1", "S2", "S3", "H1", "H2"))


def references() -> tuple[Path, ...]:
    """Return the four references; the first two are those of the main comparison."""
    return tuple(FOLDER / "references" / f"{name}.txt" for name in ("R1", "R2", "R3", "R4"))
