"""Division of files into test sets: by language pairs in them, names of releases, folders, or languages in names.

What is recognised, in this order:

1. Test sets of several language pairs: a zip or folder of mt-metrics-eval, also with several test sets, and documents
   of WMT25 and WMT26 in JSON lines. Each pair is a test set. Files of mt-metrics-eval share their bytes. Documents are
   divided once, so that each line is parsed twice, however many pairs there are: for the division and for its own set.
2. Names of releases: newstest2021.ru-en.hyp.Online-A.en belongs to the test set newstest2021.ru-en and is the system
   Online-A.
3. A folder per test set, each with references or sources of its own and systems, of which some are in several sets.
   Folders such as refs and systems say roles, and a folder per system with the reference outside is one test set.
4. Languages in names and folders, also within such a folder: ref.de.txt and A.de.txt, refs/en-de.txt and A/en-de.txt.
   Outputs must be more like the references in their language than like those of the others.

Files that form one test set are not divided; their test set has no name. Where it is unclear, they are not divided
either, and a note gives the reason.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from posixpath import commonpath
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.collection.globs import FileTree
from bleu_core.collection.manifest import MANIFEST, document_parts, names_by_folder, parse_manifest
from bleu_core.collection.test_sets import Collection as DescribedSets
from bleu_core.dataset import plural
from bleu_core.diagnostics import TextProfile, are_foreign, likeness_of, profile_of
from bleu_core.errors import FormatError, listed, one_line
from bleu_core.formats import (
    FORMATS,
    MT_METRICS_EVAL,
    ROLE_OF_FOLDER,
    WMT_DOCUMENTS,
    FileRole,
    ReleaseName,
    divide_by_language,
    inspect,
    language_pair,
    language_pairs,
    languages_in,
    languages_in_markup,
    languages_of_paths,
    loose_files,
    matching_pairs,
    pack_files,
    parse_release_name,
    stem_of,
    suffix_of,
    target_of,
)
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.uploads import File, create_file, create_loose, describe_problem, name_by_folders

#: How to divide files that were not divided.
ADVICE = f"divide them on the Data page or by a manifest {MANIFEST}"
#: Roles of files that a test set is divided by; the others are ratings, scores and labels.
TEXTS = ("system", "reference", "source")
#: Endings of files that may have several language pairs.
ENDINGS_WITH_PAIRS = frozenset(
    ending for known in FORMATS.values() if known.pairs or known.key == MT_METRICS_EVAL for ending in known.endings
)
#: Outputs and references of a test set that are compared with those of so many other test sets.
MAX_COMPARED_TEXTS, MAX_COMPARED_SETS = 5, 3
#: Minimum mean surplus of the likeness of outputs to their own references over that to those of another language that
#: is not recognised as different; in recognised ones, it may be below 0 by as much.
MIN_LIKENESS_SURPLUS = 0.03
#: What divides files by rule 3, for notes.
BY_FOLDER = "folder"
#: The beginning of a zip without files.
EMPTY_ZIP = b"PK\x05\x06"


class LocatedFile(NamedTuple):
    """A file with its path as it arrived.

    Attributes:
        path: its folders and name, relative to what arrived.
        file: the file.
    """

    path: PurePosixPath
    file: File


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """Files that were divided into test sets.

    Attributes:
        files: the files, each with its test set; all without one if they form a single test set. In a division, files
            without one belong to none.
        languages: test set -> language pair as SOURCE-TARGET, where it is known.
        notes: sentences about the division, or why there is none.
        problems: sentences about what cannot be used.
    """

    files: tuple[File, ...]
    languages: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the test sets; empty if the files were not divided."""
        return tuple(dict.fromkeys(file.test_set for file in self.files if file.test_set))


