"""Every sentence, label and help text that people read: `python -m tests.sentences` prints each once, with its place.

The pages are drawn without a browser, on the sample data and on small data sets that show other states, and every
choice on a page is tried. Texts that no page shows are read from the code. Texts that differ only in numbers are one.
"""

from __future__ import annotations

import argparse
import ast
import json
import logging
import pkgutil
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

import bleu_core
import dashboard
import sample_data
from bleu_core.cli.arguments import build_parser
from bleu_core.cli.commands import COMMANDS, load
from bleu_core.fields import fields_of, is_result
from bleu_core.formats import FORMATS
from bleu_core.paper import all_steps
from bleu_core.scoring import SETTINGS, all_metrics
from dashboard.launch import build_parser as build_dashboard_parser
from dashboard.views import PAGES

ROOT = Path(__file__).parents[1]
APP = ROOT / "dashboard" / "app.py"

#: Fields of Streamlit's messages that hold no text for people.
NOT_TEXT = frozenset(
    {"id", "form_id", "icon", "url", "page", "page_script_hash", "query_param_key", "spec", "config", "format"}
    | {"columns", "color", "anchor", "tag", "selection_mode", "language", "upload_url", "accept", "css_class"}
    | {"width", "height", "type", "data", "query_params", "file_mime_type", "markup", "element_id", "session_id"}
)

#: Keys of a figure under which text for people stands.
FIGURE_TEXT = frozenset({"text", "name", "title", "hovertemplate", "hovertext", "ticktext", "texttemplate"})

#: Most choices of one widget that are tried: a list of systems may have hundreds.
CHOICES = 5

#: What the keys of the widgets that choose a slice begin with: they are the same on every page.
OF_SLICES = ("condition_", "half", "slice_planned")

#: Characters of an expression that stands for what a text inserts; longer ones are cut.
MAX_NAME_LENGTH = 40

#: The data set on which all choices are tried: the beginning of the sample data.
SHORT = "short sample"
SEGMENTS = 60

#: Seconds that a page may take.
TIMEOUT = 60

#: How styles, scripts and data for scripts begin.
NO_PROSE = ("<style", "<nav", "<div", "//", '{"')

#: A text without a word of two letters is none.
WORD = re.compile(r"[^\W\d_]{2}")
#: Names of the data sets, and the keys of tables; numbers and names make no other sentence.
NAME = re.compile(r"\b(?:[SHRMB]\d+|(?:engine|many|story)-\d+|[0-9a-f]{32})\b|<[^<>]*>")
NUMBER = re.compile(r"[−+-]?\d[\d,.]*")

#: A call of a logger, of a regular expression or of the encoder holds no text for people.
SILENT_CALLS = frozenset({"compile", "debug", "info", "exception", "encode", "decode", "strptime", "TypeVar", "cast"})


@dataclass
class Sentences:
    """Texts, each with the place where it was found first.

    Attributes:
        places: text -> place.
        ignored: texts of the data.
    """

    places: dict[str, str] = field(default_factory=dict[str, str])
    ignored: frozenset[str] = frozenset()
    _patterns: set[str] = field(default_factory=set[str])

    def add(self, place: str, *texts: str) -> None:
        """Add texts as people see them: without the escapes of Markdown."""
        for text in texts:
            shown = re.sub(r"\\([^\w\s])", r"\1", text).replace("\u2060", "").strip()
            pattern = NUMBER.sub("0", NAME.sub("A", shown))
            if shown.startswith(NO_PROSE) or not WORD.search(pattern):
                continue
            if shown not in self.ignored and pattern not in self._patterns:
                self._patterns.add(pattern)
                self.places[shown] = place


def collect(*, pages: bool = True) -> Mapping[str, str]:
    """All texts, each with its place.

    Args:
        pages: whether the pages are drawn, which takes most of the time.
    """
    found = Sentences(ignored=frozenset(_texts_of_the_sample()))
    sources = [_of_programs(), _of_declarations(), _of_results(), _of_code()]
    for source in [_of_pages(), *sources] if pages else sources:
        for place, text in source:
            found.add(place, text)
    return found.places


