"""Forms that docs/style.md excludes from texts for people, and what it wants instead."""

from __future__ import annotations

import re

#: Form -> what docs/style.md wants instead.
BANNED = {
    r"\d [%]": "no space before the per cent sign",
    r"[τρα]": "the coefficient's name in words",
    r"\bPearson r\b|\bKendall tau\b": "Pearson's r, Kendall's tau",
    r"\b(?<!-)(?<!_)tokenizers?\b(?![_=:`'\"\]])": "tokeniser",
    r"\b(standardiz|normaliz|recogniz|randomiz|summariz)\w*": "British spelling",
    r"\bcolors?\b": "colour",
    # Headlines alone say that a system cannot be told apart from the best one.
    r"\b(?<!cannot be )(?<!can be )(told|tells?|telling) [\w ,]*\bapart\b|\btells? \w+ from\b": (
        "a difference is significant or not"
    ),
    r"\bshown to be\b|\bnot shown\b|differences? (?:is |are )?real\b": "significant",
    r"\beach against each\b|\bevery two\b|\beach two\b": "pairwise, pairs of",
    r"\bas it is set\b|\bas it lies\b": "with the current settings",
    r"\b(?:segment|system|pair|module|row|document|id|column|weight)s? an? (?:line|row|order|page|block)\b": "per",
    r"\bgive or take\b|\bcould as well\b|\bits? kin\b": "plain English",
    r"\bleave out\b.*\bnone\b": "no double negatives",
    r"\bheld against\b|\bsays nothing\b|\bnothing can be said\b": "compared with, not informative, undefined",
    r"(?<=[ (])-\d+(?:\.\d+)?(?= to |\)|,? and )": "U+2212 for minus",
}

#: Of programs: signatures, options, keys and code, in which identifiers stand as they are.
CODE = re.compile(r"`[^`]*`|--[\w-]+(?:[ =][\w|,.-]+)?|nrefs:\S+|%\{.*?\}|\{[^{}]*\}|<[^<>]*>|[\w.]+_[\w.]+|\"[\w-]+\"")


def offences(text: str) -> list[str]:
    """What a text does that docs/style.md excludes."""
    prose = CODE.sub("…", text)
    return [
        f"{match[0]!r}: {wanted}"
        for form, wanted in BANNED.items()
        for match in re.finditer(form, prose, re.IGNORECASE if form.startswith(r"\b") else 0)
    ]
