"""Ratings and marked errors of files with texts: joined by number where the numbers are right, else by the texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from small_files import SAMPLES

import bleu_core as bc
from bleu_core.cli.commands import main
from bleu_core.dataset import Corpus, Judgments
from bleu_core.dataset.judgments import TEXTS
from bleu_core.dataset.text_join import RatedText, join_by_texts
from bleu_core.errors import AlignmentError
from bleu_core.formats import FORMATS, formats_of, read
from bleu_core.uploads import File, Workspace, assemble

N = 20
SOURCES = [f"Satz Nummer {n} über etwas" for n in range(N)]
SYSTEMS = {"A": [f"sentence {n} about it" for n in range(N)], "B": [f"phrase {n} on things" for n in range(N)]}

REFERENCE = [f"sentence {n} about things" for n in range(N)]


@dataclass(frozen=True)
class Rated:
    """A rating of a translation: the segment's number in the file, from 1, its true position, from 0, and the score."""

    number: int
    system: str
    source: str
    translation: str
    errors: int


def rated(positions: Sequence[int], shift: int = 0, prefix: str = "") -> list[Rated]:
    """Return a rating of each segment of both systems; its errors identify the segment and the system."""
    return [
        Rated(s + 1 + shift, name, prefix + SOURCES[s], prefix + texts[s], (s + k) % 4 + 1)
        for s in positions
        for k, (name, texts) in enumerate(SYSTEMS.items())
    ]


def mqm(ratings: Sequence[Rated]) -> bytes:
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    for rating in ratings:
        marked = f"<v>{rating.translation[:3]}</v>{rating.translation[3:]}"
        row = f"{rating.system}\td\t1\t{rating.number}\tr\t{rating.source}\t{marked}\tStyle\tMinor"
        rows += [row] * rating.errors
    return ("\n".join(rows) + "\n").encode()


def spans(rating: Rated) -> list[Mapping[str, object]]:
    return [{"start_i": i, "end_i": i, "severity": "minor", "error_type": "x"} for i in range(rating.errors)]


