"""All options of all commands on all kinds of input, on small files: which values are varied, and what they need."""

from __future__ import annotations

import argparse
import io
import json
import random
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wmt_files import shared_task

from bleu_core.cli.arguments import Parser, build_parser
from bleu_core.cli.commands import COMMANDS, load, supplied_commands
from bleu_core.project import SavedWorkspace, write_workspace
from bleu_core.uploads import File, assemble

SEGMENTS = 104
WORDS = "The cat, the dog and 3 birds sat on a mat near Oslo while rain fell over green hills and “old” cafés .".split()
ERRORS = {"A": 0.1, "B": 0.3, "C": 0.5}
PAIR, OTHER_PAIR = "en-de", "en-fr"


@dataclass(frozen=True)
class Files:
    """The folder of the files of the grid, by name."""

    folder: Path

    def __getitem__(self, name: str) -> str:
        return str(self.folder / name)


def _texts(seed: int) -> dict[str, list[str]]:
    draw = random.Random(seed)

    def changed(line: str, share: float) -> str:
        return " ".join(draw.choice(WORDS) if draw.random() < share else word for word in line.split())

    ref = [" ".join(draw.choices(WORDS, k=draw.randint(6, 14))) for _ in range(SEGMENTS)]
    second = [f"{changed(line, 0.2)} indeed" for line in ref]
    return {"ref": ref, "ref2": second} | {
        name: [changed(line, share) for line in ref] for name, share in ERRORS.items()
    }


def _lines(texts: Sequence[object]) -> str:
    return "".join(f"{text}\n" for text in texts)


