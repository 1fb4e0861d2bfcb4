"""What is shown of long work is text, whatever the names in it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from dashboard.literal import literal


def stopped() -> None:
    """Ask for work that was stopped."""
    import streamlit as st

    from dashboard.session import cached
    from dashboard.session.cache import Private
    from dashboard.session.work import SCOPE_OF_SAMPLE

    computed = cached("Computing *odd* [link](x)", "hypotheses")(lambda _: 1)
    st.session_state.stopped = Private(*SCOPE_OF_SAMPLE, f"{__name__}.stopped.<locals>.<lambda>", ())
    computed(SCOPE_OF_SAMPLE)


def test_the_name_of_work_is_no_markdown() -> None:
    app = AppTest.from_function(stopped).run()
    (info,) = app.info
    assert info.value == literal("Computing *odd* [link](x) was stopped. Other settings may take less time.")


def test_a_page_has_as_long_as_its_test() -> None:
    def slow() -> None:
        import time

        time.sleep(0.3)

    assert not AppTest.from_function(slow, default_timeout=0.05).run().exception
