"""Files as they come: a test set of WMT26 and its systems, a workbook with decorated headers, a faulty folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from accessibility import problems
from sacrebleu.metrics.bleu import BLEU
from small_files import workbook
from visitor import Visitor
from wmt_files import PAIRS, shared_task

LINES = [f"the cat number {n} sat on the mat in the sun" for n in range(1, 41)]


def scores(visitor: Visitor) -> dict[str, str]:
    """The second column of the table on Scores, by system."""
    return {row[0]: row[1] for row in visitor.table("scores")[1:]}


@pytest.mark.slow
def test_a_test_set_of_several_language_pairs_is_several_test_sets(visitor: Visitor, tmp_path: Path) -> None:
    task, names = shared_task(), ("A", "B")
    (tmp_path / "wmt26-genmt.jsonl").write_bytes(task.test_set)
    for name in names:
        (tmp_path / f"{name}.jsonl").write_bytes(task.of_systems[name])
    visitor.goto("/data")
    visitor.upload([tmp_path / f"{name}.jsonl" for name in ("wmt26-genmt", *names)])
    visitor.page.get_by_text("3 files were divided into 3 test sets by language pair").wait_for()
    pair = f"{PAIRS[0][0]}-{PAIRS[0][1]}"
    assert problems(visitor) == []
    visitor.open_page("Scores")
    visitor.choose("Test set", f"{PAIRS[1][0]}-{PAIRS[1][1]}")
    visitor.choose("Test set", pair)
    found = scores(visitor)
    assert set(found) == set(names)
    references = {name: paragraphs for name, paragraphs in task.references[pair].items() if paragraphs}
    for name in names:
        texts = [
            [" ".join(f"<p>{p}</p>" for p in each[document]) for document in references]
            for each in (task.outputs[name][pair], references)
        ]
        assert float(found[name]) == pytest.approx(BLEU().corpus_score(texts[0], [texts[1]]).score)


@pytest.mark.slow
def test_a_workbook_with_decorated_headers_is_read_without_questions(visitor: Visitor, tmp_path: Path) -> None:
    outputs = [line.replace("mat", "rug") if n % 2 else line for n, line in enumerate(LINES)]
    rows = [[str(n), outputs[n], "good", LINES[n]] for n in range(len(LINES))]
    header = ["No.", "Machine translation (EN)", "Comments?", "Reference (EN)"]
    (tmp_path / "engine.xlsx").write_bytes(workbook([header, *rows]))
    visitor.goto("/data")
    visitor.upload([tmp_path / "engine.xlsx"])
    visitor.page.get_by_text("In use: 1 system, 1 reference, 40 segments").wait_for()
    visitor.select_file(0)
    assert "not used: Comments? (" in visitor.text()
    visitor.open_page("Scores")
    (found,) = scores(visitor).values()
    assert float(found) == pytest.approx(BLEU().corpus_score(outputs, [LINES]).score)


@pytest.mark.slow
def test_an_empty_file_in_a_folder_is_named_and_the_others_are_used(visitor: Visitor, tmp_path: Path) -> None:
    folder = tmp_path / "test-set"
    for name, lines in {
        "sources/en-de.txt": LINES,
        "references/en-de.refA.txt": LINES,
        "system-outputs/en-de/Alpha.txt": [line.replace("mat", "rug") for line in LINES],
        "system-outputs/en-de/Beta.txt": [line.replace("sun", "sea") for line in LINES],
        "system-outputs/en-de/Forgotten.txt": [],
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([folder], role="Folder")
    visitor.page.get_by_text("Forgotten").first.wait_for()
    assert "the file is empty" in visitor.text()
    visitor.open_page("Scores")
    assert {"Alpha", "Beta"} <= set(scores(visitor))
