"""Numbers in words and in figures."""

ONES = (
    "nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def in_words(number: int) -> str:
    """Spell out a number below one million.

    >>> in_words(247)
    'two hundred and forty-seven'
    >>> in_words(12_000)
    'twelve thousand'
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens] + (f"-{ONES[ones]}" if ones else "")
    unit, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    many, rest = divmod(number, unit)
    return f"{in_words(many)} {name}" + (f" and {in_words(rest)}" if rest else "")


def ordinal(number: int, *, words: bool) -> str:
    """Write an ordinal number below one hundred, in words or in figures.

    >>> ordinal(22, words=True)
    'twenty-second'
    >>> ordinal(22, words=False), ordinal(12, words=False)
    ('22nd', '12th')
    """
    if not words:
        return f"{number}{'th' if 10 < number < 20 else SUFFIXES.get(number % 10, 'th')}"
    front, hyphen, last = in_words(number).rpartition("-")
    plain = last.removesuffix("y") + "ie" if last.endswith("y") else last
    return front + hyphen + ORDINALS.get(last, f"{plain}th")
