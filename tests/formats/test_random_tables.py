"""Random tables of real texts give the scores of plain text, or say which columns they are not sure about."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from random_tables import RandomTable, numbered_tables, random_table
from sacrebleu.metrics.bleu import BLEU

from bleu_core.dataset import fit
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.formats import Contents, read

SAMPLE = Path(__file__).parents[2] / "sample_data"
#: Segments of a table: a short one, and one as people compare them.
SIZES = (6, 12, 25, 60)
#: The largest share of tables with one text per role that may be refused.
MAX_REFUSED = 0.1


def _sample_texts() -> list[Mapping[str, Sequence[str]]]:
    references = sorted((SAMPLE / "references").iterdir())
    systems = sorted((SAMPLE / "systems").iterdir())
    return [
        {"reference": _lines(references[0]), "source": _lines(references[-1]), "system": _lines(system)}
        for system in systems
    ]


def _texts_of_test_sets() -> list[Mapping[str, Sequence[str]]]:
    """The test sets of BLEU_CONFORMANCE_DATA, if there are any."""
    root = Path(os.environ.get("BLEU_CONFORMANCE_DATA", "/nonexistent")) / "data"
    found: list[Mapping[str, Sequence[str]]] = []
    for source in sorted(root.glob("*/source.txt")):
        reference = min((source.parent / "refs").glob("*.txt"))
        texts = {"source": _lines(source), "reference": _lines(reference)}
        found += [{**texts, "system": _lines(path)} for path in sorted((source.parent / "systems").glob("*.txt"))]
    return found


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return BLEU(tokenize="13a").corpus_score(list(hypotheses), [list(each) for each in references]).score


def _read(table: RandomTable, role: str) -> Contents | str:
    try:
        return read(table.data, table.name, role)  # pyright: ignore[reportArgumentType] # one of two roles
    except FormatError as error:
        return str(error)


def _clean(text: str) -> str:
    return text.replace("\t", " ").replace("\r", " ").replace('"', "'").strip() or "empty"


def _try(seed: int, sets: Sequence[Mapping[str, Sequence[str]]]) -> tuple[bool, bool, str]:
    """One random table: whether its headers decide all, whether it was scored, and what is wrong, if anything."""
    generator = random.Random(seed)
    whole = generator.choice(sets)
    size = generator.choice(SIZES)
    begin = generator.randrange(max(1, len(whole["reference"]) - size))
    texts = {role: [_clean(line) for line in lines[begin : begin + size]] for role, lines in whole.items()}
    wanted = generator.choice(["reference", "system"])
    distractors = [_clean(line) for line in generator.choice(sets)["source"]]
    table = random_table(generator, "t", wanted=wanted, texts=texts, distractors=distractors)
    found, decided = _read(table, wanted), table.recognised and table.single
    what = f"seed {seed}, {table.name}, {table.names}"
    if isinstance(found, str):
        named = not table.names or any(name.strip() in found for name in table.names)
        return decided, False, "" if named else f"{what}: refused without a name: {found}"
    taken = [column for column in found.columns if column.role == wanted]
    notes = " ".join((*found.report.notes, *found.report.decisions))
    given = [[str(text or "") for text in column.segments] for column in taken]
    if not given:
        return decided, True, f"{what}: no text of the role was read ({notes})"
    if any(len(segments) != size for segments in given):
        ok = "is taken for" in notes or "(names of systems)" in notes
        return decided, True, "" if ok else f"{what}: {len(given[0])} segments instead of {size}, not a word"
    others = [segments for segments in given if segments != texts[wanted]]
    wrong = ""
    if texts[wanted] not in given:
        wrong = f"the texts in {table.wanted!r} were not read"
    elif others:
        wrong = f"further texts were read: {[column.name for column in taken]}"
    elif wanted == "reference":
        right = _bleu(texts["system"], given) == _bleu(texts["system"], [texts["reference"]])
        wrong = "" if right else "another score"
    return decided, True, f"{what}: {wrong} ({notes})" if wrong else ""


def _check(count: int, sets: Sequence[Mapping[str, Sequence[str]]], first: int = 0) -> None:
    tried = [_try(seed, sets) for seed in range(first, first + count)]
    wrong = [problem for _, _, problem in tried if problem]
    assert not wrong, wrong[:10]
    refused = [not scored for decided, scored, _ in tried if decided]
    assert sum(refused) <= MAX_REFUSED * len(refused), f"{sum(refused)} of {len(refused)} tables were refused"


def _try_ids(seed: int, sets: Sequence[Mapping[str, Sequence[str]]]) -> tuple[bool, bool, str]:
    """Two random tables with ids: whether these are clear, whether they were scored, and what is wrong, if anything."""
    generator = random.Random(seed)
    whole = generator.choice(sets)
    size = generator.choice(SIZES)
    begin = generator.randrange(max(1, len(whole["reference"]) - size))
    texts = {role: [_clean(line) for line in lines[begin : begin + size]] for role, lines in whole.items()}
    tables = numbered_tables(generator, texts)
    (reference, system), headers = (tables.reference, tables.system), tables.headers
    what = f"seed {seed}, {reference[0]}, {system[0]}, {headers}"
    try:
        files = read(reference[1], reference[0], "reference"), read(system[1], system[0], "system")
        found = fit([part for contents in files for part in contents.parts()], refuse=True)
    except (FormatError, AlignmentError) as error:
        named = any(header in str(error) for header in headers)
        return tables.is_clean, False, "" if named else f"{what}: refused without a name: {error}"
    (hypotheses,), (references,) = found.corpus.systems.values(), found.corpus.references.values()
    score = _bleu(hypotheses, [[text or "" for text in references]])
    warnings = " ".join(sentence for sentences in found.warnings.values() for sentence in sentences)
    is_right = score == pytest.approx(_bleu(texts["system"], [texts["reference"]]), abs=1e-9)
    is_named = any(f"column {header}" in warnings for header in headers)
    return tables.is_clean, True, "" if is_right or is_named else f"{what}: {score:.2f} without a warning"


def _check_ids(count: int, sets: Sequence[Mapping[str, Sequence[str]]], first: int = 0) -> None:
    tried = [_try_ids(seed, sets) for seed in range(first, first + count)]
    wrong = [problem for _, _, problem in tried if problem]
    assert not wrong, wrong[:10]
    scored = [scored for is_clean, scored, _ in tried if is_clean]
    assert sum(scored) >= 0.95 * len(scored)


def test_rows_of_random_tables_are_joined_by_their_ids_or_it_is_said_why_not() -> None:
    _check_ids(300, _sample_texts())


def test_random_tables_are_scored_like_plain_text_or_say_why_not() -> None:
    _check(120, _sample_texts())


@pytest.mark.slow
def test_ten_thousand_tables() -> None:
    _check(10_000, [*_sample_texts(), *_texts_of_test_sets()], first=1_000)


@pytest.mark.slow
def test_ten_thousand_tables_with_ids() -> None:
    _check_ids(10_000, [*_sample_texts(), *_texts_of_test_sets()], first=1_000)
