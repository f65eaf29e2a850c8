"""An export beside the window: it asks in the main thread, can be given up, and leaves the old file whole."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.files.files import replace_bytes, replacing, write_chunks
from model.files.watched import watched, wrote
from model.questions.questions import Question, Reading, SharesOf
from viewer import giving_way
from viewer.export.export_job import ExportJob
from viewer.figures.request import Source


def end_of(qtbot: QtBot, job: ExportJob) -> object:
    with qtbot.waitSignal(job.ended, timeout=20_000) as heard:
        job.start()
    assert job.wait(10)
    return heard.args[0] if heard.args else None


def test_it_works_in_a_thread_and_asks_in_this_one(qtbot: QtBot) -> None:
    here, asked = threading.get_ident(), []

    def known(question: Question, reading: Reading | None) -> object:
        asked.append(threading.get_ident())
        if len(asked) == 1:
            raise HeadscopeError("export_waiting")
        return "answer"

    def work(source: Source) -> object:
        assert threading.get_ident() != here
        assert source.known is not None
        return source.known(SharesOf(), None)

    assert end_of(qtbot, ExportJob(Source(known=known), work)) == "answer"
    assert asked == [here, here]


def test_the_event_loop_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    """As long as the thread writes, this one answers."""
    release, ticks = threading.Event(), 0

    def work(source: Source) -> object:
        assert release.wait(20)
        return "done"

    job = ExportJob(Source(), work)
    job.start()
    for _ in range(20):
        qtbot.wait(5)
        ticks += 1
    with qtbot.waitSignal(job.ended, timeout=20_000):
        release.set()
    assert ticks == 20
    assert job.wait(10)


def test_given_up_it_leaves_the_old_file(qtbot: QtBot, tmp_path: Path) -> None:
    path, begun = tmp_path / "a.csv", threading.Event()
    replace_bytes(path, b"old")

    def chunks():  # noqa: ANN202
        while True:
            yield b"new"
            begun.set()
            time.sleep(0.001)

    def work(source: Source) -> object:
        with replacing(path) as temporary:
            write_chunks(temporary, chunks())
        return "done"

    job = ExportJob(Source(), work)
    sizes: list[int] = []
    job.progressed.connect(sizes.append)
    with qtbot.waitSignal(job.ended, timeout=20_000) as heard:
        job.start()
        assert begun.wait(20)
        qtbot.waitUntil(lambda: bool(sizes), timeout=20_000)
        job.cancel()
    assert heard.args == [None]
    assert job.wait(10)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]
    assert sizes == sorted(sizes)
    assert sizes[0] == 3


@pytest.mark.parametrize("error", [HeadscopeError("export_suffix", path="x"), ZeroDivisionError("odd")])
def test_whatever_goes_wrong_is_told(
    qtbot: QtBot, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def work(source: Source) -> object:
        raise error

    ended = end_of(qtbot, ExportJob(Source(), work))
    assert isinstance(ended, HeadscopeError)
    assert ended.code == ("export_suffix" if isinstance(error, HeadscopeError) else "internal")
    assert bool(caplog.records) is not isinstance(error, HeadscopeError)
    caplog.clear()


def test_only_who_watches_is_told(tmp_path: Path) -> None:
    """Bytes of all files inside, in this thread alone."""
    told: list[int] = []
    wrote(7)
    with watched(told.append):
        replace_bytes(tmp_path / "a", b"123")
        other = threading.Thread(target=wrote, args=(100,))
        other.start()
        other.join()
        replace_bytes(tmp_path / "b", b"4567")
    wrote(7)
    assert told == [3, 7]


def test_an_export_rests_while_the_window_works_and_can_be_stopped_there(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, naps = iter((True, True, False)), list[float]()
    monkeypatch.setattr("viewer.export.export_job._REST_S", 60.0)
    monkeypatch.setattr(giving_way, "has_to_wait", lambda: next(waits))
    monkeypatch.setattr(giving_way.time, "sleep", naps.append)
    job = ExportJob(Source(), lambda source: wrote(3))
    with qtbot.waitSignal(job.ended):
        job.start()
    assert naps == [giving_way.NAP_S] * 2
    assert job.wait(10)

    stopped = ExportJob(Source(), lambda source: wrote(3) or "done")
    monkeypatch.setattr(giving_way, "has_to_wait", lambda: True)
    monkeypatch.setattr(giving_way.time, "sleep", lambda seconds: stopped.cancel())
    with qtbot.waitSignal(stopped.ended) as heard:
        stopped.start()
    assert heard.args == [None]
    assert stopped.wait(10)


def test_an_export_goes_on_however_busy_the_window_is(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """It works and rests by turns: tables are written row by row."""
    monkeypatch.setattr(giving_way, "has_to_wait", lambda: True)
    monkeypatch.setattr("viewer.export.export_job._WORK_S", 0.0)
    monkeypatch.setattr("viewer.export.export_job._REST_S", 0.004)
    job = ExportJob(Source(), lambda source: [wrote(1) for _ in range(50)] and "done")
    assert end_of(qtbot, job) == "done"


def test_an_export_lets_a_frame_end_that_it_has_rested_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not a dialog that somebody leaves open in it."""
    monkeypatch.setattr("viewer.export.export_job._REST_S", 0.0)
    wrote_on = threading.Event()
    job = ExportJob(Source(), lambda source: wrote(1) or wrote_on.set() or "done")
    with qtbot.waitSignal(job.ended), giving_way.frame():
        job.start()
        assert not wrote_on.wait(giving_way._PATIENCE_S / 4)
        assert wrote_on.wait(5)
    assert job.wait(10)
