"""N-grams won and lost between two systems, and those that a system uses too often or lacks beside its references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.progress import Progress
from bleu_core.scoring import ABSENT, BleuEvaluation, NumberedTokens, Numbers, bleu, number_tokens
from bleu_core.slicing import group_by_length

NgramKind = Literal["words", "punctuation", "numbers"]
NgramDivision = Literal["kind", "frequency", "length"]
Side = Literal["surplus", "deficit"]

#: From the weakest to the strongest: an n-gram is of the strongest kind of its tokens.
NGRAM_KINDS: tuple[NgramKind, ...] = get_args(NgramKind)

#: How often n-grams of a group occur in the references: from this number on, to below the next one.
FREQUENCIES = (0, 1, 2, 5, 10, 100, 1000)
FREQUENCY_NAMES = ("0", "1", "2-4", "5-9", "10-99", "100-999", "1000 or more")

#: N-grams that are listed of each order.
DEFAULT_NGRAMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramDifference:
    """An n-gram of which a system has a surplus or a deficit, see NgramDifferences.

    Attributes:
        ngram: its tokens.
        kind: "numbers" if a token has a digit; else "punctuation" if a token has no letter; else "words".
        in_references: the most matches that are possible: for each segment the most occurrences in any single
            reference, summed.
        surplus, deficit: numbers of matches, or of occurrences.
        surplus_segments, deficit_segments: the positions, from 0, of the segments in which they are.
        effect: on the corpus score, points.
    """

    ngram: tuple[str, ...]
    kind: NgramKind
    in_references: int
    surplus: int
    deficit: int
    surplus_segments: tuple[int, ...]
    deficit_segments: tuple[int, ...]
    effect: float

    @property
    def order(self) -> int:
        """The number of tokens."""
        return len(self.ngram)


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramSums:
    """Counts of a group of n-grams.

    Attributes:
        group: its name.
        order: of the n-grams.
        in_references: the most matches that are possible, summed over n-grams and segments.
        occurrences: in the system's output.
        matches: of the system.
        baseline_matches: of the baseline; 0 if there is none.
        surplus, deficit: see NgramDifferences.
    """

    group: str
    order: int
    in_references: int
    occurrences: int
    matches: int
    baseline_matches: int
    surplus: int
    deficit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _OrderDifferences:
    """The n-grams of one order that have a surplus or a deficit.

    Attributes:
        order: n.
        first: (G,) the position of the first occurrence in the tokens.
        kinds: (G,) positions in NGRAM_KINDS.
        in_references, surplus, deficit: (G,).
        effects: (2, G) of the surplus and of the deficit, points.
        bounds: (G + 1,) where the cells of each n-gram begin.
        segments, cell_surplus, cell_deficit: of each cell, which is an n-gram in a segment.
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
    """The n-grams of a system beside those of a baseline, or beside its references.

    Matches are counted in each segment as in BLEU: an n-gram matches as often as the output has it, but at most as
    often as the single reference that has it most (Papineni et al. 2002, section 2.1).

    With a baseline, the surplus of an n-gram is the number of matches that the system has and the baseline lacks, and
    its deficit the number of those that the baseline has and the system lacks, each counted segment by segment. Their
    difference, summed over the n-grams of an order, is the difference of the matches of that order. The effect is what
    one of the two corpus scores loses if the net surplus is taken away from the system that has it: the system's loss
    if there is a surplus, and the baseline's loss with a minus sign if there is a deficit. Exchanging the systems
    changes its sign and nothing else.

    Without a baseline, the surplus is the number of occurrences in the output that match nothing, and the deficit the
    number of occurrences in the references that are not matched. The effect is what the corpus score gains if these
    occurrences match; not more can match than the output has n-grams of that order.

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
        self, side: Side, *, number: int = DEFAULT_NGRAMS, order: int | None = None, kind: NgramKind | None = None
    ) -> tuple[NgramDifference, ...]:
        """The n-grams with the greatest effects.

        Args:
            side: whether those with a surplus or those with a deficit are wanted; with a baseline, a net one.
            number: the most n-grams of each order.
            order: of the n-grams; all if None.
            kind: of the n-grams; all if None.

        Returns:
            The n-grams by order; of one order by the size of the effect, then by frequency of what is wanted, then by
            their first occurrence in the references and the outputs.

        Raises:
            SettingsError: the number is less than 1, or the order was not counted.
        """
        check_selection(number, order, len(self.orders))
        return tuple(
            found
            for of_order in self._differences
            if order in (None, of_order.order)
            for found in self._most(of_order, side, number, kind)
        )

    def _most(self, found: _OrderDifferences, side: Side, number: int, kind: NgramKind | None) -> list[NgramDifference]:
        surplus, deficit = found.surplus, found.deficit
        size = surplus - deficit if self.baseline else surplus
        if side == "deficit":
            size = -size if self.baseline else deficit
        effects = found.effects[0 if side == "surplus" else 1]
        wanted = size > 0
        if kind is not None:
            wanted &= found.kinds == NGRAM_KINDS.index(kind)
        rows = np.flatnonzero(wanted)
        ranks = np.lexsort([found.first[rows], -size[rows], -np.abs(effects[rows])])
        return [self._difference(found, row, float(effects[row])) for row in rows[ranks[:number]].tolist()]

    def _difference(self, found: _OrderDifferences, row: int, effect: float) -> NgramDifference:
        cells = slice(found.bounds[row], found.bounds[row + 1])
        segments = found.segments[cells]
        in_surplus: list[int] = segments[found.cell_surplus[cells] > 0].tolist()
        in_deficit: list[int] = segments[found.cell_deficit[cells] > 0].tolist()
        return NgramDifference(
            ngram=self._tokens.ngram(int(found.first[row]), found.order),
            kind=NGRAM_KINDS[int(found.kinds[row])],
            in_references=int(found.in_references[row]),
            surplus=int(found.surplus[row]),
            deficit=int(found.deficit[row]),
            surplus_segments=tuple(in_surplus),
            deficit_segments=tuple(in_deficit),
            effect=effect,
        )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The n-grams of one order in each segment: C pairs of an n-gram and a segment that has it.

    Attributes:
        ngrams, segments: (C,) by n-gram, then by segment.
        in_references: (C,) the most occurrences in any single reference.
        outputs: (K, C) occurrences in each output.
    """

    ngrams: Integers
    segments: Integers
    in_references: Integers
    outputs: Integers


