"""Export of a campaign to Pearmut, where judges can mark error spans."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bleu_core.errors import SettingsError

if TYPE_CHECKING:
    from bleu_core.campaigns.declaration import CampaignPlan
    from bleu_core.campaigns.store import CampaignStore, ShownSlot

#: Pearmut shows texts with these beginnings as media, in HTML.
MEDIA = ("<audio ", "<video ", "<img ", "<iframe ")
#: Characters that Pearmut does not escape in the attributes of its pages.
UNSAFE_IN_NAMES = frozenset("\"'<>&")
#: Presentation -> protocol: error spans and a score, for one translation or for all systems' side by side.
PROTOCOLS = {"single": "ESA", "side by side": "cESA"}
#: Pearmut's scale.
MIN_SCORE, MAX_SCORE = 0, 100
SEPARATOR = "_#_"


def pearmut_campaign(store: CampaignStore) -> bytes:
    """Return the lists of a campaign as a Pearmut campaign (JSON), in which judges mark error spans and give scores.

    Judges, items and their order are the same. Repeats and degraded copies are omitted, because Pearmut would count
    them as ratings of the system. Scores are on Pearmut's scale from 0 to 100. The ids of items hold the segments, so
    that the reader of Pearmut's log can restore them.

    Args:
        store: the campaign.

    Raises:
        SettingsError: a name or a text would be read as HTML by Pearmut's pages.
    """
    plan = store.plan
    for name in plan.systems:
        if name.isdigit() or UNSAFE_IN_NAMES & set(name):
            raise SettingsError(f"systems: {name!r} found, a name with a letter and without \"'<>& expected; rename it")
    name = re.sub(r"[^\w.-]+", "_", plan.title).strip("_") or "campaign"
    documents = {segment.segment: segment.document for segment in store.segments}
    lists = {judge: [slot for slot in store.slots(judge) if slot.kind == "first"] for judge in store.judges}
    campaign: dict[str, Any] = {
        "campaign_id": name,
        "info": {
            "assignment": "task-based",
            "protocol": PROTOCOLS[plan.presentation],
            "instructions": _as_html("\n".join(filter(None, (plan.question, plan.instructions)))),
            "shuffle": False,
            "users": [judge for judge, slots in lists.items() if slots],
        },
        "data": [[[_item(slot, name, documents)] for slot in slots] for slots in lists.values() if slots],
    }
    if plan.training:
        campaign["data_welcome"] = _training(plan)
    return json.dumps(campaign, ensure_ascii=False, indent=1).encode()


def _item(slot: ShownSlot, name: str, documents: Mapping[int, str | None]) -> dict[str, Any]:
    """Return a place; its id has the campaign, the document and the number of the segment in the corpus."""
    segment = slot.items[0].segment
    _check_texts([slot.source or "", *(item.text for item in slot.items)], f"segment {segment:,}")
    document = documents[segment] or f"segment {segment}"
    return {
        **_source(slot.source),
        "tgt": {item.system: item.text for item in slot.items},
        "item_id": SEPARATOR.join((name, document, str(segment))),
    }


def _training(plan: CampaignPlan) -> list[list[dict[str, Any]]]:
    """Return the examples, one document each, with the expected scores on Pearmut's scale."""
    scale, documents = plan.scale, list[list[dict[str, Any]]]()
    for number, example in enumerate(plan.training, start=1):
        _check_texts([example.source, example.text], f"training, example {number}")
        expected = [
            round(MIN_SCORE + (MAX_SCORE - MIN_SCORE) * (score - scale.lowest) / (scale.highest - scale.lowest))
            for score in (example.lowest, example.highest)
        ]
        warning = example.feedback or f"A score from {expected[0]} to {expected[1]} is expected."
        documents.append(
            [
                {
                    **_source(example.source),
                    "tgt": {"example": example.text},
                    "item_id": f"training {number}",
                    "skippable": True,
                    "validation": {"example": {"warning": _as_html(warning), "score": expected}},
                }
            ]
        )
    return documents


def _source(text: str | None) -> dict[str, str]:
    return {"src": text} if text else {}


def _check_texts(texts: Sequence[str], place: str) -> None:
    for text in texts:
        if text.startswith(MEDIA):
            raise SettingsError(f"{place}: a text that begins with {text[:8]!r} found, which Pearmut shows as HTML")


def _as_html(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")
