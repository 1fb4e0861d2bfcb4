"""The schemas of the JSON of each command, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from jsonschema import ValidationError
from schemas import check_json, pages, schema_of

from bleu_core.cli.commands import COMMANDS
from bleu_core.fields import bounds, derived, field, fields_of, inline, result, table_of
from bleu_core.results.campaigns import CampaignReport
from bleu_core.results.contracts import REPORTS
from bleu_core.results.encoding import to_json
from bleu_core.results.envelope import Envelope
from bleu_core.results.schema import json_schema
from bleu_core.results.test_sets import CollectionReport

#: Command -> the class of the fields at the beginning of its JSON; of all others, the envelope.
HEADS: Mapping[str, type] = {"campaign": CampaignReport, "table": CollectionReport}


def test_every_command_has_a_report() -> None:
    assert set(REPORTS) == set(COMMANDS)


def test_the_documentation_is_what_the_declarations_give() -> None:
    """`just docs` writes it anew."""
    for path, text in pages().items():
        assert path.read_text("utf-8") == text, path


@pytest.mark.parametrize("command", REPORTS)
def test_every_field_says_what_it_means(command: str) -> None:
    schema = schema_of(command)
    objects = [*(schema.get("anyOf") or [schema]), *schema.get("$defs", {}).values()]
    for one in objects:
        assert one["additionalProperties"] is False
    for kind in REPORTS[command]:
        assert all(declared.help for declared in fields_of(kind).values())
        assert set(fields_of(HEADS.get(command, Envelope))) <= set(fields_of(kind))


@result
class Inner:
    """Nested in Outer."""

    score: float = field("points", "A score.")
    reason: str = field("text", "Why it is undefined.", default="")


@result
class Outer:
    """A result with a field of each sort."""

    name: str = field("text", "A name.")
    parts: Sequence[Inner] = field("object", "Several of them.", default=())
    length: float = field("count", "A length.", default=2.0)
    extra: float | None = field("number", "Where it applies.", default=None)
    limit: float = field("number", "A bound.", undefined="no bound", default=1.0)
    shown: str = field("text", "In tables only.", only="table", default="")


def test_what_does_not_apply_is_left_out_and_what_is_undefined_is_null() -> None:
    found = to_json(Outer(name="a", parts=[Inner(score=float("nan"), reason="empty"), Inner(score=1.0)]))
    assert found == {
        "name": "a",
        "parts": [{"score": None, "reason": "empty"}, {"score": 1.0}],
        "length": 2,
        "limit": 1.0,
    }
    assert isinstance(found["length"], int)
    assert to_json(Outer(name="a", limit=float("inf")))["reason"] == "no bound"


@result
class Grouped:
    """A result of a group, or of all."""

    group: str | None = field("text", "Name of the group; null for all.", null=True)


def test_where_none_has_a_meaning_it_is_null() -> None:
    assert to_json(Grouped(group=None)) == {"group": None}
    found: Any = json_schema("grouped", Grouped)
    assert found["required"] == ["group"]
    assert found["properties"]["group"]["anyOf"] == [{"type": "string"}, {"type": "null"}]


def test_the_schema_follows_from_the_declarations() -> None:
    found: Any = json_schema("outer", Outer)
    assert found["required"] == ["name", "parts", "length", "limit"]
    properties = found["properties"]
    assert list(properties) == ["name", "parts", "length", "extra", "limit", "reason"]
    assert properties["parts"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Inner"},
        "description": "Several of them.",
    }


def test_json_that_breaks_the_contract_is_refused() -> None:
    for content in ({}, {"tool": "bleu-core"}, []):
        with pytest.raises(ValidationError):
            check_json("score", content)


@result
class Part:
    """A value with fields of its own."""

    low: float = field("number", "Lower end.")
    middle: float
    reason: str = field("text", "Why.", default="")

    @derived("count", "Twice the middle.", key="twice")
    def doubled(self) -> float:
        """Twice the middle."""
        return 2 * self.middle


@result
class Whole:
    """A result that has the fields of its value."""

    name: str = field("text", "A name.", key="system")
    inner: Part | None = inline(Part, default=None)
    high: float = field("number", "Upper end.")


def test_fields_of_values_derived_fields_and_keys_are_written_as_declared() -> None:
    row = Whole(name="A", inner=Part(low=1.0, middle=2.0, reason="x"), high=3.0)
    assert to_json(row) == {"system": "A", "low": 1.0, "twice": 4, "high": 3.0, "reason": "x"}
    assert table_of([row], Whole).rows == (("A", 1.0, 4.0, 3.0, "x"),)
    assert to_json(Whole(name="A", high=3.0)) == {"system": "A", "high": 3.0}
    schema: Any = json_schema("outer", Whole)
    assert list(schema["properties"]) == ["system", "low", "twice", "high", "reason"]
    assert schema["required"] == ["system", "high"]


def test_bounds_are_the_ends_of_an_interval() -> None:
    low, high = bounds("points", "interval", only="json").values()
    assert (low.kind, low.only, low.help, high.help) == (
        "points",
        "json",
        "Lower end of the interval.",
        "Upper end of the interval.",
    )


def test_a_renamed_field_also_has_its_former_key() -> None:
    @result
    class Renamed:
        """A result with a renamed field."""

        now: int = field("count", "A number.", former="before")

    assert to_json(Renamed(now=3)) == {"now": 3, "before": 3}
    schema = json_schema("Renamed", Renamed)
    assert schema["required"] == ["now", "before"]
    properties: Any = schema["properties"]
    assert properties["before"]["description"] == "Former key of now, until version 0.4."
    assert list(table_of([Renamed(now=3)], Renamed).columns) == ["now"]
