"""Addresses that earlier versions of the dashboard wrote open the same view: heading, settings, choices and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import Opener
from nightly import nightly
from pages import load, said, upload, visit
from sacrebleu.metrics.bleu import BLEU
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.counts import Texts, count_texts, encode_counts
from bleu_core.scoring import Counting
from dashboard.session.settings import INITIAL_VALUES
from dashboard.views import PAGES

#: Of the sample data.
DATA = "data=062c89d76ad493d1"

CHAR = "lowercase=true&smoothing=floor&tokenizer=char&without_systems=S3"
REFINED = "intervals=false&reference_length=shortest&smoothing=floor&smoothing_value=0.2&weights=0.4+0.3+0.2+0.1"
SYSTEMS = "interval_kind=formula&machines_only=false&one_out=none&score=BLEU&without_outliers=false"
METRICS = (
    "level_of=systems&method_systems=Pearson&metric_correction=Holm&metric_test=permutation+of+scores"
    "&metrics=BLEU-1&metrics=BLEU-2&metrics=BLEU-3"
)
LIKE_THE_PAPER = "tokenizer=none&lowercase=true&smoothing=none&without_references=R3&without_references=R4"
EXAMPLE = "example=Example+1%2C+candidate+1&paper_intervals=by+judge+and+segment%2C+as+in+the+paper"

#: As a browser's address bar showed them -> the page's heading, and a number or name that it showed.
EARLIER = {
    f"/?{DATA}": ("Overview", "(38.80 BLEU)"),
    f"/?{DATA}&{CHAR}": ("Overview", "(69.98 BLEU)"),
    f"/data?{CHAR}&{DATA}": ("Data", "Sample data"),
    f"/scores?{DATA}&{CHAR}&order=name": ("Ranking", "(69.98 BLEU)"),
    f"/scores?{DATA}&{REFINED}&without_references=R3": ("Ranking", "(42.44 BLEU)"),
    f"/scores?{DATA}&{REFINED}&without_references=R3&max_order=3": ("Ranking", "weights"),
    f"/precision?{DATA}&{CHAR}&precision_as=bars": ("Precision", "84%"),
    f"/precision?{DATA}&fits=false&logarithmic=false": ("Precision", "71%"),
    f"/blocks?{DATA}&divide_into=size&{CHAR}&violin=true": (
        "Blocks",
        "Over 20 blocks, H2 has a mean score of 69.72 BLEU",
    ),
    f"/blocks?{DATA}&divide_into=documents": ("Blocks", "Over 40 blocks, H2 has a mean score of 39.17 BLEU"),
    f"/blocks?blocks_number=10&{DATA}": ("Blocks", "Over 10 blocks, H2 has a mean score of 38.80 BLEU"),
    f"/significance?{DATA}&{CHAR}&pair_baseline=H1&pair_system=H2&test=approximate+randomisation": (
        "Ranking",
        "4 tiers",
    ),
    f"/significance?compare_with=S1&correction=none&{DATA}&level=0.01&metric=chrF2&pair_baseline=H1&pair_system=S3"
    "&units=documents": ("Ranking", "All 4 others score significantly higher than S1"),
    f"/human?{DATA}&{SYSTEMS}": ("Agreement", "r = 0.99 over 5 systems"),
    f"/human?{DATA}&interval_kind=bootstrap&machines_only=true&one_out=S2&score=BLEU-2&show=Systems&smoothing=floor"
    "&without_outliers=true": ("Agreement", "order 3 of 3 pairs of systems"),
    f"/human?{DATA}&{SYSTEMS}&show=Metrics&{METRICS}": ("Metrics", "(Pearson's r = 0.9956)"),
    f"/human?{DATA}&{SYSTEMS}&show=Metrics&smoothing=floor&level_of=segments&method_segments=Kendall&grouping=by+system"
    "&metric_correction=none&metric_test=permutation+of+scores&metrics=BLEU-1&metrics=BLEU-2": (
        "Metrics",
        "(Kendall's tau = 0.02)",
    ),
    f"/human?{DATA}&{SYSTEMS}&{METRICS}&show=Segments&segment_metric=BLEU&read_system=H2&read_segment=61": (
        "Agreement",
        "Read a segment",
    ),
    f"/human?{DATA}&{SYSTEMS}&read_segment=7&read_system=S1&segment_metric=BLEU&show=Segments&smoothing=floor": (
        "Agreement",
        "Ratings of segment 7 of S1 by judge.",
    ),
    f"/human?{DATA}&{SYSTEMS}&show=Judges&without_groups=bilingual": ("Judges", "2,221 ratings by 10 judges"),
    f"/human?{DATA}&{SYSTEMS}&{METRICS}&show=Differences&rated_pairs=neighbours&rated_by=all+judges&rated_unit=segment"
    "&without_groups=bilingual&zscore=true": ("Judges", "4 pairs of neighbours"),
    f"/human?{DATA}&{SYSTEMS}&rated_by=each+group&rated_pairs=one+pair&rated_unit=judge&show=Differences"
    "&smoothing=floor&zscore=true&rated_system=H1&rated_against=S3": ("Judges", " 1.27 "),
    f"/paper?{LIKE_THE_PAPER}&{DATA}&{EXAMPLE}": ("The 2002 paper", "18 of the paper's 20 claims hold"),
    f"/paper?{LIKE_THE_PAPER}&{DATA}&without_systems=S3&paper_intervals=by+segment+and+by+judge%2C+too": (
        "The 2002 paper",
        "17 of the paper's 20 claims hold",
    ),
    f"/paper?{DATA}&zscore=true": ("The 2002 paper", "5 systems, 500 segments, 4 references (R1, R2, R3, R4)"),
}


#: Paths of the pages at version 0.2 -> the title of the page, and the part, that show the same.
FORMER: dict[str, tuple[str, str]] = {
    "": ("Overview", ""),
    "scores": ("Ranking", "scores"),
    "significance": ("Ranking", "pairs"),
    "two-systems": ("Two systems", "difference"),
    "slices": ("Two systems", "slices"),
    "references": ("Ranking", "by-reference"),
    "precision": ("Precision", ""),
    "blocks": ("Blocks", ""),
    "segments": ("Segments", ""),
    "ngrams": ("Two systems", "ngrams"),
    "system-agreement": ("Agreement", "by-system"),
    "segment-agreement": ("Agreement", "by-segment"),
    "agreement-by-class": ("Agreement", "by-class"),
    "metrics": ("Metrics", "best-agreement"),
    "judges": ("Judges", "agreement"),
    "rater-differences": ("Judges", "human-ranking"),
    "score-differences": ("Metrics", "meaning-of-a-difference"),
    "campaign": ("Campaign", ""),
    "paper": ("The 2002 paper", ""),
    "report": ("Report", "printed"),
    "data": ("Data", ""),
}


#: Paths that have gone; those that have stayed are those that other tests open.
GONE = [path for path in FORMER if path not in {page.path for page in PAGES}]


@pytest.mark.parametrize("path", [*GONE[::2], *nightly(path for path in FORMER if path not in GONE[::2])])
def test_an_address_of_a_former_page_opens_the_page_and_the_part(opened: Opener, path: str) -> None:
    app = opened(path, tokenizer="char", slice="segment <= 100")
    title, part = FORMER[path]
    assert [heading.value for heading in app.title] == [title]
    parts = [box.value for box in app.segmented_control if (box.key or "").endswith("_part")]
    assert parts == ([part] if part else [])
    assert app.query_params["tokenizer"] == "char"
    assert app.session_state["tokenizer"] == "char"
    assert app.session_state["slice"] == "segment <= 100"


def test_a_link_of_a_former_page_opens_the_part_once_its_data_are_loaded(opened: Opener) -> None:
    files = [("ref.txt", b"a b c d\n"), ("x.txt", b"a b c d e\n"), ("y.txt", b"a b c\n")]
    app = opened("")
    upload(app, *files)
    link = dict(app.query_params)
    other = opened("significance", data=link["data"], files=link["files"], level="0.01")
    assert "The data of this address are not loaded" in said(other)
    load(other, *files)
    visit(other, "ranking")
    assert other.segmented_control(key="ranking_part").value == "pairs"
    assert other.selectbox(key="level").value == "0.01"


def test_the_part_for_counts_files_of_a_former_link_opens_where_there_are_some(opened: Opener) -> None:
    texts = Texts({"A": ["a b c d"]}, {"R": ["a b c d"]})
    counts = encode_counts(count_texts(texts, counting=Counting("13a")))
    app = opened("")
    upload(app, ("a.counts", counts))
    link = dict(app.query_params)
    other = opened("counts", data=link["data"], files=link["files"])
    load(other, ("a.counts", counts))
    visit(other, "ranking")
    assert other.segmented_control(key="ranking_part").value == "counts-files"


def opens(opened: Opener, address: str) -> tuple[AppTest, dict[str, list[str]]]:
    parts = urlsplit(address)
    parameters = parse_qs(parts.query)
    return opened(parts.path[1:], **{key: of if len(of) > 1 else of[0] for key, of in parameters.items()}), parameters


def written(value: Any) -> list[str]:
    """A widget's value as addresses have it."""
    if isinstance(value, list):
        return value
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def first_of_each_view(addresses: Iterable[str]) -> list[Any]:
    """The first address of each page, or of each view that it had, for every run, the others for the nightly one."""
    seen: set[tuple[str, ...]] = set()
    found: list[Any] = []
    for address in addresses:
        parts = urlsplit(address)
        view = (parts.path, *parse_qs(parts.query).get("show", ()))
        found.append(pytest.param(address, marks=[pytest.mark.slow] if view in seen else []))
        seen.add(view)
    return found


