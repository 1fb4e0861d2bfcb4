"""User text in Streamlit's Markdown."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dashboard.literal import WORD_JOINER, in_its_direction, literal


def test_markdown_latex_icons_and_colours_are_escaped() -> None:
    assert literal("**b** $x^2$") == r"\*\*b\*\* \$x\^2\$"
    assert literal(":red[x]") == rf"\:{WORD_JOINER}red\[x\]"
    assert literal("![i](http://x/y.png)").startswith(r"\!\[i\]\(http\:")


def test_line_breaks_and_direction_overrides_do_not_get_through() -> None:
    assert literal("a\n\n# b\u202ec") == r"a \# bc"


@given(st.text())
def test_every_mark_of_markdown_stands_behind_a_backslash(text: str) -> None:
    escaped = literal(text)
    without_pairs = re.sub(r"\\.", "", escaped, flags=re.DOTALL)
    assert not re.search(r"[\\`*_{}\[\]()<>#+\-.!|~$&^=:@/]", without_pairs)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"])))
def test_nothing_is_lost(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", literal(text).replace(WORD_JOINER, "")) == text


def test_only_text_that_begins_right_to_left_is_marked_so() -> None:
    for text in ("", "12 cats", "the שלום", "*_*", "\u202eabc"):
        assert in_its_direction(text) == text
    for text in ("שלום.", "12 مرحبا", '"مرحبا" he said'):
        assert in_its_direction(text) == f"\u2067{text}\u2069"
