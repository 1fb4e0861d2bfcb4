"""Rows joined by columns of ids, whatever their headers are, or refused with the option that joins them."""

from __future__ import annotations

import csv
import io
import random
import re
import shlex
from collections.abc import Sequence

import pytest
from calls import assert_refused
from conftest import Run, Runner, Writer

REFERENCE = (
    "Die Fähre zur Insel fährt um sieben Uhr morgens ab.",
    "Bitte schließen Sie das Fenster, bevor Sie den Raum verlassen.",
    "Unser Nachbar hat ein gebrauchtes Fahrrad gekauft.",
    "Der Bericht wurde zwei Tage später als geplant veröffentlicht.",
    "Sie fragte, ob die Bibliothek sonntags geöffnet ist.",
    "Niemand weiß, warum gestern Abend das Licht ausging.",
    "Die Bäckerei an der Ecke verkauft Brot ohne Salz.",
    "Wir brauchen drei Exemplare des unterschriebenen Vertrags.",
    "Es regnet seit Anfang des Monats.",
    "Die Kinder haben den alten Zaun grün und weiß gestrichen.",
    "Er hat seinen Regenschirm im Zug nach Hannover vergessen.",
    "Das Museum bietet am ersten Freitag freien Eintritt.",
)
SYSTEM = (
    "Die Fähre zur Insel geht um sieben Uhr morgens ab.",
    "Bitte schließen Sie das Fenster, bevor Sie das Zimmer verlassen.",
    "Unser Nachbar hat ein gebrauchtes Rad gekauft.",
    "Der Bericht wurde zwei Tage später als geplant veröffentlicht.",
    "Sie fragte, ob die Bibliothek am Sonntag offen ist.",
    "Keiner weiß, warum gestern Nacht das Licht ausging.",
    "Die Bäckerei an der Ecke verkauft Brot ohne Salz.",
    "Wir brauchen drei Kopien des unterschriebenen Vertrags.",
    "Es regnet seit Beginn des Monats.",
    "Die Kinder haben den alten Zaun grün und weiß bemalt.",
    "Er vergaß seinen Schirm im Zug nach Hannover.",
    "Das Museum bietet am ersten Freitag freien Eintritt.",
)
#: The numbers of the rows of the outputs.
ORDER = (4, 1, 8, 6, 2, 12, 3, 10, 5, 11, 7, 9)
#: sacreBLEU 2.6.0: sacrebleu ref.txt -i out.txt, with the outputs in the order of the references; and as they stand.
SCORE, SCORE_BY_ORDER = 69.96, 0.70
PLAIN = "".join(f"{line}\n" for line in REFERENCE)


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


def references(*headers: str) -> str:
    """The references in order, with their numbers in each of the columns."""
    return table((*headers, "reference"), [(*(n for _ in headers), text) for n, text in enumerate(REFERENCE, 1)])


def outputs(*headers: str) -> str:
    return table((*headers, "translation"), [(*(n for _ in headers), SYSTEM[n - 1]) for n in ORDER])


def score_of(result: Run) -> float:
    return round(result.json["systems"][0]["bleu"], 2)


@pytest.fixture
def score(write: Writer, run: Runner) -> Runner:
    """`score(reference, outputs, "--columns", ...)`: the command for two files with these contents."""

    def call(reference: object, own: object, *options: object) -> Run:
        ending = "txt" if reference == PLAIN else "csv"
        files = write(f"ref.{ending}", str(reference)), write("A.csv", str(own))
        return run("score", "--format", "json", "--ref", files[0], *options, files[1])

    return call


@pytest.mark.parametrize("header", ["No.", "#", "Unnamed: 0", "text_hash", "guid", "Zustand"])
def test_rows_are_joined_by_a_column_whatever_its_header_is(header: str, score: Runner) -> None:
    result = score(references(header), outputs(header))
    assert score_of(result) == SCORE
    assert f"they are joined by column {header}" in result.err
    assert f"column {header} not used" not in result.err or header == "Zustand"


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_beside_a_text_count_its_lines(first: int, score: Runner) -> None:
    own = table(("id", "translation"), [(n - 1 + first, SYSTEM[n - 1]) for n in ORDER])
    result = score(PLAIN, own)
    assert score_of(result) == SCORE
    assert re.search(r"they are joined by column id, which counts the lines of \S+ref\.txt", result.err)


@pytest.mark.parametrize(("first", "own"), [("seg-{}", "SEG-{}"), ("test.{}", "A.{:03}"), ("", "H-{}")])
def test_ids_that_share_only_their_numbers_join_rows(first: str, own: str, score: Runner) -> None:
    rows = [(own.format(n), SYSTEM[n - 1]) for n in ORDER]
    named = [(first.format(n), text) for n, text in enumerate(REFERENCE, 1)]
    reference = table(("id", "reference"), named) if first else PLAIN
    assert score_of(score(reference, table(("id", "mt"), rows))) == SCORE


def test_rows_without_a_common_id_are_joined_by_order_with_a_warning(score: Runner) -> None:
    named = table(("id", "reference"), [(f"{n} a", text) for n, text in enumerate(REFERENCE, 1)])
    found = score(named, table(("id", "mt"), [(f"{n} b", text) for n, text in enumerate(SYSTEM, 1)]))
    assert score_of(found) == SCORE
    assert re.search(r"A\.csv: it has no id in common with \S+ref\.csv: its rows are joined by order\n", found.err)


