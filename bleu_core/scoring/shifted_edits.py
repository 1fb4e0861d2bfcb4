"""The edits of TER: insertions, deletions, substitutions, and shifts of words (Snover et al. 2006).

The shifts are those of sacreBLEU, which follows Tercom: in each round the shift is made that saves the most edits, as
long as one saves any. Words are shifted that the reference has somewhere else, if both they and their place there have
errors. Here shifts are searched only while the order of the words costs edits; a hypothesis is a string with a
character per word, so that a shift takes a few slices, and RapidFuzz computes the distance without a beam.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from bleu_core.scoring.edit_alignment import (
    Alignment,
    NumberedReference,
    align,
    distance_in_beam,
    distance_of_leaving_the_beam,
    least_distance,
)

#: Maximum number of words that are shifted together.
MAX_SHIFT_SIZE = 10

#: Maximum distance of a shift, in words.
MAX_SHIFT_DISTANCE = 50

#: Maximum number of shifts that are tried in all rounds together; the round that reaches it makes none.
MAX_SHIFT_CANDIDATES = 1000

#: A shift: minus the number of words, the first of them, and the position before which they are inserted. Of two shifts
#: that save as many edits, the first in this order is preferred.
Shift = tuple[int, int, int]


def fewest_edits(hypothesis: Sequence[str], references: Sequence[NumberedReference]) -> int:
    """Return the minimum number of edits that convert a hypothesis to one of the references.

    Args:
        hypothesis: its words.
        references: at least one.
    """
    texts = [reference.numbered(hypothesis) for reference in references]
    bounds = [least_distance(text, reference) for text, reference in zip(texts, references, strict=True)]
    minimum = -1
    for bound, text, reference in sorted(zip(bounds, texts, references, strict=True), key=lambda bounded: bounded[0]):
        if minimum < 0 or bound < minimum:
            edits = _edits(text, reference, bound)
            minimum = edits if minimum < 0 else min(minimum, edits)
    return minimum


def _edits(text: str, reference: NumberedReference, bound: int) -> int:
    """Return the edits, including shifts, that convert a hypothesis to a reference, given a lower bound."""
    from rapidfuzz.distance.Levenshtein import distance as edit_distance  # loaded when first needed

    if not (text and reference.text):
        return bound
    beam = distance_of_leaving_the_beam(len(text), len(reference.text))
    distance = edit_distance(text, reference.text)
    if distance >= beam:
        distance = distance_in_beam(text, reference)
    shifts = tried = 0
    while distance > bound:
        alignment = align(text, reference, in_beam=distance >= beam)
        candidates: set[Shift] = set()
        for new, shifts_found in _candidates(text, reference, alignment):
            tried += new
            if tried >= MAX_SHIFT_CANDIDATES:
                return shifts + distance
            candidates.update(shifts_found)
        best = (_best if distance < beam else _best_in_beam)(text, reference, candidates, (distance, bound))
        if best is None:
            break
        distance, text = best
        shifts += 1
    return shifts + distance


def _candidates(text: str, reference: NumberedReference, alignment: Alignment) -> Iterator[tuple[int, Sequence[Shift]]]:
    """Generate the shifts to try.

    Yields:
        The number of shifts that sacreBLEU tries, and the shifts, for each sequence of words that hypothesis and
        reference share, in sacreBLEU's order.
    """
    other, size, other_size = reference.text, len(text), len(reference.text)
    partners, reference_up_to_error = alignment.partners, alignment.reference_up_to_error
    for start, wrong in enumerate(alignment.up_to_error):
        if wrong > MAX_SHIFT_SIZE:
            continue
        for target in _near(reference.places.get(text[start], ()), start):
            min_length = max(wrong, reference_up_to_error[target])
            max_length = min(MAX_SHIFT_SIZE, size - start, other_size - target)
            if partners[target] >= start:  # words are not shifted to a place among themselves
                max_length = min(max_length, partners[target] - start)
            if min_length > max_length or text[start : start + min_length] != other[target : target + min_length]:
                continue
            before = partners[target - 1] + 1 if target else 0
            positions = list(dict.fromkeys([before, *[at + 1 for at in partners[target : target + min_length]]]))
            length = min_length
            yield len(positions), [(-length, start, position) for position in positions]
            while length < max_length and text[start + length] == other[target + length]:
                position = partners[target + length] + 1
                if position != positions[-1]:
                    positions.append(position)
                length += 1
                yield len(positions), [(-length, start, position) for position in positions]


def _near(places: Sequence[int], start: int) -> Sequence[int]:
    """Return the positions within the maximum distance of a shift."""
    if not places or start - MAX_SHIFT_DISTANCE <= places[0] <= places[-1] <= start + MAX_SHIFT_DISTANCE:
        return places
    return places[bisect_left(places, start - MAX_SHIFT_DISTANCE) : bisect_right(places, start + MAX_SHIFT_DISTANCE)]


def _best(
    text: str, reference: NumberedReference, candidates: set[Shift], distances: tuple[int, int]
) -> tuple[int, str] | None:
    """Return the best shift of a hypothesis whose distance is computed without a beam.

    Args:
        text: the hypothesis.
        reference: the reference.
        candidates: shifts.
        distances: of the hypothesis, and the lower bound for a shift.

    Returns:
        The distance after the shift, and the text; None if no shift saves an edit.
    """
    from rapidfuzz.distance.Levenshtein import distance as edit_distance

    other = reference.text
    distance, bound = distances
    allowed = distance - 1
    best = None
    for shift in sorted(candidates):
        if allowed < distance + 2 * shift[0]:  # a shift of one word saves no more than its deletion and insertion
            break
        shifted = _shifted(text, shift)
        reached = edit_distance(shifted, other, score_cutoff=allowed)
        if reached <= allowed:
            best = reached, shifted
            if reached == bound:
                break
            allowed = reached - 1
    return best


def _best_in_beam(
    text: str, reference: NumberedReference, candidates: set[Shift], distances: tuple[int, int]
) -> tuple[int, str] | None:
    """Do the same as _best with a beam; the distance without one is a lower bound."""
    from rapidfuzz.distance.Levenshtein import distance as edit_distance

    beam = distance_of_leaving_the_beam(len(text), len(reference.text))
    bounded = sorted((edit_distance(_shifted(text, shift), reference.text), shift) for shift in candidates)
    best = (distances[0], (-len(text) - 1, 0, 0))  # before all shifts that save nothing
    for bound, shift in bounded:
        if (bound, shift) > best:
            break
        reached = bound if bound < beam else distance_in_beam(_shifted(text, shift), reference)
        best = min(best, (reached, shift))
    return None if best[0] == distances[0] else (best[0], _shifted(text, best[1]))


def _shifted(text: str, shift: Shift) -> str:
    """Return the text after a shift as in sacreBLEU, also if the position is among the shifted words."""
    start, position = shift[1:]
    end = start - shift[0]
    words = text[start:end]
    if position < start:
        return text[:position] + words + text[position:start] + text[end:]
    behind = position if position > end else position + end - start
    return text[:start] + text[end:behind] + words + text[behind:]
