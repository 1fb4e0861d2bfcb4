"""All options of all commands on all kinds of input: the values that are tried, and what they need."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.cli.arguments import Parser, build_parser
from bleu_core.cli.commands import COMMANDS, load, supplied_commands


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
    "gate": ["--accept", "close-reference"],  # of which A has many segments
    "probe": ["--metric", "bleu", "--probe", "reorder"],
    "paper": ["--draws", "5"],
    "count": ["--out", "@out/x.counts"],
    "campaign create": ["@plan.toml", "--dry-run"],
    "merge": ["--out", "@out/x.counts"],
    "campaign export": ["--out", "@out/export"],
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
    "stdin": [*REFERENCES, *SYSTEMS, "-"],
    "table": ["--columns", COLUMNS, "@table.csv"],
    "archive": ["--archive", "@test.zip"],
    "documents": ["--archive", "@documents", "--language-pair", "eng_Latn-isl_Latn"],
    "saved documents": ["--workspace", "@documents.bleu.zip"],
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
    "--accept": ["--accept close-reference"],
    "gate --accept": ["--accept memorised"],
    "--among": ["--among 40"],
    "--slice": ["--slice 'segment > 12'"],
    "--labels": ["--labels @labels.tsv", "--slice 'kind = news' && --labels @labels.tsv"],
    "--source": ["--source @A.txt", "texts: --slice 'source ~ dog' && --source @src.txt"],
    "--format-of": ["--format-of {first}=json-lines"],
    "--format": ["--format json"],
    "--limit": ["texts: --limit line_length=9", "counts: --limit file_bytes=1", "workspace: --limit file_bytes=1"],
    "--debug": [],
    "--workers": [],
    "--preset": ["--preset paper"],
    "--tokenizer": ["--tokenizer char"],
    "paper --lowercase": ["texts: --no-lowercase", "workspace: --lowercase"],
    "paper --preset": ["--preset shortest-reference"],
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
    "compare --blocks": [
        "--blocks 3",
        "--test t && --blocks 3",
        "--test t --documents @docs.txt && --blocks 3",
        "--test t --documents @docs.txt --units segments && --blocks 3",
        "--test t --units documents && --blocks 3",
    ],
    "--block-size": ["--block-size 5"],
    "--document-blocks": ["--document-blocks"],
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
        "texts: --trials 9",
        "--level segment --metric bleu --metric chrf2 && --trials 9",
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
        "--slice 'equal = yes' --group AB=[AB] && --slice-seen",
        "--exclude-system A --slice 'segment > 2' && --slice-seen",
    ],
    "--system": ["--system B"],
    "--correct-over": ["--correct-over table", "--baseline A && --correct-over table"],
    "table --baseline": ["--baseline B"],
    "table --all-pairs": [],
    "check --documents": [
        "texts: @D.txt && --documents @quarters.txt",
        "stdin: --documents @quarters.txt",
        "zip: @D.txt && --documents @quarters.txt",
    ],
    "check --language-pair": ["archive: --language-pair en-fr"],
    "correlate --human": ["--human @mqm.tsv"],
    "review --human": ["--human @mqm.tsv"],
    "paper --human": ["--human @mqm.tsv"],
    "errors --human": [],
    "correlate --documents": ["--human-ranking raw && --documents @docs.txt"],
    "check --human": ["texts: --human @human.csv"],
    "table --set": ["--set en-de"],
    "table --exclude-system": ["--exclude-system C"],
    "table --resamples": ["--resamples 30", "--set en-de && --resamples 30"],
    "table --seed": ["--seed 7", "--set en-de && --seed 7"],
    "table --alpha": ["--alpha 0.3", "--set en-de && --alpha 0.3"],
    "--agreement": ["--agreement"],
    "--tokenizer-by-language": ["--tokenizer-by-language"],
    "--by": ["--by category"],
    "slices --by": ["--by length"],
    "--order": ["--order 2"],
    "--top": ["--top 1"],
    "--kind": ["--kind numbers"],
    "--margin": ["--margin 20"],
    "--require": ["texts: --margin 32 && --require not-worse", "stdin: --margin 14 && --require not-worse"],
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
    "--probe": ["--probe cut"],
    "--examples": ["--examples 0"],
    "probe --language": ["--language de", "--probe negation && --language de"],
    "--table-references": ["texts: --table-references 1"],
    "--draws": ["--draws 9"],
    "--out": [],
    "--dry-run": [],
    "--force": ["--force"],
    "--deviations": ["--deviations 0.6,0.2,1"],
    "--width": ["--width 0.3", "--deviations 0.6,0.2,1 && --width 0.3"],
    "figure --width": ["--width 84"],
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


#: Options that change no result of these calls -> what they do.
WITHOUT_RESULT: Mapping[str, str] = {
    "--debug": "prints the traceback of unexpected errors",
    "--workers": "says how many processes count",
    "--dry-run": "is needed by all calls of this grid",
    "--out": "is needed by all calls of this grid",
    "--list": "ends the program",
    "errors --human": "adds marked errors; ratings without any have none",
    "--cluster": "says where texts are counted",
    "campaign export --overwrite": "replaces the files of an earlier export, which this grid removes",
    "campaign create --force": "writes a campaign that is too small for its plan; that of this grid is not",
    "table --all-pairs": "shows pairs that the table of many systems hides",
}


@dataclass(frozen=True)
class Call:
    """A call of a command on a kind of input.

    Attributes:
        command: its name, with the action of campaign.
        kind: the kind of input.
        arguments: the files, and what the command needs.
    """

    command: str
    kind: str
    arguments: Sequence[str]

    def __str__(self) -> str:
        return f"{self.command} with {self.kind}"


def calls() -> list[Call]:
    """The calls of all commands on all kinds of input that they take; those of the dashboard are not among them."""
    made: list[Call] = []
    for command, parser in parsers().items():
        taken = {action.dest for action in parser._actions}  # noqa: SLF001
        if command in supplied_commands():
            continue
        if command in OWN_KINDS:
            kinds = OWN_KINDS[command]
        elif "systems" in taken:
            kinds = {kind: files for kind, files in KINDS.items() if _takes(command, kind, taken)}
        else:
            kinds = {"campaign": ["@pilot.db"]}
        for kind, files in kinds.items():
            beside = [] if kind in HAVE_ALL else BESIDE.get(command, [])
            if command == "errors" and kind == "workspace":
                files = ["--workspace", "@mqm.bleu.zip"]  # noqa: PLW2901
            made.append(Call(command, kind, [*command.split(), *NEEDED.get(command, []), *files, *beside]))
    return made


def _takes(command: str, kind: str, taken: set[str]) -> bool:
    if kind in ("workspace", "saved documents") and "workspace" not in taken:
        return False
    if (kind == "counts" and command not in OF_COUNTS) or (command, kind) in IMPOSSIBLE:
        return False
    return not (kind in ("documents", "saved documents") and command in NEED_MORE)


#: Kinds of input that have ratings and labels.
HAVE_ALL = ("archive", "counts", "workspace")
#: Commands that take counts files, and those that need ratings, labels or references that the documents do not have.
OF_COUNTS = ("score", "blocks", "compare")
NEED_MORE = ("slices", "references", "correlate", "review", "errors", "paper", "blocks", "campaign create")
#: Commands with kinds of input that lack what they need.
IMPOSSIBLE = (
    ("campaign create", "archive"),
    ("references", "zip"),
    ("slices", "archive"),
    ("errors", "archive"),
    ("errors", "stdin"),
)
#: Commands with kinds of input of their own.
OWN_KINDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "gate": {
        "texts": [*REFERENCES, "@A.txt", "@B.txt"],
        "stdin": [*REFERENCES, "@A.txt", "-"],
        "counts": ["@A.counts", "@B.counts"],
        "workspace": ["--workspace", "@w.bleu.zip", "A", "B"],
    },
    "table": {
        "folder": ["@sets"],
        "manifest": ["@sets/bleu.toml"],
        "zip": ["@sets.zip"],
        "workspace": ["@sets.bleu.zip"],
    },
    "merge": {"counts": ["@A.part1", "@A.part2"]},
    "campaign backup": {"campaign": ["@pilot.db", "@out/copy.db"]},
    "campaign pause": {"campaign": ["@open.db"]},
    "campaign close": {"campaign": ["@open.db"]},
    "campaign reopen": {"campaign": ["@paused.db"]},
    "campaign export": {"campaign": ["@pilot.db"]},
}


def variations(call: Call, option: str) -> list[tuple[list[str], list[str]]]:
    """The values of an option that are tried with a call, each after what it needs beside it."""
    second = {"archive": "refB", "table": "silver"}.get(call.kind, "ref2")
    first = next(argument for argument in call.arguments if argument.startswith("@"))
    found: list[tuple[list[str], list[str]]] = []
    for text in VARIED.get(f"{call.command} {option}", VARIED.get(option, ())):
        kind, _, rest = ("", "", text) if text.startswith("--") else text.partition(": ")
        if kind in ("", call.kind):
            needed, _, given = rest.rpartition(" && ")
            needed, given = (part.format(second=second, first=first) for part in (needed, given))
            found.append((shlex.split(needed), shlex.split(given)))
    return found
