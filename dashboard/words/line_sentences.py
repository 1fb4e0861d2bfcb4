"""Sentences about misaligned files and repairs of their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bleu_core.dataset import LineRepair, MissingText, plural, shared_segments_sentence
from bleu_core.errors import listed
from bleu_core.slicing import Slice
from bleu_core.uploads import Entry, Workspace

#: Maximum number of repairs of a file that are named; further ones are counted.
MAX_REPAIRS = 10

MISSING_HELP = (
    "A line that is missing in one file is left out for all systems, so that they are compared on the same segments. "
    "Switch this on to score it as an empty output instead."
)

SHARED_HELP = (
    "A system without a text for some segments, by the ids in its file, has no score on the whole text. Switch this on "
    "to compare all systems on the segments that all of them have. To use more segments, remove the files of systems "
    "that have few."
)

REPAIR_HELP = (
    "The file itself is not changed. Missing lines become empty segments, duplicates are removed, and split lines "
    "are joined. The repairs are listed here and can be undone."
)


def pair_needed(names: Sequence[str]) -> str:
    """State that files have several language pairs, of which one has to be selected."""
    have, them = ("has", "it") if len(names) == 1 else ("have", "them")
    return f"{listed(names, max_items=3)} {have} several language pairs. Choose one to use {them}."


def nothing_out_of_line(texts: int) -> str:
    """State that no line of two or more texts is missing, duplicated, split, joined or shifted."""
    return f"All {texts:,} texts line up."


def repairs_made(place: str, repairs: Sequence[LineRepair]) -> str:
    """Describe the repairs of a file."""
    return f"Repaired {place}: {_repairs(repairs)}."


def repairs_offered(repairs: Sequence[LineRepair]) -> str:
    """Describe the repairs that are offered for a file."""
    return f"After the repair: {_repairs(repairs)}."


def _repairs(repairs: Sequence[LineRepair]) -> str:
    more = len(repairs) - MAX_REPAIRS
    sentences = [repair.sentence for repair in repairs[:MAX_REPAIRS]]
    return "; ".join([*sentences, *([f"{more:,} more {plural(more, 'repair')}"] if more > 0 else [])])


def files_out_of_line(names: Sequence[str], *, explained: bool = True) -> str:
    """Warn that scores of files are too low because their lines are misaligned.

    Args:
        names: of the systems or files.
        explained: whether to name the page that shows more.
    """
    count = len(names)
    text = (
        f"{listed(names, max_items=4)} {'is' if count == 1 else 'are'} out of line with the other files, so "
        f"{'its scores are' if count == 1 else 'their scores are'} too low."
    )
    return f"{text} The Data page shows where, and repairs it." if explained else text


def files_not_used(workspace: Workspace, *, explained: bool = True) -> str:
    """Name the files, and the texts in zips and folders, that are not used; empty if all are.

    Args:
        workspace: the files.
        explained: whether to name the page that shows more.
    """
    names = [name for entry in workspace.entries for name in _not_used(entry, workspace)]
    if not names:
        return ""
    text = f"{listed(names, max_items=4)} {'is' if len(names) == 1 else 'are'} not used."
    return f"{text} The Data page says why." if explained else text


def _not_used(entry: Entry, workspace: Workspace) -> list[str]:
    """Return the name of an unused file, or the names of its unused texts that no other file provides."""
    if entry.problem:
        return [entry.file.name]
    return [text.name for text in entry.missing if text.role != "system" or text in workspace.missing]


def systems_in_use(workspace: Workspace) -> str:
    """State how many systems are in use, and of how many, if outputs of some cannot be used."""
    count, missing = len(workspace.corpus.systems), len(workspace.missing)
    return f"{count:,} of {count + missing:,} systems" if missing else f"{count:,} {plural(count, 'system')}"


def pairs_and_ratings(workspace: Workspace) -> list[str]:
    """Name the language pairs of files that have several, and the human scores in use, if archives name theirs."""
    entries = [entry for entry in workspace.entries if not entry.problem]
    pairs = [entry.pair for entry in entries if entry.pair and (entry.file.pair or entry.pairs[1:])]
    ratings = [entry.file.human_scores or entry.human_scores[0] for entry in entries if entry.human_scores]
    return list(dict.fromkeys([*pairs, *ratings]))


def systems_missing(missing: Sequence[MissingText]) -> str:
    """Name the missing systems, as the end of a count of systems; empty where none is."""
    if not missing:
        return ""
    return f"; {listed((text.name for text in missing), max_items=2)} {'is' if len(missing) == 1 else 'are'} missing"


def why_missing(text: MissingText) -> str:
    """Explain why a system has no score."""
    return f"{text.name}: no score: {text.reason}"


def segments_shared(workspace: Workspace, *, shared: bool) -> str:
    """Explain how systems that lack segments, by the ids in their files, are treated.

    Args:
        workspace: the data, with such systems.
        shared: whether only segments that all systems have were asked for.
    """
    if workspace.unshared:
        return f"{shared_segments_sentence(workspace.corpus.segments, workspace.unshared)}."
    names, single = listed(workspace.incomplete, max_items=4), len(workspace.incomplete) == 1
    if shared:
        return f"No segment is in the files of all systems, so that {names} {'has' if single else 'have'} no score."
    return f"{names} {'lacks' if single else 'lack'} segments and {'has' if single else 'have'} no score."


def segments_without_text(workspace: Workspace, *, scored: bool) -> str:
    """Explain how segments that a file lacks are treated; empty if there are none.

    Args:
        workspace: the data.
        scored: whether they are scored as if they were empty.
    """
    files = workspace.lacking
    if not files:
        return ""
    every = replace(Slice.whole(workspace.corpus.segments), excluded=workspace.absent, incomplete_files=files)
    empty = f"Segments that {listed(files)} {'lacks' if len(files) == 1 else 'lack'} are scored as empty"
    return f"{empty if scored else every.exclusion}. A switch in the sidebar changes this."


def repairs_to_quote(workspace: Workspace) -> str:
    """Return the repairs to add to a sentence about scores of repaired files; empty if there are none."""
    by_place: dict[str, list[LineRepair]] = {}
    for place, repair in workspace.repairs:
        by_place.setdefault(place, []).append(repair)
    return "".join(f" {repairs_made(place, repairs)}" for place, repairs in by_place.items())


def far_below_others(systems: Sequence[str]) -> str:
    """Warn that the lines of systems with very low scores may not be those of the reference."""
    count = len(systems)
    return (
        f"{listed(systems, max_items=4)} {'scores' if count == 1 else 'score'} very low. Check whether "
        f"{'its' if count == 1 else 'their'} lines are out of line with the other files."
    )