def _texts_of_the_sample() -> Iterator[str]:
    for path in (*sample_data.systems(), *sample_data.references(), sample_data.DOCUMENTS):
        yield path.stem
        yield from (line.strip() for line in path.read_text(encoding="utf-8").split("\n"))


# The code.


def _of_programs() -> Iterator[tuple[str, str]]:
    """The help of the options of both programs."""
    commands = {name: load(name) for name in COMMANDS}
    parsers: list[tuple[str, argparse.ArgumentParser]] = [("bleu-dashboard", build_dashboard_parser())]
    for name, command in commands.items():
        parser = build_parser({name: command})
        yield f"bleu-core {name}", command.HELP
        (subparsers,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))  # noqa: SLF001
        parsers.append((f"bleu-core {name}", subparsers.choices[name]))
    for name, parser in parsers:
        yield name, parser.description or ""
        for action in parser._actions:  # noqa: SLF001 # argparse has no other way to list options
            option = (action.option_strings or [str(action.metavar or action.dest)])[-1]
            yield f"{name} {option}", (action.help or "") % {**vars(action), "prog": parser.prog}


def _of_declarations() -> Iterator[tuple[str, str]]:
    """What the registers declare."""
    for key, setting in SETTINGS.items():
        yield from _strings(f"SETTINGS {key}", setting)
        yield from ((f"SETTINGS {key}", f"{name}: {text}") for name, text in setting.choices.items())
    for metric in all_metrics().values():
        yield from _strings(f"METRICS {metric.key}", metric)
    for key, one in FORMATS.items():
        yield from _strings(f"FORMATS {key}", one)
    for step in all_steps():
        yield from _strings(f"STEPS {step.key}", step)
    for page in PAGES:
        yield from _strings(f"PAGES {page.path}", page)
        for part in page.parts:
            yield from _strings(f"PAGES {page.path}", part)


def _strings(place: str, declared: object) -> Iterator[tuple[str, str]]:
    """The strings among the fields of a declaration."""
    names: Iterable[str] = getattr(declared, "__dataclass_fields__", ())
    for name in names:
        text = getattr(declared, name)
        if isinstance(text, str) and name != "key":
            yield f"{place} {name}", text


def _of_results() -> Iterator[tuple[str, str]]:
    """Names and help of the fields of all results."""
    seen: set[type] = set()
    for module in _modules(bleu_core):
        for kind in vars(import_module(module)).values():
            if not isinstance(kind, type) or kind in seen or not is_result(kind):
                continue
            seen.add(kind)
            for name, declared in fields_of(kind).items():
                place = f"{kind.__module__}.{kind.__qualname__}.{name}"
                yield from ((place, text) for text in (declared.title(name), declared.help, declared.undefined))


def _modules(package: Any) -> Iterator[str]:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            yield module.name


def _of_code() -> Iterator[tuple[str, str]]:
    """String literals of several words: messages, labels, sentences. What they insert stands in braces."""
    for package in (bleu_core, dashboard):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            silent = {id(node) for node in _silent(tree)}
            place = path.relative_to(ROOT)
            for node in _outside(tree, silent):
                text = _literal(node)
                if " " in text.strip():
                    yield f"{place}:{getattr(node, 'lineno', 0)}", text


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings and calls whose strings nobody reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if name in SILENT_CALLS and not any(getattr(n, "id", "") == "st" for n in ast.walk(node)):
            yield node


def _outside(tree: ast.AST, silent: set[int]) -> Iterator[ast.AST]:
    """The outermost strings of a tree, without those in silent nodes."""
    if id(tree) in silent:
        return
    if isinstance(tree, (ast.Constant, ast.JoinedStr)):
        yield tree
        if isinstance(tree, ast.JoinedStr):
            inserted = (part.value for part in tree.values if isinstance(part, ast.FormattedValue))
            yield from (node for inner in inserted for node in _outside(inner, silent))
        return
    for child in ast.iter_child_nodes(tree):
        yield from _outside(child, silent)


