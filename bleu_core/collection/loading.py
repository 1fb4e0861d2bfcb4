"""Loading of collections from disk: a manifest, a folder or a zip."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from bleu_core.collection.globs import PackedTree
from bleu_core.collection.manifest import MANIFEST, parse_manifest, read_manifest
from bleu_core.collection.test_sets import Collection, TestSet
from bleu_core.formats import StrPath, loose_files, pack_folder, printable_path, read_bytes, stem_of
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.uploads import unpack_upload


def load_collection(path: StrPath, *, limits: Limits = DEFAULT_LIMITS) -> Collection:
    """Load a collection from disk.

    A file of a system that is empty or cannot be read does not matter here: when its test set is read, the system is
    missing there.

    Args:
        path: a manifest (a file with the ending .toml), or a folder or zip. In these, a file bleu.toml describes the
            test sets; without one, the files are divided by their names, folders and contents.
        limits: the limits on the files of all test sets together; on systems and references, of each set.

    Raises:
        FormatError: the manifest is not valid, or the folder or zip cannot be read.
        SettingsError: a setting in the manifest does not exist, or has an invalid value.
        LimitError: the files hold more than the limits allow.
        OSError: a file cannot be opened.
    """
    place = Path(path)
    name = printable_path(path)
    if place.is_dir():
        if (place / MANIFEST).is_file():
            return read_manifest(place / MANIFEST, limits=limits)
        data = pack_folder(place, limits=limits)
    elif place.suffix.lower() == ".toml":
        return read_manifest(place, limits=limits)
    else:
        data = read_bytes(path, limits)
        packed = loose_files(data, name, limits=limits) or ()
        manifest = next((file for file in packed if file.path == PurePosixPath(MANIFEST)), None)
        if manifest is not None:
            manifest.check(f"{name}/{MANIFEST}")
            return parse_manifest(manifest.data, f"{name}/{MANIFEST}", PackedTree(packed, name), limits=limits)
    files = unpack_upload(place.resolve().name, data, None, limits=limits)
    return Collection(sets=(TestSet(name=stem_of(place.resolve().name), files=tuple(files)),))
