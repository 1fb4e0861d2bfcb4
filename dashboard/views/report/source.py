"""The source of the parts of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bleu_core.inference import BLOCKS
from dashboard import analysis, session
from dashboard.exhibits import BLOCK_SIZE, Data
from dashboard.export import Source, report_commands, used_files
from dashboard.widgets import comparison_options, data_in_use, sets_of_session


def source_of(view: analysis.View) -> Source:
    """Return the data under the settings in force, with the notes of this session; without cautions, found later."""
    workspace, data = session.current_workspace(), data_of_report(view)
    return Source(
        data=data,
        notes=session.segment_notes(workspace.corpus),
        files=used_files(view),
        calls=report_commands(data_in_use(view), data),
    )


def data_of_report(view: analysis.View) -> Data:
    """Return the data under the settings in force, with the best two systems and the default blocks."""
    divisions = analysis.divisions(view)
    session.restore_choice("slices_by", divisions)
    return Data(
        view,
        analysis.ratings_or_none(view),
        comparison_options(view),
        by=session.control_value("slices_by"),
        sets=sets_of_session if len(session.test_sets()) >= analysis.MIN_SETS else None,
    )


def data_of_figures(view: analysis.View) -> Data:
    """Return the data under the settings in force, with the pair of systems and the blocks of their pages."""
    data = data_of_report(view)
    order = analysis.ranked_systems(view, data.comparison.metric)
    for key, default in zip(analysis.PAIR_KEYS, order, strict=False):
        session.restore_choice(key, order, default)
    pair = analysis.different_pair(
        session.control_value(key) for key, _ in zip(analysis.PAIR_KEYS, order, strict=False)
    )
    return replace(data, pair=pair, **_blocks(view))


def _blocks(view: analysis.View) -> dict[str, Any]:
    """Return arguments of Data: the division of the text of the page Blocks."""
    segments = view.workspace.corpus.segments
    session.restore_choice("divide_into", analysis.block_divisions(view))
    for key, default in (("blocks_number", BLOCKS), ("blocks_size", BLOCK_SIZE)):
        session.restore_number(key, 1, segments, min(default, segments))
    controls = {"division": "divide_into", "blocks": "blocks_number", "block_size": "blocks_size"}
    return {argument: session.control_value(key) for argument, key in controls.items()}
