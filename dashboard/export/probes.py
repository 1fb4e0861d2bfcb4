"""The probes as a section of a file to print."""

from __future__ import annotations

from bleu_core.results.probes import probe_overview, probe_scores
from dashboard import words
from dashboard.analysis import ProbeAnalysis
from dashboard.export.section import Example, Section


def probes_section(analysis: ProbeAnalysis) -> Section:
    """Return the answers, the scores, and the first changed segments of each probe."""
    system = analysis.changes[0].system
    sentences = [f"{title}. {sentence}" for title, sentence in words.probe_findings(analysis)]
    standing = words.human_standing(analysis)
    examples = [
        Example(
            f"{title}: segment {example.segment:,}",
            (("Output", example.before), ("After the change", example.after), ("Reference", example.reference)),
        )
        for (title, _), result in zip(words.probe_findings(analysis), analysis.results, strict=True)
        for example in result.examples
    ]
    return Section(
        "what-bleu-cannot-see",
        words.PROBES_HEADING,
        (words.PROBES_LOOK, f"The output is that of {system}.", *sentences, *filter(None, (standing,))),
        tables=(probe_overview(analysis.results, analysis.labels), probe_scores(analysis.results, analysis.labels)),
        examples=tuple(examples),
        notes=(words.probe_notes(analysis),),
    )
