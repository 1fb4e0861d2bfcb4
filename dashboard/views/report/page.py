"""Report: the results as a file to print, as figures, as commands, and as a workspace."""

from __future__ import annotations

from dashboard import session
from dashboard.views.report import commands, figures, printed, workspace

PAGE = session.Page(
    title="Report",
    path="report",
    question="How can the results be sent or printed?",
    parts=(
        session.Part(title="Printed report", path="printed", render=printed.render, needs="systems"),
        session.Part(title="Figures", path="figures", render=figures.render, needs="systems"),
        session.Part(title="Code", path="code", render=commands.render, needs="systems", rests_on=()),
        session.Part(title="Workspace", path="workspace", render=workspace.render, needs="systems", rests_on=()),
    ),
    group="Share",
    icon=":material/print:",
)
