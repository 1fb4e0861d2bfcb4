"""The dashboard's own command line."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from dashboard.__main__ import main
from dashboard.launch import parse


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


def test_a_busy_port_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr("sys.argv", ["bleu-dashboard", "--port", str(port), "--no-browser"])
        assert main() == 2
    assert f"port {port}" in capsys.readouterr().err