def _literal(node: ast.AST) -> str:
    """A string as it is written, with {...} for what it inserts; empty for other constants."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return f"{{{ast.unparse(node.value)}}}" if len(ast.unparse(node.value)) < MAX_NAME_LENGTH else "{...}"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


# The pages.


def _of_pages() -> Iterator[tuple[str, str]]:
    """All pages as they open on several data sets, and with all their choices on the beginning of the sample data."""
    yield from _of_app("sample data", [], choices=False)
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in _data_sets(Path(folder)).items():
            yield from _of_app(name, arguments, choices=name == SHORT)


def _of_app(name: str, arguments: Sequence[str], *, choices: bool) -> Iterator[tuple[str, str]]:
    """The pages of an app that is started with these arguments."""
    with patch.object(sys, "argv", ["app.py", *arguments]):
        first = AppTest.from_file(str(APP), default_timeout=TIMEOUT).run()
        pages: dict[str, Any] = vars(first)["_registered_pages"]
        for key, page in pages.items():
            place = f"{page.get('url_pathname') or 'overview'}, {name}"
            app = AppTest.from_file(str(APP), default_timeout=TIMEOUT)
            vars(app)["_page_hash"] = key
            yield from ((place, text) for text in texts_of(app.run()))
            if choices:
                for _ in _each_choice(app, () if key == next(iter(pages)) else OF_SLICES):
                    yield from ((place, text) for text in texts_of(app))


def _each_choice(app: AppTest, without: tuple[str, ...]) -> Iterator[None]:
    """Set each widget of a page to each of its values, one after the other, and back.

    Args:
        app: on the page.
        without: what the keys of widgets begin with that are left as they are.
    """
    kinds = ("selectbox", "button_group", "toggle")
    keys = [(kind, widget.key) for kind in kinds for widget in app.main.get(kind) if widget.key]
    keys = [(kind, key) for kind, key in keys if not key.startswith(without)]
    for kind, key in keys:
        widget = _widget(app, kind, key)
        if widget is None:  # another choice has removed it
            continue
        before = widget.value
        values = [not before] if kind == "toggle" else list(widget.options)[:CHOICES]
        for value in (*values, before):
            widget = _widget(app, kind, key)
            if widget is None or value == widget.value:
                continue
            if kind == "selectbox":
                widget.select_index(list(widget.options).index(value)).run()
            else:
                widget.set_value(value).run()
            yield


def _widget(app: AppTest, kind: str, key: str) -> Any:
    """A widget that can be changed; None if there is none."""
    found: Any = next((widget for widget in app.main.get(kind) if widget.key == key), None)
    return None if found is None or found.disabled else found


def sentences_of(app: AppTest) -> Iterable[str]:
    """Return the texts of a page and its sidebar that are neither markup nor sample data."""
    shown = Sentences(ignored=frozenset(_texts_of_the_sample()))
    shown.add("", *texts_of(app))
    return shown.places


def texts_of(app: AppTest) -> Iterator[str]:
    """All texts of a page and its sidebar."""
    for message in messages_of(app):
        yield from _of_message(message)


def messages_of(app: AppTest) -> Iterator[Message]:
    """Return all that a page and its sidebar send to the browser."""
    waiting: list[Any] = list(app._tree.children.values())  # noqa: SLF001 # AppTest lists some kinds of elements only
    while waiting:
        node = waiting.pop()
        waiting += getattr(node, "children", {}).values()
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield proto


def _of_message(message: Message) -> Iterator[str]:
    """The texts in a message of Streamlit's, with those of tables and figures in it."""
    name = message.DESCRIPTOR.name
    values: Any = message
    if name == "PlotlyChart":
        yield from _of_figure(json.loads(values.spec))
        return
    if name in {"Dataframe", "Arrow"}:
        yield from _of_table(values)
        return
    for descriptor, value in message.ListFields():
        if descriptor.name in NOT_TEXT:
            continue
        many = value if descriptor.is_repeated else [value]
        if descriptor.type == FieldDescriptor.TYPE_STRING:
            yield from many
        elif descriptor.type == FieldDescriptor.TYPE_MESSAGE and not hasattr(value, "items"):
            for inner in many:
                yield from _of_message(inner)


