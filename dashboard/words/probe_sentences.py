"""Changes of an output that BLEU does not detect, in plain language. Pure functions."""

from __future__ import annotations

from bleu_core.diagnostics import find_probe
from bleu_core.results.probes import TOKENIZED_NOTE, human_sentences, orders_in_words, probe_sentence, probe_title
from dashboard.analysis import ProbeAnalysis, SegmentChange

PROBES_HEADING = "What BLEU cannot see"
PROBES_LOOK = (
    "An output is changed in ways that readers notice, and scored before and after. Look at which changes lower BLEU, "
    "which hardly do, and which raise it; then read the changed segments."
)


def probe_findings(read: ProbeAnalysis) -> list[tuple[str, str]]:
    """Return the title of each change, and its effect on BLEU."""
    segments = read.view.evaluation.segments
    return [(probe_title(result), probe_sentence(result, segments, read.labels)) for result in read.results]


def human_standing(read: ProbeAnalysis) -> str:
    """Compare the references with the systems; empty where there is only one."""
    return " ".join(human_sentences(read.of_systems, read.labels))


def probe_notes(read: ProbeAnalysis) -> str:
    """Return remarks on the scores, and the literature on such changes."""
    sources = dict.fromkeys(find_probe(result.probe).source for result in read.results)
    return f"{TOKENIZED_NOTE} Sources: {'; '.join(sources)}."


def what_is_noticed(read: ProbeAnalysis, change: int) -> str:
    """Describe the change, and what a reader notices."""
    probe = find_probe(read.results[change].probe)
    return f"{probe.changed} {probe.noticed}"


def orders_of_segment(changed: SegmentChange) -> str:
    """State in how many orders the chunks of a segment can be put; empty if they were not counted."""
    if not changed.orders:
        return ""
    ways = f"{'' if changed.exact else 'at least '}{orders_in_words(changed.orders)}"
    return f"Of the {ways} orders of the chunks of this segment, none has a lower BLEU than the output."
