"""The plan of a campaign, and reading it from TOML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NoReturn, get_args

from bleu_core.digests import digest_of
from bleu_core.errors import FormatError, SettingsError, listed
from bleu_core.formats import parse_toml

Presentation = Literal["single", "side by side"]
Mode = Literal["designed", "paper"]

#: Allowed numbers of interim analyses of the width of an interval.
MIN_LOOKS, MAX_LOOKS = 3, 5
#: Maximum share of items that are rated twice, or degraded; with more, checks would be adjacent.
MAX_CHECKS = 0.25
#: Limits on judges of a campaign, steps of a scale and whole numbers; larger values are typing errors.
MAX_JUDGES, MAX_STEPS, MAX_NUMBER = 1000, 10**6, 2**63 - 1
STEP_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers that judges can give; higher is better.

    Attributes:
        lowest, highest: the ends, in points of the scale.
        step: difference between neighbouring numbers.
        names: number -> its meaning, for some or all numbers.

    Raises:
        SettingsError: the ends, the step and the names are inconsistent.
    """

    lowest: float = 1
    highest: float = 5
    step: float = 1
    names: Mapping[float, str] = field(default_factory=dict[float, str])

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", MappingProxyType(dict(self.names)))
        if not all(map(math.isfinite, (self.lowest, self.highest, self.step))):
            _refuse("scale", f"{self.lowest} to {self.highest} in steps of {self.step}", "finite numbers")
        if self.highest <= self.lowest:
            _refuse("scale.highest", self.highest, f"a number above the lowest, {self.lowest}")
        steps = (self.highest - self.lowest) / self.step if self.step > 0 else math.nan
        if steps > MAX_STEPS:
            _refuse("scale.step", self.step, f"at most {MAX_STEPS:,} steps from {self.lowest} to {self.highest}")
        if not abs(steps - round(steps) if steps > 0 else math.nan) <= STEP_TOLERANCE * max(1.0, steps):
            _refuse("scale.step", self.step, f"a number above 0 that divides {self.lowest} to {self.highest} evenly")
        for number in self.names:
            if not self.contains(number):
                _refuse("scale.names", number, f"a number of the scale {self.lowest} to {self.highest}")

    def contains(self, score: float) -> bool:
        """Return whether a score is a number of the scale."""
        if not (math.isfinite(score) and self.lowest <= score <= self.highest):
            return False
        steps = (score - self.lowest) / self.step
        return abs(steps - round(steps)) <= STEP_TOLERANCE * max(1.0, steps)


