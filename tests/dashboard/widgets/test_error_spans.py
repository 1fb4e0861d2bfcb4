"""Errors in texts as HTML: lines, notes and lists, with every character escaped."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from annotated_errors import error_at, omission
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.scoring import BleuSettings
from bleu_core.segments import SegmentError, mark_errors, mark_output
from dashboard.widgets import ShownErrors, marked_html, ngram_marks, plain_html

HOSTILE = [
    "<b>HB</b>",
    "<img src=x onerror=alert(1)>.txt",
    "</p></mark></span><script>alert(2)</script>",
    '"><mark class=x onmouseover=alert(3)>',
    "' autofocus tabindex=1 onfocus=alert(4) x='",
    "&lt;b&gt; &amp; x &quot;",
    "**MB** _it_ `co` $x^2$ :red[RED] :material/upload:",
    "a\u202eb\u202c",
]

#: Elements and attributes of texts with errors.
ELEMENTS = {"p", "mark", "span", "ul", "li"}
ATTRIBUTES = {"class", "dir", "lang", "tabindex", "aria-describedby", "role", "id"}


class Parsed(HTMLParser):
    """HTML with its elements, the text of the paragraph and notes, and the entries of lists."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[dict[str, str | None]] = []
        self.text, self.notes, self.entries, self.annotators = "", dict[str, str](), list[str](), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102 # as HTMLParser's
        self.elements.append((tag, dict(attrs)))
        self._open.append({"tag": tag, **dict(attrs)})
        if tag == "li":
            self.entries.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: D102 # as HTMLParser's
        assert self._open.pop()["tag"] == tag

    def handle_data(self, data: str) -> None:  # noqa: D102 # as HTMLParser's
        note = next((element["id"] for element in self._open if element.get("role") == "tooltip"), None)
        if note is not None:
            self.notes[note] = self.notes.get(note, "") + data
        elif self._open[0]["tag"] == "ul":
            self.entries[-1] += data
        elif self._open[0].get("class") == "error-annotators":
            self.annotators += data
        else:
            self.text += data

    def pieces(self) -> list[dict[str, str | None]]:
        """Return the attributes of pieces with errors."""
        return [attributes for tag, attributes in self.elements if (tag, attributes.get("class")) == ("mark", "error")]


def shown(text: str, *errors: SegmentError, annotators: str = "") -> ShownErrors:
    return ShownErrors(marks=mark_errors(text, errors), annotators=annotators, key="e")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_names_and_categories_are_shown_letter_by_letter(hostile: str) -> None:
    errors = [
        error_at(0, 4, hostile, severity=hostile, category=hostile),
        error_at(2, 99, f"{hostile} 2"),
        omission(hostile),
    ]
    output = mark_output(hostile, [f"{hostile} x"], BleuSettings())
    html = marked_html(output, ngram_marks(output), [(1, 3)], shown(hostile, *errors, annotators=hostile))
    found = Parsed(html)
    assert {tag for tag, _ in found.elements} <= ELEMENTS
    assert {name for _, attributes in found.elements for name in attributes} <= ATTRIBUTES
    assert found.text == hostile
    assert found.annotators == hostile
    plain = hostile.replace("\u202e", "").replace("\u202c", "")
    assert found.notes["e-0"] == f"{plain}, {plain} ({plain})"
    assert found.entries[-1] == f"Missing text: major, Accuracy/Omission ({plain})"


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    st.lists(st.tuples(st.integers(-1, 22), st.integers(-1, 22)), max_size=5),
    st.lists(st.integers(0, 20), max_size=4, unique=True).map(sorted),
)
def test_errors_change_no_character(text: str, spans: list[tuple[int, int]], ends: list[int]) -> None:
    output = mark_output(text, [text[3:]], BleuSettings())
    hits = [(start, end) for start, end in zip(ends[::2], ends[1::2], strict=False) if end <= len(text)]
    errors = shown(text, *(error_at(*span, f"J{k}") for k, span in enumerate(spans)))
    for html in (plain_html(text, hits, errors), marked_html(output, ngram_marks(output), hits, errors)):
        found = Parsed(html)
        assert found.text == text or (not text.strip() and found.text in (text, "(empty)"))
        ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
        assert ids == [piece["aria-describedby"] for piece in found.pieces()]
        assert len(set(ids)) == len(ids)
        assert len(found.entries) == len(spans)


def test_the_tab_key_goes_to_pieces_where_an_error_begins() -> None:
    found = Parsed(plain_html("The quick brown fox", (), shown("", error_at(0, 1))))
    assert found.pieces() == []
    text = "The quick brown fox"
    found = Parsed(plain_html(text, (), shown(text, error_at(4, 15), error_at(10, 19, "K", severity="critical"))))
    assert [piece["tabindex"] for piece in found.pieces()] == ["0", "0", "-1"]
    assert list(found.notes.values()) == [
        "minor, Fluency/Grammar (J)",
        "minor, Fluency/Grammar (J)critical, Fluency/Grammar (K)",
        "critical, Fluency/Grammar (K)",
    ]
    lines = [attributes["class"] for _, attributes in found.elements if "error-line" in (attributes.get("class") or "")]
    assert lines == [
        "error-line minor layer-1",
        "error-line critical layer-2",
        "error-line minor layer-1",
        "error-line critical layer-2",
    ]
    assert found.elements[0] == ("p", {"class": "segment-text with-errors layers-2", "dir": "auto"})


def test_severities_without_a_line_of_their_own_share_one() -> None:
    text = "abc"
    html = plain_html(text, (), shown(text, error_at(0, 1, severity="neutral"), error_at(1, 2, severity="x y")))
    assert html.count("error-line other") == 2


def test_tokens_that_are_not_in_the_text_give_way_to_the_text_with_its_errors() -> None:
    text = "İ b"  # has more characters in lower case
    output = mark_output(text, ["a b"], BleuSettings(lowercase=True))
    assert output.shown != text
    errors = shown(text, error_at(0, 1))
    assert Parsed(marked_html(output, ngram_marks(output), (), errors)).text == text
    assert "error-line" not in marked_html(output, ngram_marks(output), (), shown(text))


def test_every_layer_and_line_has_a_rule_in_the_stylesheet() -> None:
    from dashboard.widgets.error_spans import MAX_LAYERS
    from dashboard.words import SEVERITY_LINES

    css = (Path(sys.modules["dashboard"].__path__[0]) / "page.css").read_text("utf-8")
    assert all(f".layers-{n} {{\n  --layers: {n};" in css for n in range(1, MAX_LAYERS + 1))
    assert all(f".error-line.layer-{n} {{" in css for n in range(2, MAX_LAYERS + 1))
    assert f"layers-{MAX_LAYERS + 1}" not in css
    for severity, line in {**SEVERITY_LINES, "other": "dashed"}.items():
        style = {"thick": "solid"}.get(line, line)
        assert f".error-line.{severity} {{\n  text-decoration: underline {style} " in css
