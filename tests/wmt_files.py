"""Files of a shared task of WMT, made from random words: a test set, outputs over several language pairs, scores."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field

WORDS = (
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "while",
    "dogs",
    "bark",
    "loud",
    "and",
    "rain",
    "falls",
    "over",
    "hills",
)
PAIRS = (("eng_Latn", "isl_Latn"), ("eng_Latn", "ces_Latn"), ("ces_Latn", "deu_Latn"))
#: Documents per language pair.
DOCUMENTS = 12
DOMAINS = ("news", "social", "speech")
#: The share of words that each system gets wrong.
SYSTEMS = {"A": 0.1, "B": 0.2, "C.v2": 0.3, "D 4 - 9B": 0.4}


@dataclass
class SharedTask:
    """A test set and its files.

    Attributes:
        references: language pair -> document -> the paragraphs of its reference; None where it has none.
        outputs: system -> language pair -> document -> its paragraphs.
    """

    references: dict[str, dict[str, list[str] | None]] = field(default_factory=dict[str, dict[str, list[str] | None]])
    outputs: dict[str, dict[str, dict[str, list[str]]]] = field(
        default_factory=dict[str, dict[str, dict[str, list[str]]]]
    )
    test_set: bytes = b""
    of_systems: dict[str, bytes] = field(default_factory=dict[str, bytes])


def shared_task(*, wmt25: bool = False, seed: int = 1) -> SharedTask:
    """Make a test set of three language pairs, and four systems in another order, one of them in one pair only.

    In each pair the sixth document has no reference, the last system lacks the fourth one, and the second system has
    two paragraphs of the third one in one.
    """
    rng = random.Random(seed)
    task = SharedTask(outputs={name: {} for name in SYSTEMS})
    rows: list[dict[str, object]] = []
    of_systems: dict[str, list[dict[str, object]]] = {name: [] for name in SYSTEMS}
    for source, target in PAIRS:
        pair = f"{source}-{target}"
        task.references[pair] = {}
        for number in range(DOCUMENTS):
            domain, paragraphs = DOMAINS[number % 3], 1 + number % 4
            document = f"{domain}_#_doc{number}" if wmt25 else f"{domain}_###_doc{number}"
            doc_id = f"{pair}_#_{document}"
            if not wmt25:
                doc_id = f"WMT26_###_{domain}_###_{source}_###_{target}_###_doc{number}"
            reference = [_sentence(rng) for _ in range(paragraphs)]
            task.references[pair][document] = None if number == 5 else reference
            rows.append(
                {
                    "doc_id": doc_id,
                    "domain": domain,
                    "src_lang": source,
                    "tgt_lang": target,
                    "src_text": _written([_sentence(rng) for _ in range(paragraphs)], wmt25=wmt25),
                    "video": None,
                    "prompt_instruction": "Translate the following text into the target language.",
                    "refs": {} if number == 5 else {"refA": _reference(reference, wmt25=wmt25)},
                }
            )
            for name, share in SYSTEMS.items():
                if (name.startswith("C") and (source, target) != PAIRS[0]) or (name.startswith("D") and number == 3):
                    continue
                output = [_changed(paragraph, share, rng) for paragraph in reference]
                if name == "B" and number == 2:
                    output[:2] = [" ".join(output[:2])]
                task.outputs[name].setdefault(pair, {})[document] = output
                hypothesis = _written(output, wmt25=wmt25)
                of_systems[name].append({"doc_id": doc_id, "hypothesis": hypothesis, "metadata": {"output_tokens": 7}})
    for found in of_systems.values():
        rng.shuffle(found)
    task.test_set = _lines(rows)
    task.of_systems = {name: _lines(found) for name, found in of_systems.items()}
    return task


def _sentence(rng: random.Random) -> str:
    return f"{' '.join(rng.choice(WORDS) for _ in range(rng.randint(5, 12)))}."


def _changed(text: str, share: float, rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) if rng.random() < share else word for word in text.split())


def _written(paragraphs: list[str], *, wmt25: bool) -> str:
    return "\n\n".join(paragraphs) if wmt25 else "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def _reference(paragraphs: list[str], *, wmt25: bool) -> object:
    written = _written(paragraphs, wmt25=wmt25)
    return {"ref": written, "translator": "x"} if wmt25 else written


def _lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
