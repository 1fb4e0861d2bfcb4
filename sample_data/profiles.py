"""The nine translators: their styles and, for those who make mistakes, how often they make which.

These are the knobs of calibration. Rates are per thousand.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sample_data.meanings import SEED, Meaning
from sample_data.mistakes import Rates, spoil
from sample_data.translators import Style, Translator

NO_MISTAKES = Rates()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One translator."""

    name: str
    style: Style
    rates: Rates = NO_MISTAKES


REFERENCES = (
    Profile(  # a news agency
        name="R1",
        style=Style(
            number=1, common=700, patterns=(85, 15, 0), habit=150, later_names=(1, 0, 0, 0), spelled_up_to=9,
            descriptions=150,
        ),
    ),
    Profile(  # a newspaper that says Mr and Ms
        name="R2",
        style=Style(
            number=2, common=600, patterns=(65, 35, 0), habit=150, later_names=(0, 4, 0, 1), spelled_up_to=99,
            descriptions=250,
        ),
    ),
    Profile(  # an American
        name="R3",
        style=Style(
            number=3, common=550, patterns=(55, 45, 0), habit=200, later_names=(2, 0, 1, 1),
            percent="percent", on_days=False, month_first=True, contracted=900, american=True,
            descriptions=150,
        ),
    ),
    Profile(  # a writer of books
        name="R4",
        style=Style(
            number=4, common=450, patterns=(30, 70, 0), later_names=(0, 1, 2, 2), spelled_up_to=99,
            percent="percent", contracted=300, opener=150, descriptions=300,
        ),
    ),
)  # fmt: skip

SYSTEMS = (
    Profile(  # a machine with a small dictionary and hardly any grammar
        name="S1",
        style=Style(
            number=17, common=50, patterns=(40, 40, 20), habit=0, later_names=(0, 0, 1, 0), percent="%",
            spelled_up_to=0,
        ),
        rates=Rates(
            word=920, foreign=630, verb=730, article=580, extra_article=80, preposition=640, dropped=320,
            repeated=20, genitive=420, adjective=540, order=820, calque=630,
        ),
    ),
    Profile(  # a machine that knows some grammar
        name="S2",
        style=Style(
            number=12, common=50, patterns=(40, 40, 20), habit=0, later_names=(0, 0, 1, 0), spelled_up_to=0,
        ),
        rates=Rates(
            word=693, foreign=408, verb=581, article=571, extra_article=81, preposition=550, dropped=255,
            repeated=10, genitive=357, adjective=408, order=918, calque=561,
        ),
    ),
    Profile(  # the best of the machines
        name="S3",
        style=Style(
            number=13, common=50, patterns=(40, 40, 20), habit=0, later_names=(0, 1, 1, 0), spelled_up_to=0,
        ),
        rates=Rates(
            word=602, foreign=280, verb=500, article=510, extra_article=81, preposition=480, dropped=219,
            repeated=5, genitive=300, adjective=347, order=887, calque=480,
        ),
    ),
    Profile(  # a human who speaks English as a third language
        name="H1",
        style=Style(number=21, common=50, patterns=(17, 25, 58), later_names=(0, 2, 1, 0)),
        rates=Rates(verb=60, article=180, extra_article=30, preposition=180, dropped=30, calque=420),
    ),
    Profile(  # a human who is a native speaker
        name="H2",
        style=Style(
            number=22, common=550, patterns=(22, 21, 57), later_names=(1, 1, 1, 0), spelled_up_to=0,
            percent="percent", contracted=100, descriptions=200, opener=40,
        ),
    ),
)  # fmt: skip


def translate(profile: Profile, meanings: Sequence[Meaning]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the lines of one translator, and how many mistakes each has."""
    translator = Translator(profile.style, SEED)
    lines: list[str] = []
    mistakes: list[int] = []
    for segment, meaning in enumerate(meanings, start=1):
        rng = random.Random((SEED * 100 + profile.style.number) * 10_000 + 9000 - segment)
        phrases, wrong = spoil(translator.phrases(segment, meaning), profile.rates, rng)
        lines.append(translator.finish(segment, phrases))
        mistakes.append(wrong)
    return tuple(lines), tuple(mistakes)
