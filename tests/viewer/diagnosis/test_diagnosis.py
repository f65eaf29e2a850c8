"""What is told of this machine, and what is kept of the last run."""

from __future__ import annotations

import itertools
import json
import logging
import platform
from importlib.metadata import version
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from main import main
from viewer.diagnosis import facts, run_log
from viewer.diagnosis.facts import facts_here, report
from viewer.dialogs.report_dialog import ReportDialog


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run_log, "log_folder", lambda: tmp_path / "state")
    return tmp_path / "state"


def test_facts_are_those_of_this_machine(qapp: QApplication, folder: Path) -> None:
    found = {fact.name: fact.value for fact in facts_here(load=True)}
    assert found["python"].startswith(platform.python_version())
    assert found["torch"] == version("torch")
    assert found["qt"] == QLibraryInfo.version().toString()
    assert found["qt platform"] == "offscreen"
    assert "cpu" in found["computes on"]


def test_what_is_missing_comes_with_what_to_do(
    qapp: QApplication, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(facts, "PACKAGES", ("no-such-package",))
    assert main(["doctor", "--json"]) == 1
    told = {fact["name"]: fact for fact in json.loads(capsys.readouterr().out)["facts"]}
    assert told["no-such-package"]["value"] == "missing"
    assert "install" in told["no-such-package"]["advice"]


def test_what_is_installed_is_read_from_files_once(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window does it ahead, since it takes a report long enough to be felt."""
    told = dict(
        zip((*facts.PACKAGES, *itertools.chain(*facts.EXTRAS.values())), facts.versions(), strict=True)
    )
    assert told["torch"] == version("torch")
    monkeypatch.setattr(
        facts.importlib.metadata, "version", lambda name: pytest.fail(f"{name} is read again")
    )
    found = {fact.name: fact.value for fact in facts_here()}
    assert {name: found[name] for name in facts.PACKAGES} == {name: told[name] for name in facts.PACKAGES}


def test_the_last_run_is_kept_without_whose_it_is(qapp: QApplication, folder: Path) -> None:
    for text in ("first", f"second {Path.home()}/secret"):
        log = run_log.start_log(folder)
        logging.getLogger("headscope.test").warning(text)
        run_log.stop_log(log)
    assert any("first" in line for line in run_log.last_lines(folder))
    log = run_log.start_log(folder)
    run_log.stop_log(log)
    assert any("second ~/secret" in line for line in run_log.last_lines(folder))
    assert str(Path.home()) not in report(facts_here())


def test_a_disk_that_refuses_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert run_log.start_log(tmp_path / "file" / "state") is None
    run_log.stop_log(None)


def test_the_dialog_copies_it(qtbot: QtBot, folder: Path) -> None:
    dialog = ReportDialog(report(facts_here()))
    qtbot.addWidget(dialog)
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    assert "headscope:" in dialog.text.toPlainText()
