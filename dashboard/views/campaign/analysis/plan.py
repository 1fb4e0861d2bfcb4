"""The plan of a campaign in the form and as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w

from bleu_core.campaigns import (
    MIN_LOOKS,
    CampaignPlan,
    JudgeGroup,
    Scale,
    StoppingRule,
    TrainingExample,
    plan_tables,
    read_plan,
)
from bleu_core.dataset import Corpus, identical_texts
from bleu_core.errors import SettingsError, listed
from bleu_core.fields import exact
from bleu_core.inference import SEED

#: Name of a scale -> its numbers; the last has free numbers.
SCALES: Mapping[str, Scale | None] = {"1 to 5": Scale(), "0 to 100": Scale(0, 100), "other": None}

#: Stopping rules.
RULES = ("all ratings", "number of ratings", "width of the interval")

#: Names of the ends of the scales; those of the first as in Papineni et al. (2002, section 4).
SCALE_NAMES: Mapping[str, str] = {
    "1 to 5": "1 = very bad\n5 = very good",
    "0 to 100": "0 = very bad\n100 = very good",
    "other": "",
}

INSTRUCTIONS = (
    "Read each translation carefully and give it a number. Rate each one for itself. If you cannot rate one, skip it "
    "and say why."
)

#: The campaign of Papineni et al. (2002, section 4): segments, systems, and judges of each group.
PAPER_SEGMENTS, PAPER_SYSTEMS, PAPER_JUDGES = 50, 5, 10

#: Default numbers of segments, judges and ratings per translation, and the default percentage of checks.
DEFAULT_SEGMENTS, DEFAULT_JUDGES, DEFAULT_RATINGS, DEFAULT_CHECKS = 50, 6, 3, 5.0

PERCENT = 100


def default_values(corpus: Corpus) -> dict[str, Any]:
    """Return the form's defaults, by the keys of its widgets; systems with the text of a reference are not rated."""
    references = {same.system for same in identical_texts(corpus) if same.role == "reference"}
    return {
        "campaign_title": "Campaign",
        "campaign_systems": [name for name in corpus.systems if name not in references] or list(corpus.systems),
        "campaign_unit": "segments",
        "campaign_segments": min(DEFAULT_SEGMENTS, corpus.segments),
        "campaign_documents": max(1, len(set(corpus.documents or ())) // 2),
        "campaign_strata": "",
        "campaign_scale": "1 to 5",
        "campaign_lowest": 1.0,
        "campaign_highest": 7.0,
        "campaign_step": 1.0,
        "campaign_names": SCALE_NAMES["1 to 5"],
        "campaign_question": "How good is this translation?",
        "campaign_instructions": INSTRUCTIONS,
        "campaign_presentation": "single",
        "campaign_mode": "designed",
        "campaign_groups": 1,
        "campaign_every_judge": False,
        "campaign_ratings": DEFAULT_RATINGS,
        "campaign_repeats": DEFAULT_CHECKS,
        "campaign_degraded": DEFAULT_CHECKS,
        "campaign_examples": 0,
        "campaign_rule": RULES[0],
        "campaign_stop_ratings": 500,
        "campaign_stop_width": 0.5,
        "campaign_looks": MIN_LOOKS,
        "campaign_seed": SEED,
    }


def default_group(number: int, corpus: Corpus) -> dict[str, Any]:
    """Return the form's defaults of a group, by the number of the group from 0."""
    return {
        f"campaign_group_name_{number}": "judges" if number == 0 else f"group {number + 1}",
        f"campaign_group_judges_{number}": DEFAULT_JUDGES,
        f"campaign_group_source_{number}": corpus.source is not None,
    }


def default_example(number: int) -> dict[str, Any]:
    """Return the form's defaults of a training example, by its number from 0."""
    return {
        f"campaign_example_text_{number}": "",
        f"campaign_example_source_{number}": "",
        f"campaign_example_lowest_{number}": 1.0,
        f"campaign_example_highest_{number}": 5.0,
        f"campaign_example_feedback_{number}": "",
    }


def paper_values(corpus: Corpus) -> dict[str, Any]:
    """Return the campaign of Papineni et al. (2002, section 4), as far as the corpus allows."""
    return {
        "campaign_title": "The campaign of Papineni et al. (2002)",
        "campaign_systems": list(corpus.systems)[:PAPER_SYSTEMS],
        "campaign_segments": min(PAPER_SEGMENTS, corpus.segments),
        "campaign_mode": "paper",
        "campaign_repeats": 0.0,
        "campaign_degraded": 0.0,
        "campaign_groups": 2,
        **_group(0, JudgeGroup("monolingual", PAPER_JUDGES, source=False)),
        **_group(1, JudgeGroup("bilingual", PAPER_JUDGES, source=corpus.source is not None)),
    }


def plan_of_values(values: Mapping[str, Any], corpus: Corpus) -> CampaignPlan:
    """Return the plan in the form.

    Args:
        values: by the keys of the form's widgets; missing ones have their defaults.
        corpus: the texts.

    Raises:
        SettingsError: a value is invalid, or two values contradict each other.
    """
    groups = int(values.get("campaign_groups", 1))
    examples = int(values.get("campaign_examples", 0))
    form = default_values(corpus)
    for number in range(groups):
        form |= default_group(number, corpus)
    for number in range(examples):
        form |= default_example(number)
    form |= values
    by_documents = form["campaign_unit"] == "documents"
    paper = form["campaign_mode"] == "paper"
    return CampaignPlan(
        title=form["campaign_title"].strip(),
        systems=tuple(form["campaign_systems"]),
        segments=None if by_documents else int(form["campaign_segments"]),
        documents=int(form["campaign_documents"]) if by_documents else None,
        strata="" if by_documents else form["campaign_strata"],
        scale=_scale(form),
        question=form["campaign_question"].strip(),
        instructions=form["campaign_instructions"].strip(),
        presentation=form["campaign_presentation"],
        mode=form["campaign_mode"],
        groups=tuple(
            JudgeGroup(
                form[f"campaign_group_name_{n}"].strip(),
                int(form[f"campaign_group_judges_{n}"]),
                bool(form[f"campaign_group_source_{n}"]),
            )
            for n in range(groups)
        ),
        ratings=None if paper or form["campaign_every_judge"] else int(form["campaign_ratings"]),
        repeats=float(form["campaign_repeats"]) / PERCENT,
        degraded=float(form["campaign_degraded"]) / PERCENT,
        seed=int(form["campaign_seed"]),
        stopping=_rule(form),
        training=tuple(
            TrainingExample(
                text=form[f"campaign_example_text_{n}"].strip(),
                lowest=float(form[f"campaign_example_lowest_{n}"]),
                highest=float(form[f"campaign_example_highest_{n}"]),
                feedback=form[f"campaign_example_feedback_{n}"].strip(),
                source=form[f"campaign_example_source_{n}"].strip(),
            )
            for n in range(examples)
        ),
    )


def plan_values(data: bytes, name: str, corpus: Corpus) -> dict[str, Any]:
    """Return the form's values for the plan in a file.

    Raises:
        BleuCoreError: it is not a plan, or one of systems that are not loaded.
    """
    plan = read_plan(data, name)
    missing = [system for system in plan.systems if system not in corpus.systems]
    if missing:
        raise SettingsError(
            f"{name}: systems: {missing[0]!r} found, systems that are loaded expected: {listed(corpus.systems)}"
        )
    scale = next(
        (title for title, known in SCALES.items() if known is not None and _same_numbers(known, plan.scale)), "other"
    )
    values: dict[str, Any] = {
        "campaign_title": plan.title,
        "campaign_systems": list(plan.systems),
        "campaign_unit": "segments" if plan.documents is None else "documents",
        "campaign_strata": plan.strata,
        "campaign_scale": scale,
        "campaign_lowest": float(plan.scale.lowest),
        "campaign_highest": float(plan.scale.highest),
        "campaign_step": float(plan.scale.step),
        "campaign_names": "\n".join(f"{exact(number)} = {name}" for number, name in plan.scale.names.items()),
        "campaign_question": plan.question,
        "campaign_instructions": plan.instructions,
        "campaign_presentation": plan.presentation,
        "campaign_mode": plan.mode,
        "campaign_groups": len(plan.groups),
        "campaign_every_judge": plan.ratings is None,
        "campaign_repeats": round(PERCENT * plan.repeats, 10),
        "campaign_degraded": round(PERCENT * plan.degraded, 10),
        "campaign_examples": len(plan.training),
        "campaign_seed": plan.seed,
        "campaign_rule": RULES[0],
    }
    counts = {"segments": plan.segments, "documents": plan.documents, "ratings": plan.ratings}
    values |= {f"campaign_{key}": count for key, count in counts.items() if count is not None}
    values |= _rule_values(plan.stopping)
    for number, group in enumerate(plan.groups):
        values |= _group(number, group)
    for number, example in enumerate(plan.training):
        values |= _example(number, example)
    return values


def plan_file(plan: CampaignPlan) -> bytes:
    """Return the plan as TOML, which `bleu-core campaign create` reads."""
    return tomli_w.dumps(plan_tables(plan), multiline_strings=True).encode()


def _group(number: int, group: JudgeGroup) -> dict[str, Any]:
    return {
        f"campaign_group_name_{number}": group.name,
        f"campaign_group_judges_{number}": group.judges,
        f"campaign_group_source_{number}": group.source,
    }


def _example(number: int, example: TrainingExample) -> dict[str, Any]:
    return {
        f"campaign_example_text_{number}": example.text,
        f"campaign_example_source_{number}": example.source,
        f"campaign_example_lowest_{number}": float(example.lowest),
        f"campaign_example_highest_{number}": float(example.highest),
        f"campaign_example_feedback_{number}": example.feedback,
    }


def _rule(form: Mapping[str, Any]) -> StoppingRule:
    rule = form["campaign_rule"]
    if rule == RULES[1]:
        return StoppingRule(ratings=int(form["campaign_stop_ratings"]))
    if rule == RULES[2]:
        return StoppingRule(width=float(form["campaign_stop_width"]), looks=int(form["campaign_looks"]))
    return StoppingRule()


def _rule_values(rule: StoppingRule) -> dict[str, Any]:
    if rule.ratings is not None:
        return {"campaign_rule": RULES[1], "campaign_stop_ratings": rule.ratings}
    if rule.width is not None:
        return {"campaign_rule": RULES[2], "campaign_stop_width": rule.width, "campaign_looks": rule.looks}
    return {}


def _scale(form: Mapping[str, Any]) -> Scale:
    base = SCALES[form["campaign_scale"]]
    if base is None:
        base = Scale(float(form["campaign_lowest"]), float(form["campaign_highest"]), float(form["campaign_step"]))
    return Scale(base.lowest, base.highest, base.step, _names(form["campaign_names"].split("\n")))


def _names(lines: Sequence[str]) -> dict[float, str]:
    names: dict[float, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        before, sign, name = line.partition("=")
        try:
            names[float(before)] = name.strip()
        except ValueError:
            sign = ""
        if not sign:
            raise SettingsError(f"names of numbers, line {number}: {line!r} found, a line like “1 = very bad” expected")
    return names


def _same_numbers(scale: Scale, other: Scale) -> bool:
    return (scale.lowest, scale.highest, scale.step) == (other.lowest, other.highest, other.step)
