"""Navigation from results to texts: the segments that a click on a point, a bar, a cell or a row opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bleu_core.fields import Table
from bleu_core.inference import Blocks, BlockScores
from bleu_core.segments import Reversal
from bleu_core.slicing import combine_expressions, segments_among
from dashboard import analysis, session

#: Title of the page, and the keys of its controls.
SEGMENTS_PAGE = "Segments"
ONE_SYSTEM, WITHIN = "one_system", "segments_within"
ORDER, SEARCH, REGULAR, DIFFERING = "segments_order", "segments_search", "segments_regular", "segments_differing"
NOTED, SEGMENT = "segments_noted", "read_segment"
RANKS = ("segments_from", "segments_to")

#: Keys of switches of what is shown of each segment: the outputs of all systems, the differences between outputs
#: instead of the matches with the references, and the details of one segment.
ALL_SYSTEMS, WORD_DIFFERENCES, DETAILS = "segments_all_systems", "word_differences", "segment_details"

#: Key of the names of judges and metrics whose errors are not shown in the texts.
WITHOUT_ERRORS_OF = "without_errors_of"

#: Title of the part of a page with the ratings of single segments, and the keys of its controls.
RATED_SEGMENTS_PART = "By segment"
RATED_SYSTEM, RATED_SEGMENT = "read_system", SEGMENT

#: Controls that filter and order the list, and the selected segment; a click resets them.
LISTED = (ORDER, SEARCH, REGULAR, DIFFERING, NOTED, SEGMENT, *RANKS)

#: Hints under charts and tables that open the page.
BAR_HINT = "Click a bar to read the system's segments."
POINT_HINT = "Click a point to read the system's segments."
BLOCK_HINT = "Click a {mark} to read the segments of its {unit}."
PAIR_HINT = "Click a {mark} to read the segments of its two systems."
ROW_HINT = "Select a row to read its segments."


def open_segments(*systems: str, within: str = "", segment: int | None = None) -> None:
    """Open the page Segments; for callbacks.

    Args:
        *systems: one, or two to compare, the better one first; the page's defaults if none.
        within: an expression for the listed segments; all if empty.
        segment: the number of the selected segment; the first of the list if None.
    """
    pair = dict(zip(analysis.PAIR_KEYS, systems, strict=False)) if systems else {}
    session.go_to(
        SEGMENTS_PAGE,
        **dict.fromkeys(LISTED) | {SEGMENT: segment, WITHIN: within or None},
        **pair | ({ONE_SYSTEM: True if len(systems) == 1 else None} if systems else {}),
    )


def open_row(data: Table) -> Callable[[int], None]:
    """Return a callback for the rows of a table that opens the segments of the system, or two systems, in the row."""
    names = list(data.columns)
    places = [names.index(name) for name in ("system", "baseline") if name in names]

    def read(row: int) -> None:
        open_segments(*(str(data.rows[row][place]) for place in places if data.rows[row][place]))

    return read


def open_document(data: Table) -> Callable[[int], None]:
    """Return a callback for the rows of a table that opens the document and system in the row."""
    names = list(data.columns)
    system, document = names.index("system"), names.index("document")

    def read(row: int) -> None:
        cells = data.rows[row]
        open_segments(str(cells[system]), within=analysis.segments_of_document(str(cells[document])))

    return read


def open_rated_segment(system: str, segment: int) -> None:
    """Open a segment with its ratings, on the part By segment of the page Agreement; for callbacks."""
    session.go_to(RATED_SEGMENTS_PART, **{RATED_SYSTEM: system, RATED_SEGMENT: segment})


def open_deciding(reversal: Reversal, numbers: Sequence[int]) -> None:
    """Open the segments that decide the order of two systems; all segments if there is no such set.

    Args:
        reversal: the set.
        numbers: the numbers in the whole text, from 1, of all segments that are compared.
    """
    deciding = [numbers[position] for position in reversal.positions or ()]
    within = segments_among(deciding, analysis.MAX_LISTED_SEGMENTS) if deciding else ""
    open_segments(reversal.system, reversal.baseline, within=within)


def exclude_segments(title: str, numbers: Sequence[int], *systems: str) -> None:
    """Exclude segments on every page, and keep the pair of systems, whichever leads without them; for callbacks.

    Args:
        title: of the page.
        numbers: of the segments, from 1.
        *systems: the system and its baseline.
    """
    slice_then = combine_expressions(session.typed_slice(), "and", f"not {segments_among(numbers)}")
    session.go_to(title, **{session.SLICE: slice_then}, **dict(zip(analysis.PAIR_KEYS, systems, strict=True)))


def open_block(view: analysis.View, blocks: Blocks, block: int, systems: Sequence[str]) -> None:
    """Open the segments of a block or document.

    Args:
        view: the segments that were divided.
        blocks: the division.
        block: the block, from 0.
        systems: one, or two to compare.
    """
    open_segments(*systems, within=analysis.segments_of_block(view, blocks, block))


def open_block_score(view: analysis.View, result: BlockScores, point: Sequence[int]) -> None:
    """Open the block of a score: its system, compared with the next worse one if there is one.

    Args:
        view: the segments that were divided.
        result: the scores.
        point: the system and the block, from 0.
    """
    k, block = point
    open_block(view, result.blocks, block, result.systems[k::-1][:2])
