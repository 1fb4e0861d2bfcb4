"""Whole test sets against what sacreBLEU, SciPy, NLTK and jiwer found for them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jiwer
import pytest
from nightly import nightly
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from bleu_core.dataset import Corpus
from bleu_core.formats import FileRole, read
from bleu_core.scoring import BleuSettings, evaluate, score_metric, tokenizer

Command = Callable[..., Any]
Expected = Callable[[str], Any]

TED, WMT23, RUEN = "ted-zhen", "wmt23-ende-3raters", "newstest2020-ruen-2sys"
SETS = {
    TED: ("ref.A", "ref.B", "ref.A+ref.B"),
    WMT23: ("ref.A", "synthetic_ref", "ref.A+synthetic_ref"),
    RUEN: ("ref.A",),
}
RATED = (TED, WMT23)
CASES = [(name, references) for name, several in SETS.items() for references in several]

# The expected values have 12 significant digits, of which the last is rounded.
DIGITS = 1e-11
# Expected human means are of segment means rounded to 9 decimals.
STATISTICS = 1e-6


def reference_options(data: Path, references: str) -> list[str]:
    return [part for name in references.split("+") for part in ("--ref", str(data / "refs" / f"{name}.txt"))]


def files(data: Path, systems: list[str]) -> list[str]:
    return [str(data / "systems" / f"{name}.txt") for name in systems]


@pytest.mark.parametrize(("name", "references"), CASES)
@pytest.mark.parametrize("tokenizer", ["13a", "none"])
@pytest.mark.parametrize("lowercase", ["false", "true"])
def test_corpus_bleu_equals_sacrebleu(
    folder: Path, command: Command, expected: Expected, *, name: str, references: str, tokenizer: str, lowercase: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    case = "--lowercase" if lowercase == "true" else "--no-lowercase"
    options = [*reference_options(data, references), "--tokenizer", tokenizer, case]
    found = command("score", *options, *files(data, values["systems"]))
    wanted = values["bleu"][f"{references}|tok={tokenizer}|lc={lowercase}"]

    assert found["segments"] == values["segments"]
    assert [system["system"] for system in found["systems"]] == list(wanted)
    for system in found["systems"]:
        of_system = wanted[system["system"]]
        assert system["matches"] == of_system["counts"]
        assert system["totals"] == of_system["totals"]
        assert system["hypothesis_length"] == of_system["sys_len"]
        assert system["reference_length"] == of_system["ref_len"]
        assert system["bleu"] == pytest.approx(of_system["score"], rel=DIGITS)
        assert system["brevity_penalty"] == pytest.approx(of_system["bp"], rel=DIGITS)
        assert [100 * p for p in system["precisions"]] == pytest.approx(of_system["precisions"], rel=DIGITS)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_corpus_bleu_of_every_order_equals_sacrebleu(
    folder: Path, command: Command, expected: Expected, name: str, order: int
) -> None:
    data, values = folder / "data" / name, expected(name)
    references = values["primary_refset"]
    found = command(
        "score", *reference_options(data, references), "--max-order", order, *files(data, values["systems"])
    )
    wanted = values["bleu"][f"{references}|tok=13a|lc=false"]
    for system in found["systems"]:
        by_order = wanted[system["system"]]["score_by_max_order"]
        assert system["bleu"] == pytest.approx(by_order[str(order)], rel=DIGITS)


@pytest.mark.parametrize(("name", "references"), CASES)
def test_unsmoothed_bleu_equals_an_oracle_of_exact_fractions(
    folder: Path, command: Command, expected: Expected, name: str, references: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    options = [*reference_options(data, references), "--tokenizer", "none", "--smoothing", "none"]
    found = command("score", *options, *files(data, values["systems"]))
    for system in found["systems"]:
        oracle = values["crosscheck_whitespace_tokens"][references][system["system"]]["oracle"]
        assert system["bleu"] == pytest.approx(oracle, rel=DIGITS)


@pytest.mark.parametrize("name", SETS)
def test_segment_bleu_equals_sacrebleu_sentence_bleu(folder: Path, expected: Expected, name: str) -> None:
    data, wanted = folder / "data" / name, expected(name)["sentence_bleu"]
    folders: tuple[tuple[FileRole, str], ...] = (("reference", "refs"), ("system", "systems"))
    columns = [
        column
        for role, kind in folders
        for path in sorted((data / kind).glob("*.txt"))
        for column in read(path.read_bytes(), path.name, role).columns
    ]
    evaluation = evaluate(Corpus.from_columns(columns), BleuSettings(), references=wanted["refset"].split("+"))
    scores = evaluation.segment_scores.score
    positions = [segment - 1 for segment in wanted["seg_ids"]]
    assert wanted["scores"]
    for system, of_segments in wanted["scores"].items():
        found = scores[evaluation.systems.index(system)][positions]
        assert found.tolist() == pytest.approx(of_segments, rel=DIGITS, abs=1e-9)


@pytest.mark.parametrize(("name", "references"), CASES)
def test_blocks_and_paired_t_equal_scipy(
    folder: Path, command: Command, expected: Expected, name: str, references: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    wanted = values["blocks"][f"{references}|array_split"]
    systems = sorted(wanted["order"])
    found = command("blocks", *reference_options(data, references), "--blocks", 20, *files(data, systems))

    assert found["block_sizes"] == wanted["block_sizes"]
    of_systems = wanted["per_system"]
    by_name = sorted(
        wanted["order"], reverse=True
    )  # equal scores: the last name first, as the best first has it reversed
    order = sorted(by_name, key=lambda system: of_systems[system]["corpus_bleu"])
    assert [system["system"] for system in found["systems"]] == order
    for system in found["systems"]:
        of_system = of_systems[system["system"]]
        assert system["bleu"] == pytest.approx(of_system["corpus_bleu"], rel=STATISTICS)
        assert system["mean"] == pytest.approx(of_system["mean"], rel=STATISTICS)
        assert system["standard_deviation"] == pytest.approx(of_system["std"], rel=STATISTICS)
        assert system["scores"] == pytest.approx(of_system["block_scores"], rel=STATISTICS)
    bleu = {system["system"]: system["bleu"] for system in found["systems"]}
    assert [(pair["baseline"], pair["system"]) for pair in found["pairs"]] == list(pairwise(order))
    for pair, of_pair in zip(found["pairs"], wanted["adjacent"], strict=True):
        assert pair["delta"] == pytest.approx(bleu[pair["system"]] - bleu[pair["baseline"]], abs=1e-9)
        assert pair["mean_difference"] == pytest.approx(of_pair["mean_diff"], rel=STATISTICS)
        assert pair["degrees_of_freedom"] == of_pair["df"]
        if of_pair["t"] is None:
            assert pair["t"] is pair["p_value"] is None
        else:
            assert pair["t"] == pytest.approx(of_pair["t"], rel=STATISTICS)
            assert pair["p_value"] == pytest.approx(of_pair["p_two_sided"], rel=STATISTICS)


@pytest.mark.parametrize(
    ("name", "references"),
    [
        (TED, "ref.A+ref.B"),
        (WMT23, "ref.A"),
        *nightly([(TED, "ref.A"), (TED, "ref.B"), (WMT23, "synthetic_ref"), (WMT23, "ref.A+synthetic_ref")]),
    ],
)
@pytest.mark.parametrize("who", ["all_non_self", *nightly(["mt_only"])])
def test_system_level_correlations_equal_scipy(
    folder: Path, command: Command, expected: Expected, *, name: str, references: str, who: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    wanted = values["system_level"][f"{references}|{who}"]
    humans = values["human_systems"] if who == "mt_only" else []
    options = [part for human in humans for part in ("--human-system", human)]
    found = command(
        "correlate",
        *reference_options(data, references),
        "--human",
        data / "human.csv",
        *options,
        *files(data, values["systems"]),
    )

    left_out = set(values["systems"]) - set(wanted["systems"])
    assert {excluded["system"] for excluded in found["excluded"]} == left_out
    assert [system["system"] for system in found["systems"]] == wanted["systems"]
    assert [system["bleu"] for system in found["systems"]] == pytest.approx(wanted["bleu"], rel=DIGITS)
    assert [system["human"] for system in found["systems"]] == pytest.approx(wanted["human"], rel=1e-8)
    pearson = found["pearson"]
    assert pearson["coefficient"] == pytest.approx(wanted["pearson"]["r"], rel=STATISTICS)
    assert [pearson["low"], pearson["high"]] == pytest.approx(wanted["pearson"]["ci95_fisher"], rel=STATISTICS)
    assert pearson["p_value"] == pytest.approx(wanted["pearson"]["p"], rel=STATISTICS)
    assert found["spearman"]["coefficient"] == pytest.approx(wanted["spearman"]["rho"], rel=STATISTICS)
    assert found["spearman"]["p_value"] == pytest.approx(wanted["spearman"]["p"], rel=STATISTICS)
    assert found["kendall"]["coefficient"] == pytest.approx(wanted["kendall_tau_b"]["tau"], rel=STATISTICS)
    assert found["kendall"]["p_value"] == pytest.approx(wanted["kendall_tau_b"]["p"], rel=STATISTICS)
    accuracy = found["pairwise_accuracy"]
    assert accuracy["agreeing"] == wanted["pairwise_accuracy"]["concordant"]
    assert accuracy["pairs"] == wanted["pairwise_accuracy"]["pairs"]
    assert accuracy["value"] == pytest.approx(wanted["pairwise_accuracy"]["accuracy"], rel=DIGITS)
    line = wanted["regression_human_on_bleu"]
    assert found["regression"]["slope"] == pytest.approx(line["slope"], rel=STATISTICS)
    assert found["regression"]["intercept"] == pytest.approx(line["intercept"], rel=STATISTICS)


@pytest.mark.parametrize(
    ("name", "references"),
    [(WMT23, "ref.A"), *nightly(case for case in CASES if case[0] in RATED and case != (WMT23, "ref.A"))],
)
def test_values_normalised_by_range_equal_the_expected(
    folder: Path, output: Callable[..., str], expected: Expected, name: str, references: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    wanted = values["system_level"][f"{references}|all_non_self"]["range_normalised"]
    printed = output(
        "correlate",
        *reference_options(data, references),
        "--human",
        data / "human.csv",
        *files(data, values["systems"]),
        "--format",
        "tsv",
    )
    rows = list(csv.DictReader(io.StringIO(printed.split("\n\n")[0]), dialect="excel-tab"))
    found = sorted((float(row["bleu_normalised"]), float(row["human_normalised"])) for row in rows)
    of_scores, of_ratings = zip(*found, strict=True)
    expected_scores, raw = zip(*sorted(zip(wanted["bleu"], wanted["human"], strict=True)), strict=True)
    assert of_scores == pytest.approx(expected_scores, rel=1e-7, abs=1e-9)
    if name == TED:  # whose judges are confounded with systems
        assert of_ratings != pytest.approx(raw, rel=0.01, abs=0.01)
    else:
        assert of_ratings == pytest.approx(raw, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", RATED)
def test_human_means_of_all_rated_systems_equal_the_expected(folder: Path, expected: Expected, name: str) -> None:
    data, wanted = folder / "data" / name, expected(name)["human"]
    judgments = read((data / "human.csv").read_bytes(), "human.csv", "judgments").judgments
    assert judgments is not None
    assert len(judgments.rated) == wanted["n_ratings"]
    assert judgments.judge_count == len(wanted["raters"])
    assert dict(judgments.system_means()) == pytest.approx(wanted["system_means"], rel=1e-8)


def test_known_values_of_one_reference(folder: Path, command: Command) -> None:
    data = folder / "data" / TED
    (system,) = command("score", *reference_options(data, "ref.B"), *files(data, ["IIE-MT"]))["systems"]
    assert system["bleu"] == pytest.approx(43.749, abs=5e-4)
    assert system["brevity_penalty"] == pytest.approx(0.99211, abs=5e-6)
    assert (system["hypothesis_length"], system["reference_length"]) == (9968, 10047)


def test_known_values_of_two_references(folder: Path, command: Command) -> None:
    data = folder / "data" / TED
    (system,) = command("score", *reference_options(data, "ref.A+ref.B"), *files(data, ["DIDI-NLP"]))["systems"]
    assert system["bleu"] == pytest.approx(49.368, abs=5e-4)
    assert system["matches"] == [7898, 5393, 3730, 2568]


def test_known_values_of_paired_blocks(folder: Path, command: Command) -> None:
    data = folder / "data" / RUEN
    found = command("blocks", *reference_options(data, "ref.A"), *files(data, ["Online-A", "Online-B"]))
    assert [system["bleu"] for system in found["systems"]] == pytest.approx([36.387, 38.112], abs=5e-4)
    (pair,) = found["pairs"]
    assert len(found["block_sizes"]) == 20
    assert pair["t"] == pytest.approx(2.292, abs=5e-4)
    assert pair["p_value"] == pytest.approx(0.0335, abs=5e-5)


@pytest.mark.parametrize("name", RATED)
def test_documents_as_blocks_are_each_scored_as_a_corpus(folder: Path, command: Command, name: str) -> None:
    # A document's BLEU is that of a corpus which holds nothing else, which sacreBLEU scores directly.
    from sacrebleu.metrics.bleu import BLEU

    data = folder / "data" / name
    references = SETS[name][-1]
    system = min(path.stem for path in (data / "systems").glob("*.txt"))
    found = command(
        "blocks", *reference_options(data, references), "--documents", data / "docs.txt", *files(data, [system])
    )
    documents = lines(data / "docs.txt")
    hypotheses = lines(data / "systems" / f"{system}.txt")
    streams = [lines(data / "refs" / f"{reference}.txt") for reference in references.split("+")]
    for document, score in zip(dict.fromkeys(documents), found["systems"][0]["scores"], strict=True):
        where = [i for i, d in enumerate(documents) if d == document]
        alone = BLEU(force=True).corpus_score(
            [hypotheses[i] for i in where], [[stream[i] for i in where] for stream in streams]
        )
        assert score == pytest.approx(alone.score, rel=1e-9)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


#: The metric's key -> its name among the expected values.
EXPECTED = {"chrf2": "chrf", "chrf2++": "chrf_pp", "ter": "ter"}
SACREBLEU: dict[str, Callable[[], Any]] = {"chrf2": CHRF, "chrf2++": lambda: CHRF(word_order=2), "ter": TER}


def of_systems(found: Any) -> dict[str, float]:
    return {system["system"]: system["score"] for system in found["systems"]}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *[(TED, key) for key in EXPECTED],
        (WMT23, "chrf2"),
        (RUEN, "ter"),
        *nightly([(WMT23, "chrf2++"), (WMT23, "ter"), (RUEN, "chrf2"), (RUEN, "chrf2++")]),
    ],
)
def test_scores_by_the_primary_reference_are_those_expected(
    folder: Path, command: Command, expected: Expected, *, name: str, key: str
) -> None:
    data, values = folder / "data" / name, expected(name)
    options = reference_options(data, values["primary_refset"])
    systems = list(values[EXPECTED[key]])
    found = of_systems(command("score", "--metric", key, *options, *files(data, systems)))
    assert found == {system: pytest.approx(values[EXPECTED[key]][system], rel=DIGITS) for system in systems}


@pytest.mark.parametrize(
    ("name", "references", "key"),
    [
        (TED, "ref.A+ref.B", "chrf2"),
        *nightly((RUEN, "ref.A", key) for key in EXPECTED),
        *nightly((TED, references, "chrf2") for references in ("ref.A", "ref.B")),
        *nightly((*case, "chrf2++") for case in CASES if case[0] == TED),
    ],
)
def test_scores_and_signatures_are_sacrebleus(
    folder: Path, command: Command, expected: Expected, *, name: str, references: str, key: str
) -> None:
    data, (system, *_) = folder / "data" / name, expected(name)["systems"]
    found = command("score", "--metric", key, *reference_options(data, references), *files(data, [system]))
    theirs = SACREBLEU[key]()
    texts = [lines(data / "refs" / f"{reference}.txt") for reference in references.split("+")]
    wanted = theirs.corpus_score(lines(data / "systems" / f"{system}.txt"), texts)
    assert of_systems(found) == {system: pytest.approx(wanted.score, rel=1e-12)}
    assert found["signature"] == theirs.get_signature().format(short=False)


@pytest.mark.slow  # sacreBLEU takes minutes
@pytest.mark.parametrize("asian", [False, True])
@pytest.mark.parametrize(("name", "references"), CASES)
def test_edits_and_lengths_of_every_segment_are_sacrebleus(
    folder: Path, name: str, references: str, *, asian: bool
) -> None:
    data = folder / "data" / name
    systems = {path.stem: tuple(lines(path)) for path in sorted((data / "systems").glob("*.txt"))}
    texts = {each: tuple(lines(data / "refs" / f"{each}.txt")) for each in references.split("+")}
    if asian:  # which normalises: the first system shows it
        systems = dict(list(systems.items())[:1])
    corpus = Corpus(systems, texts)
    found = score_metric(corpus, evaluate(corpus, BleuSettings(ter_asian_support=asian)), "ter").statistics.values
    theirs = TER(normalized=asian, asian_support=asian)
    for own, hypotheses in zip(found, systems.values(), strict=True):
        assert own.tolist() == theirs._extract_corpus_statistics(hypotheses, list(texts.values()))  # noqa: SLF001


#: Set, reference, tokenizer, whether in lower case.
ERROR_RATES = [
    (*case, tokenizer, lowercase)
    for case in CASES
    if "+" not in case[1]
    for tokenizer in ("13a", "none", "intl", "char")
    for lowercase in (False, True)
]
ERROR_RATES_OF_EVERY_RUN = [(TED, "ref.B", "13a", False), (RUEN, "ref.A", "intl", True)]


@pytest.mark.parametrize(
    ("name", "reference", "tokenize", "lowercase"),
    [*ERROR_RATES_OF_EVERY_RUN, *nightly(case for case in ERROR_RATES if case not in ERROR_RATES_OF_EVERY_RUN)],
)
def test_wer_is_jiwers(
    folder: Path, command: Command, expected: Expected, *, name: str, reference: str, tokenize: str, lowercase: bool
) -> None:
    data, systems = folder / "data" / name, expected(name)["systems"]
    case = "--lowercase" if lowercase else "--no-lowercase"
    options = [*reference_options(data, reference), "--metric", "wer", "--tokenizer", tokenize, case]
    found = of_systems(command("score", *options, *files(data, systems)))
    split = tokenizer(tokenize)

    def tokens(path: Path) -> list[str]:
        texts = [text.lower() if lowercase else text for text in lines(path)]
        return [" ".join(split(text.rstrip()).split()) for text in texts]

    wanted = tokens(data / "refs" / f"{reference}.txt")
    for system in systems:
        theirs = 100 * jiwer.wer(wanted, tokens(data / "systems" / f"{system}.txt"))
        assert found[system] == pytest.approx(theirs, rel=1e-12)
