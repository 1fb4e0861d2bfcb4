"""Random tables of real texts: columns of other kinds in random order, headers in ten languages, in five formats."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from small_files import workbook

#: Headers by language: the reference, the source, the output, a number, a comment, a score.
HEADERS: Mapping[str, tuple[str, str, str, str, str, str]] = {
    "en": ("Reference", "Source", "Translation", "Segment", "Comment", "Score"),
    "de": ("Referenz", "Quelle", "Übersetzung", "Zeile", "Kommentar", "Bewertung"),
    "fr": ("Référence", "Source", "Traduction", "Ligne", "Commentaire", "Score"),
    "es": ("Referencia", "Fuente", "Traducción", "Línea", "Comentario", "Puntuación"),
    "pt": ("Referência", "Fonte", "Tradução", "Linha", "Comentário", "Pontuação"),
    "it": ("Riferimento", "Sorgente", "Traduzione", "Riga", "Commento", "Punteggio"),
    "ru": ("Референс", "Источник", "Перевод", "Строка", "Комментарий", "Оценка"),  # Cyrillic
    "zh": ("参考译文", "原文", "译文", "序号", "备注", "评分"),
    "ja": ("参照訳", "原文", "機械翻訳", "番号", "コメント", "スコア"),
    "cs": ("Reference", "Zdroj", "Překlad", "Řádek", "Komentář", "Hodnocení"),
}
DECORATED: Sequence[Callable[[str], str]] = (
    str,
    str.lower,
    str.upper,
    lambda word: f"{word} (EN)",
    lambda word: f"{word} 1",
    lambda word: f"{word}_A",
    lambda word: f" {word}",
    lambda word: f"{word}:",
    lambda word: f"{word} [de]",
)
FORMATS = ("csv", "semicolons", "tsv", "xlsx", "jsonl", "parquet")
#: Unknown headers of columns that are no texts of the comparison.
#: Headers of columns that logs of evaluations and post-editing have beside the outputs: further references.
FURTHER = ("expected", "ideal", "Gold *", "Post-edited", "human translation", "reference translation", "Ref old")
#: Headers of columns that name systems, or are about outputs.
ABOUT = ("model", "Engine", "comment", "Grader Reason", "rationale")
UNKNOWN = ("Zustand", "xx1", "Kunde?", "Q", "wie gut?", "Foo Bar", "данные 7", "其他")  # Cyrillic


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A table and what is known about it.

    Attributes:
        name: of the file, with its ending.
        data: its bytes.
        recognised: whether its headers say what each column of text is.
        names: the headers in use; empty in a table without a header.
        wanted: the header of the column with the texts of the role.
        single: whether no column but that one may have the texts of the role.
    """

    name: str
    data: bytes
    recognised: bool
    names: tuple[str, ...]
    wanted: str
    single: bool


def random_table(
    generator: random.Random, stem: str, wanted: str, texts: Mapping[str, Sequence[str]], distractors: Sequence[str]
) -> RandomTable:
    """A table with the texts of a role, and others.

    Args:
        generator: of random numbers.
        stem: of the file's name.
        wanted: reference, or system.
        texts: role -> segments: source, reference and system.
        distractors: further texts, for a column with an unknown header.
    """
    language = generator.choice(list(HEADERS))
    reference, source, output, number, comment, score = HEADERS[language]
    count = len(texts["reference"])
    header = generator.random() < 0.9  # most tables have one
    of_text = {"reference": reference, "system": output}[wanted]
    columns: list[tuple[str, list[str]]] = [(generator.choice(DECORATED)(of_text), list(texts[wanted]))]
    recognised, of_role, single = header, columns[0][0], True
    if header and generator.random() < 0.6:
        columns.append((generator.choice(DECORATED)(source), list(texts["source"])))
    others: list[tuple[str, list[str]]] = [
        (number, [str(i + 1) for i in range(count)]),
        (
            generator.choice(DECORATED[:3])(comment),
            [generator.choice(["", "ok", generator.choice(distractors)]) for _ in range(count)],
        ),
        (score, [f"{generator.uniform(0, 100):.2f}" for _ in range(count)]),
        (generator.choice(UNKNOWN), _values(generator, count)),
        (f"{generator.choice(UNKNOWN)} 2", _values(generator, count)),
    ]
    if header:
        columns += generator.sample(others, generator.randint(0, len(others)))
        if generator.random() < 0.15:
            columns.append(("ZZ text of its own", [generator.choice(distractors) for _ in range(count)]))
            single = False
        if generator.random() < 0.15:
            columns.append((generator.choice(FURTHER), [generator.choice(distractors) for _ in range(count)]))
            single = False
        if generator.random() < 0.15:
            about = generator.choice(ABOUT)
            names = ["Engine One", "Engine Two v2", "the third one"]
            cells = names if about in ABOUT[:2] else ["", "All assertions passed", *distractors[:3]]
            columns.append((about, [generator.choice(cells) for _ in range(count)]))
            single = False
        generator.shuffle(columns)
    names = [name for name, _ in columns]
    if len({name.strip() for name in names}) < len(names):
        columns, names = columns[:1], names[:1]
        if columns[0][1] != list(texts[wanted]):
            columns = [(of_text, list(texts[wanted]))]
            names = [of_text]
        of_role = names[0]
    kind = generator.choice(FORMATS if header else FORMATS[:4])
    if kind == "semicolons" and len(columns) == 1:  # commas would not be quoted, and nothing would show the separator
        kind = "csv"
    rows: list[list[str]] = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
    table = [names, *rows] if header else rows
    ending, data = _written(kind, table, names, rows)
    return RandomTable(
        name=f"{stem}.{ending}",
        data=data,
        recognised=recognised,
        names=tuple(names) if header else (),
        wanted=of_role if header else "",
        single=single,
    )


