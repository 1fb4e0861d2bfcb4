"""The command line of the dashboard: an address, and local files to open."""

from __future__ import annotations

import argparse
import ipaddress
import math
import os
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bleu_core.cli import Parser
from bleu_core.errors import SettingsError
from bleu_core.formats import FORMATS, FileRole, FormatChoice, check_format, format_choices
from bleu_core.limits import DEFAULT_LIMITS, NAMES, Limits, with_changes

#: Commands of bleu-core, for a hint if one of them is given here.
CORE_COMMANDS = (
    *("score", "blocks", "compare", "table", "slices", "references", "ngrams", "check", "gate", "correlate"),
    *("review", "errors", "probe", "paper"),
    *("campaign", "count", "merge", "figure", "report"),
)

#: Streamlit options on which privacy and security depend. Options passed when the server starts override config.toml
#: and environment variables, so that neither a file in the working folder nor the environment can disable protection.
PROTECTION: Mapping[str, object] = {
    # Nothing is sent to Streamlit or fetched from elsewhere.
    "browser.gatherUsageStats": False,
    "server.showEmailPrompt": False,
    "server.customComponentBaseUrlPath": "",  # may be a URL of another host
    "theme.base": "light",  # may be a URL, which is fetched; [theme.dark] still applies
    # Pages of other sites can neither read, control nor embed the dashboard, nor upload to it.
    "server.enableCORS": True,
    "server.corsAllowedOrigins": [],
    "server.enableXsrfProtection": True,
    "server.xsrfCookieSameSite": "lax",
    "client.allowedOrigins": [],
    "server.allowedHosts": [],  # of web sockets only; dashboard/origin.py checks the Host of every request
    # Visitors do not learn about the server's files, and errors are not passed on to search engines.
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "viewer",
    # Streamlit's CSV does not escape cells that begin like a formula; the pages have their own downloads.
    "client.disableDataExport": True,
    # Streamlit's greeting suggests installing packages; the server prints its address itself.
    "logger.hideWelcomeMessage": True,
    # Unused parts of the server.
    "global.developmentMode": False,
    # Otherwise a click starts a run in another thread while the previous one still uses the same session.
    "runner.fastReruns": False,
    "runner.magicEnabled": False,
    "runner.postScriptGC": False,  # slower than most pages; session/work.py collects periodically
    "secrets.files": [],
    "server.enableAgentApi": False,
    "server.enableStaticServing": False,
    "server.fileWatcherType": "none",
    "server.runOnSave": False,
    "server.scriptHealthCheckEnabled": False,
    "server.trustedUserHeaders": {},
    "server.unsafeMetricsUserAttributes": [],
    # The log does not contain what visitors choose and type. A session whose tab was lost can return for two minutes.
    "logger.level": "info",
    "server.disconnectedSessionTTL": 120,
}

#: Role of a file -> the option that names it, here and in bleu-core; systems have none.
OPTIONS: Mapping[FileRole, str] = {
    "archive": "--archive",
    "source": "--source",
    "reference": "--ref",
    "document": "--documents",
    "labels": "--labels",
    "judgments": "--human",
    "scores": "--metric-scores",
    "system": "",
}

#: Roles of files with ratings, and with scores of other metrics.
ROLES_OF_RATINGS: tuple[FileRole, ...] = ("judgments", "scores")

#: Ending of saved workspaces and test sets.
ZIP = ".zip"

#: Description of who can reach a server on a loopback address.
LOCAL = "this computer only"

