"""Evidence against the first sentence of the Overview and of reports: judges, and chrF2."""

from __future__ import annotations

from pathlib import Path

from conftest import Runner
from pages import UnopenedSession, load, said, visit

SEGMENTS = 60


def opposed(*, rated: bool) -> list[tuple[str, bytes]]:
    """Files of a system of whole words, better by BLEU, and one with wrong endings, better by chrF2 and judges."""
    words = [f"{a}{b}ing" for a in ("gar", "mel", "tor", "vis", "lun") for b in ("den", "low", "man", "tis")]
    lines = [[words[(s + k) % len(words)] for k in range(14)] for s in range(SEGMENTS)]
    texts = {
        "ref": lines,
        "whole": [[*line[: 8 + s % 2], *(["qqq"] * (6 - s % 2))] for s, line in enumerate(lines)],
        "endings": [
            [word[:-1] + "x" if (k + s) % 3 == 2 else word for k, word in enumerate(line)]
            for s, line in enumerate(lines)
        ],
    }
    files = [(f"{name}.txt", "".join(" ".join(line) + "\n" for line in text).encode()) for name, text in texts.items()]
    rows = "".join(
        f"{s},{name},J{s % 3},{(s * 7 + 3 * k) % 5 + 3 * k}\n"
        for s in range(1, SEGMENTS + 1)
        for k, name in enumerate(("whole", "endings"))
    )
    ratings = [("human.csv", f"segment,system,judge,score\n{rows}".encode())] if rated else []
    return [*files, *ratings]


BY_CHRF = "whole is significantly better than endings by BLEU, and significantly worse by chrF2."
BY_JUDGES = "Judges rate whole significantly lower than endings (mean rating "


def test_judges_and_a_second_metric_that_contradict_the_headline_are_named(app: UnopenedSession) -> None:
    visit(load(app, *opposed(rated=True)), "")
    assert not app.exception
    text = said(app)
    assert "whole scores significantly higher than endings" in text
    assert text.index(BY_JUDGES) < text.index(BY_CHRF) < text.index("The difference is ")


def test_reports_name_them(run: Runner, tmp_path: Path) -> None:
    for name, data in opposed(rated=True):
        (tmp_path / name).write_bytes(data)
    out = tmp_path / "report.html"
    ratings = tmp_path / "human.csv"
    parts = ["--part", "summary", "--part", "significance"]
    systems = [tmp_path / "whole.txt", tmp_path / "endings.txt"]
    run("report", "--ref", tmp_path / "ref.txt", "--human", ratings, *parts, "--out", out, *systems)
    html = out.read_text("utf-8")
    assert html.count(BY_JUDGES) == html.count(BY_CHRF) == len(parts) // 2


def test_without_ratings_only_the_second_metric_is_named(app: UnopenedSession) -> None:
    visit(load(app, *opposed(rated=False)), "")
    assert BY_CHRF in said(app)
    assert "Judges rate" not in said(app)
