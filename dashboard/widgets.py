"""Parts that pages are made of: the settings, the upload form, charts and tables with their downloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd
import streamlit as st

from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.fields import Table
from bleu_core.reports import (
    Envelope,
    Json,
    format_p,
    number_format,
    to_frame,
    to_json,
    to_latex,
    to_tsv,
    to_xlsx,
)
from dashboard import analysis, session, words
from dashboard.figures import CONFIG, DARK_INK, Style, styles
from dashboard.literal import literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = [
    "answer",
    "chart",
    "choice",
    "downloads",
    "literal",
    "metric_choice",
    "note_left_out",
    "settings_form",
    "switch",
    "system_styles",
    "table",
    "upload_form",
    "view_or_stop",
]

#: Pixels; Streamlit's own row height, and where a table begins to scroll.
ROW_HEIGHT, HIGHEST_TABLE = 35, 1000

#: Pixels: a character and what surrounds a cell's text, and what a column of text takes at most.
CHARACTER_WIDE, CELL_PADDING, WIDEST_COLUMN = 7, 20, 320

MIME_TYPES = {
    ".tsv": "text/tab-separated-values",
    ".tex": "application/x-tex",
    ".json": "application/json",
    ".html": "text/html",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

CUSTOM = "own"

PRESET_NAMES = {**analysis.PRESET_LABELS, CUSTOM: "own settings"}

ROLE_CHOICES: Mapping[str, analysis.FileRole | None] = {
    "Sort by name and content": None,
    "Systems": "system",
    "References": "reference",
    "Source": "source",
    "Documents": "document",
    "Judgments": "judgments",
    "Metric scores": "scores",
    "Archive (mt-metrics-eval zip)": "archive",
}

FOLDER = "Archive folder (mt-metrics-eval)"
FOLDER_HELP = (
    "A directory of mt-metrics-eval as it lies on your disk, with the folders sources, references, system-outputs, "
    "documents, human-scores and metric-scores. It is read as a zip of it would be. A folder that is dropped loses its "
    "structure on the way: choose it with the button."
)

#: What the upload form accepts, as its help names it, and the role whose formats it lists.
UPLOADS: Mapping[str, analysis.FileRole] = {
    "Texts": "system",
    "Judgments": "judgments",
    "Metric scores": "scores",
    "Archive": "archive",
}

#: Beside files whose cells are exact, which a spreadsheet may take for formulas.
TSV_HELP = (
    "For programs: cells are written exactly. To open the table in a spreadsheet, use XLSX, where no cell is taken for "
    "a formula."
)
DATA_HELP = "For programs: cells are written exactly, and a spreadsheet may take some for formulas."

#: Mark of an n-gram -> its colour, and a sign for readers who do not see colours.
MARKS: Mapping[analysis.Mark, tuple[str, str]] = {
    "matched": ("green", " ✓"),
    "exhausted": ("orange", " ↺"),
    "not found": ("red", " ✗"),
}

ZSCORE_HELP = (
    "Ratings as z-scores: less their judge's mean, over their judge's standard deviation, so that severe and lenient "
    "judges count alike, as in WMT's direct assessment. The ratings as given are kept."
)


def view_or_stop(*, systems: int = 1, judgments: bool = False, as_in_paper: bool = False) -> analysis.View:
    """The data and settings a page works on; if something is missing, show what to do and stop the page.

    Args:
        systems: the least number of systems that the page needs.
        judgments: whether it needs ratings.
        as_in_paper: whether to take the paper's settings and number of references, not the sidebar's.
    """
    link = session.unmatched_link()
    if link is not None:
        _stop_at_link(link)
    try:
        return analysis.current_view(systems=systems, judgments=judgments, as_in_paper=as_in_paper)
    except analysis.MissingDataError as error:
        _stop_with_hint(str(error))
    except BleuCoreError as error:
        _stop_with_error(str(error))


def system_styles(view: analysis.View) -> Mapping[str, Style]:
    """How each loaded system is drawn on every figure."""
    return styles(tuple(view.workspace.corpus.systems))


def answer(text: str) -> None:
    """Show the sentence that answers a page's question, as its first line."""
    st.markdown(f"#### {literal(text)}", anchors=False)


