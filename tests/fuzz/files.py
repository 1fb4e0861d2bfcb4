"""Damage files of every format and see that each is read, or refused with a sentence.

Mutants of real files (those in BLEU_CONFORMANCE_DATA where it is set, and small ones of every format in any case) are
recognised, read in every role, fitted together with healthy files as in a session of the dashboard, and given to the
command line. Wrong is any error that is not a BleuCoreError, any warning of Python, a message of more than one line or
of more than 1,000 characters, a status other than 0, 1 or 2, output that is not JSON, a mutant that takes more than
a few seconds of processor time or more memory than is allowed, and one that ends the process. A file that ends the
process of an isolated reader is refused with a sentence; how often is printed as "reader stopped".

Every mutant follows from the seed, the kinds and its number alone. Mutants that go wrong are kept in a temporary
folder.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import decimal
import faulthandler
import io
import json
import multiprocessing
import os
import re
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any, get_args

from small_files import SAMPLES, open_document, open_document_rows, parquet, workbook

import sample_data
from bleu_core import formats
from bleu_core.campaigns import read_plan
from bleu_core.cli.commands import main as command_line
from bleu_core.collection import open_uploads
from bleu_core.counts import Bundling, Texts, count_texts, decode_counts, encode_counts, oddities_of, score_counts
from bleu_core.dataset import LineRepair
from bleu_core.errors import BleuCoreError
from bleu_core.formats import Contents, FileRole, read, recognise
from bleu_core.project import NoteRecord, SavedWorkspace, open_workspace, pack_workspace
from bleu_core.scoring import BleuSettings, Counting
from bleu_core.uploads import File, Workspace, assemble, by_test_set, create_file

from .damage import BINARY, PACKERS, damaged, packed

ROLES: tuple[FileRole, ...] = get_args(FileRole)
SUFFIXES = ("", ".txt", ".tsv", ".csv", ".jsonl", ".zip", ".score", ".xlf", "\n\x1b[31m.tsv", ".\u202etxt")
MARKUP = (".xlf", ".xliff", ".sdlxliff", ".tmx", ".sgm", ".xml")
#: Characters of a file that most mutants are made of; one in twenty is made of the whole file.
HEAD = 12_000
WHOLE = 0.05
#: The share of mutants that the command line gets, and of the files that it gets in the role they have.
COMMANDS, IN_ROLE = 0.3, 0.8
#: Of output, as often as each is asked for.
FORMATS = ("json", "json", "json", "table", "tsv", "latex")
SECONDS = 5.0
#: Seconds after which a mutant's process is ended.
HANGS = 120
MEMORY = 6 * 2**30
MAX_LINE_LENGTH = 1100
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")
#: Of the messages about readers that run in a process of their own.
STOPPED = re.compile("makes the (.*) reader stop")
TOO_MUCH, TOO_LONG = "--limit reader_memory=", "--limit reader_seconds="
#: The most memory that the process may grow by for one mutant.
GROWTH = 300 * 2**20
KEPT = 3
#: A manifest and a plan, with most of what they may have.
MANIFEST = """
baseline = "A"
lower_is_better = ["TER"]
[settings]
max_order = 3
[sets.en-de]
references = "r.txt"
systems = ["A.txt", "B*"]
languages = "en-de"
settings = {lowercase = true, weights = [0.5, 0.3, 0.2]}
[sets."wmt 1"]
references = ["r.txt"]
systems = "?.txt"
[groups]
runs = "B*"
"""
PLAN = """
title = "A campaign"
systems = ["A", "B"]
segments = 12
ratings = 2
seed = 7
repeats = 0.1
groups = [{name = "experts", judges = 3, source = true}, {judges = 2}]
training = [{text = "a text", lowest = 1, highest = 2}]
[scale]
lowest = 1
highest = 5
names = {1 = "bad", "5" = "good"}
[stopping]
width = 0.5
looks = 3
"""
PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to damage: its name, its bytes, and its kind; each kind is as likely as any other."""

    name: str
    data: bytes
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong with a mutant: where, and why in words that are the same for all mutants of one cause."""

    number: int
    stage: str
    cause: str
    details: str = ""


@dataclass(slots=True)
class Tally:
    """What became of mutants."""

    mutants: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    failures: list[Failure] = field(default_factory=list[Failure])

    def add(self, other: Tally) -> None:
        """Count another's in."""
        self.mutants += other.mutants
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.outcomes += other.outcomes
        self.failures += other.failures


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this subject."""
    parser.add_argument("--mutants", type=int, default=5000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")
    parser.add_argument(
        "--kind", action="append", default=[], help="of files to damage, such as parquet; repeatable (default: all)"
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="read isolated formats in the fuzzing process, too, to see which abort",
    )
    parser.add_argument(
        "--only", type=int, metavar="NUMBER", help="the mutant of this number alone, with its traceback"
    )


def run(options: argparse.Namespace) -> int:
    """Fuzz; the status is 1 if anything went wrong."""
    kept = Path(tempfile.mkdtemp(prefix="fuzz-files-"))
    started = time.monotonic()
    kinds = tuple(options.kind)
    if unknown := set(kinds) - {source.kind for source in sources()}:
        print(f"no file of the kind {', '.join(unknown)}; kinds: {', '.join(sorted({s.kind for s in sources()}))}")
        return 2
    if options.only is not None:
        tally = fuzz([options.only], options.seed, kept, kinds=kinds)
    else:
        how = Chosen(options.seed, kinds, options.in_process)
        tally = in_processes(options.mutants, how, options.jobs, kept)
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.outcomes.items()))
    print(f"{tally.mutants:,} mutants of {len(sources()):,} files in {time.monotonic() - started:.0f} s: {counts}")
    print(f"slowest mutant: {tally.slowest:.1f} s of processor time")
    by_cause: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for failure in tally.failures:
        by_cause[failure.stage, failure.cause].append(failure)
    for (stage, cause), failures in sorted(by_cause.items(), key=lambda each: -len(each[1])):
        numbers = ", ".join(str(failure.number) for failure in failures[:KEPT])
        print(f"\n{len(failures)} x {stage}: {cause}\n  mutants {numbers} of seed {options.seed}")
        if options.only is not None:
            print(failures[0].details)
        for failure in failures[:KEPT]:
            folder, mutant = kept / str(failure.number), mutant_of(failure.number, options.seed, kinds)[1]
            folder.mkdir(exist_ok=True)
            (folder / _on_disk(mutant.name)).write_bytes(mutant.data)
    if tally.failures:
        print(f"\nkept in {kept}; again: python -m tests.fuzz files --seed {options.seed} --only NUMBER")
    return 1 if tally.failures else 0


def fuzz(
    numbers: Iterable[int], seed: int, folder: Path, seconds: float = SECONDS, kinds: tuple[str, ...] = ()
) -> Tally:
    """Try some mutants.

    Args:
        numbers: of the mutants.
        seed: of all random choices.
        folder: where files for the command line are written.
        seconds: of processor time that each attempt may take.
        kinds: of the files that are damaged; empty for all.
    """
    tally = Tally()
    for number in numbers:
        source, mutant, random = mutant_of(number, seed, kinds)
        started, memory = time.process_time(), _max_memory()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for stage, attempt in _attempts(source, mutant, random, folder / str(os.getpid())):
                before = time.process_time()
                try:
                    tally.outcomes[f"{stage}: {attempt()}"] += 1
                except Exception as error:  # noqa: BLE001 # what is looked for
                    details = "".join(traceback.format_exception(error))
                    tally.failures.append(Failure(number, stage, _cause(error), details))
                    tally.outcomes[f"{stage}: failed"] += 1
                taken = time.process_time() - before
                if taken > seconds:
                    tally.failures.append(Failure(number, stage, f"more than {seconds:g} s", f"{taken:.1f} s"))
        if number and _max_memory() - memory > GROWTH:
            tally.failures.append(Failure(number, "memory", f"grows by more than {GROWTH:,} bytes"))
        tally.mutants += 1
        tally.seconds += time.process_time() - started
        tally.slowest = max(tally.slowest, time.process_time() - started)
    return tally


def _max_memory() -> int:
    """The most memory that this process has had, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def mutant_of(number: int, seed: int, kinds: tuple[str, ...] = ()) -> tuple[int, Source, Random]:
    """The file that a mutant is made of, by its index, the mutant, and the chance that goes on from there."""
    random = Random(f"{seed} {number}")
    by_kind: dict[str, list[int]] = defaultdict(list)
    for index, source in enumerate(sources()):
        by_kind[source.kind].append(index)
    index = random.choice(by_kind[random.choice(sorted(kinds or by_kind))])
    source = sources()[index]
    others = tuple(other.data[:HEAD] for other in random.sample(sources(), 2))
    data = damaged(_head(source.data) if random.random() > WHOLE else source.data, others, random)
    name = source.name
    if random.random() < 0.1:
        name = Path(name).stem + random.choice(SUFFIXES)
    return index, Source(name, data), random


