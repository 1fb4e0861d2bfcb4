"""Names of files in releases of WMT, and the languages that names and the beginnings of files say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.dataset import normal_name
from bleu_core.formats.compression import ENDINGS, LANGUAGES, stem_of, strip_compression_ending, suffix_of
from bleu_core.formats.contents import FileRole
from bleu_core.formats.document_ids import LANGUAGE, language_pair
from bleu_core.formats.text_roles import ROLE_OF_FOLDER

_LANGUAGE = LANGUAGE.pattern
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
#: A language inside a name: de, deu, deu_Latn, pt-BR. Only capitals distinguish a script or region from other words.
_CODE = r"[a-z]{2,3}(?:[_-](?:[A-Z][a-z]{3}|[A-Z]{2,3})){0,2}"
_CODE_IN_NAME = re.compile(rf"(?<![A-Za-z0-9]){_CODE}(?![A-Za-z0-9])")
#: A language pair inside a name: en-de, en2de, eng_Latn-deu_Latn. The lookahead also finds pairs that overlap.
_PAIR_IN_NAME = re.compile(rf"(?<![A-Za-z0-9])(?=({_CODE})(?:-{{1,3}}|2|[_-]to[_-])({_CODE})(?![A-Za-z0-9]))")
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
    pairs = {pair for pair in releases if all(map(_is_language, pair.split("-")))}
    return pairs.pop() if len(pairs) == 1 else ""


def languages_of_paths(paths: Collection[PurePosixPath]) -> str:
    """Return the language pair that names of releases, or else folders, say; empty if none does, or they differ."""
    folders = (part for path in paths for part in path.parts[:-1])
    return languages_of_releases(path.name for path in paths) or languages_in(folders)


def languages_in(names: Iterable[str]) -> str:
    """Return the language pair that names of files, folders or test sets say; empty if none does, or they differ.

    A pair counts if both sides are languages: known codes, or any of three letters with a script or region. Two codes
    that are also English words or abbreviations of file names, as in as-is or my-mt, do not count.

    >>> languages_in(["en-de"]), languages_in(["newstest2021.ru-en"]), languages_in(["en-de", "en-fr"])
    ('en-de', 'ru-en', '')
    >>> languages_in(["to-do"]), languages_in(["my-mt"]), languages_in(["my-en"])
    ('', '', 'my-en')
    """
    pairs = {pair for name in names for part in (name, *name.split("."), *name.split("/")) if (pair := _pair(part))}
    return pairs.pop() if len(pairs) == 1 else ""


def _pair(text: str) -> str:
    """Return the language pair that a text is; empty for words such as top-two, to-do or as-is."""
    codes = language_pair(text).split("-")
    return "-".join(codes) if all(map(_is_language, codes)) and not _WORDS.issuperset(codes) else ""


def checked_languages(text: str) -> str:
    """Return a language pair that a user wrote, in which a region may follow a hyphen; empty if it is none.

    >>> checked_languages("en-de"), checked_languages("en-pt-BR"), checked_languages("German")
    ('en-de', 'en-pt_BR', '')
    """
    source, _, target = text.strip().partition("-")
    return language_pair(f"{source}-{target.replace('-', '_')}") if target else ""


def matching_pairs(pair: str, pairs: Iterable[str]) -> list[str]:
    """Return those of some language pairs that are a pair, or else those that differ in scripts and regions only.

    >>> matching_pairs("en-de", ["en-de_DE", "en-fr"])
    ['en-de_DE']
    """
    pairs = list(pairs)
    same = [own for own in pairs if own == pair]
    return same or [own for own in pairs if _without_regions(own) == _without_regions(pair)]


def _without_regions(pair: str) -> str:
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


# Languages of single files, by which they are divided into test sets.


class LanguageName(NamedTuple):
    """A reading of a path that has a language in it.

    Attributes:
        code: the language, or the pair as SOURCE-TARGET: de, deu_Latn, en-de.
        folders: the folders without it; a folder that is nothing else is left out.
        stem: the name of the file without it and without endings; may be empty.
    """

    code: str
    folders: tuple[str, ...]
    stem: str

    @property
    def is_certain(self) -> bool:
        """Whether it is a pair or has a script or region, so that no other word looks like it."""
        return "-" in self.code or "_" in self.code


def language_names(path: PurePosixPath) -> tuple[LanguageName, ...]:
    """Return the readings of a path as one with a language, the most plausible first; empty if it has none.

    Pairs go before single languages, these with a script before others, and the file's name before its folders.

    >>> language_names(PurePosixPath("A.de.txt"))
    (LanguageName(code='de', folders=(), stem='A'),)
    >>> language_names(PurePosixPath("nllb/run_eng_Latn-deu_Latn.txt"))[0]
    LanguageName(code='eng_Latn-deu_Latn', folders=('nllb',), stem='run')
    >>> language_names(PurePosixPath("to-do.txt")), language_names(PurePosixPath("my-mt.txt"))
    ((), ())
    """
    name = PurePath(strip_compression_ending(path.name))
    while name.suffix.lower() in ENDINGS:
        name = name.with_suffix("")
    parts = (*path.parts[:-1], name.name)
    ranked: list[tuple[tuple[bool, bool, int, int], LanguageName]] = []
    for i, part in enumerate(parts):
        for code, start, end in _languages_in_part(part[:MAX_LENGTH]):
            rest = _joined(part[:start], part[end:])
            cleaned = [*parts[:i], rest, *parts[i + 1 :]]
            cleaned[-1] = ".".join(word for word in cleaned[-1].split(".") if word not in code.split("-"))
            reading = LanguageName(code, tuple(filter(None, cleaned[:-1])), cleaned[-1])
            ranked.append((("-" in code, "_" in code, i, start), reading))
    return tuple(reading for _, reading in sorted(ranked, key=lambda item: item[0], reverse=True))


def _languages_in_part(part: str) -> Iterator[tuple[str, int, int]]:
    """Yield the language pairs, and the languages outside of them, in a name, each with its place."""
    pairs: list[tuple[int, int]] = []
    for match in _PAIR_IN_NAME.finditer(part):
        if pair := _pair(f"{_with_underscores(match[1])}-{_with_underscores(match[2])}"):
            pairs.append((match.start(), match.end(2)))
            yield pair, *pairs[-1]
    for match in _CODE_IN_NAME.finditer(part):
        start, end = match.span()
        code = _with_underscores(match[0])
        is_component = part[start - 1 : start] in {"", "."} and part[end : end + 1] in {"", "."}
        is_inside = any(first <= start and end <= last for first, last in pairs)
        if not is_inside and _is_language(code) and (is_component or code not in _WORDS):
            yield code, start, end


def _with_underscores(code: str) -> str:
    return code.replace("-", "_")


def _is_language(code: str) -> bool:
    """Return whether a code is a known one, or one of three letters with a script or region."""
    language, _, script = code.partition("_")
    return language in LANGUAGES or (len(language) > 2 and bool(script))  # noqa: PLR2004 # letters


def _joined(before: str, after: str) -> str:
    """Return what is before and after a language in a name, with one of the separators around it."""
    before, after = before.rstrip("._- "), after.rstrip("._- ")
    return f"{before}{after}" if before else after.lstrip("._- ")


class LanguageSets(NamedTuple):
    """Files that are divided into test sets by the languages in their names.

    Attributes:
        sets: language or pair -> the positions of its files; files for all languages are in each.
        names: position of an output or reference -> its name without the language, the same in all test sets.
        pairs: language or pair -> the pair, if it or the name of the source says it; else the language alone.
    """

    sets: Mapping[str, Sequence[int]]
    names: Mapping[int, str]
    pairs: Mapping[str, str]


def divide_by_language(
    files: Sequence[tuple[PurePosixPath, str | None]], existing: Collection[str] = ()
) -> LanguageSets | None:
    """Divide files by the languages in their names and folders, where outputs and references have the same ones.

    A reference in one language belongs to all pairs with this target, a source to all with this source. The only file
    of sources, documents or labels in a language of no test set, or in none, belongs to all of them. Outputs without a
    reference in their language, and references without outputs, are in no set.

    Args:
        files: path and role of each file; None is taken for an output.
        existing: test sets that need no reference, since they have one already.

    Returns:
        None if all references are in one language, or one has none in its name. Without any reference, the names of
        outputs must have pairs, scripts or regions.
    """
    readings = [language_names(path) for path, _ in files]
    references = [i for i, (_, role) in enumerate(files) if role == "reference"]
    outputs = [i for i, (_, role) in enumerate(files) if role in ("system", "archive", None)]
    chosen = _chosen(readings, outputs, references)
    codes = dict.fromkeys(chosen[i].code for i in outputs if i in chosen)
    are_certain = all(chosen[i].is_certain or chosen[i].code in existing for i in outputs if i in chosen)
    if not chosen.keys() >= set(references) or not (references or are_certain):
        return None
    codes |= dict.fromkeys(chosen[i].code for i in references if chosen[i].code in existing)
    sets: dict[str, list[int]] = {code: [] for code in codes}
    unused: set[str] = set()
    for i in references:
        own = _sets_of(chosen[i].code, codes, target_of)
        unused |= set() if own else {chosen[i].code}
        for code in own:
            sets[code].append(i)
    need_none = not references and codes.keys().isdisjoint(existing)
    sets = {code: own for code, own in sets.items() if own or need_none or code in existing}
    if not sets or (len(sets) + len(unused) < 2 and sets.keys().isdisjoint(existing)):  # noqa: PLR2004 # one set
        return None
    for i in outputs:
        if i in chosen and chosen[i].code in sets:
            sets[chosen[i].code].append(i)
    names = _names_without_language(files, {i: chosen[i] for own in sets.values() for i in own}, sets)
    _add_others(sets, files, readings)
    return LanguageSets(
        {code: sorted(own) for code, own in sets.items()},
        names,
        {
            code: _with_source(code, [readings[i][0].code for i in own if files[i][1] == "source" and readings[i]])
            for code, own in sets.items()
        },
    )


def _add_others(
    sets: dict[str, list[int]],
    files: Sequence[tuple[PurePosixPath, str | None]],
    readings: Sequence[Sequence[LanguageName]],
) -> None:
    """Add the files that are neither outputs nor references to their test sets."""
    of_no_set: dict[str, list[int]] = {}
    for i, (_, role) in enumerate(files):
        if role in ("reference", "system", "archive", None):
            continue
        side = _source_of if role == "source" else target_of
        own = next(filter(None, (_sets_of(name.code, sets, side) for name in readings[i])), ())
        for code in own:
            sets[code].append(i)
        if not own and role in ("source", "document", "labels"):
            of_no_set.setdefault(role, []).append(i)
    for same_role in of_no_set.values():
        if len(same_role) == 1:
            for positions in sets.values():
                positions.extend(same_role)


def _with_source(code: str, sources: Sequence[str]) -> str:
    """Return the language pair of a test set whose sources are in these languages; its own code if they do not say."""
    source = sources[0] if len(set(sources)) == 1 else code
    return code if "-" in source + code or source == code else f"{source}-{code}"


def _names_without_language(
    files: Sequence[tuple[PurePosixPath, str | None]],
    readings: Mapping[int, LanguageName],
    sets: Mapping[str, Sequence[int]],
) -> dict[int, str]:
    """Return the names of outputs and references: of their files, or of folders where these are empty.

    Outputs have the names of folders also where only these are unique in each test set.
    """
    releases = {i: parse_release_name(files[i][0].name) for i in readings}
    stems = {i: (release.name if (release := releases[i]) else "") or name.stem for i, name in readings.items()}
    folders = {
        i: "/".join(part for part in reading.folders if part not in ROLE_OF_FOLDER) for i, reading in readings.items()
    }
    names = {i: normal_name(stems[i] or folders[i] or files[i][1] or "system") for i in readings}
    outputs = [i for i in readings if files[i][1] != "reference"]
    both = {i: "/".join(filter(None, (folders[i], stems[i]))) for i in outputs}
    for others in ({i: folders[i] or stems[i] for i in outputs}, both):
        in_sets = [(code, names[i]) for code, own in sets.items() for i in own if i in both]
        if len(set(in_sets)) == len(in_sets):
            break
        names |= {i: normal_name(name) for i, name in others.items()}
    return names


def _chosen(
    names: Sequence[Sequence[LanguageName]], outputs: Sequence[int], references: Sequence[int]
) -> dict[int, LanguageName]:
    """Return for each output and reference the reading whose language the other side has, too; else the first."""
    chosen: dict[int, LanguageName] = {}
    for own, others in ((outputs, references), (references, outputs)):
        known = {form for i in others for name in names[i] for form in (name.code, target_of(name.code))}
        for i in own:
            fitting = (name for name in names[i] if not known.isdisjoint((name.code, target_of(name.code))))
            reading = next(fitting, next(iter(names[i]), None))
            if reading is not None:
                chosen[i] = reading
    return chosen


def _sets_of(code: str, codes: Collection[str], side: Callable[[str], str]) -> list[str]:
    """Return the test sets of a text in a language: that of the same name, or else those with it on a side."""
    if code in codes:
        return [code]
    if "-" in code:
        return [target_of(code)] if target_of(code) in codes else []
    return [pair for pair in codes if side(pair) == code]


def _source_of(code: str) -> str:
    """Return the source of a language pair; empty for a single language."""
    return code.rpartition("-")[0]


def target_of(code: str) -> str:
    """Return the target of a language pair; a single language is one itself.

    >>> target_of("en-pt_BR"), target_of("de")
    ('pt_BR', 'de')
    """
    return code.rpartition("-")[2]


def language_of_name(name: str) -> str:
    """Return the language that the last part of the name of a test set is; empty if it is none.

    >>> language_of_name("news/zho_Hans"), language_of_name("news")
    ('zho_Hans', '')
    """
    last = name.rpartition("/")[2]
    return next((code for code, start, end in _languages_in_part(last) if last == last[start:end]), "")
