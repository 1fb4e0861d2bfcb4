"""Differences between texts in tokenisation, case, punctuation, quotation marks or Unicode normalisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import plural
from bleu_core.diagnostics.characters import Count, Counts, character_counts
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent, share

KEY = "tokenization"
ADVICE = "Give systems and references as they are written, detokenised and with their case."
QUOTE_ADVICE = (
    "Write quotation marks in the same way in all texts, or compare systems only with others that write them so."
)
FORM_ADVICE = "Convert all texts to Unicode normal form C."

#: Minimum numbers of marks, and of letters with case, on each side.
MIN_MARKS, MIN_CASED = 10, 500

#: Minimum share of full stops and commas after a blank in tokenised text, and maximum share in other text.
MIN_TOKENISED_RATE, MAX_WRITTEN_RATE = 0.5, 0.1

#: Minimum share of segments with traces of a tokeniser for an alarm; fewer are a note.
MARKUP_ALARM_SHARE = 0.05

#: Maximum share of capitals in text without case, and minimum shares in text with case and in capitals.
MAX_UNCASED_RATE, MIN_CASED_RATE, MIN_CAPITALISED_RATE = 0.002, 0.005, 0.9

#: Maximum ratio of the punctuation of a text without punctuation to that of the others.
MAX_PUNCTUATION_RATIO = 0.1

#: Minimum share of straight quotation marks in text that uses them, and maximum share in text that does not.
MIN_STRAIGHT_RATE, MAX_STRAIGHT_RATE = 0.95, 0.05


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """The names and counts of systems and references.

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
        self,
        which: npt.NDArray[np.bool_],
        message: str,
        strength: Strength,
        evidence: Count | None,
        advice: str = ADVICE,
    ) -> Finding:
        """Return a finding about some of the texts.

        Args:
            which: mask of the texts.
            message: a sentence.
            strength: of the finding.
            evidence: the column whose segments are listed; None if all segments are concerned.
            advice: what to do.
        """
        segments: Sequence[int] = ()
        if evidence is not None:
            segments = (np.flatnonzero(self.counts[which, :, evidence].any(axis=0)) + 1).tolist()
        return Finding(
            key=KEY,
            systems=self.selected_names(which, "system"),
            references=self.selected_names(which, "reference"),
            message=message,
            strength=strength,
            advice=advice,
            segments=tuple(segments),
        )

    def selected_names(self, which: npt.NDArray[np.bool_], *roles: str) -> tuple[str, ...]:
        """Return the names of some of the texts."""
        return tuple(name for (role, name), is_in in zip(self.names, which, strict=True) if is_in and role in roles)

    def name_list(self, which: npt.NDArray[np.bool_]) -> str:
        """Return the names of some of the texts, for a sentence, in which references are labelled."""
        systems = names(self.selected_names(which, "system"))
        references = names(self.selected_names(which, "reference"))
        return " and ".join(filter(None, (systems, references and f"reference {references}")))


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    size = data.reference_rows.stop
    texts = _Texts(tuple(data.texts)[:size], character_counts(data)[:size])
    findings = [*_spaced(texts), *_markup(texts)]
    if not data.evaluation.settings.lowercase:
        findings += _case(texts)
    return (*findings, *_punctuation(texts), *_quotes(texts), *_forms(texts))


def _spaced(texts: _Texts) -> Iterator[Finding]:
    spaced, attached = texts.sums[:, Count.SPACED_MARK], texts.sums[:, Count.ATTACHED_MARK]
    enough = spaced + attached >= MIN_MARKS
    rates = spaced / np.maximum(spaced + attached, 1)
    tokenised, written = enough & (rates >= MIN_TOKENISED_RATE), enough & (rates <= MAX_WRITTEN_RATE)
    if not tokenised.any():
        return
    rate = percent(float(rates[tokenised].min()))
    sentence = f"{texts.name_list(tokenised)}: {rate} or more of the full stops and commas follow a blank"
    if written.any():
        highest = percent(float(rates[written].max()))
        sentence = f"{sentence}, and at most {highest} of those of {texts.name_list(written)}."
        yield texts.finding(tokenised, sentence, "alarm", None)
    else:
        yield texts.finding(tokenised, f"{sentence}; all texts seem to be tokenised.", "caution", None)


def _markup(texts: _Texts) -> Iterator[Finding]:
    size = texts.counts.shape[1]
    for t, segments in enumerate(_traces(texts)):
        count = int(segments.sum())
        if not count:
            continue
        which = np.arange(len(texts.names)) == t
        part = share(count, size)
        sentence = (
            f"{texts.name_list(which)} has traces of tokenisation such as @-@, @@, \u2581, &quot; or 's in {part}."
        )
        strength: Strength = "alarm" if count / size >= MARKUP_ALARM_SHARE else "note"
        finding = texts.finding(which, sentence, strength, None)
        yield replace(finding, segments=tuple((np.flatnonzero(segments) + 1).tolist()))


