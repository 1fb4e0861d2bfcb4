"""Collections that a file bleu.toml describes: the files of each test set, settings, baseline and replicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, cast

from bleu_core.collection.globs import DiskTree, FileTree, Glob
from bleu_core.collection.replicates import groups_matching
from bleu_core.collection.test_sets import Collection, TestSet
from bleu_core.dataset import normal_name, plural
from bleu_core.errors import BleuCoreError, FormatError, SettingsError, listed, one_line, shortened
from bleu_core.formats import (
    PLAIN,
    WMT_DOCUMENTS,
    FileRole,
    checked_languages,
    companion_notes,
    inspect,
    is_system_output,
    languages_in,
    languages_of_paths,
    matching_pairs,
    parse_release_name,
    parse_toml,
    printable_path,
    read_bytes,
    split_documents,
    stem_of,
    suffix_of,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.scoring import BY_LANGUAGE, SETTINGS, BleuSettings, Setting
from bleu_core.uploads import File, create_file

#: The name of a manifest in a folder or zip.
MANIFEST = "bleu.toml"
#: The longest name of a test set or group.
MAX_NAME_LENGTH = 200
#: The keys of a manifest.
SETS, SETTINGS_KEY, BASELINE, GROUPS, LOWER_IS_BETTER = "sets", "settings", "baseline", "groups", "lower_is_better"
TOP_KEYS = (SETS, SETTINGS_KEY, BASELINE, GROUPS, LOWER_IS_BETTER)
#: The keys of a test set with its files -> their role.
ROLES: Mapping[str, FileRole] = MappingProxyType(
    {
        "references": "reference",
        "systems": "system",
        "source": "source",
        "documents": "document",
        "human": "judgments",
        "metric_scores": "scores",
    }
)
#: Keys with one file, and keys that each test set must have.
ONE_FILE, REQUIRED = ("source", "documents"), ("references", "systems")
LANGUAGES = "languages"
SET_KEYS = (*ROLES, LANGUAGES, SETTINGS_KEY)
#: The ending of files of documents of WMT.
DOCUMENTS_ENDING = ".jsonl"


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of a manifest, for messages: bleu.toml, sets.en-de.systems."""

    origin: str
    keys: tuple[str, ...] = ()

    def __truediv__(self, key: str) -> _Place:
        return _Place(self.origin, (*self.keys, key))

    def __str__(self) -> str:
        return f"{self.origin}, {'.'.join(self.keys)}" if self.keys else self.origin


def read_manifest(path: Path, *, limits: Limits = DEFAULT_LIMITS) -> Collection:
    """Read a manifest on disk and the files that it names, which are in its folder.

    A file of a system that is empty or cannot be read is left out of its test set when this is read, so that the system
    is missing there.

    Args:
        path: the manifest.
        limits: the limits on the files of all test sets together; on systems and references, of each set.

    Raises:
        FormatError: the manifest is not valid TOML, has unknown keys or values of another kind, names files outside of
            its folder or none at all, or two systems of a set have the same name.
        SettingsError: a setting does not exist, or has an invalid value.
        LimitError: the files hold more than the limits allow.
        OSError: the manifest cannot be opened.
    """
    origin = printable_path(path)
    data = read_bytes(path, limits)
    tree = DiskTree(path.absolute().parent, printable_path(path.parent), limits)
    return parse_manifest(data, origin, tree, limits=limits)


