"""The parts Errors of Two systems and Error spans of Judges, in a session without a browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from conftest import Opener
from pages import load, said, visit
from streamlit.testing.v1 import AppTest

from bleu_core.formats import FileRole
from bleu_core.slicing import slice_corpus
from bleu_core.uploads import File, assemble
from dashboard.analysis import ErrorOptions, errors_of_pair, view_of
from dashboard.session import Selection

SEGMENTS = 48
HOSTILE = "Other/*b* $x$ <i>"
CATEGORIES = ("Accuracy/Mistranslation", "Accuracy/Omission", HOSTILE)


def files(systems: Sequence[str] = ("a", "b"), *, by_other_judges: bool = False) -> list[tuple[str, bytes]]:
    """Two systems, of which b has more errors, annotated by two judges; documents of four segments."""
    generator = np.random.default_rng(2)
    text = [f"one two three four five {n}" for n in range(SEGMENTS)]
    rows = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for number, system in enumerate(systems):
        for segment, line in enumerate(text):
            for judge in ("J1", "J2"):
                if by_other_judges and (judge == "J1") != (system == "a"):
                    continue
                beginning = f"{system}\td{segment // 4}\t{segment + 1}\t{judge}\t-\t"
                errors = int(generator.poisson(0.2 + number))
                for _ in range(errors):
                    words = line.split()
                    place = int(generator.integers(5))
                    words[place] = f"<v>{words[place]}</v>"
                    rows.append(f"{beginning}{' '.join(words)}\t{CATEGORIES[int(generator.integers(3))]}\tMajor")
                if not errors:
                    rows.append(f"{beginning}{line}\tNo-error\tNo-error")
    return [
        *((f"{name}.txt", ("\n".join(text) + "\n").encode()) for name in systems),
        ("reference.txt", "".join(f"one two three four six {n}\n" for n in range(SEGMENTS)).encode()),
        ("mqm.tsv", ("\n".join(rows) + "\n").encode()),
        ("docs.txt", "".join(f"d{n // 4}\n" for n in range(SEGMENTS)).encode()),
    ]


@pytest.fixture
def loaded(app: AppTest) -> AppTest:
    """A session on files with marked errors."""
    return load(app, *files())


def test_two_systems_are_compared_by_their_errors(loaded: AppTest) -> None:
    visit(loaded, "two-systems/errors")
    assert not loaded.exception
    assert "has significantly" in said(loaded)
    assert len(loaded.get("plotly_chart")) == 1
    loaded.session_state["section-code"] = True
    loaded.selectbox(key="errors_by").set_value("category").run()
    assert not loaded.exception
    code = "\n".join(block.value for block in loaded.code)
    assert "bleu-core errors --by category" in code
    assert "error_differences(of_judges(marked)" in code


def test_a_row_opens_the_segments_with_its_errors() -> None:
    roles: Sequence[FileRole] = ("system", "system", "reference", "judgments", "document")
    uploaded = tuple(File(name, data, role) for (name, data), role in zip(files(), roles, strict=True))
    view = view_of(assemble(uploaded), Selection())
    pair = errors_of_pair(view, ErrorOptions(by="category"), "b", "a")
    rows = {row.name: pair.expression(n) for n, row in enumerate(pair.differences.rows)}
    assert rows["all errors"] == 'errors of "b" > 0 or errors of "a" > 0'
    assert rows["Accuracy"] == 'category of "b" = "Accuracy" or category of "a" = "Accuracy"'
    assert rows[HOSTILE] == f'category of "b" = "{HOSTILE}" or category of "a" = "{HOSTILE}"'
    corpus = view.workspace.corpus
    for name, expression in rows.items():
        numbers = slice_corpus(expression, corpus, judgments=view.workspace.judgments).numbers
        lines = [row.split("\t") for row in files()[3][1].decode().splitlines()[1:]]
        marked = {
            int(row[2]) for row in lines if row[6] != "No-error" and (name == "all errors" or row[6].startswith(name))
        }
        assert set(numbers) == marked


def test_confounded_judges_are_said_to_be(app: AppTest) -> None:
    load(app, *files(by_other_judges=True))
    visit(app, "two-systems/errors")
    assert not app.exception
    assert "It is not tested: judges are confounded with systems" in said(app)
    assert "significant" not in said(app).split("Errors of the two systems")[0]


def test_spans_of_judges_are_compared(loaded: AppTest) -> None:
    visit(loaded, "judges/error-spans")
    assert not loaded.exception
    assert "Error spans of J1 and J2 agree with an F1 of 0." in said(loaded)
    loaded.selectbox(key="errors_by").set_value("category").run()
    assert not loaded.exception


@pytest.mark.parametrize("place", ["two-systems/errors", "judges/error-spans"])
def test_without_marked_errors_there_is_no_part(opened: Opener, place: str) -> None:
    app = opened(place)
    assert not app.exception
    assert "error-differences" not in str(app.session_state)
    assert "annotated" not in said(app)
