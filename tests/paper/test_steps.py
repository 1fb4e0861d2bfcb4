"""The steps of the paper: what each declares, and what steps share."""

from __future__ import annotations

from dataclasses import replace

import sample

from bleu_core.fields import fields_of
from bleu_core.paper import all_steps, compute_steps, content_type
from bleu_core.paper.steps import register


def test_every_module_of_the_register_has_the_key_of_its_step() -> None:
    assert [step.key for step in all_steps()] == list(register.MODULES)


def test_every_column_and_every_field_has_its_meaning() -> None:
    for data in (sample.data(), replace(sample.data(), results=replace(sample.repeated(), ratings=None))):
        for one in compute_steps(data, all_steps()):
            for table in one.result.tables:
                assert all(column.help.endswith(".") for column in table.columns.values()), one.step.key
            if one.step.numbers and not one.step.bare:
                assert fields_of(one.content) == fields_of(content_type(one.step))
                assert all(declared.help.endswith(".") for declared in fields_of(one.content).values())
