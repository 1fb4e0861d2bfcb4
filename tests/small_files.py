"""A small file of every format."""

from __future__ import annotations

import base64
import datetime as dt
import io
import json
import lzma
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import xlsxwriter
from pyarrow import table
from pyarrow.parquet import write_table

MQM = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# Documentation: x"

XLIFF = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a.html" source-language="es" target-language="en" datatype="html"><body>
<trans-unit id="1"><source>uno <g id="1">dos</g></source><target state="final">one <g id="1">two</g></target>
<alt-trans origin="MT"><target>one too</target></alt-trans></trans-unit>
<trans-unit id="2"><source>tres</source><target/><alt-trans origin="MT"><target>three</target></alt-trans></trans-unit>
</body></file>
</xliff>
"""

TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="es" segtype="sentence"/><body>
<tu><tuv xml:lang="es"><seg>uno <bpt i="1">&lt;b></bpt>dos<ept i="1"/></seg></tuv>
<tuv xml:lang="en-GB"><seg>one two</seg></tuv><tuv xml:lang="fr"><seg>un deux</seg></tuv></tu>
<tu><prop type="x">y</prop><tuv xml:lang="es"><seg>tres</seg></tuv><tuv xml:lang="en-US"><seg>three</seg></tuv></tu>
</body></tmx>
"""
PO = r"""# a comment
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#: a.c:1
#, fuzzy
msgid "uno \"dos\""
msgstr ""
"one "
"\"two\""

msgid "tres"
msgid_plural "%d"
msgstr[0] "three"
msgstr[1] "%d"

#~ msgid "old"
#~ msgstr "viejo"
"""
WMT_XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="t21"><collection id="general">
<doc origlang="es" id="d1" domain="news"><src lang="es"><p><seg id="1">uno</seg><seg id="2">dos</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two</seg></p></ref>
<hyp system="S1" lang="en"><p><seg id="1">one</seg><seg id="2">to</seg></p></hyp></doc>
<doc origlang="es" id="d2" domain="talk"><src lang="es"><p><seg id="1">tres</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">three</seg></p></ref></doc>
</collection></dataset>
"""
SGML = """<tstset setid="t17" srclang="es" trglang="en">
<doc sysid="S1" docid="d1" genre="news" origlang="es">
<p>
<seg id="1">one & only</seg>
<seg id="3">&quot;three&quot;</seg>
</p>
</doc>
<doc sysid="S1" docid="d2" genre="talk" origlang="en">
<seg id="1">four</seg>
</doc>
</tstset>
"""


def _zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t/sources/xx-yy.txt", "uno\ndos\n")
        archive.writestr("t/references/xx-yy.refA.txt", "one\ntwo\n")
        archive.writestr("t/system-outputs/xx-yy/S1.txt", "one\nto\n")
        archive.writestr("t/human-scores/xx-yy.mqm.seg.score", "S1\t-1\nS1\tNone\n")
        archive.writestr("t/metric-scores/xx-yy/M-refA.sys.score", "S1\t0.6\n")
    return stream.getvalue()


def workbook(rows: Iterable[Sequence[object]], *more: Iterable[Sequence[object]]) -> bytes:
    """An XLSX file with these sheets, without dates, so that equal sheets give equal bytes."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_formulas": False}) as book:
        book.set_properties({"created": dt.datetime(2000, 1, 1, tzinfo=dt.UTC)})
        for sheet_rows in (rows, *more):
            sheet = book.add_worksheet()
            for i, row in enumerate(sheet_rows):
                sheet.write_row(i, 0, row)
    return stream.getvalue()


def parquet(columns: Mapping[str, Sequence[object]], **options: Any) -> bytes:
    """A Parquet file of these columns."""
    stream = io.BytesIO()
    write_table(table(dict(columns)), stream, **options)
    return stream.getvalue()


OPEN_DOCUMENT = "application/vnd.oasis.opendocument.spreadsheet"


