"""The manifest of a saved workspace in JSON: its files, the user's choices, and notes."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, Union, cast, get_args, get_origin, get_type_hints

from bleu_core.dataset import LineRepair, OptimisedSystem
from bleu_core.errors import FormatError
from bleu_core.fields import field, result
from bleu_core.formats import PUBLISHED, SURROGATE, MappedColumn, MqmWeights, check_json
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.scoring import BleuSettings
from bleu_core.uploads import HeldRole

#: The current version of the layout; it increases when older programs cannot read newer files.
LAYOUT = 2

#: The layout of files that contain the former option to leave human translators out of agreement.
BEFORE_RANKING = 1

#: The greatest numbers of a manifest by their type: whole ones that any other program reads, too.
MAX_NUMBER: Mapping[type, float] = {bool: 1, int: 2**53, float: sys.float_info.max}

#: Texts that people write, and that no address has; they may hold half of a surrogate pair.
FREE_TEXTS = (".note", ".heading", ".introduction")


@result
class FileRecord:
    """A file of a saved workspace, with the corrections of the user who saved it."""

    path: str = field("text", "Its path in the zip.")
    bytes: int = field("count", "Its size.")
    digest: str = field("text", "BLAKE2b of its bytes with 16 bytes, in hexadecimal digits.")
    name: str = field("text", "Its name as it was added.")
    role: HeldRole = field("text", "Its role.")
    renamed: str = field(
        "text", "Name given to its only system or reference; empty for the name in the file.", default=""
    )
    human: bool = field("text", "Whether its text is a human translation.", default=False)
    human_names: tuple[str, ...] = field("object", "Human translators among its systems.", default=())
    encoding: str | None = field("text", "Its encoding; null for UTF-8.", null=True, default=None)
    first_segment: Literal[0, 1] = field("count", "Number of its first segment, 1 or 0.", default=1)
    format: str | None = field("text", "Format chosen for it; null for the recognised one.", null=True, default=None)
    own: Mapping[str, str] = field("object", "Options of its format, by name.")
    pair: str | None = field("text", "Language pair; null for its first one.", null=True, default=None)
    human_scores: str | None = field(
        "text", "Human scores of a test set; null for the preferred ones.", null=True, default=None
    )
    weights: MqmWeights = field("object", "Weights of MQM errors.", default=PUBLISHED)
    lower_is_better: tuple[str, ...] | None = field(
        "object", "Metrics of which lower scores are better; null to decide by their names.", null=True, default=None
    )
    columns: tuple[MappedColumn, ...] = field(
        "object", "Roles of a table's columns; empty if their headers decide.", default=()
    )
    repairs: tuple[LineRepair, ...] = field("object", "Repairs of its lines.", default=())
    damage: str = field(
        "text", "Why its bytes could not be unpacked when it was added; empty if they could.", default=""
    )
    test_set: str = field("text", "Test set that it belongs to; empty for the one without a name.", default="")


@result
class JudgeRecord:
    """A judge; two groups may each have a judge of the same name."""

    name: str = field("text", "Name of the judge.")
    group: str | None = field("text", "Group of the judge.", null=True, default=None)


@result
class Choices:
    """Choices beside the files, as commands apply them."""

    settings: BleuSettings = field("object", "The settings of BLEU.", default=BleuSettings())
    without_systems: tuple[str, ...] = field("object", "Systems left out.", default=())
    without_references: tuple[str, ...] = field("object", "References left out.", default=())
    slice: str = field("text", "Expression for the slice; empty for the whole text.", default="")
    score_missing: bool = field(
        "text", "Whether segments that a file lacks are scored as empty, instead of left out.", default=False
    )
    shared_segments: bool = field(
        "text", "Whether only segments that all systems have are compared, where a system lacks some.", default=False
    )
    without_judges: tuple[JudgeRecord, ...] = field("object", "Judges left out.", default=())
    without_groups: tuple[str, ...] = field("object", "Groups of judges left out.", default=())
    standardised: bool = field("text", "Whether the ratings of each judge are standardised.", default=False)
    adjusted_for_judges: bool = field("text", "Whether ratings are adjusted for judges.", default=False)
    rank_humans: bool = field("text", "Whether human translations among the systems are ranked.", default=False)
    optimised: tuple[OptimisedSystem, ...] = field(
        "object", "Systems that were optimised for a metric, and so are not ranked by it.", default=()
    )
    paper_preset: bool = field("text", "Whether the 2002 paper is computed under its own preset.", default=False)
    test_set: str = field(
        "text", "Test set that is shown; empty for the one without a name. Commands read its files.", default=""
    )


@result
class NoteRecord:
    """A user's note on a segment."""

    data: str = field("text", "Digest of the first reference, whose segment this is.")
    segment: int = field("count", "Number of the segment.")
    starred: bool = field("text", "Whether the segment is starred.", default=False)
    note: str = field("text", "The note.", default="")


@result
class ReportText:
    """The text that a user writes above a report, as plain text."""

    heading: str = field("text", "The heading; empty for the default one.", default="")
    introduction: str = field("text", "Text below it; an empty line separates paragraphs.", default="")