def _of_figure(spec: Any, key: str = "") -> Iterator[str]:
    if isinstance(spec, dict):
        for name, inner in spec.items():
            yield from _of_figure(inner, name if name != "text" or key not in FIGURE_TEXT else key)
    elif isinstance(spec, list):
        for inner in spec:
            yield from _of_figure(inner, key)
    elif isinstance(spec, str) and key in FIGURE_TEXT:
        yield spec


def _of_table(table: Any) -> Iterator[str]:
    """Headers, their help, and cells of several words."""
    for column in json.loads(table.columns or "{}").values():
        yield from (column.get(key) or "" for key in ("label", "help"))
    try:
        frame = pa.ipc.open_stream(table.arrow_data.data).read_pandas()
    except pa.ArrowInvalid:
        return
    yield from map(str, frame.columns)
    for name in frame.columns:
        yield from (cell for cell in frame[name].unique() if isinstance(cell, str) and " " in cell)


def _data_sets(folder: Path) -> Mapping[str, Sequence[str]]:
    """Small data sets that show what the sample data do not: name -> arguments of bleu-dashboard."""

    def write(name: str, lines: Sequence[str]) -> str:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    def short(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").split("\n")[:SEGMENTS]

    systems = [short(path) for path in sample_data.systems()]
    references = [write(path.name, short(path)) for path in sample_data.references()]
    documents = write("documents.txt", short(sample_data.DOCUMENTS))
    header, *rows = sample_data.JUDGMENTS.read_text(encoding="utf-8").splitlines()
    segment = header.split(",").index("segment")
    judgments = write("all.csv", [header, *(row for row in rows if int(row.split(",")[segment]) <= SEGMENTS)])
    named = [write(f"sample/{path.name}", lines) for path, lines in zip(sample_data.systems(), systems, strict=True)]
    reference = references[0]
    two = [write("engine-1.txt", systems[0]), write("engine-2.txt", systems[1])]
    ratings = [f"{n},engine-{1 + n % 2},,{n * 7 % 5}" for n in range(1, SEGMENTS)]
    few = write("ratings.csv", ["segment,system,judge,score", *ratings])
    many = [write(f"many-{n}.txt", [*systems[n % 5][n:], *systems[(n + 1) % 5][:n]]) for n in range(16)]
    odd = [
        write("short.txt", systems[2][:-3]),
        write("empty.txt", []),
        write("same.txt", systems[0]),
        write("copy.txt", short(sample_data.references()[0])),
        write("blank.txt", ["" if n % 9 == 0 else line for n, line in enumerate(systems[3])]),
    ]
    odd_judgments = [
        write("judged.csv", ["segment,system,judge,score", "1,nobody,x,3", "900,engine-1,x,3", "2,engine-1,x,"]),
        write("broken.csv", ["segment,system,judge", "1,engine-1,x", "2"]),
    ]
    return {
        SHORT: [
            *(part for path in references for part in ("--ref", path)),
            *("--human", judgments, "--documents", documents, "--human-system", "H1", "--human-system", "H2"),
            *("--", *named),
        ],
        "no ratings": ["--ref", reference, "--", *two],
        "unnamed judges": ["--ref", reference, "--human", few, "--", *two],
        "one system": ["--ref", reference, "--", two[0]],
        "no references": ["--", *two],
        "references only": ["--ref", reference],
        "files with problems": [
            *(part for path in odd_judgments for part in ("--human", path)),
            *("--ref", reference, "--", *two, *odd),
        ],
        "16 systems": ["--ref", reference, "--", *many],
    }


def main() -> None:
    """Print the texts, each after its place."""
    parser = argparse.ArgumentParser(prog="python -m tests.sentences", description="Print all texts for people.")
    parser.add_argument("--no-pages", action="store_true", help="only what stands in the code, which takes seconds")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for text, place in collect(pages=not options.no_pages).items():
        sys.stdout.write(f"{place}\t{' / '.join(text.split(chr(10)))}\n")


if __name__ == "__main__":
    main()
