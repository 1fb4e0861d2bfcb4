"""Ids of documents as WMT writes them: PAIR_#_DOMAIN_#_DOCUMENT, or SET_###_DOMAIN_###_SOURCE_###_TARGET_###_DOCUMENT.

Pearmut's items have the number of a segment after these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bleu_core.errors import LanguagePairError, listed

#: Between the parts of an id: WMT24 and WMT25, and WMT26.
SEPARATORS = ("_###_", "_#_")
#: A language, with its script, country or variety: en, eng_Latn, zh_CN, sr_Cyrl_RS, zho_Hant_TW.
LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]{2,8}){0,2}")
#: Two languages: en-de, en-de_DE, eng_Latn-isl_Latn; the campaigns of WMT26 have eng_Latn---isl_Latn.
PAIR = re.compile(rf"({LANGUAGE.pattern})-{{1,3}}({LANGUAGE.pattern})")
#: What a campaign may have after its language pair, such as a version.
VERSION = re.compile(r"\s+v?\d[\w.]*")
#: The fewest parts of an id with two languages: a test set, a domain, the languages, a document.
MIN_PARTS = 5


class DocumentId(NamedTuple):
    """What the id of a document says.

    Attributes:
        pair: the language pair, as SOURCE-TARGET; empty if it has none.
        document: the rest, which is the same in all files of a test set.
        separator: between the parts; empty if it has one part.
    """

    pair: str
    document: str
    separator: str = ""


def parse_document_id(text: str) -> DocumentId:
    """Take an id apart.

    >>> parse_document_id("en-is_IS_#_news_#_guardian.1")
    DocumentId(pair='en-is_IS', document='news_#_guardian.1', separator='_#_')
    >>> parse_document_id("WMT26_###_news_###_eng_Latn_###_isl_Latn_###_guardian.1")
    DocumentId(pair='eng_Latn-isl_Latn', document='news_###_guardian.1', separator='_###_')
    >>> parse_document_id("news_###_guardian.1")
    DocumentId(pair='', document='news_###_guardian.1', separator='_###_')
    """
    text = text.strip()
    separator = next((each for each in SEPARATORS if each in text), "")
    parts = text.split(separator) if separator else [text]
    if len(parts) > 1 and (pair := language_pair(parts[0])):
        return DocumentId(pair, separator.join(parts[1:]), separator)
    if len(parts) >= MIN_PARTS and (pair := language_pair(f"{parts[2]}-{parts[3]}")):
        return DocumentId(pair, separator.join((parts[1], *parts[4:])), separator)
    return DocumentId("", text, separator)


def language_pair(text: str) -> str:
    """Return two languages as SOURCE-TARGET; empty if a text is no such pair.

    >>> language_pair("eng_Latn---isl_Latn v3"), language_pair("en-de_DE"), language_pair("news")
    ('eng_Latn-isl_Latn', 'en-de_DE', '')
    """
    found = PAIR.match(text.strip())
    if found is None:
        return ""
    rest = text.strip()[found.end() :]
    return f"{found[1]}-{found[2]}" if not rest or VERSION.fullmatch(rest) else ""


def select_pair(origin: str, pairs: Sequence[str], pair: str | None) -> str:
    """Choose the language pair that is read; empty if the file names none.

    Args:
        origin: the file, for messages.
        pairs: those of the file.
        pair: the one that is wanted; None where nobody has said it.

    Raises:
        LanguagePairError: there are several, and none is chosen; or the one chosen is not there.
    """
    if pair is None:
        if len(pairs) > 1:
            raise LanguagePairError(
                f"{origin}: {len(pairs)} language pairs found, 1 expected; choose one with --language-pair, or by "
                f"Language pair on the Data page: {listed(pairs, most=len(pairs))}",
                pairs,
            )
        return next(iter(pairs), "")
    chosen = language_pair(pair) or pair
    if pairs and chosen not in pairs:
        raise LanguagePairError(
            f"{origin}: no language pair {pair}; choose one of {listed(pairs, most=len(pairs))}", pairs
        )
    return chosen if pairs else ""