@result
class Manifest:
    """The file manifest.json of a saved workspace."""

    layout: int = field("count", "Number of the layout of the file.")
    tool: str = field("text", "Name of the program that wrote it.")
    version: str = field("text", "Version of that program.")
    python: str = field("text", "Version of Python.")
    sacrebleu: str = field("text", "Version of sacreBLEU.")
    data: str = field("text", "Digest of the data, as in the address of a page.")
    files: tuple[FileRecord, ...] = field("object", "The files, in their order.")
    choices: Choices = field("object", "Choices beside the files.")
    controls: Mapping[str, tuple[str, ...]] = field("object", "Parameters of a page's address, by name.")
    notes: tuple[NoteRecord, ...] = field("object", "Stars and notes.", default=())
    report: ReportText = field("object", "Heading and introduction of the report.", default=ReportText())


def manifest_json(manifest: Manifest) -> bytes:
    """Return the manifest as JSON; equal manifests give equal bytes."""
    return (json.dumps(_plain(manifest), indent=1, allow_nan=False) + "\n").encode("ascii")


def read_manifest(data: bytes, origin: str, limits: Limits = DEFAULT_LIMITS) -> Manifest:
    """Read a manifest, of this layout or an older one.

    Args:
        data: the JSON.
        origin: the file, for messages.
        limits: the limits for the workspace.

    Raises:
        FormatError: it is not JSON, has a newer layout, or has a missing, unknown or impossible value.
        LimitError: it has too many values.
    """
    try:
        text = data.decode("utf-8")
        check_json(text, origin, limits)
        content = json.loads(text, parse_constant=_refuse)
    except LimitError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{origin}: the manifest is not JSON: {error}; save the workspace again") from None
    layout = cast("dict[str, object]", content).get("layout") if isinstance(content, dict) else None
    if isinstance(layout, int) and layout > LAYOUT:
        raise FormatError(
            f"{origin}: saved by a newer version of this program (layout {layout} found, at most {LAYOUT} expected); "
            "update the program to open it"
        )
    if layout == BEFORE_RANKING and isinstance(content, dict):
        choices = cast("dict[str, Any]", content).get("choices")
        if isinstance(choices, dict):
            cast("dict[str, Any]", choices).pop("machines_only", None)
    return _parse_class(Manifest, content, origin, "manifest")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} found")


def _plain(value: Any) -> Any:
    """Convert dataclasses to objects, and tuples to lists."""
    if dataclasses.is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in cast("Mapping[str, Any]", value).items()}
    return [_plain(inner) for inner in cast("Sequence[Any]", value)] if isinstance(value, tuple) else value


def _parse_class(kind: Any, content: Any, origin: str, where: str) -> Any:
    """Return an object of a dataclass; fields with a default may be missing, as in older files."""
    if not isinstance(content, dict):
        raise _unexpected(origin, where, content, "an object")
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for item in dataclasses.fields(kind):
        if item.name in content:
            given[item.name] = _parse_type(hints[item.name], content[item.name], origin, f"{where}.{item.name}")
        elif item.default is dataclasses.MISSING:
            raise FormatError(f"{origin}: {where}.{item.name} not found; save the workspace again")
    unknown = next((name for name in cast("dict[str, Any]", content) if name not in hints), None)
    if unknown is not None:
        raise FormatError(f"{origin}: {where} has an unknown entry {unknown!r}; save the workspace again")
    try:
        return kind(**given)
    except ValueError as error:  # such as incompatible settings
        raise FormatError(f"{origin}: {where}: {error}") from None


def _parse_type(hint: Any, content: Any, origin: str, where: str) -> Any:
    """Return a value of a type: a scalar, a literal, None or another type, a tuple, a mapping or a dataclass."""
    kind, arguments = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        others = [argument for argument in arguments if argument is not types.NoneType]
        return None if content is None else _parse_type(others[0], content, origin, where)
    if kind is Literal:
        if not any(content == argument and type(content) is type(argument) for argument in arguments):
            raise _unexpected(origin, where, content, f"one of {', '.join(map(str, arguments))}")
        return content
    if dataclasses.is_dataclass(hint):
        return _parse_class(hint, content, origin, where)
    if kind is tuple:
        if not isinstance(content, list):
            raise _unexpected(origin, where, content, "a list")
        inner = enumerate(cast("list[Any]", content), start=1)
        return tuple(_parse_type(arguments[0], item, origin, f"{where}, entry {n}") for n, item in inner)
    if kind is not None:  # a mapping
        if not isinstance(content, dict):
            raise _unexpected(origin, where, content, "an object")
        inside = cast("dict[str, Any]", content).items()
        return {name: _parse_type(arguments[1], item, origin, f"{where}.{name}") for name, item in inside}
    return _scalar(hint, content, origin, where)


def _scalar(hint: type, content: Any, origin: str, where: str) -> Any:
    words = {bool: "true or false", int: f"a whole number up to {MAX_NUMBER[int]:,}", float: "a number", str: "a text"}
    if hint is float and isinstance(content, int) and not isinstance(content, bool):
        content = float(content) if abs(content) < 2**53 else math.inf
    if type(content) is not hint or (hint is not str and not abs(content) <= MAX_NUMBER[hint]):
        raise _unexpected(origin, where, content, words[hint])
    if isinstance(content, str) and not where.endswith(FREE_TEXTS) and SURROGATE.search(content):
        raise FormatError(f"{origin}: {where}: half of a surrogate pair found, text expected; save the workspace again")
    return content


def _unexpected(origin: str, where: str, content: Any, expected: str) -> FormatError:
    kind = "an object" if isinstance(content, dict) else "a list" if isinstance(content, list) else repr(content)[:60]
    return FormatError(f"{origin}: {where}: {kind} found, {expected} expected; save the workspace again")
