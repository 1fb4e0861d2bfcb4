"""Count random texts and compare every segment's counts with sacreBLEU's, for BLEU and for chrF.

Texts are made of what tokenisers treat in ways of their own. Settings, the number of references and the size of chunks
are random, too. Some batches are hashed so badly that tokens collide, and have keys too short to sort characters by.
Whatever differs is printed as the smallest case found, and the status is 1.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from plain_counter import plain_count, same_counts
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from texts import ATOMS

from bleu_core.scoring import BYTE_TOKENIZERS, Counting, character_matches, count_chrf, count_ngrams, ngrams, token_keys
from bleu_core.scoring.bleu_score import effective_reference_lengths

Lines = tuple[str, ...]
#: Lines of each reference; None where it is absent.
References = tuple[tuple[str | None, ...], ...]

WORDS = ("the", "a", "cat", "of", "Haus", "3.5", "naïve", "и")
#: Each size of a text, in atoms, is as likely as any other.
SIZES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24)
BATCH_SIZES = (1, 5, 30, 100, 300, 1000)
CHUNK_SIZES = (16, 64, 2048, 2048)
ORDERS = (1, 2, 3, 4, 4, 4, 5, 6, 9)
METRICS = ("bleu", "chrf")
#: Of chrF2, of chrF2++, and what else sacreBLEU can be asked for.
WORD_ORDERS = (0, 0, 2, 2, 1, 4)
#: One batch in so many is hashed badly, and one in so many is compared with Counters as well.
BADLY_HASHED, COUNTED = 8, 16
#: Of lines, and of six characters of few kinds.
SHORT_KEY_BITS = 36
REPORT_SECONDS = 60
MINUTE = 60


@dataclass(frozen=True, slots=True)
class Case:
    """Texts and the settings they are counted with.

    Attributes:
        hypotheses: S texts.
        references: R times S texts.
        metric: what is counted for, one of METRICS.
        tokenizer, max_order: as of count_ngrams, for BLEU.
        word_order: as of count_chrf, for chrF.
        lowercase: as of both.
        chunk_lines: how many lines are counted together.
        badly_hashed: whether nearly all tokens collide, and few texts have keys that characters can be sorted by.
    """

    hypotheses: Lines
    references: References
    metric: str
    tokenizer: str
    lowercase: bool
    max_order: int
    word_order: int
    chunk_lines: int
    badly_hashed: bool


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this subject."""
    parser.add_argument("--minutes", type=float, default=2, help="how long to go on (default: 2)")
    parser.add_argument("--lines", type=int, help="how many hypotheses to compare instead")
    parser.add_argument("--metric", choices=METRICS, action="append", help="what to count for (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with a seed of its own (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Fuzz until the time is over, the lines are compared, or a count differs.

    Returns:
        1 if a count differs, else 0.
    """
    begun = time.monotonic()
    lines = None if options.lines is None else -(-options.lines // options.jobs)
    metrics = options.metric or METRICS
    seeds = [(f"{options.seed}.{job}", lines, options.minutes, metrics) for job in range(options.jobs)]
    compared = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for found in pool.imap_unordered(_run_job, seeds):
            if isinstance(found, Case):
                print(f"A count differs; smallest case found, seed {options.seed}:\n{found}\n{explain(found)}")
                return 1
            compared += found
    taken = (time.monotonic() - begun) / MINUTE
    print(f"{compared:,} lines compared in {taken:.1f} minutes, seed {options.seed}: no count differs")
    return 0


def _run_job(job: tuple[str, int | None, float, Sequence[str]]) -> int | Case:
    return fuzz(*job)


def fuzz(seed: int | str, lines: int | None, minutes: float, metrics: Sequence[str] = METRICS) -> int | Case:
    """Compare random cases.

    Args:
        seed: of all random choices.
        lines: how many hypotheses to compare, or None to go on for some time.
        minutes: how long to go on then.
        metrics: what to count for.

    Returns:
        How many hypotheses were compared, or the smallest case found that differs.
    """
    chance = random.Random(seed)
    begun = reported = time.monotonic()
    compared = 0
    for number in itertools.count():
        now = time.monotonic()
        if compared >= lines if lines is not None else now - begun >= minutes * MINUTE:
            return compared
        if now - reported >= REPORT_SECONDS:
            print(f"seed {seed}: {compared:,} lines", file=sys.stderr, flush=True)
            reported = now
        case = random_case(chance, metrics)
        if differs(case) or (number % COUNTED == 0 and differs_from_counters(case)):
            return smallest(case)
        compared += len(case.hypotheses)
    raise AssertionError


def random_case(chance: random.Random, metrics: Sequence[str] = METRICS) -> Case:
    """Hypotheses that share much with their references, in a batch of random size and settings."""
    size = chance.choice(BATCH_SIZES)
    atoms = _vocabulary(chance)
    first = tuple(_text(chance, atoms) for _ in range(size))
    references: list[tuple[str | None, ...]] = [first]
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 3))):
        texts = (_varied(text, chance, atoms) for text in first)
        absent = chance.choice((0, 0.3))
        references.append(tuple(None if chance.random() < absent else text for text in texts))
    hypotheses = tuple(_varied(text, chance, atoms) for text in first)
    if chance.random() < 1 / 2:  # where the first is the only reference it must be there
        references.reverse()
    if len(references) > 1 and chance.random() < 1 / 3:
        others = list(zip(*references[1:], strict=True))
        gone = [any(text is not None for text in texts) and chance.random() < 1 / 4 for texts in others]
        references[0] = tuple(None if g else text for g, text in zip(gone, references[0], strict=True))
    references = references if _each_has_one(references) else [first]
    return Case(
        hypotheses=hypotheses,
        references=tuple(references),
        metric=chance.choice(metrics),
        tokenizer=chance.choice((*BYTE_TOKENIZERS, "13a")),
        lowercase=chance.random() < 1 / 3,
        max_order=chance.choice(ORDERS),
        word_order=chance.choice(WORD_ORDERS),
        chunk_lines=chance.choice(CHUNK_SIZES),
        badly_hashed=chance.randrange(BADLY_HASHED) == 0,
    )


def differs(case: Case) -> bool:
    """Whether any segment's counts differ from sacreBLEU's."""
    return not np.array_equal(ours(case), theirs(case))


def ours(case: Case) -> np.ndarray:
    """(S, columns) of each segment.

    For BLEU hypothesis length, closest reference length, matches and totals; for chrF those of count_chrf.
    """
    if case.metric == "chrf":
        with _settings(case):
            return count_chrf([case.hypotheses], case.references, **_chrf_options(case))[0]
    with _settings(case):
        stats = count_ngrams(*_texts(case), counting=Counting(case.tokenizer, case.lowercase), max_order=case.max_order)
    lengths = stats.hypothesis_lengths[0], effective_reference_lengths(stats, "closest")[0]
    return np.column_stack([*lengths, stats.matches[0], stats.totals[0]])


def theirs(case: Case) -> np.ndarray:
    """The same by sacreBLEU."""
    metric: BLEU | CHRF = CHRF(**_chrf_options(case))
    if case.metric == "bleu":
        metric = BLEU(lowercase=case.lowercase, tokenize=case.tokenizer, max_ngram_order=case.max_order, force=True)
    return np.array(metric._extract_corpus_statistics(case.hypotheses, case.references))  # type: ignore[arg-type] # noqa: SLF001 # None is allowed; there is no public way to the counts of segments


def differs_from_counters(case: Case) -> bool:
    """Whether any of BLEU's counts differs from that of Counters, which tell the length of each reference."""
    if case.metric != "bleu":
        return False
    with _settings(case):
        fast = count_ngrams(*_texts(case), counting=Counting(case.tokenizer, case.lowercase), max_order=case.max_order)
    plain = plain_count(*_texts(case), **_options(case))
    return not same_counts(fast, plain)


def smallest(case: Case) -> Case:
    """Leave out whatever a difference does not need: lines, references, characters."""
    failing = next((check for check in (differs, differs_from_counters) if check(case)), differs)
    lines = list(range(len(case.hypotheses)))
    case = _of_lines(case, shrunk(lines, lambda kept: bool(kept) and failing(_of_lines(case, kept))))
    for r in reversed(range(len(case.references))):
        fewer = replace(case, references=case.references[:r] + case.references[r + 1 :])
        if fewer.references and _each_has_one(fewer.references) and failing(fewer):
            case = fewer
    for r in range(-1, len(case.references)):
        for s in range(len(case.hypotheses)):
            text = case.hypotheses[s] if r < 0 else case.references[r][s]
            if text is not None:
                with_text = partial(_with_text, case, r, s)
                case = with_text(str(shrunk(text, lambda kept, of=with_text: failing(of(str(kept))))))
    return case


def shrunk(items: Sequence, still_fails: Callable[[Sequence], bool]) -> Sequence:
    """A part of a sequence, in order, from which nothing can be left out; long runs are tried first."""
    size = len(items)
    while size:
        start = 0
        while start < len(items):
            fewer = items[:start] + items[start + size :]  # type: ignore[operator] # sequences of one type
            if still_fails(fewer):
                items = fewer
            else:
                start += size
        size //= 2
    return items


def explain(case: Case) -> str:
    """Both sides' counts of a case."""
    return f"bleu_core:\n{ours(case)}\nsacreBLEU:\n{theirs(case)}"


def _vocabulary(chance: random.Random) -> tuple[str, ...]:
    """Few words, so that n-grams are repeated, or many; with few or many odd ones."""
    words = chance.sample(WORDS, chance.choice((2, 4, 8)))
    odd = chance.sample(ATOMS, chance.choice((1, 4, 20, 100)))
    return (*words, *words, *odd)


def _text(chance: random.Random, atoms: Sequence[str]) -> str:
    pieces = chance.choices(atoms, k=chance.choice(SIZES))
    joints = chance.choices(("", " ", " ", " ", "  "), k=len(pieces))
    return "".join(itertools.chain.from_iterable(zip(pieces, joints, strict=True)))


def _varied(text: str, chance: random.Random, atoms: Sequence[str]) -> str:
    """The same, or with atoms in place of some characters; now and then another."""
    if chance.random() < 1 / 8:
        return _text(chance, atoms)
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(atoms) + text[place + chance.choice((0, 1, 4)) :]
    return text


def _each_has_one(references: Sequence[Sequence[str | None]]) -> bool:
    return all(any(text is not None for text in texts) for texts in zip(*references, strict=True))


def _of_lines(case: Case, lines: Sequence[int]) -> Case:
    return replace(
        case,
        hypotheses=tuple(case.hypotheses[s] for s in lines),
        references=tuple(tuple(texts[s] for s in lines) for texts in case.references),
    )


def _with_text(case: Case, reference: int, segment: int, text: str) -> Case:
    """With another text of a reference, or of the hypotheses where that is negative."""
    if reference < 0:
        hypotheses = (*case.hypotheses[:segment], text, *case.hypotheses[segment + 1 :])
        return replace(case, hypotheses=hypotheses)
    texts = case.references[reference]
    changed = (*texts[:segment], text, *texts[segment + 1 :])
    return replace(case, references=(*case.references[:reference], changed, *case.references[reference + 1 :]))


def _texts(case: Case) -> tuple[dict[str, Lines], dict[str, tuple[str | None, ...]]]:
    return {"A": case.hypotheses}, {str(r): texts for r, texts in enumerate(case.references)}


def _chrf_options(case: Case) -> dict:
    return {"word_order": case.word_order, "lowercase": case.lowercase}


def _options(case: Case) -> dict:
    return {"tokenize": case.tokenizer, "lowercase": case.lowercase, "max_order": case.max_order}


@contextmanager
def _settings(case: Case) -> Iterator[None]:
    """Set what no option sets: the size of chunks, a hash that forgets the beginning of a token, and short keys."""
    before = ngrams.CHUNK_LINES, token_keys.OPENING_SALT, token_keys.WORD_SALT, character_matches.KEY_BITS
    ngrams.CHUNK_LINES = case.chunk_lines
    if case.badly_hashed:
        token_keys.OPENING_SALT = token_keys.WORD_SALT = np.uint64(1 << 56)
        character_matches.KEY_BITS = SHORT_KEY_BITS
    try:
        yield
    finally:
        ngrams.CHUNK_LINES, token_keys.OPENING_SALT, token_keys.WORD_SALT, character_matches.KEY_BITS = before
