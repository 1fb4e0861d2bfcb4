"""Human judgments: ratings by judge, segment and system, and their means; tables of scores."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset.corpus import SegmentId, counted_from_1, numbered_in_documents, plural
from bleu_core.dataset.marked_errors import Errors, column_of_errors, errors_in, hashes_of_errors
from bleu_core.dataset.names import normal_name, normal_names
from bleu_core.digests import Hashed, hashed
from bleu_core.errors import AlignmentError, FormatError, listed, one_line
from bleu_core.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    import pandas as pd


#: The meaning of item numbers in a file: lines of the texts, segments of a document, or something else.
Numbering = Literal["line", "document", "item"]

#: Column with the errors that a judge marked, which only some tables have.
ERRORS = "errors"
#: Columns with the source and the translation that were rated, which only some tables have; None where unknown.
TEXTS = ("source_text", "translation_text")
COLUMNS = ("segment", "system", "judge", "score", "group", "document", "origin", "line")
KINDS: Mapping[str, str] = MappingProxyType(
    {"segment": "Int64", "score": "float64", "line": "int64", "position": "Int64"}
)

#: Columns with a limit on the number of unique values -> the name of the limit.
COLUMN_LIMITS: Mapping[str, str] = MappingProxyType({"system": "systems", "judge": "judges", "group": "groups"})
#: Columns in which an empty name is a missing value.
OPTIONAL = frozenset({"group", "document"})
#: Maximum number of reasons that are listed for a file, since they may quote its contents; further ones are counted.
MAX_REASONS = 50


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """One score per system and segment, by judges or a metric.

    Attributes:
        name: the name of the metric or of the human scores.
        systems: K unique names.
        scores: float64 (K, S), NaN where there is no score; S is 0 if only systems have scores.
        system_scores: float64 (K,), NaN where there is no score: as in the file, or the mean over the scored segments
            of the system.
        level: "segment", or "system" if only systems have scores.
        higher_is_better: whether a larger score means a better translation.
        origin: the file, for messages.
        numbered: whether the file numbers its segments, so that the last ones may have no row; else each line is a
            segment, and S must be the number of segments in the texts.
        ids: S unique ids of the segments, by documents and paragraphs, if the file has them; else None.
        errors: (K, S) the errors that the metric marked in each translation, None where it marked nothing at all; None
            for a metric that marks no errors.
        texts: (K, S) the scored translations, "" where unknown; None if the file does not have them, or they have been
            compared with the texts in use.
        naming_format: the format whose option `system` names the system, if the file does not and its name is used.
        errors_hash: hash of the marked errors, for caches within this process.
        hashed: the marked errors and their hash, for copies of the table.

    Raises:
        FormatError: the shapes do not fit, a system occurs twice, or a score is infinite.
    """

    name: str
    systems: tuple[str, ...]
    scores: Floats
    system_scores: Floats
    level: Literal["segment", "system"] = "segment"
    higher_is_better: bool = True
    origin: str = ""
    numbered: bool = False
    ids: tuple[SegmentId, ...] | None = field(default=None, repr=False)
    errors: tuple[tuple[Errors | None, ...], ...] | None = field(default=None, repr=False)
    texts: tuple[tuple[str, ...], ...] | None = field(default=None, repr=False)
    naming_format: str = field(default="", kw_only=True)
    errors_hash: int = field(init=False, repr=False)
    hashed: Hashed[int] | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", normal_name(self.name))
        object.__setattr__(self, "systems", normal_names(self.systems))
        for side in ("scores", "system_scores"):
            values = np.array(getattr(self, side), np.float64)
            values.flags.writeable = False
            object.__setattr__(self, side, values)
        place = f"{self.origin or 'scores'}: {self.name}"
        count = len(self.systems)
        if self.scores.ndim != 2 or len(self.scores) != count or self.system_scores.shape != (count,):  # noqa: PLR2004 # systems by segments
            raise FormatError(
                f"{place}: scores of shapes {self.scores.shape} and {self.system_scores.shape} found, "
                f"({count}, S) and ({count},) expected for {count} {plural(count, 'system')}"
            )
        if len(set(self.systems)) < count:
            repeated = next(name for name in self.systems if self.systems.count(name) > 1)
            raise FormatError(f"{place}: the system {repeated!r} occurs twice; keep one")
        if np.isinf(self.scores).any() or np.isinf(self.system_scores).any():
            raise FormatError(f"{place}: infinite score found, finite numbers expected")
        computed = hashed(self.hashed, self.errors, by=lambda: hash(self.errors))
        object.__setattr__(self, "hashed", computed)
        object.__setattr__(self, "errors_hash", computed.value)

    @classmethod
    def of_segments(
        cls, name: str, systems: Sequence[str], scores: Floats, *, origin: str = "", numbered: bool = False
    ) -> ScoreTable:
        """Return a table whose system scores are the means over the scored segments."""
        rated = np.isfinite(scores)
        count = rated.sum(axis=1)
        sums = np.where(rated, scores, 0.0).sum(axis=1)
        means = np.divide(sums, count, out=np.full(len(scores), np.nan), where=count > 0)
        return cls(name, tuple(systems), scores, means, origin=origin, numbered=numbered)

    @classmethod
    def of_systems(cls, name: str, scores: Mapping[str, float], *, origin: str = "") -> ScoreTable:
        """Return a table with scores of systems only."""
        values = np.array(list(scores.values()), np.float64)
        return cls(
            name=name,
            systems=tuple(scores),
            scores=np.empty((len(values), 0)),
            system_scores=values,
            level="system",
            origin=origin,
        )

    @property
    def scores_of_systems(self) -> Mapping[str, float]:
        """System -> its score; NaN where there is none."""
        return dict(zip(self.systems, self.system_scores.tolist(), strict=True))

    def aligned(self, systems: Sequence[str], segments: int) -> ScoreTable:
        """Return the scores of the given systems, in order, for a text of `segments` segments; NaN where there is none.

        Raises:
            AlignmentError: the table has more segments than the text, or does not number its segments and has fewer.
        """
        if self.level == "segment":
            count = self.scores.shape[1]
            if count > segments or (count < segments and not self.numbered):
                difference, more = abs(count - segments), "more" if count > segments else "fewer"
                raise AlignmentError(
                    f"{self.origin or 'scores'}: the scores of {self.name} cover {count:,} "
                    f"{plural(count, 'segment')}, {difference:,} {more} than the texts have ({segments:,})"
                )
        width = segments if self.level == "segment" else 0
        scores = np.full((len(systems), width), np.nan)
        system_scores = np.full(len(systems), np.nan)
        where = {name: k for k, name in enumerate(self.systems)}
        for k, name in enumerate(systems):
            if name in where:
                scores[k, : self.scores.shape[1]] = self.scores[where[name]]
                system_scores[k] = self.system_scores[where[name]]
        errors = self.errors
        if errors is not None:
            missing = (None,) * width
            errors = tuple((errors[where[name]] + missing)[:width] if name in where else missing for name in systems)
        return replace(self, systems=tuple(systems), scores=scores, system_scores=system_scores, errors=errors)

    def placed(self, ids: Sequence[SegmentId] | None, documents: Sequence[str] | None) -> tuple[ScoreTable, str]:
        """Align scores with the segments of a text; a document that is one segment has the mean of its paragraphs.

        Args:
            ids: ids of the segments of the text, if any.
            documents: the document of each segment, in which paragraphs are counted if there are no ids.

        Returns:
            The table with a score for each segment of the text, and a sentence on averaged or unused scores.

        Raises:
            AlignmentError: the documents are unknown, or the text has none of the segments.
        """
        if self.ids is None:
            return self, ""
        place = f"{self.origin or 'scores'}: {self.name}"
        if ids is None and documents is None:
            raise AlignmentError(
                f"{place}: its scores are of documents, and the documents of the segments are not known; add texts "
                "with ids, or a file with one document id per line"
            )
        order = numbered_in_documents(documents or ()) if ids is None else counted_from_1(ids)
        where = {SegmentId(key.document, key.segment): s for s, key in enumerate(order)}
        rows: dict[int, list[int]] = {}
        unused = averaged = 0
        for row, key in enumerate(self.ids):
            position = where.get(key)
            if position is None:
                position = where.get(SegmentId(key.document, ""))
                averaged += position is not None
            if position is None:
                unused += 1
            else:
                rows.setdefault(position, []).append(row)
        if not rows:
            raise AlignmentError(
                f"{place}: scores of {listed(dict.fromkeys(key.document for key in self.ids))} found, scores of at "
                f"least one of {listed(dict.fromkeys(key.document for key in order))} expected"
            )
        scores = np.full((len(self.systems), len(order)), np.nan)
        errors = self.errors_at([rows[s][0] if len(rows.get(s, ())) == 1 else -1 for s in range(len(order))])
        for position, own in rows.items():
            paragraph_scores = self.scores[:, own]
            complete = np.isfinite(paragraph_scores).all(axis=1)
            scores[complete, position] = paragraph_scores[complete].mean(axis=1)
        sentences: list[str] = []
        if averaged:
            sentences.append(f"scores of {averaged:,} paragraphs averaged over their document")
        if unused:
            scored = plural(unused, "score")
            sentences.append(f"{unused:,} {scored} per system of segments that the texts lack not used")
        table = ScoreTable.of_segments(self.name, self.systems, scores, origin=self.origin)
        note = f"{self.name}: {'; '.join(sentences)}" if sentences else ""
        return replace(table, higher_is_better=self.higher_is_better, errors=errors), note

    def errors_at(self, rows: Sequence[int]) -> tuple[tuple[Errors | None, ...], ...] | None:
        """Return the errors marked in some of the segments, as `errors`.

        Args:
            rows: positions of the segments, from 0; -1 for a segment without marks.
        """
        if self.errors is None:
            return None
        return tuple(tuple(marked[row] if row >= 0 else None for row in rows) for marked in self.errors)

    def subset(self, rows: Sequence[int]) -> ScoreTable:
        """Return the scores of some of the segments; system scores are their means.

        Args:
            rows: positions of the segments, from 0; -1 for a segment without scores.
        """
        scores = np.where(np.asarray(rows) >= 0, self.scores[:, list(rows)], np.nan)
        table = ScoreTable.of_segments(self.name, self.systems, scores, origin=self.origin, numbered=self.numbered)
        texts = self.texts and tuple(tuple(own[row] if row >= 0 else "" for row in rows) for own in self.texts)
        return replace(table, higher_is_better=self.higher_is_better, errors=self.errors_at(rows), texts=texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedScore:
    """A system's corpus score by a metric, as sacreBLEU prints it.

    Attributes:
        system: the name of the system.
        metric: the label of the metric, such as BLEU or chrF2.
        score: the score in points, as printed.
        decimals: the number of printed decimals.
        signature: the signature of the metric; empty if none was printed.
        hypothesis_length: the number of tokens of the system; None if it was not printed.
        reference_length: the number of tokens of the reference; None if it was not printed.
        origin: the file.
    """

    system: str
    metric: str
    score: float
    decimals: int
    signature: str = ""
    hypothesis_length: int | None = None
    reference_length: int | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class UnusedRows:
    """Unused rows of a file, and the reason.

    Attributes:
        reason: the reason, in one line of bounded length.
        count: number of rows.
        line: line of the file (1-based) with the first of the rows.
        origin: the file.
    """

    reason: str
    count: int
    line: int
    origin: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", one_line(self.reason))

    @staticmethod
    def tally(rows: Iterable[tuple[str, int]], origin: str) -> tuple[UnusedRows, ...]:
        """Count rows, given as (reason, line), by reason; reasons beyond MAX_REASONS are counted together."""
        lines: dict[str, list[int]] = {}
        for reason, line in rows:
            lines.setdefault(reason, []).append(line)
        reasons = list(lines)
        others = reasons[MAX_REASONS:] if len(reasons) > MAX_REASONS + 1 else []
        if others:
            lines[f"{len(others):,} more reasons"] = [line for reason in others for line in lines.pop(reason)]
        return tuple(UnusedRows(reason, len(numbers), min(numbers), origin) for reason, numbers in lines.items())

    def __str__(self) -> str:
        where = f"line {self.line}" if self.count == 1 else f"first: line {self.line}"
        return one_line(f"{self.origin}: {self.count:,} {plural(self.count, 'row')} not used ({where}): {self.reason}")


class Judge(NamedTuple):
    """A judge; judges of different groups may have the same name."""

    group: str | None
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """Ratings in long form, one row per rating.

    Attributes:
        table: columns segment (1-based; missing for system-level scores), system, judge (empty if the file names none),
            score (missing if the file has none), group, document, and origin and line, the file and its line (1-based).
            If item numbers in the file are not lines of the texts, segment is missing and the column position has them.
            If the file has the rated texts, they are in the columns TEXTS. If judges marked errors, the column errors
            has a tuple of MarkedError for each annotated item; other values mean that the row is no annotation.
        first_segment: the number of the first segment in the file, for messages; the table counts from 1.
        format: the format of the file, for messages.
        numbering: the meaning of item numbers in the file. "line": lines of the texts. "document": segments of the
            document; place() converts them to lines if the documents are known. "item": something else, such as
            positions in a judge's batch; these ratings count in the means of systems and belong to no segment. Two
            judges' equal numbers in a document of a system are one item if both begin the document with the same
            number; otherwise the document was divided between them.
        unused_rows: unused rows. Rows without a score are among them and remain in the table.
        notes: sentences about guesses made while reading.
        averages: the files (origins) whose scores are averages over unnamed judges. Their column judge has the same
            label in every row.
        unlisted_is_0: whether segments of a system without a row are rated 0, as segments without errors are.
        adjusted_means: mean ratings of systems that replace the means over their ratings, if ratings are adjusted for
            judges; they hold for these ratings, and not for a part of them.
        raw_means: means of the ratings before adjustment; empty if ratings are not adjusted.
        digest: blake2b of the ratings, whatever the order of the rows.
        fingerprint: key of the ratings and the marked errors in caches, only within this process.
        hashed: what digest and fingerprint are computed from, and these, for copies of the judgments.
    """

    table: pd.DataFrame
    first_segment: int = 1
    format: str = ""
    numbering: Numbering = "line"
    unused_rows: tuple[UnusedRows, ...] = ()
    notes: tuple[str, ...] = ()
    averages: frozenset[str] = frozenset()
    unlisted_is_0: bool = False
    adjusted_means: Mapping[str, float] = field(default_factory=dict[str, float])
    raw_means: Mapping[str, float] = field(default_factory=dict[str, float])
    digest: str = field(init=False)
    fingerprint: str = field(init=False, repr=False)
    hashed: Hashed[tuple[str, str]] | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        computed = hashed(self.hashed, self.table, self.adjusted_means, by=self._digests)
        object.__setattr__(self, "hashed", computed)
        object.__setattr__(self, "digest", computed.value[0])
        object.__setattr__(self, "fingerprint", computed.value[1])

    def _digests(self) -> tuple[str, str]:
        import pandas as pd  # loaded when first needed

        content = self.table[["segment", "system", "judge", "score", "group", *_position_columns(self.table)]]
        row_hashes = pd.util.hash_pandas_object(content, index=False).to_numpy()
        hashes = np.sort(row_hashes).tobytes()
        means = repr(sorted(self.adjusted_means.items())).encode() if self.adjusted_means else b""
        digest = fingerprint = hashlib.blake2b(hashes + means, digest_size=16).hexdigest()
        if self.has_errors:
            order = np.lexsort((errors := hashes_of_errors(self.table[ERRORS]), row_hashes))
            marked = row_hashes[order].tobytes() + errors[order].tobytes()
            fingerprint += hashlib.blake2b(marked, digest_size=16).hexdigest()
        return digest, fingerprint

    @property
    def has_errors(self) -> bool:
        """Whether any judge annotated errors."""
        return ERRORS in self.table.columns

    @property
    def errors_of_no_segment(self) -> int:
        """The number of marked errors in ratings that are of no segment."""
        if not self.has_errors:
            return 0
        cells: list[object] = self.table.loc[self.table["segment"].isna(), ERRORS].tolist()
        return sum(len(errors_in(cell) or ()) for cell in cells)

    def annotations(self) -> Iterator[tuple[int, str, str | None, str, Errors]]:
        """Yield the annotated items of segments: segment (from 1), system, group, judge and the marked errors."""
        if not self.has_errors:
            return
        rows = self.table[self.table["segment"].notna()]
        rows = rows[np.array([isinstance(cell, tuple) for cell in rows[ERRORS]], bool)]
        names = (rows[name].astype(object).tolist() for name in ("system", "group", "judge"))
        segments: list[int] = rows["segment"].to_numpy(np.int64).tolist()
        for segment, system, group, judge, errors in zip(segments, *names, rows[ERRORS].tolist(), strict=True):
            yield segment, system, group if isinstance(group, str) else None, judge, errors

    @classmethod
    def from_ratings(
        cls,
        systems: Sequence[str],
        scores: Sequence[float] | Floats,
        lines: Sequence[int],
        origin: str,
        *,
        segments: Sequence[int | None] | None = None,
        judges: Sequence[str] | str = "",
        groups: Sequence[str | None] | None = None,
        documents: Sequence[str | None] | None = None,
        errors: Sequence[Errors | None] | None = None,
        sources: Sequence[str | None] | None = None,
        translations: Sequence[str | None] | None = None,
        first_segment: int = 1,
        format: str = "",  # noqa: A002 # as the attribute
        numbering: Numbering = "line",
        unused_rows: Iterable[tuple[str, int]] = (),
        notes: Iterable[str] = (),
        averages: bool = False,
        unlisted_is_0: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> Judgments:
        """Build judgments from columns with one entry per rating; NaN scores are missing.

        The meaning of the item numbers in `segments` is `numbering`; lines of the texts are counted from 1. Groups,
        documents, and the sources and translations that were rated, are None or empty where the file does not have
        them. Errors are None for a rating that is no annotation. The rows that are no ratings are given with the reason
        and the line of each.

        Raises:
            FormatError: there is no rating, or a name holds a lone surrogate.
            LimitError: there are too many systems, judges or groups.
        """
        import pandas as pd

        values = np.asarray(scores, np.float64) + 0.0  # -0.0, as of no errors in MQM, becomes 0.0
        if np.isnan(values).all():
            raise FormatError(
                f"{origin}: no rating in {len(values):,} {plural(len(values), 'row')}, at least 1 expected"
            )
        are_lines = numbering == "line"
        given = {
            "segment": segments if are_lines else None,
            "system": systems,
            "judge": judges,
            "score": values,
            "group": groups,
            "document": documents,
            "origin": origin,
            "line": lines,
        }
        if not are_lines:
            given["position"] = segments
        table = pd.DataFrame(
            {name: _array(name, column, lines=lines, origin=origin, limits=limits) for name, column in given.items()}
        )
        if errors is not None and any(marked is not None for marked in errors):
            table[ERRORS] = column_of_errors(errors)
        if any(sources or ()) or any(translations or ()):
            for name, texts in zip(TEXTS, (sources, translations), strict=True):
                column = [text or None for text in texts or (None,) * len(table)]
                table[name] = pd.Series(column, dtype=object)  # texts may hold lone surrogates
        no_score = [("no score", n) for n, missing in zip(lines, np.isnan(values).tolist(), strict=True) if missing]
        return cls(
            table=table,
            first_segment=first_segment,
            format=format,
            numbering=numbering,
            unused_rows=(*UnusedRows.tally(unused_rows, origin), *UnusedRows.tally(no_score, origin)),
            notes=tuple(map(one_line, notes)),
            averages=frozenset([origin] if averages else []),
            unlisted_is_0=unlisted_is_0,
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with at least one rating, in the order of their first row."""
        return tuple(self.rated["system"].drop_duplicates())

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of judges, in the order of their first row; empty if the files name none."""
        return tuple(self.rated["group"].dropna().drop_duplicates())

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges with at least one rating, in the order of their first row."""
        names = self.rated[["group", "judge"]].drop_duplicates()
        pairs = zip(names["group"].astype(object), names["judge"].astype(object), strict=True)
        return tuple(Judge(group if isinstance(group, str) else None, str(name)) for group, name in pairs)

    @property
    def rated(self) -> pd.DataFrame:
        """The rows with a score."""
        return self.table[self.table["score"].notna()]

    @property
    def judge_count(self) -> int:
        """Number of judges with a rating; ratings that name no judge count as one judge's.

        Judges of the same name in two groups count as two. `named` is False if no rating names its judge.
        """
        return int(self.rated[["group", "judge"]].drop_duplicates().shape[0])

    @property
    def named(self) -> bool:
        """Whether any rating names its judge, without which there is neither agreement nor differences of judges."""
        return bool(self.of_named_judges.any())

    @property
    def of_named_judges(self) -> pd.Series:
        """Whether each row of `rated` names its judge; averages over judges and empty names do not."""
        rated = self.rated
        return rated["judge"].ne("") & ~rated["origin"].isin(list(self.averages))

    @property
    def repeated(self) -> int:
        """Number of ratings beyond a judge's first rating of an item (a segment of a system); they are averaged."""
        coded = _Coded.of(self)
        return len(coded.rating) - len(_first(coded.rating))

    def of_group(self, group: str) -> Judgments:
        """Return the ratings of one group of judges."""
        return self._part(self.table[self.table["group"].eq(group).fillna(value=False)])

    def of_systems(self, systems: Collection[str]) -> Judgments:
        """Return the ratings of some of the systems."""
        return replace(self, table=self.table[self.table["system"].isin(list(systems))])

    def with_unlisted(self, segments: int) -> Judgments:
        """Return the ratings with a rating of 0 for each segment of the texts that a system's only judge does not list.

        Args:
            segments: S, the number of segments.
        """
        if not self.unlisted_is_0:
            return self
        import pandas as pd  # loaded when first needed

        tables = [self.table]
        for _, own in self.table.groupby("system", sort=False, observed=True):
            unlisted = np.setdiff1d(np.arange(1, segments + 1), own["segment"].dropna().to_numpy(np.int64))
            added = own.iloc[np.zeros(len(unlisted), np.int64)].reset_index(drop=True)
            empty = {name: None for name in (*TEXTS, "document") if name in added.columns}
            added = added.assign(segment=unlisted, score=0.0, **empty)
            if self.has_errors:
                added[ERRORS] = column_of_errors([()] * len(added))
            tables.append(added.astype(self.table.dtypes.to_dict()))
        return replace(self, table=pd.concat(tables, ignore_index=True), unlisted_is_0=False)

    def renamed(self, names: Mapping[str, str]) -> Judgments:
        """Return the ratings with other names of systems: old name -> new name."""
        return replace(self, table=self.table.assign(system=self.table["system"].replace(dict(names))))

    def without(self, *, judges: Collection[Judge | str] = (), groups: Collection[str] = ()) -> Judgments:
        """Return the ratings of all other judges and groups; a judge given as a string is excluded from every group."""
        table = self.table
        left_out = table["group"].isin(list(groups)) | table["judge"].isin([j for j in judges if isinstance(j, str)])
        for judge in judges:
            if not isinstance(judge, str):
                group = table["group"].isna() if judge.group is None else table["group"].eq(judge.group)
                left_out |= table["judge"].eq(judge.name) & group
        return self._part(table[~left_out.fillna(value=False).astype(bool)])

    def subset(self, rows: Sequence[int]) -> Judgments:
        """Return the ratings of some of the segments, renumbered in the order given.

        Args:
            rows: positions of the segments, from 0; -1 for a segment without ratings.
        """
        table = self.table[self.table["segment"].notna()]
        return replace(self, table=_renumbered(table, rows), first_segment=1, adjusted_means={}, raw_means={})

    def renumbered(self, rows: Sequence[int]) -> Judgments:
        """Return the ratings of some of the segments, as `subset`, and those of no segment."""
        return replace(self, table=_renumbered(self.table, rows), first_segment=1)

    def at_lines(self, lines: Sequence[int]) -> Judgments:
        """Return the ratings numbered by lines of the texts.

        Args:
            lines: the line of each row, from 1; 0 for a rating of no segment, and -1 for one that is excluded.
        """
        import pandas as pd  # loaded when first needed

        table = self.table.assign(segment=pd.array([line or None for line in lines], dtype="Int64"))
        return replace(self, table=table[np.array(lines) >= 0], numbering="line", first_segment=1)

    def check_segments(self, segments: int) -> None:
        """Check that no rating is of a segment beyond `segments`.

        Raises:
            AlignmentError: a segment number is larger; the message names the first such line and the number of rows.
        """
        beyond = self.table[self.table["segment"].gt(segments).fillna(value=False)]
        if len(beyond):
            first = beyond.iloc[0]
            shift = self.first_segment - 1
            rest = "" if len(beyond) == 1 else f" ({len(beyond):,} such rows)"
            raise AlignmentError(
                f"{first['origin']}, line {first['line']}: rating of segment {first['segment'] + shift:,} found, but "
                f"the texts have {_segments(segments, shift)}{rest}"
            )

    def place(
        self, systems: Collection[str], segments: int, documents: Sequence[str] | None = None
    ) -> tuple[Judgments, tuple[UnusedRows, ...]]:
        """Select the ratings of the given systems and of segments of the texts; count all others by reason.

        If the document of every segment is known, numbers within documents are converted to lines, and a rating whose
        line is in another document than the one it names is not used: its file counts other lines.

        Args:
            systems: the systems that have texts.
            segments: S, the number of segments.
            documents: the document of each of the S segments, if known.

        Returns:
            The ratings that can be placed, and the other rows by reason.
        """
        lined = self.lined(documents)
        numbering, table = lined.numbering, lined.table
        reasons = np.full(len(table), "", dtype=object)
        if numbering == "line" and self.numbering == "document":
            reasons[table["segment"].isna().to_numpy(bool)] = (
                "the texts have no such document, or the document no such segment"
            )
        elif documents is not None:
            reasons[_elsewhere(table, documents)] = "the line is in another document of the texts"
        shift = self.first_segment - 1
        beyond = table["segment"].gt(segments).fillna(value=False).to_numpy(bool)
        reasons[beyond] = f"the segment is beyond the texts, which have {_segments(segments, shift)}"
        unknown = ~table["system"].isin(list(systems)).to_numpy(bool)
        reasons[unknown] = [f"{name} is not loaded as a system" for name in table["system"][unknown]]
        unplaced = reasons != ""
        rows: dict[str, list[tuple[str, int]]] = {}
        for origin, reason, line in zip(
            table["origin"][unplaced], reasons[unplaced], table["line"][unplaced], strict=True
        ):
            rows.setdefault(str(origin), []).append((str(reason), int(line)))
        unused = tuple(part for origin, others in rows.items() for part in UnusedRows.tally(others, origin))
        if numbering == "line":
            table = table[[*COLUMNS, *([ERRORS] if self.has_errors else [])]]
        return replace(self._part(cast("pd.DataFrame", table[~unplaced])), numbering=numbering), unused

    def lined(self, documents: Sequence[str] | None) -> Judgments:
        """Return the ratings with numbers within documents converted to lines, if the documents are known.

        Args:
            documents: the document of each segment of the texts, if known.
        """
        if self.numbering != "document" or documents is None:
            return self
        if not self.table["document"].isin(list(documents)).any():
            return self
        return replace(self, table=_lined(self.table, documents), numbering="line")

    def _part(self, table: pd.DataFrame) -> Judgments:
        """Return a part of the ratings, without adjusted means, which do not hold for a part."""
        return replace(self, table=table, adjusted_means={}, raw_means={})

    def system_means(self) -> Mapping[str, float]:
        """Return the mean over a system's rated segments of the mean over judges.

        A judge's repeated ratings of an item are averaged first. System-level scores have no segment and count
        as one. If ratings are adjusted for judges, return the adjusted means.
        """
        coded = _Coded.of(self)
        items, means = coded.item_means()
        means = _means(coded.system[items], means)
        by_system = {name: float(mean) for name, mean in zip(coded.names, means, strict=True)}
        return {name: self.adjusted_means.get(name, mean) for name, mean in by_system.items()}

    def segment_means(self, systems: Sequence[str], segments: int, *, name: str = "human") -> ScoreTable:
        """Return the mean over judges of every segment of the given systems; NaN without ratings.

        A judge's repeated ratings of an item are averaged first. Ratings of other systems are ignored; place() counts
        them. If no rating is of a segment of the texts, the table has the level "system".

        Raises:
            AlignmentError: as for check_segments.
        """
        self.check_segments(segments)
        rated = self.rated
        coded = _Coded.of(self)
        items, means = coded.item_means()
        lines = rated["segment"].fillna(0).to_numpy(np.int64)[items]
        order = {system: k for k, system in enumerate(systems)}
        rows = np.array([order.get(system, -1) for system in coded.names], np.int64)[coded.system[items]]
        has_segments = bool((lines > 0).any())
        scores = np.full((len(systems), segments if has_segments else 0), np.nan)
        usable = (lines > 0) & (rows >= 0)
        scores[rows[usable], lines[usable] - 1] = means[usable]
        means_by_system = self.system_means()
        system_scores = np.array([means_by_system.get(system, np.nan) for system in systems], np.float64)
        return ScoreTable(
            name=name,
            systems=tuple(systems),
            scores=scores,
            system_scores=system_scores,
            level="segment" if has_segments else "system",
        )