def open_uploads(
    uploads: Iterable[tuple[str, Callable[[], bytes]]],
    role: FileRole | None = None,
    *,
    existing: Collection[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Division:
    """Create the files of uploads, and divide them into test sets: zips, folders, single files, or several of these.

    Nothing that arrives is an error: what cannot be opened is in `problems`, or found when it is read.

    Args:
        uploads: name, with folders if it has them, and function that returns the bytes.
        role: the role of all files; if it is None or that of archives, each file's role is detected.
        existing: the names of test sets that exist already; files of these names belong to them.
        limits: the limits for all files together.
    """
    located: list[LocatedFile] = []
    described: list[DescribedSets] = []
    problems: list[str] = []
    folders: dict[str, dict[PurePosixPath, Callable[[], bytes]]] = {}
    single: list[tuple[str, FileRole | None, Callable[[], bytes]]] = []
    for name, read in uploads:
        parts = [part for part in name.replace("\\", "/").split("/") if part not in {"", ".", ".."}]
        if len(parts) > 1:
            folders.setdefault(parts[0], {})[PurePosixPath(*parts)] = read
        else:
            single.append((parts[0] if parts else "unnamed", role, read))
    packed: list[tuple[str, FileRole | None, Callable[[], bytes]]] = [
        (name, role or "archive", partial(pack_files, files, name, limits=limits)) for name, files in folders.items()
    ]
    size = 0
    for name, own_role, read in (*packed, *single):
        try:
            own = open_packed(read(), name, own_role, strict=name in folders, limits=limits)
            if isinstance(own, DescribedSets):
                described.append(_with_note(own, f"{name}/{MANIFEST}"))
                continue
            size += sum(len(item.file.data) for item in own)
            limits.check("unpacked_bytes", size, "all files")
            limits.check("entries", len(located) + len(own), "all files")
        except Exception as error:  # noqa: BLE001 # the others are used
            problems.append(describe_problem(one_line(name), error, "while opening it"))
            continue
        located += own
    division = divide(located, role, existing=existing, limits=limits)
    sets = [test_set for collection in described for test_set in collection.sets]
    return replace(
        division,
        files=(*(file.in_test_set(own.name) for own in sets for file in own.files), *division.files),
        languages=MappingProxyType(
            {own.name: own.languages for own in sets if own.languages} | dict(division.languages)
        ),
        notes=(*(note for collection in described for note in collection.notes), *division.notes),
        problems=tuple(problems),
    )


def _with_note(described: DescribedSets, origin: str) -> DescribedSets:
    """Return the test sets of a manifest with notes on what it describes, and what pages do not use of it."""
    count = f"{len(described.sets):,} {plural(len(described.sets), 'test set')}"
    notes = [f"{origin} describes {count}: {listed(described.names)}"]
    if described.settings or described.groups or described.baseline or any(own.settings for own in described.sets):
        notes.append(f"settings, groups and the baseline in {origin} are not used on pages, but by bleu-core table")
    return replace(described, notes=tuple(notes))


def open_packed(
    data: bytes,
    name: str,
    role: FileRole | None = None,
    *,
    origin: str = "",
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> DescribedSets | list[LocatedFile]:
    """Open a zip: return the test sets that its manifest describes, or its files below a folder of its name.

    Args:
        data: the bytes of the zip or of another file; this, and a zip that is itself a test set, is the only file.
        name: its name.
        role: as in open_uploads.
        origin: the zip, for messages; its name if empty.
        strict: whether a damaged zip is an error; otherwise it is a file, whose problem is found when it is read.
        limits: the limits for zips.

    Raises:
        FormatError: the zip is damaged, or its manifest is not valid.
        SettingsError: a setting in the manifest does not exist, or has an invalid value.
        LimitError: it holds too much.
    """
    origin = origin or name
    try:
        entries = loose_files(data, origin, limits=limits)
    except FormatError as error:
        if strict or isinstance(error, LimitError):
            raise
        entries = None
    if entries is None:
        file = create_file(name, data, role, limits=limits)
        return [] if data.startswith(EMPTY_ZIP) else [LocatedFile(PurePosixPath(name), file)]
    manifest = next((loose for loose in entries if loose.path == PurePosixPath(MANIFEST)), None)
    if manifest is not None:
        manifest.check(f"{origin}/{MANIFEST}")
        return parse_manifest(manifest.data, f"{origin}/{MANIFEST}", FileTree(entries, origin), limits=limits)
    top = PurePosixPath(stem_of(name))
    return [LocatedFile(top / loose.path, create_loose(loose, role, limits=limits)) for loose in entries]


def divide(
    located: Sequence[LocatedFile],
    role: FileRole | None = None,
    *,
    existing: Collection[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Division:
    """Divide files into test sets, by the rules of this module.

    Args:
        located: the files with their paths.
        role: the role of all files that the user has chosen; None if names of releases may say others.
        existing: as in open_uploads.
        limits: the limits for files that are read for the division.
    """
    items = [_with_release_name(item, role) for item in _without_shared_folders(located)]
    items = [item._replace(file=_inspected(item.file, limits)) for item in items]
    parts = {i: own for i, item in enumerate(items) if (own := _parts(item.file, limits))}
    result = _by_pairs(items, parts, existing, limits)
    result = result or _by_release_names(items, existing) or _by_folders(items, existing)
    if isinstance(result, _Sets) and result.by == BY_FOLDER:
        result = _folders_by_language(result, existing, limits)
    elif not isinstance(result, _Sets):
        by_language = _by_language(items, existing, limits)
        result = by_language if isinstance(by_language, _Sets) else result or by_language
    if isinstance(result, _Sets):
        return _division(result, len(items))
    pairs = {pair for own in parts.values() for pair in own}
    pair = language_pair(pairs.pop().rpartition("/")[2]) if len(pairs) == 1 else ""
    pair = pair or _languages_of(items)
    return Division(
        files=tuple(name_by_folders(items)),
        languages=MappingProxyType({"": pair} if pair else {}),
        notes=(one_line(result.note),) if result is not None else (),
    )


class _Unclear(NamedTuple):
    """The reason why files are not divided, as a sentence."""

    note: str


@dataclass(slots=True, kw_only=True)
class _Sets:
    """Files by test set.

    Attributes:
        by: what divides them, for the note.
        members: test set -> its files with their paths in it.
        languages: test set -> language pair.
        others: the files of no test set.
        notes: further sentences.
    """

    by: str
    members: dict[str, list[LocatedFile]] = field(default_factory=dict[str, list[LocatedFile]])
    languages: dict[str, str] = field(default_factory=dict[str, str])
    others: list[LocatedFile] = field(default_factory=list[LocatedFile])
    notes: list[str] = field(default_factory=list[str])

    def add(self, name: str, item: LocatedFile) -> None:
        self.members.setdefault(name, []).append(item)


def _division(sets: _Sets, n_arrived: int) -> Division:
    """Return the files with their test sets, named within each."""
    files: list[File] = []
    languages: dict[str, str] = {}
    for name, members in sets.members.items():
        named = name_by_folders(_named_by_folders(members))
        files += (file.in_test_set(name) for file in named)
        pair = sets.languages.get(name) or languages_in([name]) or _languages_of(members)
        if pair:
            languages[name] = pair
    files += name_by_folders(sets.others)
    n_divided = n_arrived - len(sets.others)
    count = f"{n_divided:,} {plural(n_divided, 'file')} {'was' if n_divided == 1 else 'were'} divided into "
    notes = [
        f"{count}{len(sets.members):,} test {plural(len(sets.members), 'set')} by {sets.by}: {listed(sets.members)}"
    ]
    if sets.others:
        names = listed(str(item.path) for item in sets.others)
        notes.append(
            f"{len(sets.others):,} {plural(len(sets.others), 'file')} of no test set: {names}; choose one on the Data "
            f"page or in a manifest {MANIFEST}"
        )
    return Division(
        files=tuple(files), languages=MappingProxyType(languages), notes=tuple(map(one_line, (*notes, *sets.notes)))
    )


def _without_shared_folders(located: Sequence[LocatedFile]) -> list[LocatedFile]:
    """Return the files with paths below the folders that all of them share."""
    shared = commonpath([item.path.parent for item in located]) if located else ""
    return [item._replace(path=item.path.relative_to(shared)) for item in located]


def _with_release_name(item: LocatedFile, role: FileRole | None) -> LocatedFile:
    """Return the file with the role and the name that its name says by the conventions of releases."""
    release = parse_release_name(item.path.name)
    if release is None or item.file.role not in (*TEXTS, "document") or release.role is None:
        return item
    new_role = release.role if role in (None, "archive") else item.file.role
    file = replace(item.file, role=new_role, renamed=release.name)
    return item._replace(file=file)


def _named_by_folders(members: Sequence[LocatedFile]) -> list[LocatedFile]:
    """Return the files of a set, with systems named by their folders if these alone differ.

    A system and a reference may have the same name: a human translation that is scored.
    """
    systems = [item.path for item in members if item.file.role == "system" and not item.file.renamed]
    names = names_by_folder(systems)
    stems = Counter((item.file.role, item.file.stem) for item in members)
    repeated = Counter(item.path.name for item in members)
    names = {
        item.path: item.file.stem
        for item in members
        if repeated[item.path.name] > 1
        and item.file.role in ("system", "reference")
        and not item.file.renamed
        and stems[item.file.role, item.file.stem] == 1
    } | names
    return [
        item._replace(file=replace(item.file, renamed=names[item.path])) if item.path in names else item
        for item in members
    ]


def _languages_of(items: Sequence[LocatedFile]) -> str:
    """Return the language pair of a test set that names or the beginnings of its files say; empty if none does."""
    pair = languages_of_paths([item.path for item in items])
    if not pair:
        marked = {pair for item in items if (pair := languages_in_markup(item.file.name, item.file.data))}
        pair = marked.pop() if len(marked) == 1 else ""
    return pair


# Language pairs in files.


def _by_pairs(
    items: Sequence[LocatedFile],
    parts: Mapping[int, Mapping[str, File]],
    existing: Collection[str],
    limits: Limits,
) -> _Sets | _Unclear | None:
    """Divide test sets of mt-metrics-eval and documents of WMT by language pair.

    Args:
        items: the files.
        parts: position of a file -> language pair -> its part.
        existing: as in open_uploads.
        limits: as in divide.
    """
    sets = _Sets(by="language pair")
    documents = {i: own for i, own in parts.items() if any(part.format == WMT_DOCUMENTS for part in own.values())}
    archives = {i: own for i, own in parts.items() if i not in documents}
    names = Counter(pair for own in archives.values() for pair in own)
    for i, own in archives.items():
        for pair, part in own.items():
            name = pair if names[pair] == 1 else f"{stem_of(part.name)}/{pair}"
            if name in sets.languages:
                return _Unclear(f"{part.name}: a second test set named {name} found, 1 expected; {ADVICE}")
            sets.languages[name] = pair.rpartition("/")[2]
            sets.add(name, items[i]._replace(file=part))
    if documents:
        unclear = _add_documents(sets, items, documents, existing)
        if unclear is not None:
            return unclear
    pairs_of_sets = sets.languages
    if len(pairs_of_sets) < 2 and not pairs_of_sets.keys() & set(existing):  # noqa: PLR2004 # one set needs no name
        return None
    sets.languages = {name: pair for name, pair in pairs_of_sets.items() if language_pair(pair)}
    for i, item in enumerate(items):
        if i not in parts:
            _add_by_pair(sets, item, pairs_of_sets, limits)
    return sets


def _inspected(file: File, limits: Limits) -> File:
    """Return a file that may have several language pairs with its inspection, which all its pairs share."""
    if file.inspection is not None or (suffix_of(file.name) not in ENDINGS_WITH_PAIRS and file.role != "archive"):
        return file
    try:
        return replace(file, inspection=inspect(file.data, file.name, file.encoding, limits=limits))
    except Exception:  # noqa: BLE001 # reading it finds the same problem and shows it
        return file


def _parts(file: File, limits: Limits) -> dict[str, File]:
    """Return the parts of a test set of mt-metrics-eval or of documents of WMT by language pair; empty for others."""
    if file.inspection is None:
        return {}
    if file.inspection.format == WMT_DOCUMENTS:
        return document_parts(file, limits)
    try:
        pairs = language_pairs(file.inspection.source) if file.role == "archive" else ()
    except Exception:  # noqa: BLE001 # as in document_parts
        pairs = ()
    return {pair: file.in_test_set("", pair) for pair in pairs}


def _add_documents(
    sets: _Sets, items: Sequence[LocatedFile], documents: Mapping[int, Mapping[str, File]], existing: Collection[str]
) -> _Unclear | None:
    """Add documents of WMT to sets, one for each language pair of the files with sources or references."""
    test_sets = [i for i in documents if items[i].file.role != "system"]
    present = dict.fromkeys(pair for parts in documents.values() for pair in parts)
    pairs = dict.fromkeys(pair for i in test_sets for pair in documents[i])
    pairs = pairs or {pair: None for pair in present if pair in existing}
    if len(present) < 2 and not pairs.keys() & set(existing):  # noqa: PLR2004 # one set needs no name
        return None
    shown = listed(items[i].file.name for i in (test_sets or documents))
    if not pairs:
        return _Unclear(f"{shown}: outputs in several language pairs found, also their sources expected; {ADVICE}")
    whole = (pair for i in test_sets if items[i].file.role == "archive" for pair in documents[i])
    if repeated := listed(pair for pair, n in Counter(whole).items() if n > 1):
        return _Unclear(f"{shown}: several files with sources of {repeated} found, 1 expected; {ADVICE}")
    if clashing := listed(pair for pair in pairs if pair in sets.languages):
        return _Unclear(f"{shown}: test sets of the same names in other files found ({clashing}); {ADVICE}")
    sets.languages |= {pair: pair for pair in pairs}
    sets.members |= {pair: [] for pair in pairs}
    unused: Counter[str] = Counter()
    for i, parts in documents.items():
        unused.update(pair for pair in parts if pair not in pairs)
        for pair in parts.keys() & pairs.keys():
            sets.add(pair, items[i]._replace(file=parts[pair]))
    if unused:
        counts = listed(f"{pair} in {n:,} {plural(n, 'file')}" for pair, n in unused.items())
        sets.notes.append(f"documents without sources or references in their language pair not used: {counts}")
    return None


def _add_by_pair(sets: _Sets, item: LocatedFile, pairs_of_sets: Mapping[str, str], limits: Limits) -> None:
    """Add a file of ratings, scores or texts to the sets of the language pairs that it names, or its path."""
    inside = [name for name, pair in pairs_of_sets.items() if {name, pair} & set(item.path.parts[:-1])]
    if len(inside) == 1:
        sets.add(inside[0], item)
        return
    pairs = _pairs_in(item.file, limits)
    added = False
    for pair in pairs:
        fitting = matching_pairs(pair, pairs_of_sets.values())
        matching = [name for name, own in pairs_of_sets.items() if own in fitting]
        if len(matching) == 1:
            sets.add(matching[0], item._replace(file=item.file.in_test_set(matching[0], pair)))
            added = True
    if not added:
        sets.others.append(item)


def _pairs_in(file: File, limits: Limits) -> Sequence[str]:
    """Return the language pairs of a file of ratings, scores or texts; empty if it does not name them."""
    known = None if file.inspection is None else FORMATS[file.inspection.format]
    if known is not None and file.inspection is not None and known.list_pairs is not None:
        try:
            return known.list_pairs(file.inspection.source)
        except Exception:  # noqa: BLE001 # reading it finds the same problem and shows it
            return ()
    may_name_pairs = file.role in ("judgments", "scores") or (known is not None and known.pairs)
    return file.read(limits)[0].pairs if may_name_pairs else ()


# Names of releases.


def _by_release_names(items: Sequence[LocatedFile], existing: Collection[str]) -> _Sets | _Unclear | None:
    """Divide files with names of releases; other files whose names begin with that of a test set belong to it."""
    releases = [parse_release_name(item.path.name) for item in items]
    keys = dict.fromkeys(release.test_set for release in releases if release is not None)
    complete = {key for key in keys if key in existing} | {
        release.test_set
        for release in releases
        if release is not None and release.role in ("reference", "source", None)
    }
    if not keys or (len(keys) == 1 and not keys.keys() & set(existing)):
        return None
    if len(complete) < min(len(keys), 2):
        return _Unclear(f"{listed(keys)}: outputs of systems without references found; add these first, or {ADVICE}")
    sets = _Sets(by="the names of releases")
    roots = _roots_of_repeated(items, releases)
    for item, release in zip(items, releases, strict=True):
        release = release or _begins_with_set(item, keys)  # noqa: PLW2901 # the same file's
        if release is None:
            sets.others.append(item)
            continue
        root = _root(item.path) if release.test_set in roots else ()
        name = "/".join((*root, release.test_set))
        file = item.file
        if release.role is None and release.name and file.role == "system":
            file = replace(file, renamed=release.name)
        sets.add(name, item._replace(file=file))
        sets.languages[name] = release.languages
    return sets


def _begins_with_set(item: LocatedFile, keys: Iterable[str]) -> ReleaseName | None:
    """Return what a name such as newstest2020.ru-en.Online-A.1571.txt or newstest2019.A.6926.ru-en says."""
    name = item.path.name
    stem = stem_of(name)
    for key in keys:
        base, _, languages = key.rpartition(".")
        ends = next((text for text in (stem, name) if text.endswith(f".{languages}")), "")  # a stem lacks .ru-en
        rest = ""
        if stem.startswith(f"{key}."):
            rest = stem.removeprefix(f"{key}.")
        elif ends.startswith(f"{base}."):
            rest = ends[len(base) + 1 : -len(languages) - 1]
        if rest:
            return ReleaseName(test_set=key, languages=languages, role=None, name=rest)
    return None


def _roots_of_repeated(items: Sequence[LocatedFile], releases: Sequence[ReleaseName | None]) -> set[str]:
    """Return the test sets of which several folders, such as txt and txt-ts, each have a source or reference."""
    roots: dict[tuple[str, FileRole | None, str], set[tuple[str, ...]]] = {}
    for item, release in zip(items, releases, strict=True):
        if release is not None and release.role in ("source", "reference"):
            roots.setdefault((release.test_set, release.role, release.name), set()).add(_root(item.path))
    return {test_set for (test_set, _, _), folders in roots.items() if len(folders) > 1}


# A folder for each test set.


def _root(path: PurePosixPath) -> tuple[str, ...]:
    """Return the folders of a path above the first one that says a role."""
    folders = path.parts[:-1]
    return folders[: next((i for i, part in enumerate(folders) if part in ROLE_OF_FOLDER), len(folders))]


def _by_folders(items: Sequence[LocatedFile], existing: Collection[str]) -> _Sets | _Unclear | None:
    """Divide files by folders that each have references, sources or a whole test set, and systems."""
    anchors = {
        root for item in items if item.file.role in ("reference", "source", "archive") and (root := _root(item.path))
    }
    anchors |= {
        _root(item.path) for item in items if "/".join(_root(item.path)) in existing and item.file.role in TEXTS
    }
    sets = _Sets(by=BY_FOLDER)
    for item in items:
        root = _root(item.path)
        anchor = next((root[:n] for n in range(len(root), 0, -1) if root[:n] in anchors), None)
        if anchor is None:
            sets.others.append(item)
        else:
            path = PurePosixPath(*item.path.parts[len(anchor) :])
            sets.add("/".join(anchor), item._replace(path=path))
    with_systems = [
        name for name, members in sets.members.items() if any(m.file.role in ("system", "archive") for m in members)
    ]
    known = [name for name in sets.members if name in existing]
    if len(with_systems) < 2 and not known:  # noqa: PLR2004 # one set
        return None
    reason = _reason_against(sets, with_systems, existing)
    if reason:
        return _Unclear(f"the folders {listed(with_systems)} may be test sets and were not divided: {reason}; {ADVICE}")
    return sets


def _reason_against(sets: _Sets, with_systems: Collection[str], existing: Collection[str]) -> str:
    """Return why folders are not taken for test sets; empty if they are."""
    outside = [str(item.path) for item in sets.others if item.file.role in (*TEXTS, "document", "archive")]
    if outside:
        return f"texts outside of them found ({listed(outside)})"
    nested = [name for name in sets.members if any(name.startswith(f"{other}/") for other in sets.members)]
    if nested:
        return f"some are inside others ({listed(nested)})"
    without = [name for name in sets.members if name not in with_systems and name not in existing]
    if without:
        return f"there are no outputs of systems in {listed(without)}"
    contents: dict[tuple[str, ...], str] = {}
    are_pairs = all(languages_in([name.rpartition("/")[2]]) for name in sets.members)
    for name, members in sets.members.items():
        same = tuple(sorted(item.file.digest for item in members if item.file.role in ("reference", "source")))
        if same and not are_pairs and (other := contents.setdefault(same, name)) != name:
            return f"{other} and {name} have the same references"
    systems = {name: _system_names(members) for name, members in sets.members.items()}
    count = Counter(system for names in systems.values() for system in names)
    for name, names in systems.items():
        whole = any(item.file.role == "archive" for item in sets.members[name])
        if not whole and name not in existing and not any(count[system] > 1 for system in names):
            return f"no system of {name} is in another one"
    return ""


def _system_names(members: Sequence[LocatedFile]) -> set[str]:
    return {item.file.renamed or item.file.stem for item in _named_by_folders(members) if item.file.role == "system"}


# Languages in names.


def _by_language(items: Sequence[LocatedFile], existing: Collection[str], limits: Limits) -> _Sets | _Unclear | None:
    """Divide files by the languages in their names, if the texts do not contradict them."""
    named = divide_by_language([(item.path, item.file.role) for item in items], existing)
    if named is None:
        return None
    renamed = [
        item._replace(file=replace(item.file, renamed=named.names[i]))
        if named.names.get(i, item.file.stem) != item.file.stem and not item.file.renamed
        else item
        for i, item in enumerate(items)
    ]
    sets = _Sets(by="the languages in their names", languages=dict(named.pairs))
    for name, positions in named.sets.items():
        for i in positions:
            sets.add(name, renamed[i])
    divided = {i for positions in named.sets.values() for i in positions}
    sets.others = [item for i, item in enumerate(items) if i not in divided]
    reason = _reason_against_languages(sets, existing, limits)
    if reason:
        return _Unclear(f"the names of files say {listed(sets.members)}, and they were not divided: {reason}; {ADVICE}")
    return sets


def _folders_by_language(folders: _Sets, existing: Collection[str], limits: Limits) -> _Sets:
    """Divide the files of each folder further, where their names say several languages."""
    sets = replace(folders, members={}, languages=dict(folders.languages), notes=list(folders.notes))
    for folder, members in folders.members.items():
        own = [name.removeprefix(f"{folder}/") for name in existing]
        result = _by_language(members, own, limits)
        if not isinstance(result, _Sets):
            sets.members[folder] = members
            sets.notes += [] if result is None else [f"{folder}: {result.note}"]
            continue
        sets.by = "folder and the languages in names"
        sets.members |= {f"{folder}/{name}": items for name, items in result.members.items()}
        sets.languages |= {f"{folder}/{name}": pair for name, pair in result.languages.items()}
        sets.others += result.others
    return sets


class _Profiles(NamedTuple):
    """The features of the outputs and references of a test set."""

    outputs: list[TextProfile]
    references: list[TextProfile]


def _profiles(members: Sequence[LocatedFile], limits: Limits) -> _Profiles:
    files = [item.file for item in members]
    first = [file for role in TEXTS for file in [file for file in files if file.role == role][:MAX_COMPARED_TEXTS]]
    contents = [file.read(limits)[1] for file in (*first, *(file for file in files if file.role == "archive"))]
    texts = [column for own in contents if own is not None for column in own.columns]
    outputs, references = (
        [column.segments for column in texts if column.role == role][:MAX_COMPARED_TEXTS]
        for role in ("system", "reference")
    )
    return _Profiles(list(map(profile_of, outputs)), list(map(profile_of, references)))


def _reason_against_languages(sets: _Sets, existing: Collection[str], limits: Limits) -> str:
    """Return why files are not divided by the languages in their names; empty if they are."""
    profiles = {name: _profiles(members, limits) for name, members in sets.members.items()}
    for name, own in profiles.items():
        has_files = name in existing or any(item.file.role == "reference" for item in sets.members[name])
        if not own.references and not has_files:
            return f"there is no reference of {name}"
    unused = [item for item in sets.others if item.file.role == "reference"][:MAX_COMPARED_SETS]
    profiles |= {item.file.name: _profiles([item], limits) for item in unused}
    names = list(profiles)
    for i, (name, members) in enumerate(sets.members.items()):
        if all({"reference", "system"} <= {column.role for column in item.file.columns} for item in members):
            continue  # tables in which each output is beside its reference
        for other in (*names[i + 1 :], *names[:i])[:MAX_COMPARED_SETS]:
            is_one_language = target_of(name) == target_of(other)
            if not _are_like_names(profiles[name], profiles[other], is_one_language=is_one_language):
                return f"the outputs of {name} are not clearly more like its references than like those of {other}"
    return ""


def _are_like_names(own: _Profiles, other: _Profiles, *, is_one_language: bool) -> bool:
    """Return whether the outputs of a test set are as much more like its references than like others as names say."""
    if not own.references or not other.references or not own.outputs:
        return True
    surplus = [
        max(likeness_of(output, reference) for reference in own.references)
        - max(likeness_of(output, reference) for reference in other.references)
        for output in own.outputs
    ]
    known = [value for value in surplus if not math.isnan(value)]
    are_different = is_one_language or are_foreign(own.references[0], other.references[0])
    if not known:  # lines of very few characters
        return are_different
    mean = sum(known) / len(known)
    return mean >= (-MIN_LIKENESS_SURPLUS if are_different else MIN_LIKENESS_SURPLUS)