@cache
def sources() -> tuple[Source, ...]:
    """All files that mutants are made of."""
    suffixes = {"archive": ".zip", "ratings": ".csv"}
    found = [Source(kind + suffixes.get(kind, ".tsv"), data, kind) for kind, data in SAMPLES.items()]
    texts = sorted(Path(sample_data.__file__).parent.glob("**/*.txt"))
    found += [Source(path.name, path.read_bytes(), "sample data") for path in texts]
    counted = Texts({"A": ["a cat", "a dog"] * 20, "B": ["the cat", "a dog"] * 20}, {"R": ["the cat", "dogs"] * 20})
    for kind, bundling in (("counts per segment", None), ("counts in bundles", Bundling("lines", 7))):
        counts = count_texts(counted, counting=Counting("13a", lowercase=False), bundling=bundling)
        found.append(Source("all.counts", encode_counts(counts), kind))
    found += [*_binary_sources(), *_described_sources()]
    real = os.environ.get("BLEU_CONFORMANCE_DATA")
    if real:
        folder = Path(real) / "data"
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        for path in paths:
            kind = "markup" if path.suffix in MARKUP else "/".join(path.relative_to(folder).parts[:-1][:2])
            found.append(Source(path.name, path.read_bytes(), kind))
        for archive in sorted((folder / "formats" / "mt-metrics-eval").glob("*")):
            members = {str(p.relative_to(archive.parent)): _head(p.read_bytes()) for p in paths if archive in p.parents}
            found.append(Source(f"{archive.name}.zip", packed(members), "real archive"))
    return tuple(found)


