"""The way from a number to its text: what a click on a point, a bar, a cell or a row shows on the page Segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bleu_core.fields import Table
from bleu_core.inference import Blocks, BlockScores
from bleu_core.segments import Reversal
from bleu_core.slicing import combine_expressions, segments_among
from dashboard import analysis, session

#: The title of the page, and the keys of its controls.
SEGMENTS_PAGE = "Segments"
ONE_SYSTEM, WITHIN = "one_system", "segments_within"
ORDER, SEARCH, REGULAR, DIFFERING = "segments_order", "segments_search", "segments_regular", "segments_differing"
NOTED, SEGMENT = "segments_noted", "read_segment"
RANKS = ("segments_from", "segments_to")

#: The keys of switches that say what is shown of each segment: the outputs of all systems, what differs between
#: outputs in place of what matches the references, and the details of one segment.
ALL_SYSTEMS, WORD_DIFFERENCES, DETAILS = "segments_all_systems", "word_differences", "segment_details"

#: The title of the part of a page with the ratings of single segments, and the keys of its controls.
RATED_SEGMENTS_PART = "By segment"
RATED_SYSTEM, RATED_SEGMENT = "read_system", SEGMENT

#: What limits the list, and what is read in it: as by default, unless a click says more.
LISTED = (ORDER, SEARCH, REGULAR, DIFFERING, NOTED, SEGMENT, *RANKS)

#: Under charts and tables that lead to the page.
BAR_HINT = "Click a bar to read the system's segments."
POINT_HINT = "Click a point to read the system's segments."
BLOCK_HINT = "Click a {mark} to read the segments of its {unit}."
PAIR_HINT = "Click a {mark} to read the segments of its two systems."
ROW_HINT = "Select a row to read its segments."


def read_segments(*systems: str, within: str = "", segment: int | None = None) -> None:
    """Show the page Segments; for callbacks.

    Args:
        *systems: one, or two to compare, the better one first; those that the page shows first if none.
        within: an expression for the segments that are listed; all if empty.
        segment: the number of the one that is read; the first of the list if None.
    """
    chosen = dict(zip(analysis.PAIR_KEYS, systems, strict=False)) if systems else {}
    session.go_to(
        SEGMENTS_PAGE,
        **dict.fromkeys(LISTED) | {SEGMENT: segment, WITHIN: within or None},
        **chosen | ({ONE_SYSTEM: True if len(systems) == 1 else None} if systems else {}),
    )


def read_row(data: Table) -> Callable[[int], None]:
    """What to do when a row of a table is selected: read the system, or the two systems, that it names."""
    names = list(data.columns)
    places = [names.index(name) for name in ("system", "baseline") if name in names]

    def read(row: int) -> None:
        read_segments(*(str(data.rows[row][place]) for place in places if data.rows[row][place]))

    return read


def read_document(data: Table) -> Callable[[int], None]:
    """What to do when a row of a table is selected: read the document of the system that it names."""
    names = list(data.columns)
    system, document = names.index("system"), names.index("document")

    def read(row: int) -> None:
        cells = data.rows[row]
        read_segments(str(cells[system]), within=analysis.segments_of_document(str(cells[document])))

    return read


def read_rated_segment(system: str, segment: int) -> None:
    """Show a segment with its ratings, on the part By segment of the page Agreement; for callbacks."""
    session.go_to(RATED_SEGMENTS_PART, **{RATED_SYSTEM: system, RATED_SEGMENT: segment})


def read_deciding(found: Reversal, numbers: Sequence[int]) -> None:
    """Read the segments that decide the order of two systems; all segments if there is no such set.

    Args:
        found: the set.
        numbers: of all segments that are compared, in the whole text, from 1.
    """
    chosen = [numbers[position] for position in found.positions or ()]
    within = segments_among(chosen, analysis.MAX_READ) if chosen else ""
    read_segments(found.system, found.baseline, within=within)


def leave_out(title: str, numbers: Sequence[int], *systems: str) -> None:
    """Leave segments out on every page, and stay with two systems, whichever leads without them; for callbacks.

    Args:
        title: of the page.
        numbers: of the segments, from 1.
        *systems: the system and its baseline.
    """
    slice_then = combine_expressions(session.typed_slice(), "and", f"not {segments_among(numbers)}")
    session.go_to(title, **{session.SLICE: slice_then}, **dict(zip(analysis.PAIR_KEYS, systems, strict=True)))


def read_block(view: analysis.View, blocks: Blocks, block: int, systems: Sequence[str]) -> None:
    """Read the segments of a block or document.

    Args:
        view: the segments that were divided.
        blocks: the division.
        block: the block, from 0.
        systems: one, or two to compare.
    """
    read_segments(*systems, within=analysis.segments_of_block(view, blocks, block))


def read_block_score(view: analysis.View, result: BlockScores, point: Sequence[int]) -> None:
    """Read the block of a score: its system, compared with the next worse one if there is one.

    Args:
        view: the segments that were divided.
        result: the scores.
        point: the system and the block, from 0.
    """
    k, block = point
    read_block(view, result.blocks, block, result.systems[k::-1][:2])
