"""Settings that are written beside the window."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings

from viewer.services.settings_store import SettingsStore, _look_at


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "s.ini")


def store(path: str) -> SettingsStore:
    return SettingsStore(lambda: QSettings(path, QSettings.Format.IniFormat))


def kept(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


# Qt waits for the lock before it writes, as it waits for a slow disk. Were the interpreter held meanwhile,
# this would never end: hence a process of its own.
_LOCKED = """
import sys
import time
from pathlib import Path

from PySide6.QtCore import QLockFile, QSettings

from viewer.services.settings_store import SettingsStore

path = sys.argv[1]
lock = QLockFile(path + ".lock")
assert lock.tryLock(0)
settings = SettingsStore(lambda: QSettings(path, QSettings.Format.IniFormat))
settings.set_value("theme", "dark")
settings.set_value("type_size", 125)
for _ in range(50):  # the writer's turn
    time.sleep(0.001)
assert settings.value("theme") == "dark"
assert settings.value("type_size") == 125
assert not Path(path).exists()
lock.unlock()
settings.sync()
"""


def test_the_window_goes_on_while_the_file_cannot_be_written_yet(path: str) -> None:
    subprocess.run([sys.executable, "-c", _LOCKED, path], check=True, timeout=60)

    assert kept(path) == "[General]\ntheme=dark\ntype_size=125\n"


def test_the_disk_is_asked_before_anything_holds_the_interpreter(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PySide keeps it while settings are made, which look at the disk; a disk that sleeps would hold all."""
    gate, made = threading.Event(), []

    def make() -> QSettings:
        made.append(gate.is_set())
        return QSettings(path, QSettings.Format.IniFormat)

    settings = SettingsStore(make)
    stat = os.stat

    def asleep(place: object, *values: Any, **named: Any) -> os.stat_result:
        if place == str(Path(path).parent):
            assert gate.wait(60)
        return stat(place, *values, **named)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "stat", asleep)
    settings.set_value("theme", "dark")
    assert settings.value("theme") == "dark"
    gate.set()
    assert settings.sync()
    assert made == [False, True]
    assert kept(path) == "[General]\ntheme=dark\n"


def test_a_registry_is_not_looked_for_on_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(os, "stat", asked.append)
    _look_at(r"\\HKEY_CURRENT_USER\Software\Headscope\Headscope")
    assert asked == []
    _look_at("/home/somebody/Headscope.conf")
    assert asked == ["/home/somebody", "/home"]


def test_one_failure_does_not_keep_what_is_chosen_next(path: str, caplog: pytest.LogCaptureFixture) -> None:
    broken: list[bool] = []

    def make() -> QSettings:
        if broken:
            broken.clear()
            raise OSError("not now")
        return QSettings(path, QSettings.Format.IniFormat)

    settings = SettingsStore(make)
    broken.append(True)
    settings.set_value("theme", "dark")
    assert settings.sync()
    assert "settings were not written" in caplog.text
    settings.set_value("language", "en")
    assert settings.sync()
    assert settings.value("theme") == "dark"
    assert kept(path) == "[General]\nlanguage=en\ntheme=dark\n"


def test_what_another_window_wrote_is_known_after_the_next_change(path: str) -> None:
    ours, theirs = store(path), store(path)

    theirs.set_value("language", "zh_CN")
    theirs.sync()
    assert ours.value("language") is None
    ours.set_value("theme", "dark")
    ours.sync()

    assert ours.value("language") == "zh_CN"
    assert kept(path) == "[General]\nlanguage=zh_CN\ntheme=dark\n"


def test_the_last_of_many_changes_counts(path: str) -> None:
    settings = store(path)

    for number in range(500):
        settings.set_value("number", number)
        assert settings.value("number") == number

    settings.sync()
    assert kept(path) == "[General]\nnumber=499\n"


def test_what_cannot_be_written_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    settings = store(str(tmp_path / "file" / "s.ini"))

    settings.set_value("theme", "dark")
    settings.sync()
    settings.set_value("language", "en")
    settings.sync()

    assert settings.value("theme") == "dark"
    assert settings.value("language") == "en"
    assert settings.value("type_size", 100) == 100
