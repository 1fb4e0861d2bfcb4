"""The declaration of settings, and the settings that counting depends on.

A setting is a field of Counting if counting depends on it, or else of BleuSettings in the module of the formula. The
metadata of the field declares the setting; options, the sidebar, URL parameters, presets and signature keys derive from
the declaration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Literal, cast

from bleu_core.errors import SettingsError
from bleu_core.scoring.tokenizers import DEFAULT_TOKENIZER, TOKENIZERS

#: choice: one of several names. flag: on or off. weights: a positive number per order, which sum to one, or None.
#: A positive number may be None.
Kind = Literal["choice", "flag", "whole number", "positive number", "weights"]

#: Tolerance of the sum of weights, for rounding.
WEIGHT_TOLERANCE = 1e-6

#: Key of the declaration in the metadata of a field.
SETTING = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The declaration of a setting.

    Attributes:
        key: the name of the field, of the sidebar's widget and of the address's parameter; the option is --KEY with
            hyphens.
        default: sacreBLEU's value.
        counting: whether counting depends on the setting.
        kind: of its values.
        label: its name for people.
        help: its meaning for people, in sentences.
        choices: of a choice, each name and its meaning for people.
        bounds: of a whole number, minimum and maximum.
        option_help: help of the command-line option, if any.
        noun: its name in messages; the label in lower case by default.
        empty: meaning of None, for people.
        presets: the values that differ from the default, by preset.
        one_per: of weights, the setting that determines their number.
        parent: a setting of kind choice; this one applies only to its values in `defaults_by_choice`.
        defaults_by_choice: the value that None means, by the value of the parent.
        signature: the signature's key for values other than the default; empty if one of sacreBLEU's keys has the
            value.
        metric: the key of the metric that the setting belongs to, if it is not BLEU or its counting.
    """

    key: str = ""
    default: Any = None
    counting: bool = False
    kind: Kind
    label: str
    help: str
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    bounds: tuple[int, int] = (0, 0)
    option_help: str | None = None
    noun: str = ""
    empty: str = ""
    presets: Mapping[str, Any] = field(default_factory=dict[str, Any])
    one_per: str = ""
    parent: str = ""
    defaults_by_choice: Mapping[str, float] = field(default_factory=dict[str, float])
    signature: str
    metric: str = ""

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.key.replace('_', '-')}"

    @property
    def full_help(self) -> str:
        """The help, with the meaning of each choice."""
        meanings = "; ".join(f"{name}: {meaning}" for name, meaning in self.choices.items())
        return f"{self.help} {meanings}." if meanings else self.help

    def check(self, settings: Counting) -> None:
        """Check the value of this setting.

        Raises:
            SettingsError: the value is invalid.
        """
        value = getattr(settings, self.key)
        noun = self.noun or self.label.lower()
        if self.kind == "choice" and value not in self.choices:
            raise SettingsError(f"{noun} {value!r} found, one of {', '.join(self.choices)} expected")
        if self.kind == "whole number" and not self.bounds[0] <= value <= self.bounds[1]:
            raise SettingsError(f"{noun} {value} found, {self.bounds[0]} to {self.bounds[1]} expected")
        if self.kind == "weights" and value is not None:
            _check_weights(value, int(getattr(settings, self.one_per)))
        if self.kind == "positive number" and value is not None:
            parent_value = getattr(settings, self.parent) if self.parent else ""
            if self.parent and parent_value not in self.defaults_by_choice:
                raise SettingsError(f"{self.parent} {parent_value} takes no value ({value:g} given)")
            if not (math.isfinite(value) and value > 0):
                raise SettingsError(f"{noun} {value:g} found, a positive number expected")

    def signature_key(self, settings: Counting) -> str:
        """Return key and value for the signature; empty for the default and for values that sacreBLEU's keys have."""
        value = getattr(settings, self.key)
        if not self.signature or value == self.default:
            return ""
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, tuple):
            value = "/".join(f"{number:g}" for number in cast("tuple[float, ...]", value))
        return f"{self.signature}:{value:g}" if isinstance(value, float) else f"{self.signature}:{value}"


def _check_weights(weights: tuple[float, ...], max_order: int) -> None:
    if len(weights) != max_order:
        raise SettingsError(f"enter {max_order} weights, one per n-gram order ({len(weights)} given)")
    if not all(math.isfinite(w) and w > 0 for w in weights):
        raise SettingsError(f"enter positive weights ({', '.join(f'{weight:g}' for weight in weights)} given)")
    if abs(sum(weights) - 1) > WEIGHT_TOLERANCE:
        raise SettingsError(f"enter weights that sum to 1 (the sum is {sum(weights):g})")


@dataclass(frozen=True, slots=True)
class Counting:
    """The settings that counting depends on; BleuSettings adds those that apply after counting.

    Attributes:
        tokenizer: one of TOKENIZERS.
        lowercase: whether case is folded first.

    Raises:
        SettingsError: a setting is out of its range.
    """

    tokenizer: str = field(
        default=DEFAULT_TOKENIZER,
        metadata={
            SETTING: Setting(
                kind="choice",
                label="Tokeniser",
                help="How text is split into words before n-grams are counted.",
                choices=TOKENIZERS,
                presets={"paper": "none"},
                signature="",
            )
        },
    )
    lowercase: bool = field(
        default=False,
        metadata={
            SETTING: Setting(
                kind="flag",
                label="Lower-case",
                help="Ignore case when counting n-grams.",
                presets={"paper": True},
                signature="",
            )
        },
    )

    def __post_init__(self) -> None:
        for setting in declared_settings(type(self)).values():
            setting.check(self)

    @property
    def counting(self) -> Counting:
        """The settings that counting depends on, and no others."""
        return _counting_in(self)


@lru_cache(maxsize=1000)  # avoids repeated validation
def _counting_in(settings: Counting) -> Counting:
    return Counting(**{declared.name: getattr(settings, declared.name) for declared in fields(Counting)})


@cache
def declared_settings(settings: type[Counting]) -> Mapping[str, Setting]:
    """Return the settings declared in a class, by key."""
    counting = {declared.name for declared in fields(Counting)}
    return MappingProxyType(
        {
            declared.name: replace(
                _declaration(declared), key=declared.name, default=declared.default, counting=declared.name in counting
            )
            for declared in fields(settings)
            if SETTING in declared.metadata
        }
    )


def _declaration(declared: Field[Any]) -> Setting:
    return declared.metadata[SETTING]


#: sacreBLEU's counting.
DEFAULT_COUNTING = Counting()


def signature_keys(settings: Counting) -> list[str]:
    """Return the signature's keys beyond sacreBLEU's: those of our settings that differ from the default."""
    keys = (setting.signature_key(settings) for setting in declared_settings(type(settings)).values())
    return [key for key in keys if key]
