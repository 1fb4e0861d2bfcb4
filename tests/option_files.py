"""Small files of every kind that commands take, for tests of their options."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from wmt_files import shared_task

from bleu_core.formats import FileRole
from bleu_core.project import SavedWorkspace, write_workspace
from bleu_core.uploads import File, assemble

SEGMENTS = 104  # enough for the bootstrap
WORDS = "The cat, the dog and 3 birds sat on a mat near Oslo while rain fell over “old” hills and cafés ."
#: Share of words that a system has wrong.
ERRORS: Mapping[str, float] = {"A": 0.1, "B": 0.3, "C": 0.5}
#: Language pairs of the test set in an archive, and of the documents.
PAIRS, DOCUMENT_PAIR = ("en-de", "en-fr"), "eng_Latn-isl_Latn"
#: Test sets of a collection.
SETS = ("en-de", "en-fr", "en-zh")
METRICS = ("COMET", "HTER")
PLAN = """
title = "Pilot"
systems = ["A", "B"]
segments = 12
repeats = 0.1
degraded = 0.1
groups = [{name = "people", judges = 3, source = false}]
"""

ROLES: Mapping[str, FileRole] = {
    "ref.txt": "reference",
    "ref2.txt": "reference",
    "A.txt": "system",
    "B.txt": "system",
    "C.txt": "system",
    "human.csv": "judgments",
    "labels.tsv": "labels",
    "scores.tsv": "scores",
    "docs.txt": "document",
    "src.txt": "source",
}


def write_files(folder: Path) -> Path:
    """Write the files, and return the folder."""
    draw, texts = random.Random(7), _texts(1)
    numbers = range(1, SEGMENTS + 1)
    contents: dict[str, str | bytes] = {f"{name}.txt": _lines(lines) for name, lines in texts.items()}
    contents["ref3.txt"] = _lines(texts["ref2"][::-1])
    contents["src.txt"] = _lines([f"quelle {line}" for line in texts["ref"]])
    contents["docs.txt"] = _lines([f"d{n // 4}" for n in range(SEGMENTS)])
    # Better than A except in the first of four documents.
    contents["D.txt"] = _lines([*texts["C"][:30], *texts["ref"][30:45], *texts["A"][45:]])
    contents["quarters.txt"] = _lines([f"d{n // 30}" for n in range(SEGMENTS)])
    contents["few.txt"] = _lines([f"d{n // 40}" for n in range(SEGMENTS)])
    contents["labels.tsv"] = _lines(["segment\tkind", *(f"{n}\t{_kind(n)}" for n in numbers)])
    ratings = [
        f"{n},{name},{judge},{100 - 100 * share + draw.gauss(0, 8) - 9 * (judge == 'y'):.1f}"
        for name, share in ERRORS.items()
        for n in numbers
        for judge in ("x", "y", "z")
        if judge != "z" or (name != "C" and n < SEGMENTS // 2)
    ]
    contents["human.csv"] = _lines(["segment,system,judge,score", *ratings])
    from_0 = [f"{n - 1},{name},x,{50 + n % 7}" for name in ERRORS for n in numbers]
    contents["human0.csv"] = _lines(["segment,system,judge,score", *from_0])
    contents["mqm.tsv"] = _lines(_mqm(texts, draw))
    scores = [
        f"{n}\t{name}\t{metric}\t{(1 - share if metric == METRICS[0] else 9 + share) + draw.gauss(0, 0.1):.3f}"
        for name, share in ERRORS.items()
        for n in numbers
        for metric in METRICS
    ]
    contents["scores.tsv"] = _lines(["segment\tsystem\tmetric\tscore", *scores])
    contents["spans.json"] = _spans(texts, draw)
    rows = [
        [*(texts[name][n] for name in ("ref", "ref", "ref2", *ERRORS)), f"d{n // 2}", _kind(n // 2)]
        for n in range(SEGMENTS)
    ]
    header = ",".join(["src", "gold", "silver", *ERRORS, "doc", "kind"])
    contents["table.csv"] = _lines([header, *(",".join(f'"{cell}"' for cell in row) for row in rows)])
    contents["test.zip"] = _zip(_mt_metrics_eval(texts))
    loose = {f"systems/{name}.txt": _lines(texts[name]) for name in ERRORS}
    contents["loose.zip"] = _zip({**loose, "references/ref.txt": _lines(texts["ref"])})
    task = shared_task()
    contents["documents/test.jsonl"] = task.test_set
    contents |= {f"documents/{name}.jsonl": task.of_systems[name] for name in ("A", "B", "D 4 - 9B")}
    sets = _sets()
    contents |= {f"sets/{name}": content for name, content in sets.items()}
    contents["sets.zip"] = _zip(sets)
    contents["plan.toml"] = PLAN
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    _save(folder, "w.bleu.zip", ROLES)
    of_errors: dict[str, FileRole] = {name: role for name, role in ROLES.items() if role != "judgments"}
    of_errors["mqm.tsv"] = "judgments"
    _save(folder, "mqm.bleu.zip", of_errors)
    of_documents: dict[str, FileRole] = {f"documents/{name}.jsonl": "system" for name in "AB"}
    of_documents["documents/test.jsonl"] = "reference"
    _save(folder, "documents.bleu.zip", of_documents, pair=DOCUMENT_PAIR)
    roles: Mapping[str, FileRole] = {"references": "reference", "systems": "system"}
    files = [
        File(Path(name).name, content.encode(), roles[name.split("/")[1]], test_set=name.split("/")[0])
        for name, content in sets.items()
        if "/" in name
    ]
    write_workspace(SavedWorkspace(files=tuple(files)), folder / "sets.bleu.zip")
    return folder


def _texts(seed: int) -> dict[str, list[str]]:
    """Return two references, of which the second is longer, and the outputs of systems."""
    draw, words = random.Random(seed), WORDS.split()

    def changed(line: str, share: float) -> str:
        return " ".join(draw.choice(words) if draw.random() < share else word for word in line.split())

    ref = [" ".join(draw.choices(words, k=draw.randint(6, 14))) for _ in range(SEGMENTS)]
    systems = {name: [changed(line, share) for line in ref] for name, share in ERRORS.items()}
    return {"ref": ref, "ref2": [f"{changed(line, 0.2)} indeed" for line in ref], **systems}


def _lines(texts: Sequence[object]) -> str:
    return "".join(f"{text}\n" for text in texts)


def _kind(segment: int) -> str:
    return "news" if segment % 2 else "talk"


def _mqm(texts: Mapping[str, Sequence[str]], draw: random.Random) -> list[str]:
    """Return errors that two judges marked, with a category and a severity."""
    rows = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for name, share in ERRORS.items():
        for n, line in enumerate(texts[name], start=1):
            for judge in ("x", "y"):
                severity, category, target = "No-error", "No-error", line
                if draw.random() < 2 * share:
                    severity, category = draw.choice(("Major", "Minor")), draw.choice(("Accuracy/Omission", "Style"))
                    target = f"<v>{line.replace(' ', '</v> ', 1)}"
                rows.append(f"{name}\td{(n - 1) // 2}\t{n}\t{judge}\t-\t{target}\t{category}\t{severity}")
    return rows


def _spans(texts: Mapping[str, Sequence[str]], draw: random.Random) -> str:
    """Return scores of segments with marked errors, as COMET writes them."""
    content: dict[str, list[object]] = {}
    for name, share in ERRORS.items():
        for line in texts[name]:
            end = line.index(" ")
            errors = [{"start": 0, "end": end, "severity": "major", "text": line[:end], "confidence": 0.7}]
            found = errors if draw.random() < share + 0.2 else []
            content.setdefault(f"{name}.txt", []).append({"mt": line, "COMET": 1 - share, "errors": found})
    return json.dumps(content)


def _zip(members: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _mt_metrics_eval(texts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a test set of two language pairs with two kinds of human scores."""
    members: dict[str, str] = {}
    for number, pair in enumerate(PAIRS):
        own, draw = (_texts(99) if number else texts), random.Random(number)
        members[f"t/sources/{pair}.txt"] = _lines([f"quelle {line}" for line in own["ref"]])
        members[f"t/documents/{pair}.docs"] = _lines([f"news\td{n // 2}" for n in range(SEGMENTS)])
        members |= {f"t/references/{pair}.ref{k}.txt": _lines(own[name]) for k, name in (("A", "ref"), ("B", "ref2"))}
        members |= {f"t/system-outputs/{pair}/{name}.txt": _lines(own[name]) for name in ERRORS}
        for path in ("human-scores/{}.mqm", "human-scores/{}.da-sqm", "metric-scores/{}/COMET-refA"):
            members[f"t/{path.format(pair)}.seg.score"] = _lines(
                [f"{name}\t{1 - share + draw.gauss(0, 0.1):.3f}" for name, share in ERRORS.items() for _ in own["ref"]]
            )
    return members


def _sets() -> dict[str, str]:
    """Return the files of several test sets, and their manifest."""
    members: dict[str, str] = {}
    for number, name in enumerate(SETS, start=2):
        for text, lines in _texts(number).items():
            members[f"{name}/{'references' if text.startswith('ref') else 'systems'}/{text}.txt"] = _lines(lines)
    sets = (
        f'[sets.{name}]\nreferences = ["{name}/references/ref.txt"]\nsystems = ["{name}/systems/*.txt"]\n'
        for name in SETS
    )
    return {**members, "bleu.toml": "".join(sets)}


def _save(folder: Path, name: str, roles: Mapping[str, FileRole], pair: str | None = None) -> None:
    files = tuple(File(Path(path).name, (folder / path).read_bytes(), role, pair=pair) for path, role in roles.items())
    write_workspace(SavedWorkspace(files=files, data=assemble(files).digest), folder / name)