def merge(parts: Iterable[Judgments]) -> Judgments | None:
    """Merge several files of judgments; each file without groups becomes a group.

    Place the ratings of each file before merging: files may number their items in different ways.

    Returns:
        The merged judgments; None if there are none.
    """
    parts = tuple(parts)
    if not parts[1:]:
        return next(iter(parts), None)
    import pandas as pd  # loaded when first needed

    tables = [p.table if p.groups else p.table.assign(group=p.table["origin"]) for p in parts]
    return Judgments(
        table=pd.concat(tables, ignore_index=True),
        first_segment=parts[0].first_segment,
        format=", ".join(dict.fromkeys(p.format for p in parts if p.format)),
        numbering=parts[0].numbering if len({p.numbering for p in parts}) == 1 else "item",
        unused_rows=tuple(s for p in parts for s in p.unused_rows),
        notes=tuple(dict.fromkeys(note for p in parts for note in p.notes)),
        averages=frozenset(origin for p in parts for origin in p.averages),
    )


def _segments(count: int, shift: int) -> str:
    """Return the number of segments and, for a file that counts from 0, their numbers, for messages."""
    return f"{count:,} {plural(count, 'segment')}" + (f", {shift + 1} to {count + shift:,}" if shift else "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Coded:
    """Ratings with integer codes: for each row its system (index in names), its item and its (item, judge)."""

    names: tuple[str, ...]
    system: Integers
    item: Integers
    rating: Integers
    scores: Floats

    @classmethod
    def of(cls, judgments: Judgments) -> _Coded:
        rated = judgments.rated
        system, names = _factorized(rated["system"])
        segment, _ = _factorized(rated["segment"].fillna(0).to_numpy(np.int64))
        item = _paired(system, segment)
        for name in _position_columns(rated):
            column = rated[name] if name == "position" else rated[name].where(rated["position"].notna())
            item = _paired(item, _factorized(column)[0])
        judge = _paired(_factorized(rated["group"])[0], _factorized(rated["judge"])[0])
        if judgments.numbering == "item" and "position" in rated:
            part = _paired(_paired(system, _factorized(rated["document"])[0]), judge)
            first = rated["position"].groupby(part).transform("min")
            item = _paired(item, _factorized(first)[0])
        return cls(
            names=names,
            system=system,
            item=item,
            rating=_paired(item, judge),
            scores=rated["score"].to_numpy(np.float64),
        )

    def item_means(self) -> tuple[Integers, Floats]:
        """Return the first row of each item, and its mean over judges of each judge's mean."""
        by_judge = _means(self.rating, self.scores)
        return _first(self.item), _means(self.item[_first(self.rating)], by_judge)


def _factorized(column: pd.Series | Integers) -> tuple[Integers, tuple[str, ...]]:
    """Return codes from 0 in the order of first occurrence (-1 for missing values), and the values."""
    import pandas as pd

    codes, values = pd.factorize(column, use_na_sentinel=True)
    return codes.astype(np.int64), tuple(values) if isinstance(column, pd.Series) else ()


def _paired(first: Integers, second: Integers) -> Integers:
    """Return codes of the pairs, from 0 in the order of first occurrence."""
    if not len(first):
        return first
    return _factorized((first + 1) * (int(second.max()) + 2) + second + 1)[0]


def _first(codes: Integers) -> Integers:
    """Return the first row of each code."""
    first = np.zeros(int(codes.max()) + 1 if len(codes) else 0, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first


def _means(codes: Integers, values: Floats) -> Floats:
    """Return the mean of the values of each code; values are sorted, so that the order of rows does not matter."""
    if not len(codes):
        return np.empty(0)
    order = np.argsort(values)
    return np.bincount(codes[order], values[order]) / np.bincount(codes)


def _position_columns(table: pd.DataFrame) -> tuple[str, ...]:
    return ("document", "position") if "position" in table.columns else ()


def check_characters(names: Sequence[str], rows: Sequence[str | None], lines: Sequence[int], origin: str) -> None:
    r"""Check that names have no lone surrogates, which JSON can write as \ud800 but no file can hold.

    Args:
        names: names without repetitions.
        rows: the name in every row of the file.
        lines: the file's line of each row, for the message.
        origin: the file, for the message.

    Raises:
        FormatError: a name holds a lone surrogate.
    """
    try:
        "".join(names).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        name, line = next((name, line) for name, line in zip(rows, lines, strict=True) if name and half in name)
        raise FormatError(
            f"{origin}, line {line}: the name {name!r} holds a lone surrogate, text expected; save the file as UTF-8"
        ) from None


def _array(name: str, column: object, lines: Sequence[int], origin: str, limits: Limits) -> object:
    import pandas as pd

    kind = KINDS.get(name, "string")
    if column is None or isinstance(column, str):
        return pd.Series(pd.NA if column is None else normal_name(column), index=range(len(lines)), dtype=kind)
    if kind != "string":
        return pd.array(column, dtype=kind)  # type: ignore[call-overload]
    codes, values = pd.factorize(np.array(column, dtype=object))
    if name in COLUMN_LIMITS:
        limits.check(COLUMN_LIMITS[name], len(values), origin)
    check_characters(values.tolist(), cast("Sequence[str | None]", column), lines, origin)
    unnamed = None if name in OPTIONAL else ""
    values = np.array([normal_name(value) or unnamed for value in values.tolist()], dtype=object)
    return pd.array(values, dtype="string").take(codes, allow_fill=True)  # repeated names are converted only once


def _renumbered(table: pd.DataFrame, rows: Sequence[int]) -> pd.DataFrame:
    """Return the ratings of no segment, and those of the segments that have a row, by its place among the rows."""
    numbers = {row + 1: number for number, row in enumerate(rows, start=1) if row >= 0}
    segment = table["segment"]
    kept = segment.isna() | segment.isin(list(numbers))
    return table.assign(segment=segment.map(numbers).astype(segment.dtype))[kept]


def _lined(table: pd.DataFrame, documents: Sequence[str]) -> pd.DataFrame:
    """Return the table with the line of each position in its document, missing if there is none."""
    import pandas as pd

    base = 0 if table["position"].eq(0).any() else 1
    texts = pd.Series(list(documents), dtype="string")
    position = texts.groupby(texts, sort=False).cumcount() + base
    lines = pd.Series(range(1, len(texts) + 1), index=pd.MultiIndex.from_arrays([texts, position]))
    placed = lines.reindex(pd.MultiIndex.from_arrays([table["document"], table["position"]]))
    return table.assign(segment=pd.array(placed.to_numpy(), dtype="Int64"))


def _elsewhere(table: pd.DataFrame, documents: Sequence[str]) -> NDArray[np.bool_]:
    """Return which rows name a document of the texts and a line of another document."""
    texts = np.array(list(documents), dtype=object)
    lines = table["segment"].fillna(0).to_numpy(np.int64)
    inside = (lines > 0) & (lines <= len(texts)) & table["document"].isin(list(documents)).to_numpy(bool)
    elsewhere = np.zeros(len(table), bool)
    elsewhere[inside] = texts[lines[inside] - 1] != table["document"].to_numpy(object)[inside]
    return elsewhere
