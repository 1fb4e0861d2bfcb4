"""Systems that are scored and not ranked: human translations, and those that were optimised for a metric.

A system that was optimised for a metric, by training, tuning or minimum Bayes risk decoding, scores higher by it than
its quality warrants. It is not ranked by that metric, nor compared with other systems or with judges by it; by all
other metrics it is a system like others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset.corpus import Corpus, Identical
from bleu_core.errors import listed

#: Maximum number of systems that a note names; further ones are counted.
MAX_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanTranslation:
    """A system that is a human translation.

    Attributes:
        system: the name of the system.
        reference: the loaded reference with the same text; empty if the system is only marked as a human translation.
    """

    system: str
    reference: str = ""

    @property
    def reason(self) -> str:
        """The reason why the system is not ranked."""
        return f"identical to the reference {self.reference}" if self.reference else "human translator"


def translations_of(
    systems: Iterable[str], identical: Iterable[Identical], marked: Iterable[str] = ()
) -> tuple[HumanTranslation, ...]:
    """Find the systems that are human translations, whichever references are in use.

    Args:
        systems: the names of all systems.
        identical: identical texts, as identical_texts returns them; only those of systems and references are used.
        marked: names that the user marked as human translations; names of no system are ignored.

    Returns:
        The systems whose text is that of a reference, and those marked, in their order.
    """
    marked = frozenset(marked)
    equal: dict[str, str] = {}
    for same in identical:
        if same.role == "reference":
            equal.setdefault(same.system, same.name)
    return tuple(
        HumanTranslation(system=name, reference=equal.get(name, ""))
        for name in systems
        if name in equal or name in marked
    )


def human_note(humans: Iterable[HumanTranslation], *, ranked: bool = False) -> str:
    """Return the note that names human translations among the systems; empty if there are none.

    Args:
        humans: the human translations.
        ranked: whether they are ranked.

    >>> human_note([HumanTranslation(system="ref.A", reference="ref.A"), HumanTranslation(system="H")])
    'human translations, which are not ranked: ref.A (identical to the reference ref.A), H (human translator)'
    """
    named = [f"{human.system} ({human.reason})" for human in humans]
    treatment = "ranked" if ranked else "not ranked"
    return f"human translations, which are {treatment}: {listed(named, max_items=MAX_NAMED)}" if named else ""


def without_references_of(corpus: Corpus, systems: Iterable[str]) -> Corpus:
    """Return the corpus without the references that equal the text of a system, so that the system can be ranked.

    Args:
        corpus: the texts with all loaded references.
        systems: human translations that are to be ranked.
    """
    texts = {corpus.systems[name] for name in systems}
    references = {name: text for name, text in corpus.references.items() if text not in texts}
    return replace(corpus, references=references)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimisedSystem:
    """A system that was optimised for a metric.

    Attributes:
        system: the name of the system.
        metric: the key or the label of the metric, as the user wrote it; upper and lower case are the same.
    """

    system: str
    metric: str

    @property
    def reason(self) -> str:
        """The reason why the system is not ranked by the metric."""
        return f"optimised for {self.metric}"

    @property
    def text(self) -> str:
        """The mark as in `--optimised` and in the addresses of pages."""
        return f"{self.system}={self.metric}"

    def concerns(self, *names: str) -> bool:
        """Return whether one of the names of a metric is that of this mark."""
        return self.metric.casefold() in {name.casefold() for name in names}


def optimised_for(marks: Iterable[OptimisedSystem], *names: str) -> tuple[OptimisedSystem, ...]:
    """Return the marks for a metric, one per system.

    Args:
        marks: systems and the metrics they were optimised for.
        names: the names of the metric, such as its key and its label.
    """
    return tuple({mark.system: mark for mark in marks if mark.concerns(*names)}.values())


def not_quality(systems: Sequence[str], metric: str) -> str:
    """Return the sentence on systems that are shown with a metric that they were optimised for; empty without any.

    Args:
        systems: names of the systems.
        metric: label of the metric.

    >>> not_quality(["MBR"], "COMET")
    'MBR was optimised for COMET, so its scores by COMET must not be read as quality'
    """
    if not systems:
        return ""
    was, its = ("was", "its") if len(systems) == 1 else ("were", "their")
    names = listed(list(systems), max_items=MAX_NAMED)
    return f"{names} {was} optimised for {metric}, so {its} scores by {metric} must not be read as quality"


def optimised_note(marks: Iterable[OptimisedSystem]) -> str:
    """Return the note that names systems which are not ranked by the metric they were optimised for; empty without any.

    >>> optimised_note([OptimisedSystem(system="MBR", metric="COMET")])
    'systems that are not ranked by the metric they were optimised for: MBR (optimised for COMET)'
    """
    named = [f"{mark.system} ({mark.reason})" for mark in marks]
    what = "systems that are not ranked by the metric they were optimised for"
    return f"{what}: {listed(named, max_items=MAX_NAMED)}" if named else ""