@pytest.mark.parametrize("address", first_of_each_view(EARLIER))
def test_an_earlier_address_opens_the_same_view(opened: Opener, address: str) -> None:
    app, parameters = opens(opened, address)
    heading, shown = EARLIER[address]
    assert [title.value for title in app.title] == [heading]
    assert not app.warning  # as where the data are others
    values = {key: written(app.session_state[key]) for key in parameters if key in app.session_state}
    assert values == {key: parameters[key] for key in values}
    assert {key for key in parameters if key in INITIAL_VALUES} <= values.keys()
    assert {key for key in app.query_params if key in INITIAL_VALUES} == {
        key for key in parameters if key in INITIAL_VALUES
    }
    if "machines_only" not in parameters:  # earlier versions ranked human translations, which a click does now
        for switch in app.toggle:
            if switch.key == "rank_humans":
                switch.set_value(True).run()
    assert shown in said(app)
    assert not app.exception


@pytest.mark.parametrize("tokenizer", [pytest.param("none", marks=pytest.mark.slow), "char"])
def test_an_earlier_address_of_the_paper_page_shows_the_same_numbers(opened: Opener, tokenizer: str) -> None:
    app, _ = opens(opened, f"/paper?{LIKE_THE_PAPER.replace('tokenizer=none', f'tokenizer={tokenizer}')}&{DATA}")
    references = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in sample_data.references()[:2]]
    open_all = next(button for button in app.button if button.key == "open-sections")
    open_all.click().run()
    found = next(d.value for d in app.dataframe if {"bleu", "system"} <= set(d.value.columns))
    for path in sample_data.systems()[::4]:  # the first and the last: sacreBLEU takes its time
        bleu = BLEU(tokenize=tokenizer, lowercase=True, smooth_method="none")
        score = bleu.corpus_score(path.read_text(encoding="utf-8").split("\n")[:-1], references).score
        assert found.loc[found["system"] == path.stem, "bleu"].item() == pytest.approx(score / 100, rel=1e-9)


# --- pages for which the data lack something --------------------------------------------------------------------


def dimmed(app: AppTest) -> dict[str, str]:
    """The paths of the pages that the navigation dims -> why."""
    rules = "".join(str(block.proto.body) for block in app.get("html"))
    return dict(re.findall(r'\[href\$="/([a-z-]*)"\]::after \{ content: "([^"]*)" \}', rules))


def test_the_navigation_dims_pages_that_lack_something_and_says_what(opened: Opener) -> None:
    assert dimmed(opened("")) == {}
    app = opened("")
    upload(app, ("ref.txt", b"a b c d\n"), ("x.txt", b"a b c d e\n"))
    one_system = {"test-sets": "needs several test sets"}
    assert dimmed(app) == one_system | {"agreement": "needs ratings", "judges": "needs ratings"}
    visit(app, "judges")
    assert "No human judgments are loaded" in said(app)
    links: list[Any] = list(app.get("page_link"))
    assert [link.proto.label for link in links if link.proto.page == "campaign"] == ["Collect ratings in a campaign"]
