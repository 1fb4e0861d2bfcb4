"""Test sets and collections: languages, settings, and the tokeniser by language."""

from __future__ import annotations

import sys

import pytest

from bleu_core.collection import Collection, TestSet, evaluate_set, set_languages
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.formats import languages_in, languages_of_releases
from bleu_core.scoring import TOKENIZERS, BleuSettings, evaluate, tokenizer_for_language, tokenizers
from bleu_core.uploads import File, assemble


def of(languages: str, **settings: object) -> TestSet:
    return TestSet(name="x", files=(), languages=languages, settings=settings)


@pytest.mark.parametrize(
    ("target", "tokenizer"),
    [
        *(("zh", "zh"), ("zh_CN", "zh"), ("ZH-Hant-TW", "zh"), ("zho_Hans", "zh"), ("cmn", "zh"), ("yue_Hant", "zh")),
        *(("ja", "ja-mecab"), ("ja_JP", "ja-mecab"), ("jpn_Jpan", "ja-mecab"), ("ko", "ko-mecab"), ("kor", "ko-mecab")),
        *(("de", "13a"), ("", "13a"), ("zha", "13a"), ("jav", "13a"), ("kok", "13a"), ("zh_Latn", "13a")),
    ],
)
def test_the_tokeniser_follows_the_target_language(target: str, tokenizer: str) -> None:
    assert tokenizer_for_language(target) == tokenizer
    assert tokenizer in TOKENIZERS


def test_settings_of_the_set_replace_those_of_the_collection_and_these_the_given_ones() -> None:
    base = BleuSettings(tokenizer="intl", max_order=3)
    collection = Collection(sets=(), settings={"tokenizer": "char", "lowercase": True})
    assert collection.settings_for(of("en-ja"), base) == BleuSettings(tokenizer="char", max_order=3, lowercase=True)
    assert collection.settings_for(of("en-ja"), base, by_language=True).tokenizer == "char"
    assert Collection(sets=()).settings_for(of("en-ja"), base, by_language=True).tokenizer == "ja-mecab"
    assert collection.settings_for(of("en-ja", tokenizer="none"), base, by_language=True).tokenizer == "none"
    assert collection.settings_for(of("en-zh", tokenizer="by-language"), base).tokenizer == "zh"
    assert of("en-de").settings_for(base) == base
    assert of("en-de").settings_for(base, by_language=True).tokenizer == "13a"
    with pytest.raises(SettingsError, match="test set x: enter 3 weights"):
        collection.settings_for(of("en-de", weights=(0.5, 0.5)), base)


@pytest.mark.parametrize(
    ("languages", "reference", "tokenizer"),
    [
        ("en-zh", "我来了。", "zh"),
        ("en-zh_TW", "我來了 in 2020", "zh"),
        ("en-zh", "Wǒ lái le.", "13a"),
        ("en-zh", "きょうはよい天気です。", "13a"),
        ("en-ja", "今日は雨です。", "ja-mecab"),
        ("en-ja", "東京駅", "ja-mecab"),
        ("en-ja", "It rains.", "13a"),
        ("en-ko", "오늘 비가 와요.", "ko-mecab"),
        ("en-ko", "我来了。", "13a"),
        ("zh-en", "I have come.", "13a"),
        ("", "我来了。", "13a"),
    ],
)
def test_language_and_script_decide_on_the_tokeniser(languages: str, reference: str, tokenizer: str) -> None:
    corpus = Corpus(systems={"A": ("x",)}, references={"R": (reference,)})
    assert of(languages).settings_for(BleuSettings(), corpus, by_language=True).tokenizer == tokenizer
    assert of(languages, tokenizer="13a").settings_for(BleuSettings(), corpus, by_language=True).tokenizer == "13a"


