"""TeX, for tests that set tables, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

TEX = next((name for name in ("tectonic", "lualatex", "xelatex", "pdflatex") if shutil.which(name)), None)


def compiled(folder: Path, text: str, *, packages: str, options: str = "") -> str:
    """What TeX says of a page with a text; it must take it."""
    head = [rf"\documentclass[{options}]{{article}}", rf"\usepackage{{{packages}}}", r"\begin{document}"]
    (folder / "a.tex").write_text("\n".join([*head, text, r"\end{document}"]), encoding="utf-8")
    how = [] if TEX == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    said = ""
    for _ in range(1 if TEX == "tectonic" else 3):  # a longtable finds its widths in several runs
        run = subprocess.run([str(TEX), *how, "a.tex"], cwd=folder, capture_output=True, check=False)
        said = run.stdout.decode(errors="replace")
        assert run.returncode == 0, said[-2000:]
    assert (folder / "a.pdf").stat().st_size > 1000
    return said
