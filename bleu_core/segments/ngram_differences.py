"""N-grams in whose matches two systems differ, and those that a system overuses or lacks relative to references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.fields import Field, field, result
from bleu_core.progress import Progress
from bleu_core.scoring import ABSENT, BleuEvaluation, NumberedTokens, Numbers, bleu, number_tokens
from bleu_core.slicing import group_by_length

NgramKind = Literal["words", "punctuation", "numbers"]
NgramDivision = Literal["kind", "frequency", "length"]
Side = Literal["surplus", "deficit"]

#: From the weakest to the strongest: an n-gram is of the strongest kind of its tokens.
NGRAM_KINDS: tuple[NgramKind, ...] = get_args(NgramKind)

#: Lower limits of the groups by occurrences in the references.
FREQUENCIES = (0, 1, 2, 5, 10, 100, 1000)
FREQUENCY_NAMES = ("0", "1", "2-4", "5-9", "10-99", "100-999", "1000 or more")

#: Default number of n-grams per order in lists.
DEFAULT_NGRAMS = 10


GAINED = Field("count", "Matches that the system has and the baseline lacks, segment by segment.")
LOST = Field("count", "Matches that the baseline has and the system lacks, segment by segment.")
OVERUSED = Field("count", "Occurrences in the output that match nothing.")
MISSING = Field("count", "Possible matches that the system lacks.")
IN_REFERENCES = Field(
    "count", "Number of possible matches: per segment, the maximum number of occurrences in a single reference."
)
MATCHES = Field("count", "Matches of the system.")


@result
class NgramDifference:
    """An n-gram of which a system has a surplus or a deficit, see NgramDifferences.

    Attributes:
        in_references: the maximum number of matches: the maximum count in any single reference, summed over segments.
        surplus, deficit: numbers of matches, or of occurrences.
        surplus_in, deficit_in: numbers of their segments.
        surplus_segments, deficit_segments: the numbers of their segments, from 1.
        effect: on the corpus score, points.
    """

    order: int = field("count", "Length of the n-gram, in tokens.")
    ngram: str = field("text", "The n-gram: its tokens, separated by spaces.", label="n-gram")
    kind: NgramKind = field(
        "text", "Numbers if a token has a digit; else punctuation if a token has no letter; else words."
    )
    in_references: int = field(IN_REFERENCES)
    surplus: int
    deficit: int
    surplus_in: int
    deficit_in: int
    surplus_segments: tuple[int, ...]
    deficit_segments: tuple[int, ...]
    effect: float


@result
class PairNgram(NgramDifference):
    """An n-gram that is won or lost."""

    surplus: int = field(GAINED, key="gained")
    deficit: int = field(LOST, key="lost")
    surplus_in: int = field(
        "count", "Number of segments with such a gain.", key="gained_in", only="table", label="segments gained"
    )
    deficit_in: int = field(
        "count", "Number of segments with such a loss.", key="lost_in", only="table", label="segments lost"
    )
    surplus_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with a gain, from 1.", key="segments_gained"
    )
    deficit_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with a loss, from 1.", key="segments_lost"
    )
    effect: float = field(
        "number",
        "Points that the system's BLEU loses without its net gain or, with a minus sign, that the baseline's BLEU "
        "loses without its own.",
    )


@result
class SystemNgram(NgramDifference):
    """An n-gram that is overused or missing."""

    surplus: int = field(OVERUSED, key="overused")
    deficit: int = field(MISSING, key="missing")
    surplus_in: int = field(
        "count", "Number of segments with such occurrences.", key="overused_in", only="table", label="segments overused"
    )
    deficit_in: int = field(
        "count", "Number of segments that lack matches.", key="missing_in", only="table", label="segments missing"
    )
    surplus_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with such occurrences, from 1.", key="segments_overused"
    )
    deficit_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments that lack matches, from 1.", key="segments_missing"
    )
    effect: float = field("number", "Points that the system's BLEU gains if these occurrences match.")


@result
class NgramSums:
    """Counts of a group of n-grams.

    Attributes:
        in_references: the maximum number of matches, summed over n-grams and segments.
        occurrences: in the system's output.
        matches: of the system.
        baseline_matches: of the baseline; 0 if there is none.
        surplus, deficit: see NgramDifferences.
    """

    group: str | None = field("text", "Name of the group; absent for all n-grams.", default=None)
    order: int = field("count", "Length of the n-grams, in tokens.")
    in_references: int = field(IN_REFERENCES)
    occurrences: int
    matches: int
    baseline_matches: int
    surplus: int
    deficit: int


@result
class PairCounts(NgramSums):
    """Matches of two systems in a group of n-grams."""

    matches: int = field(MATCHES)
    baseline_matches: int = field("count", "Matches of the baseline.")
    surplus: int = field(GAINED, key="gained")
    deficit: int = field(LOST, key="lost")


@result
class SystemCounts(NgramSums):
    """Occurrences of a system in a group of n-grams."""

    occurrences: int = field("count", "Occurrences in the system's output.")
    matches: int = field(MATCHES)
    surplus: int = field(OVERUSED, key="overused")
    deficit: int = field(MISSING, key="missing")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _OrderDifferences:
    """The n-grams of one order that have a surplus or a deficit.

    Attributes:
        order: n.
        first: (G,) the position of the first occurrence in the tokens.
        kinds: (G,) positions in NGRAM_KINDS.
        in_references, surplus, deficit: (G,).
        effects: (2, G) of the surplus and of the deficit, points.
        bounds: (G + 1,) the start of the cells of each n-gram.
        segments, cell_surplus, cell_deficit: of each cell, an n-gram in a segment.
    """

    order: int
    first: Integers
    kinds: Integers
    in_references: Integers
    surplus: Integers
    deficit: Integers
    effects: Floats
    bounds: Integers
    segments: Integers
    cell_surplus: Integers
    cell_deficit: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramDifferences:
    """The n-grams of a system compared with those of a baseline, or with its references.

    Matches are counted in each segment as in BLEU: the count of an n-gram in the output, clipped to its maximum count
    in any single reference (Papineni et al. 2002, section 2.1).

    With a baseline, the surplus of an n-gram is the number of matches that the system has and the baseline lacks, and
    its deficit the number of those that the baseline has and the system lacks, each counted segment by segment. Their
    difference, summed over the n-grams of an order, is the difference of the matches of that order. The effect is the
    loss in corpus score if the net surplus is removed from the system that has it: the system's loss if there is a
    surplus, and the baseline's loss with a minus sign if there is a deficit. Exchanging the systems only changes its
    sign.

    Without a baseline, the surplus is the number of occurrences in the output that do not match, and the deficit the
    number of occurrences in the references that are not matched. The effect is the gain in corpus score if these
    occurrences match; matches are limited by the output's number of n-grams of that order.

    All effects are exact, and change the matches of one order only; lengths and other n-grams stay the same. N-grams
    overlap, so effects of several n-grams do not add up.

    Attributes:
        system: its name.
        baseline: the name of the other system; empty for the references.
        orders: the counts of each order, 1 to N.
        groups: how n-grams are divided -> the counts of each group and order: by kind, by frequency in the references
            (see in_references of NgramDifference) and by length of the segment's first reference, in quarters.
    """

    system: str
    baseline: str
    orders: tuple[NgramSums, ...]
    groups: Mapping[NgramDivision, tuple[NgramSums, ...]]
    _tokens: NumberedTokens
    _differences: tuple[_OrderDifferences, ...]

    def largest(
        self,
        side: Side,
        *,
        number: int = DEFAULT_NGRAMS,
        order: int | None = None,
        kind: NgramKind | None = None,
        numbers: Sequence[int] | None = None,
    ) -> tuple[NgramDifference, ...]:
        """Return the n-grams with the greatest effects.

        Args:
            side: whether n-grams with a surplus or with a deficit are returned; with a baseline, the net one.
            number: maximum number of n-grams per order.
            order: of the n-grams; all if None.
            kind: of the n-grams; all if None.
            numbers: numbers of the segments in the whole text, from 1; from 1 on if None.

        Returns:
            The n-grams by order; within an order by the size of the effect, then by surplus or deficit, then by first
            occurrence in the references and the outputs.

        Raises:
            SettingsError: the number is less than 1, or the order was not counted.
        """
        check_selection(number, order, len(self.orders))
        return tuple(
            self._difference(differences, row, effect, numbers)
            for differences in self._differences
            if order in (None, differences.order)
            for row, effect in self._largest(differences, side, number, kind)
        )

    def _largest(
        self, differences: _OrderDifferences, side: Side, number: int, kind: NgramKind | None
    ) -> list[tuple[int, float]]:
        """Return the rows of the n-grams of one order with the greatest effects, and these effects."""
        surplus, deficit = differences.surplus, differences.deficit
        size = surplus - deficit if self.baseline else surplus
        if side == "deficit":
            size = -size if self.baseline else deficit
        effects = differences.effects[0 if side == "surplus" else 1]
        selected = size > 0
        if kind is not None:
            selected &= differences.kinds == NGRAM_KINDS.index(kind)
        rows = np.flatnonzero(selected)
        ranks = np.lexsort([differences.first[rows], -size[rows], -np.abs(effects[rows])])
        return [(row, float(effects[row])) for row in rows[ranks[:number]].tolist()]

    def _difference(
        self, differences: _OrderDifferences, row: int, effect: float, numbers: Sequence[int] | None
    ) -> NgramDifference:
        cells = slice(differences.bounds[row], differences.bounds[row + 1])
        segments = differences.segments[cells]

        def segments_with(counts: Integers) -> tuple[int, ...]:
            positions: list[int] = segments[counts[cells] > 0].tolist()
            return tuple(position + 1 if numbers is None else numbers[position] for position in positions)

        in_surplus, in_deficit = segments_with(differences.cell_surplus), segments_with(differences.cell_deficit)
        kind = PairNgram if self.baseline else SystemNgram
        return kind(
            order=differences.order,
            ngram=" ".join(self._tokens.ngram(int(differences.first[row]), differences.order)),
            kind=NGRAM_KINDS[int(differences.kinds[row])],
            in_references=int(differences.in_references[row]),
            surplus=int(differences.surplus[row]),
            deficit=int(differences.deficit[row]),
            surplus_in=len(in_surplus),
            deficit_in=len(in_deficit),
            surplus_segments=in_surplus,
            deficit_segments=in_deficit,
            effect=effect,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The n-grams of one order by segment: C pairs of an n-gram and a segment that contains it.

    Attributes:
        ngrams, segments: (C,) by n-gram, then by segment.
        in_references: (C,) the maximum count in any single reference.
        outputs: (K, C) occurrences in each output.
    """

    ngrams: Integers
    segments: Integers
    in_references: Integers
    outputs: Integers


