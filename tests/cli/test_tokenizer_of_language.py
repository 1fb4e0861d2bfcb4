"""The default tokeniser: that of the target language where the files name it and the references are in its script."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Run, Runner, Writer
from sacrebleu.metrics.bleu import BLEU

from bleu_core.scoring import tokenizer

REFERENCE = "今天天气很好，我们去公园散步。\n他昨天买了一本新书。\n会议将于明天上午举行。\n"
GOOD = "今天天气很好，我们去公园散步。\n他昨天买了一本旧书。\n会议明天上午举行。\n"
BAD = "今天天气不错，我们到公园走走。\n他昨天买了一本新书。\n开会。\n"
JAPANESE = "今日は天気がとても良いです。\n彼は昨日新しい本を買いました。\n"
ENGLISH = "it is a sunny day today\nhe bought a new book yesterday\nthe meeting is tomorrow\n"


def release(write: Writer, pair: str, texts: tuple[str, ...]) -> list[object]:
    """The options of a reference and outputs that are named as in releases of WMT."""
    target = pair.partition("-")[2]
    reference, *outputs = texts
    paths = [write(f"news.{pair}.hyp.{name}.{target}", text) for name, text in zip("AB", outputs, strict=False)]
    return ["--ref", write(f"news.{pair}.ref.A.{target}", reference), *paths]


def sacrebleu_score(output: str, reference: str, name: str) -> float:
    lines = (text.split("\n")[:-1] for text in (output, reference))
    return BLEU(tokenize=name, force=True).corpus_score(next(lines), [next(lines)]).score


def scores(result: Run) -> list[float]:
    return [system["bleu"] if "bleu" in system else system["scores"]["bleu"] for system in result.json["systems"]]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "zh"),
        (["--preset", "sacrebleu"], "zh"),
        (["--lowercase"], "zh"),
        (["--tokenizer", "13a"], "13a"),
        (["--tokenizer", "char"], "char"),
    ],
)
def test_chinese_of_a_release_is_scored_as_by_sacrebleu(
    run: Runner, write: Writer, options: list[str], name: str
) -> None:
    call = ["score", *release(write, "en-zh", (REFERENCE, GOOD, BAD)), *options, "--format", "json"]
    wanted = [pytest.approx(sacrebleu_score(text, REFERENCE, name), rel=1e-9) for text in (GOOD, BAD)]
    for more in ([], ["--metric", "bleu", "--metric", "chrf2"], ["--slice", "segment > 0"]):  # streamed, and read
        result = run(*call, *more)
        assert scores(result) == wanted
        assert f"tok:{name}" in result.json["metrics"][0]["signature"]


def test_the_preset_of_the_paper_has_its_own_tokeniser(run: Runner, write: Writer) -> None:
    result = run("score", *release(write, "en-zh", (REFERENCE, GOOD)), "--preset", "paper", "--format", "json")
    assert "tok:none" in result.json["signature"]


@pytest.mark.parametrize("kind", ["folder", "language pair", "sgml", "tmx", "archive", "column", "slice"])
def test_each_kind_of_file_can_name_the_language(run: Runner, write: Writer, tmp_path: Path, kind: str) -> None:
    ref, hyp = REFERENCE.split("\n")[:-1], GOOD.split("\n")[:-1]
    plain = ["--ref", write("ref.txt", REFERENCE), write("A.txt", GOOD)]
    if kind == "folder":
        (tmp_path / "en-zh").mkdir()
        call: list[object] = ["--ref", write("en-zh/ref.txt", REFERENCE), write("en-zh/A.txt", GOOD)]
    elif kind == "language pair":
        call = [*plain, "--language-pair", "en-zh_CN"]
    elif kind == "sgml":
        texts = "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(ref, 1))
        outputs = "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(hyp, 1))
        head = 'setid="x" srclang="en" trglang="zh"'
        doc = '<doc docid="d" sysid="A">'
        call = [
            "--ref",
            write("r.sgm", f'<refset {head}><doc docid="d" sysid="ref">{texts}</doc></refset>'),
            write("A.sgm", f"<tstset {head}>{doc}{outputs}</doc></tstset>"),
        ]
    elif kind == "tmx":
        units = "".join(
            f'<tu><tuv xml:lang="en"><seg>{n}</seg></tuv><tuv xml:lang="zh"><seg>{text}</seg></tuv></tu>'
            for n, text in enumerate(ref)
        )
        header = '<header srclang="en" datatype="plaintext" segtype="sentence" adminlang="en"/>'
        call = ["--ref", write("r.tmx", f'<tmx version="1.4">{header}<body>{units}</body></tmx>'), write("A.txt", GOOD)]
    elif kind == "archive":
        for path in ("sources/en-zh.txt", "references/en-zh.refA.txt", "system-outputs/en-zh/A.txt"):
            (tmp_path / "wmt" / path).parent.mkdir(parents=True, exist_ok=True)
        write("wmt/sources/en-zh.txt", ENGLISH)
        write("wmt/references/en-zh.refA.txt", REFERENCE)
        write("wmt/system-outputs/en-zh/A.txt", GOOD)
        call = ["--archive", tmp_path / "wmt"]
    elif kind == "column":
        rows = "".join(f"en-zh\t{output}\t{text}\n" for text, output in zip(ref, hyp, strict=True))
        path = write("comet.tsv", f"lp\tmt\tref\n{rows}")
        call = ["--ref", path, path]
    else:
        call = [*release(write, "en-zh", (REFERENCE, GOOD)), "--slice", "segment <= 3"]
    result = run("score", *call, "--format", "json")
    assert scores(result) == [pytest.approx(sacrebleu_score(GOOD, REFERENCE, "zh"), rel=1e-9)]


@pytest.mark.parametrize(
    ("pair", "texts"),
    [(pair, (ENGLISH, ENGLISH.replace("sunny", "fine"))) for pair in ("en-zh", "en-de", "zh-en")],
)
def test_texts_in_another_script_or_language_are_tokenised_by_13a(
    run: Runner, write: Writer, pair: str, texts: tuple[str, ...]
) -> None:
    result = run("score", *release(write, pair, texts), "--format", "json")
    assert "tok:13a" in result.json["signature"]
    assert result.json["warnings"] == []


def test_a_language_pair_whose_script_the_references_lack_is_noted(run: Runner, write: Writer) -> None:
    call = ["score", "--ref", write("ref.txt", ENGLISH), write("A.txt", ENGLISH[1:]), "--language-pair", "en-zh"]
    assert "--language-pair has no effect: the references are not in its script" in run(*call).err
    assert "--language-pair has no effect: a tokeniser is chosen" in run(*call, "--tokenizer", "13a").err


def test_counts_have_the_tokeniser_of_the_language_in_whole_and_in_parts(
    run: Runner, write: Writer, tmp_path: Path
) -> None:
    files = release(write, "en-zh", (REFERENCE, GOOD, BAD))
    direct = run("score", *files, "--format", "json")
    whole = tmp_path / "all.counts"
    assert "tok:zh" in run("count", *files, "--out", whole).out
    parts = [tmp_path / f"{n}.counts" for n in (1, 2)]
    for n, path in enumerate(parts, 1):
        assert "tok:zh" in run("count", *files, "--part", f"{n}/2", "--out", path).out
    merged = tmp_path / "merged.counts"
    run("merge", *parts, "--out", merged)
    for path in (whole, merged):
        assert scores(run("score", path, "--format", "json")) == scores(direct)


@pytest.mark.parametrize("command", ["score", "compare", "slices"])
def test_text_that_only_its_script_tells_is_warned_of_with_the_option_that_helps(
    run: Runner, write: Writer, command: str
) -> None:
    texts = {name: write(f"{name}.txt", text) for name, text in (("ref", REFERENCE), ("A", GOOD), ("B", BAD))}
    call = [command, "--ref", texts["ref"], texts["A"], texts["B"]]
    call += ["--by", "length"] if command == "slices" else []
    result = run(*call)
    assert "are Chinese, which the tokeniser 13a does not split into words" in result.err
    assert "--tokenizer zh" in result.err
    assert "does not split" not in run(*call, "--tokenizer", "zh").err
    assert "does not split" not in run(*call, "--metric", "chrf2").err


def test_a_tokeniser_of_the_language_that_is_not_installed_ends_score_with_what_to_install(
    run: Runner, write: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    tokenizer.cache_clear()
    files = release(write, "en-ja", (JAPANESE, JAPANESE.replace("とても", ""), JAPANESE.replace("昨日", "")))
    for command in ("score", "compare"):
        assert_refused(run(command, *files), "pip install 'sacrebleu[ja]'", "the default for en-ja", "--tokenizer")
        assert run(command, *files, "--metric", "chrf2").status == 0
        assert run(command, *files, "--tokenizer", "char").status == 0
    assert "pip install 'sacrebleu[ja]'" in run("check", *files).out
