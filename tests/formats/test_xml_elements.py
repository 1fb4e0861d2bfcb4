"""The reader of XML that all formats in XML share: what is refused, limits, encodings, and the text of inline tags."""

from __future__ import annotations

import codecs
import gc
import resource
import tracemalloc
from pathlib import Path

import pytest
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import inspect, read, recognise
from bleu_core.formats.source import Source
from bleu_core.formats.xml_elements import iter_elements
from bleu_core.limits import LimitError, Limits

HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file><body>\n'
TAIL = "</body></file></xliff>\n"
UNIT = '<trans-unit id="1"><source>{}</source><target>{}</target></trans-unit>\n'


def xliff(*pairs: tuple[str, str], before: str = "") -> str:
    return before + HEAD + "".join(UNIT.format(*pair) for pair in pairs) + TAIL


def texts(data: bytes, **options: str) -> list[tuple[str | None, ...]]:
    contents = read(data, "a.xlf", "system", format="xliff", own=options)
    return [column.segments for column in contents.columns]


def refusal(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(FormatError) as error:
        read(data, "a.xlf", "system", format="xliff", limits=limits or Limits())
    return str(error.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "shift-jis"])
def test_the_encoding_of_a_mark_or_declaration_is_used(encoding: str) -> None:
    text = "猫" if encoding == "shift-jis" else "Känguru"
    declaration = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n'
    data = xliff((text, text), before=declaration).encode(encoding)
    assert recognise(data, "a") == "system"
    assert texts(data) == [(text,), (text,)]


def test_a_declaration_of_utf_16_in_a_file_of_bytes_is_not_believed() -> None:
    assert texts(xliff(("ä", "ö"), before='<?xml version="1.0" encoding="UTF-16"?>').encode()) == [("ä",), ("ö",)]


def test_an_encoding_that_the_user_names_counts_where_the_file_declares_none() -> None:
    data = xliff(("ä", "ö")).encode("cp1252")
    assert read(data, "a.xlf", "system", encoding="cp1252").columns[0].segments == ("ä",)
    assert refusal(data) == (
        f"a.xlf, line 2: byte 0xE4 at offset {data.index(0xE4)} is not UTF-8; save the file as UTF-8 or name its "
        "encoding"
    )


def test_a_character_that_lies_across_two_pieces_is_read() -> None:
    for shift in range(4):
        text = "x" * (2**16 - len(HEAD) - 40 + shift) + "𝄞ä" * 20
        assert texts(xliff((text, "y")).encode())[0] == (text,)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\r\n \t\n",
        '<?xml version="1.0"?>\n<!-- <a> -- b -->\n<?style x?><!---->\n',
        '<!DOCTYPE xliff SYSTEM "xliff.dtd">\n',
        "<!DOCTYPE xliff [\n<!ELEMENT xliff ANY> ] >\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("prefix", ["", "x:"])
def test_a_root_element_is_recognised_after_anything_that_may_precede_it(
    before: str, encoding: str, prefix: str
) -> None:
    data = xliff(("a", "b"), before="\ufeff" * (encoding == "utf-16-be") + before)
    if prefix:
        for name in ("xliff", "file", "body", "trans-unit", "source", "target"):
            data = data.replace(f"<{name}", f"<x:{name}").replace(f"</{name}", f"</x:{name}")
        data = data.replace("xmlns=", "xmlns:x=")
    assert inspect(data.encode(encoding), "a").format == "xliff"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a.xlf, line 1: well-formed XML expected: no element found"),
        (xliff(("a", "b"))[:-23].encode(), "a.xlf, line 3: well-formed XML expected: Premature end of data"),
        (xliff(("a", "<b>")).encode(), "a.xlf, line 2: well-formed XML expected: Opening and ending tag mismatch"),
        (xliff(("a & b", "c")).encode(), "a.xlf, line 2: well-formed XML expected: "),
        (xliff(("a", "b&nbsp;c")).encode(), "a.xlf, line 2: well-formed XML expected: Entity 'nbsp' not defined"),
        (
            xliff(("a", "b&nbsp;c"), before='<!DOCTYPE xliff SYSTEM "xliff.dtd">\n').encode(),
            "a.xlf, line 3: entity &nbsp; found, which the file does not define",
        ),
        (
            xliff(("a", "b"), before='<?xml version="1.0" encoding="klingon"?>\n').encode(),
            "a.xlf, line 1: encoding 'klingon' found, the name of a known encoding expected",
        ),
        (xliff(("a", "b\0")).encode(), "a.xlf, line 2: well-formed XML expected: "),
        (codecs.BOM_UTF16_LE + b"<\0x", "a.xlf, line 1: byte 0x78 at offset 4 is not UTF-16-LE"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


def entities(count: int) -> str:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, count))
    return f'<!DOCTYPE xliff [<!ENTITY e0 "lol">{levels}]>'


