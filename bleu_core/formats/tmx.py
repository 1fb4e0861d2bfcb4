"""TMX 1.1 to 1.4: units of translation memories, of which two languages are read as source and translation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.bilingual import BILINGUAL_ROLES, Bilingual
from bleu_core.formats.contents import Contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text_roles import text_role
from bleu_core.formats.xml_elements import (
    TAG_CHOICES,
    attribute,
    detect_xml_encoding,
    inline_text,
    iter_elements,
    keeps_tags,
    root_pattern,
    sniff_root,
)

LABEL = "TMX"
#: The most languages of a file.
MAX_LANGUAGES = 1000
#: The value in the header if units may have any language as their source.
ANY = "*all*"


@dataclass(slots=True, kw_only=True)
class _Units:
    """The units of a file.

    Attributes:
        language: the source language in the header; may be empty.
        texts: for each unit, language -> its first text.
        lines: the lines on which the units begin.
        spellings: language -> its first spelling in the file.
        surplus: the number of texts after the first of a language in a unit.
        bare: the lines on which variants (tuv) without a text (seg) begin.
    """

    language: str = ""
    texts: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    lines: list[int] = field(default_factory=list[int])
    spellings: dict[str, str] = field(default_factory=dict[str, str])
    surplus: int = 0
    bare: list[int] = field(default_factory=list[int])

    @property
    def counts(self) -> Counter[str]:
        """The number of units that have a text in each language."""
        return Counter(chain.from_iterable(self.texts))


def _units(source: Source, *, tags: bool) -> _Units:
    units = _Units()
    for _, name, element in iter_elements(source, ("tu",), ("tmx", "header")):
        if name == "header":
            units.language = element.get("srclang", "")
        elif name == "tu":
            texts: dict[str, str] = {}
            for variant in element.iterchildren("{*}tuv"):
                written = attribute(variant, "lang")
                language = _normal(written)
                units.spellings.setdefault(language, written)
                segment = next(variant.iterchildren("{*}seg"), None)
                if segment is None:
                    units.bare.append(variant.sourceline or 1)
                text = inline_text(segment, source, tags=tags)
                units.surplus += texts.setdefault(language, text) != text
            if len(units.spellings) > MAX_LANGUAGES:
                raise FormatError(
                    f"{source.name}, line {element.sourceline}: more than {MAX_LANGUAGES:,} languages found, at most "
                    f"{MAX_LANGUAGES:,} expected"
                )
            units.texts.append(texts)
            units.lines.append(element.sourceline or 1)
            if len(units.texts) > source.limits.lines:
                source.limits.check("lines", len(units.texts), f"{source.name}, units")
    if units.bare and not any(text.strip() for texts in units.texts for text in texts.values()):
        raise FormatError(f"{source.name}, line {units.bare[0]}: tuv without seg found, a seg with the text expected")
    return units


def _normal(language: str) -> str:
    return language.strip().lower().replace("_", "-")


def _matches(language: str, wanted: str) -> bool:
    """Return whether a language is the wanted one, or a regional variant of it."""
    return language == wanted or language.startswith(f"{wanted}-")


def _text(texts: dict[str, str], wanted: str) -> str | None:
    """Return the text in a language, or else in its first regional variant; None if there is none."""
    if wanted in texts:
        return texts[wanted]
    return next((text for language, text in texts.items() if _matches(language, wanted)), None)


def _requested_language(given: str, languages: Iterable[str], units: _Units, name: str) -> str:
    """Return a language that the user names, normalised.

    Raises:
        FormatError: no text is in this language.
    """
    wanted = _normal(given)
    if not any(_matches(language, wanted) for language in languages):
        raise FormatError(
            f"{name}: no text in the language {given!r} found; choose one of {listed(units.spellings.values())}"
        )
    return wanted


def _source_language(units: _Units, counts: Counter[str]) -> str:
    """Return the language of the header or its base language if it has texts, else the first of the file."""
    named = _normal(units.language)
    for wanted in (named, named.partition("-")[0]):
        if wanted and wanted != ANY and any(_matches(language, wanted) for language in counts):
            return wanted
    return next(iter(units.texts[0]), "") if units.texts else ""


def _values(source: Source) -> Mapping[str, Sequence[str]]:
    """Return the languages in their first spelling, the most frequent first; errors as for _read."""
    units = _units(source, tags=False)
    languages = tuple(units.spellings[language] for language, _ in units.counts.most_common() if language)
    return {"source": languages, "target": languages, "tags": TAG_CHOICES}


def _read(source: Source, options: Options) -> Contents:
    """Read two languages.

    Units without the source language are left out and counted.

    Raises:
        FormatError: the file is damaged, or has no unit, no text in a language that was chosen, or no second language.
        LimitError: it exceeds the limits.
        SettingsError: the option for inline tags has another value.
    """
    units = _units(source, tags=keeps_tags(options.own.get("tags"), source.name))
    counts = units.counts
    own = options.own
    source_language = _source_language(units, counts)
    if own.get("source"):
        source_language = _requested_language(own["source"], counts, units, source.name)
    others = [language for language, _ in counts.most_common() if not _matches(language, source_language)]
    target_language = others[0] if others else ""
    if own.get("target"):
        target_language = _requested_language(own["target"], counts, units, source.name)
    if options.role != "source" and counts and (not target_language or target_language == source_language):
        raise FormatError(
            f"{source.name}: texts in {units.spellings.get(source_language, source_language)} only found, a second "
            "language expected"
        )
    segments = Bilingual(file=source)
    n_without = 0
    for texts, line in zip(units.texts, units.lines, strict=True):
        text, target = _text(texts, source_language), _text(texts, target_language)
        if text is None:
            n_without += 1
            continue
        segments.add(text, target if target is not None and target.strip() else None, line)
    notes: list[str] = []
    further = [units.spellings[language] for language in others if not _matches(language, target_language)]
    if further and not own.get("target") and options.role != "source":
        notes.append(
            f"translations into {units.spellings[target_language]} are used; the option target chooses another "
            f"language of this file: {listed(further)}"
        )
    if n_without:
        notes.append(
            f"{n_without:,} {plural(n_without, 'unit')} without text in "
            f"{units.spellings.get(source_language, source_language)} left out"
        )
    return segments.contents(options.role, LABEL, detect_xml_encoding(source)[1], notes=[*notes, *_notes(units)])


def _notes(units: _Units) -> Iterator[str]:
    """Yield notes on unusual variants."""
    if units.bare:
        yield f"{len(units.bare):,} tuv without seg read as empty; the first is in line {units.bare[0]:,}"
    if units.surplus:
        yield f"{units.surplus:,} further {plural(units.surplus, 'text')} of the same unit and language not used"


FORMAT = Format(
    key="tmx",
    label=LABEL,
    description="TMX with two or more languages",
    roles=BILINGUAL_ROLES,
    sniff=sniff_root(root_pattern("tmx")),
    read=_read,
    role_of=lambda source: text_role(source, "system"),
    endings=(".tmx",),
    binary=True,
    own={
        "source": "Language of the source",
        "target": "Language of the translation",
        "tags": "Inline tags",
    },
    values=_values,
)