def _binary_sources() -> Iterator[Source]:
    """Parquet, spreadsheets and compressed files as programs write them, with much that they may have."""
    texts = ["the cat sat", "", "ä – 中文", None] * 5
    plain = {"source": [f"s {n}" for n in range(20)], "S1": texts, "n": [*range(19), None], "f": [0.5, None] * 10}
    objects = {
        "refs": [["one", "two"], [], None, ["three"]] * 5,
        "S": [{"text": "a", "score": 1.5, "in": {"b": True}}, None, {"text": None, "score": 2.0, "in": None}, None] * 5,
        "day": [dt.date(2020, 1, 2), None] * 10,
        "time": [dt.datetime(2020, 1, 2, 3, 4, tzinfo=dt.UTC)] * 20,
        "decimal": [decimal.Decimal("1.50")] * 20,
        "bytes": [b"a", b"\xff"] * 10,
    }
    options: tuple[dict[str, Any], ...] = (
        {"compression": "none", "use_dictionary": False},
        {"compression": "zstd", "row_group_size": 6, "write_page_index": True},
        {"compression": "gzip", "data_page_version": "2.0", "write_statistics": False},
        {"compression": "brotli", "data_page_size": 64, "version": "1.0"},
        {"compression": "lz4", "use_byte_stream_split": ["f"], "use_dictionary": False, "write_page_checksum": True},
    )
    for each in options:
        yield Source("plain.parquet", parquet(plain, **each), "parquet")
        each.pop("use_byte_stream_split", None)
        yield Source("objects.parquet", parquet(objects, **each), "parquet")
    rows = [
        ["source", "S1", "score"],
        ["uno", "one & <two>", 2.5],
        ["dos", "", True],
        ["", "", ""],
        ["tres", "ä", -1e300],
    ]
    yield Source("sheets.xlsx", workbook(rows, [], rows[:1] + rows[3:]), "spreadsheet")
    empty = '<table:table-cell table:number-columns-repeated="3"/>'
    repeated = f'<table:table-row table:number-rows-repeated="4">{empty}</table:table-row>'
    sheet = open_document_rows(rows[:2]) + repeated + open_document_rows(rows[2:])
    yield Source("sheet.ods", open_document(open_document_rows([["A", "B"], ["a b", "c"], [1, 2.5]])), "ods")
    yield Source("sheets.ods", open_document(sheet, "", sheet + repeated), "ods")
    for ending, pack in PACKERS.items():
        for kind, of in (("table", ".csv"), ("ratings", ".csv"), ("json-lines", ".jsonl"), ("parquet", ".parquet")):
            yield Source(f"{kind}{of}{ending}", pack(SAMPLES[kind]), "compressed")
        yield Source(f"sheets.xlsx{ending}", pack(workbook(rows)), "compressed")
        yield Source(f"texts.txt{ending}", pack("".join(f"{text}\n" for text in texts * 50).encode()), "compressed")


