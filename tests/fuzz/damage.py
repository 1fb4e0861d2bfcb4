"""Ways to damage a file. Each takes its bytes and a source of chance, and returns other bytes."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping
from random import Random

import zstandard

from bleu_core.errors import FormatError
from bleu_core.formats.compression import COMPRESSIONS, compression_of, decompress

PIECES = (
    b"", b"\n", b"\r", b"\r\n", b"\t", b",", b";", b'"', b'""', b"'", b"{", b"}", b"[", b"]", b"<", b">", b"\\", b"\\n",
    b" ", b"0", b"-1", b"1.5", b"1e999", b"-1e999", b"1e-999", b"9" * 30, b"9" * 5000, b"1_0", b"0x1F", b"None", b"nan",
    b"inf", b"-inf", b"null", b"true", b"\0", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\\ud800", b"\\u0000", b"\x1b[31m", b"\x07", b"<v>", b"</v>", b"#bad1", b"_#_",
    b"=1+1", b"../../etc/passwd", "\u0663".encode(), "\u00b2".encode(),
)  # fmt: skip
#: Titles of columns by role; two of one row together are two columns of one role.
TITLES = (
    (b"doc", b"doc_id", b"document"), (b"source", b"src"), (b"system", b"sys", b"system-id"),
    (b"segment", b"seg_id", b"item", b"line", b"globalSegId"), (b"judge", b"rater", b"annotator"),
    (b"score", b"rating", b"mqm_avg_score"), (b"ref", b"reference", b"refA"), (b"group",), (b"metric",),
    (b"category",), (b"severity",), (b"target",), (b"text",),
)  # fmt: skip
RUNS = (
    b"1",
    b"9",
    b" ",
    b"\t",
    b",",
    b'"',
    b"'",
    b"[",
    b"{",
    b"<",
    b"-",
    b".",
    b"\\",
    b"\r",
    b"\n",
    b"a",
    b"_",
    b"a ",
    b"a.",
    b"{a=",
)
#: Bytes of a mutant at most: damage to damage may multiply it.
MAX_BYTES = 5_000_000
#: The first bytes of files that are no texts.
BINARY = (b"PK", b"PAR1", *(each.magic for each in COMPRESSIONS))
#: How files are compressed, by the usual endings of their names; equal files give equal bytes.
PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
NUMBER = re.compile(rb"-?\d+(\.\d+)?")
QUOTE = re.compile(rb'"')


def damaged(data: bytes, others: tuple[bytes, ...], random: Random) -> bytes:
    """The file with one to three kinds of damage, now and then compressed, or packed in a zip with another file.

    Of a compressed file, what is in it is damaged as often as the file.
    """
    if (pack := _packer_of(data)) is not None and random.random() < 0.5:
        with contextlib.suppress(FormatError):
            return pack(damaged(decompress(data, "packed"), others, random))
    for _ in range(random.choice((1, 1, 2, 3))):
        if zipfile.is_zipfile(io.BytesIO(data)) and random.random() < 0.7:
            kinds = tuple(OF_ARCHIVES.values())
        else:
            kinds = tuple((OF_BINARY if data.startswith(BINARY) and random.random() < 0.7 else OF_BYTES).values())
        data = random.choice(kinds)(data, random)[:MAX_BYTES]
    if random.random() < 0.03:
        data = packed({"one.txt": data, "d/two.tsv": random.choice(others)})
    if random.random() < 0.03:
        data = random.choice(tuple(PACKERS.values()))(data)
    return data


def _packer_of(data: bytes) -> Callable[[bytes], bytes] | None:
    found = compression_of(data)
    return None if found is None else PACKERS[found.ending]


def packed(members: Mapping[str, bytes], twice: Mapping[str, bytes] | None = None) -> bytes:
    """A zip of the members, and then of further ones whose names may be the same; equal members give equal bytes."""
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, data in (*members.items(), *(twice or {}).items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


# --- bytes ------------------------------------------------------------------------------------------------------


def flip_bytes(data: bytes, random: Random) -> bytes:
    """Change single bits."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def change_bytes(data: bytes, random: Random) -> bytes:
    """Put other bytes in the place of a few: the least, the greatest or any, as in numbers of variable length."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2))):
        start, count = random.randrange(len(data) + 1), random.choice((1, 1, 2, 4, 9))
        new = random.choice((bytes(count), b"\xff" * count, b"\x80" * (count - 1) + b"\x01", random.randbytes(count)))
        changed[start : start + count] = new[: len(changed) - start]
    return bytes(changed)


def change_end(data: bytes, random: Random) -> bytes:
    """Change bytes near the end, where Parquet and zips describe what is in them."""
    start = max(0, len(data) - random.choice((50, 300, 1000)))
    return data[:start] + random.choice((flip_bytes, change_bytes, swap_pieces))(data[start:], random)


def swap_pieces(data: bytes, random: Random) -> bytes:
    """Copy some bytes to another place."""
    start, to = random.randrange(len(data) + 1), random.randrange(len(data) + 1)
    piece = data[start : start + random.choice((1, 4, 16, 100))]
    return data[:to] + piece + data[to + random.choice((0, len(piece))) :]


def truncate(data: bytes, random: Random) -> bytes:
    """Cut the end off."""
    return data[: random.randrange(len(data) + 1)]


def behead(data: bytes, random: Random) -> bytes:
    """Cut the beginning off."""
    return data[random.randrange(len(data) + 1) :]


def insert_piece(data: bytes, random: Random) -> bytes:
    """Put something odd in the place of a few bytes."""
    for _ in range(random.choice((1, 2, 5))):
        start = random.randrange(len(data) + 1)
        data = data[:start] + random.choice(PIECES) + data[start + random.choice((0, 0, 1, 4)) :]
    return data


def insert_run(data: bytes, random: Random) -> bytes:
    """Repeat a character many times, which a regular expression may take quadratic time for."""
    start = random.randrange(len(data) + 1)
    return (
        data[:start]
        + random.choice(RUNS) * random.choice((100, 5000, 30_000))
        + random.choice((b"", b"x"))
        + data[start:]
    )


def change_line_ends(data: bytes, random: Random) -> bytes:
    """Windows line ends, old Macintosh ones, or a mixture."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    ends = random.choice(((b"\r\n",), (b"\r",), (b"\n", b"\r\n"), (b"\n", b"\r\n", b"\r", b"\n\n", b"\n\r")))
    return b"".join(line + random.choice(ends) for line in lines)


