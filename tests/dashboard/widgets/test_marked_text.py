"""Marked texts: every character is escaped, and marks are the only elements."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.scoring import BleuSettings
from bleu_core.segments import mark_output
from dashboard.widgets.marked_text import (
    different_marks,
    marked_html,
    missing_marks,
    ngram_marks,
    plain_html,
)

HOSTILE = [
    "<b>HB</b>",
    "<img src=x onerror=alert(1)>.txt",
    "</p></mark><script>alert(2)</script>",
    "<style>*{display:none}</style>",
    '<a href="https://127.0.0.1:9/zz">AH</a>',
    "&lt;b&gt; &amp; x &quot;",
    "&amp;lt;b&amp;gt; &#60;b&#62; &copy",
    "**MB** _it_ `co` $x^2$ :red[RED] :material/upload:",
    "![i](http://127.0.0.1:9/x.png)zz",
    "a<br>b<sup>2</sup> \"q\" 'q'",
    "a\u202eb\u202c",
    '"><mark class=x onmouseover=alert(3)>',
    "<!-- a -->b<![CDATA[c]]>",
    "/etc/passwd",
]


class Elements(HTMLParser):
    """The elements of some HTML with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102 # as HTMLParser's
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:  # noqa: D102 # as HTMLParser's
        self.text += data


def read(html: str) -> Elements:
    elements = Elements()
    elements.feed(html)
    elements.close()
    return elements


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("tokenizer", ["13a", "none", "char"])
def test_hostile_text_is_shown_letter_by_letter(text: str, tokenizer: str) -> None:
    settings = BleuSettings(tokenizer=tokenizer)
    output = mark_output(text, [f"{text} x", "b"], settings)
    shown = [
        marked_html(output, ngram_marks(output)),
        marked_html(output, different_marks([True] * len(output.tokens))),
        marked_html(output.references[1], missing_marks([output.references[1].missing])),
    ]
    for html in (plain_html(text), *shown):
        found = read(html).found
        assert found[0][0] == "p"
        assert {tag for tag, _ in found[1:]} <= {"mark"}
        assert {name for _, attributes in found for name in attributes} <= {"class", "dir", "lang"}
    assert read(plain_html(text)).text == text
    for html in shown[:2]:
        assert read(html).text == (text if output.spans is not None else " ".join(output.tokens))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text("ab <&"))
def test_no_character_is_lost(text: str, reference: str) -> None:
    output = mark_output(text, [reference], BleuSettings(tokenizer="none"))
    shown = read(marked_html(output, ngram_marks(output))).text
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    assert shown.replace("\r\n", "\n").replace("\r", "\n") == (plain if text.strip() else "(empty)")


def test_marks_say_which_ngrams_match_and_which_are_clipped() -> None:
    output = mark_output("the the the cat sat", ["the cat the dog"], BleuSettings())
    assert ngram_marks(output) == ["order-1", "order-1", "order-2 clipped", "order-2", ""]
    html = marked_html(output, ngram_marks(output))
    assert '<mark class="order-1">the the</mark> <mark class="order-2 clipped">the</mark>' in html
    assert html.endswith('<mark class="order-2">cat</mark> sat</p>')


def test_longer_ngrams_share_a_mark() -> None:
    output = mark_output("a b c d e f", ["a b c d e f"], BleuSettings(max_order=6))
    assert output.matched == (6,) * 6
    assert set(ngram_marks(output)) == {"order-4"}


def test_tokens_of_a_reference_are_marked_by_the_outputs_that_lack_them() -> None:
    assert list(missing_marks([[True, True, False, False], [True, False, True, False]])) == [
        "missing-both",
        "missing-first",
        "missing-second",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("日本語のテキスト", "ja"),
        ("中文文本", "zh"),
        ("한국어", "ko"),
        ("نص عربي", "ar"),
        ("טקסט", "he"),
        ("plain text", None),
    ],
)
def test_text_has_its_direction_and_the_language_of_its_script(text: str, language: str | None) -> None:
    ((tag, attributes),) = read(plain_html(text)).found
    assert tag == "p"
    assert attributes["dir"] == "auto"
    assert attributes.get("lang") == language


def test_what_was_found_is_marked_across_tokens_and_within_them() -> None:
    output = mark_output("the cat sat", ["the cat ran"], BleuSettings())
    html = marked_html(output, ngram_marks(output), [(1, 5), (8, 9)])
    assert html.endswith(
        '<mark class="order-2">t</mark><mark class="order-2 found">he c</mark><mark class="order-2">at</mark> '
        '<mark class="found">s</mark>at</p>'
    )
    assert '<mark class="found">&lt;b&gt;</mark> x' in plain_html("<b> x", [(0, 3)])


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
    st.lists(st.integers(0, 20), max_size=6).map(sorted),
)
def test_marks_of_what_was_found_change_no_character(text: str, ends: list[int]) -> None:
    output = mark_output(text, [text[3:]], BleuSettings())
    places = [
        (start, min(end, len(output.shown)))
        for start, end in zip(ends[::2], ends[1::2], strict=False)
        if start < min(end, len(output.shown))
    ]
    elements = read(marked_html(output, ngram_marks(output), places))
    assert elements.text == (output.shown if output.shown.strip() or places else "(empty)")
    assert {tag for tag, _ in elements.found} <= {"p", "mark"}
