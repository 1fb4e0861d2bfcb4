"""A Python script built line by line, with the imports that its lines need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class Script:
    """Lines of Python.

    Attributes:
        lines: lines without imports.
        imported: package -> the names that are imported from it.
    """

    lines: list[str] = field(default_factory=list[str])
    imported: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def use(self, package: str, *names: str) -> None:
        """Import names from a package."""
        self.imported.setdefault(package, set()).update(names)

    def add(self, *lines: str) -> None:
        """Add lines."""
        self.lines += lines

    def call(self, result: str, function: str, *arguments: str, **options: object) -> None:
        """Add a call whose result gets a name.

        Args:
            result: the name.
            function: the function.
            arguments: positional arguments, as Python code.
            options: keyword arguments, as values.
        """
        all_arguments = [*arguments, *(f"{name}={value!r}" for name, value in options.items())]
        self.lines.append(f"{result} = {function}({', '.join(all_arguments)})")

    def load(self, arguments: Mapping[str, object]) -> None:
        """Add a call that loads files, with one argument per line."""
        self.lines += ["data = bc.load(", *(f"    {name}={value!r}," for name, value in arguments.items()), ")"]

    @property
    def text(self) -> str:
        """The whole script."""
        standard = [name for name in self.imported if name.split(".")[0] != "bleu_core"]
        own = [name for name in self.imported if name not in standard]
        imports = [self._import(name) for name in sorted(standard)]
        imports += ["", "import bleu_core as bc"] if imports else ["import bleu_core as bc"]
        imports += [self._import(name) for name in sorted(own)]
        return "\n".join([*imports, "", *self.lines])

    def _import(self, package: str) -> str:
        return f"from {package} import {', '.join(sorted(self.imported[package]))}"
