"""The dashboard's own command line."""

from __future__ import annotations

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from pages import APP, visit
from streamlit.testing.v1 import AppTest

from bleu_core.cli.commands import COMMANDS, supplied_commands
from bleu_core.formats import FileRole
from bleu_core.limits import DEFAULT_LIMITS, NAMES
from dashboard import server
from dashboard.__main__ import main
from dashboard.launch import CORE_COMMANDS, Launch, parse
from dashboard.session.files import names_by_folder

FILES = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")


def test_files_are_opened_in_the_roles_given(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "r.txt", "h.csv", "d.txt"):
        (tmp_path / name).write_text("x\n")
    named = {name: str(tmp_path / name) for name in ("a.txt", "b.txt", "r.txt", "h.csv", "d.txt")}
    launch = parse(
        [
            "--ref",
            named["r.txt"],
            "--human",
            named["h.csv"],
            "--documents",
            named["d.txt"],
            named["a.txt"],
            named["b.txt"],
        ]
    )
    assert [(path.name, role) for path, role in launch.files] == [
        ("r.txt", "reference"),
        ("a.txt", "system"),
        ("b.txt", "system"),
        ("h.csv", "judgments"),
        ("d.txt", "document"),
    ]
    assert (launch.port, launch.address, launch.browser) == (8501, "127.0.0.1", True)


def test_what_the_app_is_given_reads_back_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-odd name.txt").write_text("x\n")
    (tmp_path / "r.txt").write_text("x\n")
    monkeypatch.chdir(tmp_path)
    launch = parse(["--ref", "r.txt", "--", "-odd name.txt"])
    again = parse(launch.arguments())
    assert [(p.name, role) for p, role in again.files] == [(p.name, role) for p, role in launch.files]
    assert all(path.is_absolute() for path, _ in again.files)


def test_archives_may_be_zips_or_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wmt23").mkdir()
    for name in ("wmt24.zip", "m.csv", "-a.txt"):
        (tmp_path / name).write_text("x\n")
    monkeypatch.chdir(tmp_path)
    call = ["--archive", "wmt23", "--archive", "wmt24.zip", "--metric-scores", "m.csv", "--human-system", "refA"]
    launch = parse([*call, "--", "-a.txt"])
    assert [(path.name, role) for path, role in launch.files] == [
        ("-a.txt", "system"),
        ("m.csv", "scores"),
        ("wmt23", "archive"),
        ("wmt24.zip", "archive"),
    ]
    again = parse(launch.arguments())
    assert sorted((p.name, r) for p, r in again.files) == sorted((p.name, r) for p, r in launch.files)
    assert again.human_systems == ("refA",)


@pytest.mark.parametrize(
    ("option", "name"), [("--ref", "folder"), ("--metric-scores", "folder"), ("--archive", "none")]
)
def test_what_is_no_such_file_ends_the_start(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, name: str
) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit):
        parse([option, str(tmp_path / name)])
    assert ("no such file" if name == "none" else "not a file") in capsys.readouterr().err


def test_a_missing_file_ends_the_start_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([str(tmp_path / "none.txt")])
    message = capsys.readouterr().err
    assert ended.value.code == 2
    assert "none.txt: no such file" in message
    assert message.count("\n") == 1


def test_an_option_of_one_value_that_is_given_twice_ends_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--port", "8502", "--port", "8503"])
    assert ended.value.code == 2
    assert "argument --port: given twice, 1 value expected; keep one" in capsys.readouterr().err


def test_a_busy_port_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr("sys.argv", ["bleu-dashboard", "--port", str(port), "--no-browser"])
        assert main() == 2
    assert f"port {port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"[server",
            "settings of Streamlit in TOML expected: Expected ']' at the end of a table declaration",
        ),
        (b"server = 3", "server = 3 found, a section [server] expected"),
        (
            b"[server]\nbaseUrlPath = 3",
            "baseUrlPath = 3 found in [server], a text in quotation marks expected",
        ),
        (b'[server]\nrunOnSave = "no"', "runOnSave = 'no' found in [server], true or false expected; correct"),
        (b"[server]\nmaxMessageSize = true", "maxMessageSize = True found in [server], a whole number expected"),
        (b"\xff", "settings of Streamlit in TOML expected: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_broken_settings_of_streamlit_end_the_start_in_one_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".streamlit" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bleu-dashboard", "--port", "0", "--no-browser"])
    monkeypatch.setattr("dashboard.server.run", lambda _: pytest.fail("started"))
    assert main() == 2
    found = capsys.readouterr().err
    assert found.startswith(f"bleu-dashboard: .streamlit/config.toml: {message}")
    assert found.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "no memory left"),
        (RuntimeError("can't start new thread"), "can't start new thread"),
        (FileNotFoundError(2, "No such file or directory", "cert.pem"), "cert.pem: "),
    ],
)
def test_a_server_without_memory_threads_or_files_ends_with_a_sentence(
    error: Exception, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_: Launch) -> None:
        raise error

    monkeypatch.setattr("sys.argv", ["bleu-dashboard", "--port", "0", "--no-browser"])
    monkeypatch.setattr("dashboard.server.run", run)
    for change in ("gc.disable", "signal.signal"):  # of the whole process
        monkeypatch.setattr(f"dashboard.__main__.{change}", lambda *_: None)
    ended: list[int] = []
    monkeypatch.setattr("dashboard.memory_limits.os._exit", ended.append)
    main()
    assert ended == [2]
    found = capsys.readouterr().err
    assert found.startswith(f"bleu-dashboard: the server ended: {message}")
    assert found.count("\n") == 1