def parse_manifest(data: bytes, origin: str, tree: FileTree, *, limits: Limits = DEFAULT_LIMITS) -> Collection:
    """Return the collection that a manifest describes.

    Args:
        data: the bytes of the manifest.
        origin: the manifest, for messages.
        tree: the files in its folder.
        limits: as in read_manifest.

    Raises:
        FormatError, SettingsError, LimitError: as read_manifest.
    """
    place = _Place(origin)
    manifest = parse_toml(data, origin)
    _check_keys(manifest, TOP_KEYS, place)
    tables = _table(manifest.get(SETS), place / SETS)
    if not tables:
        raise FormatError(f"{place}: no [{SETS}.NAME] found, at least 1 expected")
    described = [_Described.of(name, value, place / SETS / name) for name, value in tables.items()]
    seen: dict[str, str] = {}
    for name in tables:
        if (form := normal_name(name)) in seen:
            raise FormatError(f"{place}: two test sets named {form!r} found, 1 expected")
        seen[form] = name
    globs = {glob for test_set in described for patterns in test_set.globs.values() for glob in patterns}
    matches = tree.find(globs)
    limits.check("entries", sum(map(len, matches.values())), origin)
    lower_is_better = (
        _texts(manifest[LOWER_IS_BETTER], place / LOWER_IS_BETTER) if LOWER_IS_BETTER in manifest else None
    )
    parts: dict[PurePosixPath, Mapping[str, File]] = {}
    sets = [
        test_set.open(matches, tree, parts=parts, lower_is_better=lower_is_better, limits=limits)
        for test_set in described
    ]
    settings = _settings(manifest.get(SETTINGS_KEY, {}), place / SETTINGS_KEY)
    for test_set, own in zip(described, sets, strict=True):
        _check_settings(settings | dict(own.settings), own, test_set.place)
    names = _names_of_systems(sets, limits) if manifest.keys() & {GROUPS, BASELINE} else ()
    return Collection(
        sets=tuple(sets),
        groups=_groups(manifest.get(GROUPS, {}), place / GROUPS, names),
        baseline=_baseline(manifest, place, names),
        settings=MappingProxyType(settings),
        notes=tuple(f"{tree.origin}: {note}" for note in companion_notes(tree.unused)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Described:
    """A test set as the manifest describes it, before its files are found.

    Attributes:
        name: its name.
        place: its table.
        globs: key -> the patterns of its files.
        languages: its language pair; empty if the manifest does not say.
        settings: its own settings.
    """

    name: str
    place: _Place
    globs: Mapping[str, tuple[Glob, ...]]
    languages: str
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, value: object, place: _Place) -> _Described:
        name = _checked_name(name, place)
        table = _table(value, place)
        _check_keys(table, SET_KEYS, place)
        globs = {key: _globs(table[key], place / key) for key in ROLES if key in table}
        for key in REQUIRED:
            if not globs.get(key):
                raise FormatError(f"{place}: no {key} found, at least 1 file expected")
        languages = _text(table[LANGUAGES], place / LANGUAGES) if LANGUAGES in table else ""
        if languages and not checked_languages(languages):
            raise FormatError(f"{place / LANGUAGES}: {languages!r} found, SOURCE-TARGET expected, as in en-de")
        settings = _settings(table.get(SETTINGS_KEY, {}), place / SETTINGS_KEY)
        return cls(name=name, place=place, globs=globs, languages=checked_languages(languages), settings=settings)

    def open(
        self,
        matches: Mapping[Glob, Sequence[PurePosixPath]],
        tree: FileTree,
        *,
        parts: dict[PurePosixPath, Mapping[str, File]],
        lower_is_better: tuple[str, ...] | None,
        limits: Limits,
    ) -> TestSet:
        """Read the files of the set.

        Args:
            matches: the paths that match each pattern.
            tree: the files in the folder.
            parts: path -> language pair -> part of the files of several pairs so far, to which these are added.
            lower_is_better: the metrics for which a lower score is better; None if the manifest does not say.
            limits: the limits for the files.
        """
        keys: dict[PurePosixPath, str] = {}
        for key in self.globs:
            for path in self._paths(key, matches, tree):
                if keys.setdefault(path, key) != key:
                    raise FormatError(
                        f"{self.place / key}: '{path}' is also among {keys[path]}, a file with one role expected"
                    )
        system_names = self._system_names([path for path, key in keys.items() if key == "systems"])
        n_named = Counter(path.name for path in keys)
        languages = self.languages or languages_in([self.name]) or languages_of_paths(keys)
        files: list[File] = []
        for path, key in keys.items():
            data, damage = tree.read(path)
            role = ROLES[key]
            release = parse_release_name(path.name)
            name = release.name if release and role == "reference" else system_names.get(path, "")
            file = create_file(path.name, data, role, limits=limits)
            if path not in parts:
                parts[path] = document_parts(file, limits) if suffix_of(file.name) == DOCUMENTS_ENDING else {}
            pairs = matching_pairs(languages, parts[path])
            if languages and parts[path] and role == "system" and len(pairs) != 1:
                continue  # the system has no text in this language pair
            files.append(
                replace(
                    parts[path][pairs[0]] if len(pairs) == 1 else file,
                    role=role,
                    name=file.name if n_named[path.name] == 1 else str(path),
                    renamed=name,
                    damage=damage,
                    test_set=self.name,
                    lower_is_better=lower_is_better if role == "scores" else None,
                )
            )
        return TestSet(name=self.name, files=tuple(files), languages=languages, settings=self.settings)

    def _paths(
        self, key: str, matches: Mapping[Glob, Sequence[PurePosixPath]], tree: FileTree
    ) -> tuple[PurePosixPath, ...]:
        """Return the files of a key, each once."""
        globs = self.globs[key]
        for glob in globs:
            if not matches[glob]:
                raise FormatError(
                    f"{self.place / key}: no file matches {glob.text!r}, at least 1 in the folder {tree.origin} "
                    "expected; links to folders are not followed"
                )
        paths = tuple(dict.fromkeys(path for glob in globs for path in matches[glob]))
        if key in ONE_FILE and len(paths) > 1:
            raise FormatError(f"{self.place / key}: {len(paths):,} files found, 1 expected: {listed(paths)}")
        return paths

    def _system_names(self, paths: Sequence[PurePosixPath]) -> dict[PurePosixPath, str]:
        """Return the names of the systems that folders or names of releases say, by file.

        Raises:
            FormatError: two systems have the same name.
        """
        positions: dict[PurePosixPath, int] = {}
        for glob in self.globs["systems"]:
            if glob.naming_folder is not None:
                positions |= {path: glob.naming_folder for path in paths if glob.matches(path)}
        names = names_by_folder(paths)
        names |= {path: path.parts[position] for path, position in positions.items()}
        for path in paths:
            if path not in names and (release := parse_release_name(path.name)) and release.role == "system":
                names[path] = release.name
        names = {path: normal_name(name) for path, name in names.items()}
        seen: dict[str, PurePosixPath] = {}
        for path in paths:
            if not is_system_output(path.name):
                continue  # a table, whose columns have the names
            name = names.get(path, stem_of(path.name))
            if (other := seen.setdefault(name, path)) != path:
                raise FormatError(
                    f"{self.place / 'systems'}: two files of the system {name!r} found, 1 expected: '{other}' and "
                    f"'{path}'"
                )
        return names


def document_parts(file: File, limits: Limits) -> dict[str, File]:
    """Return the documents of WMT in a file by language pair; empty if it has none or cannot be read."""
    try:
        inspection = file.inspection or inspect(file.data, file.name, file.encoding, limits=limits)
        if inspection.format != WMT_DOCUMENTS or file.role in ("judgments", "scores"):
            return {}
        parts = split_documents(file.data, file.name, file.encoding, limits=limits)
    except Exception:  # noqa: BLE001 # reading it finds the same problem and shows it
        return {}
    changed = replace(file, format=WMT_DOCUMENTS, encoding=None, inspection=None)
    return {pair: replace(changed, data=data, pair=pair) for pair, data in parts.items()}


def _names_of_systems(sets: Sequence[TestSet], limits: Limits) -> tuple[str, ...]:
    """Return the names of all systems; of files other than plain texts, such as tables, their contents say them."""
    names: dict[str, None] = {}
    for file in (file for test_set in sets for file in test_set.files if file.role == "system"):
        try:
            is_plain = inspect(file.data, file.name, limits=limits).format == PLAIN
        except BleuCoreError:  # reading it finds the same problem and shows it
            is_plain = False
        inside = () if is_plain else file.read(limits)[0].systems
        if inside or is_plain or is_system_output(file.name):
            names |= dict.fromkeys(inside or [file.renamed or file.stem])
    return tuple(names)


def _groups(value: object, place: _Place, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    patterns = {
        _checked_name(name, place / name): tuple(map(normal_name, _texts(own, place / name)))
        for name, own in _table(value, place).items()
    }
    try:
        return groups_matching(patterns, names)
    except SettingsError as error:
        raise FormatError(f"{place}: {error}") from None


def _baseline(manifest: Mapping[str, Any], place: _Place, names: Sequence[str]) -> str:
    if BASELINE not in manifest:
        return ""
    baseline = normal_name(_text(manifest[BASELINE], place / BASELINE))
    groups = _table(manifest.get(GROUPS, {}), place / GROUPS)
    if baseline not in map(normal_name, groups) and baseline not in names:
        raise FormatError(
            f"{place / BASELINE}: {baseline!r} found, the name of a system or group expected: "
            f"{listed((*groups, *names))}"
        )
    return baseline


def names_by_folder(paths: Sequence[PurePosixPath]) -> dict[PurePosixPath, str]:
    """Return the folders that name the files, where the paths differ in nothing but one folder; else nothing.

    >>> names_by_folder([PurePosixPath("A/output.txt"), PurePosixPath("B/output.txt")])
    {PurePosixPath('A/output.txt'): 'A', PurePosixPath('B/output.txt'): 'B'}
    >>> names_by_folder([PurePosixPath("systems/A.txt"), PurePosixPath("systems/B.txt")])
    {}
    """
    if len(paths) < 2 or len({len(path.parts) for path in paths}) > 1:  # noqa: PLR2004 # one file, or several depths
        return {}
    differing = [i for i, parts in enumerate(zip(*(path.parts for path in paths), strict=True)) if len(set(parts)) > 1]
    if len(differing) != 1 or differing[0] == len(paths[0].parts) - 1:
        return {}
    return {path: path.parts[differing[0]] for path in paths}


def _check_keys(table: Mapping[str, Any], known: Sequence[str], place: _Place) -> None:
    unknown = [key for key in table if key not in known]
    if unknown:
        raise FormatError(f"{place}: unknown {plural(len(unknown), 'key')} {listed(unknown)}, {listed(known)} expected")


def _table(value: object, place: _Place) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    raise FormatError(f"{place}: {_shown(value)} found, a table expected")


def _text(value: object, place: _Place) -> str:
    if not isinstance(value, str) or not value.strip():
        raise FormatError(f"{place}: {_shown(value)} found, a text expected")
    return value


def _texts(value: object, place: _Place) -> tuple[str, ...]:
    """Return a text or a list of texts."""
    if not isinstance(value, list):
        return (_text(value, place),)
    if not value:
        raise FormatError(f"{place}: an empty list found, at least 1 text expected")
    return tuple(_text(item, place) for item in cast("list[object]", value))


def _globs(value: object, place: _Place) -> tuple[Glob, ...]:
    globs: list[Glob] = []
    for text in _texts(value, place):
        try:
            globs.append(Glob(text))
        except ValueError as error:
            raise FormatError(f"{place}: {text!r} {error}; files in the folder of the manifest expected") from None
    return tuple(globs)


def _checked_name(name: str, place: _Place) -> str:
    name = normal_name(name)
    if not name or len(name) > MAX_NAME_LENGTH or one_line(name) != name:
        raise FormatError(f"{place}: a name of 1 to {MAX_NAME_LENGTH} printable characters expected")
    return name


def _shown(value: object) -> str:
    """Return a value for a message."""
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else repr(shortened(str(value)))


def _settings(value: object, place: _Place) -> dict[str, Any]:
    """Return settings by the keys of their fields.

    Raises:
        SettingsError: a setting does not exist, or its value is of another kind.
    """
    settings: dict[str, Any] = {}
    for name, given in _table(value, place).items():
        setting = SETTINGS.get(name.replace("-", "_"))
        if setting is None:
            options = (known.option.removeprefix("--") for known in SETTINGS.values())
            raise SettingsError(f"{place}: unknown setting {name!r}, one of {', '.join(options)} expected")
        settings[setting.key] = _setting_value(setting, given, place / name)
    return settings


def _setting_value(setting: Setting, value: object, place: _Place) -> object:
    if setting.kind == "choice":
        choices = (*setting.choices, *((BY_LANGUAGE,) if setting.key == "tokenizer" else ()))
        if value in choices:
            return value
        raise SettingsError(f"{place}: {_shown(value)} found, one of {', '.join(choices)} expected")
    is_number = _is_number(value)
    if setting.kind == "weights" and (weights := _weights(value)):
        return weights
    if (setting.kind == "flag" and isinstance(value, bool)) or (
        is_number and (setting.kind == "positive number" or (setting.kind == "whole number" and isinstance(value, int)))
    ):
        return float(cast("float", value)) if setting.kind == "positive number" else value
    expected = {"flag": "true or false", "weights": "a list of numbers"}.get(setting.kind, f"a {setting.kind}")
    raise SettingsError(f"{place}: {_shown(value)} found, {expected} expected")


def _weights(value: object) -> tuple[float, ...]:
    """Return a list of numbers; empty for another value."""
    numbers = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(float(cast("float", number)) for number in numbers) if all(map(_is_number, numbers)) else ()


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _check_settings(settings: Mapping[str, Any], test_set: TestSet, place: _Place) -> None:
    """Check that the settings of a set fit together, and that its language is known if the tokeniser depends on it."""
    by_language = settings.get("tokenizer") == BY_LANGUAGE
    if by_language and not test_set.languages:
        raise SettingsError(
            f"{place}: the tokeniser {BY_LANGUAGE} needs {LANGUAGES}, SOURCE-TARGET expected, as in en-de"
        )
    try:
        BleuSettings(**{key: value for key, value in settings.items() if not (by_language and key == "tokenizer")})
    except SettingsError as error:
        raise SettingsError(f"{place / SETTINGS_KEY}: {error}") from None
