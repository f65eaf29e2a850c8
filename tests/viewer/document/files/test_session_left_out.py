"""Runs whose traces went bad: left out of a session, said, and back when they can be read again."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model import limits
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Floats, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.fake_source import small_trace
from viewer.document.document import Bookmark, Document, Pane, Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.selection import Selection

CROSS = AttentionKind.CROSS


class Breaking:
    """Patterns of a file that is damaged while it is open."""

    def __init__(self, trace: Trace, error: HeadscopeError) -> None:
        self._trace, self._error = trace, error
        self.shape, self.pattern = trace.patterns.shape, trace.patterns.pattern

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        raise self._error


def broken(trace: Trace, code: str = "file_failed") -> Trace:
    from dataclasses import replace

    return replace(trace, patterns=Breaking(trace, HeadscopeError(code, path="a.trace", reason="EIO")))


def family(bad: Trace) -> Document:
    """Three runs in a line, of which the second is bad and looked at, and marked."""
    pane = Pane("bad", Selection(CROSS))
    runs = (
        Run("first", small_trace(4)),
        Run("bad", bad, "first", {"source": "decoded", "why": "猫"}, branch_step=1),
        Run("last", small_trace(3), "bad", {"source": "decoded"}, branch_step=1),
    )
    return Document(
        runs, (pane,), bookmarks=(Bookmark("here", pane), Bookmark("there", Pane("last", Selection(CROSS))))
    )


def session_json(folder: Path) -> Any:
    return json.loads((folder / "session.json").read_text("utf-8"))


@pytest.mark.parametrize("over", [False, True])
def test_one_bad_trace_keeps_no_other_from_being_saved(tmp_path: Path, over: bool) -> None:
    folder = tmp_path / "s.headscope"
    if over:
        save_session(folder, Document((Run("old", small_trace(2)),)), "old", None)
    left_out = save_session(folder, family(broken(small_trace(4))), "text", None).left_out
    assert left_out.runs == 1
    notice = left_out.notice()
    assert notice is not None
    assert "EIO" in notice.sentence()
    assert left_out.name in notice.sentence()
    found = open_session(folder)
    assert found.text == "text"
    assert [(run.id, run.parent) for run in found.document.runs] == [("first", None), ("last", "first")]
    assert [pane.run_id for pane in found.document.panes] == ["first"]
    assert [mark.name for mark in found.document.bookmarks] == ["there"]
    (entry,) = session_json(folder)["left_out"]
    assert (entry["id"], entry["parent"], entry["provenance"]["why"]) == ("bad", "first", "猫")
    assert "EIO" in entry["reason"]


def test_a_trace_with_senseless_numbers_is_left_out_too(tmp_path: Path) -> None:
    from dataclasses import replace

    from model.trace.trace import ArrayPatterns

    trace = small_trace(3)
    shape = trace.patterns.shape(CROSS)
    assert shape is not None
    bad = replace(trace, patterns=ArrayPatterns({CROSS: np.full(shape, np.nan, np.float32)}))
    left_out = save_session(tmp_path / "s.headscope", family(bad), "", None).left_out
    assert left_out.error is not None
    assert left_out.error.code == "trace_values"


def test_the_disk_is_not_taken_for_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is an error, and the session that was there stays to the byte."""
    folder = tmp_path / "s.headscope"
    save_session(folder, Document((Run("old", small_trace(2)),)), "old", None)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(descriptor: int, data: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(HeadscopeError) as caught:
            save_session(folder, family(broken(small_trace(4))), "new", None)
    assert caught.value.code == "disk_full"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_where_no_trace_is_left_nothing_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "s.headscope"
    with pytest.raises(HeadscopeError) as caught:
        save_session(folder, Document((Run("a", broken(small_trace(2))),)), "", None)
    assert caught.value.code == "file_failed"
    assert not folder.exists()


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_trace_is_back_when_its_file_is(tmp_path: Path, harm: str) -> None:
    """Opened without it, saved over, opened with it: nothing of it was lost, its file least of all."""
    folder = tmp_path / "s.headscope"
    save_session(folder, family(small_trace(5)), "text", None)
    (name,) = (run["trace"] for run in session_json(folder)["runs"] if run["id"] == "bad")
    file, aside = folder / name, tmp_path / "aside.trace"
    whole = file.read_bytes()
    if harm == "cut":
        file.write_bytes(whole[:-7])
    else:
        file.rename(aside)
    found = open_session(folder)
    assert [(run.id, run.parent) for run in found.document.runs] == [("first", None), ("last", "first")]
    notice = found.notice()
    assert notice is not None
    assert name in notice.sentence()
    assert notice.level == "warning"
    if harm == "cut":
        save_session(folder, found.document, "later", None)
        assert file.read_bytes() == whole[:-7]
        assert [run.id for run in open_session(folder).document.runs] == ["first", "last"]
        save_session(folder, found.document, "later still", None)
    file.write_bytes(whole)
    again = open_session(folder)
    assert again.notice() is None
    runs = {run.id: run for run in again.document.runs}
    assert runs["bad"].provenance == {"source": "decoded", "why": "猫"}
    assert (runs["bad"].parent, runs["bad"].trace.steps) == ("first", 5)
    save_session(folder, again.document, "", None)
    assert "left_out" not in session_json(folder)


def test_a_file_that_is_cut_in_an_open_window_stays_where_it_is(tmp_path: Path) -> None:
    """A large one, read head by head; its place is kept, and it is saved again once it is whole."""
    folder, own = tmp_path / "s.headscope", tmp_path / "own.trace"
    save_trace(small_trace(120), own)
    assert own.stat().st_size > 1 << 18
    save_session(folder, family(open_trace(own)), "", None)
    document = open_session(folder).document
    (name,) = (run["trace"] for run in session_json(folder)["runs"] if run["id"] == "bad")
    whole = (folder / name).read_bytes()
    os.truncate(folder / name, len(whole) // 2)
    left_out = save_session(folder, document, "cut", None).left_out
    assert left_out.error is not None
    assert left_out.error.code in ("tensors_invalid", "trace_invalid")
    assert (folder / name).stat().st_size == len(whole) // 2
    with (folder / name).open("r+b") as file:
        file.write(whole)
    assert save_session(folder, document, "whole", None).left_out.notice() is None
    assert [run.id for run in open_session(folder).document.runs] == ["first", "bad", "last"]


@pytest.mark.parametrize(
    "entries",
    [3, [3], [{}], [{"id": "x", "trace": "../x.trace"}], [{"id": "x", "trace": "x.trace"}] * 3, [{"id": 3}]],
)
def test_senseless_places_are_no_matter(tmp_path: Path, entries: Any) -> None:
    folder = tmp_path / "s.headscope"
    save_session(folder, family(small_trace(3)), "", None)
    values = session_json(folder)
    (folder / "session.json").write_text(json.dumps({**values, "left_out": entries}))
    assert len(open_session(folder).document.runs) == 3


def test_more_runs_than_anybody_makes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "s.headscope"
    save_session(folder, family(small_trace(3)), "", None)
    monkeypatch.setattr(limits, "RUNS", 2)
    with pytest.raises(HeadscopeError) as caught:
        open_session(folder)
    assert caught.value.code == "session_runs"
