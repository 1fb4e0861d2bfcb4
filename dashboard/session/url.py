"""What the URL says of the controls, and what controls take from it. No Streamlit.

Every control of every page has a parameter of its key's name, unless it has its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from bleu_core.fields import exact

Parameters = Mapping[str, list[str]]

#: The switch that ranks human translations, and the one that left them out of agreement, which earlier versions had.
RANK_HUMANS, MACHINES_ONLY = "rank_humans", "machines_only"

#: The values of controls by key, as the session has them.
Controls = MutableMapping[str, Any]

#: Parameters that are no controls, and the one whose default depends on the data.
DATA, FILES, DATASET, PAPER = "data", "files", "dataset", "paper_settings"


@dataclass(frozen=True, slots=True)
class Link:
    """The URL a session was opened with, made with other data than are loaded.

    Attributes:
        digest: of the data it was made with.
        files: their names, for people.
        parameters: all of its query parameters.
        lost: whether the data were loaded in this tab, in a session that has ended.
    """

    digest: str
    files: str
    parameters: Parameters
    lost: bool = False


@dataclass(slots=True, kw_only=True)
class UrlState:
    """The URL of a session, and the controls that it names.

    Attributes:
        arrived: parameters that controls begin with when they are restored first.
        defaults: of the controls that have been restored, by key.
        kept: values of controls, as Streamlit forgets a widget that is not drawn on a page.
        restored: keys of the controls that were restored in this run.
        ignored: parameters whose values are no options of their controls.
        following: whether controls follow the URL in this run, and nothing was changed by hand.
        settled: a URL that was followed, and how it would be written here.
        link: the URL that the session was opened with, while its data are not loaded.
        page: the title of the page that a callback has asked for.
        written: whether the URL was written by a change of page just now.
    """

    arrived: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    kept: dict[str, Any] = field(default_factory=dict[str, Any])
    restored: set[str] = field(default_factory=set[str])
    ignored: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    following: bool = True
    settled: tuple[Parameters, Parameters] | None = None
    link: Link | None = None
    page: str | None = None
    written: bool = False

    def begin_run(self) -> None:
        """Begin a run of the app."""
        self.restored = set()

    def begin_with(self, parameters: Parameters, controls: Controls) -> None:
        """Let all controls begin anew with the values of parameters."""
        self.arrived, self.ignored, self.kept = renewed(parameters), {}, {}
        for key in self.defaults:
            controls.pop(key, None)

    def restore(
        self,
        key: str,
        default: Any,
        *,
        read: Callable[[list[str]], Any],
        allowed: Callable[[Any], bool],
        controls: Controls,
    ) -> None:
        """Set a control, before it is drawn, from the session, else from the URL, else to its default.

        Args:
            key: of the control.
            default: of the control.
            read: the value of parameters; raises KeyError or ValueError if they are none.
            allowed: whether the control can have a value.
            controls: of the session.
        """
        before = self.defaults.get(key)
        self.defaults[key] = default
        if key in self.restored:  # it may have been drawn, and cannot be set after that
            return
        self.restored.add(key)
        if key in controls or key in self.kept:
            value = controls.get(key, self.kept.get(key))
            untouched = before is not None and value == before
            # What a page without this control has left would come back once the control is no longer drawn.
            controls.pop(key, None)
            # Also where it stays the same: a widget of the same key on another page would begin with its own default.
            controls[key] = value if allowed(value) and not untouched else default
            return
        given = self.arrived.get(key)
        value = default
        if given:
            try:
                value = read(given)
                fits = allowed(value)
            except (KeyError, ValueError):  # no number, or neither true nor false
                fits = False
            if not fits:
                value = default
                self.ignored[key] = given
        controls[key] = value

    def drop(self, key: str, controls: Controls) -> None:
        """Forget the value of a control."""
        controls.pop(key, None)
        self.kept.pop(key, None)
        self.arrived.pop(key, None)

    def reset(self, keys: Iterable[str], controls: Controls) -> None:
        """Set controls back to their defaults."""
        for key in keys:
            controls[key] = self.kept[key] = self.defaults[key]

    def keep(self, controls: Controls) -> None:
        """Keep the values of the controls that have been restored."""
        self.kept |= {key: controls[key] for key in self.defaults if key in controls}

    def changed(self, controls: Controls) -> dict[str, Any]:
        """Return the controls that are not as by default, with their values."""
        chosen = self.kept | {key: controls[key] for key in self.defaults if key in controls}
        return {
            key: value
            for key, value in chosen.items()
            if key != PAPER and value is not None and value != self.defaults[key]
        }

    def parameters(self, controls: Controls) -> dict[str, list[str]]:
        """Return the controls that are not as by default, and those of pages not opened yet, as parameters."""
        known = {*self.kept, DATA, FILES, DATASET, PAPER}
        unopened = {key: value for key, value in self.arrived.items() if key not in known}
        return unopened | {key: written(value) for key, value in self.changed(controls).items()}

    def must_write(self, found: Parameters, wanted: Parameters, *, of_other_data: bool) -> bool:
        """Return whether the URL has to be written: each change by hand makes one entry in the browser's history.

        Args:
            found: the parameters that the URL has.
            wanted: those that it should have.
            of_other_data: whether it names other data than are loaded.
        """
        bare = not found and wanted.keys() == {DATA}
        if self.following or bare:
            self.settled = found, wanted  # it stays as it is while it shows the same, or Back would lead here again
        return found != wanted and (self.link is not None or of_other_data or self.settled != (found, wanted))


def renewed(parameters: Parameters) -> dict[str, list[str]]:
    """Return parameters, perhaps written by an earlier version, as this one writes them."""
    found = {key: values for key, values in parameters.items() if key != MACHINES_ONLY}
    if parameters.get(MACHINES_ONLY) == ["false"]:  # which said that human translators count
        found.setdefault(RANK_HUMANS, ["true"])
    return found


def written(value: Any) -> list[str]:
    """Return a control's value as parameters."""
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [exact(value) if isinstance(value, float) else str(value)]
