"""The command that makes a figure again names no trace that will be gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.trace.trace_file import save_trace
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_trace
from viewer.document.run_source import RunSource
from viewer.opening import recorded_run

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()


def test_only_a_trace_that_stays_is_named(driver: Driver, tmp_path: Path) -> None:
    session, exporting = driver.session, driver.window.exporting
    kept = tmp_path / "kept.trace"
    save_trace(small_trace(2), kept)
    session.add_run(recorded_run(kept, RunSource.FILE))
    assert exporting.context().trace_path == str(kept)

    session.sentences.open(str(tmp_path / "none.txt"))
    folder = session.sentences._folder
    assert folder is not None
    held = Path(folder.path()) / "00001.trace"
    save_trace(small_trace(2), held)
    session.add_run(recorded_run(held, RunSource.FILE))
    assert exporting.context().trace_path == ""

    session.show_run(f"file-{kept}")
    assert exporting.context().trace_path == str(kept)
    kept.unlink()
    assert exporting.context().trace_path == ""