class _Counts(NamedTuple):
    """The counts of C cells, as in NgramSums."""

    in_references: Integers
    occurrences: Integers
    matches: Integers
    baseline_matches: Integers
    surplus: Integers
    deficit: Integers


def check_selection(number: int, order: int | None, max_order: int) -> None:
    """Check arguments of NgramDifferences.largest.

    Args:
        number: maximum number of n-grams per order.
        order: of the n-grams; all if None.
        max_order: the highest order counted.

    Raises:
        SettingsError: the number is less than 1, or the order is not counted.
    """
    if number < 1:
        raise SettingsError(f"{number} n-grams found, at least 1 expected")
    if order is not None and not 1 <= order <= max_order:
        raise SettingsError(f"order {order} found, 1 to {max_order} expected")


def compare_ngrams(
    corpus: Corpus, evaluation: BleuEvaluation, system: str, baseline: str = "", *, progress: Progress | None = None
) -> NgramDifferences:
    """Find the n-grams by which a system differs from a baseline, or from its references.

    Args:
        corpus: the texts.
        evaluation: of these texts, with the references and settings to use.
        system: its name.
        baseline: the name of the other system; empty for the references.
        progress: called after each order with the orders done and their total.

    Raises:
        ValueError: there is no system of that name.
        SettingsError: a requirement of the tokeniser is not installed.
    """
    names, counts_of = ((system, baseline), PairCounts) if baseline else ((system,), SystemCounts)
    sums = evaluation.statistics.sums()[[evaluation.systems.index(name) for name in names]]
    texts = [*(corpus.references[name] for name in evaluation.references), *(corpus.systems[name] for name in names)]
    tokens = number_tokens(texts, evaluation.settings.counting)
    kinds_of_tokens = _token_kinds(tokens.vocabulary)
    lengths = group_by_length(_first_lengths(evaluation.stats.reference_lengths))
    length_groups = np.array([lengths.order.index(label) for label in lengths.labels], np.int64)
    orders: list[NgramSums] = []
    groups: dict[NgramDivision, tuple[NgramSums, ...]] = dict.fromkeys(get_args(NgramDivision), ())
    differences: list[_OrderDifferences] = []
    numbers = tokens.numbers
    for order in range(1, evaluation.settings.max_order + 1):
        begins, numbers, first = _ngrams(tokens, numbers, order)
        cells = _cells(tokens, begins, numbers=numbers, texts=len(texts), outputs=len(names))
        counts = _counts(cells)
        kinds = kinds_of_tokens[tokens.numbers[first[:, None] + np.arange(order)]].max(axis=1)
        in_references = _summed(cells.ngrams, cells.in_references, len(first))
        frequencies = np.searchsorted(FREQUENCIES, in_references, "right") - 1
        orders += _sums(counts_of, order, (None,), np.zeros_like(cells.ngrams), counts=counts)
        groups["kind"] += _sums(counts_of, order, NGRAM_KINDS, kinds[cells.ngrams], counts=counts)
        groups["frequency"] += _sums(counts_of, order, FREQUENCY_NAMES, frequencies[cells.ngrams], counts=counts)
        groups["length"] += _sums(counts_of, order, lengths.order, length_groups[cells.segments], counts=counts)
        kept, kept_ngrams, bounds = _differing(cells, counts)
        surplus, deficit = (
            _summed(kept_ngrams, counts_of_side[kept], len(bounds) - 1)
            for counts_of_side in (counts.surplus, counts.deficit)
        )
        ngrams = cells.ngrams[kept[bounds[:-1]]]
        differences.append(
            _OrderDifferences(
                order=order,
                first=first[ngrams],
                kinds=kinds[ngrams],
                in_references=in_references[ngrams],
                surplus=surplus,
                deficit=deficit,
                effects=_effects(evaluation, sums, order=order, surplus=surplus, deficit=deficit),
                bounds=bounds,
                segments=cells.segments[kept],
                cell_surplus=counts.surplus[kept],
                cell_deficit=counts.deficit[kept],
            )
        )
        if progress:
            progress(order, evaluation.settings.max_order)
    return NgramDifferences(
        system=system,
        baseline=baseline,
        orders=tuple(orders),
        groups=groups,
        _tokens=tokens,
        _differences=tuple(differences),
    )