def test_limits_are_changed_by_name_and_handed_to_the_app() -> None:
    launch = parse(["--limit", "columns=5000", "--limit", "judges=1", "--limit", "columns=6000"])
    assert (launch.limits.columns, launch.limits.judges) == (6000, 1)
    assert launch.limits.lines == DEFAULT_LIMITS.lines
    assert parse(launch.arguments()).limits == launch.limits
    assert "--limit" not in parse([]).arguments()


@pytest.mark.parametrize(("size", "mebibytes"), [(1, 1), (2**20, 1), (2**20 + 1, 2), (500 * 2**20, 500)])
def test_uploads_may_be_as_large_as_files(size: int, mebibytes: int) -> None:
    assert parse(["--limit", f"file_bytes={size}"]).streamlit_options()["server.maxUploadSize"] == mebibytes


@pytest.mark.parametrize(
    "limit", ["columns", "columns=", "columns=0", "columns=-1", "columns=1e3", "nothing=1", "=1", ""]
)
def test_a_wrong_limit_ends_the_start_in_one_line(capsys: pytest.CaptureFixture[str], limit: str) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--limit", limit])
    message = capsys.readouterr().err
    assert ended.value.code == 2
    assert "--limit" in message
    assert "expected" in message
    assert message.count("\n") == 1


def test_a_format_is_chosen_for_a_file_and_handed_to_the_app(tmp_path: Path) -> None:
    table, text = tmp_path / "a=b.csv", tmp_path / "out.txt"
    table.write_text("one,two\n")
    text.write_text("one\n")
    launch = parse([str(text), str(table), "--format-of", f"{table}=text"])
    assert {path: choice.format for path, choice in launch.formats.items()} == {table: "text"}
    assert parse(launch.arguments()).formats == launch.formats
    assert "--format-of" not in parse([str(text)]).arguments()


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("{file}", "FILE=FORMAT expected"),
        ("other.txt=text", "file 'other.txt' found"),
        ("{file}=magic", "format 'magic' found"),
        ("{file}=mqm", "one of these expected for the role system: text, table"),
    ],
)
def test_a_wrong_format_ends_the_start_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, choice: str, message: str
) -> None:
    file = tmp_path / "out.txt"
    file.write_text("one\n")
    with pytest.raises(SystemExit) as ended:
        parse([str(file), "--format-of", choice.format(file=file)])
    printed = capsys.readouterr().err
    assert ended.value.code == 2
    assert message in printed
    assert printed.count("\n") == 1


def test_the_help_names_every_limit_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert all(f"{name} {getattr(DEFAULT_LIMITS, name)}" in text for name in NAMES)


def test_the_documentation_has_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    table = FILES.split("## Opening files when the dashboard starts")[1].split("## Limits")[0]
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert "--limit" in options
    assert options <= set(re.findall(r"--[a-z-]+", table))


def test_the_documentation_has_every_limit_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| .+ \|$", FILES.split("## Limits")[1], re.MULTILINE)
    assert [(name, int(default.replace(",", ""))) for name, default in rows] == [
        (name, getattr(DEFAULT_LIMITS, name)) for name in NAMES
    ]


@pytest.mark.parametrize(
    ("address", "host"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("::", "localhost"), ("::1", "[::1]"), ("host", "host")],  # noqa: S104
)
def test_the_server_is_found_where_a_browser_can_open_it(address: str, host: str) -> None:
    options = parse(["--address", address]).streamlit_options()
    assert (options["server.address"], options["browser.serverAddress"]) == (address, host)


