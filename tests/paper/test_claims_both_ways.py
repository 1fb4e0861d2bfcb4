"""Every claim of the paper on data that bear it out and on data that contradict it: none is true by construction."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest
import sample
from scipy import stats

from bleu_core.dataset import Corpus, Judgments
from bleu_core.paper import Claim, PaperOptions, PaperResults, claims, repeat_experiment
from bleu_core.paper.combining import Mean, combine
from bleu_core.scoring import PRESETS, evaluate

PAPER = PRESETS["paper"]
Ratings = Mapping[str, float]


def repeated(corpus: Corpus, judgments: Judgments | None = None, *, humans: tuple[str, ...] = ()) -> PaperResults:
    return repeat_experiment(corpus, PAPER, judgments, options=PaperOptions(humans=humans, draws=20))


def claim_of(found: PaperResults, key: str) -> Claim:
    return next(claim for claim in claims(found) if claim.key == key)


def rated(groups: Mapping[str, Ratings]) -> Judgments:
    """Two segments rated by one judge of each group, the second segment a little better."""
    return given(
        (segment, system, group, group, score + segment / 8)
        for group, scores in groups.items()
        for system, score in scores.items()
        for segment in (1, 2)
    )


def given(rows: Iterable[tuple[int, str, str, str, float]]) -> Judgments:
    """Ratings from segment, system, judge, group and score."""
    segments, systems, judges, groups, scores = zip(*rows, strict=True)
    lines = range(1, len(scores) + 1)
    return Judgments.from_ratings(systems, scores, lines, "human.csv", segments=segments, judges=judges, groups=groups)


def text(words: int, name: str = "w") -> list[str]:
    """Words that all differ."""
    return [f"{name}{n}" for n in range(1, words + 1)]


def wrong(words: list[str], places: Iterable[int]) -> list[str]:
    """The text with other words in some places, from 1."""
    return [f"x{place}" if place in set(places) else word for place, word in enumerate(words, start=1)]


def corpus(systems: Mapping[str, list[list[str]]], references: Mapping[str, list[list[str]]]) -> Corpus:
    """The texts, given as segments of words."""

    def joined(texts: Mapping[str, list[list[str]]]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(" ".join(words) for words in segments) for name, segments in texts.items()}

    return Corpus(joined(systems), joined(references))


# BLEU puts these systems in this order, and each errs in its own way: no more than the first words, phrases of four
# words at most, the end turned round, a wrong word here and there.
WORDS = text(20)
OF_FOUR = Corpus(
    {
        name: (" ".join(words), " ".join(text(20, "v")[:15]))
        for name, words in {
            "half": wrong(WORDS, range(10, 21)),
            "phrases": wrong(WORDS, (1, 2, 3, 8, 13, 18)),
            "turned": [*WORDS[:13], *WORDS[:12:-1]],
            "slips": wrong(WORDS, (3, 20)),
        }.items()
    },
    {"R": (" ".join(WORDS), " ".join(text(20, "v")))},
)
ASCENDING = dict(zip(OF_FOUR.systems, (1.0, 2.0, 3.0, 4.0), strict=True))
DESCENDING = dict(zip(OF_FOUR.systems, (4.0, 3.0, 2.0, 1.0), strict=True))


def rated_by(mean: Mean, order: int) -> PaperResults:
    """Judges who rate exactly as BLEU with that mean of precisions and that highest order does."""
    # Phrases of four words and no longer, which a higher order does not see, and other ways to err.
    texts = {
        "phrases": [wrong(WORDS, (5, 10, 15, 20))] * 2,
        "half": [wrong(WORDS, range(11, 21))] * 2,
        "words": [[*WORDS[::-2], *WORDS[-2::-2]], wrong(WORDS, range(7, 21))],
        "slips": [wrong(WORDS, (7,)), wrong(WORDS, (3, 20))],
    }
    found = corpus(texts, {"R": [WORDS, WORDS]})
    scores = combine(evaluate(found, PAPER, counted_order=9), mean, order).scores
    return repeated(found, rated({"all": dict(zip(texts, scores.tolist(), strict=True))}))


def one_system(hypotheses: list[list[str]], references: list[list[str]]) -> PaperResults:
    return repeated(corpus({"A": hypotheses}, {"R": references}))


def scrambled_human() -> PaperResults:
    return repeated(
        corpus({"machine": [wrong(WORDS, (20,))], "human": [WORDS[::-1]]}, {"R": [WORDS]}), humans=("human",)
    )


def words_without_phrases() -> PaperResults:
    return repeated(corpus({"words": [WORDS[::-1]], "phrases": [wrong(WORDS, range(11, 21))]}, {"R": [WORDS]}))


def phrases_or_scrambled() -> PaperResults:
    """Half of the text is right and half is the right words in another order: precision falls once and then no more."""
    return one_system([WORDS, text(20, "v")[::-1]], [WORDS, text(20, "v")])


def one_word_for_a_sentence() -> PaperResults:
    return one_system([["w1"], text(10, "v")], [text(10), text(10, "v")])


def lengths(shortened: int) -> PaperResults:
    """Four segments of 8 to 20 words; half of one of them is missing."""
    references = [text(n, f"s{n}-") for n in (8, 12, 16, 20)]
    hypotheses = [words[: len(words) // 2] if n == shortened else words for n, words in enumerate(references)]
    return one_system(hypotheses, references)


def close_at_the_top() -> PaperResults:
    """Two good systems and one far behind, which the logarithm moves further away."""
    systems = {"poor": wrong(WORDS, (5, 10, 15, 20)), "good": wrong(WORDS, (20, 19, 18, 17)), "better": WORDS[:19]}
    return repeated(corpus({name: [words] for name, words in systems.items()}, {"R": [WORDS]}))


def a_longer_reference_of_the_same_words() -> PaperResults:
    """The second reference confirms nothing more, but its length is the closer one."""
    hypothesis = [*text(8), "y1", "y2"]
    return repeated(corpus({"A": [hypothesis]}, {"R": [text(8)], "Q": [[*text(8), "z1", "z2", "z3"]]}))


def too_short_and_too_long() -> PaperResults:
    """20 segments, half of them half as long as they should be, half as much too long: the lengths make up for it."""
    references = [text(10, f"s{n}-") for n in range(20)]
    texts = [words[:5] if n % 2 else [*words, *text(5, "y")] for n, words in enumerate(references)]
    return one_system(texts, references)


def as_good_in_other_segments() -> PaperResults:
    """Two systems with as many wrong words, each in other segments."""
    references = [text(10, f"s{n}-") for n in range(20)]
    systems = {
        name: [wrong(words, (4,)) if n % 2 == odd else words for n, words in enumerate(references)]
        for odd, name in enumerate("AB")
    }
    return repeated(corpus(systems, {"R": references}))


def each_its_own_reference() -> PaperResults:
    """A translates as one reference does, B as the other."""
    other = text(20, "v")
    return repeated(corpus({"A": [wrong(WORDS, (1,))], "B": [wrong(other, (1, 2))]}, {"R": [WORDS], "Q": [other]}))


def judges_who_differ() -> PaperResults:
    """One judge prefers the one system, another the other."""
    better = {"Ann": 4.0, "Bob": 1.0, "Cem": 3.0}
    return repeated(
        corpus({"A": [wrong(WORDS, (9,))] * 2, "B": [wrong(WORDS, (9, 14))] * 2}, {"R": [WORDS, WORDS]}),
        given(
            (segment, system, judge, "monolingual", score if system == "A" else 2.5 + segment / 10)
            for judge, score in better.items()
            for system in "AB"
            for segment in (1, 2)
        ),
    )


def judged_papers_systems(ratings: Ratings) -> PaperResults:
    """The paper's five systems, and ratings of a bilingual group that tells any two of them apart."""
    texts = {name: [wrong(WORDS, range(8 + 2 * n, 21))] * 4 for n, name in enumerate(("S1", "S2", "S3", "H1", "H2"))}
    judgments = given(
        (segment, system, judge, "bilingual", score + (segment + len(judge)) / 50)
        for system, score in ratings.items()
        for judge in ("Ann", "Beth")
        for segment in range(1, 5)
    )
    return repeated(corpus(texts, {"R": [WORDS] * 4}), judgments, humans=("H1", "H2"))


