"""Session folders: saved, opened, saved over, damaged."""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model import files
from model.errors import HeadscopeError
from model.trace import AttentionKind
from tests.viewer.fake_source import small_info, small_trace
from viewer.state.document import Bookmark, Document, Pane, Run, ViewOptions
from viewer.state.selection import Selection
from viewer.state.session_file import ModelRef, SavedSession, is_session, open_session, save_session

CROSS = AttentionKind.CROSS


def document(steps: int = 4) -> Document:
    first = Pane("run-1", Selection(CROSS, 1, 2, 1, 1, 0))
    second = Pane("run-2", Selection(AttentionKind.ENCODER_SELF, 2, None, 2))
    return Document(
        runs=(
            Run("run-1", small_trace(steps), provenance={"source": "recorded", "at": [1, 2.5, None]}),
            Run("run-2", small_trace(3), "run-1", {"source": "decoded"}, ({"head": [0, 1]},), live=True),
        ),
        panes=(first, second),
        view=ViewOptions(sqrt_scale=True),
        active=1,
        bookmarks=(Bookmark("看这里", first),),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "小女孩.headscope"
    save_session(folder, document(), "a b", ModelRef.of(small_info("models/fake")))
    return folder


def rewrite(folder: Path, **changes: Any) -> None:
    path = folder / "session.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_everything_comes_back(folder: Path) -> None:
    saved, before = open_session(folder), document()
    after = saved.document
    assert saved.text == "a b"
    assert saved.model == ModelRef(os.path.abspath("models/fake"), "fake", "00")
    assert (after.panes, after.view, after.active, after.bookmarks) == (
        before.panes,
        before.view,
        before.active,
        before.bookmarks,
    )
    for new, old in zip(after.runs, before.runs, strict=True):
        assert (new.id, new.parent, new.provenance, new.alterations) == (
            old.id,
            old.parent,
            old.provenance,
            old.alterations,
        )
        assert not new.live
        assert new.trace.tgt_out_tokens == old.trace.tgt_out_tokens
        np.testing.assert_array_equal(new.trace.pattern(CROSS, 1, 2), old.trace.pattern(CROSS, 1, 2))


def test_the_file_says_what_the_contract_says(folder: Path) -> None:
    values = json.loads((folder / "session.json").read_text("utf-8"))
    assert (values["format"], values["version"]) == ("headscope-session", 1)
    assert set(values["model"]) == {"path", "name", "sha256"}
    assert [run["parent"] for run in values["runs"]] == [None, "run-1"]
    assert values["runs"][1]["alterations"] == [{"head": [0, 1]}]
    assert names(folder) == {"session.json", *(run["trace"] for run in values["runs"])}
    assert not list(folder.rglob("*.safetensors"))


def test_an_empty_document_and_an_empty_run_can_be_saved(tmp_path: Path) -> None:
    save_session(tmp_path / "a.headscope", Document(), "", None)
    saved = open_session(tmp_path / "a.headscope")
    assert (saved.document.runs, saved.document.panes, saved.model) == ((), (), None)
    empty = Run("r", small_trace(0), live=True)
    save_session(tmp_path / "b.headscope", Document((empty,), (Pane("r", Selection()),)), "x", None)
    assert open_session(tmp_path / "b.headscope").document.runs[0].trace.steps == 0


def test_saving_over_leaves_only_what_is_new(folder: Path) -> None:
    opened = open_session(folder).document
    save_session(folder, opened.but(runs=opened.runs[:1], panes=opened.panes[:1], active=0), "new", None)
    saved = open_session(folder)
    assert saved.text == "new"
    assert [run.id for run in saved.document.runs] == ["run-1"]
    assert len(names(folder)) == 2
    save_session(folder, Document(), "", None)
    assert names(folder) == {"session.json"}
    # The traces that were opened before are still there for who looks at them.
    assert opened.runs[1].trace.pattern(CROSS, 0, 0).shape == (3, 3)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").write_text("dear diary")
    with pytest.raises(HeadscopeError, match="exists already") as raised:
        save_session(folder, document(), "", None)
    assert raised.value.code == "folder_exists"
    assert names(folder) == {"diary.txt"}
    assert not is_session(folder)


class DiskFault:
    """Lets the call of that number fail, of all writes, flushes and renames."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        self._left = number
        for name in ("write", "fsync", "replace", "rename"):
            monkeypatch.setattr(files.os, name, self._wrapped(getattr(os, name)))

    def _wrapped(self, original: Any) -> Any:
        def call(*args: Any, **keywords: Any) -> Any:
            self._left -= 1
            if self._left == 0:
                raise OSError(28, "No space left on device")
            return original(*args, **keywords)

        return call


@pytest.mark.parametrize("over", [False, True])
def test_a_fault_at_any_write_leaves_one_session_or_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    seen: list[str] = []
    for number in range(1, 100):
        folder = tmp_path / f"{number}.headscope"
        if over:
            save_session(folder, document(4), "old", None)
        with monkeypatch.context() as patch:
            DiskFault(patch, number)
            try:
                save_session(folder, document(5), "new", None)
            except HeadscopeError:
                failed = True
            else:
                failed = False
        saved = open_session(folder) if is_session(folder) else None
        seen.append("none" if saved is None else saved.text)
        if saved is not None:
            assert saved.document.runs[0].trace.steps == {"old": 4, "new": 5}[saved.text]
            assert len(names(folder)) == 3
        if not failed:
            break
    # One session, then, from some call on, the other: the last fault is the flush after the last rename.
    before = "old" if over else "none"
    turn = seen.index("new")
    assert turn > 5
    assert seen == [before] * turn + ["new"] * (len(seen) - turn)


def test_a_model_that_is_gone_is_said_and_the_traces_open(tmp_path: Path) -> None:
    bundle = tmp_path / "fake"
    bundle.mkdir()
    save_session(tmp_path / "s.headscope", document(), "", ModelRef(str(bundle), "fake", "00"))
    assert open_session(tmp_path / "s.headscope").notice() is None
    bundle.rmdir()
    saved = open_session(tmp_path / "s.headscope")
    notice = saved.notice()
    assert notice is not None
    assert str(bundle) in notice.sentence()
    assert saved.document.runs[0].trace.steps == 4


def test_another_model_at_the_same_place_is_said(folder: Path) -> None:
    saved = open_session(folder)
    assert saved.notice_of(small_info()) is None
    assert saved.model is not None
    changed = SavedSession(saved.document, "", ModelRef(saved.model.path, "fake", "11"))
    notice = changed.notice_of(small_info())
    assert notice is not None
    assert notice.code == "session_model_differs"


def test_unknown_keys_and_missing_options_are_borne(folder: Path) -> None:
    values = json.loads((folder / "session.json").read_text("utf-8"))
    for pane in values["panes"]:
        pane["zoom"] = 3
        pane["selection"]["colour"] = "blue"
    values["view"]["later"] = 1
    del values["bookmarks"], values["active"]
    (folder / "session.json").write_text(json.dumps({**values, "tree": {}}), "utf-8")
    saved = open_session(folder)
    assert saved.document.panes == document().panes
    assert saved.document.active == 0


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"format": "other"}, "session_format"),
        ({"version": "1"}, "session_format"),
        ({"version": 2}, "session_newer"),
        ({"text": 3}, "session_invalid"),
        ({"runs": None}, "session_invalid"),
        ({"runs": [3]}, "session_invalid"),
        ({"runs": [{"id": "x"}]}, "session_invalid"),
        ({"runs": [{"id": "x", "trace": "../x.trace"}], "panes": []}, "session_invalid"),
        ({"runs": [{"id": "x", "trace": "/etc/passwd"}], "panes": []}, "session_invalid"),
        ({"runs": [{"id": "x", "trace": "gone.trace"}], "panes": [], "bookmarks": []}, "file_missing"),
        ({"panes": [{"run": "gone", "selection": {}}]}, "session_invalid"),
        ({"panes": [{"run": "run-1", "selection": {"layer": "one"}}]}, "session_invalid"),
        ({"panes": [{"run": "run-1", "selection": {"kind": 7}}]}, "session_invalid"),
        ({"panes": 4}, "session_invalid"),
        ({"view": {"sqrt_scale": "yes"}}, "session_invalid"),
        ({"view": []}, "session_invalid"),
        ({"active": "0"}, "session_invalid"),
        ({"model": {"path": "x"}}, "session_invalid"),
        ({"model": {"path": 1, "name": 2, "sha256": 3}}, "session_invalid"),
        ({"bookmarks": [{}]}, "session_invalid"),
    ],
)
def test_senseless_sessions_get_their_sentence(folder: Path, changes: dict[str, Any], code: str) -> None:
    rewrite(folder, **changes)
    with pytest.raises(HeadscopeError) as raised:
        open_session(folder)
    assert raised.value.code == code


def test_damage_anywhere_gets_a_sentence(folder: Path) -> None:
    path = folder / "session.json"
    whole = path.read_bytes()
    chance = random.Random(1)
    for _ in range(150):
        damaged = bytearray(whole)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        with contextlib.suppress(HeadscopeError):  # anything else fails the test
            open_session(folder)


def test_a_trace_that_is_cut_gets_its_sentence(folder: Path) -> None:
    trace = next(folder.glob("*.trace"))
    trace.write_bytes(trace.read_bytes()[:-7])
    with pytest.raises(HeadscopeError, match=trace.name):
        open_session(folder)


def test_what_is_no_session_is_said(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as raised:
        open_session(tmp_path)
    assert raised.value.code == "session_missing"


def test_opening_a_session_needs_no_torch(folder: Path) -> None:
    code = (
        "import sys; from viewer.state.session_file import open_session; open_session(sys.argv[1]);"
        "sys.exit(any(name in sys.modules for name in ('torch', 'sentencepiece', 'PySide6.QtWidgets')))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(folder)], timeout=60, check=False).returncode == 0
