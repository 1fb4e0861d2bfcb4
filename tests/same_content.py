"""The same texts written in every format that holds a source and translations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

import polib

#: Writes the source, a translation and its name as a file.
Writer = Callable[[Sequence[str], Sequence[str]], str]


def _xliff_1(source: Sequence[str], target: Sequence[str]) -> str:
    units = "".join(
        f'<trans-unit id="{n}"><source>{escape(a)}</source><target>{escape(b)}</target></trans-unit>\n'
        for n, (a, b) in enumerate(zip(source, target, strict=True))
    )
    head = 'version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"'
    file = 'original="a" source-language="de" target-language="en" datatype="plaintext"'
    return f"<xliff {head}><file {file}><body>\n{units}</body></file></xliff>\n"


def _xliff_2(source: Sequence[str], target: Sequence[str]) -> str:
    units = "".join(
        f'<unit id="{n}"><segment><source>{escape(a)}</source><target>{escape(b)}</target></segment></unit>\n'
        for n, (a, b) in enumerate(zip(source, target, strict=True))
    )
    head = 'version="2.1" srcLang="de" trgLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0"'
    return f'<xliff {head}><file id="f">\n{units}</file></xliff>\n'


def _tmx(source: Sequence[str], target: Sequence[str]) -> str:
    units = "".join(
        f'<tu><tuv xml:lang="de"><seg>{escape(a)}</seg></tuv><tuv xml:lang="en"><seg>{escape(b)}</seg></tuv></tu>\n'
        for a, b in zip(source, target, strict=True)
    )
    return f'<tmx version="1.4"><header srclang="de"/><body>\n{units}</body></tmx>\n'


def _po(source: Sequence[str], target: Sequence[str]) -> str:
    file = polib.POFile(wrapwidth=0)
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for a, b in zip(source, target, strict=True):
        file.append(polib.POEntry(msgid=a, msgstr=b))
    return str(file)


#: Format -> the ending of its files, and what writes them.
BILINGUAL: Mapping[str, tuple[str, Writer]] = {
    "XLIFF 1.2": (".xlf", _xliff_1),
    "XLIFF 2.1": (".xlf", _xliff_2),
    "TMX": (".tmx", _tmx),
    "PO": (".po", _po),
}


def wmt_xml(
    source: Sequence[str], references: Mapping[str, Sequence[str]], systems: Mapping[str, Sequence[str]]
) -> str:
    """All texts as one document in XML of WMT."""

    def side(tag: str, texts: Sequence[str]) -> str:
        segments = "".join(f'<seg id="{n}">{escape(text)}</seg>\n' for n, text in enumerate(texts, start=1))
        return f"<{tag}><p>{segments}</p></{tag.partition(' ')[0]}>\n"

    sides = [side('src lang="de"', source)]
    sides += [side(f'ref lang="en" translator="{name}"', texts) for name, texts in references.items()]
    sides += [side(f'hyp lang="en" system="{name}"', texts) for name, texts in systems.items()]
    return f'<dataset id="t"><doc id="d" origlang="de">\n{"".join(sides)}</doc></dataset>\n'


def sgml(kind: str, texts: Sequence[str]) -> str:
    """A text as one document in SGML of WMT; & and < are left as they are, as in the files of WMT."""
    segments = "".join(f'<seg id="{n}">{text}</seg>\n' for n, text in enumerate(texts, start=1))
    return f'<{kind} setid="t" srclang="de" trglang="en">\n<doc sysid="x" docid="d">\n{segments}</doc>\n</{kind}>\n'