def _first_lengths(reference_lengths: Integers) -> Integers:
    """Return the length of the first existing reference of each segment, (S,)."""
    first = (reference_lengths != ABSENT).argmax(axis=0)
    return np.take_along_axis(reference_lengths, first[None], axis=0)[0]


def _token_kinds(vocabulary: Sequence[str]) -> Integers:
    """Return the kind of each token, as a position in NGRAM_KINDS; an n-gram has the maximum of its tokens."""
    import regex  # loaded when first needed

    digit, letter = regex.compile(r"\p{N}"), regex.compile(r"[\p{L}\p{M}]")
    kinds: list[NgramKind] = [
        "numbers" if digit.search(token) else "words" if letter.search(token) else "punctuation" for token in vocabulary
    ]
    return np.array([NGRAM_KINDS.index(kind) for kind in kinds], np.int64)


def _ngrams(tokens: NumberedTokens, shorter: Integers, order: int) -> tuple[Integers, Integers, Integers]:
    """Number the n-grams of one order.

    Args:
        tokens: of all texts.
        shorter: (T,) at each position, the number of the n-gram of the next lower order that begins there.
        order: n.

    Returns:
        The positions at which an n-gram begins; (T,) at each of them the number of the n-gram; and the position of the
        first occurrence of each.
    """
    if order == 1:
        begins, ngrams = np.arange(len(tokens.rows)), tokens.numbers
    else:
        begins = np.flatnonzero(tokens.rows[: 1 - order] == tokens.rows[order - 1 :])
        longer = shorter[begins] * len(tokens.vocabulary) + tokens.numbers[begins + order - 1]
        ngrams = np.unique(longer, return_inverse=True)[1]
    first = np.full(int(ngrams.max(initial=-1)) + 1, len(tokens.rows), np.int64)
    np.minimum.at(first, ngrams, begins)
    numbers = np.zeros_like(tokens.numbers)
    numbers[begins] = ngrams
    return begins, numbers, first


