"""LaTeX tables for papers, with booktabs, best values in bold, intervals in one column and all texts escaped."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from bleu_core.dataset import plural
from bleu_core.fields import MINUS, Cell, Field, Table
from bleu_core.results.compact_columns import COLUMN_WIDTH_PT, Piece, compact_columns
from bleu_core.results.envelope import Envelope, ReportedMetric
from bleu_core.results.table import best_rows, format_cell

#: Characters that a line of LaTeX or Markdown cannot hold: control characters and line ends, and marks of direction.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
DIRECTION_MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")

#: Pairs that TeX joins into another character, such as a dash or a quotation mark.
LIGATURES = re.compile(r"([-`',!?<>])(?=[-`',<>])")

LOW, HIGH = "low", "high"

#: A row that begins with one of these would be read as an argument of the previous command.
ARGUMENT_BEGINNINGS = ("[", "*")


#: Number of rows, below the caption and the header, that fit on a page of any common class.
PAGE_ROWS = 36

#: Layout of a table: one float, a table that breaks over pages of one column, or floats over two columns.
Layout = Literal["table", "longtable", "two columns"]


def to_latex(table: Table, caption: str = "", label: str = "", *, layout: Layout = "table") -> str:
    r"""Return a table in LaTeX, with booktabs.

    The best values of a column are bold if the column declares which values are best. Both ends of an interval are in
    one column.

    Args:
        table: the table.
        caption: the caption of the float; without one, layout "table" gives only the tabular.
        label: the label for \ref, without its prefix "tab:".
        layout: "table" is one float, which cannot be longer than a page; "longtable" breaks over pages of one column;
            "two columns" are as many floats over both columns as the rows need.
    """
    table = table.for_people()
    if any(column.compact for column in table.columns.values()):
        return _compact(table, caption, label, layout=layout)
    columns = _columns(table)
    align = "".join("l" if column.is_text else "r" for column in columns)
    header = _row([column.title for column in columns])
    rows = [_row(cells) for cells in zip(*(column.cells for column in columns), strict=True)]
    title = caption_latex(caption)
    if layout == "longtable":
        return "\n".join(_long_table(align, header, rows, title=title, label=_key(label)))
    if layout == "two columns":
        return "\n".join(_wide_tables(align, header, rows, title=title, label=_key(label)))
    body = _tabular(align, header, rows)
    if caption:
        first = [r"\begin{table}", r"\centering", rf"\caption{{{title}}}", rf"\label{{tab:{_key(label)}}}"]
        body = [*first, *body, r"\end{table}"]
    return "\n".join(body)


def _compact(table: Table, caption: str, label: str, *, layout: Layout) -> str:
    """Return a table of many columns that fits a page, and two columns of one."""
    columns = compact_columns(table)
    align = "".join("l" if is_text else "r" for is_text in columns.texts)
    header = _row_of_lines([[latex_text(text) for text in line] for line in columns.header])
    rows = [
        _row_of_lines([[_piece(piece, columns.small) for piece in line] for line in lines]) for lines in columns.rows
    ]
    if columns.max_lines > 1:
        rows = [f"{row}\n\\addlinespace[2pt]" for row in rows[:-1]] + rows[-1:]
    title, key = caption_latex(" ".join([caption, *columns.notes]) if caption else ""), _key(label)
    smaller = [f"\\{columns.size}"] if columns.size else []
    if columns.separation_pt is not None:
        smaller.append(rf"\setlength{{\tabcolsep}}{{{columns.separation_pt:g}pt}}")
    if layout == "longtable":
        lines = _long_table(align, header, rows, title=title, label=key)
        return "\n".join([lines[0], r"\begingroup", *smaller, *lines[1:], r"\endgroup"])
    if layout == "two columns":
        return "\n".join(_wide_tables(align, header, rows, title=title, label=key, smaller=smaller))
    body = [*smaller, *_tabular(align, header, rows)]
    if columns.is_too_wide:
        body.insert(0, "% wider than a text of one column: choose fewer columns, or no intervals")
    if not caption:
        return "\n".join([r"\begingroup", *body, r"\endgroup"] if smaller else body)
    name = "table*" if columns.width_pt > COLUMN_WIDTH_PT else "table"  # the same where the text has one column
    first = [rf"\begin{{{name}}}", r"\centering", rf"\caption{{{title}}}", rf"\label{{tab:{key}}}"]
    return "\n".join([*first, *body, rf"\end{{{name}}}"])


def _piece(piece: Piece, small: str) -> str:
    """Return a line of a cell, in a size of type where it is small."""
    text = latex_text(piece.text)
    if piece.bold:
        text = rf"\textbf{{{text}}}"
    if piece.superscript:
        text += rf"\textsuperscript{{{latex_text(piece.superscript)}}}"
    return rf"{{\{small} {text}}}" if piece.small and piece.text else text


def _row_of_lines(lines: Sequence[Sequence[str]]) -> str:
    """Return a row of several lines, between which no page ends."""
    rows = list(map(_row, lines))
    return "\n".join([*(rf"{row}*" for row in rows[:-1]), rows[-1]])


def caption_latex(caption: str) -> str:
    """Return a caption in LaTeX."""
    return latex_text(caption).replace("|", r"\textbar{}")  # in signatures; TeX's default encoding has a dash there


def caption_of(content: Envelope, shown: str) -> str:
    """Return the caption of a report's tables: its sentences on methods, or else the text and the metric.

    Args:
        content: the report.
        shown: the content of the tables, for reports without sentences on methods.
    """
    methods: str = getattr(content, "methods", "")
    if methods:
        return methods
    from bleu_core.scoring import all_metrics  # loaded when first needed

    counts = {"segment": content.segments, "reference": len(content.references)}
    segments, references = (f"{count:,} {plural(count, noun)}" for noun, count in counts.items())
    text = f"{segments if content.slice is None else content.slice.described} with {references}"
    labels = {key: metric.label for key, metric in all_metrics().items()}
    reported: Sequence[object] = getattr(content, "metrics", None) or ()
    several = {metric.metric: metric.signature for metric in reported if isinstance(metric, ReportedMetric)}
    signatures = several if len(several) > 1 else {content.metric: content.signature}
    scored_by = "; ".join(
        f"{labels.get(key, key)}: {text}" for key, text in signatures.items() if text
    )  # reports on agreement have the label itself
    return f"{shown} on {text} ({scored_by})." if scored_by else f"{shown} on {text}."


def _tabular(align: str, header: str, rows: Sequence[str]) -> list[str]:
    body = [r"\toprule", header, r"\midrule", *rows, r"\bottomrule"]
    return [rf"\begin{{tabular}}{{{align}}}", *body, r"\end{tabular}"]


def _long_table(align: str, header: str, rows: Sequence[str], *, title: str, label: str) -> list[str]:
    """Return a table that breaks over pages, each with the header and a note on the continuation."""
    across = sum(letter in "lr" for letter in align)
    head = [r"\toprule", header, r"\midrule"]
    named = [rf"\caption{{{title}}}\label{{tab:{label}}}\\"] if title else []
    return [
        r"% needs \usepackage{booktabs,longtable}, and a text of one column",
        rf"\begin{{longtable}}{{{align}}}",
        *named,
        *head,
        r"\endfirsthead",
        rf"\multicolumn{{{across}}}{{l}}{{\tablename\ \thetable{{}} (continued)}}\\",
        *head,
        r"\endhead",
        r"\midrule",
        rf"\multicolumn{{{across}}}{{r}}{{continued on the next page}}\\",
        r"\endfoot",
        r"\bottomrule",
        r"\endlastfoot",
        *rows,
        r"\end{longtable}",
    ]


def _wide_tables(
    align: str, header: str, rows: Sequence[str], *, title: str, label: str, smaller: Sequence[str] = ()
) -> list[str]:
    """Return floats over two columns with the same number, of at most PAGE_ROWS lines each.

    Args:
        align: of the columns.
        header: the row of titles.
        rows: the rows.
        title: the caption.
        label: the label.
        smaller: commands for a smaller table.
    """
    max_rows = PAGE_ROWS // max((row.count(r"\\") for row in rows), default=1)
    parts = [rows[start : start + max_rows] for start in range(0, max(len(rows), 1), max_rows)]
    lines = [r"% needs \usepackage{booktabs}"]
    for number, part in enumerate(parts, start=1):
        is_continued = number > 1
        which = f" (part {number} of {len(parts)})" if parts[1:] else ""
        lines += [
            r"\begin{table*}",
            r"\centering",
            *([r"\addtocounter{table}{-1}"] if is_continued else []),
            rf"\caption{{{'Continued' if is_continued else title}{which}}}",
            rf"\label{{tab:{label}{f'-{number}' if is_continued else ''}}}",
            *smaller,
            *_tabular(align, header, part),
            r"\end{table*}",
        ]
    return lines


def latex_text(text: str) -> str:
    """Return a text in LaTeX, in one line."""
    return escaped_latex(without_controls(text))


def escaped_latex(text: str) -> str:
    """Escape a text, or a part of one, for LaTeX; it must not have control characters.

    NUL marks the joints of characters that TeX would join, until all characters are escaped.
    """
    from tabulate import LATEX_ESCAPE_RULES  # loaded when first needed

    # A quotation mark is a command in some languages.
    rules = {
        **LATEX_ESCAPE_RULES,
        '"': r"\char34{}",
        MINUS: "$-$",
        "≤": r"\ensuremath{\leq}",
        "≈": r"\ensuremath{\approx}",
    }
    marked = LIGATURES.sub("\\1\0", text)
    return "".join(rules.get(character, character) for character in marked).replace("\0", "{}")


def without_controls(text: str) -> str:
    """Return a text in one line, without control characters and marks of direction."""
    return one_line(text).strip()


def one_line(text: str) -> str:
    """Return a part of a text in one line, without control characters; spaces at its ends remain."""
    return CONTROLS.sub(" ", DIRECTION_MARKS.sub("", text))


class _Column:
    """A column, or both ends of an interval, with escaped title and cells."""

    def __init__(self, title: str, cells: Sequence[str], *, is_text: bool) -> None:
        self.title, self.cells, self.is_text = title, cells, is_text


def _columns(table: Table) -> list[_Column]:
    names = list(table.columns)
    best = best_rows(table)
    values = [[row[i] for row in table.rows] for i in range(len(names))]
    columns: list[_Column] = []
    skip = False
    for i, name in enumerate(names):
        if skip:
            skip = False
            continue
        skip = names[i + 1 : i + 2] == [name.removesuffix(LOW) + HIGH] and name.endswith(LOW)
        field = table.columns[name]
        if skip:
            columns.append(_interval(name, field, values[i], values[i + 1]))
        else:
            columns.append(
                _Column(
                    latex_text(field.title(name)),
                    _cells(field, values[i], bold=best.get(name, frozenset())),
                    is_text=field.kind == "text",
                )
            )
    return columns


def _interval(name: str, field: Field, lows: Sequence[Cell], highs: Sequence[Cell]) -> _Column:
    """Return the column of an interval, such as "20.10 to 21.30"."""
    title = f"{field.title(name).removesuffix(LOW).strip()} interval".strip()
    ends = [[format_cell(end, field.kind, field.decimals) for end in ends] for ends in (lows, highs)]
    cells = [latex_text(f"{low} to {high}") if low and high else "" for low, high in zip(*ends, strict=True)]
    return _Column(latex_text(title), cells, is_text=False)


def _cells(field: Field, values: Sequence[Cell], *, bold: Collection[int]) -> list[str]:
    """Return the cells of a column, some of them in bold."""
    cells = [latex_text(format_cell(value, field.kind, field.decimals)) for value in values]
    return [rf"\textbf{{{cell}}}" if number in bold else cell for number, cell in enumerate(cells)]


def _row(cells: Sequence[str]) -> str:
    begin = "{}" if cells and cells[0].startswith(ARGUMENT_BEGINNINGS) else ""
    return begin + " & ".join(cells) + r" \\"


def _key(text: str) -> str:
    """Return the key of a label: letters, digits and hyphens."""
    return re.sub("[^A-Za-z0-9]+", "-", text).strip("-").lower() or "results"