class _Counts(NamedTuple):
    """Counts of each of C cells, as in NgramSums."""

    in_references: Integers
    occurrences: Integers
    matches: Integers
    baseline_matches: Integers
    surplus: Integers
    deficit: Integers


def check_selection(number: int, order: int | None, max_order: int) -> None:
    """Check what is asked of NgramDifferences.most.

    Args:
        number: the most n-grams of each order.
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
        evaluation: of these texts; its references and settings count.
        system: its name.
        baseline: the name of the other system; empty for the references.
        progress: told after each order how many of how many are done.

    Raises:
        ValueError: a name is not that of a system.
        SettingsError: the tokeniser lacks what it needs.
    """
    names = (system, baseline) if baseline else (system,)
    sums = evaluation.statistics.sums()[[evaluation.systems.index(name) for name in names]]
    texts = [*(corpus.references[name] for name in evaluation.references), *(corpus.systems[name] for name in names)]
    tokens = number_tokens(texts, evaluation.settings.counting)
    kinds_of_tokens = _token_kinds(tokens.vocabulary)
    lengths = group_by_length(_first_lengths(evaluation.stats.reference_lengths))
    of_length = np.array([lengths.order.index(label) for label in lengths.labels], np.int64)
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
        orders += _sums(order, ("all",), np.zeros_like(cells.ngrams), counts)
        groups["kind"] += _sums(order, NGRAM_KINDS, kinds[cells.ngrams], counts)
        groups["frequency"] += _sums(order, FREQUENCY_NAMES, frequencies[cells.ngrams], counts)
        groups["length"] += _sums(order, lengths.order, of_length[cells.segments], counts)
        kept, of_kept, bounds = _differing(cells, counts)
        surplus, deficit = (_summed(of_kept, each[kept], len(bounds) - 1) for each in (counts.surplus, counts.deficit))
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
    """(S,) the length of the first reference that each segment has."""
    first = (reference_lengths != ABSENT).argmax(axis=0)
    return np.take_along_axis(reference_lengths, first[None], axis=0)[0]