def esa(ratings: Sequence[Rated]) -> bytes:
    rows = (
        {
            "langs": "de-en",
            "doc_id": "d",
            "line_id": rating.number,
            "system": rating.system,
            "annotator": "r",
            "esa_score": -rating.errors,
            "esa_spans": spans(rating),
            "src": rating.source,
            "tgt": rating.translation,
        }
        for rating in ratings
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def wmt25(ratings: Sequence[Rated]) -> bytes:
    names = ("source_lang", "target_lang", "system_id", "segment_id", "hypothesis_segment")
    names += ("start_indices", "end_indices", "error_types")
    rows = ["\t".join(names)]
    for rating in ratings:
        places = [" ".join(str(i + end) for i in range(rating.errors)) for end in (0, 1)]
        cells = ("de", "en", rating.system, str(rating.number), rating.translation)
        rows.append("\t".join((*cells, *places, " ".join(["minor"] * rating.errors))))
    return ("\n".join(rows) + "\n").encode()


def pearmut(ratings: Sequence[Rated]) -> bytes:
    rows = (
        {
            "annotation": [{rating.system: {"score": -rating.errors, "error_spans": spans(rating)}}],
            "item": [
                {
                    "item_id": f"de-en_#_d{rating.number % 2}_#_{rating.number}",
                    "src": rating.source,
                    "tgt": {rating.system: rating.translation},
                }
            ],
            "user_id": "r",
            "campaign_id": "de-en",
            "item_i": 0,
            "actions": [],
        }
        for rating in ratings
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def table_of_ratings(ratings: Sequence[Rated]) -> bytes:
    rows = (f"{r.number},{r.system},r,{-r.errors},{r.source},{r.translation}" for r in ratings)
    return "\n".join(["segment,system,judge,score,source,target", *rows, ""]).encode()


def table_of_scores(ratings: Sequence[Rated]) -> bytes:
    rows = (f"{r.number},{r.system},m,{-r.errors},{r.translation}" for r in ratings)
    return "\n".join(["segment,system,metric,score,hypothesis", *rows, ""]).encode()


def metricx(ratings: Sequence[Rated]) -> bytes:
    """Return scores in the order of the numbers; rows between these have neither text nor score."""
    at = {(rating.number, rating.system): rating for rating in ratings}
    rows = ["system_id\thypothesis\tprediction"]
    for name in SYSTEMS:
        for number in range(1, max(rating.number for rating in ratings) + 1):
            rating = at.get((number, name))
            rows.append(f"{name}\t\t" if rating is None else f"{name}\t{rating.translation}\t{-rating.errors}")
    return "\n".join([*rows, ""]).encode()


def comet(ratings: Sequence[Rated]) -> bytes:
    """Return scores in the order of the numbers; segments between these have other texts."""
    by_system: dict[str, dict[int, Rated]] = {name: {} for name in SYSTEMS}
    for rating in ratings:
        by_system[rating.system][rating.number] = rating
    width = max(rating.number for rating in ratings)
    return json.dumps(
        {
            name: [
                {"src": "x", "mt": "", "COMET": 0.5, "errors": []}
                if (rating := own.get(number)) is None
                else {
                    "src": rating.source,
                    "mt": rating.translation,
                    "COMET": -float(rating.errors),
                    "errors": [
                        {"start": 0, "end": 3, "severity": "minor", "confidence": 0.5, "text": rating.translation[:3]}
                    ],
                }
                for number in range(1, width + 1)
            ]
            for name, own in by_system.items()
        }
    ).encode()


def comet_without_errors(ratings: Sequence[Rated]) -> bytes:
    items = json.loads(comet(ratings))
    return json.dumps({name: [{**item, "errors": []} for item in own] for name, own in items.items()}).encode()


def quality_estimation(ratings: Sequence[Rated]) -> bytes:
    """Return the errors of one system, A; segments count from 0, and an end is the last character."""
    rows = ["1", "2", "3"]
    for rating in ratings:
        if rating.system == "A":
            places = [" ".join(map(str, range(rating.errors)))] * 2
            types = " ".join(["minor"] * rating.errors)
            rows.append("\t".join(("de-en", "m", str(rating.number - 1), rating.translation, *places, types)))
    return "\n".join([*rows, ""]).encode()


WRITERS: dict[str, tuple[str, Callable[[Sequence[Rated]], bytes]]] = {
    "mqm": ("ratings.tsv", mqm),
    "esa": ("ratings.jsonl", esa),
    "wmt25": ("spans.tsv", wmt25),
    "pearmut": ("ratings.jsonl", pearmut),
    "comet": ("xcomet.json", comet),
    "comet without errors": ("comet.json", comet_without_errors),
    "ratings": ("ratings.csv", table_of_ratings),
    "scores": ("scores.csv", table_of_scores),
    "scored-texts": ("metricx.tsv", metricx),
}
SCORES = ("wmt25", "comet", "comet without errors", "scores", "scored-texts")


def texts(lines: Sequence[str], positions: Sequence[int]) -> bytes:
    return "".join(f"{lines[s]}\n" for s in positions).encode()


def files_of(positions: Sequence[int]) -> list[File]:
    own = [File(f"{name}.txt", texts(lines, positions), "system") for name, lines in SYSTEMS.items()]
    return [*own, File("R.txt", texts(REFERENCE, positions), "reference"), *source_of(positions)]


def source_of(positions: Sequence[int]) -> list[File]:
    return [File("source.txt", texts(SOURCES, positions), "source")]


def loaded(kind: str, ratings: Sequence[Rated], positions: Sequence[int] = range(N)) -> Workspace:
    name, write = WRITERS[kind]
    role = "scores" if kind in SCORES else "judgments"
    return assemble([*files_of(positions), File(name, write(ratings), role)])


def scores_in(workspace: Workspace) -> dict[tuple[str, int], float]:
    """Return the score of each rated translation: its system and segment, from 0."""
    if workspace.judgments is not None:
        table = workspace.judgments.segment_means(tuple(workspace.corpus.systems), workspace.corpus.segments)
    else:
        table = workspace.scores[0]
    rows, columns = np.nonzero(np.isfinite(table.scores))
    return {
        (table.systems[k], int(s)): -round(float(table.scores[k, s]))
        for k, s in zip(rows.tolist(), columns.tolist(), strict=True)
    }


def true_scores(rated_positions: Sequence[int], positions: Sequence[int] = range(N)) -> dict[tuple[str, int], float]:
    where = {position: s for s, position in enumerate(positions)}
    return {(name, where[p]): (p + k) % 4 + 1 for p in rated_positions if p in where for k, name in enumerate(SYSTEMS)}


def said(workspace: Workspace) -> str:
    entry = workspace.entries[-1]
    return "; ".join((entry.problem, *entry.warnings, *entry.notes))


KINDS = pytest.mark.parametrize("kind", WRITERS)


@KINDS
def test_right_numbers_change_nothing(kind: str) -> None:
    workspace = loaded(kind, rated(range(N)))
    assert scores_in(workspace) == true_scores(range(N))
    assert "by the texts" not in said(workspace)


@KINDS
@pytest.mark.parametrize("shift", [1, 7, 100])
def test_shifted_numbers_are_joined_by_the_texts(kind: str, shift: int) -> None:
    workspace = loaded(kind, rated(range(N - 3), shift))
    assert scores_in(workspace) == true_scores(range(N - 3))
    assert "joined by the texts in it (34 of 34 found), not by number: 0 of" in said(workspace)


@KINDS
@pytest.mark.parametrize("positions", [range(8, 14), (3, 4, 9, 10, 17, 18), (11, 10, 9, 3, 2, 1)])
def test_ratings_of_all_segments_are_joined_with_a_part_of_them(kind: str, positions: Sequence[int]) -> None:
    workspace = loaded(kind, rated(range(N)), positions)
    assert scores_in(workspace) == true_scores(range(N), positions)
    assert "joined by the texts in it (12 of 40 found)" in said(workspace)


@KINDS
def test_ratings_of_other_texts_are_refused(kind: str) -> None:
    workspace = loaded(kind, rated(range(N), prefix="another "))
    assert scores_in(workspace) == {} if workspace.scores else workspace.judgments is None
    problem = workspace.entries[-1].problem
    assert "its segment numbers are not those of the texts: 0 of 40 rated texts are those of the segments" in problem
    assert "and 0 of 40 are found in the texts by themselves; load the texts that were rated" in problem


@KINDS
def test_translations_of_another_system_are_refused(kind: str) -> None:
    swapped = {"A": "B", "B": "A"}
    ratings = [replace(r, translation=SYSTEMS[swapped[r.system]][s // 2]) for s, r in enumerate(rated(range(N)))]
    workspace = loaded(kind, ratings)
    assert not workspace.scores
    assert workspace.judgments is None
    assert "20 of 20 rated translations of A are those of B; correct the names of the systems" in said(workspace)


@pytest.mark.parametrize(
    ("numbered", "positions", "is_joined"),
    [
        (rated(range(N)), range(N), False),
        (rated(range(N - 3), 7), range(N), True),
        (rated(range(N)), (11, 10, 9, 3, 2, 1), True),
    ],
    ids=["right numbers", "shifted", "a part in another order"],
)
def test_error_spans_of_quality_estimation_are_joined_likewise(
    numbered: Sequence[Rated], positions: Sequence[int], *, is_joined: bool
) -> None:
    data = quality_estimation(numbered)
    workspace = assemble([*files_of(positions), File("A.tsv", data, "scores")])
    rated_positions = [SOURCES.index(rating.source) for rating in numbered]
    wanted = {key: value for key, value in true_scores(rated_positions, positions).items() if key[0] == "A"}
    assert scores_in(workspace) == wanted
    assert ("joined by the texts" in said(workspace)) is is_joined
    other = quality_estimation([replace(r, translation=f"x {r.translation}") for r in numbered])
    refused = assemble([*files_of(range(N)), File("A.tsv", other, "scores")])
    assert not refused.scores
    assert "its segment numbers are not those of the texts" in said(refused)


#: Formats of ratings or scores whose files have no texts -> what identifies segments.
WITHOUT_TEXTS = {
    "mqm-averages": "numbers",
    "appraise": "numbers",
    "crowd": "numbers",
    "eval-ratings": "the order of lines",
    "eval-scores": "the order of lines",
    "score-lines": "the order of lines",
    "sacrebleu": "nothing: scores are of systems",
    "wmt-scores": "documents and paragraphs",
}
#: Formats that hold tables or files of other formats.
CONTAINERS = {"table", "spreadsheet", "titled-table", "json-lines", "parquet"}
FORMATS_WITH_TEXTS = {"wmt-error-spans", *WRITERS} - {"wmt25", "comet without errors"}


def test_each_format_of_ratings_or_scores_has_texts_or_is_known_to_have_none() -> None:
    rating_formats = {*formats_of("judgments"), *formats_of("scores")} - CONTAINERS
    assert rating_formats == FORMATS_WITH_TEXTS | WITHOUT_TEXTS.keys()


@pytest.mark.parametrize("key", WITHOUT_TEXTS)
def test_a_format_without_texts_reads_none(key: str) -> None:
    contents = read(SAMPLES[key], "en-de.mqm.seg.rating", FORMATS[key].roles[0], format=key)
    for part in contents.parts():
        assert part.scores is None or part.scores.texts is None
        assert part.judgments is None or not {*TEXTS} & {*part.judgments.table.columns}


@pytest.mark.parametrize(("edited", "is_used"), [(19, True), (20, True), (21, False)])
def test_numbers_are_right_if_half_of_the_texts_are_those_of_their_segments(edited: int, is_used: bool) -> None:  # noqa: FBT001
    ratings = rated(range(N))
    other = [Rated(r.number, r.system, f"x {r.source}", f"x {r.translation}", r.errors) for r in ratings[:edited]]
    workspace = loaded("mqm", [*other, *ratings[edited:]])
    assert (workspace.judgments is not None) is is_used
    if is_used:
        assert scores_in(workspace) == true_scores(range(N))
        assert f"{edited} of 40 rated texts differ from those in use, of the same segment" in said(workspace)


@pytest.mark.parametrize(("known", "is_used"), [(9, False), (10, True)])
def test_texts_decide_if_half_of_them_are_found(known: int, is_used: bool) -> None:  # noqa: FBT001
    ratings = [*rated(range(known), 3), *rated(range(known, N), 3, prefix="another ")]
    workspace = loaded("mqm", ratings)
    assert (workspace.judgments is not None) is is_used
    if is_used:
        assert scores_in(workspace) == true_scores(range(known))
        assert "20 ratings (first: line " in said(workspace)


def test_an_edited_translation_is_placed_by_its_source() -> None:
    ratings = rated(range(N), 5)
    edited = [Rated(r.number, r.system, r.source, r.translation + "!", r.errors) for r in ratings[:6]]
    assert scores_in(loaded("mqm", [*edited, *ratings[6:]])) == true_scores(range(N))


def joined(sources: Sequence[str], given: Sequence[tuple[int, str]], documents: Sequence[str] = ()) -> object:
    """Return the segments, from 1, of numbered sources, in texts of these sources."""
    corpus = Corpus(systems={}, references={}, source=tuple(sources), documents=tuple(documents) or None)
    document = documents[0] if documents else ""
    items = [
        RatedText((document, number), number if number <= len(sources) else 0, "A", source, "")
        for number, source in given
    ]
    line_of, _ = join_by_texts(items, corpus, "f")
    return None if line_of is None else {number: line for (_, number), line in line_of.items()}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # a thanks b thanks thanks c: repeated texts lie between their neighbours
        ([(11, "a"), (12, "thanks"), (13, "b"), (16, "c")], {11: 1, 12: 2, 13: 3, 16: 6}),
        ([(13, "b"), (14, "thanks"), (15, "thanks"), (16, "c")], {13: 3, 14: 4, 15: 5, 16: 6}),
        # the neighbours leave two places and do not say which
        ([(21, "a"), (23, "b"), (24, "thanks"), (29, "c")], {21: 1, 23: 3, 29: 6}),
        # another "thanks", before everything that is known
        ([(2, "thanks"), (21, "a"), (23, "b"), (26, "c")], {21: 1, 23: 3, 26: 6}),
    ],
)
def test_repeated_texts_are_placed_by_their_neighbours_or_not_at_all(
    given: Sequence[tuple[int, str]], expected: Mapping[int, int]
) -> None:
    assert joined(["a", "thanks", "b", "thanks", "thanks", "c"], given) == expected


def test_a_text_of_two_numbers_is_of_neither() -> None:
    found = joined(["a", "b", "c", "d", "e"], [(7, "e"), (11, "a"), (12, "b"), (13, "c"), (14, "e"), (40, "e")])
    assert found == {11: 1, 12: 2, 13: 3}


@pytest.mark.parametrize(("beyond", "is_joined"), [(1, False), (2, True), (4, True)])
def test_a_few_numbers_that_fit_by_chance_do_not_outweigh_the_texts(beyond: int, is_joined: bool) -> None:  # noqa: FBT001
    sources = ["a", "thanks", *"bcdefg"]
    given = [(2, "thanks"), *((20 + n, sources[1 + n]) for n in range(1, beyond + 1))]
    found = joined(sources, given)
    assert (found is not None) is is_joined


@pytest.mark.parametrize(
    ("names", "is_used"), [(("src", "src"), True), (("src", "text"), False), (("the text", "the text"), False)]
)
def test_placeholders_in_place_of_texts_say_nothing_about_segments(names: tuple[str, str], is_used: bool) -> None:  # noqa: FBT001
    given = [(n, f"{name} {n}") for n, name in enumerate(names, start=1)]
    with nullcontext() if is_used else pytest.raises(AlignmentError, match="0 of 2 rated texts"):
        assert joined(["a cat", "a dog"], given) is None


def test_white_space_and_composition_are_no_difference() -> None:
    sources = ["caf\u00e9 au\u00a0lait", "zwei\\nZeilen"]
    assert joined(sources, [(1, "cafe\u0301  au lait"), (2, "zwei\nZeilen")]) is None


def write(folder: Path, ratings: bytes, positions: Sequence[int] = range(N)) -> list[str]:
    for file in files_of(positions):
        (folder / file.name).write_bytes(file.data)
    (folder / "mqm.tsv").write_bytes(ratings)
    names = ("--ref", "R.txt", "--source", "source.txt", "--human", "mqm.tsv", "A.txt", "B.txt")
    return [name if name.startswith("--") else str(folder / name) for name in names]


@pytest.mark.parametrize("command", [["correlate"], ["errors"], ["compare", "--metric", "human"]], ids=" ".join)
def test_commands_use_the_same_join(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "right").mkdir()
    outputs = []
    for shift, folder in ((0, tmp_path / "right"), (9, tmp_path)):
        assert main([*command, *write(folder, mqm(rated(range(N), shift))), "--format", "json"]) == 0
        outputs.append(json.loads(capsys.readouterr().out.replace(str(folder), "")))
    right, joined_by_texts = outputs
    sentences = [warning for warning in joined_by_texts.pop("warnings") if "joined by the texts" in warning]
    assert len(sentences) == 1
    right.pop("warnings")
    assert joined_by_texts == right
    assert main([*command, *write(tmp_path, mqm(rated(range(N), prefix="another ")))]) == 2
    assert "its segment numbers are not those of the texts" in capsys.readouterr().err


def test_check_names_the_join_and_refuses_other_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *write(tmp_path, mqm(rated(range(N), 9)))]) == 0
    assert "mqm.tsv: joined by the texts in it (40 of 40 found), not by number" in capsys.readouterr().err
    assert main(["check", *write(tmp_path, mqm(rated(range(N), prefix="another ")))]) == 2
    assert "its segment numbers are not those of the texts" in capsys.readouterr().err


def test_loaded_data_use_the_same_join(tmp_path: Path) -> None:
    def load(ratings: bytes) -> Judgments | None:
        write(tmp_path, ratings)
        systems = [tmp_path / "A.txt", tmp_path / "B.txt"]
        source, judgments = tmp_path / "source.txt", [tmp_path / "mqm.tsv"]
        return bc.load(systems, [tmp_path / "R.txt"], source=source, judgments=judgments).judgments

    judgments = load(mqm(rated(range(N), 9)))
    assert judgments is not None
    means = judgments.segment_means(("A", "B"), N).scores
    assert {(name, s): -means[k, s] for k, name in enumerate(SYSTEMS) for s in range(N)} == true_scores(range(N))
    with pytest.raises(AlignmentError, match="its segment numbers are not those of the texts"):
        load(mqm(rated(range(N), prefix="another ")))
