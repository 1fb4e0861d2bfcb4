"""What is declared of a setting, and the settings that counting depends on.

A setting is a field of Counting, if counting depends on it, or else of BleuSettings, beside the formula. The field
carries the setting's declaration; options, the sidebar's boxes, addresses, presets and the signature's keys follow from
it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Literal, cast

from bleu_core.errors import SettingsError
from bleu_core.scoring.tokenizers import TOKENIZERS

#: choice: one of some names. flag: on or off. weights: a positive number for each order, which sum to one, or None.
#: A positive number may be None.
Kind = Literal["choice", "flag", "whole number", "positive number", "weights"]

#: How far from one the weights' sum may be: rounding, no more.
WEIGHT_TOLERANCE = 1e-6

#: In the metadata of a field: its declaration.
SETTING = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting, as it is declared once.

    Attributes:
        key: the name of the field, of the sidebar's widget and of the address's parameter; the option is --KEY with
            hyphens.
        default: sacreBLEU's value.
        counting: whether counting depends on the setting.
        kind: what its values are.
        label: its name for people.
        help: what it is, for people, in sentences.
        choices: of a choice, each name and what it means, for people.
        bounds: of a whole number, the least and the greatest.
        option_help: what the command line's help adds to the option's name, if anything.
        noun: its name in messages; the label in lower case by default.
        empty: what None stands for, for people.
        presets: the values that differ from the default, by preset.
        one_per: of weights, the setting that tells how many there are.
        goes_with: a setting of kind choice without whose values in `usual` this one has no meaning.
        usual: what None stands for, by the value of that setting.
        signature: the key under which the signature names a value other than the default; empty where sacreBLEU's own
            keys tell the value.
        metric: the key of the metric that the setting is of, where it is not one of BLEU and what is counted for it.
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
    goes_with: str = ""
    usual: Mapping[str, float] = field(default_factory=dict[str, float])
    signature: str
    metric: str = ""

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.key.replace('_', '-')}"

    @property
    def whole_help(self) -> str:
        """The help with what each choice means."""
        meanings = "; ".join(f"{name}: {meaning}" for name, meaning in self.choices.items())
        return f"{self.help} {meanings}." if meanings else self.help

    def check(self, settings: Counting) -> None:
        """Check that settings have a value that is possible.

        Raises:
            SettingsError: they do not.
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
            chosen = getattr(settings, self.goes_with) if self.goes_with else ""
            if self.goes_with and chosen not in self.usual:
                raise SettingsError(f"{self.goes_with} {chosen} takes no value ({value:g} given)")
            if not (math.isfinite(value) and value > 0):
                raise SettingsError(f"{noun} {value:g} found, a positive number expected")

    def written(self, settings: Counting) -> str:
        """The key and value in the signature; empty if the value is the default or one of sacreBLEU's keys has it."""
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
    """The settings that counting depends on; those of BleuSettings that are not here are chosen after counting.

    Attributes:
        tokenizer: one of TOKENIZERS.
        lowercase: whether case is folded first.

    Raises:
        SettingsError: a setting is out of its range.
    """

    tokenizer: str = field(
        default="13a",
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


@lru_cache(maxsize=1000)  # so that they are not validated again
def _counting_in(settings: Counting) -> Counting:
    return Counting(**{each.name: getattr(settings, each.name) for each in fields(Counting)})


@cache
def declared_settings(settings: type[Counting]) -> Mapping[str, Setting]:
    """Key -> the settings that are declared in a class."""
    counting = {each.name for each in fields(Counting)}
    return MappingProxyType(
        {
            each.name: replace(_declaration(each), key=each.name, default=each.default, counting=each.name in counting)
            for each in fields(settings)
            if SETTING in each.metadata
        }
    )


def _declaration(declared: Field[Any]) -> Setting:
    return declared.metadata[SETTING]


#: sacreBLEU's counting.
DEFAULT_COUNTING = Counting()


def signature_keys(settings: Counting) -> list[str]:
    """The signature's keys that go beyond sacreBLEU's: of settings that only we have, those not as by default."""
    written = (each.written(settings) for each in declared_settings(type(settings)).values())
    return [key for key in written if key]
