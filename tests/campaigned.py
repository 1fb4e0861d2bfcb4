"""Corpora and plans for tests of campaigns."""

from __future__ import annotations

from typing import Any

from bleu_core.campaigns import CampaignPlan, JudgeGroup
from bleu_core.dataset import Corpus


def corpus(segments: int = 40, systems: int = 4) -> Corpus:
    return Corpus(
        systems={
            f"S{k}": tuple(f"system {k} puts segment {n} in so many words" for n in range(segments))
            for k in range(systems)
        },
        references={},
        source=tuple(f"source {n}" for n in range(segments)),
        documents=tuple(f"doc{n // 4}" for n in range(segments)),
        labels={"domain": tuple("news" if n % 4 else "chat" for n in range(segments))},
    )


def plan(
    segments: int | None = 12, systems: int | tuple[str, ...] = 4, judges: int = 3, **changes: Any
) -> CampaignPlan:
    given: dict[str, Any] = {
        "title": "Test",
        "systems": tuple(f"S{k}" for k in range(systems)) if isinstance(systems, int) else systems,
        "segments": segments,
        "groups": (JudgeGroup("people", judges),),
        **changes,
    }
    return CampaignPlan(**given)