def chart(
    figure: go.Figure,
    data: Table | Callable[[], Table] | None,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[Any], None] | None = None,
) -> None:
    """Show a figure, with its data one click away.

    Args:
        figure: what to draw.
        data: the numbers behind it; a function where there are many, called when they are asked for; None where they
            stand in a table below.
        key: of the chart; names the download too.
        alt: what the figure shows, for those who cannot see it.
        on_pick: called with the customdata of a point that is clicked, before the page is drawn again.
    """
    if st.context.theme.type == "light":  # Streamlit's own is too pale to be read in print
        figure.update_xaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_yaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_layout(font_color=DARK_INK)
    with st.container(key=f"chart-{key}"):
        if on_pick is None:
            st.plotly_chart(figure, key=key, config=CONFIG, alt=alt)
        else:
            picked = partial(_point_picked, key, on_pick)
            st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, on_select=picked, selection_mode="points")
        if data is not None:
            text = to_tsv(data) if isinstance(data, Table) else partial(_tsv_of, data)
            file_download("Data (TSV)", text, f"{key}.tsv", key=f"data-{key}", help=DATA_HELP)


def table(
    data: Table,
    *,
    key: str,
    alt: str,
    highest: int = HIGHEST_TABLE,
    on_pick: Callable[[int], None] | None = None,
    picked: int | None = None,
) -> None:
    """Show a table of results; cells and headers are literal text.

    Args:
        data: the rows.
        key: of the table.
        alt: what it shows, for those who cannot see it.
        highest: pixels, where the table begins to scroll.
        on_pick: called with the number of a row that is chosen, from 0, before the page is drawn again.
        picked: the row that is shown as chosen.
    """
    data = data.for_people()
    frame = to_frame(data)
    config: dict[str, Any] = {}
    for name, column in data.columns.items():
        title, explained = column.title(name), column.help or None
        if column.kind == "p":
            frame[name] = ["" if pd.isna(p) else format_p(p) for p in frame[name]]
        if column.kind in ("text", "p"):
            config[name] = st.column_config.TextColumn(title, help=explained, width=_width(title, frame[name]))
        else:
            config[name] = st.column_config.NumberColumn(title, help=explained, format=number_format(column.kind))
    rows_high = ROW_HEIGHT * (len(frame) + 1) + 3  # a header, and the borders
    shown: dict[str, Any] = {"hide_index": True, "column_config": config, "alt": alt, "placeholder": "–"}
    shown["height"] = min(rows_high, highest)
    with st.container(key=f"table-{key}"):
        if on_pick is None:
            st.dataframe(frame, **shown)
            return
        # Another row that is shown as chosen makes another widget: one's selection cannot be set.
        of_row = f"{key}-{picked}"
        st.dataframe(
            frame,
            key=of_row,
            on_select=partial(_row_picked, of_row, on_pick),
            selection_mode="single-row-required" if picked is not None else "single-row",
            selection_default={"selection": {"rows": [] if picked is None else [picked]}},
            **shown,
        )


def downloads(data: Table, *, key: str, content: Envelope | Json | None = None) -> None:
    """Offer a table as TSV and XLSX (all digits) and LaTeX, and the command line's JSON where there is one."""
    with st.container(horizontal=True, key=f"downloads-{key}"):
        file_download("Table (TSV)", to_tsv(data), f"{key}.tsv", key=f"tsv-{key}", help=TSV_HELP)
        file_download("Table (XLSX)", partial(to_xlsx, data), f"{key}.xlsx", key=f"xlsx-{key}")
        file_download("Table (LaTeX)", to_latex(data), f"{key}.tex", key=f"tex-{key}")
        if content is not None:
            file_download("Table (JSON)", to_json(content), f"{key}.json", key=f"json-{key}")