def _cells(tokens: NumberedTokens, begins: Integers, numbers: Integers, texts: int, outputs: int) -> _Cells:
    """Count the n-grams of one order in each segment of each text.

    Args:
        tokens: of the references, then of the outputs.
        begins: positions where an n-gram begins.
        numbers: (T,) of the n-grams that begin there.
        texts: number of texts.
        outputs: number of outputs among them.
    """
    text_numbers, segment_numbers = np.divmod(tokens.rows[begins], tokens.segments)
    keys = numbers[begins] * tokens.segments + segment_numbers
    ends = np.searchsorted(text_numbers, np.arange(1, texts))
    counted_texts = [np.unique(keys_of_text, return_counts=True) for keys_of_text in np.split(keys, ends)]
    # With counts, NumPy sorts; without, it hashes, which takes many times as long for such keys.
    every, _ = np.unique(np.concatenate([keys_of_text for keys_of_text, _ in counted_texts]), return_counts=True)
    counts = np.zeros((outputs, len(every)), np.int64)
    in_references = np.zeros(len(every), np.int64)
    for number, (keys_of_text, occurrences) in enumerate(counted_texts, start=outputs - texts):
        places = np.searchsorted(every, keys_of_text)
        if number < 0:
            in_references[places] = np.maximum(in_references[places], occurrences)
        else:
            counts[number, places] = occurrences
    ngrams, segments = np.divmod(every, tokens.segments)
    return _Cells(ngrams, segments, in_references, counts)