@dataclass(frozen=True, slots=True)
class JudgeGroup:
    """A group of judges who see the same information.

    Attributes:
        name: of the group, such as "bilingual".
        judges: number of judges.
        source: whether they see the source.

    Raises:
        SettingsError: the name is empty, or the number of judges is out of its range.
    """

    name: str = "judges"
    judges: int = 1
    source: bool = True

    def __post_init__(self) -> None:
        if not self.name.strip():
            _refuse("groups.name", repr(self.name), "a name")
        if not 1 <= self.judges <= MAX_JUDGES:
            _refuse("groups.judges", self.judges, f"a number from 1 to {MAX_JUDGES:,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingExample:
    """A translation that judges rate as an exercise before they begin; their scores are not stored.

    Attributes:
        text: the translation.
        lowest, highest: the scores that the lead expects, in points of the scale.
        feedback: shown to judges after they have rated it.
        source: shown to groups that see the source; empty if there is none.

    Raises:
        SettingsError: there is no text, or the lowest score is above the highest.
    """

    text: str
    lowest: float
    highest: float
    feedback: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip():
            _refuse("training.text", repr(self.text), "a translation")
        if not self.lowest <= self.highest:
            _refuse("training.highest", self.highest, f"a number from the lowest, {self.lowest}, on")


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a campaign ends; the rule is fixed before the first rating.

    Attributes:
        ratings: end after this number of ratings; None: after all of them, or by the width.
        width: end when the 95% interval of the difference between the closest two systems is narrower than this, in
            points of the scale.
        looks: number of interim analyses of the width.

    Raises:
        SettingsError: both rules are given, or a number is out of its range.
    """

    ratings: int | None = None
    width: float | None = None
    looks: int = MIN_LOOKS

    def __post_init__(self) -> None:
        if self.ratings is not None and self.width is not None:
            _refuse("stopping", "ratings and width", "one of the two")
        if self.ratings is not None and self.ratings < 1:
            _refuse("stopping.ratings", self.ratings, "a number from 1 on")
        if self.width is not None and not 0 < self.width < math.inf:
            _refuse("stopping.width", self.width, "a number above 0, in points of the scale")
        if not MIN_LOOKS <= self.looks <= MAX_LOOKS:
            _refuse("stopping.looks", self.looks, f"a number from {MIN_LOOKS} to {MAX_LOOKS}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlan:
    """The plan of a campaign: what is rated, by whom and how.

    Attributes:
        title: of the campaign.
        systems: names of the systems of the corpus, at least one.
        segments: number of segments that are drawn; None if documents are.
        documents: number of whole documents that are drawn; None if segments are.
        strata: the label whose values are the strata of a proportional sample; empty for none.
        scale: the scores that judges can give.
        question: shown above each item.
        instructions: shown at the beginning.
        presentation: one translation at a time, or all systems' translations of a segment side by side.
        mode: "designed": judges have different items in different orders; "paper": every judge has all items, in one
            random order (Papineni et al. 2002, section 4).
        groups: the judges.
        ratings: judges of each group per item; None: all judges, the only choice in mode "paper".
        repeats: fraction of a judge's items that are rated again later.
        degraded: degraded copies, as a fraction of a judge's items.
        seed: of all draws.
        stopping: when the campaign ends.
        training: exercises before the first item.

    Raises:
        SettingsError: a field has an invalid value, or two fields contradict each other.
    """

    title: str
    systems: tuple[str, ...]
    segments: int | None = None
    documents: int | None = None
    strata: str = ""
    scale: Scale = field(default_factory=Scale)
    question: str = "How good is this translation?"
    instructions: str = ""
    presentation: Presentation = "single"
    mode: Mode = "designed"
    groups: tuple[JudgeGroup, ...] = (JudgeGroup(),)
    ratings: int | None = None
    repeats: float = 0.0
    degraded: float = 0.0
    seed: int = 12345
    stopping: StoppingRule = field(default_factory=StoppingRule)
    training: tuple[TrainingExample, ...] = ()

    @property
    def fingerprint(self) -> bytes:
        """Key of the plan in caches."""
        return digest_of(plan_tables(self))

    def __post_init__(self) -> None:
        _distinct("systems", self.systems)
        _distinct("groups", tuple(group.name for group in self.groups))
        if (self.segments is None) == (self.documents is None):
            _refuse("segments", "both or neither of segments and documents", "one of the two")
        for name, count in (("segments", self.segments), ("documents", self.documents), ("ratings", self.ratings)):
            if count is not None and count < 1:
                _refuse(name, count, "a number from 1 on")
        self._check_choices()
        self._check_ratings()
        for name, share in (("repeats", self.repeats), ("degraded", self.degraded)):
            if not 0 <= share <= MAX_CHECKS:
                _refuse(name, share, f"a share from 0 to {MAX_CHECKS}")
        for example in self.training:
            for key, score in (("lowest", example.lowest), ("highest", example.highest)):
                if not self.scale.contains(score):
                    _refuse(
                        f"training.{key}", score, f"a number of the scale {self.scale.lowest} to {self.scale.highest}"
                    )
        if not 0 <= self.seed <= MAX_NUMBER:
            _refuse("seed", self.seed if self.seed < 0 else f"a number beyond {MAX_NUMBER:,}", "a number from 0 on")

    def _check_choices(self) -> None:
        if self.strata and self.documents is not None:
            _refuse("strata", repr(self.strata), "no strata where whole documents are drawn")
        for name, value, allowed in (
            ("presentation", self.presentation, get_args(Presentation)),
            ("mode", self.mode, get_args(Mode)),
        ):
            if value not in allowed:
                _refuse(name, repr(value), f"one of {listed(allowed)}")

    def _check_ratings(self) -> None:
        judges = sum(group.judges for group in self.groups)
        if judges > MAX_JUDGES:
            _refuse("groups", f"{judges:,} judges", f"at most {MAX_JUDGES:,} in all groups")
        for group in self.groups:
            if self.ratings is not None and self.ratings > group.judges:
                _refuse("ratings", self.ratings, f"at most {group.judges}, the judges of the group {group.name}")
            if self.mode == "paper" and self.ratings not in (None, group.judges):
                _refuse("ratings", self.ratings, "none in mode paper, in which every judge rates all items")

    def ratings_in(self, group: JudgeGroup) -> int:
        """Return the number of judges of a group who rate each item."""
        return group.judges if self.ratings is None else self.ratings


def _distinct(key: str, names: tuple[str, ...]) -> None:
    if not names:
        _refuse(key, "none", "at least 1")
    duplicates = [name for name, count in Counter(names).items() if count > 1]
    if duplicates:
        _refuse(key, f"{duplicates[0]!r} twice", "different names")


def _refuse(key: str, value: object, expected: str) -> NoReturn:
    raise SettingsError(f"{key}: {value} found, {expected} expected")


#: Type of a TOML value -> its name in messages.
TYPE_NAMES: Mapping[type, str] = MappingProxyType(
    {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}
)
#: Key of a table -> type of its value.
PLAN_KEYS: Mapping[str, type] = MappingProxyType(
    {
        **dict.fromkeys(("title", "strata", "question", "instructions", "presentation", "mode"), str),
        **dict.fromkeys(("segments", "documents", "ratings", "seed"), int),
        **dict.fromkeys(("repeats", "degraded"), float),
        **dict.fromkeys(("systems", "groups", "training"), list),
        **dict.fromkeys(("scale", "stopping"), dict),
    }
)
SCALE_KEYS: Mapping[str, type] = MappingProxyType({"lowest": float, "highest": float, "step": float, "names": dict})
GROUP_KEYS: Mapping[str, type] = MappingProxyType({"name": str, "judges": int, "source": bool})
TRAINING_KEYS: Mapping[str, type] = MappingProxyType(
    {"text": str, "lowest": float, "highest": float, "feedback": str, "source": str}
)
STOPPING_KEYS: Mapping[str, type] = MappingProxyType({"ratings": int, "width": float, "looks": int})


def read_plan(content: bytes, origin: str) -> CampaignPlan:
    """Read a plan in TOML; its keys are the attributes of `CampaignPlan`, and its tables the classes of these.

    Args:
        content: of the file.
        origin: its name, for messages.

    Raises:
        FormatError: the file is not TOML, or a key is missing, unknown or of the wrong type; the message names it.
        SettingsError: a value is invalid.
    """
    given = parse_toml(content, origin)
    try:
        return plan_from(given, origin)
    except SettingsError as error:
        raise SettingsError(f"{origin}: {error}") from None


def plan_from(given: Mapping[str, Any], origin: str) -> CampaignPlan:
    """Build a plan from nested tables, as TOML and JSON have them.

    Raises:
        FormatError, SettingsError: as `read_plan`.
    """
    _check_table(given, PLAN_KEYS, origin, required=("title", "systems"))
    values = dict(given)
    for n, name in enumerate(given["systems"], start=1):
        _check_type(name, str, f"systems, entry {n}", origin)
    values["systems"] = tuple(given["systems"])
    if "groups" in given:
        _check_entries("groups", given["groups"], GROUP_KEYS, origin)
        values["groups"] = tuple(JudgeGroup(**group) for group in given["groups"])
    if "training" in given:
        _check_entries("training", given["training"], TRAINING_KEYS, origin, required=("text", "lowest", "highest"))
        values["training"] = tuple(TrainingExample(**example) for example in given["training"])
    if "scale" in given:
        values["scale"] = _scale(given["scale"], origin)
    if "stopping" in given:
        _check_table(given["stopping"], STOPPING_KEYS, origin, "stopping.")
        values["stopping"] = StoppingRule(**given["stopping"])
    return CampaignPlan(**values)


def plan_tables(plan: CampaignPlan) -> dict[str, Any]:
    """Return the plan as nested tables that `plan_from` can read."""
    given: dict[str, Any] = {key: getattr(plan, key) for key in PLAN_KEYS}
    given["systems"] = list(plan.systems)
    given["groups"] = [{key: getattr(group, key) for key in GROUP_KEYS} for group in plan.groups]
    given["training"] = [{key: getattr(example, key) for key in TRAINING_KEYS} for example in plan.training]
    given["scale"] = {key: getattr(plan.scale, key) for key in SCALE_KEYS}
    given["scale"]["names"] = {repr(number): name for number, name in plan.scale.names.items()}
    stopping = {key: getattr(plan.stopping, key) for key in STOPPING_KEYS}
    given["stopping"] = {key: value for key, value in stopping.items() if value is not None}
    return {key: value for key, value in given.items() if value is not None}


def _scale(given: Mapping[str, Any], origin: str) -> Scale:
    _check_table(given, SCALE_KEYS, origin, "scale.")
    names: dict[float, str] = {}
    for key, name in given.get("names", {}).items():
        _check_type(name, str, f"scale.names.{key}", origin)
        try:
            names[float(key)] = name
        except ValueError:
            raise FormatError(f"{origin}: scale.names: {key!r} found, a number of the scale expected") from None
    numbers: dict[str, float] = {key: value for key, value in given.items() if key != "names"}
    return Scale(**numbers, names=names)


def _check_table(
    given: Mapping[str, Any], keys: Mapping[str, type], origin: str, before: str = "", required: Sequence[str] = ()
) -> None:
    for key, value in given.items():
        if key not in keys:
            raise FormatError(
                f"{origin}: {before}{key}: unknown key found, one of {listed(keys, max_items=20)} expected"
            )
        _check_type(value, keys[key], before + key, origin)
    for key in required:
        if key not in given:
            raise FormatError(f"{origin}: {before}{key}: nothing found, {TYPE_NAMES[keys[key]]} expected")


def _check_entries(
    key: str, given: Sequence[Any], keys: Mapping[str, type], origin: str, required: Sequence[str] = ()
) -> None:
    """Check each table of a list."""
    for n, entry in enumerate(given, start=1):
        place = f"{key}, entry {n}"
        _check_type(entry, dict, place, origin)
        _check_table(entry, keys, origin=origin, before=f"{place}: ", required=required)


def _check_type(value: object, kind: type, key: str, origin: str) -> None:
    wanted = (int, float) if kind is float else kind
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind is not bool):
        raise FormatError(f"{origin}: {key}: {value!r} found, {TYPE_NAMES[kind]} expected")
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise FormatError(f"{origin}: {key}: a number beyond {MAX_NUMBER:,} found, one up to that expected")