def choice(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    usual: str | None = None,
    width: int = 190,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> str:
    """A box of a part of a page that comes and goes; its choice is kept, and in the address.

    The address is written by hand: left to Streamlit, boxes below others that come and go lose their place in it.

    Args:
        label: of the box.
        options: each once.
        key: of the box, in the session and the address.
        usual: chosen at first, the first option if None.
        width: pixels.
        help: what it is for.
    """
    session.restore_choice(key, options, usual)
    chosen = st.selectbox(label, options, key=key, persist_state="session", width=width, help=help)
    session.write_query_params(**{key: chosen})
    return chosen


def switch(label: str, *, key: str, help: str) -> bool:  # noqa: A002 # as Streamlit's
    """A switch of a part of a page that comes and goes; as choice."""
    session.restore_toggle(key)
    on = st.toggle(label, key=key, persist_state="session", help=help)
    session.write_query_params(**{key: "true" if on else "false"})
    return on


def choices(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    usual: Sequence[str] = (),
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> list[str]:
    """A box for several choices in a part of a page that comes and goes; as choice."""
    session.restore_choices(key, options, usual)
    chosen = st.multiselect(label, options, key=key, persist_state="session", help=help, placeholder="none")
    session.write_query_params(**{key: chosen})
    return chosen


def metric_choice(view: analysis.View) -> analysis.Metric:
    """The box of the metric; one choice for all pages that have it, kept in the address.

    Under it, what is wrong with metrics of other packages, if anything.
    """
    metrics = analysis.metrics_on_offer(view)
    session.restore_choice("metric", list(metrics))
    label = st.selectbox(
        "Metric",
        list(metrics),
        key="metric",
        bind="query-params",
        persist_state="session",
        width=190,
        help=literal("; ".join(f"{label}: {metric.help}" for label, metric in metrics.items()) + "."),
    )
    for problem in analysis.broken_metrics():
        st.warning(literal(problem))
    return metrics[label]


def file_download(
    title: str,
    text: str | Json | Callable[[], bytes],
    file_name: str,
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> None:
    """Offer a file: text, what becomes JSON, or a function that makes bytes when they are asked for."""
    if isinstance(text, dict):
        text = json_text(text)
    st.download_button(
        title,
        text,
        file_name=file_name,
        mime=MIME_TYPES[PurePath(file_name).suffix],
        key=key,
        on_click="ignore",
        help=help,
        type="tertiary",
        icon=":material/download:",
    )


def json_bytes(content: Json) -> bytes:
    """A JSON file."""
    return json_text(content).encode("utf-8", "surrogatepass")


def json_text(content: Json) -> str:
    """JSON for people and programs."""
    return json.dumps(content, ensure_ascii=False, indent=1)


def marked(worked: analysis.WorkedExample, order: int) -> str:
    """A candidate's n-grams as Markdown, each marked as matched, exhausted or not found."""
    tokens = worked.candidate
    ngrams = [" ".join(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
    chips = [
        f":{MARKS[mark][0]}-background[{literal(ngram)}{MARKS[mark][1]}]"
        for ngram, mark in zip(ngrams, worked.marks(order), strict=True)
    ]
    legend = " ".join(f":{color}-background[{mark}{sign}]" for mark, (color, sign) in MARKS.items())
    return f"{' '.join(chips)}\n\n{legend}"


def note_left_out(view: analysis.View) -> None:
    """Show which systems are not compared, if any."""
    sentence = words.systems_left_out(view)
    if sentence:
        st.caption(literal(sentence))


def settings_form() -> None:
    """Settings in the sidebar; each lives in the page's address."""
    corpus = session.current_workspace().corpus
    session.restore_choices("without_systems", list(corpus.systems))
    session.restore_choices("without_references", list(corpus.references))
    _preset_box()
    for setting in analysis.SETTINGS.values():
        _setting_box(setting)
    st.toggle(
        "Intervals",
        value=True,
        key="intervals",
        bind="query-params",
        help="A 95 % interval beside every score: how far it would vary over other texts of this kind, from "
        f"{analysis.RESAMPLES:,} bootstrap resamples of the segments.",
    )
    if len(corpus.references) > 1:
        _leave_out("references", list(corpus.references))
    if len(corpus.systems) > 1:
        _leave_out("systems", list(corpus.systems))
    _judges_form()
    try:
        session.current_settings()
    except SettingsError as error:
        st.error(literal(str(error)))


def _setting_box(setting: analysis.Setting) -> None:
    """The box of a setting, of the kind of its values; none while the setting has no meaning."""
    shared: dict[str, Any] = {"key": setting.key, "bind": "query-params", "help": setting.whole_help}
    if not session.is_of_use(setting):
        return
    if setting.kind == "choice":  # the names as they are: the address quotes what the box shows
        names = list(setting.choices)
        st.selectbox(setting.label, names, names.index(setting.default), **shared)
    elif setting.kind == "flag":
        st.toggle(setting.label, setting.default, **shared)
    elif setting.kind == "whole number":
        st.slider(setting.label, *setting.bounds, setting.default, **shared)
    elif setting.kind == "weights":
        st.text_input(setting.label, placeholder=setting.empty, **shared)
    else:
        usual = setting.usual.get(session.get(setting.goes_with))
        placeholder = setting.empty if usual is None else f"{usual:g}"
        st.number_input(
            setting.label, min_value=0.0, value=None, step=0.05, format="%.3g", placeholder=placeholder, **shared
        )


def upload_form() -> None:
    """Accept any number of files at once."""
    chosen = st.segmented_control(
        "The files are",
        [*ROLE_CHOICES, FOLDER],
        default="Sort by name and content",
        key="upload_role",
        required=True,
        help=upload_help(),
    )
    if chosen == FOLDER:
        st.file_uploader(
            "Choose the folder of a test set with the button: the one that holds sources, system-outputs and so on",
            help=FOLDER_HELP,
            accept_multiple_files="directory",
            key=session.upload_key(),
            on_change=session.add_folders,
        )
        return
    st.file_uploader(
        "Drop system outputs, references, source, documents, judgments, metric scores or a whole archive here",
        help=upload_help(),
        accept_multiple_files=True,
        key=session.upload_key(),
        on_change=session.add_uploads,
        args=(ROLE_CHOICES[chosen or "Sort by name and content"],),
    )


def upload_help() -> str:
    """The kinds of files that are read, from the register of formats."""
    kinds = {
        what: "; ".join(each.description for each in analysis.FORMATS.values() if role in each.roles)
        for what, role in UPLOADS.items()
    }
    return " ".join(f"{what}: {formats}." for what, formats in kinds.items())


def _stop_at_link(link: session.Link) -> NoReturn:
    session.explain_link(link)
    whose = "same" if link.lost else "link's"
    session.page_link("Data", f"Add those files on the Data page; the {whose} settings then apply")
    st.stop()


def _stop_with_hint(message: str) -> NoReturn:
    st.info(literal(message))
    session.page_link("Data", "Go to the Data page")
    st.stop()


def _stop_with_error(message: str) -> NoReturn:
    st.error(literal(message))
    st.stop()


def _width(title: str, cells: Iterable[object]) -> int | None:
    """Pixels for a column whose longest text Streamlit would cut, as it is far longer than most; else its choice."""
    lengths = [len(str(cell)) for cell in cells]
    if not lengths or max(lengths) < max(2 * sum(lengths) / len(lengths), len(title) + 1):
        return None
    return min(CHARACTER_WIDE * max(lengths) + CELL_PADDING, WIDEST_COLUMN)


def _point_picked(key: str, on_pick: Callable[[Any], None]) -> None:
    points = session.get(key)["selection"]["points"]
    if points:  # none when a selection is taken back
        on_pick(points[0]["customdata"])


def _row_picked(key: str, on_pick: Callable[[int], None]) -> None:
    rows = session.get(key)["selection"]["rows"]
    if rows:
        on_pick(rows[0])


def _tsv_of(data: Callable[[], Table]) -> bytes:
    return to_tsv(data()).encode("utf-8", "surrogatepass")


def _preset_box() -> None:
    """A preset sets the other settings; the box shows which preset they amount to, if any."""
    try:
        name = preset_of(session.current_settings())
    except SettingsError:
        name = CUSTOM
    options = [*analysis.PRESETS, CUSTOM] if name == CUSTOM else list(analysis.PRESETS)
    session.put(preset=name)
    st.selectbox(
        "Preset",
        options,
        format_func=lambda option: PRESET_NAMES[option],
        key="preset",
        on_change=_follow_preset,
        help="Sets all that follows at once.",
    )


def preset_of(settings: analysis.BleuSettings) -> str:
    """The preset that settings amount to, a key of PRESET_NAMES."""
    return next((name for name, preset in analysis.PRESETS.items() if preset == settings), CUSTOM)


def _follow_preset() -> None:
    if session.get("preset") in analysis.PRESETS:
        session.choose_preset(session.get("preset"))


def _judges_form() -> None:
    """Whose ratings count, and on what scale; only where there are any."""
    workspace = session.current_workspace()
    if workspace.judgments is None:
        return
    groups, judges = workspace.judgments.groups, list(analysis.judge_labels(workspace))
    session.restore_choices("without_groups", list(groups))
    session.restore_choices("without_judges", list(judges))
    if len(groups) > 1:
        _leave_out("groups", list(groups))
    if len(judges) > 1:
        _leave_out("judges", judges)
    st.toggle("Standardise judges", key="zscore", bind="query-params", help=ZSCORE_HELP)


def _leave_out(what: str, names: list[str]) -> None:
    st.multiselect(
        f"Leave out {what}", names, key=f"without_{what}", bind="query-params", placeholder="none", select_all=False
    )
