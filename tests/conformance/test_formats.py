"""Files as people exchange them, against the scores published with them."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleu_core
from bleu_core.agreement import kendall, pearson, spearman
from bleu_core.agreement.correlation import regression
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, read, recognise
from bleu_core.formats.contents import Contents
from bleu_core.formats.eval_scores import read_eval_scores
from bleu_core.formats.mt_metrics_eval import read_test_set
from bleu_core.formats.text import decode
from bleu_core.scoring import BleuSettings, evaluate
from bleu_core.uploads import File, assemble

NAME = "formats-mtme-wmt23-ende"


@pytest.mark.parametrize("reference", ["refA", "synthetic_ref"])
def test_mt_metrics_eval_outputs_score_as_published(
    folder: Path, command: Callable[..., Any], expected: Callable[[str], Any], reference: str
) -> None:
    data = folder / "data" / "formats" / "mt-metrics-eval" / "wmt23"
    wanted = expected(NAME)["en-de"][reference]
    found = command(
        "score",
        "--ref",
        data / "references" / f"en-de.{reference}.txt",
        *(data / "system-outputs" / "en-de" / f"{system}.txt" for system in wanted),
    )
    for system, values in zip(found["systems"], wanted.values(), strict=True):
        assert found["segments"] == values["seg_n"]
        assert system["bleu"] == pytest.approx(values["sacrebleu_13a"], rel=1e-12)
        assert system["bleu"] == pytest.approx(values["published_sys"], rel=1e-12)
        assert [100 * p for p in system["precisions"]] == pytest.approx(values["precisions"], rel=1e-12)
        assert system["brevity_penalty"] == pytest.approx(values["bp"], rel=1e-12)
        assert (system["hypothesis_length"], system["reference_length"]) == (values["sys_len"], values["ref_len"])


@pytest.mark.parametrize("reference", ["refA", "synthetic_ref"])
@pytest.mark.parametrize("human", ["mqm", "da-sqm"])
def test_agreement_with_published_human_scores_equals_scipy(
    expected: Callable[[str], Any], reference: str, human: str
) -> None:
    values = expected(NAME)["en-de"]
    wanted = values["correlations"][f"{human}|BLEU-{reference}"]
    bleu = np.array([values[reference][system]["sacrebleu_13a"] for system in wanted["systems"]])
    means = np.array([values["human_sys"][human][system] for system in wanted["systems"]])
    for estimate, name in ((pearson, "pearson"), (spearman, "spearman"), (kendall, "kendall_b")):
        found = estimate(bleu, means)
        assert [found.coefficient, found.p_value] == pytest.approx(wanted[name], rel=1e-6)
    line = regression(bleu, means)
    assert [line.slope, line.intercept] == pytest.approx([wanted["slope"], wanted["intercept"]], rel=1e-6)


def archive(folder: Path, *, as_zip: bool) -> Contents:
    data = folder / "data" / "formats" / "mt-metrics-eval"
    if not as_zip:
        return read_test_set(data, "mt-metrics-eval")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in data.rglob("*.*"):
            packed.write(path, path.relative_to(data))
    return read_test_set(stream.getvalue(), "wmt23.zip")


@pytest.mark.parametrize("as_zip", [False, True])
def test_the_texts_of_a_directory_score_as_its_own_metric_files(folder: Path, *, as_zip: bool) -> None:
    found = archive(folder, as_zip=as_zip)
    assert found.archive is not None
    assert (found.archive.pairs, found.archive.pair, found.archive.problems) == (("en-de",), "en-de", ())
    tables = {table.name: table for table in found.scores}
    assert sorted(tables) == [f"{m}-{r}" for m in ("BLEU", "chrF") for r in ("refA", "synthetic_ref")]
    corpus = Corpus.from_columns(found.columns)
    assert (len(corpus.systems), len(corpus.references), corpus.segments) == (6, 2, 557)
    assert corpus.source is not None
    assert corpus.documents is not None
    for reference, texts in corpus.references.items():
        table = tables[f"BLEU-{reference}"]
        texts_of = {name: corpus.systems[name] for name in table.systems}
        evaluation = evaluate(Corpus(texts_of, {reference: texts}), BleuSettings())
        np.testing.assert_allclose(evaluation.scores.score, table.system_scores, rtol=1e-12)
        assert table.scores.shape == (5, 557)


@pytest.mark.parametrize("as_zip", [False, True])
def test_human_scores_of_a_directory_equal_the_published_ones(
    folder: Path, expected: Callable[[str], Any], *, as_zip: bool
) -> None:
    found = archive(folder, as_zip=as_zip).archive
    assert found is not None
    for name, wanted in expected(NAME)["en-de"]["human_sys"].items():
        assert dict(found.judgments[name].system_means()) == pytest.approx(wanted, rel=1e-12)
        (path,) = (folder / "data" / "formats" / "mt-metrics-eval").rglob(f"en-de.{name}.seg.score")
        (table,) = read_eval_scores(decode(path.read_bytes(), path.name), path.name)
        means = found.judgments[name].segment_means(table.systems, 557)
        np.testing.assert_array_equal(means.scores, table.scores)


def by_item(judgments: Judgments) -> dict[tuple[str, int, str], float]:
    rated = judgments.rated
    keys = zip(rated["system"], rated["segment"], rated["judge"], strict=True)
    return {(s, int(n), j): float(v) for (s, n, j), v in zip(keys, rated["score"], strict=True)}


def google(folder: Path, name: str) -> Judgments:
    return judgments_of(folder / "data" / "formats" / "google-mqm-tsv" / name)


def judgments_of(path: Path) -> Judgments:
    found = read(path.read_bytes(), path.name, "judgments").judgments
    assert found is not None
    return found


def published(folder: Path, name: str) -> dict[tuple[str, int, str], float]:
    """The ratings of a data set by the numbers that its origin gives the segments."""
    data = folder / "data" / name
    with (data / "segments.tsv").open(encoding="utf-8") as file:
        original = {row["seg_id"]: int(row["orig_seg_id"]) for row in csv.DictReader(file, delimiter="\t")}
    with (data / "human.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {(row["system"], original[row["seg_id"]], row["rater"]): float(row["score"]) for row in rows}


def test_errors_of_mqm_add_up_to_googles_averages(folder: Path) -> None:
    found = by_item(google(folder, "mqm_ted_zhen.first300.tsv"))
    averages = by_item(google(folder, "mqm_ted_zhen.avg_seg_scores.first600.tsv"))
    last = max(segment for _, segment, _ in found)  # where the excerpt breaks off
    checked = {(s, n): value for (s, n, _), value in found.items() if s == "Borderline" and n < last}
    assert len(checked) >= 10
    assert checked == pytest.approx({key: averages[*key, "mean of raters"] for key in checked}, rel=1e-12)


@pytest.mark.parametrize(
    ("excerpt", "name", "renamed"),
    [
        ("mqm_ted_zhen.first300.tsv", "ted-zhen", {"ref": "ref.A", "refB": "ref.B"}),
        ("sxs_mqm_generalMT2023_ende.first40.tsv", "wmt23-ende-3raters", {"refA": "ref.A"}),
    ],
)
def test_errors_of_mqm_add_up_to_the_published_ratings(
    folder: Path, excerpt: str, name: str, renamed: dict[str, str]
) -> None:
    found = by_item(google(folder, excerpt))
    wanted = published(folder, name)
    last = max(segment for _, segment, _ in found)
    checked = {(renamed.get(s, s), n, j): value for (s, n, j), value in found.items() if n < last}
    assert len(checked) >= 20
    assert checked == pytest.approx({key: wanted[key] for key in checked}, rel=1e-9)


def test_repeated_ratings_of_the_crowd_average_to_wmts_segment_scores(folder: Path) -> None:
    data = folder / "data" / "formats" / "wmt-da-toen"
    long, short = (data / f"ad-{name}.first200.csv" for name in ("ruen-good-stnd-redup", "seg-scores-ru-en"))
    found = judgments_of(long)
    means = found.segment_means(("Online-B",), 1000).scores[0]
    counts = found.rated[found.rated["system"] == "Online-B"].groupby("segment").size()
    complete = 0
    for line in short.read_text(encoding="utf-8").split("\n")[1:]:
        cells = line.split()
        if cells and counts.get(int(cells[1]), 0) == int(cells[4]):  # the excerpts break off at different places
            assert means[int(cells[1]) - 1] == pytest.approx(float(cells[3]), rel=1e-9)
            complete += 1
    assert complete >= 20
    assert found.repeated == 20


FILES: list[tuple[str, FileRole, str, int]] = [
    ("appraise-csv/esa.first200.csv", "judgments", "Appraise (CSV), ESA", 164),
    ("appraise-csv/mqm.first200.csv", "judgments", "Appraise (CSV), MQM", 164),
    ("appraise-csv/regression.direct.scores.csv", "judgments", "Appraise (CSV), direct assessment", 9),
    ("appraise-csv/regression.pairwise_document.scores.csv", "judgments", "Appraise (CSV), documents", 16),
    ("appraise-csv/regression.pairwise_errors.scores.csv", "judgments", "Appraise (CSV), direct assessment", 13),
    ("google-mqm-tsv/mqm_ted_ende.first100.tsv", "judgments", "Google MQM (TSV)", 92),
    ("google-mqm-tsv/mqm_ted_zhen.first300.tsv", "judgments", "Google MQM (TSV)", 218),
    ("google-mqm-tsv/mqm_ted_zhen.avg_seg_scores.first600.tsv", "judgments", "Google MQM averages (TSV)", 370),
    ("google-mqm-tsv/sxs_mqm_generalMT2023_ende.first40.tsv", "judgments", "Google MQM (TSV)", 32),
    ("wmt-da-toen/ad-ruen-good-stnd-redup.first200.csv", "judgments", "WMT crowd DA, ratings", 166),
    ("wmt-da-toen/ad-seg-scores-ru-en.first200.csv", "judgments", "WMT crowd DA, averages", 200),
    ("mt-metrics-eval/wmt23/human-scores/en-de.mqm.seg.score", "judgments", "mt-metrics-eval scores", 2300),
    ("mt-metrics-eval/wmt23/human-scores/en-de.mqm.sys.score", "judgments", "mt-metrics-eval scores", 5),
    ("mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.seg.score", "scores", "mt-metrics-eval scores", 2785),
    ("mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.sys.score", "scores", "mt-metrics-eval scores", 5),
    ("mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.domain.score", "scores", "mt-metrics-eval scores", 20),
]


@pytest.mark.parametrize(("name", "role", "said", "count"), FILES)
def test_every_file_is_recognised_and_read(folder: Path, name: str, role: FileRole, said: str, count: int) -> None:
    data = (folder / "data" / "formats" / name).read_bytes()
    base = name.rpartition("/")[2]
    assert recognise(data, base) == role
    report = read(data, base, role).report
    assert (report.format, report.ratings) == (said, count)


@pytest.mark.parametrize("kind", ["esa", "mqm"])
def test_rows_of_quality_control_are_counted(folder: Path, kind: str) -> None:
    name = f"{kind}.first200.csv"
    report = read((folder / "data" / "formats" / "appraise-csv" / name).read_bytes(), name, "judgments").report
    assert {s.reason: s.count for s in report.unused_rows} == {"quality control (BAD)": 24, "tutorial": 12}
    assert any("not lines of the texts" in note for note in report.notes)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("appraise-csv/regression.data.scores.csv", "Appraise assessment of data found"),
        ("appraise-csv/regression.mqmesa.scores.csv", "no rating in 5 rows, at least 1 expected: 5 tutorial"),
        ("mt-metrics-eval/wmt23/human-scores/en-de.mqm.domain.score", "score of a domain or document found"),
    ],
)
def test_files_without_ratings_of_systems_are_refused(folder: Path, name: str, message: str) -> None:
    data = (folder / "data" / "formats" / name).read_bytes()
    base = name.rpartition("/")[2]
    assert recognise(data, base) == "judgments"
    with pytest.raises(FormatError, match=message):
        read(data, base, "judgments")


@pytest.mark.parametrize("name", ["ted-zhen", "wmt23-ende-3raters"])
def test_ratings_of_a_data_set_can_all_be_placed(folder: Path, name: str) -> None:
    data = folder / "data" / name
    found = read((data / "human.csv").read_bytes(), "human.csv", "judgments").judgments
    assert found is not None
    documents = (data / "docs.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    systems = [path.stem for path in (data / "systems").iterdir()]
    placed, aside = found.place(systems, len(documents), documents)
    assert (aside, placed.digest) == ((), found.digest)


def test_mqm_errors_of_a_part_are_of_the_segments_with_their_texts(folder: Path) -> None:
    """The file numbers the segments of the whole test suite; the texts begin with its segment 84."""
    data = folder / "data" / "ted-zhen"
    file = folder / "data" / "formats" / "google-mqm-tsv" / "mqm_ted_zhen.first300.tsv"
    systems = sorted(path for path in (data / "systems").iterdir() if not path.name.startswith("ref"))
    lines = {path.stem: path.read_text(encoding="utf-8").split("\n") for path in systems}
    with (data / "human.csv").open(encoding="utf-8", newline="") as ratings:
        published = {(row["system"], int(row["seg_id"])): float(row["score"]) for row in csv.DictReader(ratings)}
    wanted: dict[tuple[str, int], float] = {}
    for row in file.read_text(encoding="utf-8").split("\n")[1:-1]:
        system, target = row.split("\t")[0], row.split("\t")[6].replace("<v>", "").replace("</v>", "")
        if system in lines:
            number = lines[system].index(target) + 1
            wanted[system, number] = published[system, number]
    assert len(wanted) > 150
    loaded = bleu_core.load(systems, [data / "refs" / "ref.B.txt"], source=data / "source.txt", judgments=[file])
    assert loaded.judgments is not None
    names = tuple(loaded.corpus.systems)
    found = loaded.judgments.segment_means(names, loaded.corpus.segments).scores
    scores = {(name, s + 1): found[k, s] for k, name in enumerate(names) for s in np.flatnonzero(np.isfinite(found[k]))}
    # The last segment in the file may be cut, and then have fewer errors than were published.
    last = max(number for _, number in wanted)
    assert scores.keys() == wanted.keys()
    assert {key: value for key, value in scores.items() if key[1] < last} == pytest.approx(
        {key: value for key, value in wanted.items() if key[1] < last}
    )
    for name in names:
        own = [value for (system, _), value in scores.items() if system == name]
        assert loaded.judgments.system_means()[name] == pytest.approx(sum(own) / len(own))


@pytest.mark.parametrize("with_documents", [False, True])
@pytest.mark.parametrize("entry", ["command", "load", "assemble"])
def test_numbers_of_the_whole_test_suite_are_joined_by_the_table_of_segments(
    folder: Path, tmp_path: Path, command: Callable[..., Any], entry: str, *, with_documents: bool
) -> None:
    """Published ratings renumbered as in the test suite are those of the lines; the file has no texts."""
    data = folder / "data" / "ted-zhen"
    table = data / "segments.tsv"
    names = ("Borderline", "IIE-MT")
    systems, reference = [data / "systems" / f"{name}.txt" for name in names], data / "refs" / "ref.A.txt"
    with table.open(encoding="utf-8", newline="") as file:
        original = {row["seg_id"]: row["orig_seg_id"] for row in csv.DictReader(file, delimiter="\t")}
    with (data / "human.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["system"] in names]
    header = ["doc", "seg_id", "system", "rater", "score"][not with_documents :]
    renumbered = [{**row, "seg_id": original[row["seg_id"]]} for row in rows]
    ratings = tmp_path / "h.csv"
    lines = (",".join(row[name] for name in header) for row in renumbered)
    ratings.write_text("\n".join([",".join(header), *lines, ""]), encoding="utf-8")
    wanted = {(row["system"], int(row["seg_id"])): float(row["score"]) for row in rows}
    means = {name: np.mean([score for (system, _), score in wanted.items() if system == name]) for name in names}
    if entry == "command":
        done = command("correlate", *systems, "--documents", table, "--ref", reference, "--human", ratings)
        assert "joined by orig_seg_id in" in str(done["warnings"])
        found = {system["system"]: system["human"] for system in done["systems"]}
        assert found == pytest.approx(means)
        return
    if entry == "load":
        judgments = bleu_core.load(systems, [reference], documents=table, judgments=[ratings]).judgments
    else:
        files = [File(path.name, path.read_bytes(), "system") for path in (*systems, table)]
        files += [File("R.txt", reference.read_bytes(), "reference"), File("h.csv", ratings.read_bytes(), "judgments")]
        judgments = assemble(files).judgments
    assert judgments is not None
    assert {(s, n): value for (s, n, _), value in by_item(judgments).items()} == wanted


@pytest.mark.parametrize("with_texts", [False, True])
def test_an_excerpt_that_may_be_numbered_in_two_ways_needs_its_texts(folder: Path, *, with_texts: bool) -> None:
    """Numbers 84 to 98 of talk.2 are lines of the texts, and the numbers of its first segments in the test suite."""
    data = folder / "data" / "ted-zhen"
    file = folder / "data" / "formats" / "google-mqm-tsv" / "mqm_ted_zhen.first300.tsv"
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").removesuffix("\n").split("\n")]
    kept = [k for k, name in enumerate(rows[0]) if with_texts or name not in ("source", "target")]
    ratings = "".join("\t".join(row[k] for k in kept) + "\n" for row in rows).encode()
    systems = [data / "systems" / f"{name}.txt" for name in ("Borderline", "IIE-MT")]
    files = [File(path.name, path.read_bytes(), "system") for path in (*systems, data / "segments.tsv")]
    files += [File("R.txt", (data / "refs" / "ref.A.txt").read_bytes(), "reference")]
    found = assemble([*files, File("h.tsv", ratings, "judgments")])
    if with_texts:
        assert found.judgments is not None
        assert sorted(set(found.judgments.rated["segment"])) == list(range(1, 16))
    else:
        assert found.judgments is None
        assert "may be lines of the texts or orig_seg_id in segments.tsv" in found.entries[-1].problem


def test_a_document_that_was_divided_between_two_judges_has_a_rating_per_segment(folder: Path) -> None:
    """Both judges' item numbers have 90 and 91, in the campaign of Kocmi et al. (2024), Error Span Annotation."""
    file = folder / "cases" / "50-appraise-item-numbers-of-two-judges" / "esa.csv"
    judgments = read(file.read_bytes(), file.name, "judgments").judgments
    assert judgments is not None
    assert judgments.system_means() == {"GPT4-5shot": pytest.approx(sum(judgments.rated["score"]) / 14)}
    assert judgments.system_means()["GPT4-5shot"] == pytest.approx(83.5)
