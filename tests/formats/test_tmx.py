"""TMX: which languages are the source and the translation, and what becomes of units that lack one."""

from __future__ import annotations

import pytest

from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read
from bleu_core.limits import LimitError, Limits


def unit(**texts: str) -> str:
    variants = "".join(
        f'<tuv xml:lang="{language.replace("_", "-")}"><seg>{text}</seg></tuv>' for language, text in texts.items()
    )
    return f"<tu><note>no</note>{variants}</tu>\n"


def tmx(*units: str, language: str = "en", doctype: str = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n') -> bytes:
    header = f'<header srclang="{language}" segtype="sentence"><note>no</note></header>'
    return f'<?xml version="1.0"?>\n{doctype}<tmx version="1.4">{header}<body>\n{"".join(units)}</body></tmx>'.encode()


def texts(contents: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in contents.columns}


def pair(data: bytes, **own: str) -> tuple[tuple[str | None, ...], ...]:
    contents = read(data, "a.tmx", "system", own=own, format="tmx")
    return tuple(column.segments for column in contents.columns)


TWO = tmx(unit(en="one", de="eins"), unit(en="two", de="zwei"))


@pytest.mark.parametrize(
    "data",
    [
        TWO,
        TWO.replace(b"1.4", b"1.1").replace(b"xml:lang", b"lang"),
        tmx(unit(en="one", de="eins"), unit(en="two", de="zwei"), doctype=""),
        TWO.decode().replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-16"?>').encode("utf-16"),
    ],
)
@pytest.mark.parametrize(("name", "role"), [("A.tmx", "system"), ("ref.tmx", "reference"), ("src.tmx", "source")])
def test_two_languages_are_read(data: bytes, name: str, role: FileRole) -> None:
    found = inspect(data, name)
    assert (found.format, found.role) == ("tmx", role)
    stem = name.removesuffix(".tmx")
    expected = {("source", "source"): ("one", "two")}
    if role != "source":
        expected[role, stem] = ("eins", "zwei")
    assert texts(read(data, name, role)) == expected


MANY = tmx(
    unit(en_GB="colour", en_US="color", de="Farbe", de_AT="Farb", fr="couleur"),
    unit(en_US="gray", de_AT="grau", fr="gris"),
    unit(fr="oui", de="ja"),
    unit(en="yes", fr="oui", de=" "),
)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({}, (("colour", "gray", "yes"), ("couleur", "gris", "oui"))),
        ({"target": "de"}, (("colour", "gray", "yes"), ("Farbe", "grau", ""))),
        ({"target": "DE_at"}, (("colour", "gray", "yes"), ("Farb", "grau", ""))),
        ({"source": "en-US", "target": "fr"}, (("color", "gray"), ("couleur", "gris"))),
        ({"source": "fr", "target": "en-us"}, (("couleur", "gris", "oui", "oui"), ("color", "gray", "", ""))),
    ],
)
def test_languages_and_their_variants_are_chosen(own: dict[str, str], expected: tuple[tuple[str, ...], ...]) -> None:
    assert pair(MANY, **own) == expected


def test_the_report_counts_what_is_not_used() -> None:
    report = read(MANY, "a.tmx", "reference").report
    assert report.notes == (
        "translations into fr are used; the option target chooses another language of this file: de, de-AT",
        "1 unit without text in en left out",
    )
    assert report.repairs == ()
    german = read(MANY, "a.tmx", "reference", own={"target": "de"}, format="tmx")
    assert "1 segment without translation read as without reference" in german.report.notes
    assert texts(german)["reference", "a"] == ("Farbe", "grau", None)
    again = tmx("<tu>" + unit(en="a", de="b")[4:-6] + unit(de="c")[4:])
    assert read(again, "a.tmx", "system").report.notes == ("1 further text of the same unit and language not used",)


@pytest.mark.parametrize("language", ["en", "EN", "en-us", "*all*", "", "xx"])
def test_the_header_names_the_source_where_it_can(language: str) -> None:
    data = tmx(unit(en="one", de="eins"), unit(en="two", de="zwei"), language=language)
    assert pair(data) == (("one", "two"), ("eins", "zwei"))
    assert pair(tmx(unit(en="one", de="eins"), language="de")) == (("eins",), ("one",))


def test_inline_tags_are_dropped_or_kept() -> None:
    text = 'Press <bpt i="1" x="9">&lt;b></bpt>OK<ept i="1"/> <hi x="2">now</hi><ph x="3">no</ph>'
    data = tmx(unit(en=text, de="x"))
    assert pair(data)[0] == ("Press OK now",)
    assert pair(data, tags="keep")[0] == ("Press <1>OK</1> <2>now</2><3/>",)


@pytest.mark.parametrize(
    ("data", "own", "message"),
    [
        (tmx(), {}, "a.tmx: 0 segments found, at least 1 expected"),
        (tmx(unit(en="a")), {}, "a.tmx: texts in en only found, a second language expected"),
        (TWO, {"source": "de", "target": "de"}, "a.tmx: texts in de only found, a second language expected"),
        (TWO, {"target": "fr"}, "a.tmx: no text in the language 'fr' found; choose one of en, de"),
        (tmx(unit(en="a", de="")), {}, "a.tmx: no translation in 1 segment found"),
        (tmx(*(unit(**{f"x{n}": "a"}) for n in range(1001))), {}, "a.tmx, line 1004: more than 1,000 languages found"),
        (TWO.replace(b"SYSTEM", b'[<!ENTITY x "y">]><!--').replace(b'dtd">', b"-->"), {}, "a.tmx, line 1: declaration"),
    ],
)
def test_what_cannot_be_read_is_refused(data: bytes, own: dict[str, str], message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(data, "a.tmx", "system", own=own, format="tmx")
    assert str(error.value).startswith(message)


def test_variants_without_a_seg_are_named_with_their_line() -> None:
    bare = tmx(*['<tu>\n<tuv xml:lang="en">one</tuv><tuv xml:lang="de">eins</tuv></tu>'] * 2)
    with pytest.raises(FormatError, match=r"^a\.tmx, line \d+: tuv without seg found, a seg with the text expected$"):
        read(bare, "a.tmx", "system")
    found = read(
        tmx(unit(en="one", de="eins"), '<tu><tuv xml:lang="en"><seg>two</seg></tuv><tuv xml:lang="de"/></tu>'),
        "a.tmx",
        "system",
    )
    assert found.columns[1].segments == ("eins", "")
    assert found.report.notes[0].startswith("1 tuv without seg read as empty; the first is in line ")


def test_limits_hold() -> None:
    with pytest.raises(LimitError, match=r"^a\.tmx, units: 2 lines found, at most 1 allowed"):
        read(TWO, "a.tmx", "system", limits=Limits(lines=1))