def test_streamlit_offers_nothing_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit import config
    from streamlit.web import skills

    options = parse([]).streamlit_options()
    monkeypatch.setattr(skills, "agent_harness_present", lambda: True)
    monkeypatch.setattr(config, "get_option", lambda name: options.get(name, False))
    assert not skills.should_show_skills_nudge()


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files of one name in two folders."""
    for name in ("y/output.txt", "t/output.txt", "ref.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            ["gate", "y/output.txt", "t/output.txt", "--ref", "ref.txt", "--margin", "0.3"],
            "'gate' is a command of bleu-core; leave it out and name the files only",
        ),
        (
            ["y/output.txt", "t/output.txt", "--ref", "ref.txt", "--margin", "0.3"],
            "unknown option --margin; name files",
        ),
        (["--ref", "ref.txt", "y/output.txt", "--tokenizer=char"], "unknown option --tokenizer; name files"),
    ],
)
def test_a_call_of_the_other_program_is_told_what_to_leave_out(
    outputs: Path, capsys: pytest.CaptureFixture[str], call: list[str], message: str
) -> None:
    del outputs
    with pytest.raises(SystemExit) as ended:
        parse(call)
    printed = capsys.readouterr().err
    assert ended.value.code == 2
    assert printed.startswith(f"bleu-dashboard: {message}")
    assert printed.count("\n") == 1
    assert "output.txt" not in printed


def test_every_command_of_the_other_program_is_known(outputs: Path) -> None:
    assert set(CORE_COMMANDS) == {*COMMANDS, *supplied_commands()}
    (outputs / "gate").write_text("x\n")
    assert [path.name for path, _ in parse(["gate"]).files] == ["gate"]  # which is a file here


def test_files_may_come_before_and_after_options(outputs: Path) -> None:
    del outputs
    launch = parse(["y/output.txt", "--ref", "ref.txt", "t/output.txt"])
    assert [(str(path), role) for path, role in launch.files] == [
        ("ref.txt", "reference"),
        ("y/output.txt", "system"),
        ("t/output.txt", "system"),
    ]


def test_files_of_one_name_are_named_with_their_folders(outputs: Path) -> None:
    for name in ("a/y/output.txt", "b/y/output.txt", "a/y/other.txt"):
        (outputs / name).parent.mkdir(parents=True, exist_ok=True)
        (outputs / name).write_text("x\n")

    def names(*files: tuple[str, FileRole]) -> list[str]:
        return list(names_by_folder([(Path(path), role) for path, role in files]).values())

    assert names(("y/output.txt", "system"), ("t/output.txt", "system")) == ["y/output", "t/output"]
    assert names(("a/y/output.txt", "system"), ("b/y/output.txt", "system"), ("a/y/other.txt", "system")) == [
        "a/y/output",
        "b/y/output",
    ]
    assert names(("y/output.txt", "system"), ("t/output.txt", "reference")) == []
    assert names(("y/output.txt", "system"), ("y/output.tok", "system")) == []


def test_files_of_one_name_from_two_folders_are_two_systems(outputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del outputs
    Path("ref.txt").write_text("x y\n")
    monkeypatch.setattr("sys.argv", ["app.py", "--ref", "ref.txt", "y/output.txt", "t/output.txt"])
    app = visit(AppTest.from_file(str(APP), default_timeout=60).run(), "data")
    assert app.dataframe[0].value["names"].tolist() == ["ref", "y/output", "t/output"]
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "y/output.txt", "t/output.txt"]
    assert "not used" not in app.dataframe[0].value["status"].tolist()


def test_a_campaign_is_handed_on_with_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.txt", "pilot.db"):
        (tmp_path / name).write_text("x\n")
    monkeypatch.chdir(tmp_path)
    launch = parse(["--campaign", "pilot.db", "--path", "/mt/rating/", "--trusted-proxy", "10.0.0.0/8", "a.txt"])
    assert (launch.path, launch.trusted_proxies) == ("mt/rating", ("10.0.0.0/8",))
    assert launch.streamlit_options()["server.baseUrlPath"] == "mt/rating"
    again = parse(launch.arguments())
    assert again.campaign == tmp_path / "pilot.db"
    assert "server.baseUrlPath" not in again.streamlit_options()
    assert parse(["--path", "//other.example/"]).path == "other.example"  # no other host


def test_the_most_processes_reach_the_app() -> None:
    launch = parse(["--workers", "3"])
    assert launch.workers == parse(launch.arguments()).workers == 3
    assert parse([]).workers is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--path", "a b"], "argument --path: 'a b' found, names between slashes expected"),
        (["--path", "a/../b"], "argument --path: 'a/../b' found"),
        (["--workers", "0"], "argument --workers: '0' found, a number of processes expected, 1 or more"),
        (["--trusted-proxy", "*"], "argument --trusted-proxy: '*' found, an IP address or a network expected"),
        (["--trusted-proxy", "10.0.0.1/8"], "argument --trusted-proxy: '10.0.0.1/8' found"),
        (["--allowed-host", "*"], "argument --allowed-host: '*' found, a host name or an address without scheme"),
        (["--allowed-host", "https://mt.example"], "argument --allowed-host: 'https://mt.example' found"),
        (["--allowed-host", "mt.example:443"], "argument --allowed-host: 'mt.example:443' found"),
        (["--campaign", "a.txt", "--workspace", "a.txt"], "--campaign: not allowed with a workspace"),
    ],
)
def test_a_wrong_campaign_or_path_is_refused(
    given: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("x\n")
    with pytest.raises(SystemExit) as stopped:
        parse(given)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["no.db", "."])
def test_a_campaign_that_is_no_file_is_refused_at_the_start(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bleu-dashboard", "--campaign", name])
    assert main() == 2
    assert capsys.readouterr().err == f"bleu-dashboard: {name}: no file found, a campaign expected; create one first\n"


@pytest.mark.parametrize(
    ("address", "who"),
    [
        ("127.0.0.1", "this computer only"),
        ("::1", "this computer only"),
        ("[::1]", "this computer only"),
        ("localhost", "this computer only"),
        ("0.0.0.0", "every computer that reaches this one"),  # noqa: S104 # only parsed
        ("192.0.2.1", "every computer that reaches 192.0.2.1"),
    ],
)
def test_who_reaches_the_server_is_said(address: str, who: str) -> None:
    assert parse(["--address", address]).reached_by == who


def test_an_address_may_have_the_brackets_of_a_url() -> None:
    launch = parse(["--address", "[::1]"])
    assert (launch.address, launch.host) == ("::1", "[::1]")


def test_a_file_that_was_deleted_after_the_start_is_named_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("ref.txt", "A.txt", "B.txt")
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_text("the cat sat on the mat\n")
    arguments = parse(["--ref", *map(str, paths)]).arguments()
    paths[2].unlink()
    monkeypatch.setattr("sys.argv", ["app", *arguments])
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    assert [text for _, text in app.session_state.notices if "B.txt: no such file" in text] != []  # of the page Data
    paths[1].unlink()
    app.run()
    assert not app.exception
    assert app.sidebar.children


def test_a_library_that_cannot_be_loaded_is_one_line_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.server.PACKAGES", ("bleu_core.nosuch",))
    monkeypatch.setattr("dashboard.server.gc", SimpleNamespace(freeze=lambda: None, enable=lambda: None))
    loaded = asyncio.Event()
    with ThreadPoolExecutor() as threads:  # where no loop runs, unlike in a process that has driven a browser
        threads.submit(asyncio.run, server._load(loaded)).result()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    (record,) = caplog.records
    caplog.clear()  # it was expected
    assert loaded.is_set()
    assert record.exc_info is None
    assert record.getMessage() == "cannot load what the pages need: No module named 'bleu_core.nosuch'"


@pytest.mark.parametrize(
    ("options", "folder"),
    [
        ([], "home/.local/share/bleu-dashboard/campaigns"),
        (["--address", "localhost"], "home/.local/share/bleu-dashboard/campaigns"),
        (["--campaign-folder", "here"], "here"),
        (["--campaign-folder", "here", "--address", "0.0.0.0"], "here"),  # noqa: S104
        (["--address", "0.0.0.0"], None),  # noqa: S104
        (["--allowed-host", "mt.example.org"], None),  # a proxy passes on what others ask
        (["--trusted-proxy", "127.0.0.1"], None),
        (["--path", "mt"], None),
        (["--campaign", "c.db"], None),
    ],
)
def test_campaigns_are_opened_on_the_page_where_nobody_else_reaches_it_or_a_folder_is_named(
    monkeypatch: pytest.MonkeyPatch, options: list[str], folder: str | None
) -> None:
    monkeypatch.setenv("HOME", "home")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    found = parse(options, check_files=False).hosting_folder
    assert found == (None if folder is None else Path(folder))


def test_the_folder_of_campaigns_follows_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert parse([]).hosting_folder == Path("/data/bleu-dashboard/campaigns")


def test_a_folder_of_campaigns_beside_a_campaign_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--campaign", "c.db", "--campaign-folder", "here"], check_files=False)
    assert "--campaign-folder: not allowed with --campaign" in capsys.readouterr().err
