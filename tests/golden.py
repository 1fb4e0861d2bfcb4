"""What a commit and the working tree show and print, and the difference between them.

    uv run --extra test python -m tests.golden COMMIT [FILE or option of bleu-dashboard ...]

This module runs the sources of the commit and those of the working tree side by side, each in a process and an empty
folder of its own. Without files the sample data, and data made from them, are shown. Each side writes:

    pages/DATA/PLACE.txt  the elements of each part of each page, opened by its address
    exhibits/NAME.txt     the numbers of each figure of `bleu-core figure`; files/NAME.svg has what Plotly draws
    commands/NAME.txt     standard output and error of each command, and its exit status, as JSON and as TSV
    help/NAME.txt         the help of each command
    files/                the files that commands and pages write: reports, workspaces, campaigns, counts, figures
    skipped.txt           what this side does not have

Dates, ports, folders and the version are replaced by words. The exit status is 1 if there is a difference, whose files
then stay.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import importlib
import io
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]

#: Seconds for a page.
PATIENCE = 600

#: Forms of results that are written.
FORMS = ("json", "tsv")

#: Calls of each command, by its name: those of a name are made one after the other, first all with JSON, then all with
#: TSV. {rated} and {marked} stand for texts with ratings, or with marked errors and scores of a metric; {texts} for
#: texts alone, {pair} for two systems. With files on the command line of this module, these are the files; options that
#: a command does not have are left out. {made} stands for made texts in any case, {sets} for several test sets, {form}
#: for "json" or "tsv". `--format` is added.
CALLS: Mapping[str, Sequence[str]] = {
    "score": (
        "{rated} --intervals",
        "{marked} --metric bleu --metric chrf2 --metric ter --metric wer",
        "{made} --group S=S* --group H=H*",
        "--workspace saved.zip",
    ),
    "blocks": ("{rated}",),
    "compare": (
        "{rated}",
        "{rated} --all-pairs --test randomization --trials 1000",
        "{marked} --test t --reversal",
        "{made} --group S=S* --group H=H*",
    ),
    "table": ("{sets}", "{sets} --all-pairs --agreement --intervals", "{sets} --group H=H* --group S=S* --baseline S"),
    "slices": ("{rated} --by length",),
    "references": ("{rated}",),
    "ngrams": ("{rated}",),
    "check": ("{rated}", "{marked}"),
    "gate": ("{pair}", "{pair} --require not-worse --junit {form}.xml"),
    "correlate": (
        "{rated}",
        "{rated} --level segment",
        "{rated} --judges --differences all",
        "{marked}",
        "{rated} --level segment --grouping item --classes",
    ),
    "review": ("{rated}", "{marked}"),
    "errors": ("{marked}", "{marked} --by place --by category"),
    "probe": ("{texts} --metric bleu --metric chrf2",),
    "paper": ("{rated}",),
    "campaign create": (
        "inputs/plan.toml --dry-run {made} --deviations 0.6,0.2,1.0 --width 0.5",
        "inputs/plan.toml --out {form}.db --force {made}",
    ),
    "campaign links": ("{form}.db", "{form}.db --lead"),
    "campaign open": ("{form}.db",),
    "campaign status": ("{form}.db", "{form}.db --show-interim"),
    "campaign pause": ("{form}.db",),
    "campaign reopen": ("{form}.db",),
    "campaign backup": ("{form}.db {form}-copy.db",),
    "campaign close": ("{form}.db",),
    "campaign export": ("{form}.db --out {form}-export",),
    "count": (
        "{texts} --out {form}.counts",
        "{texts} --out {form}-1.counts --part 1/2",
        "{texts} --out {form}-2.counts --part 2/2",
    ),
    "merge": ("{form}-1.counts {form}-2.counts --out {form}-merged.counts",),
    "figure": ("scores --out {form}.svg {rated}",),
    "report": (
        "--out {form}.html {rated}",
        "--out {form}-marked.html {marked}",
        "--out {form}-short.html --short {rated}",
    ),
}

#: What placeholders stand for with the sample data. The second reference is also used as a source.
TEXTS = "--ref inputs/R1.txt --ref inputs/R2.txt"
DOCUMENTS = f"{TEXTS} --documents inputs/documents.txt"
SYSTEMS = "inputs/S1.txt inputs/S2.txt inputs/S3.txt inputs/H1.txt inputs/H2.txt"
MARKED = "--human inputs/errors.tsv --metric-scores inputs/scores.tsv --labels inputs/labels.csv --source inputs/R4.txt"
DATA: Mapping[str, str] = {
    "texts": f"{TEXTS} {SYSTEMS}",
    "rated": f"{DOCUMENTS} --human inputs/judgments.csv {SYSTEMS}",
    "marked": f"{DOCUMENTS} {MARKED} {SYSTEMS}",
    "pair": f"{DOCUMENTS} inputs/S2.txt inputs/S3.txt",
    "sets": "inputs/sets",
}
#: In any case.
MADE = f"--ref inputs/R1.txt --source inputs/R4.txt {SYSTEMS}"

#: Name of data that pages show -> options of bleu-dashboard, and the pages that show them; all if there are none. Those
#: after the first are shown without files on the command line of this module, and may be of files that commands write.
SHOWN: Mapping[str, tuple[str, Sequence[str]]] = {
    "data": ("", ()),
    "marked": (DATA["marked"], ()),
    "sets": ("--archive inputs/sets", ("data", "", "test-sets", "report")),
    "counts": ("json.counts", ("data", "", "ranking", "two-systems", "report")),
    "campaign": (f"--campaign json-copy.db {MADE}", ("data", "campaign", "judges")),
}

#: Segments of made data.
SEGMENTS = 60

#: Key of the button on the page Report that saves the workspace.
SAVE = "save-workspace-report"


# --- both sides ----------------------------------------------------------------------------------------------


def main() -> int:
    """Write both sides, and print the difference; or write one side."""
    how = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("golden", description=__doc__, formatter_class=how, allow_abbrev=False)
    parser.add_argument("commit", help="what the working tree is compared with")
    parser.add_argument("--folder", type=Path, help="where both sides are written (default: a temporary folder)")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)  # one side: the commit is a folder of sources
    given, options = parser.parse_known_args()
    if given.write is not None:
        write(Path(given.commit), given.write, options)
        return 0
    pairs = [(name, str(Path(value).resolve()) if Path(value).exists() else value) for name, value in _pairs(options)]
    options = [part for pair in pairs for part in pair if part]
    folder = given.folder or Path(tempfile.mkdtemp(prefix="golden-"))
    before, after = folder / "before", folder / "after"
    with tempfile.TemporaryDirectory() as sources:
        check_out(given.commit, Path(sources))
        sides = [start(Path(sources), before, options), start(ROOT, after, options)]
        if sum(abs(side.wait()) for side in sides):  # both end before the sources go
            return 2
    difference = compare(before, after)
    print(difference, end="")  # noqa: T201 # its job
    print(f"{before} and {after} {'differ' if difference else 'are the same'}")  # noqa: T201
    if not difference and given.folder is None:
        shutil.rmtree(folder)
    return 1 if difference else 0


def check_out(commit: str, folder: Path) -> None:
    """Write the sources of a commit to a folder, which git does not know."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S607
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def start(sources: Path, folder: Path, options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start to write what sources show, in a process that imports them."""
    environment = {**os.environ, "PYTHONPATH": str(sources), "PYTHONHASHSEED": "0", "COLUMNS": "120"}
    call = [sys.executable, "-P", __file__, str(sources), "--write", str(folder.resolve()), *options]
    return subprocess.Popen(call, env=environment)


def compare(before: Path, after: Path) -> str:
    """Return the difference of two folders as git prints it; empty if they are the same."""
    call = ["git", "--no-pager", "diff", "--no-index", "--no-ext-diff", "--no-color", "--stat=120", "--patch", "-U1"]
    found = subprocess.run(
        [*call, str(before.resolve()), str(after.resolve())], check=False, capture_output=True, cwd=before
    )
    if found.returncode > 1:
        raise RuntimeError(found.stderr.decode(errors="replace"))
    return found.stdout.decode("utf-8", "replace")


# --- one side ------------------------------------------------------------------------------------------------


class Output:
    """The folder of a side, whose texts do not depend on where and when they are written."""

    def __init__(self, sources: Path, folder: Path) -> None:
        self.folder, self.started = folder, time.process_time()
        version = importlib.import_module("bleu_core.version").VERSION
        self.replaced: list[tuple[str, str]] = [
            (re.escape(str(Path.cwd())), "FOLDER"),
            (re.escape(str(sources)), "SOURCES"),
            (rf"(?<![\d.]){re.escape(version)}(?![\d.])", "VERSION"),
            (r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?", "DATE"),
            (r"\bT_[0-9a-f]{5}_", "T_"),  # of pandas' styles
            (r"\b(localhost|127\.0\.0\.1):(?!8501\b)\d+", "PORT"),
        ]

    def write(self, name: str, content: str) -> None:
        """Write a file, whose name may have folders."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for pattern, word in self.replaced:
            content = re.sub(pattern, word, content)
        path.write_text(content.rstrip("\n") + "\n", encoding="utf-8", errors="surrogateescape", newline="")

    def skip(self, what: str, reason: object) -> None:
        """Record what this side does not have."""
        with (self.folder / "skipped.txt").open("a", encoding="utf-8") as file:
            file.write(f"{what}: {reason}\n")

    def attempt(self, what: str, step: Callable[[], None]) -> None:
        """Write something that an older commit may not have, or have differently, in any way."""
        try:
            step()
        except (Exception, SystemExit) as error:  # noqa: BLE001
            self.skip(what, f"{type(error).__name__}: {error}")

    def said(self, what: str) -> None:
        """Report progress."""
        sys.stderr.write(f"{self.folder.name}: {what} ({time.process_time() - self.started:.0f} s of the processor)\n")


def write(sources: Path, folder: Path, options: Sequence[str]) -> None:
    """Write all that sources show."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        make_inputs(Path("inputs"))
        found = importlib.import_module("bleu_core").__path__[0]
        if Path(found).parent != sources:
            raise RuntimeError(f"bleu_core of {found} found, that of {sources} expected")
        out = Output(sources, folder)
        _prepare()
        steps: list[tuple[str, Callable[[], None]]] = [
            ("help", partial(write_help, out)),
            ("pages", partial(write_pages, out, "data", options)),
            ("commands", partial(write_commands, out, options)),
            ("exhibits", partial(write_exhibits, out, options)),
            *(
                (f"pages of {data}", partial(write_pages, out, data, shlex.split(shown), pages))
                for data, (shown, pages) in list(SHOWN.items())[1:]
                if not options
            ),
            ("files", partial(write_files, out)),
        ]
        for name, step in steps:
            out.attempt(name, step)
            out.said(name)
        os.chdir(folder)
    sys.stderr.flush()
    os._exit(0)  # threads of sessions may still run


# --- pages ---------------------------------------------------------------------------------------------------


def places() -> Iterator[tuple[str, Mapping[str, str]]]:
    """The address of each part of each page: the path of the page, and the parameters."""
    for page in importlib.import_module("dashboard.views").PAGES:
        for part in page.parts:
            yield page.path, {page.part_key: part.path} if part.path else {}


def name_of(path: str, parameters: Mapping[str, str]) -> str:
    """The name of the file of a place."""
    return "-".join([path or "overview", *parameters.values()])


def write_pages(out: Output, data: str, options: Sequence[str], pages: Sequence[str] = ()) -> None:
    """Write the list of pages, and what each part of all or some shows when a session is opened at its address."""
    from streamlit.testing.v1 import AppTest

    app = Path(importlib.import_module("dashboard").__path__[0]) / "app.py"
    sys.argv = [str(app), *options]
    first = vars(AppTest.from_file(str(app), default_timeout=PATIENCE).run())
    registered: Mapping[str, Any] = first["_registered_pages"]
    out.write(f"pages/{data}/navigation.txt", json.dumps(sorted(registered.values(), key=str), indent=1, default=str))
    hashes = {page.get("url_pathname", ""): key for key, page in registered.items()}

    def write_page(path: str, parameters: Mapping[str, str]) -> None:
        _seed(f"{data} {path} {parameters}")
        session = AppTest.from_file(str(app), default_timeout=PATIENCE)
        session.query_params.update(parameters)
        vars(session)["_page_hash"] = hashes[path]
        session.run()
        lines = [line for part in (session.main, session.sidebar) for line in _lines(part)]
        address = f"address {dict(session.query_params)}"
        out.write(f"pages/{data}/{name_of(path, parameters)}.txt", "\n".join([address, *lines]))

    for place in places():
        if not pages or place[0] in pages:
            out.attempt(f"page {name_of(*place)} of {data}", partial(write_page, *place))


def _lines(node: Any, depth: int = 0) -> Iterator[str]:
    """The elements of a part of a page in order: depth, type, and what the message to the browser says."""
    proto: Any = getattr(node, "proto", None)
    if node.type != "empty":  # where progress was shown, which depends on the time that work took
        shown = {} if proto is None else _plain(proto)
        value = getattr(node, "value", None) if hasattr(node, "key") else None
        if value is not None:
            shown["value"] = str(value)
        yield f"{depth} [{node.type}] {json.dumps(shown, indent=1, sort_keys=True, ensure_ascii=False)}"
    for _, child in sorted(getattr(node, "children", {}).items()):
        yield from _lines(child, depth + 1)


#: Fields of messages that have a digest of the others, a number of a session, or the source of a component, which is no
#: content of a page.
IGNORED = {
    *("id", "uuid", "page_script_hash", "url", "form_id", "fragment_id", "deferred_file_id", "stylable_id"),
    *("js_content", "css_content"),
}


def _plain(message: Any) -> Any:
    """A message to the browser as JSON."""
    found: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.name in IGNORED:
            continue
        if field.message_type and field.message_type.GetOptions().map_entry:
            found[field.name] = {str(key): _part(each) for key, each in value.items()}
        elif field.is_repeated:
            found[field.name] = [_part(each) for each in value]
        else:
            found[field.name] = _part(value)
    return found


def _part(value: Any) -> Any:
    if hasattr(value, "ListFields"):
        return _plain(value)
    if isinstance(value, bytes):
        return _table(value)
    if isinstance(value, str) and value[:1] in ("{", "["):
        with suppress(ValueError):
            return _decoded(json.loads(value))
    return value.split("\n") if isinstance(value, str) and "\n" in value else value


def _table(content: bytes) -> Any:
    """The rows of a table, or a digest of other bytes."""
    import pyarrow as pa

    try:
        table = pa.ipc.open_stream(content).read_all()
    except pa.ArrowException:
        return hashlib.sha256(content).hexdigest()
    columns = [column.to_pylist() for column in table.columns]
    return ["\t".join(table.column_names), *("\t".join(map(str, row)) for row in zip(*columns, strict=True))]


def _decoded(value: Any) -> Any:
    """JSON of Plotly with its arrays of bytes as lists of numbers."""
    import numpy as np

    if isinstance(value, list):
        return list(map(_decoded, value))
    if not isinstance(value, dict):
        return value
    if value.keys() >= {"dtype", "bdata"}:
        found = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = [int(size) for size in str(value.get("shape", len(found))).split(",")]
        return found.reshape(shape).tolist()
    return {key: _decoded(each) for key, each in value.items()}


# --- commands ------------------------------------------------------------------------------------------------


class Run(NamedTuple):
    """What a call printed."""

    out: str
    err: str
    status: object


def run(*arguments: str) -> Run:
    """Call bleu-core in this process."""
    from bleu_core.cli import main as core

    return _run(lambda: core(arguments))


def _run(call: Callable[[], object]) -> Run:
    out, err = io.BytesIO(), io.BytesIO()
    as_text = partial(io.TextIOWrapper, encoding="utf-8", newline="", write_through=True)
    with as_text(out) as stdout, as_text(err) as stderr, redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            status = call()
        except SystemExit as ended:  # argparse ends the process itself
            status = ended.code
        return Run(out.getvalue().decode(), err.getvalue().decode(), status)


@cache
def help_of(command: str) -> str:
    """The help of a command, or of the program; empty if there is no such command."""
    return run(*command.split(), "--help").out


def commands(below: str = "") -> Iterator[str]:
    """The names of all commands by the help: "score", "campaign create"."""
    listed = re.search(r"^positional arguments:\n  [A-Z]+\n((?:    .*\n)+)", help_of(below), re.MULTILINE)
    for name in re.findall(r"^    (\S+)", listed[1] if listed else "", re.MULTILINE):
        nested = list(commands(f"{below} {name}".strip()))
        yield from nested or [f"{below} {name}".strip()]


def write_help(out: Output) -> None:
    """Write the help of the programs, of their commands and of commands of these."""
    out.write("help/bleu-core.txt", help_of(""))
    for command in dict.fromkeys(name for found in commands() for name in (found.split()[0], found)):
        out.write(f"help/bleu-core {command}.txt", help_of(command))
    sys.argv = ["bleu-dashboard", "--help"]
    out.write("help/bleu-dashboard.txt", _run(importlib.import_module("dashboard.__main__").main).out)


def write_commands(out: Output, options: Sequence[str]) -> None:
    """Write what each command prints, as JSON and as TSV."""
    known = list(commands())
    for command in known:
        if command not in CALLS:
            out.skip(f"command {command}", "no arguments are declared for it")
    for command in sorted(CALLS.keys() - known):
        out.skip(f"command {command}", "there is none of this name")
    for form in FORMS:
        for command in CALLS:
            texts: list[str] = []
            for call in CALLS[command] if command in known else ():
                arguments = [*arguments_of(command, call, options, form), "--format", form]
                _seed(f"{command} {call}")
                texts.append(_printed([*command.split(), *arguments]))
            if command == "campaign open":
                out.attempt("ratings of a campaign", partial(rate, Path(f"{form}.db")))
            if texts:
                out.write(f"commands/{command} {form}.txt", "\n".join(texts))


def _printed(call: Sequence[str]) -> str:
    """A call, its exit status, and what it printed."""
    found = run(*call)
    printed = found.out
    with suppress(ValueError):
        printed = json.dumps(json.loads(printed), indent=1, ensure_ascii=False)
    return f"$ bleu-core {shlex.join(call)}\nexit status {found.status}\n{found.err}{printed}"


def arguments_of(command: str, call: str, options: Sequence[str], form: str = "") -> list[str]:
    """The arguments of a call, without the options of data that the command does not have."""
    arguments: list[str] = []
    for part in shlex.split(call.replace("{form}", form)):
        if part == "{made}":
            arguments += _accepted(command, shlex.split(MADE))
        elif part.strip("{}") in DATA:
            arguments += _accepted(command, _data(part.strip("{}"), options))
        else:
            arguments.append(part)
    return arguments


def _data(name: str, options: Sequence[str]) -> list[str]:
    """Options and files that a placeholder stands for."""
    archives = [value for option, value in _pairs(options) if option == "--archive"]
    if not options or (name == "sets" and not archives):
        return shlex.split(DATA[name])
    if name == "sets":
        return archives[:1]
    pairs = [pair for pair in _pairs(options) if name != "texts" or pair[0] not in ("--documents", "--human")]
    files = [pair for pair in pairs if not pair[0]]
    chosen = [pair for pair in pairs if pair[0]] + (files[:2] if name == "pair" else files)
    return [part for pair in chosen for part in pair if part]


def _accepted(command: str, options: Iterable[str]) -> list[str]:
    """The options that a command has, by its help, and the files."""
    known = help_of(command)
    pairs = (pair for pair in _pairs(options) if not pair[0] or re.search(rf"\[{pair[0]} ", known))
    return [part for pair in pairs for part in pair if part]


def _pairs(options: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value, and each file without an option."""
    parts = iter(options)
    for part in parts:
        name, equals, value = part.partition("=")
        if not part.startswith("--"):
            yield "", part
        else:
            yield (name, value) if equals else (part, next(parts, ""))


# --- exhibits and files --------------------------------------------------------------------------------------


def exhibits() -> list[str]:
    """The names of the figures that `bleu-core figure` draws, as it lists them."""
    return [line.split()[0] for line in run("figure", "--list").out.splitlines()]


def write_exhibits(out: Output, options: Sequence[str]) -> None:
    """Write the numbers of each figure; what Plotly draws is written to a file."""
    for name in exhibits():
        texts: list[str] = []
        for data in ("{rated}", "{marked}"):
            arguments = arguments_of("figure", data, options)
            call = ["figure", name, "--out", f"figure-{name}.svg", *arguments, "--format", "tsv"]
            texts.append(_printed(call))
            if options or "\nexit status 0\n" in texts[-1]:
                break
        out.write(f"exhibits/{name}.txt", "\n".join(texts))


def write_files(out: Output) -> None:
    """Write the content of the files that commands and pages wrote."""
    for path in sorted(path for path in Path().rglob("*") if path.is_file() and path.parts[0] != "inputs"):
        if path.suffix not in (".db-shm", ".db-wal"):  # of SQLite, while a page has a campaign open
            out.write(f"files/{path}.txt", _content(path))


def _content(path: Path) -> str:
    """The text of a file, the members of a zip, the schema of SQLite, or a digest of other bytes."""
    content = path.read_bytes()
    if content.startswith(b"SQLite format 3"):
        with closing(sqlite3.connect(path)) as database:
            return "\n".join(str(sql) for (sql,) in database.execute("SELECT sql FROM sqlite_master ORDER BY name"))
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "\n".join(f"{name}\n{_text(archive.read(name))}" for name in sorted(archive.namelist()))
    return _text(content)


def _text(content: bytes) -> str:
    """A text, JSON indented, or a digest of other bytes."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return f"{len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}"
    with suppress(ValueError):
        return json.dumps(_decoded(json.loads(text)), indent=1, ensure_ascii=False)
    return text


# --- what both sides get -------------------------------------------------------------------------------------


def make_inputs(folder: Path) -> None:
    """Write the sample data and data made from them, the same for both sides."""
    folder.mkdir()
    sample = ROOT / "sample_data"
    for path in [*sample.glob("*/*.txt"), sample / "documents.txt", sample / "judgments.csv"]:
        shutil.copy(path, folder)
    draw = random.Random(1)
    lines = {path.stem: path.read_text(encoding="utf-8").split("\n")[:-1] for path in sorted(folder.glob("[SHR]?.txt"))}
    systems = [name for name in lines if name[0] in "SH"]
    size = len(lines["S1"])
    _write_rows(
        folder / "scores.tsv",
        ("metric", "system", "segment", "score"),
        (
            ("Learned", name, n + 1, round(draw.random() + systems.index(name), 3))
            for name in systems
            for n in range(size)
        ),
    )
    _write_rows(
        folder / "labels.csv", ("segment", "domain"), ((n + 1, draw.choice(("news", "talk"))) for n in range(size)), ","
    )
    _write_rows(
        folder / "errors.tsv",
        ("system", "doc", "globalSegId", "rater", "source", "target", "category", "severity"),
        (
            (name, "d", n + 1, judge, lines["R4"][n], *error)
            for name in systems
            for n in range(SEGMENTS)
            for judge in draw.sample(("J1", "J2", "J3"), 2)
            for error in _errors(draw, lines[name][n])
        ),
    )
    for number, name in enumerate(("en-cs", "en-de")):
        part = slice(number * SEGMENTS, (number + 1) * SEGMENTS)
        for system in [*systems, "R1", "R2"]:
            path = folder / "sets" / name / ("references" if system[0] == "R" else "systems") / f"{system}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in lines[system][part]), encoding="utf-8", newline="")
        _write_rows(
            folder / "sets" / name / "human.csv",
            ("segment", "system", "judge", "score"),
            (
                (n + 1, system, judge, draw.randint(1, 4) + (system > "S1"))
                for system in systems
                for n in range(SEGMENTS)
                for judge in ("J1", "J2")
            ),
            ",",
        )
    (folder / "plan.toml").write_text(
        'title = "Pilot"\nsystems = ["S1", "S2", "H1"]\nsegments = 20\nrepeats = 0.05\ndegraded = 0.05\n'
        'groups = [{name = "bilingual", judges = 3}]\n',
        encoding="utf-8",
    )


def _errors(draw: random.Random, line: str) -> list[tuple[str, str, str]]:
    """A translation with each of its errors marked, as Google's MQM has them."""
    words = line.split(" ")
    places = draw.sample(range(len(words)), min(draw.choice((0, 0, 1, 2)), len(words)))
    if not places:
        return [(line, "No-error", "No-error")]
    categories = ("Accuracy/Mistranslation", "Accuracy/Omission", "Fluency/Grammar", "Style/Awkward")
    return [
        (
            " ".join(f"<v>{word}</v>" if n == place else word for n, word in enumerate(words)),
            draw.choice(categories),
            draw.choice(("Major", "Minor")),
        )
        for place in places
    ]


def _write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str = "\t") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        table.writerows([header, *rows])