#: A claim's key -> data that contradict it.
CONTRADICTING: Mapping[str, Callable[[], PaperResults]] = {
    "human-from-machine": scrambled_human,
    "every-order-ranks-alike": words_without_phrases,
    "order-of-the-judges": lambda: repeated(OF_FOUR, rated({"all": DESCENDING})),
    "exponential-decay": phrases_or_scrambled,
    "best-order": lambda: rated_by("geometric", 2),
    "comparable-orders": lambda: rated_by("geometric", 4),
    "geometric-mean": lambda: rated_by("arithmetic", 4),
    "no-vanished-precision": lambda: one_system([["a", "b", "x", "c"]], [["a", "b", "c", "d"]]),
    "averaged-penalties": one_word_for_a_sentence,
    "short-segments": lambda: lengths(shortened=3),
    "log-domain": close_at_the_top,
    "more-references": a_longer_reference_of_the_same_words,
    "block-means": too_short_and_too_long,
    "neighbours-differ": as_good_in_other_segments,
    "single-reference": each_its_own_reference,
    "judges-tell-neighbours-apart": judges_who_differ,
    "bilingual-judges-and-humans": lambda: judged_papers_systems({"S1": 1, "S2": 2, "S3": 3, "H1": 4, "H2": 5}),
    "large-gap": lambda: judged_papers_systems({"S1": 1, "S2": 3, "S3": 3.5, "H1": 4, "H2": 4.2}),
    "tracks-the-judges": lambda: repeated(OF_FOUR, rated({"all": DESCENDING})),
    "closer-to-monolingual-judges": lambda: repeated(
        OF_FOUR, rated({"monolingual": DESCENDING, "bilingual": ASCENDING})
    ),
}