#: Wildcard addresses of all interfaces, which browsers cannot open.
WILDCARDS = {"0.0.0.0", "::"}  # noqa: S104 # compared, not a default


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """The options of `bleu-dashboard`.

    Attributes:
        port, address: where the server listens.
        browser: whether a browser is opened.
        files: local files to open, with their roles; without any the sample data are shown.
        human_systems: names of human translators among the systems.
        limits: on the content of files.
        formats: formats chosen for some of the files, by path.
        workspace: a saved workspace to open instead of files.
        campaign: the file of a campaign, whose judges may rate; everything else needs the lead's link.
        campaign_folder: where campaigns that are opened on the page are stored; None for the default.
        path: prefix of all URL paths, without slashes at its ends; empty for none.
        trusted_proxies: addresses of proxies whose X-Forwarded-For headers are trusted.
        workers: maximum number of processes for counting large texts; None for the default.
        allowed_hosts: further names of the server, for example through a proxy.
    """

    port: int
    address: str
    browser: bool
    files: tuple[tuple[Path, FileRole], ...]
    human_systems: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    formats: Mapping[Path, FormatChoice] = field(default_factory=dict[Path, FormatChoice])
    workspace: Path | None = None
    campaign: Path | None = None
    campaign_folder: Path | None = None
    path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    workers: int | None = None
    allowed_hosts: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which the server answers, in addition to localhost and the addresses of this machine."""
        own: tuple[str, ...] = ()
        if self.address in WILDCARDS:
            whole = socket.gethostname()
            short = whole.partition(".")[0]
            own = tuple(dict.fromkeys((whole, short, f"{short}.local")))  # .local: as multicast DNS announces it
        return (self.address, *own, *self.allowed_hosts)

    @property
    def host(self) -> str:
        """The name of the address for a browser on this machine."""
        if self.address in WILDCARDS:
            return "localhost"
        return f"[{self.address}]" if ":" in self.address else self.address

    @property
    def reached_by(self) -> str:
        """A description of who can reach the server."""
        if self.address in WILDCARDS:
            return "every computer that reaches this one"
        with suppress(ValueError):
            if ipaddress.ip_address(self.address).is_loopback:
                return LOCAL
        return LOCAL if self.address == "localhost" else f"every computer that reaches {self.address}"

    @property
    def is_local(self) -> bool:
        """Return whether only this computer can reach the server, as far as its options tell."""
        return self.reached_by == LOCAL and not (self.allowed_hosts or self.trusted_proxies or self.path)

    @property
    def hosting_folder(self) -> Path | None:
        """The folder of campaigns that are opened on the page; None where they cannot be opened.

        On a server that other computers can reach, they can be opened only if its command line names a folder.
        """
        if self.campaign is not None:
            return None
        if self.campaign_folder is None and self.is_local:
            with suppress(RuntimeError):  # no home directory
                return default_campaign_folder()
        return self.campaign_folder

    def streamlit_options(self) -> dict[str, object]:
        """All options of Streamlit that are passed when the server starts."""
        return {
            **PROTECTION,
            "server.port": self.port,
            "server.address": self.address,
            "server.headless": not self.browser,
            "server.maxUploadSize": math.ceil(self.limits.file_bytes / 2**20),  # in MiB
            # Without an address Streamlit asks a host on the internet for the address of this machine.
            "browser.serverAddress": self.host,
            "browser.serverPort": self.port or None,  # with 0 Streamlit finds a free port
            **({"server.baseUrlPath": self.path} if self.path else {}),
        }

    def arguments(self) -> list[str]:
        """The files, human systems, limits and formats as command-line arguments for the app; paths are absolute."""
        named = [part for path, role in self.files if OPTIONS[role] for part in (OPTIONS[role], str(path.resolve()))]
        named += [part for name in self.human_systems for part in ("--human-system", name)]
        changed = {name: getattr(self.limits, name) for name in NAMES}
        changed = {name: limit for name, limit in changed.items() if limit != getattr(DEFAULT_LIMITS, name)}
        named += [part for name, limit in changed.items() for part in ("--limit", f"{name}={limit}")]
        for path, choice in self.formats.items():
            named += ["--format-of", f"{path.resolve()}={choice}"]
        if self.workspace is not None:
            named += ["--workspace", str(self.workspace.resolve())]
        if self.campaign is not None:
            named += ["--campaign", str(self.campaign.resolve())]
        if self.workers is not None:
            named += ["--workers", str(self.workers)]
        return [*named, "--", *(str(path.resolve()) for path, role in self.files if role == "system")]


def parse(arguments: Sequence[str] | None = None, *, check_files: bool = True) -> Launch:
    """Read the command line; an invalid one ends the program with status 2 and one line on standard error.

    Args:
        arguments: arguments; those of the process if None.
        check_files: whether all files must exist, as when the server starts. Later each session reports missing files
            when it opens them.
    """
    parser = build_parser()
    options, others = parser.parse_known_args(arguments)  # others: files after options after files, unknown options
    _check_call(parser, options.systems, others)
    options.systems += map(Path, others)
    if options.workspace is None and any(map(_is_workspace, options.systems)):
        options.workspace = next(filter(_is_workspace, options.systems))
        options.systems.remove(options.workspace)
    paths_by_role: tuple[tuple[FileRole, list[Path | None]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("judgments", options.human),
        ("scores", options.metric_scores),
        ("labels", options.labels),
        ("archive", options.archive),
        ("document", [options.documents]),
        ("source", [options.source]),
    )
    roles: tuple[tuple[Path, FileRole], ...] = tuple(
        (path, role) for role, paths in paths_by_role for path in paths if path is not None
    )
    if options.workspace is not None and roles:
        parser.error(f"{roles[0][0]}: further files with the workspace {options.workspace} found, none expected")
    _check_campaign(parser, options)
    # The campaign is opened at the start; later its page shows problems of the file.
    others_named = [(options.workspace, "system")] if options.workspace is not None else []
    for path, role in (*roles, *others_named) if check_files else ():
        if not (path.is_file() or (role == "archive" and path.is_dir())):
            parser.error(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    try:
        limits = with_changes(options.limit)
    except SettingsError as error:
        parser.error(f"--limit: {error}")
    try:
        chosen = format_choices(options.format_of, [str(path) for path, _ in roles])
        formats = {path: chosen[str(path)] for path, _ in roles if str(path) in chosen}
        for path, role in roles:
            if path in formats:
                check_format(formats[path].format, role, str(path))
    except SettingsError as error:
        parser.error(str(error))
    humans = tuple(options.human_system)
    return Launch(
        port=options.port,
        address=options.address,
        browser=not options.no_browser,
        files=roles,
        human_systems=humans,
        limits=limits,
        formats=formats,
        workspace=options.workspace,
        campaign=options.campaign,
        campaign_folder=options.campaign_folder,
        path=options.path,
        trusted_proxies=tuple(options.trusted_proxy),
        workers=options.workers,
        allowed_hosts=tuple(options.allowed_host),
    )


def default_campaign_folder() -> Path:
    """Return the folder of campaigns that are opened on the page, in the user's data folder.

    Raises:
        RuntimeError: there is no home directory.
    """
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_DATA_HOME", "")
    data = Path(named) if named and Path(named).is_absolute() else Path.home() / ".local" / "share"
    return data / "bleu-dashboard" / "campaigns"


def argument_of(path: str) -> str:
    """Return a path as a command-line argument: one that begins like an option gets a folder."""
    return f"./{path}" if path.startswith("-") else path


def build_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(prog="bleu-dashboard", description="Compare machine-translation systems in the browser.")
    _add_files(parser)
    _add_reading(parser)
    _add_server(parser)
    return parser


def _add_files(parser: Parser) -> None:
    """Add the arguments that name files."""
    parser.add_argument(
        "systems",
        nargs="*",
        type=Path,
        metavar="SYSTEM",
        help="system outputs to open: text with one segment per line, tables (TSV, CSV), XLIFF, TMX, PO or SGML",
    )
    parser.add_argument("--ref", action="append", default=[], type=Path, metavar="R", help="a reference; repeatable")
    parser.add_argument("--human", action="append", default=[], type=Path, metavar="H", help="judgments; repeatable")
    parser.add_argument(
        "--metric-scores", action="append", default=[], type=Path, metavar="M", help="scores of metrics; repeatable"
    )
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        type=Path,
        metavar="LABELS",
        help="labels of segments or documents; repeatable",
    )
    parser.add_argument(
        "--archive",
        action="append",
        default=[],
        type=Path,
        metavar="ARCHIVE",
        help="a test set: a zip or folder of mt-metrics-eval, or a file in XML or SGML; or a zip or folder of other "
        "files; repeatable",
    )
    parser.add_argument(
        "--workspace", type=Path, metavar="FILE", help="a saved workspace to open; may also be named like a system"
    )
    parser.add_argument("--documents", type=Path, metavar="D", help="a file with one document id per line")
    parser.add_argument("--source", type=Path, metavar="S", help="the source text")
    parser.add_argument(
        "--human-system",
        action="append",
        default=[],
        metavar="NAME",
        help="a human translator; repeatable",
    )


def _add_reading(parser: Parser) -> None:
    """Add the options on how files are read."""
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change a limit on the content of files, for example columns=5000; repeatable; " + _limits_help(),
    )
    parser.add_argument(
        "--format-of",
        action="append",
        default=[],
        metavar="FILE=FORMAT",
        help=f"read a file in this format instead of recognising it; repeatable; formats: {', '.join(FORMATS)}",
    )


def _add_server(parser: Parser) -> None:
    """Add the options of the server."""
    parser.add_argument("--port", type=int, default=8501, help="port of the server (default: %(default)s)")
    parser.add_argument(
        "--address",
        type=_without_brackets,
        default="127.0.0.1",
        help="address to listen on (default: %(default)s, this machine only)",
    )
    parser.add_argument(
        "--campaign",
        type=Path,
        metavar="FILE",
        help="let the judges of this campaign rate; they can reach only the rating page, and everything else needs the "
        "lead's link",
    )
    parser.add_argument(
        "--campaign-folder",
        type=Path,
        metavar="FOLDER",
        help="let everyone who can reach the server open campaigns on the page Campaign, which are stored here; "
        "without it, they can be opened on this machine only, and are stored in bleu-dashboard/campaigns in the user's "
        "data folder",
    )
    parser.add_argument(
        "--path",
        type=_path,
        default="",
        metavar="PREFIX",
        help="prefix of all URL paths, for a proxy that forwards PREFIX/...",
    )
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        type=_network,
        default=[],
        metavar="ADDRESS",
        help="address or network of a proxy that is trusted to report the visitor's address; repeatable",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        type=_host,
        default=[],
        metavar="NAME",
        help="a further name of the server for browsers, such as that of a proxy; repeatable",
    )
    parser.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="maximum number of processes for counting large texts (default: the number of cores minus one)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _check_call(parser: argparse.ArgumentParser, systems: Sequence[Path], others: Sequence[str]) -> None:
    """Check that the call has neither a command nor an option of bleu-core, nor any other unknown option."""
    first = systems[0] if systems else Path()
    if str(first) in CORE_COMMANDS and not first.exists():
        parser.error(f"'{first}' is a command of bleu-core; leave it out and name the files only")
    unknown = next((other.partition("=")[0] for other in others if other.startswith("-")), None)
    if unknown is not None:
        parser.error(f"unknown option {unknown}; name files only: options of bleu-core are settings on the pages")


def _check_campaign(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Check that a campaign is served without a workspace, and without a folder for others."""
    if options.workspace is not None and options.campaign is not None:
        parser.error("argument --campaign: not allowed with a workspace; name the files of the systems instead")
    if options.campaign_folder is not None and options.campaign is not None:
        parser.error("argument --campaign-folder: not allowed with --campaign, whose file is served alone")