def _counts(cells: _Cells) -> _Counts:
    """Clip the occurrences, and compute surplus and deficit."""
    matches = np.minimum(cells.outputs, cells.in_references)
    occurrences = cells.outputs[0]
    if len(matches) == 1:
        surplus, deficit = occurrences - matches[0], cells.in_references - matches[0]
        return _Counts(
            in_references=cells.in_references,
            occurrences=occurrences,
            matches=matches[0],
            baseline_matches=np.zeros_like(occurrences),
            surplus=surplus,
            deficit=deficit,
        )
    difference = matches[0] - matches[1]
    surplus, deficit = np.maximum(difference, 0), np.maximum(-difference, 0)
    return _Counts(
        in_references=cells.in_references,
        occurrences=occurrences,
        matches=matches[0],
        baseline_matches=matches[1],
        surplus=surplus,
        deficit=deficit,
    )


def _summed(groups: Integers, counts: Integers, number: int) -> Integers:
    """Return the sums of counts by group, exact below 2**53."""
    return np.bincount(groups, counts, minlength=number).astype(np.int64)


def _sums(
    kind: type[NgramSums], order: int, names: Sequence[str | None], groups: Integers, *, counts: _Counts
) -> tuple[NgramSums, ...]:
    """Return the counts of each group, given the position of each cell's group in the names."""
    columns = [_summed(groups, cell_counts, len(names)).tolist() for cell_counts in counts]
    rows = (dict(zip(_Counts._fields, row, strict=True)) for row in zip(*columns, strict=True))
    return tuple(kind(group=name, order=order, **row) for name, row in zip(names, rows, strict=True))


def _differing(cells: _Cells, counts: _Counts) -> tuple[Integers, Integers, Integers]:
    """Select the cells with a surplus or a deficit.

    Returns:
        Their positions, by n-gram; the n-gram of each, renumbered from 0; and the starts of the cells of each n-gram,
        with the end of the last.
    """
    kept = np.flatnonzero(counts.surplus + counts.deficit)
    sizes = np.unique(cells.ngrams[kept], return_counts=True)[1]
    return kept, np.repeat(np.arange(len(sizes)), sizes), np.concatenate([[0], sizes.cumsum()])


def _effects(evaluation: BleuEvaluation, sums: Numbers, order: int, surplus: Integers, deficit: Integers) -> Floats:
    """Return the effects of the surplus and of the deficit of each n-gram, (2, G), see NgramDifferences.

    Args:
        evaluation: with the settings to use.
        sums: of the system, and of the baseline if there is one.
        order: of the n-grams.
        surplus: (G,).
        deficit: (G,).
    """
    if len(sums) == 1:
        return np.stack([_gain(evaluation, sums[0], order, matches) for matches in (surplus, deficit)])
    net = surplus - deficit
    lost_by_system = _gain(evaluation, sums[0], order, np.minimum(-net, 0))
    lost_by_baseline = _gain(evaluation, sums[1], order, np.minimum(net, 0))
    return np.stack([lost_by_baseline - lost_by_system] * 2)


def _gain(evaluation: BleuEvaluation, sums: Numbers, order: int, matches: Integers) -> Floats:
    """Return the gain in corpus score from more matches of an order, limited by its n-grams; points.

    Args:
        evaluation: with the settings to use.
        sums: (2 + 2N,) of the system.
        order: of the matches.
        matches: any number of changes; negative ones remove matches.
    """
    settings = evaluation.settings
    changes, where = np.unique(matches, return_inverse=True)
    changed = np.tile(sums, (len(changes), 1))
    column = 1 + order
    changed[:, column] = np.minimum(sums[column] + changes, sums[column + settings.max_order])
    return (bleu(changed, settings).score - bleu(sums, settings).score)[where]
