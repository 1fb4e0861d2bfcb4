"""Document ids of WMT: PAIR_#_DOMAIN_#_DOCUMENT, or SET_###_DOMAIN_###_SOURCE_###_TARGET_###_DOCUMENT.

In ESA annotations and in Pearmut, the number of a segment follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bleu_core.errors import LanguagePairError, listed

#: Separators of the parts of an id: WMT24 and WMT25, and WMT26.
SEPARATORS = ("_###_", "_#_")
#: A language, possibly with its script, country or variety: en, eng_Latn, zh_CN, sr_Cyrl_RS, zho_Hant_TW.
LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]{2,8}){0,2}")
#: Two languages: en-de, en-de_DE, eng_Latn-isl_Latn, and in campaigns of WMT26 eng_Latn---isl_Latn.
PAIR = re.compile(rf"({LANGUAGE.pattern})-{{1,3}}({LANGUAGE.pattern})")
#: What may follow a campaign's language pair, such as a version.
VERSION = re.compile(r"\s+v?\d[\w.]*")
#: The most digits of a segment number.
MAX_NUMBER_LENGTH = 12
#: The fewest parts of an id with two languages: test set, domain, two languages, document.
MIN_PARTS = 5


class DocumentId(NamedTuple):
    """The parts of a document's id.

    Attributes:
        pair: the language pair, as SOURCE-TARGET; empty if it has none.
        document: the rest, which is the same in all files of a test set.
        separator: the separator of the parts; empty if there is one part.
    """

    pair: str
    document: str
    separator: str = ""


def parse_document_id(text: str) -> DocumentId:
    """Split an id into its language pair and the rest.

    >>> parse_document_id("en-is_IS_#_news_#_guardian.1")
    DocumentId(pair='en-is_IS', document='news_#_guardian.1', separator='_#_')
    >>> parse_document_id("WMT26_###_news_###_eng_Latn_###_isl_Latn_###_guardian.1")
    DocumentId(pair='eng_Latn-isl_Latn', document='news_###_guardian.1', separator='_###_')
    >>> parse_document_id("news_###_guardian.1")
    DocumentId(pair='', document='news_###_guardian.1', separator='_###_')
    """
    text = text.strip()
    separator = next(filter(text.__contains__, SEPARATORS), "")
    if not separator:
        return DocumentId("", text)
    first, _, rest = text.partition(separator)
    if pair := language_pair(first):
        return DocumentId(pair, rest, separator)
    parts = text.split(separator)
    if len(parts) >= MIN_PARTS and (pair := language_pair(f"{parts[2]}-{parts[3]}")):
        return DocumentId(pair, separator.join((parts[1], *parts[4:])), separator)
    return DocumentId("", text, separator)


def parse_segment_id(text: str) -> tuple[str, str, int] | None:
    """Split the id of a segment into its language pair, its document and its number in it; None for another text.

    >>> parse_segment_id("en-is_IS_#_news_#_guardian.1_#_3")
    ('en-is_IS', 'news_#_guardian.1', 3)
    >>> parse_segment_id("guardian.1") is None
    True
    """
    pair, rest, separator = parse_document_id(text)
    document, _, number = rest.rpartition(separator) if separator else ("", "", "")
    number = number.strip()
    if not document or not (number.isascii() and number.isdigit() and len(number) <= MAX_NUMBER_LENGTH):
        return None
    return pair, document, int(number)


def language_pair(text: str) -> str:
    """Return two languages as SOURCE-TARGET; empty if the text is not a language pair.

    >>> language_pair("eng_Latn---isl_Latn v3"), language_pair("en-de_DE"), language_pair("news")
    ('eng_Latn-isl_Latn', 'en-de_DE', '')
    """
    text = text.strip()
    match = PAIR.match(text)
    if match is None:
        return ""
    rest = text[match.end() :]
    return f"{match[1]}-{match[2]}" if not rest or VERSION.fullmatch(rest) else ""


def label_of_pair(label: str, pair: str) -> str:
    """Return the label of a format with the language pair that is read, if the file names one."""
    return f"{label}, {pair}" if pair else label


def select_pair(origin: str, pairs: Sequence[str], pair: str | None) -> str:
    """Return the language pair that is read; empty if the file names none.

    Args:
        origin: the file, for messages.
        pairs: the language pairs of the file.
        pair: the language pair that the user wants; None if not set.

    Raises:
        LanguagePairError: there are several and none is chosen, or the chosen pair is not in the file.
    """
    if pair is None:
        if len(pairs) > 1:
            raise LanguagePairError(
                f"{origin}: {len(pairs)} language pairs found, 1 expected; choose one with --language-pair, or by "
                f"Language pair on the Data page: {listed(pairs, max_items=len(pairs))}",
                pairs,
            )
        return next(iter(pairs), "")
    selected = language_pair(pair) or pair
    if pairs and selected not in pairs:
        raise LanguagePairError(
            f"{origin}: no language pair {pair}; choose one of {listed(pairs, max_items=len(pairs))}", pairs
        )
    return selected if pairs else ""