@pytest.mark.parametrize(("languages", "package"), [("en-ja_JP", "mecab-python3"), ("en-ko", "mecab-ko")])
def test_a_set_whose_tokeniser_is_not_installed_has_no_scores_that_depend_on_it(
    languages: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    monkeypatch.setitem(sys.modules, "mecab_ko", None)
    tokenizers.tokenizer.cache_clear()
    text = "오늘 비가 와요.\n" if languages == "en-ko" else "今日は雨です。\n"
    files = (File("r.txt", text.encode(), "reference"), File("A.txt", text.encode(), "system"))
    test_set = TestSet(name="x", files=files, languages=languages)
    read = test_set.read()
    settings = test_set.settings_for(BleuSettings(), read.corpus, by_language=True)
    evaluated = evaluate_set(test_set, read, settings, ["bleu", "chrf2", "wer"])
    assert list(evaluated.scored) == ["chrf2"]
    assert evaluated.unavailable == ("bleu", "wer")
    why = f"not available: tokeniser {settings.tokenizer} needs the package {package}"
    assert all(evaluated.reasons[key].startswith(why) for key in ("bleu", "wer"))


def test_the_signature_of_each_set_names_its_tokeniser() -> None:
    files = (File("r.txt", "我 来 了\n".encode(), "reference"), File("A.txt", "我来\n".encode(), "system"))
    signatures = []
    for languages in ("en-zh", "en-de"):
        test_set = TestSet(name=languages, files=files, languages=languages)
        settings = test_set.settings_for(BleuSettings(), by_language=True)
        evaluation = evaluate(test_set.read().corpus, settings)
        signatures.append(str(evaluation.signature))
    assert ["tok:zh" in signatures[0], "tok:13a" in signatures[1]] == [True, True]


def test_sets_without_languages_are_named() -> None:
    first, second = of("en-de"), TestSet(name="y", files=())
    assert (first.target, of("eng-zho_Hant_TW").target, of("eng-zho_Hant_TW").target_language, second.target) == (
        "de",
        "zho_Hant_TW",
        "zho",
        "",
    )


def test_words_with_hyphens_are_no_languages() -> None:
    words = ("top-two", "set-one", "re-run.txt", "newstest2021", "a-b", "", "to-do", "no-op", "my-mt", "as-is", "so-so")
    for name in (*words, "runs/to-do", "x.no-op", "up-to", "my-be"):
        assert languages_in([name]) == ""
    pairs = ("zh-en", "en-zh_CN", "sr_Latn-en", "cs-uk", "en-is", "my-en", "en-mt", "no-de", "it-he", "de-fr")
    for pair in pairs:
        assert (languages_in([pair]), languages_in([f"wmt23/{pair}", "to-do"])) == (pair, pair)
    assert languages_in(["en-de"]) == languages_in(["wmt23/en-de"]) == languages_in(["a", "en-de", "en-de"]) == "en-de"
    assert languages_in(["eng_Latn-isl_Latn"]) == "eng_Latn-isl_Latn"


@pytest.mark.parametrize(
    ("name", "pair"),
    [("flores.my-mt.ref.mt", "my-mt"), ("flores.my-mt.hyp.A", "my-mt"), ("my-mt.txt", ""), ("x.no-op.hyp.A", "")],
)
def test_names_of_releases_say_pairs_that_could_be_words(name: str, pair: str) -> None:
    assert languages_of_releases([name]) == pair


def test_every_tokeniser_for_a_language_exists() -> None:
    assert set(tokenizers.TOKENIZER_OF_LANGUAGE.values()) <= TOKENIZERS.keys()


@pytest.mark.parametrize(
    ("name", "files", "languages"),
    [
        ("wmt24.en-ja", ("newstest2021.ru-en.hyp.A.en",), "en-ja"),
        ("news", ("newstest2021.ru-en.hyp.A.en", "newstest2021.ru-en.ref.A.en"), "ru-en"),
        ("news", ("newstest2021.ru-en.hyp.A.en", "newstest2021.de-en.hyp.B.en"), ""),
        ("news", ("A.txt",), ""),
    ],
)
def test_languages_are_in_the_name_of_the_test_set_or_of_its_files(
    name: str, files: tuple[str, ...], languages: str
) -> None:
    read = assemble([File(file, b"a\n", "system") for file in files])
    assert set_languages(name, read) == languages