def test_the_option_of_a_refusal_joins_rows_by_their_sources(score: Runner) -> None:
    sources = [f"Source {n * n} of all" for n in range(len(REFERENCE))]
    reference = table(("source", "reference"), [*zip(sources, REFERENCE, strict=True)])
    outputs = table(("source", "mt"), [(sources[n - 1], SYSTEM[n - 1]) for n in ORDER])
    refused = score(reference, outputs)
    assert_refused(refused, "only in their order; to join the rows by them, use --columns ")
    option = shlex.split(refused.err.rpartition("use ")[2])
    assert score_of(score(reference, outputs, *option)) == SCORE


def test_a_repeated_or_missing_id_is_refused_with_its_lines(score: Runner) -> None:
    own = outputs("id")
    repeated = own.replace("6,Keiner", "8,Keiner").replace('6,"Keiner', '8,"Keiner')
    assert_refused(score(references("id"), repeated), "A.csv, lines 4, 5: the same id 8 found in column id")
    assert_refused(score(PLAIN, repeated), "A.csv, lines 4, 5: the same id 8 found in column id")
    empty = own.replace('6,"Keiner', ',"Keiner')
    assert_refused(score(references("id"), empty), "A.csv, line 5: no id found in column id")


def test_repeated_ids_are_no_error_where_both_files_have_the_same_ones_or_count_within_documents(score: Runner) -> None:
    for ids in ([1, 2, 2, *range(4, 13)], [*range(1, 6), *range(1, 8)]):
        own = table(("id", "translation"), list(zip(ids, SYSTEM, strict=True)))
        assert score_of(score(table(("id", "reference"), list(zip(ids, REFERENCE, strict=True))), own)) == SCORE
    assert score_of(score(PLAIN, own)) == SCORE


def test_ranks_do_not_join_rows(score: Runner) -> None:
    ranks = random.Random(1).sample(range(1, 13), 12)
    own = table(("rank", "translation"), list(zip(ranks, SYSTEM, strict=True)))
    for reference in (PLAIN, references("id"), references("rank")):
        result = score(reference, own)
        assert score_of(result) == SCORE
        assert "rank" not in result.err or "not used: rank" in result.err


def test_columns_that_disagree_are_settled_by_the_texts_or_refused_with_an_option(score: Runner) -> None:
    def numbered(header: str, texts: Sequence[str], ids: Sequence[int]) -> str:
        return table(
            ("line", "id", header), [(n, i, text) for n, (i, text) in enumerate(zip(ids, texts, strict=True), 1)]
        )

    own = [SYSTEM[n - 1] for n in ORDER]
    result = score(numbered("reference", REFERENCE, range(1, 13)), numbered("translation", own, ORDER))
    assert (score_of(result), "they are joined by column id" in result.err) == (SCORE, True)
    # Sources and outputs in other languages show nothing.
    strangers = [f"Sentence number {n} of a text in English." for n in range(12)]
    files = numbered("reference", strangers, range(1, 13)), numbered("translation", own, ORDER)
    refused = score(*files)
    assert_refused(refused, "column line and column id give its rows different orders")
    option = shlex.split(refused.err)[shlex.split(refused.err).index("--columns") :]
    assert option == ["--columns", "id=id"]
    assert "they are joined by column id" in score(*files, *option).err


def test_a_column_that_the_texts_do_not_confirm_is_named_with_the_option_that_joins_by_it(score: Runner) -> None:
    strangers = table(("Q", "reference"), [(n, f"Sentence number {n} in English.") for n in range(1, 13)])
    result = score(strangers, outputs("Q"))
    assert result.status == 0
    assert "column Q has the same values as" in result.err
    option = re.search(r"--columns (\S+)", result.err)
    assert option is not None
    joined = score(strangers, outputs("Q"), "--columns", option[1])
    assert "they are joined by column Q" in joined.err


def test_a_column_of_ids_is_given_for_one_file_or_with_the_roles_of_others(score: Runner) -> None:
    files = references("Q"), outputs("wer")
    assert score_of(score(*files, "--columns", "Q=id,wer=id")) == SCORE
    given = "Q=id,reference=reference,wer=id,translation=system:A"
    assert score_of(score(*files, "--columns", given)) == SCORE
    assert_refused(score(*files, "--columns", "R=id"), "no column 'R' found in the header")


def test_what_this_would_be_by_order(score: Runner) -> None:
    own = table(("translation",), [[SYSTEM[n - 1]] for n in ORDER])
    assert score_of(score(PLAIN, own)) == SCORE_BY_ORDER


def test_texts_without_ids_are_joined_in_one_way(write: Writer, run: Runner) -> None:
    own = write("A.csv", table(("id", "translation"), list(zip(ORDER, SYSTEM, strict=True))))
    files = write("ref.txt", PLAIN), write("src.txt", "".join(f"Sentence number {n}.\n" for n in range(12)))
    result = run("score", "--format", "json", "--ref", files[0], "--source", files[1], own)
    assert score_of(result) == SCORE
    assert f"{files[0]}: its rows are joined by order, not by column id" in result.err