def write_files(folder: Path) -> Files:
    """Write the files."""
    draw, texts = random.Random(7), _texts(1)
    files = Files(folder)

    def write(name: str, content: str | bytes) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    for name, lines in texts.items():
        write(f"{name}.txt", _lines(lines))
    write("ref3.txt", _lines(texts["ref2"][::-1]))
    write("src.txt", _lines(f"quelle {line}" for line in texts["ref"]))
    write("docs.txt", _lines([f"d{n // 2}" for n in range(SEGMENTS)]))
    write("few.txt", _lines([f"d{n // 40}" for n in range(SEGMENTS)]))
    write(
        "labels.tsv",
        "segment\tkind\n" + "".join(f"{n}\t{'news' if n % 2 else 'talk'}\n" for n in range(1, SEGMENTS + 1)),
    )
    ratings = [
        f"{n},{name},{judge},{round(100 - 100 * share + draw.gauss(0, 8) - 9 * (judge == 'y'), 1)},{n % 5}"
        for name, share in ERRORS.items()
        for n in range(1, SEGMENTS + 1)
        for judge in ("x", "y", "z")
        if judge != "z" or (name != "C" and n < 50)
    ]
    write("human.csv", "segment,system,judge,score,seconds\n" + _lines(ratings))
    write(
        "human0.csv",
        "segment,system,judge,score\n" + _lines(f"{n},{s},x,{50 + n % 7}" for s in ERRORS for n in range(SEGMENTS)),
    )
    mqm = ["system\tdoc\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"]
    for name, share in ERRORS.items():
        for n, line in enumerate(texts[name], start=1):
            for judge in ("x", "y"):
                marked = f"<v>{line.replace(' ', '</v> ', 1)}"
                severity = ("Major", "Minor", "No-error")[draw.choices((0, 1, 2), (share, share, 1))[0]]
                category = (
                    "No-error" if severity == "No-error" else draw.choice(["Accuracy/Omission", "Fluency/Punctuation"])
                )
                mqm.append(
                    f"{name}\td{(n - 1) // 2}\t{n}\t{judge}\t-\t{line if severity == 'No-error' else marked}\t{category}\t{severity}"
                )
    write("mqm.tsv", _lines(mqm))
    scores = [
        f"{n}\t{name}\t{metric}\t{(1 - share if metric == 'COMET' else 100 * share) + draw.gauss(0, 0.1):.3f}"
        for name, share in ERRORS.items()
        for n in range(1, SEGMENTS + 1)
        for metric in ("COMET", "HTER")
    ]
    write("scores.tsv", "segment\tsystem\tmetric\tscore\n" + _lines(scores))
    write("spans.json", _spans(texts, draw))
    header = ",".join(["src", "gold", "silver", *ERRORS, "doc", "kind", "w"])
    quoted = [
        [texts[c][n].replace('"', "'") for c in ("ref", "ref", "ref2", *ERRORS)]
        + [f"d{n // 2}", "news" if n % 2 else "talk", "x"]
        for n in range(SEGMENTS)
    ]
    write("table.csv", header + "\n" + _lines(",".join(f'"{cell}"' for cell in row) for row in quoted))
    write("test.zip", _mt_metrics_eval(texts))
    write(
        "loose.zip",
        _zip(
            {
                "references/ref.txt": _lines(texts["ref"]),
                **{f"systems/{s}.txt": _lines(texts[s]) for s in ERRORS},
                "human.csv": (folder / "human.csv").read_text(),
            }
        ),
    )
    task = shared_task()
    write("documents/test.jsonl", task.test_set)
    for name in ("A", "B", "D 4 - 9B"):
        write(f"documents/{name}.jsonl", task.of_systems[name])
    roles = {
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
    _workspace(files, "w.bleu.zip", roles)
    _workspace(
        files,
        "mqm.bleu.zip",
        {name: role for name, role in roles.items() if name != "human.csv"} | {"mqm.tsv": "judgments"},
    )
    _workspace(files, "test.bleu.zip", {"test.zip": "archive"})
    _workspace(
        files,
        "documents.bleu.zip",
        {"documents/test.jsonl": "reference", "documents/A.jsonl": "system", "documents/B.jsonl": "system"},
    )
    for number, name in enumerate(("en-de", "en-fr", "en-zh")):
        for role, lines in _texts(number + 2).items():
            write(f"sets/{name}/{'references' if role.startswith('ref') else 'systems'}/{role}.txt", _lines(lines))
        write(f"sets/{name}/human.csv", (folder / "human.csv").read_bytes())
        write(f"sets/{name}/scores.tsv", (folder / "scores.tsv").read_bytes())
    write(
        "sets.zip",
        _zip(
            {str(p.relative_to(folder / "sets")): p.read_text() for p in (folder / "sets").rglob("*.*") if p.is_file()}
        ),
    )
    manifest = "".join(
        f'[sets.{name}]\nreferences = ["{name}/references/ref.txt"]\nsystems = ["{name}/systems/*.txt"]\nhuman = ["{name}/human.csv"]\nmetric_scores = ["{name}/scores.tsv"]\n'
        for name in ("en-de", "en-fr", "en-zh")
    )
    write("sets/bleu.toml", manifest)
    several = tuple(
        File(
            p.name,
            p.read_bytes(),
            "reference"
            if "references" in p.parts
            else "system"
            if "systems" in p.parts
            else "judgments"
            if p.name == "human.csv"
            else "scores",
            test_set=p.relative_to(folder / "sets").parts[0],
        )
        for p in sorted((folder / "sets").rglob("*.t*"))
        if p.name != "bleu.toml"
    )
    write_workspace(SavedWorkspace(files=several), files["sets.bleu.zip"])
    write("plan.toml", PLAN)
    return files


PLAN = """
title = "Pilot"
systems = ["A", "B"]
segments = 12
repeats = 0.1
degraded = 0.1
groups = [{name = "people", judges = 3, source = false}]
"""


def _spans(texts: Mapping[str, list[str]], draw: random.Random) -> str:
    """Scores of segments with marked errors, as COMET writes them."""
    content: dict[str, list[object]] = {}
    for name, share in ERRORS.items():
        for line in texts[name]:
            end = line.index(" ")
            errors = [{"start": 0, "end": end, "severity": "major", "text": line[:end], "confidence": 0.7}]
            content.setdefault(f"{name}.txt", []).append(
                {"mt": line, "COMET": 1 - share, "errors": errors if draw.random() < share + 0.2 else []}
            )
    return json.dumps(content)


def _zip(members: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _mt_metrics_eval(texts: Mapping[str, list[str]]) -> bytes:
    members: dict[str, str] = {}
    for number, pair in enumerate((PAIR, OTHER_PAIR)):
        own = texts if not number else _texts(99)
        members[f"t/sources/{pair}.txt"] = _lines(f"quelle {line}" for line in own["ref"])
        members[f"t/documents/{pair}.docs"] = _lines(f"news\td{n // 2}" for n in range(SEGMENTS))
        members[f"t/references/{pair}.refA.txt"] = _lines(own["ref"])
        members[f"t/references/{pair}.refB.txt"] = _lines(own["ref2"])
        draw = random.Random(number)
        for name, share in ERRORS.items():
            members[f"t/system-outputs/{pair}/{name}.txt"] = _lines(own[name])
        for kind in ("mqm", "da-sqm"):
            members[f"t/human-scores/{pair}.{kind}.seg.score"] = "".join(
                f"{name}\t{-10 * share + draw.gauss(0, 1):.2f}\n"
                for name, share in ERRORS.items()
                for _ in range(SEGMENTS)
            )
        for metric in ("COMET-refA", "HTER-src"):
            members[f"t/metric-scores/{pair}/{metric}.seg.score"] = "".join(
                f"{name}\t{1 - share + draw.gauss(0, 0.1):.3f}\n"
                for name, share in ERRORS.items()
                for _ in range(SEGMENTS)
            )
    return _zip(members)


def _workspace(files: Files, name: str, roles: Mapping[str, str]) -> None:
    members = tuple(File(Path(path).name, Path(files[path]).read_bytes(), role) for path, role in roles.items())  # type: ignore[arg-type]
    write_workspace(SavedWorkspace(files=members, data=assemble(members).digest), files[name])


def parsers() -> dict[str, Parser]:
    """The parser of each command and of each action of campaign, by its name."""
    names = (*COMMANDS, *supplied_commands())
    found: dict[str, Parser] = {}
    for name, parser in _subparsers(build_parser({name: load(name) for name in names})).items():
        found |= {f"{name} {action}": own for action, own in _subparsers(parser).items()} or {name: parser}
    return found


def _subparsers(parser: argparse.ArgumentParser) -> Mapping[str, Parser]:
    return next((a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction)), {})  # noqa: SLF001


def options_of(parser: Parser) -> dict[str, argparse.Action]:
    """The options of a parser, each by its first spelling."""
    return {a.option_strings[0]: a for a in parser._actions if a.option_strings and a.dest != "help"}  # noqa: SLF001


#: A call without the files of a kind of input: the command -> the arguments that it needs with every kind.
NEEDED: Mapping[str, Sequence[str]] = {
    "slices": ["--by", "kind"],
    "probe": ["--metric", "bleu", "--probe", "drop-words"],
    "paper": ["--draws", "5"],
    "count": ["--out", "@out/x.counts"],
    "campaign create": ["@plan.toml", "--dry-run"],
    "report": ["--out", "@out/x.html"],
    "figure": ["pairs", "--out", "@out/x.svg"],
}
#: Files that commands need beside the texts, which archives and workspaces have.
BESIDE: Mapping[str, Sequence[str]] = {
    "slices": ["--labels", "@labels.tsv"],
    "correlate": ["--human", "@human.csv"],
    "review": ["--human", "@human.csv"],
    "errors": ["--human", "@mqm.tsv"],
    "paper": ["--human", "@human.csv"],
}
SYSTEMS = ["@A.txt", "@B.txt", "@C.txt"]
REFERENCES = ["--ref", "@ref.txt", "--ref", "@ref2.txt"]
COLUMNS = "src=source,gold=reference,silver=reference,doc=document,kind=label,A=system,B=system,C=system"
KINDS: Mapping[str, Sequence[str]] = {
    "texts": [*REFERENCES, *SYSTEMS],
    "stdin": [*REFERENCES, "@A.txt", "@B.txt", "-"],
    "table": ["--columns", COLUMNS, "@table.csv"],
    "archive": ["--archive", "@test.zip"],
    "documents": ["--archive", "@documents", "--language-pair", "eng_Latn-isl_Latn"],
    "zip": ["--archive", "@loose.zip"],
    "counts": ["@A.counts", "@B.counts", "@C.counts"],
    "workspace": ["--workspace", "@w.bleu.zip"],
}

#: The option, or the command and the option -> its values, each as a call would have it, after what it needs beside it:
#: "NEEDED && OPTION". A key with a command applies there instead of the key without it.
VARIED: Mapping[str, Sequence[str]] = {
    "--ref": ["--ref @ref3.txt"],
    "--exclude-system": ["--exclude-system B"],
    "--exclude-reference": ["--exclude-reference {second}"],
    "--columns": ["--columns A=system:Z"],
    "--archive": ["--archive @loose.zip"],
    "--language-pair": ["--language-pair en-fr", "--language-pair eng_Latn-ces_Latn"],
    "--paragraphs": ["--paragraphs"],
    "--shared-segments": ["documents: --shared-segments"],
    "--workspace": ["--workspace @w.bleu.zip"],
    "--set": ["--set x"],
    "--slice": ["--slice 'segment > 12'"],
    "--labels": ["--labels @labels.tsv", "--slice 'kind = news' && --labels @labels.tsv"],
    "--source": ["--source @A.txt", "texts: --slice 'source ~ dog' && --source @src.txt"],
    "--format-of": ["--format-of {first}=json-lines"],
    "--format": ["--format json"],
    "--limit": ["--limit line_length=9"],
    "--debug": [],
    "--workers": [],
    "--preset": ["--preset paper"],
    "--tokenizer": ["--tokenizer char"],
    "--lowercase": ["--lowercase"],
    "--max-order": ["--max-order 2"],
    "--weights": ["--weights 0.7,0.1,0.1,0.1"],
    "--smoothing": ["--smoothing add-k"],
    "--smoothing-value": ["--smoothing floor && --smoothing-value 0.5", "--smoothing-value 0.5"],
    "--reference-length": ["--reference-length average"],
    "--ter-normalized": ["--metric ter && --ter-normalized", "--ter-normalized"],
    "--ter-no-punct": ["--metric ter && --ter-no-punct", "--ter-no-punct"],
    "--ter-asian-support": ["--metric ter && --ter-asian-support", "--ter-asian-support"],
    "--encoding": ["--encoding utf-16-le"],
    "--metric": ["--metric chrf2"],
    "--human-system": ["--human-system C"],
    "--include-human": ["--human-system C && --include-human C"],
    "--optimised": ["--optimised B=bleu", "--optimised B=ter"],
    "--documents": ["--documents @docs.txt", "texts: --slice 'document = d1' && --documents @docs.txt"],
    "--intervals": ["--intervals"],
    "--metric-scores": ["--metric-scores @scores.tsv"],
    "--lower-is-better": ["--metric-scores @scores.tsv && --lower-is-better COMET", "--lower-is-better COMET"],
    "--higher-is-better": ["--metric-scores @scores.tsv && --higher-is-better HTER", "--higher-is-better HTER"],
    "--human": [
        "--human @human.csv",
        "--metric human && --human @human.csv",
        "--slice 'ratings > 2' && --human @human.csv",
    ],
    "--human-scores": ["--human-scores da-sqm", "--metric human && --human-scores da-sqm"],
    "--first-segment": ["--first-segment 0", "--human @human0.csv --metric human && --first-segment 0"],
    "--mqm-weights": [
        "--mqm-weights major=9",
        "--metric human --human @mqm.tsv && --mqm-weights major=9",
        "--metric human --human @human.csv && --mqm-weights major=9",
    ],
    "--adjust-judges": ["--adjust-judges", "--metric human --human @human.csv && --adjust-judges"],
    "--standardise": ["--standardise", "--metric human --human @human.csv && --standardise"],
    "--exclude-judge": ["--exclude-judge x", "--metric human --human @human.csv && --exclude-judge x"],
    "--group": ["--group AB=[AB]"],
    "errors --group": ["--group x"],
    "--blocks": ["--blocks 3"],
    "compare --blocks": ["--blocks 3", "--test t && --blocks 3", "--test t --documents @docs.txt && --blocks 3"],
    "--block-size": ["--block-size 5"],
    "--baseline": ["--baseline B", "--all-pairs && --baseline B"],
    "--all-pairs": ["--all-pairs"],
    "--test": ["--test t", "--test randomization", "--group AB=[AB] && --test t"],
    "correlate --test": [
        "--metric bleu --metric ter --metric chrf2 && --test williams",
        "--test williams",
        "--level segment && --test williams",
    ],
    "--trials": ["--trials 9"],
    "compare --trials": [
        "--trials 9",
        "--test randomization && --trials 9",
        "--test t && --trials 9",
        "--test sacrebleu-bootstrap && --trials 9",
    ],
    "correlate --trials": [
        "--trials 9",
        "--metric bleu --metric chrf2 --metric ter && --trials 9",
        "--metric bleu --metric ter --test williams && --trials 9",
        "--level segment --classes && --trials 9",
    ],
    "--correction": ["--correction none", "--all-pairs && --correction none"],
    "correlate --correction": ["--correction none", "--metric bleu --metric chrf2 --metric ter && --correction none"],
    "--reversal": ["--reversal"],
    "--paired-runs": ["--group 'A=A*' --group 'B=B*' && --paired-runs", "--paired-runs"],
    "--units": ["--documents @docs.txt && --units segments", "--documents @few.txt && --units documents"],
    "--resamples": ["--resamples 30"],
    "compare --resamples": [
        "--resamples 30",
        "--test t && --resamples 30",
        "--test randomization && --resamples 30",
        "--test sacrebleu-bootstrap && --resamples 30",
    ],
    "--seed": ["--seed 7"],
    "compare --seed": ["--seed 7", "--test t && --seed 7", "--test randomization && --seed 7"],
    "correlate --seed": [
        "--seed 7",
        "--interval bootstrap && --seed 7",
        "--level segment && --seed 7",
        "--metric bleu --metric ter && --seed 7",
        "--human-ranking raw && --seed 7",
    ],
    "--alpha": ["--alpha 0.3"],
    "--slice-seen": [
        "--slice-seen",
        "--slice 'bleu > 20' && --slice-seen",
        "--slice 'equal = yes' && --slice-seen",
        "--slice 'segment > 5' && --slice-seen",
    ],
    "--system": ["--system B"],
    "--correct-over": ["--correct-over table", "--baseline A && --correct-over table"],
    "table --baseline": ["--baseline B"],
    "table --all-pairs": ["--all-pairs"],
    "table --set": ["--set en-de"],
    "table --exclude-system": ["--exclude-system C"],
    "table --resamples": ["--resamples 30", "--set en-de && --resamples 30"],
    "table --seed": ["--seed 7", "--set en-de && --seed 7"],
    "table --alpha": ["--alpha 0.3", "--set en-de && --alpha 0.3"],
    "--agreement": ["--agreement"],
    "--tokenizer-by-language": ["--tokenizer-by-language", "--tokenizer char && --tokenizer-by-language"],
    "--by": ["--by category"],
    "slices --by": ["--by length"],
    "--order": ["--order 2"],
    "--top": ["--top 1"],
    "--kind": ["--kind digits"],
    "--margin": ["--margin 20"],
    "--require": ["--require not-worse"],
    "--junit": ["--junit @out/x.xml"],
    "--level": ["--level segment"],
    "--method": [
        "--method spearman",
        "--level segment && --method spearman",
        "--metric bleu --metric ter && --method spearman",
    ],
    "--grouping": ["--grouping none", "--level segment && --grouping none"],
    "--interval": [
        "--interval bootstrap",
        "--level segment && --interval bootstrap",
        "--metric bleu --metric ter && --interval bootstrap",
    ],
    "--also": ["--also chrF2"],
    "--classes": ["--classes", "--level segment && --classes"],
    "--language": ["--language de", "--level segment --classes && --language de"],
    "--human-ranking": ["--human-ranking raw"],
    "--judges": ["--judges"],
    "--judge-as-metric": ["--judge-as-metric"],
    "--differences": ["--differences all"],
    "--acceptable": ["--acceptable 60"],
    "--max-unacceptable": ["--max-unacceptable 60%"],
    "--annotations": ["--annotations COMET", "--metric-scores @spans.json && --annotations COMET"],
    "--judge": ["--judge x", "--metric-scores @spans.json --annotations COMET && --judge x"],
    "campaign links --judge": ["--judge 'people 1'"],
    "--probe": ["--probe number"],
    "--examples": ["--examples 0"],
    "probe --language": ["--language de", "--probe negation && --language de"],
    "--table-references": ["--table-references 1"],
    "--draws": ["--draws 9"],
    "--out": ["--out @out/y"],
    "--dry-run": [],
    "--force": ["--force"],
    "--deviations": ["--deviations 0.6,0.2,1"],
    "--width": ["--width 0.3", "--deviations 0.6,0.2,1 && --width 0.3"],
    "--renew": ["--renew", "--judge 'people 1' && --renew", "--lead && --renew"],
    "--url": ["--url http://x"],
    "--lead": ["--lead"],
    "--show-interim": ["--show-interim"],
    "--overwrite": ["--overwrite"],
    "--part": ["--part 1/2"],
    "--bundles": ["--bundles 4"],
    "count --documents": ["--documents @docs.txt", "--bundles 4 && --documents @docs.txt"],
    "--cluster": ["--cluster local"],
    "--keep": ["--keep @out/checkpoint"],
    "--list": [],
    "report --part": ["--part scores"],
    "--short": ["--short"],
    "--title": ["--title x"],
    "--introduction": ["--introduction x"],
}