#: A claim's key -> data that bear it out, where the sample data do not.
BEARING_OUT: Mapping[str, Callable[[], PaperResults]] = {
    "best-order": lambda: rated_by("geometric", 4),
    "short-segments": lambda: lengths(shortened=0),
}


def test_every_claim_has_data_that_contradict_it() -> None:
    assert {claim.key for claim in claims(sample.repeated())} == CONTRADICTING.keys()


@pytest.mark.parametrize("key", CONTRADICTING)
def test_every_claim_can_be_contradicted(key: str) -> None:
    claim = claim_of(CONTRADICTING[key](), key)
    assert claim.holds is False, claim


@pytest.mark.parametrize("key", CONTRADICTING)
def test_every_claim_can_hold(key: str) -> None:
    claim = claim_of(BEARING_OUT.get(key, sample.repeated)(), key)
    assert claim.holds is True, claim


# --- how three of them are tested -------------------------------------------------------------------------------


def test_means_over_blocks_are_compared_by_students_interval_of_the_mean() -> None:
    found = too_short_and_too_long()
    (scores,), (bleu,) = found.table_2.scores, found.table_2.corpus_scores
    interval = stats.ttest_1samp(scores, 0).confidence_interval(0.95)
    assert interval.high < bleu < scores.mean() + 2 * scores.std(ddof=1)  # within the spread, far from the mean
    claim = claim_of(found, "block-means")
    assert (claim.holds, claim.found) == (False, f"A {scores.mean() / 100:.4f} (corpus {bleu / 100:.4f})")


def test_blocks_of_equal_scores_have_the_score_of_the_whole() -> None:
    found = one_system([[*words[:9], "y"] for words in [WORDS] * 7], [WORDS[:10]] * 7)
    assert not found.table_2.standard_deviations.round(9).any()
    assert claim_of(found, "block-means").holds is True


@pytest.mark.parametrize(("step", "holds"), [(-1.0, False), (0.0, False), (1.0, True)])
def test_neighbours_differ_where_t_is_above_the_critical_one(step: float, *, holds: bool) -> None:
    found = sample.repeated()
    at = (
        math.nextafter(found.table_2.one_sided_critical_t, math.inf * step)
        if step
        else found.table_2.one_sided_critical_t
    )
    pairs = tuple(replace(pair, test=replace(pair.test, t=at)) for pair in found.table_2.pairs)
    changed = replace(found, table_2=replace(found.table_2, pairs=pairs))
    assert claim_of(changed, "neighbours-differ").holds is holds


def test_the_closest_systems_in_bleu_and_in_log_bleu_are_a_share_of_the_range_apart() -> None:
    scores = np.sort(sample.repeated().evaluation.scores.score)
    shares = [(np.diff(v) / (v[-1] - v[0])).min() for v in (scores, np.log(scores))]
    wanted = f"smallest difference: {shares[0]:.2%} of the range in BLEU, {shares[1]:.2%} in log BLEU"
    assert claim_of(sample.repeated(), "log-domain").found == wanted


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("slips",), "1 system, at least 2 needed"),
        (("slips", "phrases"), "2 systems, at least 3 needed"),
        (("slips", "phrases", "again"), "two systems have the same score"),
    ],
)
def test_log_bleu_makes_nothing_more_apparent_of_few_or_equal_systems(names: tuple[str, ...], reason: str) -> None:
    texts = {**OF_FOUR.systems, "again": OF_FOUR.systems["slips"]}
    found = repeated(Corpus({name: texts[name] for name in names}, OF_FOUR.references))
    claim = claim_of(found, "log-domain")
    assert (claim.holds, claim.reason) == (None, reason)
