"""What BLEU cannot see, as a section of a file to print."""

from __future__ import annotations

from bleu_core.results.probes import probe_overview, probe_scores
from dashboard import words
from dashboard.analysis import ProbeAnalysis
from dashboard.export.section import Example, Section


def probes_section(read: ProbeAnalysis) -> Section:
    """The answers, the scores, and the first changed segments of each probe."""
    system = read.changes[0].system
    sentences = [f"{title}. {sentence}" for title, sentence in words.probe_findings(read)]
    standing = words.human_standing(read)
    examples = [
        Example(
            f"{title}: segment {one.segment:,}",
            (("Output", one.before), ("After the change", one.after), ("Reference", one.reference)),
        )
        for (title, _), result in zip(words.probe_findings(read), read.results, strict=True)
        for one in result.examples
    ]
    return Section(
        "what-bleu-cannot-see",
        words.PROBES_HEADING,
        (words.PROBES_LOOK, f"The output is that of {system}.", *sentences, *filter(None, (standing,))),
        tables=(probe_overview(read.results, read.labels), probe_scores(read.results, read.labels)),
        examples=tuple(examples),
        notes=(words.probe_notes(read),),
    )
