"""Tokenised text beside text as it is written; texts that differ in case, punctuation, quotation marks or Unicode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import plural
from bleu_core.diagnostics.characters import Count, Counts, character_counts
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent, share

KEY = "tokenization"
ADVICE = "Give systems and references as they are written, detokenised and with their case."
QUOTES = "Write quotation marks in the same way in all texts, or compare systems only with others that write them so."
FORMS = "Convert all texts to Unicode normal form C."

#: So many marks, or letters with case, are needed on each side.
MIN_MARKS, MIN_CASED = 10, 500

#: Share of the full stops and commas after a blank in tokenised text, at least, and in text as written, at most.
TOKENISED, WRITTEN = 0.5, 0.1

#: Segments with traces of a tokeniser: one is enough for a note, this share for an alarm.
MARKUP_ALARM = 0.05

#: Share of capitals of a text without case, at most, and of one with case, at least; of one in capitals, at least.
NO_CAPITALS, CAPITALS, ALL_CAPITALS = 0.002, 0.005, 0.9

#: A text has no punctuation if it has this fraction of that of the others.
NO_PUNCTUATION = 0.1

#: Share of straight quotation marks in a text that writes them straight, at least; of one that does not, at most.
STRAIGHT, TYPESET = 0.95, 0.05


@dataclass(frozen=True, slots=True)
class _Texts:
    """The systems and references: what they are, and their counts.

    Attributes:
        names: role and name of each.
        counts: (texts, S, columns of Count).
    """

    names: tuple[tuple[str, str], ...]
    counts: Counts

    @property
    def sums(self) -> npt.NDArray[np.float64]:
        """(texts, columns)."""
        return self.counts.sum(axis=1).astype(np.float64)

    def finding(
        self, which: npt.NDArray[np.bool_], found: str, strength: Strength, evidence: Count | None, advice: str = ADVICE
    ) -> Finding:
        """What was found of some of the texts.

        Args:
            which: of the texts.
            found: a sentence.
            strength: of the finding.
            evidence: the column whose segments are listed; all segments are meant if None.
            advice: what to do.
        """
        segments: Sequence[int] = ()
        if evidence is not None:
            segments = (np.flatnonzero(self.counts[which, :, evidence].any(axis=0)) + 1).tolist()
        return Finding(
            key=KEY,
            systems=self.chosen(which, "system"),
            references=self.chosen(which, "reference"),
            message=found,
            strength=strength,
            advice=advice,
            segments=tuple(segments),
        )

    def chosen(self, which: npt.NDArray[np.bool_], *roles: str) -> tuple[str, ...]:
        """The names of some of the texts."""
        return tuple(name for (role, name), is_in in zip(self.names, which, strict=True) if is_in and role in roles)

    def all_chosen(self, which: npt.NDArray[np.bool_]) -> str:
        """The names of some of the texts, for a sentence; references are called so."""
        found = names(self.chosen(which, "system"))
        references = names(self.chosen(which, "reference"))
        return " and ".join(filter(None, (found, references and f"reference {references}")))


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    size = data.reference_rows.stop
    texts = _Texts(tuple(data.texts)[:size], character_counts(data)[:size])
    found = [*_spaced(texts), *_markup(texts)]
    if not data.evaluation.settings.lowercase:
        found += _case(texts)
    return (*found, *_punctuation(texts), *_quotes(texts), *_forms(texts))


def _spaced(texts: _Texts) -> Iterator[Finding]:
    spaced, attached = texts.sums[:, Count.SPACED_MARK], texts.sums[:, Count.ATTACHED_MARK]
    enough = spaced + attached >= MIN_MARKS
    rates = spaced / np.maximum(spaced + attached, 1)
    tokenised, written = enough & (rates >= TOKENISED), enough & (rates <= WRITTEN)
    if not tokenised.any():
        return
    rate = percent(float(rates[tokenised].min()))
    sentence = f"{texts.all_chosen(tokenised)}: a blank stands before {rate} or more of the full stops and commas"
    if written.any():
        highest = percent(float(rates[written].max()))
        sentence = f"{sentence}, and before at most {highest} of those of {texts.all_chosen(written)}."
        yield texts.finding(tokenised, sentence, "alarm", None)
    else:
        yield texts.finding(tokenised, f"{sentence}; all texts seem to be tokenised.", "caution", None)


def _markup(texts: _Texts) -> Iterator[Finding]:
    segments = (texts.counts[..., Count.MARKUP] > 0).sum(axis=1)
    size = texts.counts.shape[1]
    for t, count in enumerate(segments.tolist()):
        if not count:
            continue
        which = np.arange(len(segments)) == t
        part = share(count, size)
        sentence = (
            f"{texts.all_chosen(which)} has traces of tokenisation such as @-@, @@, \u2581, &quot; or 's in {part}."
        )
        yield texts.finding(which, sentence, "alarm" if count / size >= MARKUP_ALARM else "note", Count.MARKUP)


def _case(texts: _Texts) -> Iterator[Finding]:
    upper, cased = texts.sums[:, Count.UPPER], texts.sums[:, Count.UPPER] + texts.sums[:, Count.LOWER]
    rates = upper / np.maximum(cased, 1)
    enough = cased >= MIN_CASED
    with_case = enough & (rates >= CAPITALS) & (rates < 1 - CAPITALS)
    for odd, how in ((enough & (rates <= NO_CAPITALS), "no"), (enough & (rates >= ALL_CAPITALS), "only")):
        usual = with_case & ~odd
        if odd.any() and usual.any():
            sentence = (
                f"{texts.all_chosen(odd)}: there are {how} capital letters, or nearly so "
                f"({percent(float(rates[odd].max()))} of the letters), and "
                f"{percent(float(rates[usual].min()))} or more in {texts.all_chosen(usual)}."
            )
            yield texts.finding(odd, sentence, "alarm", None)


def _punctuation(texts: _Texts) -> Iterator[Finding]:
    marks = texts.sums[:, Count.FULL_STOP] + texts.sums[:, Count.COMMA]
    rates = marks / np.maximum(texts.sums[:, Count.PRINTED], 1)
    others = np.array([np.median(np.delete(rates, t)) if len(rates) > 1 else rates[t] for t in range(len(rates))])
    expected = others * texts.sums[:, Count.PRINTED]
    odd = (expected >= MIN_MARKS) & (rates <= NO_PUNCTUATION * others)
    if odd.any():
        sentence = (
            f"{texts.all_chosen(odd)}: {percent(float(rates[odd].max()))} of the characters are full stops, commas and "
            f"the like, where the other texts have {percent(float(others[odd].min()))}."
        )
        yield texts.finding(odd, sentence, "alarm", None)


def _quotes(texts: _Texts) -> Iterator[Finding]:
    for straight, typeset, what in (
        (Count.STRAIGHT_QUOTE, Count.TYPESET_QUOTE, "quotation marks"),
        (Count.STRAIGHT_APOSTROPHE, Count.TYPESET_APOSTROPHE, "apostrophes"),
    ):
        sums = texts.sums[:, straight] + texts.sums[:, typeset]
        rates = texts.sums[:, straight] / np.maximum(sums, 1)
        enough = sums >= MIN_MARKS
        of_references = np.array([role == "reference" for role, _ in texts.names])
        for odd, usual, how, other, evidence in (
            (rates >= STRAIGHT, rates <= TYPESET, "straight", "typographic", straight),
            (rates <= TYPESET, rates >= STRAIGHT, "typographic", "straight", typeset),
        ):
            systems, references = odd & enough & ~of_references, usual & enough & of_references
            if systems.any() and references.any():
                least = float((rates if how == "straight" else 1 - rates)[systems].min())
                sentence = (
                    f"The {what} of {names(texts.chosen(systems, 'system'))} are {how} ({percent(least)}"
                    f"{' or more' if least < 1 else ''}), "
                    f"and those of the {plural(int(references.sum()), 'reference')} "
                    f"{names(texts.chosen(references, 'reference'))} {other}."
                )
                found = texts.finding(systems, sentence, strength="caution", evidence=evidence, advice=QUOTES)
                yield Finding(
                    key=KEY,
                    systems=found.systems,
                    references=texts.chosen(references, "reference"),
                    message=sentence,
                    strength="caution",
                    advice=QUOTES,
                    segments=found.segments,
                )


def _forms(texts: _Texts) -> Iterator[Finding]:
    segments = (texts.counts[..., Count.NOT_COMPOSED] > 0).sum(axis=1)
    if segments.any() and not segments.all():
        odd = segments > 0
        part = share(int(segments.max()), texts.counts.shape[1])
        sentence = (
            f"{texts.all_chosen(odd)}: letters with accents are written in several code points in up to {part}, and in "
            "one in the other texts."
        )
        yield texts.finding(odd, sentence, strength="caution", evidence=Count.NOT_COMPOSED, advice=FORMS)


WARNING = TrustWarning(
    key=KEY,
    title="Different typography or tokenisation",
    checked="Blanks before punctuation, traces of tokenisers, capital letters, punctuation, quotation marks, "
    "apostrophes and Unicode normal forms are counted in each system and reference, and compared.",
    misleads="Words that differ only in how they are written do not match, which lowers the score although "
    "readers would not notice.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.006,
    find=_find,
)
