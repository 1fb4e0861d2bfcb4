"""Errors that judges marked in starred segments, in reports."""

from __future__ import annotations

from bleu_core.uploads import File, assemble
from dashboard.analysis import view_of
from dashboard.exhibits import Data
from dashboard.export import Source, make_report
from dashboard.session import SegmentNote, Selection

MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td\t1\t1\tann\tle chat\ta <v>red</v> cat\tStyle/<b>x</b>\tMinor\n"
    "A\td\t1\t1\tann\tle <v>chat</v>\ta red cat\tAccuracy/Omission\tMajor\n"
    "A\td\t1\t1\tbob\tle chat\ta red cat\tNo-error\tNo-error\n"
)


def test_a_report_lists_the_errors_in_outputs_of_starred_segments() -> None:
    files = [
        File("A.txt", b"a red cat\ntwo words\n", "system"),
        File("B.txt", b"one more\nb\n", "system"),
        File("ref.txt", b"r s\nt u\n", "reference"),
        File("src.txt", b"le chat\ndeux\n", "source"),
        File("m.tsv", MQM.encode(), "judgments"),
    ]
    notes = {1: SegmentNote(starred=True), 2: SegmentNote(starred=True)}
    source = Source(Data(view_of(assemble(files), Selection())), notes=notes)
    (section,) = make_report(source, ["starred"]).sections
    first, second = (dict(example.texts) for example in section.examples)
    assert first["Errors of A"] == (
        "“red”: minor, Style/<b>x</b> (ann); “chat”: major, Accuracy/Omission, in the source (ann); no errors (bob)"
    )
    assert "Errors of B" not in first
    assert not [name for name in second if name.startswith("Errors")]
    assert "Style/&lt;b&gt;x&lt;/b&gt; (ann)" in make_report(source, ["starred"]).html().decode()


def test_a_report_has_the_errors_of_two_systems() -> None:
    header, *_ = MQM.split("\n")
    rows = [
        f"{system}\td\t{n}\t{n}\tann\ts\t{mark}\t{error}"
        for n in range(1, 41)
        for system, mark, error in (
            ("A", "<v>a</v> b", "Style/<b>x</b>\tMinor"),
            ("B", "a c", "No-error\tNo-error"),
        )
    ]
    files = [
        File("A.txt", b"a b\n" * 40, "system"),
        File("B.txt", b"a c\n" * 40, "system"),
        File("ref.txt", b"r s\n" * 40, "reference"),
        File("m.tsv", "\n".join([header, *rows]).encode(), "judgments"),
    ]
    source = Source(Data(view_of(assemble(files), Selection())))
    (section,) = make_report(source, ["errors"]).sections
    assert section.sentences[0] == "A has significantly more errors than B: 500.00 and 0.00 per 1,000 tokens."
    assert [row[0] for row in section.tables[0].rows] == ["all errors", "minor"]
