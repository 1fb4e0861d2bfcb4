"""XML of WMT since 2021: the source, references and systems of a test set, by document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bleu_core.dataset import Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.contents import Contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.documents import DOCUMENT_ROLES, Document, ReadingContext, Side, document_contents
from bleu_core.formats.release_names import languages_of_file
from bleu_core.formats.source import Source
from bleu_core.formats.xml_elements import (
    ATTRIBUTE,
    detect_xml_encoding,
    element_location,
    has_root,
    inline_text,
    iter_elements,
    join_lines,
    root_pattern,
)

if TYPE_CHECKING:
    from bleu_core.formats.xml_elements import Element

LABEL = "WMT XML"
ROOT = root_pattern("dataset", rf"(?:\s[^<>]*)?>(?:\s++|<!--.*?-->|<\?.*?\?>)*+<(?:collection|doc){ATTRIBUTE}")
SIDES: dict[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}
#: The attribute of an element that names the system or translator of the text.
OWNERS = {"ref": "translator", "hyp": "system"}
#: Attributes of documents that are labels of their segments.
LABELS = ("domain", "origlang")


@dataclass(slots=True)
class _Document(Document):
    """A document while it is read.

    Attributes:
        test_set: its test set.
        suite: whether that is a test suite.
        languages: the languages of its texts, in their order.
    """

    test_set: str = ""
    suite: bool = False
    languages: list[str] = field(default_factory=list[str])

    @property
    def language(self) -> str:
        """The language of its source."""
        return next((language for (role, _), language in self.sides() if role == "source"), "")

    def sides(self) -> Iterator[tuple[Side, str]]:
        """Return the role and name of each text, and its language."""
        return zip(self.texts, self.languages, strict=True)


def _documents(source: Source) -> list[_Document]:
    """Return the documents of a file that have segments."""
    documents: list[_Document] = []
    test_sets: list[str] = []
    sides: dict[Side, Side] = {}  # shared by all documents
    segments: dict[str, str] = {}
    count = 0
    source.limits.check("documents", source.data.count(b"<doc "), source.name)
    for event, name, element in iter_elements(source, ("seg",), ("dataset", "collection", "doc", *SIDES)):
        if name == "seg":
            if documents and documents[-1].texts:
                _add(source, element, segments)
        elif name in SIDES:
            if event == "start" and documents:
                segments = _begin_text(source, element, name=name, document=documents[-1], sides=sides)
        elif name == "doc":
            if event == "start":
                count += 1
                source.limits.check("documents", count, source.name)
                suite = element.get("testsuite")
                labels = {key: value for key in LABELS if (value := element.get(key))}
                test_set = test_sets[-1] if test_sets else ""
                documents.append(
                    _Document(element.get("id", ""), labels, test_set=suite or test_set, suite=suite is not None)
                )
            elif documents and not any(documents[-1].texts.values()):
                documents.pop()
        elif event == "start":
            test_sets.append(element.get("id", ""))
        else:
            test_sets.pop()
    return documents


def _begin_text(
    source: Source, element: Element, name: str, document: _Document, sides: dict[Side, Side]
) -> dict[str, str]:
    """Begin a text of a document and return its segments, which are empty."""
    owner = element.get(OWNERS[name], "") if name in OWNERS else ""
    side: Side = (SIDES[name], owner or ("reference" if name == "ref" else ""))
    side = sides.setdefault(side, side)
    if side in document.texts:
        raise FormatError(
            f"{element_location(source, element)}: a second {name} {owner} of document {document.name} found, "
            "1 expected; remove one"
        )
    document.texts[side] = {}
    document.languages.append(element.get("lang", ""))
    return document.texts[side]


def _add(source: Source, element: Element, segments: dict[str, str]) -> None:
    number = element.get("id") or str(len(segments) + 1)
    if number in segments:
        raise FormatError(
            f"{element_location(source, element)}: a second segment with the id {number} found, 1 expected"
        )
    segments[number] = join_lines(inline_text(element, source)).strip()


def _values(source: Source) -> Mapping[str, Sequence[str]]:
    """Return the test sets and suites; errors as for _read."""
    names = dict.fromkeys(document.test_set for document in _documents(source) if document.test_set)
    return {"testset": tuple(names)}


def _sniff(source: Source) -> float:
    return 0.95 if has_root(source, ROOT) else 0


def _read(source: Source, options: Options) -> Contents:
    """Read the texts of one language pair and test set.

    Documents of test suites are left out unless a test suite is chosen, as in sacreBLEU.

    Raises:
        FormatError: the file is damaged, or has no such language pair or test set, no segment or no text of the role.
        LimitError: it exceeds the limits.
    """
    documents = _documents(source)
    corrections = _correct_languages(documents, source.name)
    pairs = _pairs(documents)
    pair = options.pair or (pairs[0] if pairs else "")
    if pairs and pair not in pairs:
        raise FormatError(f"{source.name}: no language pair {pair!r}; choose one of {listed(pairs)}")
    documents, notes = _select_test_set(source, documents, options.own.get("testset"))
    notes = (*corrections, *notes)
    if len(pairs) > 1:
        notes += (f"other language pairs in this file: {listed(other for other in pairs if other != pair)}",)
        documents = [
            document for document in documents if f"{document.language}-" == pair[: len(document.language) + 1]
        ]
        documents = [_in_languages(document, pair) for document in documents]
    reading = ReadingContext(
        role=options.role,
        label=f"{LABEL}, {pair}" if pair else LABEL,
        encoding=detect_xml_encoding(source)[1],
        pairs=pairs,
        pair=pair,
        notes=notes,
    )
    return document_contents(source, documents, reading)


def _correct_languages(documents: list[_Document], name: str) -> tuple[str, ...]:
    """Give outputs the language of the references if all have another one and the file's name says so.

    Returns:
        A note; empty if nothing was changed.
    """
    by_role = [
        {language for document in documents for (role, _), language in document.sides() if role == wanted}
        for wanted in ("source", "reference", "system")
    ]
    if any(len(languages) != 1 for languages in by_role):
        return ()
    source, target, marked = (languages.pop() for languages in by_role)
    if marked == target or languages_of_file(name) != f"{source}-{target}":
        return ()
    for document in documents:
        document.languages = [target if role == "system" else other for (role, _), other in document.sides()]
    return (f"outputs are marked as {marked} and read as {target}, as the references and the file's name say",)


def _in_languages(document: _Document, pair: str) -> _Document:
    """Return a document with its source and those of its texts that are of a language pair."""
    language = document.language
    kept = {
        side: document.texts[side]
        for side, other in document.sides()
        if side[0] == "source" or f"{language}-{other}" == pair
    }
    return replace(document, texts=kept, languages=[])


def _pairs(documents: list[_Document]) -> tuple[str, ...]:
    """Return all language pairs that have a source and another text."""
    pairs = {
        (source_language, target_language): None
        for document in documents
        if (source_language := document.language)
        for (role, _), target_language in document.sides()
        if role != "source" and target_language
    }
    return tuple(dict.fromkeys(f"{source_language}-{target_language}" for source_language, target_language in pairs))


def _select_test_set(
    source: Source, documents: list[_Document], selected: str | None
) -> tuple[list[_Document], tuple[str, ...]]:
    """Return the documents of a test set, and notes on the others."""
    names = tuple(dict.fromkeys(document.test_set for document in documents))
    if selected:
        if names and selected not in names:
            raise FormatError(f"{source.name}: no test set {selected!r}; choose one of {listed(names)}")
        return [document for document in documents if document.test_set == selected], ()
    used = [document for document in documents if not document.suite]
    suites = tuple(dict.fromkeys(document.test_set for document in documents if document.suite and used))
    used = used or documents
    notes: tuple[str, ...] = ()
    if suites:
        notes = (f"test suites in this file that are not used: {listed(suites)}; the option testset chooses one",)
    used_sets = tuple(dict.fromkeys(document.test_set for document in used))
    if len(used_sets) > 1:
        for document in used:
            document.labels["testset"] = document.test_set
        notes += (f"test sets in this file, all in use: {listed(used_sets)}; the option testset chooses one",)
    return used, notes


FORMAT = Format(
    key="wmt-xml",
    label=LABEL,
    description="WMT XML with source, references and system outputs",
    roles=DOCUMENT_ROLES,
    sniff=_sniff,
    read=_read,
    endings=(".xml",),
    binary=True,
    own={"testset": "Test set"},
    values=_values,
)
