"""`bleu-core blocks`: its contract."""

from __future__ import annotations

from pathlib import Path

import pytest
import sacrebleu
from calls import BETTER, ENVELOPE, REFERENCE, WORSE, arguments, assert_refused
from conftest import Runner, Writer
from schemas import check_json


def test_blocks_json_has_exactly_the_keys_of_the_contract(run: Runner, corpus: dict[str, Path]) -> None:
    found = run(*arguments("blocks", corpus), "--format", "json").json
    assert set(found) == ENVELOPE | {"block_sizes", "systems", "pairs"}
    assert found["block_sizes"] == [1, 1, 1]
    for system in found["systems"]:
        assert set(system) == {"system", "bleu", "score", "mean", "standard_deviation", "zero_blocks", "scores"}
    for pair in found["pairs"]:
        keys = {"system", "baseline", "delta", "mean_difference", "t", "degrees_of_freedom", "p_value"}
        assert set(pair) - {"reason"} == keys


def test_blocks_lists_systems_in_the_reverse_of_the_order_of_the_best(run: Runner, write: Writer) -> None:
    reference = write("ref.txt", REFERENCE)
    systems = [write(f"{name}.txt", text) for name, text in (("z", WORSE), ("b", BETTER), ("a", WORSE))]
    found = run("blocks", "--ref", reference, "--blocks", 3, "--format", "json", *systems).json
    assert [system["system"] for system in found["systems"]] == ["z", "a", "b"]
    assert [(pair["baseline"], pair["system"]) for pair in found["pairs"]] == [("z", "a"), ("a", "b")]


def test_blocks_of_identical_systems_have_no_t(run: Runner, write: Writer) -> None:
    systems = [write("a.txt", WORSE), write("b.txt", WORSE)]
    found = run("blocks", "--ref", write("ref.txt", REFERENCE), "--blocks", 3, "--format", "json", *systems).json
    (pair,) = found["pairs"]
    assert pair["t"] is pair["p_value"] is None
    assert pair["delta"] == pair["mean_difference"] == 0


def test_blocks_scores_are_of_the_blocks_alone(run: Runner, write: Writer) -> None:
    reference, system = write("ref.txt", REFERENCE), write("s.txt", BETTER)
    found = run("blocks", "--ref", reference, "--blocks", 2, "--format", "json", system).json
    assert found["block_sizes"] == [2, 1]
    hypotheses, references = BETTER.split("\n")[:-1], REFERENCE.split("\n")[:-1]
    wanted = [
        sacrebleu.corpus_bleu(hypotheses[part], [references[part]], force=True).score
        for part in (slice(0, 2), slice(2, 3))
    ]
    assert found["systems"][0]["scores"] == pytest.approx(wanted, rel=1e-9)


def test_a_short_last_block_is_kept_and_reported(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--block-size", 2, corpus["better"]]
    assert run(*call, "--format", "json").json["block_sizes"] == [2, 1]
    assert "the last block has only 1 segment" in run(*call).out


def test_documents_are_blocks(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    documents = write("docs.txt", "d1\nd2\nd1\n")
    call = ["blocks", "--ref", corpus["ref"], "--documents", documents, "--format", "json", corpus["better"]]
    assert run(*call).json["block_sizes"] == [2, 1]


def test_the_number_of_blocks_wins_over_documents_which_slices_need(
    run: Runner, corpus: dict[str, Path], write: Writer
) -> None:
    documents = write("docs.txt", "d1\nd2\nd1\n")
    call = ["blocks", "--ref", corpus["ref"], "--documents", documents, "--format", "json", corpus["better"]]
    assert run(*call, "--blocks", 3).json["block_sizes"] == [1, 1, 1]
    assert run(*call, "--block-size", 1, "--slice", "document = d1").json["block_sizes"] == [1, 1]


@pytest.mark.parametrize(("option", "sizes"), [(("--block-size", 2), [2, 1]), (("--blocks", 3), [1, 1, 1])])
def test_the_division_asked_for_wins_over_documents_in_a_table(
    run: Runner, corpus: dict[str, Path], write: Writer, option: tuple[str, int], sizes: list[int]
) -> None:
    rows = zip(("d1", "d2", "d2"), BETTER.split("\n"), strict=False)
    table = write("t.tsv", "doc\tmine\n" + "".join(f"{document}\t{text}\n" for document, text in rows))
    found = run("blocks", "--ref", corpus["ref"], *option, "--format", "json", table).json
    assert found["block_sizes"] == sizes


def test_a_single_block_has_no_deviation_and_no_t(run: Runner, corpus: dict[str, Path]) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--blocks", 1, "--format", "json", corpus["better"], corpus["worse"]]
    found = run(*call).json
    assert [system["standard_deviation"] for system in found["systems"]] == [None, None]
    (pair,) = found["pairs"]
    assert (pair["t"], pair["p_value"], pair["degrees_of_freedom"]) == (None, None, 0)


def test_a_block_without_matches_scores_0_and_is_counted(run: Runner, write: Writer) -> None:
    reference = write("ref.txt", "a b c d e\nf g h i j\n")
    system = write("s.txt", "a b c d e\nx x x x x\n")
    found = run("blocks", "--ref", reference, "--blocks", 2, "--format", "json", system).json
    assert found["systems"][0]["scores"] == [pytest.approx(100), 0]
    assert found["systems"][0]["zero_blocks"] == 1


def test_documents_of_another_length_are_refused(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    call = ["blocks", "--ref", corpus["ref"], "--documents", write("docs.txt", "a\nb\n"), corpus["better"]]
    assert_refused(run(*call), "docs.txt has 2 lines, 1 fewer than the 2 other files (3).")


BAD_BLOCKS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "more blocks than segments": (["--blocks", "4"], ("4 blocks found", "1 to 3 expected", "3 segments")),
    "more blocks than segments by default": ([], ("20 blocks found", "1 to 3 expected", "3 segments")),
    "no blocks": (["--blocks", "0"], ("0 blocks found", "1 to 3 expected")),
    "a block larger than the corpus": (["--block-size", "4"], ("block size 4 found", "1 to 3 expected")),
    "a block of nothing": (["--block-size", "0"], ("block size 0 found", "1 to 3 expected")),
    "blocks and a size": (["--blocks", "2", "--block-size", "2"], ("--block-size", "--blocks")),
    "half a block": (["--blocks", "1.5"], ("--blocks", "'1.5'")),
}


@pytest.mark.parametrize("kind", BAD_BLOCKS)
def test_bad_blocks_are_refused(run: Runner, corpus: dict[str, Path], kind: str) -> None:
    options, fragments = BAD_BLOCKS[kind]
    assert_refused(run("blocks", "--ref", corpus["ref"], *options, corpus["better"]), *fragments)


def test_null_without_a_reason_is_refused(run: Runner, corpus: dict[str, Path]) -> None:
    content = run(*arguments("blocks", corpus), "--format", "json").json
    content["pairs"][0] |= {"t": None, "reason": "no variance"}
    check_json("blocks", content)
    del content["pairs"][0]["reason"]
    with pytest.raises(AssertionError, match=r"pairs\[0\]\.t"):
        check_json("blocks", content)
