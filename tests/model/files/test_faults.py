"""A disk that fails at any single write, flush or rename: the old files stay, and nothing is left behind."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from model.bundle.bundle import replace_config, replace_weights, weights_of, write_bundle
from model.errors import HeadscopeError
from model.files.files import replace_bytes
from model.trace.trace_file import open_trace, save_trace
from model.training.state import save_training_state
from tests.model import tiny_bundle
from tests.model.tiny_trace import make_trace

STEPS = ("open", "mkdir", "write", "fsync", "replace", "rename")

Tree = dict[str, bytes]


class FailingDisk:
    """Counts the steps that reach the disk; the `failing`th fails, and all later ones too if `for_good`."""

    def __init__(self, patch: pytest.MonkeyPatch, failing: int = -1, for_good: bool = False) -> None:
        self.count = 0
        for name in STEPS:
            # A full disk still lets files be opened and removed.
            lasting = for_good and name not in ("open", "mkdir")
            patch.setattr(os, name, self.wrap(getattr(os, name), failing, lasting))

    def wrap(self, real: Callable[..., Any], failing: int, lasting: bool) -> Callable[..., Any]:
        def step(*args: Any, **kwargs: Any) -> Any:
            number, self.count = self.count, self.count + 1
            if number == failing or (lasting and number > failing):
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*args, **kwargs)

        return step


def tree(folder: Path) -> Tree:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def first_write(folder: Path) -> None:
    old = tiny_bundle.transformer(seed=1)
    write_bundle(folder / "b", tiny_bundle.config(), old, tiny_bundle.spm(), tiny_bundle.spm(), half=False)
    save_training_state(folder / "b", {"a": torch.zeros(3)}, {"step": "1"})
    save_trace(make_trace(seed=1), folder / "a.trace")
    replace_bytes(folder / "log.jsonl", b"{}\n")


def new_bundle(folder: Path) -> None:
    made = tiny_bundle.transformer(seed=2)
    files = {"README.md": b"hello"}
    spm = tiny_bundle.spm()
    write_bundle(folder / "new", tiny_bundle.config(), made, spm, spm, half=True, extra_files=files)


WRITERS: dict[str, Callable[[Path], None]] = {
    "bundle": new_bundle,
    "weights": lambda f: replace_weights(f / "b", weights_of(tiny_bundle.transformer(seed=2)), half=False),
    "config": lambda f: replace_config(f / "b", tiny_bundle.config(name="new")),
    "training state": lambda f: save_training_state(f / "b", {"a": torch.ones(4)}, {"step": "2"}),
    "trace": lambda f: save_trace(make_trace(seed=2), f / "a.trace"),
    "new trace": lambda f: save_trace(make_trace(seed=2), f / "new.trace", float16=True),
    "trace over itself": lambda f: save_trace(open_trace(f / "a.trace"), f / "a.trace", float16=True),
    "bytes": lambda f: replace_bytes(f / "log.jsonl", b"{}\n{}\n"),
}


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("what", WRITERS)
def test_a_fault_at_every_single_step(tmp_path: Path, what: str, for_good: bool) -> None:
    write = WRITERS[what]
    (tmp_path / "count").mkdir()
    first_write(tmp_path / "count")
    with pytest.MonkeyPatch.context() as patch:
        disk = FailingDisk(patch)
        write(tmp_path / "count")
    new = tree(tmp_path / "count")
    assert disk.count >= 5
    folder = tmp_path / "disk"
    folder.mkdir()
    first_write(folder)
    old = tree(folder)
    assert old != new
    outcomes = []
    for step in range(disk.count):
        with pytest.MonkeyPatch.context() as patch:
            FailingDisk(patch, step, for_good)
            with pytest.raises(HeadscopeError) as caught:
                write(folder)
        assert caught.value.code == "disk_full"
        # A fault after the rename (flushing the folder's own entry) finds the new file in its place.
        outcomes.append("new" if tree(folder) == new else "old" if tree(folder) == old else "torn")
        if outcomes[-1] == "new":
            break
    assert "torn" not in outcomes
    assert outcomes.count("old") >= disk.count - 2
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("what", WRITERS)
def test_an_interruption_at_every_kind_of_step(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 0

    def interrupted(*args: Any) -> int:
        raise KeyboardInterrupt

    for name in ("write", "fsync", "replace", "rename"):
        folder = tmp_path / name
        folder.mkdir()
        first_write(folder)
        old = tree(folder)
        with monkeypatch.context() as patch:
            patch.setattr(os, name, interrupted)
            try:
                WRITERS[what](folder)
            except KeyboardInterrupt:
                count += 1
                assert tree(folder) == old
    assert count == 3  # a file is replaced, a folder renamed
    assert not list(tmp_path.rglob("*.tmp"))
