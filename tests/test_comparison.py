"""Every dataclass can be compared, and hashed or refused as unhashable, whatever its fields hold."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, cast, get_args, get_origin

import numpy as np
import pandas as pd
import pytest

import bleu_core
import dashboard
from bleu_core.dataset import Corpus
from tests.annotations import alternatives, resolved

#: Modules that run a program when they are imported.
PROGRAMS = ("dashboard.app", "__main__")


def dataclasses_of(package: Any) -> Iterator[type]:
    """Yield all dataclasses of a package, private ones too."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith(PROGRAMS):
            for value in list(vars(importlib.import_module(found.name)).values()):
                if dataclasses.is_dataclass(value) and isinstance(value, type) and value.__module__ == found.name:
                    yield value


def instance(kind: type, depth: int = 0) -> object:
    """Return an instance with sample values in all fields, made without its initialiser."""
    made = object.__new__(kind)
    for owner in reversed(kind.__mro__):
        names = vars(sys.modules[owner.__module__])
        for name, annotation in vars(owner).get("__annotations__", {}).items():
            if name in {field.name for field in dataclasses.fields(cast("Any", kind))}:
                object.__setattr__(made, name, sample(annotation, names, depth))
    return made


def sample(annotation: object, names: Mapping[str, object], depth: int) -> object:
    if "DataFrame" in str(annotation) or "Series" in str(annotation):
        return pd.DataFrame({"score": [1.0, 2.0]})
    return sample_of_type(resolved(annotation, names), depth)


def sample_of_type(hint: object, depth: int) -> object:
    samples = [sample_of_alternative(kind, depth) for kind in alternatives(hint) if kind is not NoneType]
    return max(samples, key=lambda value: not isinstance(value, str))


def sample_of_alternative(hint: object, depth: int) -> object:
    origin, members = get_origin(hint) or hint, get_args(hint)
    if origin is np.ndarray:
        return np.arange(2.0)
    if dataclasses.is_dataclass(origin):
        return instance(cast("type", origin), depth + 1) if depth < 3 else "nested"
    if isinstance(origin, type) and members and issubclass(origin, Iterable):
        *_, last = (member for member in members if member is not ...)
        value = sample_of_type(last, depth)
        if issubclass(origin, Mapping):
            return {"key": value}
        return (value,) if issubclass(origin, (tuple, Collection)) else [value]
    return "text"


@pytest.mark.parametrize("package", [bleu_core, dashboard], ids=lambda package: package.__name__)
def test_values_are_compared_and_hashed_without_a_truth_value_of_arrays(package: Any) -> None:
    kinds = list(dataclasses_of(package))
    assert len(kinds) > 100
    wrong: list[str] = []
    for kind in kinds:
        value, equal = instance(kind), instance(kind)
        try:
            assert value == value  # noqa: PLR0124 # every value equals itself
            assert (value == equal) in (True, False)
            assert value != "another type"
            hash(value)
        except (TypeError, ValueError) as error:
            if not str(error).startswith("unhashable type"):
                wrong.append(f"{kind.__module__}.{kind.__qualname__}: {error}")
    assert wrong == []


def test_corpora_of_equal_texts_are_equal_and_have_the_same_hash() -> None:
    first, second = (Corpus(systems={"A": ("the cat",)}, references={"R": ("a cat",)}) for _ in range(2))
    assert first == second
    assert len({first, second}) == 1
    assert first != Corpus(systems={"A": ("the dog",)}, references={"R": ("a cat",)})
