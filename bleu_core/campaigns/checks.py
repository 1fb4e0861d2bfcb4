"""Checks of judges: items rated twice, and degraded copies of translations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex

#: Places at the beginning of a judge's list without checks.
UNCHECKED = 5
#: A text with fewer words is changed by characters: a script without blanks, or a short text.
MIN_WORDS = 4
#: The part of the text that is dropped or moved: one in so many words or characters.
PHRASE = 3
TRIES = 20

CheckKind = Literal["repeat", "degraded"]


@dataclass(frozen=True, slots=True)
class Check:
    """A check in a judge's list.

    Attributes:
        place: in the complete list, from 0.
        kind: "repeat" or "degraded".
        of: the place, in the list without checks, of what is rated again or degraded.
    """

    place: int
    kind: CheckKind
    of: int


def degraded_copy(text: str, random: np.random.Generator) -> str | None:
    """The text with a phrase dropped or moved; None where that leaves nothing, or the same text.

    The phrase is a third of the words; of the characters in scripts without blanks and in short texts.

    Source:
        Graham et al. (2017), Can machine translation systems be evaluated by the crowd alone, section 3.3 (there, a
        phrase is replaced).
    """
    units: list[str] = regex.findall(r"\s*\S+", text)
    if len(units) < MIN_WORDS:
        units = regex.findall(r"\X", text)
    length = max(1, len(units) // PHRASE)
    for _ in range(TRIES if len(units) > 1 else 0):
        begin = int(random.integers(len(units) - length + 1))
        phrase, rest = units[begin : begin + length], units[:begin] + units[begin + length :]
        if random.integers(2):
            to = int(random.integers(len(rest) + 1))
            rest = [*rest[:to], *phrase, *rest[to:]]
        changed = "".join(rest).strip()
        if changed and changed.split() != text.split():
            return changed
    return None


def place_checks(
    segments: Sequence[int],
    repeats: int,
    degraded: int,
    *,
    distance: int,
    can_degrade: Callable[[int], bool],
    random: np.random.Generator,
) -> tuple[Check, ...]:
    """Choose the places of checks in a judge's list, and of what they are.

    Checks never follow one another and are never among the first five places. A repeat is at least `distance` places
    after its first; a degraded copy is as far from the other translations of its segment as can be, up to `distance`.
    Where fewer have a place, there are fewer.

    Args:
        segments: of each place in the list without checks, its segment.
        repeats: how many are wanted.
        degraded: how many degraded copies are wanted.
        distance: in places.
        can_degrade: whether the item in a place of the list without checks has a degraded copy.
        random: draws the places.
    """
    base = len(segments)
    usable = {segment: place for place, segment in reversed(list(enumerate(segments))) if can_degrade(place)}
    degraded = min(degraded, len(usable))
    repeats = min(repeats, base)
    # Without `n` checks in a row: of T = base + n places those from `UNCHECKED` on hold (T - UNCHECKED + 1) // 2.
    while repeats + degraded > max(0, (base + repeats + degraded - UNCHECKED + 1) // 2):
        repeats, degraded = (repeats - 1, degraded) if repeats > degraded else (repeats, degraded - 1)
    while repeats > max(0, (base + repeats + degraded - max(UNCHECKED, distance) + 1) // 2):
        repeats -= 1
    count, whole = repeats + degraded, base + repeats + degraded
    if not count:
        return ()
    places: list[int] = []
    for _ in range(TRIES):
        gaps = np.sort(random.permutation(whole - UNCHECKED - count + 1)[:count])
        places = (gaps + np.arange(count) + UNCHECKED).tolist()
        if sum(place >= distance for place in places) >= repeats:
            break
    else:
        places = [whole - 1 - 2 * n for n in range(count)][::-1]
    late = [place for place in places if place >= distance]
    order: list[int] = random.permutation(len(late)).tolist()
    chosen = {late[i] for i in order[:repeats]}
    return _filled(segments, places, chosen, distance=distance, can_degrade=can_degrade, random=random)


def _filled(
    segments: Sequence[int],
    places: Sequence[int],
    repeats: set[int],
    *,
    distance: int,
    can_degrade: Callable[[int], bool],
    random: np.random.Generator,
) -> tuple[Check, ...]:
    """Choose what is rated again and what is degraded.

    There always is something: before the n-th repeat, at least n items are far enough back, since checks are apart.
    """
    whole = len(segments) + len(places)
    taken = set(places)
    place_of = [place for place in range(whole) if place not in taken]
    shown: dict[int, list[int]] = {}
    for place, segment in zip(place_of, segments, strict=True):
        shown.setdefault(segment, []).append(place)
    repeated: set[int] = set()
    degraded: set[int] = set()
    found: list[Check] = []
    for place in places:
        if place in repeats:
            fit = [n for n, at in enumerate(place_of) if n not in repeated and place - at >= distance]
        else:
            fit = [n for n in range(len(segments)) if segments[n] not in degraded and can_degrade(n)]
        near = [min(distance, *(abs(place - at) for at in (*shown[segments[n]], whole + distance))) for n in fit]
        best = [n for n, far in zip(fit, near, strict=True) if far == max(near)]
        of = best[int(random.integers(len(best)))]
        if place in repeats:
            repeated.add(of)
        else:
            degraded.add(segments[of])
        shown[segments[of]].append(place)
        found.append(Check(place, "repeat" if place in repeats else "degraded", of))
    return tuple(found)
