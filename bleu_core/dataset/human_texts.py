"""Human translations among the systems, which are scored like systems but not ranked with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bleu_core.dataset.corpus import Corpus, Identical, identical_texts
from bleu_core.errors import listed

#: Maximum number of human translations that a note names; further ones are counted.
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


def human_translations(
    corpus: Corpus, marked: Iterable[str] = (), identical: Iterable[Identical] = ()
) -> tuple[HumanTranslation, ...]:
    """Find the systems that are human translations, whichever references are in use.

    Args:
        corpus: the texts with all loaded references.
        marked: names that the user marked as human translations; names of no system are ignored.
        identical: systems known to have the text of a reference that is not in the corpus.

    Returns:
        The systems whose text is that of a reference, and those marked, in the order of the corpus.
    """
    return translations_of(corpus.systems, (*identical_texts(corpus), *identical), marked)


def translations_of(
    systems: Iterable[str], identical: Iterable[Identical], marked: Iterable[str] = ()
) -> tuple[HumanTranslation, ...]:
    """Find the systems that are human translations, if it is known which texts are identical.

    Args:
        systems: the names of all systems.
        identical: identical texts; only those of systems and references are used.
        marked: names that the user marked as human translations; names of no system are ignored.
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
