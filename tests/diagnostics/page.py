"""What docs/warnings.md and docs/probes.md show of the registers: `python -m tests.diagnostics.page` prints it."""

from __future__ import annotations

from bleu_core.diagnostics import TrustWarning, all_probes, all_warnings


def register_table() -> str:
    """The warnings: key, title, what kind of statement, what their alarms obstruct, and the rate of false alarms."""
    rows = [
        f"| `{one.key}` | {one.title} | {'inferred' if one.inferred else 'fact'} | {', '.join(one.obstructs)} | "
        f"{_rate(one)} |"
        for one in all_warnings()
    ]
    return "\n".join(["| Key | Warning | Statement | Obstructs | False alarms |", "|---|---|---|---|---|", *rows])


def register_list() -> str:
    """What each warning checks, how BLEU could mislead, and what to do."""
    return "\n".join(f"- `{one.key}`: {one.checked} {one.misleads} {one.advice}" for one in all_warnings())


def probes_table() -> str:
    """The probes: key, what is changed, what a reader notices, and a paper."""
    rows = [f"| `{one.key}` | {one.changed} | {one.noticed} | {one.source} |" for one in all_probes()]
    return "\n".join(["| Key | What is changed | What a reader notices | Source |", "|---|---|---|---|", *rows])


def _rate(warning: TrustWarning) -> str:
    return "" if warning.false_alarms is None else f"{100 * warning.false_alarms:.1f}%"


if __name__ == "__main__":
    print(register_table(), register_list(), probes_table(), sep="\n\n")  # noqa: T201 # for people
