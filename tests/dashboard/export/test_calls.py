"""The commands that a report names."""

from __future__ import annotations

from dataclasses import replace

from bleu_core.scoring import PRESETS, evaluate
from bleu_core.workspace import File, assemble
from dashboard.analysis.significance import ComparisonOptions
from dashboard.analysis.view import View
from dashboard.export.calls import calls_of, used_files

FILES = (
    File("ref 1.txt", b"the cat sat\nit rained\n", "reference"),
    File("-a.txt", b"the cat sat\nit rains\n", "system"),
    File("b.txt", b"a cat sat\nit rained\n", "system"),
)


def calls(*files: File, comparison: ComparisonOptions | None = None) -> tuple[str, ...]:
    workspace = assemble(files)
    view = View(workspace, evaluate(workspace.corpus, PRESETS["paper"]))
    return calls_of(view, comparison or ComparisonOptions(), (), zscore=False)


def test_a_command_names_the_settings_and_the_files_as_a_shell_takes_them() -> None:
    of_files = "--preset paper --ref 'ref 1.txt' -- -a.txt b.txt"
    score, blocks, compare = calls(*FILES)
    assert score == f"bleu-core score {of_files}"
    assert blocks == f"bleu-core blocks {of_files}"
    how = "--all-pairs --test bootstrap --correction holm --units segments --alpha 0.05 --seed 12345"
    assert compare == f"bleu-core compare {how} {of_files}"


def test_the_number_of_draws_is_named_as_the_test_calls_it() -> None:
    (*_, compare) = calls(*FILES, comparison=ComparisonOptions(test="randomization", draws=99, metric="chrf2"))
    assert "--metric chrf2 --all-pairs --test randomization" in compare
    assert "--trials 99" in compare
    assert "--resamples" not in compare
    (*_, compare) = calls(*FILES, comparison=ComparisonOptions(draws=99))
    assert "--resamples 99" in compare


def test_no_command_is_named_where_a_file_was_renamed_by_hand() -> None:
    assert calls(*FILES[:2], replace(FILES[2], renamed="c")) == ()


def test_a_file_is_named_with_the_digest_of_its_bytes() -> None:
    workspace = assemble(FILES)
    first, *others = used_files(View(workspace, evaluate(workspace.corpus)))
    assert first.name == "ref 1.txt"
    assert first.sha256 == "4d62f5d64ae41008a7d475e9d4652acebf2cc31e42a1795c0e48923fc1256359"
    assert len(others) == 2
