"""What readers notice reaches people in three places, in the same words: standard error, JSON and the Data page."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import Runner, Writer
from small_files import MQM, parquet, workbook

from bleu_core.dataset import RatedSegments
from bleu_core.formats import FORMATS, FileRole
from bleu_core.uploads import File, assemble

REFERENCE = "the cat sat\na dog barked loud\n"
SYSTEMS = {"A": "the cat sits\na dog barks loud\n", "B": "a cat sat\nthe dog barked\n"}
UNIT = '<trans-unit id="{0}"><source>s {0}</source>{1}</trans-unit>'
XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" '
    f'target-language="de" original="x" datatype="plaintext"><body>{UNIT.format(1, "<target>ja so</target>")}'
    f"{UNIT.format(2, '')}</body></file></xliff>"
)
TUV = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'
TMX = (
    '<tmx version="1.4"><header srclang="en" creationtool="x" creationtoolversion="1" segtype="sentence" '
    'o-tmf="x" adminlang="en" datatype="plaintext"/><body>'
    f"<tu>{TUV.format('en', 'yes')}{TUV.format('de', 'ja so')}</tu><tu>{TUV.format('en', 'no')}</tu></body></tmx>"
)
WMT_XML = (
    '<dataset id="x"><doc id="d" origlang="en"><src lang="en"><p><seg id="1">a</seg><seg id="2">b</seg></p></src>'
    '<ref lang="de" translator="A"><p><seg id="1">eins da</seg></p></ref>'
    '<hyp lang="de" system="S"><p><seg id="1">eins dort</seg><seg id="2">zwei</seg></p></hyp></doc></dataset>'
)
SGML = (
    '<mteval><refset setid="x" refid="A"><doc docid="d"><seg id="1">eins</seg></doc></refset>\n'
    '<tstset setid="x" sysid="S"><doc docid="d"><seg id="1">eine</seg><seg id="2">zwei</seg></doc></tstset></mteval>'
)


@dataclass(frozen=True)
class Noticed:
    """A file about which a reader notices something.

    Attributes:
        name: of the file.
        data: its bytes.
        role: what it is given as.
        says: what is noticed, in part.
        beside: whether texts and ratings are given beside it.
    """

    name: str
    data: bytes
    role: FileRole
    says: str
    beside: Mapping[str, tuple[FileRole, str]] = field(default_factory=dict[str, tuple[FileRole, str]])


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def pearmut(name: str, item_i: object, score: int) -> dict[str, object]:
    return {
        "annotation": [{"A": {"score": score}, "B": {"score": score + 1}}],
        "item": [{"item_id": name, "src": "x", "tgt": {"A": "a", "B": "b"}}],
        "user_id": "j",
        "item_i": item_i,
        "actions": [],
    }


TEXTS: dict[str, tuple[FileRole, str]] = {
    "ref.txt": ("reference", REFERENCE),
    "A.txt": ("system", SYSTEMS["A"]),
    "B.txt": ("system", SYSTEMS["B"]),
}
RATINGS = "system,segment,judge,score\nA,1,j,3\nA,2,j,4\nB,1,j,1\nB,2,j,2\n"
RATED = {**TEXTS, "human.csv": ("judgments", RATINGS)}
APPRAISE = "j,{},{},{},eng,deu,{},d,False,1.5,2.5\n"
ESA = {"langs": "en-de", "doc_id": "d", "annotator": "j"}
OF_TEXTS = {"ref.txt": TEXTS["ref.txt"]}

NOTICED: dict[str, Noticed] = {
    "text": Noticed(
        name="S.txt", data=b"the cat sat\n\n", role="system", says="1 segment without text", beside=OF_TEXTS
    ),
    "table": Noticed(
        name="S.csv",
        data=b"S,score\nthe cat,1\na dog barks,2\n",
        role="system",
        says="not used: score (no text by the header)",
        beside=OF_TEXTS,
    ),
    "xliff": Noticed(
        name="S.xlf",
        data=XLIFF.encode(),
        role="system",
        says="1 segment without translation read as empty",
        beside=OF_TEXTS,
    ),
    "tmx": Noticed(
        name="S.tmx",
        data=TMX.encode(),
        role="system",
        says="1 segment without translation read as empty",
        beside=OF_TEXTS,
    ),
    "po": Noticed(
        name="S.po",
        data=b'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr "ja so"\n\nmsgid "b"\nmsgstr ""\n',
        role="system",
        says="1 segment without translation read as empty",
        beside=OF_TEXTS,
    ),
    "subtitles": Noticed(
        name="S.srt",
        data=b"1\n00:00:01,000 --> 00:00:02,500\nthe cat\n\n2\n00:00:03,000 --> 00:00:04,500\n\n",
        role="system",
        says="1 segment without text",
        beside=OF_TEXTS,
    ),
    "ratings": Noticed(
        name="h.csv",
        data=RATINGS.replace("A,2,j,4", "A,2,j,").encode(),
        role="judgments",
        says="1 row not used (line 3): no score",
        beside=TEXTS,
    ),
    "mqm": Noticed(
        name="h.tsv",
        data=(
            f"{MQM}\n"
            + "".join(
                f"{system}\td\t{n}\t{n}\tr\t\t\tStyle\t{severity}\t{{}}\n"
                for system, n, severity in (
                    ("A", 1, "Critical"),
                    ("A", 2, "Minor"),
                    ("B", 1, "Major"),
                    ("B", 2, "Major"),
                )
            )
        ).encode(),
        role="judgments",
        says="1 critical error: weight 25",
        beside=TEXTS,
    ),
    "mqm-averages": Noticed(
        name="h.tsv",
        data=b"system mqm_avg_score seg_id\nA\t-1.5 1\nA\tNone 2\nB\t-2 1\nB\t-3 2\n",
        role="judgments",
        says="no score",
        beside=TEXTS,
    ),
    "appraise": Noticed(
        name="h.csv",
        data="".join(
            APPRAISE.format(system, n, kind, score)
            for system, n, kind, score in (
                ("A", 1, "TGT", 70),
                ("A", 2, "TGT", 60),
                ("B", 1, "TGT", 50),
                ("B", 2, "TGT", 40),
                ("B", 2, "BAD", 4),
            )
        ).encode(),
        role="judgments",
        says="quality control (BAD)",
        beside=TEXTS,
    ),
    "crowd": Noticed(
        name="h.csv",
        data=b"HITId WorkerId sys_id type sid score\n"
        + b"".join(f"h\tw\t{s}.1\tSYSTEM\t{n}\t0.{n}\n".encode() for s in "AB" for n in (1, 2))
        + b"h\tw\tA.1\tREF\t1\t-0.5\n",
        role="judgments",
        says="1 row not used (line 6)",
        beside=TEXTS,
    ),
    "esa": Noticed(
        name="h.jsonl",
        data=lines(*(ESA | {"line_id": n, "esa_score": str(n), "system": s} for s in "AB" for n in (1, 2))),
        role="judgments",
        says="line_id counts from 0",
        beside=TEXTS,
    ),
    "pearmut": Noticed(
        name="h.jsonl",
        data=lines(*(pearmut(f"x-{n}", n, n) for n in range(3)), pearmut("y", "welcome_1", 1)),
        role="judgments",
        says="the items do not name segments",
        beside=TEXTS,
    ),
    "eval-ratings": Noticed(
        name="h.seg.rating",
        data=b"".join(
            f'{s}\t{{"errors": [{{"category": "style", "severity": "{severity}"}}]}}\tr1\n'.encode()
            for s in "AB"
            for severity in ("critical", "minor")
        ),
        role="judgments",
        says="2 critical errors: weight 25",
        beside=TEXTS,
    ),
    "scores": Noticed(
        name="m.csv",
        data=b"metric,system,score\nTER,A,50\nTER,B,60\n",
        role="scores",
        says="TER: lower is assumed",
        beside=RATED,
    ),
    "eval-scores": Noticed(
        name="h.seg.score",
        data=b"A\t1.5\nA\tNone\nB\t-2\nB\t3\n",
        role="judgments",
        says="1 of 4 scores missing",
        beside=TEXTS,
    ),
    "sacrebleu": Noticed(
        name="m.json",
        data=json.dumps([{"system": "A", "TER": "50.1"}, {"system": "B", "TER": "60.0"}]).encode(),
        role="scores",
        says="TER: lower is assumed to be better",
        beside=RATED,
    ),
    "comet": Noticed(
        name="m.json",
        data=json.dumps({s: [{"src": "a", "mt": "b", "COMET": 0.5}, {"src": "a", "mt": "b"}] for s in "AB"}).encode(),
        role="scores",
        says="COMET: 2 of 4 scores missing",
        beside=RATED,
    ),
    "score-lines": Noticed(
        name="A.scores", data=b"0.5\nnan\n", role="scores", says="score: 1 of 2 scores missing", beside=RATED
    ),
    "scored-texts": Noticed(
        name="A.csv",
        data=b"hypothesis,prediction\nthe cat sits,1.5\na dog barks loud,\n",
        role="scores",
        says="MetricX: 1 of 2 scores missing",
        beside=RATED,
    ),
    "labels": Noticed(
        name="l.csv", data=b"segment,kind\n1,news\n", role="labels", says="1 segment without labels", beside=TEXTS
    ),
    "spreadsheet": Noticed(
        name="S.xlsx",
        data=workbook([["S", "score"], ["the cat", 1], ["a dog barks", 2]]),
        role="system",
        says="not used: score",
        beside=OF_TEXTS,
    ),
    "titled-table": Noticed(
        name="t.csv",
        data=b"Engines in May;;\n;;\nsource;Engine A;Engine B\nuno uno;one is;on it\ndos dos;to be;two not\n",
        role="system",
        says="rows 1 to 2 are not used",
        beside=OF_TEXTS,
    ),
    "json-lines": Noticed(
        name="S.jsonl",
        data=lines({"S": "the cat", "spans": [1]}, {"S": "a dog barks", "spans": [2]}),
        role="system",
        says="not used, since they are lists or nested too deeply: spans",
        beside=OF_TEXTS,
    ),
    "parquet": Noticed(
        name="S.parquet",
        data=parquet({"S": ["the cat", "a dog barks"], "n": [1, 2]}),
        role="system",
        says="not used: n (numbers only)",
        beside=OF_TEXTS,
    ),
    "wmt-documents": Noticed(
        name="S.jsonl",
        data=lines(
            *({"doc_id": f"en-de_#_n_#_{n}", "hypothesis": text} for n, text in enumerate(("a b", "c d", None)))
        ),
        role="system",
        says="1 document without hypothesis: missing, not empty",
        beside=OF_TEXTS,
    ),
    "wmt-scores": Noticed(
        name="A.jsonl",
        data=lines({"language_pair": "en-de", "domain": "n", "document_id": "d", "metric_scores": {"M": [0.5, None]}}),
        role="scores",
        says="M: 1 of 2 scores missing",
        beside={**RATED, "docs.txt": ("document", "n_#_d\nn_#_d\n")},
    ),
    "wmt-error-spans": Noticed(
        name="M.tsv",
        data=(
            b"source_lang\ttarget_lang\tsegment_id\tsystem_id\tstart_indices\tend_indices\terror_types\n"
            b"en\tde\t0\tA\t0\t1\tmajor\nen\tde\t1\tA\t-1\t-1\tno-error\n"
        ),
        role="scores",
        says="scores computed from the error spans",
        beside=RATED,
    ),
    "wmt-xml": Noticed("t.xml", WMT_XML.encode(), "archive", "1 segment without any reference left out"),
    "sgml": Noticed("t.xml", SGML.encode(), "archive", "1 segment with ids that the source does not have not used"),
}
OPTIONS: dict[FileRole, str] = {
    "reference": "--ref",
    "judgments": "--human",
    "scores": "--metric-scores",
    "labels": "--labels",
    "archive": "--archive",
    "document": "--documents",
}


def call_of(files: Mapping[str, FileRole], folder: Path) -> Sequence[str]:
    command = "correlate" if "judgments" in files.values() else "score"
    given: list[str] = []
    for name, role in files.items():
        given += [OPTIONS[role], str(folder / name)] if role in OPTIONS else [str(folder / name)]
    return [command, *given]


@pytest.mark.parametrize("key", [key for key in FORMATS if key != "archive"])
def test_what_a_reader_notices_is_said_in_the_same_words_everywhere(run: Runner, write: Writer, key: str) -> None:
    noticed = NOTICED[key]
    roles: dict[str, FileRole] = {name: role for name, (role, _) in noticed.beside.items()}
    roles[noticed.name] = noticed.role
    data = {name: text.encode() for name, (_, text) in noticed.beside.items()} | {noticed.name: noticed.data}
    path = [write(name, content) for name, content in data.items()][-1]
    call = call_of(roles, path.parent)
    found = run(*call, "--format", "json")
    in_json = [w.removeprefix(f"{path}: ") for w in found.json["warnings"] if w.startswith(f"{path}")]
    on_error = [
        line.partition(f"warning: {path}: ")[2] for line in found.err.splitlines() if f"warning: {path}" in line
    ]
    assert in_json == on_error
    assert sum(noticed.says in sentence for sentence in in_json) == 1
    entry = assemble([File(name, content, roles[name]) for name, content in data.items()]).entries[-1]
    assert entry.problem == ""
    assert entry.report is not None
    assert entry.report.format_key == key
    on_page = [*entry.warnings, *entry.notes]
    assert sorted(in_json) == sorted(on_page)


def packed(files: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


COMPANIONS = {"README.md": "About.", "docs/LICENSE": "Free.", ".DS_Store": "x", "Thumbs.db": "x"}
NOT_USED = "descriptions, backups and programs not used: README.md, docs/LICENSE"


def test_files_about_a_test_set_and_its_human_scores_are_named_where_they_matter(run: Runner, write: Writer) -> None:
    data = packed(
        {
            "sources/en-de.txt": "one\ntwo\n",
            "references/en-de.refA.txt": REFERENCE,
            **{f"system-outputs/en-de/{name}.txt": text for name, text in SYSTEMS.items()},
            "human-scores/en-de.mqm.seg.score": "A\t-1\nA\t-2\nB\t-3\nB\t-5\n",
            **COMPANIONS,
        }
    )
    path = write("set.zip", data)
    scored = run("score", "--archive", path, "--format", "json").json["warnings"]
    assert scored == [f"{path}: {NOT_USED}"]
    human = "human scores in use: mqm; available: mqm"
    assert run("correlate", "--archive", path, "--format", "json").json["warnings"] == [
        f"{path}: {NOT_USED}",
        f"{path}: {human}",
        RatedSegments(fewest=2).note,
    ]
    (entry,) = assemble([File("set.zip", data, "archive")]).entries
    assert [*entry.warnings, *entry.notes] == [NOT_USED, human]


def test_files_about_others_in_a_zip_or_folder_are_named(run: Runner, write: Writer) -> None:
    texts = {"references/refA.txt": REFERENCE, "systems/A.txt": SYSTEMS["A"]}
    path = write("job.zip", packed({**texts, **COMPANIONS}))
    assert run("score", "--archive", path, "--format", "json").json["warnings"] == [f"{path}: {NOT_USED}"]
    for name, text in {**texts, **COMPANIONS}.items():
        write(f"folder/{name}", text)
    folder = path.parent / "folder"
    assert run("score", "--archive", folder, "--format", "json").json["warnings"] == [f"{folder}: {NOT_USED}"]
    assert run("score", "--archive", write("no.zip", packed(texts)), "--format", "json").json["warnings"] == []
