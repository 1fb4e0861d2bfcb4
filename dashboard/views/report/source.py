"""The source of the parts of the page."""

from __future__ import annotations

from dashboard import analysis, session
from dashboard.exhibits import Data
from dashboard.export import Source, cautions, report_commands, used_files
from dashboard.widgets import comparison_options, data_in_use, sets_of_session


def source_of(view: analysis.View) -> Source:
    """Return the data under the settings in force, with the notes of this session."""
    workspace = session.current_workspace()
    comparison = comparison_options(view)
    by = session.control_value("slices_by", "")
    data = Data(
        view,
        analysis.ratings_or_none(view),
        comparison,
        by=by if by in analysis.divisions(view) else "",
        sets=sets_of_session if len(session.test_sets()) >= analysis.MIN_SETS else None,
    )
    return Source(
        data=data,
        notes=session.segment_notes(workspace.corpus),
        files=used_files(view),
        calls=report_commands(data_in_use(view), data),
        cautions=cautions(view),
    )