def _described_sources() -> Iterator[Source]:
    """Manifests, plans and saved workspaces: files that say what is made of other files."""
    yield Source("bleu.toml", MANIFEST.encode(), "manifest")
    yield Source("plan.toml", PLAN.encode(), "plan")
    text = "".join(f"the cat {n}\n" for n in range(5)).encode()
    repairs = LineRepair("missing", 2, 1), LineRepair("joined", 4, 2)
    reference = File("ref.txt", text + b"a\nb\n", "reference")
    notes = (NoteRecord(data="x", segment=2, starred=True, note="a note"),)
    saved = SavedWorkspace(files=(reference, File("a.txt", text, "system", repairs=repairs)), notes=notes)
    yield Source("saved.bleu.zip", pack_workspace(saved), "workspace")


def _head(data: bytes) -> bytes:
    """The first lines of a text; other files whole."""
    if data.startswith(BINARY) or len(data) <= HEAD:
        return data
    return data[: data.rfind(b"\n", 0, HEAD) + 1] or data[:HEAD]


# --- what is tried ----------------------------------------------------------------------------------------------


def _attempts(index: int, mutant: Source, random: Random, folder: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    name, data = mutant.name, mutant.data
    yield "recognise", lambda: _refused_or(lambda: recognise(data, name) and "recognised")
    for role in ROLES:
        yield f"read as {role}", lambda role=role: _refused_or(lambda: _look_at(read(data, name, role)))
    yield "read as counts", lambda: _refused_or(lambda: _scored(data, name))
    yield "fit", lambda: _fit(mutant, healthy(index))
    if (of_kind := DESCRIBED.get(sources()[index].kind)) is not None:
        yield sources()[index].kind, lambda: _refused_or(lambda: of_kind(data))
    if random.random() < COMMANDS:
        role = role_of(index) if random.random() < IN_ROLE else random.choice(ROLES)
        call = _call(role, mutant, others=healthy(index), random=random, folder=folder)
        yield f"bleu-core {call[0]}", lambda: _command(call)
        if call[0] == "score" and role in ("system", "reference"):
            yield "bleu-core score, streamed", lambda: _streamed(call)


def _use_manifest(data: bytes) -> str:
    members = {"bleu.toml": data, "r.txt": b"a cat\na dog\n", "A.txt": b"a cat\ndogs\n", "B.txt": b"cat\na dog\n"}
    for files in by_test_set(open_uploads([("set.zip", lambda: packed(members))]).files).values():
        assemble(files)
    return "read"


def _use_plan(data: bytes) -> str:
    read_plan(data, "plan.toml")
    return "read"


def _use_workspace(data: bytes) -> str:
    found = assemble(open_workspace(data, "saved.bleu.zip").files)
    for entry in found.entries:
        if entry.problem:
            _how_refused(entry.problem)
    return "read"


#: Kinds of files that say what is made of other files -> what is done with them.
DESCRIBED: Mapping[str, Callable[[bytes], str]] = {
    "manifest": _use_manifest,
    "plan": _use_plan,
    "workspace": _use_workspace,
}


def _refused_or(attempt: Callable[[], str]) -> str:
    try:
        return attempt()
    except BleuCoreError as error:
        _check_message(str(error))
        return _how_refused(str(error))


def _how_refused(message: str) -> str:
    if TOO_LONG in message:
        raise AssertionError("the process of a reader takes too long")
    if TOO_MUCH in message:
        return "reader out of memory"
    stopped = STOPPED.search(message)
    return f"{stopped[1]} reader stopped" if stopped else "refused"


def _look_at(contents: Contents) -> str:
    for note in contents.report.notes:
        _check_length(note, "note")
    for aside in contents.report.unused_rows:
        _check_length(str(aside), "rows set aside")
    return "read"


def _scored(data: bytes, name: str) -> str:
    counts = decode_counts(data, name)
    score_counts(counts, BleuSettings(max_order=1))
    for sentence in oddities_of(counts):
        _check_length(sentence, "oddity")
    return "read"


def _check_message(message: str, what: str = "refusal") -> None:
    """See that a message is one line that any terminal can show."""
    _check_length(message, what)
    if UNPRINTABLE.search(message):
        error = AssertionError(f"{what} with a line end or another control character")
        error.add_note(repr(message))
        raise error


def _check_length(message: str, what: str) -> None:
    if not message:
        raise AssertionError(f"{what} is empty")
    if len(message) > MAX_LINE_LENGTH:
        error = AssertionError(f"{what} of more than {MAX_LINE_LENGTH} characters")
        error.add_note(message[:MAX_LINE_LENGTH])
        raise error


def _fit(mutant: Source, others: Sequence[Source]) -> str:
    """Fit a mutant together with healthy files; none of them may be lost, whatever it is."""
    files = [create_file(source.name, source.data, None) for source in (mutant, *others)]
    found = assemble(files)
    if not isinstance(found, Workspace) or len(found.entries) != len(files):
        raise AssertionError("files are missing from the workspace")
    for entry in found.entries:
        if entry.problem:
            _check_length(entry.problem, "problem of a file")
            _how_refused(entry.problem)
        for warning in entry.warnings:
            _check_length(warning, "warning of a file")
    return "set aside" if found.entries[0].problem else "in use"


def _call(role: FileRole, mutant: Source, others: Sequence[Source], random: Random, folder: Path) -> list[str]:
    """A command in which a mutant has a role, with healthy files in the others."""
    (folder / "mutant").mkdir(parents=True, exist_ok=True)
    path = folder / "mutant" / _on_disk(mutant.name)
    path.write_bytes(mutant.data)
    here = {source.name: str(folder / source.name) for source in others}
    for source in others:
        Path(here[source.name]).write_bytes(source.data)
    of_people: tuple[str, ...] = ("correlate", "paper")
    takes: dict[FileRole, tuple[str, ...]] = {"judgments": of_people, "scores": ("correlate",)}
    takes["document"] = ("blocks", "compare", *of_people)
    command = random.choice(takes.get(role, ("score", "blocks", "compare", *of_people)))
    options = {
        "score": ["--intervals"] if random.random() < 0.5 else [],
        "blocks": ["--block-size", "1"] if role != "document" else [],
        "compare": ["--resamples", "20", "--all-pairs"],
        "correlate": ["--trials", "20", "--judges", "--level", random.choice(("system", "segment"))],
        "paper": ["--draws", "5"],
    }
    call = [command, *options[command], "--format", random.choice(FORMATS)]
    if role == "archive":
        return [*call, "--archive", str(path)]
    named = {"--ref": here["ref.txt"]} | ({"--human": here["human.csv"]} if command in of_people else {})
    option = {"reference": "--ref", "judgments": "--human", "scores": "--metric-scores", "document": "--documents"}
    if role in option:
        named[option[role]] = str(path)
    call += [part for each in named.items() for part in each]
    return [*call, str(path) if role == "system" else here["systems.tsv"]]


def _command(call: list[str]) -> str:
    status, printed, said = _printed(call)
    if "unexpected error" in said:
        raise AssertionError(re.sub(r"^bleu-core \w+: |; run with .*", "", said)[:300])
    if status not in (0, 2):
        raise AssertionError(f"status {status}")
    *lines, rest = said.split("\n")
    if rest:
        raise AssertionError("the last line on standard error does not end")
    for line in lines:
        _check_message(line, "line on standard error")
    if status == 0:
        _check_output(call, printed)
        if not all(": warning: " in line for line in lines):
            raise AssertionError("a line on standard error that is no warning")
        return "status 0"
    if printed or len(lines) != 1:
        raise AssertionError(f"status 2, {len(printed)} characters printed, {len(lines)} lines on standard error")
    return f"status 2, {_how_refused(said)}"


def _printed(call: list[str]) -> tuple[object, str, str]:
    """The status of a command, and what it prints on standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status: object = command_line(call)
        except SystemExit as ended:
            status = ended.code
    return status, out.getvalue(), err.getvalue()


def _streamed(call: list[str]) -> str:
    """See that a file is scored, or refused, alike whether it is streamed or read as a whole."""
    plain = [part for part in call if part not in ("--intervals", "--format", *FORMATS)]
    streamed, whole = (_printed([*plain, *more, "--format", "json"]) for more in ([], ["--intervals"]))
    if (streamed[0], streamed[2]) != (whole[0], whole[2]):
        raise AssertionError(f"status {streamed[0]} where it is streamed, {whole[0]} else, or another message")
    if streamed[0] == 0:
        one, other = (json.loads(printed)["systems"] for printed in (streamed[1], whole[1]))
        if [system["bleu"] for system in one] != [system["bleu"] for system in other]:
            raise AssertionError("another score where it is streamed")
    return "alike"


def _check_output(call: list[str], printed: str) -> None:
    if "json" in call:
        json.loads(printed, parse_constant=_refuse_constant)
    if "table" in call and UNPRINTABLE.search(printed.replace("\n", "")):
        raise AssertionError("a control character in a table")


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


# --- healthy files ----------------------------------------------------------------------------------------------


@cache
def role_of(index: int) -> FileRole:
    """What a file is before it is damaged."""
    source = sources()[index]
    try:
        return recognise(source.data, source.name)
    except BleuCoreError:
        return "system"


@cache
def healthy(index: int) -> tuple[Source, ...]:
    """A reference, systems, documents and ratings that fit a file as it is before it is damaged."""
    source = sources()[index]
    systems, segments, documents = ("A", "B", "C"), 6, []
    with contextlib.suppress(BleuCoreError):
        contents = read(_head(source.data), source.name, role_of(index))
        if contents.columns:
            segments = len(contents.columns[0].segments)
        if contents.scores:
            systems, segments = contents.scores[0].systems[:4], contents.scores[0].scores.shape[1] or 6
        judgments = contents.judgments
        if judgments is not None and not contents.columns:
            systems = judgments.systems[:4]
            numbered = judgments.table["segment"].dropna()
            segments = int(numbered.max()) if len(numbered) else segments
            if judgments.numbering == "document":
                rows = judgments.table.groupby("document", sort=False)["segment"].max().dropna()
                documents = [str(document) for document, count in rows.items() for _ in range(int(count) + 1)]
                segments = len(documents)
    segments = min(max(segments, 2), 5000)
    words = ("the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "park", "it", "is", "late", "now")
    random = Random(index)  # the same healthy files for all mutants of a file
    texts = [[" ".join(random.choices(words, k=6)) for _ in range(segments)] for _ in (*systems, "ref")]
    table = ["\t".join(systems), *("\t".join(row) for row in zip(*texts[:-1], strict=True))]
    ratings = [
        f"{n},{_csv(name)},j{j},{random.randrange(100)}" for n in range(1, 4) for name in systems for j in (1, 2)
    ]
    found = {
        "ref.txt": texts[-1],
        "systems.tsv": table,
        "human.csv": ["segment,system,judge,score", *ratings],
        "docs.txt": documents,
    }
    return tuple(Source(name, ("\n".join(lines) + "\n").encode()) for name, lines in found.items() if lines)


def _csv(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


# --- processes --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """What mutants are made of and how they are read: the seed, the kinds of files, and whether all in one process."""

    seed: int
    kinds: tuple[str, ...] = ()
    in_process: bool = False


def in_processes(
    mutants: int, how: Chosen | None, jobs: int, folder: Path, work: Callable[..., None] | None = None
) -> Tally:
    """Try mutants in several processes; where one ends early, or hangs, the mutant that it was at is a failure."""
    tally = Tally()
    context = multiprocessing.get_context("spawn")
    size = max(100, min(1000, -(-mutants // jobs)))
    waiting = [range(start, min(start + size, mutants)) for start in range(0, mutants, size)][::-1]
    running: dict[BaseProcess, tuple[range, Path]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            numbers = waiting.pop()
            report = folder / f"report-{numbers.start}"
            process = context.Process(target=work or try_each, args=(numbers, how, folder, report))
            process.start()
            running[process] = numbers, report
        time.sleep(0.1)
        for process, (numbers, report) in list(running.items()):
            if process.is_alive():
                continue
            del running[process]
            done = numbers.start
            for line in report.read_text(encoding="utf-8").splitlines() if report.exists() else ():
                found = json.loads(line)
                failures = [Failure(**failure) for failure in found.pop("failures")]
                tally.add(Tally(**(found | {"outcomes": Counter(found["outcomes"]), "failures": failures})))
                done += 1
            if done < numbers.stop:
                cause = f"the process {_end(process.exitcode)}, or was ended after {HANGS} s"
                tally.failures.append(Failure(done, "process", cause))
                tally.mutants += 1
                waiting.append(range(done + 1, numbers.stop))
            print(f"{tally.mutants:,} of {mutants:,}, {len(tally.failures):,} failures", flush=True)
    return tally


def _end(status: int | None) -> str:
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def try_each(numbers: range, how: Chosen, folder: Path, report: Path) -> None:
    """Try mutants and write what became of each to a line of the report."""
    import pandas as pd
    import scipy.stats  # both take seconds to load, which no mutant is to blame for

    del pd, scipy
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if how.in_process:
        for isolated in [each for each in formats.FORMATS.values() if each.isolated]:
            object.__setattr__(isolated, "isolated", False)  # of this process only
    with report.open("w", encoding="utf-8") as lines:
        for number in numbers:
            faulthandler.dump_traceback_later(HANGS, exit=True)
            tally = fuzz([number], how.seed, folder, kinds=how.kinds)
            faulthandler.cancel_dump_traceback_later()
            failures = [{name: getattr(each, name) for name in Failure.__slots__} for each in tally.failures]
            fields = {name: getattr(tally, name) for name in ("mutants", "seconds", "slowest", "outcomes")}
            lines.write(json.dumps(fields | {"failures": failures}) + "\n")
            lines.flush()


def _cause(error: Exception) -> str:
    """The error's kind and the last line of the project that it passed through, or what a check here says."""
    if isinstance(error, AssertionError):
        return str(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if ".venv" not in frame.filename]
    inside = [frame for frame in frames if frame.filename.startswith(str(PROJECT)) and "/fuzz/" not in frame.filename]
    place = f" at {Path(inside[-1].filename).name}:{inside[-1].lineno}" if inside else f": {error}"
    kind = str(error) if isinstance(error, RuntimeError) else type(error).__name__  # of an isolated reader, its own
    return f"{kind}{place}"


def _on_disk(name: str) -> str:
    """The name of a mutant as that of a file."""
    return Path(name).name.replace("\0", "")[:200] or "unnamed"
