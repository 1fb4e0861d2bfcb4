"""What axe-core finds on a page."""

from __future__ import annotations

from collections.abc import Mapping

from axe_playwright_python.sync_playwright import Axe
from visitor import SETTLED, Visitor

#: Rule -> selectors of elements of Streamlit's own that break it, and that a page cannot change.
STREAMLITS_OWN: Mapping[str, tuple[str, ...]] = {
    # Streamlit wraps the links of each group of the navigation in a div inside the list.
    "list": ("[data-testid=stSidebarNavItems]",),
    "listitem": ("[data-testid=stSidebarNavItems] li",),
}

SERIOUS = {"serious", "critical"}


def problems(reader: Visitor, *rules: str) -> list[str]:
    """Return the serious and critical findings of axe-core that are not Streamlit's own.

    Args:
        reader: at the page.
        rules: the rules that are checked; all if there are none.
    """
    reader.page.wait_for_function(SETTLED)  # a colour that still changes has another contrast
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    there = reader.page.evaluate("() => 'axe' in window")  # from an earlier look at the same document
    axe = Axe("null") if there else Axe()
    found = axe.run(reader.page, options=options).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['html'][:200]} {node['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
        if not _own(reader, rule["id"], node["target"])
    ]


def _own(reader: Visitor, rule: str, target: list[str]) -> bool:
    """Whether a finding is one of Streamlit's own."""
    return any(
        reader.page.locator(target[-1]).first.evaluate("(element, selector) => element.matches(selector)", selector)
        for selector in STREAMLITS_OWN.get(rule, ())
    )
