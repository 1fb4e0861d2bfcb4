"""Names of files in releases of WMT, and the languages that names and the beginnings of files say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bleu_core.formats.compression import LANGUAGES, stem_of, suffix_of
from bleu_core.formats.contents import FileRole
from bleu_core.formats.document_ids import language_pair

#: A language code as in releases: en, zh, eng_Latn.
_LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,8}){0,2}"
#: newstest2021.ru-en.hyp.Online-A
_RELEASE = re.compile(
    rf"(?P<base>.+?)\.(?P<source>{_LANGUAGE})-(?P<target>{_LANGUAGE})\.(?P<kind>src|ref|hyp)(?:\.(?P<name>.+))?"
)
#: newstest2021.ru-en.all, one XML file per language pair
_XML = re.compile(rf"(?P<base>.+?)\.(?P<source>{_LANGUAGE})-(?P<target>{_LANGUAGE})(?:\.all)?")
#: newstest2020-ruen-ref, in releases up to 2020
_OLD = re.compile(r"(?P<base>.*\d{4})-(?P<source>[a-z]{2})(?P<target>[a-z]{2})-(?P<kind>src|ref)")
#: Roles of files by their kind in names.
_ROLES: Mapping[str, FileRole] = MappingProxyType({"src": "source", "ref": "reference", "hyp": "system"})
#: Language codes that are also words or abbreviations in names of files and folders.
_WORDS = frozenset({"am", "as", "be", "id", "is", "it", "mt", "my", "no", "or", "so", "to"})
#: The longest name that is matched; file systems allow 255 bytes.
MAX_LENGTH = 1000

#: Bytes at the beginning of a file in XML or SGML in which languages are looked for.
HEAD_BYTES = 2**14
_SOURCE_LANGUAGE = re.compile(
    rb"""\b(?:srclang|source-language)\s*=\s*["']([A-Za-z_-]{2,20})["']|<src\s+lang\s*=\s*["']([A-Za-z_-]{2,20})""",
    re.IGNORECASE,
)
_TARGET_LANGUAGE = re.compile(
    rb"""\b(?:trglang|target-language)\s*=\s*["']([A-Za-z_-]{2,20})["']"""
    rb"""|<(?:ref|hyp)\s[^>]{0,200}?\blang\s*=\s*["']([A-Za-z_-]{2,20})["']""",
    re.IGNORECASE,
)
_VARIANT_LANGUAGE = re.compile(rb"""<tuv\s[^>]{0,200}?\bxml:lang\s*=\s*["']([A-Za-z_-]{2,20})["']""")
#: Values of such attributes that are no language.
NO_LANGUAGES = frozenset({"any", "mul", "und", "mis", "zxx"})
#: Endings of files whose beginning names the languages.
MARKUP_ENDINGS = (".xml", ".sgm", ".sgml", ".tmx", ".xlf", ".xliff")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseName:
    """What the name of a file in a release says.

    Attributes:
        test_set: the test set with its language pair: newstest2021.ru-en.
        languages: the language pair, as SOURCE-TARGET.
        role: the role of the file; None for a file with several texts.
        name: the system or reference: Online-A, ref.A; empty for a source or a file with several texts.
    """

    test_set: str
    languages: str
    role: FileRole | None
    name: str = ""


def parse_release_name(file_name: str) -> ReleaseName | None:
    """Return what a file's name says by the conventions of WMT; None if it does not follow them.

    >>> parse_release_name("newstest2021.ru-en.hyp.Online-A.en")
    ReleaseName(test_set='newstest2021.ru-en', languages='ru-en', role='system', name='Online-A')
    >>> parse_release_name("newstest2021.ru-en.ref.A.en.txt.gz").name
    'ref.A'
    >>> parse_release_name("newstest2020-ruen-src.ru.sgm").test_set
    'newstest2020.ru-en'
    """
    if len(file_name) > MAX_LENGTH:
        return None
    stem = stem_of(file_name)
    if suffix_of(file_name) == ".xml" and (match := _XML.fullmatch(stem)):
        return _release_name(match, role=None)
    if match := _OLD.fullmatch(stem_of(stem)):
        return _release_name(match, role=_ROLES[match["kind"]], name="ref" if match["kind"] == "ref" else "")
    match = _RELEASE.fullmatch(stem)
    if match is None:
        return None
    name = match["name"] or ""
    before, dot, ending = f".{name}".rpartition(".")
    if dot and ending.lower() in {match["source"].lower(), match["target"].lower()}:
        name = before.removeprefix(".")
    if match["kind"] == "hyp" and not name:
        return None
    if match["kind"] == "ref":
        name = f"ref.{name}" if name else "ref"
    role = _ROLES[match["kind"]]
    return _release_name(match, role=role, name="" if role == "source" else name)


