"""The register of metrics: what is loaded when, and metrics of other packages, whole and broken."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from plugins.installed import installed, shared_words_installed

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring import (
    BUILT_IN_METRICS,
    BleuSettings,
    all_metrics,
    broken_metrics,
    evaluate,
    find_metric,
    key_of_label,
    score_metric,
)

CORPUS = Corpus({"A": ("a b c d",), "B": ("x y",)}, {"R": ("a b",), "Q": ("c",)})

#: Modules of packages that are wrong in one way each.
BROKEN = {
    "raises": "raise RuntimeError('no model')",
    "no_metric": "METRIC = 'a string'",
    "other_key": "from bleu_core.scoring import find_metric\nMETRIC = find_metric('ter')",
    "same_label": "from dataclasses import replace\nfrom bleu_core.scoring import find_metric\n"
    "METRIC = replace(find_metric('ter'), key='same_label')",
}


@pytest.fixture
def shared_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shared_words_installed(tmp_path, monkeypatch):
        yield


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, code in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(code)
    points = {f"bad-{name}": {name: f"{name}:METRIC"} for name in BROKEN}
    points |= {"bad-missing": {"missing": "not_there:METRIC"}, "bad-bleu": {"bleu": "no_metric:METRIC"}}
    with installed(tmp_path, monkeypatch, points):
        yield


def test_a_metrics_module_is_imported_when_the_metric_is_needed_and_entry_points_only_for_unknown_keys() -> None:
    code = (
        "import sys; from bleu_core.scoring import find_metric; find_metric('ter'); "
        "print(*sorted(m for m in sys.modules if m.startswith('bleu_core.scoring.metrics.'))); "
        "print('importlib.metadata' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, metadata = run.stdout.splitlines()
    names = {name.removeprefix("bleu_core.scoring.metrics.") for name in modules.split()}
    assert names == {
        "by_segment",
        "declaration",
        "register",
        "sacrebleu_signature",
        "scored_corpus",
        "ter",
        "uploaded_scores",
    }
    assert metadata == "False"


def test_every_built_in_metric_declares_its_key_a_label_of_its_own_and_what_it_measures() -> None:
    found = all_metrics()
    assert list(found) == list(BUILT_IN_METRICS)
    assert [one.key for one in found.values()] == list(found)
    assert len({one.label for one in found.values()}) == len(found)
    assert all(one.help and not one.help.endswith(".") for one in found.values())


def test_a_metrics_scores_depend_on_no_other_setting_than_it_declares() -> None:
    corpus = Corpus({"A": ("The cat, 1,000 dogs", "a B")}, {"R": ("the CAT 1,000 dogs.", "A b c")})
    plain = BleuSettings()
    changes = {
        "tokenizer": "char",
        "lowercase": True,
        "max_order": 2,
        "smoothing": "none",
        "reference_length": "shortest",
    }
    for key, one in all_metrics().items():
        scores = score_metric(corpus, evaluate(corpus, plain), key).scores
        for name, value in changes.items():
            changed = BleuSettings(**{name: value})
            same = score_metric(corpus, evaluate(corpus, changed), key).scores.tolist() == scores.tolist()
            assert same or one.settings_in_use(changed) != one.settings_in_use(plain), (key, name)


@pytest.mark.usefixtures("shared_words")
def test_a_metric_of_another_package_joins_by_its_entry_point() -> None:
    assert list(all_metrics()) == [*BUILT_IN_METRICS, "shared-words"]
    assert key_of_label("Shared words") == "shared-words"
    found = score_metric(CORPUS, evaluate(CORPUS), "shared-words")
    assert found.scores.tolist() == [75, 0]
    assert found.metric.unit == "%"
    assert broken_metrics() == ()


def test_an_unknown_metric_is_refused_with_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ", ".join(BUILT_IN_METRICS)
    with pytest.raises(SettingsError, match=re.escape(f"metric 'x' found, one of {listed} expected")):
        find_metric("x")
    more = re.escape(f"metric 'x' found, one of {listed}, shared-words expected")
    with shared_words_installed(tmp_path, monkeypatch), pytest.raises(SettingsError, match=more):
        find_metric("x")
    assert key_of_label("x") is None


@pytest.mark.usefixtures("broken")
def test_broken_metrics_are_named_and_leave_the_others_alone() -> None:
    assert list(all_metrics()) == list(BUILT_IN_METRICS)
    wrong = {
        "raises": "cannot be loaded: RuntimeError: no model; repair or remove that package",
        "no_metric": "str found, Metric expected",
        "other_key": "key 'ter' found, 'other_key' expected",
        "same_label": "has the same label as another metric ('TER')",
        "missing": "cannot be loaded: ModuleNotFoundError: No module named 'not_there'",
        "bleu": "str found, Metric expected",
    }
    assert len(broken_metrics()) == len(wrong)
    for name, what in wrong.items():
        (problem,) = (p for p in broken_metrics() if p.startswith(f"metric {name!r} of package bad-"))
        assert what in problem
    for name in ("raises", "no_metric", "other_key", "missing"):
        with pytest.raises(SettingsError, match=f"^metric '{name}' of package bad-"):
            find_metric(name)
    assert find_metric("bleu").label == "BLEU"


def test_of_two_packages_with_a_metric_of_one_key_the_first_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(
            "from dataclasses import replace\nfrom bleu_core.scoring import find_metric\n"
            f"METRIC = replace(find_metric('ter'), key='own', label='{name}')"
        )
    with installed(tmp_path, monkeypatch, {"b-two": {"own": "two:METRIC"}, "a-one": {"own": "one:METRIC"}}):
        assert find_metric("own").label == all_metrics()["own"].label == "one"
        assert broken_metrics() == (
            "metric 'own' of package b-two has the same key as another metric ('own'); remove one of the two",
        )


def test_a_metric_that_needs_a_text_that_is_not_there_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needy.py").write_text(
        "from dataclasses import replace\nfrom bleu_core.scoring import find_metric\n"
        "METRIC = replace(find_metric('ter'), key='needy', label='Needy', needs=('source',))"
    )
    with installed(tmp_path, monkeypatch, {"needy": {"needy": "needy:METRIC"}}):
        with pytest.raises(AlignmentError, match=r"^Needy needs the source; add a file with it"):
            score_metric(CORPUS, evaluate(CORPUS), "needy")
        corpus = Corpus(CORPUS.systems, CORPUS.references, source=("u",))
        assert score_metric(corpus, evaluate(corpus), "needy").scores[1] == pytest.approx(2 / 1.5 * 100)


def test_a_table_of_other_systems_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.py").write_text(
        "from dataclasses import replace\nfrom bleu_core.scoring import find_metric\n"
        "def one(corpus, evaluation, progress):\n    return evaluation.statistics.select(['B'])\n"
        "METRIC = replace(find_metric('ter'), key='odd', label='Odd', statistics=one)"
    )
    with (
        installed(tmp_path, monkeypatch, {"odd": {"odd": "odd:METRIC"}}),
        pytest.raises(ValueError, match="Odd: statistics of B and 1 segments found, of A, B and 1 expected"),
    ):
        score_metric(CORPUS, evaluate(CORPUS), "odd")