def _traces(texts: _Texts) -> npt.NDArray[np.bool_]:
    """Return the segments with traces of tokenisers, (texts, S).

    In systems, traces count that no reference has in the segment, and detached endings if no reference has any; in
    references, detached endings count only beside marks after blanks, as some languages are written with them.
    """
    markup, detached = texts.counts[..., Count.MARKUP], texts.counts[..., Count.DETACHED] > 0
    is_reference = np.array([role == "reference" for role, _ in texts.names])
    traces = markup > 0
    traces[~is_reference] = markup[~is_reference] > markup[is_reference].max(axis=0, initial=0)
    spaced, attached = texts.sums[:, Count.SPACED_MARK], texts.sums[:, Count.ATTACHED_MARK]
    counts_detached = np.where(
        is_reference, spaced > MAX_WRITTEN_RATE * (spaced + attached), not detached[is_reference].any()
    )
    return traces | (detached & counts_detached[:, None])


def _case(texts: _Texts) -> Iterator[Finding]:
    upper, cased = texts.sums[:, Count.UPPER], texts.sums[:, Count.UPPER] + texts.sums[:, Count.LOWER]
    rates = upper / np.maximum(cased, 1)
    enough = cased >= MIN_CASED
    with_case = enough & (rates >= MIN_CASED_RATE) & (rates < 1 - MIN_CASED_RATE)
    for odd, quantifier in (
        (enough & (rates <= MAX_UNCASED_RATE), "no"),
        (enough & (rates >= MIN_CAPITALISED_RATE), "only"),
    ):
        regular = with_case & ~odd
        if odd.any() and regular.any():
            sentence = (
                f"{texts.name_list(odd)}: there are {quantifier} capital letters, or nearly so "
                f"({percent(float(rates[odd].max()))} of the letters), and "
                f"{percent(float(rates[regular].min()))} or more in {texts.name_list(regular)}."
            )
            yield texts.finding(odd, sentence, "alarm", None)


def _punctuation(texts: _Texts) -> Iterator[Finding]:
    marks = texts.sums[:, Count.FULL_STOP] + texts.sums[:, Count.COMMA]
    rates = marks / np.maximum(texts.sums[:, Count.PRINTED], 1)
    others = np.array([np.median(np.delete(rates, t)) if len(rates) > 1 else rates[t] for t in range(len(rates))])
    expected = others * texts.sums[:, Count.PRINTED]
    odd = (expected >= MIN_MARKS) & (rates <= MAX_PUNCTUATION_RATIO * others)
    if odd.any():
        sentence = (
            f"{texts.name_list(odd)}: {percent(float(rates[odd].max()))} of the characters are full stops, commas and "
            f"the like, where the other texts have {percent(float(others[odd].min()))}."
        )
        yield texts.finding(odd, sentence, "alarm", None)


def _quotes(texts: _Texts) -> Iterator[Finding]:
    for straight, typeset, marks in (
        (Count.STRAIGHT_QUOTE, Count.TYPESET_QUOTE, "quotation marks"),
        (Count.STRAIGHT_APOSTROPHE, Count.TYPESET_APOSTROPHE, "apostrophes"),
    ):
        sums = texts.sums[:, straight] + texts.sums[:, typeset]
        rates = texts.sums[:, straight] / np.maximum(sums, 1)
        enough = sums >= MIN_MARKS
        is_reference = np.array([role == "reference" for role, _ in texts.names])
        for odd, regular, style, other_style, evidence in (
            (rates >= MIN_STRAIGHT_RATE, rates <= MAX_STRAIGHT_RATE, "straight", "typographic", straight),
            (rates <= MAX_STRAIGHT_RATE, rates >= MIN_STRAIGHT_RATE, "typographic", "straight", typeset),
        ):
            systems, references = odd & enough & ~is_reference, regular & enough & is_reference
            if systems.any() and references.any():
                min_rate = float((rates if style == "straight" else 1 - rates)[systems].min())
                sentence = (
                    f"The {marks} of {names(texts.selected_names(systems, 'system'))} are {style} ({percent(min_rate)}"
                    f"{' or more' if min_rate < 1 else ''}), "
                    f"and those of the {plural(int(references.sum()), 'reference')} "
                    f"{names(texts.selected_names(references, 'reference'))} {other_style}."
                )
                finding = texts.finding(systems, sentence, strength="caution", evidence=evidence, advice=QUOTE_ADVICE)
                yield Finding(
                    key=KEY,
                    systems=finding.systems,
                    references=texts.selected_names(references, "reference"),
                    message=sentence,
                    strength="caution",
                    advice=QUOTE_ADVICE,
                    segments=finding.segments,
                )


def _forms(texts: _Texts) -> Iterator[Finding]:
    segments = (texts.counts[..., Count.NOT_COMPOSED] > 0).sum(axis=1)
    if segments.any() and not segments.all():
        odd = segments > 0
        part = share(int(segments.max()), texts.counts.shape[1])
        sentence = (
            f"{texts.name_list(odd)}: letters with accents are written in several code points in up to {part}, and in "
            "one in the other texts."
        )
        yield texts.finding(odd, sentence, strength="caution", evidence=Count.NOT_COMPOSED, advice=FORM_ADVICE)


WARNING = TrustWarning(
    key=KEY,
    title="Different typography or tokenisation",
    checked="Blanks before punctuation, traces of tokenisers, capital letters, punctuation, quotation marks, "
    "apostrophes and Unicode normal forms are counted in each system and reference, and compared; what the references "
    "write likewise is no trace of a tokeniser.",
    misleads="Words that differ only in how they are written do not match, which lowers the score although "
    "readers would not notice.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.006,
    find=_find,
)
