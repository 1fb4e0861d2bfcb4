"""Data for which one result is undefined: whatever shows it says so, and nothing fails unexpectedly."""

from __future__ import annotations

from contextlib import suppress

import pytest
from conftest import Holder
from nightly import nightly
from pages import visit, with_state
from places import PLACES
from sparse_data import SPARSE

from bleu_core.errors import BleuCoreError
from bleu_core.uploads import assemble
from dashboard import analysis
from dashboard.exhibits import EXHIBITS, Data
from dashboard.export import (
    DataInUse,
    Source,
    cautions,
    figure_commands,
    make_report,
    make_short_report,
    possible_parts,
    report_commands,
)


def _check(name: str, metric: str) -> None:
    """Draw all exhibits, and make all parts of the report, in its forms, with its commands."""
    given = SPARSE[name]
    workspace = assemble(given.files)
    view = analysis.view_of(workspace, given.selection)
    metrics = analysis.metrics_on_offer(view)
    if metric not in metrics:
        return
    options = analysis.ComparisonOptions(metric=metrics[metric].key, draws=100)
    data = Data(view, analysis.ratings_or_none(view), options)
    files = DataInUse(view, given.selection.choices(workspace, paper_preset=True))
    for exhibit in EXHIBITS.values():
        with suppress(BleuCoreError):  # which pages and commands show
            figure = exhibit.draw(data)
            assert figure.to_json()
            assert exhibit.numbers(data).columns
            assert figure_commands(files, exhibit, data)
    source = Source(data, calls=report_commands(files, data), cautions=cautions(view))
    assert source.calls
    report = make_report(source)
    assert [section.key for section in report.sections] == [part.key for part in possible_parts(source)]
    assert report.html()
    assert make_short_report(source).html()


@pytest.mark.parametrize("name", SPARSE)
def test_exhibits_and_reports_say_what_is_undefined(name: str) -> None:
    _check(name, "BLEU")


@pytest.mark.parametrize("metric", nightly(["TER", "Human ratings", "COMET"]))
@pytest.mark.parametrize("name", SPARSE)
def test_exhibits_and_reports_by_other_metrics_say_what_is_undefined(name: str, metric: str) -> None:
    _check(name, metric)


@pytest.mark.unknown_choices  # "Human ratings" without ratings
@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("ratings of an excluded system only", "BLEU"),
        ("two segments", "BLEU"),
        *nightly((name, metric) for name in SPARSE for metric in ("TER", "Human ratings")),
    ],
)
def test_pages_and_their_code_say_what_is_undefined(name: str, metric: str, holding: Holder) -> None:
    given = SPARSE[name]
    app = with_state(holding(given.files, **given.parameters, metric=metric), {"section-code": True})
    by_day = [path for path in PLACES if path.startswith(("report", "judges", "paper"))]
    for path in by_day if metric == "BLEU" else PLACES:
        assert not visit(app, path).exception, path