#: Headers of ids: known ones in several languages, others that announce ids, and unknown ones.
ID_HEADERS = (
    *("id", "Segment", "seg_id", "Zeile", "Línea", "序号", "No.", "#", "Unnamed: 0", "guid", "key", "hash", "text_key"),
    *UNKNOWN,
)


@dataclass(frozen=True, slots=True)
class NumberedTables:
    """A table of references, or a text, and a table of outputs with ids.

    Attributes:
        reference: the name and the bytes of the references.
        system: the same of the outputs.
        headers: the headers of the ids.
        is_clean: whether no id is repeated or lacking, and the headers announce ids.
    """

    reference: tuple[str, bytes]
    system: tuple[str, bytes]
    headers: tuple[str, str]
    is_clean: bool


def numbered_tables(generator: random.Random, texts: Mapping[str, Sequence[str]]) -> NumberedTables:
    """A table of references, or a text, and one of outputs in another order, with ids and possibly ranks.

    Args:
        generator: of random numbers.
        texts: reference and system -> segments.
    """
    count = len(texts["reference"])
    plain = generator.random() < 0.25
    kinds: Sequence[list[str]] = (
        [str(i + 1) for i in range(count)],
        [str(i) for i in range(count)],
        [f"{generator.getrandbits(64):016x}" for _ in range(count)],
        [f"doc-{i // 5}#{i % 5}" for i in range(count)],
    )
    ids = generator.choice(kinds[:2] if plain else kinds)
    headers = generator.choice(ID_HEADERS), generator.choice(ID_HEADERS)
    if generator.random() < 0.6:
        headers = headers[0], headers[0]
    faulty = generator.choice(["", "", "", "reference", "system"])
    files: list[tuple[str, bytes]] = []
    for role, header in zip(("reference", "system"), headers, strict=True):
        own, order = list(ids), list(range(count))
        if generator.random() < 0.8 and not (plain and role == "reference"):
            generator.shuffle(order)
        if role == faulty:  # an id is repeated or lacks
            own[order[generator.randrange(count)]] = generator.choice(["", own[order[0]]])
            own[order[-1]] = own[order[-1]] or generator.choice(own)
        columns = [(header, [own[i] for i in order]), (role, [texts[role][i] for i in order])]
        if generator.random() < 0.5:
            columns.append(("rank", generator.sample([str(i + 1) for i in range(count)], count)))
        if generator.random() < 0.3:
            columns.append(("Bewertung", [f"{generator.uniform(0, 100):.2f}" for _ in range(count)]))
        generator.shuffle(columns)
        names = [name for name, _ in columns]
        rows = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
        ending, data = _written(generator.choice(FORMATS), [names, *rows], names, rows)
        files.append((f"{role}.{ending}", data))
    if plain:
        files[0] = "reference.txt", "".join(f"{line}\n" for line in texts["reference"]).encode()
    announced = headers[1:] if plain else headers
    is_clean = not faulty and not any(header in UNKNOWN for header in announced)
    return NumberedTables(files[0], files[1], headers, is_clean)


def _values(generator: random.Random, count: int) -> list[str]:
    """Values that cannot be text: of one kind."""
    kinds: Sequence[Callable[[], str]] = (
        lambda: str(generator.randint(0, 5000)),
        lambda: f"2024-{generator.randint(1, 12):02}-{generator.randint(1, 28):02}",
        lambda: f"https://example.org/{generator.randint(1, 9999)}",
        lambda: generator.choice(["true", "false"]),
        lambda: generator.choice(["news", "social media", "speech"]),
        lambda: f"doc-{generator.randint(1, 99)}#{generator.randint(1, 9)}",
        lambda: "wmt test set",
        lambda: f"{generator.getrandbits(64):016x}x1",
    )
    make = generator.choice(kinds)
    return [make() for _ in range(count)]


def _written(kind: str, table: list[list[str]], names: list[str], rows: list[list[str]]) -> tuple[str, bytes]:
    if kind == "tsv":
        return "tsv", "".join("\t".join(row) + "\n" for row in table).encode()
    if kind == "xlsx":
        return "xlsx", workbook([list(row) for row in table])
    if kind == "jsonl":
        lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
        return "jsonl", "".join(f"{line}\n" for line in lines).encode()
    if kind == "parquet":
        import pyarrow as pa  # not needed for the others
        from pyarrow import parquet

        made = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
        stream = io.BytesIO()
        parquet.write_table(made, stream)
        return "parquet", stream.getvalue()
    stream_of_text = io.StringIO()
    csv.writer(stream_of_text, delimiter=";" if kind == "semicolons" else ",", lineterminator="\n").writerows(table)
    return "csv", stream_of_text.getvalue().encode()
