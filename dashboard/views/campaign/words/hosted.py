"""Sentences about a campaign that is opened on the page: its storage and links. Pure functions."""

from __future__ import annotations

from bleu_core.campaigns import LEAD_LINK_HOURS, MAX_LEAD_SESSIONS

NOT_HOSTED = (
    "Campaigns cannot be opened on this page: other computers may reach this server, and it was started without "
    "--campaign-folder, which names the folder in which they are stored."
)
OTHER_RATINGS = (
    "The loaded ratings are combined with those of the campaign. To see those of the campaign alone, remove the other "
    "files with ratings on the Data page."
)
ONLY_HERE = (
    "Judges on other computers cannot reach this server: for them, start it with --address 0.0.0.0 and "
    "--campaign-folder."
)
LEAD_LINK_SHOWN_ONCE = (
    f"The lead's link: anyone with it leads the campaign. It is shown only now, and works for {LEAD_LINK_HOURS} hours "
    f"in {MAX_LEAD_SESSIONS} browsers. Keep it, to come back after this tab is closed, or from another browser."
)
NEW_LEAD_LINK_HELP = "Makes a new link. The previous link stops working in all browsers but this one."
LEAVE_HELP = (
    "Leaves this campaign, which continues, to design another one in this tab. Only the lead's link leads back to it."
)


def where_hosted(folder: str) -> str:
    """Explain where a campaign that is opened here is stored, and who can reach it.

    Args:
        folder: of the campaigns; empty where its path is not shown.
    """
    where = f"the folder {folder}" if folder else "a folder of this server"
    reached = f" {ONLY_HERE}" if folder else ""
    return (
        f"Opens the campaign on this server: its texts and ratings are stored in {where}, and stay there when the "
        "server is stopped. You get the lead's link, and make the judges' links. Nobody sees the campaign here without "
        f"a link.{reached}"
    )


def where_stored(name: str, path: str, command: str) -> str:
    """Explain where a campaign that was opened here is stored, and how to open it again.

    Args:
        name: of its file.
        path: of its file; empty where it is not shown.
        command: that serves it alone.
    """
    if not path:
        return (
            f"This campaign is stored on the server, in the file {name}. Links of judges work again whenever the "
            "server is started with the same --campaign-folder."
        )
    return (
        f"This campaign is stored in {path}. Links of judges work again whenever the server is started in the same "
        f"way. To serve this campaign alone: {command}"
    )
