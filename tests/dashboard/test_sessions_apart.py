"""Two sessions with equal texts: nothing that has a name in one of them is seen, or can be downloaded, in the other."""

from __future__ import annotations

import io
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Downloads
from pages import APP, visit
from sentences import messages_of
from streamlit.testing.v1 import AppTest

from bleu_core.counts import Texts, count_texts, encode_counts
from bleu_core.scoring import Counting
from bleu_core.uploads import File
from dashboard import views
from dashboard.session import work
from dashboard.session.cache import Results, Shared

#: In names of a session, and in nothing else.
ALICE, BOB, CAROL = "alice7f3", "bobk29", "carol5d1"

#: What the keys of downloads begin with, of which all have names of the data.
KINDS = ("tsv", "xlsx", "tex", "json", "data", "print", "report", "save", "campaign")

SEGMENTS = 12
SOURCE = [f"quelle {n} satz mit {n % 5} zahlen" for n in range(SEGMENTS)]
TRUTH = [f"the cat number {n} sat on the mat with {n % 5} dogs" for n in range(SEGMENTS)]
OTHER_TRUTH = [f"cat number {n} was sitting on a mat with {n % 5} dogs" for n in range(SEGMENTS)]
OUTPUTS = {
    "one": [text.replace("sat", "sits") for text in TRUTH],
    "two": [text.replace("the mat", "a mat").replace("cat", "dog" if n % 2 else "cat") for n, text in enumerate(TRUTH)],
    "three": [text.replace("with", "and") if n % 3 else "a cat" for n, text in enumerate(TRUTH)],
}


