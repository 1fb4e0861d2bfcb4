"""What a report says of the files that its numbers come from."""

from __future__ import annotations

from bleu_core.scoring import evaluate
from bleu_core.uploads import File, assemble
from dashboard.analysis import View
from dashboard.export import used_files

FILES = (
    File("ref 1.txt", b"the cat sat\nit rained\n", "reference"),
    File("-a.txt", b"the cat sat\nit rains\n", "system"),
)


def test_a_file_is_named_with_the_digest_of_its_bytes() -> None:
    workspace = assemble(FILES)
    first, *others = used_files(View(workspace, evaluate(workspace.corpus)))
    assert first.name == "ref 1.txt"
    assert first.sha256 == "4d62f5d64ae41008a7d475e9d4652acebf2cc31e42a1795c0e48923fc1256359"
    assert len(others) == 1
