"""Compressed files: gzip, xz, bzip2 and Zstandard, unpacked within the limits."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from bleu_core.dataset import normal_name
from bleu_core.errors import FormatError
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import report_progress

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: Bytes that are unpacked at a time.
PIECE_BYTES = 2**20
#: Compressed bytes that are read at a time by formats without incremental output: four bytes may expand to 128 KiB.
READ_BYTES = 2**9
#: Unpacked bytes from which on the limit on the compression ratio applies: a short list of documents may repeat one
#: name.
MIN_RATIO_BYTES = 2**24
#: Bytes by which a compression is recognised.
MAGIC_BYTES = 10
#: The most memory for unpacking xz; files made with its strongest standard preset need less.
MAX_XZ_MEMORY = 2**28
#: The binary logarithm of the largest window of Zstandard; the default of its command-line tool.
MAX_WINDOW_LOG2 = 27


def _gzip(packed: BinaryIO) -> Iterator[bytes]:
    import gzip  # loaded when first needed, like the other packages
    import zlib

    try:
        with gzip.GzipFile(fileobj=packed) as stream:
            yield from iter(lambda: stream.read(PIECE_BYTES), b"")
    except zlib.error as error:
        raise OSError(str(error)) from None


def _bzip2(packed: BinaryIO) -> Iterator[bytes]:
    import bz2

    with bz2.BZ2File(packed) as stream:
        yield from iter(lambda: stream.read(PIECE_BYTES), b"")


def _xz(packed: BinaryIO) -> Iterator[bytes]:
    import lzma

    try:
        yield from _frames(packed, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ_MEMORY))
    except lzma.LZMAError as error:
        raise OSError(str(error)) from None


def _zstandard(packed: BinaryIO) -> Iterator[bytes]:
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=2**MAX_WINDOW_LOG2)
    try:
        yield from _frames(packed, decompressor.decompressobj)
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from None


class _Decompressor(Protocol):
    """Decompresses one frame of a file, as in lzma."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _frames(packed: BinaryIO, start: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Yield the unpacked frames of a file: the file classes of the packages set no limit, or miss a truncated end."""
    rest = packed.read(READ_BYTES)
    while rest:
        stream = start()
        yield stream.decompress(rest)
        while not stream.eof:
            rest = packed.read(READ_BYTES)
            if not rest:
                raise EOFError("the end is missing")
            yield stream.decompress(rest)
        rest = (stream.unused_data or packed.read(READ_BYTES)).lstrip(
            b"\0"
        )  # xz allows padding with zeros between streams


class Compression(NamedTuple):
    """A compression format.

    Attributes:
        name: the name in messages.
        magic: the first bytes.
        ending: the ending of file names.
        pieces: yields the unpacked bytes of a file in pieces of bounded size.
    """

    name: str
    magic: bytes
    ending: str
    pieces: Callable[[BinaryIO], Iterator[bytes]]


