"""Messages are single lines of bounded length, whatever names and texts they quote."""

import pickle

import pytest

from bleu_core.errors import MAX_MESSAGE_LENGTH, BleuCoreError, FormatError, listed, one_line
from bleu_core.limits import LimitError


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
        ("\x1b", "\\x1b"),
        ("\x00", "\\x00"),
        ("\x7f", "\\x7f"),
        ("\x85", "\\x85"),
        ("\u2028", "\\u2028"),
        ("\u202e", "\\u202e"),
        ("\u2066", "\\u2066"),
        ("\u200f", "\\u200f"),
        ("\ud800", "\\ud800"),
    ],
)
def test_a_message_shows_what_cannot_be_printed_as_an_escape(character: str, shown: str) -> None:
    message = str(FormatError(f"a{character}b.txt: empty"))
    assert message == f"a{shown}b.txt: empty"
    message.encode()  # can be printed


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    text = "Größe 大小 مرحبا e\u0301 👩\u200d🚀 \u00a0\u00ad“q”"
    assert one_line(text) == text
    assert one_line("") == ""
    assert one_line("x" * MAX_MESSAGE_LENGTH) == "x" * MAX_MESSAGE_LENGTH


@pytest.mark.parametrize("filler", ["x", "\n", "\u202e"])
def test_a_long_message_keeps_its_begin_and_its_end(filler: str) -> None:
    message = str(LimitError(f"file.txt: {filler * 1_000_000}; rename it"))
    assert len(message) == MAX_MESSAGE_LENGTH
    assert message.startswith("file.txt: ")
    assert "…" in message
    assert message.endswith("; rename it")


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(FormatError("a\nb")))  # noqa: S301 # made here
    assert type(error) is FormatError
    assert str(error) == "a\\nb"
    assert isinstance(error, BleuCoreError)


def test_a_list_names_the_first_and_counts_the_others() -> None:
    assert listed([]) == ""
    assert listed(["A"]) == "A"
    assert listed("ABC", max_items=3) == "A, B, C"
    assert listed("ABCD", max_items=3) == "A, B, C and 1 more"
    assert listed((str(n) for n in range(100_000)), max_items=2) == "0, 1 and 99,998 more"


def test_long_names_in_a_list_are_cut_in_their_middle() -> None:
    names = [f"{n}{'a' * 5000}{n}" for n in range(10)]
    shown = listed(names)
    assert len(shown) < MAX_MESSAGE_LENGTH
    assert all(part.startswith(str(n)) and part.endswith(str(n)) for n, part in enumerate(shown.split(", ")))
