"""The recipes in docs are true: their examples, followed to the letter, work."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parents[1]


def examples(recipe: str) -> list[str]:
    """The blocks of Python in a recipe."""
    text = (ROOT / "docs" / "recipes" / recipe).read_text(encoding="utf-8")
    return [dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)]


class Copy:
    """A copy of the packages, to be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # With what is compiled, but for files that another process writes just now.
        for package in ("bleu_core", "dashboard", "sample_data"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.pyc.*"))

    def insert(self, path: str, before: str, text: str, *, spaces: int = 0) -> None:
        """Put text in front of other text, which is there once."""
        file = self.folder / path
        content = file.read_text(encoding="utf-8")
        assert content.count(before) == 1
        file.write_text(content.replace(before, indent(text, " " * spaces) + before), encoding="utf-8")

    def score(self, *call: str) -> str:
        """What `bleu-core score` prints, from the copy."""
        script = "import sys; from bleu_core.cli import main; sys.exit(main(sys.argv[1:]))"
        return self.run(script, "score", *call)

    def run(self, script: str, *arguments: str) -> str:
        """What a script prints that uses the copy."""
        run = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=self.folder,  # of which modules are imported first
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_a_format_takes_one_file_and_one_line(copy: Copy) -> None:
    module, line, sample, _ = examples("add-a-format.md")
    (copy.folder / "bleu_core" / "formats" / "pairs.py").write_text(module, encoding="utf-8")
    copy.insert("bleu_core/formats/register.py", '        "scores": "scores",\n', line)
    (copy.folder / "out.jsonl").write_bytes(eval(sample.partition(":")[2].strip().rstrip(",")))  # noqa: S307 # our own
    (copy.folder / "ref.txt").write_text("one\ntwo\n", encoding="utf-8")
    printed = copy.score("--ref", "ref.txt", "out.jsonl", "--max-order", "1")
    assert re.search(r"^out +100\.00 ", printed, re.MULTILINE)
    assert copy.score("--ref", "ref.txt", "out.jsonl", "--format-of", "out.jsonl=pairs", "--max-order", "1") == printed


def test_a_setting_of_counting_takes_two_files(copy: Copy) -> None:
    field, beginning, below, *_ = examples("add-a-setting.md")
    copy.insert("bleu_core/scoring/settings.py", "\n    def __post_init__(self)", field, spaces=4)
    copy.insert("bleu_core/scoring/ngrams.py", "    name, lowercase = counting.tokenizer", beginning, spaces=4)
    copy.insert("bleu_core/scoring/ngrams.py", "def count_chunk(", f"{below}\n\n")
    copy.insert(
        "bleu_core/scoring/ngrams.py", "from collections.abc", "import unicodedata\nfrom dataclasses import replace\n"
    )
    (copy.folder / "out.txt").write_text("caf\u00e9\n", encoding="utf-8")
    (copy.folder / "ref.txt").write_text("cafe\n", encoding="utf-8")
    call = ("--ref", "ref.txt", "out.txt", "--max-order", "1", "--smoothing", "none")
    assert re.search(r"^out +0\.00 ", copy.score(*call), re.MULTILINE)
    without = copy.score(*call, "--no-accents")
    assert re.search(r"^out +100\.00 ", without, re.MULTILINE)
    assert "|order:1" in without
    assert "|accents:no" in without


def test_a_setting_of_the_formula_takes_one_file(copy: Copy) -> None:
    *_, field, effect = examples("add-a-setting.md")
    copy.insert("bleu_core/scoring/bleu_score.py", "    effective_order: bool | None = None", field, spaces=4)
    penalty, rest = effect.split("\n", 1)
    copy.insert("bleu_core/scoring/bleu_score.py", "    return Bleu(\n", rest, spaces=4)
    assert penalty in (ROOT / "bleu_core" / "scoring" / "bleu_score.py").read_text(encoding="utf-8")
    (copy.folder / "out.txt").write_text("one\n", encoding="utf-8")
    (copy.folder / "ref.txt").write_text("one two\n", encoding="utf-8")
    call = ("--ref", "ref.txt", "out.txt", "--max-order", "1")
    assert re.search(r"^out +36\.79 ", copy.score(*call), re.MULTILINE)  # exp(1 - 2/1)
    without = copy.score(*call, "--no-brevity")
    assert re.search(r"^out +100\.00 ", without, re.MULTILINE)
    assert "|bp:no" in without


def test_a_metric_takes_one_file_and_one_line(copy: Copy) -> None:
    module, *_ = examples("add-a-metric.md")
    (copy.folder / "bleu_core" / "scoring" / "metrics" / "length.py").write_text(module, encoding="utf-8")
    copy.insert("bleu_core/scoring/metrics/register.py", '        "wer": "wer",\n', '        "length": "length",\n')
    (copy.folder / "out.txt").write_text("one two three\n", encoding="utf-8")
    (copy.folder / "ref.txt").write_text("one two\n", encoding="utf-8")
    printed = copy.score("--ref", "ref.txt", "out.txt", "--metric", "length")
    assert "Length" in printed
    assert re.search(r"^out +150\.00$", printed, re.MULTILINE)


#: Prints the headings and the addresses of the pages, and the cells of the table of the page at an address.
VISIT = """
import sys
from streamlit.testing.v1 import AppTest

path = sys.argv.pop()  # which the app would take for a file
app = AppTest.from_file("dashboard/app.py", default_timeout=60).run()
pages = vars(app)["_registered_pages"]
vars(app)["_page_hash"] = next(h for h, page in pages.items() if page.get("url_pathname", "") == path)
app.run()
assert not app.error, [error.value for error in app.error]
print(*[title.value for title in app.title], *app.dataframe[0].value.columns)
"""


@pytest.mark.slow
def test_a_page_takes_one_folder_and_one_line(copy: Copy) -> None:
    package, page = examples("add-a-page.md")
    folder = copy.folder / "dashboard" / "views" / "lengths"
    folder.mkdir()
    (folder / "__init__.py").write_text(package, encoding="utf-8")
    (folder / "page.py").write_text(page, encoding="utf-8")
    copy.insert("dashboard/views/__init__.py", '    "blocks",\n', '    "lengths",\n')
    printed = copy.run(VISIT, "lengths").split()
    assert printed == ["Lengths", "system", "hypothesis_length", "reference_length", "length_ratio"]


#: Prints the table of the exhibit of that name, and the number of bars in its figure.
EXHIBIT = """
import sys
from bleu_core.dataset import Corpus
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis import View
from dashboard.exhibits import EXHIBITS, Data

corpus = Corpus({"A": ["one two three"], "B": ["one two"]}, {"R": ["one two"]})
exhibit = EXHIBITS[sys.argv[1]]
data = Data(View(Workspace.of_data(corpus, None, (), ()), evaluate(corpus)))
print(*(cell for row in exhibit.numbers(data).rows for cell in row), len(exhibit.draw(data).data[0].x))
"""


@pytest.mark.slow
def test_an_exhibit_takes_one_file_and_one_line(copy: Copy) -> None:
    (module,) = examples("add-an-exhibit.md")
    (copy.folder / "dashboard" / "exhibits" / "lengths.py").write_text(module, encoding="utf-8")
    copy.insert("dashboard/exhibits/register.py", '    "precision",\n', '    "lengths",\n')
    assert copy.run(EXHIBIT, "lengths").split() == ["A", "3", "2.0", "1.5", "B", "2", "2.0", "1.0", "2"]
    assert "Length of each system's text (Ranking: Scores)" in copy.run(
        "import sys; from bleu_core.cli import main; sys.exit(main(['figure', '--list']))"
    )