COMPRESSIONS: tuple[Compression, ...] = (
    Compression("gzip", b"\x1f\x8b\x08", ".gz", _gzip),
    Compression("bzip2", b"BZh", ".bz2", _bzip2),
    Compression("xz", b"\xfd7zXZ\0", ".xz", _xz),
    Compression("Zstandard", b"\x28\xb5\x2f\xfd", ".zst", _zstandard),
)
#: What follows the magic bytes of bzip2, since a text may begin with BZh.
BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
DECOMPRESSION_ERRORS = (OSError, EOFError, ValueError)
BY_ENDING: Mapping[str, Compression] = MappingProxyType({entry.ending: entry for entry in COMPRESSIONS})
#: Endings that are not part of the name of a system or reference: those of formats and of kinds of texts.
ENDINGS = frozenset(
    {
        *(".txt", ".text", ".tsv", ".tab", ".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".xlsx", ".xlsm"),
        *(".xls", ".ods", ".xml", ".sgm", ".sgml", ".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff", ".tmx", ".po"),
        *(".pot", ".srt", ".vtt", ".zip", ".score", ".scores", ".rating", ".docs", ".log", ".md"),
        *(".hyp", ".hypo", ".hypothesis", ".out", ".output", ".pred", ".sys", ".mt", ".ref", ".reference", ".src"),
        *(".source", ".trg", ".tgt", ".target", ".trans", ".tok", ".detok", ".raw", ".plain", ".lc", ".snt", ".bpe"),
    }
)
#: Language codes of ISO 639-1, and three-letter codes that test sets use.
_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    ara bho ces deu dsb ell eng est fas fin fra heb hin hrv hsb hun ind isl ita jpn kor lav lit liv mas nld nor pol
    por ron rus sah slk slv spa srp swe tha tur ukr vie zho
"""
LANGUAGES = frozenset(_CODES.split())
#: The last ending of a name that is a language, which may have a script or a region: .de, .pt-BR, .zh_Hans, .eng_Latn.
LANGUAGE = re.compile(r"\.([a-z]{2,3})(?:[-_](?:[a-z]{4}|[a-z]{2}|\d{3})){0,2}", re.IGNORECASE)


def compression_of(begin: bytes) -> Compression | None:
    """Return the compression of a file by its first bytes; None if it is not compressed."""
    compression = next((candidate for candidate in COMPRESSIONS if begin.startswith(candidate.magic)), None)
    if (
        compression is not None
        and compression.name == "bzip2"
        and not (begin[3:4].isdigit() and begin[4:10] in BZIP2_BLOCKS)
    ):
        return None
    return compression


def decompress(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of a file, decompressed if they are compressed.

    Args:
        data: all bytes of the file.
        name: the file, for messages.
        limits: the limits on the packed and unpacked size; unpacking stops at the limit.

    Raises:
        FormatError: the file is damaged.
        LimitError: it holds too much.
    """
    limits.check("file_bytes", len(data), name)
    compression = compression_of(data)
    if compression is None:
        return data
    output, packed = io.BytesIO(), io.BytesIO(data)
    for piece in _pieces(packed, compression, name, limits):
        limits.check("file_bytes", output.tell() + len(piece), f"{name}, unpacked")
        output.write(piece)
        report_progress(packed.tell(), len(data))
    return output.getvalue()


def open_decompressed(packed: BinaryIO, name: str, limits: Limits = DEFAULT_LIMITS) -> BinaryIO:
    """Return a file that is decompressed while it is read; the file itself if it is not compressed.

    Reading from it raises FormatError if the file is damaged, and LimitError if it holds too much for its size. Only
    one piece of it is in memory, so that its size is not limited.

    Args:
        packed: the file, at its beginning.
        name: the file, for messages.
        limits: the limit on the compression ratio applies.
    """
    compression = compression_of(packed.read(MAGIC_BYTES))
    packed.seek(0)
    return packed if compression is None else io.BufferedReader(_Unpacked(packed, compression, name, limits))


class _Unpacked(io.RawIOBase):
    """A stream of the unpacked bytes of a compressed file."""

    def __init__(self, packed: BinaryIO, compression: Compression, name: str, limits: Limits) -> None:
        super().__init__()
        self._pieces = _pieces(packed, compression, name, limits)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        target = memoryview(buffer).cast("B")
        count = min(len(target), len(self._rest))
        target[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def _pieces(packed: BinaryIO, compression: Compression, name: str, limits: Limits) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file in pieces; errors as for decompress, which limits their total."""
    size = 0
    try:
        for piece in compression.pieces(packed):
            size += len(piece)
            if size > MIN_RATIO_BYTES:
                limits.check("compression_ratio", size // packed.tell(), name)
            yield piece
    except FormatError:
        raise
    except DECOMPRESSION_ERRORS as error:
        raise FormatError(
            f"{name}: cannot be unpacked with {compression.name}: {error or 'damaged'}; pack the file again"
        ) from None


def strip_compression_ending(name: str) -> str:
    """Return a file's name without the ending of a compression.

    >>> strip_compression_ending("ratings.tsv.gz")
    'ratings.tsv'
    """
    return next((name[: -len(ending)] for ending in BY_ENDING if name.lower().endswith(ending)), name)


def stem_of(name: str) -> str:
    """Return a file's name without folders, the ending of a compression, and its last ending if that is known.

    Known endings are those of formats, words such as .hyp, and languages; the name of a system may contain dots.

    >>> stem_of("out/ref.A.txt.xz")
    'ref.A'
    >>> stem_of("gpt-4.1")
    'gpt-4.1'
    """
    path = PurePath(strip_compression_ending(name))
    language = LANGUAGE.fullmatch(path.suffix)
    known = path.suffix.lower() in ENDINGS or (language is not None and language[1].lower() in LANGUAGES)
    return normal_name(path.stem if known else path.name)


def suffix_of(name: str) -> str:
    """Return the last ending of a file's name in lower case, ignoring that of a compression.

    >>> suffix_of("ratings.TSV.gz")
    '.tsv'
    """
    return PurePath(strip_compression_ending(name)).suffix.lower()