def _is_workspace(path: Path) -> bool:
    """Return whether a file on disk is a saved workspace."""
    if path.suffix != ZIP or not path.is_file():
        return False
    from bleu_core.project import is_saved_workspace  # loaded when first needed

    return is_saved_workspace(path.read_bytes())


def _path(text: str) -> str:
    """Return the prefix without slashes at its ends."""
    prefix = text.strip("/")
    parts = prefix.split("/")
    if prefix and not all(re.fullmatch(r"[\w.~-]+", part, re.ASCII) and part.strip(".") for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} found, names between slashes expected, such as mt/rating")
    return prefix


def _workers(text: str) -> int:
    """Parse a number of processes."""
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise argparse.ArgumentTypeError(f"{text!r} found, a number of processes expected, 1 or more")
    return int(text)


def _network(text: str) -> str:
    """Return the text, if it is an address or a network; uvicorn would silently ignore anything else."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} found, an IP address or a network expected, such as 127.0.0.1 or 10.0.0.0/8"
        ) from None
    return text


def _without_brackets(text: str) -> str:
    """Return an address in the form of sockets; in URLs IPv6 addresses have brackets."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _host(text: str) -> str:
    """Return a host name or an address."""
    name = _without_brackets(text)
    with suppress(ValueError):
        return str(ipaddress.ip_address(name))
    if not re.fullmatch(r"[\w-]+(\.[\w-]+)*\.?", name, re.ASCII):
        raise argparse.ArgumentTypeError(
            f"{text!r} found, a host name or an address without scheme and port expected, such as mt.example.org"
        )
    return name


def _limits_help() -> str:
    return f"names, with defaults: {', '.join(f'{name} {getattr(DEFAULT_LIMITS, name)}' for name in NAMES)}"