def open_document(*sheets: str) -> bytes:
    """An ODS file with these sheets, each given as the XML of its rows."""
    names = "office", "table", "text"
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    tables = "".join(f'<table:table table:name="T{i}">{rows}</table:table>' for i, rows in enumerate(sheets, start=1))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), OPEN_DOCUMENT)
        archive.writestr(
            zipfile.ZipInfo("content.xml"),
            f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body>'
            f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>",
            zipfile.ZIP_DEFLATED,
        )
        archive.writestr(
            zipfile.ZipInfo("META-INF/manifest.xml"),
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    return stream.getvalue()


def open_document_rows(rows: Iterable[Sequence[object]]) -> str:
    """Rows of texts and numbers as the XML of ODS."""
    return "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)


def _cell(value: object) -> str:
    if isinstance(value, (int, float)):
        return (
            f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>x</text:p></table:table-cell>'
        )
    if value == "":
        return "<table:table-cell/>"
    return f'<table:table-cell office:value-type="string"><text:p>{escape(str(value))}</text:p></table:table-cell>'


#: A damaged file at which pyarrow 26 aborts the process: "Definition level histogram size mismatch".
ABORTING = lzma.decompress(base64.b85decode(
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5-~+A!)?EN75Jrehl4^5gUx{Pei*L{(N4wICjNX+jO5F@PL7mIEN2V2Cjq$~k9^(#_!;Jd(^iy-"
    "^v(Zy3^}dOj-b0ZAI$LL+y>9)0`aZrGxh5#cH95uVEW56ZgcJOYJadzIREdxK0Pw(J@2ROybH@7e&JccS4scILR993?ngw<(Qm-P!b|_"
    "n`hT=C?nBvFX6k=Hohw)TGfP7dgODe1y$87PA*?Z;tI25U_xnDf7h`@++S5Zit`$HVsDlKb(urqhHG3=AS=Y^Vjd5$h!F~N<5sfSHf7&"
    "h_sAf*d+i+9pwZkLo`9^7I8;6Z$62sQ{Ezhg72*_n|pU2$V5Wr=Ht@Ig$8#n`Zj?473&sY@PkhQl0fn5a$Qk~VN+?hw%y_Yg7GzXNb6H"
    "X(-<5dny6oZiC{4<?u>vO!bj#BAV)pmQCn^$gUqsa*HPrmBLBooQQ?uE>^TG^oSBc%W>KS7W=w?pcfvkxbBk6bPM!_*YtO+)nGV@*(lH"
    "`eOr@ibC5j6pPdLvXSst@xP(gU{pvCLt(_#t{DlTF-&*q(Z<7x?z?J1S<OZwy1E0GtX~B!_&bVjez5qI<#?&?wlY1T<fBbHy|(Ex!9Ta"
    "K3;+NCdHPW4N&yrd00Hs?uLl4C$qDGpvBYQl0ssI200dcD"
))  # fmt: skip
SAMPLES: dict[str, bytes] = {
    "text": b"the cat sat\n\non the mat\n",
    "table": b"one,two\nthe cat,a cat\nthe dog,a dog\n",
    "xliff": XLIFF.encode(),
    "tmx": TMX.encode(),
    "po": PO.encode(),
    "subtitles": b"1\n00:00:01,000 --> 00:00:02,500\n<i>the</i> cat\n\n2\n00:00:03,000 --> 00:00:04,500\nsat\ndown\n",
    "ratings": b'segment,system,judge,score,group\n1,A,x,2,g\n2,"B, too",y,NA,\n3,A,x,-0.5,g\n',
    "mqm": (
        f"{MQM}\nA\td\t1\t1\tr\ts\tt\tFluency/Punctuation\tMinor\t{{}}\nB\td\t1\t1\tr\ts\tt\tMissed\tHOTW-test\t\n"
    ).encode(),
    "mqm-averages": b"system mqm_avg_score seg_id\nA\t-1.5 3\nA\tNone 4\n",
    "appraise": (
        b'u,wmt23.A,2,TGT,eng,deu,0,d#A,False,"[{""start_i"":1,""severity"":""minor"",""error_type"":null}]",1.5,2.5\r\n'
        b"u,wmt23.B,1,BAD,eng,deu,0,d#B#bad1,False,\"{'start_i': 0, 'severity': 'major'}\",1.5,2.5\r\n"
    ),
    "crowd": b"HITId WorkerId sys_id type sid score\nh\tw\tA.1\tSYSTEM\t3\t0.5\nh\tw\tA.1\tREF\t4\t-0.5\n",
    "esa": (
        json.dumps({"langs": "en-cs", "line_id": 2, "doc_id": "d", "esa_score": "70", "system": "A", "annotator": 3})
        + "\n"
        + json.dumps({"doc_id": "en-is_#_n_#_d_#_9", "scores": {"A": [{"score": 1.5, "annotator": None}]}})
        + "\n"
    ).encode(),
    "pearmut": (
        json.dumps(
            {
                "annotation": [{"A": {"score": 70, "error_spans": []}, "B": {"score": None}}],
                "item": [{"item_id": "en-de_#_news_#_d_#_0", "src": "uno", "tgt": {"A": "one", "B": "on"}}],
                "actions": [{"time": 1.5, "action": "submit"}],
                "user_id": "x",
                "item_i": 0,
            }
        )
        + "\n"
    ).encode(),
    "eval-ratings": (
        b'A\t{"errors": [{"start": 0, "end": 3, "category": "style/awkward", "severity": "minor"}]}\tr1\nA\tNone\tr1\n'
    ),
    "scores": b"metric,system,segment,score\nM,A,1,0.5\nM,B,2,\n",
    "eval-scores": b"A\t1.5\nA\tNone\nB\t-2e1\nB\t3\n",
    "score-lines": b"A.txt\tSegment 0\tscore: 0.5\nA.txt\tSegment 1\tscore: 0.25\nA.txt\tscore: 0.375\n",
    "sacrebleu": json.dumps(
        [
            {
                "name": "BLEU",
                "score": 20.78,
                "signature": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
                "verbose_score": "50.0/25.0 (BP = 1.000 ratio = 1.038 hyp_len = 12714 ref_len = 12244)",
            },
            {"name": "TER", "score": 95.2, "signature": "nrefs:1|case:lc|tok:tercom|version:2.6.0"},
        ],
        indent=1,
    ).encode(),
    "comet": json.dumps(
        {
            "out/A.en": [
                {"src": "uno", "mt": "one", "ref": "one", "COMET": 0.98},
                {"src": "dos", "mt": "to", "ref": "two", "COMET": 0.5, "errors": [{"text": "to", "severity": "major"}]},
            ],
            "out/B.en": [
                {"src": "uno", "mt": "on", "ref": "one", "COMET": None},
                {"src": "dos", "mt": "two", "ref": "two", "COMET": 0.9},
            ],
        },
        indent=4,
    ).encode(),
    "scored-texts": b"source,hypothesis,reference,prediction\nuno,one,one,0.5\ndos,to,two,\ntres,tree,three,4\n",
    "wmt-scores": json.dumps(
        {
            "language_pair": "en-is_IS",
            "domain": "news",
            "document_id": "d",
            "metric_scores": {"MetricX-24": [-9.5, -4], "XCOMET-XL": [0.5, None]},
        }
    ).encode(),
    "wmt-error-spans": (
        b"doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\thypothesis_segment\tstart_indices\t"
        b"end_indices\terror_types\nd\t1\ten\tde_DE\tofficial\tA\tone two\t0 4\t3 7\tminor major\n"
        b"d\t2\ten\tde_DE\tofficial\tA\tthree\t-1\t-1\tno-error\n"
    ),
    "labels": b"segment,domain,length class\n1,news,long\n3,talk,short\n",
    "spreadsheet": workbook([["source", "S1"], ["uno", "one"], ["dos", 2]]),
    "titled-table": b"Engines in May;;\n;;\nsource;Engine A;Engine B\nuno;one;on\ndos;two;to\n",
    "json-lines": b'{"source": "uno", "S1": "one", "n": 1}\n{"source": "dos", "S1": "two", "n": null}\n',
    "parquet": parquet({"source": ["uno", "dos"], "S1": ["one", "two"], "n": [1, None]}),
    "archive": _zip(),
    "wmt-documents": "".join(
        json.dumps(
            {
                "doc_id": f"WMT26_###_news_###_eng_Latn_###_deu_Latn_###_{name}",
                "domain": domain,
                "src_lang": "eng_Latn",
                "tgt_lang": "deu_Latn",
                "src_text": "One.\n\nTwo.",
                "refs": {"refA": {"ref": "Eins.\n\nZwei."}, "refB": "Ein.\n\nZwei."},
                "tgt_text": {"A": "Ein.\n\nZwo."},
            }
        )
        + "\n"
        for name, domain in (("a", "news"), ("b", "social"))
    ).encode(),
    "wmt-xml": WMT_XML.encode(),
    "sgml": SGML.encode(),
}
