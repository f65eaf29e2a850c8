"""Headscope among the programs of a desktop: what is written, that it is valid, and that it goes again."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from main import main
from viewer.integration.desktop_entry import desktop_entry
from viewer.integration.installation import SIZES, integrate, remove
from viewer.integration.program import program
from viewer.opening import kind_of, meant

ROOT = Path(__file__).parents[3]
OLD = ROOT / "tests" / "written_by" / "v0_1"


def entry_of(text: str) -> configparser.SectionProxy:
    read = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(text)
    return read["Desktop Entry"]


def files_of(home: Path) -> dict[str, bytes]:
    """All but what the desktop's own tools make of them."""
    made = ("mimeinfo.cache",)
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and path.name not in made and (path.parent.name != "mime")
        if "application/" not in path.relative_to(home).as_posix()
    }


def test_what_is_written_is_written_again_and_goes(tmp_path: Path, qapp: object) -> None:
    other = tmp_path / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("[Desktop Entry]\nType=Application\nName=Other\nExec=true\n", "utf-8")
    written = integrate(tmp_path, ("/opt/head scope/headscope",))
    first = files_of(tmp_path)

    assert {path.relative_to(tmp_path).as_posix() for path in written} | {
        "applications/other.desktop"
    } == set(first)
    for size in SIZES:
        image = QImage(str(tmp_path / f"icons/hicolor/{size}x{size}/apps/headscope.png"))
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(size // 2, 1).name() == "#0b5cad"  # the icon's ground
        assert image.pixelColor(0, 0).alpha() < 128  # its corners are round
    assert integrate(tmp_path, ("/opt/head scope/headscope",)) == written
    assert files_of(tmp_path) == first
    assert remove(tmp_path) == written
    assert set(files_of(tmp_path)) == {"applications/other.desktop"}
    assert remove(tmp_path) == []


@pytest.mark.parametrize(
    "words",
    [
        ("/usr/bin/headscope",),
        ("/opt/head scope/head`$scope\\x",),
        ("/usr/bin/python3", "/home/a b/100%/main.py"),
        ('/o"dd/headscope', "it's"),
    ],
)
def test_the_command_is_said_as_a_desktop_reads_it(words: tuple[str, ...]) -> None:
    """Undone as the specification says: first a string's backslashes, then quotes, then field codes."""
    entry = entry_of(desktop_entry(words))
    unescaped = entry["Exec"].replace("\\\\", "\0").replace("\0", "\\")

    found = [quoted or bare for quoted, bare in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', unescaped)]
    *said, code = (re.sub(r"\\(.)", r"\1", word) for word in found)
    assert code == "%f"
    assert tuple(word.replace("%%", "%") for word in said) == words
    assert entry["MimeType"] == "application/x-headscope-trace;"


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="needs desktop-file-utils")
def test_the_entry_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "headscope.desktop"
    path.write_text(desktop_entry(("/opt/head scope/headscope",)), "utf-8")
    done = subprocess.run(["desktop-file-validate", str(path)], capture_output=True, text=True, timeout=30)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="needs shared-mime-info")
def test_the_type_is_taken(tmp_path: Path, qapp: object) -> None:
    integrate(tmp_path, ("/usr/bin/headscope",))
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    root = ElementTree.parse(tmp_path / "mime/packages/headscope.xml").getroot()

    assert [one.get("type") for one in root.iter(f"{space}mime-type")] == ["application/x-headscope-trace"]
    assert "application/x-headscope-trace:*.trace" in (tmp_path / "mime/globs").read_text("utf-8")
    match = root.find(f".//{space}match")
    assert match is not None
    first, last = map(int, str(match.get("offset")).split(":"))
    for trace in (OLD / "tiny.trace", ROOT / "resources/models/en-fr/example.trace"):
        assert first <= trace.read_bytes().index(str(match.get("value")).encode()) <= last


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["integrate"]) == 0
    entry = entry_of((tmp_path / "applications/headscope.desktop").read_text("utf-8"))
    assert entry["Exec"] == f"{shlex.join(program())} %f"
    assert main(["integrate", "--remove"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"headscope: 10 files are gone from {tmp_path}"


def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert main(["integrate"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_elsewhere_than_on_linux_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["integrate"]) == 1
    assert capsys.readouterr().err.startswith("headscope: error: only a Linux desktop")


def test_what_starts_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = tmp_path / "headscope"
    command.write_bytes(b"#!/bin/sh\n")
    command.chmod(0o755)
    link = tmp_path / "bin" / "headscope"
    link.parent.mkdir()
    link.symlink_to(command)
    monkeypatch.setattr(sys, "argv", [str(link), "integrate"])
    assert program() == (str(link),)
    monkeypatch.setattr(sys, "argv", [str(ROOT / "main.py"), "integrate"])
    assert program() == (sys.executable, str(ROOT / "main.py"))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(link))
    assert program() == (str(command),)


def test_a_session_is_meant_by_its_own_file() -> None:
    folder = OLD / "look.headscope"

    assert kind_of(meant(folder / "session.json")) == "session"
    assert meant(folder) == folder
    assert meant(ROOT / "resources" / "session.json") == ROOT / "resources" / "session.json"
