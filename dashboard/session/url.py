"""Controls in the URL. No Streamlit.

Every control of every page whose value was chosen has a parameter of its key's name, also where the value is the
default: that may depend on the data and on other controls. Where it does not, choosing the default is no choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bleu_core.fields import exact
from dashboard.session.control_keys import CONTROL_KEYS

Parameters = Mapping[str, list[str]]

#: The switch that ranks human translations, and that of earlier versions that excluded them from agreement.
RANK_HUMANS, MACHINES_ONLY = "rank_humans", "machines_only"

#: The switch of earlier versions for what is the default now, by which only sets of unknown languages had the tokeniser
#: of the settings.
TOKENIZER_BY_LANGUAGE, TOKENIZER = "tokenizer_by_language", "tokenizer"

#: The session's values of controls by key.
Controls = MutableMapping[str, Any]

#: In place of a control's value where there is none; None is a value.
ABSENT = object()

#: Parameters that are not controls, and the one whose default depends on the data.
DATA, FILES, DATASET, TEST_SET, PAPER = "data", "files", "dataset", "set", "paper_settings"

#: All parameters of URLs.
KNOWN = CONTROL_KEYS | {DATA, FILES, DATASET, TEST_SET}


@dataclass(frozen=True, slots=True)
class Link:
    """The URL a session was opened with, made with other data than those loaded.

    Attributes:
        digest: of the data that the URL was made with.
        files: names of these data, for users.
        parameters: all query parameters of the URL.
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
        arrived: initial values of controls, used when they are first restored.
        defaults: of the controls that have been restored, by key.
        fixed: keys of the controls whose default is the same for all data and settings.
        chosen: values of controls that the user has chosen, or a URL names, by key. One that is not possible at present
            is used again once it is.
        usable: keys of the controls whose chosen value is possible at present.
        kept: values of controls, as Streamlit drops the state of widgets that are not drawn.
        restored: keys of the controls that were restored in this run.
        opened: parameters of the URL that the session was opened with; empty after Back or Forward.
        ignored: those of them whose values are not options of their controls.
        names: the options of the controls that name systems, references or judges, in the test set that is shown.
        of_other_sets: all values of these controls that were chosen before the test set was changed, as another one may
            lack some of them; also a slice that cannot be used in the one that is shown.
        dismissed: warnings that were dismissed, by test set, without those of the one that is shown.
        following: whether controls follow the URL in this run, without changes by the user.
        settled: a URL that was followed, and the equivalent URL that this version would write.
        link: the URL that the session was opened with, while its data are not loaded.
        page: the title of the page that a callback has requested.
        written: whether the URL was just written by a change of page.
    """

    arrived: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    fixed: set[str] = field(default_factory=set[str])
    chosen: dict[str, Any] = field(default_factory=dict[str, Any])
    usable: set[str] = field(default_factory=set[str])
    kept: dict[str, Any] = field(default_factory=dict[str, Any])
    restored: set[str] = field(default_factory=set[str])
    opened: Parameters = field(default_factory=dict[str, list[str]])
    ignored: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    names: dict[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    of_other_sets: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    dismissed: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    following: bool = True
    settled: tuple[Parameters, Parameters] | None = None
    link: Link | None = None
    page: str | None = None
    written: bool = False

    def begin_run(self) -> None:
        """Start a run of the app."""
        self.restored = set()

    def begin_with(self, parameters: Parameters, controls: Controls, *, opened: bool = False) -> None:
        """Reset all controls to the values of parameters.

        Args:
            parameters: of a URL or a workspace.
            controls: of the session.
            opened: whether the session was opened with them.
        """
        self.arrived, self.ignored, self.kept, self.chosen = renewed(parameters), {}, {}, {}
        self.opened, self.usable = self.arrived if opened else {}, set()
        for key in self.defaults:
            controls.pop(key, None)

    def restore(
        self,
        key: str,
        default: Any,
        *,
        read: Callable[[list[str]], Any],
        fit: Callable[[Any], Any],
        controls: Controls,
        fixed: bool = False,
    ) -> None:
        """Set a control, before it is drawn, from the session, else from the URL, else to its default.

        Args:
            key: of the control.
            default: of the control.
            read: parses the values of the parameter; raises KeyError or ValueError if they are invalid.
            fit: returns what the control can have of a value; ABSENT if nothing.
            controls: of the session.
            fixed: whether the default is the same for all data and settings.
        """
        if key not in CONTROL_KEYS:
            raise KeyError(f"{key} is missing in control_keys.py")
        self.defaults[key] = default
        if fixed:
            self.fixed.add(key)
        if key in self.restored:  # it may have been drawn, and cannot be set after that
            return
        self.restored.add(key)
        self._note_choice(key, controls)
        if key not in self.chosen and (values := self.arrived.get(key)):
            try:
                value = read(values)
                known = fit(value)
            except (KeyError, ValueError):  # not a number, or neither true nor false
                value = known = ABSENT
            if known is not ABSENT:
                self.chosen[key] = value
            unknown = values if known is ABSENT else []
            if isinstance(known, list):
                unknown = [text for text in values if text and text not in known]
            if unknown and self.opened.get(key) == values:
                self.ignored[key] = unknown
        value = fit(self.chosen[key]) if key in self.chosen else ABSENT
        if value is ABSENT:
            self.usable.discard(key)
            value = default
        else:
            self.usable.add(key)
        # Set also if unchanged: a widget of the same key on another page would start with its default.
        controls[key] = self.kept[key] = value

    def change_set(self, controls: Controls) -> None:
        """Keep values that name what the present test set has, before another one is shown.

        What was chosen in the present test set holds; what that one lacks is as it was chosen in others. What the
        next test set lacks is ignored there, as its names are the options of the controls.

        Args:
            controls: of the session.
        """
        for key, names in self.names.items():
            current: list[str] = controls.get(key, self.kept.get(key)) or []
            others = [name for name in self.of_other_sets.get(key, []) if name not in names]
            self.of_other_sets[key] = controls[key] = [*(name for name in current if name in names), *others]

    def drop(self, key: str, controls: Controls) -> None:
        """Drop the value of a control."""
        controls.pop(key, None)
        for values in (self.kept, self.chosen, self.arrived, self.ignored):
            values.pop(key, None)
        self.usable.discard(key)

    def reset(self, keys: Iterable[str], controls: Controls) -> None:
        """Reset controls to their defaults; those that no page has drawn yet have no value."""
        for key in keys:
            self.of_other_sets.pop(key, None)
            self.drop(key, controls)
            if key in self.defaults:
                controls[key] = self.kept[key] = self.defaults[key]

    def keep(self, controls: Controls) -> None:
        """Keep the values of the controls that have been restored, and note which of them were chosen."""
        for key in self.defaults:
            self._note_choice(key, controls)

    def _note_choice(self, key: str, controls: Controls) -> None:
        """Note that a value was chosen, if it is not the one that the control was given."""
        value = controls.get(key, ABSENT)
        if value is not ABSENT and value != self.kept.get(key, ABSENT):
            self.kept[key] = self.chosen[key] = value
            self.usable.add(key)
            self.arrived.pop(key, None)
            self.opened = self.ignored = {}  # the URL is written anew, without unknown values

    def changed(self, controls: Controls) -> dict[str, Any]:
        """Return the controls that differ from their defaults, with their values."""
        current = {key: controls.get(key, self.kept[key]) for key in CONTROL_KEYS if key in self.kept}
        return {
            key: value
            for key, value in current.items()
            if key != PAPER and value is not None and value != self.defaults[key]
        }

    def parameters(self, controls: Controls) -> dict[str, list[str]]:
        """Return the controls that were chosen, and those of pages not opened yet, as parameters."""
        known = {*self.kept, DATA, FILES, DATASET, TEST_SET, PAPER}
        unopened = {key: value for key, value in self.arrived.items() if key not in known}
        chosen = {key: controls.get(key, self.kept[key]) for key in self.chosen if key in self.usable}
        return unopened | {
            key: written(value)
            for key, value in chosen.items()
            if key != PAPER and value is not None and not (key in self.fixed and value == self.defaults[key])
        }

    def must_write(self, present: Parameters, wanted: Parameters, *, of_other_data: bool) -> bool:
        """Return whether the URL has to be written: each change by the user makes one entry in the browser's history.

        Args:
            present: the parameters that the URL has.
            wanted: the parameters that it should have.
            of_other_data: whether it names other data than are loaded.
        """
        bare = not present and wanted.keys() == {DATA}
        if self.following or bare:
            self.settled = present, wanted  # an equivalent URL is not rewritten, or Back would lead here again
        return present != wanted and (self.link is not None or of_other_data or self.settled != (present, wanted))


def renewed(parameters: Parameters) -> dict[str, list[str]]:
    """Convert parameters of earlier versions to those of this version, without unknown ones."""
    converted = {key: values for key, values in parameters.items() if key in KNOWN}
    if parameters.get(MACHINES_ONLY) == ["false"]:  # human translators were included
        converted.setdefault(RANK_HUMANS, ["true"])
    if parameters.get(TOKENIZER_BY_LANGUAGE) == ["true"]:
        converted.pop(TOKENIZER, None)
    return converted


def written(value: Any) -> list[str]:
    """Return a control's value as parameters; an empty list is one empty parameter."""
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value] or [""]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [exact(value) if isinstance(value, float) else str(value)]