def mark(data: bytes, random: Random) -> bytes:
    """Begin with a byte order mark, whether or not it is the right one."""
    return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf\xef\xbb\xbf")) + data


def encode_otherwise(data: bytes, random: Random) -> bytes:
    """Write the text in another encoding."""
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-7")), "replace")


def nest(data: bytes, random: Random) -> bytes:
    """Nest arrays or objects of JSON deeper than a parser may like."""
    depth = random.choice((100, 2000, 100_000))
    opened, closed = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[", b""), (b'{"scores":', b"}")))
    start = random.choice([0, *(found.start() for found in QUOTE.finditer(data[:20_000]))])
    return data[:start] + opened * depth + b"1" + closed * depth + data[start:]


def insert_surrogate(data: bytes, random: Random) -> bytes:
    """Escape half a surrogate pair in a string of JSON."""
    places = [found.end() for found in QUOTE.finditer(data[:50_000])]
    start = random.choice(places or [0])
    return data[:start] + random.choice((b"\\ud800", b"\\udfff", b"\\ud83d\\ude00")) + data[start:]


def change_number(data: bytes, random: Random) -> bytes:
    """Put something large or odd in the place of a number."""
    found = list(NUMBER.finditer(data[:50_000]))
    if not found:
        return data
    for place in sorted(random.sample(found, min(len(found), random.choice((1, 1, 5)))), key=lambda m: -m.start()):
        other = random.choice(
            (b"1" + b"0" * 30, b"1e308", b"1e999", b"-0", b"nan", b"9" * 5000, b"-1", b"0", b"1.5", b"", b"4294967296",
             b"9223372036854775808", b"1e-320", b"99999999")
        )  # fmt: skip
        data = data[: place.start()] + other + data[place.end() :]
    return data


# --- lines and cells --------------------------------------------------------------------------------------------


def change_lines(data: bytes, random: Random) -> bytes:
    """Repeat, remove, swap or shuffle lines."""
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 1, 4))):
        one, two = random.randrange(len(lines)), random.randrange(len(lines))
        kind = random.choice(("repeat", "remove", "swap", "repeat often"))
        if kind == "repeat":
            lines.insert(two, lines[one])
        elif kind == "repeat often":
            lines[two:two] = [lines[one]] * _times(lines[one], random.choice((10, 3000)))
        elif kind == "remove" and len(lines) > 1:
            del lines[one]
        else:
            lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def change_cells(data: bytes, random: Random) -> bytes:
    """Repeat, remove, swap, quote, empty or lengthen cells of a row."""
    lines = data.split(b"\n")
    separator = _separator(data)
    for _ in range(random.choice((1, 1, 4))):
        row = random.randrange(len(lines)) if random.random() < 0.7 else 0
        cells = lines[row].split(separator)
        one, two = random.randrange(len(cells)), random.randrange(len(cells))
        kind = random.choice(("repeat", "remove", "swap", "quote", "half a quote", "empty", "long", "many", "run"))
        if kind == "repeat":
            cells.insert(two, cells[one])
        elif kind == "remove":
            del cells[one]
        elif kind == "swap":
            cells[one], cells[two] = cells[two], cells[one]
        elif kind == "many":
            cells[one:one] = [cells[one]] * _times(cells[one], random.choice((50, 3000)))
        elif kind == "run":
            cells[one] = random.choice(RUNS) * random.choice((500, 30_000)) + random.choice((b"", b"1 b"))
        elif kind == "long":
            longer = cells[one] + b"x"
            cells[one] = longer * _times(longer, random.choice((500, 20_000)))
        else:
            cells[one] = {"quote": b'"' + cells[one] + b'"', "half a quote": b'"' + cells[one], "empty": b""}[kind]
        lines[row] = separator.join(cells)
    return b"\n".join(lines)