def rate(path: Path) -> None:
    """Let the judges of a campaign rate, at times that are always the same."""
    from bleu_core.campaigns import CampaignStore

    draw, now = random.Random(2), 1_750_000_000.0
    with CampaignStore(path) as store:
        for judge in store.judges:
            for place, slot in enumerate(store.slots(judge)):
                for item in slot.items:
                    now += draw.randint(5, 30)
                    given = {"client": f"{judge} {place} {item.item}", "shown": now - 4, "given": now}
                    store.add_rating(judge, place, item.item, draw.randint(1, 5), **given)


_DRAW = random.Random()


def _seed(what: str) -> None:
    """Let links and codes depend on what is called only."""
    _DRAW.seed(what)


def _prepare() -> None:
    """Let nothing be drawn from the system, no browser draw figures, and Streamlit look for components once."""
    import secrets

    import kaleido
    from streamlit import config
    from streamlit.components.v2 import manifest_scanner
    from streamlit.logger import get_logger

    async def drawn(figure: Any, **_: Any) -> bytes:
        return json.dumps(json.loads(figure.to_json()), sort_keys=True).encode()

    setattr(secrets, "token_bytes", lambda nbytes=None: _DRAW.randbytes(nbytes or 32))  # noqa: B010
    setattr(secrets, "randbits", _DRAW.getrandbits)  # noqa: B010
    setattr(kaleido, "calc_fig", drawn)  # noqa: B010
    os.environ["BROWSER_PATH"] = sys.executable  # a program that is there
    get_logger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True  # commands have no session
    config.set_option("browser.gatherUsageStats", value=False)
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    _save_workspace()


def _save_workspace() -> None:
    """Save the first workspace that a page offers to download."""
    import streamlit as st

    offer = st.download_button

    def offered(label: str, content: Any, **named: Any) -> bool:
        if named["key"] == SAVE and not Path("saved.zip").exists():
            Path("saved.zip").write_bytes(content())
        return offer(label, content, **named)

    setattr(st, "download_button", offered)  # noqa: B010


if __name__ == "__main__":
    sys.exit(main())
