"""Sentences about n-grams won and lost, overused and missing. Pure functions."""

from __future__ import annotations

from bleu_core.results.ngrams import NgramPair, NgramSystem


def ngrams_won(pair: NgramPair) -> str:
    """State how many matches of words each of two systems has and the other lacks."""
    words, *_, highest = pair.orders
    sentence = f"{pair.system} matches {_tokens(words.surplus)} that {pair.baseline} does not match, "
    sentence += f"and {pair.baseline} {_tokens(words.deficit)} that {pair.system} does not match"
    if highest is words:
        return f"{sentence}."
    return f"{sentence}; of n-grams of order {highest.order}, {highest.surplus:,} and {highest.deficit:,}."


def ngrams_missing(system: NgramSystem) -> str:
    """State how many tokens of a system match nothing, and how many it lacks."""
    words = system.orders[0]
    return (
        f"{system.system} has {words.surplus:,} unmatched of {_tokens(words.occurrences)}, and lacks "
        f"{words.deficit:,} of {words.in_references:,} possible matches."
    )


def _tokens(count: int) -> str:
    return f"{count:,} token" if count == 1 else f"{count:,} tokens"
