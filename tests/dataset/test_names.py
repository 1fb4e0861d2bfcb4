"""Systems that ratings and scores name by the files of their outputs."""

from __future__ import annotations

import pytest
from judged import read_ratings

from bleu_core.dataset import Column, FilePart, ScoreTable, fit
from bleu_core.dataset.names import loaded_names
from bleu_core.errors import AlignmentError
from bleu_core.formats.text import Text


@pytest.mark.parametrize(
    ("names", "files", "renamed"),
    [
        (("A.txt", "B.txt"), {"A": "A.txt", "B": "B.txt"}, {"A.txt": "A", "B.txt": "B"}),
        (("out/A.txt", "C:\\out\\B.hyp.gz"), {"A": "", "B": ""}, {"out/A.txt": "A", "C:\\out\\B.hyp.gz": "B"}),
        (("A.de", "B"), {"A": "x/A.de", "B": ""}, {"A.de": "A"}),
        (("gpt-4.1", "A.big"), {"gpt-4": "gpt-4.txt", "A": "A.txt"}, {}),
        (("A", "A.txt"), {"A": "A.txt", "B": "B.txt"}, {}),
        (("x/A.txt", "y/A.txt"), {"A": "A.txt"}, {}),
    ],
)
def test_names_of_files_are_those_of_loaded_systems(
    names: tuple[str, ...], files: dict[str, str], renamed: dict[str, str]
) -> None:
    assert loaded_names(names, files) == renamed


def texts() -> FilePart:
    columns = [Column("reference", "R", ("x", "y")), *(Column("system", name, ("x", "z")) for name in "AB")]
    return FilePart("texts", columns=tuple(columns))


def test_ratings_and_scores_of_files_are_those_of_the_systems_loaded_from_them() -> None:
    ratings = read_ratings(Text("system,segment,score\nA.txt,1,4\nout/B.txt,2,3\n", "UTF-8"), "h.csv")
    scores = ScoreTable.of_systems("COMET", {"A.txt": 0.5, "B.txt": 0.25})
    found = fit([texts(), FilePart("h.csv", judgments=ratings), FilePart("s.csv", scores=scores)], refuse=True)
    assert found.judgments is not None
    assert dict(found.judgments.system_means()) == {"A": 4.0, "B": 3.0}
    assert dict(found.scores[0].scores_of_systems) == {"A": 0.5, "B": 0.25}


def test_other_names_are_refused() -> None:
    scores = ScoreTable.of_systems("COMET", {"A.big": 0.5}, origin="s.csv")
    with pytest.raises(
        AlignmentError, match=r"^s\.csv: the scores of COMET are for A\.big, but the systems loaded are A, B$"
    ):
        fit([texts(), FilePart("s.csv", scores=scores)], refuse=True)