def _token_kinds(vocabulary: Sequence[str]) -> Integers:
    """The kind of each token, as a position in NGRAM_KINDS; the kind of an n-gram is the greatest of its tokens'."""
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
        shorter: (T,) at each position, the number of the n-gram of the order below that begins there.
        order: n.

    Returns:
        The positions at which an n-gram begins; (T,) at each of them the number of the n-gram; and the position of the
        first occurrence of each.
    """
    if order == 1:
        begins, of_order = np.arange(len(tokens.rows)), tokens.numbers
    else:
        begins = np.flatnonzero(tokens.rows[: 1 - order] == tokens.rows[order - 1 :])
        longer = shorter[begins] * len(tokens.vocabulary) + tokens.numbers[begins + order - 1]
        of_order = np.unique(longer, return_inverse=True)[1]
    first = np.full(int(of_order.max(initial=-1)) + 1, len(tokens.rows), np.int64)
    np.minimum.at(first, of_order, begins)
    numbers = np.zeros_like(tokens.numbers)
    numbers[begins] = of_order
    return begins, numbers, first


def _cells(tokens: NumberedTokens, begins: Integers, numbers: Integers, texts: int, outputs: int) -> _Cells:
    """Count the n-grams of one order in each segment of each text.

    Args:
        tokens: of the references, then of the outputs.
        begins: where an n-gram begins.
        numbers: (T,) of the n-grams that begin there.
        texts: how many there are.
        outputs: how many of them are outputs.
    """
    of_text, of_segment = np.divmod(tokens.rows[begins], tokens.segments)
    keys = numbers[begins] * tokens.segments + of_segment
    ends = np.searchsorted(of_text, np.arange(1, texts))
    found = [np.unique(of_one, return_counts=True) for of_one in np.split(keys, ends)]
    # Asked for counts, NumPy sorts; else it hashes, which takes many times as long for such keys.
    every, _ = np.unique(np.concatenate([of_one for of_one, _ in found]), return_counts=True)
    counts = np.zeros((outputs, len(every)), np.int64)
    in_references = np.zeros(len(every), np.int64)
    for number, (of_one, how_often) in enumerate(found, start=outputs - texts):
        places = np.searchsorted(every, of_one)
        if number < 0:
            in_references[places] = np.maximum(in_references[places], how_often)
        else:
            counts[number, places] = how_often
    ngrams, segments = np.divmod(every, tokens.segments)
    return _Cells(ngrams, segments, in_references, counts)


def _counts(cells: _Cells) -> _Counts:
    """Clip the occurrences, and find what each side has beyond the other."""
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
    """The sums of counts over those that share a group, exact below 2**53."""
    return np.bincount(groups, counts, minlength=number).astype(np.int64)


def _sums(order: int, names: Sequence[str], groups: Integers, counts: _Counts) -> tuple[NgramSums, ...]:
    """The counts of each group, given the position of each cell's group among the names."""
    columns = [_summed(groups, of_cells, len(names)).tolist() for of_cells in counts]
    rows = (dict(zip(_Counts._fields, row, strict=True)) for row in zip(*columns, strict=True))
    return tuple(NgramSums(group=name, order=order, **row) for name, row in zip(names, rows, strict=True))


def _differing(cells: _Cells, counts: _Counts) -> tuple[Integers, Integers, Integers]:
    """The cells that have a surplus or a deficit.

    Returns:
        Their positions, by n-gram; of each its n-gram, numbered anew from 0; and where the cells of each n-gram begin,
        and the last ones end.
    """
    kept = np.flatnonzero(counts.surplus + counts.deficit)
    sizes = np.unique(cells.ngrams[kept], return_counts=True)[1]
    return kept, np.repeat(np.arange(len(sizes)), sizes), np.concatenate([[0], sizes.cumsum()])


def _effects(evaluation: BleuEvaluation, sums: Numbers, order: int, surplus: Integers, deficit: Integers) -> Floats:
    """(2, G) the effects of the surplus and of the deficit of each n-gram, see NgramDifferences.

    Args:
        evaluation: whose settings count.
        sums: of the system, and of the baseline if there is one.
        order: of the n-grams.
        surplus: (G,).
        deficit: (G,).
    """
    if len(sums) == 1:
        return np.stack([_gain(evaluation, sums[0], order, each) for each in (surplus, deficit)])
    net = surplus - deficit
    lost_by_system = _gain(evaluation, sums[0], order, np.minimum(-net, 0))
    lost_by_baseline = _gain(evaluation, sums[1], order, np.minimum(net, 0))
    return np.stack([lost_by_baseline - lost_by_system] * 2)


def _gain(evaluation: BleuEvaluation, sums: Numbers, order: int, matches: Integers) -> Floats:
    """What a corpus score gains from more matches of an order, at most as many as it has n-grams; points.

    Args:
        evaluation: whose settings count.
        sums: (2 + 2N,) of the system.
        order: of the matches.
        matches: any number of changes; negative ones take matches away.
    """
    settings = evaluation.settings
    changes, where = np.unique(matches, return_inverse=True)
    changed = np.tile(sums, (len(changes), 1))
    column = 1 + order
    changed[:, column] = np.minimum(sums[column] + changes, sums[column + settings.max_order])
    return (bleu(changed, settings).score - bleu(sums, settings).score)[where]
