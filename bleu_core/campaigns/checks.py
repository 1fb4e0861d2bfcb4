"""Checks of judges: items rated twice, and degraded copies of translations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex

#: Number of places at the beginning of a judge's list that have no checks.
UNCHECKED_PLACES = 5
#: Texts with fewer words are changed by characters: short texts, and scripts without spaces.
MIN_WORDS = 4
#: The phrase that is dropped or moved is one n-th of the words or characters.
PHRASE_DIVISOR = 3
MAX_TRIES = 20

CheckKind = Literal["repeat", "degraded"]


@dataclass(frozen=True, slots=True)
class Check:
    """A check in a judge's list.

    Attributes:
        place: in the complete list, from 0.
        kind: "repeat" or "degraded".
        of: the place, in the list without checks, of the item that is rated again or degraded.
    """

    place: int
    kind: CheckKind
    of: int


def degraded_copy(text: str, random: np.random.Generator) -> str | None:
    """Return the text with a phrase dropped or moved; None if that leaves nothing, or the same text.

    The phrase is a third of the words, or of the characters in short texts and scripts without spaces.

    Source:
        Graham et al. (2017), Can machine translation systems be evaluated by the crowd alone, section 3.3 (there, a
        phrase is replaced).
    """
    units: list[str] = regex.findall(r"\s*\S+", text)
    if len(units) < MIN_WORDS:
        units = regex.findall(r"\X", text)
    length = max(1, len(units) // PHRASE_DIVISOR)
    for _ in range(MAX_TRIES if len(units) > 1 else 0):
        begin = int(random.integers(len(units) - length + 1))
        phrase, others = units[begin : begin + length], units[:begin] + units[begin + length :]
        if random.integers(2):
            position = int(random.integers(len(others) + 1))
            others = [*others[:position], *phrase, *others[position:]]
        changed = "".join(others).strip()
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
    """Choose the places of the checks in a judge's list, and the items that they check.

    Checks are never adjacent and never among the first five places. A repeat is at least `distance` places after the
    first rating of its item; a degraded copy is as far as possible from the other translations of its segment, up to
    `distance`. If the list is too short, there are fewer checks.

    Args:
        segments: segment of each place in the list without checks.
        repeats: number of repeats to place.
        degraded: number of degraded copies to place.
        distance: in places.
        can_degrade: whether the item in a place of the list without checks has a degraded copy.
        random: draws the places.
    """
    base = len(segments)
    usable = {segment: place for place, segment in reversed(list(enumerate(segments))) if can_degrade(place)}
    degraded = min(degraded, len(usable))
    repeats = min(repeats, base)
    # Checks are not adjacent: of T = base + n places, those from u = `UNCHECKED_PLACES` on hold (T - u + 1) // 2.
    while repeats + degraded > max(0, (base + repeats + degraded - UNCHECKED_PLACES + 1) // 2):
        repeats, degraded = (repeats - 1, degraded) if repeats > degraded else (repeats, degraded - 1)
    while repeats > max(0, (base + repeats + degraded - max(UNCHECKED_PLACES, distance) + 1) // 2):
        repeats -= 1
    count, total = repeats + degraded, base + repeats + degraded
    if not count:
        return ()
    places: list[int] = []
    for _ in range(MAX_TRIES):
        gaps = np.sort(random.permutation(total - UNCHECKED_PLACES - count + 1)[:count])
        places = (gaps + np.arange(count) + UNCHECKED_PLACES).tolist()
        if sum(place >= distance for place in places) >= repeats:
            break
    else:
        places = [total - 1 - 2 * n for n in range(count)][::-1]
    repeatable = [place for place in places if place >= distance]
    order: list[int] = random.permutation(len(repeatable)).tolist()
    repeat_places = {repeatable[i] for i in order[:repeats]}
    return _filled(segments, places, repeat_places, distance=distance, can_degrade=can_degrade, random=random)


def _filled(
    segments: Sequence[int],
    places: Sequence[int],
    repeats: set[int],
    *,
    distance: int,
    can_degrade: Callable[[int], bool],
    random: np.random.Generator,
) -> tuple[Check, ...]:
    """Choose the items that are rated again or degraded.

    There always is a candidate: as checks are not adjacent, at least n items precede the n-th repeat by `distance`.
    """
    total = len(segments) + len(places)
    check_places = set(places)
    place_of = [place for place in range(total) if place not in check_places]
    shown: dict[int, list[int]] = {}
    for place, segment in zip(place_of, segments, strict=True):
        shown.setdefault(segment, []).append(place)
    repeated: set[int] = set()
    degraded: set[int] = set()
    checks: list[Check] = []
    for place in places:
        if place in repeats:
            candidates = [n for n, other in enumerate(place_of) if n not in repeated and place - other >= distance]
        else:
            candidates = [n for n in range(len(segments)) if segments[n] not in degraded and can_degrade(n)]
        distances = [
            min(distance, *(abs(place - other) for other in (*shown[segments[n]], total + distance)))
            for n in candidates
        ]
        farthest = [n for n, separation in zip(candidates, distances, strict=True) if separation == max(distances)]
        item = farthest[int(random.integers(len(farthest)))]
        if place in repeats:
            repeated.add(item)
        else:
            degraded.add(segments[item])
        shown[segments[item]].append(place)
        checks.append(Check(place, "repeat" if place in repeats else "degraded", item))
    return tuple(checks)
