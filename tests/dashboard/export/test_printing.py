"""The printable page: all there, nothing from elsewhere, names of any kind as text, tables no wider than the paper."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
import sample
from judged import Row, table

from bleu_core.dataset import Corpus
from bleu_core.fields import Field, Table
from bleu_core.paper import PaperInput, PaperOptions, all_steps, compute_steps, repeat_experiment
from bleu_core.results.table import formatted
from bleu_core.scoring import PRESETS
from dashboard.export.printing import printed_sections
from dashboard.export.steps import PaperStep, paper_steps
from dashboard.plots import theme
from dashboard.views.paper import words as paper_words

PAPER = PRESETS["paper"]
TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "h1", "h2", "h3", "p", "section", "figure", "div"),
    *("table", "thead", "tbody", "tr", "th", "td", "footer", "code"),
}
HOSTILE = (
    "<b>HB</b>",
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "</td></table><h1>x",
    '"><a href="http://127.0.0.1:9/">AH</a>',
    "&lt;b&gt; &amp; x",
    "{{ 7 * 7 }} {% raw %}",
    "<!-- c",
)


class Page(HTMLParser):
    """What a browser makes of the page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.cells: list[str] = []
        self.headings: list[str] = []
        self.open = ""
        self.feed(content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it and what it has."""
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.open = tag
        if tag in {"td", "th"}:
            self.cells.append("")
        if tag in {"h1", "h2", "h3"}:
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        """Text that follows is nobody's."""
        del tag
        self.open = ""

    def handle_data(self, data: str) -> None:
        """Keep the text of cells and headings."""
        if self.open in {"td", "th"}:
            self.cells[-1] += data
        if self.open in {"h1", "h2", "h3"}:
            self.headings[-1] += data

    def ids(self, tag: str) -> list[str | None]:
        """All that there are, in their order."""
        return [value for owner, name, value in self.attributes if owner == tag and name == "id"]


def steps_of(data: PaperInput) -> tuple[PaperStep, ...]:
    found = data.results
    styles = theme.styles(found.full.systems + tuple(e.system for e in found.left_out))
    return paper_steps(data.results, compute_steps(data, all_steps()), styles)


def printed(shown: tuple[PaperStep, ...], *said: str) -> bytes:
    return printed_sections(
        [step.section for step in shown], title=paper_words.PAPER_TITLE, sentences=said, signature="nrefs:2|case:lc"
    )


def figure_ids(shown: tuple[PaperStep, ...]) -> list[str]:
    return [
        f"figure-{step}-{number}"
        for step, one in enumerate(shown, start=1)
        for number, _ in enumerate(one.drawings, start=1)
    ]


@pytest.fixture(scope="module")
def shown() -> tuple[PaperStep, ...]:
    return steps_of(sample.data())


@pytest.fixture(scope="module")
def content(shown: tuple[PaperStep, ...]) -> bytes:
    return printed(shown, "Of 20 claims 18 hold.")


@pytest.fixture(scope="module")
def page(content: bytes) -> Page:
    return Page(content)


def test_every_heading_text_and_note_is_there(shown: tuple[PaperStep, ...], content: bytes, page: Page) -> None:
    groups = [drawing.title for step in shown for drawing in step.drawings if drawing.title]
    assert Counter(page.headings) == Counter([paper_words.PAPER_TITLE, *(step.heading for step in shown), *groups])
    text = content.decode().replace("&#39;", "'").replace("&#34;", '"').replace("&gt;", ">")
    assert "<p>Of 20 claims 18 hold.</p>" in text
    assert "<code>nrefs:2|case:lc</code>" in text
    for step in shown:
        assert step.look in text
        assert step.remarks in text


def test_every_cell_of_every_table_is_there(shown: tuple[PaperStep, ...], page: Page) -> None:
    there = Counter(page.cells)
    for step in shown:
        for one in step.tables:
            readable = one.for_people()
            wanted = Counter([*readable.titles, *(cell for row in formatted(readable) for cell in row)])
            assert not wanted - there, step.key


def test_every_figure_has_its_place_and_its_data(shown: tuple[PaperStep, ...], content: bytes, page: Page) -> None:
    ids = figure_ids(shown)
    assert [one for one in page.ids("div") if one] == ids
    assert page.ids("section") == [step.key for step in shown]
    assert re.findall(r'Plotly\.newPlot\(\s*"([^"]+)"', content.decode()) == ids


def test_nothing_is_fetched_from_anywhere(content: bytes, page: Page) -> None:
    assert not [a for a in page.attributes if a[1] in {"src", "href", "srcset", "action", "data", "poster"}]
    assert not page.tags.keys() & {"link", "iframe", "object", "embed", "img", "base", "form"}
    style = content.decode().split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert set(page.tags) <= TAGS


def test_a_policy_forbids_the_page_to_fetch_anything(content: bytes, page: Page) -> None:
    contents = [value for tag, name, value in page.attributes if (tag, name) == ("meta", "content") and value]
    (policy,) = [value for value in contents if "default-src" in value]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    allowed = {"'none'", "'unsafe-inline'", "data:", "blob:"}  # none of which leaves the file
    assert {source for sources in rules.values() for source in sources.split()} == allowed
    assert ("meta", "http-equiv", "Content-Security-Policy") in page.attributes
    assert content.index(b"Content-Security-Policy") < content.index(b"<s")  # it holds for what comes after it


def test_the_size_is_plotly_and_little_more(content: bytes) -> None:
    assert 1_000_000 < len(content) < 8_000_000
    assert content.decode().startswith("<!DOCTYPE html>")


def test_hostile_names_of_systems_judges_groups_and_references_are_text() -> None:
    texts = {
        name: tuple(f"a cat {n} sat {'x' if n <= k else 'on'} the mat" for n in range(9))
        for k, name in enumerate(HOSTILE)
    }
    references = {
        f"R{name}": tuple(f"a cat {n} sat on {k} mat" for n in range(9)) for k, name in enumerate(HOSTILE[:2])
    }
    rows: list[Row] = [
        (n, name, f"{judge} {HOSTILE[judge]}", 1.0 + k + (n * k + judge) % 3, HOSTILE[judge + 2])
        for k, name in enumerate(texts)
        for n in range(1, 5)
        for judge in range(2)
    ]
    corpus = Corpus(texts, references)
    found = repeat_experiment(corpus, PAPER, table(*rows), options=PaperOptions(humans=HOSTILE[:1], blocks=3, draws=9))
    shown = steps_of(PaperInput(corpus=corpus, judgments=table(*rows), results=found))
    content = printed(shown, *HOSTILE)
    page = Page(content)
    assert set(page.tags) <= TAGS
    assert page.tags["h1"] == 1
    assert page.tags["script"] == 1 + len(figure_ids(shown))
    assert not [a for a in page.attributes if a[1] in {"src", "href"} or a[1].startswith("on")]
    assert set(HOSTILE) <= {cell.strip() for cell in page.cells}
    assert "{{ 7 * 7 }}" in content.decode()


def test_half_a_surrogate_pair_in_a_name_is_no_failure(shown: tuple[PaperStep, ...]) -> None:
    assert b"x?y" in printed(shown[:1], "x\ud800y")


def wide(columns: int, name: str = "BLEU of system_{}") -> Table:
    fields = {"mean": Field("text"), "N": Field("count")}
    fields |= {name.format(i): Field("bleu") for i in range(columns)}
    return Table(fields, (("geometric", 4, *(i / 1000 for i in range(columns))),))


@pytest.mark.parametrize(("columns", "tables"), [(0, 1), (5, 1), (14, 2), (60, 6)])
def test_columns_that_do_not_fit_on_paper_go_below_with_what_names_the_row(columns: int, tables: int) -> None:
    step = PaperStep(key="k", heading="Heading", look="Look.", tables=(wide(columns),), notes=())
    page = Page(printed((step,)))
    assert page.tags["table"] == tables
    assert page.cells.count("geometric") == page.cells.count("mean") == tables
    for i in range(columns):
        assert page.cells.count(f"BLEU of system_{i}") == 1
        assert page.cells.count(f"{i / 1000:.4f}") == 1


def test_a_column_wider_than_the_paper_stands_by_itself() -> None:
    step = PaperStep(key="k", heading="Heading", look="Look.", tables=(wide(2, "n" * 300 + "{}"),), notes=())
    assert Page(printed((step,))).tags["table"] in {1, 2}


def test_a_table_without_rows_has_its_header() -> None:
    step = PaperStep(
        key="k",
        heading="Heading",
        look="Look.",
        tables=(Table({"system": Field("text"), "bleu": Field("bleu", label="BLEU")}, ()),),
        notes=(),
    )
    assert Page(printed((step,))).cells == ["system", "BLEU"]
