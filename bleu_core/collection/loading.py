"""Loading of collections from disk: a manifest, a folder or a zip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bleu_core.collection.manifest import MANIFEST, read_manifest
from bleu_core.collection.sources import divide, open_packed
from bleu_core.collection.test_sets import Collection, TestSet
from bleu_core.errors import SettingsError
from bleu_core.formats import (
    ColumnsOfFiles,
    MappedColumn,
    StrPath,
    companion_notes,
    list_companions,
    pack_folder,
    printable_path,
    read_bytes,
    stem_of,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.uploads import by_test_set, with_columns


def load_collection(
    path: StrPath, *, columns: Sequence[MappedColumn] = (), limits: Limits = DEFAULT_LIMITS
) -> Collection:
    """Load a collection from disk.

    A file of a system that is empty or cannot be read does not matter here: when its test set is read, the system is
    missing there.

    Args:
        path: a manifest (a file with the ending .toml), or a folder or zip. In these, a file bleu.toml describes the
            test sets; without one, `divide` does it. Files that form one test set have the name of the folder or zip.
        columns: the roles of the columns of tables, of all or of those of one file, by its path with the name of the
            folder or zip; empty if their headers decide. A manifest does not take them.
        limits: the limits on the files of all test sets together; on systems and references, of each set.

    Raises:
        FormatError: the manifest is not valid, the zip cannot be read, or a column is in no file.
        SettingsError: a setting in the manifest does not exist, or has an invalid value; or there are columns, too.
        LimitError: the files hold more than the limits allow.
        OSError: a file cannot be opened.
    """
    place = Path(path)
    origin, name = printable_path(path), place.resolve().name
    if place.suffix.lower() == ".toml" and not place.is_dir():
        return _of_manifest(read_manifest(place, limits=limits), columns)
    if place.is_dir() and (place / MANIFEST).is_file():
        return _of_manifest(read_manifest(place / MANIFEST, limits=limits), columns)
    data = pack_folder(place, limits=limits) if place.is_dir() else read_bytes(path, limits)
    unused = companion_notes(list_companions(place if place.is_dir() else data, limits=limits))
    notes = [f"{origin}: {note}" for note in unused]
    opened = open_packed(data, name, origin=origin, limits=limits)
    if isinstance(opened, Collection):
        return _of_manifest(replace(opened, notes=(*notes, *opened.notes)), columns)
    columns_of_files = ColumnsOfFiles(columns, [str(item.path) for item in opened])
    opened = [
        item._replace(file=with_columns(item.file, columns_of_files, path=str(item.path), limits=limits))
        for item in opened
    ]
    columns_of_files.check()
    division = divide(opened, limits=limits)
    files = by_test_set(division.files)
    sets = [
        TestSet(name=own or stem_of(name), files=files[own], languages=division.languages.get(own, ""))
        for own in division.names or files
    ]
    return Collection(sets=tuple(sets), notes=(*notes, *division.notes))


def _of_manifest(collection: Collection, columns: Sequence[MappedColumn]) -> Collection:
    """Return the collection of a manifest; raise SettingsError if there are columns for its files."""
    if columns:
        raise SettingsError(f"columns: a manifest ({MANIFEST}) found, a folder or zip without one expected")
    return collection
