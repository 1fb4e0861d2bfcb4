"""Reports: their parts, their numbers, and text of any kind as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest
import sample

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import SettingsError
from bleu_core.results.scores import score_table
from bleu_core.results.significance import comparison_table
from bleu_core.results.table import formatted
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.view import View
from dashboard.exhibits import Data
from dashboard.export.parts.register import PARTS
from dashboard.export.report import make_report, make_short_report, possible_parts
from dashboard.export.source import Source, UsedFile
from dashboard.session import SegmentNote

HOSTILE = ("<b>HB</b>", "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "{{ 7 * 7 }} &lt;i&gt;")


class Text(HTMLParser):
    """The tags, the attributes and the text of a file, without its styles and programs."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.cells: list[str] = []
        self._inside = ""
        self.feed(content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self._inside = tag
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        """What follows is in none."""
        del tag
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        if self._inside not in {"style", "script"}:
            self.text += data
        if self._inside in {"td", "th"}:
            self.cells[-1] += data


def source_of(corpus: Corpus, judgments: Judgments | None = None, **others: object) -> Source:
    workspace = Workspace.of_data(corpus, judgments, (), ())
    view = View(workspace, evaluate(corpus))
    ratings = None if judgments is None else RatingsInUse(view, judgments, standardised=False)
    return replace(Source(Data(view, ratings)), **others)  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def source() -> Source:
    notes: Mapping[int, SegmentNote] = {7: SegmentNote(text="the name", starred=True), 9: SegmentNote(text="unstarred")}
    corpus = sample.corpus()
    return source_of(
        corpus, sample.judgments(), notes=notes, files=(UsedFile("R1.txt", "ab12"),), calls=("bleu-core x",)
    )


def test_a_report_has_all_parts_that_the_data_allow_in_their_order(source: Source) -> None:
    expected = [part for part in PARTS.values() if part.key not in ("errors", "test-sets")]  # which the sample lacks
    assert [part.key for part in possible_parts(source)] == [part.key for part in expected]
    report = make_report(source)
    assert [(section.key, section.title) for section in report.sections] == [(p.key, p.title) for p in expected]
    assert all(section.sentences for section in report.sections)
    read = Text(report.html())
    for section in report.sections:
        assert all(sentence in read.text for sentence in (section.title, *section.sentences, *section.notes))
    method = next(section for section in report.sections if section.key == "method")
    assert source.data.view.evaluation.signature in method.code[0]
    assert any("ab12  R1.txt" in line for line in method.code)
    assert "bleu-core x" in read.text
    assert "the name" in read.text
    assert "unstarred" not in read.text


def test_the_numbers_are_those_of_the_core(source: Source) -> None:
    read = Text(make_report(source, ["scores", "significance"]).html())
    view = source.data.view
    names = source.data.scores.ordered_systems()
    for table in (
        score_table(view.evaluation.select(names), view.intervals),
        comparison_table(source.data.comparisons),
    ):
        cells = [cell for row in formatted(table.for_people()) for cell in row]
        assert "\0".join(cells[: len(table.columns)])  # there are some
        assert set(cells) <= set(read.cells)


def test_parts_are_chosen_and_come_in_the_order_of_the_report(source: Source) -> None:
    report = make_report(source, ["method", "scores"])
    assert [section.key for section in report.sections] == ["scores", "method"]


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("human", "part 'human' needs judgments, which these data do not have"),
        ("significance", "part 'significance' needs two systems, which these data do not have"),
        ("starred", "part 'starred' needs starred segments, which these data do not have"),
        ("all", "part 'all' found, one of summary, warnings, scores, "),
    ],
)
def test_a_part_that_cannot_be_made_is_refused(part: str, why: str) -> None:
    alone = source_of(Corpus({"a": ("the cat sat", "it rains")}, {"r": ("the cat sat", "it rained")}))
    assert [part.key for part in possible_parts(alone)] == [
        "summary",
        "warnings",
        "scores",
        "precision",
        "blocks",
        "method",
    ]
    with pytest.raises(SettingsError, match=re.escape(why)):
        make_report(alone, [part])


def test_names_texts_notes_title_and_introduction_stay_text() -> None:
    texts = tuple(f"{name} on the mat number {n}" for n, name in enumerate(HOSTILE * 3))
    others = tuple(reversed(texts))
    corpus = Corpus(
        dict(zip(HOSTILE, (texts, others, texts[2:] + texts[:2], others[1:] + others[:1]), strict=True)),
        {"<u>ref</u>": tuple(f"{text} here" for text in texts)},
    )
    notes = {n: SegmentNote(starred=True, text=f"{name}\n<s>") for n, name in enumerate(HOSTILE, start=1)}
    files = tuple(UsedFile(name, "00") for name in HOSTILE)
    source = source_of(corpus, notes=notes, files=files, calls=HOSTILE, cautions=HOSTILE)
    words = {"title": HOSTILE[1], "introduction": "\n\n".join(HOSTILE)}
    for report in (make_report(source, **words), make_short_report(source, **words)):
        content = report.html()
        read = Text(content)
        assert read.tags.isdisjoint({"b", "i", "u", "s", "img", "a", "link", "iframe", "form"})
        assert not any(name.startswith("on") or name in {"src", "href"} for name in read.attributes)
        assert all(name in read.text for name in HOSTILE)
        assert b"alert(2)</script>" not in content
        assert content.count(b"Content-Security-Policy") == 1


def test_the_day_is_printed_at_the_foot_if_it_is_given(source: Source) -> None:
    report = make_report(source, ["scores"])
    assert "Created on 3 May 2026. Settings: " in Text(report.html(date(2026, 5, 3))).text
    assert "Created on" not in Text(report.html()).text


def test_the_short_form_has_the_verdict_and_ten_examples_the_starred_ones_first(source: Source) -> None:
    report = make_short_report(source, title=" ", introduction="First.\n\nSecond\nline.")
    verdict, examples = report.sections
    assert verdict.sentences[0] == "H2 scores significantly higher than all others (38.80 BLEU)."
    assert report.title == "Evaluation report"
    assert report.introduction == ("First.", "Second\nline.")
    titles = [example.title for example in examples.examples]
    assert len(titles) == len(set(titles)) == 10
    assert titles[0].startswith("Segment 7 (")
    assert examples.examples[0].note == "the name"
    assert examples.sentences == (
        "10 segments: 1 starred, chosen by hand, then in turn the segments most in favour of H2 and of H1.",
    )
    read = source.data.segments
    influence = [read.influence[int(title.split()[1]) - 1] for title in titles[1:]]
    assert influence[0] == max(read.influence)
    assert influence[1] == min(read.influence)
    assert [value > 0 for value in influence] == [True, False] * 4 + [True]


def test_what_cannot_be_computed_is_explained_in_its_place() -> None:
    texts = ("a b c d e", "f g h i j")
    same = source_of(Corpus({"one": texts, "two": texts}, {"ref": ("x y z", "v w")}))
    report = make_report(same)
    assert [section.key for section in report.sections][:3] == ["summary", "warnings", "scores"]
    assert all(section.sentences for section in report.sections)
