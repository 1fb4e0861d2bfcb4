"""Roles of the columns of a table: those that the user gives, and those that headers and cells suggest."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import ROLE_NAMES, SINGLE, Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import join_cells, normal_header, strip_cells
from bleu_core.formats.column_kinds import REASONS_WITHOUT_WORDS, are_alike, why_not_text
from bleu_core.formats.compression import stem_of
from bleu_core.formats.delimited import Table
from bleu_core.formats.headers import (
    HEADED_ROLES,
    HeaderKind,
    are_numbered,
    classify_header,
    is_language_header,
    is_plain_kind,
    may_be_reference,
    probable_kind,
    provider_of,
)
from bleu_core.formats.long_tables import ColumnPositions
from bleu_core.formats.mapping import MappedColumn, MappedRole, PlacedColumn, UnclearColumnsError
from bleu_core.formats.segment_ids import is_id_column, is_language_column, names_segments

#: The fewest rows whose words show that columns are in different languages.
MIN_COMPARABLE_ROWS = 8
#: Why a column with a known header of another kind is not used.
OTHER_HEADER = "no text by the header"


def kinds_of(table: Table) -> list[HeaderKind | None]:
    """Return what each column of a table is by its header, or by ids in its cells; None if the header says nothing."""
    return [
        "number" if is_id_column(name, cells) else classify_header(name)
        for name, cells in zip(table.header, table.columns, strict=True)
    ]


def place_columns(table: Table, columns: Sequence[MappedColumn], origin: str, role: Role) -> tuple[PlacedColumn, ...]:
    """Return columns that the user gives with their positions.

    Args:
        table: the table.
        columns: the columns by header.
        origin: the file, for messages.
        role: the role of the file.

    Raises:
        UnclearColumnsError: a column is not in the header.
        FormatError: a column is in the header twice.
    """
    header = strip_cells(table.header)
    kinds: list[HeaderKind | None] = [classify_header(name) for name in header]
    place = f"{origin}, line {table.line}"
    placed: list[PlacedColumn] = []
    for column in columns:
        matching = [i for i, name in enumerate(header) if name == column.header.strip()]
        if not matching:
            problem = f"{place}: no column {column.header!r} found in the header ({join_cells(header)})"
            raise ColumnRoles(table, kinds, role, origin).unclear(problem)
        if len(matching) > 1:
            raise FormatError(f"{place}: {len(matching)} columns called {column.header!r} found; rename one")
        placed.append(PlacedColumn(matching[0], column))
    systems = {i: column.name for i, column in placed if column.role == "system"}
    unnamed = [i for i, name in systems.items() if not name]
    names = _generic_names(table.header, unnamed, kinds, stem_of(origin), others=systems.values())
    return tuple(PlacedColumn(i, replace(column, name=names.get(i, column.name))) for i, column in placed)


def kinds_of_given(table: Table, columns: Sequence[PlacedColumn]) -> list[str | None]:
    """Return the kind of each column, by the roles of those that the user gives and the headers of others."""
    roles = {position: column.role for position, column in columns}
    kinds = [roles.get(i) or kind for i, kind in enumerate(kinds_of(table))]
    if "document" in roles.values():
        kinds = [None if kind == "document" and i not in roles else kind for i, kind in enumerate(kinds)]
    return kinds


class ColumnRoles:
    """The roles of the columns of a table, as headers and cells suggest them.

    Attributes:
        unused: the columns that are neither text nor what their headers say, by position, with the reason of each.
            Columns with headers of the source, a reference, documents, numbers or languages are not among them. Of
            columns with headers of outputs, those without words are, if another one has words.
        texts: the columns of text whose headers give no role.
    """

    def __init__(self, table: Table, kinds: Sequence[HeaderKind | None], role: Role, origin: str) -> None:
        """Look at all columns.

        Args:
            table: a table with at least one row.
            kinds: what each header says of its column.
            role: the role of the file.
            origin: the file, for messages; its stem is the name of a system with a generic header.
        """
        self.table = table
        self.kinds = kinds
        self.role: Role = role
        self.origin = origin
        self.unused: dict[int, str] = {}
        wordless: dict[int, str] = {}
        others = [i for i, kind in enumerate(kinds) if kind not in (*HEADED_ROLES, "number")]
        others = [i for i in others if not is_language_column(table.header[i])]
        for i in others:
            reason = OTHER_HEADER if kinds[i] == "other" else why_not_text(table.columns[i])
            if reason is not None and kinds[i] != "output":
                self.unused[i] = reason
            elif reason in REASONS_WITHOUT_WORDS:
                wordless[i] = reason
        self.unused |= wordless if len(wordless) < list(kinds).count("output") else {}
        self.texts = [i for i in others if i not in self.unused]

    def recognised(self, notes: list[str], *, header: bool) -> list[PlacedColumn]:
        """Return the columns that are used in a table of one row per segment, and add a note if others are not.

        A known header decides the role of its column, also with additions: see classify_header. Other columns are not
        used if their cells cannot be text. In a table of systems, the remaining columns are systems; in a table of
        references, a single remaining column is the reference if no header says so. If several columns give the source,
        or the documents, the first is used. A column with a generic header such as Target is named after the file,
        FILE, or FILE.HEADER if there are several. Without a header, all text columns have the given role, and a single
        one is named after the file; references have to be alike.

        Args:
            notes: sentences about the table, to which others are added.
            header: whether the names are headers of the file.

        Raises:
            UnclearColumnsError: the headers do not decide what a column of text is.
            FormatError: no column is text, or a column that is used has the header of another one.
        """
        names, origin, kinds, role = self.table.header, self.origin, self.kinds, self.role
        unused: dict[int, str] = {}
        if role == "document":  # a table that describes segments may have other columns
            others = [i for i, kind in enumerate(kinds) if kind != "number"]
            roles: dict[int, Role] = dict.fromkeys([i for i in others if kinds[i] == "document"] or others[:1], role)
        else:
            unused, texts = {**self.unused}, self.texts
            if not texts and len(unused) == 1 and not any(kind in HEADED_ROLES for kind in kinds):
                texts = [unused.popitem()[0]]  # nothing else can be meant
            headers = [names[i] for i, kind in enumerate(kinds) if i in texts or kind in HEADED_ROLES]
            if repeated := next((name for name in headers if headers.count(name) > 1), None):
                raise FormatError(f"{origin}, line {self.table.line}: two columns are named {repeated!r}; rename one")
            if not header and role == "reference" and are_alike([self.table.columns[i] for i in texts]):
                kinds = [role if i in texts else kind for i, kind in enumerate(kinds)]
                notes += [f"the table has no header: all {len(texts)} columns of text are references"] * (
                    len(texts) > 1
                )
            elif problem := self._problem(texts):
                raise self.unclear(f"{origin}: {problem}")
            roles = {i: kind for i, kind in enumerate(kinds) if kind in ("source", "reference", "document")}
            if role == "system" or role not in roles.values():
                roles |= dict.fromkeys(texts, role)
            known = [names[i] for i, of_column in roles.items() if of_column == role]
            known = known[:1] if role in SINGLE else known
            reason = f"the {ROLE_NAMES[role]} is in {listed(known)}"
            unused |= dict.fromkeys((i for i in texts if i not in roles), reason)
        if not roles:
            raise FormatError(f"{origin}: no column of text found ({listed(names)}); check the header and the cells")
        roles = _single(names, {i: roles[i] for i in sorted(roles)}, unused)
        if unused:
            notes += columns_note(names, [(names[i], ROLE_NAMES[of_column]) for i, of_column in roles.items()], unused)
        of_role = [i for i in roles if roles[i] == role]
        generic = _generic_names(names, of_role, kinds, stem_of(origin))
        if not header and len(of_role) == 1 and role != "document":
            generic = {of_role[0]: stem_of(origin)}
        return [PlacedColumn(i, MappedColumn(names[i], roles[i], generic.get(i, ""))) for i in roles]

    def long_notes(self, positions: ColumnPositions) -> tuple[str, ...]:
        """Return the note on the columns of a table with one row per segment and system; empty if all is clear.

        Args:
            positions: the columns in use.

        Raises:
            UnclearColumnsError: another column may have the texts of systems.
        """
        names = self.table.header
        uses = {positions.system: "names of systems", positions.text: self.role, **positions.others}
        uses |= {} if positions.document is None else {positions.document: ROLE_NAMES["document"]}
        unused = {i: self.unused.get(i, "") for i, kind in enumerate(self.kinds) if i not in uses and kind != "number"}
        unused = {i: reason for i, reason in unused.items() if not is_language_column(names[i])}
        texts = [positions.text, *(i for i in self.texts if i in unused)]
        if self.role == "system" and (problem := self._problem(texts)):
            raise self.unclear(f"{self.origin}: {problem}")
        # Without numbers, only the header says that the rows are of several systems.
        is_noted = bool(unused) or positions.number is None
        return columns_note(names, [(names[i], uses[i]) for i in sorted(uses)], unused) if is_noted else ()

    def unclear(self, problem: str) -> UnclearColumnsError:
        """Return the error for a problem, with the columns as they probably are."""
        return UnclearColumnsError(problem, {self.origin: tuple(self.proposed().values())})

    def proposed(self) -> dict[int, MappedColumn]:
        """Return the columns as they probably are, by position, for the user to confirm."""
        kinds, names = self.kinds, strip_cells(self.table.header)
        choosable = [i for i, name in enumerate(names) if name and names.count(name) == 1]
        roles: dict[int, MappedRole] = {}
        for of_header in HEADED_ROLES:
            same = [i for i in choosable if kinds[i] == of_header]
            numbered = of_header == "reference" and are_numbered([names[i] for i in same])
            roles |= dict.fromkeys(same if numbered else same[:1], of_header)
        texts = [i for i in self.texts if i in choosable]
        languages = [i for i in texts if is_language_header(names[i])]
        if len(languages) > 1 and "source" not in roles.values():
            roles[languages[0]] = "source"
            texts.remove(languages[0])
        elif "source" not in roles.values() and (source := self._probable_source(texts)) is not None:
            roles[source] = "source"
            texts.remove(source)
        # Columns that are rather references come first: with a word for human translations, with one for answers.
        candidates = [*texts, *(i for i in self._answers() if i in choosable)]
        human = [i for i in candidates if may_be_reference(names[i], beside_outputs=False)]
        answers = [i for i in candidates if i not in human and may_be_reference(names[i], beside_outputs=True)]
        if self.role in SINGLE:
            likely = texts[:1]
        elif self.role == "reference":
            likely = [*human, *answers, *(i for i in texts if kinds[i] != "output"), *texts][:1]
        else:
            others = [i for i in texts if i not in human and not _is_model(names[i], kinds[i])]
            systems = [i for i in others if i not in answers] or others or texts
            references = [i for i in (*human, *answers) if i not in systems]
            if references and "reference" not in roles.values():
                roles[references[0]] = "reference"
            likely = [i for i in systems if kinds[i] == "output"] or systems
        if self.role not in roles.values():
            roles |= dict.fromkeys(likely, self.role)
        return self._named({i: roles[i] for i in sorted(roles)})

    def _probable_source(self, texts: Sequence[int]) -> int | None:
        """Return the column of several that is probably the source: by a word in its header, else the first.

        A column called text may be the source if another one has the header of outputs, and the first column if it is
        in another language than the second.
        """
        names = strip_cells(self.table.header)
        outputs = [i for i in texts if self.kinds[i] == "output" and not _may_be_any_text(names[i])]
        named = [i for i in texts if len(texts) > 1 and probable_kind(names[i])[0] == "source"]
        named += [i for i in texts if _may_be_any_text(names[i]) and self._are_unlike([i, *outputs[:1]])]
        first = texts[:2]
        are_unknown = not any(self.kinds[i] or may_be_reference(names[i], beside_outputs=True) for i in first)
        return next(iter(named), first[0] if are_unknown and self._are_unlike(first) else None)

    def _are_unlike(self, positions: Sequence[int]) -> bool:
        """Return whether columns are several and not in one language, by all their words, in a table of enough rows."""
        several = len(positions) > 1 and len(self.table.lines) >= MIN_COMPARABLE_ROWS
        return several and not are_alike([[" ".join(self.table.columns[i])] for i in positions])

    def _problem(self, texts: Sequence[int]) -> str:
        """Return what the headers do not decide, as part of a sentence; empty if they decide all.

        Args:
            texts: the columns of text whose headers give no role.
        """
        names, kinds, role = self.table.header, self.kinds, self.role

        def are_one_kind(columns: Sequence[int]) -> bool:
            return len(columns) < 2 or are_numbered([names[i] for i in columns])  # noqa: PLR2004 # several

        references = [i for i, kind in enumerate(kinds) if kind == "reference"]
        if role != "source" and not are_one_kind(references):
            return f"several columns may be the reference ({listed(names[i] for i in references)})"
        if role != "system":
            texts = [*texts, *self._answers()]
            if role in kinds or len(texts) == 1:
                return ""
            return f"{'several columns may be' if texts else 'no column is'} the {role} ({listed(names)})"
        several = len(texts) > 1
        outputs = [i for i in texts if kinds[i] == "output"]
        languages = [names[i] for i in texts if is_language_header(names[i])]
        models = [i for i in texts if several and _is_model(names[i], kinds[i])]
        doubtful = models + [i for i in texts if may_be_reference(names[i], beside_outputs=several)]
        doubtful += [i for i in texts if several and probable_kind(names[i])[0] in ("source", "reference")]
        problem = ""
        if outputs == texts and are_one_kind(outputs):
            pass
        elif several and languages:
            between = listed(languages)
            problem = f"the headers {between} name languages and not which column is the source or the output"
        elif outputs or doubtful or self._are_unlike(texts):
            problem = f"the headers do not say which columns are outputs ({listed(names[i] for i in texts)})"
        return problem

    def _answers(self) -> list[int]:
        """Return the columns of text with a header for something else that may be a reference, such as labels."""
        return [
            i
            for i, kind in enumerate(self.kinds)
            if kind == "other"
            and may_be_reference(self.table.header[i], beside_outputs=True)
            and why_not_text(self.table.columns[i]) is None
        ]

    def _named(self, roles: Mapping[int, MappedRole]) -> dict[int, MappedColumn]:
        """Return columns with the names of their systems: of the file, or those in their headers if all differ."""
        names = strip_cells(self.table.header)
        systems = [i for i, role in roles.items() if role == "system"]
        called = _generic_names(names, systems, self.kinds, stem_of(self.origin))
        if len(systems) == 1 and find_repeated_segments(self.table, self.kinds, systems[0]) is not None:
            called = {}
        else:
            in_headers = {i: called.get(i) or probable_kind(names[i])[1] for i in systems}
            if len({in_headers[i] or names[i] for i in systems}) == len(systems):
                called = in_headers
        return {i: MappedColumn(names[i], role, called.get(i, "")) for i, role in roles.items()}


def columns_note(names: Sequence[str], used: Sequence[tuple[str, str]], unused: Mapping[int, str]) -> tuple[str, ...]:
    """Return the note on the columns of a table.

    Args:
        names: the headers.
        used: the header of each column that is used, and for what.
        unused: the position of each other column, and the reason; empty if the user has not chosen it.
    """
    by_reason: dict[str, list[str]] = {}
    for i in sorted(unused):
        by_reason.setdefault(unused[i], []).append(names[i])
    parts = [f"{listed(columns)}{f' ({reason})' if reason else ''}" for reason, columns in by_reason.items()]
    others = f"; not used: {', '.join(parts)}" if parts else ""
    return (f"columns used: {listed(f'{name} ({what})' for name, what in used)}{others}",)


def _single(names: Sequence[str], roles: Mapping[int, Role], unused: dict[int, str]) -> dict[int, Role]:
    """Keep one column of the source and one of documents; add the others to those that are not used, with a reason."""
    kept: dict[int, Role] = {**roles}
    for single in SINGLE:
        places = [i for i, role_of_column in roles.items() if role_of_column == single]
        for i in places[1:]:
            verb = "are" if single == "document" else "is"
            unused[i] = f"the {ROLE_NAMES[single]} {verb} in {listed([names[places[0]]])}"
            del kept[i]
    return kept


def _generic_names(
    names: Sequence[str],
    of_role: Sequence[int],
    kinds: Sequence[str | None],
    stem: str,
    others: Collection[str] = (),
) -> dict[int, str]:
    """Return names for those columns of the file's role whose headers do not name them, by position.

    A header that any translation may have gives the file's name, and one with a provider that of its model.

    Args:
        names: the headers.
        of_role: the positions of the columns of the file's role.
        kinds: what each header says.
        stem: the stem of the file's name.
        others: names of further columns of that role.
    """
    providers = {i: provider for i in of_role if (provider := provider_of(names[i]))}
    models = {i: provider.rpartition(":")[2] for i, provider in providers.items()}
    generic = [i for i in of_role if i not in providers and _is_generic(names[i], kinds[i])]
    generic_names = {i: stem if len(generic) == 1 else f"{stem}.{names[i]}" for i in generic}
    for in_header in (models, providers):
        if len(set(in_header.values())) == len(providers):
            generic_names |= in_header
            break
    taken = {*others, *(names[i] for i in of_role if i not in generic_names)}
    return {i: name for i, name in generic_names.items() if name not in taken}


def find_long_positions(
    names: Sequence[str], kinds: Sequence[str | None], text: int | None = None
) -> ColumnPositions | None:
    """Return the column positions of a table with one row per segment and system; None for other tables.

    Args:
        names: the headers.
        kinds: what each column is.
        text: the column of the systems' texts; None if its header decides.
    """
    systems = [i for i, kind in enumerate(kinds) if i != text and _is_model(names[i], kind)]
    texts = [i for i, kind in enumerate(kinds) if kind == "output" and _is_generic(names[i], kind) and i not in systems]
    texts = texts if text is None else [text]
    if len(systems) != 1 or len(texts) != 1:
        return None
    numbers = [i for i, kind in enumerate(kinds) if kind == "number"]
    number = min(numbers, key=lambda i: (not names_segments(names[i]), classify_header(names[i]) is None), default=None)
    document = next((i for i, kind in enumerate(kinds) if kind == "document"), None)
    source = next((i for i, kind in enumerate(kinds) if kind == "source"), None)
    others: dict[int, Role] = {i: "reference" for i, kind in enumerate(kinds) if kind == "reference"}
    if source is not None:
        others[source] = "source"
    return ColumnPositions(
        system=systems[0], text=texts[0], number=number, document=document, others=dict(sorted(others.items()))
    )


def _may_be_any_text(name: str) -> bool:
    return normal_header(name) in ("text", "sentence", "segment")


def _is_model(name: str, kind: str | None) -> bool:
    """Return whether the cells below a header are names of systems."""
    return normal_header(name) == "system" or (kind == "system" and is_plain_kind(name))


def find_repeated_segments(table: Table, kinds: Sequence[str | None], text: int) -> ColumnPositions | None:
    """Return the column positions of a table in which ids of segments are repeated; else None, see find_long_positions.

    Args:
        table: the table.
        kinds: what each column is.
        text: the column of the systems' texts.
    """
    positions = find_long_positions(table.header, kinds, text)
    if positions is None or positions.number is None:
        return None
    places = [i for i in (positions.document, positions.number) if i is not None]
    ids = set(zip(*(table.columns[i] for i in places), strict=True))
    return positions if len(ids) < len(table.lines) else None


def _is_generic(name: str, kind: str | None) -> bool:
    """Return whether any translation may have this header."""
    return "output" in (kind, classify_header(name)) and is_plain_kind(name)