def lines(texts: Sequence[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def files_of(owner: str, name: str) -> tuple[File, ...]:
    """Texts, labels, ratings and scores of a metric.

    Args:
        owner: in the names of files.
        name: in the names of systems, references, judges, groups, labels and the metric.
    """
    systems = {f"{name}-{key}": texts for key, texts in OUTPUTS.items()}
    references = {f"{name}-truth": TRUTH, f"{name}-other": OTHER_TRUTH}
    ratings = [
        f"{n + 1},{system},{name}-judge{judge},{name}-group{judge % 2},{(7 * n + 5 * judge + 3 * k) % 11}"
        for n in range(SEGMENTS)
        for k, system in enumerate(systems)
        for judge in range(4)
    ]
    ratings.append(f"1,{name}-unknown,{name}-judge0,{name}-group0,5")  # which is not used, as messages say
    labels = [f"{n + 1},{name}-{'news' if n % 2 else 'chat'}" for n in range(SEGMENTS)]
    scores = [
        f"{system},{name}-metric,{n + 1},{(n * 7 + k * 3) % 10 / 10}"
        for k, system in enumerate(systems)
        for n in range(SEGMENTS)
    ]
    return (
        *(File(f"{owner}-{n}.txt", lines(text), "system", renamed=of) for n, (of, text) in enumerate(systems.items())),
        *(File(f"{owner}-{of}.ref", lines(text), "reference", renamed=of) for of, text in references.items()),
        File(f"{owner}-source.txt", lines(SOURCE), "source"),
        File(f"{owner}-documents.txt", lines([f"{name}-document{n // 3}" for n in range(SEGMENTS)]), "document"),
        File(f"{owner}-ratings.csv", lines(["segment,system,judge,group,score", *ratings]), "judgments"),
        File(f"{owner}-labels.csv", lines([f"segment,{name}-domain", *labels]), "labels"),
        File(f"{owner}-metric.csv", lines(["system,metric,segment,score", *scores]), "scores"),
        File(f"{owner}.counts", encode_counts(count_texts(Texts(systems, references), counting=Counting())), "counts"),
    )


@dataclass
class Session:
    """A session, and all that was seen and could be downloaded in it.

    Attributes:
        app: the session.
        downloads: the files that its pages offer, by key.
        got: page or download -> content.
    """

    app: AppTest
    downloads: Downloads
    got: dict[str, bytes] = field(default_factory=dict[str, bytes])

    @classmethod
    def of(cls, mine: tuple[File, ...], downloads: Downloads) -> Session:
        """A session that shows these files, in a slice."""
        app = AppTest.from_file(str(APP), default_timeout=60).run()
        app.session_state["held"].files = mine
        app.session_state["dataset"] = "own"
        app.run().text_input(key="slice").set_value("length > 3").run()
        return cls(app, downloads)

    def visit(self, path: str) -> None:
        """Read a page, its address and all that it offers to download."""
        self.downloads.clear()
        visit(self.app, path)
        assert not self.app.exception
        sent = (message.SerializeToString() for message in messages_of(self.app))
        self.got[path] = b"\n".join([*sent, repr(dict(self.app.query_params)).encode()])
        for key, content in self.downloads.items():
            self.got[f"{path}: {key}"] = b"\n".join(_unpacked(content()))

    def saw(self, text: str) -> list[str]:
        """Pages and downloads in which a text is."""
        return [place for place, content in self.got.items() if text.encode() in content]


def _unpacked(content: bytes) -> Iterator[bytes]:
    """The bytes of a file; of an archive or a spreadsheet those of its members, with their names."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        yield content
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            yield name.encode()
            yield from _unpacked(archive.read(name))


def test_no_session_sees_or_downloads_a_name_of_another_with_equal_texts(
    on_sample: None,  # noqa: ARG001
    downloads: Downloads,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "RESULTS", Results(2**30, 600))
    names = {ALICE: "equal", BOB: "equal", CAROL: CAROL}  # Bob's files differ from Alice's in their names alone
    sessions = {owner: Session.of(files_of(owner, name), downloads) for owner, name in names.items()}
    order = deque(sessions.values())
    for page in views.PAGES:
        for session in order:
            session.visit(page.path)
        order.rotate()  # each session is sometimes the first
    for owner, session in sessions.items():
        seen = {other: session.saw(other) for other in sessions}
        assert [f"{owner}: {place}" for other in sessions if other != owner for place in seen[other]] == []
        assert {"paper: paper-json", "report: report", "data: save-workspace"} <= set(seen[owner])
    assert {page.path for page in views.PAGES} <= set(sessions[CAROL].saw(CAROL))
    assert {place.rpartition(": ")[2].partition("-")[0] for place in sessions[CAROL].saw(CAROL)} >= set(KINDS)


def _holds(value: Any, text: str, seen: set[int]) -> bool:
    """Whether a text is anywhere in a value."""
    if isinstance(value, Mapping):
        return any(_holds(element, text, seen) for element in (*value.keys(), *value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(_holds(element, text, seen) for element in value)
    if is_dataclass(value) and not isinstance(value, type):
        if id(value) in seen:  # some refer to each other
            return False
        seen.add(id(value))
        held = [getattr(value, field.name) for field in fields(value)] + [*getattr(value, "__dict__", {}).values()]
        return _holds(held, text, seen)
    if isinstance(value, pd.DataFrame):
        return text in value.to_csv()
    return not isinstance(value, (np.ndarray, int, float)) and text in str(value)


def test_what_a_person_types_is_in_no_result_that_sessions_share(
    on_sample: None,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = Results(2**30, 600)
    monkeypatch.setattr(work, "RESULTS", results)
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    held = app.session_state["held"]
    held.files = held.opened = files_of("server", "public")  # as the server opens files for every session
    app.session_state["dataset"] = "own"
    app.run().text_input(key="slice").set_value(f'not source ~ "{ALICE}"').run()
    visit(app, "segments").text_input(key="segments_search").set_value(ALICE).run()
    visit(app, "campaign").text_input(key="campaign_title").set_value(ALICE).run()
    for page in views.PAGES:
        visit(app, page.path)
        assert not app.exception
    kept = {key: value.value for key, value in vars(results)["_results"].items()}
    shared = {key: value for key, value in kept.items() if isinstance(key, Shared) or not key.owner}
    typed = {key: value for key, value in kept.items() if _holds((key, value), ALICE, set())}
    assert [key.kind for key in typed if key in shared] == []
    private = {key.kind for key in typed}
    names = {"analysis.view._segments", "analysis.segment_order._containing", "views.campaign.analysis.design._design"}
    assert {f"dashboard.{name}" for name in names} <= private
    assert len(shared) > 2 * len(private)