def _release_name(match: re.Match[str], *, role: FileRole | None, name: str = "") -> ReleaseName:
    languages = f"{match['source']}-{match['target']}"
    return ReleaseName(test_set=f"{match['base']}.{languages}", languages=languages, role=role, name=name)


def languages_of_releases(file_names: Iterable[str]) -> str:
    """Return the language pair that names of files say by the conventions of WMT; empty if none does, or they differ.

    >>> languages_of_releases(["newstest2021.ru-en.hyp.A.en", "my-mt.txt"])
    'ru-en'
    """
    releases = (release.languages for name in file_names if (release := parse_release_name(name)))
    pairs = {pair for pair in releases if _are_codes(pair)}
    return pairs.pop() if len(pairs) == 1 else ""


def languages_in(names: Iterable[str]) -> str:
    """Return the language pair that names of files, folders or test sets say; empty if none does, or they differ.

    A pair counts if both sides are languages: codes of ISO 639-1, or any codes with a script or region. Two codes that
    are also English words or abbreviations of file names, as in as-is or my-mt, do not count.

    >>> languages_in(["en-de"]), languages_in(["newstest2021.ru-en"]), languages_in(["en-de", "en-fr"])
    ('en-de', 'ru-en', '')
    >>> languages_in(["to-do"]), languages_in(["my-mt"]), languages_in(["my-en"])
    ('', '', 'my-en')
    """
    pairs = {pair for name in names for part in (name, *name.split("."), *name.split("/")) if (pair := _pair(part))}
    return pairs.pop() if len(pairs) == 1 else ""


def _pair(text: str) -> str:
    """Return the language pair that a text is; empty for words such as top-two, to-do or as-is."""
    pair = language_pair(text)
    return pair if pair and _are_codes(pair) and not _WORDS.issuperset(pair.split("-")) else ""


def _are_codes(pair: str) -> bool:
    """Return whether both sides are codes of two letters in ISO 639-1, or of three with a script or region."""
    codes = [code.partition("_") for code in pair.split("-")]
    return all(code in LANGUAGES if len(code) == 2 else script for code, _, script in codes)  # noqa: PLR2004 # letters


def checked_languages(text: str) -> str:
    """Return a language pair that a user wrote, in which a region may follow a hyphen; empty if it is none.

    >>> checked_languages("en-de"), checked_languages("en-pt-BR"), checked_languages("German")
    ('en-de', 'en-pt_BR', '')
    """
    source, _, target = text.strip().partition("-")
    return language_pair(f"{source}-{target.replace('-', '_')}") if target else ""


def without_regions(pair: str) -> str:
    """Return a language pair without scripts and regions.

    >>> without_regions("en-de_DE")
    'en-de'
    """
    return "-".join(code.partition("_")[0] for code in pair.split("-"))


def languages_in_markup(name: str, data: bytes) -> str:
    """Return the language pair that the beginning of a file in XML, SGML or TMX says; empty if it does not.

    Only attributes of languages at the beginning are looked at, not whether the file is well-formed.

    Args:
        name: the name of the file.
        data: its bytes, not compressed.
    """
    if suffix_of(name) not in MARKUP_ENDINGS:
        return ""
    head = data[:HEAD_BYTES]
    source, target = _SOURCE_LANGUAGE.search(head), _TARGET_LANGUAGE.search(head)
    if source is None:
        return ""
    source_code = (source[1] or source[2]).decode("ascii")
    if target is not None:
        target_codes = {(target[1] or target[2]).decode("ascii")}
    else:
        target_codes = {match[1].decode("ascii") for match in _VARIANT_LANGUAGE.finditer(head)} - {source_code}
    if len(target_codes) != 1 or not NO_LANGUAGES.isdisjoint({source_code.lower(), *map(str.lower, target_codes)}):
        return ""
    return language_pair(
        "-".join(code.lower()[:2] + code[2:].replace("-", "_") for code in (source_code, *target_codes))
    )


def languages_of_file(name: str, data: bytes = b"") -> str:
    """Return the language pair that the name, the beginning or the folders of a file say; empty if none does.

    Args:
        name: the name of the file, with its folders if they are known.
        data: its bytes, not compressed; the beginning of a file in XML, SGML or TMX may say its languages.

    >>> languages_of_file("newstest2021.en-zh.hyp.A.zh"), languages_of_file("wmt21/en-ja/refA.txt")
    ('en-zh', 'en-ja')
    """
    *folders, own = name.replace("\\", "/").split("/")
    said = languages_of_releases([own]) or languages_in([own]) or languages_in_markup(own, data)
    return said or next(filter(None, (languages_in([folder]) for folder in reversed(folders))), "")