@pytest.mark.parametrize(
    "before",
    [
        entities(1),
        entities(3),
        entities(9),
        '<!DOCTYPE xliff [<!ENTITY e SYSTEM "file:///etc/hosts">]>',
        '<!DOCTYPE xliff [<!ENTITY % p SYSTEM "http://localhost/x"> %p;]>',
        "<!DOCTYPE xliff [<!ENTITY % p \"<!ENTITY e0 'x'>\"> %p;]>",
        f'<!DOCTYPE xliff [<!ENTITY e0 "{"x" * 100_000}">]>',
    ],
)
def test_declarations_of_entities_are_refused_at_once(before: str) -> None:
    files = [
        xliff(("a", "b"), before=before),
        xliff(("a", "&e0;" * 1000), before=before),
        xliff(("a", "b"), before=before).replace("1.2", "&e0;&e8;", 1),
    ]
    found = within_seconds(1, lambda: [refusal(file.encode()) for file in files])
    assert "declaration of the entity" in found[0]


def test_an_external_document_type_is_not_loaded() -> None:
    data = xliff(("a", "b"), before='<!DOCTYPE xliff SYSTEM "file:///etc/hosts">').encode()
    assert texts(data) == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            HEAD + "<group>" * 3000,
            "a.xlf, line 2: exceeds the limits of the XML reader: Excessive depth in document: 256; remove",
        ),
        (
            HEAD + f"<internal-file>{'x' * 11_000_000}</internal-file>" + TAIL,
            "a.xlf, line 2: exceeds the limits of the XML reader: Resource limit exceeded: Text node too long; remove",
        ),
        (xliff(("a", f'<x id="{"1" * 9_000}"/>' * 1000)), "a.xlf, line 2: more than 8,388,608 bytes in one element"),
        (xliff(("a", "<x/>" * 1_600_000)), "a.xlf: 1,600,006 elements found, at most 1,600,000 allowed"),
    ],
)
def test_what_is_too_much_is_refused_soon(data: str, message: str) -> None:
    assert within_seconds(2, lambda: refusal(data.encode())).startswith(message)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(file_bytes=100), "a.xlf: 243 bytes found, at most 100 allowed"),
        (Limits(lines=1), "a.xlf, segments: 2 lines found, at most 1 allowed"),
        (Limits(line_length=3), "a.xlf, line 3: 4 characters found, at most 3 allowed"),
    ],
)
def test_limits_hold_while_a_file_is_read(limits: Limits, message: str) -> None:
    data = xliff(("abc", "b"), ("abcd", "d")).encode()
    if "bytes" in message:
        message = message.replace("243", str(len(data)))
    with pytest.raises(LimitError):
        read(data, "a.xlf", "system", limits=limits)
    assert refusal(data, limits).startswith(message)


def test_only_texts_stay_in_memory() -> None:
    noted = UNIT.replace("</trans-unit>", "<note>{}</note></trans-unit>").format("a", "b", "x" * 500)
    data = (HEAD + "<!-- - -->" + noted * 8_000 + TAIL).encode()
    tracemalloc.start()
    try:
        texts(data)
        assert tracemalloc.get_traced_memory()[1] < len(data)
    finally:
        tracemalloc.stop()


def resident() -> int:
    """The memory of this process, in bytes: what lxml holds is no object of Python."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is known on Linux")
def test_elements_around_units_do_not_stay_in_memory() -> None:
    note = f'<note a="{"x" * 100}" b="{"y" * 100}"/>'
    data = xliff(("a", "b")).replace("</body>", note * 200_000 + "</body>").encode()
    texts(xliff(("a", "b")).encode())  # loads lxml
    before = resident()
    most = 0
    for _, _, _element in iter_elements(Source(data, "a.xlf"), ("trans-unit",), ("body",)):
        most = max(most, resident() - before)
    assert most < 50e6


def test_line_breaks_are_blanks_and_other_blanks_stay() -> None:
    data = xliff(("\n  one\r\n\n\ttwo \n", " a "), ("x\u2028y&#10;z&#13;", "b\u00a0")).encode()
    contents = read(data, "a.xlf", "system")
    assert [c.segments for c in contents.columns] == [("one two", "x\u2028y z"), (" a ", "b\u00a0")]
    assert contents.report.repairs == ("line breaks in 2 segments read as blanks",)


TAGGED = (
    'a<g id="1">b<x id="2"/>c</g>d<bpt id="3">&lt;b><sub>no</sub></bpt>e<ept id="3"/>f'
    '<mrk mtype="term">g<!-- no --><?no?></mrk><ph id="4">no</ph>h<x ctype="lb" id="5"/>i<![CDATA[<j>]]>'
)


def test_inline_tags_are_dropped_or_kept() -> None:
    data = xliff((TAGGED, "x")).encode()
    assert texts(data)[0] == texts(data, tags="drop")[0] == ("abcdefgh i<j>",)
    assert texts(data, tags="keep")[0] == ("a<1>b<2/>c</1>d<3>e</3>fg<4/>h<5/>i<j>",)
    with pytest.raises(FormatError):
        texts(xliff(("a", "b")).encode()[:-9])
    with pytest.raises(ValueError, match=r"^a\.xlf: tags='all' found, one of drop, keep expected$"):
        texts(data, tags="all")


def test_garbage_is_looked_for_again_after_a_file_was_read() -> None:
    assert gc.isenabled()
    texts(xliff(("a", "b")).encode())
    assert gc.isenabled()
    refusal(xliff(("a", "<b>")).encode())
    assert gc.isenabled()