def change_columns(data: bytes, random: Random) -> bytes:
    """Swap two titles of columns, replace one, or add a second column of some role."""
    lines = data.split(b"\n")
    separator = _separator(data)
    titles = lines[0].split(separator)
    one, two = random.randrange(len(titles)), random.randrange(len(titles))
    kind = random.choice(("swap", "replace", "again", "add", "add both"))
    if kind == "swap":
        titles[one], titles[two] = titles[two], titles[one]
    elif kind == "replace":
        titles[one] = random.choice(random.choice(TITLES))
    else:
        several = random.choice([words for words in TITLES if len(words) > 1])
        added = {"again": [titles[one]], "add": random.sample(several, 1), "add both": random.sample(several, 2)}[kind]
        titles += added
        lines[1:] = [line and separator.join([line, *([b"1"] * len(added))]) for line in lines[1:]]
    lines[0] = separator.join(titles)
    return b"\n".join(lines)


def _times(piece: bytes, wanted: int) -> int:
    """How often to repeat a piece so that no more than MAX_BYTES bytes come of it."""
    return min(wanted, MAX_BYTES // (len(piece) + 1))


def _separator(data: bytes) -> bytes:
    first = data.split(b"\n", 1)[0]
    return max((b"\t", b",", b" "), key=first.count)


OF_BYTES: Mapping[str, Callable[[bytes, Random], bytes]] = {
    each.__name__: each
    for each in (
        flip_bytes,
        truncate,
        behead,
        insert_piece,
        insert_run,
        change_line_ends,
        mark,
        encode_otherwise,
        nest,
        insert_surrogate,
        change_number,
        change_lines,
        change_cells,
        change_columns,
    )
}


#: Of files that are no text, which most other kinds would leave unrecognisable.
OF_BINARY: Mapping[str, Callable[[bytes, Random], bytes]] = {
    each.__name__: each for each in (flip_bytes, change_bytes, change_end, swap_pieces, insert_piece, truncate)
}


# --- archives ---------------------------------------------------------------------------------------------------


def damage_member(data: bytes, random: Random) -> bytes:
    """Damage one of the files in an archive."""
    members = _members(data)
    if not members:
        return data
    name = random.choice(list(members))
    return packed(members | {name: random.choice(tuple(OF_BYTES.values()))(members[name], random)})


def repeat_member(data: bytes, random: Random) -> bytes:
    """Give an archive a second file of the same name."""
    members = _members(data)
    if not members:
        return data
    name = random.choice(list(members))
    return packed(members, {name: random.choice((members[name], b"", random.choice(list(members.values()))))})


def rename_member(data: bytes, random: Random) -> bytes:
    """Give one of an archive's files another name, or the name of another."""
    members = _members(data)
    if not members:
        return data
    name = random.choice(list(members))
    parts = name.split("/")
    part = random.randrange(len(parts))
    parts[part] = random.choice(
        ("", "..", "metric-scores", "human-scores", "xx-zz.refA.txt", "a\nb", "\x1b[31m", "%" * 300)
    )
    other = random.choice(
        ("/".join(parts), name.upper(), name.replace(".", "."), name.removesuffix(".txt"), name + "/x")
    )
    return packed({other if each == name else each: content for each, content in members.items()})


def remove_member(data: bytes, random: Random) -> bytes:
    """Take one of an archive's files away."""
    members = _members(data)
    gone = random.choice([*members, ""])
    return packed({name: content for name, content in members.items() if name != gone})


def add_members(data: bytes, random: Random) -> bytes:
    """Add many files, or a large one that packs well."""
    members = _members(data)
    folder = next(iter(members), "t/x").split("/")[0]
    if random.random() < 0.5:
        return packed(members | {f"{folder}/sources/{random.choice(('xx-yy', 'zz'))}.txt": b"\n" * 20_000_000})
    return packed(members | {f"{folder}/metric-scores/xx-yy/M{n}-refA.sys.score": b"S1\t1\n" for n in range(300)})


def _members(data: bytes) -> dict[str, bytes]:
    """The files of an archive that can be read."""
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if member.file_size < 5_000_000:
                    found[member.filename] = archive.read(member)
    except Exception:  # noqa: BLE001, S110 # damaged already: what was read before is kept
        pass
    return found


OF_ARCHIVES: Mapping[str, Callable[[bytes, Random], bytes]] = {
    each.__name__: each
    for each in (
        damage_member,
        damage_member,
        repeat_member,
        rename_member,
        remove_member,
        add_members,
        flip_bytes,
        truncate,
    )
}
