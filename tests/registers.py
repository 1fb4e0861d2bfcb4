"""Tables of what the registers declare: `python -m tests.registers` prints them as docs/files.md shows them."""

from __future__ import annotations

from collections.abc import Iterable

from bleu_core.formats import FORMATS


def formats_table() -> str:
    """The formats: the key that --format-of takes, the name, what such files are, what they may hold."""
    rows = (
        (f"`{key}`", found.label, found.description, ", ".join(found.roles), " ".join(f"`{e}`" for e in found.endings))
        for key, found in FORMATS.items()
    )
    return _table(("`--format-of`", "Format", "Files", "May hold", "Usual endings"), rows)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    cells = [tuple(header), *map(tuple, rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|---" * len(cells[0]) + "|", *lines[1:]])


def main() -> None:
    """Print the tables."""
    print(formats_table(), end="\n\n")  # noqa: T201 # for people


if __name__ == "__main__":
    main()
