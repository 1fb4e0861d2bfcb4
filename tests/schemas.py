"""The JSON of each command: `python -m tests.schemas` writes docs/schemas and docs/json.md, which the tests compare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from jsonschema import Draft202012Validator

from bleu_core.cli.commands import COMMANDS, load
from bleu_core.fields import fields_of, is_result, types_of
from bleu_core.project import Manifest
from bleu_core.results.contracts import REPORTS
from bleu_core.results.envelope import Envelope
from bleu_core.results.schema import json_schema

DOCS = Path(__file__).parents[1] / "docs"

HEAD = """# The JSON of each command

`--format json` prints one object. Scores are points, precisions and penalties fractions. What is undefined is
null, and a `reason` says why. Keys that do not apply are left out. [schemas/](schemas/) has a JSON Schema for each
command. This page is generated from the declarations of the results: `just docs`.
"""


def schema_of(command: str) -> Any:
    """The schema of a command's JSON."""
    return json_schema(f"bleu-core {command} --format json", *REPORTS[command])


def workspace_schema() -> Any:
    """The schema of the manifest in a saved workspace."""
    return json_schema("manifest.json of a saved workspace", Manifest)


@cache
def validator(command: str) -> Draft202012Validator:
    """Checks JSON of a command."""
    return Draft202012Validator(schema_of(command))


def check_json(command: str, content: object) -> None:
    """See that JSON is as the command's schema says, and that a reason stands beside what is undefined.

    Raises:
        ValidationError: it is not.
    """
    if command in REPORTS:
        validator(command).validate(content)
        _check_reasons(content, _nullable(REPORTS[command]), "$")


def _check_reasons(content: Any, nullable: frozenset[str], path: str, *, reasoned: bool = False) -> None:
    if isinstance(content, list):
        for number, inner in enumerate(content):
            _check_reasons(inner, nullable, f"{path}[{number}]")
    if not isinstance(content, dict):
        return
    for key, inner in content.items():
        if inner is None or (isinstance(inner, list) and None in inner):
            prefixes = (name.removesuffix("reason") for name in content if name.endswith("_reason"))
            has_reason = "reason" in content or reasoned or any(map(key.startswith, prefixes))
            assert key in nullable or has_reason, f"{path}.{key}"
        if key != "settings":  # of which null is a value
            by_metric = key == "scores" and isinstance(inner, dict)  # the reason is beside it
            _check_reasons(inner, nullable, f"{path}.{key}", reasoned=by_metric and "reason" in content)


@cache
def _nullable(kinds: tuple[type, ...]) -> frozenset[str]:
    """The keys of fields whose null is a value, in results of these classes and in those within them."""
    found: set[str] = set()
    waiting, seen = list(kinds), set[type]()
    while waiting:
        kind = waiting.pop()
        if kind in seen:
            continue
        seen.add(kind)
        found |= {name for name, declared in fields_of(kind).items() if declared.null}
        waiting += [inner for hint in types_of(kind).values() for inner in _results_in(hint)]
    return frozenset(found)


def _results_in(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and is_result(hint):
        yield hint
    for inner in get_args(hint):
        yield from _results_in(inner)


def pages() -> dict[Path, str]:
    """The files in docs that follow from the declarations, by path."""
    files = {
        DOCS / "schemas" / f"{command}.json": json.dumps(schema_of(command), indent=2) + "\n" for command in REPORTS
    }
    files[DOCS / "schemas" / "workspace.json"] = json.dumps(workspace_schema(), indent=2) + "\n"
    shared = schema_of("blocks")
    envelope = {name: shared["properties"][name] for name in fields_of(Envelope)}
    sections = [HEAD, "## Every command\n", "\n".join(_lines(envelope, shared["$defs"], 0)), ""]
    for command in REPORTS:
        schema = schema_of(command)
        sections += [f"## {command}\n", load(command).HELP[0].upper() + load(command).HELP[1:] + ".\n"]
        kinds: list[Any] = schema.get("anyOf") or [schema]
        least = min((one["properties"] for one in kinds), key=len)
        extended = all(least.keys() <= one["properties"].keys() for one in kinds)  # the others have more keys
        for one in kinds:
            known = least if extended and one["properties"] != least else envelope
            own = {name: inner for name, inner in one["properties"].items() if name not in known}
            if ("anyOf" in schema and known is not envelope) or not extended:
                first = next(name for name in own if not all(name in other["properties"] for other in kinds))
                heading = f"--level {own['level']['enum'][0]}" if "level" in own else f"With `{first}`"
                sections.append(f"### {heading}\n")
            sections += ["\n".join(_lines(own, schema.get("$defs", {}), 0)), ""]
    return files | {DOCS / "json.md": "\n".join(sections).rstrip() + "\n"}


def _lines(properties: dict[str, Any], definitions: Any, depth: int) -> Iterator[str]:
    """A line for each key, those of nested objects below it."""
    for name, inner in properties.items():
        described = inner.get("description", "")
        yield f"{'  ' * depth}- `{name}`{_shape(inner)}: {described}".rstrip(": ").rstrip()
        nested = _nested(inner)
        if nested:
            yield from _lines(definitions[nested]["properties"], definitions, depth + 1)


def _shape(inner: Any) -> str:
    if inner.get("type") == "array":
        return ", a list"
    if inner.get("type") == "object":
        return ", by name"
    return ""


def _nested(inner: Any) -> str:
    """The name of the definition that an object, or each entry of a list, has."""
    found = inner
    while isinstance(found, dict):
        if "$ref" in found:
            return str(found["$ref"]).rsplit("/", 1)[1]
        options = [one for one in found.get("anyOf", []) if one != {"type": "null"}]
        found = found.get("items") or found.get("additionalProperties") or (options[0] if options else None)
    return ""


if __name__ == "__main__":
    assert set(REPORTS) <= set(COMMANDS)
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
